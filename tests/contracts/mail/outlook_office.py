"""An Outlook mailbox at the simulated Graph, reached by a signed-in person's token."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from aiohttp import web
from aiohttp.test_utils import TestServer

from contracts.mail.post_office import PAGE
from postroom.nouns.errors import AccessRevoked
from postroom.nouns.providers import Notification, ProviderRef
from postroom.nouns.secrets import Secret
from postroom.outside.graph import hook
from postroom.outside.graph.client import GraphClient
from postroom.outside.graph.provider import OutlookProvider
from postroom.outside.http import Http
from postroom_simulators.clock import SimClock
from postroom_simulators.faults import Faults
from postroom_simulators.graph import GraphSim
from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.mail_programs import OutlookProgram
from postroom_simulators.recorder import Recorder


class Receiver:
    """Our end of the webhook: echoes the handshake, keeps what is sent."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        self.received = asyncio.Event()

    def app(self) -> web.Application:
        app = web.Application()
        app.router.add_post("/{tail:.*}", self.answer)
        return app

    async def answer(self, request: web.Request) -> web.Response:
        if token := request.query.get("validationToken"):
            return web.Response(text=token)
        self.bodies.append(await request.read())
        self.received.set()
        return web.Response(status=202)


class OutlookOffice:
    name = "outlook"

    def __init__(self, sim: GraphSim, server: TestServer, receiver: Receiver, webhook_url: str, http: Http) -> None:
        self.sim, self._server, self._receiver, self.http = sim, server, receiver, http
        self.clock, self.faults, self.recorder = sim.clock, sim.faults, sim.recorder
        self.address = "anna.ash@desk.test"
        self.sim.add_mailbox("Anna.Ash@Desk.test", name="Anna Ash")
        self.base_url = f"{str(server.make_url('')).rstrip('/')}/v1.0"
        self.callback, self.lifecycle_callback = f"{webhook_url}/notify", f"{webhook_url}/lifecycle"
        self.client_state = Secret("a-client-state-of-enough-characters")
        self.tokens_given: list[bool] = []
        self._revoked = False
        self._token = Secret(sim.issue_token(self.address, seconds=1e9))
        self.client = GraphClient(http, self.token, now=self.clock.now, base_url=self.base_url)
        self.provider = OutlookProvider(self.client, page_size=PAGE)
        self.copilot = self.provider.copilot
        self.person = OutlookProgram(sim, self.address)
        self.other_addresses = {"desk@desk.test"}
        sim.add_alias(self.address, "Desk@Desk.test")

    async def token(self, fresh: bool) -> Secret:
        self.tokens_given.append(fresh)
        if fresh and self._revoked:
            raise AccessRevoked("The grant was taken back.")
        if fresh:
            self._token = Secret(self.sim.issue_token(self.address, seconds=1e9))
        return self._token

    def deliver(self, raw: bytes, folder: str = "inbox") -> ProviderRef:
        return ProviderRef(self.sim.deliver(IncomingMail(mailbox=self.address, raw=raw, folder=folder)))

    def move_out(self, ref: ProviderRef) -> None:
        self.sim.move(self.address, ref, "archive")

    def move_back(self, ref: ProviderRef) -> None:
        self.sim.move(self.address, ref, "inbox")

    def throw_away(self, ref: ProviderRef) -> None:
        self.sim.delete(self.address, ref)

    def erase(self, ref: ProviderRef) -> None:
        self.sim.delete(self.address, ref, for_good=True)

    def write_draft(self) -> ProviderRef:
        box = self.sim.mailboxes[self.address]
        item = box.compose({"subject": "Half a thought"})
        box.add(item, box.folder("inbox"))  # where a rule or a person may drop it; usually it is in Drafts
        return ProviderRef(item.immutable_id)

    def expire_cursors(self) -> None:
        self.sim.expire_cursors(self.address)

    def expire_access(self) -> None:
        self._token = Secret(self.sim.issue_token(self.address, seconds=-1))

    def revoke(self) -> None:
        self._revoked = True
        self.sim.revoke(self.address)

    def forbid(self) -> None:
        self._token = Secret(self.sim.issue_token(self.address, scopes=frozenset({"User.Read"}), seconds=1e9))

    async def go_away(self) -> None:
        await self._server.close()

    async def notifications(self, at_least: int = 1) -> Sequence[Notification]:
        await self.sim.settle()
        async with asyncio.timeout(5):
            while len(found := [one for body in self._receiver.bodies for one in hook.notifications(body)]) < at_least:
                self._receiver.received.clear()
                await self._receiver.received.wait()
        return found


@asynccontextmanager
async def open_office() -> AsyncIterator[OutlookOffice]:
    sim = GraphSim(SimClock(), Faults(seed=7), Recorder())
    receiver = Receiver()
    app = web.Application(client_max_size=64 * 1024 * 1024)
    app.add_routes(sim.routes())
    await sim.start()
    try:
        async with TestServer(app) as server, TestServer(receiver.app()) as hooks, Http() as http:
            yield OutlookOffice(sim, server, receiver, str(hooks.make_url("")).rstrip("/"), http)
    finally:
        await sim.stop()
