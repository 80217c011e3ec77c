"""What the tools ask: one request to the API at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from postroom.nouns.api_answers import ApiAnswer


class ApiPort(Protocol):
    """Raises only postroom.nouns.errors, and only when there is no answer at all."""

    async def ask(
        self, method: str, path: str, query: Mapping[str, str] | None = None, body: Any = None
    ) -> ApiAnswer: ...
