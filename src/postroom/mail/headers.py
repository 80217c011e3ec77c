"""Header lines as found in the wild, read without ever failing."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import unquote_to_bytes

from postroom.nouns.mail import Address

_ENCODED_WORD = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?]*)\?=")
_GAP = re.compile(r"(\?=)[ \t\r\n]+(?==\?)")
_FOLD = re.compile(r"\r?\n[ \t]*|\r(?!\n)[ \t]*")
_BROKEN_ALIASES = {
    "unicode-1-1-utf-7": "utf-7",
    "x-unknown": "utf-8",
    "unknown-8bit": "utf-8",
    "default": "utf-8",
    "ansi_x3.110-1983": "latin-1",
    "iso-8859-8-i": "iso-8859-8",
    "ks_c_5601-1987": "cp949",
    "x-sjis": "cp932",
    "shift_jis": "cp932",
    "gb2312": "gb18030",
    "x-gbk": "gb18030",
    "iso-8859-1": "cp1252",  # what every browser does: the control characters are never meant
    "latin1": "cp1252",
    "us-ascii": "utf-8",
    "ascii": "utf-8",
}


def decode_bytes(raw: bytes, charset: str = "") -> str:
    """Text of `raw`, believing the declared charset only as long as it fits."""
    if raw.startswith(b"\xef\xbb\xbf"):
        return raw[3:].decode("utf-8", "replace")
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return raw.decode("utf-16", "replace")
    named = charset.strip().strip("\"'").lower()
    for name in (_BROKEN_ALIASES.get(named, named), "utf-8", "cp1252"):
        try:
            return raw.decode(name)
        except (LookupError, ValueError):
            continue
    return raw.decode("latin-1")


def unfold(value: str) -> str:
    """A raw header value on one line, its 8-bit bytes read as UTF-8 or Windows-1252."""
    flat = _FOLD.sub(" ", value)
    if not flat.isascii():
        flat = decode_bytes(flat.encode("utf-8", "surrogateescape"))
    return flat.replace("\0", "").strip()


def decode_words(value: str) -> str:
    """RFC 2047 words decoded, also inside quotes and when one character spans two words."""
    if "=?" not in value:
        return value
    joined = _GAP.sub(r"\1", value)
    out: list[str] = []
    pending, charset, end = b"", "", 0
    for match in _ENCODED_WORD.finditer(joined):
        name = match[1].partition("*")[0].lower()
        if pending and (match.start() != end or name != charset):
            out.append(decode_bytes(pending, charset))
            pending = b""
        out.append(joined[end : match.start()])
        charset, end = name, match.end()
        pending += _word_bytes(match[2], match[3])
    if pending:
        out.append(decode_bytes(pending, charset))
    return "".join(out) + joined[end:]


def _word_bytes(encoding: str, text: str) -> bytes:
    if encoding in "bB":
        try:
            return base64.b64decode(text + "=" * (-len(text) % 4))
        except (binascii.Error, ValueError):
            return text.encode("utf-8", "replace")
    return binascii.a2b_qp(text.encode("utf-8", "replace"), header=True)


def header_text(value: str) -> str:
    return " ".join(decode_words(unfold(value)).split())


def addresses(values: Iterable[str]) -> tuple[Address, ...]:
    """Every mailbox of some address headers, in order, each once."""
    found: dict[str, Address] = {}
    for value in values:
        # Decoding comes after splitting: an encoded name may hold a comma.
        for written in _split_addresses(unfold(value)):
            address = _address(written)
            if address is not None:
                found.setdefault(address.email, address)
    return tuple(found.values())


def _split_addresses(line: str) -> list[str]:
    """Cut at commas and semicolons that stand in no quotes, brackets or comment."""
    parts, start = [], 0
    quoted, angle, comment = False, False, 0
    for at, char in enumerate(line):
        if char == '"' and line[at - 1 : at] != "\\":
            quoted = not quoted
        elif quoted:
            continue
        elif char == "(":
            comment += 1
        elif char == ")":
            comment = max(0, comment - 1)
        elif char in "<>":
            angle = char == "<"
        elif char in ",;" and not angle and not comment:
            parts.append(line[start:at])
            start = at + 1
    return [part.strip() for part in (*parts, line[start:]) if part.strip()]


_ANGLE = re.compile(r"<([^<>]*)>[^<>]*$")
# It starts where a word starts, so that a long one without an @ is looked through once, not once per letter.
_BARE = re.compile(r"(?<![^\s<>\"'(),;:@])[^\s<>\"'(),;:@]+@[^\s<>\"'(),;:@]+")
_COMMENT = re.compile(r"\(((?:[^()\\]|\\.)*)\)")


def _address(written: str) -> Address | None:
    if angle := _ANGLE.search(written):
        name, email = written[: angle.start()], decode_words(angle[1])
        name = name.rpartition(":")[2] if '"' not in name and "=?" not in name else name  # "Group: a <a@b>"
    elif bare := _BARE.search(decode_words(written)):
        comment = _COMMENT.search(written)
        name, email = comment[1] if comment else "", bare[0]
    else:
        return None
    email = re.sub(r"\s+", "", email).strip("'\"").removeprefix("mailto:").lower()
    name = " ".join(decode_words(re.sub(r"\\(.)", r"\1", name.strip().strip('"'))).split()).strip("\"' ")
    if not email and (bare := _BARE.search(name)):
        email = bare[0].lower()
    return Address(email, "" if name.lower() == email else name) if email else None


def sent_at(value: str) -> datetime | None:
    """The `Date` header as an aware time; one without a zone is taken as UTC."""
    text = re.sub(r"\([^)]*\)", "", unfold(value[:200])).strip()
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    try:
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def message_ids(value: str) -> tuple[str, ...]:
    flat = unfold(value)
    return tuple(re.findall(r"<[^<>\s]+>", flat)) or tuple(part for part in flat.split() if "@" in part)


_PARAMETER = re.compile(r';\s*([^\s=;"]+)\s*=\s*("(?:[^"\\]|\\.)*"?|[^;]*)')


def parameters(value: str) -> tuple[str, dict[str, str]]:
    """A header like `Content-Type`: its value in lower case, and its parameters, RFC 2231 parts joined."""
    flat = unfold(value)
    main = flat.partition(";")[0].strip().strip('"').lower()
    plain: dict[str, str] = {}
    pieces: dict[str, dict[int, tuple[str, bool]]] = {}
    for key, text in _PARAMETER.findall(flat):
        text = _unquoted(text)
        name, star, rest = key.lower().partition("*")
        if not star:
            plain.setdefault(name, decode_words(text))
            continue
        number, _, _ = rest.partition("*")
        pieces.setdefault(name, {})[int(number) if number.isdigit() else 0] = (text, key.endswith("*"))
    plain.update({name: _joined(parts) for name, parts in pieces.items()})
    return main, plain


def _unquoted(text: str) -> str:
    text = text.strip()
    if text.startswith('"'):
        return re.sub(r"\\(.)", r"\1", text[1:-1] if len(text) > 1 and text.endswith('"') else text[1:])
    return text


def _joined(parts: Mapping[int, tuple[str, bool]]) -> str:
    charset, raw = "", b""
    for number in sorted(parts):
        text, percent = parts[number]
        if percent and number == min(parts) and text.count("'") >= 2:
            charset, _, text = text.split("'", 2)
        raw += unquote_to_bytes(text) if percent else text.encode("utf-8", "replace")
    return decode_words(decode_bytes(raw, charset))
