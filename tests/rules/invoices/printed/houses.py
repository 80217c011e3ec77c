"""Invoices of small houses with a style of their own: clinics, printers, clubs, transport, rents, schools."""

from __future__ import annotations

from rules.invoices.printed.paper import printed

HOUSES = (
    printed(
        "german dentist's fee note",
        """
Praxis Dr. med. dent. Ines Falkenried
Zahnärztin · Goethestraße 5 · 37073 Göttingen

Herrn
Malte Osterkamp
Düstere Str. 18
37073 Göttingen

                                          Rechnungs-Nr.:     2025-00391
                                          Göttingen, den     06.02.2025
                                          Patient:           Lotta Osterkamp, geb. 02.09.2016

Für zahnärztliche Leistungen erlaube ich mir zu berechnen (GOZ):

Datum        Nr.     Leistung                          Faktor     Betrag EUR
14.01.2025   0010    Eingehende Untersuchung             2,3          12,94
14.01.2025   1040    Professionelle Zahnreinigung        2,3          58,20
28.01.2025   2050    Füllung, einflächig                 3,0          41,85

                                             Rechnungsbetrag         112,99

Bitte überweisen Sie den Betrag innerhalb von 30 Tagen.
IBAN: DE89 3704 0044 0532 0130 00     Umsatzsteuerfrei nach § 4 Nr. 14 UStG
""",
        number="2025-00391", issue_date="2025-02-06", due_date="2025-03-08", buyer="Malte Osterkamp",
        currency="EUR", grand_total="112.99", iban="DE89370400440532013000",
        lines=[("Eingehende Untersuchung", "12.94"), ("Professionelle Zahnreinigung", "58.20"),
        ("Füllung, einflächig", "41.85")],
    ),
    printed(
        "british school fees",
        """
St Aldhelm's Preparatory School
Fees Office, Manor Road, Sherborne DT9 4AA           fees@staldhelms.example

Mr and Mrs R Whitcombe                               Statement of fees: Invoice 2025-L-0447
The Old Forge                                        Date of invoice: 1st April 2025
Yetminster DT9 6LF                                   Payable by: 22nd April 2025

Pupil: Henry Whitcombe, Year 4

Tuition, Summer Term                                              4,850.00
Lunches                                                             285.00
Violin lessons (10 @ £24.00)                                        240.00
VAT on tuition at 20%                                               970.00
Less: deposit held                                                 -500.00
TOTAL PAYABLE                                                    £5,845.00
""",
        number="2025-L-0447", issue_date="2025-04-01", due_date="2025-04-22",
        supplier="St Aldhelm's Preparatory School", currency="GBP", buyer="Mr and Mrs R Whitcombe",
    ),
    printed(
        "portuguese transport",
        """
TRANSPORTES SERRA & MAR, LDA                                      Pág. 1/1
Rua da Estação, 77 - 3080-101 Figueira da Foz
NIPC 504 118 223   Capital Social 50.000,00 EUR

                                            Exmos. Senhores
                                            Vidreira do Mondego, S.A.
                                            Zona Industrial, Lote 12
                                            3020-210 Coimbra

Factura nº  1 25/000377          V/ Nº Contrib.       Data           Vencimento
Original                         500771204            2025-06-12     2025-07-12

Código      Descrição                            Qtd.      Preço Unit.     Desc.     IVA      Valor
TR01        Transporte Figueira-Coimbra          6,00         185,00       0,00      23,00   1.110,00
TR09        Taxa de combustível                  1,00          66,60       0,00      23,00      66,60

Taxa          Incid./Qtd.         Total IVA           Total Mercadoria          1.176,60
23,00         1.176,60            270,62              Descontos                     0,00
                                                      IVA                         270,62
                                                      Total (EUR)               1.447,22

IBAN: PT50 0002 0123 1234 5678 9015 4
""",
        number="1 25/000377", issue_date="2025-06-12", due_date="2025-07-12",
        supplier="TRANSPORTES SERRA & MAR, LDA", buyer="Vidreira do Mondego, S.A.", currency="EUR",
        net_total="1176.60", tax_total="270.62", grand_total="1447.22", iban="PT50000201231234567890154",
        tax_by_rate={"23": "270.62"},
        lines=[("Transporte Figueira-Coimbra", "1110.00"), ("Taxa de combustível", "66.60")],
    ),
    printed(
        "spanish freelance with labels over values",
        """
NÚRIA CASALS TRADUCCIONES
c/ Verdi 118, 2º 1ª · 08012 Barcelona · NIF 46330117T · nuria@casals.example

FECHA                  FACTURA NÚM.             VENCIMIENTO
3 de febrero de 2025   2025-004                 5 de marzo de 2025

FACTURAR A
Laboratorios Quimera, S.A.
Av. de la Granvia, 55
08908 L'Hospitalet de Llobregat
A58112233

DESCRIPCIÓN                                    PALABRAS    TARIFA        IMPORTE
Traducción EN-ES manual de calidad               8.400      0,09         756,00
Revisión                                         2.000      0,03          60,00

                                               SUBTOTAL                  816,00
                                               IVA (21 %)                171,36
                                               IRPF (-7 %)               -57,12
                                               TOTAL                     930,24 €

Cuenta: ES91 2100 0418 4502 0005 1332
""",
        number="2025-004", issue_date="2025-02-03", due_date="2025-03-05", supplier="NÚRIA CASALS TRADUCCIONES",
        buyer="Laboratorios Quimera, S.A.", currency="EUR", net_total="816.00", tax_total="171.36",
        iban="ES9121000418450200051332",
        lines=[("Traducción EN-ES manual de calidad", "756.00"), ("Revisión", "60.00")],
    ),
    printed(
        "polish carrier in two currencies",
        """
Sprzedawca                                           FAKTURA VAT
TRANS-WARTA S.C. A. Kos, J. Kos                      nr: 0412/TR/2025
ul. Spedycyjna 2, 62-510 Konin                       Data wyst.: 22-04-2025
NIP PL6652201180                                     Data wykonania usługi: 18-04-2025
                                                     Termin płatności: 45 dni (06-06-2025)
Nabywca
Elbe Spedition GmbH
Hafenring 8
01067 Dresden
NIP DE220114337

Lp.   Nazwa usługi                                   Ilość     Cena       Wartość
1     Usługa transportowa Konin - Dresden               1    720,00        720,00

Wartość netto: 720,00 EUR        VAT: NP        Wartość brutto: 720,00 EUR
Do zapłaty: 720,00 EUR           (kurs NBP 4,2710 - 3 075,12 PLN)
Bank: PL61 1090 1014 0000 0712 1981 2874   SWIFT: WBKPPLPP
Odwrotne obciążenie
""",
        number="0412/TR/2025", issue_date="2025-04-22", due_date="2025-06-06",
        supplier="TRANS-WARTA S.C. A. Kos, J. Kos", buyer="Elbe Spedition GmbH", currency="EUR",
        grand_total="720.00", iban="PL61109010140000071219812874",
    ),
    printed(
        "danish club",
        """
Roskilde Roklub
Strandvejen 3, 4000 Roskilde
CVR: 18 22 40 71                       Faktura

Til: Ida Mortensen                     Fakturanummer   2025-117
     Algade 14, 2. tv                  Dato            2. maj 2025
     4000 Roskilde                     Betales senest  16. maj 2025

Kontingent voksen, 2. kvartal                                     450,00
Bådplads kajak                                                    200,00
Nøgle, depositum                                                  100,00

I alt kr.                                                         750,00

Foreningen er ikke momsregistreret. MobilePay 44117 eller reg. 0040 konto 0440116243
""",
        number="2025-117", issue_date="2025-05-02", due_date="2025-05-16", supplier="Roskilde Roklub",
        buyer="Ida Mortensen", currency="DKK", grand_total="750.00",
        lines=[("Kontingent voksen, 2. kvartal", "450.00"), ("Bådplads kajak", "200.00"),
        ("Nøgle, depositum", "100.00")],
    ),
    printed(
        "swedish printer with deposit invoice quoted",
        """
Tryckeriet i Visby AB                    Faktura nr 9033
Hästgatan 7                              Datum 2025-06-05
621 56 Visby                             Sida 1 (1)

Er beställning: 4500-118 (2025-05-12)    Gotlands Museum
Vår referens: Maja Ek                    Strandgatan 14
Betalningsvillkor: 30 dagar netto        621 56 Visby
Förfaller: 2025-07-05

Utställningskatalog, 500 ex                                     41 500,00
Frakt                                                              950,00
Avgår delfaktura 8990 av 2025-05-20                            -20 000,00
Summa exkl. moms                                                22 450,00
Moms 6 % på 22 450,00                                            1 347,00
Att betala, SEK                                                 23 797,00

Bankgiro 322-1170  IBAN SE45 5000 0000 0583 9825 7466
""",
        number="9033", issue_date="2025-06-05", due_date="2025-07-05", supplier="Tryckeriet i Visby AB",
        buyer="Gotlands Museum", currency="SEK", net_total="22450.00", tax_total="1347.00", grand_total="23797.00",
        iban="SE4550000000058398257466", tax_by_rate={"6": "1347.00"},
    ),
    printed(
        "swiss french rent",
        """
Régie Lavaux-Oron SA
Grand-Rue 18
1096 Cully
CHE-108.771.402 TVA

                                                Fiduciaire Blanc Sàrl
                                                Chemin des Vignes 4
                                                1098 Epesses

Cully, le 27 mai 2025

FACTURE 25-0588
Concerne : locaux commerciaux, Rue du Temple 2

Loyer juin 2025                                            CHF    2'150.00
Charges (acompte)                                          CHF      180.00
Place de parc                                              CHF      120.00
Sous-total                                                 CHF    2'450.00
TVA 8,1 %                                                  CHF      198.45
Total à payer jusqu'au 01.06.2025                          CHF    2'648.45

Compte CH93 0076 2011 6238 5295 7
""",
        number="25-0588", issue_date="2025-05-27", due_date="2025-06-01", supplier="Régie Lavaux-Oron SA",
        buyer="Fiduciaire Blanc Sàrl", currency="CHF", net_total="2450.00", tax_total="198.45",
        grand_total="2648.45", iban="CH9300762011623852957",
    ),
    printed(
        "german part invoice of a builder",
        """
BAUUNTERNEHMUNG SCHEFFLER GmbH & Co. KG  •  Industriestr. 30  •  86153 Augsburg

Wohnbau Lechfeld eG
Königsplatz 2
86150 Augsburg

                                                   2. Abschlagsrechnung
                                                   Nr.            AR-2025-0091
                                                   vom            16.05.2025
                                                   Projekt        BV Lindenhof, 24 WE
                                                   Leistungszeitraum  01.04. - 30.04.2025

Leistungsstand gemäß Aufmaß                              184.300,00 EUR
abzgl. 1. Abschlagsrechnung AR-2025-0044                 -96.000,00 EUR
Zwischensumme netto                                       88.300,00 EUR
zzgl. 19 % Umsatzsteuer                                   16.777,00 EUR
Rechnungsbetrag                                          105.077,00 EUR

Zahlbar innerhalb 21 Tagen. Bankverbindung: IBAN DE02 1001 0010 0006 8201 01
""",
        number="AR-2025-0091", issue_date="2025-05-16", due_date="2025-06-06",
        supplier="BAUUNTERNEHMUNG SCHEFFLER GmbH & Co. KG", buyer="Wohnbau Lechfeld eG", currency="EUR",
        net_total="88300.00", tax_total="16777.00", grand_total="105077.00", iban="DE02100100100006820101",
        tax_by_rate={"19": "16777.00"},
    ),
    printed(
        "english consultancy in dollars",
        """
                              Harrow & Lisle Advisory Pte. Ltd.
                    18 Cecil Street #11-02, Singapore 049704
                           GST Reg. No. 201133447K

TAX INVOICE                                            No.      HL/2025/0316
                                                       Dated    17-Apr-2025
Attn: Ms Priya Raman
Kestrel Maritime Holdings Limited
Level 30, One Raffles Quay
Singapore 048583

Professional fees for March 2025
Partner           12.5 hrs @ USD 650.00                USD        8,125.00
Associate           30 hrs @ USD 280.00                USD        8,400.00
Disbursements                                          USD          312.40
                                                                 16,837.40
Add: GST 9%                                            USD        1,515.37
Amount payable                                         USD       18,352.77

Terms: 14 days from date of invoice
""",
        number="HL/2025/0316", issue_date="2025-04-17", due_date="2025-05-01",
        supplier="Harrow & Lisle Advisory Pte. Ltd.", buyer="Kestrel Maritime Holdings Limited", currency="USD",
        net_total="16837.40", tax_total="1515.37", grand_total="18352.77", tax_by_rate={"9": "1515.37"},
    ),
    printed(
        "french artisan credit",
        """
ATELIER DE FERRONNERIE COLLIN
EURL au capital de 5 000 euros
17 route de Bar - 55000 Bar-le-Duc

AVOIR N° AV-2025-007
Date : 18/06/2025
Sur facture n° F-2025-112 du 02/06/2025

Commune de Revigny
Mairie - Place Pierre Gaxotte
55800 Revigny-sur-Ornain

Désignation                                 Qté       P.U. HT        Montant HT
Reprise portillon non conforme                1       -480,00           -480,00

Total HT       -480,00 €
TVA 20 %        -96,00 €
Total TTC      -576,00 €
""",
        number="AV-2025-007", issue_date="2025-06-18", supplier="ATELIER DE FERRONNERIE COLLIN",
        buyer="Commune de Revigny", currency="EUR", net_total="-480.00", tax_total="-96.00",
        grand_total="-576.00", lines=[("Reprise portillon non conforme", "-480.00")],
    ),
)  # fmt: skip
