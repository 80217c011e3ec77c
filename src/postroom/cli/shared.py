"""What most commands need: an open house, a table, and an end with the right exit code."""

from __future__ import annotations

import contextlib
import getpass
import os
from collections.abc import AsyncIterator
from typing import Annotated

import typer

from postroom import logs, settings
from postroom.app.house import House, open_house
from postroom.cli.demo_home import as_the_demo_runs
from postroom.cli.printing import err as err
from postroom.cli.printing import out as out
from postroom.cli.printing import printable as printable
from postroom.cli.printing import show as show
from postroom.cli.running import complain as complain
from postroom.cli.running import run as run
from postroom.engine.work import TenantScope
from postroom.rooms.tenants import commands as tenants

TenantName = Annotated[str, typer.Option("--tenant", help="The tenant's name.")]


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
