"""One request as the simulated Graph sees it, whether it came alone or inside a `$batch`, and its answer."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import msgspec

_PREFER = re.compile(r'([\w.\-]+)(?:\s*=\s*"?([^",;]*)"?)?')


class GraphError(Exception):
    """An answer that is Graph's error body."""

    def __init__(self, status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.headers = dict(headers or {})

    def body(self, now: datetime, client_request_id: str = "") -> dict[str, Any]:
        request_id = str(uuid.uuid4())
        inner = {
            "date": now.strftime("%Y-%m-%dT%H:%M:%S"),
            "request-id": request_id,
            "client-request-id": client_request_id or request_id,
        }
        return {"error": {"code": self.code, "message": self.message, "innerError": inner}}


def not_found() -> GraphError:
    return GraphError(404, "ErrorItemNotFound", "The specified object was not found in the store.")


def bad_request(message: str, code: str = "RequestBodyRead") -> GraphError:
    return GraphError(400, code, message)


@dataclass(slots=True)
class GraphResponse:
    """What goes back; `body` is JSON unless it is bytes."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)

    def content(self) -> bytes:
        if self.body is None:
            return b""
        return self.body if isinstance(self.body, bytes) else msgspec.json.encode(self.body)


@dataclass(slots=True)
class GraphCaller:
    """Whose token it was: an app alone, or an app for a signed-in person."""

    app: str
    tenant: str
    address: str  # empty for an app-only token
    scopes: frozenset[str]
    grant: str = ""  # which consent it came from

    @property
    def app_only(self) -> bool:
        return not self.address


@dataclass(slots=True)
class GraphRequest:
    """The request, with the path taken apart and the options read."""

    method: str
    path: str  # decoded, below /v1.0, for the record
    parts: list[str]
    query: dict[str, str]
    headers: Mapping[str, str]  # case-insensitive
    content: bytes
    origin: str  # scheme and host the client used
    caller: GraphCaller = field(default_factory=lambda: GraphCaller("", "", "", frozenset()))
    prefer: dict[str, str] = field(default_factory=dict)
    params: dict[str, str] = field(default_factory=dict)
    applied: list[str] = field(default_factory=list)
    keep_comments: bool = False  # whether HTML comments survive here

    def __post_init__(self) -> None:
        self.prefer = {name.lower(): value for name, value in _PREFER.findall(self.headers.get("Prefer", ""))}

    @property
    def immutable(self) -> bool:
        return self.prefer.get("idtype", "").lower() == "immutableid"

    @property
    def root(self) -> str:
        return f"{self.origin}/v1.0"

    def option(self, name: str) -> str:
        """A system query option; Graph takes it with or without the dollar sign."""
        return self.query.get(f"${name}") or self.query.get(name) or ""

    def number(self, name: str, default: int, *, lowest: int, highest: int) -> int:
        text = self.option(name)
        if not text:
            return default
        if not text.isdigit() or not lowest <= int(text) <= highest:
            raise bad_request(f"Invalid value '{text}' for ${name} query option.", "ErrorInvalidUrlQuery")
        return int(text)

    def json(self) -> dict[str, Any]:
        """The body as an object; an empty body is an empty object."""
        if not self.content:
            return {}
        try:
            found = msgspec.json.decode(self.content)
        except msgspec.DecodeError as error:
            raise bad_request(f"Unable to read JSON request payload: {error}.", "BadRequest") from None
        if not isinstance(found, dict):
            raise bad_request("Unable to read JSON request payload: an object is expected.", "BadRequest")
        return found

    def shaped(self, kind: Any) -> dict[str, Any]:
        """The body, refused unless it fits; what the shape does not name is kept."""
        return _fitting(self.json(), kind)

    def parameters(self, kind: Any) -> dict[str, Any]:
        """The parameters of an action, whose names Graph takes in either case: `comment` and `Comment`."""
        return _fitting({name[:1].lower() + name[1:]: value for name, value in self.json().items()}, kind)

    @property
    def is_mime(self) -> bool:
        return self.headers.get("Content-Type", "").lower().startswith("text/plain")


def _fitting(found: dict[str, Any], kind: Any) -> dict[str, Any]:
    try:
        msgspec.convert(found, kind)
    except msgspec.ValidationError as error:
        raise bad_request(f"Unable to read JSON request payload: {error}.") from None
    return found


_KEYED = re.compile(r"^([A-Za-z]+)\('(.*)'\)$")


def split_path(segments: list[str]) -> list[str]:
    """Decoded path segments in one spelling: `users('x')` as two, no namespace, no empty parentheses."""
    parts: list[str] = []
    for segment in segments:
        if keyed := _KEYED.match(segment):
            parts += [keyed[1], keyed[2].replace("''", "'")]
        else:
            parts.append(segment.removesuffix("()").removeprefix("microsoft.graph."))
    return _without_folders(parts)


def _without_folders(parts: list[str]) -> list[str]:
    """A message is the same under any folder, and a child folder is addressed like any other."""
    words = [part.lower() for part in parts]
    while "childfolders" in words:
        at = words.index("childfolders")
        if at + 1 >= len(parts) or words[at + 1] in {"delta", "$count"}:
            return parts
        parts = [*parts[: at - 2], "mailFolders", *parts[at + 1 :]]
        words = [part.lower() for part in parts]
    if "mailfolders" in words:
        at = words.index("mailfolders")
        rest = words[at + 2 :]
        if len(rest) > 1 and rest[0] == "messages" and rest[1] not in {"delta", "$count"}:
            return [*parts[:at], *parts[at + 2 :]]
    return parts
