"""Confirming by itself: whether a pipeline of a mailbox may, and what is noted of each document meanwhile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from postroom.nouns.errors import BadRequest

ConfirmingMode = Literal["off", "shadow", "on"]
CONFIRMING_MODES: tuple[ConfirmingMode, ...] = get_args(ConfirmingMode)


def confirming_mode(said: str) -> ConfirmingMode:
    for mode in CONFIRMING_MODES:
        if mode == said:
            return mode
    raise BadRequest(f"{said!r} is no mode of confirming: say {', '.join(CONFIRMING_MODES)}.")


@dataclass(frozen=True, slots=True)
class GateVerdict:
    """What the gate said of a document, whatever the mailbox lets it do.

    `stated` is how sure the reading is of all that it tells. `clear` means that nothing but the tenant's threshold
    could speak against confirming it unseen; `passed` that it reached the threshold of that day too.
    """

    pipeline: str
    mode: ConfirmingMode
    stated: float
    clear: bool
    passed: bool
    because: str
