"""A Gmail mailbox at a simulated Google on real HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

from aiohttp import web
from aiohttp.test_utils import TestServer

from contracts.mail.post_office import PAGE
from postroom.nouns.providers import Notification, ProviderRef
from postroom.nouns.secrets import Secret
from postroom.nouns.tokens import TokenSet
from postroom.outside.gmail import hook
from postroom.outside.gmail.certs import GoogleCerts
from postroom.outside.gmail.client import GmailClient
from postroom.outside.gmail.oauth import SCOPES, GoogleConsent
from postroom.outside.gmail.provider import GmailProvider
from postroom.outside.http import Http
from postroom_simulators.clock import SimClock
from postroom_simulators.faults import Faults
from postroom_simulators.google import GoogleSim
from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.mail_programs import GmailProgram
from postroom_simulators.recorder import Recorder

TOPIC = "projects/office/topics/mail"
SUBSCRIPTION = "projects/office/subscriptions/mail"
AUDIENCE = "https://office.test/webhooks/gmail"
SERVICE_ACCOUNT = "push@office.iam.gserviceaccount.com"
DRAFT = b"To: carl@client.test\r\nSubject: Not finished\r\n\r\nDear Carl,\r\n"


def real_now() -> datetime:
    """Push tokens are signed by the real clock."""
    return datetime.now(UTC)


class GmailOffice:
    """A contracts.mail.post_office.PostOffice."""

    name = "gmail"
    address = "anna@office.test"
    client_state = Secret("not used by Gmail, and never sent there")

    def __init__(self, sim: GoogleSim, http: Http, base: str, google: TestServer, callback: str) -> None:
        self.sim = sim
        self.http = http
        self.base = base
        self.clock: SimClock = sim.gmail.clock
        self.faults: Faults = sim.gmail.faults
        self.recorder: Recorder = sim.gmail.recorder
        self.callback = self.lifecycle_callback = callback
        self.spent: list[int] = []
        self.consent = GoogleConsent(
            http,
            client_id="client",
            client_secret=Secret("client-secret"),
            auth_url=f"{base}/o/oauth2/v2/auth",
            token_url=f"{base}/token",
            now=self.clock.now,
        )
        self.certs = GoogleCerts(http, f"{base}/oauth2/v3/certs", real_now)
        self.client = GmailClient(http, base, self._token, self.clock.now, self._spend, page_size=PAGE)
        self.provider = GmailProvider(self.client, TOPIC, "office.test")
        self.copilot = self.provider.copilot
        self.person = GmailProgram(sim, self.address)
        self.other_addresses = {"desk@office.test"}
        sim.add_alias(self.address, "Desk@Office.test")
        self._google = google
        self._notifications: list[Notification] = []
        self._received = asyncio.Event()
        self._tokens = self._granted(SCOPES)
        self._fixed: Secret | None = None

    def _granted(self, scopes: Sequence[str]) -> TokenSet:
        grant = self.sim.grant(self.address, scopes=scopes)
        access = self.sim.grants.access(self.address, "client", scopes, grant)
        expires_at = datetime.fromtimestamp(access.expires_at, UTC)
        return TokenSet(Secret(access.token), Secret(grant.refresh_token), expires_at, " ".join(scopes))

    async def _token(self, fresh: bool) -> Secret:
        if self._fixed is not None:
            return self._fixed
        if fresh:
            self._tokens = await self.consent.refresh(self._tokens)
        return self._tokens.access_token

    async def _spend(self, units: int) -> None:
        self.spent.append(units)

    async def receive(self, request: web.Request) -> web.Response:
        """What the product's webhook does: verify, read, then 204."""
        credential = request.headers.get("Authorization")
        await hook.verify(
            credential, self.certs.key, audience=AUDIENCE, service_account=SERVICE_ACCOUNT, now=real_now()
        )
        self._notifications.append(hook.notification(await request.read(), SUBSCRIPTION))
        self._received.set()
        return web.Response(status=204)

    async def notifications(self, at_least: int = 1) -> Sequence[Notification]:
        async with asyncio.timeout(10):
            while self.sim.waiting_pushes():  # noqa: ASYNC110 - nothing announces the last of them
                await asyncio.sleep(0.005)
            while len(self._notifications) < at_least:
                self._received.clear()
                await self._received.wait()
        return list(self._notifications)

    def deliver(self, raw: bytes, folder: str = "inbox") -> ProviderRef:
        return ProviderRef(self.sim.deliver(IncomingMail(self.address, raw, folder=folder)))

    def move_out(self, ref: ProviderRef) -> None:
        self.sim.archive(self.address, ref)

    def move_back(self, ref: ProviderRef) -> None:
        self.sim.move_to_inbox(self.address, ref)

    def throw_away(self, ref: ProviderRef) -> None:
        self.sim.trash(self.address, ref)

    def erase(self, ref: ProviderRef) -> None:
        box = self.sim.mailboxes[self.address]
        box.delete(box.mails[ref])

    def write_draft(self) -> ProviderRef:
        return ProviderRef(self.sim.mailboxes[self.address].put_draft(DRAFT).mail.id)

    def expire_cursors(self) -> None:
        self.sim.expire_history(self.address)

    def expire_access(self) -> None:
        self.clock.advance(timedelta(hours=1))

    def revoke(self) -> None:
        self.sim.revoke(self.address)

    def forbid(self) -> None:
        scopes = ["https://www.googleapis.com/auth/gmail.labels"]
        self._fixed = Secret(self.sim.access_token(self.address, scopes=scopes))

    async def go_away(self) -> None:
        await self._google.close()


@asynccontextmanager
async def open_office() -> AsyncIterator[GmailOffice]:
    sim = GoogleSim(SimClock(), Faults(seed=1), Recorder())
    sim.add_mailbox("Anna@Office.Test", name="Anna Office")
    offices: list[GmailOffice] = []

    async def receive(request: web.Request) -> web.Response:
        return await offices[0].receive(request)

    async with (
        _served(sim.routes()) as google,
        _served([web.post("/webhooks/gmail", receive)]) as hooks,
        Http() as http,
    ):
        callback = str(hooks.make_url("/webhooks/gmail"))
        offices.append(GmailOffice(sim, http, str(google.make_url("")).rstrip("/"), google, callback))
        sim.gmail.faults.turn(one_push_a_second=False)  # else the push of a watch's start drowns the next
        sim.add_push_subscription(SUBSCRIPTION, TOPIC, callback, AUDIENCE, SERVICE_ACCOUNT)
        await sim.start()
        try:
            yield offices[0]
        finally:
            await sim.stop()


@asynccontextmanager
async def _served(routes: Sequence[web.RouteDef]) -> AsyncIterator[TestServer]:
    app = web.Application()
    app.add_routes(routes)
    async with TestServer(app) as server:
        yield server
