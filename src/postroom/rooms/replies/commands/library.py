"""Taking in papers: a new version on the same name, and which older paper it takes the place of."""

from __future__ import annotations

import asyncio
import hashlib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.actors import spoken_actor
from postroom.nouns.documents import CannotRead
from postroom.nouns.errors import BadRequest, Conflict, NotFound
from postroom.rooms.replies.ports import PaperReader
from postroom.rooms.replies.rules.papers import Audience, Paper, kept_as, kind_of, read_paper, typed_text
from postroom.rooms.replies.rules.pdf_lines import pdf_text
from postroom.rooms.replies.rules.shelf import SAME_TITLE, replaced_from, title_agreement
from postroom.rooms.replies.store import evidence, quotations
from postroom.rooms.replies.store.evidence import DatedPart, EvidenceDocument, ReplacingPaper

LARGEST_PAPER = 20 * 1024 * 1024
LONGEST_NAME = 300
INVISIBLE = frozenset(["Cc", "Cf", "Cs", "Co", "Zl", "Zp"])  # control, direction, halves of pairs, line ends
LONGEST_TEXT = 1_000_000  # letters: a book of 500 pages
_THREAD_CODE = re.compile(r"PR-[0-9A-Z]{6}")  # by which an answer that was learned is named


@dataclass(frozen=True, slots=True)
class AddedEvidence:
    document: EvidenceDocument
    is_new: bool  # otherwise this very version was there


@dataclass(frozen=True, slots=True)
class ShownEvidence:
    """One version of a paper with its text, the others, and what took its place."""

    document: EvidenceDocument
    body: str
    versions: Sequence[EvidenceDocument]
    replaced_by: Sequence[ReplacingPaper]
    parts: Sequence[DatedPart]  # that hold only from or until a day

    @property
    def newest(self) -> EvidenceDocument:
        return self.versions[0]


async def list_evidence(scope: TenantScope) -> list[EvidenceDocument]:
    """The current version of every paper."""
    async with scope.read() as tx:
        return await evidence.current(tx)


async def list_answers(scope: TenantScope, most: int = 50) -> list[EvidenceDocument]:
    """What was learned from answers that people sent, newest first."""
    async with scope.read() as tx:
        return await evidence.current(tx, answers=True, most=most)


async def list_retired(scope: TenantScope) -> list[EvidenceDocument]:
    """The last version of every paper and learned answer that was retired, the last one first."""
    async with scope.read() as tx:
        return await evidence.retired(tx)


async def one_evidence(scope: TenantScope, document_id: UUID) -> ShownEvidence:
    async with scope.read() as tx:
        versions = await evidence.versions(tx, document_id)
        held = await evidence.bodies(tx, [document_id])
        newer = await evidence.replaced_by(tx, document_id)
        parts = await evidence.dated_parts(tx, document_id)
    found = next((each for each in versions if each.id == document_id), None)
    if found is None or not held:
        raise NotFound(f"There is no paper {document_id}.")
    return ShownEvidence(found, held[0].body, versions, newer, parts)


async def evidence_named(scope: TenantScope, name: str, *, retired: bool = False) -> EvidenceDocument:
    """The current version of what a draft names as its source: a paper, or an answer that was learned. With `retired`
    its last one, when none is in use."""
    async with scope.read() as tx:
        found = await evidence.current(tx, name) or await evidence.current(tx, name, answers=True)
        found = found or (await evidence.retired(tx, name) if retired else [])
    if not found:
        raise NotFound(f"There is no paper {name} any more.")
    return found[0]


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
    return await _put_version(scope, name, kind, text, hashlib.sha256(content).hexdigest(), audience, valid_until)


async def change_evidence(
    scope: TenantScope, document_id: UUID, text: str | None, audience: Audience | None, valid_until: date | None
) -> AddedEvidence:
    """A new version with other words, or other things said of it. None leaves the words as they are."""
    shown = await one_evidence(scope, document_id)
    held = shown.document
    _require_current(shown)
    if held.kind == "answer":
        raise BadRequest("What a person answered is not rewritten here. Retire it, and hand in a paper instead.")
    changed = text is not None and text.replace("\r\n", "\n").strip() != shown.body.replace("\r\n", "\n").strip()
    if changed and held.kind == "pdf":
        raise BadRequest(f"{held.name} is a PDF: hand in the changed file under the same name.")
    words = text.replace("\0", "") if changed and text is not None else shown.body
    if not words.strip():
        raise BadRequest("A paper needs words; retire it if it does not hold any more.")
    digest = hashlib.sha256(words.encode()).hexdigest() if changed else held.sha256
    return await _put_version(scope, held.name, held.kind, words, digest, audience, valid_until)


async def retire_evidence(scope: TenantScope, document_id: UUID) -> EvidenceDocument:
    """Nothing is drafted from it any more. Drafts of it that nobody touched are written anew, or taken back."""
    shown = await one_evidence(scope, document_id)
    held = shown.document
    _require_current(shown)
    async with scope.finish() as tx:
        await evidence.lock(tx, scope.tenant_id)
        if not await evidence.retire(tx, held.id, scope.actor, scope.now):
            raise Conflict(f"{held.name} has a newer version by now, or was retired.")
        outdated = len(await quotations.gone(tx, [held.name], scope.now.date()))
        told = facts.EvidenceRetired(evidence_id=held.id, name=held.name, version=held.version, outdated=outdated)
        await scope.tell(tx, told)
    return held


async def restore_evidence(scope: TenantScope, document_id: UUID) -> EvidenceDocument:
    """What was retired is in use again, as it was: drafts are written from it."""
    shown = await one_evidence(scope, document_id)
    held = shown.document
    kind = kept_as(held.kind)
    until = (held.audience, held.valid_until)
    paper = await asyncio.to_thread(read_paper, held.name, shown.body, kind, *until, held.version)
    async with scope.finish() as tx:
        await evidence.lock(tx, scope.tenant_id)
        if not await evidence.restore(tx, held.id):
            raise Conflict(f"{held.name} is in use already." if shown.newest.is_current else _outdated(shown))
        if held.audience == "public":
            await evidence.put_anew(tx, scope.tenant_id, held.id, paper, "answer" if held.kind == "answer" else "paper")
        if held.kind != "answer":
            await _find_replaced(scope, tx, held.id, paper)
        await scope.tell(tx, facts.EvidenceRestored(evidence_id=held.id, name=held.name, version=held.version))
    return held


def _require_current(shown: ShownEvidence) -> None:
    if not shown.document.is_current:
        raise Conflict(_outdated(shown))


def _outdated(shown: ShownEvidence) -> str:
    held, newest = shown.document, shown.newest
    if newest.retired_by:
        return f"{held.name} was retired by {spoken_actor(newest.retired_by)}: take it back in use first."
    by = spoken_actor(newest.created_by)
    return f"Version {held.version} of {held.name} is not the current one: version {newest.version} is, by {by}."


async def _put_version(
    scope: TenantScope,
    name: str,
    kind: str,
    text: str,
    digest: str,
    audience: Audience | None,
    valid_until: date | None,
) -> AddedEvidence:
    if len(text) > LONGEST_TEXT:
        raise BadRequest(f"{name} has more than {LONGEST_TEXT:,} letters. Split it, and hand in the parts.")
    paper = await asyncio.to_thread(read_paper, name, text, kept_as(kind), audience, valid_until)
    async with scope.finish() as tx:
        await evidence.lock(tx, scope.tenant_id)
        before = next(iter(await evidence.current(tx, name)), None)
        if before and _same(before, paper, digest):
            return AddedEvidence(before, is_new=False)
        version = await evidence.next_version(tx, name)
        if before is not None:
            await evidence.outdate(tx, before.id)
        made = _numbered(paper, version)
        document_id = await evidence.put(tx, scope.tenant_id, made, kind, text, digest, scope.actor, scope.now)
        replaced = await _find_replaced(scope, tx, document_id, made)
        told = facts.EvidenceAdded(
            evidence_id=document_id,
            name=name,
            version=version,
            audience=made.audience,
            snippets=len(made.snippets),
            outdated=len(await quotations.gone(tx, [name, *replaced], scope.now.date())),
        )
        await scope.tell(tx, told)
        [document] = await evidence.current(tx, name)
    return AddedEvidence(document, is_new=True)


def _clean_name(name: str) -> str:
    """A path below a folder, as people see it: no way up, nothing invisible, one spelling of an accent."""
    seen = "".join(
        letter
        for letter in unicodedata.normalize("NFC", name.replace("\\", "/"))
        if unicodedata.category(letter) not in INVISIBLE
    )
    clean = "/".join(part for part in map(str.strip, seen.split("/")) if part not in ("", ".", ".."))
    if not clean or len(clean) > LONGEST_NAME:
        raise BadRequest(f"A paper needs a name of up to {LONGEST_NAME} letters.")
    if _THREAD_CODE.fullmatch(clean):
        raise BadRequest(f"{clean} is the code of a thread: give the paper another name.")
    return clean


async def _text(scope: TenantScope, reader: PaperReader, name: str, content: bytes) -> tuple[str, str]:
    if len(content) > LARGEST_PAPER:
        raise BadRequest(f"{name} is larger than {LARGEST_PAPER // 1024 // 1024} MB.")
    kind = "pdf" if name.lower().endswith(".pdf") else kind_of(name)
    if kind is None:
        raise BadRequest(f"{name} is neither Markdown, text, HTML nor PDF.")
    try:
        if kind == "pdf":
            return kind, pdf_text(await reader.aread(content, tenant=scope.tenant_id))
        return kind, typed_text(content)
    except CannotRead as refusal:
        raise BadRequest(f"{name} cannot be read: {refusal}") from None


def _same(before: EvidenceDocument, paper: Paper, digest: str) -> bool:
    said = (paper.audience, paper.validity.valid_until)
    return before.sha256 == digest and (before.audience, before.valid_until) == said


def _numbered(paper: Paper, version: int) -> Paper:
    return Paper(
        paper.source, paper.title, paper.language, paper.audience, paper.validity, paper.snippets, paper.years, version
    )


async def _find_replaced(scope: TenantScope, tx: Tx, document_id: UUID, paper: Paper) -> list[str]:
    """Both ways: what comes in may be the older one. The names of those whose place it takes."""
    if paper.audience != "public" or paper.dated is None:
        return []
    older: list[str] = []
    rivals = [each for each in await evidence.current(tx) if each.id != document_id and each.dated is not None]
    held = {each.id: each for each in await evidence.bodies(tx, [each.id for each in rivals if _rivals(each, paper)])}
    for each in held.values():
        kind = kept_as(each.kind)
        other = await asyncio.to_thread(read_paper, each.name, each.body, kind, each.audience, each.valid_until)
        if (since := replaced_from(paper, other)) is not None:
            await evidence.put_replacement(tx, scope.tenant_id, each.id, document_id, since)
            older.append(each.name)
        elif (since := replaced_from(other, paper)) is not None:
            await evidence.put_replacement(tx, scope.tenant_id, document_id, each.id, since)
    return older


def _rivals(held: EvidenceDocument, paper: Paper) -> bool:
    return held.audience == "public" and title_agreement(held.title, paper.title) >= SAME_TITLE
