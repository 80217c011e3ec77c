"""Kinds that are added as `docs/howto/add-a-document-kind.md` says, to the letter: folders, and not a line of code."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

import postroom

SOURCE = Path(postroom.__file__).parent
HOW_TO = Path(__file__).parents[3] / "docs" / "howto" / "add-a-document-kind.md"
FILES = ("kind.toml", "words.toml", "examples.toml")

LOAN_FEE = {
    "kind.toml": """
called = "a fee for lending securities"
topic = "loan_fee"
fields = ["isin", "pay_date", "quantity", "gross", "taxes", "net", "currency"]
required = ["pay_date", "net", "currency"]
booked_on = "pay_date"
objections = ["missing", "product", "way_to_net", "left_over", "several_shown", "net_currency"]

[sums]
count = "holding"
each = "rate"
way = -1
""",
    "words.toml": """
[en.loan_fee]
strong = ["securities lending fee", "lending fee statement", "lending fee per share"]

[en.rate]
strong = ["fee per share", "lending fee per share"]

[en.holding]
fair = ["shares lent"]
""",
}
FEE = """Securities lending fee
ISIN DE0007164600 SAP SE
Shares lent 200
Fee per share 0.50 EUR
Gross amount 100.00 EUR
Withholding tax 20.00 EUR
Net amount 80.00 EUR
Payment date 20/10/2025"""
SALE = """Contract note
We have sold for you
ISIN DE0007164600 SAP SE
Quantity 200
Price 0.50 EUR
Gross amount 100.00 EUR
Commission 5.00 EUR
Net amount 95.00 EUR
Trade date 20/10/2025
Settlement date 22/10/2025"""
DIVIDEND = """Dividend
ISIN DE0007164600 SAP SE
Holding 200
Dividend per share 0.50 EUR
Gross amount 100.00 EUR
Withholding tax 20.00 EUR
Net amount 80.00 EUR
Payment date 20/10/2025"""
BOTH = ["trade", "loan_fee"]
READ = """
import json, sys
from postroom.nouns.documents import typed
from postroom.reading.extractor import extract
print(json.dumps([extract(typed(text)).as_json() for text in json.load(sys.stdin)]))
"""


@pytest.fixture(scope="module")
def added(tmp_path_factory):
    """Our package with the two kinds in its folder; what is read of some texts by it."""
    made = tmp_path_factory.mktemp("added") / "postroom"
    made.mkdir()
    for item in SOURCE.iterdir():
        if item.name not in ("reading", "__pycache__"):
            (made / item.name).symlink_to(item)
    copytree(SOURCE / "reading", made / "reading", ignore=ignore_patterns("__pycache__"))
    blocks = re.findall(r"^```toml\n(.*?)^```", HOW_TO.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    for name, files in {"interest": dict(zip(FILES, blocks, strict=True)), "loan_fee": LOAN_FEE}.items():
        (made / "reading" / "kinds" / name).mkdir()
        for file, content in files.items():
            (made / "reading" / "kinds" / name / file).write_text(content, "utf-8")

    def read(*texts):
        said = subprocess.run(
            [sys.executable, "-c", READ],
            input=json.dumps(texts),
            env={**os.environ, "PYTHONPATH": str(made.parent)},
            capture_output=True,
            text=True,
            check=True,
        )
        return json.loads(said.stdout)

    return read


def kinds_of(read):
    return [entry["kind"] for entry in read["entries"]]


def test_the_kind_of_the_how_to_is_read_from_its_own_example(added):
    example = re.search(r'text = """\n(.*?)"""', HOW_TO.read_text("utf-8"), flags=re.DOTALL).group(1)

    (read,) = added(example)

    (entry,) = read["entries"]
    told = {name: entry[name] for name in ("kind", "pay_date", "quantity", "net", "currency")}
    assert {"kind": "interest", "pay_date": "2022-10-20", "quantity": "10000", "net": "100", "currency": "GBP"} == told


def test_a_kind_with_the_number_of_a_security_is_read_as_itself_and_as_no_trade(added):
    without = FEE.replace("ISIN DE0007164600 SAP SE\n", "")
    dated = FEE.replace("Payment date", "Trade date 18/10/2025\nPayment date")

    for read in added(FEE, without, dated):
        (entry,) = read["entries"]
        assert ("loan_fee", "2025-10-20", "200", "80", False) == (
            *[entry[name] for name in ("kind", "pay_date", "quantity", "net")],
            read["auto_confirm"],
        )
        assert "It tells of a fee for lending securities (“securities lending fee”, 0.80)." in read["because"]


def test_where_a_trade_is_nearly_as_likely_a_person_sees_both(added):
    texts = [
        f"{FEE}\nGains from the sale of securities are taxable.",
        FEE.replace("fee\n", "fee\nSale\n", 1),
        FEE.replace("Fee per share", "Price").replace("Shares lent", "Quantity"),
        f"{SALE}\nSecurities lending fee",
    ]

    for read in added(*texts):
        assert (BOTH, False) == (kinds_of(read), read["auto_confirm"])
        assert "It may be a trade, or a fee for lending securities." == read["because"]


def test_a_paper_without_a_title_is_told_by_the_words_for_its_rate(added):
    bare = FEE.replace("Securities lending fee", "Northgate Bank").replace("Fee per share", "Lending fee per share")

    alone, beside = added(bare, f"{bare}\nGains from the sale of securities are taxable.")

    assert (["loan_fee"], BOTH) == (kinds_of(alone), kinds_of(beside))
    assert [False, False] == [read["auto_confirm"] for read in (alone, beside)]


def test_two_new_titles_over_one_sum_are_both_shown(added):
    (read,) = added(f"Credit interest\n{FEE}")

    assert (["interest", "loan_fee"], False) == (sorted(kinds_of(read)), read["auto_confirm"])


def test_what_only_sounds_like_the_kind_is_told_and_not_dropped_without_a_word(added):
    (read,) = added("Securities lending fee\nYour fee will be paid in the coming weeks.")

    assert ([], True) == (kinds_of(read), "a fee for lending securities" in read["because"])


def test_the_kinds_that_were_there_are_read_as_before(added):
    sale, dividend = added(SALE, DIVIDEND)

    assert (["trade"], ["dividend"]) == (kinds_of(sale), kinds_of(dividend))
