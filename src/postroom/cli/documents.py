"""Documents at the command line: what is read from a file, and orders to match."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from postroom.cli.shared import TenantName, complain, err, out, printable, run, scope, show
from postroom.nouns.counting import count

if TYPE_CHECKING:
    from postroom.cli.extracting import ExtractionAnswer
    from postroom.ports import Model

# Everything heavy is imported inside the commands, so that `postroom --help` does not wait for it.

orders = typer.Typer(no_args_is_help=True)
TRADED = ("trade", "redemption", "invoice")  # what the table shows by itself
Files = Annotated[
    list[str], typer.Argument(help="Files, or - for standard input.", metavar="FILE…", show_default=False)
]


def extract(
    files: Files,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON line per document, for programs.")] = False,
    password: Annotated[list[str] | None, typer.Option(help="Tried on protected PDFs; may be repeated.")] = None,
    ocr: Annotated[bool, typer.Option(help="Recognise scans and pictures (needs postroom[ocr]).")] = True,
    model: Annotated[
        str | None, typer.Option(help="Ask this model for its opinion, such as NAME@https://host/v1.", metavar="MODEL")
    ] = None,
    no_model: Annotated[bool, typer.Option("--no-model", help="Ask no model, whatever is set.")] = False,
) -> None:
    """Show what is read from documents, with no database and nothing kept.

    PDF, PNG, JPEG and TIFF, XML e-invoices, Word, Excel, HTML, CSV, plain text, and mails (.eml, .msg) with what they
    carry: each document of a mail is a line of its own. A file that cannot be read gives an error, and the others go
    on; then the exit code is 1.
    """
    from postroom.cli.extracting import extract_all

    asked = None if no_model else _model(model)
    failed = False
    rows: list[ExtractionAnswer] = []
    with _progress(len(files)) as step:
        for answer in extract_all(_contents(files), passwords=password or (), ocr=ocr, model=asked):
            failed = failed or answer.failed
            if as_json:
                sys.stdout.write(printable(json.dumps(answer.line, ensure_ascii=False)) + "\n")
                sys.stdout.flush()
            else:
                rows.append(answer)
            if answer.last:
                step()
    if not as_json:
        _show_answers(rows)
    if failed:
        raise typer.Exit(1)


def _model(named: str | None) -> Model | None:
    """The one that is named here, else the one that is set. The key comes from the settings, never from arguments."""
    from postroom import logs, settings
    from postroom.app.house import utc_now
    from postroom.app.providers import open_model
    from postroom.nouns.errors import Misconfigured

    if not named and not os.environ.get(f"{settings.PREFIX}MODEL"):
        return None  # nothing else of the settings is needed to read a file
    try:
        ours = settings.load(**({"model": named} if named else {}))
        logs.set_up(ours.log_format, ours.log_level)  # to standard error: standard output is for the answers
        return open_model(ours, utc_now)
    except Misconfigured as problem:
        complain(problem)
        raise typer.Exit(2) from None


def _contents(files: list[str]) -> Iterator[tuple[str, bytes | str]]:
    """Each file's bytes, or the sentence why there are none."""
    for name in files:
        if name == "-":
            yield "-", sys.stdin.buffer.read()
            continue
        try:
            yield name, Path(name).read_bytes()
        except IsADirectoryError:
            yield name, "This is a folder; name the files in it, such as folder/*.pdf."
        except OSError as problem:
            yield name, f"The file cannot be opened: {problem.strerror}."


class _progress:  # noqa: N801 - used like a function
    """A bar on standard error for many files, when somebody is watching."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._bar: Any = None

    def __enter__(self) -> Any:
        if self._total < 2 or not sys.stderr.isatty():
            return lambda: None
        from rich.progress import Progress

        self._bar = Progress(console=err, transient=True)
        task = self._bar.add_task("Reading", total=self._total)
        self._bar.start()
        return lambda: self._bar.advance(task)

    def __exit__(self, *exc: object) -> None:
        if self._bar is not None:
            self._bar.stop()


def _show_answers(answers: list[ExtractionAnswer]) -> None:
    rows = []
    for answer in answers:
        line = answer.line
        if answer.failed:
            rows.append((line["file"], "", "", "", "", "", f"ERROR {line['error']}"))
            continue
        sure = "yes" if line["auto_confirm"] else "no"
        for what, when, amount in _told(line):
            rows.append((line["file"], line["type"], what, when, amount, sure, line["because"]))
    columns = ["file", "type", "what", "day", "amount", "auto", "because"]
    show("Documents", columns, rows, empty="There was nothing to read.")


def _told(line: dict[str, Any]) -> list[tuple[str, str, str]]:
    trades = [
        (
            f"{trade['direction'] or '?'} {trade['quantity'] or '?'} {trade['isin'] or trade['name'] or '?'}",
            trade["trade_date"] or "?",
            f"{trade['net'] or '?'} {trade['currency'] or ''}".strip(),
        )
        for trade in line["trades"]
    ]
    invoice = line["invoice"]
    if invoice:
        amount = f"{invoice['grand_total'] or '?'} {invoice['currency'] or ''}".strip()
        return [(f"{invoice['number'] or '?'} from {invoice['supplier'] or '?'}", invoice["issue_date"] or "?", amount)]
    others = [_other_entry(entry) for entry in line.get("entries", ()) if entry["kind"] not in TRADED]
    return [*trades, *others] or [("", "", "")]


def _other_entry(entry: dict[str, Any]) -> tuple[str, str, str]:
    """A dividend, interest or tax paid back: its kind, what it was paid for, its day and amount."""
    paid_for = " ".join(str(entry[name]) for name in ("quantity", "isin") if entry.get(name))
    amount = f"{entry.get('net') or '?'} {entry.get('currency') or ''}".strip()
    return f"{entry['kind'].replace('_', ' ')} {paid_for}".strip(), entry.get("pay_date") or "?", amount


@orders.command("import")
def import_orders(
    file: Annotated[Path, typer.Argument(help="A CSV file; the first line names the columns.")],
    tenant: TenantName = "default",
) -> None:
    """Take in orders: username, direction, quantity, placed_on, and isin, ticker or name. Wholly or not at all."""
    from postroom.rooms.documents import commands

    async def work() -> bool:
        try:
            content = file.read_bytes()
        except OSError as problem:
            complain(f"{file} cannot be opened: {problem.strerror}.")
            return False
        async with scope(tenant) as (_, teller):
            done = await commands.import_orders(teller, content)
        for bad in done.bad:
            complain(f"{file}:{bad.line}: {bad.because}")
        if done.bad:
            err.print(f"Nothing was imported: mend {count(len(done.bad), 'line')} and try again.", highlight=False)
            return False
        out.print(f"{done.new} new, {done.changed} changed, {done.unchanged} as before.", highlight=False)
        return True

    if not run(work()):
        raise typer.Exit(1)


@orders.command("list")
def list_orders(
    tenant: TenantName = "default",
    status: Annotated[str | None, typer.Option(help="open, filled or cancelled.")] = None,
    most: Annotated[int, typer.Option(help="How many at the most.", min=1, max=200)] = 100,
) -> None:
    """The newest orders first."""
    from postroom.rooms.documents import commands

    async def work() -> None:
        async with scope(tenant) as (_, teller):
            page = await commands.orders(teller, status=status, most=most)
        rows = [
            (
                order.external_id,
                order.username,
                order.direction,
                f"{order.quantity:f}",
                order.isin or order.ticker or order.name,
                order.placed_on,
                order.status,
            )
            for order in page.items
        ]
        columns = ["order", "user", "side", "quantity", "instrument", "placed", "status"]
        show("Orders", columns, rows, empty="No orders. Take some in with `postroom orders import FILE.csv`.")

    run(work())
