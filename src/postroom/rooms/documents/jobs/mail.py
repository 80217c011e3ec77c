"""The documents of a message: claimed in the shared ledger, read, archived, routed, and accounted for."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import ClassVar

from postroom.db.pool import Tx
from postroom.engine import ledger, pipeline
from postroom.engine import retry_policy as retry
from postroom.engine.pipeline import PipelineClaim, Settlement
from postroom.engine.work import ClaimLost, Work
from postroom.engine.worker import works
from postroom.mail.attachments import Dropped, sift
from postroom.mail.bodies import BODY, body_file
from postroom.mail.packing import unpack
from postroom.mail.relevance import worth_reading
from postroom.mail.trust import trust, trusted_authserv
from postroom.nouns import facts
from postroom.nouns.errors import Gone, KilledItsWorkers, PostroomError
from postroom.nouns.ids import DocumentId, MailboxId, MessageId, new_id
from postroom.nouns.jobs import Job
from postroom.nouns.mail import Attachment, MailMessage, Trust
from postroom.nouns.mailbox_rules import MailboxRules
from postroom.nouns.pipelines import PIPELINES, Disposition, DispositionStatus, pipeline_of
from postroom.nouns.providers import ProviderRef
from postroom.rooms.documents.jobs.recording import record
from postroom.rooms.documents.jobs.understanding import File, Understood, archive, understand
from postroom.rooms.documents.ports import DocumentPorts
from postroom.rooms.documents.rules.bodies import any_carries, is_document
from postroom.rooms.documents.rules.mail import Outcome, dispose, source_of
from postroom.rooms.documents.store import documents
from postroom.rooms.documents.store.beside import ReadingContext, reading_context
from postroom.rooms.documents.store.documents import Handled, Letter, NewDocument

TIME_LIMIT = timedelta(minutes=12)  # below the ledger's lease, so that we never work on what we lost
OUR_LIMIT = TIME_LIMIT - timedelta(seconds=20)  # ends in time to write down that it took too long
NOTHING_CLAIMED = PipelineClaim()
LEFT_TO_MACHINES = ("bounce", "report")
TO_READ = ("failed", "waiting")


class ReadDocuments(Job, frozen=True):
    """Read what a message brought. `again`: once more what could not be read before."""

    kind: ClassVar[str] = "documents.read"
    by_key: ClassVar[bool] = True
    holds_lane: ClassVar[bool] = False
    time_limit: ClassVar[timedelta] = TIME_LIMIT
    takes_payload: ClassVar[bool] = True  # the mail, read
    stage: ClassVar[str | None] = "documents"
    message_id: MessageId
    mailbox_id: MailboxId
    again: bool = False
    body: bool = False  # its text may be a document, even if no file came with it

    @property
    def key(self) -> str:
        return str(self.message_id)

    @property
    def lane(self) -> str:
        return f"documents:{self.message_id}"


@dataclass(frozen=True, slots=True)
class Case:
    """What we know before anything is fetched."""

    letter: Letter
    handled: Sequence[Handled]
    claimed: PipelineClaim = NOTHING_CLAIMED

    @property
    def pipelines(self) -> list[str]:
        return [name for name in self.letter.pipelines if name in PIPELINES]

    @property
    def ledger_id(self) -> str:
        letter = self.letter
        moved = letter.came_from_another_tenant
        return ledger.known_as(letter.provider, letter.mailbox_id, letter.provider_message_id, moved=moved)


@dataclass(frozen=True, slots=True)
class Contents:
    """The files of a mail: to be read, put aside with a reason, and left out altogether."""

    files: Sequence[File]
    aside: Sequence[Understood]
    dropped: Sequence[str]


async def _give_up(job: ReadDocuments, work: Work[DocumentPorts], reason: Exception) -> None:
    case = await _gather(job, work)
    if case is None or not case.pipelines:
        return
    case = await _claim(job, work, case)
    if case.claimed.ours:
        with contextlib.suppress(KilledItsWorkers):
            async with _failure_recorded(work, case):
                raise reason


@works(ReadDocuments, gives_up=_give_up)
async def read_documents(job: ReadDocuments, work: Work[DocumentPorts]) -> None:
    case = await _gather(job, work)
    if case is None or not case.pipelines:
        work.concluded("nothing_to_do", "The message is gone, or its mailbox has no pipeline.")
        return
    if why := _nothing_to_read(job, case.letter):
        await _filter(work, case, *why)
        return
    case = await _claim(job, work, case)
    if not case.claimed.ours:
        work.concluded("left_to_others", pipeline.BY_THE_OTHER_SIDE)
        async with work.finish() as tx:
            await _give_up_waiting(tx, work, case, pipeline.BY_THE_OTHER_SIDE)
            await pipeline.leave_to_the_others(tx, work.tenant_id, case.letter.id, case.claimed.theirs, work.now)
        return
    async with _failure_recorded(work, case), work.in_flight.hold():
        await _read(work, case)


async def _gather(job: ReadDocuments, work: Work[DocumentPorts]) -> Case | None:
    letter = await documents.look_up_letter(work.db, work.tenant_id, job.message_id)
    if letter is None:
        return None
    work.about(letter.walk)
    return Case(letter, letter.handled) if letter.state == "arrived" else None


def _nothing_to_read(job: ReadDocuments, letter: Letter) -> tuple[str, str] | None:
    """Known from what the message says of itself: no need to fetch it."""
    if letter.automatic in LEFT_TO_MACHINES:
        return "automatic", f"A machine wrote it ({letter.automatic}); such mail brings no documents."
    if not letter.attachments and not (job.body or job.again):
        return "no_document", "The mail has no document with it."
    return None


async def _claim(job: ReadDocuments, work: Work[DocumentPorts], case: Case) -> Case:
    """Claims the mail in the shared ledger, for every pipeline at once or for none."""
    again = job.again and bool(case.handled)
    async with work.step() as tx:
        claimed = await pipeline.claim(tx, work.tenant_id, _mail(case), case.pipelines, again=again)
    return replace(case, claimed=claimed)


def _mail(case: Case) -> ledger.LedgerMail:
    letter = case.letter
    return ledger.LedgerMail(
        case.ledger_id, letter.mailbox_email, letter.sender_email, letter.received_at, letter.subject
    )


@contextlib.asynccontextmanager
async def _failure_recorded(work: Work[DocumentPorts], case: Case) -> AsyncIterator[None]:
    """When nothing more will be tried, the ledger and the message say so; the engine keeps the job aside."""
    try:
        async with asyncio.timeout(OUR_LIMIT.total_seconds()):
            yield
    except ClaimLost:
        raise
    except Exception as error:
        step = retry.next_step(error, tries=work.tries, waits=0, chance=0.0)
        if isinstance(step, retry.Quarantine | retry.Stop):
            because = _said(error)
            async with work.step() as tx:
                await _give_up_waiting(tx, work, case, because)
                await _settle(tx, work, case, _for_all(case, "failed", "error", because), [])
        elif isinstance(step, retry.Park):  # for days, perhaps: the other side of the ledger need not wait for a person
            async with work.step() as tx:
                await pipeline.release(tx, case.ledger_id, case.claimed, f"Waits for a person: {_said(error)}")
        raise


def _said(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return f"Reading its documents took longer than {OUR_LIMIT.total_seconds() / 60:.0f} minutes."
    return str(error) if isinstance(error, PostroomError) else f"A fault of ours ({type(error).__name__}): {error}"


async def _read(work: Work[DocumentPorts], case: Case) -> None:
    letter = case.letter
    try:
        message = await _message(work, letter)
    except Gone as gone:
        await _close(work, case, [], [], f"Deleted at the source before it was read: {gone}", gone=True)
        return
    rules = letter.rules
    relevant = worth_reading(message, rules, case.pipelines)
    if not relevant.keep:
        await _filter(work, case, "relevance", relevant.because)
        return
    contents = _contents(case, message, rules)
    files, context = contents.files, await _context(work, letter, contents.files)
    read = await understand(work, files, context)
    if not _carried(case, [*read, *contents.aside]) and (body := _body(case, message, rules)):
        told = await understand(work, body, await _context(work, letter, body))
        if told := [each for each in told if _worth_showing(each)]:
            files, read = [*files, *body], [*read, *told]
    believed = [_not_for_us(case, _trusted(case, message, each, context.allowed)) for each in read]
    kept = await archive(work, files, believed, context)
    await _close(work, case, [*kept, *contents.aside], contents.dropped, relevant.because)


async def _context(work: Work[DocumentPorts], letter: Letter, files: Sequence[File]) -> ReadingContext:
    hashes = {each.document.sha256 for each in files}
    return await reading_context(work.db, work.tenant_id, letter.sender_email, hashes, but_message=letter.id)


async def _message(work: Work[DocumentPorts], letter: Letter) -> MailMessage:
    """As it travelled with the job; else fetched, and read, once more."""
    packed = await work.payload()
    if packed is not None and (message := unpack(packed)) is not None:
        return message
    raw = await work.outside.fetcher.fetch(work.tenant_id, letter.mailbox_id, ProviderRef(letter.provider_message_id))
    await work.in_flight.admit(len(raw.raw))
    return await work.outside.reader.aread_mail(raw.raw, tenant=work.tenant_id)


def _contents(case: Case, message: MailMessage, rules: MailboxRules) -> Contents:
    """What was read before stays as it is; what failed before is tried under its old id."""
    before = {each.attachment_path: each for each in case.handled}
    paths = _paths(message.attachments)
    sifted = sift(message, rules)
    files = [
        File(
            _document(case, kept.attachment, path, before.get(path)),
            kept.attachment.content,
            case.letter.provider_message_id,
        )
        for kept in sifted.kept
        if (path := paths[id(kept.attachment)]) not in before or before[path].status in TO_READ
    ]
    aside = [
        Understood(_put_aside(_document(case, drop.attachment, path, before.get(path)), drop))
        for drop in sifted.dropped
        if _worth_telling(drop, rules)
        and ((path := paths[id(drop.attachment)]) not in before or before[path].status in TO_READ)
    ]
    dropped = [f"{drop.attachment.filename}: {drop.because}" for drop in sifted.dropped]
    return Contents(files, aside, dropped)


def _body(case: Case, message: MailMessage, rules: MailboxRules) -> list[File]:
    """The text of the mail, if it may be a document and was not read before."""
    before = {each.attachment_path: each for each in case.handled}.get(BODY)
    found = None if rules.attachments_only else body_file(message, case.pipelines)
    if found is None or (before is not None and before.status not in TO_READ):
        return []
    return [File(_document(case, found, BODY, before), found.content, case.letter.provider_message_id)]


def _carried(case: Case, read: Sequence[Understood]) -> bool:
    """Whether a file is the document: then the text beside it only speaks of it."""
    now = [
        (file.attachment_path, file.kind, file.status, each.extraction.tells_of if each.extraction else None)
        for each in read
        for file in (each.document,)
    ]
    before = [(each.attachment_path, each.kind, each.status, each.tells_of) for each in case.handled]
    return any_carries([*now, *before])


def _worth_showing(body: Understood) -> bool:
    """A text that could not be read may be one; a letter that only mentions a trade or a bill is none."""
    return body.extraction is None or is_document(body.extraction)


def _worth_telling(drop: Dropped, rules: MailboxRules) -> bool:
    """Logos and signatures are dropped in silence; what could have been a document is shown with its reason."""
    return bool(drop.attachment.flaw) or drop.attachment.size > rules.max_bytes


def _put_aside(document: NewDocument, drop: Dropped) -> NewDocument:
    if drop.attachment.flaw:
        return replace(document, status="failed", failure="container", because=drop.because)
    return replace(document, status="skipped", because=drop.because)


def _paths(attachments: Sequence[Attachment]) -> dict[int, str]:
    """One path for each attachment: two files of one name in one archive are told apart by their number."""
    seen: Counter[str] = Counter()
    paths = {}
    for attachment in attachments:
        path = " / ".join(attachment.path) or attachment.filename
        seen[path] += 1
        paths[id(attachment)] = path if seen[path] == 1 else f"{path} #{seen[path]}"
    return paths


def _document(case: Case, attachment: Attachment, path: str, before: Handled | None) -> NewDocument:
    letter = case.letter
    return NewDocument(
        id=before.id if before else DocumentId(new_id()),
        message_id=letter.id,
        mailbox_id=letter.mailbox_id,
        attachment_path=path,
        filename=attachment.filename,
        content_type=attachment.sniffed_type,
        size=attachment.size,
        sha256=attachment.sha256,
        source=source_of(letter.provider, letter.source),
        source_metadata={
            "provider": letter.provider,
            "message_id": letter.provider_message_id,
            "from": letter.sender_email,
            "subject": letter.subject,
            "received_at": letter.received_at.isoformat(),
            "attachment_filename": attachment.filename,
        },
        sender_email=letter.sender_email,
        received_at=letter.received_at,
        trust=Trust("unknown", "The sender was not looked at."),
    )


def _trusted(case: Case, message: MailMessage, each: Understood, allow_lists: dict[str, list[str]]) -> Understood:
    """The receiving service's word about the sender, and the allow-list of the pipeline this document is for."""
    wanted_by = pipeline_of(each.document.kind)
    lists = [allow_lists.get(wanted_by, [])] if wanted_by else list(allow_lists.values())
    allowed = [entry for entries in lists for entry in entries]
    verdict = trust(message, allowed, trusted_authserv(case.letter.provider))
    return replace(each, document=replace(each.document, trust=verdict))


def _not_for_us(case: Case, each: Understood) -> Understood:
    wanted_by = pipeline_of(each.document.kind)
    if each.extraction is None or wanted_by is None or wanted_by in case.claimed.ours:
        return each
    why = f"{case.letter.mailbox_email} does not take part in {wanted_by}."
    if wanted_by in case.claimed.theirs:
        why = pipeline.BY_THE_OTHER_SIDE
    return replace(each, document=replace(each.document, status="skipped", because=why))


def _for_all(case: Case, status: DispositionStatus, rule: str | None, because: str) -> list[Disposition]:
    return [Disposition(name, status, rule, because) for name in case.claimed.ours or case.pipelines]


async def _filter(work: Work[DocumentPorts], case: Case, rule: str, because: str) -> None:
    """Nothing here for any pipeline: said in the ledger too, where nobody else is at it."""
    async with work.finish() as tx:
        if not case.claimed.ours:
            free = await pipeline.claim_free(tx, work.tenant_id, _mail(case), case.pipelines)
            case = replace(case, claimed=PipelineClaim(tuple(free)))
        verdicts = [Disposition(name, "filtered", rule, because) for name in case.pipelines]
        verdicts = [each for each in verdicts if each.pipeline not in case.claimed.theirs]
        await _give_up_waiting(tx, work, case, because)
        await _settle(tx, work, case, verdicts, [])
        work.concluded("filtered", because)
        await work.tell(tx, _sifted(case, 0, [], verdicts, because))


async def _close(
    work: Work[DocumentPorts],
    case: Case,
    understood: Sequence[Understood],
    dropped: Sequence[str],
    because: str,
    *,
    gone: bool = False,
) -> None:
    async with work.finish() as tx:
        outcomes = await record(tx, work, understood)
        await _give_up_waiting(tx, work, case, "It was to be read once more. " + because)
        done_now = {each.document.id for each in understood}
        outcomes += [_as_before(each) for each in case.handled if each.id not in done_now]
        verdicts = [dispose(name, outcomes, dropped) for name in case.claimed.ours]
        if gone:
            verdicts = _for_all(case, "deleted", None, because)
        await _settle(tx, work, case, verdicts, outcomes)
        _note(work, understood, dropped)
        work.concluded("deleted" if gone else "processed", because)
        await work.tell(tx, _sifted(case, len(understood), list(dropped), verdicts, because))


async def _give_up_waiting(tx: Tx, work: Work[DocumentPorts], case: Case, because: str) -> None:
    """Of what was to be read once more, and was not. What a person asks for from now on has a job of its own."""
    if any(each.status == "waiting" for each in case.handled):
        await documents.give_up_waiting(tx, case.letter.id, because, work.now)


def _note(work: Work[DocumentPorts], understood: Sequence[Understood], dropped: Sequence[str]) -> None:
    """For the audit: what was read, and which model was asked."""
    work.retrieved([each.document.id for each in understood], searched=len(understood) + len(dropped))
    opinions = [each.extraction.opinion for each in understood if each.extraction and each.extraction.opinion]
    if opinions:
        work.answered_by(opinions[0].model, answers=len(opinions))


def _as_before(handled: Handled) -> Outcome:
    return Outcome(
        handled.filename, handled.kind, handled.status, handled.because, handled.trades, handled.archive_path
    )


async def _settle(
    tx: Tx, work: Work[DocumentPorts], case: Case, verdicts: Sequence[Disposition], outcomes: Sequence[Outcome]
) -> None:
    """Success or failure in the shared ledger, and the same for people to see."""
    settled = [_settlement(verdict, outcomes) for verdict in verdicts]
    await pipeline.settle(tx, work.tenant_id, case.letter.id, case.ledger_id, settled, case.claimed, work.now)


def _settlement(verdict: Disposition, outcomes: Sequence[Outcome]) -> Settlement:
    mine = [each for each in outcomes if pipeline_of(each.kind) == verdict.pipeline and each.status != "failed"]
    paths = [each.archive_path for each in mine if each.archive_path]
    return Settlement(verdict, len(mine), sum(each.trades for each in mine), paths)


def _sifted(
    case: Case, kept: int, dropped: list[str], verdicts: Sequence[Disposition], because: str
) -> facts.MessageSifted:
    return facts.MessageSifted(
        message_id=case.letter.id,
        mailbox_id=case.letter.mailbox_id,
        kept=kept,
        dropped=dropped[:50],
        outcome={verdict.pipeline: verdict.status for verdict in verdicts},
        because=because,
        client_book=case.letter.client_book,
    )
