"""Numbers with their noun, as people say them."""

from __future__ import annotations


def count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
