"""The text of a mail as a file, where it has the shape of a trade or a bill: a cheap look, asked of every mail."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from postroom.mail import sniff as types
from postroom.mail.html import html_to_text
from postroom.mail.own_words import forwarded_text
from postroom.mail.replies import split_reply
from postroom.mail.words import pipeline_words
from postroom.nouns.mail import Attachment, MailMessage
from postroom.nouns.pipelines import PIPELINES

BODY = "mail text"
"""Where a document stands that no attachment brought: a mail has one at most."""
LOOKED_AT = 40_000  # characters
LONGEST = 200_000  # characters; nobody writes a trade or a bill that long into a mail
FEWEST_AMOUNTS = 2
LONGEST_HEAD = 4096
MOST_ENCLOSED = 5
LONGEST_NAME = 120
MARK = "\ufeff"  # before what was decoded already, so that no page is believed about its letters
_AMOUNT = re.compile(r"(?:(?<![\w.,])|(?<=[^\d\s.,],))\d{1,3}(?:[.,' \xa0\u202f]?\d{3})*[.,]\d{2,6}(?!\d|[.,]\d)")
_WHOLE = re.compile(r"(?<![\w.,/:+-])\d{2,9}(?![\w/:-]|[.,]\d)|(?<=[^\d\s],)\d{2,9}(?![\w/:-])")
_COMMA_OR_QUOTED = re.compile(r'"[^"\n]*"|,')
_ISIN = re.compile(r"\b[A-Z]{2}[A-Z0-9]{9}\d\b")


def tells_of_money(text: str, pipelines: Iterable[str] = PIPELINES) -> bool:
    """Whether a text may be a trade or a bill: it has amounts, and a word for one of them or an ISIN. In a
    table whole numbers are amounts, too."""
    text = text[:LOOKED_AT]
    whole = types.separator(text[:LONGEST_HEAD]) and len(_WHOLE.findall(text)) >= FEWEST_AMOUNTS
    if not whole and not any(_has_amounts(said) for said in (text, *_parted(text))):
        return False
    return bool(_ISIN.search(text) or pipeline_words(tuple(pipelines)).search(text))


def _has_amounts(text: str) -> bool:
    return sum(1 for _ in islice(_AMOUNT.finditer(text), FEWEST_AMOUNTS)) == FEWEST_AMOUNTS


def _parted(text: str) -> Iterator[str]:
    """A table that commas part, with blanks around them: `SAP,100.00,1200.00` holds two amounts."""
    if "," in text and types.separator(text[:LONGEST_HEAD]) == ",":
        yield _COMMA_OR_QUOTED.sub(lambda found: " , " if found[0] == "," else found[0], text)


def own_part(subject: str, text: str) -> str:
    """What counts of a mail's text: all of it, but of an answer only what is new."""
    parts = split_reply(text)
    return text if not parts.quoted or forwarded_text(subject, parts.quoted) else parts.new


def body_file(message: MailMessage, pipelines: Iterable[str] = PIPELINES) -> Attachment | None:
    """The text of the mail, or of one that it encloses, if it may be a trade or a bill."""
    wanted = tuple(pipelines)
    for mail in (message, *message.enclosed[:MOST_ENCLOSED]):
        for said, html in _versions(mail):
            if tells_of_money(f"{mail.subject}\n{said}", wanted):
                return _file(mail.subject, _page(html) if "<table" in html.lower() else said.encode("utf-8", "replace"))
    return None


def _versions(mail: MailMessage) -> Iterator[tuple[str, str]]:
    """Its text with its HTML, where that says the same; then what the HTML says: some write no more beside it than
    that a program for HTML is needed."""
    text, html = mail.text_body, mail.html_body
    if len(text) <= LONGEST and _AMOUNT.search(text):
        said = own_part(mail.subject, text)
        yield said, html if said == text else ""
    if len(html) <= LONGEST and "<table" in html.lower() and _AMOUNT.search(html):
        shown = html_to_text(html)
        said = own_part(mail.subject, shown)
        yield said, html if said == shown else ""


def _page(html: str) -> bytes:
    """A whole page also where a program wrote only what belongs into one."""
    content = (MARK + html).encode("utf-8", "replace")
    whole = types.sniff(content) == types.HTML
    return content if whole else (MARK + "<!DOCTYPE html>\n" + html).encode("utf-8", "replace")


def _file(subject: str, content: bytes) -> Attachment:
    kind = types.sniff(content)
    ending = {types.HTML: "html", types.CSV: "csv"}.get(kind, "txt")
    name = " ".join(re.sub(r"[^\w .,()+&-]+", " ", subject).split()).strip(" .")[:LONGEST_NAME] or "Mail"
    return Attachment(f"{name}.{ending}", content, kind, kind, path=(BODY,))
