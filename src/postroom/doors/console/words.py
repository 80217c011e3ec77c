"""What the pages say: the names of places and states, times, sizes and amounts as people read them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from markupsafe import Markup

from postroom.nouns import pipelines
from postroom.nouns.actors import spoken_actor
from postroom.nouns.counting import count

PIPELINES: dict[str, str] = {each.name: each.title for each in pipelines.PIPELINES.values()}
KINDS = {"contract_note": "Contract note", "activity_statement": "Statement", "invoice": "Invoice", "other": "Other"}
TONES = {
    "active": "good", "confirmed": "good", "processed": "good", "done": "good", "filled": "good", "arrived": "good",
    "trusted": "good", "delivered": "good", "ready": "good", "needs_review": "warn", "error": "bad",
    "review": "warn", "waiting": "warn", "retry": "warn", "throttled": "warn", "paused": "warn", "parked": "warn",
    "later": "warn", "pending": "plain", "spoofed": "bad",
    "failed": "bad", "quarantined": "bad", "stopped": "bad", "token_refresh_failed": "bad", "provider_error": "bad",
    "sent": "good", "approved": "accent", "sending": "accent", "unknown": "bad", "void": "plain", "revoked": "warn",
    "given_up": "bad", "failing": "bad", "disabled": "bad",
    "subscription_expired": "bad", "lost": "bad", "rejected": "plain", "duplicate": "plain", "skipped": "plain",
}  # fmt: skip
SPOKEN = {
    "needs_review": "needs review",
    "no_reply_or_auto_reply": "a machine wrote it",
    "latest_is_operator_sent": "answered",
    "user_edited_draft": "somebody is writing",
    "draftable": "can be answered",
    "token_refresh_failed": "needs reconnecting",
    "subscription_expired": "subscription expired",
    "provider_error": "provider refuses",
    "review": "to review",
    "quarantined": "put aside",
    "parked": "waits for a person",
    "later": "will try again",
    **{name: title.lower() for name, title in PIPELINES.items()},
    "contract_note": "contract note",
    "activity_statement": "statement",
}
MAPPINGS = {"triage": "to decide", "mapped": "mapped", "confirmed": "confirmed", "ignored": "set aside"}
SIGNALS = {
    "contact": "The sender is a contact",
    "domain": "The sender's domain",
    "thread": "Earlier mails of the thread",
    "history": "Earlier mails of the sender",
    "code_subject": "A code in the subject",
    "code_text": "A code in the text",
    "name_subject": "A name in the subject",
    "name_text": "A name in the text",
    "name_signature": "A name in the signature",
    "recipient": "To whom we write",
    "participant": "Who also gets it",
    "document": "What is printed on a document",
    "forwarded": "The author of a forwarded mail",
    "person": "The sender's name",
    "choice": "A choice for the sender",
    "correction": "An earlier decision",
    "rejected": "Taken away from there before",
}
OUTCOMES = {  # of a document, as a clerk says it
    "review": "to review",
    "confirmed": "confirmed",
    "duplicate": "duplicate",
    "failed": "not readable",
    "waiting": "being read",
    "read": "being read",
    "skipped": "nothing for us",
    "rejected": "rejected",
}
JOBS = {
    "sync.mailbox": "Sync a mailbox",
    "sync.resync": "Resync a mailbox",
    "sync.reconcile": "Reconcile a mailbox",
    "sync.fetch_message": "Fetch a message",
    "sync.poll": "Poll mailboxes",
    "sync.reconcile_all": "Reconcile all mailboxes",
    "mailboxes.keep_watch": "Keep a subscription",
    "mailboxes.keep_watches": "Keep all subscriptions",
    "mailboxes.note_trouble": "Note trouble",
    "outbox.send": "Send an approved mail",
    "outbox.tend_thread": "See to the proposals of a thread",
    "outbox.tend": "See to all proposals",
    "outbox.stop": "Stop sending",
    "outbox.bounce": "Look at a delivery report",
    "replies.discard": "Take a draft back",
    "documents.read": "Read a message's documents",
    "documents.read_upload": "Read an upload",
    "documents.reread": "Read failed documents again",
    "documents.learn": "Learn from corrections",
    "clients.map": "Say whose mail a mail is",
    "clients.reconsider": "Look again at mail without a client",
    "clients.map_earlier": "Map mail that came before the book",
    "clients.age": "Look over the contacts",
    "replies.keep_answer": "Keep what a person answered",
    "replies.draft_again": "Draft what we had no right to write",
    "replies.read_anew": "Read papers with newer words",
    "subscribers.deliver": "Deliver events to a webhook",
    "subscribers.forget": "Forget old events",
}

KEPT = {
    "messages": ("Mail", "What a mail says: subject, body, headers. That it came, and what became of it, stays."),
    "attachments": ("Fetched attachments", "Files that somebody fetched from a mailbox on demand."),
    "documents": ("Readings", "What was read of documents that are over. Confirmed trades and invoices stay."),
    "archive": ("Archived originals", "The files themselves. Without them a document has no page to look at."),
    "events": ("Events", "What webhooks were told, and how each delivery went. Empty: 30 days."),
    "analyses": (
        "Analyses",
        "What was concluded about a thread. Empty: as long as its mail.",
    ),
    "drafts": ("Drafts", "What drafts that are over said, what they stood on, and what people made of them."),
    "evidence": (
        "Old evidence",
        "Versions that were replaced or retired, and answers that were learned. Papers of today stay.",
    ),
}


THREAD_VIEWS = {
    "open": "Open",
    "needs_review": "Needs review",
    "ready": "Ready",
    "error": "Error",
    "snoozed": "Snoozed",
    "all": "All",
}
OUTBOX_VIEWS = {
    "waiting": "Wait for a yes",
    "going": "On their way",
    "unknown": "In doubt",
    "sent": "Sent",
    "over": "Dropped",
    "all": "All",
}


def thread_view(word: str) -> str:
    return THREAD_VIEWS.get(word, word)


def tone(word: str) -> str:
    return TONES.get(word, "plain")


def job(kind: str) -> str:
    return JOBS.get(kind) or kind.partition(".")[2].replace("_", " ").capitalize() or kind


def spoken(word: str) -> str:
    return SPOKEN.get(word) or word.replace("_", " ")


def outcome(word: str) -> str:
    return OUTCOMES.get(word) or spoken(word)


WORST_FIRST = ("review", "failed", "waiting", "confirmed", "duplicate", "rejected", "skipped")


def ended(status: str, pipeline: str, documents: Sequence[Mapping[str, str]]) -> str:
    """What became of a mail in a pipeline: what its documents still need, not merely that it was looked at."""
    if status != "processed":
        return "failed" if status == "failed" else status
    found = {each["status"] for each in documents if pipelines.pipeline_of(each["kind"]) == pipeline}  # type: ignore[arg-type]  # kinds come from the table
    return next((each for each in WORST_FIRST if each in found), status)


def plain_name(word: str) -> str:
    return {"isin": "ISIN", "iban": "IBAN"}.get(word) or word.replace("_", " ").capitalize()


def progress(total: int, done: int, failed: int, later: int = 0) -> str:
    """As 12 of 40 done, 3 failed."""
    if done == total:
        return f"All {total:,} done." if total > 1 else "Done."
    rest = [f"{failed:,} failed"] * bool(failed) + [f"{later:,} tried again later"] * bool(later)
    return ", ".join([f"{done:,} of {total:,} done", *rest])


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


def moment(value: datetime | None) -> Markup:
    """A time that the page shows in the reader's own zone, with UTC in its tooltip."""
    said = clock(value)
    pattern = Markup('<time datetime="{}" title="{}" data-time="full">{}</time>')
    return pattern.format(value.isoformat(), said, said) if value else Markup("–")


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


def book_change(change: Any) -> str:
    """A line of an account's history."""
    before, after = change.before or {}, change.after or {}
    if change.what == "contacts":
        parts = [f"+ {', '.join(after.get('addresses', ()))}"] * bool(after)
        parts += [f"− {', '.join(before.get('addresses', ()))}"] * bool(before)
        return f"Contacts: {'; '.join(parts)}"
    if change.what == "merged":
        gone = after.get("from", "Another")
        return f"Merged into {after['into']}" if "into" in after else f"{gone} was merged in"
    if change.what == "work_items":
        return f"Work items: {', '.join(after.get('codes', ()))}"
    if not before:
        return f"Added {after.get('code', '')}"
    changed = [f"{plain_name(name)} {_listed(before.get(name))} → {_listed(after[name])}" for name in after]
    different = [text for name, text in zip(after, changed, strict=True) if before.get(name) != after[name]]
    return f"{after.get('code', '')}: {'; '.join(different)}"


def _listed(value: Any) -> str:
    return (", ".join(map(str, value)) if isinstance(value, list) else str(value or "")) or "–"


LANGUAGE_NAMES = {
    "da": "Danish", "de": "German", "en": "English", "es": "Spanish", "fr": "French", "it": "Italian", "nl": "Dutch",
    "pl": "Polish", "pt": "Portuguese", "sv": "Swedish",
}  # fmt: skip

FILTERS: dict[str, Callable[..., Any]] = {
    "ago": ago,
    "clock": clock,
    "moment": moment,
    "short_time": short_time,
    "size": size,
    "number": number,
    "money": money,
    "reason": reason,
    "day": day,
    "percent": percent,
    "thread_view": thread_view,
    "outbox_view": lambda word: OUTBOX_VIEWS.get(word, word),
    "tone": tone,
    "spoken": spoken,
    "outcome": outcome,
    "ended": ended,
    "plain_name": plain_name,
    "job": job,
    "actor": spoken_actor,
    "count": count,
    "mapping": lambda word: MAPPINGS.get(word, word),
    "signal": lambda word: SIGNALS.get(word, spoken(word)),
    "book_change": book_change,
    "progress": progress,
    "pipeline": lambda word: PIPELINES.get(word, spoken(word).capitalize()),
    "language": lambda code: LANGUAGE_NAMES.get(code, code),
    "document_kind": lambda word: KINDS.get(word, spoken(word).capitalize()),
}
