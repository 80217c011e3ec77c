"""People and keys at the command line."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import typer

from postroom.cli.shared import TenantName, house, out, run, scope, show, whoami
from postroom.nouns.ids import KeyId
from postroom.rooms.tenants import commands, store
from postroom.rooms.tenants.rules import LONGEST_KEY_DAYS

people = typer.Typer(no_args_is_help=True)
keys = typer.Typer(no_args_is_help=True)
RoleName = Annotated[str, typer.Option("--role", help="viewer, operator or admin.")]


@people.command("add")
def add_person(
    email: str,
    tenant: TenantName = "default",
    role: RoleName = "operator",
    name: Annotated[str, typer.Option(help="As it is shown to others.")] = "",
    password: Annotated[bool, typer.Option("--password/--no-password", help="Ask for a password.")] = False,
) -> None:
    """Let somebody in."""
    secret = typer.prompt("Password", hide_input=True, confirmation_prompt=True) if password else None

    async def work() -> None:
        async with scope(tenant) as (_, teller):
            await commands.add_person(teller, email, name=name, role=role, password=secret)
        out.print(f"{email} may come in as {role}.", highlight=False)

    run(work())


@people.command("change")
def change_person(
    email: str,
    tenant: TenantName = "default",
    role: Annotated[str | None, typer.Option("--role", help="viewer, operator or admin.")] = None,
    disable: Annotated[bool | None, typer.Option("--disable/--enable", help="Lock out, or let in again.")] = None,
    password: Annotated[bool, typer.Option("--password", help="Ask for a new password.")] = False,
) -> None:
    """Another role, another password, or no entry any more."""
    secret = typer.prompt("Password", hide_input=True, confirmation_prompt=True) if password else None

    async def work() -> None:
        async with scope(tenant) as (_, teller):
            changed = await commands.change_person(teller, email, role=role, disabled=disable, password=secret)
        out.print(f"{changed.email}: {changed.role}{', locked out' if changed.disabled_at else ''}.", highlight=False)

    run(work())


@people.command("list")
def list_people(tenant: TenantName = "default") -> None:
    """Who may come in."""

    async def work() -> None:
        async with scope(tenant) as (_, teller), teller.read() as tx:
            found = await store.people(tx)
        rows = [(each.email, each.name, each.role, "locked out" if each.disabled_at else "") for each in found]
        show("People", ["email", "name", "role", ""], rows, empty="Nobody yet: postroom person add EMAIL.")

    run(work())


@people.command("link")
def make_link(
    email: Annotated[str | None, typer.Argument(help="Who comes in by it; the first admin if nobody is named.")] = None,
    tenant: TenantName = "default",
) -> None:
    """Print a link that lets one person in, once, within 15 minutes."""

    async def work() -> None:
        async with scope(tenant) as (opened, teller):
            link = await commands.make_link(teller, opened.settings.outside_url, email)
        typer.echo(link)

    run(work())


@keys.command("create")
def create_key(
    tenant: TenantName = "default",
    role: RoleName = "viewer",
    name: Annotated[str, typer.Option(help="What it is for.")] = "command line",
    days: Annotated[
        int | None, typer.Option(help="Valid for so many days; for ever if not given.", min=1, max=LONGEST_KEY_DAYS)
    ] = None,
    scope: Annotated[list[str] | None, typer.Option(help="Only these parts of the API, such as documents.")] = None,
) -> None:
    """Make an API key and print it: it is shown only now. Use it as `Authorization: Bearer …`."""

    async def work() -> None:
        async with house() as opened:
            tenant_id = await commands.ensure_tenant(opened.db, tenant) if tenant == "default" else None
            found = tenant_id or (await commands.find_tenant(opened.db, tenant)).tenant_id
            teller = opened.scope(found, whoami())
            _, secret = await commands.create_key(teller, name=name, role=role, scopes=scope, days=days)
        typer.echo(secret.reveal())

    run(work())


@keys.command("list")
def list_keys(tenant: TenantName = "default") -> None:
    """The keys of a tenant; never the secrets."""

    async def work() -> None:
        async with scope(tenant) as (_, teller), teller.read() as tx:
            found = await store.keys(tx)
        rows = [(key.id, key.name, key.role, ",".join(key.scopes), _end(key)) for key in found]
        show("Keys", ["id", "name", "role", "scopes", ""], rows, empty="No keys yet: postroom key create.")

    run(work())


@keys.command("revoke")
def revoke_key(key_id: UUID, tenant: TenantName = "default") -> None:
    """Make a key worthless at once."""

    async def work() -> None:
        async with scope(tenant) as (_, teller):
            revoked = await commands.revoke_key(teller, KeyId(key_id))
        out.print(f"{revoked.name} ({revoked.id}) is revoked.", highlight=False)

    run(work())


def _end(key: store.ApiKey) -> str:
    if key.revoked_at:
        return f"revoked {key.revoked_at:%Y-%m-%d}"
    return f"till {key.expires_at:%Y-%m-%d}" if key.expires_at else ""
