"""What multiplies and what follows in an entry of some kind: rules that are data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SumRule:
    """`count` × `each` is the gross amount; charges lead from it to the booked one.

    `way` says which: 0 either as the words say, -1 they are always taken off, as of what is paid out.
    """

    count: str = "quantity"
    each: str = "price"
    way: int = 0

    def lean(self, words: float) -> float:
        """How much speaks for a purchase (positive), as far as the rule leaves it open."""
        return words if not self.way else TAKEN_OFF * self.way


TAKEN_OFF = 2.0
OF_A_TRADE = SumRule()
