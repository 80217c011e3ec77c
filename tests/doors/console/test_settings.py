"""People, keys, thresholds, retention and sessions."""

from __future__ import annotations

import re

from doors.console.place import Place


async def test_people_are_let_in_changed_and_locked_out(place: Place):
    admin = await place.come_in()
    assert (
        200
        == (
            await admin.post("/settings/people", {"email": "Bo@larkspur.example", "role": "viewer", "name": "Bo"})
        ).status
    )
    bo = place.ask("SELECT id FROM postroom.person WHERE email = 'bo@larkspur.example'")
    me = place.ask("SELECT id FROM postroom.person WHERE role = 'admin'")
    assert 200 == (await admin.post(f"/settings/people/{bo}", {"role": "operator"})).status
    assert "operator" == place.ask("SELECT role FROM postroom.person WHERE id = %s", bo)
    assert 200 == (await admin.post(f"/settings/people/{bo}", {"disabled": "yes"})).status
    assert place.ask("SELECT disabled_at FROM postroom.person WHERE id = %s", bo)
    assert 409 == (await admin.post(f"/settings/people/{me}", {"disabled": "yes"})).status
    assert 409 == (await admin.post(f"/settings/people/{me}", {"role": "viewer"})).status
    link = re.search(r"(http[^<]+/signin/link/[^<]+)<", await (await admin.post(f"/settings/people/{me}/link")).text())
    assert link
    await place.browser().follow(link[1])


async def test_a_role_that_is_refused_is_shown_as_it_was_and_who_gives_up_theirs_is_led_away(place: Place):
    admin = await place.come_in()
    me = place.ask("SELECT id FROM postroom.person")
    await place.person("bo@larkspur.example", "viewer")
    bo = place.ask("SELECT id FROM postroom.person WHERE email = 'bo@larkspur.example'")
    _, page = await admin.get("/settings/people")
    refused = await admin.post(f"/settings/people/{me}", {"role": "viewer"})
    forms = dict(re.findall(r'<form id="role-([^"]+)"([^>]*)>', page))
    await admin.post(f"/settings/people/{bo}", {"role": "admin"})
    given_up = await admin.post(f"/settings/people/{me}", {"role": "viewer"})

    assert {str(me), str(bo)} == forms.keys()
    assert (True, False) == tuple("Change your own role?" in forms[str(each)] for each in (me, bo))
    assert not any("hx-trigger" in each for each in forms.values())
    assert "Lock out bo@larkspur.example?" in page
    assert (409, True) == (refused.status, "is the last admin" in refused.headers["HX-Trigger"])
    assert "<option selected>admin</option>" in await refused.text()
    assert "/settings" == given_up.headers["HX-Redirect"]


async def test_a_name_that_is_no_name_is_refused(place: Place):
    admin = await place.come_in()
    someone = {"email": "bo@larkspur.example", "role": "viewer", "password": ""}
    refused = await admin.post("/settings/people", {**someone, "name": "x" * 101})
    taken = await admin.post("/settings/people", {**someone, "name": "x" * 100})

    assert (400, True) == (refused.status, "has up to 100 letters" in refused.headers["HX-Trigger"])
    assert 200 == taken.status


async def test_a_key_is_shown_once_and_works_until_it_is_revoked(place: Place):
    admin = await place.come_in()
    page = await (
        await admin.post(
            "/settings/keys", {"name": "loader", "role": "viewer", "scopes": "documents, orders", "days": "30"}
        )
    ).text()
    key = re.search(r"(pr_[A-Za-z0-9_-]{43})", page)
    assert key
    stranger = place.browser()
    with_key = {"Authorization": f"Bearer {key[1]}", "Accept": "application/json"}
    before = await stranger.raw("GET", "/api/v1/documents", headers=with_key)
    await admin.post(f"/settings/keys/{place.ask('SELECT id FROM postroom.api_key')}/revoke")
    after = await stranger.raw("GET", "/api/v1/documents", headers=with_key)

    assert (200, 401) == (before.status, after.status)
    assert key[1] not in (await admin.get("/settings/keys"))[1]
    assert ["documents", "orders"] == place.ask("SELECT scopes FROM postroom.api_key")


async def test_thresholds_are_checked_kept_where_documents_look_and_noted(place: Place):
    admin = await place.come_in()
    assert 200 == (await admin.post("/settings/policy", {"sure_enough": "97.5", "require_order": "yes"})).status
    assert 400 == (await admin.post("/settings/policy", {"sure_enough": "300", "require_order": "yes"})).status

    assert {"documents": {"sure_enough": 0.975, "require_order": True}} == place.ask(
        "SELECT policy FROM postroom.tenant WHERE name = 'default'"
    )
    assert "97.5" in (await admin.get("/settings/policy"))[1]
    assert 1 == place.ask("SELECT count(*) FROM postroom.fact WHERE kind = 'tenant.policy_changed'")
    assert "Sure enough 0% → 98%; Needs an order auto → yes" in (await admin.get("/audit"))[1]


async def test_windows_of_retention_are_set_lifted_and_noted(place: Place):
    admin = await place.come_in()
    assert 200 == (await admin.post("/settings/retention", {"messages": "365", "archive": "2555"})).status
    assert 200 == (await admin.post("/settings/retention", {"messages": "", "archive": "2555"})).status
    short = await admin.post("/settings/retention", {"archive": "3"})

    assert (400, True) == (short.status, "30 to 36,500 days" in short.headers["HX-Trigger"])
    assert {"archive": 2555} == place.ask("SELECT policy -> 'retention' FROM postroom.tenant WHERE name = 'default'")
    assert 'value="2555"' in (await admin.get("/settings/retention"))[1]
    assert "Mail 365 days → kept" in (await admin.get("/audit"))[1]


async def test_a_person_ends_their_own_sessions_and_not_others(place: Place):
    mine, other = await place.come_in("viewer"), await place.come_in("viewer")
    theirs = place.ask(
        "SELECT s.id FROM postroom.session s JOIN postroom.person p ON p.id = s.person_id ORDER BY s.started_at DESC LIMIT 1"
    )

    assert 404 == (await mine.post(f"/settings/sessions/{theirs}/end")).status
    assert 200 == (await other.get("/"))[0]
