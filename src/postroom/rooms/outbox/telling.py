"""What is told of a proposal, and how one ends: the same for jobs and for people."""

from __future__ import annotations

from typing import Any

from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.walks import Walk
from postroom.rooms.outbox.store import approvals, proposals, sending
from postroom.rooms.outbox.store.proposals import NewProposal, ProposalCase


def about(scope: TenantScope, case: ProposalCase) -> dict[str, Any]:
    """The ids of a fact about the proposal; from now on what is told carries those of the mail it answers, too."""
    scope.about(walk_of(case))
    return {"proposal_id": case.id, "mailbox_id": case.mailbox_id, "thread_id": case.thread_id}


def walk_of(case: ProposalCase) -> Walk:
    return Walk(case.mailbox_id, case.thread_id, case.message_id, case.thread_ref, case.answers)


async def make(tx: Tx, scope: TenantScope, new: NewProposal) -> None:
    await proposals.put(tx, scope.tenant_id, new, scope.now)
    told = facts.ProposalMade(
        proposal_id=new.id,
        mailbox_id=new.mailbox_id,
        thread_id=new.thread_id,
        message_id=new.message_id,
        draft_id=new.draft_id,
        what=new.kind,
        origin=new.origin,
        hash=new.hash,
        recipients=len(new.mail.recipients),
        files=len(new.mail.files),
        needed=new.needed,
        replaces=new.replaces,
    )
    await scope.tell(tx, told)


async def void(tx: Tx, scope: TenantScope, case: ProposalCase, because: str) -> bool:
    """It is never sent. False when it is another one by now."""
    if not await proposals.set_status(tx, case, "void", because, scope.now):
        return False
    await approvals.end(tx, case.id, because, scope.now)
    told = facts.ProposalVoided(**about(scope, case), hash=case.hash, because=because, was=case.status)
    await scope.tell(tx, told)
    return True


async def revoke(tx: Tx, scope: TenantScope, case: ProposalCase, because: str) -> bool:
    """Every yes to it is taken back; it may be approved anew."""
    if not await proposals.set_status(tx, case, "revoked", because, scope.now):
        return False
    none = await approvals.end(tx, case.id, because, scope.now) == 0
    await scope.tell(tx, facts.ProposalRevoked(**about(scope, case), hash=case.hash, because=because, withdrawn=none))
    return True


async def wait_again(tx: Tx, scope: TenantScope, case: ProposalCase, because: str) -> bool:
    """An approval does not suffice any more."""
    if not await proposals.set_status(tx, case, "waiting", because, scope.now):
        return False
    await scope.tell(tx, facts.ProposalRevoked(**about(scope, case), hash=case.hash, because=because))
    return True


async def give_back(tx: Tx, scope: TenantScope, case: ProposalCase, because: str) -> None:
    """It was not sent, and that is certain."""
    if await sending.give_back(tx, case.id, because, scope.now):
        await scope.tell(tx, facts.SendGivenBack(**about(scope, case), hash=case.hash, because=because))


async def sent(
    tx: Tx, scope: TenantScope, case: ProposalCase, how: str, ref: str | None, message_id: str, because: str
) -> None:
    if not await sending.put_sent(tx, case.id, ref, message_id, because, scope.now):
        return
    await sending.note_written_to(tx, scope.tenant_id, case.mail.recipients, scope.now)
    await tell_sent(tx, scope, case, how, ref)


async def tell_sent(tx: Tx, scope: TenantScope, case: ProposalCase, how: str, ref: str | None) -> None:
    told = facts.ReplySent(
        **about(scope, case),
        draft_id=case.draft_id,
        hash=case.hash,
        how=how,
        provider_message_id=ref,
        copilot=case.copilot,
    )
    await scope.tell(tx, told)
