"""Mailboxes at the command line: connect, look after, import, and what Airflow would do."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from postroom import reads
from postroom.app.house import House, ensure_configured
from postroom.chores.backstop import backstop as run_backstop
from postroom.chores.imports import import_paths
from postroom.cli.shared import TenantName, err, house, out, run, scope, show, whoami
from postroom.engine.work import TenantScope
from postroom.nouns.confirming import confirming_mode
from postroom.nouns.errors import Misconfigured, Unavailable
from postroom.nouns.ids import MailboxId
from postroom.nouns.pipelines import PIPELINES, known_pipelines
from postroom.nouns.secrets import Secret
from postroom.rooms.mailboxes import commands, store, watch_store
from postroom.rooms.sync import commands as syncing

mailbox = typer.Typer(no_args_is_help=True)
Which = Annotated[str, typer.Argument(help="Its address or id.")]


@mailbox.command("list")
def list_mailboxes(tenant: TenantName = "default") -> None:
    """Every mailbox, with the evidence of how it is doing."""

    async def work() -> None:
        async with scope(tenant) as (_, teller), teller.read() as tx:
            known, health = await store.mailboxes(tx), {each.id: each for each in await store.health(tx)}
        rows = []
        for each in known:
            sign = health[each.id]
            covered = f"{sign.held_now}/{sign.listed_now}" if sign.listed is not None else ""
            watch = f"{sign.watch_expires_at:%m-%d %H:%M}" if sign.watch_expires_at else ""
            push = f"{sign.last_push_at:%m-%d %H:%M}" if sign.last_push_at else ""
            synced = f"{sign.synced_at:%m-%d %H:%M}" if sign.synced_at else ""
            rows.append(
                (each.address, each.provider, each.status, sign.delivery, push, synced, watch, covered, each.because)
            )
        columns = ["address", "provider", "status", "by", "last push", "last sync", "watch till", "held", "because"]
        show(
            "Mailboxes",
            columns,
            rows,
            empty="None yet: set POSTROOM_GRAPH_MAILBOX_EMAIL, or connect one in the console.",
        )

    run(work())


@mailbox.command("pause")
def pause(which: Which, tenant: TenantName = "default") -> None:
    """Take nothing in for now; what comes meanwhile is caught up on resume."""
    run(_act(tenant, which, lambda opened, teller, found: commands.pause(teller, found.id)))


@mailbox.command("resume")
def resume(which: Which, tenant: TenantName = "default") -> None:
    """Go on after a pause, or after what the provider refused was put right, and reconcile the gap."""

    run(_act(tenant, which, lambda opened, teller, found: commands.resume(teller, found.id)))


@mailbox.command("disconnect")
def disconnect(which: Which, tenant: TenantName = "default") -> None:
    """Remove tokens and subscription; what was taken in stays."""
    run(_act(tenant, which, lambda opened, teller, found: commands.disconnect(teller, opened.providers, found.id)))


@mailbox.command("sync")
def sync(which: Which, tenant: TenantName = "default") -> None:
    """Read on from the cursor now."""
    run(_act(tenant, which, lambda opened, teller, found: syncing.sync(teller, found.id)))


@mailbox.command("reconcile")
def reconcile(which: Which, tenant: TenantName = "default") -> None:
    """Hold what the provider lists against what we have, and take in what is missing."""
    run(_act(tenant, which, lambda opened, teller, found: syncing.reconcile(teller, found.id)))


@mailbox.command("folder")
def folder(
    which: Which,
    name: Annotated[str, typer.Argument(help="As the mail program shows it, inner folders after a slash.")],
    tenant: TenantName = "default",
) -> None:
    """Serve another folder: the cursor begins anew, and what came there in the last days is taken in."""
    run(
        _act(
            tenant,
            which,
            lambda opened, teller, found: commands.set_folder(teller, opened.providers, found.id, name),
        )
    )


@mailbox.command("confirming")
def confirming(
    which: Which,
    pipeline: Annotated[str, typer.Argument(help=f"{' or '.join(PIPELINES)}.")],
    mode: Annotated[str, typer.Argument(help="off, shadow (it only says what it would have done), or on.")],
    yes: Annotated[bool, typer.Option("--yes", help="Switch on without asking.")] = False,
    tenant: TenantName = "default",
) -> None:
    """Whether documents may be confirmed by themselves. Before it is switched on, the scorecard's figure is shown."""

    async def figure() -> str:
        async with scope(tenant) as (_, teller), teller.read() as tx:
            found = await commands.mailbox_called(tx, which)
            score = await reads.scorecard.switching_on(tx, found.id, known_pipelines([pipeline])[0], teller.now)
        return score.said

    async def work() -> None:
        name = known_pipelines([pipeline])[0]
        wanted = confirming_mode(mode)
        async with scope(tenant) as (_, teller):
            async with teller.read() as tx:
                found = await commands.mailbox_called(tx, which)
            changed = await commands.set_confirming(teller, found.id, {name: wanted})
        out.print(f"{changed.address}: confirming {name} by itself is {wanted}.", highlight=False)

    if mode == "on":
        out.print(run(figure()), highlight=False)
        if not yes and not typer.confirm("Switch it on?"):
            raise typer.Exit(1)
    run(work())


@mailbox.command("connect-imap")
def connect_imap(
    address: str,
    host: Annotated[str, typer.Option(help="The IMAP server.")],
    user: Annotated[str | None, typer.Option(help="The address, if not given.")] = None,
    port: Annotated[int, typer.Option()] = 993,
    security: Annotated[str, typer.Option(help="tls, starttls, or plain (this machine only).")] = "tls",
    folder: Annotated[str, typer.Option()] = "INBOX",
    tenant: TenantName = "default",
) -> None:
    """Connect any mailbox over IMAP, once signing in works; the password is asked for, or read from a pipe."""
    secret = sys.stdin.readline().strip() if not sys.stdin.isatty() else typer.prompt("Password", hide_input=True)

    async def work() -> None:
        async with scope(tenant) as (opened, teller):
            await commands.connect_imap(
                teller,
                opened.providers,
                address=address,
                host=host,
                password=Secret(secret),
                user=user or "",
                port=port,
                security=security,
                folder=folder,
                private=True,
            )
        out.print(f"{address} is connected.", highlight=False)

    run(work())


def bootstrap() -> None:
    """Make the Graph subscription of the configured mailbox, once; says exactly what is missing. Exit 0, 1 or 2."""

    async def work() -> None:
        async with house() as opened:
            settings = opened.settings
            wanted = {
                "POSTROOM_GRAPH_TENANT_ID": settings.graph_tenant_id,
                "POSTROOM_GRAPH_CLIENT_ID": settings.graph_client_id,
                "POSTROOM_GRAPH_CLIENT_SECRET": settings.graph_client_secret,
                "POSTROOM_GRAPH_MAILBOX_EMAIL": settings.graph_mailbox_email,
            }
            if missing := [name for name, value in wanted.items() if not value]:
                raise Misconfigured(f"Not set: {', '.join(missing)}.")
            mailbox_id = await ensure_configured(opened)
            assert mailbox_id is not None
            async with opened.db.front_desk() as tx:
                found = await tx.letter_of("SELECT tenant_id FROM postroom.mailbox WHERE id = %s", [mailbox_id])
            teller = opened.scope(found[0][0], whoami())
            held = await _subscription(teller, mailbox_id)
            if held is None:
                await opened.worker().run_until_quiet(idle=0.5)
                held = await _subscription(teller, mailbox_id)
            if held is None:
                raise Unavailable(f"No subscription was made. {await _refusal(opened, teller, mailbox_id)}")
            out.print(
                f"Active: {held.subscription_id} till {held.expiration_datetime:%Y-%m-%d %H:%M} UTC", highlight=False
            )

    run(work())


async def _refusal(opened: House, teller: TenantScope, mailbox_id: MailboxId) -> str:
    """What Microsoft said, if it said no; else what usually is in the way."""
    async with teller.read() as tx:
        tended = await store.mailbox(tx, mailbox_id)
    if tended is not None and tended.status != "active" and tended.because:
        return tended.because
    return (
        f"Microsoft must reach {opened.settings.outside_url} while this runs (start `postroom serve` first), and "
        "`postroom job list` says what it answered."
    )


async def _subscription(teller: TenantScope, mailbox_id: MailboxId) -> watch_store.SubscriptionRow | None:
    async with teller.read() as tx:
        return await watch_store.get_active_subscription(tx, mailbox_id)


def backstop(
    once: Annotated[
        bool, typer.Option("--once", help="Run until quiet, print a summary, and end with 0 or 1.")
    ] = False,
    days: Annotated[int, typer.Option(help="The window to reconcile.", min=1, max=365)] = 7,
) -> None:
    """What a daily DAG would do: reconcile a window of every mailbox, and try again what failed."""

    async def work() -> bool:
        async with house() as opened:
            done = await run_backstop(opened, days=days, work=once)
        rows = [
            (e.address, "yes" if e.compared else "no", e.listed, e.held, e.waiting, e.failed, e.unread) for e in done
        ]
        heads = ["mailbox", "compared", "listed", "held", "on their way", "failed", "unread"]
        show("Backstop", heads, rows, empty="No mailbox is connected.")
        return all(each.is_whole for each in done)

    if not run(work()) and once:
        raise typer.Exit(1)


def ingest(
    paths: Annotated[
        list[Path], typer.Argument(help="Files or folders: .eml, .mbox, Maildir, .pdf, images, XML.", exists=True)
    ],
    tenant: TenantName = "default",
) -> None:
    """Import mail and documents from files. The same file twice changes nothing."""

    async def work() -> bool:
        async with scope(tenant) as (opened, teller):
            return await _ingest(opened, teller, paths)

    if not run(work()):
        raise typer.Exit(1)


async def _ingest(opened: House, teller: TenantScope, paths: list[Path]) -> bool:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task("Reading", total=None)

        def progress(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        summary = await import_paths(opened, teller, paths, progress)
        bar.update(task, description="Working")
        await opened.worker().run_until_quiet(idle=0.5)
    rows = [("new", summary.new), ("known already", summary.known), ("broken", len(summary.broken))]
    show("Imported", ["", "files or mails"], rows, empty="")
    for where, because in summary.broken:
        err.print(f"{where}: {because}", highlight=False)
    return not summary.broken


async def _act(tenant: str, which: str, act) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001 - a small lambda above
    async with scope(tenant) as (opened, teller):
        async with teller.read() as tx:
            found = await commands.mailbox_called(tx, which)
        await act(opened, teller, found)
    out.print(f"{found.address}: done.", highlight=False)
