"""Microsoft's webhooks: the handshake, and notifications that are written down before they are answered."""

from __future__ import annotations

import asyncio
import itertools
from datetime import timedelta

import psycopg

from doors.webhooks.doorstep import GRAPH
from postroom.doors import webhooks
from postroom.nouns.providers import Watch
from postroom.rooms.mailboxes import watch_store

SENTENCE = "Validation: Testing client application reachability for subscription Request-Id: 12ab"


async def test_the_handshake_is_echoed_decoded_once_as_plain_text_on_every_address(doorstep):
    tokens = (
        (SENTENCE.replace(" ", "%20"), SENTENCE),
        (SENTENCE.replace(" ", "+"), SENTENCE),
        ("a%2Bb%2520c", "a+b%20c"),
        ("%C3%A9", "é"),
    )
    for path, (asked, echoed) in itertools.product(GRAPH, tokens):
        answer = await doorstep.http.post(f"{path}?validationToken={asked}")

        assert (200, echoed) == (answer.status_code, answer.text)
        assert answer.headers["content-type"].startswith("text/plain")


async def test_the_handshake_needs_no_database_no_body_and_no_state(doorstep):
    await doorstep.house.db.close()

    answer = await doorstep.http.post(f"{GRAPH[0]}?x=1&validationToken=abc", content=b"")

    assert (200, "abc") == (answer.status_code, answer.text)


async def test_a_handshake_is_never_reflected_as_html(doorstep):
    answer = await doorstep.http.post(f"{GRAPH[0]}?validationToken=%3Cscript%3Ealert(1)%3C/script%3E")

    assert answer.headers["content-type"].startswith("text/plain")
    assert "nosniff" == answer.headers["x-content-type-options"]


async def test_a_book_is_not_taken_for_a_validation_token(doorstep):
    answer = await doorstep.http.post(f"{GRAPH[0]}?validationToken={'x' * 5000}")

    assert 400 == answer.status_code


async def test_a_notification_is_in_the_database_before_it_is_answered(doorstep):
    mailbox = await doorstep.has_mailbox("a@desk.test", "s-1")
    with psycopg.connect(doorstep.owner_dsn) as owner:
        owner.execute("LOCK TABLE postroom.hint IN ACCESS EXCLUSIVE MODE")  # nothing can be sorted meanwhile
        answer = await doorstep.http.post(GRAPH[0], json={"value": [doorstep.item("s-1", "AAM7")]})

        assert 202 == answer.status_code
        assert [(mailbox, "AAM7")] == owner.execute("SELECT mailbox_id, ref FROM postroom.notification").fetchall()


async def test_a_notification_is_sorted_into_all_it_asks_for(doorstep):
    mailbox = await doorstep.has_mailbox("a@desk.test", "s-1")

    await doorstep.notifies(doorstep.item("s-1", "AAM7"))

    assert 0 == doorstep.ask("SELECT count(*) FROM postroom.notification")
    assert mailbox == doorstep.ask("SELECT mailbox_id FROM postroom.job WHERE kind = 'sync.mailbox'")
    assert "AAM7" == doorstep.ask("SELECT ref FROM postroom.hint")
    assert 1 == doorstep.ask("SELECT pushes FROM postroom.mailbox_push")
    assert 1 == doorstep.ask("SELECT count(*) FROM postroom.fact WHERE kind = 'mailbox.notification_received'")


async def test_every_address_takes_notifications(doorstep):
    await doorstep.has_mailbox("a@desk.test", "s-1")

    for ref, path in enumerate(GRAPH):
        assert 202 == (await doorstep.notifies(doorstep.item("s-1", f"AAM{ref}"), path=path)).status_code

    assert 4 == doorstep.ask("SELECT count(*) FROM postroom.hint")


async def test_with_the_database_down_the_answer_is_503_and_soon(doorstep, monkeypatch):
    await doorstep.has_mailbox("a@desk.test", "s-1")
    await doorstep.house.db.close()

    assert 503 == (await doorstep.notifies(doorstep.item("s-1"))).status_code
    assert 503 == await doorstep.pushes("a@gmail.test", doorstep.token())


async def test_a_database_that_hangs_does_not_keep_the_webhook_waiting(doorstep, monkeypatch):
    await doorstep.has_mailbox("a@desk.test", "s-1")
    monkeypatch.setattr(webhooks, "ANSWER_WITHIN_SECONDS", 0.3)
    with psycopg.connect(doorstep.owner_dsn) as owner:
        owner.execute("LOCK TABLE postroom.notification IN ACCESS EXCLUSIVE MODE")

        assert 503 == (await doorstep.notifies(doorstep.item("s-1"))).status_code


async def test_a_burst_is_one_job_and_counts_every_notice(doorstep):
    await doorstep.has_mailbox("a@desk.test", "s-1")

    answers = await asyncio.gather(*(doorstep.notifies(doorstep.item("s-1", f"AAM{n}")) for n in range(100)))

    assert {202} == {answer.status_code for answer in answers}
    assert 1 == doorstep.jobs()
    assert 100 == doorstep.ask("SELECT pushes FROM postroom.mailbox_push")
    assert 100 == doorstep.ask("SELECT count(*) FROM postroom.hint")


async def test_a_deletion_wakes_the_mailbox_but_names_nothing_to_fetch(doorstep):
    await doorstep.has_mailbox("a@desk.test", "s-1")

    await doorstep.notifies(doorstep.item("s-1", "AAM1", changeType="deleted"))

    assert 1 == doorstep.jobs()
    assert 0 == doorstep.ask("SELECT count(*) FROM postroom.hint")


async def test_a_late_notification_of_a_replaced_subscription_still_counts(doorstep):
    mailbox = await doorstep.has_mailbox("a@desk.test", "s-old")
    scope = doorstep.house.scope(doorstep.tenant, "test")
    async with scope.finish() as tx:
        watch = Watch("s-new", "me/messages", scope.now + timedelta(days=2), "https://p.example/n")
        await watch_store.upsert_subscription(tx, doorstep.tenant, mailbox, watch, b"\0" * 32, scope.now)

    assert 202 == (await doorstep.notifies(doorstep.item("s-old"))).status_code
    assert "expired" == doorstep.ask(
        "SELECT status FROM padealing.graph_subscription_state WHERE subscription_id = 's-old'"
    )
    assert 1 == doorstep.jobs()


async def test_items_for_several_mailboxes_in_one_post_each_find_their_own(doorstep):
    await doorstep.has_mailbox("a@desk.test", "s-1")
    await doorstep.has_mailbox("b@desk.test", "s-2")

    await doorstep.notifies(doorstep.item("s-1", "AAM1"), doorstep.item("s-2", "AAM2"))

    question = "SELECT m.address, h.ref FROM postroom.hint h JOIN postroom.mailbox m ON m.id = h.mailbox_id ORDER BY 1"
    assert [("a@desk.test", "AAM1"), ("b@desk.test", "AAM2")] == doorstep.own(question)
    assert 2 == doorstep.jobs()


async def test_an_empty_list_says_nothing_and_is_taken(doorstep):
    assert 202 == (await doorstep.notifies()).status_code


async def test_whose_the_pushes_of_one_moment_are_is_asked_once(doorstep):
    mailboxes = [await doorstep.has_mailbox(f"{name}@desk.test", f"s-{name}") for name in "abc"]
    asked = []

    async def find(ids):
        asked.append(sorted(ids))
        return await watch_store.subscription_owners(doorstep.house.db, ids)

    gate = webhooks.WebhookGate(find, *[None] * 6)
    found = await asyncio.gather(*(gate.owners([f"s-{name}", "s-nobodys"]) for name in "abc"))

    assert [["s-a", "s-b", "s-c", "s-nobodys"]] == asked
    assert [[each] for each in mailboxes] == [[owner.mailbox_id for owner in each.values()] for each in found]


async def test_who_asks_for_very_many_holds_up_nobody_else(doorstep):
    await doorstep.has_mailbox("a@desk.test", "s-a")
    asked = []

    async def find(ids):
        asked.append(len(ids))
        return await watch_store.subscription_owners(doorstep.house.db, ids)

    gate = webhooks.WebhookGate(find, *[None] * 6)
    _, found = await asyncio.gather(gate.owners([f"s-{number}" for number in range(101)]), gate.owners(["s-a"]))

    assert ([1, 101], ["s-a"]) == (sorted(asked), list(found))
