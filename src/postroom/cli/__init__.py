"""The commands: thin, they parse, call and show."""

from __future__ import annotations

import typer

from postroom.cli import audit, demo, documents, house, jobs, mail, people, sealing, simulate, tenants

app = typer.Typer(
    name="postroom",
    help="Shared mailboxes, every mail accounted for. Start with `postroom demo`, or `postroom up`.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
house.add_to(app)
app.command("demo")(demo.demo)
app.command("ingest")(mail.ingest)
app.command("extract")(documents.extract)
app.command("backstop")(mail.backstop)
app.command("bootstrap")(mail.bootstrap)
app.add_typer(mail.mailbox, name="mailbox", help="Mailboxes: how they are doing, pause, resume, connect over IMAP.")
app.add_typer(documents.orders, name="orders", help="Orders that wait for their contract notes.")
app.add_typer(tenants.tenants, name="tenant", help="Who owns data here, and how long it is kept.")
app.add_typer(people.people, name="person", help="Who may sign in, and as what.")
sealing.add_to(people.keys)
app.add_typer(people.keys, name="key", help="Keys for the API; and the sealing key: rotate, reseal.")
app.add_typer(jobs.jobs, name="job", help="Look at the work: what waits, what failed, try it again.")
app.add_typer(audit.audit, name="audit", help="The trail of facts: verify and export it.")
app.add_typer(
    simulate.simulate, name="simulate", help="Graph, Gmail and Pub/Sub on this machine, with sample mail and faults."
)
