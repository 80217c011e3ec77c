"""Traps that others fell into, each sprung here on purpose. `docs/reference/traps.md` says which is pinned where."""

from __future__ import annotations

import ast
import re
from datetime import timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

import postroom
from postroom.engine import queue as lanes
from postroom.nouns.errors import Unreadable
from postroom.rooms.mailboxes import store
from postroom_simulators.incoming_mail import IncomingMail
from stories.office import DESK

HELD = "SELECT count(*) FROM postroom.message WHERE state = 'arrived'"
TESTS = Path(__file__).parent.parent
ASIDE = "SELECT count(*) FROM postroom.job WHERE state = 'quarantined'"


async def test_a_poison_mail_is_put_aside_with_its_reason_while_the_others_flow(office):
    reader, real = office.house.outside.reader, office.house.outside.reader.aread_mail

    async def read(raw: bytes, **known):
        if b"poison" in raw:
            raise Unreadable("This mail breaks every reader.")
        return await real(raw, **known)

    reader.aread_mail = read
    office.receives(3)
    office.receives(1, subject="poison")
    office.receives(3)

    await office.works_until(HELD, 6)
    await office.works_until(ASIDE, 1)

    assert "This mail breaks every reader." == office.ask("SELECT reason FROM postroom.job WHERE state = 'quarantined'")
    for _ in range(2):  # it loops nobody, and piles up nowhere
        office.world.clock.advance(timedelta(hours=6))
        office.own("UPDATE postroom.attempt SET finished_at = finished_at - interval '1 hour'")
        await office.fires_the_timetable()
        await office.works()
    assert 1 == office.ask(ASIDE)

    reader.aread_mail = real
    scope = office.house.scope(office.ask("SELECT tenant_id FROM postroom.tenant"), "person:test")
    await lanes.replay(scope, office.ask("SELECT id FROM postroom.job WHERE state = 'quarantined'"))
    await office.works_until(HELD, 7)
    assert 0 == office.ask(ASIDE)


async def test_an_outage_longer_than_all_tries_loses_no_mail_and_wants_no_person(office):
    office.world.faults.turn(unreadable_for=60.0)
    office.receives(3)
    await office.works_until("SELECT count(DISTINCT job_id) FROM postroom.attempt WHERE kind = 'sync.fetch_message'", 3)
    office.world.faults.turn(unreadable_for=0.0, reset=1.0)
    for _ in range(8):  # try after try, as the minutes pass
        office.own("UPDATE postroom.job SET run_at = now(), not_before = '-infinity' WHERE state = 'later'")
        await office.works(idle=0.05)
    assert 3 == office.ask(ASIDE)
    assert "active" == office.ask("SELECT status FROM postroom.mailbox")

    office.world.faults.turn(reset=0.0)
    office.world.clock.advance(timedelta(minutes=2))
    office.own("UPDATE postroom.job SET run_at = run_at - interval '1 hour'")
    await office.fires_the_timetable("retry failed")

    await office.works_until(HELD, 3)
    assert 0 == office.ask(ASIDE)


async def test_a_message_that_was_announced_and_then_forgotten_is_picked_up(office):
    office.world.faults.turn(unreadable_for=3600.0)
    office.receives(1)
    await office.works_until("SELECT count(*) FROM postroom.message", 1)
    office.world.faults.turn(unreadable_for=0.0)
    office.own("DELETE FROM postroom.job")
    office.world.clock.advance(timedelta(hours=2))

    await office.fires_the_timetable("reconcile")

    await office.works_until(HELD, 1)


async def test_mail_that_another_client_has_read_already_is_taken_in_all_the_same(office):
    [ref] = office.receives(1)
    office.world.graph.mark_read(DESK, ref)

    await office.works_until(HELD, 1)


async def test_mail_that_became_visible_late_is_found_although_its_time_is_past(office):
    office.receives(1)
    await office.works_until(HELD, 1)
    office.world.clock.advance(timedelta(hours=1))
    office.receives(1)
    await office.works_until(HELD, 2)

    late = office.world.clock.time() - 1800
    office.world.graph.deliver(IncomingMail(DESK, office.mail()), received_at=late)

    await office.works_until(HELD, 3)


async def test_mail_deleted_at_the_source_is_marked_and_never_removed(office):
    refs = office.receives(2)
    await office.works_until(HELD, 2)
    office.world.graph.delete(DESK, refs[0], for_good=True)
    office.receives(1)

    await office.works_until(HELD, 3)
    await office.works_until("SELECT count(*) FROM postroom.message WHERE removed_at IS NOT NULL", 1)

    assert 3 == office.ask("SELECT count(*) FROM postroom.message")


async def test_mail_thrown_away_before_we_read_it_and_put_back_is_taken_in(office):
    office.world.faults.turn(unreadable_for=1.0)
    [ref] = office.receives(1)
    office.world.graph.move(DESK, ref, "deleteditems")
    await office.works_until("SELECT count(*) FROM postroom.message WHERE state = 'gone'", 1)

    office.world.graph.move(DESK, ref, "inbox")

    await office.works_until(HELD, 1)


async def test_neither_subjects_nor_bodies_nor_addresses_reach_the_log(office):
    with capture_logs() as logs:
        office.receives(2, subject="Confidential merger", text="Secret numbers inside.", sender="ceo@target.test")
        await office.works_until(HELD, 2)
        office.world.graph.revoke(DESK)
        office.world.faults.turn(unavailable=0.5)
        office.receives(2, subject="Confidential merger")
        await office.works(idle=0.2)

    told = repr(logs)
    assert not any(word in told for word in ("Confidential", "Secret numbers", "ceo@target.test"))


async def test_every_request_asks_for_immutable_ids_and_makes_no_mistake(office):
    office.receives(120)
    await office.works_until(HELD, 120)
    office.world.graph.expire_cursors(DESK)
    office.receives(1)
    await office.works_until(HELD, 121)

    calls = [call for call in office.world.recorder.calls if call.api == "graph" and "/messages" in call.path]
    assert len(calls) > 100
    assert all('IdType="ImmutableId"' in call.headers.get("Prefer", "") for call in calls)
    assert [] == office.world.recorder.mistakes


@pytest.mark.parametrize(
    ("ours", "theirs", "reachable"),
    [
        ("https://post.example.org", "https://graph.microsoft.com/v1.0", True),
        (None, "https://graph.microsoft.com/v1.0", False),  # nobody outside reaches this machine: it is polled
        (None, "http://127.0.0.1:9/v1.0", True),  # a simulator here does
    ],
)
async def test_a_provider_is_given_an_address_it_can_reach_or_none(office, ours, theirs, reachable):
    board = office.house.providers
    changed = board.settings.model_copy(update={"public_url": ours, "graph_base_url": theirs})
    async with office.house.db.tenant(office.ask("SELECT tenant_id FROM postroom.tenant")) as tx:
        [mailbox] = await store.mailboxes(tx)

    board.settings = changed
    given = board.callbacks(mailbox)

    assert reachable == (given is not None)
    if given and ours:
        assert (f"{ours}/api/graph/notifications", f"{ours}/api/graph/lifecycle") == (given.notify, given.lifecycle)


def test_taking_mail_in_knows_no_model():
    """T36: between a notification and a recorded message nothing could be told by a mail to act."""
    source = Path(postroom.__file__).parent
    walk = [*(source / "rooms" / "sync").glob("*.py"), *(source / "rooms" / "mailboxes").glob("*.py")]
    imported = {
        name
        for file in walk
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names])
    }

    assert len(walk) > 8
    assert not [name for name in imported if "mind" in name or "prompt" in name or name == "subprocess"]


def test_one_place_sends():
    """Whoever calls a provider's send does it after the yes, the last look and the commit of `sending`."""
    product = TESTS.parent / "src" / "postroom"
    callers = [
        file.relative_to(product).as_posix()
        for file in sorted(product.rglob("*.py"))
        if not file.is_relative_to(product / "outside")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Attribute) and node.attr == "send_draft"
    ]

    assert ["rooms/outbox/jobs/sending.py"] == callers


def test_every_trap_is_pinned_by_tests_that_exist():
    page = (TESTS.parent / "docs" / "reference" / "traps.md").read_text()
    rows = re.findall(r"^\| (T\d+) \|.*\|$", page, re.MULTILINE)
    named = re.findall(r"`([\w/]+\.py)::(test_\w+)`", page)

    missing = [f"{file}::{test}" for file, test in named if f"def {test}(" not in (TESTS / file).read_text()]

    assert [f"T{n}" for n in range(1, 52)] == rows
    assert all(re.search(rf"^\| {row} \|.*::test_", page, re.MULTILINE) for row in rows)
    assert [] == missing
