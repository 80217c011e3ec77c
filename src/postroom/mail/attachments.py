"""Which attachments are documents, each with the reason."""

from __future__ import annotations

import re
from dataclasses import dataclass

from postroom.mail import sniff as types
from postroom.mail.bodies import LOOKED_AT, tells_of_money
from postroom.mail.headers import decode_bytes
from postroom.mail.unread import UNREAD
from postroom.nouns.mail import Attachment, MailMessage
from postroom.nouns.mailbox_rules import FileKind, MailboxRules, listed_file

_KIND_OF_TYPE: dict[str, FileKind] = {
    "application/pdf": "pdf",
    "image/png": "png",
    "image/jpeg": "jpeg",
    "image/tiff": "tiff",
    types.HTML: "html",
    "text/plain": "text",
    types.CSV: "csv",
    types.DOCX: "docx",
    types.XLSX: "xlsx",
    **dict.fromkeys(UNREAD, "unread"),
    **dict.fromkeys(types.UNREAD_OFFICE, "office"),
}
_RUNNING_TEXT: tuple[FileKind, ...] = ("html", "text", "csv")
_NEVER = (".sig", ".p7s", ".p7c", ".smime", ".ics", ".vcf", ".asc")
_E_INVOICE_ROOT = re.compile(
    rb"<(?:[\w.-]+:)?(?:CrossIndustryInvoice|CrossIndustryDocument|Invoice|CreditNote|SBDH|StandardBusinessDocument)"
    rb"[\s>]"
)
_E_INVOICE_NAMESPACE = re.compile(rb"urn:(?:oasis:names:specification:ubl|un:unece:uncefact|ferd:)", re.IGNORECASE)
_SAID: dict[FileKind, str] = {
    "e_invoice": "an XML e-invoice",
    "text": "text",
    "docx": "a Word file",
    "xlsx": "an Excel file",
    "office": "an Office file",
    "unread": "a file that cannot be read here",
}
_SMALLEST_UNREAD = 10 * 1024  # a logo as GIF; what cannot be read costs a person's time
_SMALLEST_PICTURE = 1024  # a tracking pixel or a coloured line, never a document


@dataclass(frozen=True, slots=True)
class Kept:
    attachment: Attachment
    kind: FileKind
    because: str


@dataclass(frozen=True, slots=True)
class Dropped:
    attachment: Attachment
    because: str


@dataclass(frozen=True, slots=True)
class Sifted:
    kept: tuple[Kept, ...]
    dropped: tuple[Dropped, ...]


def sift(message: MailMessage, rules: MailboxRules | None = None) -> Sifted:
    """Every attachment, also those inside forwarded mails and archives; each content once."""
    kept: list[Kept] = []
    dropped: list[Dropped] = []
    seen: dict[str, str] = {}
    for attachment in message.attachments:
        verdict = worth_keeping(attachment, rules)
        if isinstance(verdict, Dropped):
            dropped.append(verdict)
        elif twin := seen.get(attachment.sha256):
            dropped.append(Dropped(attachment, f"The same file as {twin} in this mail."))
        else:
            seen[attachment.sha256] = attachment.filename
            kept.append(verdict)
    return Sifted(tuple(kept), tuple(dropped))


def worth_keeping(attachment: Attachment, rules: MailboxRules | None = None) -> Kept | Dropped:
    """The first rule that applies decides; the bytes decide the type, never the name."""
    rules = rules or MailboxRules()
    name = attachment.filename
    kind = kind_of(attachment)
    if attachment.flaw:
        return Dropped(attachment, attachment.flaw)
    if attachment.size == 0:
        return Dropped(attachment, "The file is empty.")
    if attachment.size > rules.max_bytes:
        limit = rules.max_bytes / (1024 * 1024)
        return Dropped(attachment, f"{attachment.size / (1024 * 1024):.1f} MB is over the limit of {limit:g} MB.")
    if name.lower().endswith(_NEVER):
        return Dropped(attachment, f"Signatures, calendars and cards ({_ending(name)}) are not documents.")
    if kind is None:
        return Dropped(attachment, _not_read(attachment))
    if kind not in rules.kinds:
        return Dropped(attachment, f"This mailbox does not keep {kind} files.")
    if why := _no_document(attachment, kind):
        return Dropped(attachment, why)
    if glob := listed_file(name, rules.deny_files):
        return Dropped(attachment, f"This mailbox leaves out files named {glob}.")
    if rules.allow_files and not listed_file(name, rules.allow_files):
        return Dropped(attachment, f"This mailbox keeps only files named {' or '.join(rules.allow_files)}.")
    return Kept(attachment, kind, _kept_because(attachment, kind))


def _not_read(attachment: Attachment) -> str:
    if attachment.sniffed_type == types.ZIP:
        return "A zip file is no document: hand in what is in it, one by one."
    return f"By its content it is {attachment.sniffed_type}, not a document we read."


def _no_document(attachment: Attachment, kind: FileKind) -> str:
    """Why a file of a kind that we read is none all the same."""
    picture = attachment.sniffed_type.startswith("image/")
    if attachment.inline and picture:
        return "A picture shown inside the text (cid:), such as a logo."
    smallest = _SMALLEST_PICTURE if kind in ("png", "jpeg") else _SMALLEST_UNREAD if kind == "unread" else 0
    if picture and attachment.size < smallest:
        return "Too small a picture to be a document."
    if kind in _RUNNING_TEXT and not tells_of_money(decode_bytes(attachment.content[:LOOKED_AT])):
        return "A text without amounts, or without a word for a trade or a bill."
    return ""


def kind_of(attachment: Attachment) -> FileKind | None:
    if attachment.sniffed_type in ("application/xml", "text/xml"):
        return "e_invoice" if is_e_invoice(attachment.content) else None
    if attachment.sniffed_type == "application/pkcs7-mime" and not _is_sealed(attachment):
        return None
    return _KIND_OF_TYPE.get(attachment.sniffed_type)


def _is_sealed(attachment: Attachment) -> bool:
    """A signature beside a mail has the same bytes as an encrypted mail at its beginning."""
    return attachment.filename.lower().endswith(".p7m") or "pkcs7-mime" in attachment.declared_type.lower()


def is_e_invoice(content: bytes) -> bool:
    """CII, ZUGFeRD 1.0 and UBL by root element and namespace; UTF-16 is looked through."""
    head = content[:8192]
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        head = head.decode("utf-16", "ignore").encode()
    return bool(_E_INVOICE_ROOT.search(head) and _E_INVOICE_NAMESPACE.search(head))


def _ending(name: str) -> str:
    return "." + name.rpartition(".")[2].lower()


def _kept_because(attachment: Attachment, kind: FileKind) -> str:
    said = _SAID.get(kind, kind.upper())
    inside = " › ".join(attachment.path[:-1] if attachment.path[-1:] == (attachment.filename,) else attachment.path)
    where = f", found in {inside}" if re.search(r"[^\d ›]", inside) else ""
    return f"By its content it is {said}{where}."
