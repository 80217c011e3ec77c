"""What every command needs: an open house, a table, and an end with the right exit code."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import getpass
import os
from collections.abc import AsyncIterator, Coroutine
from typing import Annotated, Any, TypeVar

import typer
import uvloop

from postroom import logs, settings
from postroom.app.house import House, open_house
from postroom.cli.demo_home import as_the_demo_runs
from postroom.cli.printing import err as err
from postroom.cli.printing import out as out
from postroom.cli.printing import printable as printable
from postroom.cli.printing import show as show
from postroom.db.errors import DISK_FULL, DatabaseAway, DatabaseError
from postroom.engine.work import TenantScope
from postroom.nouns.errors import Misconfigured, PostroomError
from postroom.rooms.tenants import commands as tenants

T = TypeVar("T")
TenantName = Annotated[str, typer.Option("--tenant", help="The tenant's name.")]


def run(work: Coroutine[Any, Any, T]) -> T:
    """0 when it worked, 1 when it did not, 2 when something has to be set up first."""
    try:
        return uvloop.run(work)
    except Misconfigured as problem:
        complain(problem)
        raise typer.Exit(2) from None
    except PostroomError as problem:
        complain(problem)
        raise typer.Exit(1) from None
    except DatabaseError as problem:
        complain(_of_the_database(problem))
        raise typer.Exit(1) from None
    except OSError as problem:
        if problem.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        complain(f"The disk is full{f' ({problem.filename})' if problem.filename else ''}. Free some space; try again.")
        raise typer.Exit(1) from None
    except (KeyboardInterrupt, asyncio.CancelledError):
        raise typer.Exit(130) from None


def _of_the_database(problem: DatabaseError) -> str:
    if problem.sqlstate == DISK_FULL:
        return "The disk of the database is full, so nothing was kept. Free some space; try again."
    if isinstance(problem, DatabaseAway):
        return f"The database does not answer: {problem}"
    return f"The database refused: {problem}"


def complain(problem: object) -> None:
    err.print(str(problem), style="red", highlight=False)


@contextlib.asynccontextmanager
async def house() -> AsyncIterator[House]:
    ours = as_the_demo_runs(settings.load())
    logs.set_up(ours.log_format, ours.log_level)
    async with open_house(ours) as opened:
        yield opened


def whoami() -> str:
    """The actor of what is done at the command line."""
    try:
        return f"cli:{getpass.getuser()}"
    except (KeyError, OSError):  # a container's user may have a number only
        return f"cli:{os.getuid()}"


@contextlib.asynccontextmanager
async def scope(tenant: str) -> AsyncIterator[tuple[House, TenantScope]]:
    """Somebody at the command line, acting for a tenant."""
    async with house() as opened:
        found = await tenants.find_tenant(opened.db, tenant)
        yield opened, opened.scope(found.tenant_id, whoami())
