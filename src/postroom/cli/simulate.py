"""The simulators at the command line: Graph, Gmail and Pub/Sub on this machine, with sample mail."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from postroom.cli.shared import err, out, run

if TYPE_CHECKING:
    from postroom.simulators.world import World

simulate = typer.Typer(no_args_is_help=False, invoke_without_command=True)


@simulate.callback()
def serve(
    context: typer.Context,
    bind: Annotated[str, typer.Option(help="host:port to listen on; loopback only.")] = "127.0.0.1:8026",
    scenario: Annotated[list[str] | None, typer.Option(help="dealing-desk, accounts-payable, client-service.")] = None,
    speed: Annotated[float, typer.Option(help="How fast a scenario is played; 0 is all at once.", min=0)] = 1.0,
    drip: Annotated[float, typer.Option(help="Seconds between further sample mails; 0 for none.", min=0)] = 0.0,
    seed: Annotated[int, typer.Option(help="The same seed plays the same mail.")] = 0,
) -> None:
    """Run the simulators until stopped. Open the printed address to send mail and turn faults on."""
    if context.invoked_subcommand is not None:
        return
    from postroom.simulators import server

    host, _, port = bind.rpartition(":")

    def ready(world: World) -> None:
        err.print(f"Simulators at {world.base_url}", highlight=False)

    run(server.serve(host, int(port), scenario or [], speed=speed, drip=drip, seed=seed, on_ready=ready))


@simulate.command("send")
def send(
    to: Annotated[list[str], typer.Option(help="A simulated mailbox.")],
    sender: Annotated[str, typer.Option("--from", help="Who writes.")] = "visitor@example.test",
    subject: Annotated[str, typer.Option()] = "Hello",
    text: Annotated[str, typer.Option(help="The words of the mail.")] = "",
    attach: Annotated[list[Path] | None, typer.Option(help="Files to go with it.", exists=True)] = None,
    raw: Annotated[Path | None, typer.Option(help="A whole .eml instead.", exists=True)] = None,
    at: Annotated[str, typer.Option(help="Where the simulators listen.")] = "http://127.0.0.1:8026",
) -> None:
    """Drop a mail into a simulated mailbox."""
    from postroom.simulators import server

    try:
        sent = run(
            server.send_letter(at, sender=sender, to=to, subject=subject, text=text, attachments=attach or [], raw=raw)
        )
    except server.NotSent as problem:
        err.print(f"[red]{problem}[/red]", highlight=False)
        raise typer.Exit(1) from None
    for mailbox, message_id in sent.items():
        out.print(f"{mailbox}: {message_id}", highlight=False)
