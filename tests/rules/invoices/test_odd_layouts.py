"""Layouts that are not a letter: receipts, bills of utilities, tables with net and gross, numbers in groups."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from postroom.nouns.documents import typed
from postroom.reading.extractor import extract

CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "a receipt that was paid at once": (
        """
Receipt
Invoice number  1A2B3C4D-0007
Date paid       March 4, 2025

Orbit Tools, Inc.                     Bill to
548 Market St                         Jane Roe
San Francisco, California 94104       jane@roe.example

Description                               Qty    Unit price    Amount
Standard plan                               4        $12.00    $48.00

                                          Subtotal             $48.00
                                          Total                $48.00
                                          Amount paid          $48.00
""",
        {"number": "1A2B3C4D-0007", "issue_date": "2025-03-04", "grand_total": "48.00", "currency": "USD",
         "supplier": "Orbit Tools, Inc.", "buyer": "Jane Roe"},
    ),
    "a number in groups": (
        """
Funknetz Deutschland GmbH, 53171 Bonn

Herrn
Max Mustermann
Musterweg 1
12345 Musterstadt

                                              Datum 12.06.2024
                                              Rechnungsnummer 74 1234 5678 9012
Ihre Rechnung für Juni 2024

Summe Nettobeträge                                                     34,83
Umsatzsteuer 19 % auf 34,83 Euro                                        6,62
Rechnungsbetrag                                                                  41,45 Euro
""",
        {"number": "74 1234 5678 9012", "issue_date": "2024-06-12", "grand_total": "41.45", "currency": "EUR",
         "buyer": "Max Mustermann"},
    ),
    "the number in the title, net and gross in one row": (
        """
                         FAKTURA VAT FV/12/03/2024
Data wystawienia: 15.03.2024        Data sprzedaży: 14.03.2024

Sprzedawca:                                   Nabywca:
Drukarnia Port Sp. z o.o.                     Hotel Bursztyn Sp. z o.o.
ul. Portowa 12                                ul. Długa 4
80-001 Gdańsk                                 80-002 Gdańsk

Lp  Nazwa            Ilość  J.m.  Cena netto   Wartość netto   VAT    Kwota VAT    Wartość brutto
1   Ulotki A5         1000  szt.        0,25          250,00   23%        57,50           307,50
2   Plakaty A2          50  szt.        4,00          200,00   23%        46,00           246,00
                                     RAZEM            450,00             103,50           553,50
Do zapłaty: 553,50 PLN
Termin płatności: 29.03.2024
Nr konta: PL61 1090 1014 0000 0712 1981 2874
""",
        {"number": "FV/12/03/2024", "issue_date": "2024-03-15", "due_date": "2024-03-29", "grand_total": "553.50",
         "currency": "PLN", "supplier": "Drukarnia Port Sp. z o.o.", "buyer": "Hotel Bursztyn Sp. z o.o.",
         "lines": ["250.00", "200.00"]},
    ),
    "columns whose heads could be read as one label": (
        """
                                                              Rechnung
Elektro Brandt AG
Hafenstraße 12
24103 Kiel

Leistungsdatum        Datum                 Rechnung Nr.          Fällig am
03.04.2023            06.04.2023            4227893               06.05.2023

                                                 Summe netto                 814,80
                                           Umsatzsteuer 19 %                 154,81
                                             Gesamtsumme EUR                 969,61
""",
        {"number": "4227893", "issue_date": "2023-04-06", "due_date": "2023-05-06", "grand_total": "969.61",
         "currency": "EUR", "supplier": "Elektro Brandt AG"},
    ),
    "what is owed from before, the tax inside the total and in brackets": (
        """
Nordlicht Versicherung AG
Hafenstraße 1, 20457 Hamburg

Frau Erika Muster
Am Deich 5
25813 Husum

Beitragsrechnung Nr. 4711-22                                        3. Mai 2024

Halbjährlicher Beitrag inklusive 19 % Versicherungsteuer           119,00 €
in diesem Beitrag enthaltene Versicherungsteuer                    (19,00 €)
Ausstehende Forderung (Stand 28.04.2024)                            80,00 €
Zu zahlender Betrag                                                199,00 €
""",
        {"number": "4711-22", "issue_date": "2024-05-03", "grand_total": "119.00", "net_total": "100.00",
         "tax_total": "19.00", "currency": "EUR"},
    ),
    "a balance from before that is as large as the bill": (
        """
Clearline Broadband Ltd
4 Quay Street, Bristol BS1 4AA

Bill to: Harbour Cafe
Invoice number CL-88213
Invoice date 02 May 2024

Previous balance                          36.00 GBP
Fibre broadband, May                      30.00 GBP
VAT 20%                                    6.00 GBP
Charges this month                        36.00 GBP
Total amount due                          72.00 GBP
""",
        {"number": "CL-88213", "issue_date": "2024-05-02", "grand_total": "36.00", "currency": "GBP"},
    ),
    "a balance from before, without tax": (
        """
SYNDIC DES CAPUCINS
12 rue des Capucins
69001 Lyon

Monsieur Paul Martin
3 rue Neuve
69001 Lyon

Facture n° 2024-118
Date de facture : 15/04/2024

Charges du 2e trimestre                    310,00 €
Solde antérieur                             45,50 €
Total à payer                              355,50 €
""",
        {"number": "2024-118", "issue_date": "2024-04-15", "grand_total": "310.00", "currency": "EUR"},
    ),
    "a balance from before that was paid": (
        """
Clearline Broadband Ltd
4 Quay Street, Bristol BS1 4AA

Bill to: Harbour Cafe
Invoice number CL-88300
Invoice date 02 June 2024

Previous balance                          72.00 GBP
Payment received, thank you              -72.00 GBP
Fibre broadband, June                     30.00 GBP
VAT 20%                                    6.00 GBP
Total amount due                          36.00 GBP
""",
        {"number": "CL-88300", "issue_date": "2024-06-02", "grand_total": "36.00", "net_total": "30.00",
         "currency": "GBP"},
    ),
    "a firm, and below it whose desk the invoice is for": (
        """
Factuuradres                     Afleveradres
Havencafé De Kade                Magazijn Oost
T.a.v. Jan Visser                Loods 4
Kade 46                          3500 MJ Utrecht
3500 MJ Utrecht

Factuur
Factuur datum    Factuur          Vervaldatum
8-9-2023         VF1005190001     22-9-2023

Molenaar Koffie B.V.
Factuur totaal EUR                         49,99
Btw nummer: NL815254295B01
""",
        {"number": "VF1005190001", "issue_date": "2023-09-08", "grand_total": "49.99", "currency": "EUR",
         "supplier": "Molenaar Koffie B.V.", "buyer": "Havencafé De Kade"},
    ),
    "only whose desk the invoice is for": (
        """
Molenaar Koffie B.V.
Branderij 3
1000 AB Amsterdam

T.a.v. Jan Visser
Kade 46
3500 MJ Utrecht

Factuurnummer VF1005190002
Factuurdatum 8-9-2023
Totaal EUR                                 49,99
""",
        {"number": "VF1005190002", "issue_date": "2023-09-08", "grand_total": "49.99", "currency": "EUR",
         "supplier": "Molenaar Koffie B.V.", "buyer": "Jan Visser"},
    ),
    "tax that the buyer keeps back": (
        """
FACTURA
Nº: 2024-0031                       Fecha: 12/04/2024
María López García                  Cliente: Bodegas Luna S.A.
NIF 12345678Z                       CIF A12345678
C/ Mayor 12, 28013 Madrid           Av. del Puerto 3, 46021 Valencia

Concepto                                   Importe
Diseño de etiquetas                       1.200,00 €
Base imponible                            1.200,00 €
IVA 21%                                     252,00 €
Retención IRPF 15%                         -180,00 €
TOTAL A PAGAR                             1.272,00 €
""",
        {"number": "2024-0031", "issue_date": "2024-04-12", "grand_total": "1272.00", "currency": "EUR",
         "supplier": "María López García", "buyer": "Bodegas Luna S.A."},
    ),
    "a utility's bill with the last one on it": (
        """
Northern Springs plc
PO Box 12, York YO1 9AA                               Bill date            14 Mar 2025
                                                      Invoice number       990123456
Mr A Person
1 The Lane
York YO2 1AA

Balance from your last bill                                     £55.20
Payment received 02 Nov 2024                                   -£55.20
Charges for this period (ex VAT)                                £81.00
VAT at 20%                                                      £16.20
Total charges this bill                                         £97.20
Amount to pay by 31 March 2025                                  £97.20
""",
        {"number": "990123456", "issue_date": "2025-03-14", "due_date": "2025-03-31", "grand_total": "97.20",
         "currency": "GBP", "supplier": "Northern Springs plc"},
    ),
    "two addresses in one column": (
        """
Gráfica do Porto, Lda.                                       Fatura FT 2025/318
Rua do Cais 12, 4050-012 Porto                               Original
NIF: 501234567
Exmo.(s) Sr.(s)
Hotel Atlântico S.A.
Av. da Liberdade 4
1250-142 Lisboa
Data: 2025-05-06      Vencimento: 2025-06-05     Moeda: EUR

                                     Mercadoria/Serviços      160,00
                                     IVA 23%                   36,80
                                     Total (EUR)              196,80
""",
        {"number": "FT 2025/318", "issue_date": "2025-05-06", "due_date": "2025-06-05", "grand_total": "196.80",
         "currency": "EUR", "supplier": "Gráfica do Porto, Lda.", "buyer": "Hotel Atlântico S.A."},
    ),
    "francs with apostrophes": (
        """
Alpina Treuhand AG          Bahnhofstrasse 1, 8001 Zürich     CHE-123.456.789 MWST

                                                Zürich, 15. Januar 2025
Rechnung Nr. 25-1003

Honorar Buchführung 4. Quartal 2024                  CHF 2'450.00
Auslagen                                             CHF    38.50
Zwischentotal                                        CHF 2'488.50
8.1% MWST                                            CHF   201.57
Total inkl. MWST                                     CHF 2'690.07
Zahlbar innert 30 Tagen netto
IBAN CH93 0076 2011 6238 5295 7
""",
        {"number": "25-1003", "issue_date": "2025-01-15", "due_date": "2025-02-14", "grand_total": "2690.07",
         "currency": "CHF", "iban": "CH9300762011623852957"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_an_odd_layout_is_read(case):
    text, truth = case

    read = extract(typed(text))

    assert "invoice" == read.type, read.because
    wanted = {name: value for name, value in truth.items() if name != "lines"}
    assert wanted == {name: str(getattr(read.invoice, name)) for name in wanted}
    if "lines" in truth:
        assert [Decimal(total) for total in truth["lines"]] == [line.total for line in read.invoice.lines]
