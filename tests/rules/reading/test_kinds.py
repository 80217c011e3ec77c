from __future__ import annotations

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
