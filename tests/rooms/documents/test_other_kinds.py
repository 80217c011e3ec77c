"""A kind that nobody programmed: its folder is put beside the others, and its papers walk through review."""

from __future__ import annotations

import re
import shutil
import sys
import tomllib
from datetime import date
from decimal import Decimal
from email.message import EmailMessage
from pathlib import Path

import pytest

from postroom.doors.console.review_parts import amount_spots, parts_of
from postroom.nouns.documents import Booking, Extraction, typed
from postroom.nouns.errors import BadRequest, Conflict
from postroom.reading.extractor import extract
from postroom.reading.kinds import kind as kind_module
from postroom.reading.labels import words
from postroom.rooms.documents import commands
from postroom_simulators.papers import dividend_advice
from rooms.documents.dealing import BROKER, DAY

HOWTO = Path(__file__).parents[3] / "docs" / "howto" / "add-a-document-kind.md"
PAPER = (
    "Interest statement\nHalden Bank plc\nHolding 10,000.00\nRate 0.0125\nGross amount 125.00 GBP\n"
    "Tax 25.00 GBP\nNet amount 100.00 GBP\nPayment date 20/10/2022"
)


def forget_what_was_read() -> None:
    for module in [module for name, module in sys.modules.items() if name.startswith("postroom.reading.")]:
        for thing in list(vars(module).values()):
            if hasattr(thing, "cache_clear"):
                thing.cache_clear()


def written() -> list[str]:
    """What the how-to says to write: `kind.toml`, `words.toml` and `examples.toml`."""
    return re.findall(r"```toml\n(.*?)```", HOWTO.read_text("utf-8"), flags=re.DOTALL)


@pytest.fixture
def interest(tmp_path, monkeypatch):
    """The kind of the how-to, exactly as it is written there."""
    folder = tmp_path / "made_up_kinds"
    shutil.copytree(Path(kind_module.__file__).parent, folder)
    stated, spoken, _ = written()
    (folder / "interest").mkdir()
    (folder / "interest" / "kind.toml").write_text(stated)
    (folder / "interest" / "words.toml").write_text(spoken)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(kind_module, "PACKAGE", "made_up_kinds")
    monkeypatch.setattr(words, "KINDS", "made_up_kinds")
    forget_what_was_read()
    yield
    sys.modules.pop("made_up_kinds", None)
    monkeypatch.undo()
    forget_what_was_read()


@pytest.fixture
async def paper(desk, interest):
    """Its document waits for a person."""
    desk.outside.reader.change = lambda _: extract(typed(PAPER))
    await desk.receives(("interest.pdf", dividend_advice(DAY, 1).pdf))
    await desk.works()
    return desk.only_document()


async def shown(desk, document):
    detail = await commands.get_document(desk.scope(), document)
    (part,) = parts_of(detail)
    return detail, part


def test_the_how_to_s_own_example_is_read_as_it_says(interest):
    (example,) = tomllib.loads(written()[2])["example"]

    (entry,) = extract(typed(example["text"].strip("\n"))).as_json()["entries"]

    (wanted,) = example["entries"]
    assert wanted == {name: entry[name] for name in wanted}


async def test_it_is_shown_with_its_fields_where_they_stand_and_its_amounts(desk, paper):
    detail, part = await shown(desk, paper)

    assert ("review", "interest", "review") == (detail.document.status, part.what, part.status)
    assert ["pay_date", "quantity", "gross", "taxes", "fees", "net", "currency"] == [line.name for line in part.lines]
    assert ("100.00", "2022-10-20", "GBP") == tuple(part.value_of(name) for name in ("net", "pay_date", "currency"))
    assert all(line.box for line in part.lines if line.name in ("net", "gross", "pay_date"))
    assert {"125 GBP", "100 GBP"} <= {spot.said.partition(": ")[2].partition(" (")[0] for spot in amount_spots(detail)}


async def test_it_is_corrected_confirmed_undone_and_rejected(desk, paper):
    await commands.correct(desk.scope(), paper, {"net": "101.00", "taxes": "24"})
    detail, part = await shown(desk, paper)
    corrected = (part.value_of("net"), len(detail.corrections), detail.document.status)
    confirmed = await commands.confirm(desk.scope(), paper, revision=detail.document.revision)
    await commands.take_back(desk.scope(), paper)
    back, _ = await shown(desk, paper)
    await commands.reject(desk.scope(), paper, "Not ours.")
    rejected, part = await shown(desk, paper)

    assert (("101.00", 2, "review"), "confirmed") == (corrected, confirmed)
    assert ("review", "rejected", "rejected") == (back.document.status, rejected.document.status, part.status)


async def test_a_correction_is_taken_back_to_what_was_read(desk, paper):
    await commands.correct(desk.scope(), paper, {"net": "101.00"})
    await commands.take_back(desk.scope(), paper)
    _, part = await shown(desk, paper)

    assert "100.00" == part.value_of("net")


async def test_what_it_must_have_is_asked_for_and_strange_values_are_refused(desk, paper):
    for changes in ({"net": "many"}, {"pay_date": "soon"}, {"iban": "DE00"}):
        with pytest.raises(BadRequest):
            await commands.correct(desk.scope(), paper, changes)
    await commands.correct(desk.scope(), paper, {"net": ""})
    with pytest.raises(BadRequest, match="Not found: net"):
        await commands.confirm(desk.scope(), paper)


async def test_the_same_entry_is_booked_once_unless_a_person_says_it_is_another(desk, paper):
    await commands.confirm(desk.scope(), paper)
    await desk.receives(("again.pdf", dividend_advice(DAY, 2).pdf))
    await desk.works()
    (again,) = [each for (each,) in desk.own("SELECT id FROM postroom.document") if each != paper]
    with pytest.raises(Conflict, match="booked already, from interest"):
        await commands.confirm(desk.scope(), again)

    assert "confirmed" == await commands.confirm(desk.scope(), again, another=True)


async def test_a_dividend_walks_the_same_way(desk):
    await desk.receives(("Dividende.pdf", dividend_advice(DAY, 1).pdf))
    await desk.works()
    document = desk.only_document()
    _, part = await shown(desk, document)

    assert ("dividend", "review") == (part.what, part.status)
    assert "confirmed" == await commands.confirm(desk.scope(), document, reason="Asked the bank.")


async def test_the_list_and_the_facts_name_it(desk, paper):
    listed = await commands.documents(desk.scope())
    found = await commands.documents(desk.scope(), words="interest")
    told = desk.own(
        "SELECT kind, body ->> 'tells_of' FROM postroom.fact WHERE kind IN ('document.read', 'document.routed')"
    )

    assert [("other", "interest")] * 2 == [(each.kind, each.tells_of) for each in (*listed.items, *found.items)]
    assert {("document.read", "interest"), ("document.routed", "interest")} == set(told)
    assert "interest" == (await commands.get_document(desk.scope(), paper)).document.tells_of


DIVIDEND = """Dear client,

we have credited the following dividend to your account.

Dividend payment
ISIN DE0007164600 SAP SE
Shares held 20
Dividend per share 2.00 EUR
Ex date 12/05/2023
Gross amount 40.00 EUR
Withholding tax 10.00 EUR
Net amount 30.00 EUR
Payment date 16/05/2023
"""


async def test_a_dividend_told_in_the_text_of_a_mail_is_a_document(desk):
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = BROKER, "notes@larkspur.example", "Dividend credited"
    mail["Message-ID"] = "<dividend@larkspur.example>"
    mail.set_content(DIVIDEND)
    await desk.receives(raw=mail.as_bytes())
    await desk.works()

    (listed,) = (await commands.documents(desk.scope())).items
    assert ("review", "dividend") == (listed.status, listed.tells_of)


SALE_AND_DIVIDEND = (
    "Contract note\nSold\nQuantity 10\nPrice 100.00 EUR\nISIN DE0007164600\nTrade date 13/02/2023\nGross amount 1,000.00 EUR\n"
    "Net amount 1,000.00 EUR\n"
)


@pytest.fixture
async def both(desk):
    """A paper with a trade and a dividend beside it, which waits for a person."""
    paid = {"isin": "DE0007164600", "pay_date": date(2023, 2, 20), "net": Decimal("69.21"), "currency": "EUR"}
    told = extract(typed(SALE_AND_DIVIDEND))
    desk.outside.reader.change = lambda _: Extraction(
        "contract_note", (*told.trades, Booking("dividend", paid)), because="It also tells of a dividend."
    )
    await desk.receives(("both.pdf", dividend_advice(DAY, 1).pdf))
    await desk.works()
    return desk.only_document()


async def parts(desk, document):
    return {part.what: part for part in parts_of(await commands.get_document(desk.scope(), document))}


async def test_a_trade_and_what_else_the_paper_tells_of_are_both_shown_and_booked(desk, both):
    found = await parts(desk, both)
    assert {"trade": "review", "dividend": "review"} == {what: part.status for what, part in found.items()}

    first = await commands.confirm(desk.scope(), both, trade_id=found["trade"].id, reason="Asked the bank.")
    second = await commands.confirm(desk.scope(), both, reason="Asked the bank.")

    assert ("review", "confirmed") == (first, second)
    assert {"confirmed"} == {part.status for part in (await parts(desk, both)).values()}


async def test_all_of_it_is_confirmed_in_one_go(desk, both):
    assert "confirmed" == await commands.confirm(desk.scope(), both, reason="Asked the bank.")
    assert {"confirmed"} == {part.status for part in (await parts(desk, both)).values()}


async def test_of_two_readings_one_is_corrected_and_the_other_left_out_and_taken_back(desk, both):
    found = await parts(desk, both)
    await commands.correct(desk.scope(), both, {"net": "70.00"}, entry_id=found["dividend"].id)
    left = await commands.leave_out(desk.scope(), both, trade_id=found["trade"].id)
    now = await parts(desk, both)
    await commands.take_back(desk.scope(), both)
    back = await parts(desk, both)
    await commands.leave_out(desk.scope(), both, entry_id=found["dividend"].id)
    with pytest.raises(Conflict, match="is rejected"):
        await commands.leave_out(desk.scope(), both, entry_id=found["dividend"].id)

    assert ("review", "rejected", "70.00") == (left, now["trade"].status, now["dividend"].value_of("net"))
    assert "review" == back["trade"].status
    assert "confirmed" == await commands.confirm(desk.scope(), both, reason="Asked the bank.")
    last = await parts(desk, both)
    assert ("confirmed", "rejected") == (last["trade"].status, last["dividend"].status)
