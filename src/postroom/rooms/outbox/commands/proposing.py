"""Proposing a mail: a reply, a new one, or a forward with its files. It waits for a person, whoever proposes it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.mail.html import text_to_html
from postroom.mail.outgoing import clean_addresses, clean_subject
from postroom.nouns import facts
from postroom.nouns.archive_keys import outgoing_key
from postroom.nouns.errors import BadRequest, Conflict, Gone, NotFound, StaleRevision
from postroom.nouns.ids import MailboxId, new_id
from postroom.nouns.provider_traits import traits
from postroom.nouns.providers import ProviderRef
from postroom.rooms.outbox import telling
from postroom.rooms.outbox.commands.looking import one_proposal
from postroom.rooms.outbox.ports import ProposingPorts
from postroom.rooms.outbox.rules.guards import AnsweredMail, objection_to_recipients, plain
from postroom.rooms.outbox.rules.mails import (
    LONGEST_BODY,
    MailKind,
    ProposedFile,
    ProposedMail,
    check_mail,
    clean_text,
    forward_subject,
    proposal_hash,
    reply_subject,
)
from postroom.rooms.outbox.rules.second_person import second_person_because
from postroom.rooms.outbox.rules.states import DECIDABLE, too_late
from postroom.rooms.outbox.rules.timing import proposal_expires
from postroom.rooms.outbox.store import approvals, proposals, sources
from postroom.rooms.outbox.store.proposals import MailProposal, NewProposal, ProposalCase
from postroom.rooms.outbox.store.sources import SourceMessage, ThreadHead


@dataclass(frozen=True, slots=True)
class WantedFile:
    """A file of a message that we hold."""

    message_id: UUID
    sha256: str


@dataclass(frozen=True, slots=True)
class WantedMail:
    """A mail that somebody wants to go out. A reply and a forward name a message; a new mail, where there are several,
    the mailbox it leaves. Without recipients a reply goes where the message asks for answers."""

    body: str
    kind: MailKind = "new"
    mailbox_id: UUID | None = None
    message_id: UUID | None = None
    to: Sequence[str] = ()
    cc: Sequence[str] = ()
    bcc: Sequence[str] = ()
    subject: str | None = None
    files: Sequence[WantedFile] | None = None  # none: a forward takes all of its message, others take none
    quotes: bool = True  # a forward gets the words of its message below `body`; not if they stand there already


@dataclass(frozen=True, slots=True)
class MailChanges:
    """What is other than before; none stays as it is."""

    to: Sequence[str] | None = None
    cc: Sequence[str] | None = None
    bcc: Sequence[str] | None = None
    subject: str | None = None
    body: str | None = None
    files: Sequence[WantedFile] | None = None


@dataclass(frozen=True, slots=True)
class _Source:
    mailbox_id: MailboxId
    message: SourceMessage | None
    head: ThreadHead | None


async def propose(
    scope: TenantScope, outside: ProposingPorts, wanted: WantedMail, origin: str = "person"
) -> MailProposal:
    """Keeps it and sends nothing. `origin` is `program` when no person asked. Raises BadRequest with a sentence."""
    source = await _source(scope, wanted)
    proposal_id = new_id()
    files = await _files(scope, outside, proposal_id, _wanted_files(wanted, source.message))
    mail = _mail(wanted, source.message, files)
    answers = source.message.ref if source.message and wanted.kind == "reply" else None
    head = source.head if wanted.kind == "reply" else None
    async with scope.finish() as tx:
        await _require_allowed(tx, wanted.kind, mail, source.message)
        policy = await proposals.sending_policy(tx)
        thread_id = source.message.thread_id if source.message and wanted.kind == "reply" else None
        people = await approvals.known_people(tx, thread_id, mail.recipients)
        reasons = second_person_because(mail, people, policy)
        new = NewProposal(
            id=proposal_id,
            mailbox_id=source.mailbox_id,
            kind=wanted.kind,
            origin=origin,
            mail=mail,
            hash=proposal_hash(source.mailbox_id, mail, answers, head.ref if head else None),
            proposed_by=scope.actor,
            needed=2 if reasons else 1,
            needed_because=reasons,
            expires_at=proposal_expires(policy, scope.now),
            thread_id=thread_id,
            message_id=source.message.id if source.message else None,
            answers=answers,
            head=head.ref if head else None,
            head_at=head.at if head else None,
        )
        await telling.make(tx, scope, new)
    return await one_proposal(scope, proposal_id)


async def revise(
    scope: TenantScope, outside: ProposingPorts, proposal_id: UUID, hash_: str, changes: MailChanges
) -> MailProposal:
    """Other words, recipients or files. Every yes to what it said before is void.

    Raises StaleRevision when it is not what the caller saw, Conflict when it is over or is a draft in the mailbox.
    """
    async with scope.read() as tx:
        seen = await proposals.proposal_case(tx, proposal_id, scope.now)
        await _require_changeable(tx, seen, proposal_id, hash_)
    assert seen is not None
    files: Sequence[ProposedFile] = seen.mail.files
    if changes.files is not None:
        files = await _files(scope, outside, proposal_id, changes.files)
    mail = _changed(seen.mail, changes, files)
    async with scope.finish() as tx:
        case = await proposals.proposal_case(tx, proposal_id, scope.now, lock=True)
        await _require_changeable(tx, case, proposal_id, hash_)
        assert case is not None
        _refuse(objection_to_recipients(case.kind, mail.recipients, case.own_addresses, case.answered))
        await _keep_change(tx, scope, case, mail)
    return await one_proposal(scope, proposal_id)


async def _keep_change(tx: Tx, scope: TenantScope, case: ProposalCase, mail: ProposedMail) -> None:
    hash_ = proposal_hash(case.mailbox_id, mail, case.answers, case.head)
    if hash_ == case.hash:
        return
    people = await approvals.known_people(tx, case.thread_id, mail.recipients)
    reasons = second_person_because(mail, people, case.sending)
    version = await proposals.change(tx, scope.tenant_id, case, mail, hash_, reasons, scope.actor, scope.now)
    if version is None:
        raise StaleRevision("Somebody changed or approved it meanwhile: look again.")
    ended = await approvals.end(tx, case.id, "It was changed.", scope.now)
    told = facts.ProposalChanged(
        **telling.about(scope, case), before=case.hash, after=hash_, version=version, ended=ended
    )
    await scope.tell(tx, told)
    if case.origin == "program":
        edited = facts.ReplyEdited(**telling.about(scope, case), draft_id=None, how="console", by=scope.actor)
        await scope.tell(tx, edited)


async def _require_changeable(tx: Tx, case: ProposalCase | None, proposal_id: UUID, hash_: str) -> None:
    if case is None:
        raise NotFound(f"There is no proposal {proposal_id}.")
    if case.status not in DECIDABLE:
        raise Conflict("Take the approval back first." if case.status == "approved" else too_late(case.status))
    if case.draft_id is not None:
        raise Conflict("It stands in the mailbox as a draft: change that draft, and the proposal follows.")
    if hash_ != case.hash:
        raise await proposals.stale(tx, proposal_id, hash_)


def _changed(mail: ProposedMail, changes: MailChanges, files: Sequence[ProposedFile]) -> ProposedMail:
    text = mail.text if changes.body is None else clean_text(changes.body)
    made = replace(
        mail,
        to=mail.to if changes.to is None else clean_addresses(changes.to),
        cc=mail.cc if changes.cc is None else clean_addresses(changes.cc),
        bcc=mail.bcc if changes.bcc is None else clean_addresses(changes.bcc),
        subject=mail.subject if changes.subject is None else clean_subject(changes.subject),
        text=text,
        html=text_to_html(text),
        files=tuple(files),
    )
    return check_mail(made)


async def _source(scope: TenantScope, wanted: WantedMail) -> _Source:
    async with scope.read() as tx:
        if wanted.kind == "new":
            return _Source(await _mailbox(tx, wanted.mailbox_id), None, None)
        message = await sources.source_message(tx, wanted.message_id) if wanted.message_id else None
        if message is None:
            raise BadRequest("A reply and a forward name a message that is here.")
        if message.state != "arrived" or message.forgotten_at is not None:
            raise BadRequest("The message is not kept here any more: answer it in the mail program.")
        head = await sources.newest_of_thread(tx, message.thread_id) if message.thread_id else None
    if wanted.mailbox_id not in (None, message.mailbox_id):
        raise BadRequest("The message is in another mailbox than the one that is named.")
    return _Source(message.mailbox_id, message, head)


async def _mailbox(tx: Tx, mailbox_id: UUID | None) -> MailboxId:
    found = await sources.sending_mailboxes(tx, mailbox_id)
    if not found:
        raise BadRequest("There is no such mailbox here." if mailbox_id else "No mailbox is connected yet.")
    if len(found) > 1:
        raise BadRequest("Say which mailbox it leaves: there are several.")
    if "send" not in traits(found[0].provider).capabilities:
        raise BadRequest(f"{found[0].address} can only be read: nothing is sent from it.")
    return found[0].id


def _mail(wanted: WantedMail, message: SourceMessage | None, files: Sequence[ProposedFile]) -> ProposedMail:
    to: Sequence[str] = wanted.to
    subject, text = wanted.subject or "", clean_text(wanted.body)
    if message is not None and wanted.kind == "reply":
        to = to or message.answer_to
        subject = subject or reply_subject(message.subject or "")
    if message is not None and wanted.kind == "forward":
        subject = subject or forward_subject(message.subject or "")
        text = _with_forwarded(text, message) if wanted.quotes else text
    made = ProposedMail(
        to=clean_addresses(to),
        subject=clean_subject(subject),
        text=text,
        html=text_to_html(text),
        cc=clean_addresses(wanted.cc),
        bcc=clean_addresses(wanted.bcc),
        files=tuple(files),
    )
    return check_mail(made)


def _with_forwarded(text: str, message: SourceMessage) -> str:
    both = f"{text.rstrip()}\n\n{_forwarded(message)}"
    if len(both) > LONGEST_BODY >= len(text):
        raise BadRequest(
            f"The mail to be forwarded is too long: with your words it has {len(both):,} letters, and a mail takes up "
            f"to {LONGEST_BODY:,}. Forward it in the mail program."
        )
    return both


def _forwarded(message: SourceMessage) -> str:
    head = [
        "---------- Forwarded message ----------",
        f"From: {message.sender}",
        f"Date: {message.received_at:%Y-%m-%d %H:%M} UTC" if message.received_at else "",
        f"Subject: {message.subject or ''}",
        f"To: {message.to}",
    ]
    return "\n".join([*(line for line in head if line), "", message.body or ""])


def _wanted_files(wanted: WantedMail, message: SourceMessage | None) -> Sequence[WantedFile]:
    if wanted.files is not None:
        return wanted.files
    if wanted.kind != "forward" or message is None:
        return ()
    return [WantedFile(message.id, each["sha256"]) for each in message.attachments if not each.get("inline")]


async def _files(
    scope: TenantScope, outside: ProposingPorts, proposal_id: UUID, wanted: Sequence[WantedFile]
) -> list[ProposedFile]:
    """Fetched from their mailboxes and kept: what is approved is what is sent, whatever becomes of the message."""
    found = []
    for message_id in dict.fromkeys(each.message_id for each in wanted):
        hashes = [each.sha256 for each in wanted if each.message_id == message_id]
        async with scope.read() as tx:
            message = await sources.source_message(tx, message_id)
        if message is None:
            raise BadRequest(f"There is no message {message_id} to take a file from.")
        found += await _from_message(scope, outside, proposal_id, message, hashes)
    return found


async def _from_message(
    scope: TenantScope, outside: ProposingPorts, proposal_id: UUID, message: SourceMessage, hashes: Sequence[str]
) -> list[ProposedFile]:
    known = {each["sha256"] for each in message.attachments}
    if missing := [each for each in hashes if each not in known]:
        raise BadRequest(f"The message has no file with the hash {missing[0]}.")
    raw = await outside.fetcher.fetch(scope.tenant_id, message.mailbox_id, ProviderRef(message.ref))
    mail = await outside.reader.aread_mail(raw.raw, tenant=scope.tenant_id)
    files = []
    for sha256 in hashes:
        file = next((each for each in mail.attachments if each.sha256 == sha256), None)
        if file is None:
            raise Gone("The file is not in the mail any more.")
        key = outgoing_key(scope.tenant_id, proposal_id, sha256)
        await outside.archive.put_if_absent(key, file.content, {}, "application/octet-stream")
        if hashlib.sha256(await outside.archive.get(key)).hexdigest() != sha256:
            raise Conflict(f"{file.filename} could not be kept: look after the archive.")
        files.append(ProposedFile(file.filename, file.sniffed_type, file.size, sha256, key, message.id))
    return files


async def _require_allowed(tx: Tx, kind: MailKind, mail: ProposedMail, message: SourceMessage | None) -> None:
    ours = frozenset(plain(each) for each in await sources.own_addresses(tx))
    answered = AnsweredMail(message.automatic) if message is not None and kind == "reply" else None
    _refuse(objection_to_recipients(kind, mail.recipients, ours, answered))


def _refuse(objection: str | None) -> None:
    if objection is not None:
        raise BadRequest(objection)
