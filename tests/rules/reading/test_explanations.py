"""What a reading used, what it left over, and what its paper's own structure says against it."""

from __future__ import annotations

import pytest

from postroom.nouns.documents import plain, typed
from postroom.reading.extractor import extract
from postroom.reading.kinds import competition

NOTE = """Hausbank am Markt
Wertpapierabrechnung Kauf
ISIN DE0007164600
Stück 20
Kurs 100,00 EUR
Kurswert 2.000,00 EUR
Provision 9,90 EUR
Ausmachender Betrag 2.009,90 EUR
Schlusstag 13.03.2023 10:15:22 Uhr
Valuta 15.03.2023
"""
REPAID = """Hausbank am Markt
Ablauf der Optionsfrist
Ausbuchung aus Depot 4711 per 25.05.2022
Stück 6 HVB Inline 18.05.22
ISIN DE000HB2KBG9
Barabfindung EUR 10,00
Bruttobetrag EUR 60,00
Zu Gunsten Konto 4712 Valuta 25.05.2022 EUR 60,00
"""
PAID = """Hausbank am Markt
Dividendengutschrift
ISIN DE0007164600 SAP SE
Bestand 20 Stück
Dividende pro Stück 2,00 EUR
Ex-Tag 12.05.2023
Bruttobetrag 40,00 EUR
Kapitalertragsteuer 10,00 EUR
Ausmachender Betrag 30,00 EUR
Zahltag 16.05.2023
"""


def test_a_reading_says_which_printed_amounts_its_sums_rest_on():
    (trade,) = extract(typed(NOTE)).trades

    assert trade.explanation is not None
    used = {(amount.role, plain(amount.value)) for amount in trade.explanation.used}
    assert {("quantity", "20"), ("price", "100"), ("gross", "2000"), ("fee", "9.9"), ("net", "2009.9")} == used
    assert ((), ()) == (trade.explanation.left, trade.explanation.objections)
    (entry,) = extract(typed(NOTE)).as_json()["entries"]
    assert {"used", "left", "aside", "checks", "shown", "objections"} == set(entry["explanation"])


FURTHER_BELOW = "Es gelten unsere Bedingungen.\n" * 8


def test_a_charge_is_left_over_however_far_below_the_net_amount_it_stands():
    read = extract(typed(f"{NOTE}{FURTHER_BELOW}Provision 4,50 EUR\n"))

    assert (False, "The sums have no place for 4.5 EUR, called a fee (“provision”).") == (
        read.auto_confirm,
        read.because,
    )


def test_the_sentence_names_a_tax_that_is_told_for_information():
    read = extract(typed(f"{NOTE}{FURTHER_BELOW}Quellensteuer 3,72 EUR\n"))

    assert read.auto_confirm
    assert ["3.72"] == [plain(amount.value) for amount in read.trades[0].explanation.aside]
    assert "charge or tax is left over" not in read.because
    assert "for information only, further below: 3.72 EUR, called a tax (“quellensteuer”)" in read.because


def test_the_sentence_of_a_bond_names_its_interest_so_that_the_sum_adds_up():
    bond = NOTE.replace("Stück 20", "Nennwert 2.000,00 EUR").replace("Kurs 100,00 EUR", "Kurs 98,50 %")
    bond = bond.replace("Kurswert 2.000,00 EUR", "Kurswert 1.970,00 EUR\nStückzinsen 12,30 EUR")
    read = extract(typed(bond.replace("Ausmachender Betrag 2.009,90", "Ausmachender Betrag 1.992,20")))

    assert "= 1970; with charges of 9.9 and interest of 12.3 it comes to 1992.2 EUR;" in read.because


@pytest.mark.parametrize(
    ("line", "role"),
    [
        ("Gesamtbetrag 2.034,90 EUR", "total"),
        ("Börsengebühr 25,00 EUR", "fee"),
        ("Finanztransaktionssteuer 6,00 EUR", "tax"),
    ],
)
def test_what_is_called_a_total_a_charge_or_a_tax_and_not_used_is_an_objection(line, role):
    text = NOTE.replace("Ausmachender", f"{line}\nAusmachender")

    read = extract(typed(text))

    assert not read.auto_confirm
    assert f"called a {role}" in read.because
    (trade,) = read.trades
    assert trade.explanation is not None
    assert [role] == [amount.role for amount in trade.explanation.left]


def test_a_charge_that_is_taken_off_again_is_no_objection():
    text = NOTE.replace("Ausmachender", "Fremdspesen 4,50 EUR\nGutschrift Fremdspesen -4,50 EUR\nAusmachender")

    (trade,) = extract(typed(text)).trades

    assert trade.explanation is not None
    assert () == trade.explanation.left


def test_a_rebate_makes_a_purchase_cheaper_and_waits_for_a_person():
    text = NOTE.replace("Provision 9,90", "Kundenbonifikation 9,90").replace("2.009,90", "1.990,10")

    (trade,) = extract(typed(text)).trades

    assert ("BUY", "1990.1", "-9.9") == (trade.direction, plain(trade.net), plain(trade.fees))
    assert trade.explanation is not None
    assert ("A rebate of 9.90 is counted in.",) == trade.explanation.objections


def test_a_paper_with_two_purchases_never_passes_as_one():
    second = NOTE.replace("Hausbank am Markt\n", "").replace("Stück 20", "Stück 30").replace("2.000,00", "3.000,00")
    second = second.replace("2.009,90", "3.009,90").replace("13.03.2023", "14.03.2023")

    read = extract(typed(NOTE + second))

    assert not read.auto_confirm
    assert ["20", "30"] == [plain(trade.quantity) for trade in read.trades]


def test_a_repayment_is_a_sale_on_its_settlement_day_whatever_topic_its_words_have():
    read = extract(typed(REPAID))

    (trade,) = read.trades
    assert ("redemption", "SELL", "2022-05-25", "6", "60") == (
        trade.kind, trade.direction, str(trade.trade_date), plain(trade.quantity), plain(trade.net),
    )  # fmt: skip
    assert ["redemption"] == [entry["kind"] for entry in read.as_json()["entries"]]


def test_a_dividend_is_an_entry_and_no_trade():
    read = extract(typed(PAID))

    assert ("other", ()) == (read.type, read.trades)
    (entry,) = read.as_json()["entries"]
    wanted = {"kind": "dividend", "isin": "DE0007164600", "pay_date": "2023-05-16", "ex_date": "2023-05-12"}
    wanted |= {"quantity": "20", "gross": "40", "taxes": "10", "net": "30", "currency": "EUR"}
    assert wanted == {name: entry[name] for name in wanted}


def test_what_a_tax_is_reckoned_from_is_no_tax_that_is_left_over():
    text = """Beispielbank
Wertpapier Abrechnung Verkauf
Stück 30 BEISPIEL SE INHABER-AKTIEN O.N. DE0007164600 (716460)
Schlusstag/-Zeit 13.03.2023 10:15:22
Ausführungskurs 64,765 EUR
Kurswert 1.942,95 EUR
Berechnungsgrundlage für die Kapitalertragsteuer 143,95 EUR
Kapitalertragsteuer 25,00% auf 143,95 EUR 35,99- EUR
Ausmachender Betrag 1.906,96 EUR
Den Gegenwert buchen wir mit Valuta 15.03.2023
"""
    (trade,) = extract(typed(text)).trades

    assert ("1906.96", "35.99", ()) == (str(trade.net), str(trade.taxes), trade.explanation.left)


def test_a_sum_of_taxes_and_its_parts_are_used_once():
    text = """Beispielbank
Wertpapierverkauf
Stück 25 BEISPIEL SE INHABER-AKTIEN O.N. DE0007164600 (716460)
Geschäftstag 13.03.2023
Ausführungskurs 50,00 EUR
Kurswert 1.250,00 EUR
Zu Ihren Gunsten vor Steuern 1.250,00 EUR
Kapitalertragsteuer 9,99 EUR
Solidaritätszuschlag 0,85 EUR
erstattete Steuern 10,84 EUR
Zu Ihren Gunsten nach Steuern 1.260,84 EUR
Information: Zu Ihren Gunsten vor Steuern 1.250,00 EUR
"""
    (trade,) = extract(typed(text)).trades

    assert "1250.00" == str(trade.net)


APART = """Steuerausgleich
Kapitalertragsteuer 8,00 EUR
Solidaritätszuschlag 0,44 EUR
Ausmachender Betrag {total} EUR
Den Gegenwert buchen wir zu Gunsten des Kontos 4711
"""


def test_taxes_below_that_come_to_a_total_of_their_own_are_another_booking():
    sold = NOTE.replace("Kauf", "Verkauf").replace("2.009,90", "1.990,10") + APART
    (trade,) = extract(typed(sold.format(total="8,44"))).trades
    read = extract(typed(sold.format(total="8,44")))

    assert ("1990.10", True) == (str(trade.net), read.auto_confirm)
    assert "8.44 below is another booking" in read.because
    assert not extract(typed(sold.format(total="9,44"))).auto_confirm


SETTLED = NOTE.replace("Schlusstag 13.03.2023 10:15:22 Uhr\n", "")


@pytest.mark.parametrize(
    ("written", "passes"),
    [("Lenzburg, 14.03.2023", True), ("Erstellt am 14.03.2023", True), ("Kennzeichen 14.03.2023", False)],
)
def test_a_settlement_day_stands_for_the_trade_day_only_where_every_other_day_is_plainly_something_else(
    written, passes
):
    read = extract(typed(SETTLED.replace("Hausbank am Markt", f"Hausbank am Markt\n{written}")))

    assert passes == read.auto_confirm
    assert not passes or ("2023-03-15" == str(read.trades[0].trade_date) and "no trade day is printed" in read.because)


PRODUCT = {
    "filled": 1.0, "exact": 1.0, "quantity_label": 2.8, "price_label": 2.0, "isins": 1.0, "said": 3.0,
    "day_score": 2.6, "direction_margin": 2.0,
}  # fmt: skip


@pytest.mark.parametrize(("lacking", "holds"), [("", True), ("exact", True), ("said", True), ("day_score", False)])
def test_a_product_by_name_is_a_trade_though_the_paper_is_called_a_statement_of_account(lacking, holds):
    voices = competition.TopicVoices(loudest={"cash": 3.0}, total={"cash": 6.0})

    assert holds == competition.sums_hold(voices, {name: value for name, value in PRODUCT.items() if name != lacking})


@pytest.mark.parametrize(("lacking", "holds"), [("", True), ("exact", False), ("said", False), ("day_score", False)])
def test_a_product_must_be_exact_and_said_to_be_a_trade_where_a_transfer_is_heard_too(lacking, holds):
    voices = competition.TopicVoices(loudest={"transfer": 3.0}, total={"transfer": 6.0})

    assert holds == competition.sums_hold(voices, {name: value for name, value in PRODUCT.items() if name != lacking})


@pytest.mark.parametrize(("dividend", "holds"), [(0.0, True), (2.0, False)])
def test_one_of_the_two_names_is_enough_where_the_sum_follows_and_no_dividend_is_heard(dividend, holds):
    voices = competition.TopicVoices(loudest={"cash": 3.0, "dividend": dividend}, total={"cash": 6.0})
    flags = PRODUCT | {"price_label": 0.0, "explained": 1.0}

    assert holds == competition.sums_hold(voices, flags)


def test_a_product_that_is_not_printed_counts_if_charges_lead_from_it_to_the_total():
    extraction = extract(typed(NOTE.replace("Kurswert 2.000,00 EUR\n", "")))

    assert extraction.auto_confirm
    assert "20 × 100 = 2000; with charges of 9.9 it comes to 2009.9 EUR" in extraction.because


def test_a_product_that_is_not_printed_does_not_count_beside_another_gross_amount():
    extraction = extract(typed(NOTE.replace("Kurswert 2.000,00", "Kurswert 2.100,00")))

    assert not extraction.auto_confirm


def test_an_unknown_word_that_raises_what_a_sale_pays_out_sends_it_to_a_person():
    sale = NOTE.replace("Kauf", "Verkauf").replace("Ausmachender Betrag 2.009,90", "Betrag 1.990,10")

    extraction = extract(typed(sale + "Zustupf 22,85 EUR\nKontogutschrift 2.012,95 EUR\n"))

    assert not extraction.auto_confirm


def test_a_currency_that_is_not_printed_is_guessed_and_shown_to_a_person():
    extraction = extract(typed(NOTE.replace(" EUR", "")))

    (trade,) = extraction.trades
    assert ("EUR", False, "It prints no currency.") == (trade.currency, extraction.auto_confirm, extraction.because)


def test_a_tax_given_back_below_the_booking_sends_a_sale_to_a_person():
    sold = NOTE.replace("Kauf", "Verkauf").replace("2.009,90", "1.990,10")

    assert extract(typed(sold)).auto_confirm
    assert not extract(typed(f"{sold}Steuererstattung 12,30 EUR\n")).auto_confirm


def test_a_settlement_day_before_a_plain_trade_day_sends_it_to_a_person():
    read = extract(typed(NOTE.replace("Valuta 15.03.2023", "Valuta 10.03.2023")))

    assert ("2023-03-13", False) == (str(read.trades[0].trade_date), read.auto_confirm)


def test_fees_and_taxes_given_back_are_told_apart_without_signs():
    sold = NOTE.replace("Kauf", "Verkauf").replace(
        "Ausmachender Betrag 2.009,90", "Erstattete Kapitalertragsteuer 41,20"
    )

    (trade,) = extract(typed(sold + "Gutschrift 2.031,30 EUR\n")).trades
    assert ("1990.10", "9.90") == (str(trade.net), str(trade.fees))


def test_rows_of_a_table_whose_isins_check_are_not_said_to_have_wrong_ones():
    rows = """Trade Date   Side   ISIN           Name         Quantity   Price    Currency   Gross     Fees   Net       Settlement
2026-11-16   BUY    DE0007236101   Siemens AG   10         180,20   EUR        1802,00   5,00   1807,00   2026-11-18
2026-11-16   SELL   US0378331005   Apple Inc    5          230,00   USD        1150,00   5,00   1145,00   2026-11-18
"""
    found = extract(typed(rows)).as_json()["entries"]

    assert ["DE0007236101", "US0378331005"] == [each["isin"] for each in found]
    assert [] == [said for each in found for said in each["explanation"]["objections"] if "check digit" in said]
