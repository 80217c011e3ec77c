"""Ports: the few things we ask of the outside, each small enough to keep its promises."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from postroom.nouns.drafts import Draft, DraftMarkers, OutgoingMail, SentLookup
from postroom.nouns.ids import MailboxId, TenantId
from postroom.nouns.opinions import ModelAnswer
from postroom.nouns.providers import (
    SERVED_ONLY,
    Capability,
    Changes,
    Cursor,
    Glimpse,
    Grant,
    Listing,
    MailboxEndpoint,
    ProviderRef,
    RawMail,
    Watch,
    WatchedFolder,
)
from postroom.nouns.secrets import Secret
from postroom.nouns.threads import MailThread, OutgoingChanges, StateLabel
from postroom.nouns.tokens import TokenSet

AccessToken = Callable[[bool], Awaitable[Secret]]
"""A token that works now; `True` asks for a fresh one because the last was refused."""


class ProviderWaits(Protocol):
    """Whether a mailbox is to be left alone, because its provider said so to any of us."""

    async def check(self) -> None:
        """Raises Throttled while it is."""

    async def told(self, seconds: float | None) -> float:
        """The provider asks us to wait, perhaps for how long. Returns how long it will be."""

    def went_well(self) -> None:
        """It answers again."""


class OpenMailbox(Protocol):
    """Opens a mailbox, or has it open. `seen` is its endpoint, as whoever asks read it a moment ago: one that is open
    and has it need not be looked at again."""

    async def __call__(
        self, tenant_id: TenantId, mailbox_id: MailboxId, seen: MailboxEndpoint | None = None
    ) -> MailProvider: ...


class MailProvider(Protocol):
    """One connected mailbox. Raises only postroom.nouns.errors. Never sleeps and never retries: the engine does."""

    async def address(self) -> str:
        """Whose mailbox this is, lower case."""

    async def changes(self, since: Cursor | None) -> Changes:
        """One page of changes; `None` starts from now. May raise CursorExpired."""

    async def list_since(self, since: datetime, page: str | None = None) -> Listing:
        """One page of the messages received since then, in the folder we serve."""

    async def message(self, ref: ProviderRef, known: Glimpse | None = None) -> RawMail:
        """The whole message; what a listing said of it may save a call. Raises Gone when it is not there."""

    async def watch(
        self,
        callback: str,
        lifecycle_callback: str,
        client_state: Secret,
        current: Watch | None,
        folders: Sequence[WatchedFolder] = SERVED_ONLY,
    ) -> Watch:
        """Start being told of changes in these folders, or, with `current`, go on being told. Safe to repeat."""

    async def unwatch(self, watch: Watch) -> None:
        """Stop being told. Safe to repeat."""


class ThreadReader(Protocol):
    """Reads whole conversations of one mailbox. Raises only postroom.nouns.errors."""

    async def thread(self, ref: ProviderRef) -> MailThread:
        """What came, what was sent and what is being written, oldest first. Raises Gone when nothing of it is left."""


class DraftBox(Protocol):
    """Drafts of one mailbox; nothing that a person wrote is overwritten or deleted. Raises only our errors."""

    async def draft(self, ref: ProviderRef) -> Draft | None:
        """As it stands; None when it was sent or discarded."""

    async def find_drafts(self, key: str, thread: ProviderRef | None) -> Sequence[Draft]:
        """Those with our marker, in the thread if there is one: a crash may have left one nobody wrote down."""

    async def create_draft(self, mail: OutgoingMail, markers: DraftMarkers) -> Draft:
        """In the thread of the message it answers. Read back after writing: that is what to compare with later."""

    async def update_draft(self, draft: Draft, mail: OutgoingMail, markers: DraftMarkers) -> Draft:
        """Only over the version in `draft`. Raises DraftTouched when it changed since, Gone when it is not there."""

    async def discard_draft(self, draft: Draft) -> None:
        """Only the version in `draft`. Raises DraftTouched when it changed since. Safe to repeat."""


class LabelBook(Protocol):
    """Our state labels at one mailbox. Labels and categories of people are left alone. Raises only our errors."""

    async def ensure_labels(self, labels: Sequence[StateLabel]) -> None:
        """Make those that are missing. Where we may not choose colours, they stay without. Safe to repeat."""

    async def label_thread(self, thread: ProviderRef, label: StateLabel | None, among: Sequence[StateLabel]) -> None:
        """`label` and no other of `among` on the thread; None: none of them. Safe to repeat."""


class Sender(Protocol):
    """Sends from one mailbox, after a person's yes: that is the caller's duty. Raises only postroom.nouns.errors.

    What goes out is a draft first, also a mail of its own, so that it can be looked for.

    After TimedOut or Unavailable the mail may be out: ask `find_sent` before anything is sent again.
    """

    async def send_draft(self, draft: Draft) -> ProviderRef:
        """The sent message. Only the version in `draft`: raises DraftTouched when it changed, Gone when it is gone."""

    async def find_sent(self, draft: Draft) -> SentLookup:
        """What became of it, by its lasting id, its Message-ID or its markers."""

    async def find_marked(self, key: str, to: str, since: datetime) -> ProviderRef | None:
        """A mail with this marker key that went out to this address since then, though we know nothing of it."""


class OutgoingFollower(Protocol):
    """Follows Sent and Drafts of one mailbox: what people do there. Raises only postroom.nouns.errors."""

    async def outgoing(self, since: Cursor | None) -> OutgoingChanges:
        """One page; None starts from now. May raise CursorExpired."""


class OwnAddresses(Protocol):
    """Whose mail is the mailbox's own."""

    async def own_addresses(self) -> frozenset[str]:
        """Its address, aliases and send-as addresses, lower case."""


@dataclass(frozen=True, slots=True)
class CopilotMailbox:
    """All that answering mail asks of one mailbox."""

    threads: ThreadReader
    drafts: DraftBox
    labels: LabelBook
    sender: Sender
    outgoing: OutgoingFollower
    addresses: OwnAddresses


class MessageFetcher(Protocol):
    """Brings one message of any connected mailbox, within the budgets of its provider."""

    async def fetch(self, tenant_id: TenantId, mailbox_id: MailboxId, ref: ProviderRef) -> RawMail:
        """Raises Gone, AccessRevoked, Throttled … as the provider does."""


class Consent(Protocol):
    """How a provider lets us in. Raises only postroom.nouns.errors; branches on `error` codes, never on texts."""

    @property
    def scopes(self) -> Sequence[str]:
        """What we ask for."""

    def capability(self, tokens: TokenSet) -> Capability:
        """What these allow, by what was granted; where the provider did not say, what we ask for."""

    def authorize_url(self, *, redirect_uri: str, state: str, challenge: str, login_hint: str | None) -> str:
        """Where the person is sent; always asks which account, so that no cookie decides."""

    async def redeem(self, *, code: str, verifier: str, redirect_uri: str) -> Grant:
        """Turn the code of the callback into tokens, and learn whose mailbox it is."""

    async def refresh(self, tokens: TokenSet) -> TokenSet:
        """New tokens. Keeps the old refresh token when none is given. AccessRevoked when a person must reconnect."""

    async def revoke(self, tokens: TokenSet) -> None:
        """Give the grant back, where the provider has a way. Safe to repeat."""


class Sealing(Protocol):
    """Authenticated encryption. `about` binds a value to what it is for: elsewhere it does not open."""

    def seal(self, plain: bytes, *, about: str) -> bytes: ...
    def open(self, sealed: bytes, *, about: str) -> bytes: ...


@dataclass(frozen=True, slots=True)
class WebhookAnswer:
    """What an endpoint said, as far as it matters. `retry_after` in seconds, if it named a time."""

    status: int
    retry_after: float | None = None


class WebhookPost(Protocol):
    """Posts to addresses of strangers. Raises only postroom.nouns.errors. Never follows, never retries."""

    def objection(self, url: str) -> str | None:
        """Why nothing is ever sent to this address; None when it may be. The name is looked up only when sending."""

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> WebhookAnswer: ...


class Encoder(Protocol):
    """Tells how near texts are in meaning. Takes a while: never to be asked on the event loop."""

    def works(self) -> bool:
        """Whether it can be asked at all: what it is made of may be damaged. Then everything goes on without it."""

    def nearness(self, told: Sequence[str], asked: Sequence[str]) -> Sequence[Sequence[float]]:
        """Of each text that is told, how near each one that is asked is: 1 is the same, 0 another matter."""


class Model(Protocol):
    """A language model, asked for its opinion. Raises only postroom.nouns.errors. Never sleeps and never retries."""

    @property
    def name(self) -> str:
        """Which model is asked, for notes when it gave no answer."""

    async def ask(self, system: str, document: str) -> ModelAnswer:
        """`system` is ours and says what is wanted, as JSON; `document` is a stranger's, and is data only."""
