"""Documents on their walk with a model to ask, and with our own name on them."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from contracts.models.endpoint import KEY, Playing
from postroom import cli
from postroom.db.pool import transaction_is_open
from postroom.nouns.errors import Unavailable
from postroom.nouns.opinions import ModelAnswer
from postroom_simulators.papers import NOTES, SUPPLIERS, bill_of, invoice, ubl_xml
from rooms.documents.dealing import DAY

NOTE = NOTES["thornbury"](DAY, 1, direction="BUY")
TRUTH = NOTE.truth["trades"][0]
BILL = bill_of(next(iter(SUPPLIERS.values())), DAY, 1)


class Mind:
    """Says the same to everybody."""

    name = "tiny"

    def __init__(self, answer: dict | Exception) -> None:
        self.answer = answer
        self.asked: list[str] = []

    async def ask(self, system: str, document: str) -> ModelAnswer:
        assert not transaction_is_open()
        self.asked.append(document)
        if isinstance(self.answer, Exception):
            raise self.answer
        return ModelAnswer(json.dumps(self.answer), "tiny-2026")


def about(**claims: tuple[str, str]) -> dict:
    said = {name: {"value": value, "quote": quote} for name, (value, quote) in claims.items()}
    return {"type": "contract_note", "trades": [said], "invoice": {}}


async def test_a_model_that_agrees_leaves_a_note_confirmed_and_is_named_in_the_audit_trail(desk):
    desk.outside.model = Mind(about(isin=(TRUTH["isin"], TRUTH["isin"])))
    await desk.trusts()
    await desk.places_order(NOTE)
    await desk.receives(("Contract_Note.pdf", NOTE.pdf))

    await desk.works()

    assert ["confirmed"] == desk.statuses(), desk.reasons()
    assert ["tiny-2026"] == [fact["model"] for fact in desk.facts("document.read")]
    ((kept,),) = desk.own("SELECT extraction->'opinion' FROM postroom.document")
    assert ("tiny-2026", ["isin"], {}) == (kept["model"], kept["agreed"], kept["differs"])


async def test_a_model_that_differs_sends_a_note_to_a_person_with_both_values(desk):
    desk.outside.model = Mind(about(direction=("BUY", "no such words"), quantity=("1", TRUTH["isin"])))
    await desk.trusts()
    await desk.places_order(NOTE)
    await desk.receives(("Contract_Note.pdf", NOTE.pdf))
    await desk.works()
    assert ["confirmed"] == desk.statuses(), "what cannot be quoted changes nothing"

    other = NOTES["thornbury"](DAY, 2, direction="SELL")
    gross = f"{float(other.truth['trades'][0]['gross']):,.2f}"
    desk.outside.model = Mind(about(net=(gross.replace(",", ""), gross)))
    await desk.places_order(other)
    await desk.receives(("Second.pdf", other.pdf))
    await desk.works()

    assert ["confirmed", "review"] == desk.statuses()
    assert "tiny-2026 reads net" in desk.reasons()[1]
    ((field,),) = desk.own("SELECT extraction->'fields'->'net' FROM postroom.document WHERE status = 'review'")
    assert other.truth["trades"][0]["net"] == field["value"]
    assert "tiny-2026" == field["candidates"][0]["by"]


async def test_without_its_model_a_note_goes_on_and_says_so(desk):
    desk.outside.model = Mind(Unavailable("The endpoint of tiny is in trouble (503)."))
    await desk.trusts()
    await desk.places_order(NOTE)
    await desk.receives(("Contract_Note.pdf", NOTE.pdf))

    await desk.works()

    assert ["confirmed"] == desk.statuses()
    assert "No second opinion: The endpoint of tiny is in trouble (503)." in desk.reasons()[0]
    assert ["tiny"] == [fact["model"] for fact in desk.facts("document.read")]


async def test_our_own_name_at_the_top_is_never_the_supplier(desk):
    """The mailbox is notes@larkspur.example."""
    ours = replace(BILL.supplier, party=replace(BILL.supplier.party, name="Larkspur GmbH"))
    bill = replace(BILL, supplier=ours, buyer=replace(BILL.buyer, name="Kranbau Wittig GmbH"))
    await desk.receives(("invoice.pdf", invoice(bill).pdf), sender="billing@supplier.example")
    await desk.receives(("invoice.xml", ubl_xml(bill)), sender="billing@supplier.example", kind="application/xml")

    await desk.works()

    assert ["review", "review"] == desk.statuses(), desk.reasons()
    suppliers = desk.own(
        "SELECT i.supplier FROM postroom.invoice i JOIN postroom.document d ON d.id = i.document_id WHERE d.filename = 'invoice.pdf'"
    )
    assert all("Larkspur" not in (name or "") for (name,) in suppliers)


@pytest.fixture
def playing() -> Iterator[Playing]:
    """The endpoint in a thread of its own: the command blocks this one."""
    playing, ready, over = Playing(), threading.Event(), threading.Event()

    async def serve() -> None:
        server = await playing.start()
        ready.set()
        await asyncio.to_thread(over.wait)
        await server.close()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    ready.wait(10)
    yield playing
    over.set()
    thread.join(10)


def extract(*arguments: object, env: dict[str, str] | None = None):
    ended = CliRunner(env={"POSTROOM_MODEL_KEY": KEY, **(env or {})}).invoke(cli.app, ["extract", *map(str, arguments)])
    return ended, [json.loads(line) for line in ended.stdout.splitlines() if line.startswith("{")]


def test_the_command_asks_the_model_that_is_set_or_named_or_none(playing, tmp_path):
    playing.say(about(isin=(TRUTH["isin"], TRUTH["isin"])))
    (tmp_path / "note.pdf").write_bytes(NOTE.pdf)
    set_to = {"POSTROOM_MODEL": playing.address}

    _, (by_setting,) = extract(tmp_path / "note.pdf", "--json", env=set_to)
    _, (by_name,) = extract(tmp_path / "note.pdf", "--json", "--model", playing.address)
    _, (without,) = extract(tmp_path / "note.pdf", "--json", "--no-model", env=set_to)

    assert ["isin"] == by_setting["opinion"]["agreed"] == by_name["opinion"]["agreed"]
    assert "opinion" not in without
    assert 2 == len(playing.asked)


def test_a_model_that_is_down_is_said_in_the_answer_and_nowhere_else(tmp_path):
    (tmp_path / "note.pdf").write_bytes(NOTE.pdf)

    ended, (line,) = extract(tmp_path / "note.pdf", "--json", "--model", "tiny@http://127.0.0.1:1/v1")

    _, (alone,) = extract(tmp_path / "note.pdf", "--json", "--no-model")
    assert (0, 1) == (ended.exit_code, len(ended.stdout.splitlines()))
    assert (alone["auto_confirm"], alone["trades"]) == (line["auto_confirm"], line["trades"])
    assert line["opinion"]["note"].startswith("No second opinion: 127.0.0.1 cannot be reached")


def test_without_a_model_no_setting_matters(tmp_path):
    (tmp_path / "note.pdf").write_bytes(NOTE.pdf)

    ended, (line,) = extract(tmp_path / "note.pdf", "--json", env={"POSTROOM_BIND": "nonsense", "POSTROOM_MODEL": ""})

    assert (0, "contract_note") == (ended.exit_code, line["type"])


def test_a_model_that_is_half_named_is_refused_with_what_is_expected(tmp_path):
    ended, lines = extract(tmp_path / "note.pdf", "--json", "--model", "tiny")

    assert (2, []) == (ended.exit_code, lines)
    assert "POSTROOM_MODEL='tiny': expected NAME@https://host/v1" in " ".join(ended.stderr.split())
