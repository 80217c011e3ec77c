"""Papers that tell of several dividends, or of a dividend beside a trade: every booking is an entry."""

from __future__ import annotations

import pytest

from postroom.nouns.documents import typed
from postroom.reading.extractor import extract

TWO = {
    "one below the other, each with its title": """Musterbank AG
Dividendengutschrift
ISIN DE0007164600 SAP SE
Stück 15
Dividende pro Stück 2,20 EUR
Bruttobetrag 33,00 EUR
Kapitalertragsteuer 8,25 EUR
Gutschrift 24,75 EUR
Zahlbarkeitstag 20.05.2025

Dividendengutschrift
ISIN DE0007236101 SIEMENS AG
Stück 10
Dividende pro Stück 5,20 EUR
Bruttobetrag 52,00 EUR
Kapitalertragsteuer 13,00 EUR
Gutschrift 39,00 EUR
Zahlbarkeitstag 18.02.2025
""",
    "one title, two securities": """Dividend confirmation
SAP SE DE0007164600
Quantity 15
Dividend per share EUR 2.20
Gross amount EUR 33.00
Withholding tax EUR 8.25
Net amount EUR 24.75
Pay date 20/05/2025
SIEMENS AG DE0007236101
Quantity 10
Dividend per share EUR 5.20
Gross amount EUR 52.00
Withholding tax EUR 13.00
Net amount EUR 39.00
Pay date 18/02/2025
""",
    "a table with a total": """Dividend statement
Pay date    ISIN          Name        Holding  Rate      Gross     Tax      Net (EUR)
20.05.2025  DE0007164600  SAP SE      15       2.20      33.00     8.25     24.75
18.02.2025  DE0007236101  Siemens AG  10       5.20      52.00     13.00    39.00
Total                                                    85.00    21.25     63.75
""",
    "without counts": """Dividends received
SAP SE DE0007164600
20 May 2025 dividend credited EUR 24.75
Siemens AG DE0007236101
18 February 2025 dividend credited EUR 39.00
""",
}


@pytest.mark.parametrize("text", TWO.values(), ids=TWO.keys())
def test_each_of_two_dividends_is_an_entry(text):
    read = extract(typed(text))

    told = [
        (one.kind, one.values["isin"], str(one.values["pay_date"]), f"{one.values['net']:f}") for one in read.entries
    ]
    assert [
        ("dividend", "DE0007164600", "2025-05-20", "24.75"),
        ("dividend", "DE0007236101", "2025-02-18", "39.00"),
    ] == told
    assert read.because.startswith("It tells of 2 entries, each a dividend or distribution")


def test_two_dividends_of_one_security_are_two_entries():
    text = """Dividend advice
ISIN IE00B3RBWM25 World Fund
Pay date 02.01.2025
Units 100
Dividend per unit 0.50 USD
Gross 50.00 USD
Net amount 50.00 USD

Dividend advice
ISIN IE00B3RBWM25 World Fund
Pay date 02.04.2025
Units 100
Dividend per unit 0.60 USD
Gross 60.00 USD
Net amount 60.00 USD
"""

    assert ["50.00", "60.00"] == [f"{one.values['net']:f}" for one in extract(typed(text)).entries]


def test_one_dividend_told_again_for_the_tax_is_one_entry():
    text = TWO["one below the other, each with its title"].split("\n\n")[0]
    again = f"{text}\n\nSteuerliche Angaben zur Dividendengutschrift\n" + "\n".join(text.split("\n")[2:])

    assert 1 == len(extract(typed(again)).entries)


def test_a_dividend_beside_a_purchase_is_an_entry_and_is_told():
    text = """Activity confirmation
Purchase of 10 shares SAP SE DE0007164600
Trade date 13.03.2025
Quantity 10
Price 112.00 EUR
Gross amount 1,120.00 EUR
Commission 5.00 EUR
Net amount 1,125.00 EUR
Dividend
Siemens AG DE0007236101
Holding 10
Dividend per share 5.20 EUR
Gross amount 52.00 EUR
Tax 13.00 EUR
Net amount 39.00 EUR
Pay date 18.02.2025
"""

    read = extract(typed(text))

    assert (["trade", "dividend"], False) == ([entry.kind for entry in read.entries], read.auto_confirm)
    assert read.because.startswith("It also tells of a dividend or distribution.")


COUNTED = """Hausbank am Markt
Dividendenabrechnung
Ex-Tag: 15.06.2021
Nominale ISIN: FR0000130577 WKN: 859386 Ausschüttung
STK 57 Publicis Groupe S.A. EUR 2,00 p.STK
Zahlbarkeitstag: 06.07.2021
Bruttobetrag EUR 114,00
Quellensteuer EUR 30,21 -
Zu Gunsten Konto 1111111111 Valuta: 08.07.2021 EUR 83,79
"""


def test_the_number_of_shares_is_what_has_a_unit_and_not_what_is_paid_for_each():
    (paid,) = extract(typed(COUNTED)).entries

    assert ("57", "83.79") == (f"{paid.values['quantity']:f}", f"{paid.values['net']:f}")


def test_a_dividend_is_booked_on_its_value_day():
    (paid,) = extract(typed(COUNTED)).entries

    assert "2021-07-08" == str(paid.values["pay_date"])


def test_a_number_that_nothing_names_is_no_holding_of_one():
    text = (
        COUNTED.replace("STK 57", "STK 100")
        .replace("EUR 2,00 p.STK", "USD 0,3807 p.STK")
        .replace(
            "Bruttobetrag EUR 114,00\nQuellensteuer EUR 30,21 -\n",
            "Devisenkurs EUR / USD 1,1713\nBruttobetrag USD 38,07\nBruttobetrag EUR 32,50\nSeite 1\n",
        )
    )

    (paid,) = extract(typed(text.replace("83,79", "32,50"))).entries

    assert "100" == f"{paid.values['quantity']:f}"


def test_two_amounts_for_one_security_and_day_are_told_even_if_one_is_read():
    first = TWO["one below the other, each with its title"].split("\n\n")[0]
    second = first.replace("15", "30").replace("33,00", "66,00").replace("8,25", "16,50").replace("24,75", "49,50")

    read = extract(typed(f"{first}\n\n{second}"))

    assert "Its structure shows 2 entries, and fewer were read." in read.because
