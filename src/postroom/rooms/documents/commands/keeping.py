"""Passwords of protected files, and the senders that may be believed."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.errors import BadRequest, Conflict, NotFound
from postroom.nouns.ids import new_id
from postroom.nouns.pipelines import known_pipelines
from postroom.nouns.secrets import Secret
from postroom.ports import Sealing
from postroom.rooms.documents.ports import about_password
from postroom.rooms.documents.store import documents, reviews

LONGEST_PASSWORD = 127  # of a PDF
LONGEST_LABEL = 100


async def add_password(who: TenantScope, sealer: Sealing, label: str, password: Secret) -> int:
    """Keep a password for protected PDFs. Returns how many documents that waited for one are tried again."""
    label = label.strip()
    if not label or len(label) > LONGEST_LABEL:
        raise BadRequest(f"Give the password a name of up to {LONGEST_LABEL} characters, such as the sender's.")
    if not 0 < len(password.reveal().encode()) <= LONGEST_PASSWORD:
        raise BadRequest(f"A PDF's password has 1 to {LONGEST_PASSWORD} bytes.")
    password_id = new_id()
    sealed = sealer.seal(password.reveal().encode(), about=about_password(who.tenant_id, password_id))
    async with who.finish() as tx:
        if not await reviews.put_password(tx, who.tenant_id, password_id, label, sealed, who.actor, who.now):
            raise Conflict(f"There is a password named {label} already; remove it first.")
        await who.tell(tx, facts.PasswordChanged(label=label, added=True))
        waiting = await documents.failed_for_password(tx)
        for each in waiting:
            told = facts.DocumentRetried(
                document_id=each.id,
                message_id=each.message_id,
                mailbox_id=each.mailbox_id,
                because=f"The password {label} was added.",
            )
            await who.tell(tx, told)
    return len(waiting)


async def passwords(who: TenantScope) -> Sequence[reviews.Password]:
    """Their names; what they are stays sealed."""
    async with who.read() as tx:
        return await reviews.passwords(tx)


async def remove_password(who: TenantScope, password_id: UUID) -> None:
    async with who.finish() as tx:
        label = await reviews.drop_password(tx, password_id)
        if label is None:
            raise NotFound(f"There is no password {password_id}.")
        await who.tell(tx, facts.PasswordChanged(label=label, added=False))


async def allow_sender(who: TenantScope, pipeline: str, entry: str) -> bool:
    """An address, a domain with what is below it, or a glob. False when it was allowed already."""
    clean = entry.strip().lower()
    if not clean or any(char.isspace() for char in clean) or "." not in clean.rpartition("@")[2]:
        raise BadRequest(f"{entry!r} is no sender: write notes@bank.example, bank.example or *@*.bank.example.")
    known_pipelines([pipeline])
    async with who.finish() as tx:
        if not await reviews.put_sender_rule(tx, who.tenant_id, pipeline, clean, who.actor, who.now):
            return False
        await who.tell(tx, facts.SenderRuleChanged(pipeline=pipeline, entry=clean, allowed=True))
    return True


async def disallow_sender(who: TenantScope, rule_id: UUID) -> None:
    async with who.finish() as tx:
        dropped = await reviews.drop_sender_rule(tx, rule_id)
        if dropped is None:
            raise NotFound(f"There is no sender rule {rule_id}.")
        told = facts.SenderRuleChanged(pipeline=dropped.pipeline, entry=dropped.entry, allowed=False)
        await who.tell(tx, told)


async def learnt_profiles(who: TenantScope) -> Sequence[reviews.LearntProfile]:
    """What corrections taught, sender by sender."""
    async with who.read() as tx:
        return await reviews.profiles(tx)


async def forget_profile(who: TenantScope, sender_email: str) -> None:
    """Read this sender's next documents as if nobody had ever corrected one."""
    async with who.finish() as tx:
        if not await reviews.drop_profile(tx, sender_email):
            raise NotFound(f"Nothing was learned of {sender_email}.")
        await who.tell(tx, facts.ProfileForgotten(sender_email=sender_email))


async def sender_rules(who: TenantScope) -> Sequence[reviews.SenderRule]:
    async with who.read() as tx:
        return await reviews.sender_rules(tx)
