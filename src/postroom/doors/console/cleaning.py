"""Mail of strangers, made safe to look at: no script, no form, no request to anywhere, nothing that looks like us."""

from __future__ import annotations

import re
from dataclasses import dataclass

import nh3

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
_REMOTE = re.compile(r"<img\b[^>]*\bsrc\s*=\s*[\"']?\s*(?:https?:)?//", re.IGNORECASE)
_DRAWN = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*")


@dataclass(frozen=True, slots=True)
class Clean:
    html: str
    blocked: int  # images that would have told the sender that somebody looked


def readable(html: str) -> Clean:
    """The words and their order in our own type: for reading, within our own page."""
    cleaned = nh3.clean(
        html,
        tags=TAGS,
        attributes=ATTRIBUTES,
        clean_content_tags={"script", "style", "title", "template", "noscript"},
        url_schemes={"http", "https", "mailto", "tel"},
        link_rel="noopener noreferrer nofollow",
        set_tag_attribute_values={"a": {"target": "_blank"}},
        strip_comments=True,
    )
    return Clean(cleaned, len(_REMOTE.findall(html)))


def as_sent(html: str) -> str:
    """With its own colours and sizes, for a frame that may do nothing; images only when they are in the mail itself."""

    def keep(tag: str, name: str, value: str) -> str | None:
        if tag == "img" and name == "src":
            return value if _DRAWN.fullmatch(value) else None
        return value

    return nh3.clean(
        html,
        tags=AS_SENT_TAGS,
        attributes=AS_SENT_ATTRIBUTES,
        attribute_filter=keep,
        filter_style_properties=STYLES,
        clean_content_tags={"script", "style", "title", "template", "noscript"},
        url_schemes={"http", "https", "mailto", "tel", "data"},
        link_rel="noopener noreferrer nofollow",
        set_tag_attribute_values={"a": {"target": "_blank"}},
        strip_comments=True,
    )
