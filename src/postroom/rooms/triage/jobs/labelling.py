"""Writing the label of a thread: intended first, then written, then recorded, so that a crash leaves no riddle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from postroom.db.pool import Tx
from postroom.engine.work import Work
from postroom.nouns import facts
from postroom.nouns.copilot import StateKey, state_labels
from postroom.nouns.errors import PermissionDenied
from postroom.nouns.threads import StateLabel
from postroom.ports import CopilotMailbox
from postroom.rooms.triage.ports import TriagePorts
from postroom.rooms.triage.store import threads
from postroom.rooms.triage.store.threads import ThreadCase


@dataclass(frozen=True, slots=True)
class LabelWrite:
    """What a thread shall bear, and on which messages we saw to it."""

    name: str | None
    refs: Sequence[str]


def labels_of_ours(case: ThreadCase, namespace: str) -> list[StateLabel]:
    """All that may be on a thread, also from when they were called otherwise."""
    now = list(state_labels(namespace).values())
    named = {each.name for each in now}
    earlier = {name for name in (case.label, case.label_intended) if name and name not in named}
    return [*now, *(StateLabel(name, "yellow") for name in sorted(earlier))]


async def write_label(work: Work[TriagePorts], box: CopilotMailbox, case: ThreadCase, wanted: LabelWrite) -> None:
    """And the end of the job. A right that is missing stops this, and nothing else."""
    namespace = work.outside.label_namespace
    ours = labels_of_ours(case, namespace)
    label = next((each for each in ours if each.name == wanted.name), None)
    try:
        if label is not None and case.labels_made != namespace:
            await box.labels.ensure_labels(list(state_labels(namespace).values()))
        await box.labels.label_thread(case.thread_ref, label, ours)
    except PermissionDenied as refused:
        async with work.finish() as tx:
            if await threads.refuse_labels(tx, work.tenant_id, case.mailbox_id, str(refused), work.now):
                await work.tell(tx, facts.LabelsRefused(mailbox_id=case.mailbox_id, because=str(refused)))
        return
    async with work.finish() as tx:
        if label is not None and case.labels_made != namespace:
            await threads.labels_made(tx, work.tenant_id, case.mailbox_id, namespace, work.now)
        await record_label(tx, work, case, wanted)


async def record_label(tx: Tx, work: Work[TriagePorts], case: ThreadCase, wanted: LabelWrite) -> None:
    await threads.put_label(tx, case.thread_id, wanted.name, wanted.refs, work.now)
    if case.label != wanted.name:
        told = facts.ThreadLabelled(
            mailbox_id=case.mailbox_id, thread_id=case.thread_id, before=case.label, after=wanted.name
        )
        await work.tell(tx, told)


def label_name(state: StateKey | None, namespace: str) -> str | None:
    return state_labels(namespace)[state].name if state else None
