"""What happens to mailboxes: connected, watched, in trouble."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from postroom.nouns.facts.base import FactBase, SilentFact


class MailboxConnected(FactBase, frozen=True, kw_only=True):
    """New, or again after a person reconnected it."""

    kind = "mailbox.connected"
    mailbox_id: UUID
    provider: str
    again: bool


class MailboxDisconnected(SilentFact, frozen=True, kw_only=True):
    kind = "mailbox.disconnected"
    mailbox_id: UUID


class MailboxPaused(SilentFact, frozen=True, kw_only=True):
    kind = "mailbox.paused"
    mailbox_id: UUID


class MailboxResumed(FactBase, frozen=True, kw_only=True):
    kind = "mailbox.resumed"
    mailbox_id: UUID


class ConfirmingSwitched(SilentFact, frozen=True, kw_only=True):
    """Whether a pipeline of a mailbox may confirm by itself: off, shadow or on."""

    kind = "mailbox.confirming_switched"
    mailbox_id: UUID
    pipeline: str
    before: str
    after: str


class MailboxRulesChanged(SilentFact, frozen=True, kw_only=True):
    """What is kept of a mailbox's mail, and for which pipelines (None: all)."""

    kind = "mailbox.rules_changed"
    mailbox_id: UUID
    before: dict[str, Any]
    after: dict[str, Any]
    pipelines_before: list[str] | None = None
    pipelines: list[str] | None = None


class MailboxFolderChanged(FactBase, frozen=True, kw_only=True):
    """Another folder is served: its cursor begins anew, and what lies there already is taken in."""

    kind = "mailbox.folder_changed"
    mailbox_id: UUID
    before: str
    after: str


class MailboxNeedsPerson(SilentFact, frozen=True, kw_only=True):
    """Told once per trouble, however many jobs run into it."""

    kind = "mailbox.needs_person"
    mailbox_id: UUID
    status: str
    because: str


class MailboxOutage(SilentFact, frozen=True, kw_only=True):
    """The provider does not answer for this mailbox. Told once; what is in hand goes on when it answers again."""

    kind = "mailbox.outage"
    mailbox_id: UUID
    because: str


class MailboxAnswers(FactBase, frozen=True, kw_only=True):
    """The provider answers again."""

    kind = "mailbox.answers"
    mailbox_id: UUID


class MailboxAttention(SilentFact, frozen=True, kw_only=True):
    """Something that somebody should look at. Told once, and shown on the mailbox while it lasts."""

    kind = "mailbox.attention"
    mailbox_id: UUID
    about: str
    because: str


class WatchKept(SilentFact, frozen=True, kw_only=True):
    """The provider promised to tell us, or promised it again."""

    kind = "watch.kept"
    mailbox_id: UUID
    watch_id: str
    how: str
    expires_at: datetime


class WatchNoticed(FactBase, frozen=True, kw_only=True):
    """A lifecycle event of a subscription; `since` is when we last heard from it."""

    kind = "watch.lifecycle"
    mailbox_id: UUID
    watch_id: str
    event: str
    since: datetime | None = None


UNNAMED_PROXY = "forwarded headers from a proxy that is not in POSTROOM_TRUSTED_PROXIES"


class SecurityNoted(SilentFact, frozen=True, kw_only=True):
    """A notification with a wrong secret, or for an unknown subscription; a consent in the wrong hands."""

    kind = "security.event"
    what: str
    source: str
    times: int = 1
    mailbox_id: UUID | None = None


class CopilotSwitched(FactBase, frozen=True, kw_only=True):
    """How much the copilot may do at a mailbox."""

    kind = "mailbox.copilot_switched"
    mailbox_id: UUID
    before: str
    after: str


class MailboxSendingSwitched(FactBase, frozen=True, kw_only=True):
    """The kill switch of a mailbox: nothing leaves it while it is off."""

    kind = "mailbox.sending_switched"
    mailbox_id: UUID
    sending: str


class OperatorsChanged(FactBase, frozen=True, kw_only=True):
    """Who else answers for a mailbox."""

    kind = "mailbox.operators_changed"
    mailbox_id: UUID
    before: list[str]
    after: list[str]
