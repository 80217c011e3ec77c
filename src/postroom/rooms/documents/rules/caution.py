"""What a person must give a reason for before it is booked, and how a document differs from the last one believed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from postroom.nouns.documents import Invoice
from postroom.nouns.mail import TrustLevel

COMPARED = (("iban", "IBAN"), ("supplier", "Supplier"), ("currency", "Currency"))


@dataclass(frozen=True, slots=True)
class LastConfirmed:
    """The newest confirmed invoice of the same sender, or under the same name."""

    supplier: str | None
    buyer: str | None
    currency: str | None
    iban: str | None
    filename: str
    confirmed_at: datetime


def differences(invoice: Invoice, last: LastConfirmed | None) -> list[str]:
    """Field by field against the last one that was believed."""
    if last is None:
        return []
    return [
        f"{label} was {was}, now {now}."
        for name, label in COMPARED
        if (was := getattr(last, name)) and (now := getattr(invoice, name)) and not _same(was, now)
    ]


def _same(one: str, other: str) -> bool:
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()


def changed_account(invoice: Invoice, last: LastConfirmed | None, accounts: Collection[str]) -> str:
    """Somebody else's account on a familiar letterhead; empty when it is known, or nothing is known yet."""
    if not invoice.iban or invoice.iban in accounts:
        return ""
    if last is not None and last.iban:
        return "" if last.iban == invoice.iban else f"IBAN was {last.iban}, now {invoice.iban}."
    return f"{invoice.iban} is a new bank account for this sender." if accounts else ""


def cautions(trust: TrustLevel, trust_because: str, account: str, doubts: Sequence[str]) -> list[str]:
    """Each of these wants a reason in a person's own words: forged, paid elsewhere, or not adding up."""
    forged = [f"It looks forged. {trust_because}".strip()] if trust == "spoofed" else []
    return [*forged, *([account] if account else []), *doubts]


def one_reason(because: str, found: Sequence[str]) -> str:
    """What to say when the reason is missing."""
    return "" if because.strip() or not found else f"Say why it is right all the same: {' '.join(found)}"
