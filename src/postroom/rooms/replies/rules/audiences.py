"""For whom a paper or a part of it is: what is marked as internal is never quoted to outsiders."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import PurePosixPath

from postroom.mail.sentences import tokens
from postroom.rooms.replies.rules.blocks import Block, BlockedText, shown
from postroom.rooms.replies.rules.marks import Pattern, fitting, mark_words, pattern_of

TOP_LINES = 8
MOST_BEFORE, MOST_BESIDE = 1, 3  # words before and after "for staff only" in a line that says it of a paper
MOST_MARKED = 12  # words of a label or a comment that says so
_PIECES = re.compile(r"[.!?;|()\[\]{}–—,]|\s-+\s|\n")
_HEADING_PIECES = re.compile(rf"{_PIECES.pattern}|[:/]")
_LABEL = re.compile(r"^([^:.!?]{1,40}):")
LONGEST_MARK = 2_000  # letters of a line in which a mark is looked for
_BOLD = re.compile(r"(\*\*|__)[^\n]+(?:\*\*|__):?")


@cache
def _words(name: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """Whole words of a list, and stems."""
    parts = [part for each in mark_words()[name] for part in pattern_of(each)]
    return frozenset(each for each in parts if not each.endswith("*")), tuple(e[:-1] for e in parts if e.endswith("*"))


def _has(said: Iterable[str], name: str) -> bool:
    whole, stems = _words(name)
    return any(word in whole or word.startswith(stems) for word in said)


@cache
def _patterns(name: str) -> Mapping[str, Sequence[Pattern]]:
    """By their first letters, `<people>` and `<outsiders>` written out."""
    found: dict[str, list[Pattern]] = {}
    for phrase in mark_words()[name]:
        slot = re.search(r"<(\w+)>", phrase)
        for word in mark_words()[slot[1]] if slot else [""]:
            pattern = pattern_of(phrase.replace(slot[0], word) if slot else phrase)
            found.setdefault(pattern[0][:2], []).append(pattern)
    return found


def _found(said: Sequence[str], name: str) -> Iterator[tuple[int, int]]:
    """Where phrases of a list stand in a text, as the first token and the one after the last."""
    known = _patterns(name)
    for at, word in enumerate(said):
        for each in known.get(word[:2], ()):
            if (end := fitting(said, at, each)) is not None:
                yield at, end + 1


def says_internal(text: str, *, heading: bool = False) -> bool:
    """A heading, or a line that says of the paper that it is for the house alone.

    "Internal" before or after anything but a thing ("internal stairs") is enough in a heading. A line has to say little
    else, or to name the paper: "the pool bar is for staff only" is about the bar.
    """
    text = text[:LONGEST_MARK]
    said = tokens(text)
    if (len(said) <= MOST_MARKED or _has(said, "papers")) and any(_found(said, "strong")):
        return True
    pieces = (_HEADING_PIECES if heading else _PIECES).split(text)
    return any(_piece_says(piece, heading=heading) for piece in pieces) or (len(said) <= MOST_MARKED and _shouts(text))


def _piece_says(piece: str, *, heading: bool) -> bool:
    said = [word for word in tokens(piece) if not word.isdigit()]
    if not said:
        return False
    if any(_tells(said, *place) for place in _found(said, "alone")) or (0, len(said)) in _found(said, "whole"):
        return True
    if _is_secret(said):
        return True
    if not _has(said, "adjectives") or _has(said, "things"):
        return False
    return heading or len(said) <= 2 or (len(said) <= 1 + MOST_BESIDE and _has(said, "papers"))


def _tells(said: Sequence[str], first: int, end: int) -> bool:
    if _has([*said[:first], *said[end:]], "papers"):
        return True
    return (
        first <= MOST_BEFORE and len(said) - end <= MOST_BESIDE if end - first > 2 else (first, end) == (0, len(said))
    )


def _is_secret(said: Sequence[str]) -> bool:
    """ "Strictly confidential", "confidential price list", but not "how we treat confidential information"."""
    return _has(said, "secrets") and all(_has([word], "secrets") or _has([word], "papers") for word in said)


def _is_labelled(text: str) -> bool:
    """ "Internal: …", which says it of what follows in the same line."""
    label = _LABEL.match(text)
    said = tokens(label[1]) if label else ()
    known = (_has([word], name) for word in said for name in ("adjectives", "secrets", "papers"))
    return 0 < len(said) <= MOST_BESIDE and _piece_says(" ".join(said), heading=True) and any(known)


def _shouts(text: str) -> bool:
    """One word in capitals among others: "INTERN Mahnwesen"."""
    loud = [word for word in re.findall(r"[^\W\d_]{5,}", text) if word.isupper()]
    return not text.isupper() and any(_has(tokens(word), "adjectives") for word in loud)


def is_internal(source: str, read: BlockedText, head: Sequence[Block]) -> bool:
    """By folder or name, by a field of the file, by a comment or the foot of a page, by its first heading or a line at
    the top. `head` are the blocks above its second section."""
    if any(_folder_says(part) for part in PurePosixPath(source).parts[:-1]) or _name_says(PurePosixPath(source).stem):
        return True
    if any(_field_says(name, value) for name, value in read.about.items()):
        return True
    if says_internal(read.about.get("title", ""), heading=True):
        return True
    if any(len(tokens(each)) <= MOST_MARKED and says_internal(each) for each in read.aside):
        return True
    first = next((block for block in head if block.kind == "heading"), None)
    if first is not None and says_internal(shown(first.raw), heading=True):
        return True
    lines = [block for block in head if block.kind != "heading"]
    return any(_is_mark(block) for block in lines[:TOP_LINES])


def _folder_says(folder: str) -> bool:
    return folder.lower().strip() in mark_words()["folders"] or _name_says(folder)


def _name_says(name: str) -> bool:
    said = [word for word in tokens(name) if not word.isdigit()]
    if any(_found(said, "strong")) or any(_found(said, "alone")) or _is_secret(said):
        return True
    return _has(said, "adjectives") and not _has(said, "things")


def _field_says(name: str, value: str) -> bool:
    """`internal: true`, `public: no`, `audience: staff`."""
    key, said = tokens(name), tokens(value)
    denied = bool(said) and all(_has([word], "no") for word in said)
    if len(key) == 1 and _has(key, "public_fields"):
        return denied
    if len(key) <= MOST_BESIDE and (_name_says(name) or _has(key, "private_fields")):
        return bool(said) and not denied
    if _has(key, "tag_fields"):
        return says_internal(value, heading=True)
    if " ".join(key) not in _fields() or denied or _has(said, "public_fields"):
        return False
    return _has(said, "audience_values") or _has(said, "secrets") or says_internal(value, heading=True)


@cache
def _fields() -> frozenset[str]:
    return frozenset(" ".join(tokens(each)) for each in mark_words()["audience_fields"])


def _is_mark(block: Block) -> bool:
    """A line of its own, or one in bold that stands for a heading."""
    if block.kind == "row" or _is_labelled(shown(block.raw)):
        return False
    return says_internal(shown(block.raw), heading=_BOLD.fullmatch(block.raw.strip()) is not None)


def public_blocks(blocks: Sequence[Block], *, whole: bool = False) -> Iterator[Block]:
    """Without what stands below a heading that says internal, until one of the same or a higher level, without what
    follows a line that says so, and without the section which such a line ends. `whole`: a person said of the whole
    paper that it is public, so its first heading says nothing."""
    below: int | None = None  # the level of the heading that says so
    first = whole
    for section in _by_heading(blocks):
        heading = section[0] if section[0].kind == "heading" else None
        if heading is not None:
            if below is not None and heading.level <= below:
                below = None
            if below is None and not first and says_internal(shown(heading.raw), heading=True):
                below = heading.level
            first = False
        if below is None:
            yield from _public_lines(section, marked=not (whole and section[0] is blocks[0]))


def _by_heading(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    held: list[Block] = []
    for block in blocks:
        if block.kind == "heading" and held:
            yield held
            held = []
        held.append(block)
    if held:
        yield held


def _public_lines(section: Sequence[Block], *, marked: bool) -> Iterator[Block]:
    """Without what follows a line that says so; a last line that says so says it of all."""
    marks = [at for at, block in enumerate(section) if block.kind != "heading" and _is_mark(block)] if marked else []
    until = len(section)
    if marks:
        last = marks[-1] == len(section) - 1 and section[-1].kind == "paragraph"
        until = 0 if last else marks[0]
    for at, block in enumerate(section):
        if block.kind == "heading" or (at < until and not _says_itself(block)):
            yield block


def _says_itself(block: Block) -> bool:
    return _is_labelled(shown(block.raw)) or any(says_internal(shown(each), heading=True) for each in block.columns)
