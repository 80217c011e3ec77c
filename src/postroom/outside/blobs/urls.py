"""Which archive a URL names."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast
from urllib.parse import unquote, urlsplit

from postroom.nouns.errors import BadRequest, Misconfigured
from postroom.outside.blobs.port import segments

Scheme = Literal["file", "s3", "gs", "az"]
_EXPECTED = "expected file:///absolute/folder, gs://bucket/prefix, s3://bucket/prefix or az://container/prefix"


@dataclass(frozen=True, slots=True)
class Place:
    """`bucket` and `prefix` for the clouds, `folder` for a file URL."""

    scheme: Scheme
    bucket: str = ""
    prefix: str = ""
    folder: Path = Path("/")


def place(url: str) -> Place:
    parts = urlsplit(url)
    if parts.scheme not in ("file", "s3", "gs", "az"):
        raise Misconfigured(f"POSTROOM_ARCHIVE_URL names no archive we know: {_EXPECTED}.")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise Misconfigured(f"POSTROOM_ARCHIVE_URL holds no credentials, ? or #: {_EXPECTED}.")
    if parts.scheme == "file":
        return _folder(parts.netloc, unquote(parts.path))
    if not parts.netloc:
        raise Misconfigured(f"POSTROOM_ARCHIVE_URL names no bucket: {_EXPECTED}.")
    prefix = parts.path.strip("/")
    try:
        return Place(cast("Scheme", parts.scheme), parts.netloc, "/".join(segments(prefix)) if prefix else "")
    except BadRequest as error:
        raise Misconfigured(f"POSTROOM_ARCHIVE_URL has an unusable prefix. {error}") from error


def _folder(host: str, path: str) -> Place:
    if host not in ("", "localhost") or not path.startswith("/") or "\0" in path:
        raise Misconfigured(f"POSTROOM_ARCHIVE_URL must name a folder by its absolute path: {_EXPECTED}.")
    return Place("file", folder=Path(path))


def is_plain_loopback(endpoint: str) -> bool:
    """Whether this is plain http to ourselves; plain http to anybody else is refused."""
    parts = urlsplit(endpoint)
    if parts.scheme != "http":
        return False
    if _loopback(parts.hostname or ""):
        return True
    raise Misconfigured(f"{parts.scheme}://{parts.hostname} is not encrypted: plain http is for loopback only.")


def _loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
