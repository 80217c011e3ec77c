"""The client desk of the simulators: its book taken in, its mail mapped, held against the truth it comes with."""

from __future__ import annotations

from datetime import UTC, datetime

from postroom.mail.parse import read_mail
from postroom.rooms.clients import commands
from postroom_simulators.scenarios import client_desk, scenario
from rooms.clients.office import ClientDesk, open_client_desk


async def test_the_demo_s_mail_is_mapped_as_its_truth_says(db, waker, owner_dsn, tmp_path):
    story = scenario("client-service", start=datetime(2026, 3, 2, 11, tzinfo=UTC))
    desk: ClientDesk = open_client_desk(db, waker, owner_dsn, story.boxes[0].address)
    files = {path.name: path.read_bytes() for path in client_desk.write_client_book(tmp_path)}
    done = await commands.import_book(desk.scope(), files)
    assert ([], 5) == (list(done.bad), done.diffs["accounts"].new)
    threads = {key: row["key"] for row in story.truth["threads"] for key in row["message_ids"]}

    wrong, checked = [], 0
    for letter in story.mails:
        if "client" not in letter.truth:
            continue
        mail = read_mail(letter.raw)
        sender = mail.sender
        assert sender is not None
        thread = threads[mail.message_id]
        message = desk.inserts(
            sender.email,
            name=sender.name,
            subject=mail.subject,
            text=mail.text_body,
            thread=thread,
            to=tuple(each.email for each in mail.to),
            cc=tuple(each.email for each in mail.cc),
        )
        await desk.arrives(message)
        await desk.works()
        truth, standing = letter.truth["client"], desk.standing(message)
        expected = (truth["account"], "triage" if truth["requires_triage"] else "mapped")
        checked += 1
        if standing != expected:
            wrong.append((thread, expected, standing))
    assert [] == wrong
    assert checked > 10
