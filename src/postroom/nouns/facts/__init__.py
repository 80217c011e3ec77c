"""The catalogue of facts: what happened, by the room that tells it."""

from __future__ import annotations

from postroom.nouns.facts.base import FactBase, SilentFact
from postroom.nouns.facts.clients import (
    AccountsMerged,
    BookChanged,
    BookImported,
    ClientMapped,
    ClientUnclear,
    ContactProposalDecided,
    ContactsAged,
    MappingConfirmed,
    MappingIgnored,
    MappingPolicyChanged,
    MappingUndone,
)
from postroom.nouns.facts.documents import (
    AttachmentFetched,
    BookingConfirmed,
    ConfirmationShadowed,
    DocumentChecked,
    DocumentCorrected,
    DocumentEntered,
    DocumentRead,
    DocumentRejected,
    DocumentReopened,
    DocumentRetried,
    DocumentRouted,
    DocumentUndone,
    DocumentUnreadable,
    DocumentUploaded,
    InvoiceConfirmed,
    LessonDropped,
    MessageSifted,
    OrderCancelled,
    OrdersPlaced,
    PasswordChanged,
    ProfileForgotten,
    ProfileLearnt,
    SenderRuleChanged,
    TradeConfirmed,
)
from postroom.nouns.facts.engine import (
    AttemptFailed,
    AuditChainAccepted,
    Counted,
    RetryFailed,
    RetryRequested,
    RetrySucceeded,
)
from postroom.nouns.facts.mailboxes import (
    ConfirmingSwitched,
    CopilotSwitched,
    MailboxAnswers,
    MailboxAttention,
    MailboxConnected,
    MailboxDisconnected,
    MailboxFolderChanged,
    MailboxNeedsPerson,
    MailboxOutage,
    MailboxPaused,
    MailboxResumed,
    MailboxRulesChanged,
    MailboxSendingSwitched,
    OperatorsChanged,
    SecurityNoted,
    WatchKept,
    WatchNoticed,
)
from postroom.nouns.facts.outbox import (
    MailBounced,
    ProposalApproved,
    ProposalChanged,
    ProposalMade,
    ProposalRevoked,
    ProposalVoided,
    ReplyDiscarded,
    ReplyEdited,
    ReplySent,
    SendBegun,
    SendGivenBack,
    SendResolved,
    SendUnknown,
)
from postroom.nouns.facts.processing import (
    AiCompleted,
    JobEnqueued,
    ProcessingCompleted,
    ProcessingStarted,
    RetrievalCompleted,
)
from postroom.nouns.facts.replies import (
    AnswerLearned,
    DraftBlocked,
    DraftEdited,
    DraftEnded,
    DraftRestored,
    DraftWithheld,
    DraftWritten,
    EvidenceAdded,
    EvidenceRestored,
    EvidenceRetired,
    ReplyPolicyChanged,
)
from postroom.nouns.facts.retention import Forgotten
from postroom.nouns.facts.skills import SkillFinished, SkillStarted
from postroom.nouns.facts.subscribers import (
    DeliveryReplayed,
    WebhookChanged,
    WebhookCreated,
    WebhookDisabled,
    WebhookRemoved,
)
from postroom.nouns.facts.sync import (
    CursorLost,
    DeliveryChanged,
    MailboxReconciled,
    MessageArrived,
    MessageGone,
    NotificationReceived,
    ResyncDone,
    ThreadTouched,
)
from postroom.nouns.facts.tenants import (
    KeyCreated,
    KeyRevoked,
    PersonAdded,
    PersonChanged,
    PolicyChanged,
    RetentionChanged,
    SealingKeyRotated,
    SendingChanged,
    SessionEnded,
    SessionStarted,
    SignInLinkMade,
    SignInRefused,
    TenantCreated,
)
from postroom.nouns.facts.triage import (
    ChannelChanged,
    LabelChangedByPerson,
    LabelsRefused,
    SensitiveFlagged,
    ThreadAnalysed,
    ThreadAssigned,
    ThreadLabelled,
    ThreadMoved,
    ThreadSetAside,
    ThreadSnoozed,
    ThreadStateSet,
    ThreadTriaged,
    TopicChanged,
)

Fact = (
    AttemptFailed
    | MailboxAnswers
    | MailboxConnected
    | MailboxResumed
    | MailboxFolderChanged
    | WatchNoticed
    | NotificationReceived
    | CursorLost
    | ResyncDone
    | MessageArrived
    | ThreadTouched
    | ThreadSetAside
    | ThreadTriaged
    | DraftWritten
    | DraftBlocked
    | EvidenceAdded
    | EvidenceRetired
    | AnswerLearned
    | DraftWithheld
    | DraftEnded
    | DraftRestored
    | CopilotSwitched
    | OperatorsChanged
    | DocumentUploaded
    | DocumentChecked
    | DocumentCorrected
    | DocumentUndone
    | DocumentRetried
    | MessageSifted
    | BookImported
    | BookChanged
    | AccountsMerged
    | MappingPolicyChanged
    | SendingChanged
    | MailboxSendingSwitched
    | ProposalApproved
    | ReplySent
    | ReplyDiscarded
    | DraftEdited
    | SilentFact
)
"""Those that set jobs in motion, each with its line in `rooms/itinerary.py`, and the silent ones."""


def every_fact() -> list[type[FactBase]]:
    """All kinds there are, for documents and tests."""
    loud = [each for each in FactBase.__subclasses__() if each is not SilentFact]
    return sorted([*loud, *SilentFact.__subclasses__()], key=lambda fact: fact.kind)


__all__ = [
    "AccountsMerged",
    "AiCompleted",
    "AnswerLearned",
    "AttachmentFetched",
    "AttemptFailed",
    "AuditChainAccepted",
    "BookChanged",
    "BookImported",
    "BookingConfirmed",
    "ChannelChanged",
    "ClientMapped",
    "ClientUnclear",
    "ConfirmationShadowed",
    "ConfirmingSwitched",
    "ContactProposalDecided",
    "ContactsAged",
    "CopilotSwitched",
    "Counted",
    "CursorLost",
    "DeliveryChanged",
    "DeliveryReplayed",
    "DocumentChecked",
    "DocumentCorrected",
    "DocumentEntered",
    "DocumentRead",
    "DocumentRejected",
    "DocumentReopened",
    "DocumentRetried",
    "DocumentRouted",
    "DocumentUndone",
    "DocumentUnreadable",
    "DocumentUploaded",
    "DraftBlocked",
    "DraftEdited",
    "DraftEnded",
    "DraftRestored",
    "DraftWithheld",
    "DraftWritten",
    "EvidenceAdded",
    "EvidenceRestored",
    "EvidenceRetired",
    "Fact",
    "FactBase",
    "Forgotten",
    "InvoiceConfirmed",
    "JobEnqueued",
    "KeyCreated",
    "KeyRevoked",
    "LabelChangedByPerson",
    "LabelsRefused",
    "LessonDropped",
    "MailBounced",
    "MailboxAnswers",
    "MailboxAttention",
    "MailboxConnected",
    "MailboxDisconnected",
    "MailboxFolderChanged",
    "MailboxNeedsPerson",
    "MailboxOutage",
    "MailboxPaused",
    "MailboxReconciled",
    "MailboxResumed",
    "MailboxRulesChanged",
    "MailboxSendingSwitched",
    "MappingConfirmed",
    "MappingIgnored",
    "MappingPolicyChanged",
    "MappingUndone",
    "MessageArrived",
    "MessageGone",
    "MessageSifted",
    "NotificationReceived",
    "OperatorsChanged",
    "OrderCancelled",
    "OrdersPlaced",
    "PasswordChanged",
    "PersonAdded",
    "PersonChanged",
    "PolicyChanged",
    "ProcessingCompleted",
    "ProcessingStarted",
    "ProfileForgotten",
    "ProfileLearnt",
    "ProposalApproved",
    "ProposalChanged",
    "ProposalMade",
    "ProposalRevoked",
    "ProposalVoided",
    "ReplyDiscarded",
    "ReplyEdited",
    "ReplyPolicyChanged",
    "ReplySent",
    "ResyncDone",
    "RetentionChanged",
    "RetrievalCompleted",
    "RetryFailed",
    "RetryRequested",
    "RetrySucceeded",
    "SealingKeyRotated",
    "SecurityNoted",
    "SendBegun",
    "SendGivenBack",
    "SendResolved",
    "SendUnknown",
    "SenderRuleChanged",
    "SendingChanged",
    "SensitiveFlagged",
    "SessionEnded",
    "SessionStarted",
    "SignInLinkMade",
    "SignInRefused",
    "SilentFact",
    "SkillFinished",
    "SkillStarted",
    "TenantCreated",
    "ThreadAnalysed",
    "ThreadAssigned",
    "ThreadLabelled",
    "ThreadMoved",
    "ThreadSetAside",
    "ThreadSnoozed",
    "ThreadStateSet",
    "ThreadTouched",
    "ThreadTriaged",
    "TopicChanged",
    "TradeConfirmed",
    "WatchKept",
    "WatchNoticed",
    "WebhookChanged",
    "WebhookCreated",
    "WebhookDisabled",
    "WebhookRemoved",
    "every_fact",
]
