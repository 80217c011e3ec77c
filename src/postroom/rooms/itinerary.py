"""The walk, on one page: which jobs each fact sets in motion. A fact without a line here does not type-check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from postroom.nouns import facts
from postroom.nouns.jobs import Job, Order


def next_jobs(fact: facts.Fact) -> Sequence[Job | Order]:
    match fact:
        case (
            facts.TenantCreated()
            | facts.PersonAdded()
            | facts.PersonChanged()
            | facts.KeyCreated()
            | facts.KeyRevoked()
            | facts.AttemptFailed()
            | facts.RetryRequested()
            | facts.Counted()
        ):
            return []
        case _:
            assert_never(fact)
