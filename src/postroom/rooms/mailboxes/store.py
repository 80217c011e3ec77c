"""Mailboxes, their tokens and their consents in the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from postroom.db import sql
from postroom.db.errors import DatabaseError
from postroom.db.pool import Database, Tx
from postroom.engine.facts import as_json
from postroom.nouns.copilot import CopilotMode
from postroom.nouns.errors import Conflict
from postroom.nouns.ids import MailboxId, TenantId
from postroom.nouns.mailbox_rules import MailboxRules, mailbox_rules
from postroom.nouns.providers import Capability, MailboxEndpoint, ProviderName
from postroom.nouns.sending import SendingSwitch
from postroom.nouns.versions import version_of
from postroom.rooms.mailboxes.rules import Status

QUERIES = sql.load(__package__ or "")


@dataclass(frozen=True, slots=True)
class Mailbox:
    """An account we serve."""

    id: MailboxId
    tenant_id: TenantId
    address: str
    provider: ProviderName
    access: str
    folder: str
    name: str
    status: Status
    because: str | None
    paused_at: datetime | None
    pipelines: list[str]
    stored_rules: dict[str, Any]
    connection: dict[str, Any]
    copilot: CopilotMode
    sending: SendingSwitch
    operators: list[str]
    connected_at: datetime
    disconnected_at: datetime | None
    attention: dict[str, dict[str, str]]
    capability: Capability

    @property
    def rules(self) -> MailboxRules:
        return mailbox_rules(self.stored_rules)

    @property
    def rules_version(self) -> str:
        """Of what the form of its rules shows."""
        return version_of([self.rules.allow_senders, self.rules.deny_senders, self.pipelines])

    @property
    def copilot_version(self) -> str:
        return version_of([self.copilot, self.operators])

    @property
    def connection_version(self) -> str:
        return version_of([self.connection, self.folder])

    @property
    def is_served(self) -> bool:
        return self.status not in {"paused", "disconnected"}

    @property
    def is_shared(self) -> bool:
        """Read with the grant of a person whose own mailbox is another."""
        return "granted_by" in self.connection

    @property
    def endpoint(self) -> MailboxEndpoint:
        return MailboxEndpoint(self.provider, self.access, self.address, self.folder, self.connected_at)


@dataclass(frozen=True, slots=True)
class Connected:
    id: MailboxId
    again: bool


@dataclass(frozen=True, slots=True)
class StartedConsent:
    """A consent on its way. `browser` is the digest of a secret that only that browser holds."""

    state: str
    tenant_id: TenantId
    provider: ProviderName
    verifier: bytes
    address: str | None
    started_by: str
    return_to: str
    expires_at: datetime
    browser: bytes | None
    shared: bool
    capability: Capability


@dataclass(frozen=True, slots=True)
class MailboxHealth:
    """How a mailbox is doing, by evidence."""

    id: MailboxId
    delivery: str
    has_cursor: bool | None
    moved_at: datetime | None
    synced_at: datetime | None
    resync_since: datetime | None
    unlisted_since: datetime | None
    unlisted_till: datetime | None
    last_push_at: datetime | None
    pushes: int | None
    watch_expires_at: datetime | None
    token_at: datetime | None
    checked_at: datetime | None
    compared_since: datetime | None
    listed: int | None
    held: int | None
    unannounced: int | None
    reasons: dict[str, Any] | None
    waiting: int  # announced and on their way now
    failed: int  # put aside now
    came: int  # received since the last comparison

    @property
    def listed_now(self) -> int | None:
        """What the provider listed, and what came since."""
        return None if self.listed is None else max(self.listed + self.came, self.waiting + self.failed)

    @property
    def held_now(self) -> int | None:
        return None if self.listed_now is None else self.listed_now - self.waiting - self.failed

    @property
    def ratio(self) -> float | None:
        if self.listed_now is None or self.held_now is None:
            return None
        return self.held_now / self.listed_now if self.listed_now else 1.0


@dataclass(frozen=True, slots=True)
class MailboxCoverage:
    """What a mailbox's provider listed, and how much of it we held."""

    mailbox_id: MailboxId
    listed: int
    held: int

    @property
    def ratio(self) -> float:
        return self.held / self.listed if self.listed else 1.0


async def add(
    tx: Tx,
    tenant_id: TenantId,
    mailbox_id: MailboxId,
    now: datetime,
    *,
    address: str,
    provider: ProviderName,
    access: str,
    folder: str = "Inbox",
    name: str = "",
    capability: Capability = "send",
    connection: dict[str, Any] | None = None,
) -> Connected:
    """New, or the one that was there: an address is never connected twice."""
    try:
        made = await tx.row(
            QUERIES.add,
            Connected,
            id=mailbox_id,
            tenant_id=tenant_id,
            now=now,
            address=address.lower(),
            provider=provider,
            access=access,
            folder=folder,
            name=name,
            connection=as_json(connection or {}),
            capability=capability,
        )
    except DatabaseError as twin:
        if twin.constraint != "outlook_mailbox_is_of_one_tenant":
            raise
        raise Conflict(
            f"{address.lower()} is connected for another tenant of this house: disconnect it there first."
        ) from None
    assert made is not None
    return made


async def reserve(
    tx: Tx, tenant_id: TenantId, mailbox_id: MailboxId, now: datetime, provider: ProviderName, address: str, access: str
) -> MailboxId:
    """A place that tokens can belong to, and that nobody serves yet."""
    values = {"id": mailbox_id, "tenant_id": tenant_id, "now": now, "provider": provider, "access": access}
    return MailboxId(await tx.value(QUERIES.reserve, address=address.lower(), **values))


async def mailbox(tx: Tx, mailbox_id: MailboxId) -> Mailbox | None:
    return await tx.row(QUERIES.mailbox, Mailbox, id=mailbox_id)


async def mailbox_to_change(tx: Tx, mailbox_id: MailboxId, *, beside_its_mail: bool = False) -> Mailbox | None:
    """As it stands now: till the commit nobody else changes it, nor, but `beside_its_mail`, routes a document by its
    rules, or takes mail in."""
    await tx.run(QUERIES.lock_mailbox_beside_its_mail if beside_its_mail else QUERIES.lock_mailbox, id=mailbox_id)
    return await mailbox(tx, mailbox_id)


async def look_up(db: Database, tenant_id: TenantId, mailbox_id: MailboxId) -> Mailbox | None:
    """The same for who has no transaction: one trip instead of three."""
    return next(iter(await db.look(tenant_id, QUERIES.mailbox, Mailbox, id=mailbox_id)), None)


async def mailboxes(tx: Tx) -> list[Mailbox]:
    return await tx.rows(QUERIES.mailboxes, Mailbox)


async def by_address(tx: Tx, provider: ProviderName, address: str) -> Mailbox | None:
    return await tx.row(QUERIES.by_address, Mailbox, provider=provider, address=address.lower())


async def tell_once(tx: Tx, mailbox_id: MailboxId, status: Status, because: str, now: datetime) -> bool:
    """True for the first who notices the trouble."""
    return bool(await tx.run(QUERIES.tell_once, id=mailbox_id, status=status, because=because, now=now))


async def recovered(tx: Tx, mailbox_id: MailboxId) -> bool:
    return bool(await tx.run(QUERIES.recovered, id=mailbox_id))


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something of a mailbox that happens too often, and how much of it there was."""

    mailbox_id: MailboxId
    amount: float


async def note_outage(tx: Tx, mailbox_id: MailboxId, because: str, now: datetime, answered_since: datetime) -> bool:
    """True for the first who notices it. A mailbox that answered since then has none."""
    values = {"because": because, "now": now, "answered_since": answered_since}
    return bool(await tx.run(QUERIES.note_outage, id=mailbox_id, **values))


async def end_outage(tx: Tx, mailbox_id: MailboxId) -> bool:
    return bool(await tx.run(QUERIES.end_outage, id=mailbox_id))


async def throttled_lately(tx: Tx, since: datetime, seconds: float) -> list[Trouble]:
    return await tx.rows(QUERIES.throttled_lately, Trouble, since=since, bound=seconds)


async def cursors_lost_lately(tx: Tx, since: datetime, times: int) -> list[Trouble]:
    return await tx.rows(QUERIES.cursors_lost_lately, Trouble, since=since, bound=times)


async def note_attention(tx: Tx, mailbox_id: MailboxId, about: str, because: str, now: datetime) -> bool:
    """True when nobody had said so yet."""
    values = {"about": about, "because": because, "now": now}
    return bool(await tx.value(QUERIES.note_attention, id=mailbox_id, **values))


async def drop_attention(tx: Tx, before: datetime) -> None:
    await tx.run(QUERIES.drop_attention, before=before)


async def pause(tx: Tx, mailbox_id: MailboxId, because: str, now: datetime) -> bool:
    return bool(await tx.run(QUERIES.pause, id=mailbox_id, because=because, now=now))


async def resume(tx: Tx, mailbox_id: MailboxId) -> bool:
    return bool(await tx.run(QUERIES.resume, id=mailbox_id))


async def disconnect(tx: Tx, mailbox_id: MailboxId, now: datetime) -> bool:
    return bool(await tx.run(QUERIES.disconnect, id=mailbox_id, now=now))


async def set_rules(tx: Tx, mailbox_id: MailboxId, rules: MailboxRules, pipelines: Sequence[str]) -> bool:
    values = {"rules": as_json(rules.as_json()), "pipelines": list(pipelines)}
    return bool(await tx.run(QUERIES.set_rules, id=mailbox_id, **values))


async def set_sending(tx: Tx, mailbox_id: MailboxId, sending: SendingSwitch) -> None:
    await tx.run(QUERIES.set_sending, id=mailbox_id, sending=sending)


async def tenant_sends(tx: Tx) -> bool:
    """Whether the tenant has sending switched on."""
    return bool(await tx.value(QUERIES.tenant_sends))


async def set_copilot(tx: Tx, mailbox_id: MailboxId, copilot: CopilotMode) -> None:
    await tx.run(QUERIES.set_copilot, id=mailbox_id, copilot=copilot)


async def set_operators(tx: Tx, mailbox_id: MailboxId, operators: Sequence[str]) -> None:
    await tx.run(QUERIES.set_operators, id=mailbox_id, operators=list(operators))


async def set_folder(tx: Tx, mailbox_id: MailboxId, folder: str, now: datetime) -> bool:
    """The database drops the cursor along with it."""
    return bool(await tx.run(QUERIES.set_folder, id=mailbox_id, folder=folder, now=now))


async def get_token(tx: Tx, mailbox_id: MailboxId) -> bytes | None:
    sealed = await tx.value(QUERIES.get_token, id=mailbox_id)
    return bytes(sealed) if sealed is not None else None


async def put_token(tx: Tx, tenant_id: TenantId, mailbox_id: MailboxId, sealed: bytes, now: datetime) -> None:
    await tx.run(QUERIES.put_token, id=mailbox_id, tenant_id=tenant_id, sealed=sealed, now=now)


async def remove_token(tx: Tx, mailbox_id: MailboxId) -> None:
    await tx.run(QUERIES.remove_token, id=mailbox_id)


async def take_refresh(tx: Tx, tenant_id: TenantId, mailbox_id: MailboxId) -> bool:
    return await tx.value(QUERIES.take_refresh, id=mailbox_id, tenant_id=tenant_id) is not None


async def end_refresh(tx: Tx, mailbox_id: MailboxId) -> None:
    await tx.run(QUERIES.end_refresh, id=mailbox_id)


async def start_consent(tx: Tx, consent: StartedConsent, ticket: bytes | None) -> None:
    await tx.run(
        QUERIES.start_consent,
        state=consent.state,
        tenant_id=consent.tenant_id,
        provider=consent.provider,
        verifier=consent.verifier,
        address=consent.address,
        started_by=consent.started_by,
        return_to=consent.return_to,
        expires_at=consent.expires_at,
        browser=consent.browser,
        shared=consent.shared,
        capability=consent.capability,
        ticket=ticket,
    )


async def ticketed_consent(db: Database, ticket: bytes) -> StartedConsent | None:
    found = await db.desk_rows(QUERIES.ticketed_consent, StartedConsent, ticket=ticket)
    return found[0] if found else None


async def bind_consent(tx: Tx, state: str, browser: bytes) -> bool:
    """True for the first browser only."""
    return bool(await tx.run(QUERIES.bind_consent, state=state, browser=browser))


async def take_consent(db: Database, state: str, provider: ProviderName) -> StartedConsent | None:
    found = await db.desk_rows(QUERIES.take_consent, StartedConsent, state=state, provider=provider)
    return found[0] if found else None


async def drop_consents(tx: Tx, now: datetime) -> int:
    """Those nobody came back from in time."""
    return await tx.run(QUERIES.drop_consents, now=now)


async def forsaken(tx: Tx, before: datetime) -> list[MailboxId]:
    """Places that were made for a mailbox whose connecting never came to its end."""
    return [MailboxId(each) for each in await tx.values(QUERIES.forsaken, before=before)]


async def drop_forsaken(tx: Tx, ids: list[MailboxId]) -> int:
    return await tx.run(QUERIES.drop_forsaken, ids=ids)


async def drop_empty_tokens(tx: Tx) -> int:
    return await tx.run(QUERIES.drop_empty_tokens)


async def tenant_name(tx: Tx) -> str:
    """Of the tenant that this transaction is for."""
    return str(await tx.value(QUERIES.tenant_name) or "")


async def health(tx: Tx, mailbox_id: MailboxId | None = None) -> list[MailboxHealth]:
    return await tx.rows(QUERIES.health, MailboxHealth, id=mailbox_id)


async def covered(db: Database) -> list[MailboxCoverage]:
    """By the last reconcile of every mailbox, within a day."""
    return await db.desk_rows(QUERIES.covered, MailboxCoverage)
