"""A stranger's file as an answer: to be saved, never shown or run."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from fastapi import Response

BYTES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The file as it came.",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


def as_file(filename: str, content: bytes) -> Response:
    saved = f"attachment; filename*=UTF-8''{quote(filename, safe='')}"
    headers = {"Content-Disposition": saved, "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}
    return Response(content, media_type="application/octet-stream", headers=headers)
