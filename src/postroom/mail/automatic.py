"""Mail that a machine wrote: bounces, absences, receipts, lists, calendars, no-reply senders."""

from __future__ import annotations

import re
from collections.abc import Callable

from postroom.mail.subjects import is_reply_or_forward
from postroom.mail.words import words
from postroom.nouns.mail import Address, Automatic, AutomaticKind, MailMessage

_NULL_PATH = re.compile(r"^\s*<?\s*(?:mailer-daemon)?\s*>?\s*$", re.IGNORECASE)
_STATUS = re.compile(
    r"\b[45]\.\d{1,3}\.\d{1,3}\b|\b(?:5[0-5]|4[2-5])\d[ -]|^Final-Recipient:", re.MULTILINE | re.IGNORECASE
)
_VACATION_HEADERS = (
    "x-autoreply", "x-autorespond", "x-autoresponder", "x-auto-reply", "x-mail-autoreply", "x-vacation",
    "x-autoreply-from", "x-ms-exchange-generated-message-source-oof", "x-out-of-office",
)  # fmt: skip
_ABUSE = re.compile(r"this is an? [\w/ -]{0,30}(?:abuse|authentication-failure) report", re.IGNORECASE)
_IN_BULK = "Sent in bulk"
_WEIGHT_ENOUGH = 3


def automatic(message: MailMessage) -> Automatic | None:
    """What kind of machine wrote it, or None for a person. The first kind that applies is the answer."""
    for kind, evidence in _QUESTIONS:
        if because := evidence(message):
            return Automatic(kind, because)
    return None


def takes_no_answers(address: Address) -> bool:
    return bool(words("senders", "no_reply").search(address.local))


def machine_answers(headers: Callable[[str], str]) -> bool:
    """Whether the headers say that it answers something by itself, or that it goes to a list."""
    answers = headers("auto-submitted").lower().startswith("auto-replied")
    return answers or bool(headers("list-unsubscribe") or headers("list-id"))


def sent_in_bulk(told: Automatic) -> bool:
    """To many, as against what a program, such as a web form, wrote once: of the same kind, but nobody's letter."""
    return told.kind == "bulk" and told.because.startswith(_IN_BULK)


def _report_type(message: MailMessage) -> str:
    own = message.header("content-type").lower()
    match = re.search(r"report-type\s*=\s*\"?([\w-]+)", own)
    return match[1] if match else ""


def _receipt(message: MailMessage) -> str:
    """Abuse reports and read receipts come in the bounce's wrapping, so they are asked for first."""
    types = message.content_types
    if _report_type(message) == "feedback-report" or "message/feedback-report" in types[:6]:
        return "An abuse report (feedback-report)."
    if _report_type(message) == "disposition-notification" or "message/disposition-notification" in types[:6]:
        return "A receipt that a mail was read or deleted (disposition-notification)."
    if message.enclosed and _ABUSE.search(message.text_body[:400]):
        return "An abuse report, by its text."
    if _report_type(message) in ("tlsrpt", "dmarc") or "application/tlsrpt+gzip" in types:
        return "A report of a mail system about its connections."
    return ""


def _bounce(message: MailMessage) -> str:
    types = message.content_types
    if _report_type(message) == "delivery-status" or (types[:1] == ("multipart/report",) and not _report_type(message)):
        return "A delivery report (multipart/report)."
    if "message/delivery-status" in types:
        return "A delivery report (message/delivery-status)."
    if message.header("x-failed-recipients") or message.header("x-ms-exchange-message-is-ndr"):
        return "A delivery failure, by its headers."
    weight, signs = _bounce_signs(message)
    return f"A delivery failure: {', '.join(signs)}." if weight >= _WEIGHT_ENOUGH else ""


def _bounce_signs(message: MailMessage) -> tuple[int, list[str]]:
    """Enough signs together; one must be the sender's or the envelope's: people forward bounces."""
    signs = _origin_signs(message)
    if not signs:
        return 0, []
    subject = message.subject
    if not is_reply_or_forward(subject) and words("bounce", "subjects").search(subject):
        signs.append((1, "its subject says so"))
    body = f"{message.text_body[:6000]}\n{message.report[:2000]}"
    phrase, status = words("bounce", "texts").search(body), _STATUS.search(body)
    if phrase or status:
        signs.append((2 if phrase and status else 1, "its text names the failure"))
    if message.enclosed or "text/rfc822-headers" in message.content_types:
        signs.append((1, "the mail comes back with it"))
    return sum(weight for weight, _ in signs), [said for _, said in signs]


def _origin_signs(message: MailMessage) -> list[tuple[int, str]]:
    signs: list[tuple[int, str]] = []
    author = message.header("from")
    if words("bounce", "daemons").search(author):
        signs.append((2, "sent by a mail daemon"))
    elif words("bounce", "postmasters").search(author):
        signs.append((1, "sent by a postmaster"))
    elif words("senders", "no_reply").search(author):
        signs.append((1, "sent by a machine"))
    if _null_path(message):
        signs.append((1, "no return path"))
    return signs


def _null_path(message: MailMessage) -> bool:
    paths = list(message.header_all("return-path"))
    return bool(paths) and bool(_NULL_PATH.match(paths[0]))


def _auto_reply(message: MailMessage) -> str:
    if message.header("auto-submitted").lower().startswith("auto-replied"):
        return "An automatic reply (Auto-Submitted)."
    if named := next((name for name in _VACATION_HEADERS if message.header(name)), ""):
        return f"An automatic reply ({named})." if message.header(named).lower() not in ("no", "0", "false") else ""
    if message.header("x-apple-action").upper() == "VACATION" or "autorespon" in message.header("delivered-to").lower():
        return "An automatic reply, by its headers."
    if (
        message.header("precedence").lower() in ("auto_reply", "auto-reply")
        or message.header("x-post-messageclass")[:1] == "9"
    ):
        return "An automatic reply (Precedence)."
    return _auto_reply_by_subject(message)


def _auto_reply_by_subject(message: MailMessage) -> str:
    subject = message.subject
    if is_reply_or_forward(subject):
        return ""
    strong = words("auto_reply", "strong").match(subject.lstrip("[(<* "))
    if strong:
        after = subject.lstrip("[(<* ")[strong.end() :].lstrip(" )]>*")
        if not after or after[0] in ":：-–—|(/" or _machine_headers(message):
            return f"An automatic reply, by its subject “{strong[0]}”."
    for strength in ("strong", "weak"):
        if (said := words("auto_reply", strength).search(subject)) and _machine_headers(message):
            return f"An automatic reply: the subject says “{said[0]}” and the headers agree."
    return ""


def _machine_headers(message: MailMessage) -> bool:
    suppress = message.header("x-auto-response-suppress").lower()
    submitted = message.header("auto-submitted").lower()
    return bool(
        suppress
        or _null_path(message)
        or (submitted and not submitted.startswith("no"))
        or message.header("x-ms-exchange-inbox-rules-loop")
    )


def _calendar(message: MailMessage) -> str:
    if "text/calendar" in message.content_types or any(
        item.sniffed_type == "text/calendar" and len(message.attachments) == 1 for item in message.attachments
    ):
        return "A calendar entry (text/calendar)."
    return ""


def _list(message: MailMessage) -> str:
    for name in ("list-id", "list-post", "mailing-list", "x-mailing-list", "x-list", "x-mailman-version"):
        if message.header(name):
            return f"From a mailing list ({name})."
    return "From a mailing list (Precedence)." if message.header("precedence").lower() == "list" else ""


def _no_reply(message: MailMessage) -> str:
    sender = message.sender
    if sender and takes_no_answers(sender):
        return f"{sender.email} takes no answers."
    if sender and words("bounce", "daemons").search(sender.local):  # whatever it says, nobody reads there
        return f"{sender.email} is a mail daemon."
    if sender is None and not message.reply_to and message.headers:
        return "It names no sender to answer."
    return "It has no return path: nobody reads an answer." if _null_path(message) else ""


def _bulk(message: MailMessage) -> str:
    if message.header("precedence").lower() in ("bulk", "junk"):
        return f"{_IN_BULK} (Precedence)."
    if message.header("list-unsubscribe"):
        return f"{_IN_BULK} (it offers to unsubscribe)."
    if message.header("feedback-id"):  # some services put it on every mail, forms among them
        return "Sent through a service (Feedback-ID)." if _answered_elsewhere(message) else f"{_IN_BULK} (Feedback-ID)."
    return ""


def _answered_elsewhere(message: MailMessage) -> bool:
    sender = message.sender
    return sender is not None and any(each.domain != sender.domain for each in message.reply_to)


def _machine(message: MailMessage) -> str:
    submitted = message.header("auto-submitted").lower()
    if submitted and not submitted.startswith("no"):
        return "Written by a machine (Auto-Submitted)."
    if "all" in message.header("x-auto-response-suppress").lower():
        return "Written by a machine (X-Auto-Response-Suppress)."
    return ""


_QUESTIONS: tuple[tuple[AutomaticKind, Callable[[MailMessage], str]], ...] = (
    ("report", _receipt),
    ("bounce", _bounce),
    ("auto_reply", _auto_reply),
    ("mailing_list", _list),
    ("no_reply", _no_reply),
    ("bulk", _bulk),
    ("calendar", _calendar),  # calendars mark a person's invitation as written by a machine
    ("bulk", _machine),
)
