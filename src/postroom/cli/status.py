"""How the house is doing, on one screen: who works, what waits, what needs a person, and how far each mailbox is."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import typer

from postroom.cli.shared import TenantName, out, run, scope, show
from postroom.engine import queue as lanes
from postroom.reads import overview
from postroom.reads.overview import OpenWork
from postroom.rooms.mailboxes import store as mailboxes

WAITS = (
    ("documents to review", "review"),
    ("documents that could not be read", "unreadable"),
    ("mails whose client nobody knows", "clients"),
    ("threads that want an answer", "threads"),
    ("mails that wait for a yes", "proposals"),
    ("jobs put aside", "aside"),
    ("mailboxes that need somebody", "mailboxes"),
)


def status(tenant: TenantName = "default") -> None:
    """Who works, what waits, what needs a person, and how far each mailbox is. Exit 1 if that keeps post waiting."""

    async def work() -> bool:
        async with scope(tenant) as (opened, who):
            at_work, depths = await lanes.workers(opened.db), await lanes.depths(opened.db)
            async with who.read() as tx:
                open_work, known = await overview.needs(tx), await mailboxes.mailboxes(tx)
                health = {each.id: each for each in await mailboxes.health(tx)}
        waiting = [(each.state, each.jobs, str(timedelta(seconds=max(0, round(each.oldest))))) for each in depths]
        show("Jobs", ["state", "how many", "oldest"], waiting, empty="Jobs: none waits.")
        show("Needs you", ["what", "how many"], list(_needs(open_work)), empty="Needs you: nothing.")
        rows = [
            (each.address, each.status, _held(health[each.id]), each.because)
            for each in known
            if each.status != "disconnected"
        ]
        show("Mailboxes", ["mailbox", "status", "held", "because"], rows, empty="Mailboxes: none yet.")
        out.print(_workers(len(at_work)), highlight=False)
        return bool(at_work) and not open_work.mailboxes

    if not run(work()):
        raise typer.Exit(1)


def _needs(work: OpenWork) -> Iterator[tuple[str, int]]:
    return ((said, count) for said, name in WAITS if (count := getattr(work, name)))


def _held(sign: mailboxes.MailboxHealth) -> str:
    return f"{sign.held_now}/{sign.listed_now}" if sign.listed is not None else "not compared yet"


def _workers(count: int) -> str:
    if not count:
        return "Nobody works: start `postroom up` or `postroom work`."
    return f"{count} worker{'s' if count > 1 else ''} at work. `postroom doctor` also asks the providers."
