"""Evidence looked up in many snippets, and the way from a pushed mail to its draft, each beside a floor.

`python -m benchmarks.drafts [--snippets N] [--mails N] [--keep]`. The search is timed by the server itself (EXPLAIN
ANALYZE), beside the bare lookup of its rarest term. The draft is timed as a person would: from the mail at the provider to
the draft in the mailbox, with simulator, web process and worker in this process; the floor makes the same calls bare.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from datetime import UTC, datetime
from typing import Any

import psycopg

from benchmarks.bench import keep, private_server, quantile
from benchmarks.one_mail import GraphCalls, timed, whole_house
from postroom.app.house import open_house
from postroom.db.sql import Query
from postroom.nouns.ids import TenantId, new_id
from postroom.rooms.mailboxes import commands as mailboxes
from postroom.rooms.replies import commands
from postroom.rooms.replies.store.evidence import QUERIES
from postroom.rooms.tenants import commands as tenants
from postroom.settings import Settings

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
    async with whole_house() as (world, house, scope, mailbox):
        await commands.add_evidence(scope, house.outside.reader, "house.md", PAPER)
        await mailboxes.set_copilot(scope, mailbox, "drafts")
        times, bare = await timed(world, mails, lambda mail: "words" in mail, _bare_calls)
    draft = quantile(times, 0.5)
    return {"to_draft_p50_ms": round(draft), "to_draft_p95_ms": round(quantile(times, 0.95)), "bare_calls_p50_ms": round(bare), "draft_ratio": round(draft / bare, 1)}  # fmt: skip


async def _bare_calls(graph: GraphCalls) -> None:
    """Read the mail and its thread, make the reply, and read it back."""
    await graph.read_mail_and_thread()
    said = {"message": {"body": {"contentType": "html", "content": "<p>Until eleven.</p>"}}}
    made = await graph.ask("POST", f"/{graph.key}/createReply", json=said)
    await graph.ask("GET", f"/{made['id']}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--snippets", type=int, default=100_000)
    parser.add_argument("--mails", type=int, default=30)
    parser.add_argument("--keep", action="store_true")
    asked = parser.parse_args()
    keep("drafts", {**asyncio.run(search(asked.snippets)), **asyncio.run(to_draft(asked.mails))})


if __name__ == "__main__":
    main()
