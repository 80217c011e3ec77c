"""Finds a mailbox, or how its provider lets us in, or says what is missing."""

from __future__ import annotations

from uuid import UUID

from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.nouns.errors import Misconfigured, NotFound
from postroom.nouns.ids import MailboxId
from postroom.nouns.provider_traits import traits
from postroom.nouns.providers import Capability, ProviderName
from postroom.ports import Consent
from postroom.rooms.mailboxes import store
from postroom.rooms.mailboxes.ports import MailboxPorts


async def find(scope: TenantScope, mailbox_id: UUID) -> store.Mailbox:
    async with scope.read() as tx:
        return known(await store.mailbox(tx, MailboxId(mailbox_id)), mailbox_id)


def known(mailbox: store.Mailbox | None, mailbox_id: UUID) -> store.Mailbox:
    if mailbox is None:
        raise NotFound(f"There is no mailbox {mailbox_id}.")
    return mailbox


def consent_of(
    outside: MailboxPorts, provider: ProviderName, *, shared: bool = False, capability: Capability = "read"
) -> Consent:
    consent = outside.consent(provider, shared=shared, capability=capability)
    if consent is None:
        name = traits(provider).settings
        raise Misconfigured(
            f"Set POSTROOM_{name}_CLIENT_ID and POSTROOM_{name}_CLIENT_SECRET to connect {provider} mailboxes."
        )
    return consent


async def mailbox_called(tx: Tx, which: str) -> store.Mailbox:
    """By its address or id, as people say it."""
    known = await store.mailboxes(tx)
    for each in known:
        if which.lower() in {each.address, str(each.id)}:
            return each
    raise NotFound(f"There is no mailbox {which}; known are {', '.join(each.address for each in known) or 'none yet'}.")
