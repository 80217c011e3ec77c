"""What is varied: mailboxes, tenants, workers, days, providers, sizes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """`mailboxes` in `tenants`, `messages` to each in every round."""

    about: str
    mailboxes: int = 10
    messages: int = 30
    tenants: int = 1
    workers: int = 1
    spread: bool = False
    confirmed: bool = False
    provider: str = "graph"
    megabytes: int = 0
    rounds: int | None = None


CASES = {
    "ten": Case("ten mailboxes of one tenant, one worker, papers of one day"),
    "one": Case("one mailbox", mailboxes=1, messages=200),
    "tenants": Case("ten tenants with a mailbox each", tenants=10),
    "workers": Case("two workers", workers=2),
    "one_shared": Case("one mailbox, two workers", mailboxes=1, messages=200, workers=2),
    "spread": Case("papers of 250 days", spread=True),
    "confirmed": Case("trusted sender, an order for each: booked unseen", confirmed=True),
    "gmail": Case("ten Gmail mailboxes", provider="gmail"),
    "many": Case("500 mailboxes with two mails each", mailboxes=500, messages=2, rounds=2),
    "day": Case("5,000 notes of one day", messages=100, rounds=5),
    "large": Case("eight mails of 24 MB", mailboxes=8, messages=1, megabytes=17, rounds=1),
}
