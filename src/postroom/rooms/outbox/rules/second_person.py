"""When one person's yes is not enough: by the rules of the tenant, each with its reason."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from postroom.nouns.sending import SendingPolicy
from postroom.rooms.outbox.rules.amounts import largest_amount
from postroom.rooms.outbox.rules.guards import plain
from postroom.rooms.outbox.rules.mails import ProposedMail


@dataclass(frozen=True, slots=True)
class KnownPeople:
    """Whom we know already. Addresses are lower case."""

    in_thread: frozenset[str] = frozenset()  # who wrote or was written to in the conversation
    written_to: frozenset[str] = frozenset()  # of the recipients: who had mail of ours before, or is in the client book
    house_domains: frozenset[str] = frozenset()  # of our own mailboxes


def second_person_because(mail: ProposedMail, people: KnownPeople, policy: SendingPolicy) -> list[str]:
    """Why a second person must agree; empty when one suffices."""
    reasons = []
    if "new_recipient" in policy.second_person and (new := _new(mail.recipients, people)):
        reasons.append(f"{', '.join(new)} never had mail of ours.")
    if "outside_domain" in policy.second_person and (outside := _outside(mail.recipients, people)):
        reasons.append(f"{', '.join(outside)} is neither ours nor in the conversation.")
    if "attachment" in policy.second_person and mail.files:
        reasons.append(f"{', '.join(each.filename for each in mail.files)} would go along.")
    amount, limit = largest_amount(f"{mail.subject}\n{mail.text}"), policy.second_person_amount
    if limit is not None and amount is not None and amount >= limit:
        reasons.append(f"It names an amount of {amount:,}, and {limit:,} wants a second person.")
    return reasons


def _new(recipients: Collection[str], people: KnownPeople) -> list[str]:
    known = {plain(each) for each in people.in_thread | people.written_to}
    return [each for each in recipients if plain(each) not in known]


def _outside(recipients: Collection[str], people: KnownPeople) -> list[str]:
    near = {each.rpartition("@")[2] for each in people.in_thread} | people.house_domains
    return sorted({domain for each in recipients if (domain := each.rpartition("@")[2]) not in near})
