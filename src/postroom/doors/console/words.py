"""What the pages say: facts in plain words, times and sizes as people read them, and the names of places."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from postroom.engine.facts import TellingFact

Names = Mapping[UUID, str]


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the navigation. `need` names the count that is shown beside it; `key` follows g."""

    path: str
    label: str
    icon: str
    key: str
    need: str = ""


PLACES = (
    Place("/", "Overview", "home", "o"),
    Place("/documents", "Documents", "page", "d", "review"),
    Place("/messages", "Messages", "mail", "m"),
    Place("/mailboxes", "Mailboxes", "inbox", "b", "mailboxes"),
    Place("/trades", "Trades", "swap", "t"),
    Place("/orders", "Orders", "list", "r"),
    Place("/invoices", "Invoices", "bill", "i"),
    Place("/attempts", "Attempts", "again", "a", "aside"),
    Place("/audit", "Audit", "seal", "u"),
    Place("/settings", "Settings", "gear", "s"),
)

PIPELINES = {"pad_contract_notes": "Contract notes", "ap_invoices": "Invoices"}
KINDS = {"contract_note": "Contract note", "activity_statement": "Statement", "invoice": "Invoice", "other": "Other"}
TONES = {
    "active": "good", "confirmed": "good", "processed": "good", "done": "good", "filled": "good", "arrived": "good",
    "trusted": "good",
    "review": "warn", "waiting": "warn", "retry": "warn", "throttled": "warn", "paused": "warn", "parked": "warn",
    "later": "warn", "pending": "plain", "spoofed": "bad",
    "failed": "bad", "quarantined": "bad", "stopped": "bad", "token_refresh_failed": "bad", "provider_error": "bad",
    "subscription_expired": "bad", "lost": "bad", "rejected": "plain", "duplicate": "plain", "skipped": "plain",
}  # fmt: skip
SPOKEN = {
    "token_refresh_failed": "needs reconnecting",
    "subscription_expired": "subscription expired",
    "provider_error": "provider refuses",
    "review": "to review",
    "quarantined": "put aside",
    "parked": "waits for a person",
    "later": "will try again",
    "pad_contract_notes": "contract notes",
    "ap_invoices": "invoices",
    "contract_note": "contract note",
    "activity_statement": "statement",
}
JOBS = {
    "sync.mailbox": "Sync a mailbox",
    "sync.resync": "Resync a mailbox",
    "sync.reconcile": "Reconcile a mailbox",
    "sync.take_in": "Take in a message",
    "sync.poll": "Poll mailboxes",
    "sync.reconcile_all": "Reconcile all mailboxes",
    "mailboxes.keep_watch": "Keep a subscription",
    "mailboxes.keep_watches": "Keep all subscriptions",
    "mailboxes.note_trouble": "Note trouble",
    "documents.read": "Read a message's documents",
    "documents.read_upload": "Read an upload",
    "documents.learn": "Learn from corrections",
}


@dataclass(frozen=True, slots=True)
class Said:
    """A fact in words. `more` is the reason or detail that goes with it."""

    text: str
    tone: str = "plain"
    more: str = ""
    link: str = ""


def say(fact: TellingFact, names: Names) -> Said:
    """In plain words, with the first link that makes sense."""
    teller = _TELLERS.get(fact.kind)
    about = About(
        names.get(fact.mailbox_id, "a mailbox") if fact.mailbox_id else "",
        names.get(fact.message_id, "") if fact.message_id else "",
        names.get(fact.document_id, "A document") if fact.document_id else "",
    )
    try:
        said = teller(fact.body, about) if teller else Said(fact.kind.replace(".", " ").replace("_", " ").capitalize())
    except (KeyError, TypeError):  # told by an older version, with other fields
        said = Said(fact.kind.replace(".", " ").replace("_", " ").capitalize())
    return Said(said.text, said.tone, said.more, said.link or _link(fact))


def _link(fact: TellingFact) -> str:
    if fact.document_id:
        return f"/documents/{fact.document_id}"
    if fact.message_id:
        return f"/messages/{fact.message_id}"
    return f"/mailboxes/{fact.mailbox_id}" if fact.mailbox_id else ""


@dataclass(frozen=True, slots=True)
class About:
    """What the things are called that a fact is about."""

    box: str
    mail: str
    file: str


Teller = Callable[[dict[str, Any], About], Said]


def _routed(body: dict[str, Any], about: About) -> Said:
    word = {
        "confirmed": "confirmed by itself",
        "review": "waits for a person",
        "duplicate": "was known already",
        "skipped": "is nothing for us",
    }.get(body["status"], body["status"])
    return Said(f"{about.file} {word}", _tone(body["status"]), body["because"])


def _failed(body: dict[str, Any], about: About) -> Said:
    where = f" for {about.box}" if about.box else ""
    after = {
        "retry": "will try again",
        "throttled": "was asked to wait",
        "parked": "waits for a person",
        "quarantined": "was put aside",
        "stopped": "gave up",
    }.get(body["outcome"], body["outcome"])
    return Said(f"{job(body['job_kind'])}{where}: {after}", _tone(body["outcome"]), body["error"])


def _corrected(body: dict[str, Any], about: About) -> Said:
    changes = [
        f"{plain_name(name)} {body['before'].get(name) or '–'} → {value or '–'}"
        for name, value in body["after"].items()
    ]
    return Said(f"{about.file} was corrected", "plain", "; ".join(changes))


def _reconciled(body: dict[str, Any], about: About) -> Said:
    if body["missing"]:
        return Said(
            f"{about.box}: {body['missing']} of {body['listed']} messages were missing and are taken in", "warn"
        )
    return Said(f"{about.box}: all {body['listed']} messages accounted for", "good")


_TELLERS: dict[str, Teller] = {
    "tenant.created": lambda body, it: Said(f"Tenant {body['name']} was made"),
    "person.added": lambda body, it: Said(f"Somebody was let in as {body['role']}", link="/settings/people"),
    "person.changed": lambda body, it: Said(
        "Somebody was locked out" if body["disabled"] else f"A person's entry changed ({body['role']})",
        link="/settings/people",
    ),
    "key.created": lambda body, it: Said(f"Key “{body['name']}” made ({body['role']})", link="/settings/keys"),
    "key.revoked": lambda body, it: Said(f"Key “{body['name']}” revoked", link="/settings/keys"),
    "attempt.failed": _failed,
    "attempt.manual_retry_requested": lambda body, it: Said(
        f"A person asked to try again: {job(body['job_kind'])}", link="/attempts"
    ),
    "mailbox.connected": lambda body, it: Said(f"{it.box} {'reconnected' if body['again'] else 'connected'}", "good"),
    "mailbox.disconnected": lambda body, it: Said(f"{it.box} disconnected"),
    "mailbox.paused": lambda body, it: Said(f"{it.box} paused", "warn"),
    "mailbox.resumed": lambda body, it: Said(f"{it.box} resumed", "good"),
    "mailbox.needs_person": lambda body, it: Said(f"{it.box} needs a person", "bad", body["because"]),
    "mailbox.notification_received": lambda body, it: Said(f"{it.box}: the provider rang ({body['notices']})"),
    "mailbox.delivery_changed": lambda body, it: Said(f"{it.box} now by {body['delivery']}", "warn", body["because"]),
    "watch.kept": lambda body, it: Said(
        f"{it.box}: subscription {body['how']}", "plain", f"till {body['expires_at'][:16]}"
    ),
    "watch.lifecycle": lambda body, it: Said(f"{it.box}: provider says {body['event']}", "warn"),
    "security.event": lambda body, it: Said(
        body["what"][:1].upper() + body["what"][1:], "plain", f"from {body['source']}" if body["source"] else ""
    ),
    "sync.cursor_lost": lambda body, it: Said(f"{it.box}: resync since {body['since'][:16]}", "warn", body["because"]),
    "sync.resync_done": lambda body, it: Said(f"{it.box}: resync done, {body['listed']} messages listed", "good"),
    "sync.reconciled": _reconciled,
    "mail.message.received": lambda body, it: Said(
        f"Mail arrived in {it.box}",
        "plain",
        f"by {body['source']}" + (f", {body['automatic']}" if body["automatic"] else ""),
    ),
    "mail.message.gone": lambda body, it: Said(
        f"{it.mail or 'A message'} is gone from {it.box}", "plain", body["because"]
    ),
    "document.message_sifted": lambda body, it: Said(
        f"{count(body['kept'], 'file')} kept, {len(body['dropped'])} left out", "plain", body["because"]
    ),
    "document.uploaded": lambda body, it: Said(f"{body['filename']} uploaded"),
    "document.read": lambda body, it: Said(
        f"{body['filename']} read as {KINDS.get(body['document_kind'], 'a document').lower()}"
    ),
    "document.unreadable": lambda body, it: Said(f"{body['filename']} cannot be read", "bad", body["because"]),
    "document.routed": _routed,
    "document.corrected": _corrected,
    "document.rejected": lambda body, it: Said(f"{it.file} was rejected", "plain", body["because"]),
    "document.retried": lambda body, it: Said(f"{it.file} is read once more", "plain", body["because"]),
    "trade.confirmed": lambda body, it: Said(f"Trade of {it.file} confirmed", "good", body["because"]),
    "invoice.confirmed": lambda body, it: Said(f"Invoice {it.file} confirmed", "good", body["because"]),
    "order.placed": lambda body, it: Said(f"{body['new']} orders placed, {body['changed']} changed", link="/orders"),
    "order.cancelled": lambda body, it: Said(f"Order {body['external_id']} cancelled", link="/orders"),
    "document.sender_rule_changed": lambda body, it: Said(
        f"{body['entry']} is {'trusted now' if body['allowed'] else 'no longer trusted'}", link="/settings/senders"
    ),
    "document.password_changed": lambda body, it: Said(
        f"PDF password “{body['label']}” {'added' if body['added'] else 'removed'}", link="/settings/passwords"
    ),
}


def _tone(word: str) -> str:
    return TONES.get(word, "plain")


def job(kind: str) -> str:
    return JOBS.get(kind) or kind.partition(".")[2].replace("_", " ").capitalize() or kind


def spoken(word: str) -> str:
    return SPOKEN.get(word) or word.replace("_", " ")


def plain_name(word: str) -> str:
    return {"isin": "ISIN", "iban": "IBAN"}.get(word) or word.replace("_", " ").capitalize()


def actor(text: str) -> str:
    """person:anna@desk → anna@desk; our own doings are nobody's."""
    kind, _, name = text.partition(":")
    return {"person": name, "key": f"key {name}", "cli": f"{name} (command line)"}.get(kind, text)


def count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def ago(moment: datetime | None, now: datetime) -> str:
    if moment is None:
        return "never"
    seconds = (now - moment).total_seconds()
    return f"in {_span(-seconds)}" if seconds < -5 else f"{_span(seconds)} ago" if seconds >= 5 else "just now"


def _span(seconds: float) -> str:
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size * (2 if unit == "d" else 1):
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def clock(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC" if moment else ""


def short_time(moment: datetime | None, now: datetime) -> str:
    """The time today, the day this year, the date before."""
    if moment is None:
        return ""
    if now - moment < timedelta(hours=20) or moment.date() == now.date():
        return f"{moment:%H:%M}"
    return f"{moment.day} {moment:%b}" if moment.year == now.year else f"{moment:%Y-%m-%d}"


def size(number: int | None) -> str:
    if number is None:
        return ""
    for unit, whole in (("MB", 1_000_000), ("kB", 1_000)):
        if number >= whole:
            return f"{number / whole:.1f} {unit}" if number < 10 * whole else f"{number / whole:.0f} {unit}"
    return f"{number} B"


def number(value: Decimal | float | None) -> str:
    """Grouped by thousands, with the decimals it has."""
    if value is None:
        return "–"
    text = f"{value:,f}" if isinstance(value, Decimal) else f"{value:,}"
    return text.rstrip("0").rstrip(".") if "." in text and len(text.rpartition(".")[2]) > 2 else text


def money(value: Decimal | None) -> str:
    """As amounts are written: never less than two decimals."""
    if value is None:
        return "–"
    exponent = value.normalize().as_tuple().exponent
    return f"{value:,.{max(2, -exponent if isinstance(exponent, int) else 2)}f}"


def reason(text: str) -> str:
    """What coverage says of a message, with the pipelines by their names."""
    for name, label in PIPELINES.items():
        text = text.replace(name, label)
    return text.replace("_", " ")


def day(value: date | None) -> str:
    return value.isoformat() if value else "–"


def percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"


FILTERS: dict[str, Callable[..., Any]] = {
    "ago": ago,
    "clock": clock,
    "short_time": short_time,
    "size": size,
    "number": number,
    "money": money,
    "reason": reason,
    "day": day,
    "percent": percent,
    "tone": _tone,
    "spoken": spoken,
    "plain_name": plain_name,
    "job": job,
    "actor": actor,
    "count": count,
    "pipeline": lambda word: PIPELINES.get(word, spoken(word).capitalize()),
    "document_kind": lambda word: KINDS.get(word, spoken(word).capitalize()),
}
