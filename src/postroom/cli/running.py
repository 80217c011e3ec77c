"""Runs a command to its end, with the right exit code. Loads little: a command that needs no house starts at once."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Coroutine
from typing import Any, TypeVar

import typer
import uvloop

from postroom.cli.printing import err
from postroom.db.errors import DISK_FULL, DatabaseAway, DatabaseError
from postroom.nouns.errors import Misconfigured, PostroomError

T = TypeVar("T")


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
