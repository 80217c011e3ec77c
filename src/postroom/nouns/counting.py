"""Numbers with their noun, as people say them."""

from __future__ import annotations

from typing import Literal

MOST_DIGITS = 9


def told_apart(value: float, limit: float, kind: Literal["f", "%"] = "f") -> tuple[str, str]:
    """Both with as few digits as show that the one is below the other: never "0.38, and 0.38 is asked for"."""
    least = 2 if kind == "f" else 0
    for digits in range(least, MOST_DIGITS):
        said = f"{value:.{digits}{kind}}", f"{limit:.{digits}{kind}}"
        if value >= limit or said[0] != said[1]:
            return said
    return "just less", f"{limit:.{least}{kind}}"


def count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
