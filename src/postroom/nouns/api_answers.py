"""An answer of our own API, as another process gets it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ApiAnswer:
    status: int
    body: Any  # JSON

    @property
    def is_fine(self) -> bool:
        return 200 <= self.status < 300

    @property
    def problem(self) -> str:
        """The sentence of an answer that is not fine."""
        said = self.body.get("detail") if isinstance(self.body, dict) else None
        return str(said or f"The API answered {self.status}.")
