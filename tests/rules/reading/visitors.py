"""Notes of brokers that do not exist: several columns, labels far from values, savings plans, bonds, two currencies."""

from __future__ import annotations

from rules.reading.notes import Note

VISITORS = [
    Note(
        "Swiss, börsenabrechnung two columns",
        """Kantonalbank Musterstadt                                       Zürich, 15.04.2025
Herr Beat Muster                                               Depot 123.456-7

BÖRSENABRECHNUNG                                               Auftrag 88 123 456
Ihr Verkauf vom 14.04.2025 an SIX Swiss Exchange

Titel                     Nestlé SA                            Valor  3886335
ISIN                      CH0038863350
Anzahl                    25
Kurs                      CHF 93.50
Kurswert                                                       CHF     2'337.50
Courtage                                                       CHF       -22.60
Eidg. Umsatzabgabe                                             CHF        -1.75
Börsengebühr                                                   CHF        -2.00
Gutschrift Konto 12-345 Valuta 16.04.2025                      CHF     2'311.15
""",
        "SELL", "2025-04-14", "25", "2311.15", "CHF", "CH0038863350",
    ),
    Note(
        "Dutch, koop, fee after",
        """Nota effectentransactie
Datum nota: 4 maart 2025
Rekeninghouder: J. de Vries
Koop aandelen
Omschrijving          ASML HOLDING
ISIN-code             NL0010273215
Transactiedatum       3 maart 2025 om 11:02:33
Beurs                 Euronext Amsterdam
Aantal                4
Koers                 EUR 676,10
Transactiewaarde      EUR 2.704,40
Kosten                EUR 7,50
Totaal te betalen     EUR 2.711,90
Valutadatum           5 maart 2025
""",
        "BUY", "2025-03-03", "4", "2711.90", "EUR", "NL0010273215",
    ),
    Note(
        "Danish, køb",
        """Fondsnota - Køb
Handelsdato 06.05.2025 Valørdato 08.05.2025
Papir: Novo Nordisk B A/S  ISIN: DK0062498333
Stk. 30 Kurs 451,05
Kursværdi                 13.531,50
Kurtage                       28,79
Afregningsbeløb DKK       13.560,29
Beløbet er trukket på konto 1234-567890
""",
        "BUY", "2025-05-06", "30", "13560.29", "DKK", "DK0062498333",
    ),
    Note(
        "French, avis d'opéré vente",
        """AVIS D'OPERE
Compte titres n° 4455667
VENTE COMPTANT TOTALENERGIES SE
Code valeur FR0000120271
Date d'exécution : 12/02/2025 à 10:14:05 - Lieu : EURONEXT PARIS
Quantité            Cours exécuté        Montant brut
60                  58,85 EUR            3 531,00 EUR
Courtage                                     9,59 EUR
Montant net au crédit de votre compte    3 521,41 EUR
Date de règlement : 14/02/2025
""",
        "SELL", "2025-02-12", "60", "3521.41", "EUR", "FR0000120271",
    ),
    Note(
        "Austrian, Kauf fraktion sparplan",
        """Sparplanausführung
Depotinhaber Franz Gruber
Fondssparplan iShares Core MSCI World UCITS ETF
ISIN: IE00B4L5Y983
Geschäftsart: Kauf
Ausführungsdatum: 02.01.2025   Valuta: 07.01.2025
Anteile: 1,0234
Kurs: 96,25 EUR
Kurswert: 98,50 EUR
Spesen: 1,50 EUR
Zu Lasten Konto AT61 1904 3002 3457 3201: 100,00 EUR
""",
        "BUY", "2025-01-02", "1.0234", "100.00", "EUR", "IE00B4L5Y983",
    ),
    Note(
        "German, foreign currency with EUR booking",
        """Wertpapier-Abrechnung Kauf
Microsoft Corp. Registered Shares DL-,00000625
WKN 870747   ISIN US5949181045
Handelsplatz NASDAQ
Schlusstag/-Zeit 11.03.2025 16:04:12
Nominale/Stück 10
Kurs 380,45 USD
Kurswert 3.804,50 USD
Devisenkurs EUR/USD 1,0901
Kurswert in EUR 3.490,05
Orderprovision EUR 6,95
Fremde Spesen EUR 1,76
Endbetrag EUR 3.498,76
Buchung zum 13.03.2025 auf Konto 7788990
""",
        "BUY", "2025-03-11", "10", "3498.76", "EUR", "US5949181045",
    ),
    Note(
        "German, bond accrued",
        """Wertpapierabrechnung: Kauf
0,000% Bundesrep.Deutschland Anl.v.2022(2032)
ISIN DE0001102580
Nominalbetrag EUR 5.000,00
Kurs 97,500 %
Geschäftstag 16.06.2025
Valuta 18.06.2025
Kurswert EUR 4.875,00
Stückzinsen für 123 Tage EUR 8,63
Provision EUR 9,90
Ausmachender Betrag EUR 4.893,53
""",
        "BUY", "2025-06-16", "50", "4893.53", "EUR", "DE0001102580",
    ),
    Note(
        "German, all labels over all values",
        """Orderabrechnung

Transaktion
Wertpapier
ISIN
Stückzahl
Ausführungskurs
Handelsdatum
Kurswert
Gebühren
Abrechnungsbetrag

Kauf
BASF SE
DE000BASF111
40
44,175 EUR
01.07.2025
1.767,00 EUR
4,95 EUR
1.771,95 EUR
""",
        "BUY", "2025-07-01", "40", "1771.95", "EUR", "DE000BASF111",
    ),
    Note(
        "English, fractional app",
        """Trade Confirmation
Order ID 1a9f-33
Apple Inc. (AAPL)
ISIN US0378331005
Side                Buy
Filled quantity     0.4321
Average price       $231.43
Order amount        $100.00
Executed            19 Aug 2025, 15:42:10 UTC
Settlement          20 Aug 2025
Commission          $0.00
Total               $100.00
""",
        "BUY", "2025-08-19", "0.4321", "100.00", "USD", "US0378331005",
    ),
    Note(
        "Italian, acquisto",
        """NOTA INFORMATIVA - ESEGUITO
Operazione: ACQUISTO
Titolo: ENEL SPA
Codice ISIN IT0003128367
Data operazione 09/09/2025 ora 09:31:22
Data valuta 11/09/2025
Quantità 200
Prezzo 7,985
Controvalore EUR 1.597,00
Commissioni EUR 5,95
Totale addebito EUR 1.602,95
""",
        "BUY", "2025-09-09", "200", "1602.95", "EUR", "IT0003128367",
    ),
    Note(
        "Swiss, EUR share CHF account",
        """Wertschriftenabrechnung
Kauf
Abschlussdatum            20.03.2025
Valuta                    24.03.2025
Titel                     SAP SE
ISIN                      DE0007164600
Anzahl                    10
Kurs                      EUR 251.30
Bruttobetrag              EUR 2'513.00
Fremde Gebühren           EUR 3.00
Total                     EUR 2'516.00
Umrechnungskurs EUR/CHF   0.9560
Betrag                    CHF 2'405.30
Courtage                  CHF 19.20
Eidg. Stempelabgabe       CHF 3.61
Zu Ihren Lasten           CHF 2'428.11
""",
        "BUY", "2025-03-20", "10", "2428.11", "CHF", "DE0007164600",
    ),
    Note(
        "Swedish, köp",
        """Avräkningsnota
Köp
Affärsdag 2025-02-03
Likviddag 2025-02-05
Värdepapper Volvo B
ISIN SE0000115446
Antal 50
Kurs 292,60 SEK
Belopp 14 630,00 SEK
Courtage 39,00 SEK
Att betala 14 669,00 SEK
""",
        "BUY", "2025-02-03", "50", "14669.00", "SEK", "SE0000115446",
    ),
    Note(
        "Spanish, compra",
        """LIQUIDACION DE COMPRA DE VALORES
Fecha de la operación 06-10-2025  Fecha valor 08-10-2025
Valor: IBERDROLA S.A.  ISIN: ES0144580Y14
Nº títulos  Precio   Efectivo
100         16,12    1.612,00
Comisión              6,84
Cánones               3,00
Importe líquido EUR 1.621,84
""",
        "BUY", "2025-10-06", "100", "1621.84", "EUR", "ES0144580Y14",
    ),
    Note(
        "German, order date and execution date",
        """Abrechnung Kauf von Wertpapieren
Auftrag vom 14.05.2025
Ausführung am 15.05.2025 um 09:05 Uhr
Druckdatum 16.05.2025
Allianz SE DE0008404005
5 Stück zu 360,00 EUR
Kurswert                                     1.800,00 EUR
+ Entgelt                                        6,90 EUR
Belastung mit Valuta 19.05.2025              1.806,90 EUR
""",
        "BUY", "2025-05-15", "5", "1806.90", "EUR", "DE0008404005",
    ),
    Note(
        "German, a savings rate by direct debit",
        """Fondsabrechnung / Anteilskauf
Sparrate vom 01.04.2025
Fonds: Flossbach von Storch Multiple Opportunities R
ISIN LU0323578657
Anlagebetrag EUR 200,00
Ausgabepreis EUR 326,80
Anteile 0,612
Preisdatum 01.04.2025
Abrechnungsdatum 02.04.2025
Einzug per Lastschrift EUR 200,00
""",
        "BUY", "2025-04-01", "0.612", "200.00", "EUR", "LU0323578657",
    ),
    Note(
        "Swiss, fund redemption",
        """Fondsabrechnung
Rücknahme von Anteilen
Handelstag 10.06.2025
Valuta 13.06.2025
Amundi Index MSCI World
ISIN LU0996182563
Anteile 12.500
Nettoinventarwert EUR 123.50
Bruttobetrag EUR 1'543.75
Gutschriftsbetrag EUR 1'543.75
""",
        "SELL", "2025-06-10", "12.5", "1543.75", "EUR", "LU0996182563",
    ),
    Note(
        "Belgian, aankoop beurstaks",
        """BORDEREL
Aankoop
AB INBEV
ISIN BE0974293251
Uitvoeringsdatum 05/03/2025 09:15
Hoeveelheid: 20
Eenheidskoers: 57,20 EUR
Brutobedrag: 1.144,00 EUR
Makelaarsloon: 10,53 EUR
Taks op beursverrichtingen (0,35%): 4,00 EUR
Netto te uwen laste: 1.158,53 EUR
Valutadatum: 07/03/2025
""",
        "BUY", "2025-03-05", "20", "1158.53", "EUR", "BE0974293251",
    ),
    Note(
        "British, SDRT",
        """CONTRACT NOTE
We have today bought for you as agent
Bargain date 15/01/2025 Time 11:20 Settlement date 17/01/2025
Stock: UNILEVER PLC ORD
ISIN GB00B10RZP78
Quantity  Price (pence)  Consideration
100       4598.00        £4,598.00
Commission               £7.95
Stamp duty               £22.99
PTM levy                 £0.01
Total amount payable     £4,628.95
""",
        "BUY", "2025-01-15", "100", "4628.95", "GBP", "GB00B10RZP78",
    ),
    Note(
        "German, sale with taxes",
        """Wertpapierverkauf
Siemens AG Namens-Aktien o.N.    DE0007236101
Ausführungstag 22.07.2025
Stück 15
Kurs 219,85 EUR
Kurswert 3.297,75 EUR
Provision -12,74 EUR
Zwischensumme 3.285,01 EUR
Kapitalertragsteuer 93,41 EUR-
Solidaritätszuschlag 5,13 EUR-
Gutschrift nach Steuern 3.186,47 EUR
Wert 24.07.2025
""",
        "SELL", "2025-07-22", "15", "3186.47", "EUR", "DE0007236101",
    ),
    Note(
        "Polish, kupno",
        """Potwierdzenie zawarcia transakcji
Kupno
Instrument: PKOBP  ISIN: PLPKO0000016
Data transakcji: 2025-02-20 10:11:12
Data rozliczenia: 2025-02-24
Liczba: 100
Cena: 71,85
Wartość transakcji: 7 185,00 PLN
Prowizja: 26,10 PLN
Kwota do zapłaty: 7 211,10 PLN
""",
        "BUY", "2025-02-20", "100", "7211.10", "PLN", "PLPKO0000016",
    ),
    Note(
        "German, headline sentence",
        """Guten Tag Frau Beispiel,
wir haben für Sie am 01.09.2025 um 09:04 Uhr 7 Anteile Vanguard FTSE All-World (IE00B3RBWM25) zu je 124,89 EUR gekauft.
Kurswert: 874,23 EUR
Entgelt: 0,98 EUR
Gesamt: 875,21 EUR, abgebucht am 03.09.2025
""",
        "BUY", "2025-09-01", "7", "875.21", "EUR", "IE00B3RBWM25",
    ),
    Note(
        "Austrian, Verkauf mit KESt",
        """Abrechnung Wertpapierverkauf
Titel: ERSTE GROUP BANK AG   ISIN: AT0000652011
Schlusstag: 17.03.2025      Valutatag: 19.03.2025
Menge: 30 Stk.              Kurs: 61,20 EUR
Kurswert                         1.836,00 EUR
Eigene Spesen                       -9,95 EUR
Kapitalertragsteuer (KESt)         -46,71 EUR
Zu Gunsten IBAN AT611904300234573201     1.779,34 EUR
""",
        "SELL", "2025-03-17", "30", "1779.34", "EUR", "AT0000652011",
    ),
    Note(
        "Swiss, two columns and a euro account",
        """VERKAUFSABRECHNUNG                          Seite 1/1
Auftragsnummer   9911223                    Handelswährung       USD
Valor            994529                     Kurs                 196.80
ISIN             US67066G1040               Handelsdatum         04.11.2025
Titel            NVIDIA CORP                Valutadatum          05.11.2025
Anzahl           20                         Börsenplatz          NASDAQ
Bruttobetrag                                USD     3'936.00
Kommission                                  USD       -12.00
Nettobetrag                                 USD     3'924.00
Wechselkurs USD/EUR 0.8658
Gutschrift EUR-Konto                        EUR     3'397.41
""",
        "SELL", "2025-11-04", "20", "3397.41", "EUR", "US67066G1040",
    ),
    Note(
        "German, ETF Round up",
        """ABRECHNUNG AUFRUNDEN
ÜBERSICHT
Das Aufrunden wurde am 15.10.2025 um 12:00 Uhr ausgeführt.
POSITION                         ANZAHL        DURCHSCHNITTSKURS     BETRAG
Vanguard FTSE All-World Acc      0,0812 Stk.   129,31 EUR            10,50 EUR
ISIN: IE00BK5BQT80
GESAMT                                                               10,50 EUR
BUCHUNG
KONTO                            DATUM DER ZAHLUNG                   BETRAG
DE12500105170648489890           17.10.2025                         -10,50 EUR
""",
        "BUY", "2025-10-15", "0.0812", "10.50", "EUR", "IE00BK5BQT80",
    ),
    Note(
        "German, an account's statement with one trade",
        """Kontoauszug Nr. 3/2025
Buchung Wert Vorgang Betrag EUR
03.03. 03.03. Lohn/Gehalt ACME GmbH 2.500,00
05.03. 05.03. Miete -900,00
12.03.2025 14.03.2025 Wertpapierkauf 10 Stk. iShares Core MSCI World IE00B4L5Y983 Kurs 96,52 -965,20
Neuer Kontostand 634,80
""",
        "BUY", "2025-03-12", "10", "965.20", "EUR", "IE00B4L5Y983",
    ),
    Note(
        "German, a coin without an ISIN",
        """Order-Bestätigung
Kauf Bitcoin (BTC)
Ausgeführt am 11.02.2025 14:05:09
Menge 0,0153 BTC
Preis 97.200,00 EUR
Betrag 1.487,16 EUR
Gebühr 15,08 EUR
Gesamtbetrag 1.502,24 EUR
""",
        "BUY", "2025-02-11", "0.0153", "1502.24", "EUR", None,
    ),
    Note(
        "English, a receipt for coins",
        """Transaction receipt
You bought 0.5 ETH
Date 11 Feb 2025
Exchange rate 1 ETH = 2,600.00 EUR
Fee 1.00 EUR
Total paid 1,301.00 EUR
""",
        "BUY", "2025-02-11", "0.5", "1301.00", "EUR", None,
    ),
    Note(
        "English, a dividend reinvested",
        """Dividend Reinvestment Confirmation
The Coca-Cola Company
ISIN US1912161007
Dividend amount USD 50.12
Reinvestment date 06/16/2025
Shares purchased 0.7102
Purchase price USD 70.57
Total invested USD 50.12
""",
        "BUY", "2025-06-16", "0.7102", "50.12", "USD", "US1912161007",
    ),
    Note(
        "English, an employee's purchase plan",
        """Employee Stock Purchase Plan
Purchase confirmation
Company Microsoft Corp ISIN US5949181045
Purchase date 30-May-2025
Market value per share $463.8100
Purchase price per share $394.2400
Shares purchased 11
Total price $4,336.64
Shares deposited to your account 11
""",
        "BUY", "2025-05-30", "11", "4336.64", "USD", "US5949181045",
    ),
    Note(
        "German, rights exercised",
        """Ausübung von Bezugsrechten
Wir haben für Sie junge Aktien bezogen
ISIN DE000A0XYG76
Stück 30
Bezugspreis 5,00 EUR
Kurswert 150,00 EUR
Tag der Ausübung 04.07.2025
Zu Ihren Lasten Valuta 08.07.2025 150,00 EUR
""",
        "BUY", "2025-07-04", "30", "150.00", "EUR", "DE000A0XYG76",
    ),
    Note(
        "German, a warrant that was knocked out",
        """Ausbuchung wegen Knock-Out
Gattung HVB Turbo Call DAX
ISIN DE000HB2KBG9
Stück 100
Rückzahlung zu 0,001 EUR je Stück
Kurswert 0,10 EUR
Valuta 16.07.2025
Gutschrift 0,10 EUR
""",
        "SELL", "2025-07-16", "100", "0.10", "EUR", "DE000HB2KBG9",
    ),
    Note(
        "Swiss, savings plan 3a fractions",
        """Kaufbestätigung
Portfolio 3a Wachstum
Anlagefonds Swisscanto Index Equity
ISIN CH0033782431
Anteile 0.713
NAV CHF 210.40
Abschluss 05.08.2025
Verbucht 07.08.2025
Betrag CHF 150.02
""",
        "BUY", "2025-08-05", "0.713", "150.02", "CHF", "CH0033782431",
    ),
    Note(
        "German, a sale in two executions",
        """Wertpapierabrechnung Verkauf
RWE AG ISIN DE0007037129
Teilausführungen
Zeit Stück Kurs Betrag
10:01:02 100 33,00 EUR 3.300,00 EUR
10:01:05 50 33,00 EUR 1.650,00 EUR
Summe 150 4.950,00 EUR
Handelstag 18.09.2025
Provision 12,95 EUR
Gutschrift Valuta 22.09.2025 4.937,05 EUR
""",
        "SELL", "2025-09-18", "150", "4937.05", "EUR", "DE0007037129",
    ),
    Note(
        "American, sale",
        """Trade Confirmation
Account 1234-5678
You sold
NVDA NVIDIA CORP  CUSIP 67066G104
Trade date 04/08/2025  Settle date 04/09/2025
Quantity 25  Price 180.4890
Principal 4,512.23
Transaction fee 0.02
Net amount 4,512.21
""",
        "SELL", "2025-04-08", "25", "4512.21", "USD", None,
    ),
    Note(
        "Danish, a dollar share booked in crowns",
        """Handelsbekræftelse
Køb 3 stk. Amazon.com Inc ISIN US0231351067
Handelsdag 20.10.2025  Afvikling 21.10.2025
Kurs 222,30 USD
Handelsbeløb 666,90 USD
Valutakurs USD/DKK 6,5550
Beløb 4.371,53 DKK
Kurtage 29,55 DKK
Samlet til afregning 4.401,08 DKK
""",
        "BUY", "2025-10-20", "3", "4401.08", "DKK", "US0231351067",
    ),
    Note(
        "British, a gilt at a clean price",
        """Contract Note
Purchase of UK Treasury 0.25% 31/07/2031
ISIN GB00BMBL1F74
Nominal 5,000
Clean price 85.80
Consideration 4,290.00
Accrued interest (95 days) 3.25
Dealing charge 17.95
Total 4,311.20 GBP
Deal date 03/11/2025  Settlement date 04/11/2025
""",
        "BUY", "2025-11-03", "50", "4311.20", "GBP", "GB00BMBL1F74",
    ),
    Note(
        "USD bond with EUR booking",
        """Wertpapierabrechnung Kauf
4,000% USA 22/52
ISIN US912810TM09
Nennbetrag USD 10.000,00
Kurs 91,20 %
Kurswert USD 9.120,00
Stückzinsen USD 5,43
Devisenkurs 1,1123 USD/EUR
Gegenwert EUR 8.204,09
Provision EUR 6,95
Endbetrag zu Ihren Lasten EUR 8.211,04
Schlusstag 20.05.2025
Valuta 22.05.2025
""",
        "BUY", "2025-05-20", "100", "8211.04", "EUR", "US912810TM09",
    ),
    Note(
        "German, a fund switched out",
        """Umsatzabrechnung
Fondsumschichtung Abgang
ISIN LU0323578657
Anteile -3,250
Rücknahmepreis 326,80 EUR
Preisdatum 20.01.2025
Betrag 1.062,10 EUR
""",
        "SELL", "2025-01-20", "3.25", "1062.10", "EUR", "LU0323578657",
    ),
    Note(
        "Dutch, portugal fee table",
        """Confirmação de execução
Venda de títulos
GALP ENERGIA  ISIN PTGAL0AM0009
Data de negociação 27/03/2025 Data de liquidação 31/03/2025
Quantidade 80 Preço 15,645 EUR
Valor bruto 1.251,60 EUR
Comissão de corretagem 9,60 EUR
Imposto do selo 0,38 EUR
Taxa de bolsa 0,25 EUR
Valor líquido a creditar 1.241,37 EUR
""",
        "SELL", "2025-03-27", "80", "1241.37", "EUR", "PTGAL0AM0009",
    ),
    Note(
        "German, partial fills with time table and order date",
        """Volksinvest eG
Ordernummer 20250610-77 vom 10.06.2025
Ausführungsanzeige und Abrechnung Kauf Aktien
Infineon Technologies AG Namens-Aktien o.N.
WKN 623100 ISIN DE0006231004
Ausführungen:
11.06.2025 09:00:14 Xetra 120 Stück 35,09 EUR 4.210,80 EUR
11.06.2025 09:00:15 Xetra 180 Stück 35,09 EUR 6.316,20 EUR
Summe 300 Stück Durchschnittskurs 35,09 EUR 10.527,00 EUR
Transaktionsentgelt 9,90 EUR
Zu Ihren Lasten Wert 13.06.2025 10.536,90 EUR
""",
        "BUY", "2025-06-11", "300", "10536.90", "EUR", "DE0006231004",
    ),
    Note(
        "NL, values before labels",
        """Bankrekening NL12ABCD0123456789
Verkoop ING GROEP
NL0011821202 ISIN
75 Stuks
19,45 Koers in EUR
1.458,75 Bruto EUR
5,85 Provisie EUR
1.452,90 Netto EUR
14-08-2025 Handelsdatum
18-08-2025 Valutadatum
""",
        "SELL", "2025-08-14", "75", "1452.90", "EUR", "NL0011821202",
    ),
    Note(
        "Swiss, sale US share, CHF account, reversed rate",
        """Privatbank am See AG
Abrechnung Verkauf
Wir haben für Sie am 10.09.2025 an der NASDAQ verkauft
15 Aktien Apple Inc. Valor 908440 ISIN US0378331005
zum Kurs von USD 229.35
Kurswert USD 3'440.25
Fremde Spesen USD 0.25
USD 3'440.00
Umgerechnet zu 0.8013 CHF 2'756.47
Kommission CHF 17.80
Eidg. Abgaben CHF 4.15
Gutschrift Valuta 12.09.2025 CHF 2'734.52
""",
        "SELL", "2025-09-10", "15", "2734.52", "CHF", "US0378331005",
    ),
    Note(
        "French, achat labels glued",
        """Relevé d'exécution
Sens : Achat
Valeur : BNP PARIBAS
ISIN : FR0000131104
Date et heure d'exécution : 19/03/2025 14:22:31
Date de dénouement : 21/03/2025
Quantité exécutée : 25
Prix moyen : 77,89 €
Montant brut : 1 947,25 €
Frais de courtage : 4,54 €
Taxe sur les transactions financières : 7,84 €
Montant total débité : 1 959,63 €
""",
        "BUY", "2025-03-19", "25", "1959.63", "EUR", "FR0000131104",
    ),
    Note(
        "Austrian, fund with surcharge",
        """Wertpapierabrechnung
Kauf Fondsanteile
Raiffeisen Nachhaltigkeit
ISIN AT0000A1XM92
Schlusstag 24.02.2025 Kassatag 27.02.2025
Stück 9,137
Errechneter Wert 109,45 EUR
Kurswert 1.000,04 EUR
Ausgabeaufschlag 5,00 % 49,96 EUR
Belastung 1.050,00 EUR
""",
        "BUY", "2025-02-24", "9.137", "1050.00", "EUR", "AT0000A1XM92",
    ),
    Note(
        "English, net at top",
        """Sale confirmation
You'll receive £4,478.05 on 27 May 2025
Details
Sold 40 shares of Vanguard FTSE All-World UCITS ETF
ISIN IE00B3RBWM25
Executed 22 May 2025 at 10:32
Price per share £112.10
Value £4,484.00
Dealing fee £5.95
""",
        "SELL", "2025-05-22", "40", "4478.05", "GBP", "IE00B3RBWM25",
    ),
    Note(
        "German, Sparplan zwei daten",
        """Abrechnung Sparplan
Sparplan-Nr. 12345 Rhythmus monatlich Rate 50,00 EUR
Fälligkeit der Rate 05.04.2025
Xtrackers MSCI World Swap
ISIN LU0274208692
Ausführungstag 07.04.2025
Anteile 0,4711
Abrechnungspreis 106,13 EUR
Anlagebetrag 50,00 EUR
Lastschrift am 04.04.2025
""",
        "BUY", "2025-04-07", "0.4711", "50.00", "EUR", "LU0274208692",
    ),
    Note(
        "Swedish, sälj avi",
        """Transaktionsavi
Sälj
Depå 1234567
Investor B
ISIN SE0015811963
Avslutsdag 2025-10-02
Likviddag 2025-10-06
Antal 120 st
Avslutskurs 280,65 SEK
Likvidbelopp före courtage 33 678,00
Courtage 37,00
Kontobelopp SEK 33 641,00
""",
        "SELL", "2025-10-02", "120", "33641.00", "SEK", "SE0015811963",
    ),
    Note(
        "German, Anleihe Verkauf Stückzinsen",
        """Abrechnung Verkauf Anleihe
1,125 % Muster Energie 20/32 XS2264968665
Nennwert 10.000,00 EUR Kurs 93,90 % Kurswert 9.390,00 EUR
Zinsvaluta 30.01.2025 Zinstage 294 Stückzinsen 90,62 EUR
Provision 9,23 EUR
Geschäftstag 29.01.2025
Gutschrift 31.01.2025 9.471,39 EUR
""",
        "SELL", "2025-01-29", "100", "9471.39", "EUR", "XS2264968665",
    ),
    Note(
        "Italian, vendita con imposta",
        """Conferma di eseguito
Vendita
INTESA SANPAOLO
ISIN IT0000072618
Eseguito il 25/06/2025 alle 11:42:05
Regolamento 27/06/2025
Quantità 1.000
Prezzo eseguito 4,7560 EUR
Controvalore lordo 4.756,00 EUR
Commissioni 8,50 EUR
Imposta sul capital gain 63,83 EUR
Netto a Vostro credito 4.683,67 EUR
""",
        "SELL", "2025-06-25", "1000", "4683.67", "EUR", "IT0000072618",
    ),
    Note(
        "German, a month's overview with one purchase",
        """Monatsübersicht Juli 2025
Depotbewegungen
15.07.2025 Kauf BMW AG DE0005190003 6 Stück 82,40 EUR 494,40 EUR
Depotbestand am 31.07.2025
BMW AG DE0005190003 6 Stück 84,10 EUR 504,60 EUR
Kontobewegungen
17.07.2025 Wertpapierkauf -494,40 EUR
Kontostand 31.07.2025 1.205,60 EUR
""",
        "BUY", "2025-07-15", "6", "494.40", "EUR", "DE0005190003",
    ),
    Note(
        "British, fund buy OEIC",
        """Confirmation of investment
Fundsmith Equity I Acc
ISIN GB00B41YBW71
Dealing date 05/02/2025
Settlement date 10/02/2025
Units bought 152.31
Price 656.54p
Amount invested £1,000.00
""",
        "BUY", "2025-02-05", "152.31", "1000.00", "GBP", "GB00B41YBW71",
    ),
    Note(
        "Luxembourgish, multi-currency, net in account currency w/o rate label",
        """Banque du Nord Luxembourg
Bordereau d'achat
Johnson & Johnson
ISIN US4781601046
Date d'opération 12/11/2025 Date valeur 14/11/2025
Quantité 8 Cours 188,40 USD
Montant brut 1.507,20 USD
Change EUR/USD 1,1585
Montant brut 1.300,99 EUR
Courtage 15,03 EUR
Total à débiter de votre compte 1.316,02 EUR
""",
        "BUY", "2025-11-12", "8", "1316.02", "EUR", "US4781601046",
    ),
    Note(
        "German, Neobroker text english",
        """Securities settlement
Overview
Market order Sell on 01.12.2025, at 16:20 (Europe/Berlin) on Lang & Schwarz Exchange.
POSITION QUANTITY PRICE AMOUNT
Tesla 2.5 Pcs. 369.25 EUR 923.13 EUR
ISIN: US88160R1014
TOTAL 923.13 EUR
BILLING
POSITION AMOUNT
External cost surcharge -1.00 EUR
Capital gains tax -0.79 EUR
Solidarity surcharge -0.04 EUR
TOTAL 921.30 EUR
BOOKING
CLEARING ACCOUNT VALUE DATE AMOUNT
DE12345678901234567890 2025-12-03 921.30 EUR
""",
        "SELL", "2025-12-01", "2.5", "921.30", "EUR", "US88160R1014",
    ),
    Note(
        "Belgian, koop fr",
        """Bordereau d'opération de bourse
Achat de 14 KBC GROUPE
Code ISIN BE0003565737
Exécuté le 08/01/2025 à 09:47
Cours unitaire 68,76 EUR
Montant 962,64 EUR
TOB 0,35% 3,37 EUR
Frais 11,04 EUR
Montant net à payer 977,05 EUR
Date valeur 10/01/2025
""",
        "BUY", "2025-01-08", "14", "977.05", "EUR", "BE0003565737",
    ),
    Note(
        "Portuguese, compra",
        """Nota de execução
Compra EDP
ISIN PTEDP0AM0009
Data da operação 30-09-2025 Data valor 02-10-2025
Quantidade 500
Cotação 4,018
Valor 2.009,00
Comissões 9,50
Imposto de selo 0,40
Total a debitar EUR 2.018,90
""",
        "BUY", "2025-09-30", "500", "2018.90", "EUR", "PTEDP0AM0009",
    ),
    Note(
        "German, taxes told again on the next page",
        """NEOBROKER AG
WERTPAPIERABRECHNUNG
ÜBERSICHT
Market-Order Verkauf am 30.06.2026, um 21:33 Uhr (Europe/Berlin).
POSITION ANZAHL PREIS BETRAG
DAX EUR (Acc) 50 Stk. 227,55 EUR 11.377,50 EUR
ISIN: LU0252633754
GESAMT 11.377,50 EUR
ABRECHNUNG
POSITION BETRAG
Abwicklungspauschale -1,00 EUR
Kapitalertragsteuer -35,72 EUR
Solidaritätszuschlag -1,96 EUR
GESAMT 11.338,82 EUR
BUCHUNG
VERRECHNUNGSKONTO WERTSTELLUNG BETRAG
DE12100123450123456789 2026-07-02 11.338,82 EUR
Diese Abrechnung wird maschinell erstellt und daher nicht unterschrieben.
NEOBROKER AG
Herr Muster SEITE 2 von 2
STEUERLICHE BEHANDLUNG
BERECHNUNG DER STEUERBEMESSUNGSGRUNDLAGE BETRAG
Bruttogewinn 285,50 EUR
Teilfreistellung -85,65 EUR
Abzug der bereits bezahlten Vorabpauschale -56,99 EUR
STEUERBEMESSUNGSGRUNDLAGE 142,86 EUR
BERECHNUNG DER STEUERN BETRAG
Kapitalertragsteuer -35,72 EUR
Solidaritätszuschlag -1,96 EUR
GESAMTE STEUERN 37,68 EUR
""",
        "SELL", "2026-06-30", "50", "11338.82", "EUR", "LU0252633754",
    ),
    Note(
        "German, a bond's row in two currencies without a rate",
        """NEOBROKER AG
WERTPAPIERABRECHNUNG
ÜBERSICHT
Market-Order Kauf am 15.10.2025 um 17:48 (Europe/Berlin).
POSITION NOMINALE PREIS BETRAG
Sept. 2064 1.253,51 USD 92,41 % 996,70 EUR
ISIN: US68389XCV55
GESAMT 996,70 EUR
ABRECHNUNG
POSITION BETRAG
Fremdkostenzuschlag -1,00 EUR
Stückzinsen -3,30 EUR
GESAMT -1.001,00 EUR
BUCHUNG
VERRECHNUNGSKONTO WERTSTELLUNG BETRAG
DE28100123450258976901 2025-10-17 -1.001,00 EUR
""",
        "BUY", "2025-10-15", "12.5351", "1001.00", "EUR", "US68389XCV55",
    ),
    Note(
        "German, an account's statement with one sale",
        """Konto- und Depotauszug
IBAN DE02 1203 0000 0000 2020 51 Auszug 4
Buchungstag 06.03.2025
Wertpapierabrechnung Nr. 4711
Mercedes-Benz Group AG DE0007100000
Geschäft: Verkauf an Börse Stuttgart am 06.03.2025
20 St. x 58,61 EUR = 1.172,20 EUR
./. Provision 9,95 EUR
./. Steuern 26,83 EUR
Gutschrift per 10.03.2025 1.135,42 EUR
Kontostand neu 3.221,11 EUR
""",
        "SELL", "2025-03-06", "20", "1135.42", "EUR", "DE0007100000",
    ),
    Note(
        "Swiss, a foundation's fund sold",
        """Freizügigkeitsstiftung
Transaktionsbeleg
Produkt: Index Equity Fund CH
ISIN: CH0117044948
Rücknahme 3.2104 Anteile zum Preis von CHF 156.68
Abschluss per 06.05.2025, Valuta 08.05.2025
Total CHF 503.01
""",
        "SELL", "2025-05-06", "3.2104", "503.01", "CHF", "CH0117044948",
    ),
    Note(
        "French, a fund subscribed",
        """Avis d'opération sur OPC
Souscription
LYXOR MSCI WORLD FR0010315770
Date de valeur liquidative 03/06/2025
Nombre de parts 2,5
Valeur liquidative 329,44 EUR
Montant 823,60 EUR
Date de règlement 05/06/2025
""",
        "BUY", "2025-06-03", "2.5", "823.60", "EUR", "FR0010315770",
    ),
    Note(
        "Irish, an app's message",
        """Order completed
Vanguard FTSE All-World (Acc)
IE00BK5BQT80
Bought 1.52 shares
at €131.59 per share
Total €200.02
9 October 2025, 10:12
Reference 77-AB-19
""",
        "BUY", "2025-10-09", "1.52", "200.02", "EUR", "IE00BK5BQT80",
    ),
    Note(
        "German, an allotment",
        """Zuteilungsmitteilung und Abrechnung
Im Rahmen der Neuemission wurden Ihnen zugeteilt
50 Aktien TKMS AG & Co. KGaA
ISIN DE000TKMS001
Emissionspreis 60,00 EUR
Zuteilungstag 08.10.2025
Zahlbar 10.10.2025
Gesamtbetrag 3.000,00 EUR
""",
        "BUY", "2025-10-08", "50", "3000.00", "EUR", "DE000TKMS001",
    ),
    Note(
        "Austrian, an order executed in two rows",
        """Abrechnung zu Ihrem Auftrag 556677
Geschäftsart Kauf Auftragsdatum 18.04.2025
Titel OMV AG AT0000743059
Zugang 25 Stk
Teilausführung Menge Kurs
22.04.2025 10 Stk 45,80 EUR
22.04.2025 15 Stk 45,80 EUR
Kurswert -1.145,00 EUR
Fremde Spesen -1,50 EUR
Eigene Spesen -8,95 EUR
Zu Lasten AT12 2011 1000 0000 0000 -1.155,45 EUR
Valuta 24.04.2025
""",
        "BUY", "2025-04-22", "25", "1155.45", "EUR", "AT0000743059",
    ),
    Note(
        "American, a month with one purchase and what is held",
        """Brokerage Account Statement
August 1 - August 31, 2025
Account value $12,334.10
Activity
Date Description Symbol Quantity Price Amount
08/14/2025 Bought APPLE INC AAPL 10 232.39 -$2,323.90
08/15/2025 Deposit $500.00
Holdings
APPLE INC AAPL 10 229.00 $2,290.00
""",
        "BUY", "2025-08-14", "10", "2323.90", "USD", None,
    ),
    Note(
        "Norwegian, a purchase",
        """Sluttseddel
Kjøp Equinor ASA
ISIN NO0010096985
Handelsdato 18.02.2025 Oppgjørsdato 20.02.2025
Antall 60
Kurs 269,85
Beløp 16 191,00
Kurtasje 48,00
Oppgjørsbeløp NOK 16 239,00
""",
        "BUY", "2025-02-18", "60", "16239.00", "NOK", "NO0010096985",
    ),
    Note(
        "Czech, a purchase",
        """Konfirmace obchodu
Nákup
ČEZ ISIN CZ0005112300
Datum obchodu 10.03.2025 Datum vypořádání 12.03.2025
Počet kusů 10
Cena za kus 1 120,50 CZK
Objem obchodu 11 205,00 CZK
Poplatek 40,00 CZK
Celkem k úhradě 11 245,00 CZK
""",
        "BUY", "2025-03-10", "10", "11245.00", "CZK", "CZ0005112300",
    ),
    Note(
        "German, values before their labels",
        """Verkaufsbeleg
Deutsche Telekom DE0005557508
100 Stück
31,08 EUR
3.108,00 EUR
9,40 EUR Gebühr
3.098,60 EUR Auszahlung
Handel: 10.07.2025 14:03
Valuta: 14.07.2025
""",
        "SELL", "2025-07-10", "100", "3098.60", "EUR", "DE0005557508",
    ),
    Note(
        "German, a warrant with a ratio",
        """Kaufabrechnung Optionsschein
Call 30.06.26 NVIDIA 200
ISIN DE000MB1ABC8
Bezugsverhältnis 10 : 1
Stück 200 Kurs 2,17 EUR
Kurswert 434,00 EUR
Orderentgelt 4,95 EUR
Endbetrag 438,95 EUR
Ausgeführt 16.09.2025 15:31:00
Fälligkeit 30.06.2026
""",
        "BUY", "2025-09-16", "200", "438.95", "EUR", "DE000MB1ABC8",
    ),
    Note(
        "British, pence converted into euros",
        """Purchase advice
Diageo plc ISIN GB0002374006
Deal date 27 February 2025 Value date 3 March 2025
50 shares at 2,120.00 pence
Consideration GBP 1,060.00
Stamp duty GBP 5.30
Broker fee GBP 6.00
Total GBP 1,071.30
FX GBP/EUR 1.20921
Debit to your EUR account EUR 1,295.43
""",
        "BUY", "2025-02-27", "50", "1295.43", "EUR", "GB0002374006",
    ),
]  # fmt: skip
