"""Evidence looked up in many snippets, and the way from a pushed mail to its draft, each beside a floor.

`python -m benchmarks.drafts [--snippets N] [--mails N] [--keep]`. The search is timed by the server itself (EXPLAIN
ANALYZE), beside the bare lookup of its rarest term. The draft is timed as a person would: from the mail at the provider to
the draft in the mailbox, with simulator, web process and worker in this process; the floor makes the same calls bare.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import socket
import tempfile
import time
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import aiohttp
import psycopg
import uvicorn

from benchmarks.bench import keep, private_server, quantile
from benchmarks.triage import BOX, Server, mail
from postroom.app.house import ensure_configured, open_house
from postroom.app.web import web_app
from postroom.db.sql import Query
from postroom.nouns.ids import TenantId, new_id
from postroom.rooms.mailboxes import commands as mailboxes
from postroom.rooms.replies import commands
from postroom.rooms.replies.store.evidence import QUERIES
from postroom.rooms.tenants import commands as tenants
from postroom.settings import Settings
from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.world import World

PAPER = b"# House\n\nBreakfast is served from 8 to 11 o'clock on Sunday. Dogs are welcome and cost 12 euros a night.\n"
TERMS, ROUNDS = 24, 40  # of a question, and how often it is asked
FILL = (
    """INSERT INTO postroom.evidence_document (id, tenant_id, name, version, kind, title, language, audience, body, sha256,
       snippets, lines, line_words, created_by, created_at)
       VALUES (%(document)s, %(tenant)s, 'many.md', 1, 'markdown', 'Many', 'en', 'public', '', '', %(many)s, %(many)s, %(many)s,
               '', now())""",
    """INSERT INTO postroom.evidence_snippet (id, tenant_id, document_id, number, headings, language, lines)
       SELECT gen_random_uuid(), %(tenant)s, %(document)s, n, '{}', 'en', '[]' FROM generate_series(1, %(many)s) n""",
    # as words are: the first one stands in every tenth snippet, the hundredth in every thousandth
    """INSERT INTO postroom.evidence_posting (tenant_id, source, term, snippet_id)
       SELECT %(tenant)s, 'paper', 'w' || t, s.id FROM postroom.evidence_snippet s, generate_series(1, 400) t
        WHERE s.document_id = %(document)s AND (hashint4(s.number * 1009 + t) & 1073741823) %% (t * 10) = 0""",
    "ANALYZE postroom.evidence_document",
    "ANALYZE postroom.evidence_snippet",
    "ANALYZE postroom.evidence_posting",
)
BARE = "SELECT p.snippet_id FROM postroom.evidence_posting p WHERE p.tenant_id = %(tenant)s AND p.source = 'paper' AND p.term = %(term)s"


async def search(snippets: int) -> dict[str, Any]:
    with private_server() as server, tempfile.TemporaryDirectory() as home:
        told = {"home": home, "database_url": server.dsn(user="postroom")}
        async with open_house(Settings(**told)) as house:
            tenant = await tenants.ensure_tenant(house.db, "default")
            with psycopg.connect(server.dsn(), autocommit=True) as owner:
                values = {"document": new_id(), "tenant": tenant, "many": snippets}
                for statement in FILL:
                    owner.execute(statement, values if "%(" in statement else None)
                bare = [_milliseconds(owner, tenant, number) for number in range(ROUNDS)]
            times = [await _asked(house, tenant, number) for number in range(ROUNDS)]
    found, floor = quantile(times, 0.5), quantile(bare, 0.5)
    return {"snippets": snippets, "search_p50_ms": round(found, 1), "search_p95_ms": round(quantile(times, 0.95), 1), "one_term_p50_ms": round(floor, 2), "search_ratio": round(found / max(floor, 0.01), 1)}  # fmt: skip


def _milliseconds(owner: Any, tenant: TenantId, number: int) -> float:
    asked = {"tenant": tenant, "term": f"w{TERMS + number}"}
    [[plan]] = owner.execute(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {BARE}", asked).fetchall()
    return float(plan[0]["Execution Time"])


async def _asked(house: Any, tenant: TenantId, number: int) -> float:
    """A question of many words, common and rare; the time is the server's own."""
    terms = [f"w{1 + (number + step * step) % 400}" for step in range(TERMS)]
    query = Query("explained", f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {QUERIES.candidates.text}")
    asked = {"terms": terms, "weights": [1.0 + step / 10 for step in range(TERMS)]}
    asked |= {"source": "paper", "mailbox_id": None, "today": datetime.now(UTC).date(), "most": 120}
    async with house.scope(tenant, "bench").read() as tx:
        plan = await tx.value(query, **asked)
    told = plan if isinstance(plan, list) else json.loads(plan)
    return float(told[0]["Execution Time"])


async def to_draft(mails: int) -> dict[str, Any]:
    with private_server() as server, tempfile.TemporaryDirectory() as home:
        async with World() as world:
            world.add_mailbox(BOX, name="Service", provider="graph")
            async with open_house(_settings(world, home, server.dsn(user="postroom"))) as house:
                web = Server(uvicorn.Config(web_app(house), port=house.settings.port, log_level="error", lifespan="off", access_log=False))  # fmt: skip
                serving = asyncio.create_task(web.serve())
                mailbox = await ensure_configured(house)
                assert mailbox is not None
                worker = house.worker()
                working = asyncio.create_task(worker.run())
                with psycopg.connect(server.dsn(), autocommit=True) as owner:
                    tenant = UUID(str(owner.execute("SELECT tenant_id FROM postroom.mailbox").fetchone()[0]))
                scope = house.scope(TenantId(tenant), "bench")
                await commands.add_evidence(scope, house.outside.reader, "house.md", PAPER)
                await mailboxes.set_copilot(scope, mailbox, "drafts")
                await asyncio.sleep(3)  # the mailbox is connected and quiet
                times = [await _one(world, number) for number in range(mails)]
                floor = [await _floor(world, number) for number in range(mails)]
                worker.stop()
                await working
                web.should_exit = True
                await serving
    draft, bare = quantile(times, 0.5) * 1000, quantile(floor, 0.5) * 1000
    return {"to_draft_p50_ms": round(draft), "to_draft_p95_ms": round(quantile(times, 0.95) * 1000), "bare_calls_p50_ms": round(bare), "draft_ratio": round(draft / bare, 1)}  # fmt: skip


def _settings(world: World, home: str, url: str) -> Settings:
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    names = (("TENANT_ID", "t"), ("CLIENT_ID", "app"), ("CLIENT_SECRET", "s"), ("MAILBOX_EMAIL", BOX))
    told: dict[str, Any] = {
        "home": home,
        "database_url": url,
        "bind": f"127.0.0.1:{port}",
        "graph_base_url": f"{world.base_url}/v1.0",
        "graph_login_url": world.base_url,
        **{f"POSTROOM_GRAPH_{name}": value for name, value in names},
    }
    return Settings(**told)


async def _one(world: World, number: int) -> float:
    began = time.perf_counter()
    key = world.deliver(IncomingMail(BOX, mail(number)))
    person = world.mail_program(BOX)
    while not any("words" in each for each in person.thread(key)):
        await asyncio.sleep(0.002)
    return time.perf_counter() - began


async def _floor(world: World, number: int) -> float:
    """What no program could leave out: read the mail and its thread, make the reply, and read it back."""
    async with aiohttp.ClientSession() as session:
        form = {"grant_type": "client_credentials", "client_id": "app", "client_secret": "s"}
        form["scope"] = "https://graph.microsoft.com/.default"
        async with session.post(f"{world.base_url}/t/oauth2/v2.0/token", data=form) as answer:
            token = (await answer.json())["access_token"]
        headers = {"Authorization": f"Bearer {token}", "Prefer": 'IdType="ImmutableId"'}
        key = world.deliver(IncomingMail(BOX, mail(10_000 + number)))
        base = f"{world.base_url}/v1.0/users/{BOX}/messages"
        began = time.perf_counter()
        async with session.get(f"{base}/{key}", headers=headers) as answer:
            item = await answer.json()
        async with session.get(f"{base}/{key}/$value", headers=headers) as answer:
            await answer.read()
        query = {"$filter": f"conversationId eq '{item['conversationId']}'"}
        async with session.get(base, params=query, headers=headers) as answer:
            await answer.read()
        said = {"message": {"body": {"contentType": "html", "content": "<p>Until eleven.</p>"}}}
        async with session.post(f"{base}/{key}/createReply", json=said, headers=headers) as answer:
            made = await answer.json()
        async with session.get(f"{base}/{made['id']}", headers=headers) as answer:
            await answer.read()
        return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--snippets", type=int, default=100_000)
    parser.add_argument("--mails", type=int, default=30)
    parser.add_argument("--keep", action="store_true")
    asked = parser.parse_args()
    keep("drafts", {**asyncio.run(search(asked.snippets)), **asyncio.run(to_draft(asked.mails))})


if __name__ == "__main__":
    main()
