"""What the pages say and refuse, without a browser."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from datetime import date
from uuid import uuid4

import aiohttp
import pytest

from doors.console.place import GMAIL, OUTLOOK, Browser, Place, a_day
from postroom.doors.console import pages
from postroom.engine import lanes, seals
from postroom.nouns import facts
from postroom.nouns.errors import Conflict
from postroom.nouns.ids import JobId
from postroom.nouns.secrets import Secret
from postroom.rooms.documents import commands as documents
from postroom.simulators.papers import NOTES

LISTS = [
    "/",
    "/mailboxes",
    "/messages",
    "/documents",
    "/documents?status=all",
    "/trades",
    "/orders",
    "/invoices",
    "/attempts",
    "/audit",
    "/settings",
    "/demo",
]
ADMIN_ONLY = ["/settings/people", "/settings/keys"]
ALL = [
    *LISTS,
    *ADMIN_ONLY,
    "/attempts?view=waiting",
    "/attempts?view=failed",
    "/attempts?view=all",
    "/settings/senders",
    "/settings/passwords",
    "/settings/policy",
]


async def one_of_each(place: Place, admin: Browser) -> dict[str, str]:
    """Ids of things that this tenant holds."""
    desk = place.house.desk(place.tenant, "test")
    await place.connect(admin, OUTLOOK, "outlook")
    place.deliver(html="<p>Hello</p>", files=(("note.pdf", b"%PDF-1.4 broken", "application/pdf"),))
    await place.works()
    await documents.place_order(
        desk,
        {
            "external_id": "O-1",
            "username": "kb",
            "direction": "BUY",
            "quantity": "5",
            "isin": "DE0007164600",
            "placed_on": "2026-01-02",
        },
    )
    await documents.add_password(desk, place.house.switchboard.sealer, "Bank", Secret("pw"))
    await documents.allow_sender(desk, "ap_invoices", "bank.example")
    await admin.post("/settings/keys", {"name": "k", "role": "viewer"})
    return {
        "mailboxes": str(place.ask("SELECT id FROM postroom.mailbox")),
        "messages": str(place.ask("SELECT id FROM postroom.message")),
        "documents": str(place.ask("SELECT id FROM postroom.document")),
        "orders": str(place.ask("SELECT id FROM postroom.pending_order")),
        "sessions": str(place.ask("SELECT id FROM postroom.session")),
        "people": str(place.ask("SELECT id FROM postroom.person")),
        "keys": str(place.ask("SELECT id FROM postroom.api_key")),
        "senders": str(place.ask("SELECT id FROM postroom.sender_rule")),
        "passwords": str(place.ask("SELECT id FROM postroom.pdf_password")),
        "job": str(place.ask("SELECT max(job_id) FROM postroom.attempt")),
        "sha256": place.ask("SELECT attachments -> 0 ->> 'sha256' FROM postroom.message"),
    }


def filled(path: str, held: dict[str, str]) -> str | None:
    """A route's address with the ids of things; None when it names nothing."""
    if "{id:uuid}" not in path and "{job:int}" not in path:
        return None
    room = [part for part in path.split("/") if part in held and part != "job"]
    made = path.replace("{id:uuid}", held[room[-1]] if room else "").replace("{job:int}", held["job"])
    return made.replace("{page:int}", "1").replace("{sha256}", held["sha256"])


async def test_another_tenant_s_ids_are_not_found_under_any_address(place: Place):
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in("admin")
    held = await one_of_each(place, admin)
    stranger = await place.come_in("admin", await place.tenant_named("other"))
    token = await stranger.token()
    tried = {}
    for route in pages.ROUTES:
        path = filled(route.path, held)
        if path is None:
            continue
        for method in sorted(route.methods - {"HEAD"}):
            data = {"because": "x", "trade_id": "", "days": "7", "role": "admin"}
            answer = await stranger.raw(
                method,
                path,
                headers={"X-CSRF-Token": token, "HX-Request": "true"},
                data=data if method == "POST" else None,
            )
            tried[f"{method} {path}"] = answer.status

    assert len(tried) > 20
    assert {} == {asked: status for asked, status in tried.items() if status != 404}


async def test_nobody_sees_anything_before_signing_in(place: Place):
    for route in pages.ROUTES:
        if route.path.startswith(("/signin", "/static", "/signout")) or "{" in route.path:
            continue
        for method in route.methods - {"HEAD"}:
            answer = await place.browser().raw(method, route.path, headers={"Accept": "text/html"})
            assert (route.path, 303, "/signin") == (
                route.path,
                answer.status,
                answer.headers["Location"].partition("?")[0],
            )


async def test_a_page_that_waits_for_news_is_sent_to_the_door_when_the_session_ends(place: Place):
    answer = await place.browser().raw(
        "GET", "/nav", headers={"HX-Request": "true", "HX-Current-URL": f"{place.url}/messages?q=a"}
    )

    assert "/signin?next=/messages%3Fq%3Da" == answer.headers["HX-Redirect"]


async def test_a_viewer_looks_at_everything_and_changes_nothing(place: Place):
    viewer = await place.come_in("viewer")
    for path in LISTS:
        status, page = await viewer.get(path)
        assert (path, 200) == (path, status)
        assert 0 == len(re.findall(r'hx-post="/(?!settings/(password|sessions))', page)), path
    for path in ADMIN_ONLY:
        assert (path, 403) == (path, (await viewer.get(path))[0])
    token = await viewer.token()
    for route in pages.ROUTES:
        if "POST" in route.methods and not route.path.startswith(("/sign", "/settings/password", "/settings/sessions")):
            path = re.sub(r"\{id:uuid\}", str(uuid4()), route.path).replace("{job:int}", "1")
            assert (path, 403) == (path, (await viewer.post(path, token=token)).status)


async def test_an_operator_may_not_decide_who_comes_in(place: Place):
    operator = await place.come_in("operator")
    for path, form in {
        "/settings/people": {"email": "eve@evil.example", "role": "admin"},
        "/settings/keys": {"name": "k", "role": "admin"},
        "/settings/policy": {"sure_enough": "1", "require_order": "no"},
        "/settings/senders": {"entry": "evil.example", "pipeline": "ap_invoices"},
    }.items():
        assert (path, 403) == (path, (await operator.post(path, form)).status)


async def test_every_page_is_guarded_small_and_without_inline_script(place: Place):
    place.world.faults.turn(auto_consent=True)
    admin = await a_day(place, most=6)
    for path in ALL:
        answer = await admin.raw("GET", path, headers={"Accept": "text/html", "Accept-Encoding": "gzip"})
        text = await answer.text()
        assert (path, 200) == (path, answer.status)
        policy = answer.headers["Content-Security-Policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert ("nosniff", "no-store") == (answer.headers["X-Content-Type-Options"], answer.headers["Cache-Control"])
        assert not re.search(r"<script(?![^>]*\bsrc=)|\son[a-z]+=|\sstyle=|<style", text), path
        assert not re.search(r'(?:src|href)="(?:https?:)?//(?!127\.0\.0\.1)', text), path
        assert len(text.encode()) < 100_000, path


async def test_all_that_a_first_visit_loads_is_small(place: Place):
    admin = await place.come_in()
    _, page = await admin.get("/messages")
    total = len(page.encode())
    for path in re.findall(r'(?:src|href)="(/static/[^"#]+)', page):
        answer = await admin.raw("GET", path, headers={"Accept-Encoding": "gzip"})
        assert "immutable" in answer.headers["Cache-Control"]
        total += int(answer.headers["Content-Length"])

    assert total < 100_000


async def test_hostile_mail_is_shown_as_words(place: Place):
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, OUTLOOK, "outlook")
    place.deliver(
        subject="<script>alert(1)</script>",
        html='<p onclick="x()">Pay <b>now</b></p><script>alert(2)</script><img src="https://spy.example/p.gif"><form action="https://evil.example"><input name=a></form>'
        '<a href="javascript:alert(3)">here</a><style>body{display:none}</style><div class="toast bad" id="nav" style="position:fixed">Gotcha</div><iframe src="https://evil.example"></iframe>',
    )
    await place.works()
    message = place.ask("SELECT id FROM postroom.message")
    _, page = await admin.get(f"/messages/{message}")
    answer = await admin.raw("GET", f"/messages/{message}/as-sent")
    framed = await answer.text()

    assert "&lt;script&gt;alert(1)" in page
    assert "<p>Pay <b>now</b></p>" in page
    assert "<div>Gotcha</div>" in page
    assert "1 remote image not loaded" in page
    for text in (page, framed):
        for bad in ("alert(2)", "spy.example", "evil.example", "javascript:", "onclick"):
            assert bad not in text
    assert "sandbox" in answer.headers["Content-Security-Policy"]
    assert "script-src" not in answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


async def test_a_file_is_fetched_from_the_mailbox_when_asked_for_and_never_runs(place: Place):
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, GMAIL, "gmail")
    place.deliver(to=GMAIL, files=(("pay.html", b"<script>alert(1)</script>", "text/html"),))
    await place.works()
    message, sha = (
        place.ask("SELECT id FROM postroom.message"),
        place.ask("SELECT attachments -> 0 ->> 'sha256' FROM postroom.message"),
    )
    answer = await admin.raw("GET", f"/messages/{message}/files/{sha}")

    assert (200, "<script>alert(1)</script>") == (answer.status, (await answer.text()).strip())
    assert "application/octet-stream" == answer.content_type
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert 404 == (await admin.raw("GET", f"/messages/{message}/files/{'0' * 64}")).status


async def test_what_is_not_there_is_a_page_for_people_and_a_problem_for_programs(place: Place):
    admin = await place.come_in()
    status, page = await admin.get(f"/messages/{uuid4()}")
    assert (404, True) == (status, "Nothing here" in page)
    assert 404 == (await admin.get("/nowhere"))[0]

    answer = await admin.raw("GET", "/nowhere", headers={"Accept": "application/json"})
    assert "application/problem+json" == answer.content_type


async def test_an_error_of_an_action_is_said_in_the_corner(place: Place):
    admin = await place.come_in()
    answer = await admin.post("/settings/keys", {"name": "", "role": "viewer"})

    assert (400, "none") == (answer.status, answer.headers["HX-Reswap"])
    assert {"toast": {"text": "Say what the key is for.", "kind": "bad"}} == json.loads(answer.headers["HX-Trigger"])


async def test_htmx_gets_only_the_part_it_names(place: Place):
    admin = await place.come_in()
    _, part = await admin.get("/messages", HX_Request="true", HX_Target="messages")

    assert part.lstrip().startswith('<section id="messages"')
    assert "<html" not in part


async def test_a_mailbox_is_paused_resumed_compared_and_disconnected(place: Place):
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, OUTLOOK, "outlook")
    await place.works()
    box = place.ask("SELECT id FROM postroom.mailbox")
    seen = []
    for act in ("pause", "resume", "check", "disconnect"):
        answer = await admin.post(f"/mailboxes/{box}/{act}")
        seen.append((act, answer.status, place.ask("SELECT status FROM postroom.mailbox")))

    assert [
        ("pause", 200, "paused"),
        ("resume", 200, "active"),
        ("check", 200, "active"),
        ("disconnect", 200, "disconnected"),
    ] == seen
    assert 409 == (await admin.post(f"/mailboxes/{box}/check")).status


async def test_a_resync_lists_the_days_anew_and_takes_nothing_in_twice(place: Place):
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, OUTLOOK, "outlook")
    place.deliver()
    await place.works()
    box = place.ask("SELECT id FROM postroom.mailbox")
    answer = await admin.post(f"/mailboxes/{box}/resync", {"days": "3"})
    await place.works()

    assert 200 == answer.status
    assert 1 == place.ask("SELECT count(*) FROM postroom.fact WHERE kind = 'sync.resync_done'")
    assert 1 == place.ask("SELECT count(*) FROM postroom.message")


async def test_rules_of_a_mailbox_are_kept_and_noted(place: Place):
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, OUTLOOK, "outlook")
    box = place.ask("SELECT id FROM postroom.mailbox")
    good = await admin.post(
        f"/mailboxes/{box}/rules", {"pipelines": "ap_invoices", "deny_senders": "News.example\nspam@shop.example"}
    )
    bad = await admin.post(f"/mailboxes/{box}/rules", {"pipelines": "ap_invoices", "deny_senders": "not a sender"})

    assert (200, 400) == (good.status, bad.status)
    assert ["ap_invoices"] == place.ask("SELECT pipelines FROM postroom.mailbox")
    assert ["news.example", "spam@shop.example"] == place.ask("SELECT rules -> 'deny_senders' FROM postroom.mailbox")


async def put_aside(place: Place, number: int) -> JobId:
    """A job that was quarantined."""
    place.tell(
        "INSERT INTO postroom.job (tenant_id, kind, key, state, correlation_id, reason, tries) "
        "VALUES (%s, 'sync.poll', %s, 5, gen_random_uuid(), 'The provider gave up.', 5)",
        place.tenant,
        f"n{number}",
    )
    return place.ask("SELECT max(id) FROM postroom.job")


async def test_what_was_put_aside_is_tried_again_one_or_many(place: Place):
    admin = await place.come_in()
    jobs = [await put_aside(place, number) for number in range(4)]
    assert "The provider gave up." in (await admin.get("/attempts"))[1]

    one = await admin.post(f"/attempts/{jobs[0]}/retry")
    many = await admin.post("/attempts/retry", aiohttp.FormData([("job", str(job)) for job in [*jobs[1:3], 999_999]]))
    none = await admin.post("/attempts/retry")

    assert (200, 200, 400) == (one.status, many.status, none.status)
    assert "2 tried again now. 1 had moved on already." in json.loads(many.headers["HX-Trigger"])["toast"]["text"]
    async with place.house.db.tenant(place.tenant) as tx:
        assert {"quarantined": 1, "ready": 3} == {
            state: len(await lanes.jobs(tx, states=[state])) for state in ("quarantined", "ready")
        }
    assert 3 == place.ask("SELECT count(*) FROM postroom.fact WHERE kind = 'attempt.manual_retry_requested'")


async def test_a_search_says_where_to_look_on_when_it_has_looked_through_enough(place: Place, monkeypatch):
    from postroom.doors.console import reads

    monkeypatch.setattr(reads, "SCAN", 3)
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, OUTLOOK, "outlook")
    place.deliver(subject="Needle")
    for _ in range(5):
        place.deliver(subject="Hay")
    await place.works()
    place.tell("UPDATE postroom.message SET received_at = received_at - interval '1 hour' WHERE subject = 'Needle'")
    _, page = await admin.get("/messages?q=needle")
    further = re.search(r'href="(/messages\?[^"]*before=[^"]+)">Look further', page)
    assert further
    _, page = await admin.get(further[1].replace("&amp;", "&"))

    assert ">Needle</a>" in page


async def test_messages_are_paged_without_gap_or_repetition(place: Place):
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, OUTLOOK, "outlook")
    for number in range(60):
        place.deliver(subject=f"Letter {number:03}")
    await place.works()
    place.tell("UPDATE postroom.message SET received_at = date_trunc('minute', received_at)")  # many at one moment
    path, seen = "/messages", []
    while path:
        _, page = await admin.get(path)
        seen += re.findall(r">(Letter \d+)</a>", page)
        older = re.search(r'href="([^"]+before=[^"]+)" data-key="n"', page)
        path = older[1].replace("&amp;", "&") if older else ""

    assert 60 == len(seen) == len(set(seen))


async def test_the_trail_is_searched_exported_and_verified(place: Place):
    admin = await place.come_in()
    desk = place.house.desk(place.tenant, "person:anna@larkspur.example")
    async with desk.finish() as tx:
        for number in range(3):
            await desk.tell(tx, facts.SecurityNoted(what=f"needle {number}", source="9.9.9.9"))
    await seals.seal(place.house.db, place.tenant, place.house.clock())
    _, found = await admin.get("/audit?q=needle%201&actor=anna&kind=security.event")
    exported = await admin.raw("GET", "/audit/export")
    lines = [json.loads(line) for line in (await exported.text()).splitlines()]
    verified = await (await admin.post("/audit/verify")).text()

    assert "Needle 1" in found
    assert "Needle 2" not in found
    assert place.ask("SELECT count(*) FROM postroom.fact") == len(lines) + 0
    assert {"kind", "actor", "digest", "position", "body"} <= set(lines[0])
    assert "The trail holds." in verified

    place.tell(
        "ALTER TABLE postroom.fact DISABLE TRIGGER USER; UPDATE postroom.fact SET body = jsonb_set(body, '{source}', '\"1.1.1.1\"') WHERE body ->> 'what' = 'needle 1'"
    )
    assert "was changed" in await (await admin.post("/audit/verify")).text()


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
    before = await stranger.raw("GET", "/messages", headers=with_key)
    await admin.post(f"/settings/keys/{place.ask('SELECT id FROM postroom.api_key')}/revoke")
    after = await stranger.raw("GET", "/messages", headers=with_key)

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
    assert 1 == place.ask("SELECT count(*) FROM postroom.fact WHERE body ->> 'what' LIKE 'policy changed%%'")


async def test_a_person_ends_their_own_sessions_and_not_others(place: Place):
    mine, other = await place.come_in("viewer"), await place.come_in("viewer")
    theirs = place.ask(
        "SELECT s.id FROM postroom.session s JOIN postroom.person p ON p.id = s.person_id ORDER BY s.started_at DESC LIMIT 1"
    )

    assert 404 == (await mine.post(f"/settings/sessions/{theirs}/end")).status
    assert 200 == (await other.get("/"))[0]


async def read_events(browser: Browser, path: str, count: int, **headers: str) -> list[tuple[str, str, str]]:
    """The first events of a stream as (id, name, data)."""
    found: list[tuple[str, str, str]] = []
    async with browser.session.get(
        browser.url + path, headers={name.replace("_", "-"): value for name, value in headers.items()}
    ) as answer:
        assert "text/event-stream" == answer.content_type
        block: dict[str, str] = {}
        async with asyncio.timeout(20):
            async for raw in answer.content:
                line = raw.decode().rstrip("\n")
                if line:
                    name, _, value = line.partition(": ")
                    block[name] = value
                    continue
                if "data" in block:
                    found.append((block["id"], block["event"], block["data"]))
                block = {}
                if len(found) == count:
                    return found
    return found


async def note(place: Place, what: str) -> None:
    desk = place.house.desk(place.tenant, "test")
    async with desk.finish() as tx:
        await desk.tell(tx, facts.DocumentUploaded(document_id=uuid4(), filename=what, size=1))


async def test_news_goes_on_where_the_connection_was_lost(place: Place):
    viewer = await place.come_in("viewer")
    ((start, name, _),) = await read_events(viewer, "/live", 1)
    assert "open" == name
    await note(place, "first")
    news = await read_events(viewer, f"/live?after={start}", 2)
    await note(place, "missed")
    later = await read_events(viewer, "/live", 2, Last_Event_ID=news[1][0])

    assert {"activity": 1, "documents": 1, "messages": 1} == json.loads(news[1][2])
    assert {"activity": 1, "documents": 1, "messages": 1} == json.loads(later[1][2])
    assert 400 == (await viewer.raw("GET", "/live?after=nonsense")).status


async def test_whoever_is_far_behind_hears_that_everything_is_old(place: Place):
    viewer = await place.come_in("viewer")
    desk = place.house.desk(place.tenant, "test")
    async with desk.finish() as tx:
        for _ in range(250):
            await desk.tell(tx, facts.SecurityNoted(what="x", source=""))
    ((_, _, _), (position, name, data)) = await read_events(viewer, "/live?after=0-0", 2)

    assert "news" == name
    assert {"documents", "messages", "mailboxes", "trades"} <= set(json.loads(data))
    assert int(position.partition("-")[2]) == place.ask("SELECT max(id) FROM postroom.fact")


async def test_another_tenant_hears_nothing(place: Place):
    stranger = await place.come_in("viewer", await place.tenant_named("other"))
    ((start, _, _),) = await read_events(stranger, "/live", 1)
    await note(place, "ours")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(2):
            await read_events(stranger, f"/live?after={start}", 2)


async def hand_in(place: Place, browser: Browser, *seeds: int) -> None:
    """Contract notes that no order asked for: each waits for a person."""
    order = {
        "external_id": "O-1",
        "username": "kb",
        "direction": "BUY",
        "quantity": "5",
        "isin": "FR0000120271",
        "placed_on": "2020-01-02",
    }
    with contextlib.suppress(Conflict):
        await documents.place_order(place.house.desk(place.tenant, "test"), order)
    form = aiohttp.FormData()
    for seed in seeds:
        form.add_field(
            "files",
            NOTES["hansekontor"](date(2026, 3, 4), seed).pdf,
            filename=f"note-{seed}.pdf",
            content_type="application/pdf",
        )
    answer = await browser.post("/documents/upload", form)
    assert 200 == answer.status, await answer.text()
    await place.works()


async def test_a_document_is_handed_in_corrected_confirmed_and_leaves_the_queue(place: Place):
    operator = await place.come_in("operator")
    await hand_in(place, operator, 3, 4)
    answer = await operator.raw("GET", "/documents/review")
    path = answer.headers["Location"]
    _, page = await operator.get(path)
    trade = re.search(r'name="trade_id" value="([^"]+)"', page)
    quantity = re.search(r'name="quantity" value="([^"]+)"', page)
    assert trade
    assert quantity
    corrected = await operator.post(f"{path}/correct", {"trade_id": trade[1], "quantity": str(int(quantity[1]) + 1)})
    confirmed = await operator.post(f"{path}/confirm")
    again = await operator.post(f"{path}/confirm")

    assert (200, 200, 409) == (corrected.status, confirmed.status, again.status)
    assert f"{quantity[1]} × " not in page
    assert "Corrected." in corrected.headers["HX-Trigger"]
    assert int(quantity[1]) + 1 == place.ask("SELECT quantity FROM postroom.trade WHERE status = 'confirmed'")
    following = confirmed.headers["HX-Push-Url"]
    assert following != path
    assert {"confirmed": 1, "review": 1} == place.ask(
        "SELECT jsonb_object_agg(status, n) FROM (SELECT status, count(*) AS n FROM postroom.document GROUP BY 1) x"
    )

    rejected = await operator.post(f"{following}/reject", {"because": "Not ours"})
    assert "Nothing else waits for you." in rejected.headers["HX-Trigger"]
    assert "rejected" == place.ask("SELECT status FROM postroom.document ORDER BY updated_at DESC LIMIT 1")


async def test_a_page_is_drawn_with_a_mark_where_each_field_was_read(place: Place):
    operator = await place.come_in("operator")
    await hand_in(place, operator, 3)
    document = place.ask("SELECT id FROM postroom.document")
    status, part = await operator.get(f"/documents/{document}/pages/1", HX_Request="true", HX_Target="sheet")
    image = await operator.raw("GET", f"/documents/{document}/pages/1/image")
    spots = set(re.findall(r'data-spot="[^:]+:(\w+)"', part))
    box = [float(number) for number in re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', part).groups()]

    assert (200, "image/png") == (status, image.content_type)
    assert {"isin", "quantity", "net", "trade_date"} <= spots
    assert [595, 842] == [round(side) for side in box]
