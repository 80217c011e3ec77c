"""The trail at the command line."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Annotated, TextIO

import typer

from postroom.cli.shared import TenantName, complain, house, out, run, scope
from postroom.engine import audit_chain as seals
from postroom.engine import feed
from postroom.nouns.errors import Misconfigured
from postroom.nouns.ids import TenantId
from postroom.rooms.tenants import store
from postroom.rooms.tenants.commands import find_tenant

audit = typer.Typer(no_args_is_help=True)


def _head(told: str | None) -> str | None:
    if told is not None and not re.fullmatch(r"[0-9a-f]{64}", told):
        raise typer.BadParameter("a head is 64 of 0-9 and a-f, as `postroom audit verify` prints it.")
    return told


@audit.command("verify")
def verify(
    tenant: Annotated[str | None, typer.Option("--tenant", help="Only this tenant; all if not given.")] = None,
    head: Annotated[
        str | None,
        typer.Option(help="A head noted down earlier, which the tenant's chain must contain.", callback=_head),
    ] = None,
) -> None:
    """Walk the chain of seals and say where, if anywhere, a fact was changed, added or taken away. Exit 1 if so."""

    async def work() -> bool:
        sound = True
        async with house() as opened:
            if tenant is not None:
                await find_tenant(opened.db, tenant)  # or an error that names the known ones
            tenants = [each for each in await store.all_tenants(opened.db) if tenant in (None, each.name)]
            if head and len(tenants) > 1:
                raise Misconfigured("Each tenant has a chain of its own: say whose head this is, with --tenant.")
            if not tenants:
                out.print("No tenant yet: nothing to verify.")
            for each in tenants:
                await seals.seal(opened.db, TenantId(each.tenant_id), opened.clock())
                report = await seals.verify(opened.db, TenantId(each.tenant_id), head)
                word = "sound" if not report.problems else "BROKEN"
                out.print(
                    f"{each.name}: {word}; {report.facts} facts, {report.seals} seals, head {report.head}",
                    highlight=False,
                )
                for problem in report.problems:
                    out.print(f"  {problem}", highlight=False)
                sound = sound and not report.problems
        return sound

    if not run(work()):
        raise typer.Exit(1)


@audit.command("export")
def export(
    tenant: TenantName = "default",
    to: Annotated[Path | None, typer.Option(help="A file; the screen if not given.")] = None,
) -> None:
    """Every fact as a JSON line, oldest first, with its fingerprint; the seals at the end."""

    async def work(target: TextIO) -> None:
        async with scope(tenant) as (opened, teller):
            position = feed.FeedPosition(0, 0)
            while facts := await feed.read(opened.db, teller.tenant_id, position, most=2000):
                for fact in facts:
                    line = {"fact": fact.id, "xid": fact.xid, **fact.as_dict(), "digest": fact.digest.hex()}
                    target.write(json.dumps(line, ensure_ascii=False) + "\n")
                position = feed.FeedPosition(facts[-1].xid, facts[-1].id)
            for sealed in await seals.all_seals(opened.db, teller.tenant_id):
                line = {
                    "seal": sealed.number,
                    "from_xid": sealed.from_xid,
                    "upto_xid": sealed.upto_xid,
                    "facts": sealed.facts,
                    "root": sealed.root.hex(),
                    "chain": sealed.chain.hex(),
                    "sealed_at": sealed.sealed_at.isoformat(),
                }
                target.write(json.dumps(line) + "\n")

    if to is None:
        run(work(sys.stdout))
        return
    try:
        with to.open("w", encoding="utf-8") as file:
            run(work(file))
    except OSError as problem:
        complain(f"{to} cannot be written: {problem.strerror}.")
        raise typer.Exit(1) from None
