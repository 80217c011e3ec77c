"""Plain letters in ten languages, each with its country's habits."""

from __future__ import annotations

from rules.invoices.printed.paper import printed

LETTERS = (
    printed(
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
    printed(
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
    printed(
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
    printed(
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
    printed(
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
    printed(
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
    printed(
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
    printed(
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
    printed(
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
    printed(
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
    printed(
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
    printed(
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
)  # fmt: skip
