"""Invoices as programs print them in other countries, written after the rules, to see how far these carry."""

from __future__ import annotations

from rules.invoices.printed.paper import printed

ABROAD = (
    printed(
        "belgian french with structured message",
        """
Brasserie du Val Dieu-Rouge SRL                          FACTURE
Rue de l'Abbaye 41                                       Numéro : 2025/00712
4880 Aubel                                               Date : 12-05-2025
TVA BE 0441.220.118                                      Échéance : 11-06-2025

                                                         CAFÉ LE MÉRIDIEN
                                                         Place du Marché 9
                                                         4000 Liège
                                                         TVA BE 0700.118.221

Article      Libellé                           Qté     Prix       Total
BL24         Blonde 24x33cl                     10    28,40      284,00
BR24         Brune 24x33cl                       6    30,10      180,60
VID          Vidanges                           16     4,50       72,00

Base 21 %          536,60
TVA 21 %           112,69
Total à payer      649,29 EUR

Communication : +++025/0071/22018+++
Compte : BE68 5390 0754 7034
""",
        number="2025/00712", issue_date="2025-05-12", due_date="2025-06-11",
        supplier="Brasserie du Val Dieu-Rouge SRL", buyer="CAFÉ LE MÉRIDIEN", currency="EUR", net_total="536.60",
        tax_total="112.69", grand_total="649.29", iban="BE68539007547034", tax_by_rate={"21": "112.69"},
        lines=[("Blonde 24x33cl", "284.00"), ("Brune 24x33cl", "180.60"), ("Vidanges", "72.00")],
    ),
    printed(
        "australian with the tax inside",
        """
Wattle & Gum Nursery Pty Ltd                      TAX INVOICE
ABN 51 824 753 556
220 Mount Barker Rd, Hahndorf SA 5245

Invoice Number     WG-2207
Invoice Date       9 May 2025
Due Date           23 May 2025

Bill To
Stirling District Council
63 Mount Barker Rd
Stirling SA 5152

Description                  Quantity     Unit Price      GST       Amount AUD
Eucalyptus, 200 mm                 40          14.00      10%           560.00
Delivery                            1          55.00      10%            55.00

                             Subtotal (includes GST of 55.91)           615.00
                             TOTAL AUD                                  615.00
                             AMOUNT DUE AUD                             615.00
""",
        number="WG-2207", issue_date="2025-05-09", due_date="2025-05-23", supplier="Wattle & Gum Nursery Pty Ltd",
        buyer="Stirling District Council", currency="AUD", grand_total="615.00",
        lines=[("Eucalyptus, 200 mm", "560.00"), ("Delivery", "55.00")],
    ),
    printed(
        "german web agency, table of facts",
        """
Pixelhafen UG (haftungsbeschränkt), Kaistr. 2, 28195 Bremen

Kunsthalle Weserland e.V.
Am Wall 207
28195 Bremen

Rechnung

Rechnungsnr.:            Kundennr.:        Leistungszeitraum:      Rechnungsdatum:
PX-1183                  K0042             Mai 2025                02.06.2025

Sehr geehrte Damen und Herren,
hiermit stellen wir Ihnen folgende Leistungen in Rechnung:

Nr.   Bezeichnung                  Anzahl    Einheit     Einzelpreis    Rabatt     Gesamtpreis
1     Wartung CMS                   3,00     Stunden         85,00 €      10 %        229,50 €
2     Hostingpauschale              1,00     Monat           24,90 €                   24,90 €

                                             Zwischensumme                            254,40 €
                                             Umsatzsteuer 19 %                         48,34 €
                                             Gesamtbetrag                             302,74 €

Bitte begleichen Sie den Betrag bis zum 16.06.2025.
Mit freundlichen Grüßen
Pixelhafen UG (haftungsbeschränkt)      Steuernr.: 60/117/02281      Sparkasse Bremen
Kaistr. 2                               USt-IdNr.: DE344117092       IBAN: DE02 1203 0000 0000 2020 51
28195 Bremen                            HRB 30117 HB                 BIC: SBREDE22XXX
""",
        number="PX-1183", issue_date="2025-06-02", due_date="2025-06-16",
        supplier="Pixelhafen UG (haftungsbeschränkt)", buyer="Kunsthalle Weserland e.V.", currency="EUR",
        net_total="254.40", tax_total="48.34", grand_total="302.74", iban="DE02120300000000202051",
        lines=[("Wartung CMS", "229.50"), ("Hostingpauschale", "24.90")],
    ),
    printed(
        "italian wholesale with reference lines",
        """
Oleificio Terre d'Otranto S.p.A.
S.S. 16 km 974 - 73020 Serrano (LE)
Tel. 0836 55 10 22 - P. IVA 01998870753

FATTURA ACCOMPAGNATORIA

N. documento         Data documento        Cod. cliente       Pagina
001184               23/05/2025            C-00291            1 / 1

Destinatario:                              Destinazione merce:
Salumeria Garofalo & Figli S.a.s.          Magazzino Garofalo
Via Tribunali 118                          Via Galileo Ferraris 40
80138 Napoli                               80142 Napoli

Art.      Descrizione                        U.M.     Q.tà      Prezzo     Sc.%      Importo    IVA
OLE750    Olio EVO bottiglia 0,75 l          PZ      120,00       7,90                 948,00     4
OLE5L     Olio EVO latta 5 l                 PZ       30,00      43,50      5        1.239,75     4
SAP       Sapone all'olio                    PZ       48,00       2,10                 100,80    22

                Aliquota     Imponibile        Imposta
                4%             2.187,75          87,51
                22%              100,80          22,18

Totale imponibile                                              2.288,55
Totale imposta                                                   109,69
TOTALE A PAGARE                                              € 2.398,24

Modalità di pagamento: bonifico 30 gg data fattura - IT60 X054 2811 1010 0000 0123 456
""",
        number="001184", issue_date="2025-05-23", due_date="2025-06-22", supplier="Oleificio Terre d'Otranto S.p.A.",
        buyer="Salumeria Garofalo & Figli S.a.s.", currency="EUR", net_total="2288.55", tax_total="109.69",
        grand_total="2398.24", iban="IT60X0542811101000000123456", tax_by_rate={"4": "87.51", "22": "22.18"},
        lines=[("Olio EVO bottiglia 0,75 l", "948.00"), ("Olio EVO latta 5 l", "1239.75"),
        ("Sapone all'olio", "100.80")],
    ),
    printed(
        "british statement of works with retention",
        """
INVOICE                                                      Ashdown Groundworks Ltd
                                                             Barn 2, Wych Cross
To                                                           Forest Row RH18 5JN
Priory Homes (Sussex) Ltd                                    VAT 220 1147 88
12 High Street
Lewes BN7 2LN

Invoice no: 1174            Date: 30/05/25            Your order: PH-0091

Drainage works, Phase 2 to 30 May 2025                                  £18,400.00
Kerbs                                                                    £3,250.00
                                                         Net            £21,650.00
                                                         VAT @ 20%       £4,330.00
                                                         Total          £25,980.00

Payment within 30 days to Lloyds, sort code 30-94-21, a/c 00118820
""",
        number="1174", issue_date="2025-05-30", due_date="2025-06-29", supplier="Ashdown Groundworks Ltd",
        buyer="Priory Homes (Sussex) Ltd", currency="GBP", net_total="21650.00", tax_total="4330.00",
        grand_total="25980.00", tax_by_rate={"20": "4330.00"},
        lines=[("Drainage works, Phase 2 to 30 May 2025", "18400.00"), ("Kerbs", "3250.00")],
    ),
    printed(
        "finnish without decimals in the labels",
        """
Saimaan Saha Oy                                   LASKU
Tehtaantie 8
53100 Lappeenranta                                Laskun numero       40712
                                                  Laskun päiväys      15.4.2025
                                                  Eräpäivä            29.4.2025
Rakennusliike Honka Oy                            Viitenumero         4 07125
Kauppakatu 22                                     Asiakasnumero       118
40100 Jyväskylä

Kuvaus                       Määrä      Yksikkö     à-hinta      Yhteensä
Sahatavara 50x100            640,00     jm             2,85      1 824,00
Rahti                          1,00     erä          120,00        120,00

                                        Veroton yhteensä         1 944,00
                                        ALV 25,5 %                 495,72
                                        Yhteensä EUR             2 439,72

IBAN FI21 1234 5600 0007 85   BIC NDEAFIHH
""",
        number="40712", issue_date="2025-04-15", due_date="2025-04-29", supplier="Saimaan Saha Oy",
        buyer="Rakennusliike Honka Oy", currency="EUR", net_total="1944.00", tax_total="495.72",
        grand_total="2439.72", iban="FI2112345600000785",
        lines=[("Sahatavara 50x100", "1824.00"), ("Rahti", "120.00")],
    ),
    printed(
        "czech in crowns",
        """
FAKTURA - DAŇOVÝ DOKLAD č. 2025100338

Dodavatel:                                  Odběratel:
Pekárna U Mlýna s.r.o.                      Hotel Zlatá Hvězda a.s.
Mlýnská 4                                   Náměstí 12
370 01 České Budějovice                     381 01 Český Krumlov
IČO: 28118820  DIČ: CZ28118820              IČO: 60077123

Datum vystavení: 05.05.2025
Datum splatnosti: 19.05.2025
Variabilní symbol: 2025100338

Popis                      Množství      Cena/ks      DPH %     Celkem bez DPH
Chléb konzumní 1 kg            220        32,00          12            7 040,00
Houska                       1 500         3,10          12            4 650,00

Základ DPH 12 %                                                     11 690,00 Kč
DPH 12 %                                                             1 402,80 Kč
Celkem k úhradě                                                     13 092,80 Kč
""",
        number="2025100338", issue_date="2025-05-05", due_date="2025-05-19", supplier="Pekárna U Mlýna s.r.o.",
        buyer="Hotel Zlatá Hvězda a.s.", currency="CZK", net_total="11690.00", tax_total="1402.80",
        grand_total="13092.80",
    ),
    printed(
        "american contractor by the month",
        """
Invoice

Bill To:                                   From:
Larkmoor Robotics, Inc.                    Teodora Vance
450 Innovation Way                         88 Alder Ct, Boulder, CO 80302
Boulder, CO 80301                          teodora@vance.example

Invoice #: 0042
Date: May 31, 2025
Terms: Net 30

Date        Description                         Hours    Rate       Amount
05/02/25    Firmware review                      6.5     $140.00    $910.00
05/13/25    On-site integration                 11.0     $140.00    $1,540.00
05/28/25    Documentation                        4.0     $140.00    $560.00

                                                Total hours          21.5
                                                Balance due     $3,010.00
""",
        number="0042", issue_date="2025-05-31", due_date="2025-06-30", supplier="Teodora Vance",
        buyer="Larkmoor Robotics, Inc.", currency="USD", grand_total="3010.00",
        lines=[("Firmware review", "910.00"), ("On-site integration", "1540.00"), ("Documentation", "560.00")],
    ),
    printed(
        "spanish utility",
        """
AIGÜES DEL MONTSIÀ, S.A.U.                         FACTURA DEL AGUA
CIF A43770112                                      Nº factura: 03250500118842
Pg. de la Ribera 20, 43870 Amposta                 Fecha emisión: 08/05/2025
                                                   Periodo: 01/02/2025 - 30/04/2025
Titular: Joan Ferré Subirats                       Ref. contrato: 4411-2
C/ Major 7
43870 Amposta                                      Fecha de cargo: 22/05/2025

Cuota de servicio                       18,60
Consumo 21 m³                           14,07
Canon del agua                           9,66
Base imponible                          42,33
IVA 10%                                  4,23
TOTAL FACTURA                         46,56 €

Domiciliado en: ES79 2100 0813 6101 2345 6789
""",
        number="03250500118842", issue_date="2025-05-08", supplier="AIGÜES DEL MONTSIÀ, S.A.U.",
        buyer="Joan Ferré Subirats", currency="EUR", net_total="42.33", tax_total="4.23", grand_total="46.56",
    ),
    printed(
        "dutch accountant in a narrow letter",
        """
Bakker Van Loon Accountants
Postbus 118
5600 AC Eindhoven

Aan de directie van
Fijnmechanica Geldrop B.V.
Industrieweg 4
5661 AA Geldrop

Eindhoven, 28 mei 2025

Betreft: factuur 250417
Debiteurnummer: 3318

Voor u verrichte werkzaamheden inzake de jaarrekening 2024:
Controle                                       € 6.250,00
Fiscale aangifte                               € 1.480,00
Subtotaal                                      € 7.730,00
21% btw                                        € 1.623,30
Te voldoen binnen 14 dagen                     € 9.353,30

Rekening NL91ABNA0417164300 t.n.v. Bakker Van Loon
""",
        number="250417", issue_date="2025-05-28", due_date="2025-06-11", supplier="Bakker Van Loon Accountants",
        buyer="Fijnmechanica Geldrop B.V.", currency="EUR", net_total="7730.00", tax_total="1623.30",
        grand_total="9353.30", iban="NL91ABNA0417164300",
    ),
    printed(
        "swedish hotel",
        """
                       HOTELL SKÄRGÅRDEN
              Hamngatan 1, 185 32 Vaxholm  |  Org.nr 556230-1177

KVITTO / FAKTURA 55120

Gäst: Anna-Lena Bergqvist               Ankomst: 2025-06-10
Rum: 12                                 Avresa: 2025-06-12
                                        Datum: 2025-06-12

Logi 2 nätter                            2 x 1 450,00        2 900,00
Middag                                                         645,00
Parkering                                                      200,00

Totalt inkl. moms                                          3 745,00 SEK
Varav moms 12 %                                                379,82
Varav moms 25 %                                                 40,00
Betalt med kort                                            3 745,00 SEK
""",
        number="55120", issue_date="2025-06-12", supplier="HOTELL SKÄRGÅRDEN", currency="SEK",
        grand_total="3745.00",
        lines=[("Logi 2 nätter", "2900.00"), ("Middag", "645.00"), ("Parkering", "200.00")],
    ),
    printed(
        "german mail order with two rates",
        """
Kräuterhof Silberdistel e.K. | Hauptstr. 80 | 97753 Karlstadt

Frau Hannelore Zwick
Bergweg 3
97816 Lohr am Main

Rechnung zu Ihrer Bestellung 88-40117 vom 20.05.2025

Rechnung-Nr.: R250518      Rechnungs-/Lieferdatum: 22.05.2025      Kunden-Nr.: 30118

Menge  Artikel                                MwSt.    Einzel EUR    Gesamt EUR
2      Kräutertee Abendruh 100 g               7 %          5,90         11,80
1      Salbe Ringelblume                      19 %         12,50         12,50
1      Versandkosten                          19 %          4,90          4,90

Rechnungsbetrag (inkl. MwSt.)                                            29,20
enthaltene MwSt.  7 % aus 11,80 (netto 11,03)                             0,77
enthaltene MwSt. 19 % aus 17,40 (netto 14,62)                             2,78

Zahlbar sofort ohne Abzug auf DE89 3704 0044 0532 0130 00.
""",
        number="R250518", issue_date="2025-05-22", due_date="2025-05-22",
        supplier="Kräuterhof Silberdistel e.K.", buyer="Frau Hannelore Zwick", currency="EUR",
        grand_total="29.20", iban="DE89370400440532013000",
        lines=[("Kräutertee Abendruh 100 g", "11.80"), ("Salbe Ringelblume", "12.50"), ("Versandkosten", "4.90")],
    ),
)  # fmt: skip
