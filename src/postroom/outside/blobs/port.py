"""What an archive must be able to do, and which keys and labels all of them can hold."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol, Self
from urllib.parse import quote

from postroom.nouns.errors import BadRequest

KEY_BYTES = 1024  # S3, GCS and Azure agree on it
SEGMENT_BYTES = 240  # a file name holds 255, and its label stands beside it as `.name.label.json`
LABEL_BYTES = 2048  # S3: https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingMetadata.html
_LABEL_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_MEDIA_TYPE = re.compile(r"[a-z0-9.+-]{1,60}/[a-z0-9.+-]{1,100}", re.IGNORECASE)
_HEADER_SAFE = "!\"#$&'()*+,-./:;<=>?@[\\]^_`{|}~"


@dataclass(frozen=True, slots=True)
class Blob:
    """What is known of a stored file without reading it."""

    key: str
    size: int
    content_type: str = "application/octet-stream"
    metadata: Mapping[str, str] = field(default_factory=dict)


class Archive(Protocol):
    """Files under keys, written once. Raises only postroom.nouns.errors and never retries.

    `async with` keeps connections open between calls; without it each call opens its own, on any event loop.
    """

    async def put_if_absent(self, key: str, data: bytes, metadata: Mapping[str, str], content_type: str) -> bool:
        """True: stored, and there to stay. False: the key was taken, and is as it was."""

    async def get(self, key: str) -> bytes:
        """May raise NotFound."""

    async def head(self, key: str) -> Blob:
        """May raise NotFound."""

    async def exists(self, key: str) -> bool: ...

    def beneath(self, prefix: str = "") -> AsyncIterator[str]:
        """The keys beneath a folder, in no promised order; an empty prefix lists all."""

    async def remove(self, key: str) -> None:
        """For retention. Safe to repeat."""

    async def __aenter__(self) -> Self: ...

    async def __aexit__(self, *exc: object) -> None: ...


def segments(key: str) -> list[str]:
    """The folders and the name of a key that every archive can hold; anything else is refused."""
    parts = key.split("/")
    if wrong := _objection(key, parts):
        raise BadRequest(f"The archive cannot hold the key {key[:200]!r}: {wrong}.")
    return parts


def _objection(key: str, parts: list[str]) -> str | None:
    if not key.isprintable() and any(unicodedata.category(char) in ("Cc", "Cs") for char in key):
        return "it contains control characters or half of a surrogate pair"
    if len(key.encode()) > KEY_BYTES:
        return f"it is longer than {KEY_BYTES} bytes"
    if "" in parts:
        return "a folder or the name is empty (no leading, trailing or doubled slash)"
    if any(part.startswith(".") for part in parts):
        return "folders and names must not start with a dot"
    if any(len(part.encode()) > SEGMENT_BYTES for part in parts):
        return f"a folder or the name is longer than {SEGMENT_BYTES} bytes"
    return None


def acceptable(key: str, metadata: Mapping[str, str], content_type: str) -> dict[str, str]:
    """Refuse what some archive cannot hold; else the metadata as HTTP headers carry it, percent-encoded."""
    segments(key)
    if not _MEDIA_TYPE.fullmatch(content_type):
        raise BadRequest(f"{content_type[:100]!r} is no content type; application/pdf is one.")
    safe = {name: quote(value, safe=_HEADER_SAFE, errors="replace") for name, value in metadata.items()}
    for name in safe:
        if not _LABEL_NAME.fullmatch(name):
            raise BadRequest(f"The metadata name {name!r} must be lower-case words joined by hyphens.")
    if sum(len(name) + len(value) for name, value in safe.items()) > LABEL_BYTES:
        raise BadRequest(f"The metadata is larger than {LABEL_BYTES} bytes: shorten its values.")
    return safe
