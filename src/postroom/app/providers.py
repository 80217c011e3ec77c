"""Opens mailboxes: which provider a mailbox speaks, with which token, within which budget."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, assert_never
from urllib.parse import urlsplit
from uuid import UUID

from postroom.db.pool import Database, transaction_is_open
from postroom.engine.budgets import MailboxWaits, QuotaBudget, RequestSlots
from postroom.nouns.archive_keys import import_key
from postroom.nouns.errors import AccessRevoked, BadRequest, Gone, Misconfigured, NotFound
from postroom.nouns.ids import MailboxId, TenantId
from postroom.nouns.opinions import endpoint
from postroom.nouns.provider_traits import TRAITS, traits
from postroom.nouns.providers import (
    SERVED_ONLY,
    Capability,
    Changes,
    Cursor,
    Glimpse,
    Listing,
    MailboxEndpoint,
    ProviderName,
    ProviderRef,
    RawMail,
    Watch,
    WatchedFolder,
)
from postroom.nouns.secrets import Secret
from postroom.nouns.tokens import TokenSet, TokenStore
from postroom.outside.blobs import Archive
from postroom.outside.gmail.client import GmailClient
from postroom.outside.gmail.oauth import GoogleConsent
from postroom.outside.gmail.oauth import scopes_for as gmail_scopes
from postroom.outside.gmail.provider import GmailProvider
from postroom.outside.graph.client import GraphClient
from postroom.outside.graph.oauth import AppOnly, GraphConsent
from postroom.outside.graph.oauth import scopes_for as graph_scopes
from postroom.outside.graph.provider import OutlookProvider
from postroom.outside.http import Http
from postroom.outside.imap.client import ImapServer
from postroom.outside.imap.provider import ImapAccount, ImapProvider
from postroom.outside.models import ChatModel, CircuitBreaker
from postroom.ports import AccessToken, Consent, CopilotMailbox, MailProvider, Model, Sealing
from postroom.rooms.mailboxes import store
from postroom.rooms.mailboxes.access import MailboxAccess
from postroom.rooms.mailboxes.served import ServedFolder
from postroom.settings import Settings

NOTIFY, LIFECYCLE, GMAIL_NOTIFY = "/api/graph/notifications", "/api/graph/lifecycle", "/webhooks/gmail"
LOOK_AGAIN_SECONDS = 5.0  # before a mailbox's row is read again


@dataclass(frozen=True, slots=True)
class CallbackUrls:
    notify: str
    lifecycle: str


class ImportedMail:
    """Mail from files, as far as it is a mailbox: it can be read again, and nothing comes by itself."""

    def __init__(self, tenant_id: TenantId, archive: Archive) -> None:
        self._tenant_id, self._archive = tenant_id, archive

    async def message(self, ref: ProviderRef, known: Glimpse | None = None) -> RawMail:
        try:
            raw = await self._archive.get(import_key(self._tenant_id, ref))
        except NotFound:
            raise Gone("The imported file is not in the archive any more.") from None
        return RawMail(known or Glimpse(ref), raw)

    async def address(self) -> str:
        return "imported@files"

    async def changes(self, since: Cursor | None) -> Changes:
        return Changes((), (), since or Cursor("imported"), more=False)

    async def list_since(self, since: datetime, page: str | None = None) -> Listing:
        del since, page
        return Listing((), None)

    async def watch(
        self,
        callback: str,
        lifecycle_callback: str,
        client_state: Secret,
        current: Watch | None,
        folders: Sequence[WatchedFolder] = SERVED_ONLY,
    ) -> Watch:
        raise BadRequest("A mailbox of files cannot be watched.")

    async def unwatch(self, watch: Watch) -> None:
        del watch


@dataclass(frozen=True, slots=True)
class _Opened:
    tenant_id: TenantId
    endpoint: MailboxEndpoint
    provider: MailProvider
    looked: float


def open_model(settings: Settings, clock: Callable[[], datetime], http: Http | None = None) -> Model | None:
    """The model that the settings name, left alone for a while when it is in trouble."""
    if settings.model is None:
        return None
    key = Secret(settings.model_key.get_secret_value()) if settings.model_key else None
    asked = ChatModel(endpoint(settings.model), key, clock, http, seconds=settings.model_seconds)
    return CircuitBreaker(asked, time.monotonic)


class Providers:
    """Opens mailboxes for whoever works on them."""

    def __init__(
        self,
        settings: Settings,
        db: Database,
        http: Http,
        tokens: TokenStore,
        sealer: Sealing,
        clock: Callable[[], datetime],
        archive: Archive,
    ) -> None:
        self.settings, self.tokens, self.sealer, self._archive = settings, tokens, sealer, archive
        self._db, self._http, self._clock = db, http, clock
        self.consents: Mapping[ProviderName, Consent] = _consents(settings, http, clock, "read")
        self._access = MailboxAccess(db, tokens, self.consents, clock)
        self._app_only = _app_only(settings, http, clock)
        self._quota, self._waits = QuotaBudget(db), MailboxWaits(db)
        self._slots = RequestSlots(db, waits=self._waits)
        self._open: dict[UUID, _Opened] = {}
        self._leaving: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        for mailbox_id in list(self._open):
            self.forget(MailboxId(mailbox_id))
        await asyncio.gather(*self._leaving)
        await self._access.close()
        await self._slots.close()

    @property
    def is_local(self) -> bool:
        """No public address: whoever may connect mailboxes here could reach this network anyway."""
        return self.settings.public_url is None

    def consent(
        self, provider: ProviderName, *, shared: bool = False, capability: Capability = "read"
    ) -> Consent | None:
        return _consents(self.settings, self._http, self._clock, capability, shared=shared).get(provider)

    async def keep_tokens(self, tenant_id: TenantId, mailbox_id: MailboxId, tokens: TokenSet | None) -> None:
        await self._access.replace(tenant_id, mailbox_id, tokens)

    async def try_shared(self, tokens: TokenSet, address: str) -> None:
        async def token(fresh: bool) -> Secret:  # noqa: FBT001 - the shape of ports.AccessToken
            del fresh
            return tokens.access_token

        client = GraphClient(self._http, token, now=self._clock, base_url=self.settings.graph_base_url)
        await OutlookProvider(client, address=address).list_since(self._clock())

    async def try_imap(self, address: str, folder: str, connection: dict[str, Any], password: Secret) -> None:
        provider = _imap(address, folder, connection, password)
        try:
            await provider.changes(None)
        finally:
            await provider.close()

    async def open_mailbox(
        self, tenant_id: TenantId, mailbox_id: MailboxId, seen: MailboxEndpoint | None = None
    ) -> MailProvider:
        known, now = self._open.get(mailbox_id), time.monotonic()
        if seen is not None:
            remembered = self._remembered(tenant_id, mailbox_id, seen)
            if remembered is not None:
                return remembered
        elif known is not None and known.tenant_id == tenant_id and now - known.looked < LOOK_AGAIN_SECONDS:
            return known.provider
        mailbox = await store.look_up(self._db, tenant_id, mailbox_id)
        if mailbox is None:
            raise NotFound(f"There is no mailbox {mailbox_id}.")
        endpoint = mailbox.endpoint
        provider = self._remembered(tenant_id, mailbox_id, endpoint)
        if provider is None:
            made = await self._make(tenant_id, mailbox)
            provider = self._remembered(tenant_id, mailbox_id, endpoint) or made  # somebody may have been quicker
        if (before := self._open.get(mailbox_id)) and before.provider is not provider:
            self._hang_up(before.provider)
        self._open[mailbox_id] = _Opened(tenant_id, endpoint, provider, now)
        return provider

    def _remembered(self, tenant_id: TenantId, mailbox_id: MailboxId, endpoint: MailboxEndpoint) -> MailProvider | None:
        known = self._open.get(mailbox_id)
        return known.provider if known and (known.tenant_id, known.endpoint) == (tenant_id, endpoint) else None

    async def open_copilot(self, tenant_id: TenantId, mailbox_id: MailboxId) -> CopilotMailbox:
        """What answering mail asks of a mailbox. Raises BadRequest where the provider can only be read."""
        provider = await self.open_mailbox(tenant_id, mailbox_id)
        inner = provider.provider if isinstance(provider, ServedFolder) else provider
        if isinstance(inner, OutlookProvider | GmailProvider):
            return inner.copilot
        able = " and ".join(each.title for each in TRAITS.values() if "draft" in each.capabilities)
        raise BadRequest(f"Only {able} mailboxes can be drafted in; this one can only be read.")

    async def fetch(self, tenant_id: TenantId, mailbox_id: MailboxId, ref: ProviderRef) -> RawMail:
        provider = await self.open_mailbox(tenant_id, mailbox_id)
        return await provider.message(ref)

    async def app_token(self) -> str:
        """For the doctor, who reads what it grants."""
        if self._app_only is None:
            raise Misconfigured("Set POSTROOM_GRAPH_TENANT_ID, _CLIENT_ID and _CLIENT_SECRET.")
        return (await self._app_only(fresh=False)).reveal()

    def forget(self, mailbox_id: MailboxId) -> None:
        self._access.forget(mailbox_id)
        if opened := self._open.pop(mailbox_id, None):
            self._hang_up(opened.provider)

    def _hang_up(self, provider: MailProvider) -> None:
        """A line to an IMAP server is closed as soon as nobody asks something there."""
        if isinstance(provider, ServedFolder) and isinstance(provider.provider, ImapProvider):
            closing = asyncio.create_task(provider.provider.close())
            self._leaving.add(closing)
            closing.add_done_callback(self._leaving.discard)

    def callbacks(self, mailbox: store.Mailbox) -> CallbackUrls | None:
        """Where a provider can reach us: a public https address, or this machine for a simulator on it."""
        if traits(mailbox.provider).push == "topic":
            return CallbackUrls(GMAIL_NOTIFY, "") if self.settings.gmail_topic else None
        if mailbox.is_shared:
            return None  # a person's grant watches their own mailbox only: this one is polled
        ours, theirs = urlsplit(self.settings.outside_url), urlsplit(self.settings.graph_base_url)
        if ours.scheme != "https" and theirs.scheme == "https":
            return None
        base = self.settings.outside_url
        return CallbackUrls(f"{base}{NOTIFY}", f"{base}{LIFECYCLE}")

    def client_state(self, mailbox: store.Mailbox) -> Secret | None:
        """GRAPH_CLIENT_STATE is for the configured app-only mailbox alone."""
        configured = self.settings.graph_client_state
        if configured is None or mailbox.access != "app_only":
            return None
        return Secret(configured.get_secret_value())

    async def _make(self, tenant_id: TenantId, mailbox: store.Mailbox) -> MailProvider:
        match mailbox.provider:
            case "outlook":
                return self._outlook(tenant_id, mailbox)
            case "gmail":
                return self._gmail(tenant_id, mailbox)
            case "imap":
                return ServedFolder(await self.imap(tenant_id, mailbox), mailbox.folder)
            case "files":
                return ImportedMail(tenant_id, self._archive)
            case _:
                assert_never(mailbox.provider)

    def _outlook(self, tenant_id: TenantId, mailbox: store.Mailbox) -> MailProvider:
        token: AccessToken
        if mailbox.access == "app_only":
            if self._app_only is None:
                raise Misconfigured("Set POSTROOM_GRAPH_TENANT_ID, _CLIENT_ID and _CLIENT_SECRET.")
            token = self._app_only
        else:
            token = self._token(tenant_id, mailbox)
        gate = partial(self._slots.use, mailbox.id)
        client = GraphClient(
            self._http,
            token,
            now=self._clock,
            base_url=self.settings.graph_base_url,
            gate=gate,
            waits=self._waits.of(mailbox.id),
        )
        address = mailbox.address if mailbox.access == "app_only" or mailbox.is_shared else None
        return ServedFolder(OutlookProvider(client, address=address, folder=mailbox.folder), mailbox.folder)

    def _gmail(self, tenant_id: TenantId, mailbox: store.Mailbox) -> MailProvider:
        async def spend(units: int) -> None:
            await self._quota.spend(mailbox.id, units)

        token, waits = self._token(tenant_id, mailbox), self._waits.of(mailbox.id)
        client = GmailClient(self._http, self.settings.gmail_base_url, token, self._clock, spend, waits=waits)
        return GmailProvider(client, self.settings.gmail_topic, mailbox.address.rpartition("@")[2])

    async def imap(self, tenant_id: TenantId, mailbox: store.Mailbox) -> ImapProvider:
        """Its password is kept where tokens are."""
        kept = await self.tokens.get(tenant_id, mailbox.id)
        if kept is None:
            raise AccessRevoked("There is no password for this mailbox.")
        return _imap(mailbox.address, mailbox.folder, mailbox.connection, kept.access_token)

    def _token(self, tenant_id: TenantId, mailbox: store.Mailbox) -> AccessToken:
        async def token(fresh: bool) -> Secret:  # noqa: FBT001 - the shape of ports.AccessToken
            return await self._access.token(tenant_id, mailbox.id, mailbox.provider, fresh=fresh)

        return token


def _imap(address: str, folder: str, told: dict[str, Any], password: Secret) -> ImapProvider:
    server = ImapServer(told["host"], int(told["port"]), told["security"], private=told.get("private", True))
    account = ImapAccount(server, told["user"], password, address, folder)
    return ImapProvider(account, forbidden=transaction_is_open)


def _consents(
    settings: Settings, http: Http, clock: Callable[[], datetime], capability: Capability, *, shared: bool = False
) -> Mapping[ProviderName, Consent]:
    consents: dict[ProviderName, Consent] = {}
    if outlook := _graph_consent(settings, http, clock, graph_scopes(capability, shared=shared)):
        consents["outlook"] = outlook
    if settings.gmail_client_id and settings.gmail_client_secret and not shared:
        consents["gmail"] = GoogleConsent(
            http,
            client_id=settings.gmail_client_id,
            client_secret=Secret(settings.gmail_client_secret.get_secret_value()),
            auth_url=settings.google_auth_url,
            token_url=settings.google_token_url,
            now=clock,
            scopes=gmail_scopes(capability),
        )
    return consents


def _graph_consent(
    settings: Settings, http: Http, clock: Callable[[], datetime], scopes: Sequence[str]
) -> GraphConsent | None:
    if not (settings.graph_client_id and settings.graph_client_secret):
        return None
    return GraphConsent(
        http,
        client_id=settings.graph_client_id,
        client_secret=Secret(settings.graph_client_secret.get_secret_value()),
        now=clock,
        tenant=settings.graph_tenant_id or "common",
        login_url=settings.graph_login_url,
        base_url=settings.graph_base_url,
        scopes=scopes,
    )


def _app_only(settings: Settings, http: Http, clock: Callable[[], datetime]) -> AppOnly | None:
    if not (settings.graph_tenant_id and settings.graph_client_id and settings.graph_client_secret):
        return None
    if settings.graph_tenant_id.lower() in {"common", "organizations", "consumers"}:
        return None
    return AppOnly(
        http,
        tenant=settings.graph_tenant_id,
        client_id=settings.graph_client_id,
        client_secret=Secret(settings.graph_client_secret.get_secret_value()),
        now=clock,
        login_url=settings.graph_login_url,
        base_url=settings.graph_base_url,
    )
