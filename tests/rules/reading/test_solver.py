from __future__ import annotations

import pytest

from postroom.nouns.documents import typed
from postroom.reading import weights
from postroom.reading.labels.pairing import pair
from postroom.reading.page.tokens import tokenise
from postroom.reading.sums import amounts, solver


def solve(text, lean=0.0):
    reading = pair(tokenise(typed(text)))
    tokens = [token for line in reading.text.lines for token in line.tokens]
    return solver.best(amounts.candidates(reading, tokens), weights.shipped(), lean)


@pytest.mark.parametrize(
    ("text", "quantity", "net"),
    [
        ("Menge 10\nKurs 12,50 EUR\nKurswert 125,00 EUR\nProvision 5,00 EUR\nEndbetrag 130,00 EUR", 10.0, 130.0),
        ("Menge 14.000\nKurs 10,0834 EUR\nKurswert 141,17 EUR\nTotal 141,17 EUR", 14.0, 141.17),
        ("Nominal EUR 10.000\nKurs 95,34 %\nKurswert 9.534,00 EUR\nZu Ihren Lasten 9.534,00 EUR", 10000.0, 9534.0),
        ("Quantity 300\nPrice 3850.50\nConsideration £11,551.50\nTotal payable £11,551.50", 300.0, 11551.5),
    ],
)
def test_the_assignment_that_multiplies_and_adds_up_wins(text, quantity, net):
    solution = solve(text)

    assert (quantity, net, True) == (solution.fill.quantity, solution.path.net.value, solution.path.explained)


def test_a_label_that_does_not_add_up_loses_to_one_that_does():
    text = "Menge 10\nKurs 12,50 EUR\nKurswert 125,00 EUR\nProvision 5,00 EUR\nSumme 999,00 EUR\nEndbetrag 130,00 EUR"

    assert 130.0 == solve(text).path.net.value


def test_the_net_amount_is_the_converted_one():
    text = (
        "Menge 100\nKurs 22,9856 USD\nKurswert 2.298,56 USD\nProvision 40,96 USD\nNettobetrag 2.339,52 USD\n"
        "Wechselkurs USD/EUR 1,1466\nZu Ihren Lasten 2.040,40 EUR"
    )

    solution = solve(text)

    assert (2040.4, "EUR", True) == (solution.path.net.value, solution.path.net.currency, solution.path.explained)


def test_charges_in_both_currencies_are_followed_through_the_rate():
    text = (
        "Menge 7\nKurs 200,00 USD\nKurswert 1.400,00 USD\nFremde Spesen 5,00 USD\nDevisenkurs 1,1000\n"
        "Provision 7,00 EUR\nEndbetrag 1.284,27 EUR"
    )

    assert (1284.27, True) == (solve(text, lean=2.0).path.net.value, solve(text, lean=2.0).path.explained)


def test_unlabelled_amounts_between_gross_and_net_may_explain_the_difference():
    text = "Menge 10\nKurs 12,50 EUR\nKurswert 125,00 EUR\nXyz 3,00 EUR\nAbc 2,00 EUR\nEndbetrag 130,00 EUR"

    assert solve(text).path.explained


def test_parts_add_up_to_the_whole():
    text = "Menge Kurs\n30 71,20\n20 71,25\nTotal Kurswert EUR 3.561,00\nNetto EUR 3.561,00"

    solution = solve(text)

    assert (50.0, 2) == (solution.fill.quantity, len(solution.fill.parts))


def test_a_contract_counts_its_multiplier():
    text = "Anzahl Preis\n5 6,27 USD\nKontraktgrösse 100\nTotal USD 3.135,00"

    assert "contract" == solve(text).fill.quote


def test_numbers_that_nearly_multiply_are_no_trade_without_labels():
    assert solve("Telefon 288\nZimmer 261\nPLZ 75100").fill is None


def test_nothing_gives_nothing():
    solution = solver.best([], weights.shipped())

    assert (None, None) == (solution.fill, solution.path)
