"""The simulators at the command line: Graph, Gmail and Pub/Sub on this machine, with sample mail."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from postroom.cli.shared import complain, err, out, run
from postroom.settings import is_loopback

if TYPE_CHECKING:
    from postroom_simulators.world import World

SCENARIOS = ("dealing-desk", "accounts-payable", "client-service")


def _known(names: list[str] | None) -> list[str] | None:
    if unknown := [name for name in names or () if name not in SCENARIOS]:
        raise typer.BadParameter(f"There is no scenario {', '.join(unknown)}; choose from {', '.join(SCENARIOS)}.")
    return names


def _loopback(told: str) -> str:
    host, _, port = told.rpartition(":")
    if not port.isdigit() or int(port) > 65535 or not is_loopback(host.strip("[]")):
        raise typer.BadParameter(f"{told} will not do: host:port on this machine, such as 127.0.0.1:8026.")
    return told


Scenarios = Annotated[
    list[str] | None, typer.Option(help=f"One or more of {', '.join(SCENARIOS)}.", callback=_known, metavar="NAME")
]


def need_simulators() -> None:
    """The simulators are an extra: a server has no use for what prints their sample papers."""
    try:
        import reportlab  # noqa: F401 - whether it is there is the question
    except ModuleNotFoundError:
        complain("The simulators are not installed; `pip install 'postroom[simulators]'` brings them.")
        raise typer.Exit(1) from None


simulate = typer.Typer(no_args_is_help=False, invoke_without_command=True)


@simulate.callback()
def serve(
    context: typer.Context,
    bind: Annotated[
        str, typer.Option(help="host:port to listen on; loopback only.", callback=_loopback)
    ] = "127.0.0.1:8026",
    scenario: Scenarios = None,
    speed: Annotated[float, typer.Option(help="How fast a scenario is played; 0 is all at once.", min=0)] = 1.0,
    drip: Annotated[float, typer.Option(help="Seconds between further sample mails; 0 for none.", min=0)] = 0.0,
    seed: Annotated[int, typer.Option(help="The same seed plays the same mail.")] = 0,
) -> None:
    """Run the simulators until stopped. Open the printed address to send mail and turn faults on."""
    if context.invoked_subcommand is not None:
        return
    need_simulators()
    from postroom_simulators import server

    host, _, port = bind.rpartition(":")

    def ready(world: World) -> None:
        err.print(f"Simulators at {world.base_url}", highlight=False)
        for name, value in simulated(world.base_url).items():
            err.print(f"  export {name}={value}", highlight=False)

    try:
        run(
            server.serve(host.strip("[]"), int(port), scenario or [], speed=speed, drip=drip, seed=seed, on_ready=ready)
        )
    except OSError as problem:
        complain(problem.strerror)
        raise typer.Exit(1) from None


def simulated(base_url: str) -> dict[str, str]:
    """What makes Postroom take the simulators for Microsoft and Google."""
    return {
        "POSTROOM_GRAPH_BASE_URL": f"{base_url}/v1.0",
        "POSTROOM_GRAPH_LOGIN_URL": base_url,
        "POSTROOM_GMAIL_BASE_URL": base_url,
        "POSTROOM_GOOGLE_AUTH_URL": f"{base_url}/o/oauth2/v2/auth",
        "POSTROOM_GOOGLE_TOKEN_URL": f"{base_url}/token",
        "POSTROOM_GOOGLE_CERTS_URL": f"{base_url}/oauth2/v3/certs",
        "POSTROOM_GOOGLE_PUBSUB_URL": base_url,
    }


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
    need_simulators()
    from postroom_simulators import server

    try:
        sent = run(
            server.send_letter(at, sender=sender, to=to, subject=subject, text=text, attachments=attach or [], raw=raw)
        )
    except server.MailNotSent as problem:
        complain(problem)
        raise typer.Exit(1) from None
    for mailbox, message_id in sent.items():
        out.print(f"{mailbox}: {message_id}", highlight=False)
