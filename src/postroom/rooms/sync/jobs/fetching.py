"""Messages that were announced: fetched, parsed, and made ours, once; or accounted for as gone."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import structlog

from postroom.db.pool import Tx
from postroom.engine import pipeline
from postroom.engine import retry_policy as retry
from postroom.engine.work import LARGEST_PAYLOAD_BYTES, Work
from postroom.engine.worker import works
from postroom.mail.automatic import automatic
from postroom.mail.bodies import body_file
from postroom.mail.own_words import own_words
from postroom.mail.packing import pack, packed_size
from postroom.mail.trust import trust, trusted_authserv
from postroom.nouns import facts
from postroom.nouns.errors import AccessRevoked, Gone, NeedsPerson, NotYet, PostroomError, Throttled, Transient
from postroom.nouns.ids import MessageId, TenantId
from postroom.nouns.mail import Automatic, MailMessage, Trust
from postroom.nouns.pipelines import Disposition
from postroom.nouns.providers import Glimpse, ProviderRef, RawMail
from postroom.ports import MailProvider
from postroom.rooms.sync import rules, store
from postroom.rooms.sync.jobs.definitions import FetchMessage, FetchMessages
from postroom.rooms.sync.ports import SyncPorts

log = structlog.get_logger()
REQUESTS_IN_FLIGHT = 3  # of one batch; what a mailbox allows all workers together, its budget says
BIG_MAIL_BYTES = 200_000  # parsed as soon as it is there, so that its bytes are not held while the others come
LONGEST_BODY_CHARACTERS = 200_000
LONGEST_REASON = 2000
HEADERS_KEPT = (
    *("from", "to", "cc", "reply-to", "return-path", "date", "in-reply-to", "references"),
    *("auto-submitted", "precedence", "x-auto-response-suppress", "list-id", "list-unsubscribe"),
    *("authentication-results", "received-spf"),
)


@dataclass(frozen=True, slots=True)
class FetchedMessage:
    """A message as it came."""

    announced: store.AnnouncedMessage
    raw: RawMail


@dataclass(frozen=True, slots=True)
class ParsedMessage:
    """A message in our hands, as it will be kept."""

    announced: store.AnnouncedMessage
    columns: Mapping[str, Any]
    packed: bytes | None = None  # for who reads its documents next
    body: bool = False  # whether its text may be one of them


@dataclass(frozen=True, slots=True)
class GoneMessage:
    """A message that will never be ours."""

    announced: store.AnnouncedMessage
    because: str


@dataclass(frozen=True, slots=True)
class FetchFailure:
    """A message that could not be had this time."""

    announced: store.AnnouncedMessage
    reason: Exception


Outcome = ParsedMessage | GoneMessage | FetchFailure


@dataclass(frozen=True, slots=True)
class FetchedBatch:
    """What became of some messages that are recorded together."""

    outcomes: Sequence[Outcome]
    is_last: bool

    @property
    def grave(self) -> Exception | None:
        """What concerns the others as well: then none of them is asked for now."""
        reasons = [
            each.reason for each in self.outcomes if isinstance(each, FetchFailure) and not _its_own(each.reason)
        ]
        return min(reasons, key=_severity, default=None)

    @property
    def left_behind(self) -> list[MessageId]:
        return [each.announced.id for each in self.outcomes if isinstance(each, FetchFailure) and _its_own(each.reason)]


async def _give_up(job: FetchMessage, work: Work[SyncPorts], reason: Exception) -> None:
    for announced in await store.announced_messages(work.db, work.tenant_id, [job.message_id]):
        await _note_failure(work, FetchFailure(announced, reason))


@works(FetchMessage, gives_up=_give_up)
async def fetch_message(job: FetchMessage, work: Work[SyncPorts]) -> None:
    for outcome in await _fetch_waiting(work, [job]):
        if isinstance(outcome, FetchFailure):
            await _note_failure(work, outcome)
            raise outcome.reason
        async with work.finish() as tx:
            await record(tx, work, [outcome])


async def _note_failure(work: Work[SyncPorts], failure: FetchFailure) -> None:
    """When nothing more will be tried by itself, the message says so; the engine keeps the job aside."""
    step = retry.next_step(failure.reason, tries=work.tries, waits=0, chance=0.0)
    if isinstance(step, retry.Quarantine | retry.Stop):
        reason = failure.reason
        said = (
            str(reason) if isinstance(reason, PostroomError) else f"A fault of ours ({type(reason).__name__}): {reason}"
        )
        async with work.step() as tx:
            await store.note_failed(tx, failure.announced.id, _clean(said)[:LONGEST_REASON], work.now)


@works(FetchMessages)
async def fetch_messages(job: FetchMessages, work: Work[SyncPorts]) -> None:
    """What goes well is recorded even if another one fails. One that fails for a reason of its own goes on by itself;
    after a failure of the provider's they all do, so that the one that fails again fails alone."""
    by_id = {each.message_id: each for each in job.messages}
    if work.was_begun_before:
        waiting = await store.announced_messages(work.db, work.tenant_id, list(by_id))
        async with work.finish() as tx:
            await work.enqueue(tx, *(by_id[each.id] for each in waiting))
        return
    async with contextlib.aclosing(_fetch_ahead(work, job.messages)) as batches:
        async for batch in batches:
            async with work.finish() if batch.is_last and not batch.grave else work.step() as tx:
                await record(tx, work, batch.outcomes)
                await work.enqueue(tx, *(by_id[each] for each in batch.left_behind))
            if batch.grave:
                raise batch.grave


async def _fetch_ahead(work: Work[SyncPorts], messages: Sequence[FetchMessage]) -> AsyncGenerator[FetchedBatch]:
    """Batch by batch: the next one is on its way while the last is recorded."""
    first, *others = rules.batches(messages)
    coming = asyncio.create_task(_fetch_waiting(work, first))
    try:
        for following in (*others, None):
            batch = FetchedBatch(await coming, is_last=following is None)
            if following and not batch.grave:
                coming = asyncio.create_task(_fetch_waiting(work, following))
            yield batch
    finally:
        coming.cancel()
        await asyncio.gather(coming, return_exceptions=True)


async def _fetch_waiting(work: Work[SyncPorts], wanted: Sequence[FetchMessage]) -> list[Outcome]:
    """Of those that still wait to be taken in, what became of each."""
    known = {each.message_id: each.known for each in wanted}
    waiting = await store.announced_messages(work.db, work.tenant_id, list(known))
    if not waiting:
        return []
    mailbox = waiting[0]
    if mailbox.paused or mailbox.mailbox_status == "token_refresh_failed":
        raise AccessRevoked("The mailbox waits for a person.")
    if mailbox.mailbox_status == "disconnected":
        return [GoneMessage(each, "The mailbox was disconnected before the message could be read.") for each in waiting]
    provider = await work.outside.open_mailbox(work.tenant_id, mailbox.mailbox_id)
    return await fetch_each(work, provider, waiting, known)


async def fetch_each(
    work: Work[SyncPorts],
    provider: MailProvider,
    waiting: Sequence[store.AnnouncedMessage],
    known: Mapping[MessageId, Glimpse | None],
) -> list[Outcome]:
    """Several at a time, each fetched and parsed; a failure of one is an outcome of its own."""
    gate = asyncio.Semaphore(REQUESTS_IN_FLIGHT)

    async def one(announced: store.AnnouncedMessage) -> Outcome:
        async with work.in_flight.hold():
            async with gate:
                try:
                    fetched = await _fetch(work, provider, announced, known[announced.id])
                except Exception as problem:  # noqa: BLE001 - whatever it is, the others are recorded all the same
                    return FetchFailure(announced, problem)
                if isinstance(fetched, GoneMessage):
                    return fetched
                if len(fetched.raw.raw) > BIG_MAIL_BYTES:
                    await work.in_flight.admit(len(fetched.raw.raw))
                    return await _parse(work, fetched)
            return await _parse(work, fetched)

    return list(await asyncio.gather(*(one(each) for each in waiting)))


async def _parse(work: Work[SyncPorts], mail: FetchedMessage) -> ParsedMessage | FetchFailure:
    """One that defies parsing spoils nobody else's."""
    try:
        message = await work.outside.reader.aread_mail(mail.raw.raw, tenant=work.tenant_id)
        believed = trust(message, None, trusted_authserv(mail.announced.provider))
        columns = _columns(mail.announced, mail.raw, message, automatic(message), believed)
        pipelines = () if message.attachments else mail.announced.pipelines  # with files it is read anyway
        body = bool(pipelines) and body_file(message, pipelines) is not None
        return ParsedMessage(mail.announced, columns, _packed(mail.announced, message, body=body), body)
    except Exception as problem:  # noqa: BLE001 - whatever it is, it is this mail's own
        return FetchFailure(mail.announced, problem)


def _packed(announced: store.AnnouncedMessage, message: MailMessage, *, body: bool) -> bytes | None:
    """A small mail with documents is neither fetched nor read once more for them."""
    wanted = announced.pipelines and (message.attachments or body)
    return pack(message) if wanted and packed_size(message) <= LARGEST_PAYLOAD_BYTES else None


def _its_own(reason: Exception) -> bool:
    """Whether it is a matter of this message alone, as far as one can tell."""
    return isinstance(reason, NotYet) or not isinstance(reason, Transient | NeedsPerson)


def _severity(reason: Exception) -> int:
    """What concerns the whole mailbox decides how they go on together."""
    return 0 if isinstance(reason, NeedsPerson) else 1 if isinstance(reason, Throttled) else 2


async def _fetch(
    work: Work[SyncPorts], provider: MailProvider, announced: store.AnnouncedMessage, known: Glimpse | None
) -> FetchedMessage | GoneMessage:
    try:
        raw = await provider.message(announced.provider_message_id, known)
    except Gone as gone:
        if not rules.believed_gone(work.tries, announced.announced_at, work.now):
            raise NotYet(f"Announced, but not there yet: {gone}") from None
        return GoneMessage(announced, f"Deleted at the source: {gone}")
    if not rules.is_mail(raw.glimpse):
        return GoneMessage(announced, "A draft, sent mail, spam or trash: not for us.")
    return FetchedMessage(announced, raw)


async def record(tx: Tx, work: Work[SyncPorts], outcomes: Sequence[Outcome]) -> None:
    parsed = [each for each in outcomes if isinstance(each, ParsedMessage)]
    await tell_arrived(tx, work, parsed, await store.arrive(tx, [each.columns for each in parsed], work.now))
    for gone in outcomes:
        if isinstance(gone, GoneMessage):
            await _record_gone(tx, work, gone.announced, gone.because)


async def take_in(
    tx: Tx, tenant_id: TenantId, parsed: Sequence[ParsedMessage], now: datetime
) -> Mapping[MessageId, store.Arrived]:
    """Messages that were fetched before anybody announced them: those that became ours by this."""
    columns = [
        {
            **each.columns,
            "mailbox_id": each.announced.mailbox_id,
            "ref": each.announced.provider_message_id,
            "source": each.announced.source,
        }
        for each in parsed
    ]
    return {each.id: each for each in await store.take_in(tx, tenant_id, columns, now)}


async def tell_arrived(
    tx: Tx, work: Work[SyncPorts], parsed: Sequence[ParsedMessage], arrived_now: Sequence[store.Arrived]
) -> None:
    arrivals = {each.announced.id: each for each in parsed}
    for arrived in arrived_now:
        announced, columns = arrivals[arrived.id].announced, arrivals[arrived.id].columns
        told = facts.MessageArrived(
            message_id=announced.id,
            mailbox_id=announced.mailbox_id,
            thread_id=arrived.thread_id,
            provider_message_id=announced.provider_message_id,
            provider_thread_id=columns["thread_ref"],
            source=announced.source,
            received_at=columns["received_at"],
            automatic=columns["automatic"],
            pipelines=tuple(announced.pipelines),
            copilot=announced.copilot,
            files=len(columns["attachments"]),
            body=arrivals[arrived.id].body,
            client_book=arrived.client_book,
        )
        await work.tell(tx, told, arrivals[arrived.id].packed)
        log.info("message arrived", mailbox=str(announced.mailbox_id), message=str(announced.id))


async def _record_gone(tx: Tx, work: Work[SyncPorts], announced: store.AnnouncedMessage, because: str) -> None:
    if not await store.mark_gone(tx, announced.id, because, work.now):
        return
    deleted = [Disposition(name, "deleted", None, because) for name in announced.pipelines]
    await pipeline.dispose(tx, work.tenant_id, announced.id, deleted, work.now)
    await work.tell(tx, facts.MessageGone(message_id=announced.id, mailbox_id=announced.mailbox_id, because=because))


def _columns(
    announced: store.AnnouncedMessage, raw: RawMail, message: MailMessage, machine: Automatic | None, believed: Trust
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
        "id": announced.id,
        "thread_ref": _clean(thread),
        "pipelines": announced.pipelines,
        "received_at": raw.glimpse.received_at or message.date or announced.announced_at,
        "internet_message_id": _clean(message.message_id) or raw.glimpse.internet_message_id or None,
        "sender_email": _clean(message.sender.email) if message.sender else None,
        "sender_name": _clean(message.sender.name) if message.sender else None,
        "recipients": recipients,
        "subject": _clean(message.subject),
        "snippet": _clean(message.snippet)[:300],
        "body": _clean(message.text_body)[:LONGEST_BODY_CHARACTERS],
        "body_html": _clean(message.html_body)[:LONGEST_BODY_CHARACTERS] or None,
        "headers": {name: values for name, values in kept.items() if values},
        "labels": sorted(raw.glimpse.labels),
        "attachments": attachments,
        "enclosed_text": _enclosed(message),
        "automatic": machine.kind if machine else None,
        "automatic_because": _clean(machine.because) if machine else None,
        "trust": believed.level,
        "trust_because": _clean(believed.because),
        "version": raw.glimpse.version,
        "size": len(raw.raw),
        "content_hash": message.content_hash,
    }


def _enclosed(message: MailMessage) -> str | None:
    """What forwarded mails say that were enclosed as files."""
    said = "\n\n".join(own_words(each.new_text).text for each in message.enclosed)
    return _clean(said)[:LONGEST_BODY_CHARACTERS] or None


def _clean(text: str) -> str:
    """PostgreSQL has no place for NUL, UTF-8 none for half a surrogate pair."""
    if text.isascii() and "\0" not in text:
        return text
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
