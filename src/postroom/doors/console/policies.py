"""Settings that several rooms heed: when mail is mapped without a person, how drafts are written, what may be sent."""

from __future__ import annotations

from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from postroom.doors.console import frame
from postroom.doors.console.forms import chosen, said
from postroom.doors.console.settings import settings_page
from postroom.doors.entry import signed_in
from postroom.mail.language import LANGUAGES
from postroom.nouns.sending import SECOND_PERSON_RULES, WEEKDAYS
from postroom.rooms.clients.commands import adjusted_policy
from postroom.rooms.clients.rules.policy_form import said_policy
from postroom.rooms.mailboxes import store as mailboxes
from postroom.rooms.policy import WholePolicy, change_tenant_policy, tenant_policy
from postroom.rooms.replies.rules.policy_form import said_replies
from postroom.rooms.replies.rules.voicing import HIGHEST_GATE, LOWEST_GATE, ReplyPolicy, manner
from postroom.rooms.tenants.rules.sending_form import said_sending


async def mapping(request: Request) -> Response:
    who = await signed_in(request, "operator")
    held = await tenant_policy(who.scope)
    async with who.scope.read() as tx:
        boxes = await mailboxes.mailboxes(tx)
    return await settings_page(request, who, "mapping", policy=held.mapping, version=held.version, boxes=boxes)


async def set_mapping(request: Request) -> Response:
    who = await signed_in(request, "admin")
    form, left_out = await said(request), await chosen(request, "left_out")
    values = said_policy(form, left_out)

    def changed(held: WholePolicy) -> WholePolicy:
        return replace(held, mapping=adjusted_policy(held.mapping, values))

    await change_tenant_policy(who.scope, changed, form.get("version"))
    return frame.done("Saved. It counts for mail that comes, and for what waits.", "people", "clients")


async def sending(request: Request) -> Response:
    who = await signed_in(request, "operator")
    held = await tenant_policy(who.scope)
    words = {"days": WEEKDAYS, "rules": SECOND_PERSON_RULES}
    return await settings_page(request, who, "sending", policy=held.sending, version=held.version, **words)


async def set_sending(request: Request) -> Response:
    who = await signed_in(request, "admin")
    form = await said(request)
    days, second_person = await chosen(request, "days"), await chosen(request, "second_person")

    def changed(held: WholePolicy) -> WholePolicy:
        return replace(held, sending=said_sending(held.sending, form, days, second_person))

    after = await change_tenant_policy(who.scope, changed, form.get("version"))
    return frame.done(f"Saved. Sending is {after.sending.switch}.", "people")


async def replies(request: Request) -> Response:
    who = await signed_in(request, "operator")
    held = await tenant_policy(who.scope)
    async with who.scope.read() as tx:
        boxes = await mailboxes.mailboxes(tx)
    manners = {code: manner(held.replies.formality, code) for code in LANGUAGES}
    bounds = {"lowest": LOWEST_GATE, "highest": HIGHEST_GATE, "house_gate": ReplyPolicy().gate_now}
    words = {"languages": LANGUAGES, "manners": manners, "boxes": boxes, **bounds}
    return await settings_page(request, who, "replies", policy=held.replies, version=held.version, **words)


async def set_replies(request: Request) -> Response:
    who = await signed_in(request, "admin")
    form, learn_from = await said(request), await chosen(request, "learn_from")

    def changed(held: WholePolicy) -> WholePolicy:
        return replace(held, replies=said_replies(form, learn_from))

    await change_tenant_policy(who.scope, changed, form.get("version"))
    return frame.done("Saved. It counts for drafts that are written from now on.", "evidence")


ROUTES = [
    Route("/settings/mapping", mapping, methods=["GET"]),
    Route("/settings/mapping", set_mapping, methods=["POST"]),
    Route("/settings/sending", sending, methods=["GET"]),
    Route("/settings/sending", set_sending, methods=["POST"]),
    Route("/settings/replies", replies, methods=["GET"]),
    Route("/settings/replies", set_replies, methods=["POST"]),
]
