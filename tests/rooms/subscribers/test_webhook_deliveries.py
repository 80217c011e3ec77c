"""Webhooks: every event to every subscriber, signed, in order; and subscribers that fail, hang, redirect and lie."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from pathlib import Path

import jsonschema
import pytest
from standardwebhooks import Webhook as Verifier

from postroom.nouns.errors import BadRequest, Conflict, NotFound
from postroom.nouns.retention import Retention
from postroom.rooms.subscribers import commands
from postroom.rooms.subscribers.jobs import ForgetEvents
from postroom.rooms.tenants import commands as tenants

SCHEMA = json.loads((Path(__file__).parents[3] / "docs" / "reference" / "events.schema.json").read_text("utf-8"))
RECEIVED = "mail.message.received"


async def test_a_subscriber_is_told_of_what_happens_from_now_on_and_can_prove_who_said_it(room):
    await room.receives()
    webhook, secret = await room.subscribes("/hook", RECEIVED)
    await room.receives("budget")

    await room.works()

    [heard] = room.receiver.of("/hook")
    told = Verifier(secret.reveal()).verify(heard.body, heard.headers)
    jsonschema.validate(told, SCHEMA, format_checker=jsonschema.FormatChecker())
    assert (RECEIVED, str(room.tenant), str(room.mailbox), "outlook", "CQAA") == (
        told["type"],
        told["tenant_id"],
        told["mailbox_id"],
        told["provider"],
        told["outlook_change_key"],
    )
    assert ("m-2", "budget") == (told["data"]["provider_message_id"], told["data"]["provider_thread_id"])
    assert ["delivered"] == room.statuses(webhook)
    with pytest.raises(Exception, match="No matching signature"):
        Verifier("whsec_" + "A" * 44).verify(heard.body, heard.headers)


async def test_of_each_message_each_type_is_told_once_and_the_first_wins(room):
    webhook, _ = await room.subscribes()
    message = await room.receives("a")
    await room.works()
    await room.receives("a", again=message)

    await room.works()

    assert [RECEIVED, "mail.thread.updated"] == sorted(each.event["type"] for each in room.receiver.of("/hook"))
    assert 2 == len(room.statuses(webhook))


async def test_deliveries_of_a_thread_stay_in_order_and_a_failed_one_holds_up_only_its_own_thread(room):
    webhook, _ = await room.subscribes("/hook", RECEIVED, behaves=["503 60", "fine"])
    for thread in ("a", "b", "a", "b", "a"):
        await room.receives(thread)

    await room.works()
    first = [each.event["data"]["provider_message_id"] for each in room.receiver.of("/hook")]
    await room.later(timedelta(minutes=10))

    heard = [each.event["data"]["provider_message_id"] for each in room.receiver.of("/hook")]
    assert ["m-1", "m-3", "m-5"] == [each for each in heard if each in ("m-1", "m-3", "m-5")]
    assert ["m-2", "m-4"] == [each for each in heard if each in ("m-2", "m-4")]
    assert set(first) in ({"m-2", "m-4"}, {"m-1", "m-3", "m-5"})
    assert ["delivered"] * 5 == room.statuses(webhook)


@pytest.mark.parametrize("how", ["500", "503 60", "429 60", "hang", "redirect", "lie", "drop", "404"])
async def test_an_endpoint_that_misbehaves_gets_everything_once_it_behaves_and_nobody_else_waits(room, how):
    bad, _ = await room.subscribes("/bad", RECEIVED, behaves=[how])
    good, _ = await room.subscribes("/good", RECEIVED)
    for _ in range(7):
        await room.receives()

    await room.works()

    lies = how == "lie"  # it said 200 before it broke off: that counts as heard, or is sent again; never lost
    assert 7 == len(room.receiver.of("/good"))
    assert ["delivered"] * 7 == room.statuses(good)
    assert lies or set(room.statuses(bad)) == {"waiting"}
    room.receiver.behaves["/bad"] = ["fine"]
    for _ in range(4):
        await room.later(timedelta(hours=1))

    assert ["delivered"] * 7 == room.statuses(bad)
    assert [] == room.receiver.of("/elsewhere")
    assert lies or 7 == len({each.headers["webhook-id"] for each in room.receiver.of("/bad")})
    health = await commands.webhook(room.scope(), bad.id)
    assert ("active", 0, 0) == (health.status, health.failures, health.waiting)


@pytest.mark.long
async def test_an_endpoint_that_hangs_is_asked_a_few_times_and_then_left_alone(room):
    await room.subscribes("/bad", RECEIVED, behaves=["hang"])
    for _ in range(150):
        await room.receives()

    await room.works()
    await room.later(timedelta(seconds=6))

    assert 40 >= room.receiver.tried["/bad"]


async def test_an_endpoint_that_says_it_is_gone_is_disabled_and_says_so(room):
    bad, _ = await room.subscribes("/bad", behaves=["410"])
    await room.receives()

    await room.works()

    held = await commands.webhook(room.scope(), bad.id)
    assert ("disabled", "It answered 410: it is gone for good.") == (held.status, held.because)
    assert [(str(bad.id),)] == room.own(
        "SELECT body ->> 'webhook_id' FROM postroom.fact WHERE kind = 'webhook.disabled'"
    )
    with pytest.raises(Conflict, match="resume it first"):
        await commands.send_test(room.scope(), bad.id)


async def test_one_that_failed_for_days_is_disabled_and_a_person_resumes_it(room):
    bad, _ = await room.subscribes("/bad", RECEIVED, behaves=["500"])
    await room.receives()
    await room.works()
    for _ in range(6):
        await room.later(timedelta(days=1))
    assert "disabled" == (await commands.webhook(room.scope(), bad.id)).status

    room.receiver.behaves["/bad"] = ["fine"]
    await commands.resume_webhook(room.scope(), bad.id)
    await room.works()

    assert "active" == (await commands.webhook(room.scope(), bad.id)).status
    assert ["delivered"] == room.statuses(bad)


async def test_a_delivery_that_failed_to_the_end_is_given_up_and_can_be_sent_again_with_the_same_id(room):
    bad, _ = await room.subscribes("/bad", RECEIVED, behaves=["500"])
    await room.receives()
    await room.works()
    room.own("UPDATE postroom.delivery SET tries = 9, next_at = now(); UPDATE postroom.webhook SET wait_till = NULL")
    await room.later(timedelta(seconds=1))
    assert ["given_up"] == room.statuses(bad)
    [failed] = await commands.deliveries(room.scope(), bad.id)
    room.receiver.behaves["/bad"] = ["fine"]
    await commands.resume_webhook(room.scope(), bad.id)

    again = await commands.replay(room.scope(), failed.id)
    await room.later(timedelta(hours=1))

    [heard] = room.receiver.of("/bad")
    assert failed.id == again.replay_of
    assert f"evt_{failed.event_id}" == heard.headers["webhook-id"]
    assert {"given_up", "delivered"} == set(room.statuses(bad))


async def test_a_new_secret_signs_beside_the_old_one_for_a_day(room):
    webhook, old = await room.subscribes("/hook", RECEIVED)
    new = await commands.rotate_secret(room.scope(), room.outside.sealer, webhook.id)
    await room.receives()
    await room.works()
    [heard] = room.receiver.of("/hook")
    for secret in (old, new):
        Verifier(secret.reveal()).verify(heard.body, heard.headers)

    room.own("UPDATE postroom.webhook SET old_secret_till = now() - interval '1 s'")
    await room.receives()
    await room.works()

    last = room.receiver.of("/hook")[-1]
    Verifier(new.reveal()).verify(last.body, last.headers)
    with pytest.raises(Exception, match="No matching signature"):
        Verifier(old.reveal()).verify(last.body, last.headers)


async def test_a_secret_is_never_kept_readable(room):
    _, secret = await room.subscribes()

    found = room.own("SELECT to_jsonb(w)::text FROM postroom.webhook w UNION ALL SELECT body::text FROM postroom.fact")

    assert not any(secret.reveal().removeprefix("whsec_") in text for (text,) in found)
    assert not any(secret.reveal().encode().hex() in text for (text,) in found)


async def test_a_paused_one_collects_and_gets_it_all_when_it_is_resumed(room):
    webhook, _ = await room.subscribes("/hook", RECEIVED)
    await commands.pause_webhook(room.scope(), webhook.id)
    for _ in range(3):
        await room.receives()
    await room.works()
    assert 0 == room.receiver.tried.get("/hook", 0)

    await commands.resume_webhook(room.scope(), webhook.id)
    await room.works()

    assert 3 == len(room.receiver.of("/hook"))


async def test_the_test_button_sends_an_event_on_the_way_that_all_take(room):
    webhook, secret = await room.subscribes("/hook", RECEIVED)

    await commands.send_test(room.scope(), webhook.id)
    await room.works()

    [heard] = room.receiver.of("/hook")
    told = Verifier(secret.reveal()).verify(heard.body, heard.headers)
    jsonschema.validate(told, SCHEMA)
    assert "webhook.test" == told["type"]


async def test_many_publishers_at_once_tell_each_event_once(room):
    webhook, _ = await room.subscribes("/hook", RECEIVED)
    for _ in range(20):
        await room.receives()

    await asyncio.gather(*(room.publishes() for _ in range(5)))
    await room.works()

    assert 20 == len(room.receiver.of("/hook")) == len(room.statuses(webhook))


async def test_two_workers_deliver_each_event_once(room):
    await room.subscribes("/hook", RECEIVED)
    for _ in range(60):
        await room.receives()
    await room.publishes()

    await asyncio.gather(room.worker().run_until_quiet(), room.worker().run_until_quiet())

    assert 60 == len(room.receiver.of("/hook"))


async def test_removing_a_webhook_ends_what_waits_for_it(room):
    webhook, _ = await room.subscribes("/bad", behaves=["500"])
    await room.receives()
    await room.works()

    await commands.remove_webhook(room.scope(), webhook.id)
    await room.later(timedelta(hours=1))

    assert [] == room.own("SELECT id FROM postroom.delivery")
    with pytest.raises(NotFound):
        await commands.webhook(room.scope(), webhook.id)


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/", "https://10.0.0.1/", "http://example.org/", "nonsense"])
async def test_an_address_that_leads_inside_is_refused_when_it_is_entered(room, url):
    with pytest.raises(BadRequest):
        await commands.create_webhook(room.scope(), room.outside.sealer, room.outside.webhooks, url)


@pytest.mark.parametrize(("wanted", "after"), [(None, 31), (7, 8), (90, 91)])
async def test_old_events_are_forgotten_with_their_deliveries(room, wanted, after):
    await tenants.change_retention(room.scope(), Retention(events=wanted))
    await room.subscribes("/hook", RECEIVED)
    await room.receives()
    await room.works()
    for days in (after - 2, 2):
        assert 1 == len(room.own("SELECT id FROM postroom.event"))
        await _forgets(room, timedelta(days=days))

    assert [] == room.own("SELECT id FROM postroom.event") + room.own("SELECT id FROM postroom.delivery")
    [(told,)] = room.own("SELECT body FROM postroom.fact WHERE kind = 'tenant.forgotten'")
    assert ("events", 1) == (told["what"], told["count"])


async def _forgets(room, later: timedelta) -> None:
    room.offset += later
    scope = room.scope("postroom")
    async with scope.finish() as tx:
        await scope.enqueue(tx, ForgetEvents())
    await room.worker().run_until_quiet()
