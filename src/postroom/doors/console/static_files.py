"""The console's own files: read once, named by their content, packed once."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

ROOT = Path(__file__).parent / "static"
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}
FOREVER = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class StaticFile:
    content: bytes
    packed: bytes
    tag: str
    media_type: str


@cache
def files() -> dict[str, StaticFile]:
    found = {}
    for path in sorted(ROOT.rglob("*")):
        if path.suffix in TYPES:
            content = path.read_bytes()
            tag = hashlib.sha256(content).hexdigest()[:16]
            packed = gzip.compress(content, 9, mtime=0)
            found[path.relative_to(ROOT).as_posix()] = StaticFile(content, packed, tag, TYPES[path.suffix])
    return found


def address(name: str) -> str:
    """Changes with the content, so that browsers may keep it for ever."""
    return f"/static/{name}?v={files()[name].tag}"


async def show(request: Request) -> Response:
    file = files().get(request.path_params["name"])
    if file is None:
        raise HTTPException(404)
    headers = {"ETag": f'"{file.tag}"', "Vary": "Accept-Encoding", "X-Content-Type-Options": "nosniff"}
    headers["Cache-Control"] = FOREVER if request.query_params.get("v") == file.tag else "no-cache"
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.packed, headers={**headers, "Content-Encoding": "gzip"}, media_type=file.media_type)
    return Response(file.content, headers=headers, media_type=file.media_type)


ROUTES = [Route("/static/{name:path}", show, methods=["GET"])]
