"""What the commands ask of the world, and how they find a mailbox."""

from __future__ import annotations

from typing import Any, Protocol
from uuid import UUID

from postroom.engine.work import TenantScope
from postroom.nouns.errors import Misconfigured, NotFound
from postroom.nouns.ids import MailboxId, TenantId
from postroom.nouns.providers import ProviderName
from postroom.nouns.secrets import Secret
from postroom.nouns.tokens import TokenSet, TokenStore
from postroom.ports import Consent, MailProvider
from postroom.rooms.mailboxes import store
from postroom.rooms.mailboxes.access import Sealing


class MailboxPorts(Protocol):
    """What connecting and disconnecting ask of the world."""

    @property
    def tokens(self) -> TokenStore: ...
    @property
    def sealer(self) -> Sealing: ...
    def consent(self, provider: ProviderName, *, shared: bool = False) -> Consent | None:
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


async def find(scope: TenantScope, mailbox_id: UUID) -> store.Mailbox:
    async with scope.read() as tx:
        return known(await store.mailbox(tx, MailboxId(mailbox_id)), mailbox_id)


def known(mailbox: store.Mailbox | None, mailbox_id: UUID) -> store.Mailbox:
    if mailbox is None:
        raise NotFound(f"There is no mailbox {mailbox_id}.")
    return mailbox


def consent_of(board: MailboxPorts, provider: ProviderName, *, shared: bool = False) -> Consent:
    consent = board.consent(provider, shared=shared)
    if consent is None:
        name = "GRAPH" if provider == "outlook" else "GMAIL"
        raise Misconfigured(
            f"Set POSTROOM_{name}_CLIENT_ID and POSTROOM_{name}_CLIENT_SECRET to connect {provider} mailboxes."
        )
    return consent
