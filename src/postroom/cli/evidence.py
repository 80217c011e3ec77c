"""Evidence at the command line: take in a folder of papers, and list them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from postroom.cli.shared import TenantName, complain, out, run, scope, show

# Everything heavy is imported inside the commands, so that `postroom --help` does not wait for it.

evidence = typer.Typer(no_args_is_help=True)


@evidence.command("import")
def import_evidence(
    folder: Annotated[Path, typer.Argument(help="With Markdown, text, HTML and PDF files, also in folders below it.")],
    tenant: TenantName = "default",
) -> None:
    """Take in a folder of papers. A file of the same name becomes a new version; the same again changes nothing."""
    from postroom.nouns.errors import BadRequest
    from postroom.rooms.replies import commands

    async def work() -> bool:
        if not folder.is_dir():
            complain(f"{folder} is not a folder; name the one with the papers in it.")
            return False
        new, same, unread = 0, 0, 0
        async with scope(tenant) as (house, who):
            for path in _files(folder):
                name = path.relative_to(folder).as_posix()
                try:
                    made = await commands.add_evidence(who, house.outside.reader, name, path.read_bytes())
                except (BadRequest, OSError) as problem:
                    complain(str(problem))
                    unread += 1
                    continue
                new, same = new + made.is_new, same + (not made.is_new)
        out.print(f"{new} new, {same} as before, {unread} not read.", highlight=False)
        return unread == 0

    if not run(work()):
        raise typer.Exit(1)


@evidence.command("list")
def list_evidence(tenant: TenantName = "default") -> None:
    """The papers, each in its current version."""
    from postroom.rooms.replies import commands

    async def work() -> None:
        async with scope(tenant) as (_, who):
            found = await commands.list_evidence(who)
        rows = [
            (each.name, each.version, each.audience, each.language, each.valid_until or "", each.snippets)
            for each in found
        ]
        show(
            "Evidence",
            ["name", "version", "audience", "language", "valid until", "snippets"],
            rows,
            empty="No papers yet.",
        )

    run(work())


def _files(folder: Path) -> list[Path]:
    return [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]
