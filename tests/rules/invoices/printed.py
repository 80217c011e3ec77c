"""Invoices as text, written for these tests: ten languages, as many layouts, with what they say."""

from __future__ import annotations

from typing import Any, NamedTuple


class Printed(NamedTuple):
    name: str
    text: str
    truth: dict[str, Any]


def _printed(name: str, text: str, **truth: Any) -> Printed:
    return Printed(name, text, truth)


PRINTED = (
    _printed(
        "german letter",
        """
Kranbau Wittig GmbH  ·  Hafenstraße 12  ·  24103 Kiel

Nordlicht Versand AG                                   Rechnungsnummer:   2024-01877
Frau Ilse Petersen                                     Rechnungsdatum:    03.05.2024
Mühlenweg 4                                            Kundennummer:      K-4471
23552 Lübeck                                           Lieferdatum:       29.04.2024

Rechnung

Pos   Bezeichnung                         Menge    Einzelpreis     Gesamt
1     Wartung Brückenkran, Halle 2            1       1.240,00    1.240,00
      inkl. Prüfprotokoll
2     Drahtseil 12 mm                        40           6,15      246,00
3     Anfahrt                                 2          85,50      171,00

                                         Nettobetrag              1.657,00 €
                                         zzgl. 19 % USt             314,83 €
                                         Rechnungsbetrag          1.971,83 €

Zahlbar innerhalb von 14 Tagen ohne Abzug.
IBAN DE02 1203 0000 0000 2020 51   BIC BYLADEM1001
""",
        number="2024-01877", issue_date="2024-05-03", due_date="2024-05-17", supplier="Kranbau Wittig GmbH",
        buyer="Nordlicht Versand AG", currency="EUR", net_total="1657.00", tax_total="314.83", grand_total="1971.83",
        iban="DE02120300000000202051", lines=[("Wartung Brückenkran, Halle 2 inkl. Prüfprotokoll", "1240.00"),
        ("Drahtseil 12 mm", "246.00"), ("Anfahrt", "171.00")],
    ),
    _printed(
        "american columns",
        """
                                                        INVOICE
Blue Mesa Analytics LLC
4400 Canyon Rd, Suite 210                   Invoice #     BMA-20931
Santa Fe, NM 87501                          Invoice Date  05/28/2024
                                            Due Date      06/27/2024
Bill To:                                    P.O. Number   77-1203
Harrison Freight Inc.
19 Dock Street
Tacoma, WA 98402

Description                          Qty      Rate        Amount
Dashboard subscription, June           3    1,150.00     3,450.00
Onboarding workshop                    1    2,000.00     2,000.00

                                       Subtotal          $5,450.00
                                       Sales Tax (7.5%)    $408.75
                                       Total             $5,858.75
                                       Amount Due        $5,858.75
""",
        number="BMA-20931", issue_date="2024-05-28", due_date="2024-06-27", supplier="Blue Mesa Analytics LLC",
        buyer="Harrison Freight Inc.", currency="USD", net_total="5450.00", tax_total="408.75",
        grand_total="5858.75", lines=[("Dashboard subscription, June", "3450.00"), ("Onboarding workshop", "2000.00")],
    ),
    _printed(
        "british with deposit",
        """
Thornfield Joinery Ltd                                   VAT Reg No GB 123 4567 89
Unit 9, Station Yard
Hebden Bridge HX7 8AB

Invoice to
Moorland Cottages Ltd
2 Church Lane
Skipton BD23 1AA

Invoice No.   TJ/0419
Date          7 March 2024

Item                                   Quantity    Unit price       Total
Oak staircase, made to measure             1         4,800.00     4,800.00
Fitting                                   16            42.00       672.00

Net total                                                        £5,472.00
VAT @ 20%                                                        £1,094.40
Invoice total                                                    £6,566.40
Deposit paid                                                    -£2,000.00
Balance due                                                      £4,566.40

Payment terms: 30 days net. Sort code 20-45-77 Account 10293847
""",
        number="TJ/0419", issue_date="2024-03-07", due_date="2024-04-06", supplier="Thornfield Joinery Ltd",
        buyer="Moorland Cottages Ltd", currency="GBP", net_total="5472.00", tax_total="1094.40",
        grand_total="6566.40", lines=[("Oak staircase, made to measure", "4800.00"), ("Fitting", "672.00")],
    ),
    _printed(
        "french two rates",
        """
SARL Les Vergers du Rhône
14 chemin des Pêchers
26000 Valence

                                   Facture n° F2024-0312 du 12/02/2024

                                   Client : Épicerie Martin
                                   8 rue de la République
                                   69002 Lyon

Désignation                      Quantité     P.U. HT     Montant HT     TVA
Abricots 5 kg                         20       18,50          370,00     5,5 %
Caisses bois consignées               20        3,20           64,00     20 %

Total HT                             434,00 €
TVA 5,5 % sur 370,00                  20,35 €
TVA 20 % sur 64,00                    12,80 €
Total TTC                            467,15 €

Date d'échéance : 13/03/2024
IBAN : FR14 2004 1010 0505 0001 3M02 606
""",
        number="F2024-0312", issue_date="2024-02-12", due_date="2024-03-13", supplier="SARL Les Vergers du Rhône",
        buyer="Épicerie Martin", currency="EUR", net_total="434.00", tax_total="33.15", grand_total="467.15",
        iban="FR1420041010050500013M02606", lines=[("Abricots 5 kg", "370.00"), ("Caisses bois consignées", "64.00")],
        tax_by_rate={"5.5": "20.35", "20": "12.80"},
    ),
    _printed(
        "italian",
        """
Officine Marchetti S.r.l.                                  P.IVA 01234567890
Via dell'Artigianato 7
41123 Modena
                                             Spett.le
                                             Cantina Valdombra S.p.A.
                                             Strada Provinciale 18
                                             42019 Scandiano

Fattura n. 118/2024                          Data fattura 15/04/2024

Descrizione                          Quantità      Prezzo       Importo
Revisione pressa idraulica                  1      980,00        980,00
Guarnizioni                                12        7,25         87,00

Imponibile                                                     1.067,00
IVA 22%                                                          234,74
Totale fattura                                               € 1.301,74

Scadenza 15/05/2024
IBAN IT60X0542811101000000123456
""",
        number="118/2024", issue_date="2024-04-15", due_date="2024-05-15", supplier="Officine Marchetti S.r.l.",
        buyer="Cantina Valdombra S.p.A.", currency="EUR", net_total="1067.00", tax_total="234.74",
        grand_total="1301.74", iban="IT60X0542811101000000123456",
        lines=[("Revisione pressa idraulica", "980.00"), ("Guarnizioni", "87.00")],
    ),
    _printed(
        "spanish below labels",
        """
Talleres Aldaba, S.L.
Calle Mayor 3, 28013 Madrid

FACTURA

Nº de factura        Fecha de factura       Fecha de vencimiento
A-24/0091            02/01/2024             01/02/2024

Cliente: Hotel Miraflores S.A.

Concepto                          Cantidad    Precio unitario     Importe
Reparación ascensor                      4              55,00      220,00
Cable de acero                          30               2,40       72,00

Base imponible                                                     292,00
IVA 21 %                                                            61,32
Total a pagar                                                      353,32 €
""",
        number="A-24/0091", issue_date="2024-01-02", due_date="2024-02-01", supplier="Talleres Aldaba, S.L.",
        buyer="Hotel Miraflores S.A.", currency="EUR", net_total="292.00", tax_total="61.32", grand_total="353.32",
        lines=[("Reparación ascensor", "220.00"), ("Cable de acero", "72.00")],
    ),
    _printed(
        "dutch tax inside",
        """
Fietsenhuis De Spaak B.V.                             KvK 12345678
Oude Gracht 210, 3511 NR Utrecht                      BTW NL123456789B01

Factuuradres
J. van Houten
Kerkstraat 5
3581 AB Utrecht

Factuurnummer    Factuurdatum    Vervaldatum
FA240077         21-06-2024      05-07-2024

Omschrijving                       Aantal     Prijs       Totaal
Stadsfiets model Gracht                 1    649,00       649,00
Fietstas dubbel                         1     59,95        59,95

Totaal incl. BTW                               € 708,95
Waarvan BTW 21%                                € 123,04
""",
        number="FA240077", issue_date="2024-06-21", due_date="2024-07-05", supplier="Fietsenhuis De Spaak B.V.",
        buyer="J. van Houten", currency="EUR", net_total="585.91", tax_total="123.04", grand_total="708.95",
        lines=[("Stadsfiets model Gracht", "649.00"), ("Fietstas dubbel", "59.95")],
    ),
    _printed(
        "danish crowns",
        """
Havnens Rengøring ApS
Toldbodgade 55
8000 Aarhus C                                   CVR 12345678

Faktura til
Fiskehallen A/S
Molevej 2
8500 Grenaa

Fakturanr.      10442
Fakturadato     30.04.2024
Forfaldsdato    14.05.2024

Beskrivelse                     Antal       Pris        Beløb
Ugentlig rengøring                  4    1.875,00    7.500,00
Vinduespolering                     1      950,00      950,00

Subtotal                                             8.450,00
Moms 25 %                                            2.112,50
Total at betale                                 kr. 10.562,50
""",
        number="10442", issue_date="2024-04-30", due_date="2024-05-14", supplier="Havnens Rengøring ApS",
        buyer="Fiskehallen A/S", currency="DKK", net_total="8450.00", tax_total="2112.50", grand_total="10562.50",
        lines=[("Ugentlig rengøring", "7500.00"), ("Vinduespolering", "950.00")],
    ),
    _printed(
        "swedish crowns",
        """
Ljungs Elteknik AB                               Org.nr 556677-8899
Verkstadsgatan 3
582 22 Linköping

                                                 Fakturanummer   30517
                                                 Fakturadatum    2024-03-18
                                                 Förfallodatum   2024-04-17
Kund
Bostadsrättsföreningen Eken
Storgatan 44
582 25 Linköping

Benämning                        Antal     à-pris        Belopp
Byte av elcentral                    1   8 400,00      8 400,00
Arbete, timmar                      11     620,00      6 820,00

Netto                                                 15 220,00
Moms 25%                                               3 805,00
Att betala                                         19 025,00 kr
Bankgiro 5050-1055
""",
        number="30517", issue_date="2024-03-18", due_date="2024-04-17", supplier="Ljungs Elteknik AB",
        buyer="Bostadsrättsföreningen Eken", currency="SEK", net_total="15220.00", tax_total="3805.00",
        grand_total="19025.00", lines=[("Byte av elcentral", "8400.00"), ("Arbete, timmar", "6820.00")],
    ),
    _printed(
        "polish",
        """
Faktura VAT nr FV/2024/05/118                      Data wystawienia: 09.05.2024
                                                   Data sprzedaży: 08.05.2024
Sprzedawca                                         Nabywca
Hurtownia Papiernicza Sowa sp. z o.o.              Drukarnia Lipa sp.j.
ul. Składowa 14                                    ul. Długa 3
90-127 Łódź                                        00-238 Warszawa
NIP 725-000-00-00                                  NIP 525-000-00-00

Lp  Nazwa                     Ilość    Cena netto    Wartość netto    VAT
1   Papier offsetowy 80g         50         31,20         1 560,00    23%
2   Karton A1                    10         18,90           189,00    23%

Razem netto                                               1 749,00
Kwota VAT                                                   402,27
Razem brutto                                              2 151,27
Do zapłaty: 2 151,27 PLN
Termin płatności: 23.05.2024
PL61109010140000071219812874
""",
        number="FV/2024/05/118", issue_date="2024-05-09", due_date="2024-05-23",
        supplier="Hurtownia Papiernicza Sowa sp. z o.o.", buyer="Drukarnia Lipa sp.j.", currency="PLN",
        net_total="1749.00", tax_total="402.27", grand_total="2151.27", iban="PL61109010140000071219812874",
        lines=[("Papier offsetowy 80g", "1560.00"), ("Karton A1", "189.00")],
    ),
    _printed(
        "portuguese",
        """
Cerâmica do Vouga, Lda.
Zona Industrial, Lote 6
3740-220 Sever do Vouga
NIF 501234567

Exmo(s). Sr(s).
Adquirente: Construções Atlântico, S.A.

Fatura n.º FT 2024/881
Data de emissão: 11-07-2024        Data de vencimento: 10-08-2024

Descrição                   Quantidade     Preço unitário        Total
Azulejo 20x20 branco               600               0,48       288,00
Palete                               2              12,00        24,00

Total sem IVA                                                   312,00
IVA 23%                                                          71,76
Total com IVA                                                 383,76 €
IBAN PT50 0002 0123 1234 5678 9015 4
""",
        number="FT 2024/881", issue_date="2024-07-11", due_date="2024-08-10", supplier="Cerâmica do Vouga, Lda.",
        buyer="Construções Atlântico, S.A.", currency="EUR", net_total="312.00", tax_total="71.76",
        grand_total="383.76", iban="PT50000201231234567890154",
        lines=[("Azulejo 20x20 branco", "288.00"), ("Palete", "24.00")],
    ),
    _printed(
        "swiss untaxed with apostrophes",
        """
Atelier Graf
Seestrasse 88
8002 Zürich

Museum Sonnenhalde
Parkweg 1
6003 Luzern

Zürich, 19. August 2024

Rechnung Nr. 240819

Konzept Ausstellung "Wasser"                         CHF 12'500.00
Gestaltung Katalog                                   CHF  4'350.00

Total                                                CHF 16'850.00
Nicht mehrwertsteuerpflichtig. Zahlbar innert 30 Tagen.
IBAN CH93 0076 2011 6238 5295 7
""",
        number="240819", issue_date="2024-08-19", due_date="2024-09-18", currency="CHF", grand_total="16850.00",
        iban="CH9300762011623852957",
        lines=[('Konzept Ausstellung "Wasser"', "12500.00"), ("Gestaltung Katalog", "4350.00")],
    ),
    _printed(
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
    _printed(
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
    _printed(
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
    _printed(
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
    _printed(
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
    _printed(
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
    _printed(
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
    _printed(
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
    _printed(
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
    _printed(
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
    _printed(
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
    _printed(
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
    _printed(
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
    _printed(
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
