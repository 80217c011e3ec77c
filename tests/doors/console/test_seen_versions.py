"""Of two people who change the same thing, the second is told, and nothing of the first's is undone."""

from __future__ import annotations

import html
import re

import pytest

from doors.console.desk_book import with_book
from doors.console.place import OUTLOOK, Browser, Place


async def seen(who: Browser, page: str, path: str) -> str:
    """The version that the form of this path shows."""
    _, text = await who.get(page)
    found = re.search(rf'hx-post="{re.escape(path)}"[^>]*>\s*<input type="hidden" name="version" value="([^"]+)"', text)
    assert found, f"no version in the form of {path}"
    return html.unescape(found[1])


async def one_after_the_other(who: Browser, page: str, path: str, first: dict[str, str], second: dict[str, str]) -> str:
    """Both opened the page before either sent; what the second is told."""
    old = {"version": await seen(who, page, path)}
    kept, late = await who.post(path, first | old), await who.post(path, second | old)
    assert (200, 409) == (kept.status, late.status)
    again = {"version": await seen(who, page, path)}
    assert 200 == (await who.post(path, first | again)).status, "who looked again may change it"
    return late.headers["HX-Trigger"]


async def test_an_account(place: Place):
    await with_book(place)
    operator = await place.come_in("operator")
    path = f"/accounts/{place.ask('SELECT id FROM postroom.account WHERE code = %s', 'ACME')}"
    both = {"name": "ACME", "aliases": "", "domains": "acme.example; acme-group.example"}

    told = await one_after_the_other(operator, path, path, both, both | {"domains": "acme.example"})

    assert "Somebody changed ACME since you looked" in told
    assert ["acme.example", "acme-group.example"] == place.ask(
        "SELECT domains FROM postroom.account WHERE code = 'ACME'"
    )


@pytest.mark.parametrize(
    ("form", "first", "second", "column", "expected"),
    [
        (
            "rules",
            {"deny_senders": "spam@x.example"},
            {"allow_senders": "good@x.example"},
            "rules -> 'deny_senders'",
            ["spam@x.example"],
        ),
        ("folder", {"folder": "Inbox/Notes"}, {"folder": "Inbox/Bills"}, "folder", "Inbox/Notes"),
        (
            "copilot",
            {"copilot": "labels", "operators": "anna@x.example"},
            {"copilot": "off", "operators": "bob@x.example"},
            "to_jsonb(operators)",
            ["anna@x.example"],
        ),
    ],
)
async def test_a_mailbox(place: Place, form, first, second, column, expected):
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, OUTLOOK, "outlook")
    page = f"/mailboxes/{place.ask('SELECT id FROM postroom.mailbox')}"

    told = await one_after_the_other(admin, page, f"{page}/{form}", first, second)

    assert f"of {OUTLOOK} since you looked" in told
    assert expected == place.ask(f"SELECT {column} FROM postroom.mailbox")


@pytest.mark.parametrize(
    ("what", "first", "second", "question", "expected"),
    [
        (
            "retention",
            {"documents": "900"},
            {"documents": ""},
            "SELECT policy -> 'retention' -> 'documents' FROM postroom.tenant WHERE name = 'default'",
            900,
        ),
        (
            "policy",
            {"sure_enough": "97", "require_order": "auto"},
            {"sure_enough": "50", "require_order": "auto"},
            "SELECT (policy #>> '{documents,sure_enough}')::float FROM postroom.tenant WHERE name = 'default'",
            0.97,
        ),
    ],
)
async def test_a_policy(place: Place, what, first, second, question, expected):
    admin = await place.come_in()
    page = f"/settings/{what}"
    previewed = "/settings/policy/preview" if what == "policy" else page
    old = {"version": await seen(admin, page, previewed)}

    kept = await admin.post(page, first | old)
    if what == "policy":  # a preview says what the person saw, not what is kept by now
        shown = await (await admin.post(previewed, second | old)).text()
        assert old["version"] in shown
    late = await admin.post(page, second | old)

    assert (200, 409) == (kept.status, late.status)
    assert expected == place.ask(question)


@pytest.mark.parametrize(
    ("what", "made", "first", "second"),
    [
        (
            "channels",
            {"name": "Bills", "words": "invoice"},
            {"name": "Bills", "words": "invoice, bill"},
            {"name": "Accounts", "words": "invoice"},
        ),
        (
            "topics",
            {"name": "House", "counts_as": "legal", "words": "asbestos"},
            {"name": "House", "counts_as": "legal", "words": "asbestos, works council"},
            {"name": "Building", "counts_as": "legal", "words": "asbestos"},
        ),
    ],
)
async def test_a_channel_and_a_topic(place: Place, what, made, first, second):
    admin = await place.come_in()
    page = f"/settings/{what}"
    answer = await admin.post(page, made)
    assert 200 == answer.status, await answer.text()
    _, text = await admin.get(page)
    found = re.search(rf'hx-post="({page}/[0-9a-f-]{{36}})"', text)
    assert found

    told = await one_after_the_other(admin, page, found[1], first, second)

    assert f"Somebody changed {made['name']} since you looked" in told


async def test_the_server_of_a_mailbox(place: Place):
    admin, address = await place.come_in(), "ap@house.example"
    made = """
        INSERT INTO postroom.mailbox (id, tenant_id, address, provider, access, connection)
        VALUES (gen_random_uuid(), %s, %s, 'imap', 'password', '{"host": "old.house.example"}') RETURNING id
    """
    [(box,)] = place.own(made, place.tenant, address)
    form = {"address": address, "host": "bob.house.example", "password": "secret"}
    form["version"] = await seen(admin, f"/mailboxes/{box}", "/mailboxes/imap")
    place.own('UPDATE postroom.mailbox SET connection = \'{"host": "anna.house.example"}\'')

    late = await admin.post("/mailboxes/imap", form)

    assert 409 == late.status
    assert f"Somebody changed the connection of {address} since you looked" in late.headers["HX-Trigger"]
    assert "anna.house.example" == place.ask("SELECT connection ->> 'host' FROM postroom.mailbox")
