"""Raw mail, however odd, as one MailMessage; reading never fails."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from email import message_from_bytes
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32
from secrets import token_hex

from postroom.mail import sniff as types
from postroom.mail.containers import (
    Budget,
    Capsule,
    ContainerError,
    Limits,
    NotPlain,
    Piece,
    open_msg,
    open_tnef,
    open_zip,
)
from postroom.mail.headers import (
    addresses,
    decode_bytes,
    header_text,
    message_ids,
    parameters,
    sent_at,
)
from postroom.mail.html import cids, html_to_text
from postroom.mail.replies import split_reply
from postroom.mail.signed import signed_content
from postroom.nouns.mail import Attachment, MailMessage

# policy.default parses Content-Type while it reads and raises on hostile ones; we decode headers ourselves.
_POLICY = compat32
_SNIPPET = 200
_FEW_PARTS = 50
_LONGEST_HEAD = 200_000
_LONGEST_HEADER = 400_000  # thousands of recipients
_LONGEST_KEPT = 4_000
_MOST_HEADERS = 2_000
_UNKEPT_HEADERS = frozenset(("dkim-signature", "arc-seal", "arc-message-signature", "x-google-dkim-signature"))
_SIGNED = frozenset(("application/pkcs7-mime", "application/x-pkcs7-mime"))
_BODY_DISPOSITIONS = frozenset(("", "inline"))
_UU_BEGIN = re.compile(rb"^begin(?:-base64)? [0-7]{3,4} ([^\r\n]+)\r?\n", re.MULTILINE)
_BASE64_LINES = re.compile(rb"^(?:[0-9A-Za-z+/]{60,76}\r?\n){20,}", re.MULTILINE)
_MARK = token_hex(16)  # stands for a file that is held back; nobody can know it
_MARKS = re.compile(rf"{_MARK}(\d{{6}})\n?")
_LOST_BOUNDARY = re.compile(rb"^--(?!\s)([^\r\n]{1,70}?)[ \t]*\r?\ncontent-", re.MULTILINE | re.IGNORECASE)


@dataclass(slots=True)
class _Found:
    """What a walk through the parts has gathered so far."""

    texts: list[str] = field(default_factory=list)
    htmls: list[str] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    enclosed: list[MailMessage] = field(default_factory=list)
    reports: list[str] = field(default_factory=list)
    types: list[str] = field(default_factory=list)
    flaws: list[str] = field(default_factory=list)


def read_mail(raw: bytes, limits: Limits | None = None) -> MailMessage:
    """One RFC 5322 message. Whatever is wrong with it is told in `flaws`."""
    return _read(raw, Budget(limits or Limits()), depth=0, path=())


def text_bytes(raw: bytes) -> int:
    """How much of a mail is not a file in base64, which costs next to nothing to read."""
    return len(raw) - sum(map(len, _BASE64_LINES.findall(raw)))


def read_plain_mail(raw: bytes) -> MailMessage:
    """The same, for a mail with few parts and nothing to open in it; raises NotPlain for any other."""
    return _read(raw, Budget(Limits(parts=_FEW_PARTS), plain=True), depth=0, path=())


def read_headers(raw: bytes, because: str) -> MailMessage:
    """Who wrote it and what it is about, when the rest could not be read; `because` stands at a file in its place."""
    head = raw[:_LONGEST_HEAD].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    root = BytesHeaderParser(policy=_POLICY).parsebytes(head + b"\n\n")
    unread = Attachment("message.eml", b"", "message/rfc822", types.RFC822, path=("message.eml",), flaw=because)
    return _assemble(tuple(root.raw_items()), _Found(attachments=[unread], flaws=[because]))


def read_mail_file(filename: str, content: bytes, limits: Limits | None = None) -> MailMessage:
    """A `.eml`, `.msg` or `winmail.dat`, by its bytes; any other file becomes a mail that only carries it."""
    kind = types.sniff(content)
    if kind == types.RFC822 or filename.lower().endswith(".eml"):
        return read_mail(content, limits)
    found = _Found()
    _unfold(Piece(filename, content), found, Budget(limits or Limits()), depth=0, shown=frozenset())
    if kind == types.MSG and len(found.enclosed) == 1:
        return replace(found.enclosed[0], flaws=(*found.enclosed[0].flaws, *found.flaws))
    return _assemble((), found)


def attachments_in(pieces: Iterable[Piece], html: str = "", limits: Limits | None = None) -> tuple[Attachment, ...]:
    """Files that a provider hands over one by one, with those inside them; `html` tells which are inline."""
    found = _Found()
    budget = Budget(limits or Limits())
    for piece in pieces:
        _unfold(piece, found, budget, depth=0, shown=cids(html))
    return tuple(found.attachments)


def _read(raw: bytes, budget: Budget, *, depth: int, path: tuple[str, ...]) -> MailMessage:
    found = _Found()
    try:
        root = _parsed(raw)
    except Exception as error:  # noqa: BLE001 - hostile MIME breaks the parser in ways nobody lists
        found.flaws.append(f"The parts could not be told apart ({type(error).__name__}); read as plain text.")
        root = BytesHeaderParser(policy=_POLICY).parsebytes(raw.partition(b"\n\n")[0] + b"\n\n")
        found.texts.append(decode_bytes(raw.partition(b"\n\n")[2]))
    else:
        _walk(root, found, budget, depth=depth, path=path)
    shown = cids("\n".join(found.htmls))
    for piece in found.pieces:
        _unfold(piece, found, budget, depth=depth, shown=shown)
    return _assemble(tuple(root.raw_items()), found)


def _parsed(raw: bytes) -> Message:
    """The standard library looks at every line in turn, so that long files in base64 are held back meanwhile."""
    held: list[bytes] = []

    def hold(found: re.Match[bytes]) -> bytes:
        held.append(found[0])
        return f"{_MARK}{len(held) - 1:06d}\n".encode()

    root = message_from_bytes(_BASE64_LINES.sub(hold, raw), policy=_POLICY)
    if held:
        for part in root.walk():
            text = None if part.is_multipart() else part.get_payload()
            if isinstance(text, str) and _MARK in text:
                part.set_payload(_MARKS.sub(lambda found: held[int(found[1])].decode("ascii"), text))
    return root


def _walk(part: Message, found: _Found, budget: Budget, *, depth: int, path: tuple[str, ...]) -> None:
    """Sort one part into bodies, reports, files to look into, and enclosed mails."""
    budget.parts += 1
    if budget.parts > budget.limits.parts or len(path) > 40:
        if budget.plain:
            raise NotPlain
        found.flaws.append("More parts than we read; the rest was left out.")
        return
    kind, options = _content_type(part)
    found.types.append(kind)
    if kind.startswith("multipart/") or (part.is_multipart() and not kind.startswith("message/")):
        _walk_children(part, kind, found, budget, depth=depth, path=path)
    elif kind in ("message/delivery-status", "message/disposition-notification", "message/feedback-report"):
        found.reports.append(_flat_text(part))
    elif kind in ("message/rfc822", "message/global", "message/news") and part.is_multipart():
        _enclose(part, found, path)
    elif kind in _SIGNED and (inner := signed_content(_payload_bytes(part))) is not None:
        _walk(message_from_bytes(inner, policy=_POLICY), found, budget, depth=depth, path=(*path, "signed"))
    else:
        _leaf(part, kind, options, found, path)


def _walk_children(
    part: Message, kind: str, found: _Found, budget: Budget, *, depth: int, path: tuple[str, ...]
) -> None:
    children = _children(part) or _rescued(part)
    if not children:
        found.flaws.append(f"A {kind} without readable parts; read as plain text.")
        if text := _flat_text(part).strip():
            found.texts.append(text)
        return
    for number, child in enumerate(children, start=1):
        _walk(child, found, budget, depth=depth, path=(*path, str(number)))


def _children(part: Message) -> list[Message]:
    # get_payload() of a leaf decodes by the declared charset and fails on odd ones; of a multipart it cannot.
    payload = part.get_payload() if part.is_multipart() else []
    return [child for child in payload if isinstance(child, Message)] if isinstance(payload, list) else []


def _rescued(part: Message) -> list[Message]:
    """The parts of a multipart whose boundary is missing or misspelt, if the body shows another."""
    body = _payload_bytes(part)
    match = _LOST_BOUNDARY.search(body)
    if match is None:
        return []
    head = b'Content-Type: multipart/mixed; boundary="' + match[1].replace(b'"', b'\\"') + b'"\n\n'
    return _children(message_from_bytes(head + body, policy=_POLICY))


def _content_type(part: Message) -> tuple[str, dict[str, str]]:
    """Lower-case type and parameters; nonsense and absence mean plain text, as RFC 2045 has it."""
    value = _raw_header(part, "content-type")
    kind, options = parameters(value)
    if not re.fullmatch(r"[\w.+-]+/[\w.+-]+", kind):
        return part.get_default_type() if not value else "text/plain", options
    return kind, options


def _raw_header(part: Message, name: str) -> str:
    return next((str(value) for key, value in part.raw_items() if key.lower() == name), "")


def _leaf(part: Message, kind: str, options: dict[str, str], found: _Found, path: tuple[str, ...]) -> None:
    disposition, more = parameters(_raw_header(part, "content-disposition"))
    filename = more.get("filename") or options.get("name") or ""
    content = _payload_bytes(part)
    body_like = disposition in _BODY_DISPOSITIONS and not filename
    if kind in ("text/plain", "text/html", "text/enriched") and (body_like or (not path and not filename)):
        _body(content, kind, options.get("charset", ""), found, path)
        return
    if kind in ("text/rfc822-headers", "message/partial", "message/external-body") and not filename:
        found.reports.append(decode_bytes(content))
        return
    found.pieces.append(
        Piece(
            filename=_safe_name(filename) or _made_up_name(kind, path),
            content=content,
            declared_type=kind,
            content_id=header_text(_raw_header(part, "content-id")).strip("<> "),
            path=path,
        )
    )


def _body(content: bytes, kind: str, charset: str, found: _Found, path: tuple[str, ...]) -> None:
    if kind == "text/html":
        found.htmls.append(decode_bytes(content, charset or _meta_charset(content)))
        return
    kept, at = [], 0
    while (match := _UU_BEGIN.search(content, at)) and (end := content.find(b"\nend", match.end())) >= 0:
        data = _uudecoded(content[match.end() : end])
        kept.append(content[at : match.start() if data else end])
        at = end + len(b"\nend") if data else end
        if data:
            name = _safe_name(decode_bytes(match[1])) or "attachment"
            found.pieces.append(Piece(name, data, path=(*path, name)))
    found.texts.append(decode_bytes(b"".join((*kept, content[at:])), charset))


def _uudecoded(content: bytes) -> bytes | None:
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


def _meta_charset(content: bytes) -> str:
    match = re.search(rb"""<meta[^>]{0,200}charset=["']?([\w-]+)""", content[:2048], re.IGNORECASE)
    return match[1].decode("ascii") if match else ""


def _payload_bytes(part: Message) -> bytes:
    try:
        payload = part.get_payload(decode=True)
    except Exception:  # noqa: BLE001 - odd transfer encodings; the undecoded words are still words
        payload = None
    return payload if isinstance(payload, bytes) else b""


def _flat_text(part: Message) -> str:
    """All there is in a part, header blocks included, as text."""
    if not part.is_multipart():
        return decode_bytes(_payload_bytes(part))
    blocks = []
    for block in _children(part):
        lines = [f"{key}: {header_text(str(value))}" for key, value in block.raw_items()]
        blocks.append("\n".join((*lines, _flat_text(block))).strip())
    return "\n\n".join(blocks)


def _enclose(part: Message, found: _Found, path: tuple[str, ...]) -> None:
    inner = next(iter(_children(part)), None)
    if inner is None:
        return
    _, more = parameters(_raw_header(part, "content-disposition"))
    name = _safe_name(more.get("filename", "")) or "message.eml"
    encoding = _raw_header(part, "content-transfer-encoding").strip().lower()
    raw = _encoded_inner(inner) if encoding in ("base64", "quoted-printable") else _as_bytes(inner)
    found.pieces.append(Piece(name, raw, "message/rfc822", path=path))


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
        return (head + "\n" + _flat_text(inner)).encode("utf-8", "surrogateescape")


def _unfold(piece: Piece, found: _Found, budget: Budget, *, depth: int, shown: frozenset[str]) -> None:
    """Look into a file: what opens is replaced by what is in it, the rest is an attachment."""
    kind = types.sniff(piece.content)
    flaw = ""
    try:
        if _opens(kind, piece):
            if budget.plain:
                raise NotPlain
            if depth >= budget.limits.depth:
                raise ContainerError(f"nested more than {budget.limits.depth} deep")
            _open(kind, piece, found, budget, depth=depth + 1)
            return
    except ContainerError as error:
        flaw = f"Not opened: {error}."
        found.flaws.append(f"{piece.filename}: {flaw}")
    found.attachments.append(
        Attachment(
            filename=piece.filename,
            content=piece.content,
            declared_type=piece.declared_type,
            sniffed_type=kind,
            content_id=piece.content_id,
            inline=bool(piece.content_id) and piece.content_id in shown,
            path=piece.path or (piece.filename,),
            flaw=flaw,
        )
    )


def _opens(kind: str, piece: Piece) -> bool:
    if kind in (types.TNEF, types.MSG, types.ZIP, types.RFC822):
        return True
    return piece.declared_type == "message/rfc822" and kind in ("text/plain", types.HTML, types.OCTETS)


def _open(kind: str, piece: Piece, found: _Found, budget: Budget, *, depth: int) -> None:
    path = piece.path if piece.path[-1:] == (piece.filename,) else (*piece.path, piece.filename)
    if kind == types.ZIP:
        inside = list(open_zip(piece.content, budget))
        if not inside:
            raise ContainerError("an empty zip file")
        for inner in inside:
            _unfold(replace(inner, path=(*path, inner.filename)), found, budget, depth=depth, shown=frozenset())
    elif kind == types.TNEF:
        capsule = open_tnef(piece.content)
        if capsule == Capsule():
            raise ContainerError("a winmail.dat without a text or file that we can read")
        if not found.texts and not found.htmls:
            found.texts.extend(text for text in (capsule.text,) if text)
            found.htmls.extend(html for html in (capsule.html,) if html)
        _unfold_capsule(capsule, found, budget, depth=depth, path=path)
    elif kind == types.MSG:
        _keep_enclosed(_from_capsule(open_msg(piece.content), budget, depth=depth, path=path), found)
    else:
        budget.take_file()
        budget.take_bytes(len(piece.content))
        _keep_enclosed(_read(piece.content, budget, depth=depth, path=path), found)


def _keep_enclosed(mail: MailMessage, found: _Found) -> None:
    found.enclosed.append(mail)
    found.attachments.extend(mail.attachments)
    found.flaws.extend(mail.flaws)


def _from_capsule(capsule: Capsule, budget: Budget, *, depth: int, path: tuple[str, ...]) -> MailMessage:
    found = _Found(texts=[capsule.text] if capsule.text else [], htmls=[capsule.html] if capsule.html else [])
    _unfold_capsule(capsule, found, budget, depth=depth, path=path)
    header_lines = capsule.headers.encode("utf-8", "surrogateescape")
    headers = BytesHeaderParser(policy=_POLICY).parsebytes(header_lines.lstrip() + b"\n\n")
    found.types.append(parameters(_raw_header(headers, "content-type"))[0] or "text/plain")
    return _assemble(tuple(headers.raw_items()), found)


def _unfold_capsule(capsule: Capsule, found: _Found, budget: Budget, *, depth: int, path: tuple[str, ...]) -> None:
    shown = cids(capsule.html)
    for piece in capsule.pieces:
        budget.take_file()
        budget.take_bytes(len(piece.content))
        named = replace(piece, filename=_safe_name(piece.filename) or "attachment")
        _unfold(replace(named, path=(*path, named.filename)), found, budget, depth=depth, shown=shown)
    for number, inner in enumerate(capsule.inner, start=1):
        _keep_enclosed(_from_capsule(inner, budget, depth=depth, path=(*path, f"mail {number}")), found)


def _assemble(raw_headers: Sequence[tuple[str, object]], found: _Found) -> MailMessage:
    headers = [(key.lower(), str(value)[:_LONGEST_HEADER]) for key, value in raw_headers[:_MOST_HEADERS]]

    def values(name: str) -> list[str]:
        return [value for key, value in headers if key == name]

    def first(name: str) -> str:
        return next(iter(values(name)), "")

    html = "\n".join(found.htmls)
    text = "\n\n".join(text.strip("\r\n") for text in found.texts if text.strip())
    text = (text or html_to_text(html)).replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    parts = split_reply(text)
    authors = addresses(values("from")) or addresses(values("sender"))
    return MailMessage(
        sender=authors[0] if authors else None,
        from_=authors,
        to=addresses(values("to")),
        cc=addresses(values("cc")),
        bcc=addresses(values("bcc")),
        reply_to=addresses(values("reply-to")),
        subject=header_text(first("subject")),
        date=sent_at(first("date")),
        text_body=text,
        html_body=html,
        new_text=parts.new,
        quoted_text=parts.quoted,
        signature=parts.signature,
        snippet=" ".join((parts.new or text).split())[:_SNIPPET],
        attachments=tuple(found.attachments),
        enclosed=tuple(found.enclosed),
        report="\n\n".join(found.reports),
        content_types=tuple(found.types),
        message_id=next(iter(message_ids(first("message-id"))), header_text(first("message-id"))),
        in_reply_to=next(iter(message_ids(first("in-reply-to"))), ""),
        references=message_ids(first("references")),
        headers=tuple(
            (key, header_text(value[:_LONGEST_KEPT])) for key, value in headers if key not in _UNKEPT_HEADERS
        ),
        flaws=tuple(found.flaws),
    )


def _safe_name(name: str) -> str:
    """A bare file name: no folders, no control characters, no leading dots, not too long."""
    bare = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    bare = "".join(char for char in bare if char.isprintable()).strip(" .")
    return bare if len(bare) <= 200 else bare[:150] + bare[-50:]


def _made_up_name(kind: str, path: tuple[str, ...]) -> str:
    ending = {"application/pdf": "pdf", "image/png": "png", "image/jpeg": "jpg", "image/tiff": "tiff"}
    ending |= {"text/calendar": "ics", "text/html": "html", "text/plain": "txt", "message/rfc822": "eml"}
    return f"part-{'.'.join(path) or '1'}.{ending.get(kind, 'bin')}"
