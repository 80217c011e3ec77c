"""The frame around every page: three groups of places, and who else looks at an item."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from doors.console.desk_book import mapped, with_book
from doors.console.place import Browser, Place, hand_in
from doors.console.test_outbox import connected, proposed
from postroom.doors.console import navigation


async def test_the_navigation_has_three_groups(place: Place):
    viewer = await place.come_in("viewer")
    _, page = await viewer.get("/")

    assert ["Work", "Books", "House"] == re.findall(r'role="group" aria-label="(\w+)"', page)
    assert [entry.path for entry in navigation.PLACES] == re.findall(r'<a href="([^"]+)" data-go=', page)


def test_no_two_places_have_one_key():
    keys = [entry.key for entry in navigation.PLACES]
    assert sorted(set(keys)) == sorted(keys)


def test_every_time_is_shown_in_the_reader_s_zone():
    """`_bits.html` and the filter `moment` make elements that the page turns into local time; `clock` is bare UTC."""
    templates = Path(navigation.__file__).parent / "templates"
    bare = {path.name for path in templates.rglob("*.html") if "| clock" in path.read_text("utf-8")}

    assert {"_bits.html"} == bare


async def keys_of(place: Place, browser: Browser, path: str) -> tuple[set[str], bool, bool]:
    """The keys of an item's page; whether / and Escape lead anywhere; whether who else looks is shown."""
    status, page = await browser.get(path)
    assert 200 == status, path
    main = page.partition("<main")[2]
    return (
        set(re.findall(r'data-key="(.)"', main)),
        "data-search" in main or 'type="search"' in main,
        ("data-back" in main and "data-looking" in main and 'class="acts"' in main),
    )


async def test_every_queue_has_the_same_keys(place: Place):
    """c yes, e edit, d no, n and p next and previous, z undo, / search, Esc back."""
    admin = await connected(place, undo_seconds="600")
    for number in (3, 4, 5):
        await hand_in(place, admin, number)
    await with_book(place)
    middle = {"/clients": [await mapped(place, minutes_ago=each) for each in (30, 20, 10)][1]}
    await proposed(admin)
    middle["/outbox"] = (await proposed(admin)).rpartition("/")[2]
    await proposed(admin)
    answer = await admin.post(
        f"/mailboxes/{place.ask('SELECT id FROM postroom.mailbox')}/copilot", {"copilot": "labels"}
    )
    assert 200 == answer.status
    for subject in ("One", "Two", "Three"):
        place.deliver(subject=subject, text="I want my money back.")
    await place.works()
    between = "SELECT {} FROM postroom.{} WHERE {} ORDER BY {} OFFSET 1 LIMIT 1"
    middle["/inbox"] = place.ask(
        between.format("thread_id", "thread_state", "state IS NOT NULL", "newest_at, thread_id")
    )
    middle["/documents"] = place.ask(between.format("id", "document", "status = 'review'", "created_at, id"))

    for queue, item in middle.items():
        keys, searched, framed = await keys_of(place, admin, f"{queue}/{item}")
        needed = {"c", "e", "d", "n", "p"} - ({"e"} if queue == "/inbox" else set())  # a thread without a draft
        assert (queue, set()) == (queue, needed - keys)
        assert (queue, True, True) == (queue, searched, framed)


async def test_what_was_decided_with_a_key_is_undone_with_z(place: Place):
    """In the outbox: discarded, and proposed again. The others: test_two_reviewers, test_clients, test_threads."""
    admin = await connected(place)
    path = await proposed(admin)
    _, page = await admin.get(path)
    seen = re.search(r"sha256:[0-9a-f]{64}", page)
    assert seen
    stale = await admin.post(f"{path}/discard", {"hash": "sha256:" + "0" * 64})
    gone = await admin.post(f"{path}/discard", {"hash": seen[0]})
    undo = json.loads(gone.headers["HX-Trigger"])["toast"]["undo"]
    back = await admin.post(undo["path"], {"revision": undo["revision"]})
    _, anew = await admin.get(back.headers["HX-Redirect"])
    kept = place.own("SELECT status FROM postroom.proposal ORDER BY created_at")

    assert (409, 200, 200) == (stale.status, gone.status, back.status)
    assert 'data-key="z"' in await gone.text()
    assert "the rooms are kept" in anew
    assert ["discarded", "waiting"] == [status for (status,) in kept]
    assert "Your rooms" in (await admin.get("/outbox?view=all&q=ROOMS"))[1]
    assert "Your rooms" not in (await admin.get("/outbox?view=all&q=nowhere"))[1]


async def looks(browser: Browser, item: str) -> list[str]:
    answer = await browser.post("/looking", {"item": item})
    assert 200 == answer.status, await answer.text()
    return json.loads(await answer.text())["others"]


async def test_two_people_at_one_item_see_each_other_until_one_looks_away(place: Place):
    one, other = await place.come_in("operator"), await place.come_in("viewer")
    item = f"document:{uuid4()}"

    assert [] == await looks(one, item)
    assert ["Operator1"] == await looks(other, item)
    assert ["Viewer2"] == await looks(one, item)
    assert [] == await looks(one, f"document:{uuid4()}")
    await other.post("/looking/away", {"item": item})
    assert [] == await looks(one, item)


async def test_who_closed_the_page_without_a_word_is_forgotten_after_some_seconds(place: Place):
    one, other = await place.come_in("operator"), await place.come_in("viewer")
    item = f"document:{uuid4()}"
    await looks(other, item)
    place.world.clock.advance(timedelta(seconds=16))

    assert [] == await looks(one, item)


async def test_another_tenant_s_people_are_not_seen(place: Place):
    tenant = await place.tenant_named("elsewhere")
    one, other = await place.come_in("operator"), await place.come_in("operator", tenant)
    item = f"document:{uuid4()}"
    await looks(other, item)

    assert [] == await looks(one, item)


@pytest.mark.parametrize("item", ["", "document", "document:1", "Document:" + "0" * 36, "document:" + "x" * 36])
async def test_what_is_no_item_is_refused(place: Place, item):
    viewer = await place.come_in("viewer")
    answer = await viewer.post("/looking", {"item": item})

    assert 400 == answer.status
