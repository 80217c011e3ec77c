"""Tenants at the command line, and what each decides for itself."""

from __future__ import annotations

from typing import Annotated

import typer

from postroom.cli.shared import TenantName, house, out, run, scope, show, whoami
from postroom.nouns.retention import KEPT, Kept, Retention
from postroom.rooms.tenants import commands, rules, store

tenants = typer.Typer(no_args_is_help=True)
Days = Annotated[str | None, typer.Option(metavar="DAYS", help='A number of days, or "keep".')]


@tenants.command("create")
def create_tenant(name: Annotated[str, typer.Argument(help="A short word, such as acme-dealing.")]) -> None:
    """Make a tenant."""

    async def work() -> None:
        async with house() as opened:
            out.print(str(await commands.create_tenant(opened.db, name, whoami())))

    run(work())


@tenants.command("list")
def list_tenants() -> None:
    """All tenants of this installation."""

    async def work() -> None:
        async with house() as opened:
            found = await store.all_tenants(opened.db)
        rows = [(tenant.name, tenant.tenant_id, f"{tenant.created_at:%Y-%m-%d %H:%M}") for tenant in found]
        show("Tenants", ["name", "id", "since"], rows, empty="No tenant yet: postroom tenant create NAME.")

    run(work())


@tenants.command("retention")
def retention(
    tenant: TenantName = "default",
    messages: Days = None,
    attachments: Days = None,
    documents: Days = None,
    archive: Days = None,
    events: Days = None,
    analyses: Days = None,
    drafts: Days = None,
    evidence: Days = None,
) -> None:
    """How long things are kept, and changing it. What is older is forgotten once a day, for good."""
    asked = {"messages": messages, "attachments": attachments, "documents": documents, "archive": archive}
    asked |= {"events": events, "analyses": analyses, "drafts": drafts, "evidence": evidence}
    said = {kind: text for kind, text in asked.items() if text is not None}

    async def work() -> None:
        async with scope(tenant) as (_, teller):
            held = await commands.retention(teller)
            if said:
                held = rules.clean_retention(held, said)
                await commands.change_retention(teller, held)
        show("Retention", ["what", "is kept for"], [(kind, _kept(held, kind)) for kind in KEPT], empty="")

    run(work())


def _kept(held: Retention, kind: Kept) -> str:
    days = held.days_kept(kind)
    return "ever" if days is None else f"{days:,} days"
