"""A running console for tests: simulated providers, the web process, a worker when asked for, and people who sign in."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from datetime import date
from email.message import EmailMessage
from typing import Any

import aiohttp

from harness import OwnerEyes, held_port, served, works_off
from postroom.app.house import House, open_house
from postroom.app.web import web_app
from postroom.doors.console import mount
from postroom.doors.console.mounting import Console, DemoMail
from postroom.nouns.errors import Conflict
from postroom.nouns.ids import JobId, TenantId
from postroom.rooms.documents import commands as documents
from postroom.rooms.tenants import commands as tenants
from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.papers import NOTES
from postroom_simulators.world import World
from stories.office import settings_for

OUTLOOK, GMAIL = "notes@larkspur.example", "invoices@larkspur.example"
PASSWORD = "correct horse battery"
SLOW = ("scan", "picture", "photo", "fax", "image")


@dataclass
class Place(OwnerEyes):
    """What a test may do and see."""

    world: World
    house: House
    app: Any
    owner_dsn: str
    url: str
    tenant: TenantId
    sent: int = 0
    sessions: list[aiohttp.ClientSession] = field(default_factory=list)

    async def tenant_named(self, name: str) -> TenantId:
        return await tenants.ensure_tenant(self.house.db, name)

    async def person(
        self, email: str, role: str = "admin", tenant: TenantId | None = None, password: str | None = PASSWORD
    ) -> str:
        scope = self.house.scope(tenant or self.tenant, "test")
        await tenants.add_person(scope, email, name=email.partition("@")[0].title(), role=role, password=password)
        return email

    async def link(self, email: str | None = None, tenant: TenantId | None = None) -> str:
        return await tenants.make_link(self.house.scope(tenant or self.tenant, "test"), self.url, email)

    async def come_in(self, role: str = "admin", tenant: TenantId | None = None) -> Browser:
        """Somebody new, signed in by a link."""
        self.sent += 1
        email = await self.person(f"{role}{self.sent}@larkspur.example", role, tenant, None)
        browser = self.browser()
        await browser.follow(await self.link(email, tenant))
        return browser

    def browser(self) -> Browser:
        session = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))
        self.sessions.append(session)
        return Browser(self.url, session)

    def deliver(
        self,
        *,
        to: str = OUTLOOK,
        subject: str = "Hello",
        text: str = "Good morning.",
        html: str = "",
        sender: str = "Anna Ash <anna@client.test>",
        files: tuple[tuple[str, bytes, str], ...] = (),
        answers: str = "",
    ) -> str:
        self.sent += 1
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = sender, to, subject
        mail["Message-ID"] = f"<{self.sent}.{id(self)}@client.test>"
        if answers:
            mail["In-Reply-To"] = mail["References"] = answers
        mail.set_content(text)
        if html:
            mail.add_alternative(html, subtype="html")
        for name, content, kind in files:
            main, _, sub = kind.partition("/")
            mail.add_attachment(content, maintype=main, subtype=sub, filename=name)
        return self.world.deliver(IncomingMail(to, mail.as_bytes()))

    async def connect(self, browser: Browser, address: str, provider: str, capability: str = "read") -> None:
        """Through consent at the simulator, as a browser would."""
        path = f"/oauth/{provider}/authorize?address={address}&capability={capability}"
        async with browser.session.get(
            self.url + path, allow_redirects=False, headers={"Accept": "text/html"}
        ) as answer:
            target = answer.headers["Location"]
        async with browser.session.get(target + "&auto=1", allow_redirects=False) as answer:
            if answer.status in (302, 303):
                back = answer.headers["Location"]
            else:
                raise AssertionError(await answer.text())
        async with browser.session.get(back, allow_redirects=False) as answer:
            assert 303 == answer.status, await answer.text()

    async def works(self) -> None:
        await works_off(self.world, self.house, self)

    @contextlib.asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        worker = self.house.worker()
        running = asyncio.create_task(worker.run())
        try:
            yield
        finally:
            worker.stop()
            await running

    async def until(self, question: str, expected: Any, seconds: float = 30) -> None:
        for _ in range(int(seconds / 0.05)):
            if self.ask(question) == expected:
                return
            await asyncio.sleep(0.05)
        raise AssertionError(f"{question} gave {self.ask(question)}, not {expected}")


@dataclass
class Browser:
    """A browser without scripts: keeps cookies, knows the page's token."""

    url: str
    session: aiohttp.ClientSession

    async def get(self, path: str, **headers: str) -> tuple[int, str]:
        wanted = {"Accept": "text/html", **{name.replace("_", "-"): value for name, value in headers.items()}}
        async with self.session.get(self.url + path, headers=wanted, allow_redirects=False) as answer:
            return answer.status, await answer.text()

    async def raw(self, method: str, path: str, **options: Any) -> aiohttp.ClientResponse:
        async with self.session.request(method, self.url + path, allow_redirects=False, **options) as answer:
            await answer.read()
            return answer

    async def token(self, path: str = "/settings") -> str:
        _, page = await self.get(path)
        found = re.search(r'name="csrf" value="([^"]+)"', page)
        assert found, page[:500]
        return found[1]

    async def post(
        self, path: str, data: Any = None, *, token: str | None = None, htmx: bool = True, zone: str = ""
    ) -> aiohttp.ClientResponse:
        headers = {"X-CSRF-Token": await self.token() if token is None else token, "Accept": "text/html"}
        if zone:
            headers["Postroom-Zone"] = zone
        if htmx:
            headers["HX-Request"] = "true"
        return await self.raw("POST", path, data=data or {}, headers=headers)

    async def follow(self, link: str) -> None:
        path = link.removeprefix(self.url)
        token = await self.token(path)
        answer = await self.raw("POST", path, data={"csrf": token})
        assert 303 == answer.status, await answer.text()

    async def sign_in(self, email: str, password: str = PASSWORD, **more: str) -> aiohttp.ClientResponse:
        token = await self.token("/signin")
        return await self.raw(
            "POST",
            "/signin",
            data={"csrf": token, "email": email, "password": password, "next": "/", **more},
            headers={"Accept": "text/html"},
        )


@contextlib.asynccontextmanager
async def open_place(dsn: str, owner_dsn: str, home: str, **more: Any) -> AsyncIterator[Place]:
    async with World() as world:
        world.add_mailbox(OUTLOOK, name="Contract notes", provider="graph")
        world.add_mailbox(GMAIL, name="Invoices", provider="gmail")
        port = held_port()
        options = {"graph_mailbox_email": None, **more}
        settings = settings_for(world, dsn, port.getsockname()[1], home, **options)
        async with open_house(settings, clock=world.clock.now) as house:
            app = _app(house, world)
            async with served(app, port, proxy_headers=False, timeout_graceful_shutdown=1):
                tenant = await tenants.ensure_tenant(house.db, "default")
                place = Place(world, house, app, owner_dsn, house.settings.outside_url, tenant)
                try:
                    yield place
                finally:
                    for session in place.sessions:
                        await session.close()


def _app(house: House, world: World) -> Any:
    app = web_app(house)
    if not hasattr(app.state, "console"):
        mount(app)

    async def send(dropped: DemoMail) -> None:
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = dropped.sender, dropped.mailbox, dropped.subject
        mail.set_content(dropped.text)
        if dropped.filename:
            mail.add_attachment(dropped.content, maintype="application", subtype="pdf", filename=dropped.filename)
        world.deliver(IncomingMail(dropped.mailbox, mail.as_bytes()))

    console: Console = app.state.console
    app.state.console = replace(console, demo=True, simulators_url=world.base_url, send_mail=send)
    return app


async def a_day(place: Place, most: int = 30) -> Browser:
    """A day's mail at two desks, taken in and read; an admin is signed in. Scans are left out: they take seconds each."""
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in("admin")
    for name in ("dealing-desk", "accounts-payable"):
        story = await place.world.tell(name)
        letters = [letter for letter in story.mails if not any(word in letter.about.lower() for word in SLOW)]
        await place.world.play(replace(story, mails=letters[:most]), speed=0, patience=0)
        for box in story.boxes:
            await place.connect(admin, box.address, "outlook" if box.provider == "graph" else "gmail")
        await prepare(place, name, story.truth)
    await place.works()
    return admin


async def prepare(place: Place, name: str, truth: Any) -> None:
    """Some of what the office knows beforehand: so there is something that confirms itself, and something to review."""
    scope = place.house.scope(place.tenant, "person:anna@larkspur.example")
    pipeline = "pad_contract_notes" if name == "dealing-desk" else "ap_invoices"
    for sender in truth.get("trusted_senders", [])[:5]:
        await documents.allow_sender(scope, pipeline, sender)
    for number, order in enumerate(truth.get("orders", [])[:8], 1):
        wanted = {key: order.get(key) for key in ("isin", "name", "direction", "quantity")}
        await documents.place_order(
            scope, {**wanted, "external_id": f"O-{number:04}", "username": order["user"], "placed_on": order["date"]}
        )


def revision(page: str) -> str:
    """Which version of an item this page shows."""
    found = re.search(r'data-revision="(\d+)"', page)
    assert found, page[:500]
    return found[1]


async def put_aside(place: Place, number: int, kind: str = "sync.poll", args: str = "{}") -> JobId:
    """A job that was quarantined."""
    place.own(
        "INSERT INTO postroom.job (tenant_id, kind, key, args, state, correlation_id, reason, tries) "
        "VALUES (%s, %s, %s, %s, 'quarantined', gen_random_uuid(), 'The provider gave up.', 5)",
        place.tenant,
        kind,
        f"n{number}",
        args,
    )
    return place.ask("SELECT max(id) FROM postroom.job")


def disagree(place: Place, quantity: str = "99999") -> None:
    """As if a model had read another quantity in every trade, in the page's upper left corner."""
    other = json.dumps([{"value": quantity, "by": "tiny-2026", "page": 1, "box": [20, 20, 60, 30]}])
    place.own(f"UPDATE postroom.trade SET fields = jsonb_set(fields, '{{quantity,candidates}}', '{other}')")


async def hand_in(place: Place, browser: Browser, *seeds: int) -> None:
    """Contract notes that no order asked for: each waits for a person."""
    order = {
        "external_id": "O-1",
        "username": "kb",
        "direction": "BUY",
        "quantity": "5",
        "isin": "FR0000120271",
        "placed_on": "2020-01-02",
    }
    with contextlib.suppress(Conflict):
        await documents.place_order(place.house.scope(place.tenant, "test"), order)
    form = aiohttp.FormData()
    for seed in seeds:
        form.add_field(
            "files",
            NOTES["hansekontor"](date(2026, 3, 4), seed).pdf,
            filename=f"note-{seed}.pdf",
            content_type="application/pdf",
        )
    answer = await browser.post("/documents/upload", form)
    assert 200 == answer.status, await answer.text()
    await place.works()
