"""The trail at the command line."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Annotated, TextIO

import typer

from postroom.cli.shared import TenantName, complain, house, out, run, scope
from postroom.engine import feed
from postroom.engine.audit_chain import ChainReport, all_seals
from postroom.nouns.errors import Misconfigured
from postroom.nouns.facts import AuditChainAccepted
from postroom.nouns.facts.known_names import known_as
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
        async with house() as opened:
            if tenant is not None:
                await find_tenant(opened.db, tenant)  # or an error that names the known ones
            everybody = await store.all_tenants(opened.db)
            tenants = [each for each in everybody if tenant in (None, each.name)]
            if head and len(tenants) > 1:
                raise Misconfigured("Each tenant has a chain of its own: say whose head this is, with --tenant.")
            reports = [(each.name, await opened.trail.verify(TenantId(each.tenant_id), head)) for each in tenants]
            vanished = await opened.trail.vanished({each.tenant_id for each in everybody}) if tenant is None else set()
        for name, report in reports:
            _print_report(name, report)
        for gone in sorted(map(str, vanished)):
            out.print(f"{gone}: BROKEN; heads of this tenant were noted, and it is not there any more", highlight=False)
        if not reports and not vanished:
            out.print("No tenant yet: nothing to verify.")
        return not vanished and all(report.is_sound for _, report in reports)

    if not run(work()):
        raise typer.Exit(1)


def _print_report(name: str, report: ChainReport) -> None:
    word = "sound" if report.is_sound else "BROKEN"
    out.print(
        f"{name}: {word}; {report.facts} facts, {report.seals} seals, {report.anchors} noted heads, head {report.head}",
        highlight=False,
    )
    for problem in report.problems:
        out.print(f"  {problem}", highlight=False)


@audit.command("accept")
def accept(
    because: Annotated[str, typer.Option(help="Why noted heads are not in the chain, such as a restore.")],
    tenant: TenantName = "default",
) -> None:
    """After a restore: heads that were noted before do not count any more, and why. Noted and told."""

    async def work() -> None:
        async with scope(tenant) as (opened, teller):
            async with teller.finish() as tx:
                await teller.tell(tx, AuditChainAccepted(because=because))
            sealed = await opened.trail.accept(teller.tenant_id, because)
            out.print(f"The chain of {tenant} counts from seal {sealed.number} on.", highlight=False)

    run(work())


@audit.command("export")
def export(
    tenant: TenantName = "default",
    to: Annotated[Path | None, typer.Option(help="A file; the screen if not given.")] = None,
    names: Annotated[bool, typer.Option("--names", help="Also what other tools call a fact, as `known_as`.")] = False,
) -> None:
    """Every fact as a JSON line, oldest first, with its fingerprint; the seals at the end."""

    async def work(target: TextIO) -> None:
        async with scope(tenant) as (opened, teller):
            position = feed.FeedPosition(0, 0)
            while facts := await feed.read(opened.db, teller.tenant_id, position, most=2000):
                for fact in facts:
                    line = {"fact": fact.id, "xid": fact.xid, **fact.as_dict(), "digest": fact.digest.hex()}
                    if names:
                        line["known_as"] = known_as(fact.kind, fact.body)
                    target.write(json.dumps(line, ensure_ascii=False) + "\n")
                position = feed.FeedPosition(facts[-1].xid, facts[-1].id)
            for sealed in await all_seals(opened.db, teller.tenant_id):
                target.write(json.dumps(sealed.as_line()) + "\n")

    if to is None:
        run(work(sys.stdout))
        return
    try:
        with to.open("w", encoding="utf-8") as file:
            run(work(file))
    except OSError as problem:
        complain(f"{to} cannot be written: {problem.strerror}.")
        raise typer.Exit(1) from None
