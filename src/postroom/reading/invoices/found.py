"""A value with the evidence it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from postroom.nouns.documents import Box

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class InvoiceFinding(Generic[T]):
    """`evidence` names a class of reasons; how often that class is right is measured, not guessed."""

    value: T
    evidence: str
    page: int | None = None
    box: Box | None = None
    line: int = -1
    because: str = ""
