"""Every mailbox: its status, what was granted for it, its watch, its folder and its coverage."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from datetime import datetime

from postroom.app.house import House
from postroom.chores.doctor.findings import Finding, compare, judge
from postroom.engine.work import TenantScope
from postroom.nouns.errors import Misconfigured, PostroomError
from postroom.nouns.provider_traits import traits
from postroom.outside.graph.provider import OutlookProvider
from postroom.rooms.mailboxes import store, watch_store
from postroom.rooms.mailboxes.rules import needed_capability
from postroom.rooms.mailboxes.served import ServedFolder
from postroom.rooms.tenants import store as tenants

_ABOUT_US = {"openid", "profile", "email", "offline_access"}  # never among what is granted for mail


async def mailboxes(house: House) -> AsyncIterator[Finding]:
    for tenant in await tenants.all_tenants(house.db):
        scope = house.scope(tenant.tenant_id, "doctor")
        async with scope.read() as tx:
            known, signs = await store.mailboxes(tx), {each.id: each for each in await store.health(tx)}
        for mailbox in known:
            if mailbox.status == "disconnected" or not traits(mailbox.provider).is_synced:
                continue
            yield _status(mailbox)
            async for finding in _granted(house, scope, mailbox):
                yield finding
            async for finding in _watched(house, scope, mailbox, signs[mailbox.id]):
                yield finding
            yield await _folder(house, mailbox)
            for finding in _covered(mailbox, signs[mailbox.id]):
                yield finding


def _status(mailbox: store.Mailbox) -> Finding:
    todo = {
        "paused": f"Resume it: `postroom mailbox resume {mailbox.address}`.",
        "token_refresh_failed": "Connect it again on the page of mailboxes.",
        "provider_error": "Put right what it says, then `postroom mailbox resume`.",
        "subscription_expired": "Nothing: it is polled, and a new watch is asked for every hour.",
    }
    advice = f"{mailbox.because or ''} {todo.get(mailbox.status, '')}".strip()
    fine = mailbox.status in {"paused", "subscription_expired"}
    return compare(f"{mailbox.address}: status", "active", mailbox.status, advice, else_="warning" if fine else "wrong")


async def _granted(house: House, scope: TenantScope, mailbox: store.Mailbox) -> AsyncIterator[Finding]:
    if mailbox.access != "delegated":
        return
    what, advice = f"{mailbox.address}: permissions", "Connect it again and leave everything ticked."
    async with scope.read() as tx:
        needed = needed_capability(mailbox.copilot, sends=await store.tenant_sends(tx))
    consent = house.providers.consent(mailbox.provider, shared=mailbox.is_shared, capability=needed)
    try:
        tokens = await house.providers.tokens.get(scope.tenant_id, mailbox.id)
    except PostroomError as problem:
        yield Finding(what, "wrong", "tokens that open", type(problem).__name__, str(problem))
        return
    if tokens is None or consent is None:
        yield Finding(what, "wrong", "a grant", "none", "Connect it again on the page of mailboxes.")
        return
    wanted = [_short(name) for name in consent.scopes if name not in _ABOUT_US]
    held = {_short(name).lower() for name in tokens.scope.split()}
    held |= {"gmail.readonly"} if "gmail.modify" in held else set()
    missing = [name for name in wanted if name.lower() not in held] if held else []
    said = f"lacks {', '.join(missing)}" if missing else "all of them" if held else "the provider did not say"
    yield judge(what, " ".join(wanted), said, advice, good=not missing)


def _short(scope: str) -> str:
    return scope.rstrip("/").rpartition("/")[2]


async def _watched(
    house: House, scope: TenantScope, mailbox: store.Mailbox, sign: store.MailboxHealth
) -> AsyncIterator[Finding]:
    if not traits(mailbox.provider).is_watched:
        return
    callbacks = house.providers.callbacks(mailbox)
    if callbacks is None:
        why = "polled: it is shared" if mailbox.is_shared else "polled: providers cannot reach us"
        yield Finding(f"{mailbox.address}: watch", "ok", "none", why)
        return
    yield _alive(mailbox, sign, house.clock())
    async with scope.read() as tx:
        held = await watch_store.get_active_subscription(tx, mailbox.id)
        watch = await watch_store.gmail_watch(tx, mailbox.id)
    advice = "It moves by itself within an hour; until then the mailbox is polled."
    if held is not None:
        async for finding in _there(house, mailbox, held.subscription_id):
            yield finding
        what = f"{mailbox.address}: notification URL"
        yield compare(what, callbacks.notify, held.notification_url, advice, else_="warning")
    if watch is not None:
        topic = house.settings.gmail_topic
        advice = "The watch is of another topic than the settings: connect the mailbox again."
        yield compare(f"{mailbox.address}: topic", topic, watch.topic, advice, else_="warning")


async def _there(house: House, mailbox: store.Mailbox, subscription_id: str) -> AsyncIterator[Finding]:
    """We may remember a subscription that the provider has ended: then nobody tells us anything."""
    what, advice = f"{mailbox.address}: subscription", "It is polled meanwhile; a new one is made within the hour."
    try:
        opened = await house.providers.open_mailbox(mailbox.tenant_id, mailbox.id)
        provider = opened.provider if isinstance(opened, ServedFolder) else opened
        if not isinstance(provider, OutlookProvider):
            return
        good = await provider.is_subscribed(subscription_id)
    except PostroomError as problem:
        yield Finding(what, "warning", "at the provider", type(problem).__name__, str(problem))
        return
    yield judge(what, "at the provider", "there" if good else "gone", advice, good=good)


def _alive(mailbox: store.Mailbox, sign: store.MailboxHealth, now: datetime) -> Finding:
    till = sign.watch_expires_at
    advice = "It is polled meanwhile; `postroom job list` says why the watch could not be kept."
    said = f"till {till:%Y-%m-%d %H:%M}" if till else "none"
    good = till is not None and till > now
    return judge(f"{mailbox.address}: watch", "running", said, advice, good=good, else_="warning")


async def _folder(house: House, mailbox: store.Mailbox) -> Finding:
    what = f"{mailbox.address}: folder {mailbox.folder}"
    try:
        provider = await house.providers.open_mailbox(mailbox.tenant_id, mailbox.id)
        await provider.list_since(house.clock())
    except Misconfigured as problem:
        advice = f"{problem} Choose one with `postroom mailbox folder {mailbox.address} NAME`."
        return Finding(what, "wrong", "readable", "not there", advice)
    except PostroomError as problem:
        return Finding(what, "wrong", "readable", type(problem).__name__, str(problem))
    return Finding(what, "ok", "readable", "readable")


def _covered(mailbox: store.Mailbox, sign: store.MailboxHealth) -> Iterator[Finding]:
    if sign.listed is not None:
        advice = f"Compare again: `postroom mailbox reconcile {mailbox.address}`."
        said = (f"{sign.listed_now} held", f"{sign.held_now} held")
        yield compare(f"{mailbox.address}: coverage", *said, advice, else_="warning")
