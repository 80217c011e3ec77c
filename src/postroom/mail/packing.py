"""A mail that was read, as bytes that can travel: whoever unpacks them need not read it again."""

from __future__ import annotations

import msgspec

from postroom.nouns.mail import MailMessage

_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(MailMessage).decode


def packed_size(mail: MailMessage) -> int:
    """About how many bytes it would be, without packing it."""
    return len(mail.text_body) + len(mail.html_body) + sum(each.size for each in mail.attachments)


def pack(mail: MailMessage) -> bytes | None:
    """None for one that cannot be written down: with half of a surrogate pair in it."""
    try:
        return _pack(mail)
    except UnicodeEncodeError:
        return None


def unpack(content: bytes) -> MailMessage | None:
    """None if it is not what `pack` of this version made."""
    try:
        return _unpack(content)
    except msgspec.MsgspecError:
        return None
