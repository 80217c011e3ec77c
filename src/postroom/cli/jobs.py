"""The lanes at the command line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Annotated

import typer
from rich.progress import Progress

from postroom.cli.shared import TenantName, err, out, run, scope, show
from postroom.engine import queue as lanes
from postroom.nouns.ids import JobId

jobs = typer.Typer(no_args_is_help=True)
LARGEST = 2**63 - 1


@jobs.command("list")
def list_jobs(
    tenant: TenantName = "default",
    state: Annotated[list[str] | None, typer.Option(help=f"One or more of {', '.join(lanes.STATES)}.")] = None,
    kind: Annotated[str | None, typer.Option(help="Only this kind, such as sync.mailbox.")] = None,
    most: Annotated[int, typer.Option(help="How many at the most.", min=1, max=10_000)] = 100,
) -> None:
    """What is there to do, and what was put aside."""

    async def work() -> None:
        async with scope(tenant) as (_, teller), teller.read() as tx:
            found = await lanes.jobs(tx, states=state or (), kind=kind, most=most)  # type: ignore[arg-type]  # checked there
        rows = [
            (job.id, job.kind, job.key, job.state, job.tries, f"{job.run_at:%m-%d %H:%M:%S}", job.reason)
            for job in found
        ]
        columns = ["job", "kind", "key", "state", "tries", "due", "because"]
        show("Jobs", columns, rows, empty="Nothing waits, runs, or was put aside.")

    run(work())


@jobs.command("show")
def show_job(job_id: Annotated[int, typer.Argument(min=1, max=LARGEST)], tenant: TenantName = "default") -> None:
    """One job, and every try so far."""

    async def work() -> None:
        async with scope(tenant) as (_, teller), teller.read() as tx:
            tries = await lanes.attempts(tx, job_id=JobId(job_id))
            if not tries:
                await lanes.job(tx, JobId(job_id))
            live = [job for job in await lanes.jobs(tx, after=job_id - 1, most=1) if job.id == job_id]
        for job in live:
            out.print(f"{job.kind} {job.key or ''} is {job.state}. {job.reason or ''}", highlight=False)
            out.print_json(json.dumps(job.args))
        rows = [
            (one.outcome, f"{one.finished_at:%m-%d %H:%M:%S}", one.error_class, one.error_code, one.error)
            for one in reversed(tries)
        ]
        show("Tries", ["outcome", "ended", "class", "code", "error"], rows, empty="Not tried yet.")

    run(work())


@jobs.command("retry")
@jobs.command("replay")
def replay_job(
    job_id: Annotated[list[int] | None, typer.Argument(help="Which jobs.", min=1, max=LARGEST)] = None,
    tenant: TenantName = "default",
    quarantined: Annotated[bool, typer.Option("--quarantined", help="All that were put aside.")] = False,
) -> None:
    """Try again what waits for its retry, is parked for a person, or was put aside."""

    async def work() -> None:
        async with scope(tenant) as (_, teller):
            wanted = [JobId(each) for each in job_id or []]
            if quarantined:
                async with teller.read() as tx:
                    wanted += [job.id for job in await lanes.jobs(tx, states=["quarantined"], most=10_000)]
            refused = [each for part in _parts(wanted) for each in (await lanes.retry_many(teller, part)).refused]
        _say(len(wanted), refused)

    run(work())


def _parts(wanted: list[JobId], size: int = 100) -> Iterator[list[JobId]]:
    """With a bar, as there may be thousands."""
    with Progress(console=err, transient=True) as bar:
        task = bar.add_task("Trying again", total=len(wanted))
        for start in range(0, len(wanted), size):
            yield wanted[start : start + size]
            bar.advance(task, min(size, len(wanted) - start))


def _say(wanted: int, refused: list[lanes.NotRetried]) -> None:
    """What became of them; ends with 1 when none could be tried again."""
    if not wanted:
        out.print("Nothing to try again.")
        return
    for each in refused:
        err.print(f"Job {each.job_id}: {each.because}", highlight=False)
    out.print(f"{wanted - len(refused):,} of {wanted:,} will be tried again.", highlight=False)
    if len(refused) == wanted:
        raise typer.Exit(1)


@jobs.command("failures")
def failures(
    tenant: TenantName = "default",
    days: Annotated[int, typer.Option(help="The window for what was given up.", min=1, max=30)] = 7,
) -> None:
    """How many failed, and how they stand."""

    async def work() -> None:
        async with scope(tenant) as (_, teller), teller.read() as tx:
            since = teller.now - timedelta(days=days)
            found = await lanes.statistics(tx, now=teller.now, since=since)
        stands = [
            ("put aside after their last retry", found.max_retries_reached),
            ("will try again", found.pending_retry),
            ("wait for a person, or run at any moment", found.eligible_for_retry),
            (f"refused at once, in {days} days", found.refused_at_once),
        ]
        show("Failures", ["", "jobs"], [*stands, ("in all", found.total_failures)], empty="")
        by_class = sorted(found.error_breakdown.items())
        show("By class", ["class", "jobs"], by_class, empty="None.")

    run(work())
