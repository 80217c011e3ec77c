"""What corrections taught, at the command line: look at it, and forget it."""

from __future__ import annotations

import typer

from postroom.cli.shared import TenantName, out, run, scope, show
from postroom.rooms.documents import commands

learning = typer.Typer(no_args_is_help=True)


@learning.command("list")
def list_learnt(tenant: TenantName = "default") -> None:
    """What corrections taught, sender by sender, and how many confirmed documents bear it out."""

    async def work() -> None:
        async with scope(tenant) as (_, teller):
            known = await commands.learnt_profiles(teller)
        rows = []
        for each in known:
            said = [f"“{phrase}” is {field.replace('_', ' ')}" for phrase, field in each.labels.items()]
            said += ["its trade day is the settlement day"] if each.trades_on_settlement_day else []
            said += [f"noticed in {one.documents} of {one.wanted}: {one.said}" for one in each.noticed]
            said += [f"dropped: {one.said}" for one in each.dropped]
            rows.append((each.sender_email, "; ".join(said), f"{each.borne_out} of {each.wanted}", each.learnt_from))
        columns = ["sender", "learnt", "borne out", "from document"]
        show("What corrections taught", columns, rows, empty="No correction taught anything yet.")

    run(work())


@learning.command("forget")
def forget(sender_email: str, tenant: TenantName = "default") -> None:
    """Read this sender's next documents as if nobody had ever corrected one."""

    async def work() -> None:
        async with scope(tenant) as (_, teller):
            await commands.forget_profile(teller, sender_email)
        out.print(f"What was learnt of {sender_email} is forgotten.", highlight=False)

    run(work())
