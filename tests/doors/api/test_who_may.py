"""Who may do what: every operation, for every role, for nobody, and for another tenant."""

from __future__ import annotations

import httpx
from fastapi.encoders import jsonable_encoder

from doors.api.asking import STREAMS, Ask, every_ask
from doors.api.filling import PDF
from postroom.rooms.tenants import commands, rules

RANK = ("viewer", "operator", "admin")
BOATS = {"name": "Boats", "counts_as": "safety", "words": ["boat"]}


async def ask(client: httpx.AsyncClient, wanted: Ask, path: str) -> httpx.Response:
    return await client.request(wanted.method, path, **wanted.body)


async def test_strangers_are_turned_away_everywhere(api):
    asks = list(every_ask(api.app))
    assert len(asks) > 55
    for wanted in asks:
        answer = await ask(api.by(None), wanted, wanted.path(api.ours))
        assert (str(wanted), 401) == (str(wanted), answer.status_code)
        assert "application/problem+json" == answer.headers["content-type"]
    for path in STREAMS:
        root = api.url if path == "/documents/events" else f"{api.url}/api/v1"
        assert 401 == (await api.by(None).get(root + path)).status_code
    assert 401 == (await api.by("pr_" + "x" * 43).get("/messages")).status_code
    assert 401 == (await api.by("not a key").get("/messages")).status_code


async def test_a_viewer_reads_an_operator_acts_and_an_admin_manages(api):
    asks = sorted(every_ask(api.app), key=lambda one: (one.method != "GET", one.template.endswith("/disconnect")))
    for wanted in asks:
        for role in RANK:
            answer = await ask(api.by(role), wanted, wanted.path(api.ours))
            refused = RANK.index(role) < RANK.index(wanted.role)
            assert (str(wanted), role, refused) == (str(wanted), role, answer.status_code == 403), answer.text
            if not refused:
                fine = {200} if wanted.method == "GET" else {200, 201, 202, 204, 404, 409}  # the next role comes second
                if wanted.template == "/mailboxes/imap":
                    fine = {400}  # nobody listens there
                assert answer.status_code in fine, (str(wanted), role, answer.text)


async def test_another_tenants_ids_are_not_there(api):
    walked = 0
    for wanted in every_ask(api.app):
        if not set(wanted.parameters) - {"number"}:
            continue
        answer = await ask(api.by("admin"), wanted, wanted.path(api.theirs))
        assert (str(wanted), 404) == (str(wanted), answer.status_code), answer.text
        walked += 1
    assert walked > 30


async def test_no_list_shows_anything_of_another_tenant(api):
    theirs = {name: each for name, each in api.theirs.ids.items() if "job" not in name and "attempt" not in name}
    foreign = {str(each) for name, each in theirs.items() if name != "sha256"}  # both were sent the same file
    for wanted in every_ask(api.app):
        if wanted.method != "GET" or wanted.parameters:
            continue
        answer = await api.by("admin").get(wanted.template)
        assert 200 == answer.status_code, (str(wanted), answer.text)
        assert not [each for each in foreign if each in answer.text], str(wanted)
        assert "theirs" not in answer.text, str(wanted)


async def test_filtering_by_another_tenants_ids_finds_nothing(api):
    """By every filter of every list, from the description itself."""
    asked = set()
    for path, operations in api.app.openapi()["paths"].items():
        path = path.removeprefix("/api/v1")
        for parameter in operations.get("get", {}).get("parameters", ()):
            given = {"assigned_to": "person_id"}.get(parameter["name"], parameter["name"])
            if parameter["in"] != "query" or not given.endswith("_id") or given.startswith("provider"):
                continue
            body = await api.get(path, **{parameter["name"]: str(api.theirs[given])})
            assert (path, given, []) == (path, given, body.get("items", []))
            assert not body.get("total_failures"), path
            asked.add((path, given))
    assert {("/drafts", "thread_id"), ("/mappings", "message_id"), ("/threads", "person_id")} <= asked
    assert len(asked) > 14


async def test_what_is_another_tenants_cannot_be_named_in_a_request(api):
    ours, theirs = api.ours, api.theirs
    thread = f"/threads/{ours['thread_id']}"
    for method, path, body in (
        ("POST", f"{thread}/assign", {"person_id": theirs["person_id"]}),
        ("POST", f"{thread}/move", {"channel_id": theirs["channel_id"]}),
        ("POST", "/topics/preview", {**BOATS, "topic_id": theirs["topic_id"]}),
        ("PATCH", "/mappings/policy", {"left_out": [theirs["mailbox_id"]]}),
        (
            "POST",
            f"/documents/{ours['document_id']}/correct",
            {"changes": {"isin": ""}, "trade_id": theirs["trade_id"]},
        ),
    ):
        answer = await api.by("admin").request(method, path, json=jsonable_encoder(body))
        assert (path, 404) == (path, answer.status_code), answer.text
    retried = await api.by("admin").post("/attempts/retry", json={"attempt_ids": [theirs["attempt_id"]]})
    assert (1, 0) == (retried.json()["requested"], retried.json()["retried"])


async def test_what_is_not_there_is_named_by_its_code(api):
    nobody = "00000000-0000-7000-8000-000000000000"
    for method, path, body, code in (
        ("GET", f"/messages/{nobody}", None, "message_not_found"),
        ("GET", f"/messages/{nobody}/attachments", None, "message_not_found"),
        ("GET", f"/threads/{nobody}", None, "thread_not_found"),
        ("POST", f"/threads/{nobody}/done", None, "thread_not_found"),
        ("GET", f"/mailboxes/{nobody}", None, "not_found"),
        ("POST", f"/mappings/{api.ours['mapping_id']}/confirm", {"account": "NOPE"}, "not_found"),
    ):
        answer = await api.by("operator").request(method, path, json=body)
        assert (path, 404, code) == (path, answer.status_code, answer.json().get("code"))


async def test_a_key_with_scopes_opens_those_collections_only(api):
    limited = api.by(await api.key("admin", ["messages", "keys"]))
    assert 200 == (await limited.get("/messages")).status_code
    refused = await limited.get("/mailboxes")
    assert 403 == refused.status_code
    assert "make one with the scope mailboxes" in refused.json()["detail"]


async def test_a_limited_key_cannot_make_a_key_that_may_more(api):
    limited = api.by(await api.key("admin", ["keys", "messages"]))
    for scopes in ([], ["facts"]):
        assert (
            403 == (await limited.post("/keys", json={"name": "more", "role": "admin", "scopes": scopes})).status_code
        )
    assert (
        201 == (await limited.post("/keys", json={"name": "same", "role": "admin", "scopes": ["messages"]})).status_code
    )


async def test_a_key_cannot_make_one_that_lasts_longer(api):
    made = (await api.by("admin").post("/keys", json={"name": "short", "role": "admin", "days": 2})).json()
    short = api.by(made["key"])
    for days in (None, 3):
        assert 403 == (await short.post("/keys", json={"name": "long", "role": "admin", "days": days})).status_code
    assert 201 == (await short.post("/keys", json={"name": "as long", "role": "admin", "days": 1})).status_code


async def test_a_limited_key_cannot_open_the_console_to_anybody(api):
    """Whoever signs in may do all that the role allows, which is more than the key may."""
    limited = api.by(await api.key("admin", ["people"]))
    person = f"/people/{api.ours['person_id']}"
    assert 403 == (await limited.post(f"{person}/link")).status_code
    assert 403 == (await limited.patch(person, json={"password": "three unrelated words"})).status_code
    added = {"email": "eve@house.test", "role": "admin", "password": "three unrelated words"}
    assert 403 == (await limited.post("/people", json=added)).status_code
    assert 201 == (await limited.post("/people", json={**added, "password": None})).status_code


async def test_a_revoked_key_is_worth_nothing(api):
    made = (await api.by("admin").post("/keys", json={"name": "short-lived", "role": "viewer"})).json()
    assert 200 == (await api.by(made["key"]).get("/messages")).status_code
    assert 200 == (await api.by("admin").post(f"/keys/{made['id']}/revoke")).status_code
    assert 401 == (await api.by(made["key"]).get("/messages")).status_code


async def test_a_person_with_a_session_may_too_and_shows_that_the_page_is_theirs(api):
    scope = api.house.scope(api.ours.tenant_id, "test")
    link = await commands.make_link(scope, api.url, "anna@ours.test")
    token = await commands.enter_with_link(
        api.house.db, api.house.scope, link.rpartition("/")[2], commands.SignInSource(), api.house.clock()
    )
    path, csrf = f"/mailboxes/{api.ours['mailbox_id']}/pause", {"X-CSRF-Token": rules.csrf_of(token.reveal())}
    async with httpx.AsyncClient(
        base_url=f"{api.url}/api/v1", trust_env=False, cookies={"postroom-session": token.reveal()}
    ) as anna:
        assert 200 == (await anna.get("/people")).status_code
        assert 403 == (await anna.post(path)).status_code
        assert "paused" == (await anna.post(path, headers=csrf)).json()["status"]
        handed_in = {"files": {"file": ("note.pdf", PDF)}}
        assert 403 == (await anna.post("/documents", **handed_in)).status_code
        assert 201 == (await anna.post("/documents", **handed_in, headers=csrf)).status_code
        in_the_form = await anna.post("/documents", **handed_in, data={"csrf": csrf["X-CSRF-Token"]})
        assert (400, True) == (in_the_form.status_code, "X-CSRF-Token" in in_the_form.json()["detail"])
    told = await api.get("/facts", kind="mailbox.paused")
    assert ["person:anna@ours.test"] == [each["actor"] for each in told["items"]]
