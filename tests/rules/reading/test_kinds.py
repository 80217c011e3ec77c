from __future__ import annotations

from datetime import date

import pytest

from postroom.nouns.documents import typed
from postroom.reading.extractor import extract

OTHERS = {
    "French coupon": "Avis d'encaissement\nCoupons\nCode ISIN : FR0000120073\nQuantité : 25\nDividende unitaire : 2,95 EUR\n"
    "Montant brut : 73,75 EUR\nMontant net : 51,62 EUR\nDate de paiement : 18/05/2023",
    "Italian dividend": "Accredito dividendo\nTitolo ENI SPA ISIN IT0003132476\nQuantità 500\nDividendo lordo 0,22\n"
    "Importo lordo 110,00 EUR\nRitenuta 28,60 EUR\nImporto netto 81,40 EUR\nData valuta 24/05/2023",
    "Spanish dividend": "ABONO DE DIVIDENDOS\nValor IBERDROLA ISIN ES0144580Y14\nNúmero de títulos 600\n"
    "Dividendo por acción 0,18 EUR\nImporte bruto 108,00 EUR\nRetención 20,52 EUR\nImporte líquido 87,48 EUR",
    "Dutch dividend": "Dividendnota\nFonds ASML\nISIN NL0010273215\nAantal 8\nDividend per aandeel EUR 1,45\n"
    "Brutobedrag EUR 11,60\nDividendbelasting EUR 1,74\nNetto bedrag EUR 9,86",
    "Danish dividend": "Udbyttenota\nNovo Nordisk B\nISIN DK0060534915\nAntal 100\nUdbytte pr. stk 6,90 DKK\n"
    "Bruttobeløb 690,00 DKK\nUdbytteskat 186,30 DKK\nNettobeløb 503,70 DKK",
    "Swedish dividend": "UTDELNINGSNOTA\nVolvo B ISIN SE0000115446\nAntal 150\nUtdelning per aktie 6,50 SEK\n"
    "Belopp 975,00 SEK\nSkatt 292,50 SEK\nAtt erhålla 682,50 SEK",
    "English dividend": "Dividend confirmation\nDIAGEO PLC GB0002374006\nQuantity 300\nDividend per share £0.4682\n"
    "Gross amount £140.46\nNet amount £140.46\nPay date 20/10/2022",
    "German account statement": "Kontoauszug\nKontostand am 01.03.2023 1.200,00 EUR\n02.03.2023 Gutschrift Gehalt 2.500,00\n"
    "03.03.2023 Lastschrift Miete -900,00\nNeuer Saldo 2.800,00 EUR",
    "German securities transfer": "Depotübertrag\nEinlieferung\nISIN DE0007164600 SAP SE\nStück 15\nValuta 03.03.2023",
    "German cost information": "Kosteninformation\nEx-ante Kosten\nKauf von 10 Stück\nDienstleistungskosten 9,90 EUR\n"
    "Gesamtkosten 12,00 EUR 1,2 %",
}  # fmt: skip


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS.keys())
def test_income_statements_transfers_and_costs_are_no_trades(text):
    extraction = extract(typed(text))

    assert ((), False) == (extraction.trades, extraction.auto_confirm)


def test_a_fund_with_dividend_in_its_name_can_be_bought():
    text = (
        "Wertpapierabrechnung Kauf\nVANGUARD FTSE ALL-WORLD HIGH DIVIDEND YIELD UCITS ETF IE00B8GKDB10\nStück 10\n"
        "Kurs 55,20 EUR\nHandelstag 03.03.2023\nKurswert 552,00 EUR\nProvision 5,00 EUR\nEndbetrag 557,00 EUR"
    )

    assert ["BUY"] == [trade.direction for trade in extract(typed(text)).trades]


def test_a_printed_invoice_is_an_invoice():
    text = (
        "Rechnung\nMuster GmbH, Hauptstr. 1, 10115 Berlin\nRechnungsnummer: 2023-0815\nRechnungsdatum: 03.03.2023\n"
        "Beratung 10 Stunden 100,00 EUR 1.000,00 EUR\nNettobetrag 1.000,00 EUR\nUmsatzsteuer 19 % 190,00 EUR\n"
        "Gesamtbetrag 1.190,00 EUR"
    )

    extraction = extract(typed(text))

    assert ("invoice", (), "2023-0815") == (extraction.type, extraction.trades, extraction.invoice.number)


def test_an_account_statement_with_a_row_that_multiplies_is_shown_as_a_trade():
    text = (
        "Rekeningafschrift\nRekeningnummer BE12 3456 7890 1234\nBeginsaldo 500,00\n"
        "12-03-2021 Aankoop 3 ISHARES CORE MSCI WORLD IE00B4L5Y983 aan 34,56 EUR 14-03-2021 -103,68\nEindsaldo 396,32"
    )

    extraction = extract(typed(text))

    assert (["BUY"], False) == ([trade.direction for trade in extraction.trades], extraction.auto_confirm)


def test_what_calls_itself_an_order_but_is_booked_on_a_value_day_is_shown_as_a_trade():
    booked = "Auftragsbestätigung\nKauf MSCI INC DL-NOTES USU5521TAE20\nNominale USD 538,64\nHandelstag 06.10.2022\n"
    only_ordered, settled = booked + "Limit 89,40 %", booked + "Valuta 10.10.2022\nZu Lasten Konto 121 EUR 500,14"

    assert [0, 1] == [len(extract(typed(text)).trades) for text in (only_ordered, settled)]


def test_labels_that_call_money_a_count_are_not_believed_unseen():
    text = (
        "Abrechnung Kauf\nISIN IE00B3RBWM25\nKurs Menge\n3,5 120,40 EUR\nKurswert 421,40 EUR\n"
        "Provision 2,00 EUR\nEndbetrag 423,40 EUR\nHandelstag 06.02.2025"
    )

    assert "The quantity and the price could be each other." == extract(typed(text)).because


def test_a_header_and_its_row_may_stand_on_one_line():
    text = (
        "Stock-Exchange Transaction: Buy\nVanguard FTSE All-World ISIN: IE00B3RBWM25\n"
        "Quantity Price Amount 3 129.28 CHF 387.85\nCommission CHF 3.00\nTo your debit CHF 390.85\nTrade date 06.02.2025"
    )

    (trade,) = extract(typed(text)).trades

    assert ["quantity", "price"] == [trade.fields[name].because for name in ("quantity", "price")]


@pytest.mark.parametrize("title", ["Redemption of bonds", "REDEMPTION OF SECURITIES"])
def test_a_bond_that_is_paid_back_is_a_redemption(title):
    read = extract(
        typed(f"""Nordwind Bank plc
{title}
Bond 3.5% Siemens Finance 2020/2026
ISIN                XS2118280218
Maturity date       20.02.2026
Value date          23.02.2026
Nominal             10,000.00 EUR
Redemption price    100.00 %
Redemption amount   10,000.00 EUR
Net amount credited 10,000.00 EUR
""")
    )

    assert ["redemption"] == [trade.kind for trade in read.trades]


REPAID = {
    "English": "REDEMPTION\nISIN XS2118280218\nNominal 10,000.00 EUR\nPrice 100.00 %\nGross amount 10,000.00 EUR\n"
    "Value date 23.02.2026\nNet amount credited 10,000.00 EUR",
    "German": "RÜCKZAHLUNG\nISIN XS2118280218\nNominal 10.000,00 EUR\nKurs 100,00 %\nKurswert 10.000,00 EUR\n"
    "Valuta 23.02.2026\nGutschrift 10.000,00 EUR",
    "French": "REMBOURSEMENT\nCode ISIN XS2118280218\nNominal 10 000,00 EUR\nCours 100,00 %\nMontant brut 10 000,00 EUR\n"
    "Date de valeur 23/02/2026\nMontant net 10 000,00 EUR",
    "Italian": "RIMBORSO\nISIN XS2118280218\nValore nominale 10.000,00 EUR\nPrezzo 100,00 %\nControvalore 10.000,00 EUR\n"
    "Data valuta 23/02/2026\nImporto netto 10.000,00 EUR",
    "Spanish": "AMORTIZACIÓN\nISIN XS2118280218\nNominal 10.000,00 EUR\nPrecio 100,00 %\nImporte bruto 10.000,00 EUR\n"
    "Fecha valor 23/02/2026\nImporte líquido 10.000,00 EUR",
    "Dutch": "AFLOSSING\nISIN XS2118280218\nNominaal 10.000,00 EUR\nKoers 100,00 %\nBrutobedrag 10.000,00 EUR\n"
    "Valutadatum 23-02-2026\nNetto bedrag 10.000,00 EUR",
    "Danish": "INDFRIELSE\nISIN XS2118280218\nNominelt 10.000,00 DKK\nKurs 100,00 %\nKursværdi 10.000,00 DKK\n"
    "Valør 23.02.2026\nNettobeløb 10.000,00 DKK",
    "Swedish": "INLÖSEN\nISIN XS2118280218\nNominellt 10 000,00 SEK\nKurs 100,00 %\nBelopp 10 000,00 SEK\n"
    "Likviddag 2026-02-23\nAtt erhålla 10 000,00 SEK",
    "Polish": "UMORZENIE\nISIN XS2118280218\nLiczba 100\nCena 100,00 PLN\nWartość 10 000,00 PLN\n"
    "Data rozliczenia 23.02.2026\nKwota netto 10 000,00 PLN",
    "Portuguese": "REEMBOLSO\nISIN XS2118280218\nQuantidade 100\nPreço 100,00 EUR\nValor bruto 10.000,00 EUR\n"
    "Data valor 23/02/2026\nValor líquido 10.000,00 EUR",
}  # fmt: skip


@pytest.mark.parametrize("text", REPAID.values(), ids=REPAID.keys())
def test_a_bare_title_of_repayment_makes_a_redemption_on_its_settlement_day(text):
    (trade,) = extract(typed(f"Musterbank\n{text}\n")).trades

    assert ("redemption", "SELL", date(2026, 2, 23)) == (trade.kind, trade.direction, trade.trade_date)


def test_a_redemption_that_names_a_trade_day_goes_to_a_person():
    text = REPAID["English"].replace("Value date", "Trade date 20.02.2026\nValue date")

    read = extract(typed(text))

    assert (False, "It names a trade day and a later settlement day: it may be a sale.") == (
        read.auto_confirm,
        read.because,
    )


def test_a_bond_that_says_when_it_will_be_redeemed_is_bought():
    text = (
        "Securities transaction\nBond 3.5% Nordwind 2020/2030\nRedemption: 20.02.2030\nISIN XS2118280218\n"
        "Transaction: Purchase\nNominal 10,000.00 EUR\nPrice 98.00 %\nGross amount 9,800.00 EUR\n"
        "Trade date 20.02.2026\nValue date 23.02.2026\nNet amount debited 9,800.00 EUR"
    )

    assert [("trade", "BUY")] == [(trade.kind, trade.direction) for trade in extract(typed(text)).trades]
