"""The commands: thin, they parse, call and show. Each is imported when it is called: `--help` answers at once."""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated

import typer

from postroom.cli.lazily import Line, group_of

LINES = {
    "up": Line("postroom.cli.house:up", "Everything in one: web, worker and timetable."),
    "serve": Line("postroom.cli.house:serve", "Only the web process."),
    "work": Line("postroom.cli.house:work", "Only a worker (and the timetable)."),
    "migrate": Line("postroom.cli.house:migrate", "Bring the database up to date."),
    "status": Line(
        "postroom.cli.status:status", "Who works, what waits, what needs a person, and how far each mailbox is."
    ),
    "doctor": Line(
        "postroom.cli.house:doctor",
        "Compare what is expected with what is there, and say what to do about each difference.",
    ),
    "demo": Line("postroom.cli.demo:demo", "Simulated Outlook and Gmail, sample mail, and Postroom on top."),
    "ingest": Line("postroom.cli.mail:ingest", "Import mail and documents from files."),
    "extract": Line(
        "postroom.cli.documents:extract", "Show what is read from documents, with no database and nothing kept."
    ),
    "triage": Line(
        "postroom.cli.triage:triage", "Judge threads from files: who needs an answer, what about, how urgent."
    ),
    "reply": Line(
        "postroom.cli.reply:reply",
        "Draft an answer to a thread from a folder of papers, each statement with its source.",
    ),
    "evidence": Line(
        "postroom.cli.evidence:evidence",
        "Papers that drafts are written from: import, list, retire, ask; how drafts are written.",
    ),
    "proposal": Line(
        "postroom.cli.proposals:proposal", "Mails that wait for a yes: what they say, approve, revoke, discard."
    ),
    "backstop": Line(
        "postroom.cli.mail:backstop",
        "What a daily DAG would do: reconcile a window of every mailbox, and try again what failed.",
    ),
    "bootstrap": Line("postroom.cli.mail:bootstrap", "Make the Graph subscription of the configured mailbox, once."),
    "scorecard": Line(
        "postroom.cli.scorecard:scorecard",
        "How often confirming by itself would have been right, from people's decisions.",
    ),
    "mailbox": Line("postroom.cli.mail:mailbox", "Mailboxes: how they are doing, pause, resume, connect over IMAP."),
    "learning": Line("postroom.cli.learning:learning", "What corrections taught of each sender: look, and forget."),
    "orders": Line("postroom.cli.documents:orders", "Orders that wait for their contract notes."),
    "account": Line("postroom.cli.accounts:accounts", "The client book: import it, look at it, keep it."),
    "mapping": Line(
        "postroom.cli.mappings:mappings", "Whose mail each mail is: what waits, saying so, taking it back."
    ),
    "tenant": Line("postroom.cli.tenants:tenants", "Who owns data here, and how long it is kept."),
    "person": Line("postroom.cli.people:people", "Who may sign in, and as what."),
    "key": Line("postroom.cli.keys:keys", "Keys for the API; and the sealing key: rotate, reseal."),
    "job": Line("postroom.cli.jobs:jobs", "Look at the work: what waits, what failed, try it again."),
    "mcp": Line(
        "postroom.cli.mcp:mcp",
        "Tools for language models: read, analyse, fetch and propose with a key; never approve.",
    ),
    "audit": Line("postroom.cli.audit:audit", "The trail of facts: verify and export it."),
    "simulate": Line(
        "postroom.cli.simulate:simulate", "Graph, Gmail and Pub/Sub on this machine, with sample mail and faults."
    ),
}

app = typer.Typer(
    name="postroom",
    cls=group_of(LINES),
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"postroom {version('postroom')}")
        raise typer.Exit


@app.callback(help="Shared mailboxes, every mail accounted for. Start with `postroom demo`, or `postroom up`.")
def _postroom(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    del version  # answered before
