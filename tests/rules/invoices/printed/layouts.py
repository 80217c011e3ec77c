"""Bills that are not plain letters: utilities, clouds, columns, pages, money back."""

from __future__ import annotations

from rules.invoices.printed.paper import printed

LAYOUTS = (
    printed(
        "german credit note",
        """
Rosner Bürobedarf KG · Lange Zeile 9 · 91054 Erlangen

Firma
Planwerk Ingenieure GmbH
Am Hang 2
90402 Nürnberg

Gutschrift Nr. GS-3302 vom 22.02.2024
zu Rechnung RE-9917 vom 30.01.2024

Artikel                      Menge      Preis       Betrag
Drehstuhl "Ergo 3"              -1     289,00      -289,00

Summe netto                                        -289,00 €
MwSt. 19 %                                          -54,91 €
Gesamtbetrag                                       -343,91 €
""",
        number="GS-3302", issue_date="2024-02-22", supplier="Rosner Bürobedarf KG", buyer="Planwerk Ingenieure GmbH",
        currency="EUR", net_total="-289.00", tax_total="-54.91", grand_total="-343.91",
        lines=[('Drehstuhl "Ergo 3"', "-289.00")],
    ),
    printed(
        "german utility with old balance",
        """
Stadtwerke Auental GmbH
Postfach 11 20, 35037 Marburg

Herrn
Jonas Feld
Lahnweg 6
35041 Marburg

Ihre Rechnung 7700412  vom 14.03.2024                Kundennummer 99812
Verbrauchszeitraum 01.01.2023 - 31.12.2023

Strom                                             812,40
Wasser                                            301,10
Summe netto                                     1.113,50
Umsatzsteuer 19 %                                 211,57
Rechnungsbetrag                                 1.325,07 EUR
abzüglich geleisteter Abschläge                -1.200,00 EUR
zu zahlen                                         125,07 EUR
Fällig am 28.03.2024
IBAN DE89370400440532013000
""",
        number="7700412", issue_date="2024-03-14", due_date="2024-03-28", supplier="Stadtwerke Auental GmbH",
        buyer="Jonas Feld", currency="EUR", net_total="1113.50", tax_total="211.57", grand_total="1325.07",
        iban="DE89370400440532013000", lines=[("Strom", "812.40"), ("Wasser", "301.10")],
    ),
    printed(
        "cloud provider",
        """
Skyrack Web Services, Inc.
410 Harbor Avenue North
Seattle, WA 98109-5210, US

Email or talk to us about your account or bill, visit skyrack.example/contact

Account number:
  5542 1187 0031

Bill to Address:
Kestrel Software BV
Keizersgracht 12
1015 CS Amsterdam

Invoice Summary
Invoice Number:                                     42183917
Invoice Date:                                  August 3 , 2024
TOTAL AMOUNT DUE ON August 3 , 2024                     $4.11

This invoice is for the billing period July 1 - July 31 , 2024

Summary
Skyrack Service Charges                                 $3.40
  Charges                                               $3.40
  Credits                                               $0.00
  Tax                                                   $0.71
Total for this invoice                                  $4.11
""",
        number="42183917", issue_date="2024-08-03", supplier="Skyrack Web Services, Inc.", buyer="Kestrel Software BV",
        currency="USD", net_total="3.40", tax_total="0.71", grand_total="4.11",
    ),
    printed(
        "card processor",
        """
Invoice
Invoice number   9D2F81A7-0004
Date of issue    January 4, 2024
Date due         January 18, 2024

Paperkite Studio                     Bill to
12 Grove Rd                          Ottoline Reyes
Bristol BS6 6UJ                      ottoline@reyes.example
United Kingdom

£96.00 due January 18, 2024

Description                         Qty     Unit price      Amount
Team plan                             4        £20.00       £80.00
Jan 4 – Feb 4, 2024

                                    Subtotal                £80.00
                                    VAT (20%)               £16.00
                                    Total                   £96.00
                                    Amount due              £96.00
""",
        number="9D2F81A7-0004", issue_date="2024-01-04", due_date="2024-01-18", supplier="Paperkite Studio",
        buyer="Ottoline Reyes", currency="GBP", net_total="80.00", tax_total="16.00", grand_total="96.00",
    ),
    printed(
        "german hosting, values under labels",
        """
                                                       Wolkenheim AG
                                                       Ringallee 40
                                                       50670 Köln
Wolkenheim AG - Ringallee 40 - 50670 Köln

Bäckerei Trautwein
Inh. Karin Trautwein
Dorfplatz 1
97320 Mainstockheim

Rechnungs-Nr.       Kunden-Nr.      Datum              Seite
30064443            118820          07. August 2024    1 von 1

Pos.  Leistung                        Zeitraum              Preis EUR
1     Webpaket S                      01.08.24 - 31.07.25       14,28
2     Domain baeckerei.example        01.08.24 - 31.07.25       14,90

      Zwischensumme                                             29,18
      MwSt. 19,00 %                                              5,54
      Total EUR                                                 34,72

Der Betrag wird in den nächsten Tagen von Ihrem Konto abgebucht.
""",
        number="30064443", issue_date="2024-08-07", supplier="Wolkenheim AG", buyer="Bäckerei Trautwein",
        currency="EUR", net_total="29.18", tax_total="5.54", grand_total="34.72",
        lines=[("Webpaket S", "14.28"), ("Domain baeckerei.example", "14.90")],
    ),
    printed(
        "french telecom",
        """
Orphée Télécom                                          Votre facture du 5 janvier 2024
12 avenue des Ondes
92130 Issy-les-Moulineaux                               M. Paul Lenoir
                                                        3 rue Haute
N° de facture : 88123-A24                               44000 Nantes
Référence client : 0601020304

Montant à régler avant le 20/01/2024                    29,99 € TTC

Abonnement fibre                                                  24,99
Total HT                                                          24,99
dont TVA (20,00 %)                                                 5,00
Montant total TTC                                                 29,99 €
""",
        number="88123-A24", issue_date="2024-01-05", due_date="2024-01-20", supplier="Orphée Télécom",
        currency="EUR", net_total="24.99", tax_total="5.00", grand_total="29.99",
    ),
    printed(
        "tax stated in another currency",
        """
Fjordlys Instruments AS, Strandgaten 9, 5013 Bergen

Sold to:
Halden Labs GmbH
Werkweg 5
80339 München

INVOICE NO: 55120                        DATE: 2024-05-02
Payment terms: 45 days

Description                       Quantity    Unit price USD    Amount USD
Spectrometer probe                       2          1,310.00      2,620.00
Shipping                                 1             80.00         80.00

Total excl. VAT                                             USD   2,700.00
VAT 25%                                                     USD     675.00
Total incl. VAT                                             USD   3,375.00
VAT in NOK at 10.6120                                       NOK   7,163.10
""",
        number="55120", issue_date="2024-05-02", due_date="2024-06-16", supplier="Fjordlys Instruments AS",
        buyer="Halden Labs GmbH", currency="USD", net_total="2700.00", tax_total="675.00", grand_total="3375.00",
        lines=[("Spectrometer probe", "2620.00"), ("Shipping", "80.00")],
    ),
    printed(
        "long descriptions",
        """
Gebr. Ahlers Tiefbau GmbH & Co. KG
Torfweg 3
26122 Oldenburg

Rechnungsempfänger:
Gemeinde Hude
Parkstraße 53
27798 Hude

Rechnung: AT-2024-331       Datum: 17.10.2024

Leistung                                            Menge   EP        GP
Oberboden abtragen und seitlich lagern,
Dicke bis 30 cm, einschließlich Laden
und Fördern innerhalb der Baustelle                 420,00  3,85      1.617,00
Rohrgraben ausheben, Tiefe bis 1,75 m,
Verbau wird gesondert vergütet                      118,50  21,40     2.535,90

Gesamtbetrag netto                                                    4.152,90
19 % MwSt                                                               789,05
Gesamtbetrag brutto                                                   4.941,95
Zahlbar bis 16.11.2024, bei Zahlung bis 31.10.2024 2 % Skonto.
""",
        number="AT-2024-331", issue_date="2024-10-17", due_date="2024-11-16",
        supplier="Gebr. Ahlers Tiefbau GmbH & Co. KG", buyer="Gemeinde Hude", net_total="4152.90",
        tax_total="789.05", grand_total="4941.95",
    ),
    printed(
        "columns of values under labels",
        """
Birchwood Interiors Ltd
31 Quarry St
Fremont CA 94538
United States

                                        Loft Parade
                                        9 Almond Rd
                                        Pleasant Hill CA 94523
                                        United States
                                        Tax ID: US99881123

Invoice INV/2021/01/0032

Invoice Date:        Due Date:          Source:       Reference:
01/15/2021           02/14/2021         S00077        INV/2021/01/0032

Description                         Quantity     Unit Price    Taxes        Amount
[LMP-10] Desk Lamp                10.00          40.00    Tax 15.00%   $ 400.00
[WRK-02] Single Workplace        2.00         885.00    Tax 15.00%   $ 1,770.00

                                          Untaxed Amount            $ 2,170.00
                                          Tax 15%                     $ 325.50
                                          Total                     $ 2,495.50

Please use the following communication for your payment : INV/2021/01/0032
Payment terms: 30 Days
""",
        number='INV/2021/01/0032',
        issue_date='2021-01-15',
        due_date='2021-02-14',
        supplier='Birchwood Interiors Ltd',
        buyer='Loft Parade',
        currency='USD',
        net_total='2170.00',
        tax_total='325.50',
        grand_total='2495.50',
        lines=[('[LMP-10] Desk Lamp', '400.00'), ('[WRK-02] Single Workplace', '1770.00')],
    ),
    printed(
        "indian rupees, tax inside the price",
        """
                          Tax Invoice
Sold By: Lotus Retail Services Pvt. Ltd.
Palm Tech Park, Bangalore 560068
VAT/TIN : 29111122223                         Invoice No: # BLR_KRML20151000417733

Order ID: OD118822331        Order Date: 20-10-2015       Invoice Date: 21-10-2015
Billing Address                               Shipping Address
Anil Kumar                                    Anil Kumar
12 MG Road                                    12 MG Road
Chennai 600001                                Chennai 600001

Product                    Title             Qty   Price   Tax    Total
Mobiles                    Phone Kite 3      1   9,999.00  5.5%  9,999.00

                                         Total    1   9,477.73   521.27   Rs. 9,999.00
Grand Total                                                       Rs. 9,999.00
""",
        number='BLR_KRML20151000417733',
        issue_date='2015-10-21',
        supplier='Lotus Retail Services Pvt. Ltd.',
        buyer='Anil Kumar',
        currency='INR',
        net_total='9477.73',
        tax_total='521.27',
        grand_total='9999.00',
    ),
    printed(
        "two pages with carried sums",
        """
Muster Handel GmbH · Weg 1 · 10115 Berlin
Kunde AG
Allee 2
10117 Berlin

Rechnung Nr. 88-1001                     Datum 02.09.2024

Pos  Artikel                Menge    Preis       Betrag
1    Schrauben M6             100     0,12        12,00
2    Muttern M6               100     0,08         8,00
Übertrag                                          20,00
\f
Rechnung Nr. 88-1001                                    Seite 2
Pos  Artikel                Menge    Preis       Betrag
Übertrag                                          20,00
3    Scheiben M6              200     0,03         6,00

Summe netto                                       26,00
19% MwSt                                           4,94
Gesamtbetrag EUR                                  30,94
""",
        number='88-1001',
        issue_date='2024-09-02',
        supplier='Muster Handel GmbH',
        buyer='Kunde AG',
        currency='EUR',
        net_total='26.00',
        tax_total='4.94',
        grand_total='30.94',
        lines=[('Schrauben M6', '12.00'), ('Muttern M6', '8.00'), ('Scheiben M6', '6.00')],
    ),
    printed(
        "german with the date of debit",
        """
Postfachwerk AG
Talweg 40-42
D-63571 Gelnhausen                                    Rechnung
                                                      Rechnungsnr.  40071882
Ilka Forster                                          Kundennr.     10064
Am Ring 3                                             Datum         07. August 2014
D-63571 Gelnhausen                                    Seite         1

Pos.  Artikelnr.   Bezeichnung             Menge  Einheit  E-Preis    Gesamt
10    PF-EX        Postfach 2013 groß       1  Stk.       29,18     29,18
      Abrechnungszeitraum 01.08.2014 - 31.08.2014

                                         Summe netto               29,18
                                         MwSt. 19,00 %              5,55
                                         Rechnungsbetrag EUR       34,73
Zahlungsart: Lastschrift. Der Betrag wird zum 14.08.2014 eingezogen.
""",
        number='40071882',
        issue_date='2014-08-07',
        supplier='Postfachwerk AG',
        buyer='Ilka Forster',
        currency='EUR',
        net_total='29.18',
        tax_total='5.55',
        grand_total='34.73',
    ),
    printed(
        "british utility",
        """
Brightwater Energy plc                Account number 8500 1234 567
                                      Bill date 14 Mar 2024
Mrs J Hollis                          Bill number 2291-88
4 Orchard Close
Bath BA1 2AB

Your electricity bill
Period 14 Dec 2023 - 13 Mar 2024

Balance brought forward                £0.00
Electricity charges                  £212.40
VAT at 5% on £212.40                  £10.62
Total charges this bill              £223.02
Please pay £223.02 by 28 March 2024
""",
        number='2291-88',
        issue_date='2024-03-14',
        due_date='2024-03-28',
        supplier='Brightwater Energy plc',
        currency='GBP',
        net_total='212.40',
        tax_total='10.62',
        grand_total='223.02',
        lines=[('Electricity charges', '212.40')],
    ),
    printed(
        "spanish with income tax kept back",
        """
María Ruiz Diseño                         NIF 12345678Z
C/ Olmo 4, 28012 Madrid

FACTURA 2024/017                          Fecha: 30/06/2024

Cliente
Editorial Nube S.L.
Av. Diagonal 200
08018 Barcelona
CIF B12345678

Concepto                                                   Importe
Diseño de portada                                           600,00
Maquetación interior                                        900,00

Base imponible                                            1.500,00
IVA 21%                                                     315,00
IRPF -15%                                                  -225,00
TOTAL                                                     1.590,00 €
""",
        number='2024/017',
        issue_date='2024-06-30',
        supplier='María Ruiz Diseño',
        buyer='Editorial Nube S.L.',
        currency='EUR',
        net_total='1500.00',
        tax_total='315.00',
        grand_total='1590.00',
        lines=[('Diseño de portada', '600.00'), ('Maquetación interior', '900.00')],
    ),
)  # fmt: skip
