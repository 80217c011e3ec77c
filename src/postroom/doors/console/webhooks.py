"""Webhooks: who is told of events, how that goes, and every delivery."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from postroom.doors.console import frame
from postroom.doors.console.forms import asked_id, chosen, id_of, one_of, said
from postroom.doors.entry import signed_in
from postroom.rooms.subscribers import commands
from postroom.rooms.subscribers.rules.events import EVENT_TYPES

PAGE = 50
STATUSES = ("waiting", "delivered", "given_up")


async def index(request: Request) -> Response:
    who = await signed_in(request, "operator")
    hooks = await commands.webhooks(who.scope)
    parts = {"settings": "settings/_webhooks.html"}
    values = {"hooks": hooks, "types": EVENT_TYPES}
    return await frame.page(request, who, "settings/index.html", parts, section="webhooks", **values)


async def create(request: Request) -> Response:
    who = await signed_in(request, "admin")
    form, outside = await said(request), request.app.state.house.outside
    about = (form.get("url", ""), await chosen(request, "type"), form.get("description", ""))
    made, secret = await commands.create_webhook(who.scope, outside.sealer, outside.webhooks, *about)
    what = f"Signing secret of {made.url}"
    response = frame.html(request, "settings/_secret.html", who=who, secret=secret.reveal(), what=what)
    response.headers["HX-Trigger"] = '{"live:webhooks": true}'
    return response


async def rotate(request: Request) -> Response:
    who = await signed_in(request, "admin")
    secret = await commands.rotate_secret(who.scope, request.app.state.house.outside.sealer, id_of(request))
    what = "New signing secret; the old one is good for a day"
    return frame.html(request, "settings/_secret.html", who=who, secret=secret.reveal(), what=what)


async def remove(request: Request) -> Response:
    who = await signed_in(request, "admin")
    await commands.remove_webhook(who.scope, id_of(request))
    response = frame.done("The webhook is removed.", "webhooks")
    response.headers["HX-Redirect"] = "/settings/webhooks"
    return response


async def pause(request: Request) -> Response:
    who = await signed_in(request, "operator")
    await commands.pause_webhook(who.scope, id_of(request))
    return frame.done("Paused. What happens meanwhile waits for it.", "webhooks")


async def resume(request: Request) -> Response:
    who = await signed_in(request, "operator")
    await commands.resume_webhook(who.scope, id_of(request))
    return frame.done("Resumed. What waited is sent now.", "webhooks")


async def test(request: Request) -> Response:
    who = await signed_in(request, "operator")
    await commands.send_test(who.scope, id_of(request))
    return frame.done("A test event is on its way.", "webhooks")


async def deliveries(request: Request) -> Response:
    who = await signed_in(request, "operator")
    webhook = await commands.webhook(who.scope, id_of(request))
    status, before = one_of(request, "status", STATUSES), asked_id(request, "before")
    found = await commands.deliveries(who.scope, webhook.id, before=before, status=status, most=PAGE)
    parts = {"deliveries": "webhooks/_deliveries.html"}
    values = {"hook": webhook, "deliveries": found, "status": status, "statuses": STATUSES, "most": PAGE}
    return await frame.page(request, who, "webhooks/deliveries.html", parts, **values)


async def replay(request: Request) -> Response:
    who = await signed_in(request, "operator")
    await commands.replay(who.scope, id_of(request))
    return frame.done("It is sent again.", "webhooks")


ROUTES = [
    Route("/settings/webhooks", index, methods=["GET"]),
    Route("/settings/webhooks", create, methods=["POST"]),
    Route("/settings/webhooks/{id:uuid}", deliveries, methods=["GET"]),
    Route("/settings/webhooks/{id:uuid}/rotate", rotate, methods=["POST"]),
    Route("/settings/webhooks/{id:uuid}/remove", remove, methods=["POST"]),
    Route("/settings/webhooks/{id:uuid}/pause", pause, methods=["POST"]),
    Route("/settings/webhooks/{id:uuid}/resume", resume, methods=["POST"]),
    Route("/settings/webhooks/{id:uuid}/test", test, methods=["POST"]),
    Route("/settings/deliveries/{id:uuid}/replay", replay, methods=["POST"]),
]
