"""Encryption at rest (sealing): what is written is read back only with our key, and only as what it was sealed for.

An envelope is one version byte, the 8-byte id of its key, a 12-byte nonce, and AES-256-GCM's ciphertext with its tag.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import quote

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from postroom.nouns.errors import Misconfigured, Unreadable

KEY_BYTES = 32
_VERSION = b"\x01"
_ID_BYTES, _NONCE_BYTES, _TAG_BYTES = 8, 12, 16
_HEAD_BYTES = len(_VERSION) + _ID_BYTES


def about(tenant: object, kind: str, name: object) -> str:
    """What a secret belongs to. Sealed for one, it cannot be passed off as another's."""
    return "/".join(quote(str(part), safe="") for part in (tenant, kind, name))


@dataclass(frozen=True, slots=True, repr=False)
class Key:
    material: bytes

    def __post_init__(self) -> None:
        if len(self.material) != KEY_BYTES:
            raise ValueError(f"A sealing key has {KEY_BYTES} bytes.")

    @property
    def id(self) -> bytes:
        return hashlib.sha256(b"postroom key id\0" + self.material).digest()[:_ID_BYTES]

    def __repr__(self) -> str:
        return f"Key({self.id.hex()})"


class _Envelope(NamedTuple):
    key_id: bytes
    nonce: bytes
    sealed: bytes


class Sealer:
    """Seals with the first key and opens with any: a new key goes in front, the old one stays till all is resealed."""

    def __init__(self, keys: Iterable[Key], look_again: Callable[[], Sequence[Key]] | None = None) -> None:
        """`look_again` gives the keys as of now: somebody may have added one while we run."""
        self._look_again, self._seen = look_again, tuple(keys)
        self._take(self._seen)

    def _take(self, keys: Sequence[Key]) -> None:
        if not keys:
            raise ValueError("A sealer needs at least one key.")
        self._keys = {key.id: AESGCM(key.material) for key in keys}
        self._material = {key.id: key.material for key in keys}
        self._newest = keys[0].id

    def _look(self) -> None:
        if self._look_again is None:
            return
        keys = tuple(self._look_again())
        if keys != self._seen:
            self._take(keys)
            self._seen = keys

    def __repr__(self) -> str:
        return f"Sealer({', '.join(key_id.hex() for key_id in self._keys)})"

    @property
    def newest(self) -> bytes:
        """The id of the key that seals; it says nothing of the key."""
        self._look()
        return self._newest

    def seal(self, plain: bytes, *, about: str) -> bytes:
        self._look()
        nonce = os.urandom(_NONCE_BYTES)
        head = _VERSION + self._newest
        return head + nonce + self._keys[self._newest].encrypt(nonce, plain, _bound(head, about))

    def open(self, sealed: bytes, *, about: str) -> bytes:
        envelope = _taken_apart(sealed)
        if envelope.key_id not in self._keys:
            self._look()
        cipher = self._keys.get(envelope.key_id)
        if cipher is None:
            raise Misconfigured(
                f"This was sealed with key {envelope.key_id.hex()}, which we do not have: put it back into "
                "POSTROOM_SEALING_KEY after the new one, or restart if it was added just now."
            )
        try:
            return cipher.decrypt(envelope.nonce, envelope.sealed, _bound(sealed[:_HEAD_BYTES], about))
        except InvalidTag:
            raise Unreadable("A sealed value was altered, or belongs to something else.") from None

    def derived(self, purpose: str, key_id: bytes) -> bytes | None:
        """A key for another purpose, made of the one with this id; None if we do not have that one (any more)."""
        if key_id not in self._material:
            self._look()
        material = self._material.get(key_id)
        if material is None:
            return None
        return HKDF(hashes.SHA256(), KEY_BYTES, salt=None, info=purpose.encode()).derive(material)

    def needs_reseal(self, sealed: bytes) -> bool:
        return _taken_apart(sealed).key_id != self.newest

    def reseal(self, sealed: bytes, *, about: str) -> bytes:
        """With the newest key; unchanged if it already is."""
        if not self.needs_reseal(sealed):
            return sealed
        return self.seal(self.open(sealed, about=about), about=about)


def _bound(head: bytes, about: str) -> bytes:
    return head + about.encode("utf-8", "surrogatepass")


def _taken_apart(sealed: bytes) -> _Envelope:
    if len(sealed) < _HEAD_BYTES + _NONCE_BYTES + _TAG_BYTES or not sealed.startswith(_VERSION):
        raise Unreadable("This is no sealed value of ours, or it was cut short.")
    nonce_till = _HEAD_BYTES + _NONCE_BYTES
    return _Envelope(sealed[len(_VERSION) : _HEAD_BYTES], sealed[_HEAD_BYTES:nonce_till], sealed[nonce_till:])
