"""Whose mail it is, at the command line: what waits, saying so, taking it back, and how the signals do."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import typer

from postroom.cli.shared import TenantName, out, run, scope, show
from postroom.nouns.counting import count

# Everything heavy is imported inside the commands, so that `postroom --help` does not wait for it.

mappings = typer.Typer(no_args_is_help=True)
Mapping = Annotated[UUID, typer.Argument(help="The mapping's id, as `postroom mapping list` shows it.")]
Thread = Annotated[bool, typer.Option("--thread", help="Also all other messages of its thread.")]
Sender = Annotated[bool, typer.Option("--next-from-sender", help="Also what waits of its sender, and what will come.")]


@mappings.command("list")
def list_mappings(
    status: Annotated[str | None, typer.Option(help="mapped, triage, confirmed or ignored.")] = None,
    account: Annotated[str | None, typer.Option(help="An account's code.")] = None,
    most: Annotated[int, typer.Option(help="How many at the most.", min=1, max=200)] = 50,
    tenant: TenantName = "default",
) -> None:
    """What became of each message, newest first."""
    from postroom.rooms.clients import commands

    async def work() -> None:
        async with scope(tenant) as (_, who):
            found, _next = await commands.list_mappings(who, status=status, account=account, most=most)
        rows = [(one.id, one.status, one.account, one.confidence, one.sender_email, one.subject) for one in found]
        columns = ["mapping", "status", "account", "sure", "from", "subject"]
        show(
            "Mappings", columns, rows, empty="Nothing. Mail is mapped once there is a book: `postroom account import`."
        )

    run(work())


@mappings.command("confirm")
def confirm(
    mapping: Mapping,
    account: Annotated[str, typer.Argument(help="The account's code.", show_default=False)],
    engagement: Annotated[str | None, typer.Option(help="An engagement's code.")] = None,
    work_item: Annotated[str | None, typer.Option(help="A work item's code.")] = None,
    thread: Thread = False,
    next_from_sender: Sender = False,
    tenant: TenantName = "default",
) -> None:
    """Say whose message it is."""
    from postroom.rooms.clients import commands

    async def work() -> None:
        async with scope(tenant) as (_, who):
            act = await commands.confirm_mapping(
                who, mapping, account, engagement, work_item, thread=thread, next_from_sender=next_from_sender
            )
        out.print(f"{count(act.messages, 'message')} put under {account}.", highlight=False)

    run(work())


@mappings.command("ignore")
def ignore(
    mapping: Mapping,
    reason: Annotated[str, typer.Argument(help="Why it is no client's.", show_default=False)],
    thread: Thread = False,
    next_from_sender: Sender = False,
    tenant: TenantName = "default",
) -> None:
    """Set a message aside: it is no client's. It stays, with who said so and why."""
    from postroom.rooms.clients import commands

    async def work() -> None:
        async with scope(tenant) as (_, who):
            act = await commands.mark_ignored(who, mapping, reason, thread=thread, next_from_sender=next_from_sender)
        out.print(f"{count(act.messages, 'message')} set aside.", highlight=False)

    run(work())


@mappings.command("undo")
def undo(mapping: Mapping, tenant: TenantName = "default") -> None:
    """Take the last decision about a message back, with all that it touched."""
    from postroom.rooms.clients import commands

    async def work() -> None:
        async with scope(tenant) as (_, who):
            act = await commands.undo_mapping(who, mapping)
        out.print(f"{act.messages} message(s) are as they were before.", highlight=False)

    run(work())


@mappings.command("signals")
def signals(tenant: TenantName = "default") -> None:
    """How each signal did, by what people said, and what it weighs for it."""
    from postroom.rooms.clients import commands

    async def work() -> None:
        async with scope(tenant) as (_, who):
            report = await commands.signal_report(who)
        rows = [
            (
                one.signal,
                one.right,
                one.wrong,
                "" if one.precision is None else f"{one.precision:.0%}",
                f"{one.expected:.0%}",
                f"{one.weight:+.2f}",
            )
            for one in report
        ]
        show("Signals", ["signal", "right", "wrong", "here", "expected", "weight"], rows, empty="No signals.")

    run(work())
