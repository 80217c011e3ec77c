"""What people do about a mailbox that is connected: pause, resume, other rules, another folder, and leaving."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from postroom.db.pool import Tx
from postroom.engine import queue as lanes
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.confirming import ConfirmingMode
from postroom.nouns.copilot import CopilotMode
from postroom.nouns.errors import PostroomError, StaleRevision
from postroom.nouns.ids import MailboxId
from postroom.nouns.jobs import Enqueue
from postroom.nouns.mailbox_rules import MailboxRules, confirming_modes
from postroom.nouns.pipelines import PipelineName, known_pipelines
from postroom.nouns.provider_traits import traits
from postroom.nouns.providers import Watch
from postroom.nouns.sending import SendingSwitch
from postroom.nouns.versions import require_seen
from postroom.rooms.mailboxes import rules, store, watch_store
from postroom.rooms.mailboxes.commands.finding import known
from postroom.rooms.mailboxes.jobs import KeepWatch
from postroom.rooms.mailboxes.ports import MailboxPorts

# Other processes remember for a few seconds which folder they opened.
UNTIL_ALL_KNOW = timedelta(seconds=6)


async def pause(scope: TenantScope, mailbox_id: MailboxId, because: str = "A person paused it.") -> None:
    async with scope.finish() as tx:
        mailbox = known(await store.mailbox(tx, mailbox_id), mailbox_id)
        rules.require_connected(mailbox.address, mailbox.status)
        if await store.pause(tx, mailbox_id, because, scope.now):
            await scope.tell(tx, facts.MailboxPaused(mailbox_id=mailbox_id))


async def resume(scope: TenantScope, mailbox_id: MailboxId) -> None:
    """Goes on where it stopped, and reconciles the gap. Also where the provider refused: a person has seen to it."""
    async with scope.finish() as tx:
        mailbox = known(await store.mailbox(tx, mailbox_id), mailbox_id)
        rules.require_connected(mailbox.address, mailbox.status)
        rules.require_access(mailbox.address, mailbox.status, mailbox.because)
        again = mailbox.status == "provider_error" and await store.recovered(tx, mailbox_id)
        if again or await store.resume(tx, mailbox_id):
            await lanes.unpark(tx, scope.tenant_id, f"mailbox:{mailbox_id}")
            await scope.tell(tx, facts.MailboxResumed(mailbox_id=mailbox_id))


async def set_rules(
    scope: TenantScope,
    mailbox_id: MailboxId,
    wanted: MailboxRules,
    pipelines: Sequence[str] | None = None,
    seen: str | None = None,
) -> store.Mailbox:
    """What is kept of the mail that comes from now on; `pipelines=None` leaves those as they are. Safe to repeat.

    What may be confirmed by itself is not changed in passing: that is `set_confirming`. `seen` is the version that the
    person looked at; another one is refused.
    """
    chosen = None if pipelines is None else known_pipelines(pipelines)
    async with scope.finish() as tx:
        before = known(await store.mailbox_to_change(tx, mailbox_id), mailbox_id)
        require_seen(seen, before.rules_version, f"the rules of {before.address}")
        wanted = replace(wanted, confirming=before.rules.confirming)
        after = before.pipelines if chosen is None else [str(name) for name in chosen]
        if (before.rules, before.pipelines) != (wanted, after):
            await store.set_rules(tx, mailbox_id, wanted, after)
            changed = facts.MailboxRulesChanged(
                mailbox_id=mailbox_id,
                before=before.rules.as_json(),
                after=wanted.as_json(),
                pipelines_before=before.pipelines,
                pipelines=after,
            )
            await scope.tell(tx, changed)
        return known(await store.mailbox(tx, mailbox_id), mailbox_id)


async def set_confirming(
    scope: TenantScope,
    mailbox_id: MailboxId,
    wanted: Mapping[PipelineName, ConfirmingMode],
    seen: Mapping[PipelineName, ConfirmingMode] | None = None,
) -> store.Mailbox:
    """Off, shadow or on for the pipelines that are named; the others stay. It counts for documents read from now on.

    `seen` is what the person looked at; is it another mode by now, nothing changes. Safe to repeat.
    """
    async with scope.finish() as tx:
        before = known(await store.mailbox_to_change(tx, mailbox_id), mailbox_id)
        for pipeline, mode in (seen or {}).items():
            if (held := before.rules.confirms(pipeline)) != mode:
                raise StaleRevision(f"Somebody switched this to {held} since you looked: look again, then decide.")
        changed = {name: mode for name, mode in wanted.items() if before.rules.confirms(name) != mode}
        if changed:
            modes = confirming_modes(dict(before.rules.confirming) | changed)
            await store.set_rules(tx, mailbox_id, replace(before.rules, confirming=modes), before.pipelines)
        for pipeline, mode in changed.items():
            switched = facts.ConfirmingSwitched(
                mailbox_id=mailbox_id, pipeline=pipeline, before=before.rules.confirms(pipeline), after=mode
            )
            await scope.tell(tx, switched)
        return known(await store.mailbox(tx, mailbox_id), mailbox_id)


async def set_copilot(
    scope: TenantScope,
    mailbox_id: MailboxId,
    copilot: CopilotMode,
    operators: Sequence[str] | None = None,
    seen: str | None = None,
) -> store.Mailbox:
    """Off, labels, or drafts too. Labels of ours are taken off again when it is switched off. Safe to repeat.

    With `operators`, who answers for the mailbox is said in the same commit. `seen` is the version that the person
    looked at; another one is refused.
    """
    addresses = None if operators is None else rules.clean_operators(operators)
    async with scope.finish() as tx:
        mailbox = known(await store.mailbox_to_change(tx, mailbox_id), mailbox_id)
        require_seen(seen, mailbox.copilot_version, f"the copilot of {mailbox.address}")
        rules.require_copilot(mailbox.provider, copilot)
        if addresses is not None:
            await _put_operators(tx, scope, mailbox, addresses)
        if mailbox.copilot != copilot:
            await store.set_copilot(tx, mailbox_id, copilot)
            sends = await store.tenant_sends(tx)
            if rules.lacks_right(mailbox.access, copilot, mailbox.capability, sends=sends):
                await store.note_attention(tx, mailbox_id, "missing_right", rules.MISSING_RIGHT, scope.now)
            switched = facts.CopilotSwitched(mailbox_id=mailbox_id, before=mailbox.copilot, after=copilot)
            await scope.tell(tx, switched)
        return known(await store.mailbox(tx, mailbox_id), mailbox_id)


async def set_sending(scope: TenantScope, mailbox_id: MailboxId, sending: SendingSwitch) -> store.Mailbox:
    """The kill switch of one mailbox: off stops also what was approved. Safe to repeat."""
    async with scope.finish() as tx:
        mailbox = known(await store.mailbox_to_change(tx, mailbox_id), mailbox_id)
        if mailbox.sending != sending:
            await store.set_sending(tx, mailbox_id, sending)
            await scope.tell(tx, facts.MailboxSendingSwitched(mailbox_id=mailbox_id, sending=sending))
        return known(await store.mailbox(tx, mailbox_id), mailbox_id)


async def set_operators(scope: TenantScope, mailbox_id: MailboxId, wanted: Sequence[str]) -> store.Mailbox:
    """Who answers for the mailbox besides its own addresses and the tenant's people. Safe to repeat."""
    addresses = rules.clean_operators(wanted)
    async with scope.finish() as tx:
        mailbox = known(await store.mailbox_to_change(tx, mailbox_id), mailbox_id)
        await _put_operators(tx, scope, mailbox, addresses)
        return known(await store.mailbox(tx, mailbox_id), mailbox_id)


async def _put_operators(tx: Tx, scope: TenantScope, mailbox: store.Mailbox, addresses: list[str]) -> None:
    if mailbox.operators != addresses:
        await store.set_operators(tx, mailbox.id, addresses)
        changed = facts.OperatorsChanged(mailbox_id=mailbox.id, before=mailbox.operators, after=addresses)
        await scope.tell(tx, changed)


async def set_folder(
    scope: TenantScope, outside: MailboxPorts, mailbox_id: MailboxId, folder: str, seen: str | None = None
) -> store.Mailbox:
    """Serve another folder: the cursor begins anew, and what came there in the last days is taken in.

    Folder, cursor, fact and jobs are one commit. What was taken in from the old folder stays. Safe to repeat. `seen` is
    the folder that the person saw; is it another one by now, nothing changes.
    """
    async with scope.finish() as tx:
        mailbox = known(await store.mailbox_to_change(tx, mailbox_id, beside_its_mail=True), mailbox_id)
        require_seen(seen, mailbox.folder, f"the folder of {mailbox.address}")
        name = rules.clean_folder(folder, mailbox.provider)
        if name != mailbox.folder and await store.set_folder(tx, mailbox_id, name, scope.now):
            changed = facts.MailboxFolderChanged(mailbox_id=mailbox_id, before=mailbox.folder, after=name)
            await scope.tell(tx, changed)
            if mailbox.status == "provider_error":  # the old folder may have been what was wrong
                await store.recovered(tx, mailbox_id)
                await lanes.unpark(tx, scope.tenant_id, f"mailbox:{mailbox_id}")
            await scope.enqueue(tx, Enqueue(KeepWatch(mailbox_id), run_at=scope.now + UNTIL_ALL_KNOW))
        changed_mailbox = known(await store.mailbox(tx, mailbox_id), mailbox_id)
    outside.forget(mailbox_id)
    return changed_mailbox


async def disconnect(scope: TenantScope, outside: MailboxPorts, mailbox_id: MailboxId) -> None:
    """Stop being told, give the grant back, forget the tokens. What we took in stays."""
    async with scope.read() as tx:
        mailbox = known(await store.mailbox(tx, mailbox_id), mailbox_id)
        held = await watch_store.active_subscriptions(tx, mailbox_id)
    await _let_go(scope, outside, mailbox, held)
    async with scope.finish() as tx:
        for each in held:
            await watch_store.mark_removed(tx, each.subscription_id)
        await watch_store.mark_gmail_watch(tx, mailbox_id, "removed")
        await store.remove_token(tx, mailbox_id)
        if await store.disconnect(tx, mailbox_id, scope.now):
            await scope.tell(tx, facts.MailboxDisconnected(mailbox_id=mailbox_id))
    outside.forget(mailbox_id)


async def _let_go(
    scope: TenantScope, outside: MailboxPorts, mailbox: store.Mailbox, held: Sequence[watch_store.SubscriptionRow]
) -> None:
    """As far as the provider still lets us: a grant that is gone already is no reason to stay connected."""
    watches = [(each.subscription_id, each.resource) for each in held]
    if not watches and traits(mailbox.provider).push == "topic":
        watches = [(mailbox.address, "")]
    for watch_id, resource in watches:
        with contextlib.suppress(PostroomError):
            provider = await outside.open_mailbox(scope.tenant_id, mailbox.id)
            await provider.unwatch(Watch(watch_id, resource, scope.now, ""))
    with contextlib.suppress(PostroomError):
        tokens = await outside.tokens.get(scope.tenant_id, mailbox.id)
        consent = outside.consent(mailbox.provider)
        if tokens is not None and consent is not None:
            await consent.revoke(tokens)
    await outside.keep_tokens(scope.tenant_id, mailbox.id, None)
