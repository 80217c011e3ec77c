"""What people ask of a mailbox's sync: read on, compare with the provider, list everything anew."""

from __future__ import annotations

from datetime import datetime, timedelta

from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.actors import spoken_actor
from postroom.nouns.errors import BadRequest, Conflict, NotFound
from postroom.nouns.ids import MailboxId
from postroom.rooms.sync import store
from postroom.rooms.sync.jobs import ReconcileMailbox, SyncMailbox

DAYS = timedelta(days=7)
FURTHEST = timedelta(days=366)


async def sync(scope: TenantScope, mailbox_id: MailboxId) -> None:
    """Read on from the cursor now."""
    async with scope.finish() as tx:
        await _served(tx, mailbox_id)
        await scope.enqueue(tx, SyncMailbox(mailbox_id))


async def reconcile(scope: TenantScope, mailbox_id: MailboxId, since: datetime | None = None) -> None:
    """Read on, then compare with what the provider lists; what is missing is taken in."""
    async with scope.finish() as tx:
        await _served(tx, mailbox_id)
        await scope.enqueue(tx, SyncMailbox(mailbox_id), ReconcileMailbox(mailbox_id, since))


async def resync(scope: TenantScope, mailbox_id: MailboxId, since: datetime | None = None) -> datetime:
    """List everything since then anew, 7 days if not said; what is held already is not taken in twice."""
    wanted = since or scope.now - DAYS
    if wanted > scope.now:
        raise BadRequest("Choose a moment in the past: everything since then is listed anew.")
    if scope.now - wanted > FURTHEST:
        raise BadRequest("A resync goes back a year at most; older mail is brought in with `postroom ingest`.")
    async with scope.finish() as tx:
        await _served(tx, mailbox_id)
        await store.start_resync(tx, scope.tenant_id, mailbox_id, wanted)
        asked = f"{spoken_actor(scope.actor)} asked for it."
        await scope.tell(tx, facts.CursorLost(mailbox_id=mailbox_id, since=wanted, because=asked))
    return wanted


async def _served(tx: Tx, mailbox_id: MailboxId) -> None:
    found = await store.sync_state(tx, mailbox_id)
    if found is None:
        raise NotFound(f"There is no mailbox {mailbox_id}.")
    if found.paused or found.status == "disconnected":
        state = "paused" if found.paused else found.status
        raise Conflict(f"{found.address} is {state}: {'resume' if found.paused else 'connect'} it first.")
