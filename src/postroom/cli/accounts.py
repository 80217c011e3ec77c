"""The client book at the command line: take it in from files, look at it, keep it by hand."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from postroom.cli.shared import TenantName, complain, err, out, run, scope, show
from postroom.nouns.counting import count

if TYPE_CHECKING:
    from postroom.rooms.clients.commands import AccountDetail, ImportedBook

# Everything heavy is imported inside the commands, so that `postroom --help` does not wait for it.

accounts = typer.Typer(no_args_is_help=True)
MOST_BAD = 200  # lines that are named one by one
Code = Annotated[str, typer.Argument(help="The account's code.", show_default=False)]
Aliases = Annotated[list[str] | None, typer.Option("--alias", help="Another name; may be repeated.")]
Domains = Annotated[list[str] | None, typer.Option("--domain", help="A domain of the client's; may be repeated.")]


@accounts.command("import")
def import_book(
    folder: Annotated[Path, typer.Argument(help="With accounts.csv, contacts.csv, engagements.csv, work_items.csv.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would change.")] = False,
    tenant: TenantName = "default",
) -> None:
    """Take in a client book: wholly or not at all. Importing the same again changes nothing."""
    from postroom.rooms.clients import commands

    async def work() -> bool:
        files = _files(folder)
        if files is None:
            return False
        async with scope(tenant) as (_, who):
            with _bar() as progress:
                done = await commands.import_book(who, files, dry_run=dry_run, progress=progress)
        return _told(done, dry_run=dry_run)

    if not run(work()):
        raise typer.Exit(1)


def _files(folder: Path) -> dict[str, bytes] | None:
    """Those of a book that are there; None when the folder cannot be read."""
    from postroom.rooms.clients.commands import BOOK_FILES

    if not folder.is_dir():
        complain(f"{folder} is not a folder; name the one with {', '.join(BOOK_FILES)} in it.")
        return None
    try:
        return {name: (folder / name).read_bytes() for name in BOOK_FILES if (folder / name).exists()}
    except OSError as problem:
        complain(f"{problem.filename} cannot be opened: {problem.strerror}.")
        return None


@contextlib.contextmanager
def _bar() -> Iterator[Callable[[int, int], None] | None]:
    """On standard error, when somebody is watching."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import Progress

    with Progress(console=err, transient=True) as bar:
        task = bar.add_task("Reading", total=None)
        yield lambda done, total: bar.update(task, description="Importing", completed=done, total=total)


def _told(done: ImportedBook, *, dry_run: bool) -> bool:
    for bad in done.bad[:MOST_BAD]:
        complain(bad)
    if done.bad:
        more = f" ({len(done.bad) - MOST_BAD:,} of them are not shown)" if len(done.bad) > MOST_BAD else ""
        err.print(f"Nothing was imported: mend {count(len(done.bad), 'line')}{more} and try again.", highlight=False)
        return False
    rows = [(kind.replace("_", " "), each.new, each.changed, each.same) for kind, each in done.diffs.items()]
    show("Would change" if dry_run else "Imported", ["what", "new", "changed", "as before"], rows, empty="")
    if not done.changes:
        out.print("The book is as the files say; nothing changed.", highlight=False)
    return True


@accounts.command("list")
def list_accounts(
    search: Annotated[str | None, typer.Argument(help="Beginnings of words, an address or a domain.")] = None,
    status: Annotated[str | None, typer.Option(help="open or closed.")] = None,
    most: Annotated[int, typer.Option(help="How many at the most.", min=1, max=200)] = 100,
    tenant: TenantName = "default",
) -> None:
    """The accounts by code, or those that a search finds."""
    from postroom.rooms.clients import commands

    async def work() -> None:
        async with scope(tenant) as (_, who):
            if search:
                found = [each for each in await commands.search_accounts(who, search, most) if _is(each.status, status)]
            else:
                found = [*(await commands.accounts(who, status=status, most=most))[0]]
        rows = [(each.code, each.name, each.status, ", ".join(each.domains), ", ".join(each.aliases)) for each in found]
        columns = ["code", "name", "status", "domains", "aliases"]
        show("Accounts", columns, rows, empty="No accounts. Take some in with `postroom account import FOLDER`.")

    run(work())


def _is(held: str, wanted: str | None) -> bool:
    return wanted is None or held == wanted


@accounts.command("show")
def show_account(account: Code, tenant: TenantName = "default") -> None:
    """One account with its contacts, work, newest mail and history."""
    from postroom.rooms.clients import commands

    async def work() -> None:
        async with scope(tenant) as (_, who):
            found = await commands.get_account(who, account, most=20)
        _show_account(found)

    run(work())


def _show_account(found: AccountDetail) -> None:
    from postroom.nouns.actors import spoken_actor

    row = found.account
    into = f", merged into {found.merged_into.code}" if found.merged_into else ""
    out.print(f"{row.name} ({row.code}), {row.status}{into}", highlight=False)
    contacts = [(each.email, each.name, each.status, _day(each.last_seen_at)) for each in found.contacts]
    show("\nContacts", ["address", "name", "status", "last wrote"], contacts, empty="No contacts.")
    work = [
        (each.engagement_code, each.work_item_code, each.work_item_name or each.engagement_name) for each in found.work
    ]
    show("\nWork", ["engagement", "work item", "name"], work, empty="No engagements.")
    mail = [(_day(each.received_at), each.sender_email, each.subject, each.status) for each in found.mail]
    show("\nMail", ["day", "from", "subject", "status"], mail, empty="No mail.")
    history = [(_day(each.changed_at), spoken_actor(each.changed_by), each.what) for each in found.history]
    show("\nHistory", ["day", "who", "what"], history, empty="No history.")


def _day(moment: object) -> str:
    return f"{moment:%Y-%m-%d}" if moment else ""


@accounts.command("add")
def add_account(
    code: Code,
    name: Annotated[str, typer.Argument(help="As people call it.", show_default=False)],
    alias: Aliases = None,
    domain: Domains = None,
    tenant: TenantName = "default",
) -> None:
    """Add an account."""
    from postroom.rooms.clients import commands

    async def work() -> None:
        async with scope(tenant) as (_, who):
            made = await commands.add_account(who, code, name, aliases=alias or (), domains=domain or ())
        out.print(f"Added {made.name} ({made.code}).", highlight=False)

    run(work())


@accounts.command("change")
def change_account(
    account: Code,
    name: Annotated[str | None, typer.Option(help="Its new name.")] = None,
    alias: Aliases = None,
    domain: Domains = None,
    tenant: TenantName = "default",
) -> None:
    """Change an account. Aliases and domains replace those it has; what is not given stays."""
    from postroom.rooms.clients import commands

    async def work() -> None:
        async with scope(tenant) as (_, who):
            row = await commands.change_account(who, account, name=name, aliases=alias, domains=domain)
        out.print(f"{row.name} ({row.code}): {', '.join((*row.aliases, *row.domains)) or 'no aliases, no domains'}.")

    run(work())


@accounts.command("close")
def close_account(account: Code, tenant: TenantName = "default") -> None:
    """Close an account: its mail still finds it, but waits for a person."""
    from postroom.rooms.clients import commands

    async def work() -> None:
        async with scope(tenant) as (_, who):
            row = await commands.close_account(who, account)
        out.print(f"{row.name} ({row.code}) is closed.", highlight=False)

    run(work())


@accounts.command("reopen")
def reopen_account(account: Code, tenant: TenantName = "default") -> None:
    """Open a closed account again."""
    from postroom.rooms.clients import commands

    async def work() -> None:
        async with scope(tenant) as (_, who):
            row = await commands.reopen_account(who, account)
        out.print(f"{row.name} ({row.code}) is open.", highlight=False)

    run(work())


@accounts.command("merge")
def merge_accounts(
    account: Code,
    into: Annotated[str, typer.Argument(help="The code of the account that stays.", show_default=False)],
    tenant: TenantName = "default",
) -> None:
    """Two accounts were one: contacts, domains, names, work and mail go to the other."""
    from postroom.rooms.clients import commands

    async def work() -> None:
        async with scope(tenant) as (_, who):
            moved = await commands.merge_accounts(who, account, into)
        what = f"{count(moved.contacts, 'contact')} and {count(moved.messages, 'message')}"
        out.print(f"{what} went to {into}.", highlight=False)

    run(work())


@accounts.command("contact")
def add_contact(
    account: Code,
    email: Annotated[str, typer.Argument(help="The contact's address.", show_default=False)],
    name: Annotated[str, typer.Option(help="The contact's name.")] = "",
    remove: Annotated[bool, typer.Option("--remove", help="Take it from the account instead.")] = False,
    tenant: TenantName = "default",
) -> None:
    """Add a contact to an account, besides those accounts that it has; or take it from the account."""
    from postroom.rooms.clients import commands

    async def work() -> None:
        async with scope(tenant) as (_, who):
            if remove:
                await commands.remove_contact_by_email(who, account, email)
            else:
                await commands.add_contact(who, account, email, name)
        out.print(f"{email} is {'no longer' if remove else 'now'} a contact of {account}.", highlight=False)

    run(work())
