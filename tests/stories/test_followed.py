"""One mail is followed by its id: through the log lines and the facts of every room, each with its mailbox."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import structlog

from postroom.nouns.ids import TenantId
from postroom.rooms.clients import commands as clients
from postroom.rooms.replies import commands
from stories.client_desk import ClientDeskStory, open_client_desk

PAPER = b"# Breakfast\n\nBreakfast is served from 8 to 10 o'clock in the garden room.\n"
ROOMS = {"sync.mailbox", "documents.read", "clients.map", "triage.thread", "replies.draft", "triage.set_state"}
WITHOUT_IDS = (
    "SELECT DISTINCT kind FROM postroom.fact WHERE job_id IS NOT NULL AND kind ~ '^(mail|thread|proposal|mapping)'"
    " AND kind <> 'mail.thread.updated' AND (mailbox_id IS NULL OR thread_id IS NULL OR message_id IS NULL)"
)


@pytest.fixture
async def desk(dsn, owner_dsn, tmp_path) -> AsyncIterator[ClientDeskStory]:
    async with open_client_desk(dsn, owner_dsn, str(tmp_path), "outlook") as opened:
        scope = opened.office.house.scope(TenantId(opened.office.ask("SELECT tenant_id FROM postroom.mailbox")), "test")
        await commands.add_evidence(scope, opened.office.house.outside.reader, "house.md", PAPER)
        await clients.add_account(scope, "ACME", "ACME Industries GmbH", domains=["client.test"])
        await opened.switches("drafts")
        yield opened


async def test_one_mail_is_followed_through_the_lines_and_facts_of_every_room(desk):
    office = desk.office
    with structlog.testing.capture_logs(processors=[structlog.contextvars.merge_contextvars]) as lines:
        key = await desk.receives("Hello, at what time is breakfast served?")
        first = office.ask("SELECT internet_message_id FROM postroom.message WHERE provider_message_id = %s", key)
        desk.later(minutes=1)
        more = office.mail("And I want my money back.", to="service@larkspur-retreats.example")
        desk.delivers(b"In-Reply-To: " + first.encode() + b"\r\nReferences: " + first.encode() + b"\r\n" + more)
        await desk.works()  # the draft and its proposal are over

    message = str(office.ask("SELECT id FROM postroom.message WHERE provider_message_id = %s", key))
    mailbox = str(office.ask("SELECT id FROM postroom.mailbox"))
    ours = [line for line in lines if line.get("message") == message]
    assert ROOMS <= {line["kind"] for line in ours}
    assert {mailbox} == {line.get("mailbox") for line in ours}
    assert 1 <= office.count("proposal.voided")
    assert [] == office.own(WITHOUT_IDS)


async def test_each_mail_of_a_batch_has_a_line_of_its_own(desk):
    office = desk.office
    office.world.faults.turn(drop=1.0)
    for _ in range(3):
        desk.delivers(office.mail("Good morning.", to="service@larkspur-retreats.example"))
    with structlog.testing.capture_logs(processors=[structlog.contextvars.merge_contextvars]) as lines:
        await desk.a_minute_passes()

    arrived = {line["message"] for line in lines if line["event"] == "message arrived"}
    assert {str(row[0]) for row in office.own("SELECT id FROM postroom.message WHERE state = 'arrived'")} == arrived
    assert 3 == len(arrived)
