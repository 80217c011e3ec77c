"""Sanitises the HTML mail of strangers: no script, no form, no request to anywhere, nothing that looks like us."""

from __future__ import annotations

import asyncio
import html as markup
import re
from dataclasses import dataclass

import nh3

from postroom.mail.markup import FEW_TAGS, FORMATTING, TOKEN, deeper_than, tags_of

TAGS = {
    "a", "abbr", "b", "blockquote", "br", "caption", "center", "code", "dd", "del", "div", "dl", "dt", "em", "h1", "h2",
    "h3", "h4", "h5", "h6", "hr", "i", "ins", "kbd", "li", "ol", "p", "pre", "q", "s", "small", "span", "strong", "sub",
    "sup", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "u", "ul",
}  # fmt: skip
ATTRIBUTES = {"a": {"href", "title"}, "td": {"colspan", "rowspan"}, "th": {"colspan", "rowspan"}, "ol": {"start"}}
AS_SENT_TAGS = TAGS | {"font", "img"}
AS_SENT_ATTRIBUTES = {
    "*": {"style", "align", "valign", "width", "height", "bgcolor", "color", "dir", "lang"},
    **ATTRIBUTES,
    "font": {"face", "size", "color"},
    "img": {"src", "alt", "width", "height"},
    "table": {"border", "cellpadding", "cellspacing"},
}
STYLES = {
    "background-color", "border", "border-bottom", "border-collapse", "border-color", "border-left", "border-radius",
    "border-right", "border-spacing", "border-style", "border-top", "border-width", "color", "direction", "display",
    "font", "font-family", "font-size", "font-style", "font-variant", "font-weight", "height", "letter-spacing",
    "line-height", "list-style-type", "margin", "margin-bottom", "margin-left", "margin-right", "margin-top",
    "max-width", "min-width", "padding", "padding-bottom", "padding-left", "padding-right", "padding-top",
    "text-align", "text-decoration", "text-indent", "text-transform", "vertical-align", "white-space", "width",
    "word-break", "word-wrap",
}  # fmt: skip
SILENT = {"script", "style", "title", "template", "noscript", "svg", "math", "iframe", "object"}

# A browser's parser takes time with the square of the nesting, and builds a formatting tag anew in every paragraph
# until it is closed. 200 kB of lists took 8 seconds, 40 kB of bold paragraphs became 14 MB.
LARGEST = 500_000  # characters
MOST_TAGS = 20_000
DEEPEST = 100
MOST_REBUILT = 100_000  # tags × different formatting tags
LONGEST_TEXT = 300_000  # characters of HTML that is shown as text
LONGEST_TAG = 8_000  # characters, pictures inside the mail left out

_REMOTE = re.compile(r"<img\b[^>]*\bsrc\s*=\s*[\"']?\s*(?:https?:)?//", re.IGNORECASE)
_DRAWN = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*+")
_UNSEEN = {"script", "style", "title", "template"}


@dataclass(frozen=True, slots=True)
class CleanMail:
    """What may be shown: HTML, or plain text with the reason why not."""

    html: str
    blocked: int = 0  # images that would have told the sender that somebody looked
    text: str = ""
    because: str = ""


async def readable(html: str) -> CleanMail:
    """The words and their order in our own type: for reading, within our own page."""
    return await asyncio.to_thread(_readable, html)


async def as_sent(html: str) -> CleanMail:
    """With its own colours and sizes, for a frame that may do nothing; images only when they are in the mail itself."""
    return await asyncio.to_thread(_as_sent, html)


def _readable(html: str) -> CleanMail:
    if why := objection_to(html):
        return CleanMail("", text=text_of(html), because=why)
    cleaned = nh3.clean(
        html,
        tags=TAGS,
        attributes=ATTRIBUTES,
        clean_content_tags=SILENT,
        url_schemes={"http", "https", "mailto", "tel"},
        link_rel="noopener noreferrer nofollow",
        set_tag_attribute_values={"a": {"target": "_blank"}},
        strip_comments=True,
    )
    return CleanMail(cleaned, len(_REMOTE.findall(html)))


def _as_sent(html: str) -> CleanMail:
    if why := objection_to(html):
        return CleanMail("", text=text_of(html), because=why)
    cleaned = nh3.clean(
        html,
        tags=AS_SENT_TAGS,
        attributes=AS_SENT_ATTRIBUTES,
        attribute_filter=_only_drawn_images,
        filter_style_properties=STYLES,
        clean_content_tags=SILENT,
        url_schemes={"http", "https", "mailto", "tel", "data"},
        link_rel="noopener noreferrer nofollow",
        set_tag_attribute_values={"a": {"target": "_blank"}},
        strip_comments=True,
    )
    return CleanMail(cleaned)


def _only_drawn_images(tag: str, name: str, value: str) -> str | None:
    if tag == "img" and name == "src":
        return value if _DRAWN.fullmatch(value) else None
    return value


def objection_to(html: str) -> str:
    """Why this HTML is not parsed at all; empty when it may be."""
    if len(html) > LARGEST:
        return f"The mail's HTML has more than {LARGEST:,} characters, so only its text is shown."
    if html.count("<") > 2 * MOST_TAGS:
        return f"The mail's HTML is made of too many tags (over {MOST_TAGS:,}), so only its text is shown."
    tags = list(tags_of(html))
    if any(_too_long(tag["attributes"]) for tag in tags):
        return "A tag of the mail's HTML is longer than any real one, so only its text is shown."
    if len(tags) <= FEW_TAGS:
        return ""
    formatting = {tag[0].lower() for tag in tags if not tag["end"] and tag["name"].lower() in FORMATTING}
    if len(tags) > MOST_TAGS or len(tags) * len(formatting) > MOST_REBUILT:
        return f"The mail's HTML is made of too many tags ({len(tags):,}), so only its text is shown."
    if deeper_than(DEEPEST, tags):
        return f"The mail's HTML is nested more than {DEEPEST} levels deep, so only its text is shown."
    return ""


def _too_long(attributes: str) -> bool:
    return len(attributes) > LONGEST_TAG and len(_DRAWN.sub("", attributes)) > LONGEST_TAG


def text_of(html: str) -> str:
    """The words alone, without building a tree."""
    words, at, unseen = [], 0, ""
    for token in TOKEN.finditer(html[:LONGEST_TEXT]):
        if not unseen:
            words.append(html[at : token.start()])
        at, name = token.end(), (token["name"] or "").lower()
        if not unseen and name in _UNSEEN and not token["end"]:
            unseen = name
        elif name == unseen and token["end"]:
            unseen = ""
    words.append("" if unseen else html[at:LONGEST_TEXT])
    lines = (line.strip() for line in markup.unescape(" ".join(words)).splitlines())
    return "\n".join(line for line in lines if line)
