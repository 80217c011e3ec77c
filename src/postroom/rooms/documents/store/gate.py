"""What the gate said of each document, kept to be held against what people decide."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from postroom.db.pool import Tx
from postroom.nouns.confirming import GateVerdict
from postroom.nouns.ids import DocumentId, TenantId
from postroom.rooms.documents.store.documents import QUERIES, clean


async def put_verdict(tx: Tx, tenant_id: TenantId, document_id: DocumentId, said: GateVerdict, now: datetime) -> None:
    """Of a document that is written already; read once more, it is judged anew. That of trades is put with them."""
    values = {**verdict_row(said), "now": now}
    await tx.run(QUERIES.put_gate_verdict, document_id=document_id, tenant_id=tenant_id, **values)


def verdict_row(said: GateVerdict) -> dict[str, Any]:
    row = {"pipeline": said.pipeline, "mode": said.mode, "stated": said.stated, "clear": said.clear}
    return {**row, "passed": said.passed, "because": clean(said.because)}


async def verdict(tx: Tx, document_id: DocumentId) -> GateVerdict | None:
    return await tx.row(QUERIES.gate_verdict, GateVerdict, document_id=document_id)
