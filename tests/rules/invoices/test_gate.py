"""Which printed invoices nobody needs to look at, and the sentence when somebody does."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from functools import cache

import pytest

from postroom.nouns.documents import typed
from postroom.reading.extractor import Extraction, extract
from postroom.reading.invoices import read_text_invoice
from rules.invoices.printed import PRINTED

GOOD = """
Kranbau Wittig GmbH · Hafenstraße 12 · 24103 Kiel

Nordlicht Versand AG                              Rechnungsnummer:   2024-01877
Mühlenweg 4                                       Rechnungsdatum:    03.05.2024
23552 Lübeck                                      Lieferdatum:       29.04.2024

Rechnung

Bezeichnung                    Menge    Einzelpreis     Gesamt
Wartung Brückenkran                1       1.240,00    1.240,00
Drahtseil 12 mm                   40           6,15      246,00

                           Nettobetrag              1.486,00 EUR
                           zzgl. 19 % USt             282,34 EUR
                           Rechnungsbetrag          1.768,34 EUR

Zahlbar bis 02.06.2024
IBAN DE02 1203 0000 0000 2020 51
"""


def test_a_plain_invoice_passes_and_says_why():
    read = extract(typed(GOOD))

    assert read.auto_confirm, read.because
    assert (
        "1486 and 282.34 tax at 19 % make 1768.34 EUR; number and date are labelled; the IBAN's check digits fit."
        == read.because
    )
    assert read.invoice.confidence < 1.0


@pytest.mark.parametrize(
    ("printed", "instead", "because"),
    [
        ("\nRechnung\n", "\nGutschrift\n", "It calls itself a credit note"),
        ("Rechnungsnummer:", "Vorgang:", "There is no number."),
        ("Rechnungsdatum:", "Gedruckt:", "Nothing plainly calls 2024-05-03 the issue date."),
        ("282,34", "285,00", "Printed net 1486.00 and tax 285.00 do not make 1768.34."),
        ("19 % USt", "Aufschlag", "Nothing proves the total of 1768.34"),
        (" EUR", "", "No currency stands beside the total."),
        ("0000 2020 51", "0000 2020 52", "The check digits of DE02120300000000202052 are wrong."),
        ("IBAN DE02 1203 0000 0000 2020 51", "", "There is no IBAN to pay to."),
        ("02.06.2024", "02.10.2024", "It is due 152 days after its date."),
        ("Zahlbar bis", "Anzahlung                  500,00 EUR\nZahlbar bis", "It also names 500.00"),
        ("Zahlbar bis", "Gesamtbetrag             9.999,00 EUR\nZahlbar bis", "9999"),
        ("40           6,15      246,00", "41           6,15      246,00", "Line 2: 41 × 6.15 is not 246.00."),
    ],
)
def test_one_doubt_is_enough(printed, instead, because):
    assert printed in GOOD

    read = extract(typed(GOOD.replace(printed, instead)))

    assert not read.auto_confirm, read.because
    assert because in read.because


def test_lines_that_make_the_net_prove_a_total_without_a_printed_rate():
    bare = GOOD.replace("19 % ", "")

    assert extract(typed(bare)).auto_confirm
    fewer = "\n".join(line for line in bare.split("\n") if "Drahtseil" not in line)
    assert "Nothing proves the total of 1768.34" in extract(typed(fewer)).because


def test_lines_that_make_the_total_prove_it_without_tax():
    untaxed = GOOD.replace("zzgl. 19 % USt             282,34", "USt 0 %                      0,00").replace(
        "Rechnungsbetrag          1.768,34", "Rechnungsbetrag          1.486,00"
    )

    read = extract(typed(untaxed))

    assert read.auto_confirm, read.because
    assert read.because.startswith("The lines make 1486 EUR, without tax;")


@pytest.mark.parametrize(
    ("words", "because"),
    [
        ("Restbetrag               1.268,34 EUR", "It also names 1268.34"),
        ("Einbehalten: Quellensteuer    15,00 EUR", "It also names 15.00"),
        ("Skonto 2 %                  35,37 EUR", ""),
    ],
)
def test_what_is_left_or_kept_back_is_for_a_person_but_not_what_paying_soon_saves(words, because):
    read = extract(typed(GOOD.replace("Zahlbar bis", f"{words}\nZahlbar bis")))

    assert bool(because) is not read.auto_confirm, read.because
    assert because in read.because


def test_the_account_the_money_is_fetched_from_is_not_the_suppliers():
    fetched = GOOD.replace(
        "IBAN DE02 1203 0000 0000 2020 51",
        "Wir buchen von Ihrem Konto DE89 3704 0044 0532 0130 00 ab.\nUnsere Bank: IBAN DE02 1203 0000 0000 2020 51",
    )
    only = fetched.replace("Unsere Bank: IBAN DE02 1203 0000 0000 2020 51", "")

    assert "DE02120300000000202051" == extract(typed(fetched)).invoice.iban
    assert not extract(typed(only)).auto_confirm


def test_who_bills_must_be_plain():
    unclear = GOOD.replace("Kranbau Wittig GmbH · Hafenstraße 12 · 24103 Kiel", "")

    assert "Nothing plainly says who the supplier is." == extract(typed(unclear)).because


def test_recognised_text_and_scripts_are_for_a_person():
    text = typed(GOOD)

    assert "recognised from an image" in extract(replace(text, source="ocr")).because
    assert not extract(replace(text, source="ocr")).auto_confirm
    assert not extract(replace(text, scripted=True)).auto_confirm


@cache
def extracted(text: str) -> Extraction:
    """Of papers that several tests look at."""
    return extract(typed(text))


@pytest.mark.parametrize("case", PRINTED, ids=[case.name for case in PRINTED])
def test_what_passes_is_right(case):
    read = extracted(case.text)

    if read.auto_confirm:
        assert (case.truth["number"], case.truth["issue_date"], case.truth["currency"]) == (
            read.invoice.number,
            read.invoice.issue_date.isoformat(),
            read.invoice.currency,
        )
        assert Decimal(case.truth["grand_total"]) == read.invoice.grand_total


@pytest.mark.parametrize("case", PRINTED, ids=[case.name for case in PRINTED])
def test_what_passes_without_any_one_of_its_lines_is_right_as_well(case):
    if not read_text_invoice(typed(case.text)).sure:
        return
    lines = case.text.split("\n")
    wanted = (case.truth["number"], case.truth["issue_date"], case.truth["currency"])
    for place, left_out in enumerate(lines):
        if not left_out.strip():
            continue
        read = read_text_invoice(typed("\n".join([*lines[:place], *lines[place + 1 :]])))
        if read.sure and not read.warnings:
            invoice = read.invoice
            told = (invoice.number, invoice.issue_date.isoformat(), invoice.currency)
            assert (wanted, Decimal(case.truth["grand_total"])) == (told, invoice.grand_total), left_out


def test_some_of_every_style_pass():
    passed = [case.name for case in PRINTED if extracted(case.text).auto_confirm]

    assert len(passed) >= 20, passed


WHOLE = """Muster GmbH
Hauptstr. 1, 10115 Berlin
Rechnung
Rechnungsnummer: 2023-0815
Rechnungsdatum: 03.03.2023
Beratung 10 Stunden 100,00 EUR            1.000,00 EUR
Nettobetrag                               1.000,00 EUR
Versandkosten                                10,00 EUR
Umsatzsteuer 19 %                           191,90 EUR
Gesamtbetrag                              1.201,90 EUR
IBAN DE89 3704 0044 0532 0130 00
"""


def test_an_invoice_says_what_was_checked_and_which_printed_amounts_make_its_total():
    told = extract(typed(WHOLE)).invoice.explanation

    used = [(amount.role, str(amount.value)) for amount in told.used]
    assert [("net", "1000.00"), ("extra", "10.00"), ("tax", "191.90"), ("total", "1201.90")] == used
    assert all(amount.page and amount.box for amount in told.used)
    assert ((), ()) == (told.left, told.objections)
    assert {"number", "issue_date", "supplier", "total", "currency", "left_over", "payment"} <= set(told.checks)
    assert {"number", "grand_total"} <= set(told.evidence)


def test_what_was_paid_already_is_left_over_even_if_it_equals_another_printed_amount():
    read = extract(typed(f"{WHOLE}Bereits gezahlt 100,00 EUR\n"))

    told = read.invoice.explanation
    assert (False, "It also names 100.00 as an amount to pay.") == (read.auto_confirm, read.because)
    assert [("payment", "100.00")] == [(amount.role, str(amount.value)) for amount in told.left]
    assert "left_over" not in told.checks


def test_an_invoice_lists_every_objection_and_tells_the_first():
    bare = "\n".join(line for line in WHOLE.split("\n") if "IBAN" not in line and "datum" not in line)

    told = extract(typed(bare)).invoice.explanation

    assert ("There is no issue date.", "There is no IBAN to pay to.") == told.objections
