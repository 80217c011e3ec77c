"""The suggestion for one mail: candidates by evidence, doubts of staleness, and what keeps it for a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from postroom.nouns.clients import (
    AccountId,
    ClientAccount,
    ClientCandidate,
    Clue,
    Email,
    Engagement,
    MappingStatus,
    Suggestion,
    WorkItem,
)
from postroom.rooms.clients.rules import signals, words
from postroom.rooms.clients.rules.known import Known
from postroom.rooms.clients.rules.staleness import CENT, NOTHING, StalenessConfig, StalenessDetector
from postroom.rooms.clients.rules.weights import CERTAIN, SignalWeights, fitted

MOST_CANDIDATES = 9  # as many as there are keys
IDENTIFYING = frozenset(("choice", "correction", "contact", "domain", "thread", "recipient"))
SAID_TWICE = 3.5  # what two decisions about a sender who is in nobody's book weigh, at the least
ABOUT = frozenset(("code_subject", "code_text"))
NAMED = frozenset(("name_subject", "name_text", "document"))


@dataclass(frozen=True, slots=True)
class MappingPolicy:
    """What a tenant decides about mapping."""

    threshold: Decimal = Decimal("0.80")  # a suggestion at or above it is mapped without a person
    staleness: StalenessConfig = field(default_factory=StalenessConfig)
    silent_after_days: int = 365  # without a mail, and a contact counts as silent
    left_out: frozenset[UUID] = frozenset()  # mailboxes whose mail is no client's


def suggest(
    email: Email,
    known: Known,
    now: datetime,
    policy: MappingPolicy | None = None,
    weights: SignalWeights | None = None,
) -> Suggestion:
    """Base confidence from the signals, less what is stale, with all the reasons; a person decides when in doubt."""
    policy, weights = policy or MappingPolicy(), weights or fitted()
    ranked = _ranked(email, known, weights, now)
    doubts = StalenessDetector(known, policy.staleness).doubts(email)
    penalty = sum((doubt.penalty for doubt in doubts), NOTHING)
    candidates = [
        ClientCandidate(known.accounts[account], max(sure - penalty, NOTHING).quantize(CENT), tuple(clues))
        for account, sure, clues in ranked[:MOST_CANDIDATES]
    ]
    top = candidates[0] if candidates and _worth_naming(ranked[0][1]) else None
    engagement, work_item = _piece_of_work(email, known, top.account) if top else (None, None)
    objections = tuple(_objections(email, known, top, candidates))
    confidence = top.confidence if top else NOTHING
    forced = bool(objections) or any(doubt.needs_triage for doubt in doubts)
    return Suggestion(
        account=top.account if top else None,
        engagement=engagement,
        work_item=work_item,
        confidence=confidence,
        reasons=tuple(top.reasons) if top else (),
        staleness=tuple(str(doubt) for doubt in doubts),
        objections=objections,
        requires_triage=forced or top is None or confidence < policy.threshold,
        candidates=tuple(candidates),
    )


def status_of(suggestion: Suggestion) -> MappingStatus:
    return "triage" if suggestion.requires_triage else "mapped"


def worth_keeping(email: Email, suggestion: Suggestion) -> bool:
    """What a machine wrote is mapped when it is sure; nobody is asked about the rest."""
    return email.automatic is None or not suggestion.requires_triage


def _worth_naming(confidence: Decimal) -> bool:
    return confidence >= Decimal("0.05")


def _ranked(
    email: Email, known: Known, weights: SignalWeights, now: datetime
) -> list[tuple[AccountId, Decimal, list[Clue]]]:
    found = signals.clues(email, known, weights, now)
    scores = {account: weights.bias + sum(clue.weight for clue in clues) for account, clues in found.items()}
    chances = weights.chances(scores)
    order = sorted(found, key=lambda account: (-scores[account], known.accounts[account].code))
    return [(account, _sure(weights, chances[account], found[account]), found[account]) for account in order]


def _sure(weights: SignalWeights, chance: float, clues: Sequence[Clue]) -> Decimal:
    """What a person decided for all mail of a sender is no guess."""
    if "choice" in signals.names_of(clues):
        return CERTAIN
    return weights.confidence(chance, identified=is_identified(clues))


def _objections(
    email: Email, known: Known, top: ClientCandidate | None, candidates: Sequence[ClientCandidate]
) -> Iterator[str]:
    """What forbids mapping without a person, however sure the rest looks."""
    if email.trust == "spoofed":
        yield email.trust_because or "The sender is not who the mail says."
    if disguised := signals.look_alike(email, known):
        yield disguised
    if top is None:
        yield "No account is likely."
        return
    if top.account.status == "closed":
        yield f"{top.account} is closed."
    if email.is_named_only:
        yield "A form wrote it; the person stands in Reply-To, which nobody checks."
    if not is_identified(top.clues):
        who = email.sender.email if email.sender else "The sender"
        yield f"{who} is not known as somebody of {top.account}, and may only write about it."
    yield from _contradictions(email, known, top, candidates)


def is_identified(clues: Sequence[Clue]) -> bool:
    """Whether anything says who writes, and not only what about. One decision about an outsider does not."""
    telling = [clue for clue in clues if clue.signal != "correction" or clue.weight >= SAID_TWICE]
    return bool(signals.names_of(telling) & IDENTIFYING)


def _contradictions(
    email: Email, known: Known, top: ClientCandidate, candidates: Sequence[ClientCandidate]
) -> Iterator[str]:
    spoke = signals.names_of(top.clues)
    if "choice" in spoke:
        return
    theirs = known.accounts_of(email.sender) if email.sender is not None else []
    if email.sender is not None and theirs and top.account.id not in theirs and "correction" not in spoke:
        yield f"{email.sender.email} belongs to {known.accounts[theirs[0]]}, not to {top.account}."
    # Somebody who is in nobody's book may write about one client today and about another tomorrow.
    about = ABOUT if theirs or "correction" not in spoke else ABOUT | NAMED
    if not spoke & about:
        for other in candidates[1:]:
            if clues := [clue for clue in other.clues if clue.signal in about]:
                yield f"It may be about another client: {clues[0].because}"


def _piece_of_work(email: Email, known: Known, account: ClientAccount) -> tuple[Engagement | None, WorkItem | None]:
    """By a code, else as the thread was mapped, else as a person chose, else by the engagement's name."""
    for text in (email.subject, email.text):
        present = set(words.codes_in(text))
        for code in known.codes:
            if code.account_id != account.id or code.key not in present:
                continue
            if code.work_item_id:
                item = known.work_items[code.work_item_id]
                return known.engagements[item.engagement_id], item
            if code.engagement_id:
                return known.engagements[code.engagement_id], None
    return _engagement_of_thread(email, known, account), None


def _engagement_of_thread(email: Email, known: Known, account: ClientAccount) -> Engagement | None:
    """As the thread was last mapped, else as a person chose for the sender."""
    past = [each.mapped for each in reversed(email.thread) if each.mapped and each.mapped.is_confident]
    said = [each.engagement_id for each in past if each.account_id == account.id]
    if known.choice is not None and known.choice.account_id == account.id:
        said.append(known.choice.engagement_id)
    return next((known.engagements[each] for each in said if each and each in known.engagements), None)
