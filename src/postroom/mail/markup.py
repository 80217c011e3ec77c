"""How HTML nests, told without building a tree: what a parser takes long over is known before it begins."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

# As a browser's tokenizer cuts it, without a way back in any loop: every character is looked at once.
TOKEN = re.compile(
    r"<(?:!--(?:-?>|(?:[^-]++|-(?!-!?>))*+(?:--!?>)?)|[!?][^>]*+>?|/[^a-zA-Z>][^>]*+>?"
    r"|(?P<end>/?)(?P<name>[a-zA-Z][^\s/>]*+)"
    r"(?P<attributes>(?:[^>=]++|=(?:\s*+(?:\"[^\"]*+\"|'[^']*+'))?)*+)>?)"
)
FORMATTING = frozenset(["b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u"])
FEW_TAGS = 1_000  # so few cannot take long, whatever they are
MANY_TAGS = 100_000  # more than any mail or page that people made
MOST_STEPS = 4_000_000  # tags × how deep each stands
_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"]
)
# They nest only inside something that counts.
_CLOSED_BY_OTHERS = frozenset(
    [
        *("body", "dd", "dt", "head", "html", "li", "optgroup", "option", "p"),
        *("tbody", "td", "tfoot", "th", "thead", "tr"),
    ]
)


def tags_of(html: str) -> Iterator[re.Match[str]]:
    return (token for token in TOKEN.finditer(html) if token["name"])


def takes_long(html: str, deepest: int) -> bool:
    """Whether a parser would: it takes time with the square of the nesting."""
    tags = html.count("<")
    return tags > MANY_TAGS or (tags > FEW_TAGS and deeper_than(deepest, tags_of(html), MOST_STEPS))


def deeper_than(deepest: int, tags: Iterable[re.Match[str]], most_steps: int | None = None) -> bool:
    """As browsers nest: an end tag ends the innermost of its name, and all inside but formatting ends with it."""
    open_tags: list[str] = []
    steps = 0
    for tag in tags:
        name = tag["name"].lower()
        steps += len(open_tags)
        if most_steps is not None and steps > most_steps:
            return True
        if name in _VOID or name in _CLOSED_BY_OTHERS:
            continue
        if not tag["end"]:
            open_tags.append(name)
            if len(open_tags) > deepest:
                return True
        elif name in open_tags:
            _close(open_tags, name)
    return False


def _close(open_tags: list[str], name: str) -> None:
    at = len(open_tags) - 1 - open_tags[::-1].index(name)
    inside = open_tags[at + 1 :]
    if name in FORMATTING:
        open_tags[at:] = inside
    elif "table" not in inside:  # from inside a table nothing around it can be ended
        open_tags[at:] = [each for each in inside if each in FORMATTING]
