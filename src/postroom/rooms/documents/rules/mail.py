"""What a mail means for the pipelines of its mailbox."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal

from postroom.nouns.documents import DocumentType
from postroom.nouns.pipelines import Disposition, pipeline_of
from postroom.nouns.provider_traits import traits
from postroom.nouns.providers import ProviderName

Source = Literal["graph_webhook", "gmail_push", "poller", "backfill", "files", "manual_upload"]
Status = Literal["waiting", "read", "review", "confirmed", "duplicate", "rejected", "skipped", "failed"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one document, as far as its message is concerned."""

    filename: str
    kind: DocumentType
    status: Status
    because: str
    trades: int = 0
    archive_path: str | None = None


def source_of(provider: ProviderName, how: str) -> Source:
    """The archive's word for how a message came to us."""
    if how == "import" or not traits(provider).is_synced:
        return "files"
    if how in ("backfill", "reconcile"):
        return "backfill"
    return "poller" if how == "poll" else traits(provider).push_source


def archive_folder(tenant_name: str) -> str:
    """The default tenant's archive is laid out without a folder of its own; the others' stand beside it."""
    return "" if tenant_name == "default" else f"tenant={tenant_name}"


def dispose(pipeline: str, outcomes: Iterable[Outcome], dropped: Collection[str]) -> Disposition:
    """Every message gets a word for every pipeline. `dropped` says what was left out, and why."""
    every = list(outcomes)
    failed = [each for each in every if each.status == "failed"]
    mine = [each for each in every if pipeline_of(each.kind) == pipeline and each.status not in ("failed", "skipped")]
    if mine:
        return Disposition(pipeline, "processed", None, _told(mine, failed))
    if failed:
        return Disposition(pipeline, "failed", "unreadable", _named(failed))
    if every:
        return Disposition(pipeline, "filtered", "other_kind", f"Nothing for this pipeline: {_named(every)}")
    if dropped:
        return Disposition(pipeline, "filtered", "attachment_rule", " ".join(list(dropped)[:5]))
    return Disposition(pipeline, "filtered", "no_document", "The mail has no document with it.")


def _told(mine: list[Outcome], failed: list[Outcome]) -> str:
    text = _named(mine)
    return f"{text} Could not be read: {_named(failed)}" if failed else text


def _named(outcomes: list[Outcome]) -> str:
    shown = " ".join(f"{each.filename}: {each.status}. {each.because}".strip() for each in outcomes[:5])
    return f"{shown} And {len(outcomes) - 5} more." if len(outcomes) > 5 else shown
