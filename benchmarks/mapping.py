"""Suggestions a second with a large book and a long past, against one indexed lookup; and lines of a book a second.

`python -m benchmarks.mapping [--contacts N] [--mapped N] [--asks N] [--keep]`. A small tenant and
a large one are asked in turn, question by question, so that a busy machine slows both; the figures are medians.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
from collections.abc import Awaitable
from datetime import UTC, datetime
from random import Random

import psycopg

from benchmarks.bench import keep, private_server
from postroom.db.pool import Database
from postroom.engine.waker import Waker
from postroom.engine.work import TenantScope
from postroom.nouns.clients import Email
from postroom.nouns.ids import TenantId
from postroom.nouns.mail import Address
from postroom.rooms.clients import commands
from postroom.rooms.clients.mapping_service import EmailMappingService
from postroom.rooms.itinerary import next_jobs
from postroom.rooms.tenants import commands as tenants

SMALL = 1_000
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
WARM = 20  # asks that are not counted
FLOOR = "SELECT id FROM postroom.contact WHERE tenant_id = %s AND email = %s"
MAPPED = """
INSERT INTO postroom.mapping (id, tenant_id, message_id, sender_email, received_at, account_id, confidence, status, requires_triage, created_at, updated_at)
SELECT gen_random_uuid(), %(tenant)s, m.id, 'person' || (m.n %% %(contacts)s) || '@client' || (m.n %% %(contacts)s / 10) || '.example', m.received_at, a.id, 0.99,
       'mapped', false, now(), now()
  FROM (SELECT id, received_at, row_number() OVER () AS n FROM postroom.message WHERE tenant_id = %(tenant)s) m
  JOIN (SELECT id, row_number() OVER (ORDER BY code_key) - 1 AS n FROM postroom.account WHERE tenant_id = %(tenant)s) a
    ON a.n = (m.n %% %(contacts)s) / 10
"""
MESSAGES = """
INSERT INTO postroom.message (id, tenant_id, mailbox_id, provider_message_id, state, source, received_at, arrived_at, subject)
SELECT gen_random_uuid(), %(tenant)s, %(mailbox)s, 'm' || n, 'arrived', 'push', now() - make_interval(secs => n), now(), 'Mail ' || n
  FROM generate_series(1, %(mapped)s) n
"""


def book(contacts: int) -> dict[str, bytes]:
    """Ten contacts an account."""
    accounts = [f"C{n:06d},Client {n} GmbH,,client{n}.example,open" for n in range(max(1, contacts // 10))]
    people = [f"person{n}@client{n // 10}.example,Person {n},C{n // 10:06d}" for n in range(contacts)]
    work = [f"E{n:06d},Work {n},C{n:06d},open" for n in range(max(1, contacts // 10))]
    return {
        "accounts.csv": "\n".join(["code,name,aliases,domains,status", *accounts]).encode(),
        "contacts.csv": "\n".join(["email,name,account", *people]).encode(),
        "engagements.csv": "\n".join(["code,name,account,status", *work]).encode(),
    }


def mail(random: Random, contacts: int) -> Email:
    number = random.randrange(contacts)
    sender = Address(f"person{number}@client{number // 10}.example", f"Person {number}")
    subject = f"Delivery dates [E{number // 10:06d}]" if number % 3 == 0 else "Delivery dates"
    return Email(
        sender,
        (Address("service@larkspur.example"),),
        subject=subject,
        text=f"Hello, it is about Client {number // 10}.",
        date=NOW,
    )


async def seconds_of(ask: Awaitable[object]) -> float:
    began = time.perf_counter()
    await ask
    return time.perf_counter() - began


async def measure(dsn: str, owner_dsn: str, contacts: int, mapped: int, asks: int) -> dict[str, object]:
    db = await Database(dsn).open()
    try:
        waker, random = Waker(db), Random(7)
        scopes: dict[int, TenantScope] = {}
        lines: dict[int, float] = {}
        for size, past in ((SMALL, SMALL), (contacts, mapped)):
            tenant = await tenants.create_tenant(db, f"t{size}")
            scopes[size] = TenantScope(db, waker, next_jobs, tenant, "bench", lambda: NOW)
            began = time.perf_counter()
            done = await commands.import_book(scopes[size], book(size))
            assert not done.bad
            lines[size] = done.lines / (time.perf_counter() - began)
            _fill(owner_dsn, tenant, size, past)
        rounds: dict[str, list[float]] = {"floor": [], "small": [], "large": []}
        for asked in range(WARM + asks):
            taken = {
                "floor": await seconds_of(_floor(scopes[contacts], random, contacts)),
                "small": await seconds_of(_suggest(scopes[SMALL], random, SMALL)),
                "large": await seconds_of(_suggest(scopes[contacts], random, contacts)),
            }
            if asked >= WARM:
                for name, seconds in taken.items():
                    rounds[name].append(seconds)
    finally:
        await db.close()
    middle = {name: statistics.median(found) for name, found in rounds.items()}
    return {
        "contacts": contacts,
        "mapped_messages": mapped,
        "lookup_ms": round(middle["floor"] * 1000, 2),
        "suggestion_ms_small": round(middle["small"] * 1000, 2),
        "suggestion_ms_large": round(middle["large"] * 1000, 2),
        "suggestions_per_s": round(1 / middle["large"]),
        "ratio_to_lookup": round(middle["large"] / middle["floor"], 2),
        "growth": round(middle["large"] / middle["small"], 2),
        "import_lines_per_s": round(lines[contacts]),
    }


async def _floor(scope: TenantScope, random: Random, contacts: int) -> None:
    number = random.randrange(contacts)
    async with scope.read() as tx:
        await tx.letter_of(FLOOR, [scope.tenant_id, f"person{number}@client{number // 10}.example"])


async def _suggest(scope: TenantScope, random: Random, contacts: int) -> None:
    found = await EmailMappingService(scope).suggest(mail(random, contacts))
    assert found.account is not None


def _fill(owner_dsn: str, tenant: TenantId, contacts: int, mapped: int) -> None:
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        values = {"tenant": tenant, "contacts": contacts, "mapped": mapped}
        made = owner.execute(
            "INSERT INTO postroom.mailbox (id, tenant_id, address, provider, access) VALUES (gen_random_uuid(), %s, %s, 'outlook', 'app_only') RETURNING id",
            [tenant, f"service{contacts}@larkspur.example"],
        ).fetchone()
        assert made is not None
        owner.execute("ALTER TABLE postroom.message NO FORCE ROW LEVEL SECURITY")
        owner.execute(MESSAGES, {**values, "mailbox": made[0]})
        owner.execute(MAPPED, values)
        owner.execute("ANALYZE")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--contacts", type=int, default=100_000)
    options.add_argument("--mapped", type=int, default=1_000_000)
    options.add_argument("--asks", type=int, default=500)
    options.add_argument("--keep", action="store_true")
    asked = options.parse_args()
    with private_server() as server:
        result = asyncio.run(
            measure(server.dsn(user="postroom"), server.dsn(), asked.contacts, asked.mapped, asked.asks)
        )
    keep("mapping", result)


if __name__ == "__main__":
    main()
