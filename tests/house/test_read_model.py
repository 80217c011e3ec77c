"""The read model: columns stand once, rows are shaped as their views, and doors hold no SQL."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import fields
from pathlib import Path

import psycopg
import pytest

import postroom
from postroom.db.sql import split
from postroom.engine.audit_chain import Seal
from postroom.engine.facts import TellingFact
from postroom.engine.queue import AttemptRow, JobRow
from postroom.reads.clients import MessageClient
from postroom.reads.messages import MessageRow
from postroom.reads.threads import ThreadRow
from postroom.rooms.documents.rules.orders import PendingOrder
from postroom.rooms.documents.store.bookings import BookedEntry
from postroom.rooms.documents.store.books import BookedTrade
from postroom.rooms.documents.store.documents import Listed
from postroom.rooms.documents.store.invoices import BookedInvoice
from postroom.rooms.mailboxes.store import Mailbox

SOURCE = Path(postroom.__file__).parent
ROWS = {
    "attempt_view": AttemptRow,
    "client_view": MessageClient,
    "booking_view": BookedEntry,
    "document_view": Listed,
    "fact_view": TellingFact,
    "invoice_view": BookedInvoice,
    "job_view": JobRow,
    "mailbox_view": Mailbox,
    "message_view": MessageRow,
    "order_view": PendingOrder,
    "seal_view": Seal,
    "thread_view": ThreadRow,
    "trade_view": BookedTrade,
}
MANY = 7  # columns that make a list which should stand once
# Accounts are found and sorted by their key, which nobody is shown, so a view of what is shown would not do.
BY_KEY = {f"rooms/clients/book.sql:{name}" for name in ("account", "accounts", "search_accounts")}
SELECTED = re.compile(
    r"\bSELECT\s+(?:DISTINCT\s+(?:ON\s*\([^)]*\)\s*)?)?((?:\w+\.)?\w+(?:\s*,\s*(?:\w+\.)?\w+)+)\s+FROM\b"
)


@pytest.mark.parametrize(("view", "row"), sorted(ROWS.items()), ids=sorted(ROWS))
def test_a_row_is_shaped_as_its_view(server, view, row):
    with psycopg.connect(server.dsn("postroom_template")) as connection:
        columns = [column.name for column in connection.execute(f"SELECT * FROM postroom.{view} LIMIT 0").description]

    assert [field.name for field in fields(row)] == columns


def test_every_view_of_ours_asks_as_whoever_reads_it(server):
    """Without `security_invoker` a view reads as its owner, whom row-level security might not hold."""
    with psycopg.connect(server.dsn("postroom_template")) as connection:
        views = connection.execute(
            "SELECT relname, coalesce('security_invoker=true' = ANY (reloptions), false) FROM pg_class "
            "WHERE relkind = 'v' AND relnamespace = 'postroom'::regnamespace"
        ).fetchall()

    assert {name for name, _ in views} >= set(ROWS)
    assert [] == [name for name, asks_as_reader in views if not asks_as_reader]


def test_doors_hold_no_sql():
    doors = SOURCE / "doors"

    assert [] == [*doors.rglob("*.sql")]
    assert [] == [path.name for path in doors.rglob("*.py") if "postroom.db import sql" in path.read_text()]


def test_no_column_list_stands_twice():
    found: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for file in SOURCE.rglob("*.sql"):
        if "-- name:" not in (text := file.read_text()):
            continue
        for query in split(text, file.name):
            for listed in SELECTED.findall(query.text):
                columns = tuple(name.strip().rpartition(".")[2] for name in listed.split(","))
                if len(columns) >= MANY:
                    found[columns].append(f"{file.relative_to(SOURCE)}:{query.name}")

    assert [] == [places for places in found.values() if len(places) > 1 and not BY_KEY.issuperset(places)]
