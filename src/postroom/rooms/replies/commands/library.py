"""Taking in papers: a new version on the same name, and which older paper it takes the place of."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.mail.headers import decode_bytes
from postroom.nouns import facts
from postroom.nouns.documents import CannotRead
from postroom.nouns.errors import BadRequest
from postroom.rooms.replies.ports import PaperReader
from postroom.rooms.replies.rules.papers import Audience, Paper, PaperKind, kind_of, read_paper
from postroom.rooms.replies.rules.pdf_lines import pdf_text
from postroom.rooms.replies.rules.shelf import SAME_TITLE, replaced_from, title_agreement
from postroom.rooms.replies.store import evidence
from postroom.rooms.replies.store.evidence import EvidenceDocument

LARGEST_PAPER = 20 * 1024 * 1024
LONGEST_NAME = 300
LONGEST_TEXT = 1_000_000  # letters: a book of 500 pages


@dataclass(frozen=True, slots=True)
class AddedEvidence:
    document: EvidenceDocument
    is_new: bool  # otherwise this very version was there


async def list_evidence(scope: TenantScope) -> list[EvidenceDocument]:
    """The current version of every paper."""
    async with scope.read() as tx:
        return await evidence.current(tx)


async def add_evidence(
    scope: TenantScope,
    reader: PaperReader,
    name: str,
    content: bytes,
    audience: Audience | None = None,
    valid_until: date | None = None,
) -> AddedEvidence:
    """The same again changes nothing. Raises BadRequest with a sentence when it cannot be read."""
    name = _clean_name(name)
    kind, text = await _text(scope, reader, name, content)
    if len(text) > LONGEST_TEXT:
        raise BadRequest(f"{name} has more than {LONGEST_TEXT:,} letters. Split it, and hand in the parts.")
    digest = hashlib.sha256(content).hexdigest()
    paper_kind: PaperKind = "text" if kind == "pdf" else kind  # type: ignore[assignment]  # the rest are paper kinds
    paper = await asyncio.to_thread(read_paper, name, text, paper_kind, audience, valid_until)
    async with scope.finish() as tx:
        await evidence.lock(tx, scope.tenant_id)
        before = next(iter(await evidence.current(tx, name)), None)
        if before and _same(before, paper, digest):
            return AddedEvidence(before, is_new=False)
        version = await evidence.next_version(tx, name)
        if before is not None:
            await evidence.retire(tx, before.id)
        made = _numbered(paper, version)
        document_id = await evidence.put(tx, scope.tenant_id, made, kind, text, digest, scope.actor, scope.now)
        await _find_replaced(scope, tx, document_id, made)
        told = facts.EvidenceAdded(
            evidence_id=document_id, name=name, version=version, audience=made.audience, snippets=len(made.snippets)
        )
        await scope.tell(tx, told)
        [document] = await evidence.current(tx, name)
    return AddedEvidence(document, is_new=True)


def _clean_name(name: str) -> str:
    clean = name.replace("\\", "/").strip().strip("/").replace("\0", "")
    if not clean or len(clean) > LONGEST_NAME:
        raise BadRequest(f"A paper needs a name of up to {LONGEST_NAME} letters.")
    return clean


async def _text(scope: TenantScope, reader: PaperReader, name: str, content: bytes) -> tuple[str, str]:
    if len(content) > LARGEST_PAPER:
        raise BadRequest(f"{name} is larger than {LARGEST_PAPER // 1024 // 1024} MB.")
    if name.lower().endswith(".pdf"):
        try:
            return "pdf", pdf_text(await reader.aread(content, tenant=scope.tenant_id))
        except CannotRead as refusal:
            raise BadRequest(f"{name} cannot be read: {refusal}") from None
    kind = kind_of(name)
    if kind is None:
        raise BadRequest(f"{name} is neither Markdown, text, HTML nor PDF.")
    return kind, decode_bytes(content).replace("\0", "")


def _same(before: EvidenceDocument, paper: Paper, digest: str) -> bool:
    said = (paper.audience, paper.validity.valid_until)
    return before.sha256 == digest and (before.audience, before.valid_until) == said


def _numbered(paper: Paper, version: int) -> Paper:
    return Paper(
        paper.source, paper.title, paper.language, paper.audience, paper.validity, paper.snippets, paper.years, version
    )


async def _find_replaced(scope: TenantScope, tx: Tx, document_id: UUID, paper: Paper) -> None:
    """Both ways: what comes in may be the older one."""
    if paper.audience != "public" or paper.dated is None:
        return
    rivals = [each for each in await evidence.current(tx) if each.id != document_id and each.dated is not None]
    held = {each.id: each for each in await evidence.bodies(tx, [each.id for each in rivals if _rivals(each, paper)])}
    for each in held.values():
        kind: PaperKind = "text" if each.kind == "pdf" else each.kind  # type: ignore[assignment]  # as above
        other = await asyncio.to_thread(read_paper, each.name, each.body, kind, each.audience, each.valid_until)
        if (since := replaced_from(paper, other)) is not None:
            await evidence.put_replacement(tx, scope.tenant_id, each.id, document_id, since)
        elif (since := replaced_from(other, paper)) is not None:
            await evidence.put_replacement(tx, scope.tenant_id, document_id, each.id, since)


def _rivals(held: EvidenceDocument, paper: Paper) -> bool:
    return held.audience == "public" and title_agreement(held.title, paper.title) >= SAME_TITLE
