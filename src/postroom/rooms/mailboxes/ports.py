"""What connecting, watching and disconnecting mailboxes ask of the outside."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from postroom.nouns.ids import MailboxId, TenantId
from postroom.nouns.providers import Capability, ProviderName
from postroom.nouns.secrets import Secret
from postroom.nouns.tokens import TokenSet, TokenStore
from postroom.ports import Consent, MailProvider, Sealing
from postroom.rooms.mailboxes import store


class MailboxPorts(Protocol):
    """What the commands of this room ask of the outside."""

    @property
    def tokens(self) -> TokenStore: ...
    @property
    def sealer(self) -> Sealing: ...
    def consent(
        self, provider: ProviderName, *, shared: bool = False, capability: Capability = "read"
    ) -> Consent | None:
        """How the provider lets us in; `shared` asks for mailboxes that were shared with the person too."""

    async def open_mailbox(self, tenant_id: TenantId, mailbox_id: MailboxId) -> MailProvider: ...
    async def try_shared(self, tokens: TokenSet, address: str) -> None:
        """Read in somebody else's mailbox once. Raises what is wrong."""

    async def try_imap(self, address: str, folder: str, connection: dict[str, Any], password: Secret) -> None:
        """Sign in and look at the folder once. Raises what is wrong."""

    async def keep_tokens(self, tenant_id: TenantId, mailbox_id: MailboxId, tokens: TokenSet | None) -> None:
        """In place of those before; None takes them away. Nobody who refreshes the old ones writes over it."""

    @property
    def is_local(self) -> bool:
        """Whether this house serves its own machine only, so that its people may name any server."""

    def forget(self, mailbox_id: MailboxId) -> None: ...


class Callbacks(Protocol):
    """Where a provider sends notifications, or nothing when we cannot be reached."""

    notify: str
    lifecycle: str


class TokenKeeper(Protocol):
    """Who keeps our tokens."""

    @property
    def tokens(self) -> TokenStore: ...


class WatchPorts(Protocol):
    """What the jobs of this room ask of the outside."""

    @property
    def fetcher(self) -> TokenKeeper: ...

    open_mailbox: Callable[[Any, MailboxId], Awaitable[MailProvider]]
    callbacks: Callable[[store.Mailbox], Callbacks | None]
    client_state: Callable[[store.Mailbox], Secret | None]
