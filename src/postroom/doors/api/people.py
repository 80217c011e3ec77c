"""People: who may sign in, and as what."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from fastapi import Request, Response
from pydantic import ConfigDict, Field

from postroom.doors.api.paging import NO_NUL, Cursor, InBody, Limit, OutBody, PageOut, by_name, page
from postroom.doors.api.route import Admin, collection
from postroom.doors.entry import Caller
from postroom.nouns.errors import NotFound
from postroom.nouns.ids import PersonId
from postroom.rooms.tenants import commands, rules, store
from postroom.rooms.tenants.rules import LONGEST_PERSON_NAME, SHORTEST_PASSWORD, Role

router = collection("people")


class PersonOut(OutBody):
    id: UUID
    email: str
    name: str
    role: Role
    disabled_at: datetime | None
    created_at: datetime


class PersonIn(InBody):
    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"email": "anna@house.test", "name": "Anna", "role": "operator"}]},
    )

    email: str = Field(min_length=3, max_length=320, pattern=NO_NUL)
    name: str = Field("", max_length=LONGEST_PERSON_NAME, pattern=NO_NUL)
    role: Role
    password: str | None = Field(
        None, min_length=SHORTEST_PASSWORD, max_length=200, description="None: signs in by OIDC or a link only."
    )


class PersonChangeIn(InBody):
    role: Role | None = None
    disabled: bool | None = None
    password: str | None = Field(None, min_length=SHORTEST_PASSWORD, max_length=200)


class SessionOut(OutBody):
    """Somebody who is signed in, and from where."""

    id: UUID
    how: str = Field(examples=["password"], description="`password`, `oidc` or `link`.")
    source: str
    agent: str
    started_at: datetime
    seen_at: datetime
    expires_at: datetime


class SignInLinkOut(OutBody):
    url: str = Field(description="Lets the person in once, within 15 minutes. It is shown only now.")


@router.get("/people", summary="List people, by address")
async def list_people(who: Admin, limit: Limit = 50, cursor: Cursor = None) -> PageOut[PersonOut]:
    after = (by_name(cursor) or ("", ""))[0]
    async with who.scope.read() as tx:
        known = await store.people(tx)
    rows = [each for each in known if each.email > after]
    return page(rows, limit, PersonOut.model_validate, lambda row: (row.email, ""))


@router.post("/people", summary="Let somebody in", status_code=201)
async def add_person(body: PersonIn, who: Admin) -> PersonOut:
    if body.password is not None:
        rules.require_unlimited(who.scopes, "set passwords")
    person_id = await commands.add_person(who.scope, body.email, name=body.name, role=body.role, password=body.password)
    return PersonOut.model_validate(await _find(who, person_id))


@router.get("/people/{person_id}", summary="One person")
async def get_person(person_id: UUID, who: Admin) -> PersonOut:
    return PersonOut.model_validate(await _find(who, person_id))


@router.patch("/people/{person_id}", summary="Change somebody's role or password, or shut them out")
async def change_person(person_id: UUID, body: PersonChangeIn, who: Admin) -> PersonOut:
    """What is left out stays. The last admin can neither be shut out nor lose the role (409)."""
    if body.password is not None:
        rules.require_unlimited(who.scopes, "set passwords")
    known = await _find(who, person_id)
    changed = await commands.change_person(
        who.scope, known.email, role=body.role, disabled=body.disabled, password=body.password
    )
    return PersonOut.model_validate(changed)


@router.post("/people/{person_id}/link", summary="Make a link that lets somebody in once", status_code=201)
async def make_link(person_id: UUID, request: Request, who: Admin) -> SignInLinkOut:
    """Whoever holds it comes in as that person: send it to nobody else."""
    rules.require_unlimited(who.scopes, "make sign-in links")
    known = await _find(who, person_id)
    outside_url = request.app.state.house.settings.outside_url
    return SignInLinkOut(url=await commands.make_link(who.scope, outside_url, known.email))


@router.get("/people/{person_id}/sessions", summary="Where somebody is signed in")
async def list_sessions(person_id: UUID, who: Admin) -> PageOut[SessionOut]:
    known = await _find(who, person_id)
    async with who.scope.read() as tx:
        found = await store.sessions(tx, who.scope.now, known.id)
    return PageOut(items=[SessionOut.model_validate(each) for each in found], next=None)


@router.delete("/people/{person_id}/sessions/{session_id}", summary="Sign somebody out", status_code=204)
async def end_session(person_id: UUID, session_id: UUID, who: Admin) -> Response:
    await commands.end_session(who.scope, session_id, PersonId(person_id))
    return Response(status_code=204)


async def _find(who: Caller, person_id: UUID) -> store.Person:
    async with who.scope.read() as tx:
        known = await store.people(tx)
    for each in known:
        if each.id == person_id:
            return each
    raise NotFound(f"There is no person {person_id}.")
