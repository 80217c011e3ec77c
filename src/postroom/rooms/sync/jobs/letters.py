"""Messages that were announced: fetched, parsed, and made ours, once; or accounted for as gone."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from postroom.db.pool import Tx
from postroom.engine.work import Work
from postroom.engine.worker import works
from postroom.nouns import facts
from postroom.nouns.errors import AccessRevoked, Gone, NeedsPerson, NotYet, Throttled
from postroom.nouns.ids import MailboxId, MessageId
from postroom.nouns.mail import Automatic, MailMessage, Trust
from postroom.nouns.providers import Glimpse, ProviderRef, RawMail
from postroom.ports import MailProvider
from postroom.rooms.sync import rules, store
from postroom.rooms.sync.jobs.kinds import Outside, TakeIn, TakeInMany

IN_FLIGHT = 3  # of one handful; what a mailbox allows all workers together is the switchboard's business
BIG_MAIL = 1_000_000  # parsed as soon as it is there, so that its bytes are not held while the others come
LONGEST_BODY = 200_000
HEADERS_KEPT = (
    *("from", "to", "cc", "reply-to", "return-path", "date", "in-reply-to", "references"),
    *("auto-submitted", "precedence", "x-auto-response-suppress", "list-id", "list-unsubscribe"),
    *("authentication-results", "received-spf"),
)


@dataclass(frozen=True, slots=True)
class Fetched:
    """A message as it came."""

    letter: store.Letter
    raw: RawMail


@dataclass(frozen=True, slots=True)
class Arrival:
    """A message in our hands, as it will be kept."""

    letter: store.Letter
    columns: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Departure:
    """A message that will never be ours."""

    letter: store.Letter
    because: str


@works(TakeIn)
async def take_in(job: TakeIn, work: Work[Outside]) -> None:
    letters = await store.letters(work.db, work.tenant_id, [job.message_id])
    if not letters:
        return
    outcomes = await _fetch_all(work, job.mailbox_id, letters, {job.message_id: job.known})
    async with work.finish() as tx:
        await _record(tx, work, outcomes)


@works(TakeInMany)
async def take_in_many(job: TakeInMany, work: Work[Outside]) -> None:
    """What goes well is recorded even if another one fails. After that they go on one by one, so that the one that
    fails again fails alone."""
    if work.tries:
        async with work.finish() as tx:
            await work.enqueue(tx, *job.letters)
        return
    letters = await store.letters(work.db, work.tenant_id, [each.message_id for each in job.letters])
    if not letters:
        return
    known = {each.message_id: each.known for each in job.letters}
    try:
        outcomes = await _fetch_all(work, job.mailbox_id, letters, known)
    except Incomplete as some:
        async with work.step() as tx:
            await _record(tx, work, some.outcomes)
        raise some.reason from None
    async with work.finish() as tx:
        await _record(tx, work, outcomes)


class Incomplete(Exception):
    """Some were fetched, others not."""

    def __init__(self, outcomes: Sequence[Arrival | Departure], reason: BaseException) -> None:
        super().__init__(str(reason))
        self.outcomes, self.reason = outcomes, reason


async def _fetch_all(
    work: Work[Outside],
    mailbox_id: MailboxId,
    letters: Sequence[store.Letter],
    known: Mapping[MessageId, Glimpse | None],
) -> list[Arrival | Departure]:
    mailbox = letters[0]
    if mailbox.paused or mailbox.mailbox_status == "token_refresh_failed":
        raise AccessRevoked("The mailbox waits for a person.")
    if mailbox.mailbox_status == "disconnected":
        return [Departure(each, "The mailbox was disconnected before the message could be read.") for each in letters]
    provider = await work.outside.open_mailbox(work.tenant_id, mailbox_id)
    if len(letters) == 1:
        only = await _fetch(work, provider, mailbox, known[mailbox.id])
        return [only if isinstance(only, Departure) else await asyncio.to_thread(_parse, work.outside, only)]
    gate = asyncio.Semaphore(IN_FLIGHT)

    async def one(letter: store.Letter) -> Fetched | Arrival | Departure:
        async with gate:
            fetched = await _fetch(work, provider, letter, known[letter.id])
            if isinstance(fetched, Fetched) and len(fetched.raw.raw) > BIG_MAIL:
                return await asyncio.to_thread(_parse, work.outside, fetched)
            return fetched

    fetched = await asyncio.gather(*(one(letter) for letter in letters), return_exceptions=True)
    mails = [each for each in fetched if isinstance(each, Fetched)]
    ended = [*await asyncio.to_thread(_parse_all, work.outside, mails), *fetched]
    outcomes = [each for each in ended if isinstance(each, Arrival | Departure)]
    if reasons := [each for each in ended if isinstance(each, BaseException)]:
        raise Incomplete(outcomes, min(reasons, key=_gravity))
    return outcomes


def _parse_all(outside: Outside, mails: Sequence[Fetched]) -> list[Arrival | Exception]:
    """Beside the event loop, all in one go. One that defies parsing spoils nobody else's."""
    parsed: list[Arrival | Exception] = []
    for mail in mails:
        try:
            parsed.append(_parse(outside, mail))
        except Exception as problem:  # noqa: BLE001 - whatever it is, it is this mail's own
            parsed.append(problem)
    return parsed


def _parse(outside: Outside, mail: Fetched) -> Arrival:
    message = outside.read_mail(mail.raw.raw)
    automatic, trust = outside.automatic(message), outside.trust(message, mail.letter.provider)
    return Arrival(mail.letter, _columns(mail.letter, mail.raw, message, automatic, trust))


def _gravity(reason: BaseException) -> int:
    """What concerns the whole mailbox decides how they go on together."""
    return 0 if isinstance(reason, NeedsPerson) else 1 if isinstance(reason, Throttled) else 2


async def _fetch(
    work: Work[Outside], provider: MailProvider, letter: store.Letter, known: Glimpse | None
) -> Fetched | Departure:
    try:
        raw = await provider.message(letter.provider_message_id, known)
    except Gone as gone:
        if not rules.believed_gone(work.tries, letter.announced_at, work.now):
            raise NotYet(f"Announced, but not there yet: {gone}") from None
        return Departure(letter, f"Deleted at the source: {gone}")
    if not rules.is_mail(raw.glimpse):
        return Departure(letter, "A draft, sent mail, spam or trash: not for us.")
    return Fetched(letter, raw)


async def _record(tx: Tx, work: Work[Outside], outcomes: Sequence[Arrival | Departure]) -> None:
    arrivals = {each.letter.id: each for each in outcomes if isinstance(each, Arrival)}
    for arrived in await store.arrive(tx, [each.columns for each in arrivals.values()], work.now):
        letter, columns = arrivals[arrived.id].letter, arrivals[arrived.id].columns
        told = facts.MessageArrived(
            message_id=letter.id,
            mailbox_id=letter.mailbox_id,
            thread_id=arrived.thread_id,
            provider_message_id=letter.provider_message_id,
            source=letter.source,
            received_at=columns["received_at"],
            automatic=columns["automatic"],
            pipelines=tuple(letter.pipelines),
        )
        await work.tell(tx, told)
    for gone in outcomes:
        if isinstance(gone, Departure):
            await _record_gone(tx, work, gone.letter, gone.because)


async def _record_gone(tx: Tx, work: Work[Outside], letter: store.Letter, because: str) -> None:
    if not await store.mark_gone(tx, letter.id, because, work.now):
        return
    await store.dispose(tx, work.tenant_id, letter.id, letter.pipelines, work.now, status="deleted", because=because)
    await work.tell(tx, facts.MessageGone(message_id=letter.id, mailbox_id=letter.mailbox_id, because=because))


def _columns(
    letter: store.Letter, raw: RawMail, message: MailMessage, automatic: Automatic | None, trust: Trust
) -> dict[str, Any]:
    """The message as it is kept: what people and later steps need, not the bytes."""
    kept = {name: [_clean(value) for value in message.header_all(name)] for name in HEADERS_KEPT}
    thread = raw.glimpse.thread_ref or ProviderRef(message.references[0] if message.references else raw.glimpse.ref)
    recipients = {
        field: [_clean(str(address)) for address in getattr(message, field)]
        for field in ("to", "cc", "bcc", "reply_to")
    }
    attachments = [
        {
            "filename": _clean(each.filename),
            "type": each.sniffed_type,
            "size": each.size,
            "inline": each.inline,
            "path": list(each.path),
            "sha256": each.sha256,
        }
        for each in message.attachments
    ]
    return {
        "id": letter.id,
        "thread_ref": _clean(thread),
        "pipelines": letter.pipelines,
        "received_at": raw.glimpse.received_at or message.date or letter.announced_at,
        "internet_message_id": _clean(message.message_id) or raw.glimpse.internet_message_id or None,
        "sender_email": _clean(message.sender.email) if message.sender else None,
        "sender_name": _clean(message.sender.name) if message.sender else None,
        "recipients": recipients,
        "subject": _clean(message.subject),
        "snippet": _clean(message.snippet)[:300],
        "body": _clean(message.text_body)[:LONGEST_BODY],
        "body_html": _clean(message.html_body)[:LONGEST_BODY] or None,
        "headers": {name: values for name, values in kept.items() if values},
        "labels": sorted(raw.glimpse.labels),
        "attachments": attachments,
        "automatic": automatic.kind if automatic else None,
        "trust": trust.level,
        "trust_because": _clean(trust.because),
        "version": raw.glimpse.version,
        "size": len(raw.raw),
        "content_hash": message.content_hash,
    }


def _clean(text: str) -> str:
    """PostgreSQL has no place for NUL, UTF-8 none for half a surrogate pair."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
