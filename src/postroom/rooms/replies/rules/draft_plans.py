"""What is to be done about the draft of a thread: pure, the same for the same thread; a doubt writes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

DraftStatus = Literal["written", "blocked_user_edited", "superseded", "sent", "discarded"]
# `edited`: a person changed it at the console, and it stands as they left it.
DraftAt = Literal["nowhere", "untouched", "edited", "touched", "sent", "gone"]
DraftDoing = Literal["noop", "label_only", "create", "update", "blocked", "supersede", "sent", "discarded"]
EDITED = "draft_conflict_user_edited"
SET_ASIDE = "set_aside"  # done, or not for us: a person's word, which outranks triage's reason
LIVE = frozenset({"written", "blocked_user_edited"})


@dataclass(frozen=True, slots=True)
class DraftStanding:
    """What we know of a thread's draft, and what stands at the provider at this moment."""

    status: DraftStatus | None = None  # of the newest revision; none: there is none
    answers: str | None = None  # the message that revision answers
    answered: frozenset[str] = frozenset()  # all messages that had a revision
    there: DraftAt = "nowhere"
    persons_draft: bool = False  # another draft in the thread, whoever made it
    outdated: str = ""  # what became of a paper that it quotes; nobody touched it, or said yes to it


@dataclass(frozen=True, slots=True)
class DraftPlan:
    doing: DraftDoing
    because: str


def plan_draft(
    action: str | None, reason: str | None, newest: str | None, latest: str | None, held: DraftStanding
) -> DraftPlan:
    """`newest` is the message that was judged, `latest` the last one at the provider that is no draft.

    What became of a draft of ours is recorded before anything else is thought of.
    """
    if held.status in LIVE and (over := _over(held)) is not None:
        return over
    if held.status == "written" and held.there == "edited":
        return _edited(newest, latest, held)
    if newest is None or newest != latest:
        return _someone_else_wrote(action, reason, held)
    if action == "ignore":
        return _ignored(reason, held)
    stale = held.status == "written" and held.answers != newest
    if held.persons_draft or held.status == "blocked_user_edited":
        return _beside_person(held, stale=stale)
    if action == "needs_review":
        why = "The draft answers an older message." if stale else held.outdated
        return DraftPlan("supersede", why) if why else _seen_to()
    if action != "draft":
        return DraftPlan("noop", "The thread was not judged.")
    if newest in held.answered:
        return _had_its_draft(newest, held)
    if stale:
        return DraftPlan("update", "Somebody wrote again, and nobody touched the draft.")
    return DraftPlan("create", "There is no draft in the thread.")


def _beside_person(held: DraftStanding, *, stale: bool) -> DraftPlan:
    """Nothing is written. Ours goes, untouched as it is, once it answers an older message."""
    if held.persons_draft and stale:
        return DraftPlan("supersede", "A person has a draft in this thread, and ours answers an older message.")
    if held.persons_draft:
        return DraftPlan("label_only", "A person has a draft in this thread.")
    return DraftPlan("label_only", "A person is at work on the draft.")


def _over(held: DraftStanding) -> DraftPlan | None:
    if held.there == "sent":
        return DraftPlan("sent", "A person sent the draft.")
    if held.there in ("gone", "nowhere"):
        return DraftPlan("discarded", "The draft is not there any more, and was not found as sent.")
    if held.there == "touched" and held.status == "written":
        return DraftPlan("blocked", "A person changed the draft: it is left as it is.")
    return None


def _edited(newest: str | None, latest: str | None, held: DraftStanding) -> DraftPlan:
    """A person's words are never written over; they wait for a yes as long as they answer the newest message."""
    if held.answers == newest == latest:
        return DraftPlan("noop", "A person changed the draft here: it waits for a yes.")
    return DraftPlan("blocked", "A person changed the draft: it is left as it is.")


def _someone_else_wrote(action: str | None, reason: str | None, held: DraftStanding) -> DraftPlan:
    if action == "ignore":
        return _ignored(reason, held)
    return DraftPlan("noop", "Something newer is in the thread: it is judged first.")


def _ignored(reason: str | None, held: DraftStanding) -> DraftPlan:
    """Nothing is written; what we wrote goes when a person answered instead, or set the thread aside."""
    if reason == "latest_is_operator_sent" and held.status == "written":
        return DraftPlan("supersede", "A person answered without the draft.")
    if reason == SET_ASIDE and held.status == "written":
        return DraftPlan("supersede", "A person set the thread aside.")
    return DraftPlan("noop", "The thread wants nothing of us.")


def _had_its_draft(newest: str, held: DraftStanding) -> DraftPlan:
    if held.status == "superseded" and held.answers == newest:
        return DraftPlan("create", "We took the draft back, and the thread is open again.")
    if held.status == "written" and held.answers == newest and held.outdated:
        return DraftPlan("update", held.outdated)
    return DraftPlan("noop", "This message had its draft.")


def _seen_to() -> DraftPlan:
    return DraftPlan("label_only", "A person must see the thread first.")
