"""A model's opinion of a document: where it is asked, what it said, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

Speech = Literal["openai", "anthropic"]
"""How an endpoint wants to be spoken to: chat completions, which most servers offer, or Anthropic's messages."""

HOMES: Mapping[Speech, str] = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com/v1"}
EXPECTED = "expected NAME@https://host/v1 (a server with chat completions), openai:NAME or anthropic:NAME"


@dataclass(frozen=True, slots=True)
class ModelEndpoint:
    """A model by name, and where it is asked."""

    speech: Speech
    name: str
    base_url: str


def endpoint(text: str) -> ModelEndpoint:
    """From `NAME@URL`, `openai:NAME`, `anthropic:NAME`, or the last two with `@URL`. Raises ValueError."""
    prefix, colon, rest = text.strip().partition(":")
    speech: Speech = "anthropic" if prefix == "anthropic" else "openai"
    known = bool(colon) and prefix in get_args(Speech)
    name, at, url = _parted(rest if known else text.strip())
    if not name or any(sign.isspace() for sign in name) or not (known or at):
        raise ValueError(EXPECTED)
    return ModelEndpoint(speech, name, url or HOMES[speech])


def _parted(text: str) -> tuple[str, str, str]:
    """A model's name may hold an @ or a colon; what follows the last `@http` is the address."""
    start = text.rfind("@http")
    return (text, "", "") if start < 0 else (text[:start], "@", text[start + 1 :])


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What a model said. `model` is what the endpoint calls it, which tells the version; tokens are what it costs."""

    text: str = field(repr=False)
    model: str
    tokens_in: int = 0
    tokens_out: int = 0


@dataclass(frozen=True, slots=True)
class Difference:
    """Two readings of one field; `quote` is the text that the model's rests on."""

    ours: str | None
    theirs: str
    quote: str


@dataclass(frozen=True, slots=True)
class Opinion:
    """What came of asking: kept with the document, so that a person can see who read what."""

    model: str
    agreed: tuple[str, ...] = ()
    filled: tuple[str, ...] = ()
    differs: Mapping[str, Difference] = field(default_factory=dict)
    dropped: Mapping[str, str] = field(default_factory=dict)
    note: str = ""

    @property
    def changed(self) -> bool:
        """Whether the document is not as it would be without the model."""
        return bool(self.filled or self.differs)

    def as_json(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "agreed": list(self.agreed),
            "filled": list(self.filled),
            "differs": {
                name: {"ours": one.ours, "theirs": one.theirs, "quote": one.quote} for name, one in self.differs.items()
            },
            "dropped": dict(self.dropped),
            "note": self.note,
        }
