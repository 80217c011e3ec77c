"""What people's decisions teach: which signals spoke for the right account, and which misled us."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from postroom.nouns.clients import SIGNALS, AccountId, Clue, Signal
from postroom.rooms.clients.rules.weights import PERSON_SAID, SignalTally, SignalWeights, adjusted


@dataclass(frozen=True, slots=True)
class SignalOutcome:
    """How a signal did in one mail."""

    signal: Signal
    right: int
    wrong: int

    def reversed(self) -> SignalOutcome:
        return SignalOutcome(self.signal, -self.right, -self.wrong)


@dataclass(frozen=True, slots=True)
class SignalReport:
    """A line of the report: how a signal did, what it weighs by itself and what it weighs here."""

    signal: Signal
    right: int
    wrong: int
    expected: float
    fitted: float
    weight: float

    @property
    def precision(self) -> float | None:
        told = self.right + self.wrong
        return self.right / told if told else None


def outcomes(candidates: Mapping[AccountId, Sequence[Clue]], chosen: AccountId | None) -> list[SignalOutcome]:
    """Every signal that spoke for an account was right or wrong, once it is known whose the mail is.

    A mail that was set aside is nobody's, and teaches nothing. Neither does what a person said.
    """
    if chosen is None:
        return []
    right: Counter[Signal] = Counter()
    wrong: Counter[Signal] = Counter()
    for account, clues in candidates.items():
        spoke = {clue.signal for clue in clues if clue.weight > 0 and clue.signal not in PERSON_SAID}
        (right if account == chosen else wrong).update(spoke)
    return [SignalOutcome(each, right[each], wrong[each]) for each in SIGNALS if right[each] or wrong[each]]


def misled(
    candidates: Mapping[AccountId, Sequence[Clue]], was: AccountId | None, chosen: AccountId | None
) -> list[Signal]:
    """The signals that spoke for the account a person took the mail away from."""
    if was is None or was == chosen:
        return []
    return [clue.signal for clue in candidates.get(was, ()) if clue.weight > 0 and clue.signal not in PERSON_SAID]


def report(weights: SignalWeights, tallies: Sequence[SignalTally], now: datetime) -> list[SignalReport]:
    here = adjusted(weights, tallies, now)
    return [
        SignalReport(
            signal,
            round(sum(each.right for each in tallies if each.signal == signal)),
            round(sum(each.wrong for each in tallies if each.signal == signal)),
            weights.precision[signal],
            weights.of(signal),
            round(here.of(signal), 2),
        )
        for signal in SIGNALS
        if signal not in PERSON_SAID
    ]
