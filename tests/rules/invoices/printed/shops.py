"""Bills of shops: prices with the tax inside, receipts, orders on the web, cards."""

from __future__ import annotations

from rules.invoices.printed.paper import printed

SHOPS = (
    printed(
        "german till receipt",
        """
        Drogerie Silbermann
      Marktstraße 22, 99084 Erfurt
        Tel. 0361 / 44 09 71
       USt-ID DE150998210

Zahncreme 75 ml                 2,45 A
Windeln Gr. 4                  11,95 A
Babybrei Apfel    4 x 1,15      4,60 B
Tragetasche                     0,20 A

SUMME              EUR         19,20
Geg. EC-Karte      EUR         19,20

MwSt        Netto     MwSt    Brutto
A 19%       12,27     2,33     14,60
B  7%        4,30     0,30      4,60

Bon-Nr. 4417   Kasse 3
22.02.2025 16:41
Vielen Dank für Ihren Einkauf!
""",
        number="4417", issue_date="2025-02-22", supplier="Drogerie Silbermann", currency="EUR", grand_total="19.20",
        tax_by_rate={"19": "2.33", "7": "0.30"},
    ),
    printed(
        "dutch web shop two rates inside",
        """
Theehuis Oolong                                           Factuur
Spiegelstraat 8
2011 BR Haarlem                                           Factuurnr.     W-100844
www.theehuis-oolong.example                               Datum          17-04-2025
KvK 70114820                                              Bestelnr.      300771
BTW NL858144220B01                                        Besteldatum    15-04-2025

Factuuradres                        Afleveradres
Mevr. S. Bakker                     Mevr. S. Bakker
Dorpsweg 12                         Werkplein 1
1697 KA Schellinkhout               1624 LM Hoorn

Product                             Aantal     Prijs        Totaal
Sencha 250 g                             2     12,95         25,90
Gietijzeren theepot                      1     64,50         64,50
Verzendkosten                            1      4,95          4,95

Subtotaal                                                  € 95,35
Korting voorjaar10                                        -€ 9,04
Totaal incl. BTW                                           € 86,31
BTW 9% over € 21,39                                         € 1,92
BTW 21% over € 52,06                                       € 10,94
Betaald met iDEAL op 15-04-2025
""",
        number="W-100844", issue_date="2025-04-17", supplier="Theehuis Oolong", buyer="Mevr. S. Bakker",
        currency="EUR", tax_total="12.86", grand_total="86.31", tax_by_rate={"9": "1.92", "21": "10.94"},
        lines=[("Sencha 250 g", "25.90"), ("Gietijzeren theepot", "64.50"), ("Verzendkosten", "4.95")],
    ),
    printed(
        "english web order, paid",
        """
Thanks for your order, Marcus

Pinion Cycle Parts
Invoice / receipt
Order #  PCP-77120          Order placed 30 Nov 2024
Invoice #  24-118733        Invoice date 2 Dec 2024

Delivered to                       Sold by
Marcus Bell                        Pinion Cycle Parts Ltd
5 Hexham Terrace                   Unit 12 Forge Way
Newcastle NE4 5RT                  Sheffield S4 7UN
                                   GB VAT 914 2207 66

Items                              Unit price (ex VAT)   VAT     Qty    Item subtotal
Chain 11 speed                                  £19.99    20%      2           £47.98
Brake pads                                       £8.33    20%      1           £10.00

                                   Shipping                                     £3.50
                                   Total before VAT                            £51.23
                                   VAT                                         £10.25
                                   Order total                                 £61.48
                                   Paid by card ending 2210                    £61.48
""",
        number="24-118733", issue_date="2024-12-02", supplier="Pinion Cycle Parts Ltd", buyer="Marcus Bell",
        currency="GBP", net_total="51.23", tax_total="10.25", grand_total="61.48",
        lines=[("Chain 11 speed", "47.98"), ("Brake pads", "10.00"), ("Shipping", "3.50")],
    ),
    printed(
        "spanish simplified bill",
        """
FERRETERÍA EL YUNQUE
Manuel Ortega Ruiz   NIF 24117809K
C/ Ancha 31, 11001 Cádiz

FACTURA SIMPLIFICADA
Núm. T1-004471        12/03/2025  11:02

2   Bisagra inox 80 mm        3,40        6,80
1   Taladro percutor         59,90       59,90
10  Taco nylon                0,12        1,20

TOTAL (IVA incluido)                  67,90 €
Base 56,12    IVA 21%  11,78
Entregado 70,00   Cambio 2,10
""",
        number="T1-004471", issue_date="2025-03-12", supplier="FERRETERÍA EL YUNQUE", currency="EUR",
        net_total="56.12", tax_total="11.78", grand_total="67.90", tax_by_rate={"21": "11.78"},
        lines=[("Bisagra inox 80 mm", "6.80"), ("Taladro percutor", "59.90"), ("Taco nylon", "1.20")],
    ),
)  # fmt: skip
