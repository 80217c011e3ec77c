"""Media uploads: simple, multipart, and resumable in pieces."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from email import policy
from email.parser import BytesParser
from secrets import token_urlsafe
from typing import Any

from aiohttp import web

from postroom_simulators.google import errors
from postroom_simulators.google.middleware import body_of, parsed

_RANGE = re.compile(r"bytes (?:(\d+)-(\d+)|\*)/(\d+|\*)")


@dataclass(slots=True)
class UploadedMessage:
    """What an upload brought: the JSON beside the mail, and the mail."""

    body: dict[str, Any]
    media: bytes


@dataclass(slots=True)
class _ResumableUpload:
    body: dict[str, Any]
    received: bytearray = field(default_factory=bytearray)


class GmailUploads:
    """Resumable uploads in progress."""

    def __init__(self) -> None:
        self._sessions: dict[str, _ResumableUpload] = {}

    async def take(self, request: web.Request, limit: int) -> UploadedMessage | web.StreamResponse:
        """The whole upload, or the answer to a part of it."""
        kind = request.query.get("uploadType", "")
        if "upload_id" in request.query:
            return self._piece(request, await body_of(request, limit), limit)
        raw = await body_of(request, limit)
        match kind:
            case "media":
                return UploadedMessage({}, raw)
            case "multipart":
                return _two_parts(request.headers.get("Content-Type", ""), raw)
            case "resumable":
                return self._begin(request, parsed(raw))
            case _:
                raise errors.invalid(f"Unknown uploadType {kind!r}; use media, multipart or resumable.")

    def _begin(self, request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        upload_id = token_urlsafe(24)
        self._sessions[upload_id] = _ResumableUpload(body)
        place = request.url.update_query(upload_id=upload_id)
        return web.Response(headers={"Location": str(place), "X-GUploader-UploadID": upload_id})

    def _piece(self, request: web.Request, piece: bytes, limit: int) -> UploadedMessage | web.StreamResponse:
        session = self._sessions.get(request.query["upload_id"])
        if session is None:
            raise errors.not_found()
        total = self._append(session, request.headers.get("Content-Range", ""), piece)
        if len(session.received) > limit:
            raise errors.GoogleApiError(413, "uploadTooLarge", f"Request too large: at most {limit} bytes are taken.")
        if total is not None and len(session.received) < total:
            last = len(session.received) - 1
            return web.Response(status=308, headers={"Range": f"bytes=0-{last}"} if last >= 0 else {})
        del self._sessions[request.query["upload_id"]]
        return UploadedMessage(session.body, bytes(session.received))

    def _append(self, session: _ResumableUpload, announced: str, piece: bytes) -> int | None:
        """The total size, once known; a piece that does not follow the last is not taken."""
        if not announced:
            session.received[:] = piece
            return len(piece)
        found = _RANGE.fullmatch(announced)
        if not found:
            raise errors.invalid(f"Invalid Content-Range {announced!r}.")
        first, _, total = found.groups()
        if first is not None and int(first) == len(session.received):
            session.received += piece
        return int(total) if total != "*" else len(session.received) + 1


def _two_parts(content_type: str, raw: bytes) -> UploadedMessage:
    """multipart/related: JSON first, then the mail, byte for byte."""
    boundary = BytesParser(policy=policy.default).parsebytes(f"Content-Type: {content_type}\r\n\r\n".encode())
    mark = boundary.get_boundary()
    pieces = raw.split(f"--{mark}".encode()) if mark else []
    if len(pieces) != 4:
        raise errors.invalid("A multipart upload has exactly two parts: JSON and the message.")
    return UploadedMessage(parsed(_content(pieces[1])), _content(pieces[2]))


def _content(piece: bytes) -> bytes:
    """What follows a part's own headers, without the line end that belongs to the boundary."""
    found = re.search(rb"\r?\n\r?\n", piece)
    if not found:
        raise errors.invalid("A part of the multipart upload has no headers.")
    return re.sub(rb"\r?\n\Z", b"", piece[found.end() :])
