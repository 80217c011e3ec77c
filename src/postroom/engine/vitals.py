"""How this process is doing: what its parts complain of, and whether it is about to stop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

Complaint = Callable[[], str | None]


@dataclass(slots=True)
class Vitals:
    """Asked by the health checks. A part that has nothing to complain of says None."""

    complaints: list[Complaint] = field(default_factory=list)
    stopping: bool = False

    def trouble(self) -> str | None:
        return next((said for ask in self.complaints if (said := ask())), None)
