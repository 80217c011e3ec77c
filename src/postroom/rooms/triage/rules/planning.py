"""Where a thread stands after triage, and which label it shall bear: pure, the same for the same thread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from postroom.nouns.copilot import CopilotMode, StateKey
from postroom.nouns.providers import ProviderRef
from postroom.nouns.threads import StateLabel
from postroom.rooms.triage.rules.labels import LabelFromPerson, state_of
from postroom.rooms.triage.rules.verdicts import Verdict

DISCARDED = "draft_discarded"  # the question still waits here, and bears no label in the mail program any more


@dataclass(frozen=True, slots=True)
class ThreadStanding:
    """What was decided about a thread before, and what people said since."""

    state: StateKey | None = None
    newest_ref: ProviderRef | None = None
    reason: str | None = None
    settled: ProviderRef | None = None  # the newest message when a draft was written for it, or could not be
    label_by_person: bool = False
    not_for_us: bool = False
    done: bool = False
    snoozed_till: datetime | None = None


@dataclass(frozen=True, slots=True)
class ThreadPlan:
    """What is recorded. `keep_label`: the label is as a person wants it."""

    state: StateKey | None
    label: str | None
    because: str
    keep_label: bool = False
    done: bool = False
    wakes: bool = False  # it was snoozed, and somebody wrote
    settled: bool = False  # state and reason stay what was said when its draft was seen to


def plan(
    verdict: Verdict,
    newest: ProviderRef | None,
    before: ThreadStanding,
    by_person: LabelFromPerson | None,
    mode: CopilotMode,
    labels: Mapping[StateKey, StateLabel],
) -> ThreadPlan:
    """New mail from outside undoes what was said of the old, except that the thread is not for us."""
    fresh = newest != before.newest_ref
    if before.not_for_us:
        return ThreadPlan(None, None, "A person said that this thread is not for us.")
    wakes = fresh and before.snoozed_till is not None
    if not fresh and before.done and verdict.action != "ignore":
        return ThreadPlan(None, None, "A person has dealt with it.", done=True)
    if by_person is not None and not fresh:
        return _as_a_person_wants(by_person, labels)
    if not fresh and before.reason == DISCARDED and verdict.action == "draft" and before.settled == newest:
        return ThreadPlan(before.state, None, verdict.because, settled=True)
    answered = verdict.action == "ignore" and verdict.reason != before.reason
    if not fresh and before.label_by_person and not answered:
        shown = labels[before.state].name if before.state else None
        return ThreadPlan(before.state, shown, "A person chose the label.", keep_label=True)
    # Where drafts are written, a thread is ready when there is one: whoever writes it says so.
    drafted = verdict.action == "draft" and mode == "drafts"
    settled = drafted and before.settled is not None and before.settled == newest
    state = (before.state if settled else None) if drafted else verdict.state
    return ThreadPlan(state, labels[state].name if state else None, verdict.because, wakes=wakes, settled=settled)


def settled_state(
    state: StateKey | None, reason: str, before: ThreadStanding, *, failed: bool
) -> tuple[StateKey | None, StateKey | None]:
    """Where its draft leads to, and which label says so. One that a person chose stays, unless the draft is over or
    the work failed."""
    if reason == DISCARDED:
        return state, None
    stands = before.state if before.label_by_person and state is not None and not failed else state
    return stands, stands


def _as_a_person_wants(chosen: LabelFromPerson, labels: Mapping[StateKey, StateLabel]) -> ThreadPlan:
    state = state_of(chosen.name, labels)
    said = f"A person put “{chosen.name}” on it." if state else "A person took the label off."
    return ThreadPlan(state, chosen.name if state else None, said, keep_label=True)
