"""One comparison, and how it is judged."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Literal

from postroom.outside.http import HttpAnswer

Verdict = Literal["ok", "warning", "wrong"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What was compared; `advice` says what to do if it is not as expected."""

    what: str
    verdict: Verdict
    expected: str
    actual: str
    advice: str = ""


def compare(what: str, expected: str | None, actual: str | None, advice: str, *, else_: Verdict = "wrong") -> Finding:
    return Finding(what, "ok" if expected == actual else else_, expected or "nothing", actual or "nothing", advice)


def judge(what: str, expected: str, actual: str, advice: str, *, good: bool, else_: Verdict = "wrong") -> Finding:
    return Finding(what, "ok" if good else else_, expected, actual, advice)


def clock_of(whose: str, answer: HttpAnswer, now: datetime) -> Finding | None:
    """By the Date that came with an answer, which counts whole seconds and travelled a while."""
    try:
        there = parsedate_to_datetime(answer.headers.get("Date", ""))
    except (TypeError, ValueError):
        return None
    return skew(f"clock of {whose}", abs((now - there).total_seconds()), 5)


def skew(what: str, seconds: float, allowed: int) -> Finding:
    verdict: Verdict = "ok" if seconds < allowed else "warning" if seconds < 60 else "wrong"
    advice = "Set this machine's clock by NTP: tokens and leases go by it, and a minute too much refuses good ones."
    return Finding(what, verdict, f"within {allowed} s of ours", f"{seconds:.1f} s apart", advice)
