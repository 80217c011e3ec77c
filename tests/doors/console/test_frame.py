"""The frame around every page: three groups of places, and who else looks at an item."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from uuid import uuid4

import pytest

from doors.console.place import Browser, Place
from postroom.doors.console import navigation


async def test_the_navigation_has_three_groups(place: Place):
    viewer = await place.come_in("viewer")
    _, page = await viewer.get("/")

    assert ["Work", "Books", "House"] == re.findall(r'role="group" aria-label="(\w+)"', page)
    assert [entry.path for entry in navigation.PLACES] == re.findall(r'<a href="([^"]+)" data-go=', page)


def test_no_two_places_have_one_key():
    keys = [entry.key for entry in navigation.PLACES]
    assert sorted(set(keys)) == sorted(keys)


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
