"""A colleague in the demo: decides about invoices as their letters have it, through the commands that people use."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from postroom.engine.work import TenantScope
from postroom.nouns.documents import plain
from postroom.nouns.errors import BadRequest, Conflict
from postroom.nouns.pipelines import INVOICES
from postroom.rooms.documents import commands as documents
from postroom.rooms.documents.commands.looking import Detail
from postroom.rooms.mailboxes import commands as mailboxes
from postroom.rooms.mailboxes import store as mailbox_store

if TYPE_CHECKING:
    from postroom_simulators.scenarios import Scenario

COLLEAGUE = "priya.anand@larkspur.example"
PAUSE = 3.0  # seconds between two looks at what waits
COMPARED = ("number", "issue_date", "currency", "net_total", "tax_total", "grand_total")


async def watch_invoices(scope: TenantScope, stories: Sequence[Scenario]) -> None:
    """Nothing of the suppliers' mailbox is booked by itself yet: it is in shadow, and what people decide is counted."""
    addresses = {box.address for story in stories if _bills(story) for box in story.boxes}
    async with scope.read() as tx:
        boxes = [box.id for box in await mailbox_store.mailboxes(tx) if box.address in addresses]
    for box in boxes:
        await mailboxes.set_confirming(scope, box, {INVOICES: "shadow"})


async def decide(scope: TenantScope, stories: Sequence[Scenario]) -> int:
    """One look at what waits: plain bills are compared with their letters, mended where they differ, and confirmed.

    What the story leaves to a person is left to the visitor.
    """
    known = {name: bill for story in stories for name, bill in _bills(story).items()}
    decided = 0
    for listed in (await documents.documents(scope, status="review", kind="invoice", most=200)).items:
        bill = known.get(listed.filename)
        if bill is None or listed.trust == "spoofed":
            continue
        detail = await documents.get_document(scope, listed.id)
        try:
            if differing := _differing(detail, bill):
                await documents.correct(scope, listed.id, differing)
            await documents.confirm(scope, listed.id)
        except (BadRequest, Conflict):  # it wants a reason, or the visitor was faster
            continue
        decided += 1
    return decided


async def decide_on(scope: TenantScope, stories: Sequence[Scenario]) -> None:
    """For as long as the demo runs."""
    while True:
        await asyncio.sleep(PAUSE)
        await decide(scope, stories)


def _bills(story: Scenario) -> dict[str, Mapping[str, Any]]:
    """The invoices of a story that need no further thought, by file."""
    told: list[dict[str, Any]] = []
    for letter in story.mails:
        told += letter.truth.get("documents", ())  # type: ignore[arg-type]  # the stories' own words
    return {one["filename"]: one["invoice"] for one in told if one["route"] == "auto_confirm" and one.get("invoice")}


def _differing(detail: Detail, bill: Mapping[str, Any]) -> dict[str, str | None]:
    read = detail.invoice
    return {name: bill[name] for name in COMPARED if read is not None and not _says(getattr(read, name), bill[name])}


def _says(value: Any, told: str) -> bool:
    return value == Decimal(told) if isinstance(value, Decimal) else plain(value) == told
