"""Every route of the web process, for nobody, for every role, and for keys of every scope."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
from fastapi.routing import APIRoute

from doors.api.asking import ADMIN, READS
from doors.console.place import Browser, Place
from postroom.rooms.tenants import commands
from postroom.rooms.tenants.rules import SCOPES

ROLES = ("viewer", "operator", "admin")
PUBLIC = {
    "GET /healthz", "GET /readyz", "GET /metrics", "GET /static/{name}", "GET /api/v1/openapi.json",
    "GET /signin", "POST /signin", "GET /signin/link/{token}", "POST /signin/link/{token}", "GET /signin/oidc",
    "GET /signin/oidc/callback", "POST /signout", "GET /oauth/connected", "GET /oauth/{provider}/callback",
    "GET /api/email/oauth/callback",
}  # fmt: skip
WITH_SCOPE = {
    "GET /oauth/{provider}/authorize": "mailboxes",
    "GET /api/email/connect": "mailboxes",
    "POST /api/email/disconnect": "mailboxes",
}
OTHER_SCOPES = {
    "POST /api/v1/people/{person_id}/link": set(),
    "GET /api/v1/keys/own": set(SCOPES),
    "POST /api/v1/proposals/{proposal_id}/revoke": set(),  # with the scope of what is seen as well
    "POST /api/v1/proposals/{proposal_id}/look": set(),
}
PAGES = {
    "viewer": """
        GET / GET /nav GET /overview/flows GET /live POST /looking POST /looking/away GET /mailboxes GET /scorecard GET /mailboxes/{id} GET /messages GET /messages/{id}
        GET /messages/{id}/as-sent GET /messages/{id}/files/{sha256} GET /documents GET /documents/review
        GET /documents/{id} GET /documents/{id}/original GET /documents/{id}/pages/{page}
        GET /documents/{id}/pages/{page}/image GET /trades GET /invoices GET /bookings GET /orders GET /attempts
        GET /clients GET /clients/review GET /clients/signals GET /clients/{id} GET /clients/{id}/search
        GET /accounts GET /accounts/contacts GET /accounts/{id}
        GET /attempts/batches/{batch} GET /attempts/{job} GET /audit GET /settings POST /settings/password
        POST /settings/sessions/{id}/end GET /demo GET /inbox GET /inbox/{id} GET /figures
        GET /outbox GET /outbox/{id} GET /outbox/{id}/as-sent
        GET /evidence GET /evidence/named GET /evidence/{id} POST /evidence/ask
        GET /settings/channels GET /settings/topics POST /settings/topics/preview POST /settings/topics/{id}/preview/{step} POST /settings/try
    """,
    "operator": """
        POST /mailboxes/{id}/pause POST /mailboxes/{id}/resume POST /mailboxes/{id}/check POST /mailboxes/{id}/resync
        POST /messages/{id}/files/{sha256}/fetch POST /documents/upload POST /documents/{id}/confirm
        POST /documents/{id}/correct POST /documents/{id}/reject POST /documents/{id}/leave-out POST /documents/{id}/retry
        POST /documents/{id}/enter POST /documents/{id}/undo POST /orders
        POST /clients/{id}/confirm POST /clients/{id}/ignore POST /clients/{id}/undo
        POST /accounts POST /accounts/files POST /accounts/{id} POST /accounts/{id}/close POST /accounts/{id}/reopen
        POST /accounts/{id}/merge POST /accounts/{id}/contacts POST /accounts/{id}/contacts/{contact}/remove
        POST /accounts/{id}/engagements POST /accounts/{id}/work-items
        POST /accounts/contacts/{id}/accept POST /accounts/contacts/{id}/dismiss
        POST /orders/file POST /orders/{id}/cancel POST /attempts/retry POST /attempts/{job}/retry POST /audit/verify
        GET /settings/senders GET /settings/passwords GET /settings/policy GET /settings/retention POST /demo/send
        GET /settings/mapping GET /settings/sending
        POST /inbox/{id}/assign POST /inbox/{id}/move POST /inbox/{id}/snooze POST /inbox/{id}/not-for-us
        POST /inbox/{id}/draft/{draft} POST /inbox/{id}/draft/{draft}/discard POST /inbox/{id}/draft/{draft}/restore
        POST /evidence POST /evidence/{id} POST /evidence/{id}/retire POST /evidence/{id}/restore
        GET /settings/replies
        POST /inbox/{id}/done POST /inbox/{id}/reopen GET /settings/webhooks GET /settings/webhooks/{id}
        POST /settings/webhooks/{id}/pause POST /settings/webhooks/{id}/resume POST /settings/webhooks/{id}/test
        POST /settings/deliveries/{id}/replay
        GET /outbox/new POST /outbox POST /outbox/{id}/again POST /outbox/{id}/approve POST /outbox/{id}/revoke POST /outbox/{id}/discard
        POST /outbox/{id}/resolve POST /outbox/{id}/look POST /outbox/{id}/change POST /mailboxes/{id}/sending
    """,
    "admin": """
        POST /mailboxes/imap POST /mailboxes/{id}/disconnect POST /mailboxes/{id}/rules POST /mailboxes/{id}/folder
        GET /audit/export GET /settings/people POST /settings/people POST /settings/people/{id}
        POST /settings/people/{id}/link GET /settings/keys POST /settings/keys POST /settings/keys/{id}/revoke
        POST /settings/senders POST /settings/senders/{id}/remove POST /settings/learnt/forget POST /settings/passwords
        POST /settings/passwords/{id}/remove POST /settings/policy POST /settings/retention
        POST /settings/mapping POST /settings/sending POST /settings/replies
        POST /mailboxes/{id}/copilot POST /mailboxes/{id}/confirming POST /settings/policy/preview POST /settings/webhooks POST /settings/webhooks/{id}/rotate
        POST /settings/webhooks/{id}/remove
        POST /settings/channels POST /settings/channels/{id} POST /settings/channels/{id}/switch
        POST /settings/channels/{id}/remove POST /settings/topics POST /settings/topics/{id}
        POST /settings/topics/{id}/switch POST /settings/topics/{id}/remove
    """,
}


@dataclass(frozen=True)
class Door:
    """One method of one route."""

    method: str
    template: str
    scope: str = ""  # of the API

    def __str__(self) -> str:
        return f"{self.method} {self.template}"

    @property
    def path(self) -> str:
        known = {"page": "1", "job": "1", "number": "1", "attempt_id": "1", "job_id": "1", "sha256": "0" * 64}
        known |= {"provider": "outlook", "batch": "1-1-1-000000000000"}
        return re.sub(r"{(\w+)}", lambda match: known.get(match[1], str(UUID(int=0))), self.template)

    @property
    def role(self) -> str:
        if str(self) in WITH_SCOPE:
            return "admin"
        if self.scope:
            own = (self.method, self.template.removeprefix("/api/v1"))
            reads = self.method == "GET" or own in READS
            return "admin" if own in ADMIN else "viewer" if reads else "operator"
        return next((role for role, listed in PAGES.items() if f" {self} " in f" {' '.join(listed.split())} "), "")


def doors(place: Place) -> list[Door]:
    found = []
    for route in place.app.app.routes:
        template = re.sub(r":\w+}", "}", route.path)
        scope = route.tags[0] if isinstance(route, APIRoute) else ""
        for method in sorted(set(route.methods or ()) - {"HEAD"}):
            door = Door(method, template, scope)
            found.append(Door(method, template, WITH_SCOPE.get(str(door), scope)))
    return found


async def status(browser: Browser, door: Door, **headers: str) -> int:
    """What is answered; streams are not read."""
    asked: dict[str, Any] = {"Accept": "application/json", **headers}
    async with browser.session.request(
        door.method, browser.url + door.path, headers=asked, allow_redirects=False
    ) as answer:
        return answer.status


async def key(place: Place, role: str, scopes: list[str]) -> dict[str, str]:
    scope = place.house.scope(place.tenant, "test")
    _, secret = await commands.create_key(scope, name=f"{role} {scopes}", role=role, scopes=scopes)
    return {"Authorization": f"Bearer {secret.reveal()}"}


async def test_every_route_says_whom_it_is_for(place: Place):
    assert [] == [str(door) for door in doors(place) if str(door) not in PUBLIC and not door.role]
    known = {str(door) for door in doors(place)}
    listed = {name for text in PAGES.values() for name in re.findall(r"(?:GET|POST) \S+", text)}
    assert set() == (PUBLIC | set(WITH_SCOPE) | listed) - known


async def test_strangers_pass_through_public_doors_only(place: Place):
    for door in doors(place):
        answer = await status(place.browser(), door)
        if str(door) in PUBLIC:
            assert answer != 401, str(door)
        else:
            assert (str(door), 401) == (str(door), answer)


async def test_a_key_opens_no_page_whatever_it_may(place: Place):
    """A key for the metrics alone read all mail here, and made itself a key for everything."""
    keys = [await key(place, "admin", []), await key(place, "admin", ["metrics"])]
    stranger = place.browser()
    for door in doors(place):
        if not door.scope and str(door) not in PUBLIC:
            assert (str(door), [401, 401]) == (str(door), [await status(stranger, door, **each) for each in keys])


@pytest.mark.long
async def test_a_scope_opens_its_own_collection_only(place: Place):
    keys = {scope: await key(place, "admin", [scope]) for scope in SCOPES}
    stranger = place.browser()
    limited = [door for door in doors(place) if door.scope]
    assert {door.scope for door in limited} == set(SCOPES)
    for door in limited:
        opened = {scope for scope, held in keys.items() if await status(stranger, door, **held) != 403}
        expected = OTHER_SCOPES.get(str(door), {door.scope})
        assert (str(door), expected) == (str(door), opened)


@pytest.mark.parametrize("role", ROLES)
async def test_a_role_opens_what_it_should_with_a_key_and_with_a_session(place: Place, role):
    held = await key(place, role, [])
    person = await place.come_in(role)
    session = {"X-CSRF-Token": await person.token()}
    for door in doors(place):
        if str(door) in PUBLIC:
            continue
        expected = ROLES.index(role) >= ROLES.index(door.role)
        answers = {"session": await status(person, door, **session)}
        if door.scope:
            answers["key"] = await status(place.browser(), door, **held)
        for how, answer in answers.items():
            assert (str(door), how, expected) == (str(door), how, answer not in (401, 403)), answer
            assert answer < 500 or door.template.endswith(("/imap", "/connect", "/authorize")), (str(door), answer)


async def test_what_a_page_changes_needs_the_page_s_own_token(place: Place):
    admin = await place.come_in("admin")
    for door in doors(place):
        if door.method != "GET" and str(door) not in PUBLIC:
            assert (str(door), 403) == (str(door), await status(admin, door))
            elsewhere = {"X-CSRF-Token": await admin.token(), "Sec-Fetch-Site": "cross-site"}
            assert (str(door), 403) == (str(door), await status(admin, door, **elsewhere))
