"""The sealing key at the command line: a new one, and everything sealed anew with it."""

from __future__ import annotations

import asyncio
import socket

import typer

from postroom.app.house import House
from postroom.chores.resealing import reseal as run_reseal
from postroom.cli.shared import err, house, out, run, show, whoami
from postroom.engine import queue as lanes
from postroom.nouns.errors import Conflict, Misconfigured
from postroom.outside.keys.keyring import FILE, add_key

FROM_OUTSIDE = (
    "The sealing key comes from POSTROOM_SEALING_KEY, which only you can change. For every process: put a new key "
    "behind the old one (old,new; `openssl rand -base64 32` makes one) and restart; then swap them (new,old) and "
    "restart again; then run `postroom key reseal`. On one host you may swap at once."
)


def add_to(keys: typer.Typer) -> None:
    keys.command("rotate")(rotate)
    keys.command("reseal")(reseal)


def rotate() -> None:
    """Make a new sealing key and seal everything anew with it. Running processes of this host take it up unasked."""

    async def work() -> bool:
        async with house() as opened:
            if opened.settings.sealing_key is not None:
                raise Misconfigured(FROM_OUTSIDE)
            await _refuse_other_hosts(opened)
            await asyncio.to_thread(add_key, opened.settings.home)
            whole = await _reseal(opened)
        place = opened.settings.home / FILE
        err.print(
            f"Back up {place} now. Its older keys open older backups; once you need none of those, keep its first "
            "line only.",
            highlight=False,
        )
        return whole

    if not run(work()):
        raise typer.Exit(1)


def reseal() -> None:
    """Seal everything anew that is not sealed with the newest key. Safe beside running workers, and safe to repeat."""

    async def work() -> bool:
        async with house() as opened:
            return await _reseal(opened)

    if not run(work()):
        raise typer.Exit(1)


async def _reseal(opened: House) -> bool:
    sealer = opened.outside.sealer
    done = await run_reseal(opened, sealer, whoami())
    rows = [(each.what, each.resealed, each.unreadable or "") for each in done]
    show("Sealed anew", ["", "values", "cannot be opened"], rows, empty="")
    out.print(f"The newest key is {sealer.newest.hex()}.", highlight=False)
    if lost := sum(each.unreadable for each in done):
        err.print(
            f"{lost} values were sealed with a key that is not here, or were altered. Add that key behind the newest "
            "and run `postroom key reseal` again; else connect those mailboxes anew.",
            highlight=False,
        )
    return not lost


async def _refuse_other_hosts(opened: House) -> None:
    """They could not open what we seal: a key file is of one host."""
    here = socket.gethostname()
    alive = [each for each in await lanes.workers(opened.db) if each.lease_till > opened.clock()]
    names = {each.name.rpartition(":")[0] for each in alive}
    if others := sorted(names - {here, ""}):
        raise Conflict(
            f"Workers run on other hosts too ({', '.join(others)}), and a key file is of one host. Give all of them "
            "the same keys in POSTROOM_SEALING_KEY first; see docs/howto/several-hosts.md."
        )
