"""Batches: many calls in one multipart body, and their answers in another."""

from __future__ import annotations

from dataclasses import dataclass
from email import policy
from email.message import Message
from email.parser import BytesParser
from http import HTTPStatus
from secrets import token_hex
from urllib.parse import parse_qs, urlsplit

from aiohttp import web

from postroom_simulators.google import errors

_PARSER = BytesParser(policy=policy.compat32)


@dataclass(frozen=True, slots=True)
class BatchedCall:
    """One call inside a batch."""

    content_id: str
    method: str
    path: str
    query: dict[str, list[str]]
    authorization: str
    body: bytes


def split(content_type: str, raw: bytes) -> list[BatchedCall]:
    whole = _PARSER.parsebytes(f"Content-Type: {content_type}\r\n\r\n".encode() + raw)
    payload = whole.get_payload()
    if not whole.is_multipart() or not isinstance(payload, list):
        raise errors.invalid("Failed to parse batch request: a multipart/mixed body is needed.")
    return [_inner(part) for part in payload if isinstance(part, Message)]


def join(answers: list[tuple[BatchedCall, web.Response]]) -> tuple[str, bytes]:
    boundary = f"batch_{token_hex(16)}"
    parts = [_part(call, answer) for call, answer in answers]
    body = b"".join(f"--{boundary}\r\n".encode() + part for part in parts) + f"--{boundary}--\r\n".encode()
    return f"multipart/mixed; boundary={boundary}", body


def _inner(part: Message) -> BatchedCall:
    content = part.get_payload(decode=True)
    if part.get_content_type() != "application/http" or not isinstance(content, bytes):
        raise errors.invalid("Failed to parse batch request: every part must be application/http.")
    line, _, rest = content.lstrip().partition(b"\n")
    words = line.decode("utf-8", "replace").split()
    if len(words) < 2:
        raise errors.invalid("Failed to parse batch request: a part has no request line.")
    request = _PARSER.parsebytes(rest)
    payload = request.get_payload(decode=True)
    address = urlsplit(words[1])
    return BatchedCall(
        content_id=str(part.get("Content-ID", "")),
        method=words[0].upper(),
        path=address.path,
        query=parse_qs(address.query, keep_blank_values=True),
        authorization=str(request.get("Authorization", "")),
        body=payload if isinstance(payload, bytes) else b"",
    )


def _part(call: BatchedCall, answer: web.Response) -> bytes:
    body = answer.body if isinstance(answer.body, bytes) else b""
    echoed = (
        call.content_id.replace("<", "<response-", 1)
        if call.content_id.startswith("<")
        else f"response-{call.content_id}"
    )
    head = [
        "Content-Type: application/http",
        *([f"Content-ID: {echoed}"] if call.content_id else []),
        "",
        f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}",
        "Content-Type: application/json; charset=UTF-8",
        f"Content-Length: {len(body)}",
        "",
        "",
    ]
    return "\r\n".join(head).encode() + body + b"\r\n"
