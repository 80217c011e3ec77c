"""Raw mail, however odd, as one MailMessage; reading never fails."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from email import message_from_bytes
from email.message import Message
from email.parser import BytesHeaderParser

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
from postroom.mail.mime_parts import (
    POLICY,
    SlimMail,
    children_of,
    content_type,
    enclosed_bytes,
    flat_text,
    made_up_name,
    meta_charset,
    parsed,
    payload_bytes,
    raw_header,
    rescued_children,
    safe_name,
    slim,
    uudecoded,
)
from postroom.mail.replies import split_reply
from postroom.mail.signed import signed_content
from postroom.nouns.mail import Attachment, MailMessage

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
    return _read(slim(raw), Budget(limits or Limits()), depth=0, path=())


def read_plain_mail(mail: SlimMail) -> MailMessage:
    """The same, for a mail with few parts and nothing to open in it; raises NotPlain for any other."""
    return _read(mail, Budget(Limits(parts=_FEW_PARTS), plain=True), depth=0, path=())


def read_headers(raw: bytes, because: str) -> MailMessage:
    """Who wrote it and what it is about, when the rest could not be read; `because` stands at a file in its place."""
    head = raw[:_LONGEST_HEAD].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    root = BytesHeaderParser(policy=POLICY).parsebytes(head + b"\n\n")
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


def _read(mail: SlimMail, budget: Budget, *, depth: int, path: tuple[str, ...]) -> MailMessage:
    found = _Found()
    try:
        root = parsed(mail)
    except Exception as error:  # noqa: BLE001 - hostile MIME breaks the parser in ways nobody lists
        found.flaws.append(f"The parts could not be told apart ({type(error).__name__}); read as plain text.")
        head, _, body = mail.raw.partition(b"\n\n")
        root = BytesHeaderParser(policy=POLICY).parsebytes(head + b"\n\n")
        found.texts.append(decode_bytes(body))
    else:
        _walk(root, found, budget, depth=depth, path=path)
    shown = cids("\n".join(found.htmls))
    for piece in found.pieces:
        _unfold(piece, found, budget, depth=depth, shown=shown)
    return _assemble(tuple(root.raw_items()), found)


def _walk(part: Message, found: _Found, budget: Budget, *, depth: int, path: tuple[str, ...]) -> None:
    """Sort one part into bodies, reports, files to look into, and enclosed mails."""
    budget.parts += 1
    if budget.parts > budget.limits.parts or len(path) > 40:
        if budget.plain:
            raise NotPlain
        found.flaws.append("More parts than we read; the rest was left out.")
        return
    kind, options = content_type(part)
    found.types.append(kind)
    if kind.startswith("multipart/") or (part.is_multipart() and not kind.startswith("message/")):
        _walk_children(part, kind, found, budget, depth=depth, path=path)
    elif kind in ("message/delivery-status", "message/disposition-notification", "message/feedback-report"):
        found.reports.append(flat_text(part))
    elif kind in ("message/rfc822", "message/global", "message/news") and part.is_multipart():
        _enclose(part, found, path)
    elif kind in _SIGNED and (inner := signed_content(payload_bytes(part))) is not None:
        _walk(message_from_bytes(inner, policy=POLICY), found, budget, depth=depth, path=(*path, "signed"))
    else:
        _leaf(part, kind, options, found, path)


def _walk_children(
    part: Message, kind: str, found: _Found, budget: Budget, *, depth: int, path: tuple[str, ...]
) -> None:
    children = children_of(part) or rescued_children(part)
    if not children:
        found.flaws.append(f"A {kind} without readable parts; read as plain text.")
        if text := flat_text(part).strip():
            found.texts.append(text)
        return
    for number, child in enumerate(children, start=1):
        _walk(child, found, budget, depth=depth, path=(*path, str(number)))


def _leaf(part: Message, kind: str, options: dict[str, str], found: _Found, path: tuple[str, ...]) -> None:
    disposition, more = parameters(raw_header(part, "content-disposition"))
    filename = more.get("filename") or options.get("name") or ""
    content = payload_bytes(part)
    body_like = disposition in _BODY_DISPOSITIONS and not filename
    if kind in ("text/plain", "text/html", "text/enriched") and (body_like or (not path and not filename)):
        _body(content, kind, options.get("charset", ""), found, path)
        return
    if kind in ("text/rfc822-headers", "message/partial", "message/external-body") and not filename:
        found.reports.append(decode_bytes(content))
        return
    found.pieces.append(
        Piece(
            filename=safe_name(filename) or made_up_name(kind, path),
            content=content,
            declared_type=kind,
            content_id=header_text(raw_header(part, "content-id")).strip("<> "),
            path=path,
        )
    )


def _body(content: bytes, kind: str, charset: str, found: _Found, path: tuple[str, ...]) -> None:
    if kind == "text/html":
        found.htmls.append(decode_bytes(content, charset or meta_charset(content)))
        return
    kept, at = [], 0
    while (match := _UU_BEGIN.search(content, at)) and (end := content.find(b"\nend", match.end())) >= 0:
        data = uudecoded(content[match.end() : end])
        kept.append(content[at : match.start() if data else end])
        at = end + len(b"\nend") if data else end
        if data:
            name = safe_name(decode_bytes(match[1])) or "attachment"
            found.pieces.append(Piece(name, data, path=(*path, name)))
    found.texts.append(decode_bytes(b"".join((*kept, content[at:])), charset))


def _enclose(part: Message, found: _Found, path: tuple[str, ...]) -> None:
    inner = next(iter(children_of(part)), None)
    if inner is None:
        return
    _, more = parameters(raw_header(part, "content-disposition"))
    name = safe_name(more.get("filename", "")) or "message.eml"
    found.pieces.append(Piece(name, enclosed_bytes(part, inner), "message/rfc822", path=path))


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
        _keep_enclosed(_read(slim(piece.content), budget, depth=depth, path=path), found)


def _keep_enclosed(mail: MailMessage, found: _Found) -> None:
    found.enclosed.append(mail)
    found.attachments.extend(mail.attachments)
    found.flaws.extend(mail.flaws)


def _from_capsule(capsule: Capsule, budget: Budget, *, depth: int, path: tuple[str, ...]) -> MailMessage:
    found = _Found(texts=[capsule.text] if capsule.text else [], htmls=[capsule.html] if capsule.html else [])
    _unfold_capsule(capsule, found, budget, depth=depth, path=path)
    header_lines = capsule.headers.encode("utf-8", "surrogateescape")
    headers = BytesHeaderParser(policy=POLICY).parsebytes(header_lines.lstrip() + b"\n\n")
    found.types.append(parameters(raw_header(headers, "content-type"))[0] or "text/plain")
    return _assemble(tuple(headers.raw_items()), found)


def _unfold_capsule(capsule: Capsule, found: _Found, budget: Budget, *, depth: int, path: tuple[str, ...]) -> None:
    shown = cids(capsule.html)
    for piece in capsule.pieces:
        budget.take_file()
        budget.take_bytes(len(piece.content))
        named = replace(piece, filename=safe_name(piece.filename) or "attachment")
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
