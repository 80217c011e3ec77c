"""The client desk with the copilot on: every thread judged as its truth says, and labelled where people see it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from stories.client_desk import PROVIDERS, READY, REVIEW, ClientDeskStory, open_client_desk


@pytest.fixture(params=PROVIDERS)
async def desk(request, dsn, owner_dsn, tmp_path) -> AsyncIterator[ClientDeskStory]:
    async with open_client_desk(dsn, owner_dsn, str(tmp_path), request.param) as opened:
        yield opened


async def test_every_thread_of_the_client_desk_is_judged_as_its_truth_says(desk):
    told = await desk.receives_all()
    await desk.a_minute_passes()  # a push may have been dropped

    threads = [row for row in told if row["reason"] != "in_spam_or_trash"]  # what lies there never comes to us
    found = {}
    for row in threads:
        column = "SELECT s.{} FROM postroom.thread_state s JOIN postroom.message m ON m.thread_id = s.thread_id"
        where = "WHERE m.internet_message_id = %s"
        found[row["key"]] = tuple(
            desk.office.ask(f"{column.format(name)} {where}", row["message_ids"][0]) for name in ("action", "reason")
        )
    assert {row["key"]: (row["action"], row["reason"]) for row in threads} == found
    shown = {"draft": {READY}, "needs_review": {REVIEW}, "ignore": set()}
    for row in threads:
        key = desk.office.ask(
            "SELECT provider_message_id FROM postroom.message WHERE internet_message_id = %s", row["message_ids"][0]
        )
        assert shown[row["action"]] == desk.labels(key), row["key"]
    assert [] == desk.office.world.recorder.mistakes


async def test_the_whole_life_of_a_label(desk):
    key = await desk.receives("Hello, at what time is breakfast served on Sunday?")
    assert ("ready", {READY}) == (desk.verdict(key)[0], desk.labels(key))

    desk.later(minutes=1)
    desk.person.answer(key, "From eight to ten.")
    await desk.a_minute_passes()
    assert ((None, "latest_is_operator_sent"), set()) == (desk.verdict(key), desk.labels(key))

    desk.later(minutes=1)
    first = desk.office.ask("SELECT internet_message_id FROM postroom.message WHERE provider_message_id = %s", key)
    mail = desk.office.mail("And I want my money back for Friday.", to="service@larkspur-retreats.example")
    again = desk.delivers(b"In-Reply-To: " + first.encode() + b"\r\nReferences: " + first.encode() + b"\r\n" + mail)
    await desk.works()
    assert ("needs_review", "sensitive_refund_or_cancellation") == desk.verdict(again)
    assert {REVIEW} == desk.labels(again)

    desk.later(minutes=1)
    desk.person.move_thread(again, "archive")
    await desk.a_minute_passes()
    assert ((None, "not_in_inbox"), set()) == (desk.verdict(again), desk.labels(again))


async def test_a_label_that_a_person_takes_off_stays_off(desk):
    key = await desk.receives("Hello, at what time is breakfast served on Sunday?")

    desk.later(seconds=5)
    desk.person.label(key, add=["VIP"], remove=[READY])
    await desk.works()
    await desk.a_minute_passes()

    assert (None, set()) == (desk.verdict(key)[0], desk.labels(key))
    assert 1 == desk.office.count("thread.label_changed_by_person")
    assert "VIP" in {label for each in desk.person.thread(key) for label in each["labels"]}


@pytest.mark.parametrize("kind", ["lost_response", "error_after", "lost_request"])
async def test_a_lost_answer_leaves_one_label(desk, kind):
    operation = "graph.messages.update" if desk.provider == "outlook" else "gmail.threads.modify"
    lost = desk.office.world.plan_fault(operation, kind)
    key = desk.delivers(
        desk.office.mail("Hello, at what time is breakfast served?", to="service@larkspur-retreats.example")
    )
    await desk.office.works_until("SELECT label FROM postroom.thread_state", READY)

    assert 1 == lost.hits
    assert {READY} == desk.labels(key)
    assert 0 == desk.office.count("thread.label_changed_by_person")
