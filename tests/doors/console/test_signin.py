"""Coming in, staying in, and being kept out."""

from __future__ import annotations

import pytest
from doors.console.place import PASSWORD, Place

from postroom.nouns.errors import NotFound


async def test_a_person_signs_in_with_a_password_and_signs_out(place: Place):
    await place.person("anna@larkspur.example", "operator")
    browser = place.browser()

    assert (303, "") == await browser.get("/")
    answer = await browser.sign_in("Anna@Larkspur.example")
    assert (303, "/") == (answer.status, answer.headers["Location"])
    assert 200 == (await browser.get("/"))[0]

    await browser.raw("POST", "/signout", data={"csrf": await browser.token()})
    assert 303 == (await browser.get("/"))[0]
    assert 0 == place.ask("SELECT count(*) FROM postroom.session")
