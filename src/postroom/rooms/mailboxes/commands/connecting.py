"""How a mailbox becomes ours to serve: proved first, its tokens kept next, and only then served."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from postroom.db.pool import Tx
from postroom.engine import queue as lanes
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.errors import AccessRevoked, BadRequest, TimedOut, Unavailable
from postroom.nouns.ids import MailboxId, new_id
from postroom.nouns.providers import Capability, Grant, ProviderName
from postroom.nouns.secrets import Secret
from postroom.nouns.tokens import TokenSet
from postroom.nouns.versions import require_seen
from postroom.rooms.mailboxes import rules, store
from postroom.rooms.mailboxes.commands.finding import consent_of
from postroom.rooms.mailboxes.ports import MailboxPorts

FOR_EVER = datetime.max.replace(tzinfo=UTC)


async def connect_granted(
    scope: TenantScope, outside: MailboxPorts, provider: ProviderName, address: str, refresh_token: Secret
) -> MailboxId:
    """A mailbox whose grant was given elsewhere, such as an administrator's consent."""
    nothing_yet = TokenSet(Secret("none"), refresh_token, scope.now - timedelta(seconds=1))
    tokens = await consent_of(outside, provider).refresh(nothing_yet)
    return await keep_grant(scope, outside, provider, Grant(tokens, address.lower()))


async def connect_imap(
    scope: TenantScope,
    outside: MailboxPorts,
    *,
    address: str,
    host: str,
    password: Secret,
    user: str = "",
    port: int = 993,
    security: str = "tls",
    folder: str = "INBOX",
    private: bool = False,
    seen: str | None = None,
) -> MailboxId:
    """A mailbox over IMAP, or the same one anew with another password, server or folder.

    We sign in and look at the folder first: with a wrong password nothing is kept, and what worked before goes on.
    `private` allows servers inside the own network; the command line says so, doors do not. `seen` is the version that
    the person looked at; another one is refused.
    """
    rules.check_imap(address, host, port, security, folder)
    if seen is not None:
        async with scope.read() as tx:
            held = await store.by_address(tx, "imap", address)
        require_seen(seen, held.connection_version if held else "", f"the connection of {address}")
    reach = private or outside.is_local
    connection = {"host": host, "port": port, "security": security, "user": user or address, "private": reach}
    try:
        await outside.try_imap(address, folder, connection, password)
    except AccessRevoked:
        raise BadRequest(f"{host} does not accept this user and password. Nothing was changed; try again.") from None
    except (TimedOut, Unavailable) as problem:  # a person just named the server: most likely it is misspelt
        raise BadRequest(f"{problem} Check host and port. Nothing was changed.") from None
    tokens = TokenSet(password, None, FOR_EVER)
    return await _keep(scope, outside, "imap", address, tokens, access="password", folder=folder, connection=connection)


async def connect_configured(
    scope: TenantScope, *, address: str, provider: ProviderName, access: str, folder: str, connection: dict[str, Any]
) -> MailboxId:
    """A mailbox that settings or an administrator name; no consent is asked for. Safe to repeat."""
    async with scope.finish() as tx:
        known = await store.by_address(tx, provider, address)
        if known is not None and known.folder == folder and rules.goes_on(known.status):
            return known.id
        made = await store.add(
            tx,
            scope.tenant_id,
            MailboxId(new_id()),
            scope.now,
            address=address,
            provider=provider,
            access=access,
            folder=folder,
            connection=connection,
        )
        await _tell_connected(tx, scope, made.id, provider, again=made.again)
    return made.id


async def keep_grant(
    scope: TenantScope, outside: MailboxPorts, provider: ProviderName, grant: Grant, shared: str | None = None
) -> MailboxId:
    """The mailbox of whoever granted it, or, with `shared`, one that they may read as well."""
    connection = {"granted_by": grant.address} if shared else {}
    address = shared or grant.address
    allows = consent_of(outside, provider, shared=shared is not None).capability(grant.tokens)
    return await _keep(
        scope, outside, provider, address, grant.tokens, access="delegated", connection=connection, capability=allows
    )


async def _keep(
    scope: TenantScope,
    outside: MailboxPorts,
    provider: ProviderName,
    address: str,
    tokens: TokenSet,
    *,
    access: str,
    connection: dict[str, Any],
    folder: str | None = None,
    capability: Capability = "read",
) -> MailboxId:
    """The tokens first: a mailbox that is served without them would call for a person at once."""
    async with scope.finish() as tx:
        known = await store.by_address(tx, provider, address)
        if known is None:
            mailbox_id = await store.reserve(
                tx, scope.tenant_id, MailboxId(new_id()), scope.now, provider, address, access
            )
        else:
            mailbox_id = known.id
    await outside.keep_tokens(scope.tenant_id, mailbox_id, tokens)
    async with scope.finish() as tx:
        made = await store.add(
            tx,
            scope.tenant_id,
            mailbox_id,
            scope.now,
            address=address,
            provider=provider,
            access=access,
            folder=folder or (known.folder if known else "Inbox"),
            connection=connection,
            capability=capability,
        )
        await _tell_connected(tx, scope, made.id, provider, again=known is not None)
    outside.forget(made.id)
    return made.id


async def _tell_connected(
    tx: Tx, scope: TenantScope, mailbox_id: MailboxId, provider: ProviderName, *, again: bool
) -> None:
    await lanes.unpark(tx, scope.tenant_id, f"mailbox:{mailbox_id}")
    await scope.tell(tx, facts.MailboxConnected(mailbox_id=mailbox_id, provider=provider, again=again))
