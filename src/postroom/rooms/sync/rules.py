"""What follows from a page of changes, from a listing, from missing pushes. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from postroom.nouns.copilot import is_state_label
from postroom.nouns.providers import DRAFT, INBOX, SENT, SPAM, TRASH, Changes, Glimpse, ProviderRef

SILENT_RUNS_BEFORE_POLLING = 2
BELIEVE_GONE_AFTER_TRIES = 4  # a 404 right after a notification is believed after this many tries
PUSH_EXPECTED_WITHIN = timedelta(minutes=3)  # Graph promises a push within three minutes
PUSH_RETRIED_FOR = timedelta(
    hours=4
)  # and tries for so long to deliver it: what was missed may be older than the last push
BELIEVE_GONE_AFTER = timedelta(minutes=10)
BATCH_SIZE = 50  # messages that are fetched one by one and recorded together
MESSAGES_PER_JOB = 100  # messages that one job fetches, batch by batch
FETCHED_AT_ONCE = 5  # messages that the sync which found them fetches itself: a job would cost more than they do
# After the retries of a job are spent, the clock begins them anew, later each time.
RETRIED_AFTER = (timedelta(minutes=10), timedelta(hours=1), timedelta(hours=6), timedelta(hours=24))
# After news at a provider that drops pushes we look again, for the price of one call each.
LOOKS = (timedelta(seconds=1.5), timedelta(seconds=8.5))
PUSHES_DROPPED_FOR = timedelta(seconds=1)  # after a push, at such a provider
RECOMPARE_AFTER = timedelta(minutes=1)  # whether what a comparison found missing is here by now
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class WorkItems:
    """What a page of changes asks of us: each message once, drafts and sent mail left out."""

    to_fetch: Sequence[Glimpse]
    tombstones: Sequence[ProviderRef]


def derive_work(changes: Changes) -> WorkItems:
    """Pure and idempotent: the same page twice asks for the same."""
    newest: dict[ProviderRef, Glimpse] = {}
    for glimpse in changes.arrived:
        newest[glimpse.ref] = glimpse
    removed = [ref for ref in dict.fromkeys(changes.removed) if ref not in newest]
    return WorkItems([glimpse for glimpse in newest.values() if is_mail(glimpse)], removed)


def is_mail(glimpse: Glimpse) -> bool:
    """Something somebody sent to this mailbox. No labels said: assume it is."""
    if glimpse.is_draft or DRAFT in glimpse.labels:
        return False
    if SENT in glimpse.labels and INBOX not in glimpse.labels:
        return False
    return not (glimpse.labels & {SPAM, TRASH}) or INBOX in glimpse.labels


def came_since(glimpse: Glimpse, synced_at: datetime | None) -> bool:
    """Received after all was read: it must be new to us, or nearly always, if the clocks differ."""
    return synced_at is not None and glimpse.received_at is not None and glimpse.received_at > synced_at


def touch(
    labels: frozenset[str] | None, *, was_removed: bool, expected: Collection[str | None], namespace: str
) -> str | None:
    """What somebody did to a message of ours; None: nothing that concerns its thread. No labels: it left the folder.

    `expected` are the labels of ours that it may bear, while one is replaced by the next.
    """
    if labels is None:
        return None if was_removed else "left"
    if was_removed:
        return "back"
    ours = {each for each in labels if is_state_label(each, namespace)}
    return None if any(ours == ({each} if each else set()) for each in expected) else "labelled"


@dataclass(frozen=True, slots=True)
class DeliveryJudgement:
    """Whether we rely on pushes, and why."""

    mode: str
    silent_runs: int
    because: str | None


def judge_delivery(mode: str, silent_runs: int, *, unannounced: int, pushed_since: bool) -> DeliveryJudgement:
    """After a reconcile: did mail come that no push announced, and none after it?

    Twice in a row means that pushes do not reach us: poll, and say so. The next push that arrives ends it.
    """
    if not unannounced or pushed_since:
        return DeliveryJudgement(mode, 0, None)
    runs = silent_runs + 1
    if mode == "push" and runs >= SILENT_RUNS_BEFORE_POLLING:
        return DeliveryJudgement("poll", runs, f"{unannounced} messages came without a push, {runs} times in a row.")
    return DeliveryJudgement(mode, runs, None)


def was_pushed(last_push_at: datetime | None, synced_at: datetime | None, now: datetime) -> bool:
    """Whether a push asked for this read: one since the last read, or one of this moment."""
    if last_push_at is None:
        return False
    return last_push_at > min(synced_at or last_push_at, now - PUSH_EXPECTED_WITHIN)


def may_hide_pushes(last_push_at: datetime | None, now: datetime) -> bool:
    """Whether a push is so young that others may be dropped for it after this read, be it of a moment before the last
    read, as the push that a new watch begins with is."""
    return last_push_at is not None and last_push_at > now - PUSHES_DROPPED_FOR


@dataclass(frozen=True, slots=True)
class NextLook:
    """The which look it is after news, and in how long."""

    number: int
    after: timedelta


def next_look(number: int, *, news: bool) -> NextLook | None:
    """News starts the looks anew; the last one that finds nothing ends them."""
    following = 1 if news else number + 1 if number else 0
    return NextLook(following, LOOKS[following - 1]) if 0 < following <= len(LOOKS) else None


def split_by_age(missing: Iterable[Glimpse], connected_at: datetime) -> tuple[list[Glimpse], list[Glimpse]]:
    """What came before we were connected, and what should have been announced to us."""
    history: list[Glimpse] = []
    recent: list[Glimpse] = []
    for glimpse in missing:
        old = glimpse.received_at is not None and glimpse.received_at < connected_at
        (history if old else recent).append(glimpse)
    return history, recent


@dataclass(frozen=True, slots=True)
class Compared:
    """A page of the provider's listing against what we hold."""

    listed: int
    held: int
    failed: int
    missing: Sequence[Glimpse]


def compare(listed: Iterable[Glimpse], known: Mapping[str, str]) -> Compared:
    """`known` says the state of those we know. Held is what arrived: what is announced may still get lost.

    One that we believed gone and that is listed all the same is missing, and looked for again.
    """
    mail = {glimpse.ref: glimpse for glimpse in listed if is_mail(glimpse)}
    states = Counter(known.get(ref, "unknown") for ref in mail)
    missing = [glimpse for ref, glimpse in mail.items() if known.get(ref, "gone") == "gone"]
    return Compared(len(mail), states["arrived"] + states["ignored"], states["failed"], missing)


def believed_gone(tries: int, announced_at: datetime, now: datetime) -> bool:
    """A 404 is believed at once for an old message, and only after some tries for a new one."""
    return tries >= BELIEVE_GONE_AFTER_TRIES or now - announced_at > BELIEVE_GONE_AFTER


@dataclass(frozen=True, slots=True)
class Gap:
    """From when on everything is listed again, and from when on nothing is, if that is still older."""

    since: datetime
    unlisted_since: datetime | None = None

    @property
    def because(self) -> str:
        if self.unlisted_since is None:
            return ""
        till = f"{self.unlisted_since:%Y-%m-%d %H:%M} to {self.since:%Y-%m-%d %H:%M} UTC"
        return f"Mail of {till} is not listed again: it is older than POSTROOM_RESYNC_DAYS allows."


def gap(now: datetime, read_till: datetime | None, usual: timedelta, furthest: timedelta) -> Gap:
    """A lost cursor costs the usual days, or all since it was last proven good, as far back as is allowed."""
    since = now - usual
    if read_till is None or read_till - PUSH_RETRIED_FOR >= since:
        return Gap(since)
    proven, allowed = read_till - PUSH_RETRIED_FOR, now - max(usual, furthest)
    return Gap(proven) if proven >= allowed else Gap(allowed, proven)


def jobs_for(messages: Sequence[T]) -> list[Sequence[T]]:
    """What is fetched together, several at a time: a job of its own for each message would cost more."""
    return _cut(messages, MESSAGES_PER_JOB)


def batches(messages: Sequence[T]) -> list[Sequence[T]]:
    """What is recorded together of a page."""
    return _cut(messages, BATCH_SIZE)


def _cut(messages: Sequence[T], size: int) -> list[Sequence[T]]:
    return [messages[start : start + size] for start in range(0, len(messages), size)]
