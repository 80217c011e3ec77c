"""Messages that were announced: fetched, parsed, and made ours, once; or accounted for as gone."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from postroom.db.pool import Tx
from postroom.engine.work import Work
from postroom.engine.worker import works
from postroom.nouns import facts
from postroom.nouns.errors import AccessRevoked, Gone, NeedsPerson, NotYet, Throttled, Transient
from postroom.nouns.ids import MessageId
from postroom.nouns.mail import Automatic, MailMessage, Trust
from postroom.nouns.providers import Glimpse, ProviderRef, RawMail
from postroom.ports import MailProvider
from postroom.rooms.sync import rules, store
from postroom.rooms.sync.jobs.definitions import SyncPorts, TakeIn, TakeInMany

IN_FLIGHT = 3  # of one handful; what a mailbox allows all workers together is the switchboard's business
BIG_MAIL = 200_000  # parsed as soon as it is there, so that its bytes are not held while the others come
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


@dataclass(frozen=True, slots=True)
class Trouble:
    """A message that could not be had this time."""

    letter: store.Letter
    reason: Exception


Outcome = Arrival | Departure | Trouble


@dataclass(frozen=True, slots=True)
class Handful:
    """What became of some messages that are recorded together."""

    outcomes: Sequence[Outcome]
    is_last: bool

    @property
    def grave(self) -> Exception | None:
        """What concerns the others as well: then none of them is asked for now."""
        reasons = [each.reason for each in self.outcomes if isinstance(each, Trouble) and not _its_own(each.reason)]
        return min(reasons, key=_gravity, default=None)

    @property
    def left_behind(self) -> list[MessageId]:
        return [each.letter.id for each in self.outcomes if isinstance(each, Trouble) and _its_own(each.reason)]


@works(TakeIn)
async def take_in(job: TakeIn, work: Work[SyncPorts]) -> None:
    for outcome in await _fetch_waiting(work, [job]):
        if isinstance(outcome, Trouble):
            raise outcome.reason
        async with work.finish() as tx:
            await _record(tx, work, [outcome])


@works(TakeInMany)
async def take_in_many(job: TakeInMany, work: Work[SyncPorts]) -> None:
    """What goes well is recorded even if another one fails. One that fails for a reason of its own goes on by itself;
    after a failure of the provider's they all do, so that the one that fails again fails alone."""
    by_id = {each.message_id: each for each in job.letters}
    if work.tries:
        waiting = await store.letters(work.db, work.tenant_id, list(by_id))
        async with work.finish() as tx:
            await work.enqueue(tx, *(by_id[each.id] for each in waiting))
        return
    async with contextlib.aclosing(_fetch_ahead(work, job.letters)) as handfuls:
        async for handful in handfuls:
            async with work.finish() if handful.is_last and not handful.grave else work.step() as tx:
                await _record(tx, work, handful.outcomes)
                await work.enqueue(tx, *(by_id[each] for each in handful.left_behind))
            if handful.grave:
                raise handful.grave


async def _fetch_ahead(work: Work[SyncPorts], letters: Sequence[TakeIn]) -> AsyncGenerator[Handful]:
    """Handful by handful: the next one is on its way while the last is recorded."""
    first, *others = rules.handfuls(letters)
    coming = asyncio.create_task(_fetch_waiting(work, first))
    try:
        for following in (*others, None):
            handful = Handful(await coming, is_last=following is None)
            if following and not handful.grave:
                coming = asyncio.create_task(_fetch_waiting(work, following))
            yield handful
    finally:
        coming.cancel()
        await asyncio.gather(coming, return_exceptions=True)


async def _fetch_waiting(work: Work[SyncPorts], wanted: Sequence[TakeIn]) -> list[Outcome]:
    """Of those that still wait to be taken in, what became of each."""
    known = {each.message_id: each.known for each in wanted}
    letters = await store.letters(work.db, work.tenant_id, list(known))
    if not letters:
        return []
    mailbox = letters[0]
    if mailbox.paused or mailbox.mailbox_status == "token_refresh_failed":
        raise AccessRevoked("The mailbox waits for a person.")
    if mailbox.mailbox_status == "disconnected":
        return [Departure(each, "The mailbox was disconnected before the message could be read.") for each in letters]
    provider = await work.outside.open_mailbox(work.tenant_id, mailbox.mailbox_id)
    gate = asyncio.Semaphore(IN_FLIGHT)

    async def one(letter: store.Letter) -> Fetched | Outcome:
        async with gate:
            try:
                fetched = await _fetch(work, provider, letter, known[letter.id])
            except Exception as problem:  # noqa: BLE001 - whatever it is, the others are recorded all the same
                return Trouble(letter, problem)
            if isinstance(fetched, Fetched) and len(fetched.raw.raw) > BIG_MAIL:
                return (await asyncio.to_thread(_parse_all, work.outside, [fetched]))[0]
            return fetched

    fetched = await asyncio.gather(*(one(letter) for letter in letters))
    mails = [each for each in fetched if isinstance(each, Fetched)]
    parsed = await asyncio.to_thread(_parse_all, work.outside, mails)
    return [*parsed, *(each for each in fetched if not isinstance(each, Fetched))]


def _parse_all(outside: SyncPorts, mails: Sequence[Fetched]) -> list[Outcome]:
    """Beside the event loop, all in one go. One that defies parsing spoils nobody else's."""
    parsed: list[Outcome] = []
    for mail in mails:
        try:
            parsed.append(_parse(outside, mail))
        except Exception as problem:  # noqa: BLE001 - whatever it is, it is this mail's own
            parsed.append(Trouble(mail.letter, problem))
    return parsed


def _parse(outside: SyncPorts, mail: Fetched) -> Arrival:
    message = outside.read_mail(mail.raw.raw)
    automatic, trust = outside.automatic(message), outside.trust(message, mail.letter.provider)
    return Arrival(mail.letter, _columns(mail.letter, mail.raw, message, automatic, trust))


def _its_own(reason: Exception) -> bool:
    """Whether it is a matter of this message alone, as far as one can tell."""
    return isinstance(reason, NotYet) or not isinstance(reason, Transient | NeedsPerson)


def _gravity(reason: Exception) -> int:
    """What concerns the whole mailbox decides how they go on together."""
    return 0 if isinstance(reason, NeedsPerson) else 1 if isinstance(reason, Throttled) else 2


async def _fetch(
    work: Work[SyncPorts], provider: MailProvider, letter: store.Letter, known: Glimpse | None
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


async def _record(tx: Tx, work: Work[SyncPorts], outcomes: Sequence[Outcome]) -> None:
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


async def _record_gone(tx: Tx, work: Work[SyncPorts], letter: store.Letter, because: str) -> None:
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
    if text.isascii() and "\0" not in text:
        return text
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
