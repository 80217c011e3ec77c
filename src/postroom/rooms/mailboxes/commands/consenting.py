"""A person's consent: begun in one browser, and finished only in that one, by the same person."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from postroom.db.pool import Database
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.errors import BadRequest, NeedsPerson, NotAllowed, Refused
from postroom.nouns.ids import MailboxId, TenantId
from postroom.nouns.providers import Capability, Grant, ProviderName
from postroom.nouns.secrets import Secret
from postroom.rooms.mailboxes import rules, store
from postroom.rooms.mailboxes.access import about_consent
from postroom.rooms.mailboxes.commands.connecting import keep_grant
from postroom.rooms.mailboxes.commands.finding import consent_of
from postroom.rooms.mailboxes.ports import MailboxPorts

ScopeFor = Callable[[TenantId, str], TenantScope]
STRANGER = "stranger"


@dataclass(frozen=True, slots=True)
class Started:
    """Where the person's browser goes next: to the provider, or, if no browser is known yet, to our own ticket."""

    url: str
    state: str


@dataclass(frozen=True, slots=True)
class Opened:
    """A ticket in somebody's browser. `url` is empty until they said that they want to go on."""

    url: str
    tenant: str
    started_by: str
    address: str | None


@dataclass(frozen=True, slots=True)
class Finished:
    mailbox_id: MailboxId
    tenant_id: TenantId
    address: str
    return_to: str


async def start_connect(
    scope: TenantScope,
    outside: MailboxPorts,
    provider: ProviderName,
    redirect_uri: str,
    *,
    address: str | None = None,
    return_to: str = "/mailboxes",
    shared: bool = False,
    browser: Secret | None = None,
    capability: Capability = "read",
) -> Started:
    """Begin a consent. Nothing is connected until the same browser comes back with the same state.

    Who asks with a key has no browser yet: they are given an address of ours, a ticket, which is bound to the browser
    that opens it first. `shared`: `address` is a mailbox that the person may read, not their own; one that was
    connected so is connected again so. `capability` is the least that is asked for; what is switched on at the mailbox
    may need more, and that is asked for then, as is what was granted before.
    """
    rules.check_wish(provider, address, shared=shared)
    before = await _known(scope, provider, address)
    shared = shared or (before is not None and before.is_shared)
    wanted = rules.widest(capability, await _needed(scope, before)) if before else capability
    consent = consent_of(outside, provider, shared=shared, capability=wanted)
    pkce, state, ticket = rules.make_pkce(), secrets.token_urlsafe(32), Secret(secrets.token_urlsafe(32))
    started = store.StartedConsent(
        state=state,
        tenant_id=scope.tenant_id,
        provider=provider,
        verifier=outside.sealer.seal(pkce.verifier.reveal().encode(), about=about_consent(state)),
        address=address.lower() if address else None,
        started_by=scope.actor,
        return_to=return_to if rules.is_own_page(return_to) else "/mailboxes",
        expires_at=scope.now + rules.CONSENT_LASTS,
        browser=rules.digest_state(browser) if browser else None,
        shared=shared,
        capability=wanted,
    )
    async with scope.finish() as tx:
        await store.start_consent(tx, started, None if browser else rules.digest_state(ticket))
    if browser is None:
        return Started(rules.ticket_url(redirect_uri, ticket), state)
    hint = None if shared else started.address
    url = consent.authorize_url(redirect_uri=redirect_uri, state=state, challenge=pkce.challenge, login_hint=hint)
    return Started(url, state)


async def _known(scope: TenantScope, provider: ProviderName, address: str | None) -> store.Mailbox | None:
    if address is None:
        return None
    async with scope.read() as tx:
        return await store.by_address(tx, provider, address)


async def _needed(scope: TenantScope, mailbox: store.Mailbox) -> Capability:
    """What a person granted is asked for again: mails are sent from mailboxes without a copilot too."""
    async with scope.read() as tx:
        needed = rules.needed_capability(mailbox.copilot, sends=await store.tenant_sends(tx))
    return rules.widest(needed, mailbox.capability) if mailbox.access == "delegated" else needed


async def open_ticket(
    db: Database,
    scope_for: ScopeFor,
    outside: MailboxPorts,
    redirect_uri: str,
    ticket: Secret,
    browser: rules.Browser,
    *,
    now: datetime,
    agreed: bool,
) -> Opened:
    """Somebody opened the address that a key asked for. A stranger is shown first for whom they would grant it."""
    started = await store.ticketed_consent(db, rules.digest_state(ticket))
    if started is None or started.expires_at < now:
        raise BadRequest("This link was used already, or is older than 15 minutes. Ask for a new one.")
    if browser.tenant_id is not None and browser.tenant_id != started.tenant_id:
        await _refuse(scope_for, started, browser, "the ticket was opened by somebody of another tenant")
    scope = scope_for(started.tenant_id, browser.actor or STRANGER)
    async with scope.read() as tx:
        tenant = await store.tenant_name(tx)
    shown = Opened("", tenant, started.started_by, started.address)
    if not agreed and browser.actor is None:
        return shown
    assert browser.secret is not None
    async with scope.finish() as tx:
        if not await store.bind_consent(tx, started.state, rules.digest_state(browser.secret)):
            raise BadRequest("This link was used already. Ask for a new one.")
    verifier = outside.sealer.open(bytes(started.verifier), about=about_consent(started.state)).decode()
    asked = consent_of(outside, started.provider, shared=started.shared, capability=started.capability)
    url = asked.authorize_url(
        redirect_uri=redirect_uri,
        state=started.state,
        challenge=rules.challenge_of(Secret(verifier)),
        login_hint=None if started.shared else started.address,
    )
    return Opened(url, shown.tenant, shown.started_by, shown.address)


async def finish_connect(
    db: Database,
    scope_for: ScopeFor,
    outside: MailboxPorts,
    provider: ProviderName,
    redirect_uri: str,
    browser: rules.Browser,
    *,
    state: str,
    code: str,
    now: datetime,
) -> Finished:
    """The person came back: check state and browser, redeem the code, check whose mailbox it is, keep the tokens."""
    started = await store.take_consent(db, state, provider)
    if started is None or started.expires_at < now:
        raise BadRequest("This sign-in was not started here, was used already, or took too long. Connect again.")
    if wrong := rules.wrong_hands(started.started_by, started.tenant_id, started.browser, browser):
        await _refuse(scope_for, started, browser, wrong)
    verifier = outside.sealer.open(bytes(started.verifier), about=about_consent(state)).decode()
    consent = consent_of(outside, provider, shared=started.shared, capability=started.capability)
    grant = await consent.redeem(code=code, verifier=verifier, redirect_uri=redirect_uri)
    if grant.missing_scopes:
        raise BadRequest(
            f"Some permissions were not granted: {', '.join(grant.missing_scopes)}. Connect again and leave all ticked."
        )
    shared = await _check_whose(outside, started, grant)
    scope = scope_for(started.tenant_id, started.started_by)
    mailbox_id = await keep_grant(scope, outside, provider, grant, shared)
    return Finished(mailbox_id, started.tenant_id, shared or grant.address, started.return_to)


async def give_up_connect(
    db: Database, provider: ProviderName, browser: rules.Browser, *, state: str, now: datetime
) -> str | None:
    """The provider granted nothing. Where the person began, if it is they who came back."""
    started = await store.take_consent(db, state, provider)
    if started is None or started.expires_at < now:
        return None
    wrong = rules.wrong_hands(started.started_by, started.tenant_id, started.browser, browser)
    return None if wrong else started.return_to


async def _check_whose(outside: MailboxPorts, started: store.StartedConsent, grant: Grant) -> str | None:
    """The person's own mailbox must be the one asked for; a shared one they must be able to read."""
    if not started.shared or started.address is None or started.address == grant.address:
        rules.same_mailbox(started.address, grant.address)
        return None
    try:
        await outside.try_shared(grant.tokens, started.address)
    except (NeedsPerson, Refused):
        raise BadRequest(
            f"{grant.address} may not read {started.address}, or there is no such mailbox. Give {grant.address} "
            "full access to it in the Exchange admin center, wait some minutes, and connect again."
        ) from None
    return started.address


async def _refuse(scope_for: ScopeFor, started: store.StartedConsent, browser: rules.Browser, wrong: str) -> None:
    """Nothing is connected, and the tenant it was meant for learns of it; not of who another tenant's person is."""
    ours = browser.actor if browser.tenant_id == started.tenant_id else None
    scope = scope_for(started.tenant_id, ours or STRANGER)
    async with scope.finish() as tx:
        what = f"connecting {started.address or f'an {started.provider} mailbox'} was refused: {wrong}"
        await scope.tell(tx, facts.SecurityNoted(what=what, source=browser.source))
    raise NotAllowed(
        f"Nothing was connected: {wrong}. Somebody may have sent you this link; if you want to connect the mailbox "
        "yourself, sign in here and start from the page of mailboxes."
    )
