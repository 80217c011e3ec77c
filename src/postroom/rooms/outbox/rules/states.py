"""The states of a proposal, and what may follow from each: the database holds the same table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

ProposalStatus = Literal["waiting", "approved", "sending", "sent", "unknown", "void", "revoked", "discarded"]
PROPOSAL_STATUSES: tuple[ProposalStatus, ...] = get_args(ProposalStatus)

NEXT: Mapping[ProposalStatus, frozenset[ProposalStatus]] = {
    "waiting": frozenset({"approved", "revoked", "void", "discarded"}),
    "revoked": frozenset({"waiting", "approved", "void", "discarded"}),
    "approved": frozenset({"sending", "waiting", "revoked", "void", "discarded"}),
    # Once the call may have been made, only what is known of it leads on.
    "sending": frozenset({"sent", "unknown", "waiting", "void"}),
    "unknown": frozenset({"sent", "waiting", "discarded"}),
    "sent": frozenset(),
    "void": frozenset(),
    "discarded": frozenset(),
}
OPEN: frozenset[ProposalStatus] = frozenset({"waiting", "revoked", "approved"})  # may still be changed or dropped
BEGUN: frozenset[ProposalStatus] = frozenset({"sending", "unknown"})  # a mail of it may be on its way
DECIDABLE: frozenset[ProposalStatus] = frozenset({"waiting", "revoked"})


def may_become(now: ProposalStatus, then: ProposalStatus) -> bool:
    return then in NEXT[now]


def too_late(status: ProposalStatus) -> str:
    """Why a proposal in this state can be neither changed, revoked nor discarded."""
    return {
        "sending": "The send has begun: nothing about it can be changed any more.",
        "sent": "It was sent: nothing about it can be changed any more.",
        "unknown": "It may have been sent: say first whether it was.",
        "void": "It is void: something changed since it was proposed. Look at the newest proposal of the thread.",
        "discarded": "It was discarded.",
    }.get(status, f"It is {status}.")
