"""The archive on Google Cloud Storage, over its JSON API.

https://cloud.google.com/storage/docs/json_api/v1/objects
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import io
import json
import uuid
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self
from urllib.parse import quote, urlencode

import aiohttp
from yarl import URL

from postroom.nouns.errors import (
    BadRequest,
    Misconfigured,
    NotFound,
    PermissionDenied,
    PostroomError,
    Throttled,
    TimedOut,
    Unavailable,
)
from postroom.outside.blobs.google_access import Access, find_grant
from postroom.outside.blobs.port import Blob, acceptable, segments
from postroom.outside.blobs.urls import is_plain_loopback

_TIMEOUT = aiohttp.ClientTimeout(total=120, connect=10)
_THROTTLED = ("rateLimitExceeded", "userRateLimitExceeded")


def open_gcs(bucket: str, prefix: str, options: Mapping[str, str], now: Callable[[], datetime]) -> GoogleBlobs:
    emulator = options.get("STORAGE_EMULATOR_HOST", "")
    if not emulator:
        return GoogleBlobs(bucket, prefix, "https://storage.googleapis.com", Access(find_grant(options), now))
    base = emulator if "://" in emulator else f"http://{emulator}"
    is_plain_loopback(base)
    return GoogleBlobs(bucket, prefix, base.rstrip("/"), None)


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes


class GoogleBlobs:
    """`access` is None for an emulator, which wants no credentials."""

    def __init__(self, bucket: str, prefix: str, base: str, access: Access | None) -> None:
        self._bucket = bucket
        self._prefix = f"{prefix}/" if prefix else ""
        self._base = base
        self._access = access
        self._kept: tuple[asyncio.AbstractEventLoop, aiohttp.ClientSession] | None = None

    async def put_if_absent(self, key: str, data: bytes, metadata: Mapping[str, str], content_type: str) -> bool:
        acceptable(key, metadata, content_type)
        resource = {
            "name": self._prefix + key,
            "contentType": content_type,
            "metadata": dict(metadata),
            # Google refuses the upload when the bytes that arrive are others.
            "md5Hash": base64.b64encode(hashlib.md5(data, usedforsecurity=False).digest()).decode(),
        }
        boundary = uuid.uuid4().hex
        url = f"/upload{self._objects}?uploadType=multipart&ifGenerationMatch=0"
        headers = {"Content-Type": f"multipart/related; boundary={boundary}"}
        answer = await self._ask("POST", url, headers=headers, data=_parts(resource, data, boundary))
        if answer.status == 412:
            return False
        if answer.status == 404:
            raise self._no_bucket()
        self._check(answer)
        return True

    async def get(self, key: str) -> bytes:
        return (await self._object("GET", key, "?alt=media")).body

    async def head(self, key: str) -> Blob:
        known = json.loads((await self._object("GET", key)).body)
        content_type = known.get("contentType", "application/octet-stream")
        return Blob(key, int(known["size"]), content_type, known.get("metadata", {}))

    async def exists(self, key: str) -> bool:
        try:
            await self._object("GET", key, "?fields=name")
        except NotFound:
            return False
        return True

    async def beneath(self, prefix: str = "") -> AsyncIterator[str]:
        folder = "/".join(segments(prefix.rstrip("/"))) + "/" if prefix else ""
        query = {"prefix": self._prefix + folder, "fields": "items(name),nextPageToken"}
        while True:
            answer = await self._ask("GET", f"{self._objects}?{urlencode(query, quote_via=quote)}")
            if answer.status == 404:
                raise self._no_bucket()
            self._check(answer)
            page = json.loads(answer.body)
            for found in page.get("items", ()):
                yield found["name"].removeprefix(self._prefix)
            if not (more := page.get("nextPageToken")):
                return
            query["pageToken"] = more

    async def remove(self, key: str) -> None:
        try:
            await self._object("DELETE", key)
        except NotFound:
            return

    async def __aenter__(self) -> Self:
        self._kept = asyncio.get_running_loop(), aiohttp.ClientSession(timeout=_TIMEOUT)
        return self

    async def __aexit__(self, *exc: object) -> None:
        if self._kept is not None:
            _, http = self._kept
            self._kept = None
            await http.close()

    @property
    def _objects(self) -> str:
        return f"/storage/v1/b/{quote(self._bucket, safe='')}/o"

    async def _object(self, method: str, key: str, query: str = "") -> _Answer:
        segments(key)
        name = quote(self._prefix + key, safe="")
        answer = await self._ask(method, f"{self._objects}/{name}{query}")
        if answer.status == 404:
            raise NotFound(f"The bucket {self._bucket!r} has no {key!r}.")
        self._check(answer)
        return answer

    async def _ask(self, method: str, path: str, **arguments: Any) -> _Answer:
        # The key is encoded once, by us; yarl must not touch its %2E.
        url = URL(self._base + path, encoded=True)
        try:
            async with self._session() as http:
                answer = await self._send(http, method, url, **arguments)
                if answer.status == 401 and self._access is not None:
                    self._access.forget()  # revoked before its time: once more with a new one
                    answer = await self._send(http, method, url, **arguments)
                return answer
        except TimeoutError:
            raise TimedOut(f"The bucket {self._bucket!r} did not answer in time.") from None
        except aiohttp.ClientError as error:
            raise Unavailable(f"The bucket {self._bucket!r} cannot be reached ({type(error).__name__}).") from error

    async def _send(
        self, http: aiohttp.ClientSession, method: str, url: URL, *, headers: Mapping[str, str] | None = None,
        data: bytes | None = None,
    ) -> _Answer:  # fmt: skip
        sent = dict(headers or {})
        if self._access is not None:
            sent["Authorization"] = f"Bearer {(await self._access.token(http)).reveal()}"
        body = None if data is None else io.BytesIO(data)
        async with http.request(method, url, headers=sent, data=body, allow_redirects=False) as answer:
            return _Answer(answer.status, answer.headers, await answer.read())

    @asynccontextmanager
    async def _session(self) -> AsyncIterator[aiohttp.ClientSession]:
        """The one kept open, if it belongs to this event loop; else one for this call."""
        if self._kept is not None and self._kept[0] is asyncio.get_running_loop():
            yield self._kept[1]
            return
        async with aiohttp.ClientSession(timeout=_TIMEOUT) as http:
            yield http

    def _no_bucket(self) -> Misconfigured:
        return Misconfigured(f"The bucket {self._bucket!r} does not exist: create it, or correct the URL.")

    def _check(self, answer: _Answer) -> None:
        if not 200 <= answer.status < 300:
            raise _ours(answer, f"The bucket {self._bucket!r}")


def _parts(resource: Mapping[str, Any], data: bytes, boundary: str) -> bytes:
    head = (
        f"--{boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n{json.dumps(resource)}\r\n"
        f"--{boundary}\r\nContent-Type: {resource['contentType']}\r\n\r\n"
    )
    return b"".join([head.encode(), data, f"\r\n--{boundary}--\r\n".encode()])


def _ours(answer: _Answer, name: str) -> PostroomError:
    status, reason = answer.status, _reason(answer.body)
    why = f"{status} {reason}".strip()
    if status == 429 or (status == 403 and reason in _THROTTLED):
        return Throttled(f"{name} asks us to slow down ({why}).", _seconds(answer.headers.get("Retry-After")))
    if status == 401:
        return PermissionDenied(f"{name} does not accept the archive's credentials ({why}): make new ones.")
    if status == 403:
        return PermissionDenied(f"{name} refuses us ({why}): grant roles/storage.objectUser on it.")
    if status == 408 or status >= 500:
        return Unavailable(f"{name} is not available ({why}).")
    return BadRequest(f"{name} does not accept the request ({why}).")


def _reason(body: bytes) -> str:
    try:
        return str(json.loads(body)["error"]["errors"][0]["reason"])[:60]
    except (ValueError, LookupError, TypeError):
        return ""


def _seconds(header: str | None) -> float | None:
    return float(header) if header and header.isdecimal() else None
