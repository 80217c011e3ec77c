"""The JSON of both endpoints as documented, as far as we use it.

https://platform.openai.com/docs/api-reference/chat and https://docs.anthropic.com/en/api/messages
"""

from __future__ import annotations

from typing import Any, TypedDict


class Said(TypedDict, total=False):
    content: str | None
    refusal: str | None


class Choice(TypedDict, total=False):
    message: Said
    finish_reason: str | None


class Completion(TypedDict, total=False):
    model: str
    choices: list[Choice]
    usage: Any


class ContentBlock(TypedDict, total=False):
    type: str
    text: str


class Message(TypedDict, total=False):
    model: str
    content: list[ContentBlock]
    stop_reason: str | None
    usage: Any


class Problem(TypedDict, total=False):
    """`error` is an object, or a sentence with some servers."""

    error: Any
