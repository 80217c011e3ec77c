"""Papers as they are today, and the words that a draft quotes although they stand in none of them any more."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from postroom.db import sql
from postroom.db.pool import Tx

QUERIES = sql.load(__package__ or "", "papers.sql")
LONGEST_QUOTE = 160  # letters of it in a sentence


@dataclass(frozen=True, slots=True)
class PaperRow:
    """The newest version of a paper."""

    name: str
    id: UUID
    is_current: bool
    audience: str
    valid_until: date | None
    replaced_by: str | None


@dataclass(frozen=True, slots=True)
class PaperToday:
    """What a paper says on a day; without a row none is kept."""

    name: str
    row: PaperRow | None
    lines: frozenset[str]
    today: date

    def says(self, quote: str) -> bool:
        return self._fate() is None and _settled(quote) in self.lines

    def because(self, quote: str) -> str:
        """What became of words that it does not say."""
        fate, said = self._fate(), _settled(quote)
        short = said if len(said) <= LONGEST_QUOTE else f"{said[:LONGEST_QUOTE].rstrip()} …"
        if fate is None:
            return f"{self.name} was changed: it does not say “{short}” any more."
        return f"{self.name} {fate}: it said “{short}”."

    def _fate(self) -> str | None:
        row = self.row
        if row is None or not row.is_current:
            return "was retired"
        if row.audience != "public":
            return "is internal now"
        if row.valid_until is not None and row.valid_until < self.today:
            return f"held until {row.valid_until}"
        return f"was replaced by {row.replaced_by}" if row.replaced_by is not None else None


@dataclass(frozen=True, slots=True)
class OutdatedQuote:
    """Words that a draft quotes, of a paper that does not say them today. `paper_id`: its newest version, if kept."""

    name: str
    paper_id: UUID | None
    quote: str
    because: str


@dataclass(frozen=True, slots=True)
class _Line:
    document_id: UUID
    raw: str
    last: date | None


@dataclass(frozen=True, slots=True)
class _Quotation:
    revision_id: UUID
    name: str
    quote: str
    statement: str


async def papers_today(tx: Tx, names: Collection[str], today: date) -> dict[str, PaperToday]:
    """Each of the names, also those of which nothing is kept."""
    rows = {each.name: each for each in await tx.rows(QUERIES.papers_today, PaperRow, names=list(names), today=today)}
    current = [each.id for each in rows.values() if each.is_current]
    lines: dict[UUID, set[str]] = defaultdict(set)
    for line in await tx.rows(QUERIES.lines_of_papers, _Line, documents=current) if current else ():
        if line.last is None or line.last >= today:
            lines[line.document_id].add(_settled(line.raw))
    return {
        name: PaperToday(name, row, frozenset(lines[row.id] if row else ()), today)
        for name in names
        for row in [rows.get(name)]
    }


async def outdated_quotes(
    tx: Tx, drafts: Mapping[UUID, str | None], today: date
) -> dict[UUID, tuple[OutdatedQuote, ...]]:
    """By draft, with the words that it has now: a statement that a person took out of it rests on nothing any more.

    Without words every statement counts. Only drafts that wait have quotations.
    """
    rows = await tx.rows(QUERIES.quotations, _Quotation, drafts=list(drafts))
    papers = await papers_today(tx, {each.name for each in rows}, today) if rows else {}
    words = {draft: None if body is None else _bare(body) for draft, body in drafts.items()}
    found: dict[UUID, dict[OutdatedQuote, None]] = {draft: {} for draft in drafts}
    for each in rows:
        paper, said = papers[each.name], words[each.revision_id]
        if paper.says(each.quote) or (said is not None and _bare(each.statement) not in said):
            continue
        paper_id = paper.row.id if paper.row else None
        found[each.revision_id][OutdatedQuote(each.name, paper_id, each.quote, paper.because(each.quote))] = None
    return {draft: tuple(quotes) for draft, quotes in found.items()}


async def outdated(tx: Tx, draft_id: UUID, today: date, body: str | None = None) -> tuple[OutdatedQuote, ...]:
    return (await outdated_quotes(tx, {draft_id: body}, today))[draft_id]


def _settled(text: str) -> str:
    return " ".join(text.split())


def _bare(text: str) -> str:
    return "".join(text.split()).casefold()
