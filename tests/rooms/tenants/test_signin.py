"""Coming in and leaving, as the trail tells it."""

from __future__ import annotations

import pytest

from postroom.nouns.errors import Conflict, NotAllowed, NotFound
from postroom.rooms.tenants import commands, rules
from postroom.rooms.tenants.commands import SignInSource

DESK = SignInSource("192.0.2.7", "Firefox")


async def _anna(home, password: str | None = "correct horse battery"):
    return await commands.add_person(home.scope, "anna@acme.test", role="admin", password=password)


async def _enters(home, password: str = "correct horse battery"):
    return await commands.enter_with_password(home.db, home.scope_for, "anna@acme.test", password, DESK, home.now)


def test_a_stolen_hash_costs_who_guesses_at_least_what_is_asked_for(product_hasher):
    """What OWASP asks of Argon2id at the least: 19 MiB and two rounds."""
    assert "$argon2id$" == product_hasher.hash("correct horse battery")[:10]
    assert (True, True) == (product_hasher.memory_cost >= 19 * 1024, product_hasher.time_cost >= 2)


async def test_a_tenant_is_told_of_with_who_made_it(home):
    assert [("cli:root", "acme")] == [(each["actor"], each["name"]) for each in home.told("tenant.created")]


async def test_a_name_that_is_taken_is_told_of_once(home):
    with pytest.raises(Conflict):
        await commands.create_tenant(home.db, "acme")
    assert 1 == len(home.told("tenant.created"))


async def test_signing_in_tells_who_how_and_from_where(home):
    anna = await _anna(home)
    token = await _enters(home)

    holder = await commands.who_is_in(home.db, token.reveal(), home.now)
    assert holder is not None
    assert [
        {
            "kind": "session.started",
            "actor": "person:anna@acme.test",
            "person_id": str(anna),
            "session_id": str(holder.id),
            "how": "password",
            "source": "192.0.2.7",
        }
    ] == home.told("session.started")


async def test_a_wrong_password_is_told_to_the_tenant_that_knows_the_address(home):
    anna = await _anna(home)
    with pytest.raises(NotAllowed):
        await _enters(home, "wrong horse battery")

    [refused] = home.told("session.refused")
    assert (str(anna), "The password was wrong.", "192.0.2.7") == (
        refused["person_id"],
        refused["because"],
        refused["source"],
    )
    assert [] == home.told("session.started")


async def test_a_link_is_told_of_when_it_is_made_and_when_it_is_used(home):
    anna = await _anna(home, None)
    link = await commands.make_link(home.scope, "http://desk.test", "anna@acme.test")
    await commands.enter_with_link(home.db, home.scope_for, link.rpartition("/")[2], DESK, home.now)

    made, used = home.told("session.link_made", "session.started")
    assert (str(anna), "person:anna@acme.test") == (made["person_id"], made["actor"])
    assert "link" == used["how"]
    assert link.rpartition("/")[2] not in str(made)


async def test_signing_out_is_told_with_the_reason(home):
    anna = await _anna(home)
    holder = await commands.who_is_in(home.db, (await _enters(home)).reveal(), home.now)
    await commands.end_session(home.scope, holder.id, anna, "They signed out.")

    assert [(str(anna), 1, "They signed out.")] == [
        (each["person_id"], each["sessions"], each["because"]) for each in home.told("session.ended")
    ]
    with pytest.raises(NotFound):
        await commands.end_session(home.scope, holder.id, anna)
    assert 1 == len(home.told("session.ended"))


async def test_a_changed_password_ends_the_other_sessions_and_says_how_many(home):
    anna = await _anna(home)
    await _enters(home)
    await _enters(home)
    here = await commands.who_is_in(home.db, (await _enters(home)).reveal(), home.now)
    await commands.change_own_password(home.scope, anna, here.id, "correct horse battery", "better horse battery")

    assert [(2, "Their password was changed.")] == [
        (each["sessions"], each["because"]) for each in home.told("session.ended")
    ]


async def test_somebody_locked_out_is_out_at_once(home):
    await commands.add_person(home.scope, "bert@acme.test", role="admin")
    await _anna(home)
    token = await _enters(home)
    await commands.change_person(home.scope, "anna@acme.test", disabled=True)

    assert await commands.who_is_in(home.db, token.reveal(), home.now) is None
    assert ["They were locked out."] == [each["because"] for each in home.told("session.ended")]


async def test_a_session_that_nobody_uses_ends_and_nothing_is_told(home):
    await _anna(home)
    token = await _enters(home)
    home.waits(rules.SESSION_IDLE * 1.01)

    assert await commands.who_is_in(home.db, token.reveal(), home.now) is None
    assert [] == home.told("session.ended")
