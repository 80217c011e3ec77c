"""`kill -9` at every step of the walk, from the notification to the booked trade: nothing lost, nothing twice."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import aiohttp
import psycopg
import pytest

from postroom.nouns.ids import MailboxId
from postroom.rooms.sync.jobs import SyncMailbox
from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.papers import NOTES
from rooms.documents.dealing import DAY
from stories.killing import presumed_dead
from stories.office import APP_STATE, DESK, Office, free_port, open_office
from stories.visitors import GREG, connects, gives_gmail

pytestmark = pytest.mark.programs

STORE = "postroom.rooms.sync.store"
DOCUMENTS = "postroom.rooms.documents"
OUTLOOK = "postroom.outside.graph.provider:OutlookProvider"
GMAIL = "postroom.outside.gmail.provider:GmailProvider"
HELD = "SELECT count(*) FROM postroom.message WHERE state = 'arrived'"
OUTLOOK_STEPS = [
    ("postroom.engine.worker:Worker._run", "before"),  # claimed, nothing done
    (f"{OUTLOOK}.changes", "before"),
    (f"{OUTLOOK}.changes", "after"),  # Graph answered, nothing written
    (f"{STORE}:announce", "after"),  # written, not committed
    (f"{STORE}:move_cursor", "before"),
    (f"{STORE}:move_cursor", "after"),  # all of the page written, not committed
    ("postroom.engine.waker:Waker.ring", "before"),  # committed, nobody woken
    (f"{OUTLOOK}.message", "before"),
    (f"{OUTLOOK}.message", "after"),  # fetched, not kept
    (f"{STORE}:arrive", "before"),
    (f"{STORE}:arrive", "after"),  # kept, not committed
]
GMAIL_STEPS = [
    (f"{GMAIL}.changes", "after"),
    (f"{STORE}:move_cursor", "after"),
    (f"{GMAIL}.message", "after"),
    (f"{STORE}:arrive", "after"),
]
DOCUMENT_STEPS = [
    ("postroom.engine.ledger:claim", "after"),  # claimed in the ledger, not committed
    ("postroom.engine.work:Work.payload", "after"),  # the claim is committed, the bytes are in memory
    (f"{DOCUMENTS}.jobs.mail:understand", "after"),  # read, nothing kept
    (f"{DOCUMENTS}.jobs.mail:archive", "after"),  # archived, nothing written
    (f"{DOCUMENTS}.store.documents:put", "after"),  # the document is written, its trade is not
    (f"{DOCUMENTS}.routing:ExtractionRouter.book", "after"),  # booked, not committed
    ("postroom.engine.ledger:succeed", "after"),  # all of it, not committed
]


@pytest.mark.long
@pytest.mark.parametrize("half", [0, 1])
async def test_a_worker_killed_at_any_step_neither_loses_nor_doubles_a_mail(office, dsn, doomed, half):
    victims = doomed(office, dsn)
    for number, (where, when) in enumerate(OUTLOOK_STEPS[half::2], start=1):
        office.receives(2)
        await office.world.graph.settle()

        assert -signal.SIGKILL == await victims.dies(where, when), f"it was not killed {when} {where}"
        presumed_dead(office)
        await office.works_until(HELD, 2 * number)

        assert 2 * number == office.count("mail.message.received"), f"killed {when} {where}"
    assert 0 == office.ask("SELECT count(*) FROM postroom.job WHERE state = 'quarantined'")
    assert office.ask("SELECT sum(messages) FROM postroom.thread") == office.arrived()


@pytest.mark.parametrize(("when", "kept"), [("after#1", 0), ("before#2", 50), ("after#2", 50)])
async def test_a_page_killed_half_way_is_taken_in_once(office, dsn, doomed, when, kept):
    victims = doomed(office, dsn)
    office.receives(80)
    await office.world.graph.settle()

    assert -signal.SIGKILL == await victims.dies(f"{STORE}:arrive", when)
    presumed_dead(office)
    assert kept == office.arrived()
    await office.works_until(HELD, 80)

    assert 80 == office.count("mail.message.received")
    assert 80 == office.ask("SELECT sum(messages) FROM postroom.thread")


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_cursor_never_moves_past_mail_that_is_not_written_yet(office, dsn, doomed, when):
    office.world.faults.turn(drop=1.0)  # no notification names the mail: only the cursor leads to it
    office.receives(5)
    scope = office.house.scope(office.ask("SELECT tenant_id FROM postroom.tenant"), "test")
    async with scope.finish() as tx:
        await scope.enqueue(tx, SyncMailbox(MailboxId(office.ask("SELECT id FROM postroom.mailbox"))))
    victims = doomed(office, dsn)
    assert -signal.SIGKILL == await victims.dies(f"{STORE}:announce", when)
    presumed_dead(office)

    await office.works_until(HELD, 5)

    assert 5 == office.count("mail.message.received")


async def test_a_worker_killed_at_any_step_of_gmail_neither_loses_nor_doubles_a_mail(dsn, owner_dsn, tmp_path, doomed):
    async with open_office(dsn, owner_dsn, str(tmp_path), start=False) as office:
        gives_gmail(office)
        assert 303 == (await connects(office, "gmail", GREG))[0]
        await office.works()
        victims = doomed(office, dsn)
        for number, (where, when) in enumerate(GMAIL_STEPS, start=1):
            office.world.clock.advance(timedelta(seconds=2))  # of more than one push a second Gmail drops the rest
            office.receives(2, to=GREG)
            await pushed(office)

            assert -signal.SIGKILL == await victims.dies(where, when), f"it was not killed {when} {where}"
            presumed_dead(office)
            await office.works_until(HELD, 2 * number)

            assert 2 * number == office.count("mail.message.received"), f"killed {when} {where}"


async def pushed(office: Office) -> None:
    for _ in range(200):
        if office.ask("SELECT count(*) FROM postroom.job WHERE kind = 'sync.mailbox'"):
            return
        await asyncio.sleep(0.05)
    raise AssertionError("no push came")


@pytest.mark.long
@pytest.mark.parametrize("half", [0, 1])
async def test_a_worker_killed_at_any_step_of_reading_leaves_one_document_one_trade_and_one_file(
    office, dsn, doomed, half
):
    victims = doomed(office, dsn)
    for number, (where, when) in enumerate(DOCUMENT_STEPS[half::2], start=1):
        note = NOTES["thornbury"](DAY, 10 * half + number, direction="BUY")
        office.world.deliver(IncomingMail(DESK, with_note(office, note.pdf)))
        await office.world.graph.settle()

        assert -signal.SIGKILL == await victims.dies(where, when), f"it was not killed {when} {where}"
        presumed_dead(office)
        done = "SELECT count(*) FROM bo_airflow.email_ingestion_state WHERE status = 'success'"
        await office.works_until(done, number, seconds=60)

        counts = (
            office.ask("SELECT count(*) FROM postroom.document"),
            office.ask("SELECT count(*) FROM postroom.trade"),
            archived(office),
        )
        assert (number, number, number) == counts, f"killed {when} {where}"


def archived(office: Office) -> int:
    return sum(path.is_file() for path in Path(office.house.settings.home, "archive").rglob("*.pdf"))


def with_note(office: Office, pdf: bytes) -> bytes:
    office.counter += 1
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "notes@thornbury.test", DESK, "Contract note"
    mail["Message-ID"] = f"<note.{office.counter}@thornbury.test>"
    mail.set_content("Please find your contract note attached.")
    mail.add_attachment(pdf, maintype="application", subtype="pdf", filename=f"note-{office.counter}.pdf")
    return mail.as_bytes()


# the web process


@pytest.fixture
async def known_state(dsn, owner_dsn, tmp_path) -> AsyncIterator[Office]:
    """An office whose client state we know, so that we can notify as Graph would; its own pushes are lost."""
    async with open_office(dsn, owner_dsn, str(tmp_path), graph_client_state=APP_STATE) as opened:
        opened.world.faults.turn(drop=1.0)
        yield opened


async def notify(office: Office, port: int, ref: str) -> int | None:
    """What was answered; None when nothing was."""
    subscription = office.ask("SELECT subscription_id FROM padealing.graph_subscription_state WHERE status = 'active'")
    item = {"subscriptionId": subscription, "clientState": APP_STATE, "changeType": "created"}
    body = {"value": [{**item, "resource": f"Users/u/Messages/{ref}", "resourceData": {"id": ref}}]}
    async with aiohttp.ClientSession() as session:
        for _ in range(600):
            try:
                async with session.post(f"http://127.0.0.1:{port}/api/graph/notifications", json=body) as answer:
                    return answer.status
            except aiohttp.ClientConnectorError:
                await asyncio.sleep(0.05)  # it is not up yet
            except aiohttp.ClientError:
                return None
    raise AssertionError("the web process did not come up")


async def a_minute_later(office: Office) -> None:
    office.own("UPDATE postroom.notification SET received_at = received_at - interval '1 minute'")
    await office.fires_the_timetable("poll")


async def test_a_notification_whose_process_dies_before_the_commit_gets_no_answer_and_is_sent_again(
    known_state, dsn, doomed
):
    [ref] = known_state.receives(1)
    port = free_port()
    victims = doomed(known_state, dsn)
    await victims.starts("web", "postroom.rooms.sync.notifications:Intake._write", "before", port)

    assert await notify(known_state, port, ref) is None
    assert -signal.SIGKILL == await victims.ended()

    assert 0 == known_state.ask("SELECT count(*) FROM postroom.notification")
    assert 202 == await notify(known_state, known_state.house.settings.port, ref)
    await known_state.works_until(HELD, 1)


async def test_a_notification_whose_process_dies_between_commit_and_answer_counts_once_even_if_sent_again(
    known_state, dsn, doomed
):
    [ref] = known_state.receives(1)
    port = free_port()
    victims = doomed(known_state, dsn)
    await victims.starts("web", "postroom.rooms.sync.notifications:Intake._write", "after", port)

    assert await notify(known_state, port, ref) is None
    assert -signal.SIGKILL == await victims.ended()

    assert 1 == known_state.ask("SELECT count(*) FROM postroom.notification")
    assert 202 == await notify(known_state, known_state.house.settings.port, ref)
    await a_minute_later(known_state)
    await known_state.works_until(HELD, 1)
    await known_state.works()
    assert 1 == known_state.count("mail.message.received")
    assert 0 == known_state.ask("SELECT count(*) FROM postroom.notification")


async def test_a_notification_that_was_answered_counts_although_its_process_died_at_once(known_state, dsn, doomed):
    [ref] = known_state.receives(1)
    port = free_port()
    victims = doomed(known_state, dsn)
    web = await victims.starts("web", None, port=port)
    with psycopg.connect(known_state.owner_dsn) as owner:
        owner.execute("LOCK TABLE postroom.hint IN ACCESS EXCLUSIVE MODE")  # it is not sorted meanwhile
        assert 202 == await notify(known_state, port, ref)
        os.kill(web, signal.SIGKILL)
        assert -signal.SIGKILL == await victims.ended()

    await a_minute_later(known_state)
    await known_state.works_until(HELD, 1)

    assert 1 == known_state.count("mail.message.received")
    assert ref == known_state.ask("SELECT provider_message_id FROM postroom.message")
