"""Settings: my own entry and sessions; people, keys, senders, passwords, thresholds and retention for admins."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from postroom.doors.console import frame, words
from postroom.doors.console.forms import id_of, said
from postroom.doors.console.queue_items import FRESH
from postroom.doors.entry import Caller, signed_in
from postroom.nouns.counting import count
from postroom.nouns.errors import BadRequest, Conflict, NotFound
from postroom.nouns.ids import KeyId
from postroom.nouns.retention import KEPT, UNLESS_SAID, bounds_of
from postroom.nouns.secrets import Secret
from postroom.rooms.documents import commands as documents
from postroom.rooms.policy import WholePolicy, change_tenant_policy, tenant_policy
from postroom.rooms.tenants import commands, rules, store


async def settings_page(request: Request, who: Caller, name: str, **values: Any) -> Response:
    parts = {"settings": f"settings/_{name}.html"}
    return await frame.page(request, who, "settings/index.html", parts, section=name, roles=rules.ROLES, **values)


async def me(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    async with who.scope.read() as tx:
        sessions = await store.sessions(tx, who.scope.now, who.person_id) if who.person_id else []
        has_password = bool(who.person_id and await store.password_of(tx, who.person_id))
    return await settings_page(request, who, "me", sessions=sessions, has_password=has_password)


async def change_password(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    if who.person_id is None or who.session_id is None:
        raise BadRequest("A key has no password; sign in as a person.")
    form = await said(request)
    if form.get("new") != form.get("again"):
        raise BadRequest("The two new passwords differ. Type the same one twice.")
    await commands.change_own_password(
        who.scope, who.person_id, who.session_id, form.get("old", ""), form.get("new", "")
    )
    return frame.done("Your password is changed. Other sessions of yours have ended.", "people")


async def end_session(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    if id_of(request) == who.session_id:
        raise Conflict("This is the session you are in. Sign out instead.")
    await commands.end_session(who.scope, id_of(request), None if who.may("admin") else who.person_id)
    return frame.done("That session has ended.", "people")


async def people(request: Request) -> Response:
    who = await signed_in(request, "admin")
    async with who.scope.read() as tx:
        found = await store.people(tx)
        sessions = await store.sessions(tx, who.scope.now)
    longest = rules.LONGEST_PERSON_NAME
    return await settings_page(request, who, "people", people=found, sessions=sessions, longest_name=longest)


async def add_person(request: Request) -> Response:
    who = await signed_in(request, "admin")
    form = await said(request)
    email = rules.clean_email(form.get("email", ""))
    await commands.add_person(
        who.scope,
        email,
        name=form.get("name", "").strip(),
        role=form.get("role", ""),
        password=form.get("password") or None,
    )
    return frame.done(f"{email} may come in.", "people")


async def change_person(request: Request) -> Response:
    who = await signed_in(request, "admin")
    person, form = await _person(who, id_of(request)), await said(request)
    disabled = {"yes": True, "no": False}.get(form.get("disabled", ""))
    if disabled and person.id == who.person_id:
        raise Conflict("You cannot lock yourself out. Let another admin do it.")
    try:
        changed = await commands.change_person(
            who.scope,
            person.email,
            role=form.get("role") or None,
            disabled=disabled,
            password=form.get("password") or None,
        )
    except Conflict as error:
        if "role" not in form:
            raise
        return _role_as_it_is(request, who, person, error)
    if changed.id == who.person_id and changed.role != "admin":
        return frame.go_to("/settings")  # what is left to them
    state = "locked out" if changed.disabled_at else changed.role
    return frame.done(f"{changed.email}: {state}.", "people")


def _role_as_it_is(request: Request, who: Caller, person: store.Person, error: Conflict) -> Response:
    """The refused choice does not stay on the page as if it were so."""
    response = frame.html(request, "settings/_role.html", 409, who=who, p=person, roles=rules.ROLES)
    response.headers[FRESH] = "yes"
    return frame.toast(response, str(error), "bad")


async def make_link(request: Request) -> Response:
    who = await signed_in(request, "admin")
    person = await _person(who, id_of(request))
    url = await commands.make_link(who.scope, request.app.state.house.settings.outside_url, person.email)
    return frame.html(request, "settings/_secret.html", who=who, secret=url, what=f"Sign-in link for {person.email}")


async def _person(who: Caller, person_id: UUID) -> store.Person:
    async with who.scope.read() as tx:
        found = await store.person_by_id(tx, person_id)
    if found is None:
        raise NotFound("That person is not known here.")
    return found


async def keys(request: Request) -> Response:
    who = await signed_in(request, "admin")
    async with who.scope.read() as tx:
        found = await store.keys(tx)
    return await settings_page(request, who, "keys", keys=found)


async def create_key(request: Request) -> Response:
    who = await signed_in(request, "admin")
    form = await said(request)
    if not (name := form.get("name", "").strip()):
        raise BadRequest("Say what the key is for.")
    days = form.get("days", "").strip()
    if days and (not days.isdecimal() or not 1 <= int(days) <= 3650):
        raise BadRequest("A key is good for 1 to 3650 days, or for ever when you leave it empty.")
    scopes = [each for each in form.get("scopes", "").replace(",", " ").split() if each]
    _, secret = await commands.create_key(
        who.scope, name=name, role=form.get("role", ""), scopes=scopes, days=int(days) if days else None
    )
    response = frame.html(
        request, "settings/_secret.html", who=who, secret=secret.reveal(), what=f"Key “{name}”, shown only now"
    )
    response.headers["HX-Trigger"] = '{"live:people": true}'
    return response


async def revoke_key(request: Request) -> Response:
    who = await signed_in(request, "admin")
    revoked = await commands.revoke_key(who.scope, KeyId(id_of(request)))
    return frame.done(f"Key “{revoked.name}” is worthless from now on.", "people")


async def senders(request: Request) -> Response:
    who = await signed_in(request, "operator")
    return await settings_page(
        request,
        who,
        "senders",
        senders=await documents.sender_rules(who.scope),
        learnt=await documents.learnt_profiles(who.scope),
        pipelines=words.PIPELINES,
    )


async def allow_sender(request: Request) -> Response:
    who = await signed_in(request, "admin")
    form = await said(request)
    new = await documents.allow_sender(who.scope, form.get("pipeline", ""), form.get("entry", ""))
    return frame.done(f"{form.get('entry')} is trusted{' now' if new else ' already'}.", "documents")


async def disallow_sender(request: Request) -> Response:
    who = await signed_in(request, "admin")
    await documents.disallow_sender(who.scope, id_of(request))
    return frame.done("That sender is no longer trusted.", "documents")


async def forget_learnt(request: Request) -> Response:
    who = await signed_in(request, "admin")
    sender = (await said(request)).get("sender", "")
    await documents.forget_profile(who.scope, sender)
    return frame.done(f"What was learnt of {sender} is forgotten.", "documents")


async def passwords(request: Request) -> Response:
    who = await signed_in(request, "operator")
    return await settings_page(request, who, "passwords", passwords=await documents.passwords(who.scope))


async def add_password(request: Request) -> Response:
    who = await signed_in(request, "admin")
    form, sealer = await said(request), request.app.state.house.providers.sealer
    again = await documents.add_password(who.scope, sealer, form.get("label", ""), Secret(form.get("password", "")))
    return frame.done(f"Kept. {count(again, 'document')} that waited for a password: read again.", "documents")


async def remove_password(request: Request) -> Response:
    who = await signed_in(request, "admin")
    await documents.remove_password(who.scope, id_of(request))
    return frame.done("The password is forgotten.", "documents")


async def policy(request: Request) -> Response:
    who = await signed_in(request, "operator")
    held = await tenant_policy(who.scope)
    return await settings_page(request, who, "policy", policy=held.documents, version=held.version)


async def set_policy(request: Request) -> Response:
    who = await signed_in(request, "admin")
    form = await said(request)
    wanted = rules.clean_policy(form.get("sure_enough", ""), form.get("require_order", "auto"))
    await change_tenant_policy(who.scope, lambda held: replace(held, documents=wanted), form.get("version"))
    return frame.done("Saved. It applies to documents that are read from now on.", "people")


async def retention(request: Request) -> Response:
    who = await signed_in(request, "operator")
    held = await tenant_policy(who.scope)
    return await settings_page(
        request,
        who,
        "retention",
        kinds=words.KEPT,
        held=held.retention,
        version=held.version,
        bounds={kind: bounds_of(kind) for kind in KEPT},
        unless_said=UNLESS_SAID,
    )


async def set_retention(request: Request) -> Response:
    who = await signed_in(request, "admin")
    form = await said(request)
    days: dict[str, str] = {kind: form[kind] for kind in KEPT if kind in form}

    def changed(held: WholePolicy) -> WholePolicy:
        return replace(held, retention=rules.clean_retention(held.retention, days))

    await change_tenant_policy(who.scope, changed, form.get("version"))
    return frame.done("Saved. What is older is forgotten within a day.", "people")


ROUTES = [
    Route("/settings", me, methods=["GET"]),
    Route("/settings/password", change_password, methods=["POST"]),
    Route("/settings/sessions/{id:uuid}/end", end_session, methods=["POST"]),
    Route("/settings/people", people, methods=["GET"]),
    Route("/settings/people", add_person, methods=["POST"]),
    Route("/settings/people/{id:uuid}", change_person, methods=["POST"]),
    Route("/settings/people/{id:uuid}/link", make_link, methods=["POST"]),
    Route("/settings/keys", keys, methods=["GET"]),
    Route("/settings/keys", create_key, methods=["POST"]),
    Route("/settings/keys/{id:uuid}/revoke", revoke_key, methods=["POST"]),
    Route("/settings/senders", senders, methods=["GET"]),
    Route("/settings/senders", allow_sender, methods=["POST"]),
    Route("/settings/senders/{id:uuid}/remove", disallow_sender, methods=["POST"]),
    Route("/settings/learnt/forget", forget_learnt, methods=["POST"]),
    Route("/settings/passwords", passwords, methods=["GET"]),
    Route("/settings/passwords", add_password, methods=["POST"]),
    Route("/settings/passwords/{id:uuid}/remove", remove_password, methods=["POST"]),
    Route("/settings/policy", policy, methods=["GET"]),
    Route("/settings/policy", set_policy, methods=["POST"]),
    Route("/settings/retention", retention, methods=["GET"]),
    Route("/settings/retention", set_retention, methods=["POST"]),
]
