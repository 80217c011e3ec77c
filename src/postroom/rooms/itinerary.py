"""The walk, on one page: which jobs each fact sets in motion. A fact that is not silent must have its line."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import assert_never

from postroom.nouns import facts
from postroom.nouns.ids import DocumentId, MailboxId, MessageId, ThreadId
from postroom.nouns.jobs import Enqueue, Job, Priority
from postroom.rooms.clients.jobs import MapClient, MapEarlierMail, ReconsiderTriage
from postroom.rooms.documents.jobs import LearnProfile, ReadDocuments, ReadUpload, RelearnProfile
from postroom.rooms.mailboxes.jobs import EndOutage, KeepWatch, NoteOutage, NoteTrouble
from postroom.rooms.outbox.jobs import NoteBounce, SendProposal, StopSending, TendProposals
from postroom.rooms.replies.jobs import DiscardDraft, DraftAgain, DraftReply, KeepAnswer, RecheckDrafts
from postroom.rooms.sync.jobs import FollowOutgoing, ReconcileMailbox, ResyncMailbox, SyncMailbox
from postroom.rooms.triage.jobs import SetThreadState, TriageMailbox, TriageThread
from postroom.rooms.triage.rules.planning import DISCARDED

FILES_ARE_READ_WITHIN = timedelta(seconds=5)  # mostly
PAPERS_COME_WITHIN = timedelta(seconds=2)  # of one folder: the drafts are looked through once
ARRIVALS_ARE_KEPT_WITHIN = timedelta(seconds=2)  # of those that came while there was no book yet


def next_jobs(fact: facts.Fact) -> Sequence[Job | Enqueue]:  # noqa: C901 - one page, one case for each fact
    match fact:
        case facts.MailboxConnected() | facts.MailboxResumed():
            mailbox = MailboxId(fact.mailbox_id)
            back = [KeepWatch(mailbox), SyncMailbox(mailbox), ReconcileMailbox(mailbox), TriageMailbox(mailbox)]
            return [*back, DraftAgain(mailbox), RecheckDrafts()]
        case facts.MailboxFolderChanged():
            mailbox = MailboxId(fact.mailbox_id)
            return [SyncMailbox(mailbox), ReconcileMailbox(mailbox)]
        case facts.NotificationReceived():
            return [SyncMailbox(MailboxId(fact.mailbox_id))]
        case facts.WatchNoticed(event="reauthorizationRequired"):
            return [KeepWatch(MailboxId(fact.mailbox_id), now=True)]
        case facts.WatchNoticed(event="subscriptionRemoved"):
            mailbox = MailboxId(fact.mailbox_id)
            return [KeepWatch(mailbox, lost=fact.watch_id, now=True), *_catch_up(mailbox, fact)]
        case facts.WatchNoticed():
            return _catch_up(MailboxId(fact.mailbox_id), fact)
        case facts.CursorLost():
            return [Enqueue(ResyncMailbox(MailboxId(fact.mailbox_id)), priority=Priority.LIVE)]
        case facts.ResyncDone():
            return [SyncMailbox(MailboxId(fact.mailbox_id))]
        case facts.CopilotSwitched() | facts.OperatorsChanged():
            mailbox = MailboxId(fact.mailbox_id)
            return [KeepWatch(mailbox), TriageMailbox(mailbox), FollowOutgoing(mailbox)]
        # Also what became of a draft of ours; one that nobody touched goes when a person sets the thread aside.
        case facts.ThreadTouched(what="sent" | "drafted" | "draft_removed") | facts.ThreadSetAside():
            mailbox, thread = MailboxId(fact.mailbox_id), ThreadId(fact.thread_id)
            return [TriageThread(mailbox, thread), DraftReply(mailbox, thread)]
        case facts.ThreadTouched():
            return [TriageThread(MailboxId(fact.mailbox_id), ThreadId(fact.thread_id))]
        case facts.ThreadTriaged(reason="latest_is_operator_sent"):
            mailbox, thread = MailboxId(fact.mailbox_id), ThreadId(fact.thread_id)
            drafts = [DraftReply(mailbox, thread)] if fact.copilot == "drafts" else []
            return [*drafts, KeepAnswer(mailbox, thread)]
        case facts.ThreadTriaged(copilot="drafts"):
            return [DraftReply(MailboxId(fact.mailbox_id), ThreadId(fact.thread_id))]
        case facts.DraftEnded(goes_on=True):
            return [DraftReply(MailboxId(fact.mailbox_id), ThreadId(fact.thread_id)), _tend_proposals(fact)]
        case facts.DraftWritten(state=state) | facts.DraftRestored(state=state):
            stands = [_stands(fact, state, fact.reason, fact.provider_message_id), _tend_proposals(fact)]
            again = [DraftReply(MailboxId(fact.mailbox_id), ThreadId(fact.thread_id))] if fact.outdated else []
            return [*stands, FollowOutgoing(MailboxId(fact.mailbox_id), closely=True), *again]
        case facts.EvidenceAdded() | facts.EvidenceRetired() | facts.AnswerLearned():
            return [Enqueue(RecheckDrafts(), after=PAPERS_COME_WITHIN)] if fact.outdated else []
        case facts.DraftBlocked():
            return [_stands(fact, "needs_review", fact.code, None), _tend_proposals(fact)]
        case facts.DraftEdited():
            return [_tend_proposals(fact)]
        case facts.DraftWithheld():
            return [_stands(fact, "needs_review", fact.reason, fact.provider_message_id)]
        case facts.DraftEnded(status="discarded"):
            return [_stands(fact, "needs_review", DISCARDED, fact.provider_message_id), _tend_proposals(fact)]
        case facts.DraftEnded():
            return [_tend_proposals(fact)]
        case facts.ThreadTriaged():
            return []
        case facts.ProposalApproved():
            return _send(fact)
        case facts.ReplySent(thread_id=None) | facts.ReplyDiscarded(draft_id=None):
            return []
        case facts.ReplySent(copilot="off", thread_id=thread_id) if thread_id is not None:
            return [DraftReply(MailboxId(fact.mailbox_id), ThreadId(thread_id))]
        case facts.ReplySent(thread_id=thread_id):
            assert thread_id is not None
            mailbox, thread = MailboxId(fact.mailbox_id), ThreadId(thread_id)
            return [TriageThread(mailbox, thread), DraftReply(mailbox, thread)]
        case facts.ReplyDiscarded(thread_id=thread_id, draft_id=draft_id):
            if thread_id is None or draft_id is None:
                return []
            return [DiscardDraft(MailboxId(fact.mailbox_id), ThreadId(thread_id), draft_id)]
        case facts.SendingChanged(switch="off"):
            return [StopSending()]
        case facts.MailboxSendingSwitched(sending="off"):
            return [StopSending(MailboxId(fact.mailbox_id))]
        case facts.SendingChanged() | facts.MailboxSendingSwitched():
            return []
        case facts.AttemptFailed(job_kind=TriageThread.kind | DraftReply.kind, outcome="quarantined"):
            return _show_error(fact)
        case facts.AttemptFailed(outcome="parked", mailbox_id=mailbox_id) if mailbox_id is not None:
            return [NoteTrouble(MailboxId(mailbox_id), fact.error_code, fact.error, fact.job_kind)]
        case facts.AttemptFailed(outcome="quarantined", error_class="transient", mailbox_id=mailbox_id) if mailbox_id:
            return [NoteOutage(MailboxId(mailbox_id), because=fact.error)]
        case facts.MailboxAnswers():
            return [EndOutage(MailboxId(fact.mailbox_id))]
        case facts.MessageArrived(pipelines=()):
            return [*_map_client(fact), *_triage(fact), *_bounce(fact)]
        case facts.MessageArrived():
            return [_read_documents(fact), *_map_client(fact), *_triage(fact), *_bounce(fact)]
        case facts.MessageSifted(kept=0) | facts.MessageSifted(client_book=False):
            return []
        case facts.MessageSifted():  # what its documents say counts as well
            return [MapClient(MessageId(fact.message_id), MailboxId(fact.mailbox_id))]
        case facts.BookImported() | facts.BookChanged(what="account", before=None):  # a new account
            return [ReconsiderTriage(), Enqueue(MapEarlierMail(), after=ARRIVALS_ARE_KEPT_WITHIN)]
        case facts.BookChanged() | facts.AccountsMerged() | facts.MappingPolicyChanged():
            return [ReconsiderTriage()]
        case facts.DocumentUploaded():
            return [ReadUpload(DocumentId(fact.document_id))]
        case facts.DocumentCorrected() | facts.DocumentChecked():
            return [LearnProfile(DocumentId(fact.document_id))]
        case facts.DocumentUndone(did="corrected" | "confirmed"):
            return [RelearnProfile(DocumentId(fact.document_id))]
        case facts.DocumentUndone():
            return []
        case facts.DocumentRetried(message_id=None):
            return [ReadUpload(DocumentId(fact.document_id))]
        case facts.DocumentRetried(message_id=message_id, mailbox_id=mailbox_id):
            assert message_id is not None
            assert mailbox_id is not None
            return [ReadDocuments(MessageId(message_id), MailboxId(mailbox_id), again=True)]
        case facts.AttemptFailed() | facts.SilentFact():
            return []
        case _:
            assert_never(fact)


def _read_documents(fact: facts.MessageArrived) -> Enqueue:
    """Also of what a machine wrote: the room says why it leaves it, so that every mail is accounted for."""
    past = fact.source in ("backfill", "import")
    job = ReadDocuments(MessageId(fact.message_id), MailboxId(fact.mailbox_id), body=fact.body)
    return Enqueue(job, priority=Priority.BACKFILL if past else Priority.LIVE)


def _map_client(fact: facts.MessageArrived) -> Sequence[Enqueue]:
    """Of a mail with files that are to be read, after that, since they count as well; but not for ever."""
    if not fact.client_book:  # once there is one, earlier mail is mapped as well
        return []
    past = fact.source in ("backfill", "import")
    thread = ThreadId(fact.thread_id) if fact.thread_id else None
    job = MapClient(MessageId(fact.message_id), MailboxId(fact.mailbox_id), thread)
    wait = FILES_ARE_READ_WITHIN if (fact.files or fact.body) and fact.pipelines else None
    return [Enqueue(job, priority=Priority.BACKFILL if past else Priority.LIVE, after=wait)]


def _triage(fact: facts.MessageArrived) -> Sequence[Enqueue]:
    if fact.copilot == "off" or fact.thread_id is None:
        return []
    past = fact.source in ("backfill", "import")
    job = TriageThread(MailboxId(fact.mailbox_id), ThreadId(fact.thread_id))
    return [Enqueue(job, priority=Priority.BACKFILL if past else Priority.LIVE)]


def _bounce(fact: facts.MessageArrived) -> Sequence[Job]:
    """It may be about a mail that we sent."""
    if fact.automatic != "bounce" or fact.source in ("backfill", "import"):
        return []
    return [NoteBounce(MessageId(fact.message_id), MailboxId(fact.mailbox_id))]


def _tend_proposals(
    fact: facts.DraftWritten | facts.DraftRestored | facts.DraftBlocked | facts.DraftEdited | facts.DraftEnded,
) -> Job:
    """What a draft says, and what became of it, holds for what is proposed of it."""
    return TendProposals(MailboxId(fact.mailbox_id), ThreadId(fact.thread_id))


def _send(fact: facts.ProposalApproved) -> Sequence[Enqueue]:
    if fact.send_at is None:  # a second person is missing
        return []
    thread = ThreadId(fact.thread_id) if fact.thread_id else None
    return [Enqueue(SendProposal(fact.proposal_id, MailboxId(fact.mailbox_id), thread), run_at=fact.send_at)]


def _show_error(fact: facts.AttemptFailed) -> Sequence[Job]:
    """A failure that outlived its retries is shown in people's mail program too."""
    if fact.mailbox_id is None or fact.thread_id is None:
        return []
    said = {"state": "error", "reason": fact.error_code, "because": fact.error, "error_code": fact.error_code}
    return [SetThreadState(MailboxId(fact.mailbox_id), ThreadId(fact.thread_id), **said)]  # type: ignore[arg-type]  # by their names


def _stands(
    fact: facts.DraftWritten | facts.DraftRestored | facts.DraftBlocked | facts.DraftWithheld | facts.DraftEnded,
    state: str | None,
    reason: str,
    newest: str | None,
) -> Job:
    """Where a thread stands is triage's to say; what became of its draft, ours."""
    said = {"state": state, "reason": reason, "because": fact.because, "newest_ref": newest}
    return SetThreadState(MailboxId(fact.mailbox_id), ThreadId(fact.thread_id), **said)  # type: ignore[arg-type]  # by their names


def _catch_up(mailbox: MailboxId, fact: facts.WatchNoticed) -> Sequence[Job]:
    """What the provider did not tell us of, we look for."""
    return [SyncMailbox(mailbox), ReconcileMailbox(mailbox, fact.since)]
