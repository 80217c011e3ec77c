"""What people do about mailboxes: connect, pause, resume, disconnect."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol
from uuid import UUID

from postroom.db.pool import Database, Tx
from postroom.engine import lanes
from postroom.engine.work import Teller
from postroom.nouns import facts
from postroom.nouns.errors import BadRequest, Misconfigured, NotFound, PostroomError
from postroom.nouns.ids import MailboxId, TenantId, new_id
from postroom.nouns.providers import Grant, ProviderName, Watch
from postroom.nouns.secrets import Secret
from postroom.nouns.tokens import TokenSet, TokenStore
from postroom.ports import Consent, MailProvider
from postroom.rooms.mailboxes import rules, store
from postroom.rooms.mailboxes.access import Sealing

CONSENT_ABOUT = "consent-verifier"
FOR_EVER = datetime.max.replace(tzinfo=UTC)


class Switchboard(Protocol):
    """What connecting and disconnecting ask of the world."""

    @property
    def consents(self) -> Mapping[ProviderName, Consent]: ...
    @property
    def tokens(self) -> TokenStore: ...
    @property
    def sealer(self) -> Sealing: ...
    async def open_mailbox(self, tenant_id: TenantId, mailbox_id: MailboxId) -> MailProvider: ...
    def forget(self, mailbox_id: MailboxId) -> None: ...


@dataclass(frozen=True, slots=True)
class Started:
    """Where the person is sent to consent."""

    url: str
    state: str


@dataclass(frozen=True, slots=True)
class Finished:
    mailbox_id: MailboxId
    tenant_id: TenantId
    address: str
    return_to: str


async def start_connect(
    desk: Teller,
    board: Switchboard,
    provider: ProviderName,
    redirect_uri: str,
    *,
    address: str | None = None,
    return_to: str = "/mailboxes",
) -> Started:
    """Begin a consent. Nothing is connected until the person comes back with the same state."""
    consent = _consent(board, provider)
    pkce, state = rules.make_pkce(), secrets.token_urlsafe(32)
    started = store.StartedConsent(
        tenant_id=desk.tenant_id,
        provider=provider,
        verifier=board.sealer.seal(pkce.verifier.reveal().encode(), about=f"{CONSENT_ABOUT}/{state}"),
        address=address.lower() if address else None,
        started_by=desk.actor,
        return_to=return_to if rules.is_own_page(return_to) else "/mailboxes",
        expires_at=desk.now + rules.CONSENT_LASTS,
    )
    async with desk.finish() as tx:
        await store.start_consent(tx, state, started)
    url = consent.authorize_url(redirect_uri=redirect_uri, state=state, challenge=pkce.challenge, login_hint=address)
    return Started(url, state)


async def finish_connect(
    db: Database,
    desk_for: Callable[[TenantId, str], Teller],
    board: Switchboard,
    provider: ProviderName,
    redirect_uri: str,
    *,
    state: str,
    code: str,
    now: datetime,
) -> Finished:
    """The person came back: check the state, redeem the code, check whose mailbox it is, and keep the tokens."""
    started = await store.take_consent(db, state, provider)
    if started is None or started.expires_at < now:
        raise BadRequest("This sign-in was not started here, was used already, or took too long. Connect again.")
    verifier = board.sealer.open(bytes(started.verifier), about=f"{CONSENT_ABOUT}/{state}").decode()
    grant = await _consent(board, provider).redeem(code=code, verifier=verifier, redirect_uri=redirect_uri)
    rules.same_mailbox(started.address, grant.address)
    if grant.missing_scopes:
        raise BadRequest(
            f"Some permissions were not granted: {', '.join(grant.missing_scopes)}. Connect again and leave all ticked."
        )
    desk = desk_for(started.tenant_id, started.started_by)
    mailbox_id = await _connect(desk, board, provider, grant)
    return Finished(mailbox_id, started.tenant_id, grant.address, started.return_to)


async def _connect(desk: Teller, board: Switchboard, provider: ProviderName, grant: Grant) -> MailboxId:
    """The tokens first: a mailbox that is served without them would call for a person at once."""
    async with desk.read() as tx:
        known = await store.by_address(tx, provider, grant.address)
    mailbox_id = known.id if known else await _reserve(desk, provider, grant.address)
    await board.tokens.put(desk.tenant_id, mailbox_id, grant.tokens)
    board.forget(mailbox_id)
    async with desk.finish() as tx:
        made = await store.add(
            tx,
            desk.tenant_id,
            mailbox_id,
            desk.now,
            address=grant.address,
            provider=provider,
            access="delegated",
            folder=known.folder if known else "Inbox",
        )
        await _tell_connected(tx, desk, made.id, provider, again=known is not None)
    return made.id


async def _reserve(desk: Teller, provider: ProviderName, address: str) -> MailboxId:
    """A place that tokens can belong to, and that nobody serves yet."""
    async with desk.finish() as tx:
        return await store.reserve(tx, desk.tenant_id, MailboxId(new_id()), desk.now, provider, address)


async def connect_granted(
    desk: Teller, board: Switchboard, provider: ProviderName, address: str, refresh_token: Secret
) -> MailboxId:
    """A mailbox whose grant was given elsewhere, such as an administrator's consent."""
    nothing_yet = TokenSet(Secret("none"), refresh_token, desk.now - timedelta(seconds=1))
    tokens = await _consent(board, provider).refresh(nothing_yet)
    return await _connect(desk, board, provider, Grant(tokens, address.lower()))


async def connect_password(
    desk: Teller,
    board: Switchboard,
    *,
    address: str,
    folder: str,
    connection: dict[str, Any],
    password: Secret,
) -> MailboxId:
    """A mailbox over IMAP. Signing in is tried at once: a wrong password is said now, not later."""
    async with desk.finish() as tx:
        made = await store.add(
            tx,
            desk.tenant_id,
            MailboxId(new_id()),
            desk.now,
            address=address,
            provider="imap",
            access="password",
            folder=folder,
            connection=connection,
        )
    await board.tokens.put(desk.tenant_id, made.id, TokenSet(password, None, FOR_EVER))
    board.forget(made.id)
    provider = await board.open_mailbox(desk.tenant_id, made.id)
    await provider.changes(None)
    async with desk.finish() as tx:
        await _tell_connected(tx, desk, made.id, "imap", again=made.again)
    return made.id


async def connect_configured(
    desk: Teller, *, address: str, provider: ProviderName, access: str, folder: str, connection: dict[str, Any]
) -> MailboxId:
    """A mailbox that settings or an administrator name; no consent is asked for. Safe to repeat."""
    async with desk.finish() as tx:
        known = await store.by_address(tx, provider, address)
        if known is not None and known.folder == folder and rules.goes_on(known.status):
            return known.id
        made = await store.add(
            tx,
            desk.tenant_id,
            MailboxId(new_id()),
            desk.now,
            address=address,
            provider=provider,
            access=access,
            folder=folder,
            connection=connection,
        )
        await _tell_connected(tx, desk, made.id, provider, again=made.again)
    return made.id


async def _tell_connected(tx: Tx, desk: Teller, mailbox_id: MailboxId, provider: ProviderName, *, again: bool) -> None:
    await lanes.unpark(tx, desk.tenant_id, f"mailbox:{mailbox_id}")
    await desk.tell(tx, facts.MailboxConnected(mailbox_id=mailbox_id, provider=provider, again=again))


async def disconnect(desk: Teller, board: Switchboard, mailbox_id: MailboxId) -> None:
    """Stop being told, give the grant back, forget the tokens. What we took in stays."""
    async with desk.read() as tx:
        mailbox = _known(await store.mailbox(tx, mailbox_id), mailbox_id)
        held = await store.get_active_subscription(tx, mailbox_id)
    if mailbox.provider in {"outlook", "gmail"}:
        await _let_go(desk, board, mailbox, held)
    async with desk.finish() as tx:
        if held is not None:
            await store.mark_removed(tx, held.subscription_id)
        await store.mark_gmail_watch(tx, mailbox_id, "removed")
        await store.remove_token(tx, mailbox_id)
        if await store.disconnect(tx, mailbox_id, desk.now):
            await desk.tell(tx, facts.MailboxDisconnected(mailbox_id=mailbox_id))
    board.forget(mailbox_id)


async def _let_go(desk: Teller, board: Switchboard, mailbox: store.Mailbox, held: store.Subscription | None) -> None:
    """As far as the provider still lets us: a grant that is gone already is no reason to stay connected."""
    if held is not None or mailbox.provider == "gmail":
        with contextlib.suppress(PostroomError):
            provider = await board.open_mailbox(desk.tenant_id, mailbox.id)
            watch_id, resource = (held.subscription_id, held.resource) if held else (mailbox.address, "")
            await provider.unwatch(Watch(watch_id, resource, desk.now, ""))
    with contextlib.suppress(PostroomError):
        tokens = await board.tokens.get(desk.tenant_id, mailbox.id)
        if tokens is not None and mailbox.provider in board.consents:
            await board.consents[mailbox.provider].revoke(tokens)
    await board.tokens.remove(desk.tenant_id, mailbox.id)


async def pause(desk: Teller, mailbox_id: MailboxId, because: str = "A person paused it.") -> None:
    async with desk.finish() as tx:
        _known(await store.mailbox(tx, mailbox_id), mailbox_id)
        if await store.pause(tx, mailbox_id, because, desk.now):
            await desk.tell(tx, facts.MailboxPaused(mailbox_id=mailbox_id))


async def resume(desk: Teller, mailbox_id: MailboxId) -> None:
    """Goes on where it stopped, and reconciles the gap."""
    async with desk.finish() as tx:
        _known(await store.mailbox(tx, mailbox_id), mailbox_id)
        if await store.resume(tx, mailbox_id):
            await lanes.unpark(tx, desk.tenant_id, f"mailbox:{mailbox_id}")
            await desk.tell(tx, facts.MailboxResumed(mailbox_id=mailbox_id))


async def find(desk: Teller, mailbox_id: UUID) -> store.Mailbox:
    async with desk.read() as tx:
        return _known(await store.mailbox(tx, MailboxId(mailbox_id)), mailbox_id)


def _known(mailbox: store.Mailbox | None, mailbox_id: UUID) -> store.Mailbox:
    if mailbox is None:
        raise NotFound(f"There is no mailbox {mailbox_id}.")
    return mailbox


def _consent(board: Switchboard, provider: ProviderName) -> Consent:
    consent = board.consents.get(provider)
    if consent is None:
        name = "GRAPH" if provider == "outlook" else "GMAIL"
        raise Misconfigured(
            f"Set POSTROOM_{name}_CLIENT_ID and POSTROOM_{name}_CLIENT_SECRET to connect {provider} mailboxes."
        )
    return consent
