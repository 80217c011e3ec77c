"""A question is looked up by its terms, whatever lies beside them: never by going through all snippets."""

from __future__ import annotations

import psycopg
import pytest

from postroom.db.sql import Query
from postroom.rooms.replies.store.evidence import QUERIES
from rooms.replies.drafting_desk import DraftingDesk

MANY = 20_000
WORDS = 400  # each in so many snippets as MANY * 5 / WORDS
FILL = (
    "INSERT INTO postroom.evidence_document (id, tenant_id, name, version, kind, title, language, audience, body, sha256,"
    " snippets, lines, line_words, created_by, created_at)"
    " VALUES (%(document)s, %(tenant)s, 'many.md', 1, 'markdown', 'Many', 'en', 'public', '', '', %(many)s, %(many)s, %(many)s, '', now())",
    "INSERT INTO postroom.evidence_snippet (id, tenant_id, document_id, number, headings, language, lines)"
    " SELECT gen_random_uuid(), %(tenant)s, %(document)s, n, '{}', 'en', '[]' FROM generate_series(1, %(many)s) n",
    "INSERT INTO postroom.evidence_posting (tenant_id, source, term, snippet_id)"
    " SELECT %(tenant)s, 'paper', 'word' || (s.number * k) %% %(words)s, s.id"
    " FROM postroom.evidence_snippet s, generate_series(1, 5) k WHERE s.document_id = %(document)s ON CONFLICT DO NOTHING",
    "ANALYZE postroom.evidence_document", "ANALYZE postroom.evidence_snippet", "ANALYZE postroom.evidence_posting",
)  # fmt: skip


@pytest.fixture
def full(drafting: DraftingDesk, owner_dsn: str) -> DraftingDesk:
    document = "00000000-0000-4000-8000-000000000001"
    values = {"document": document, "tenant": drafting.tenant, "many": MANY, "words": WORDS}
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        for statement in FILL:
            owner.execute(statement, values if "%(" in statement else None)
    return drafting


async def test_candidates_are_found_by_the_index_of_terms(full):
    asked = {"terms": ["word7", "word123"], "weights": [2.0, 3.0], "source": "paper", "mailbox_id": None}
    async with full.scope().read() as tx:
        explained = Query("explained", f"EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF) {QUERIES.candidates.text}")
        lines = await tx.values(explained, today=full.now.date(), most=120, **asked)
    plan = "\n".join(lines)

    assert "evidence_posting_pkey" in plan
    assert "Seq Scan on evidence_posting" not in plan
    assert "Seq Scan on evidence_snippet" not in plan


async def test_the_rarity_of_terms_is_looked_up_and_not_counted(full):
    async with full.scope().read() as tx:
        explained = Query("explained", f"EXPLAIN (COSTS OFF) {QUERIES.frequencies.text}")
        plan = "\n".join(await tx.values(explained, terms=["word7"], source="paper"))

    assert "evidence_posting" not in plan
