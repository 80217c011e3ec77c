"""Who sees what, and how every page is guarded; without a browser."""

from __future__ import annotations

import json
import re
from uuid import uuid4

from doors.console.desk_book import mapped, with_book
from doors.console.place import OUTLOOK, Browser, Place, a_day
from postroom.doors.console import routes
from postroom.nouns.secrets import Secret
from postroom.rooms.documents import commands as documents
from postroom.rooms.replies import commands as replies

LISTS = [
    "/",
    "/mailboxes",
    "/scorecard",
    "/messages",
    "/documents",
    "/documents?status=all",
    "/clients",
    "/clients?status=all",
    "/clients/signals",
    "/accounts",
    "/accounts/contacts",
    "/evidence",
    "/trades",
    "/orders",
    "/invoices",
    "/bookings",
    "/attempts",
    "/audit",
    "/settings",
    "/demo",
]
FOR_VIEWERS = (
    "/sign",
    "/looking",
    "/settings/password",
    "/settings/sessions",
    "/evidence/ask",
    "/settings/topics/preview",
    "/settings/topics/{id:uuid}/preview",
    "/settings/try",
)
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
    "/settings/mapping",
    "/settings/sending",
    "/settings/replies",
    "/settings/retention",
]


async def one_of_each(place: Place, admin: Browser) -> dict[str, str]:
    """Ids of things that this tenant holds."""
    scope = place.house.scope(place.tenant, "test")
    await place.connect(admin, OUTLOOK, "outlook")
    place.deliver(html="<p>Hello</p>", files=(("note.pdf", b"%PDF-1.4 broken", "application/pdf"),))
    await place.works()
    await documents.place_order(
        scope,
        {
            "external_id": "O-1",
            "username": "kb",
            "direction": "BUY",
            "quantity": "5",
            "isin": "DE0007164600",
            "placed_on": "2026-01-02",
        },
    )
    await documents.add_password(scope, place.house.providers.sealer, "Bank", Secret("pw"))
    await documents.allow_sender(scope, "ap_invoices", "bank.example")
    await admin.post("/settings/keys", {"name": "k", "role": "viewer"})
    letter = {"mailbox": str(place.ask("SELECT id FROM postroom.mailbox")), "to": "anna@client.test"}
    await admin.post("/outbox", letter | {"subject": "Rooms", "body": "They are kept."})
    await replies.add_evidence(scope, place.house.outside.reader, "bar.md", b"# Bar\n\nThe bar is open.\n")
    await with_book(place)
    return {
        "clients": str(await mapped(place)),
        "accounts": str(place.ask("SELECT id FROM postroom.account WHERE code = 'ACME'")),
        "mailboxes": str(place.ask("SELECT id FROM postroom.mailbox")),
        "messages": str(place.ask("SELECT id FROM postroom.message")),
        "inbox": str(place.ask("SELECT id FROM postroom.thread")),
        "webhooks": str(uuid4()),  # nobody's: that it is not found is all that is asked here
        "deliveries": str(uuid4()),
        "channels": str(uuid4()),
        "topics": str(uuid4()),
        "documents": str(place.ask("SELECT id FROM postroom.document")),
        "evidence": str(place.ask("SELECT id FROM postroom.evidence_document")),
        "orders": str(place.ask("SELECT id FROM postroom.pending_order")),
        "sessions": str(place.ask("SELECT id FROM postroom.session")),
        "people": str(place.ask("SELECT id FROM postroom.person")),
        "keys": str(place.ask("SELECT id FROM postroom.api_key")),
        "senders": str(place.ask("SELECT id FROM postroom.sender_rule")),
        "passwords": str(place.ask("SELECT id FROM postroom.pdf_password")),
        "job": str(place.ask("SELECT max(job_id) FROM postroom.attempt")),
        "outbox": str(place.ask("SELECT id FROM postroom.proposal")),
        "sha256": place.ask("SELECT attachments -> 0 ->> 'sha256' FROM postroom.message WHERE attachments <> '[]'"),
    }


def filled(path: str, held: dict[str, str]) -> str | None:
    """A route's address with the ids of things; None when it names nothing."""
    if "{id:uuid}" not in path and "{job:int}" not in path:
        return None
    room = [part for part in path.split("/") if part in held and part != "job"]
    made = path.replace("{id:uuid}", held[room[-1]] if room else "").replace("{job:int}", held["job"])
    return (
        made.replace("{page:int}", "1")
        .replace("{sha256}", held["sha256"])
        .replace("{contact:uuid}", str(uuid4()))
        .replace("{draft:uuid}", str(uuid4()))
    )


async def test_another_tenant_s_ids_are_not_found_under_any_address(place: Place):
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in("admin")
    held = await one_of_each(place, admin)
    stranger = await place.come_in("admin", await place.tenant_named("other"))
    token = await stranger.token()
    tried = {}
    for route in routes.ROUTES:
        path = filled(route.path, held)
        if path is None:
            continue
        for method in sorted(route.methods - {"HEAD"}):
            data = {"because": "x", "trade_id": "", "days": "7", "role": "admin", "revision": "1"}
            data |= {"copilot": "off", "sending": "off", "outcome": "sent", "body": "x", "hash": "sha256:0"}
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
    for route in routes.ROUTES:
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
        assert 0 == len(re.findall(r'hx-post="/(?!settings/(password|sessions)|evidence/ask)', page)), path
    for path in ADMIN_ONLY:
        assert (path, 403) == (path, (await viewer.get(path))[0])
    token = await viewer.token()
    for route in routes.ROUTES:
        if "POST" in route.methods and not route.path.startswith(FOR_VIEWERS):
            path = re.sub(r"\{\w+:uuid\}", str(uuid4()), route.path).replace("{job:int}", "1")
            assert (path, 403) == (path, (await viewer.post(path, token=token)).status)


async def test_an_operator_may_not_decide_who_comes_in(place: Place):
    operator = await place.come_in("operator")
    for path, form in {
        "/settings/people": {"email": "eve@evil.example", "role": "admin"},
        "/settings/keys": {"name": "k", "role": "admin"},
        "/settings/policy": {"sure_enough": "1", "require_order": "no"},
        "/settings/retention": {"messages": "30"},
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
