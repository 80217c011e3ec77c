"""A question comes in, a draft from the house's papers stands in the thread, and what a person makes of it stays theirs."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from postroom.nouns.ids import TenantId
from postroom.rooms.replies import commands
from stories.client_desk import PROVIDERS, READY, REVIEW, ClientDeskStory, open_client_desk

PAPER = b"""# Breakfast

Breakfast is served from 8 to 10 o'clock in the garden room. On Sundays breakfast is served until 11 o'clock.

# Parking

Parking costs 12 euros a night. Please book a parking space in advance.
"""
QUESTION = "Hello, at what time is breakfast served on Sunday?"


@pytest.fixture(params=PROVIDERS)
async def desk(request, dsn, owner_dsn, tmp_path) -> AsyncIterator[ClientDeskStory]:
    async with open_client_desk(dsn, owner_dsn, str(tmp_path), request.param) as opened:
        tenant = TenantId(opened.office.ask("SELECT tenant_id FROM postroom.mailbox"))
        scope = opened.office.house.scope(tenant, "person:test")
        await commands.add_evidence(scope, opened.office.house.outside.reader, "house.md", PAPER)
        await opened.switches("drafts")
        yield opened


def drafts(desk: ClientDeskStory, key: str) -> list[dict]:
    return [each for each in desk.person.thread(key) if "words" in each]


async def test_a_draft_from_evidence_stands_in_the_thread_and_the_label_says_so(desk):
    key = await desk.receives(QUESTION)

    assert "written" == desk.office.ask("SELECT status FROM postroom.draft_revision")
    body = desk.office.ask("SELECT body FROM postroom.draft_revision")
    assert "until 11 o'clock" in body
    assert (1, {READY}) == (len(drafts(desk, key)), desk.labels(key))
    assert [] == desk.office.world.recorder.mistakes


async def test_what_a_person_wrote_into_the_draft_is_never_written_over(desk):
    key = await desk.receives(QUESTION)
    [draft] = drafts(desk, key)
    desk.later(minutes=1)
    desk.person.edit_draft(draft["id"], "Until eleven, and I keep you a table.")
    await desk.a_minute_passes()

    desk.later(minutes=1)
    first = desk.office.ask("SELECT internet_message_id FROM postroom.message WHERE provider_message_id = %s", key)
    more = desk.office.mail("And where may we park?", to="service@larkspur-retreats.example")
    desk.delivers(b"In-Reply-To: " + first.encode() + b"\r\nReferences: " + first.encode() + b"\r\n" + more)
    await desk.works()

    [left] = drafts(desk, key)
    assert "I keep you a table" in left["words"]
    assert "blocked_user_edited" == desk.office.ask(
        "SELECT status FROM postroom.draft_revision ORDER BY created_at LIMIT 1"
    )
    assert {REVIEW} == desk.labels(key)
