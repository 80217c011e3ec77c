"""Proposals at the command line: what waits for a yes, what it says, and deciding about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from postroom.cli.shared import TenantName, out, run, scope, show

if TYPE_CHECKING:
    from postroom.rooms.outbox.commands import MailProposal, ProposalPreview

# Everything heavy is imported inside the commands, so that `postroom --help` does not wait for it.

proposal = typer.Typer(no_args_is_help=True)
ProposalId = Annotated[UUID, typer.Argument(help="The id of the proposal, as `postroom proposal list` shows it.")]
Because = Annotated[str, typer.Option(help="Why, for those who look later.")]


@proposal.command("list")
def list_proposals(
    tenant: TenantName = "default",
    status: Annotated[str, typer.Option(help="Only these: waiting, approved, sending, sent, unknown, …")] = "",
) -> None:
    """The newest proposals, with what each waits for."""
    from postroom.rooms.outbox import commands

    async def work() -> None:
        async with scope(tenant) as (_, who):
            found = await commands.list_proposals(who, 50, statuses=[status] if status else None)
        rows = [(str(each.id), each.status, ", ".join(each.recipients), each.subject, each.because) for each in found]
        show("Proposals", ["id", "status", "to", "subject", "because"], rows, empty="Nothing is proposed.")

    run(work())


@proposal.command("show")
def show_proposal(proposal_id: ProposalId, tenant: TenantName = "default") -> None:
    """Exactly what would go out, its hash, and what stands in the way."""
    from postroom.rooms.outbox import commands

    async def work() -> None:
        async with scope(tenant) as (_, who):
            _print(await commands.preview(who, proposal_id))

    run(work())


def _print(seen: ProposalPreview) -> None:
    row = seen.proposal
    said = [f"{each.name}: {each.value}" for each in seen.headers]
    lines = [*said, "", row.body.rstrip(), "", f"Status: {row.status}. {row.because}".rstrip(), f"Hash: {row.hash}"]
    lines += [f"A second person must agree: {each}" for each in seen.second_person]
    lines += [each.because for each in seen.outdated]
    lines += [f"It cannot be approved now: {seen.objection}"] if seen.objection else []
    lines += [f"Looked for at {each['at']}: {each['found']}. {each['because']}" for each in row.checked]
    lines += [f"It bounced: {row.bounce}"] if row.bounce else []
    out.print("\n".join(lines), highlight=False, markup=False)


@proposal.command("approve")
def approve_proposal(
    proposal_id: ProposalId,
    hash_: Annotated[str, typer.Option("--hash", help="Of what you saw, as `postroom proposal show` prints it.")],
    papers_seen: Annotated[
        bool, typer.Option("--papers-seen", help="Yes, although a paper that it quotes was changed.")
    ] = False,
    tenant: TenantName = "default",
) -> None:
    """Say yes to exactly this. It goes out after the undo delay."""
    from postroom.rooms.outbox import commands

    async def work() -> MailProposal:
        async with scope(tenant) as (_, who):
            return await commands.approve(who, proposal_id, hash_, papers_seen=papers_seen)

    _say(run(work()))


@proposal.command("revoke")
def revoke_proposal(proposal_id: ProposalId, because: Because = "", tenant: TenantName = "default") -> None:
    """Take every yes back, until the send begins."""
    from postroom.rooms.outbox import commands

    async def work() -> MailProposal:
        async with scope(tenant) as (_, who):
            return await commands.revoke(who, proposal_id, because)

    _say(run(work()))


@proposal.command("discard")
def discard_proposal(proposal_id: ProposalId, because: Because = "", tenant: TenantName = "default") -> None:
    """Do not send it; its draft goes from the mailbox too, if nobody touched it."""
    from postroom.rooms.outbox import commands

    async def work() -> MailProposal:
        async with scope(tenant) as (_, who):
            return await commands.discard(who, proposal_id, because)

    _say(run(work()))


@proposal.command("resolve")
def resolve_proposal(
    proposal_id: ProposalId,
    sent: Annotated[bool, typer.Option("--sent/--not-sent", help="Whether you found it in the mailbox's Sent folder.")],
    tenant: TenantName = "default",
) -> None:
    """Say what became of a mail whose send is unknown."""
    from postroom.rooms.outbox import commands

    async def work() -> MailProposal:
        async with scope(tenant) as (_, who):
            return await commands.resolve(who, proposal_id, "sent" if sent else "not_sent")

    _say(run(work()))


def _say(row: MailProposal) -> None:
    when = f"It goes out not before {row.send_at:%Y-%m-%d %H:%M:%S} UTC." if row.send_at else ""
    said = [f"{row.subject}: {row.status}.", row.because, when]
    out.print(" ".join(each for each in said if each), highlight=False, markup=False, soft_wrap=True)
