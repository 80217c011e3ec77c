"""Graph's opaque ids: case-sensitive, needing URL encoding, and never to be understood by a client."""

from __future__ import annotations

import base64
import uuid

_SPACE = uuid.UUID("6f1cf9a4-6c1f-4f0e-9a57-0a5d1c2b7f10")
TENANT = "5c7f0a86-2d5e-4a0b-9a43-9b1f7c1d2e30"


def stable_guid(*names: str) -> str:
    """The same guid for the same names, in every run."""
    return str(uuid.uuid5(_SPACE, "\n".join(names)))


def _packed(prefix: str, owner: bytes, *numbers: int) -> str:
    body = owner + b"".join(number.to_bytes(5, "big") for number in numbers)
    return prefix + base64.urlsafe_b64encode(body).decode()


def immutable_id(owner: bytes, serial: int) -> str:
    return _packed("AAkALgAAAAAAHYQDEapmEc2byACqAC-EWg0A", owner, serial)


def mutable_id(owner: bytes, serial: int, folder: int, moves: int) -> str:
    return _packed("AAMkAGI2NGVhZTVlLTI1OGMtNDI4My1iZmE5LTA5OGJiZGEzMTc0YQBGAAAA", owner, folder, serial, moves)


def folder_id(owner: bytes, number: int) -> str:
    return _packed("AAMkAGI2NGVhZTVlLTI1OGMtNDI4My1iZmE5LTA5OGJiZGEzMTc0YQAuAAAA", owner, number)


def change_key(owner: bytes, version: int) -> str:
    return base64.b64encode(b"\x09\x00\x00\x00\x16\x00\x00\x00" + owner + version.to_bytes(6, "big")).decode()


def conversation_id(owner: bytes, number: int) -> str:
    return _packed("AAQkAGI2NGVhZTVlLTI1OGMtNDI4My1iZmE5LTA5OGJiZGEzMTc0YQAQA", owner, number)


def attachment_id(message_id: str, number: int) -> str:
    return f"{message_id.rstrip('=')}BEgAQ{base64.urlsafe_b64encode(number.to_bytes(6, 'big')).decode()}"
