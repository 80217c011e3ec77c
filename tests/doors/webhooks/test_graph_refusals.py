"""Microsoft's webhooks: wrong states, strangers, floods and nonsense are refused, noted, and queue nothing."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import AsyncIterator

import psycopg
from structlog.testing import capture_logs

from doors.webhooks.doorstep import GRAPH
from postroom.doors import webhooks
from postroom.rooms.mailboxes import rules


async def test_when_every_state_is_wrong_nothing_is_queued_and_the_source_is_noted(doorstep):
    mailbox = await doorstep.has_mailbox("a@desk.test", "s-1")

    answer = await doorstep.notifies(doorstep.item("s-1", clientState="guess"), doorstep.item("s-1", clientState=""))

    assert 401 == answer.status_code
    assert 0 == doorstep.jobs()
    noted = {"what": "wrong clientState", "source": "203.0.113.9", "times": 1, "mailbox_id": str(mailbox)}
    assert [noted, noted] == doorstep.security()


async def test_a_state_that_is_null_or_no_text_never_matches(doorstep):
    await doorstep.has_mailbox("a@desk.test", "s-1")

    for state in (None, 7, ["x"], {"a": 1}, False):
        assert 401 == (await doorstep.notifies(doorstep.item("s-1", clientState=state))).status_code
    assert 0 == doorstep.jobs()


async def test_a_missing_state_never_matches_even_when_none_is_known(doorstep):
    await doorstep.has_mailbox("a@desk.test", "s-1")
    with psycopg.connect(doorstep.owner_dsn, autocommit=True) as owner:
        owner.execute("UPDATE padealing.graph_subscription_state SET client_state_digest = NULL")
    item = doorstep.item("s-1")
    del item["clientState"]

    assert 401 == (await doorstep.notifies(item)).status_code


async def test_in_a_mixed_post_the_good_are_taken_and_the_bad_noted(doorstep):
    await doorstep.has_mailbox("a@desk.test", "s-1")
    await doorstep.has_mailbox("b@desk.test", "s-2")

    answer = await doorstep.notifies(
        doorstep.item("s-1", "AAM1"),
        doorstep.item("s-2", "AAM2", clientState=doorstep.states["s-1"]),
        doorstep.item("nobody's", "AAM3"),
    )

    assert 202 == answer.status_code
    assert [("AAM1",)] == doorstep.own("SELECT ref FROM postroom.hint")
    assert {"wrong clientState", "unknown subscription"} == {each["what"] for each in doorstep.security()}


async def test_states_are_compared_in_constant_time_whatever_came_before(doorstep, monkeypatch):
    await doorstep.has_mailbox("a@desk.test", "s-1")
    compared = []
    real = hmac.compare_digest
    monkeypatch.setattr(rules.hmac, "compare_digest", lambda one, other: compared.append(1) or real(one, other))

    wrong = [doorstep.item("s-1", clientState="wrong") for _ in range(3)]
    await doorstep.notifies(*wrong, doorstep.item("s-1"))

    assert 4 == len(compared)


async def test_the_state_is_neither_in_the_database_nor_in_the_log(doorstep):
    await doorstep.has_mailbox("a@desk.test", "s-1")
    with capture_logs() as logs:
        await doorstep.notifies(doorstep.item("s-1", clientState="a-guess-of-a-stranger"))
        await doorstep.notifies(doorstep.item("s-1"))

    assert logs
    assert "a-guess-of-a-stranger" not in repr(logs)
    dump = doorstep.own("SELECT s::text FROM padealing.graph_subscription_state s")
    facts = doorstep.own("SELECT body::text FROM postroom.fact")
    assert doorstep.states["s-1"] not in repr((logs, dump, facts))
    assert "a-guess-of-a-stranger" not in repr((dump, facts))


async def test_strangers_fill_neither_the_facts_nor_the_log(doorstep):
    with capture_logs() as logs:
        for n in range(50):
            items = [doorstep.item(f"made-up-{n}-{m}", clientState="x") for m in range(20)]
            assert 401 == (await doorstep.notifies(*items)).status_code

        await doorstep.house.sort_last_notifications()

    assert webhooks.REFUSALS_TOLD_ONE_BY_ONE + 1 == len(doorstep.security())
    assert webhooks.REFUSALS_TOLD_ONE_BY_ONE + 1 == len(
        [each for each in logs if each["event"] == "notification refused"]
    )
    assert 1000 == sum(each["times"] for each in doorstep.security())
    assert 0 == doorstep.jobs()


async def test_every_refusal_is_told_the_many_of_a_minute_together_at_its_end(doorstep, monkeypatch):
    monkeypatch.setattr(webhooks, "REFUSAL_WINDOW_SECONDS", 0.3)
    monkeypatch.setattr(webhooks, "REFUSALS_TOLD_ONE_BY_ONE", 2)
    await doorstep.notifies(*(doorstep.item("made-up") for _ in range(6)))
    for _ in range(200):
        if len(doorstep.security()) == 3:
            break
        await asyncio.sleep(0.05)

    assert [1, 1, 4] == sorted(each["times"] for each in doorstep.security())


async def test_a_name_with_a_nul_in_it_is_a_stranger_s(doorstep):
    await doorstep.has_mailbox("a@desk.test", "s-1")
    refused = await doorstep.notifies(doorstep.item("a\0b"))
    taken = await doorstep.notifies(doorstep.item("s-1", resourceData={"id": "a\0b"}), doorstep.item("\0"))

    assert (401, 202) == (refused.status_code, taken.status_code)
    assert 2 == len(doorstep.security())


async def test_what_is_no_notification_is_a_400_and_nothing_else(doorstep):
    for body in (b"", b"not json", b"[]", b"{}", b'{"value": {}}', b"\xff\xfe", b"[" * 5000):
        assert 400 == (await doorstep.http.post(GRAPH[0], content=body)).status_code
    assert 0 == doorstep.jobs()


async def test_items_that_cannot_be_read_are_strangers(doorstep):
    await doorstep.has_mailbox("a@desk.test", "s-1")

    assert 401 == (await doorstep.notifies(7, None, "x", {}, {"subscriptionId": 5})).status_code
    assert 202 == (await doorstep.notifies(7, doorstep.item("s-1"))).status_code


async def test_a_body_that_is_too_large_is_not_read_to_the_end(doorstep):
    sent = 0

    async def flood() -> AsyncIterator[bytes]:
        nonlocal sent
        for _ in range(1000):
            sent += 1
            yield b"x" * 65536

    answer = await doorstep.http.post(GRAPH[0], content=flood())

    assert 413 == answer.status_code
    assert sent < 1000


async def test_a_mailbox_that_was_deleted_is_a_stranger_soon_and_spoils_nobodys_notification(doorstep, monkeypatch):
    await doorstep.has_mailbox("a@desk.test", "s-1")
    await doorstep.has_mailbox("b@desk.test", "s-2")
    monkeypatch.setattr(webhooks, "OWNER_KNOWN_SECONDS", 0.3)
    assert 202 == (await doorstep.notifies(doorstep.item("s-1"), doorstep.item("s-2"))).status_code
    with psycopg.connect(doorstep.owner_dsn, autocommit=True) as owner:
        owner.execute("DELETE FROM postroom.mailbox WHERE address = 'a@desk.test'")

    assert 202 == (await doorstep.notifies(doorstep.item("s-1", "R1"), doorstep.item("s-2", "R2"))).status_code
    await asyncio.sleep(0.35)
    assert 401 == (await doorstep.notifies(doorstep.item("s-1"))).status_code
