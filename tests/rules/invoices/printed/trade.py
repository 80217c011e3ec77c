"""Invoices of wholesalers and makers: several rates, shipping, rebates, pages with sums carried over, decoy numbers."""

from __future__ import annotations

from rules.invoices.printed.paper import printed

TRADE = (
    printed(
        "austrian two rates in a box",
        """
Weingut Thallern-Mayer                    Rechnungsempfänger:
Thallern 7                                Gasthof Zum Roten Ochsen KG
2352 Gumpoldskirchen                      Hauptplatz 3
UID: ATU44127809                          2340 Mödling
                                          UID: ATU61880412

R E C H N U N G

Re.-Nr.: 0325-118         Lieferschein: LS-2290 v. 12.03.2025       Re.-Datum: 14.03.2025

Art.     Bezeichnung                  Fl.    Preis    USt%       Netto
GV24     Grüner Veltliner 2024         48     6,20     20       297,60
ZF21     Zierfandler Reserve 2021      12    11,90     20       142,80
TS1      Traubensaft 1 l               24     2,35     10        56,40

USt%      Netto       USt       Brutto
20       440,40     88,08       528,48
10        56,40      5,64        62,04
         496,80     93,72       590,52

Zu zahlen EUR 590,52 bis 28.03.2025
IBAN AT61 1904 3002 3457 3201   BIC BKAUATWW
""",
        number="0325-118", issue_date="2025-03-14", due_date="2025-03-28", supplier="Weingut Thallern-Mayer",
        buyer="Gasthof Zum Roten Ochsen KG", currency="EUR", net_total="496.80", tax_total="93.72",
        grand_total="590.52", iban="AT611904300234573201", tax_by_rate={"20": "88.08", "10": "5.64"},
        lines=[("Grüner Veltliner 2024", "297.60"), ("Zierfandler Reserve 2021", "142.80"),
        ("Traubensaft 1 l", "56.40")],
    ),
    printed(
        "swiss with rounding to five rappen",
        """
Bergkäserei Obersee GmbH
Seeweg 2
8752 Näfels
CHE-114.882.093 MWST

                                                    Hotel Churfirsten AG
                                                    Bahnhofstrasse 20
                                                    9630 Wattwil

Rechnung 90417                                      Näfels, 30.06.2025

Ihre Bestellung   vom 23.06.2025 / Frau Kuhn
Lieferdatum       27.06.2025

Artikel                              Menge kg     CHF/kg         CHF
Bergkäse rezent                         38.40      24.50      940.80
Ziger                                   12.00      18.20      218.40
Butter                                  25.00      16.95      423.75

Total exkl. MWST                                            1'582.95
MWST 2.6%                                                      41.15
Rundung                                                        -0.00
Total CHF inkl. MWST                                        1'624.10

Zahlbar innert 20 Tagen, IBAN CH93 0076 2011 6238 5295 7
""",
        number="90417", issue_date="2025-06-30", due_date="2025-07-20", supplier="Bergkäserei Obersee GmbH",
        buyer="Hotel Churfirsten AG", currency="CHF", net_total="1582.95", tax_total="41.15",
        grand_total="1624.10", iban="CH9300762011623852957",
        lines=[("Bergkäse rezent", "940.80"), ("Ziger", "218.40"), ("Butter", "423.75")],
    ),
    printed(
        "american with freight and discount",
        """
CASCADE FASTENER SUPPLY CO.
2288 NE Sandy Blvd                                              INVOICE
Portland, OR 97232
Phone (503) 555-0138                               INVOICE NO:      0118842-IN
                                                   INVOICE DATE:    11/08/2024
                                                   ORDER NUMBER:    0094417
                                                   ORDER DATE:      11/05/2024
                                                   CUSTOMER NO:     01-TRELLIS

SOLD TO:                                           SHIP TO:
Trellis Outdoor Furniture, Inc.                    Trellis Warehouse 2
900 Mill Plain Rd                                  14 Port Way
Vancouver, WA 98660                                Vancouver, WA 98661

CUSTOMER P.O.     SHIP VIA       F.O.B.       TERMS
PO-7731           UPS GROUND     ORIGIN       2% 10, NET 30

ITEM CODE     DESCRIPTION               ORDERED   SHIPPED     PRICE      AMOUNT
HX-0516-SS    Hex bolt 5/16 stainless     2,000     2,000      0.41      820.00
LW-0516       Lock washer 5/16            2,000     2,000      0.06      120.00
WR-9          Ratchet wrench 9 pc             6         6     38.75      232.50

                                              Net Invoice:             1,172.50
                                              Less Discount:             -58.63
                                              Freight:                    46.20
                                              Sales Tax (8.7%):           96.91
                                              Invoice Total:       USD 1,256.98
""",
        number="0118842-IN", issue_date="2024-11-08", due_date="2024-12-08", supplier="CASCADE FASTENER SUPPLY CO.",
        buyer="Trellis Outdoor Furniture, Inc.", currency="USD", tax_total="96.91", grand_total="1256.98",
        lines=[("Hex bolt 5/16 stainless", "820.00"), ("Lock washer 5/16", "120.00"),
        ("Ratchet wrench 9 pc", "232.50")],
    ),
    printed(
        "canadian two taxes",
        """
Érable & Pin Mobilier inc.                         Invoice / Facture
4120 rue Saint-Ambroise
Montréal (Québec) H4C 2C7                          No.: 25-00614
GST 812345678 RT0001                               Date: June 2, 2025
QST 1212345678 TQ0001                              Terms: Net 15

Bill to:
Harbourview Dental
88 Wharf St
Halifax NS B3J 1A1

Description                             Qty        Unit          Amount
Reception desk, maple                     1    3,250.00        3,250.00
Stool                                     4      185.00          740.00
Delivery                                                         210.00

                                             Subtotal          4,200.00
                                             GST 5%              210.00
                                             QST 9.975%          418.95
                                             Total CAD         4,828.95
""",
        number="25-00614", issue_date="2025-06-02", due_date="2025-06-17", supplier="Érable & Pin Mobilier inc.",
        buyer="Harbourview Dental", currency="CAD", net_total="4200.00", tax_total="628.95", grand_total="4828.95",
        lines=[("Reception desk, maple", "3250.00"), ("Stool", "740.00"), ("Delivery", "210.00")],
    ),
    printed(
        "french on two pages",
        """
LAITERIE DU HAUT-FOREZ SAS                                          FACTURE
Route de Boën - 42130 Boën-sur-Lignon                               Page 1/2
RCS Saint-Étienne 398 771 204

Code client        Numéro            Date             Échéance
C00871             FC250391          28/02/2025       31/03/2025

Livré à :                                   Facturé à :
Halles Grenette                             Fromagerie Perrachon SARL
Étal 12                                     7 place du Marché
42000 Saint-Étienne                         42600 Montbrison

BL n° 77120 du 04/02/2025

Réf.     Désignation                 Qté      P.U.        Montant HT     Taux
FM01     Fourme de Montbrison      60,00     12,40            744,00      5,5
FB07     Fromage blanc 5 kg        18,00     14,90            268,20      5,5
CR12     Crème crue                24,00      6,85            164,40      5,5
                                        À reporter          1 176,60
\f
LAITERIE DU HAUT-FOREZ SAS                                          FACTURE FC250391
                                                                    Page 2/2

Réf.     Désignation                 Qté      P.U.        Montant HT     Taux
                                        Report              1 176,60
BE30     Beurre motte              12,00     11,20            134,40      5,5
EM99     Emballage isotherme        4,00     22,00             88,00       20

Base HT          Taux        Montant TVA
1 311,00         5,50 %            72,11
   88,00        20,00 %            17,60

                                   Total HT                 1 399,00
                                   Total TVA                   89,71
                                   NET À PAYER EUR          1 488,71

Virement : FR14 2004 1010 0505 0001 3M02 606
""",
        number="FC250391", issue_date="2025-02-28", due_date="2025-03-31", supplier="LAITERIE DU HAUT-FOREZ SAS",
        buyer="Fromagerie Perrachon SARL", currency="EUR", net_total="1399.00", tax_total="89.71",
        grand_total="1488.71", iban="FR1420041010050500013M02606", tax_by_rate={"5.5": "72.11", "20": "17.60"},
        lines=[("Fourme de Montbrison", "744.00"), ("Fromage blanc 5 kg", "268.20"), ("Crème crue", "164.40"),
        ("Beurre motte", "134.40"), ("Emballage isotherme", "88.00")],
    ),
    printed(
        "italian with a delivery note and stamp",
        """
TESSITURA BRIANZOLA S.R.L.
Via Carlo Porta 22 - 20831 SEREGNO (MB)
P.IVA / C.F. 02744190961   REA MB-1544021

                                          Destinatario
                                          CAMICERIA LEONE DI G. LEONE & C. S.N.C.
                                          Corso Umberto 140
                                          80138 NAPOLI (NA)

Tipo documento          Numero       Data            Pagina
Fattura differita       402/A        31/01/2025      1

Rif. DDT n. 118 del 14/01/2025 - Vs. ordine 77 del 02/01/2025

Codice   Descrizione                  UM    Quantità     Prezzo       Importo   IVA
PO-140   Popeline bianco h. 150       MT      320,00       4,85      1.552,00    22
OX-090   Oxford azzurro               MT      110,00       5,40        594,00    22
         Spese di trasporto                                             38,00    22

Totale merce     Spese      Imponibile       Imposta      Totale documento
2.146,00         38,00      2.184,00         480,48       € 2.664,48

Pagamento: RB 60 gg f.m.      Scadenze: 31/03/2025
Banca d'appoggio: IT60 X054 2811 1010 0000 0123 456
""",
        number="402/A", issue_date="2025-01-31", due_date="2025-03-31", supplier="TESSITURA BRIANZOLA S.R.L.",
        buyer="CAMICERIA LEONE DI G. LEONE & C. S.N.C.", currency="EUR", net_total="2184.00", tax_total="480.48",
        grand_total="2664.48", iban="IT60X0542811101000000123456", tax_by_rate={"22": "480.48"},
        lines=[("Popeline bianco h. 150", "1552.00"), ("Oxford azzurro", "594.00"), ("Spese di trasporto", "38.00")],
    ),
    printed(
        "spanish two rates with early payment rebate",
        """
Conservas Peñalara, S.A.                             Factura Nº:  25/1.208
Pol. Ind. Los Olivos, parc. 14                       Fecha:       19 de mayo de 2025
28906 Getafe (Madrid)                                Cliente Nº:  430.0771
CIF A-28990417                                       Pedido:      P-5567 de 12/05/2025
                                                     Albarán:     25/3390

Supermercados La Vega, S.L.
C/ Real, 88
40001 Segovia
CIF B-40112093

Ref.    Descripción                    Uds.    Precio      Dto.       Importe
1104    Pimientos asados 400 g          240      1,85      5%          421,80
1140    Atún claro en aceite            480      1,32                  633,60
2001    Caja expositora                   6     14,00                   84,00

              Base imponible     % IVA      Cuota
              1.055,40           10         105,54
              84,00              21          17,64

                                                 TOTAL FACTURA       1.262,58 €

Forma de pago: transferencia a 30 días. IBAN ES91 2100 0418 4502 0005 1332
Descuento por pronto pago del 1,5 % si se abona antes del 29/05/2025.
""",
        number="25/1.208", issue_date="2025-05-19", due_date="2025-06-18", supplier="Conservas Peñalara, S.A.",
        buyer="Supermercados La Vega, S.L.", currency="EUR", net_total="1139.40", tax_total="123.18",
        grand_total="1262.58", iban="ES9121000418450200051332", tax_by_rate={"10": "105.54", "21": "17.64"},
        lines=[("Pimientos asados 400 g", "421.80"), ("Atún claro en aceite", "633.60"), ("Caja expositora", "84.00")],
    ),
    printed(
        "polish two rates",
        """
Piekarnia Rogalik Anna Malec                               Faktura nr 118/05/2025
ul. Młyńska 6, 30-101 Kraków
NIP 6762004411                                             Data wystawienia 31.05.2025
                                                           Data sprzedaży 31.05.2025
Nabywca                                                    Sposób zapłaty przelew
Hotel Pod Wawelem S.A.                                     Termin zapłaty 14.06.2025
ul. Zamkowa 2
30-102 Kraków
NIP 6761880032

Lp  Nazwa                          J.m.    Ilość    Cena netto    Netto      VAT    Brutto
1   Pieczywo mieszane              kg     310,00          7,20    2232,00     5%    2343,60
2   Ciasto drożdżowe               szt.    45,00         21,00     945,00     8%    1020,60
3   Wynajem ekspozytora            mies.    1,00        150,00     150,00    23%     184,50

Stawka        Netto        VAT       Brutto
5%          2232,00     111,60      2343,60
8%           945,00      75,60      1020,60
23%          150,00      34,50       184,50
Razem       3327,00     221,70      3548,70

Do zapłaty 3548,70 zł
Konto PL61 1090 1014 0000 0712 1981 2874
""",
        number="118/05/2025", issue_date="2025-05-31", due_date="2025-06-14", supplier="Piekarnia Rogalik Anna Malec",
        buyer="Hotel Pod Wawelem S.A.", currency="PLN", net_total="3327.00", tax_total="221.70",
        grand_total="3548.70", iban="PL61109010140000071219812874",
        tax_by_rate={"5": "111.60", "8": "75.60", "23": "34.50"},
        lines=[("Pieczywo mieszane", "2232.00"), ("Ciasto drożdżowe", "945.00"), ("Wynajem ekspozytora", "150.00")],
    ),
    printed(
        "german collective invoice with two accounts",
        """
Frischdienst Oderbruch eG                                  Sammelrechnung
Deichstraße 40                                             Beleg-Nr.      S 250 773
15328 Küstrin-Kietz                                        Belegdatum     30.04.25
                                                           Debitor        70412
Großküche Spreeblick GmbH                                  Seite          1/1
Köpenicker Chaussee 11
10317 Berlin

Lieferung vom 03.04.25, Lieferschein 88120
Kartoffeln festk., 25 kg                    20      13,90        278,00   A
Möhren, 10 kg                               15       7,40        111,00   A
Lieferung vom 17.04.25, Lieferschein 88341
Spülmittel Konzentrat                        4      18,75         75,00   B
                                      Warenwert                  464,00

A =  7 %  auf 389,00     27,23
B = 19 %  auf  75,00     14,25
                                      Gesamt EUR                 505,48

Der Betrag wird am 12.05.25 per SEPA-Lastschrift von Ihrem Konto
DE02 1203 0000 0000 2020 51 eingezogen. Gläubiger-ID DE98ZZZ09999999999

Unsere Bank: DKB   IBAN DE02 1001 0010 0006 8201 01
""",
        number="S 250 773", issue_date="2025-04-30", supplier="Frischdienst Oderbruch eG",
        buyer="Großküche Spreeblick GmbH", currency="EUR", net_total="464.00", tax_total="41.48",
        grand_total="505.48", iban="DE02100100100006820101", tax_by_rate={"7": "27.23", "19": "14.25"},
        lines=[("Kartoffeln festk., 25 kg", "278.00"), ("Möhren, 10 kg", "111.00"),
        ("Spülmittel Konzentrat", "75.00")],
    ),
)  # fmt: skip
