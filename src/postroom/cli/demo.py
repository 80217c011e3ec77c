"""The whole product alive, with nothing but this machine."""

from __future__ import annotations

import asyncio
import contextlib
import mimetypes
import socket
import sys
import tempfile
import time
from collections.abc import Sequence
from email.message import EmailMessage
from email.utils import make_msgid
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import SecretStr

from postroom import logs, settings
from postroom.app.house import Demo, House, open_house
from postroom.chores.backstop import backstop
from postroom.cli import demo_people
from postroom.cli.demo_home import announced
from postroom.cli.house import serving, web_server
from postroom.cli.parts import run_parts
from postroom.cli.shared import out, run, show
from postroom.cli.simulate import SCENARIOS, Scenarios, need_simulators, simulated
from postroom.doors.console.mounting import DemoMail
from postroom.engine.work import TenantScope
from postroom.nouns.errors import Conflict
from postroom.nouns.ids import TenantId
from postroom.nouns.pipelines import PIPELINES
from postroom.nouns.secrets import Secret
from postroom.nouns.sending import SendingPolicy
from postroom.rooms.clients import commands as clients
from postroom.rooms.documents import commands as documents
from postroom.rooms.mailboxes import commands as mailboxes
from postroom.rooms.mailboxes import store as mailbox_store
from postroom.rooms.replies import commands as replies
from postroom.rooms.tenants import commands as tenants
from postroom.rooms.triage import commands as triage
from postroom.rooms.triage.rules.channels import ChannelRules
from postroom.settings import Settings

if TYPE_CHECKING:
    from postroom_simulators.scenarios import Scenario
    from postroom_simulators.world import World

TOPIC, SUBSCRIPTION = "projects/demo/topics/mail", "projects/demo/subscriptions/postroom"
UNDO_SECONDS = 20  # time enough to see that a yes can be taken back
ACCOUNT, AUDIENCE = "push@demo.iam.gserviceaccount.com", "https://postroom.invalid/webhooks/gmail"


def demo(
    once: Annotated[bool, typer.Option("--once", help="Run until quiet, print a summary and end with 0 or 1.")] = False,
    scenario: Scenarios = None,
    speed: Annotated[float, typer.Option(help="How fast the sample mail comes; 0 is all at once.", min=0)] = 4.0,
    drip: Annotated[float, typer.Option(help="Seconds between further mails after that; 0 for none.", min=0)] = 20.0,
    keep: Annotated[
        bool, typer.Option("--keep", help="Keep the data in POSTROOM_HOME instead of a throw-away folder.")
    ] = False,
    port: Annotated[
        int | None, typer.Option(help="Of the web console; that of POSTROOM_BIND if not given.", min=1, max=65535)
    ] = None,
) -> None:
    """Simulated Outlook and Gmail, sample mail, and Postroom on top: no account, no cloud, nothing to set up."""
    need_simulators()
    with contextlib.ExitStack() as stack:
        home = None if keep else Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="postroom-demo-")))
        if home is not None:
            home.chmod(0o755)
        chosen = tuple(scenario or SCENARIOS)
        sound = run(_demo(home, chosen, once=once, speed=0 if once else speed, drip=0 if once else drip, port=port))
    if not sound:
        raise typer.Exit(1)


async def _demo(
    home: Path | None, chosen: tuple[str, ...], *, once: bool, speed: float, drip: float, port: int | None
) -> bool:
    from postroom_simulators.world import World

    ours = settings.load()
    logs.set_up(ours.log_format, "warning" if ours.log_level == "info" else ours.log_level)
    web_port = port or (_free_port(ours.host) if once else ours.port)
    out.print("Starting PostgreSQL, simulated mailboxes and Postroom …", highlight=False)
    async with World(first=1 if home else int(time.time() * 100)) as world, contextlib.AsyncExitStack() as stack:
        stories = [await world.tell(name) for name in chosen]
        for story in stories:
            world.furnish(story.boxes)
        told = _told(ours, world, home, web_port)
        configured = ours.model_copy(update=told)
        async with open_house(configured) as house:
            stack.enter_context(announced(configured, {name: told[name] for name in told.keys() - {"home"}}))
            tenant_id = await tenants.ensure_tenant(house.db, "default")
            house.demo = Demo(world.base_url, partial(_drop_in, world))
            await _prepare(house, tenant_id, world, stories)
            if once:
                return await _once(house, world, stories)
            await _live(house, tenant_id, world, stories, speed=speed, drip=drip)
            return True


def _told(ours: Settings, world: World, home: Path | None, port: int) -> dict[str, Any]:
    """Everything points at the simulators; the rest stays as the environment says."""
    told: dict[str, Any] = {
        "bind": f"{ours.host}:{port}",
        "public_url": None,
        "graph_tenant_id": "demo",
        "graph_client_id": "postroom-demo",
        "graph_client_secret": SecretStr("demo"),
        "graph_mailbox_email": None,
        "gmail_client_id": "postroom-demo",
        "gmail_client_secret": SecretStr("demo"),
        "gmail_topic": TOPIC,
        "gmail_subscription": SUBSCRIPTION,
        "gmail_audience": AUDIENCE,
        "gmail_service_account": ACCOUNT,
        "archive_url": None,
    } | {name.removeprefix(settings.PREFIX).lower(): value for name, value in simulated(world.base_url).items()}
    if home is not None:
        told |= {"home": home, "database_url": None}
    return told


async def _prepare(house: House, tenant_id: TenantId, world: World, stories: list[Scenario]) -> None:
    """Connect every simulated mailbox, and tell the house what the office knows beforehand."""
    scope = house.scope(tenant_id, "demo")
    world.google.add_topic(TOPIC)
    hook = f"{house.settings.outside_url}/webhooks/gmail"
    world.google.add_push_subscription(SUBSCRIPTION, TOPIC, hook, AUDIENCE, ACCOUNT)
    for story in stories:
        for box in story.boxes:
            await _connect(house, tenant_id, world, box.address, box.provider)
            if operators := story.truth.get("operators"):  # a desk that answers mail
                await _switch_copilot(house, scope, box.address, operators)
        await _tell_office(house, scope, story)
    await demo_people.watch_invoices(scope, stories)
    await _leave_out_of_mapping(
        scope, [box.address for story in stories if "accounts" not in story.truth for box in story.boxes]
    )


async def _switch_copilot(house: House, scope: TenantScope, address: str, operators: list[str]) -> None:
    async with scope.read() as tx:
        found = next(each for each in await mailbox_store.mailboxes(tx) if each.address == address)
    others = [each for each in operators if each != address]
    await mailboxes.set_operators(scope, found.id, others)
    await mailboxes.set_copilot(scope, found.id, "drafts")


async def _drop_in(world: World, dropped: DemoMail) -> None:
    """A mail of the visitor's own, with a file if they chose one."""
    from postroom_simulators.incoming_mail import IncomingMail

    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = dropped.sender, dropped.mailbox, dropped.subject
    mail["Message-ID"] = make_msgid(domain="visitor.example")
    mail.set_content(dropped.text or "")
    if dropped.filename:
        kind = mimetypes.guess_type(dropped.filename)[0] or "application/octet-stream"
        main, _, sub = kind.partition("/")
        mail.add_attachment(dropped.content, maintype=main, subtype=sub, filename=dropped.filename)
    world.deliver(IncomingMail(dropped.mailbox, mail.as_bytes()))


async def _connect(house: House, tenant_id: TenantId, world: World, address: str, provider: str) -> None:
    scope = house.scope(tenant_id, "demo")
    if provider == "graph":
        await mailboxes.connect_configured(
            scope, address=address, provider="outlook", access="app_only", folder="Inbox", connection={}
        )
        return
    grant = world.google.grant(address, house.settings.gmail_client_id or "postroom-demo")
    await mailboxes.connect_granted(scope, house.providers, "gmail", address, Secret(grant.refresh_token))


async def _tell_office(house: House, scope: TenantScope, story: Scenario) -> None:
    """Trusted senders, passwords and pending orders, as a real office would have entered them."""
    known = story.truth
    for sender in known.get("trusted_senders", ()):
        for pipeline in PIPELINES:
            await documents.allow_sender(scope, pipeline, sender)
    for number, password in enumerate(known.get("passwords", ()), 1):
        with contextlib.suppress(Conflict):  # kept from an earlier demo
            await documents.add_password(scope, house.outside.sealer, f"Sample {number}", Secret(password))
    for order in known.get("orders", ()):
        values = {"username": order["user"], "placed_on": order["date"], **order}
        with contextlib.suppress(Conflict):  # kept from an earlier demo
            await documents.place_order(scope, values)
    if known.get("accounts"):
        await _take_in_book(scope)
        await _take_in_papers(house, scope)
        await _open_channels(scope)
        await tenants.change_sending(scope, SendingPolicy("on", undo_seconds=UNDO_SECONDS))


async def _take_in_book(scope: TenantScope) -> None:
    """The clients of the retreat house, from files as its other system would export them."""
    from postroom_simulators.scenarios import client_desk

    with tempfile.TemporaryDirectory() as folder:
        files = {path.name: path.read_bytes() for path in client_desk.write_client_book(Path(folder))}
    await clients.import_book(scope, files)


async def _take_in_papers(house: House, scope: TenantScope) -> None:
    """What answers are drafted from: the retreat house's own papers."""
    from postroom_simulators.scenarios import client_desk

    with tempfile.TemporaryDirectory() as folder:
        for path in client_desk.write_knowledge(Path(folder)):
            await replies.add_evidence(scope, house.outside.reader, path.name, path.read_bytes())


async def _open_channels(scope: TenantScope) -> None:
    """Where the retreat house sees to its threads; what fits neither is in Default."""
    words = ("refund", "invoice", "factura", "facture", "Rechnung", "fattura")
    wanted = {"Billing": ChannelRules(words=words), "Complaints": ChannelRules(intents=("complaint",))}
    held = {each.name for each in await triage.channels(scope)}  # kept from an earlier demo
    for name, rules in wanted.items():
        if name not in held:
            await triage.add_channel(scope, name, rules)


async def _leave_out_of_mapping(scope: TenantScope, addresses: Sequence[str]) -> None:
    """Brokers and suppliers are no clients: nobody is asked whose their mail is."""
    async with scope.read() as tx:
        boxes = [box.id for box in await mailbox_store.mailboxes(tx) if box.address in addresses]
    await clients.adjust_mapping_policy(scope, {"left_out": boxes})


async def _once(house: House, world: World, stories: list[Scenario]) -> bool:
    async with serving(house):
        worker = house.worker()
        await worker.run_until_quiet(idle=0.5)
        for story in stories:
            await world.play(story, 0, patience=0)
        await house.worker().run_until_quiet(idle=2.0)
        await backstop(house, days=7, work=True)  # Gmail swallows a push that follows another within a second
        tenant = await tenants.find_tenant(house.db, "default")
        await demo_people.decide(house.scope(tenant.tenant_id, demo_people.COLLEAGUE), stories)
        await house.worker().run_until_quiet(idle=0.5)
    return await _summary(house, world)


async def _live(
    house: House, tenant_id: TenantId, world: World, stories: list[Scenario], *, speed: float, drip: float
) -> None:
    server = web_server(house)
    link = await tenants.make_link(house.scope(tenant_id, "demo"), house.settings.outside_url)
    out.print(f"\nPostroom is at     {link}", highlight=False)
    out.print(f"Simulated mail at  {world.base_url}", highlight=False)
    out.print(f"Other commands     POSTROOM_HOME={house.settings.home} {_ourselves()} status", highlight=False)
    out.print("The first link signs you in, once. Stop with Ctrl-C.", highlight=False)
    out.print(f"Scans and photographs are {_scans()}.\n", highlight=False)

    async def mail() -> None:
        await asyncio.gather(*(world.play(story, speed, patience=0) for story in stories))
        if drip:
            await world.drip(drip)

    colleague = house.scope(tenant_id, demo_people.COLLEAGUE)
    beside = [asyncio.create_task(mail()), asyncio.create_task(demo_people.decide_on(colleague, stories))]
    try:
        await run_parts(house, server, worker=True)
    finally:
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)


async def _summary(house: House, world: World) -> bool:
    """What the simulators hold against what we recorded."""
    tenant = await tenants.find_tenant(house.db, "default")
    async with house.scope(tenant.tenant_id, "demo").read() as tx:
        counts = await tx.letter_of(
            "SELECT b.address, count(m.id) FILTER (WHERE m.state = 'arrived'), count(m.id) "
            "FROM postroom.mailbox b LEFT JOIN postroom.message m ON m.mailbox_id = b.id GROUP BY 1 ORDER BY 1",
            [],
        )
        kept = await tx.letter_of(
            "SELECT kind, status, count(*) FROM postroom.document GROUP BY 1, 2 ORDER BY 1, 2", []
        )
        failed = await tx.letter_of("SELECT count(*) FROM postroom.job WHERE state = 'quarantined'", [])
    listed = {program.address: program.counts()["inbox"] for program in world.mail_programs()}
    rows = [(address, listed.get(address, 0), arrived, known - arrived) for address, arrived, known in counts]
    show("Mailboxes", ["mailbox", "provider holds", "recorded", "still open"], rows, empty="No mailbox.")
    show("Documents", ["kind", "status", "how many"], kept, empty="No document.")
    # what was kept from an earlier demo is recorded as well, and its simulators are gone
    sound = all(held <= recorded and not still for _, held, recorded, still in rows) and failed == [(0,)]
    out.print("Every mail is accounted for." if sound else "Something is missing: see `postroom job list`.")
    return sound


def _ourselves() -> str:
    """The command as it was called: in a checkout it lies in `.venv`, where no shell looks."""
    return sys.argv[0] if Path(sys.argv[0]).name == "postroom" else f"{sys.executable} -m postroom"


def _scans() -> str:
    """Recognition is an extra: with it the demo reads its scans, without it they are a person's."""
    if find_spec("rapidocr") is None:
        return "left to a person; `pip install 'postroom[ocr]'` has them read"
    return "read, which takes some seconds each"


def _free_port(host: str) -> int:
    with contextlib.closing(socket.socket()) as probe:
        probe.bind((host, 0))
        port: int = probe.getsockname()[1]
        return port
