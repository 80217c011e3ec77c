"""Questions into their JSON and answers out of it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

import msgspec

from postroom.nouns.errors import (
    BadRequest,
    Misconfigured,
    PermissionDenied,
    PostroomError,
    Throttled,
    TimedOut,
    Unavailable,
    Unreadable,
)
from postroom.nouns.opinions import ModelAnswer, ModelEndpoint
from postroom.outside.models import wire

MOST_TOKENS = 8000  # in an answer: a long statement's trades, each value with its quote
VERSION = "2023-06-01"
T = TypeVar("T")


def path(endpoint: ModelEndpoint) -> str:
    return "/messages" if endpoint.speech == "anthropic" else "/chat/completions"


def headers(endpoint: ModelEndpoint, key: str) -> dict[str, str]:
    told = {"Content-Type": "application/json"}
    if endpoint.speech == "anthropic":
        return told | {"anthropic-version": VERSION} | ({"x-api-key": key} if key else {})
    return told | ({"Authorization": f"Bearer {key}"} if key else {})


def question(endpoint: ModelEndpoint, system: str, document: str, *, bare: bool) -> bytes:
    """`bare` leaves out what some servers do not know: the wish for JSON, a fixed temperature, a limit."""
    turn = {"role": "user", "content": document}
    if endpoint.speech == "anthropic":
        body: dict[str, Any] = {"model": endpoint.name, "max_tokens": MOST_TOKENS, "system": system, "messages": [turn]}
        return msgspec.json.encode(body if bare else body | {"temperature": 0})
    body = {"model": endpoint.name, "messages": [{"role": "system", "content": system}, turn]}
    wishes = {"temperature": 0, "max_tokens": MOST_TOKENS, "response_format": {"type": "json_object"}}
    return msgspec.json.encode(body if bare else body | wishes)


def answer(endpoint: ModelEndpoint, body: bytes) -> ModelAnswer:
    if endpoint.speech == "anthropic":
        message = _decoded(body, wire.Message)
        text = "".join(block.get("text", "") for block in message.get("content", ()) if block.get("type") == "text")
        whole = _whole(text, message.get("model"), message.get("stop_reason") == "max_tokens", endpoint)
        return _counted(whole, message.get("usage"), "input_tokens", "output_tokens")
    completion = _decoded(body, wire.Completion)
    choice = next(iter(completion.get("choices", ())), wire.Choice())
    text = choice.get("message", wire.Said()).get("content") or ""
    whole = _whole(text, completion.get("model"), choice.get("finish_reason") == "length", endpoint)
    return _counted(whole, completion.get("usage"), "prompt_tokens", "completion_tokens")


def _whole(text: str, model: str | None, cut: bool, endpoint: ModelEndpoint) -> ModelAnswer:  # noqa: FBT001 - one caller a speech
    if cut:
        raise Unreadable(f"{endpoint.name} was cut off before its answer was whole.")
    if not text.strip():
        raise Unreadable(f"{endpoint.name} gave an empty answer.")
    return ModelAnswer(text, (model or endpoint.name)[:200])


def _counted(answer: ModelAnswer, usage: Any, asked: str, said: str) -> ModelAnswer:
    """What it cost, where the endpoint tells."""
    told = usage if isinstance(usage, Mapping) else {}
    counts = [each if isinstance(each := told.get(name), int) and each >= 0 else 0 for name in (asked, said)]
    return replace(answer, tokens_in=counts[0], tokens_out=counts[1])


def _decoded(body: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError):
        # The cause is dropped: its text would quote the document.
        raise Unreadable("The model's endpoint gave an answer that cannot be understood.") from None


def refusal(endpoint: ModelEndpoint, status: int, body: bytes, wait: float | None) -> PostroomError:
    """What a status means for us. The endpoint's own words are left out: they may repeat the document."""
    where = f"The endpoint of {endpoint.name}"
    if status == 429:
        return Throttled(f"{where} asks us to slow down.", wait)
    if status in (401, 403):
        return PermissionDenied(f"{where} refuses us ({status}): check POSTROOM_MODEL_KEY.")
    if status == 404:
        return Misconfigured(f"{where} knows no such model or address: check POSTROOM_MODEL.")
    if 300 <= status < 400:
        return Misconfigured(f"{where} wants us elsewhere ({status}), which we do not follow: correct POSTROOM_MODEL.")
    if status in (408, 504):
        return TimedOut(f"{where} did not finish in time ({status}).")
    if status >= 500:
        return Unavailable(f"{where} is in trouble ({status}).")
    return BadRequest(f"{where} does not take the question ({status}{_code(body)}).")


def _code(body: bytes) -> str:
    """The machine's word for it, if it is one: `context_length_exceeded`."""
    try:
        error = msgspec.json.decode(body, type=wire.Problem).get("error")
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ""
    code = (error.get("code") or error.get("type")) if isinstance(error, Mapping) else None
    return f", {code}" if isinstance(code, str) and code.isidentifier() and len(code) < 60 else ""
