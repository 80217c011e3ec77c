"""Invoices of trades and workshops: terms with a cash discount, deposits, reverse charge, money back."""

from __future__ import annotations

from rules.invoices.printed.paper import printed

CRAFT = (
    printed(
        "german craftsman with a cash discount",
        """
Zimmerei Haberkorn                                          Tel. 07071 / 55 21 80
Inh. Uwe Haberkorn                                          info@zimmerei-haberkorn.example
Steinlachwasen 4                                            USt-IdNr. DE 219 884 301
72072 Tübingen                                              Steuernummer 86/120/44719

Zimmerei Haberkorn, Steinlachwasen 4, 72072 Tübingen

Frau
Dr. Annegret Vollmer
Im Schönblick 19
72076 Tübingen

                                                            Tübingen, den 18.03.2025
                                                            Auftrags-Nr.  A25-0093
                                                            Kunden-Nr.    10718
                                                            Leistung      KW 9-11/2025

Rechnung Nr. RE 2025/0147

Sehr geehrte Frau Dr. Vollmer,
für die ausgeführten Arbeiten erlauben wir uns zu berechnen:

Pos.  Leistung                                Menge  Einh.   E-Preis      G-Preis
01    Dachstuhl ausbessern, Sparren neu       26,50  Std       58,00     1.537,00
02    Bauholz KVH C24                          1,84  m³       620,00     1.140,80
03    Kleinmaterial                            1,00  psch      74,20        74,20
04    Gerüst vorhalten                         3,00  Wo        95,00       285,00

                                              Summe netto              3.037,00 €
                                              19 % MwSt.                 577,03 €
                                              Endbetrag                3.614,03 €

Zahlbar bis 17.04.2025 ohne Abzug. Bei Zahlung bis 28.03.2025 gewähren wir 2 % Skonto (72,28 €).
Der Rechnungsbetrag enthält Lohnkosten von 1.537,00 € netto (§ 35a EStG).

Kreissparkasse Tübingen  IBAN DE89 3704 0044 0532 0130 00  BIC SOLADES1TUB
""",
        number="RE 2025/0147", issue_date="2025-03-18", due_date="2025-04-17", supplier="Zimmerei Haberkorn",
        buyer="Dr. Annegret Vollmer", currency="EUR", net_total="3037.00", tax_total="577.03", grand_total="3614.03",
        iban="DE89370400440532013000", tax_by_rate={"19": "577.03"},
        lines=[("Dachstuhl ausbessern, Sparren neu", "1537.00"), ("Bauholz KVH C24", "1140.80"),
        ("Kleinmaterial", "74.20"), ("Gerüst vorhalten", "285.00")],
    ),
    printed(
        "german reverse charge",
        """
                                                      Lindqvist & Tesch Ingenieure PartG mbB
                                                      Am Sandtorkai 60 | 20457 Hamburg

Lindqvist & Tesch · Am Sandtorkai 60 · 20457 Hamburg
Vondermeer Offshore B.V.
Waalhaven Z.z. 41
3088 HH Rotterdam
Niederlande

RECHNUNG

Rechnungsnummer              Datum             Kundennummer      Ihre USt-IdNr.
LT-25-0206                   11. April 2025    D 4471            NL804595862B01

Pos  Beschreibung                                     Std.     Satz         Betrag
1    Statische Berechnung Transition Piece           42,00   118,00       4.956,00
2    Prüfstatik, Abstimmung mit Klassifikation        8,50   118,00       1.003,00
3    Reisekosten                                                            412,60

     Gesamtsumme netto                                                    6.371,60
     Umsatzsteuer 0 %                                                         0,00
     Rechnungsbetrag EUR                                                  6.371,60

Steuerschuldnerschaft des Leistungsempfängers (Reverse Charge), § 13b UStG.
Zahlungsziel: 30 Tage netto ab Rechnungsdatum.
Bankverbindung: IBAN DE02 5001 0517 0137 0750 30
""",
        number="LT-25-0206", issue_date="2025-04-11", due_date="2025-05-11",
        supplier="Lindqvist & Tesch Ingenieure PartG mbB", buyer="Vondermeer Offshore B.V.", currency="EUR",
        net_total="6371.60", tax_total="0.00", grand_total="6371.60", iban="DE02500105170137075030",
        lines=[("Statische Berechnung Transition Piece", "4956.00"),
        ("Prüfstatik, Abstimmung mit Klassifikation", "1003.00"), ("Reisekosten", "412.60")],
    ),
    printed(
        "french with a deposit paid",
        """
MENUISERIE BAZIN & FILS                                       DEVIS accepté le 14/01/2025
S.A.R.L. au capital de 15 000 €                               Chantier : 2 impasse du Lavoir
Z.A. des Quatre Vents
35400 SAINT-MALO
Siret 512 334 908 00021 – TVA FR 42 512334908

                                                 Monsieur et Madame KERDREUX
                                                 2 impasse du Lavoir
                                                 35800 DINARD

FACTURE N° FA-2025-0058                          Saint-Malo, le 3 mars 2025

Désignation                                  Qté     PU HT       Total HT
Porte d'entrée chêne massif                    1   2 180,00      2 180,00
Serrure trois points                           1     215,50        215,50
Pose et finitions                             14      46,00        644,00

                                        Total HT                 3 039,50 €
                                        TVA 10 %                   303,95 €
                                        Total TTC                3 343,45 €
                                        Acompte versé           -1 000,00 €
                                        Net à payer              2 343,45 €

Règlement à 30 jours date de facture, par virement :
IBAN FR76 3000 6000 0112 3456 7890 189   BIC AGRIFRPP
En cas de retard, pénalités de 3 fois le taux légal et indemnité forfaitaire de 40,00 €.
""",
        number="FA-2025-0058", issue_date="2025-03-03", due_date="2025-04-02", supplier="MENUISERIE BAZIN & FILS",
        buyer="Monsieur et Madame KERDREUX", currency="EUR", net_total="3039.50", tax_total="303.95",
        grand_total="3343.45", iban="FR7630006000011234567890189", tax_by_rate={"10": "303.95"},
        lines=[("Porte d'entrée chêne massif", "2180.00"), ("Serrure trois points", "215.50"),
        ("Pose et finitions", "644.00")],
    ),
    printed(
        "swedish building with reversed tax",
        """
Norrviks Plåt & Tak AB                                        FAKTURA
Smidesvägen 11
191 49 Sollentuna

Fakturanr            20451           Fakturaadress
Kundnr               1188            Sveabygg Entreprenad AB
Fakturadatum         2025-02-14      Box 3305
Förfallodatum        2025-03-16      103 66 Stockholm
Er referens          Lars Hjelm
OCR                  2045109

Artikel   Benämning                           Antal  Enhet   À-pris       Summa
T-100     Plåttak, läggning                  186,00  m2      485,00   90 210,00
T-220     Hängrännor                          44,00  m       310,00   13 640,00
          Ställning                                                    8 500,00

                                              Summa exkl. moms      112 350,00
                                              Moms                        0,00
                                              ATT BETALA        SEK 112 350,00

Omvänd betalningsskyldighet för byggtjänster. Köparens VAT-nr SE556012345601
Bankgiro 5051-7822   IBAN SE45 5000 0000 0583 9825 7466   F-skattsedel finns
""",
        number="20451", issue_date="2025-02-14", due_date="2025-03-16", supplier="Norrviks Plåt & Tak AB",
        buyer="Sveabygg Entreprenad AB", currency="SEK", net_total="112350.00", tax_total="0.00",
        grand_total="112350.00", iban="SE4550000000058398257466",
        lines=[("Plåttak, läggning", "90210.00"), ("Hängrännor", "13640.00"), ("Ställning", "8500.00")],
    ),
    printed(
        "danish money back",
        """
Skovlunde Værktøj ApS               KREDITNOTA
Industrivej 23                      Kreditnota nr.:      K-2207
2740 Skovlunde                      Dato:                07-05-2025
CVR-nr. 31 44 70 12                 Vedr. faktura nr.:   F-19083 af 22-04-2025
                                    Kundenr.:            604

Murermester Poul Bang
Engdraget 8
3400 Hillerød

Varenr.   Tekst                           Antal      Stk. pris          Beløb
8812      Vinkelsliber 125 mm, returneret    -2         649,00      -1.298,00
8890      Skæreskiver, pk.                   -5          39,60        -198,00

                                          Beløb ekskl. moms         -1.496,00
                                          25% moms                    -374,00
                                          I alt DKK                 -1.870,00

Beløbet overføres til Deres konto inden 8 dage.
""",
        number="K-2207", issue_date="2025-05-07", supplier="Skovlunde Værktøj ApS", buyer="Murermester Poul Bang",
        currency="DKK", net_total="-1496.00", tax_total="-374.00", grand_total="-1870.00",
        lines=[("Vinkelsliber 125 mm, returneret", "-1298.00"), ("Skæreskiver, pk.", "-198.00")],
    ),
    printed(
        "polish with an advance",
        """
                              FAKTURA KOŃCOWA nr FK/7/04/2025
Miejsce wystawienia: Poznań                    Data wystawienia: 2025-04-25
Data zakończenia dostawy: 2025-04-24           Termin płatności: 2025-05-09

Sprzedawca:                                    Nabywca:
Stolarnia Jarzębina Sp. z o.o.                 Kancelaria Wilk i Wspólnicy sp.k.
ul. Dębowa 31                                  al. Niepodległości 8
61-441 Poznań                                  61-875 Poznań
NIP: 7822511930                                NIP: 7781199420

Lp. Nazwa towaru lub usługi      Ilość  Jm    Cena netto  Wart. netto   VAT      Kwota VAT   Wart. brutto
1.  Regał biblioteczny dębowy        3  szt.    2 350,00     7 050,00   23%       1 621,50       8 671,50
2.  Montaż                           1  usł.      640,00       640,00   23%         147,20         787,20
                                    Razem:                   7 690,00             1 768,70       9 458,70

Otrzymana zaliczka (faktura FZ/2/03/2025 z dnia 2025-03-11):   4 000,00 PLN
Pozostało do zapłaty:                                          5 458,70 PLN
Słownie: pięć tysięcy czterysta pięćdziesiąt osiem 70/100
Rachunek: 61 1090 1014 0000 0712 1981 2874
""",
        number="FK/7/04/2025", issue_date="2025-04-25", due_date="2025-05-09",
        supplier="Stolarnia Jarzębina Sp. z o.o.", buyer="Kancelaria Wilk i Wspólnicy sp.k.", currency="PLN",
        net_total="7690.00", tax_total="1768.70", grand_total="9458.70", tax_by_rate={"23": "1768.70"},
        lines=[("Regał biblioteczny dębowy", "7050.00"), ("Montaż", "640.00")],
    ),
    printed(
        "dutch tax reversed",
        """
 Van Drunen Staalbouw
 De Noord 14
 7741 AB Coevorden
 KvK 04066180  |  BTW-nr NL001887213B94

                                                       Aan:
                                                       Emsland Anlagenbau GmbH
                                                       Kanalstraße 77
                                                       49716 Meppen
                                                       Duitsland

 FACTUUR

 Factuurnummer : 2025.0081
 Factuurdatum  : 6 mei 2025
 Vervaldatum   : 5 juni 2025
 Uw kenmerk    : PO 4500091177
 Debiteurnr.   : 2093

 Aantal   Omschrijving                                  Prijs          Bedrag
 4        Kolom HEA 200, gestraald en gemenied    €    845,00     €   3.380,00
 1        Transport Meppen                        €    290,00     €     290,00

                                   Totaal excl. btw               €   3.670,00
                                   Btw verlegd                    €       0,00
                                   Totaal te voldoen              €   3.670,00

 Btw verlegd naar afnemer, artikel 138 Btw-richtlijn. Btw-nr afnemer DE811443019
 Gelieve te betalen op NL91 ABNA 0417 1643 00 onder vermelding van het factuurnummer.
""",
        number="2025.0081", issue_date="2025-05-06", due_date="2025-06-05", supplier="Van Drunen Staalbouw",
        buyer="Emsland Anlagenbau GmbH", currency="EUR", net_total="3670.00", tax_total="0.00",
        grand_total="3670.00", iban="NL91ABNA0417164300",
        lines=[("Kolom HEA 200, gestraald en gemenied", "3380.00"), ("Transport Meppen", "290.00")],
    ),
    printed(
        "english money back in brackets",
        """
HOLLOWAY & PIKE LTD                                              CREDIT NOTE
Catering Equipment
Unit 4, Tannery Lane, Leeds LS10 1AB
VAT No. GB 771 2045 18

To: The Copper Kettle                        Credit note no.   CN00418
    17 Boar Lane                             Date              9th June 2025
    Leeds LS1 5DA                            Your account      COP002
                                             Against invoice   INV31775

Qty   Code     Details                          Price         VAT         Amount
 2    FR-60    Fryer basket, faulty            (34.50)        20%        (69.00)
 1    OV-12    Oven door seal                  (28.00)        20%        (28.00)

                                               Goods total              £(97.00)
                                               VAT                      £(19.40)
                                               TOTAL CREDIT            £(116.40)
""",
        number="CN00418", issue_date="2025-06-09", supplier="HOLLOWAY & PIKE LTD", buyer="The Copper Kettle",
        currency="GBP", net_total="-97.00", tax_total="-19.40", grand_total="-116.40",
        lines=[("Fryer basket, faulty", "-69.00"), ("Oven door seal", "-28.00")],
    ),
)  # fmt: skip
