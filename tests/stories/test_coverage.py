"""Coverage tells the truth: what was never taken in is not held, and says why."""

from __future__ import annotations

import pytest

from postroom.chores.backstop import backstop
from postroom.nouns.errors import Unavailable, Unreadable
from postroom.rooms.sync.rules import RETRIED_AFTER
from stories.office import DESK

HELD = "SELECT count(*) FROM postroom.message WHERE state = 'arrived'"
FAILED = "SELECT count(*) FROM postroom.message WHERE state = 'failed'"
LAST = "SELECT listed || ' ' || held || ' ' || failed FROM postroom.coverage ORDER BY id DESC LIMIT 1"


def poisoned(office, error: Exception) -> list[bytes]:
    """From now on a mail that speaks of poison cannot be read; what the list holds is left alone."""
    reader, real, cured = office.house.outside.reader, office.house.outside.reader.aread_mail, []

    async def read(raw: bytes, **known):
        if b"poison" in raw and not cured:
            raise error
        return await real(raw, **known)

    reader.aread_mail = read
    return cured


async def test_a_mail_that_was_never_taken_in_is_failed_with_the_reason_and_not_held(office):
    cured = poisoned(office, Unreadable("Its parts never end."))
    office.receives(1)
    office.receives(1, subject="poison")
    await office.works_until(FAILED, 1)
    [sick] = [each for each in (await office.get("/api/v1/messages"))[1]["items"] if each["state"] == "failed"]

    whole = await backstop(office.house, days=7, work=True)

    assert "Its parts never end." == sick["reason"]
    assert {("failed", "Its parts never end.")} == {
        (each["status"], each["reason"]) for each in sick["status"].values()
    }
    assert [(DESK, True, 2, 1, 1, False)] == [
        (each.address, each.compared, each.listed, each.held, each.failed, each.is_whole) for each in whole
    ]
    assert "2 1 1" == office.ask(LAST)
    _, metrics = await office.get("/api/v1/metrics")
    assert [(0.5, 1)] == [(each["ratio"], each["failed"]) for each in metrics["coverage"]]

    cured.append(b"yes")
    healed = await backstop(office.house, days=7, work=True)

    assert [(2, 2, 0, True)] == [(each.listed, each.held, each.failed, each.is_whole) for each in healed]
    assert {"pending"} >= {office.ask("SELECT status FROM postroom.disposition WHERE status = 'failed'") or "pending"}


async def test_a_mail_whose_fetching_kills_every_worker_is_failed_with_the_reason(office):
    cured = poisoned(office, Unavailable("Not now."))
    office.receives(1, subject="poison")
    await office.works_until("SELECT count(*) FROM postroom.job WHERE kind = 'sync.fetch_message' AND tries > 0", 1)
    office.own("UPDATE postroom.job SET deaths = 6, run_at = now() WHERE kind = 'sync.fetch_message'")

    await office.works_until(FAILED, 1)

    assert [] == cured
    assert "Its worker died 6 times." == office.ask("SELECT because FROM postroom.message")
    assert "quarantined" == office.ask("SELECT state FROM postroom.job WHERE kind = 'sync.fetch_message'")


async def test_a_backstop_that_healed_a_gap_ends_well_and_one_that_reached_nobody_does_not(office):
    office.world.faults.turn(drop=1.0)
    office.receives(3)

    [healed] = await backstop(office.house, days=7, work=True)
    office.world.faults.turn(unavailable=1.0, retry_after=600)
    [lost] = await backstop(office.house, days=7, work=True)

    assert (True, 3, 3) == (healed.is_whole, healed.listed, healed.held)
    assert (False, False) == (lost.compared, lost.is_whole)


async def test_what_came_since_the_comparison_counts(office):
    await backstop(office.house, days=7, work=True)
    office.receives(2)
    await office.works_until(HELD, 2)

    _, metrics = await office.get("/api/v1/metrics")

    assert [(2, 2, 1.0)] == [(each["listed"], each["held"], each["ratio"]) for each in metrics["coverage"]]


async def test_after_the_first_backfill_it_is_compared_once_more(office):
    office.world.faults.turn(drop=1.0)
    office.receives(5)
    await backstop(office.house, days=7, work=True)
    assert "5 0 0" == office.ask(LAST)
    office.own("UPDATE postroom.job SET run_at = now() WHERE kind = 'sync.reconcile' AND state = 'later'")

    await office.works()

    assert "5 5 0" == office.ask(LAST)


@pytest.mark.parametrize(("trouble", "again"), [(Unavailable("Out."), 1), (Unreadable("Torn."), 0)])
async def test_failed_mail_is_retried_on_a_schedule_unless_no_retry_can_help(office, trouble, again):
    poisoned(office, trouble)
    office.receives(1, subject="poison")
    hurry = "UPDATE postroom.job SET run_at = now() WHERE state = 'later' AND kind = 'sync.fetch_message'"
    for _ in range(7):
        await office.works()
        office.own(hurry)
    assert 1 == office.ask(FAILED)
    office.own("UPDATE postroom.job SET run_at = now() - interval '11 minutes' WHERE state = 'quarantined'")

    await office.fires_the_timetable("retry failed")
    await office.works()

    assert again == office.ask("SELECT count(*) FROM postroom.job WHERE rounds = 1")
    spent = (
        "UPDATE postroom.job SET state = 'quarantined', rounds = %s, run_at = now() - interval '1 year' WHERE kind = %s"
    )
    office.own(spent, len(RETRIED_AFTER), "sync.fetch_message")
    await office.fires_the_timetable("retry failed")
    await office.works()
    assert [("quarantined",)] == office.own("SELECT state FROM postroom.job WHERE kind = 'sync.fetch_message'")


async def test_a_poll_that_finds_nothing_keeps_no_row(office):
    kept = "SELECT count(*) FROM postroom.attempt"
    before = office.ask(kept)
    office.own("UPDATE postroom.mailbox_cursor SET synced_at = now() - interval '1 day'")

    await office.fires_the_timetable("poll", "retry failed")
    await office.works()

    assert before == office.ask(kept)
    assert office.ask("SELECT synced_at > now() - interval '1 hour' FROM postroom.mailbox_cursor")
