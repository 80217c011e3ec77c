"""Notes of brokers that do not exist, after what is common in a country or a trade: lists, coins, plans, receipts."""

from __future__ import annotations

from rules.reading.notes import Note

LATECOMERS = [
    Note(
        "German, a direct bank's note, labels and values one below the other",
        """Musterbank AG · 60628 Frankfurt am Main
Herrn Max Muster
Musterweg 1
12345 Musterstadt
Direkt-Depot Nr.: 8001234567
Datum: 18.12.2015
Ordernummer: 14712345.001
Seite: 1 von 1
Wertpapierabrechnung Kauf
ISIN (WKN) DE0008430026 (843002)
Wertpapierbezeichnung Münchener Rückvers.-Ges. AG
vink.Namens-Aktien o.N.
Nominale 10,00 Stück
Kurs 182,65 EUR
Handelsplatz Direkthandel
Ausführungstag / -zeit 17.12.2015 um 14:59:42 Uhr
Verwahrart Girosammelverwahrung
Kurswert EUR 1.826,50
Provision EUR 9,90
Endbetrag zu Ihren Lasten EUR 1.836,40
Abrechnungs-IBAN DE12 3456 7890 1234 5678 90
Valuta 21.12.2015
Keine Steuerbescheinigung!
Die angegebene Abrechnung wird von uns nicht unterschrieben.
""",
        "BUY", "2015-12-17", "10", "1836.40", "EUR", "DE0008430026",
    ),
    Note(
        "German, capitals and abbreviations",
        """WERTPAPIERABRECHNUNG
KAUF AM 15.01.2015   UM 08:13:35   TRADEGATE   NR.12345670.001
IM KUNDENAUFTRAG
COMMERZBANK AG CBK100 DE000CBK1001
INHABER-AKTIEN O.N.
EINHEIT UMSATZ
ST 250,00000
KURS 11,500000 P.ST. NETTO
PREIS PRO ANTEIL 11,500000 EUR
KURSWERT EUR 2.875,00
PROVISION EUR 7,19
GRUNDGEBUEHR EUR 4,95
WERT 19.01.2015 EUR 2.887,14
ZU LASTEN KONTO-NR. 0123456789
DIE ABRECHNUNG ERFOLGT UNTER BERUECKSICHTIGUNG UNSERER AGB
""",
        "BUY", "2015-01-15", "250", "2887.14", "EUR", "DE000CBK1001",
    ),
    Note(
        "German, dense lines with colons",
        """biwerk Bank AG
Sammelabrechnung (Wertpapierkauf/-verkauf)
Kundennummer   : 1234567890
Nr.87654321/1     Kauf          MUENCHENER RUECK. (DE0008430026/843002)
Ausgeführt    :          12,000000 St.
davon ausgef. :          12,000000 St.        Schlusstag    : 03.04.2019, 09:05 Uhr
Kurs          :         211,500000 EUR        Kurswert      :       2.538,00 EUR
Valuta        : 05.04.2019                    Provision     :           5,90 EUR
Lagerland     : Deutschland                   Eigene Spesen :           0,00 EUR
Verwahrart    : GS-Verwahrung                *Fremde Spesen :           2,04 EUR
                                              Endbetrag     :      -2.545,94 EUR
* mit Handelsplatzgebühr
""",
        "BUY", "2019-04-03", "12", "2545.94", "EUR", "DE0008430026",
    ),
    Note(
        "German, a settlement advice of effects",
        """Effektenabrechnung
Auftragsdatum 02.05.2018 Auftragsnummer 11223344
Wir haben für Sie verkauft
Wertpapier MUENCHENER RUECK AG WKN / ISIN 843002 / DE0008430026
Stück 15 Kurs 189,40 EUR
Ausführungsort Xetra
Handelstag / Zeit 04.05.2018 09:21:10
Kurswert 2.841,00 EUR
Courtage 2,27 EUR
Provision 8,90 EUR
Konto-Nr. 0123456789 Valuta 08.05.2018 Konto-Währung EUR
Betrag zu Ihren Gunsten 2.829,83 EUR
""",
        "SELL", "2018-05-04", "15", "2829.83", "EUR", "DE0008430026",
    ),
    Note(
        "German, an app's short receipt",
        """Wertpapierabrechnung: Kauf
Kunde Max Muster Datum 14.12.2024
Kundennr. 123456 Referenz SCALQk3
Ausführung 13.12.2024 10:15:02
Geschäft Kauf
Ordertyp Sparplan
iShs Core MSCI World UCITS ETF
IE00B4L5Y983
Stk. Kurs Betrag
3,512 99,66 EUR 350,01 EUR
Ordergebühren 0,99 EUR
Total 351,00 EUR
Valuta 17.12.2024
""",
        "BUY", "2024-12-13", "3.512", "351.00", "EUR", "IE00B4L5Y983",
    ),
    Note(
        "Dutch, a Belgian slip",
        """Borderel 4711 0815 van 12/10/2022
Effectenrekening 739-1234567-12
Order nr 20221012-0044
Aankoop Online
25 ASML HOLDING NL0010273215
Beurs: Euronext Amsterdam
Uitvoering 12/10/2022 om 10:05:33
Koers 425,30 EUR
Bruto bedrag 10.632,50 EUR
Makelaarsloon 15,00 EUR
Beurstaks 37,21 EUR
Netto debet 10.684,71 EUR
Valuta 14/10/2022
Bedrag wordt gedebiteerd van uw rekening BE68 5390 0754 7034
""",
        "BUY", "2022-10-12", "25", "10684.71", "EUR", "NL0010273215",
    ),
    Note(
        "Dutch, a sentence that says it all",
        """Rekening: 12-345678-90 Referte: A0B1C2
Koop 310 VANGUARD FTSE AW UCITS (IE00B3RBWM25) aan 77,31 EUR
Beschrijving van het effect Vanguard FTSE All-World
Brutobedrag 23.966,10 EUR
Transactiekosten 24,95 EUR
Taksen op beursverrichtingen 28,76 EUR
Lasten 24.019,81 EUR
Markt Euronext Amsterdam
Uitvoeringsdatum en -uur : 15/03/2021 12:31:50 CET
Valutadatum 17/03/2021
""",
        "BUY", "2021-03-15", "310", "24019.81", "EUR", "IE00B3RBWM25",
    ),
    Note(
        "Dutch, a bank's note of sale",
        """NOTA
Amsterdam, 8 juni 2021
Wij berichten u de uitvoering van onderstaande opdracht
Verkoop
Fonds ING GROEP NV NL0011821202
Aantal 600
Koers EUR 11,234
Transactiedatum 07-06-2021
Transactiebedrag EUR 6.740,40
Provisie EUR 13,48
Verrekend bedrag bij EUR 6.726,92
Boekdatum 09-06-2021
Rekening NL91 ABNA 0417 1643 00
""",
        "SELL", "2021-06-07", "600", "6726.92", "EUR", "NL0011821202",
    ),
    Note(
        "Dutch, a fund platform",
        """Beleggersgiro
Bevestiging van uw transactie
Geachte heer Muster,
Op 3 februari 2022 hebben wij voor u participaties gekocht.
Naam fonds Northern Trust World
ISIN NL0011225305
Aantal participaties 41,2375
Transactiekoers € 24,25
Orderbedrag € 1.000,01
Kosten € 1,50
Totaal afgeschreven € 1.001,51
""",
        "BUY", "2022-02-03", "41.2375", "1001.51", "EUR", "NL0011225305",
    ),
    Note(
        "French, a Belgian bank's advice",
        """Compte : 12-345678-90 Référence : A0B1C2
Achat 40 AIR LIQUIDE (FR0000120073) à 142,50 EUR
Montant brut 5.700,00 EUR
Frais de transaction 14,95 EUR
Taxes boursières 19,95 EUR
Débit 5.734,90 EUR
Marché Euronext Paris
Date et heure d'exécution : 11/05/2021 09:02:12 CET
Date valeur 13/05/2021
""",
        "BUY", "2021-05-11", "40", "5734.90", "EUR", "FR0000120073",
    ),
    Note(
        "French, opéré",
        """AVIS D'OPERE
Compte titres n° 0012345678
VENTE COMPTANT FR0000131104 BNP PARIBAS ACT.A
Quantité : 120 Cours : 54,12 EUR
Le 14/03/2022 à 09:35:12
Lieu d'exécution : EURONEXT PARIS
Montant transaction brut 6 494,40
Commission 6,49
Frais divers 0,00
Montant net au crédit de votre compte 6 487,91 EUR
Date de règlement 16/03/2022
""",
        "SELL", "2022-03-14", "120", "6487.91", "EUR", "FR0000131104",
    ),
    Note(
        "English, an app's contract note",
        """Contract Note Statement
Trading Two Ltd.
Order execution date 2021-03-09
CUSTOMER ID 1234567 EXECUTION TIME 2021-03-09 14:31
INSTRUMENT ISIN ORDER ID DIRECTION QUANTITY PRICE TOTAL VALUE
Apple Inc US0378331005 POS123456 Buy 4.5 118.20 USD 531.90 USD
EXCHANGE RATE 1.19
Total amount 446.97 EUR
FX fee 0.67 EUR
Charged to account 447.64 EUR
""",
        "BUY", "2021-03-09", "4.5", "447.64", "EUR", "US0378331005",
    ),
    Note(
        "British, a dealing service",
        """iDeal Dealing Services Limited
CONTRACT NOTE
As agent we have bought for you
Bargain date 12/05/2022 Time 10:22:14
Settlement date 16/05/2022
Contract reference S0012345
Security HSBC HOLDINGS ORD USD0.50
SEDOL 0540528 ISIN GB0005405286
Quantity Price (p) Consideration
500 492.15 £2,460.75
Commission £5.99
Stamp duty £12.30
PTM levy £0.00
Total cost £2,479.04
""",
        "BUY", "2022-05-12", "500", "2479.04", "GBP", "GB0005405286",
    ),
    Note(
        "Indian, a contract note cum bill",
        """KITE BROKING PRIVATE LIMITED
CONTRACT NOTE CUM BILL
Trade Date: 14/06/2022 Settlement Date: 16/06/2022
Order No. Order Time Trade No. Trade Time Security Buy(B)/Sell(S) Quantity Gross Rate per Unit Net Total
1100000012345 10:12:45 25012345 10:12:46 INFY - INE009A01021 B 20 1455.50 29110.00
Pay in / Pay out obligation 29110.00
Taxable value of supply (Brokerage) 20.00
Exchange transaction charges 1.00
IGST 3.78
Securities Transaction Tax 29.00
Stamp duty 4.37
Net amount receivable by client / (payable by client) INR (29168.15)
""",
        "BUY", "2022-06-14", "20", "29168.15", "INR", "INE009A01021",
    ),
    Note(
        "Australian, a confirmation",
        """Confirmation of Contract
BUY
We have bought the following securities for you
Company WESFARMERS LIMITED
Security code WES Ordinary fully paid
ISIN AU000000WES1
Date 03/08/2021
Confirmation no. 12345678
As at date 03/08/2021
Settlement date 05/08/2021
Units at price
55 61.480000
Consideration (AUD): $3,381.40
Brokerage & Costs incl GST: $29.95
Total cost: $3,411.35
""",
        "BUY", "2021-08-03", "55", "3411.35", "AUD", "AU000000WES1",
    ),
    Note(
        "American, a confirmation",
        """Charles & Sons Co., Inc. Member SIPC
Trade Confirmation
Trade Date: 03/02/22 Settlement Date: 03/04/22
You Sold
Symbol: MSFT CUSIP: 594918104
Description MICROSOFT CORP
Quantity Price Principal Commission Fees Net Amount
30 $295.3700 $8,861.10 $0.00 $0.05 $8,861.05
""",
        "SELL", "2022-03-02", "30", "8861.05", "USD", None,
    ),
    Note(
        "Swedish, a settlement note",
        """Avräkningsnota
Nota nr 123456 Depå 9876543
KÖP
Värdepapper Investor B ISIN SE0015811963
Antal 150 Kurs 198,50 SEK
Affärsdag 2022-02-14 Likviddag 2022-02-16
Likvid 29 775,00 SEK
Courtage 39,00 SEK
Att betala 29 814,00 SEK
""",
        "BUY", "2022-02-14", "150", "29814.00", "SEK", "SE0015811963",
    ),
    Note(
        "Norwegian, a final note",
        """SLUTTSEDDEL
Salg av verdipapirer
Verdipapir: EQUINOR ASA ISIN: NO0010096985
Antall: 200
Kurs: 312,40 NOK
Handelsdato: 11.04.2022 Oppgjørsdato: 13.04.2022
Bruttobeløp 62 480,00 NOK
Kurtasje 99,00 NOK
Til gode 62 381,00 NOK
""",
        "SELL", "2022-04-11", "200", "62381.00", "NOK", "NO0010096985",
    ),
    Note(
        "Danish, a fund note",
        """Fondsnota
Handelsdato 04.05.2022
Vi har for Deres regning købt
Fondskode DK0060534915 NOVO NORDISK B
Stk. 35
Kurs 780,40
Kursværdi DKK 27.314,00
Kurtage DKK 40,97
Hæves på konto 1234 0012345678
Valør 06.05.2022 DKK 27.354,97
""",
        "BUY", "2022-05-04", "35", "27354.97", "DKK", "DK0060534915",
    ),
    Note(
        "Finnish, a note of purchase",
        """KAUPPAVAHVISTUS
Toimeksianto: Osto
Arvopaperi: NOKIA OYJ ISIN FI0009000681
Kauppapäivä 7.3.2022 Maksupäivä 9.3.2022
Määrä 1 000 kpl
Hinta 4,55 EUR
Kauppahinta 4 550,00 EUR
Välityspalkkio 9,10 EUR
Veloitetaan tililtä 4 559,10 EUR
""",
        "BUY", "2022-03-07", "1000", "4559.10", "EUR", "FI0009000681",
    ),
    Note(
        "Polish, a confirmation",
        """Potwierdzenie wykonania zlecenia
Dom Maklerski
Rodzaj zlecenia: Kupno
Nazwa papieru: CDPROJEKT ISIN PLOPTTC00011
Data transakcji: 2022-05-10 11:12:30
Data rozliczenia: 2022-05-12
Ilość: 40 szt.
Cena: 105,80 PLN
Wartość transakcji: 4 232,00 PLN
Prowizja: 16,08 PLN
Razem do zapłaty: 4 248,08 PLN
""",
        "BUY", "2022-05-10", "40", "4248.08", "PLN", "PLOPTTC00011",
    ),
    Note(
        "Czech, a statement of a deal",
        """Konfirmace obchodu
Směr obchodu: Nákup
Cenný papír: ČEZ ISIN CZ0005112300
Datum obchodu: 14.06.2022
Datum vypořádání: 16.06.2022
Počet kusů: 50
Cena za kus: 1 105,00 CZK
Objem obchodu: 55 250,00 CZK
Poplatek: 193,38 CZK
Celkem k úhradě: 55 443,38 CZK
""",
        "BUY", "2022-06-14", "50", "55443.38", "CZK", "CZ0005112300",
    ),
    Note(
        "Hungarian, a deal slip",
        """Kötésigazolás
Ügylet típusa: Eladás
Értékpapír: OTP törzsrészvény ISIN HU0000061726
Kötés dátuma: 2022.05.18
Elszámolás dátuma: 2022.05.20
Mennyiség: 100 db
Árfolyam: 8 540 HUF
Érték: 854 000 HUF
Jutalék: 2 562 HUF
Jóváírandó összeg: 851 438 HUF
""",
        "SELL", "2022-05-18", "100", "851438", "HUF", "HU0000061726",
    ),
    Note(
        "Romanian, a confirmation",
        """Confirmare de tranzacție
Tip operațiune: Cumpărare
Instrument: BANCA TRANSILVANIA ISIN ROTLVAACNOR1
Data tranzacției: 20.04.2022
Data decontării: 22.04.2022
Cantitate: 1.500
Preț: 2,45 RON
Valoare: 3.675,00 RON
Comision: 14,70 RON
Total de plată: 3.689,70 RON
""",
        "BUY", "2022-04-20", "1500", "3689.70", "RON", "ROTLVAACNOR1",
    ),
    Note(
        "Greek, a note of purchase",
        """Πινακίδιο συναλλαγής
Είδος: Αγορά
Μετοχή: ΟΠΑΠ ISIN GRS419003009
Ημερομηνία συναλλαγής: 11/05/2022
Ημερομηνία εκκαθάρισης: 13/05/2022
Ποσότητα: 200
Τιμή: 13,85 EUR
Αξία συναλλαγής: 2.770,00 EUR
Προμήθεια: 11,08 EUR
Σύνολο χρέωσης: 2.781,08 EUR
""",
        "BUY", "2022-05-11", "200", "2781.08", "EUR", "GRS419003009",
    ),
    Note(
        "Italian, a bank's note",
        """NOTA INFORMATIVA - OPERAZIONE IN TITOLI
Vi comunichiamo di aver eseguito la seguente operazione per Vostro conto
ACQUISTO di azioni ENEL SPA
Codice ISIN IT0003128367
Data operazione 16/06/2022 ora 11:02:55
Valuta regolamento 20/06/2022
Quantità 1.200 Prezzo 5,012 Divisa EUR
Controvalore 6.014,40
Commissioni 11,43
Spese 2,50
Tobin tax 6,01
Totale addebito 6.034,34
""",
        "BUY", "2022-06-16", "1200", "6034.34", "EUR", "IT0003128367",
    ),
    Note(
        "Spanish, a bank's settlement",
        """LIQUIDACIÓN DE OPERACIÓN DE VALORES
Operación: VENTA Mercado continuo
Valor: IBERDROLA ISIN ES0144580Y14
Fecha contratación 09-06-2022 Fecha liquidación 13-06-2022
Nº de títulos 800 Cambio 10,955 EUR
Efectivo 8.764,00
Comisión bancaria 13,15
Cánones de bolsa 4,65
Líquido a abonar 8.746,20 EUR
""",
        "SELL", "2022-06-09", "800", "8746.20", "EUR", "ES0144580Y14",
    ),
    Note(
        "Portuguese, a stock exchange note",
        """NOTA DE LANÇAMENTO
Compra em Bolsa
Título EDP ISIN PTEDP0AM0009
Data da operação 2022-06-08
Data de liquidação 2022-06-10
Quantidade 500
Preço unitário 4,602 EUR
Valor bruto 2.301,00 EUR
Comissão de corretagem 6,95 EUR
Imposto do selo 0,28 EUR
Valor líquido a debitar 2.308,23 EUR
""",
        "BUY", "2022-06-08", "500", "2308.23", "EUR", "PTEDP0AM0009",
    ),
    Note(
        "Swiss, a large bank's note",
        """Börsenabrechnung - Kauf
Portfolio 0123-456789.00
Gestützt auf Ihren Auftrag haben wir wie folgt gekauft
Anzahl/Betrag Valor ISIN Kurs
45 Namenaktien NESTLE SA 3886335 CH0038863350 CHF 112.46
Abschlussdatum 24.05.2022 Ausführungsplatz SIX
Transaktionswert CHF 5 060.70
Courtage CHF 65.80
Eidgenössische Umsatzabgabe CHF 3.80
Belastung CHF 5 130.30
Valuta 27.05.2022
""",
        "BUY", "2022-05-24", "45", "5130.30", "CHF", "CH0038863350",
    ),
    Note(
        "Swiss, an office's advice with fractions",
        """Transaktionsbestätigung
Portfolio 12.345.678
Zürich, 03.02.2023
Verkauf von Fondsanteilen
CSIF (CH) Equity World ex CH Pension Fund
Valor 11704546
ISIN CH0117045465
Stücke 3.4712
Nettoinventarwert CHF 2'113.50
Abschlusstag 31.01.2023
Bruttobetrag CHF 7'336.38
Spread CHF 2.20
Nettobetrag CHF 7'334.18
Gutschrift auf Konto, Valuta 03.02.2023
""",
        "SELL", "2023-01-31", "3.4712", "7334.18", "CHF", "CH0117045465",
    ),
    Note(
        "German, coins bought on an exchange",
        """Abrechnung Kryptowerte
Auftragsart: Kauf
Kryptowert: Bitcoin (BTC)
Menge: 0,025 BTC
Preis je BTC: 38.412,00 EUR
Ausführungszeit: 07.03.2022 18:22:10
Gegenwert: 960,30 EUR
Gebühr: 0,00 EUR
Gesamtbetrag: 960,30 EUR
""",
        "BUY", "2022-03-07", "0.025", "960.30", "EUR", None,
    ),
    Note(
        "German, a savings bank's fund",
        """Fondsabrechnung
Auftragsart Sparplanausführung
Depotnummer 123456789
Unterdepot 01
Fondsname Deka-GlobalChampions CF
ISIN DE000DK0ECU8
Anteile 0,214
Ausgabepreis EUR 327,10
Abrechnungsbetrag EUR 70,00
Preisdatum 02.05.2023
Buchungsdatum 04.05.2023
Einzug von IBAN DE12 3456 7890 1234 5678 90
""",
        "BUY", "2023-05-02", "0.214", "70.00", "EUR", "DE000DK0ECU8",
    ),
    Note(
        "German, redemption of a fund",
        """Depotauszug - Anteilrücknahme
Sehr geehrte Frau Muster, wir haben Ihren Auftrag wie folgt ausgeführt:
UniGlobal DE0008491051
Rücknahmepreis 341,12 EUR Anteile 12,500 Betrag 4.264,00 EUR
Abrechnungstag 10.03.2022 Wertstellung 14.03.2022
Auszahlungsbetrag 4.264,00 EUR
""",
        "SELL", "2022-03-10", "12.5", "4264.00", "EUR", "DE0008491051",
    ),
    Note(
        "German, one purchase in an account statement",
        """Kontoauszug Nr. 7 vom 30.06.2022
Konto 1234567 IBAN DE12 3456 7890 1234 5678 90
Alter Kontostand 5.210,33 EUR
Buchung Wert Vorgang Betrag EUR
28.06. 30.06. Wertpapierkauf 28.06.2022
12 Stück ALLIANZ SE NA O.N. ISIN DE0008404005
Kurs 182,50 EUR Kurswert 2.190,00 EUR Provision 9,90 EUR
2.199,90-
Neuer Kontostand 3.010,43 EUR
""",
        "BUY", "2022-06-28", "12", "2199.90", "EUR", "DE0008404005",
    ),
    Note(
        "Dutch, a list of one deal",
        """Transacties van 01-03-2021 tot 31-03-2021
Datum Tijd Product ISIN Beurs Aantal Koers Lokale waarde Waarde Wisselkoers Transactiekosten Totaal
15-03-2021 09:12 ASML HOLDING NL0010273215 EAM 10 455,20 EUR -4.552,00 EUR -4.552,00 EUR -4,00 EUR -4.556,00 EUR
flatex Bank AG
""",
        "BUY", "2021-03-15", "10", "4556.00", "EUR", "NL0010273215",
    ),
    Note(
        "English, a list of one sale",
        """Transactions from 01-03-2021 to 31-03-2021
Date Time Product ISIN Exchange Quantity Price Local value Value Exchange rate Fee Total
15-03-2021 15:42 APPLE INC US0378331005 NDQ -10 121.50 USD 1215.00 USD 1018.44 EUR 1.1930 -0.53 EUR 1017.91 EUR
""",
        "SELL", "2021-03-15", "10", "1017.91", "EUR", "US0378331005",
    ),
    Note(
        "German, coins with a fee on top",
        """Kaufbestätigung
Transaktions-ID 8f2c-11aa
Sie haben gekauft: 0,5 ETH
Kurs: 1 ETH = 2.410,00 EUR
Betrag: 1.205,00 EUR
Gebühr: 17,95 EUR
Bezahlt: 1.222,95 EUR
Zeitpunkt: 21.02.2022, 17:05 Uhr
""",
        "BUY", "2022-02-21", "0.5", "1222.95", "EUR", None,
    ),
    Note(
        "English, coins",
        """Trade receipt
You bought 250 ADA
Unit price €0.8412
Subtotal €210.30
Fee €0.53
Total paid €210.83
Date 14 March 2022 08:12
Order ID 1234-ABCD
""",
        "BUY", "2022-03-14", "250", "210.83", "EUR", None,
    ),
    Note(
        "German, rights exercised",
        """Kapitalmaßnahme: Bezug junger Aktien
Depotnummer 1234567
Bezogene Stücke 40 Deutsche Lufthansa AG ISIN DE0008232125
Bezugspreis 3,58 EUR
Gegenwert 143,20 EUR
Provision 5,00 EUR
Belastung 148,20 EUR
Buchungstag 08.10.2021 Valuta 08.10.2021
""",
        "BUY", "2021-10-08", "40", "148.20", "EUR", "DE0008232125",
    ),
    Note(
        "German, worthless at expiry",
        """Ausbuchung wegen Knock-Out
Depot 1234567
500 Stück TURBO LONG DAX ISIN DE000SQ728J8
Fälligkeit 06.07.2023
Rückzahlungskurs 0,001 EUR
Rückzahlungsbetrag 0,50 EUR
Gutschrift Valuta 10.07.2023 0,50 EUR
""",
        "SELL", "2023-07-10", "500", "0.50", "EUR", "DE000SQ728J8",
    ),
    Note(
        "German, spaced title, values in a column of their own",
        """W E R T P A P I E R A B R E C H N U N G
V E R K A U F
Gattung
ISIN
Stück
Ausführungskurs
Handelstag
Kurswert
Provision
Gutschrift
Valuta
SIEMENS AG
DE0007236101
25
131,20 EUR
03.05.2022
3.280,00 EUR
12,50 EUR
3.267,50 EUR
05.05.2022
""",
        "SELL", "2022-05-03", "25", "3267.50", "EUR", "DE0007236101",
    ),
    Note(
        "Swiss, a savings plan confirmed by mail",
        """Guten Tag Frau Muster
Ihr Investitionsauftrag wurde ausgeführt.
VZ ETF Portfolio, 03.04.2023
Kauf iShares Core SPI ETF CH0237935652 8.215 Anteile à CHF 136.52 CHF 1'121.51
Courtage CHF 1.68
Total CHF 1'123.19
""",
        "BUY", "2023-04-03", "8.215", "1123.19", "CHF", "CH0237935652",
    ),
    Note(
        "French, a life insurer's arbitration",
        """Votre investissement du 12/04/2022
Support : LYXOR MSCI WORLD FR0010315770
Date de valeur 14/04/2022
Nombre de parts 3,5210
Valeur de la part 255,61 €
Montant investi 900,00 €
Frais sur versement 0,00 €
""",
        "BUY", "2022-04-12", "3.521", "900.00", "EUR", "FR0010315770",
    ),
    Note(
        "German, a company's plan for its staff",
        """Mitarbeiteraktienprogramm - Kaufmitteilung
Teilnehmer Max Muster
Plan Basic Share
Anzahl erworbener Aktien 1,2345
Kaufdatum 16.05.2022
Kaufkurs EUR 113,41
Anlagebetrag EUR 140,00
ISIN DE0007236101
""",
        "BUY", "2022-05-16", "1.2345", "140.00", "EUR", "DE0007236101",
    ),
    Note(
        "English, an employee's sale",
        """Sale confirmation
Participant Max Sample
Shares sold 85
Sale price per share USD 64.20
Gross proceeds USD 5,457.00
Broker commission USD 17.00
SEC fee USD 0.13
Net proceeds USD 5,439.87
Sale date 03-Aug-2022
Settlement date 05-Aug-2022
Stock symbol CSCO
""",
        "SELL", "2022-08-03", "85", "5439.87", "USD", None,
    ),
    Note(
        "German, a peer platform's bond",
        """Zeichnungsbestätigung
Emittent Windpark Nord GmbH
ISIN DE000A2YN2H9
Nennwert 5.000,00 EUR
Ausgabekurs 100,00 %
Zeichnungsdatum 01.09.2021
Valutatag 15.09.2021
Stückzinsen 12,33 EUR
Zu zahlender Betrag 5.012,33 EUR
""",
        "BUY", "2021-09-01", "50", "5012.33", "EUR", "DE000A2YN2H9",
    ),
    Note(
        "Italian, a list of one order",
        """Elenco ordini eseguiti
Data Ora Titolo ISIN Segno Quantità Prezzo Controvalore Commissioni Totale
11/04/2022 10:32 STELLANTIS NL00150001Q9 A 100 14,512 1.451,20 2,95 1.454,15
Valuta conto EUR
""",
        "BUY", "2022-04-11", "100", "1454.15", "EUR", "NL00150001Q9",
    ),
    Note(
        "German, a fund saved into by an insurer's bank",
        """Abrechnung zu Ihrem Fondssparplan
Fonds DWS Top Dividende LD ISIN DE0009848119
Anlagebetrag 150,00 EUR
Anteilspreis 128,44 EUR
Kauf von 1,168 Anteilen
Kaufdatum 15.03.2022
Abbuchung zum 17.03.2022
""",
        "BUY", "2022-03-15", "1.168", "150.00", "EUR", "DE0009848119",
    ),
]  # fmt: skip
