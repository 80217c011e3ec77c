"""Attachment ids that differ with every look and do not last."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets

from postroom_simulators.clock import SimClock
from postroom_simulators.google import errors
from postroom_simulators.google.gmail.mailbox import SimGmailMessage

_LIFE = 3600.0
_TAG = 16
_PREFIX = "ANGjdJ"


class AttachmentIds:
    """Sealed, so that none needs to be remembered."""

    def __init__(self, clock: SimClock) -> None:
        self._clock = clock
        self._key = secrets.token_bytes(32)

    def mint(self, mail: SimGmailMessage, part_id: str) -> str:
        told = f"{mail.id}/{part_id}/{self._clock.time() + _LIFE:.3f}/{secrets.token_hex(60)}".encode()
        return _PREFIX + base64.urlsafe_b64encode(self._tag(told) + told).decode().rstrip("=")

    def part(self, mail: SimGmailMessage, attachment_id: str) -> str:
        """The part an id stands for, while it lives."""
        sealed = attachment_id.removeprefix(_PREFIX)
        try:
            opened = base64.urlsafe_b64decode(sealed + "=" * (-len(sealed) % 4))
        except (binascii.Error, ValueError) as error:
            raise errors.invalid("Invalid attachment token") from error
        tag, told = opened[:_TAG], opened[_TAG:]
        if not hmac.compare_digest(tag, self._tag(told)):
            raise errors.invalid("Invalid attachment token")
        mail_id, part_id, till, _ = told.decode().split("/")
        if mail_id != mail.id or float(till) < self._clock.time():
            raise errors.invalid("Invalid attachment token")
        return part_id

    def _tag(self, told: bytes) -> bytes:
        return hmac.digest(self._key, told, hashlib.sha256)[:_TAG]
