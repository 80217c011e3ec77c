"""Tenants at the command line, and what each decides for itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from postroom import reads
from postroom.cli.shared import TenantName, house, out, run, scope, show, whoami
from postroom.nouns.errors import StaleRevision
from postroom.nouns.retention import KEPT, Kept, Retention
from postroom.rooms.policy import WholePolicy, change_tenant_policy, tenant_policy
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


@tenants.command("policy")
def policy(
    tenant: TenantName = "default",
    sure_enough: Annotated[
        str | None,
        typer.Option(metavar="PERCENT", help="Readings below this go to a person; 0: the gate alone decides."),
    ] = None,
    require_order: Annotated[str | None, typer.Option(help="A trade needs a pending order: yes, no or auto.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Change it without asking.")] = False,
) -> None:
    """When a document is booked without a person; before a change, what it would have changed is shown."""

    async def look() -> tuple[rules.Policy, rules.Policy, str]:
        async with scope(tenant) as (_, teller):
            held = (await tenant_policy(teller)).documents
            order = {None: "auto", True: "yes", False: "no"}[held.require_order]
            wanted = rules.clean_policy(sure_enough or str(held.sure_enough * 100), require_order or order)
            async with teller.read() as tx:
                effect = await reads.scorecard.threshold_effect(tx, held.sure_enough, wanted.sure_enough, teller.now)
        return held, wanted, effect.said

    async def change(held: rules.Policy, wanted: rules.Policy) -> None:
        def changed(now: WholePolicy) -> WholePolicy:
            if now.documents != held:
                raise StaleRevision("Somebody changed the policy since you looked: look again, then decide.")
            return replace(now, documents=wanted)

        async with scope(tenant) as (_, teller):
            await change_tenant_policy(teller, changed)

    held, wanted, said = run(look())
    if wanted != held:
        if wanted.sure_enough != held.sure_enough:
            out.print(said, highlight=False)
        if not yes and not typer.confirm("Change it?"):
            raise typer.Exit(1)
        run(change(held, wanted))
    order = {None: "as soon as orders are kept", True: "always", False: "never"}[wanted.require_order]
    rows = [("sure enough", f"{wanted.sure_enough:.1%}"), ("a trade needs an order", order)]
    show("Policy", ["what", ""], rows, empty="")


def _kept(held: Retention, kind: Kept) -> str:
    days = held.days_kept(kind)
    return "ever" if days is None else f"{days:,} days"
