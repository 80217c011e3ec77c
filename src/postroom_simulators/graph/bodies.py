"""Bodies as Exchange shows them: HTML or text, sanitised or not, quoted, shortened."""

from __future__ import annotations

import html
import re
from typing import Any

_HEAD = '<html><head>\r\n<meta http-equiv="Content-Type" content="text/html; charset=utf-8">'
_UNSAFE = re.compile(r"<(script|iframe|object|embed)\b.*?(?:</\1\s*>|/>|$)", re.IGNORECASE | re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_HANDLERS = re.compile(r"\son\w+\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s>]+)", re.IGNORECASE)
_INVISIBLE = re.compile(r"<(style|script|head|title)\b.*?</\1\s*>|<!--.*?-->", re.IGNORECASE | re.DOTALL)
_BREAK = re.compile(r"<br\s*/?>|</(?:p|div|tr|li|h[1-6]|table|blockquote)\s*>|<hr[^>]*>", re.IGNORECASE)
_TAG = re.compile(r"<[^>]+>")
_QUOTE = re.compile(
    r'<div[^>]*id="?(?:divRplyFwdMsg|appendonsend|mail-editor-reference)|<blockquote|gmail_quote',
    re.I,
)
_TEXT_QUOTE = re.compile(
    r"^\s*(?:>|-{3,}\s*Original Message|_{10,}|On .{5,200} wrote:\s*$|From: .+\r?\n(?:Sent|Date): )",
    re.MULTILINE,
)


def as_html(body: dict[str, str], *, unsafe: bool = False, comments: bool = False) -> str:
    """What Graph answers without a preference: HTML, cleaned, with a charset of its own; comments seldom survive."""
    content = body["content"]
    if body["contentType"].lower() == "text":
        lines = html.escape(content, quote=False).replace("\r\n", "\n").replace("\n", "<br>\r\n")
        return f'{_HEAD}</head><body>\r\n<div class="PlainText">{lines}</div>\r\n</body></html>\r\n'
    if not unsafe:
        content = _HANDLERS.sub("", _UNSAFE.sub("", content))
        content = content if comments else _COMMENT.sub("", content)
    if re.search(r"<meta[^>]+http-equiv=.?content-type", content, re.IGNORECASE):
        return content
    if re.search(r"<head\b[^>]*>", content, re.IGNORECASE):
        return re.sub(r"<html\b[^>]*>\s*<head\b[^>]*>|<head\b[^>]*>", _HEAD, content, count=1, flags=re.I)
    inner = re.sub(r"</?(?:html|body)\b[^>]*>", "", content, flags=re.IGNORECASE)
    return f"{_HEAD}</head><body>{inner}</body></html>"


def as_text(body: dict[str, str]) -> str:
    content = body["content"]
    if body["contentType"].lower() == "text":
        return content
    shown = _BREAK.sub("\n", re.sub(r"\s+", " ", _INVISIBLE.sub("", content)))
    lines = [line.strip() for line in html.unescape(_TAG.sub("", shown)).split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip().replace("\n", "\r\n")


def preview(body: dict[str, str]) -> str:
    if body["contentType"].lower() != "text" and len(body["content"]) > 20_000:
        body = {"contentType": "html", "content": _INVISIBLE.sub("", body["content"])[:20_000]}
    return re.sub(r"[ \t]+", " ", as_text(body)[:2000]).strip()[:255]


def shown(body: dict[str, str], *, text: bool, unsafe: bool, comments: bool = False) -> dict[str, str]:
    if text:
        return {"contentType": "text", "content": as_text(body)}
    return {"contentType": "html", "content": as_html(body, unsafe=unsafe, comments=comments)}


def unique(body: dict[str, str]) -> dict[str, str]:
    """The part that this message adds to its conversation."""
    marks = _TEXT_QUOTE if body["contentType"].lower() == "text" else _QUOTE
    found = marks.search(body["content"])
    return {**body, "content": body["content"][: found.start()] if found else body["content"]}


def quoted(original: dict[str, Any], sent: str) -> dict[str, str]:
    """The body of a fresh reply or forward: an empty line, then the original under its header."""
    inner = re.sub(r"<head\b.*?</head>|</?(?:html|body)\b[^>]*>", "", as_html(original["body"]), flags=re.I | re.S)
    lines = [("From", [original["from"]]), ("Sent", sent), ("To", original["toRecipients"])]
    if original["ccRecipients"]:
        lines.append(("Cc", original["ccRecipients"]))
    lines.append(("Subject", original["subject"]))
    head = "<br>\r\n".join(f"<b>{name}:</b> {html.escape(_said(value))}" for name, value in lines)
    content = (
        f'{_HEAD}</head><body dir="ltr"><div id="appendonsend"></div><hr tabindex="-1" style="width:98%">'
        f'<div id="divRplyFwdMsg" dir="ltr">{head}<div>&nbsp;</div></div>{inner}</body></html>'
    )
    return {"contentType": "html", "content": content}


def _said(value: Any) -> str:
    if isinstance(value, str):
        return value
    people = [one["emailAddress"] for one in value if one]
    return "; ".join(f"{one.get('name', '')} <{one.get('address', '')}>".strip() for one in people)


def with_comment(body: dict[str, str], comment: str) -> dict[str, str]:
    """A comment above the quotation, for the one-shot reply and forward."""
    return with_markup_above(body, f"<div>{html.escape(comment)}</div>".replace("\n", "<br>"))


def with_markup_above(body: dict[str, str], markup: str) -> dict[str, str]:
    """The same body with something before all that it says."""
    at = re.search(r"<body\b[^>]*>", body["content"], re.IGNORECASE)
    cut = at.end() if at else 0
    return {**body, "content": f"{body['content'][:cut]}{markup}{body['content'][cut:]}"}
