"""The commands: `extract` with no database, `ingest` and `orders` with one."""

from __future__ import annotations

import ast
import json
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from contracts.readers import office_files
from contracts.readers.misbehaving import worker_that
from postroom import cli
from postroom.cli import documents, shared
from postroom.outside.readers import process
from postroom_simulators.papers import NOTES, SUPPLIERS, activity_statement, bill_of, factur_x, locked, ubl_xml
from rooms.documents.dealing import DAY
from stories.documents.mail_texts import LETTERS, mail_of, note

NOTE = NOTES["hansekontor"](DAY, 1, direction="BUY")
TRADE_KEYS = {
    *("direction", "trade_date", "settlement_date", "quantity", "isin", "ticker", "name", "price", "currency"),
    *("gross", "fees", "taxes", "net", "confidence"),
}
INVOICE_KEYS = {
    *("number", "issue_date", "due_date", "supplier", "buyer", "currency", "net_total", "tax_total"),
    *("grand_total", "iban", "lines"),
}


@pytest.fixture
def app():
    return cli.app


def run(app, *args, stdin=None):
    ended = CliRunner().invoke(app, [str(arg) for arg in args], input=stdin)
    return ended, [json.loads(line) for line in ended.stdout.splitlines() if line.startswith("{")]


def test_a_note_gives_exactly_the_agreed_shape(app, tmp_path):
    (tmp_path / "note.pdf").write_bytes(NOTE.pdf)

    ended, (line,) = run(app, "extract", tmp_path / "note.pdf", "--json")

    assert 0 == ended.exit_code
    assert {"file", "type", "trades", "invoice", "auto_confirm", "because", "fields", "entries"} == set(line)
    assert (str(tmp_path / "note.pdf"), "contract_note", None) == (line["file"], line["type"], line["invoice"])
    (trade,) = line["trades"]
    assert set(trade) == TRADE_KEYS
    truth = NOTE.truth["trades"][0]
    same = ("direction", "trade_date", "isin", "net", "currency", "quantity")
    assert {name: truth[name] for name in same} == {name: trade[name] for name in same}
    assert {"value", "confidence", "page", "box"} == set(line["fields"]["net"])
    assert (truth["net"], 1, 4) == (
        line["fields"]["net"]["value"],
        line["fields"]["net"]["page"],
        len(line["fields"]["net"]["box"]),
    )


def test_one_line_per_file_in_their_order_and_the_others_go_on(app, tmp_path):
    bill = bill_of(next(iter(SUPPLIERS.values())), DAY, 1)
    files = {
        "a.pdf": NOTE.pdf,
        "b.pdf": b"%PDF-1.4 nonsense",
        "c.xml": ubl_xml(bill),
        "d.pdf": factur_x(bill).pdf,
        "e.xml": b"<?xml version='1.0'?><rss/>",
        "f.txt": b"Date: today\nNothing to see here.",
        "g.pdf": b"",
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    paths = [tmp_path / name for name in files]

    ended, lines = run(app, "extract", *paths, tmp_path / "missing.pdf", tmp_path, "--json")

    assert 1 == ended.exit_code
    assert [str(path) for path in [*paths, tmp_path / "missing.pdf", tmp_path]] == [line["file"] for line in lines]
    kinds = ["error" if "error" in line else line["type"] for line in lines]
    assert ["contract_note", "error", "invoice", "invoice", "error", "other", "error", "error", "error"] == kinds
    assert all(set(line) == {"file", "error"} for line in lines if "error" in line)
    for line in (lines[2], lines[3]):
        assert set(line["invoice"]) == INVOICE_KEYS
        assert (bill.number, True) == (line["invoice"]["number"], line["auto_confirm"])
    assert "folder" in lines[-1]["error"]


def test_a_mail_gives_a_line_for_each_document_it_carries(app, tmp_path, desk):
    raw = desk.mail(("note.pdf", NOTE.pdf), ("statement.pdf", activity_statement(DAY, 1, trades=3).pdf))
    (tmp_path / "mail.eml").write_bytes(raw)
    (tmp_path / "empty.eml").write_bytes(desk.mail())

    ended, lines = run(app, "extract", tmp_path / "mail.eml", tmp_path / "empty.eml", "--json")

    assert 1 == ended.exit_code
    names = [f"{tmp_path}/mail.eml/note.pdf", f"{tmp_path}/mail.eml/statement.pdf", f"{tmp_path}/empty.eml"]
    assert names == [line["file"] for line in lines]
    assert "no document" in lines[2]["error"]


def test_a_mail_speaks_for_itself_where_its_text_is_the_document(app, tmp_path):
    (tmp_path / "trade.eml").write_bytes(mail_of("a@house.test", "Trade confirmation", "See HTML.", note()).as_bytes())
    (tmp_path / "letter.eml").write_bytes(mail_of("a@house.test", *LETTERS["asks about a trade"]).as_bytes())
    (tmp_path / "bill.docx").write_bytes(office_files.bill())

    ended, lines = run(
        app, "extract", *(tmp_path / name for name in ("trade.eml", "letter.eml", "bill.docx")), "--json"
    )

    assert 1 == ended.exit_code
    assert f"{tmp_path}/trade.eml/Trade confirmation.html" == lines[0]["file"]
    assert ["15035"] == [trade["net"] for trade in lines[0]["trades"]]
    assert "no document" in lines[1]["error"]
    assert "416.5" == lines[2]["invoice"]["grand_total"]


def test_an_archive_that_ends_its_reader_is_an_error_of_its_own(app, tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "notes.zip", "w") as archive:
        archive.writestr("note.pdf", NOTE.pdf)
    (tmp_path / "note.txt").write_text("Nothing that was bought or sold.")

    _, (good, _) = run(app, "extract", tmp_path / "notes.zip", tmp_path / "note.txt", "--json")
    kill = "if request.work == 'mail': signal.raise_signal(signal.SIGKILL)\nreturn real(request, content)"
    monkeypatch.setattr(process, "WORKER", worker_that(kill))
    ended, (bad, other) = run(app, "extract", tmp_path / "notes.zip", tmp_path / "note.txt", "--json")

    assert ("contract_note", 1) == (good["type"], ended.exit_code)
    assert "could not be taken apart. Reading the file ended its process (signal 9)." in bad["error"]
    assert "other" == other["type"]


def test_standard_input_and_passwords(app, tmp_path):
    sealed = locked(NOTE, "sesame").pdf

    shut, (closed,) = run(app, "extract", "-", "--json", stdin=sealed)
    ended, (line,) = run(app, "extract", "-", "--json", "--password", "wrong", "--password", "sesame", stdin=sealed)

    assert (1, 0) == (shut.exit_code, ended.exit_code)
    assert "password" in closed["error"]
    assert ("-", "contract_note") == (line["file"], line["type"])


def test_without_json_a_table_is_shown(app, tmp_path, monkeypatch):
    (tmp_path / "n.pdf").write_bytes(NOTE.pdf)
    monkeypatch.setattr(shared.out, "width", 300)

    ended = CliRunner().invoke(app, ["extract", str(tmp_path / "n.pdf"), str(tmp_path / "x.pdf")])

    assert 1 == ended.exit_code
    truth = NOTE.truth["trades"][0]
    assert f"{truth['net']} {truth['currency']}" in ended.stdout
    assert "ERROR" in ended.stdout


DIVIDEND = """Nordwind Bank plc
DIVIDEND PAYMENT
Security  Siemens AG registered shares
ISIN  DE0007236101
Ex date   13.02.2026
Payment date  17.02.2026
Holding   100 shares
Dividend per share  5.20 EUR
Gross dividend   520.00 EUR
Withholding tax 26.375 %   137.15 EUR
Net amount credited  382.85 EUR
"""


def test_the_table_shows_a_dividend_too(app, tmp_path, monkeypatch):
    monkeypatch.setattr(shared.out, "width", 300)
    (tmp_path / "dividend.txt").write_text(DIVIDEND)

    ended, _ = run(app, "extract", tmp_path / "dividend.txt")

    assert "dividend 100 DE0007236101" in ended.stdout
    assert all(said in ended.stdout for said in ("2026-02-17", "382.85 EUR"))


@pytest.mark.parametrize(
    ("name", "content", "error"),
    [
        ("empty.txt", b"", "The file is empty; ask for it again."),
        ("broken.docx", b"PK\x03\x04 broken", "The file carries no document to read."),
        (
            "locked.pdf",
            locked(NOTE, "secret").pdf,
            "The PDF is protected by a password; give the right one with --password.",
        ),
    ],
)
def test_an_error_says_what_to_do_at_the_command_line(app, tmp_path, name, content, error):
    (tmp_path / name).write_bytes(content)

    _, (line,) = run(app, "extract", tmp_path / name, "--json")

    assert line["error"].startswith(error)


def test_the_commands_start_without_loading_what_reads():
    tree = ast.parse(Path(documents.__file__).read_text())
    loaded = {node.module for node in tree.body if isinstance(node, ast.ImportFrom)}

    light = {"postroom.cli.shared", "postroom.nouns.counting"}
    assert light == {name for name in loaded if name.startswith("postroom")}


def test_ingest_and_orders_with_a_database(app, tmp_path, dsn, monkeypatch, owner_dsn):
    from makers import make_tenant

    make_tenant(owner_dsn, "default")
    monkeypatch.setattr("postroom.logs.set_up", lambda *how: None)  # it would outlive the runner's captured stderr
    monkeypatch.setenv("POSTROOM_DATABASE_URL", dsn)
    monkeypatch.setenv("POSTROOM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("POSTROOM_ARCHIVE_URL", f"file://{tmp_path}/kept")
    (tmp_path / "kept").mkdir()
    truth = NOTE.truth["trades"][0]
    (tmp_path / "orders.csv").write_text(
        "id,user,direction,quantity,date,isin\n"
        f"O-1,rwhitlock,{truth['direction']},{truth['quantity']},{truth['trade_date']},{truth['isin']}\n"
    )
    (tmp_path / "note.pdf").write_bytes(NOTE.pdf)
    (tmp_path / "junk.pdf").write_bytes(b"MZ junk")

    imported, _ = run(app, "orders", "import", tmp_path / "orders.csv")
    ingested, _ = run(app, "ingest", tmp_path / "note.pdf", tmp_path / "junk.pdf")
    listed, _ = run(app, "orders", "list")

    assert (0, 1, 0) == (imported.exit_code, ingested.exit_code, listed.exit_code), ingested.output
    assert "1 new, 0 changed, 0 as before." in imported.stdout
    assert "junk.pdf is not taken" in ingested.output
    assert "filled" in listed.stdout
    (tmp_path / "orders.csv").write_text("user,direction,quantity,date,isin\na,HOLD,1,2026-02-04,US0378331005\n")
    refused, _ = run(app, "orders", "import", tmp_path / "orders.csv")
    assert 1 == refused.exit_code
    assert "orders.csv:2: direction 'HOLD' is neither BUY nor SELL." in refused.output
