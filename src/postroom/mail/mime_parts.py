"""The parts of a MIME message: their headers, their bytes and their names, however odd."""

from __future__ import annotations

import binascii
import contextlib
import re
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from email.policy import compat32
from secrets import token_hex

from postroom.mail import sniff as types
from postroom.mail.headers import decode_bytes, header_text, parameters

# policy.default parses Content-Type while it reads and raises on hostile ones; we decode headers ourselves.
POLICY = compat32
_BASE64_LINES = re.compile(rb"^(?:[0-9A-Za-z+/]{60,76}+\r?+\n){20,}+", re.MULTILINE)
_MARK = token_hex(16)  # stands for a file that is held back; nobody can know it
_MARKS = re.compile(rf"{_MARK}(\d{{6}})\n?")
_LARGE = 1 << 20  # characters: of longer files the standard library's copies, six times their size, count
_PLAINLY_BASE64 = re.compile(r"(?:[0-9A-Za-z+/]++\r?+\n)*+[0-9A-Za-z+/]*+={0,2}+\s*+")
_LOST_BOUNDARY = re.compile(rb"^--(?!\s)([^\r\n]{1,70}?)[ \t]*\r?\ncontent-", re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SlimMail:
    """A mail, and what is left of it without its long files in base64, which cost next to nothing to read."""

    raw: bytes
    rest: bytes  # with a mark where each file stood
    held: tuple[memoryview, ...] = ()  # the files, in its own bytes


def slim(raw: bytes) -> SlimMail:
    held: list[memoryview] = []

    def hold(found: re.Match[bytes]) -> bytes:
        held.append(memoryview(raw)[found.start() : found.end()])
        return f"{_MARK}{len(held) - 1:06d}\n".encode()

    rest = _BASE64_LINES.sub(hold, raw)
    return SlimMail(raw, rest, tuple(held))


def parsed(mail: SlimMail) -> Message:
    """The standard library looks at every line in turn, so that long files are held back meanwhile."""
    root, held = message_from_bytes(mail.rest, policy=POLICY), mail.held
    if held:
        for part in root.walk():
            text = None if part.is_multipart() else part.get_payload()
            if isinstance(text, str) and _MARK in text:
                part.set_payload(_MARKS.sub(lambda found: str(held[int(found[1])], "ascii"), text))
    return root


def children_of(part: Message) -> list[Message]:
    # get_payload() of a leaf decodes by the declared charset and fails on odd ones; of a multipart it cannot.
    payload = part.get_payload() if part.is_multipart() else []
    return [child for child in payload if isinstance(child, Message)] if isinstance(payload, list) else []


def rescued_children(part: Message) -> list[Message]:
    """The parts of a multipart whose boundary is missing or misspelt, if the body shows another."""
    body = payload_bytes(part)
    match = _LOST_BOUNDARY.search(body)
    if match is None:
        return []
    head = b'Content-Type: multipart/mixed; boundary="' + match[1].replace(b'"', b'\\"') + b'"\n\n'
    return children_of(message_from_bytes(head + body, policy=POLICY))


def content_type(part: Message) -> tuple[str, dict[str, str]]:
    """Lower-case type and parameters; nonsense and absence mean plain text, as RFC 2045 has it."""
    value = raw_header(part, "content-type")
    kind, options = parameters(value)
    if not re.fullmatch(r"[\w.+-]+/[\w.+-]+", kind):
        return part.get_default_type() if not value else "text/plain", options
    return kind, options


def raw_header(part: Message, name: str) -> str:
    return next((str(value) for key, value in part.raw_items() if key.lower() == name), "")


def uudecoded(content: bytes) -> bytes | None:
    out: list[bytes] = []
    for line in content.splitlines():
        if line.strip() in (b"`", b""):
            continue
        try:
            out.append(binascii.a2b_uu(line))
        except binascii.Error:
            # Some encoders write more padding than the length byte promises.
            count = (((line[0] - 32) & 63) * 4 + 5) // 3
            try:
                out.append(binascii.a2b_uu(line[:count]))
            except binascii.Error:
                return None
    return b"".join(out) or None


def meta_charset(content: bytes) -> str:
    match = re.search(rb"""<meta[^>]{0,200}charset=["']?([\w-]+)""", content[:2048], re.IGNORECASE)
    return match[1].decode("ascii") if match else ""


def payload_bytes(part: Message) -> bytes:
    try:
        if raw_header(part, "content-transfer-encoding").strip().lower() == "base64":
            text = part.get_payload()
            if isinstance(text, str) and len(text) > _LARGE and _PLAINLY_BASE64.fullmatch(text):
                with contextlib.suppress(binascii.Error):
                    return binascii.a2b_base64(text)
        payload = part.get_payload(decode=True)
    except Exception:  # noqa: BLE001 - odd transfer encodings; the undecoded words are still words
        payload = None
    return payload if isinstance(payload, bytes) else b""


def flat_text(part: Message) -> str:
    """All there is in a part, header blocks included, as text."""
    if not part.is_multipart():
        return decode_bytes(payload_bytes(part))
    blocks = []
    for block in children_of(part):
        lines = [f"{key}: {header_text(str(value))}" for key, value in block.raw_items()]
        blocks.append("\n".join((*lines, flat_text(block))).strip())
    return "\n\n".join(blocks)


def enclosed_bytes(part: Message, inner: Message) -> bytes:
    """A mail inside a mail, as it was sent."""
    encoding = raw_header(part, "content-transfer-encoding").strip().lower()
    return _encoded_inner(inner) if encoding in ("base64", "quoted-printable") else _as_bytes(inner)


def _encoded_inner(inner: Message) -> bytes:
    """RFC 2046 forbids encoding an enclosed mail; some senders do it all the same."""
    body = inner.as_string().strip().encode("utf-8", "surrogateescape")
    try:
        decoded = binascii.a2b_base64(body)
    except binascii.Error:
        return _as_bytes(inner)
    return decoded if types.sniff(decoded) == types.RFC822 else _as_bytes(inner)


def _as_bytes(inner: Message) -> bytes:
    try:
        return inner.as_bytes()
    except Exception:  # noqa: BLE001 - writing out broken headers fails in ways nobody lists
        head = "".join(f"{key}: {value}\n" for key, value in inner.raw_items())
        return (head + "\n" + flat_text(inner)).encode("utf-8", "surrogateescape")


def safe_name(name: str) -> str:
    """A bare file name: no folders, no control characters, no leading dots, not too long."""
    bare = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    bare = "".join(char for char in bare if char.isprintable()).strip(" .")
    return bare if len(bare) <= 200 else bare[:150] + bare[-50:]


def made_up_name(kind: str, path: tuple[str, ...]) -> str:
    ending = {"application/pdf": "pdf", "image/png": "png", "image/jpeg": "jpg", "image/tiff": "tiff"}
    ending |= {"text/calendar": "ics", "text/html": "html", "text/plain": "txt", "message/rfc822": "eml"}
    return f"part-{'.'.join(path) or '1'}.{ending.get(kind, 'bin')}"
