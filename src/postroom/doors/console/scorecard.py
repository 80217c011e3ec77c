"""The scorecard: how often confirming by itself would have been right, and what it shows before a change."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from postroom import reads
from postroom.doors.console import frame
from postroom.doors.console.forms import asked_id, asked_number, id_of, one_of, said
from postroom.doors.console.words import PIPELINES
from postroom.doors.entry import signed_in
from postroom.nouns.confirming import confirming_mode
from postroom.nouns.pipelines import PIPELINES as KNOWN
from postroom.rooms.mailboxes import commands, store
from postroom.rooms.policy import tenant_policy
from postroom.rooms.tenants.rules import clean_policy

WINDOWS = (30, 90, 365)


async def show(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    days = asked_number(request, "days", 90)
    days = days if days in WINDOWS else 90
    box, pipeline = asked_id(request, "mailbox"), one_of(request, "pipeline", tuple(PIPELINES))
    async with who.scope.read() as tx:
        since = who.scope.now - timedelta(days=days)
        card = await reads.scorecard.scorecard(tx, since, mailbox_id=box, pipeline=pipeline)
        boxes = await store.mailboxes(tx)
    values: dict[str, Any] = {"card": card, "boxes": {each.id: each for each in boxes}, "days": days}
    values |= {"windows": WINDOWS, "box": box, "pipeline": pipeline, "pipelines": PIPELINES}
    values["week_names"] = [f"{each.week:%Y-%m-%d}" for each in card.weeks]
    return await frame.page(request, who, "scorecard/index.html", **values)


async def switch(request: Request) -> Response:
    """Off and shadow at once; on only after the figure was shown."""
    who = await signed_in(request, "admin")
    form = await said(request)
    box = await commands.find(who.scope, id_of(request))
    wanted = {name: confirming_mode(form[name]) for name in KNOWN if name in form}
    seen = {name: confirming_mode(form[f"was_{name}"]) for name in KNOWN if f"was_{name}" in form}
    starting = [name for name, mode in wanted.items() if mode == "on" and box.rules.confirms(name) != "on"]
    if starting and form.get("figure") != "seen":
        async with who.scope.read() as tx:
            figures = {name: await reads.scorecard.switching_on(tx, box.id, name, who.scope.now) for name in starting}
        values: dict[str, Any] = {"box": box, "wanted": wanted, "seen": seen, "figures": figures}
        return frame.html(request, "scorecard/_switch.html", who=who, pipelines=PIPELINES, **values)
    await commands.set_confirming(who.scope, box.id, wanted, seen)
    told = ", ".join(f"{PIPELINES[name].lower()} {mode}" for name, mode in wanted.items())
    return frame.done(f"Confirming by itself at {box.address}: {told}.", "mailboxes")


async def preview_threshold(request: Request) -> Response:
    """What another threshold would have changed, with the button that saves it."""
    who = await signed_in(request, "admin")
    form = await said(request)
    wanted = clean_policy(form.get("sure_enough", ""), form.get("require_order", "auto"))
    held = await tenant_policy(who.scope)
    async with who.scope.read() as tx:
        effect = await reads.scorecard.threshold_effect(
            tx, held.documents.sure_enough, wanted.sure_enough, who.scope.now
        )
    values: dict[str, Any] = {"effect": effect, "held": held.documents, "wanted": wanted, "form": form}
    return frame.html(request, "scorecard/_effect.html", who=who, version=form.get("version", held.version), **values)


ROUTES = [
    Route("/scorecard", show, methods=["GET"]),
    Route("/mailboxes/{id:uuid}/confirming", switch, methods=["POST"]),
    Route("/settings/policy/preview", preview_threshold, methods=["POST"]),
]
