"""Manners and recovery: a mailbox that is told to wait is left alone by all of us, and goes on when it can."""

from __future__ import annotations

import time
from email.message import EmailMessage

import structlog

from postroom.engine.budgets import unnamed_wait
from postroom.nouns.errors import AccessRevoked
from postroom.rooms.tenants import commands as tenants
from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.papers import NOTES
from rooms.documents.dealing import DAY
from stories.office import DESK

HELD = "SELECT count(*) FROM postroom.message WHERE state = 'arrived'"
HURRY = "UPDATE postroom.job SET run_at = now() WHERE state = 'later'"
STATUS = "SELECT status FROM postroom.mailbox"


async def test_a_wait_is_obeyed_by_every_job_of_the_mailbox_and_a_batch_keeps_within_the_limit(office):
    office.world.graph.gate.traffic.clear()
    office.world.faults.turn(retry_after=2)
    office.world.faults.plan("graph.messages.*", "throttled", times=2)
    office.receives(20)

    await office.works_until(HELD, 20, seconds=60)

    traffic = office.world.graph.gate.traffic.at(DESK)
    assert (0, True) == (traffic["too_early"], traffic["most_in_flight"] <= 4)
    assert traffic["throttled"] <= 8  # what was in flight when the first refusal came


async def test_a_429_that_names_no_time_holds_live_mail_for_seconds(office):
    office.world.faults.turn(retry_after=1, unnamed_wait=True)
    office.world.faults.plan("graph.messages.*", "throttled", times=1)
    office.receives(6)
    began = time.monotonic()

    await office.works_until(HELD, 6, seconds=60)

    assert 1 < time.monotonic() - began < 50
    assert [5, 10, 20, 300] == [unnamed_wait(times) for times in (1, 2, 3, 99)]


async def test_work_that_waits_for_a_throttle_is_seen(office):
    office.world.faults.turn(throttle=1.0, retry_after=600)
    office.receives(1)
    await office.works()
    office.world.faults.turn(throttle=0.0)

    waiting = "SELECT count(*) FROM postroom.job WHERE state = 'later' AND tries = 0 AND waits > 0"
    assert 1 <= office.ask(waiting)
    _, statistics = await office.get("/api/v1/attempts/statistics")
    assert (True, 1) <= (statistics["pending_retry"] >= 1, statistics["error_breakdown"]["rate_limited"])


async def test_after_an_outage_what_was_in_hand_goes_on_at_the_first_success(office):
    office.receives(1)
    await office.works_until(HELD, 1)
    office.own("UPDATE postroom.mailbox_cursor SET synced_at = now() - interval '5 minutes'")
    office.receives(1)
    await office.world.graph.settle()
    office.world.faults.turn(reset=1.0)
    for _ in range(8):
        await office.works()
        office.own(HURRY)
    assert "provider_error" == office.ask(STATUS)
    assert 1 <= office.ask("SELECT count(*) FROM postroom.job WHERE state = 'quarantined'")

    office.world.faults.turn(reset=0.0)
    await office.fires_the_timetable("poll")
    await office.works_until(HELD, 2)
    await office.works()

    assert ("active", None) == (office.ask(STATUS), office.ask("SELECT because FROM postroom.mailbox"))
    assert 0 == office.ask("SELECT count(*) FROM postroom.job WHERE state = 'quarantined'")
    assert (1, 1) == (office.count("mailbox.outage"), office.count("mailbox.answers"))


async def test_repeated_throttling_and_lost_cursors_are_said_on_the_mailbox_once(office):
    office.own(
        "INSERT INTO postroom.provider_wait (mailbox_id, tenant_id, till, hour, waited) "
        "SELECT id, tenant_id, now(), now(), 700 FROM postroom.mailbox"
    )
    for _ in range(3):
        office.own("UPDATE postroom.mailbox_cursor SET cursor = 'https://elsewhere.invalid/delta'")
        office.receives(1)
        await office.works()
    assert 3 <= office.count("sync.cursor_lost")

    for _ in range(2):
        await office.fires_the_timetable("look after mailboxes")
        await office.works()

    _, boxes = await office.get("/api/v1/mailboxes")
    assert {"throttling", "lost_cursors"} == set(boxes["items"][0]["attention"])
    assert 2 == office.count("mailbox.attention")
    office.own("UPDATE postroom.provider_wait SET waited = 0")
    office.own("UPDATE postroom.mailbox SET attention = jsonb_set(attention, '{throttling,seen}', '\"2020-01-01\"')")
    await office.fires_the_timetable("look after mailboxes")
    await office.works()
    assert ["lost_cursors"] == office.ask("SELECT array_agg(k) FROM postroom.mailbox, jsonb_object_keys(attention) k")


async def test_a_failed_renewal_is_a_warning_with_the_mailbox(office):
    office.world.faults.plan("graph.subscriptions.*", "error_before", times=3)
    office.own("UPDATE padealing.graph_subscription_state SET expiration_datetime = now() + interval '1 hour'")
    mailbox = str(office.ask("SELECT id FROM postroom.mailbox"))

    with structlog.testing.capture_logs() as logs:
        await office.fires_the_timetable("keep watches")
        await office.works()

    warned = [each for each in logs if each["event"] == "renewal failed"]
    assert {("warning", mailbox)} == {(each["log_level"], each["mailbox"]) for each in warned}


async def test_a_read_parked_for_a_person_does_not_hold_the_shared_ledger(office):
    await tenants.ensure_tenant(office.house.db, "default")

    async def revoked(*about):
        raise AccessRevoked("The person changed the password.")

    office.house.outside.fetcher.fetch = revoked
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "notes@broker.example", DESK, "Contract note"
    mail.set_content("Attached.")
    mail.add_attachment(NOTES["hansekontor"](DAY, 1).pdf, "application", "pdf", filename="note.pdf")
    mail.add_attachment(bytes(300_000), "application", "octet-stream", filename="too large to travel with the job.bin")
    office.world.deliver(IncomingMail(DESK, mail.as_bytes()))

    await office.works_until("SELECT count(*) FROM postroom.job WHERE kind = 'documents.read' AND state = 'parked'", 1)

    ledger = "SELECT string_agg(DISTINCT status || ': ' || error_message, '') FROM bo_airflow.email_ingestion_state"
    assert "failed: Waits for a person: The person changed the password." == office.ask(ledger)
