"""The pipelines that read mail: their names in the shared ledger, and which documents each is for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from postroom.nouns.documents import DocumentType
from postroom.nouns.errors import BadRequest

PipelineName = Literal["pad_contract_notes", "ap_invoices"]
CONTRACT_NOTES: Final = "pad_contract_notes"
INVOICES: Final = "ap_invoices"
DispositionStatus = Literal["pending", "processed", "filtered", "failed", "deleted"]


@dataclass(frozen=True, slots=True)
class Pipeline:
    """`name` is the ledger's `app_name` and never changes; `title` is for people."""

    name: PipelineName
    title: str
    reads: frozenset[DocumentType]


@dataclass(frozen=True, slots=True)
class Disposition:
    """What became of a message in one pipeline."""

    pipeline: str
    status: DispositionStatus
    rule: str | None
    because: str | None


_ALL = (
    Pipeline(CONTRACT_NOTES, "Contract notes", frozenset({"contract_note", "activity_statement"})),
    Pipeline(INVOICES, "Invoices", frozenset({"invoice"})),
)
PIPELINES: Mapping[PipelineName, Pipeline] = {each.name: each for each in _ALL}


def pipeline_of(kind: DocumentType) -> PipelineName | None:
    """Which pipeline a document of this type is for, if any."""
    return next((each.name for each in _ALL if kind in each.reads), None)


def known_pipelines(wanted: Sequence[str]) -> list[PipelineName]:
    """In the order of this page. Raises BadRequest for a name that is none."""
    if odd := [name for name in wanted if name not in PIPELINES]:
        raise BadRequest(f"{odd[0]!r} is not a pipeline; choose among {', '.join(PIPELINES)}.")
    return [name for name in PIPELINES if name in wanted]
