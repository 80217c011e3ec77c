"""Mailboxes: connect, see by evidence how they are, pause, resync, reconnect, disconnect, and their rules."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from postroom import reads
from postroom.doors.console import frame
from postroom.doors.console.forms import LONGEST_LIST, asked, chosen, id_of, said
from postroom.doors.console.words import PIPELINES
from postroom.doors.entry import signed_in
from postroom.nouns.actors import spoken_actor
from postroom.nouns.copilot import COPILOT_MODES, CopilotMode
from postroom.nouns.errors import BadRequest
from postroom.nouns.ids import MailboxId
from postroom.nouns.secrets import Secret
from postroom.rooms.mailboxes import commands, store
from postroom.rooms.sync import commands as syncing
from postroom.rooms.sync import store as sync_store

LIST = {"mailboxes": "mailboxes/_list.html"}
ONE = {"mailbox": "mailboxes/_mailbox.html", "confirming": "mailboxes/_confirming.html"}
MOST_ENTRIES = 500

COPILOT: dict[CopilotMode, str] = {"off": "off", "labels": "labelling threads", "drafts": "labelling and drafting"}


async def index(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    async with who.scope.read() as tx:
        boxes = await store.mailboxes(tx)
        health = {each.id: each for each in await store.health(tx)}
    consents = request.app.state.house.providers.consents
    values = {"boxes": boxes, "health": health, "connected": asked(request, "connected"), "consents": consents}
    return await frame.page(request, who, "mailboxes/index.html", LIST, **values)


async def show(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    box = await commands.find(who.scope, id_of(request))
    async with who.scope.read() as tx:
        coverages = await sync_store.coverages(tx, box.id, 8)
        (health,) = await store.health(tx, box.id)  # after them: what is listed here is known there
        told = await reads.facts.recent(tx, mailbox_id=box.id, quiet=True, most=20)
        aside = await reads.jobs.aside(tx, mailbox_id=box.id, most=20)
        names = await reads.facts.labels(tx, told)
    values = {"box": box, "health": health, "coverages": coverages, "facts": told, "names": names}
    values["connected"] = asked(request, "connected")
    return await frame.page(request, who, "mailboxes/show.html", ONE, aside=aside, pipelines=PIPELINES, **values)


async def pause(request: Request) -> Response:
    who = await signed_in(request, "operator")
    box = await commands.find(who.scope, id_of(request))
    await commands.pause(who.scope, box.id, f"Paused by {spoken_actor(who.actor)}.")
    return frame.done(f"{box.address} is paused. Mail waits at the provider.", "mailboxes")


async def resume(request: Request) -> Response:
    who = await signed_in(request, "operator")
    box = await commands.find(who.scope, id_of(request))
    await commands.resume(who.scope, box.id)
    return frame.done(f"{box.address} goes on, and looks for what it missed.", "mailboxes")


async def check(request: Request) -> Response:
    """Compare with the provider now, and take in what is missing."""
    who = await signed_in(request, "operator")
    box = await commands.find(who.scope, id_of(request))
    await syncing.reconcile(who.scope, box.id)
    return frame.done(f"{box.address} is compared with its provider now.", "mailboxes")


async def resync(request: Request) -> Response:
    """List everything of the last days anew; what is held already is not taken in twice."""
    who = await signed_in(request, "operator")
    box = await commands.find(who.scope, id_of(request))
    days = (await said(request)).get("days", "7")
    if not days.isdecimal() or not 1 <= int(days) <= 365:
        raise BadRequest("Choose 1 to 365 days to list anew.")
    await syncing.resync(who.scope, box.id, who.scope.now - timedelta(days=int(days)))
    return frame.done(f"{box.address}: the last {days} days are listed anew.", "mailboxes")


async def connect_imap(request: Request) -> Response:
    """New, or the same one with another password or server."""
    who = await signed_in(request, "admin")
    form = await said(request)
    port = form.get("port", "").strip() or "993"
    if not port.isdecimal() or len(port) > 5:
        raise BadRequest(f"{port!r} is not a port: 993 is usual for tls, 143 for starttls.")
    made = await commands.connect_imap(
        who.scope,
        request.app.state.house.providers,
        address=form.get("address", "").strip(),
        host=form.get("host", "").strip(),
        password=Secret(form.get("password", "")),
        user=form.get("user", "").strip(),
        port=int(port),
        security=form.get("security", "tls"),
        folder=form.get("folder", "").strip() or "INBOX",
        seen=form.get("version"),
    )
    return frame.go_to(f"/mailboxes/{made}?{urlencode({'connected': form.get('address', '').strip()})}")


async def set_folder(request: Request) -> Response:
    who = await signed_in(request, "admin")
    form, providers = await said(request), request.app.state.house.providers
    box = await commands.set_folder(who.scope, providers, id_of(request), form.get("folder", ""), form.get("version"))
    return frame.done(f"{box.address} is served from {box.folder} now; the last days there are coming in.", "mailboxes")


async def set_copilot(request: Request) -> Response:
    who = await signed_in(request, "admin")
    form = await said(request, LONGEST_LIST)
    wanted = form.get("copilot", "")
    if wanted not in COPILOT_MODES:
        raise BadRequest(f"{wanted!r} is no choice: say {', '.join(COPILOT_MODES)}.")
    operators = form.get("operators", "").split()
    box = await commands.set_copilot(who.scope, id_of(request), wanted, operators, form.get("version"))
    return frame.done(f"The copilot at {box.address} is {COPILOT[box.copilot]}.", "mailboxes", "threads")


async def set_sending(request: Request) -> Response:
    """The kill switch of this mailbox: whoever works here may stop it, an admin lets it go on."""
    wanted = (await said(request)).get("sending", "")
    who = await signed_in(request, "admin" if wanted == "on" else "operator")
    if wanted not in ("on", "off"):
        raise BadRequest("Say on or off.")
    box = await commands.set_sending(who.scope, id_of(request), wanted)  # type: ignore[arg-type]  # one of both
    word = "Mail goes out again after a yes" if wanted == "on" else "Nothing goes out, not even what was approved,"
    return frame.done(f"{word} from {box.address}.", "mailboxes", "proposals")


async def disconnect(request: Request) -> Response:
    who = await signed_in(request, "admin")
    box = await commands.find(who.scope, id_of(request))
    await commands.disconnect(who.scope, request.app.state.house.providers, MailboxId(box.id))
    return frame.done(f"{box.address} is disconnected. What was taken in stays.", "mailboxes")


async def set_rules(request: Request) -> Response:
    who = await signed_in(request, "admin")
    box = await commands.find(who.scope, id_of(request))
    words = await said(request, LONGEST_LIST)
    pipelines = [each for each in await chosen(request, "pipelines") if each in PIPELINES]
    rules = replace(
        box.rules,
        allow_senders=tuple(_entries(words.get("allow_senders", ""))),
        deny_senders=tuple(_entries(words.get("deny_senders", ""))),
    )
    await commands.set_rules(who.scope, box.id, rules, pipelines, words.get("version"))
    return frame.done(f"Rules of {box.address} saved. They apply to mail that comes from now on.", "mailboxes")


def _entries(text: str) -> list[str]:
    """Addresses and domains, one a line."""
    entries = [line.strip().lower() for line in text.replace(",", "\n").splitlines() if line.strip()]
    if odd := [each for each in entries if " " in each or "." not in each]:
        raise BadRequest(f"{odd[0]!r} is neither an address nor a domain: write one a line, such as news@shop.example.")
    if len(entries) > MOST_ENTRIES:
        raise BadRequest(f"A list has up to {MOST_ENTRIES} senders; this one has {len(entries)}. Name domains instead.")
    return entries


ROUTES = [
    Route("/mailboxes", index, methods=["GET"]),
    Route("/mailboxes/imap", connect_imap, methods=["POST"]),
    Route("/mailboxes/{id:uuid}", show, methods=["GET"]),
    Route("/mailboxes/{id:uuid}/pause", pause, methods=["POST"]),
    Route("/mailboxes/{id:uuid}/resume", resume, methods=["POST"]),
    Route("/mailboxes/{id:uuid}/check", check, methods=["POST"]),
    Route("/mailboxes/{id:uuid}/resync", resync, methods=["POST"]),
    Route("/mailboxes/{id:uuid}/disconnect", disconnect, methods=["POST"]),
    Route("/mailboxes/{id:uuid}/rules", set_rules, methods=["POST"]),
    Route("/mailboxes/{id:uuid}/folder", set_folder, methods=["POST"]),
    Route("/mailboxes/{id:uuid}/copilot", set_copilot, methods=["POST"]),
    Route("/mailboxes/{id:uuid}/sending", set_sending, methods=["POST"]),
]
