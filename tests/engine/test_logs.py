"""Logs: one mail can be followed through them, errors are said with their text and code, and nobody is let in by them."""

from __future__ import annotations

import errno
from datetime import UTC, datetime
from typing import ClassVar
from uuid import uuid4

import pytest
import structlog
import typer

from makers import make_tenant
from postroom.cli import shared
from postroom.db.errors import DatabaseAway, DatabaseError
from postroom.engine.work import ClaimedJob, TenantScope, Work
from postroom.engine.worker import Handlers, Worker, about, works
from postroom.logs import words
from postroom.nouns.errors import Throttled, Unavailable
from postroom.nouns.jobs import Job


def test_an_error_is_said_with_its_text_and_its_code():
    assert {"error": "DatabaseAway", "text": "gone", "code": "57P01"} == words(DatabaseAway("gone", "57P01"))
    assert {"error": "Throttled", "text": "slowly", "code": "rate_limited"} == words(Throttled("slowly", 5.0))
    assert {"error": "KeyError", "text": "'x'"} == words(KeyError("x"))


def test_every_line_of_a_run_says_what_it_is_about():
    mailbox, message, walk = str(uuid4()), str(uuid4()), uuid4()
    args = {"mailbox_id": mailbox, "message_id": message, "subject": "private"}
    now = datetime.now(UTC)
    claimed = ClaimedJob(7, uuid4(), "sync.fetch", None, None, args, 0, 0, 3, walk, now)  # type: ignore[arg-type]

    told = about(claimed)

    expected = {"job": 7, "kind": "sync.fetch", "run": "7.3", "mailbox": mailbox, "message": message}
    assert expected | {"correlation": str(walk)} == {name: told[name] for name in (*expected, "correlation")}
    assert "private" not in str(told)


async def fails(problem: Exception) -> None:
    raise problem


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (DatabaseAway("no space", "53100"), "The disk of the database is full"),
        (DatabaseAway("Connection refused"), "The database does not answer: Connection refused"),
        (DatabaseError("permission denied", "42501"), "The database refused: permission denied"),
        (OSError(errno.ENOSPC, "No space left on device", "/srv/x"), "The disk is full (/srv/x)"),
    ],
)
def test_a_command_ends_with_a_sentence_when_the_database_or_the_disk_fails(problem, said, capsys):
    with pytest.raises(typer.Exit) as ended:
        shared.run(fails(problem))

    assert 1 == ended.value.exit_code
    assert said in capsys.readouterr().err


BOX, MAIL = str(uuid4()), str(uuid4())


class Fetch(Job, frozen=True):
    kind: ClassVar[str] = "test.fetch"
    mailbox_id: str
    message_id: str


async def test_one_mail_can_be_followed_through_the_lines_of_its_run(db, waker, owner_dsn):
    @works(Fetch)
    async def fetch(job: Fetch, work: Work[None]) -> None:
        structlog.get_logger().info("asked the provider")
        if work.tries == 0:
            raise Unavailable("Microsoft is away.")

    scope = TenantScope(db, waker, lambda fact: [], make_tenant(owner_dsn), "test", lambda: datetime.now(UTC))
    async with scope.finish() as tx:
        await scope.enqueue(tx, Fetch(BOX, MAIL))
    worker: Worker[None] = Worker(db, waker, Handlers([fetch]), lambda fact: [], None)
    with structlog.testing.capture_logs(processors=[structlog.contextvars.merge_contextvars]) as lines:
        await worker.run_until_quiet(idle=1.5)

    ours = [line for line in lines if line.get("message") == MAIL]
    assert ["asked the provider", "run failed", "asked the provider", "run done"] == [line["event"] for line in ours]
    assert {BOX} == {line["mailbox"] for line in ours}
    assert 1 == len({line["correlation"] for line in ours})
    assert ("provider_unavailable", "Microsoft is away.") == (ours[1]["code"], ours[1]["text"])
