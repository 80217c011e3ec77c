"""Heads of the audit chain, noted where the database does not reach: in a folder of ours, and in the archive.

Whoever can write to the database can drop facts and let the house seal the rest anew. What they cannot do is make the
new chain contain the heads that were noted here.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol
from uuid import UUID

import msgspec

from postroom.nouns.ids import TenantId

FOLDER = "audit-heads"
MOMENT = "%Y%m%dT%H%M%S"
_NAME = re.compile(r"(?P<at>\d{8}T\d{6})-(?P<number>\d+)-(?P<head>[0-9a-f]{64})(?P<accepted>-accepted)?\.json")


@dataclass(frozen=True, slots=True)
class Anchor:
    """A head as it was noted. With `because` it is a person's word that the chain begins to count here."""

    tenant_id: UUID
    number: int
    head: str
    noted_at: datetime
    because: str | None = None
    place: str = field(default="", compare=False)


class AnchorArchive(Protocol):
    """What noting heads asks of the archive."""

    async def put_if_absent(self, key: str, data: bytes, metadata: Mapping[str, str], content_type: str) -> bool: ...

    def beneath(self, prefix: str = "") -> AsyncIterator[str]: ...


class FolderAnchors:
    """Below POSTROOM_HOME: the newest head of each tenant, and one for every hour in which there was one."""

    def __init__(self, home: Path) -> None:
        self._folder = home / FOLDER

    async def note(self, anchor: Anchor) -> None:
        await asyncio.to_thread(self._note, anchor)

    async def noted(self, tenant_id: TenantId) -> list[Anchor]:
        return await asyncio.to_thread(self._noted, f"{tenant_id}")

    async def tenants(self) -> set[UUID]:
        names = await asyncio.to_thread(lambda: list(self._folder.glob("*.jsonl")) if self._folder.is_dir() else [])
        return {UUID(path.stem) for path in names}

    def _note(self, anchor: Anchor) -> None:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        history, newest = self._folder / f"{anchor.tenant_id}.jsonl", self._folder / f"{anchor.tenant_id}.newest"
        line = msgspec.json.encode(anchor) + b"\n"
        last = self._last(newest)
        if last is None or anchor.because or _hour(last) != _hour(anchor):
            with history.open("ab") as file:
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        draft = newest.with_suffix(f".{os.getpid()}.draft")
        draft.write_bytes(line)
        draft.replace(newest)

    def _last(self, newest: Path) -> Anchor | None:
        return msgspec.json.decode(newest.read_bytes(), type=Anchor) if newest.exists() else None

    def _noted(self, tenant: str) -> list[Anchor]:
        found = []
        for path in (self._folder / f"{tenant}.jsonl", self._folder / f"{tenant}.newest"):
            lines = path.read_bytes().splitlines() if path.exists() else []
            found += [_decoded(line, str(path)) for line in lines if line]
        return found


class ArchivedAnchors:
    """In the archive: written once, one for every hour in which there was one. Keys say all, so listing is enough."""

    def __init__(self, archive: AnchorArchive) -> None:
        self._archive = archive

    async def note(self, anchor: Anchor) -> None:
        name = f"{anchor.noted_at:{MOMENT}}-{anchor.number}-{anchor.head}{'-accepted' if anchor.because else ''}.json"
        key = f"{FOLDER}/{anchor.tenant_id}/{name}"
        await self._archive.put_if_absent(key, msgspec.json.encode(anchor), {}, "application/json")

    async def noted(self, tenant_id: TenantId) -> list[Anchor]:
        keys = [key async for key in self._archive.beneath(f"{FOLDER}/{tenant_id}")]
        return [anchor for key in keys if (anchor := _named(tenant_id, key)) is not None]


def in_force(noted: Sequence[Anchor]) -> list[Anchor]:
    """What still binds: a person may have accepted, and said why, that the chain is another since."""
    accepted = max((each.noted_at for each in noted if each.because), default=None)
    return [each for each in noted if accepted is None or each.noted_at >= accepted]


def _decoded(line: bytes, place: str) -> Anchor:
    found = msgspec.json.decode(line, type=Anchor)
    return Anchor(found.tenant_id, found.number, found.head, found.noted_at, found.because, place)


def _named(tenant_id: TenantId, key: str) -> Anchor | None:
    found = _NAME.fullmatch(key.rpartition("/")[2])
    if found is None:
        return None
    at = datetime.strptime(found["at"], MOMENT).replace(tzinfo=UTC)
    because = "accepted" if found["accepted"] else None
    return Anchor(tenant_id, int(found["number"]), found["head"], at, because, f"the archive ({key})")


def _hour(anchor: Anchor) -> str:
    return f"{anchor.noted_at:%Y%m%dT%H}"
