"""Bills of carriers, clouds and subscriptions: telephones, energy, hosting, tickets, with many dates and numbers."""

from __future__ import annotations

from rules.invoices.printed.paper import printed

NET = (
    printed(
        "french mobile operator",
        """
                                                               Facture
Zéphyr Mobile SA                                               N° de facture        7044 2291 08
TSA 61820                                                      Date d'émission      14 mars 2025
75998 Paris Cedex 15                                           N° client            A-3390117

                                                               Mme Solène Garrec
Vos contacts                                                   12 bis rue du Port
Service clients : 09 69 00 00 00                               29900 Concarneau

Forfait Horizon 80 Go
Période du 14/03/2025 au 13/04/2025

Abonnements                                                                  16,66
Communications hors forfait                                                   2,08
Remise fidélité                                                              -1,67
Total hors taxes                                                             17,07
Montant TVA à 20 %                                                            3,41
Montant prélevé le 25/03/2025                                               20,48 €
""",
        number="7044 2291 08", issue_date="2025-03-14", supplier="Zéphyr Mobile SA", buyer="Mme Solène Garrec",
        currency="EUR", net_total="17.07", tax_total="3.41", grand_total="20.48",
    ),
    printed(
        "german energy bill with credit",
        """
Hanse Strom & Gas GmbH
Postfach 10 44 20, 20031 Hamburg

Familie
Nguyen-Peters                                        Kundennummer          700 118 443
Eulenkrugstr. 9                                      Vertragskonto         2200 4417 01
22359 Hamburg                                        Rechnungsnummer       VR-2025-881204
                                                     Datum                 28. Februar 2025

Ihre Jahresabrechnung für Strom
Abrechnungszeitraum: 01.02.2024 bis 31.01.2025

Zählerstand alt 14.221 kWh   Zählerstand neu 17.040 kWh   Verbrauch 2.819 kWh

Arbeitspreis    2.819 kWh x 27,90 ct                          786,50 €
Grundpreis      12 Monate x 9,50 €                            114,00 €
Nettobetrag                                                   900,50 €
Umsatzsteuer 19 %                                             171,10 €
Bruttobetrag                                                1.071,60 €
Ihre geleisteten Abschläge                                  1.128,00 €
Guthaben                                                       56,40 €

Das Guthaben überweisen wir auf Ihr Konto DE02 1203 0000 0000 2020 51.
Ihr neuer Abschlag beträgt ab 01.04.2025 monatlich 90,00 €.
""",
        number="VR-2025-881204", issue_date="2025-02-28", supplier="Hanse Strom & Gas GmbH", currency="EUR",
        net_total="900.50", tax_total="171.10", grand_total="1071.60", tax_by_rate={"19": "171.10"},
    ),
    printed(
        "american cloud by the hour",
        """
Stratolite Compute LLC                                     Tax Invoice
1200 Pike Pl, Floor 4
Seattle WA 98101                        Invoice ID:        SL-8842019
EIN 91-4420017                          Billing period:    Feb 1 - Feb 28, 2025
                                        Issued on:         03/01/2025
Account 5520-1184                       Payment due:       03/31/2025

Customer
Meridian Optics Inc
77 Harbor Blvd
Oakland CA 94607

Usage                              Hours         Rate           Charge
Compute c4.large                  672.00       0.1240           $83.33
Storage 500 GB                                                  $11.50
Outbound traffic                                                 $4.17

Total usage charges                                             $99.00
Credits applied                                                -$10.00
Estimated tax (10.1%)                                            $8.99
Total amount due                                                $97.99
""",
        number="SL-8842019", issue_date="2025-03-01", due_date="2025-03-31", supplier="Stratolite Compute LLC",
        buyer="Meridian Optics Inc", currency="USD", tax_total="8.99", grand_total="97.99",
        lines=[("Compute c4.large", "83.33"), ("Storage 500 GB", "11.50"), ("Outbound traffic", "4.17")],
    ),
    printed(
        "italian domain hosting",
        """
NUVOLA BIANCA HOSTING S.R.L. SOCIETÀ UNIPERSONALE
Sede legale: Via Emilia Est 1420 - 41126 Modena (MO)
C.F. e P.IVA 03711220364 - Capitale sociale € 10.000,00 i.v.

Fattura numero 2025/FE/00418 del 07/04/2025

Cliente:
Pasticceria Dolcevita di Marta Sarti
Via Roma 3
40121 Bologna
P.IVA 02990110377

Servizio                             Periodo                    Prezzo     IVA     Totale
Dominio dolcevita.example            07/04/2025-06/04/2026       12,00     22%      14,64
Hosting Linux Base                   07/04/2025-06/04/2026       49,00     22%      59,78

Totale imponibile      € 61,00
Totale IVA             € 13,42
Totale fattura         € 74,42
Pagato con PayPal in data 07/04/2025
""",
        number="2025/FE/00418", issue_date="2025-04-07", buyer="Pasticceria Dolcevita di Marta Sarti",
        currency="EUR", net_total="61.00", tax_total="13.42", grand_total="74.42", tax_by_rate={"22": "13.42"},
    ),
    printed(
        "norwegian parcel service",
        """
Fjellpost Logistikk AS                                      FAKTURA
Postboks 14 Alnabru
0614 Oslo                                Fakturanr:         1100482
Org.nr. NO 918 442 007 MVA               Fakturadato:       31.03.2025
                                         Forfallsdato:      14.04.2025
Kunde:                                   KID:               110048200713
Lofoten Tørrfisk AS                      Kundenr:           20713
Havnegata 5
8300 Svolvær

Beskrivelse                      Antall      Pris         MVA        Beløb
Pakke inntil 35 kg                   18     229,00        25 %    4 122,00
Drivstofftillegg                      1     310,50        25 %      310,50

                                 Netto                            4 432,50
                                 MVA 25 %                         1 108,13
                                 Å betale NOK                     5 540,63
Konto 8601.11.17947   IBAN NO93 8601 1117 947
""",
        number="1100482", issue_date="2025-03-31", due_date="2025-04-14", supplier="Fjellpost Logistikk AS",
        buyer="Lofoten Tørrfisk AS", currency="NOK", net_total="4432.50", tax_total="1108.13",
        grand_total="5540.63", iban="NO9386011117947", tax_by_rate={"25": "1108.13"},
        lines=[("Pakke inntil 35 kg", "4122.00"), ("Drivstofftillegg", "310.50")],
    ),
    printed(
        "dutch internet provider, number under label",
        """
Klaver Internet B.V.
Stationsplein 45, 3013 AK Rotterdam
KvK-nummer 24410077, btw-nummer NL815220099B01, IBAN NL02 ABNA 0123 4567 89

Dhr. Pieter Wit
Zandpad 7
3601 NA Maarssen

Uw factuur van februari 2025

Klantnummer           Factuurnummer            Factuurdatum
4418820               25020044188              01-02-2025

Internet 500 Mbit/s                                         € 38,02
TV Basis                                                    € 12,40
Korting combinatie                                          € -4,13
Totaal exclusief btw                                        € 46,29
Btw 21%                                                      € 9,72
Totaalbedrag                                                € 56,01

Dit bedrag schrijven we rond 10-02-2025 af van rekening NL91 ABNA 0417 1643 00.
""",
        number="25020044188", issue_date="2025-02-01", supplier="Klaver Internet B.V.", buyer="Dhr. Pieter Wit",
        currency="EUR", net_total="46.29", tax_total="9.72", grand_total="56.01", iban="NL02ABNA0123456789",
    ),
    printed(
        "airline ticket receipt",
        """
Aurelia Airways                                     E-TICKET RECEIPT AND INVOICE
Passenger: OKAFOR/DANIEL MR
Booking reference: K7XQ2P               Ticket number: 512 2240118843
Issue date: 11 Jan 2025                 Invoice number: AA-25-0118843

Flight   From       To         Departure             Class
AU 441   LIS        LHR        19 Feb 2025 07:40     Y
AU 448   LHR        LIS        22 Feb 2025 18:05     Y

Fare                             EUR    142.00
Taxes and surcharges             EUR     61.38
Total                            EUR    203.38
Paid by card XXXX 0071 on 11 Jan 2025
""",
        number="AA-25-0118843", issue_date="2025-01-11", supplier="Aurelia Airways", currency="EUR",
        grand_total="203.38",
    ),
)  # fmt: skip
