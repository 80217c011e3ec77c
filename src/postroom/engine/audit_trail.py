"""The audit trail as the house keeps it: sealed with its key, its heads noted elsewhere, verified against both."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

import structlog

from postroom.db import sql
from postroom.db.pool import Database
from postroom.engine import audit_chain
from postroom.engine.audit_anchors import Anchor, ArchivedAnchors, FolderAnchors, in_force
from postroom.engine.audit_chain import ChainKeys, ChainReport, Seal
from postroom.nouns.errors import NotFound, PostroomError
from postroom.nouns.ids import TenantId

QUERIES = sql.load("postroom.engine")
log = structlog.get_logger()


class AuditTrail:
    """One for the house; every door that verifies goes through it."""

    def __init__(
        self,
        db: Database,
        keys: ChainKeys,
        clock: Callable[[], datetime],
        folder: FolderAnchors,
        archive: ArchivedAnchors,
    ) -> None:
        self._db, self._keys, self._clock, self._folder, self._archive = db, keys, clock, folder, archive
        self._archived: dict[TenantId, int] = {}

    async def seal_all(self) -> None:
        async with self._db.front_desk() as tx:
            tenants = await tx.values(QUERIES.unsealed_tenants)
        for tenant in tenants:
            await self.seal(TenantId(tenant))

    async def seal(self, tenant_id: TenantId) -> Seal | None:
        """What is settled, and its head is noted in our folder."""
        sealed = await audit_chain.seal(self._db, self._keys, tenant_id, self._clock())
        if sealed is not None:
            try:
                await self._folder.note(self._anchor(tenant_id, sealed))
            except OSError as problem:  # the chain itself is whole; the archive gets its heads as well
                log.warning("head not noted", tenant=str(tenant_id), error=problem.strerror)
        return sealed

    async def archive_heads(self) -> None:
        """Of every tenant whose chain grew since we did this last."""
        async with self._db.front_desk() as tx:
            tenants = [TenantId(each) for each in await tx.values(QUERIES.tenants)]
        for tenant in tenants:
            sealed = await audit_chain.head_of(self._db, tenant)
            if sealed is not None and self._archived.get(tenant) != sealed.number:
                await self._archive.note(self._anchor(tenant, sealed))
                self._archived[tenant] = sealed.number

    async def verify(self, tenant_id: TenantId, expected_head: str | None = None) -> ChainReport:
        """Seals what is not sealed, then walks the chain and holds it against every head that was noted."""
        noted, unread = await self._noted(tenant_id)
        await self.seal(tenant_id)
        report = await audit_chain.verify(self._db, self._keys, tenant_id, in_force(noted), expected_head)
        report.problems.extend(unread)
        return report

    async def accept(self, tenant_id: TenantId, because: str) -> Seal:
        """A person's word that the chain is right from here on, although noted heads are not in it: a restore."""
        await self.seal(tenant_id)
        sealed = await audit_chain.head_of(self._db, tenant_id)
        if sealed is None:
            raise NotFound("Nothing is sealed yet, so there is nothing to accept.")
        anchor = self._anchor(tenant_id, sealed, because)
        await self._folder.note(anchor)
        await self._archive.note(anchor)
        return sealed

    async def vanished(self, known: set[UUID]) -> set[UUID]:
        """Tenants whose heads were noted, and who are not there any more."""
        return await self._folder.tenants() - known

    async def _noted(self, tenant_id: TenantId) -> tuple[list[Anchor], list[str]]:
        noted, unread = [], []
        for place, name in ((self._folder, "POSTROOM_HOME"), (self._archive, "the archive")):
            try:
                noted += await place.noted(tenant_id)
            except (OSError, PostroomError) as problem:
                unread.append(f"The heads noted in {name} cannot be read: {problem}")
        return noted, unread

    def _anchor(self, tenant_id: TenantId, sealed: Seal, because: str | None = None) -> Anchor:
        return Anchor(tenant_id, sealed.number, sealed.chain.hex(), self._clock(), because)
