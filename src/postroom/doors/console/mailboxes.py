"""Mailboxes: connect, see by evidence how they are, pause, resync, reconnect, disconnect, and their rules."""

from __future__ import annotations

from datetime import timedelta

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from postroom.doors.console import frame, reads
from postroom.doors.console.asking import asked, chosen, id_of, said
from postroom.doors.console.words import PIPELINES
from postroom.doors.entry import visitor
from postroom.nouns import facts
from postroom.nouns.errors import BadRequest, Conflict
from postroom.nouns.ids import MailboxId
from postroom.rooms.mailboxes import commands, store
from postroom.rooms.sync import store as sync_store
from postroom.rooms.sync.jobs import ReconcileMailbox, SyncMailbox

LIST = {"mailboxes": "mailboxes/_list.html"}
ONE = {"mailbox": "mailboxes/_mailbox.html"}


async def index(request: Request) -> Response:
    who = await visitor(request, "viewer")
    async with who.desk.read() as tx:
        boxes = await store.mailboxes(tx)
        health = {each.id: each for each in await store.health(tx)}
    consents = request.app.state.house.switchboard.consents
    values = {"boxes": boxes, "health": health, "connected": asked(request, "connected"), "consents": consents}
    return await frame.page(request, who, "mailboxes/index.html", LIST, **values)


async def show(request: Request) -> Response:
    who = await visitor(request, "viewer")
    box = await commands.find(who.desk, id_of(request))
    async with who.desk.read() as tx:
        (health,) = await store.health(tx, box.id)
        coverages = await sync_store.coverages(tx, box.id, 8)
        told = await reads.facts(tx, mailbox_id=box.id, quiet=True, most=20)
        aside = await reads.aside(tx, mailbox_id=box.id, most=20)
        names = await reads.labels(tx, told)
    values = {"box": box, "health": health, "coverages": coverages, "facts": told, "names": names}
    return await frame.page(request, who, "mailboxes/show.html", ONE, aside=aside, pipelines=PIPELINES, **values)


async def pause(request: Request) -> Response:
    who = await visitor(request, "operator")
    box = await commands.find(who.desk, id_of(request))
    await commands.pause(who.desk, box.id, f"Paused by {who.email or who.actor}.")
    return frame.done(f"{box.address} is paused. Mail waits at the provider.", "mailboxes")


async def resume(request: Request) -> Response:
    who = await visitor(request, "operator")
    box = await commands.find(who.desk, id_of(request))
    await commands.resume(who.desk, box.id)
    return frame.done(f"{box.address} goes on, and looks for what it missed.", "mailboxes")


async def check(request: Request) -> Response:
    """Compare with the provider now, and take in what is missing."""
    who = await visitor(request, "operator")
    box = await commands.find(who.desk, id_of(request))
    if not box.is_served:
        raise Conflict(f"{box.address} is {box.status}: resume or reconnect it first.")
    async with who.desk.finish() as tx:
        await who.desk.enqueue(tx, SyncMailbox(box.id), ReconcileMailbox(box.id))
    return frame.done(f"{box.address} is compared with its provider now.", "mailboxes")


async def resync(request: Request) -> Response:
    """List everything of the last days anew; what is held already is not taken in twice."""
    who = await visitor(request, "operator")
    box = await commands.find(who.desk, id_of(request))
    if not box.is_served:
        raise Conflict(f"{box.address} is {box.status}: resume or reconnect it first.")
    days = (await said(request)).get("days", "7")
    if not days.isdecimal() or not 1 <= int(days) <= 365:
        raise BadRequest("Choose 1 to 365 days to list anew.")
    since = who.desk.now - timedelta(days=int(days))
    async with who.desk.finish() as tx:
        await sync_store.start_resync(tx, who.tenant_id, box.id, since)
        fact = facts.CursorLost(mailbox_id=box.id, since=since, because=f"{who.email or who.actor} asked for a resync.")
        await who.desk.tell(tx, fact)
    return frame.done(f"{box.address}: the last {days} days are listed anew.", "mailboxes")


async def disconnect(request: Request) -> Response:
    who = await visitor(request, "admin")
    box = await commands.find(who.desk, id_of(request))
    await commands.disconnect(who.desk, request.app.state.house.switchboard, MailboxId(box.id))
    return frame.done(f"{box.address} is disconnected. What was taken in stays.", "mailboxes")


async def set_rules(request: Request) -> Response:
    who = await visitor(request, "admin")
    box = await commands.find(who.desk, id_of(request))
    words = await said(request)
    pipelines = [each for each in await chosen(request, "pipelines") if each in PIPELINES]
    rules = {**box.rules, **{name: _entries(words.get(name, "")) for name in ("allow_senders", "deny_senders")}}
    async with who.desk.finish() as tx:
        await store.set_rules(tx, box.id, rules, pipelines)
        what = f"rules of {box.address} changed: {', '.join(pipelines) or 'no pipeline'}"
        await who.desk.tell(tx, facts.SecurityNoted(what=what, source=who.actor, mailbox_id=box.id))
    return frame.done(f"Rules of {box.address} saved. They apply to mail that comes from now on.", "mailboxes")


def _entries(text: str) -> list[str]:
    """Addresses and domains, one a line."""
    entries = [line.strip().lower() for line in text.replace(",", "\n").splitlines() if line.strip()]
    if odd := [each for each in entries if " " in each or "." not in each]:
        raise BadRequest(f"{odd[0]!r} is neither an address nor a domain: write one a line, such as news@shop.example.")
    return entries[:500]


ROUTES = [
    Route("/mailboxes", index, methods=["GET"]),
    Route("/mailboxes/{id:uuid}", show, methods=["GET"]),
    Route("/mailboxes/{id:uuid}/pause", pause, methods=["POST"]),
    Route("/mailboxes/{id:uuid}/resume", resume, methods=["POST"]),
    Route("/mailboxes/{id:uuid}/check", check, methods=["POST"]),
    Route("/mailboxes/{id:uuid}/resync", resync, methods=["POST"]),
    Route("/mailboxes/{id:uuid}/disconnect", disconnect, methods=["POST"]),
    Route("/mailboxes/{id:uuid}/rules", set_rules, methods=["POST"]),
]
