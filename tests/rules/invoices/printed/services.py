"""Invoices of services and freelancers: software, advice, hotels, telephones; untaxed, withheld, in many currencies."""

from __future__ import annotations

from rules.invoices.printed.paper import printed

SERVICES = (
    printed(
        "british freelancer without tax",
        """
Rosalind Achebe
Illustration & Lettering
Flat 3, 41 Cotham Brow, Bristol BS6 6AN

14 February 2025

INVOICE RA-118

For the attention of: Accounts Payable
Tidewater Press Ltd
9 Quay Street
Bristol BS1 4DB

Cover illustration "The Salt Road"                                £850.00
Two rounds of amendments                                          £120.00

TOTAL                                                             £970.00

Please pay within 28 days of the date of this invoice.
Account name R Achebe, sort code 40-12-09, account 71884520
I am not registered for VAT.
""",
        number="RA-118", issue_date="2025-02-14", due_date="2025-03-14", supplier="Rosalind Achebe",
        buyer="Tidewater Press Ltd", currency="GBP", grand_total="970.00",
        lines=[('Cover illustration "The Salt Road"', "850.00"), ("Two rounds of amendments", "120.00")],
    ),
    printed(
        "irish two rates",
        """
Fenwick Byrne Facilities Limited
Block C, Ballycoolin Business Park, Dublin 15, D15 A2X7
VAT Reg: IE6388047V

INVOICE TO                          INVOICE DETAILS
Clontarf Dental Group               Invoice:        FB-33018
12 Vernon Avenue                    Invoice date:   31 Mar 2025
Dublin 3                            Due date:       30 Apr 2025
                                    Account ref:    CLO-118

Service                                Hours     Rate      VAT       Net €
Cleaning, March                        46.00    19.50    13.5%      897.00
Consumables                                                23%      164.20

                                       Net                        1,061.20
                                       VAT 13.5%                    121.10
                                       VAT 23%                       37.77
                                       Total due                 €1,220.07

IBAN IE29 AIBK 9311 5212 3456 78
""",
        number="FB-33018", issue_date="2025-03-31", due_date="2025-04-30",
        supplier="Fenwick Byrne Facilities Limited", buyer="Clontarf Dental Group", currency="EUR",
        net_total="1061.20", tax_total="158.87", grand_total="1220.07", iban="IE29AIBK93115212345678",
        lines=[("Cleaning, March", "897.00"), ("Consumables", "164.20")],
    ),
    printed(
        "software without tax for the buyer abroad",
        """
Quillstack OÜ
Telliskivi 60a, 10412 Tallinn, Estonia
VAT EE102340561

Invoice
Number              INV-2025-03-0007
Issued              Mar 14, 2025
Payment due         Mar 28, 2025

Billed to
Almendro Viajes S.L.
Calle Larios 4, 29005 Málaga, Spain
VAT ESB93001177

Item                                  Quantity      Price       VAT       Total
Growth plan (Mar 14 - Apr 13, 2025)          1    €149.00        0%     €149.00
Extra seats                                  7      €9.00        0%      €63.00

Subtotal                                                                €212.00
VAT (0%, reverse charge)                                                  €0.00
Total                                                                   €212.00
Amount due                                                              €212.00
""",
        number="INV-2025-03-0007", issue_date="2025-03-14", due_date="2025-03-28", supplier="Quillstack OÜ",
        buyer="Almendro Viajes S.L.", currency="EUR", net_total="212.00", tax_total="0.00", grand_total="212.00",
        lines=[("Growth plan (Mar 14 - Apr 13, 2025)", "149.00"), ("Extra seats", "63.00")],
    ),
    printed(
        "hotel folio",
        """
                         THE GANNET HOTEL
              Marine Parade, Whitby YO21 3PR
               VAT Registration 338 9907 21

Guest:       Mr Tobias Lund                 Folio No:     F118820
Company:     Lund Survey AB                 Room:         214
Arrival:     03/09/2024                     Invoice No:   88471
Departure:   05/09/2024                     Invoice Date: 05/09/2024

Date         Description                                        Amount
03/09/2024   Accommodation, bed & breakfast                     138.00
03/09/2024   Restaurant                                          42.60
04/09/2024   Accommodation, bed & breakfast                     138.00
05/09/2024   Parking                                             20.00

             Total                                             £338.60
             Includes VAT @ 20%                                 £56.43
             Visa ****4417                                    -£338.60
             Balance                                             £0.00
""",
        number="88471", issue_date="2024-09-05", supplier="THE GANNET HOTEL", currency="GBP",
        net_total="282.17", tax_total="56.43", grand_total="338.60",
        lines=[("Accommodation, bed & breakfast", "138.00"), ("Restaurant", "42.60"),
        ("Accommodation, bed & breakfast", "138.00"), ("Parking", "20.00")],
    ),
    printed(
        "french without tax",
        """
Camille Thévenot                                        Note d'honoraires
Traductrice                                             n° 2025-11
8 rue des Carmes, 31000 Toulouse                        du 22/04/2025
SIRET 847 220 194 00013

À l'attention de :
Éditions du Canal Vert
15 allée Jean-Jaurès
31000 Toulouse

Prestation                            Nb de mots      Tarif       Montant
Traduction EN > FR, "Les Eaux"            12 400       0,11      1 364,00
Relecture                                  3 000       0,03         90,00

                                    Montant total              1 454,00 €

TVA non applicable, art. 293 B du CGI. Paiement à réception.
IBAN : FR76 3000 6000 0112 3456 7890 189
""",
        number="2025-11", issue_date="2025-04-22", due_date="2025-04-22", supplier="Camille Thévenot",
        buyer="Éditions du Canal Vert", currency="EUR", grand_total="1454.00", iban="FR7630006000011234567890189",
        lines=[('Traduction EN > FR, "Les Eaux"', "1364.00"), ("Relecture", "90.00")],
    ),
    printed(
        "italian adviser with tax kept back",
        """
Studio Legale Avv. Beatrice Fontana
Via Garibaldi 9, 10122 Torino
P.IVA 10455120015

Torino, 12 giugno 2025

Spett.le Nebbiolo Servizi S.r.l.
Corso Francia 200
10145 Torino
P.IVA 11820440013

PARCELLA N. 23/2025

Assistenza contrattuale                                   2.400,00
Contributo cassa previdenza 4%                               96,00
Imponibile IVA                                            2.496,00
IVA 22%                                                     549,12
Totale fattura                                            3.045,12
Ritenuta d'acconto 20% su 2.400,00                         -480,00
Netto a pagare                                          € 2.565,12

Bonifico: IT60X0542811101000000123456
""",
        number="23/2025", issue_date="2025-06-12", supplier="Studio Legale Avv. Beatrice Fontana",
        buyer="Nebbiolo Servizi S.r.l.", currency="EUR", net_total="2496.00", tax_total="549.12",
        grand_total="3045.12", iban="IT60X0542811101000000123456",
    ),
    printed(
        "danish adviser on net terms",
        """
                                                            Lillebælt Revision P/S
                                                            Kongebrogade 18
                                                            5500 Middelfart
Fjordens Bådebyggeri I/S                                    CVR 36 90 11 27
Havnepladsen 1
5600 Faaborg

Faktura 44120                                               Side 1 af 1
Dato 28. marts 2025
Debitornr. 2017

Assistance med årsregnskab 2024                                  18.500,00
Skattemæssige opgørelser                                          4.250,00
                                                                 22.750,00
Moms 25,00 % af 22.750,00                                         5.687,50
Faktura i alt DKK                                                28.437,50

Betalingsbetingelser: Netto 14 dage. Forfald 11. april 2025
Reg. 0040 Konto 0440116243   IBAN DK50 0040 0440 1162 43
Ved for sen betaling beregnes rente med 1,5 % pr. måned samt rykkergebyr 100,00 kr.
""",
        number="44120", issue_date="2025-03-28", due_date="2025-04-11", supplier="Lillebælt Revision P/S",
        buyer="Fjordens Bådebyggeri I/S", currency="DKK", net_total="22750.00", tax_total="5687.50",
        grand_total="28437.50", iban="DK5000400440116243", tax_by_rate={"25": "5687.50"},
        lines=[("Assistance med årsregnskab 2024", "18500.00"), ("Skattemæssige opgørelser", "4250.00")],
    ),
    printed(
        "swedish telephone bill with rounding",
        """
Polarnet Telekom AB
Kundtjänst 020-55 10 00

Fakturanummer  771200456                                 Brita Sandell
Fakturadatum   2025-01-07                                Lövgatan 3 lgh 1102
Kundnummer     5580021                                   903 30 Umeå
Period         2025-01-01 - 2025-01-31

Specifikation
Bredband 250 Mbit/s                                        399,00
Mobil, fri surf                                            249,00
Samtal utomlands                                            17,35

Summa                                                      665,35
varav moms 25 %                                            133,07
Öresavrundning                                              -0,35
Att betala senast 2025-01-31                               665,00 kr

Bankgiro 123-4567        OCR-nummer 7712004564
""",
        number="771200456", issue_date="2025-01-07", due_date="2025-01-31", supplier="Polarnet Telekom AB",
        buyer="Brita Sandell", currency="SEK", tax_total="133.07",
        lines=[("Bredband 250 Mbit/s", "399.00"), ("Mobil, fri surf", "249.00"), ("Samtal utomlands", "17.35")],
    ),
    printed(
        "portuguese receipt with tax kept back",
        """
Helena Quintela – Arquitetura, Unipessoal Lda.
Rua das Flores, 118, 4050-262 Porto
Contribuinte n.º 514220987

Fatura-Recibo FR 2025/46                                    Original

Exmo.(s) Senhor(es)
Condomínio Edifício Boavista
Av. da Boavista, 1200
4100-113 Porto
NIF 901447120

Data de emissão      Condições        Moeda
2025-03-05           Pronto           EUR

Descrição                                 Qtd.      P. Unit.       IVA        Total
Projeto de reabilitação da fachada          1       3.200,00      23 %     3.200,00

                                   Total ilíquido           3.200,00
                                   IVA 23 %                   736,00
                                   Total do documento       3.936,00
                                   Retenção IRS 23 %          736,00
                                   Total a receber          3.200,00

IBAN PT50 0002 0123 1234 5678 9015 4
""",
        number="FR 2025/46", issue_date="2025-03-05", supplier="Helena Quintela – Arquitetura, Unipessoal Lda.",
        buyer="Condomínio Edifício Boavista", currency="EUR", net_total="3200.00", tax_total="736.00",
        grand_total="3936.00", iban="PT50000201231234567890154",
        lines=[("Projeto de reabilitação da fachada", "3200.00")],
    ),
)  # fmt: skip
