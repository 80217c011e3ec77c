"""Notes of brokers that do not exist, in the words that banks of each country print; read first when all were written."""

from __future__ import annotations

from rules.reading.notes import Note

OUTSIDERS = [
    Note(
        "Dutch, a Belgian slip that says what it bought",
        """Beursmakelaar Zuid NV
Havenlaan 2 1080 Brussel
BTW BE 0462.920.226 RPR Brussel
De heer Jan Peeters
Ons kenmerk 20220318.0042
BORDEREL VAN AANKOOP
Order nr. 7712034 dd. 17/03/2022
Wij kochten voor uw rekening op Euronext Brussel
op 18/03/2022 om 09:47:12
75 AB INBEV BE0974293251 aan 54,88 EUR
Bedrag 4.116,00 EUR
Makelaarsloon 7,50 EUR
Taks op beursverrichtingen 0,35% 14,41 EUR
Bedrag te uwen laste 4.137,91 EUR
Valuta 22/03/2022
Uw rekening BE68 5390 0754 7034 wordt gedebiteerd
""",
        "BUY", "2022-03-18", "75", "4137.91", "EUR", "BE0974293251",
    ),
    Note(
        "Dutch, settlement of an order",
        """Bank Amstel N.V.
Afrekening effectenorder
Datum nota 04-06-2021
Soort transactie Verkoop
Fonds AHOLD DELHAIZE
ISIN-code NL0011794037
Uitvoeringsdatum 03-06-2021
Beurs Euronext Amsterdam
Aantal/nominaal 120
Uitvoeringskoers 23,985
Bruto-opbrengst 2.878,20
Transactiekosten -10,95
Per saldo bij te schrijven EUR 2.867,25
Rekening 12.34.56.789 per 07-06-2021
""",
        "SELL", "2021-06-03", "120", "2867.25", "EUR", "NL0011794037",
    ),
    Note(
        "Dutch, a letter on participations",
        """Meesbank Fondsbeleggen
Bevestiging van uw aankoop
Beste mevrouw De Wit,
Op 11 januari 2023 hebben wij voor u participaties gekocht.
Fonds Wereld Aandelen Indexfonds
ISIN LU0323578657
Ingelegd bedrag € 250,00
Aankoopkosten € 0,50
Belegd bedrag € 249,50
Koers per participatie € 321,45
Aantal participaties 0,7762
Datum koers 11-01-2023
""",
        "BUY", "2023-01-11", "0.7762", "250.00", "EUR", "LU0323578657",
    ),
    Note(
        "Dutch, an internet bank's sale",
        """Internetbank Brussel
BEURSTRANSACTIE - Verkoop
Verkoop van 30 BNP PARIBAS (FR0000131104)
Referentie : 555-888-222
Datum : 09/11/2021 15:03:44
Beurs: Euronext Paris
Hoeveelheid : 30
Koers : 57,42 EUR
Bruto bedrag : 1.722,60 EUR
Kosten : 7,50 EUR
Beurstaks : 6,03 EUR
Netto bedrag : 1.709,07 EUR
Valutadatum : 11/11/2021
""",
        "SELL", "2021-11-09", "30", "1709.07", "EUR", "FR0000131104",
    ),
    Note(
        "Dutch, side named with both words",
        """Transactiebevestiging
Instrument iShares Core MSCI World UCITS ETF
ISIN IE00B4L5Y983
Koop/Verkoop Gekocht
Uitgevoerd op 02-jan-2023 10:03:11
Valutadag 04-jan-2023
Hoeveelheid 14
Prijs 68,93 EUR
Verhandelde waarde -965,02 EUR
Commissie -2,00 EUR
Totale kosten -2,00 EUR
Geboekt bedrag -967,02 EUR
""",
        "BUY", "2023-01-02", "14", "967.02", "EUR", "IE00B4L5Y983",
    ),
    Note(
        "Dutch, a note with sums beside it",
        """Coöperatieve Bank Polder
Nota effecten
Wij hebben voor u verkocht
100 ING GROEP NV                 NL0011821202
Tegen EUR 11,954 per stuk       EUR 1.195,40
Kosten                          EUR 6,50
Te uwen gunste, valuta 15 september 2022    EUR 1.188,90
Orderdatum: 13 september 2022
Uitvoering: 13 september 2022 14:22 uur
Notanummer 0099123
""",
        "SELL", "2022-09-13", "100", "1188.90", "EUR", "NL0011821202",
    ),
    Note(
        "Swedish, sold for your account",
        """Nätmäklaren Bank AB
AVRÄKNINGSNOTA
Notanr 123456-789
Depå 1234567
Vi har för Er räkning denna dag SÅLT
ISIN SE0000108656
Värdepapper Ericsson B
Antal Kurs Belopp SEK
400 84,36 33 744,00
Courtage 19,00
Att Er tillhanda 33 725,00
Affärsdag 2023-02-06
Likviddag 2023-02-08
""",
        "SELL", "2023-02-06", "400", "33725.00", "SEK", "SE0000108656",
    ),
    Note(
        "Norwegian, a purchase sum",
        """Nordfjord Bank ASA
Sluttseddel
Kjøp
Verdipapir EQUINOR
ISIN NO0010096985
Handelsdato 14.06.2022 10:31
Oppgjørsdato 16.06.2022
Antall 50
Kurs 342,15 NOK
Kjøpesum 17 107,50 NOK
Kurtasje 29,00 NOK
Totalbeløp å betale 17 136,50 NOK
""",
        "BUY", "2022-06-14", "50", "17136.50", "NOK", "NO0010096985",
    ),
    Note(
        "Finnish, a calculation of purchase",
        """Pohjolan Pankkiiriliike Oy
Ostolaskelma
Kauppapäivä 16.05.2022
Maksupäivä 18.05.2022
Arvopaperi Nokia Oyj
ISIN FI0009000681
Kappalemäärä 1 000
Hinta EUR 4,6850
Kauppahinta EUR 4 685,00
Välityspalkkio EUR 9,37
Maksettava yhteensä EUR 4 694,37
""",
        "BUY", "2022-05-16", "1000", "4694.37", "EUR", "FI0009000681",
    ),
    Note(
        "Finnish, a confirmed sale",
        """Osuuspankki Järvi
KAUPPAVAHVISTUS
Myynti
Toimeksianto nro 88771
Toteutuspäivä ja -aika 03.03.2023 11:22:10
Selvityspäivä 07.03.2023
Kohde KONE OYJ B (FI0009013403)
Määrä 60 kpl
Keskihinta 49,17 EUR
Kaupan arvo 2 950,20 EUR
Palkkio -8,00 EUR
Tilille maksetaan 2 942,20 EUR
""",
        "SELL", "2023-03-03", "60", "2942.20", "EUR", "FI0009013403",
    ),
    Note(
        "Czech, a confirmed purchase",
        """Vltava Broker a.s.
Konfirmace obchodu
Typ pokynu: Nákup
Cenný papír: ČEZ, a.s.
ISIN: CZ0005112300
Datum obchodu: 21.09.2022 10:05:33
Datum vypořádání: 23.09.2022
Počet kusů: 40
Cena za kus: 951,50 CZK
Objem obchodu: 38 060,00 CZK
Poplatek: 133,21 CZK
Celkem k úhradě: 38 193,21 CZK
""",
        "BUY", "2022-09-21", "40", "38193.21", "CZK", "CZ0005112300",
    ),
    Note(
        "Hungarian, a confirmed sale",
        """Duna Értékpapír Zrt.
Teljesítési igazolás
Ügylet típusa: Eladás
Értékpapír: OTP törzsrészvény
ISIN: HU0000061726
Kötés dátuma: 2022.10.18
Elszámolás dátuma: 2022.10.20
Mennyiség: 25 db
Árfolyam: 8 210,00 HUF
Bruttó érték: 205 250,00 HUF
Jutalék: 718,00 HUF
Jóváírt összeg: 204 532,00 HUF
""",
        "SELL", "2022-10-18", "25", "204532.00", "HUF", "HU0000061726",
    ),
    Note(
        "Romanian, a confirmed purchase",
        """Carpați Broker SA
Confirmare tranzacție
Tip operațiune: Cumpărare
Simbol: TLV ISIN: ROTLVAACNOR1
Data tranzacției: 12.04.2023
Data decontării: 14.04.2023
Cantitate: 500
Preț: 20,3400 RON
Valoare tranzacție: 10.170,00 RON
Comision: 50,85 RON
Total de plată: 10.220,85 RON
""",
        "BUY", "2023-04-12", "500", "10220.85", "RON", "ROTLVAACNOR1",
    ),
    Note(
        "Greek, a sale with a tax",
        """ΑΙΓΑΙΟ ΧΡΗΜΑΤΙΣΤΗΡΙΑΚΗ ΑΕΠΕΥ
ΠΙΝΑΚΙΔΙΟ ΣΥΝΑΛΛΑΓΗΣ
Είδος συναλλαγής: ΠΩΛΗΣΗ
Μετοχή: ΟΠΑΠ ISIN: GRS419003009
Ημερομηνία συναλλαγής: 15/12/2022
Ημερομηνία εκκαθάρισης: 19/12/2022
Ποσότητα: 200
Τιμή: 13,25 EUR
Αξία συναλλαγής: 2.650,00 EUR
Προμήθεια: 7,95 EUR
Φόρος πωλήσεων: 5,30 EUR
Καθαρό ποσό: 2.636,75 EUR
""",
        "SELL", "2022-12-15", "200", "2636.75", "EUR", "GRS419003009",
    ),
    Note(
        "Polish, the side as a letter",
        """Biuro Maklerskie Odra
POTWIERDZENIE WYKONANIA ZLECENIA
Instrument KGHM (PLKGHM000017)
K/S: S
Liczba zrealizowana 30
Cena 118,40
Wartość 3 552,00
Prowizja 13,85
Waluta PLN
Data i czas zawarcia transakcji 2023-01-10 10:15:02
Data rozliczenia 2023-01-12
Kwota uznania rachunku 3 538,15
""",
        "SELL", "2023-01-10", "30", "3538.15", "PLN", "PLKGHM000017",
    ),
    Note(
        "Polish, units of a fund",
        """TFI Bałtyk S.A.
POTWIERDZENIE REALIZACJI ZLECENIA NABYCIA JEDNOSTEK UCZESTNICTWA
Subfundusz Akcji Globalnych
Data wyceny 2022-08-17
Kwota wpłaty 2 000,00 PLN
Opłata manipulacyjna 30,00 PLN
Kwota po potrąceniu opłaty 1 970,00 PLN
Cena jednostki uczestnictwa 157,60 PLN
Liczba nabytych jednostek 12,500
Saldo jednostek po transakcji 88,123
""",
        "BUY", "2022-08-17", "12.5", "2000.00", "PLN", None,
    ),
    Note(
        "Spanish, a slip of the exchange",
        """Banco Levante
Boletín de liquidación de operaciones de bolsa
Operación: COMPRA CONTADO
Valor: TELEFONICA ES0178430E18
Mercado: CONTINUO
Fecha contratación: 20/05/2022
Fecha liquidación: 24/05/2022
Títulos Cambio Efectivo
350 4,7120 1.649,20
Corretaje 4,95
Cánones 1,10
Gastos de correo 0,50
Importe a su cargo 1.655,75 EUR
""",
        "BUY", "2022-05-20", "350", "1655.75", "EUR", "ES0178430E18",
    ),
    Note(
        "Spanish, a fund subscribed",
        """Gestora Mediterránea SGIIC
Suscripción de participaciones
Partícipe: Ana Ruiz
Fondo: RENTA GLOBAL ISIN LU0323578657
Fecha de la operación 07/03/2023
Fecha de valor liquidativo 06/03/2023
Nº participaciones 12,3456
Valor liquidativo 81,002138
Importe bruto 1.000,02 EUR
Comisión de suscripción 0,00 EUR
Importe neto 1.000,02 EUR
""",
        "BUY", "2023-03-07", "12.3456", "1000.02", "EUR", "LU0323578657",
    ),
    Note(
        "Spanish, sold abroad and paid at home",
        """Broker Ibérico
Liquidación de valores extranjeros
Su venta de APPLE INC
ISIN US0378331005
Fecha operación 03-08-2022 Fecha valor 05-08-2022
Títulos 15 Precio 164,20 USD
Efectivo 2.463,00 USD
Tipo de cambio 1,0180
Contravalor 2.419,45 EUR
Comisión de intermediación 12,00 EUR
Neto a su favor 2.407,45 EUR
""",
        "SELL", "2022-08-03", "15", "2407.45", "EUR", "US0378331005",
    ),
    Note(
        "Portuguese, a bank's entry",
        """Banco Tejo
Nota de lançamento de títulos
Operação: COMPRA
Data da operação: 2022-11-22
Data-valor: 2022-11-24
Código ISIN: PTGAL0AM0009 GALP ENERGIA
Quantidade executada: 110
Cotação: 11,3150 EUR
Valor ilíquido: 1.244,65 EUR
Comissões: 6,95 EUR
Imposto selo: 0,28 EUR
Valor a seu débito: 1.251,88 EUR
""",
        "BUY", "2022-11-22", "110", "1251.88", "EUR", "PTGAL0AM0009",
    ),
    Note(
        "Italian, told in a sentence with a dotted time",
        """SIM Torino S.p.A.
Torino, 18/07/2022
NOTA INFORMATIVA N. 123456
Vi comunichiamo di aver eseguito per Vs. conto in data 15/07/2022 alle ore 11.04.12 la seguente operazione:
VENDITA di 1.500 INTESA SANPAOLO IT0000072618
al prezzo di EUR 1,7244
Controvalore EUR 2.586,60
Commissioni EUR -4,91
Ritenuta fiscale EUR -36,27
TOTALE A VS. FAVORE EUR 2.545,42
Valuta 19/07/2022
""",
        "SELL", "2022-07-15", "1500", "2545.42", "EUR", "IT0000072618",
    ),
    Note(
        "Italian, a fund subscribed with a fixed charge",
        """Conferma di sottoscrizione
Fondo Azionario Internazionale ISIN LU0323578657
Importo lordo versato € 500,00
Diritti fissi € 2,00
Importo netto investito € 498,00
Valore quota € 249,000
Quote attribuite 2,000
Data di riferimento 10/10/2022
""",
        "BUY", "2022-10-10", "2", "500.00", "EUR", "LU0323578657",
    ),
    Note(
        "French, net and fee in one line",
        """BANQUE EN LIGNE
OPÉRATION DE BOURSE
Paris, le 05/09/2022
Nous vous prions de trouver ci-joint l'avis d'opéré relatif à l'opération suivante :
VENTE COMPTANT 02/09/2022
Qté : 45 BNP PARIBAS
Code ISIN : FR0000131104
Cours exécuté : 46,9950 EUR
Montant transaction brut 2 114,78 EUR
Montant transaction net Courtage et commission
2 109,79 EUR 4,99 EUR
Montant net au crédit 2 109,79 EUR
Date de règlement 06/09/2022
""",
        "SELL", "2022-09-02", "45", "2109.79", "EUR", "FR0000131104",
    ),
    Note(
        "Swiss French, an account of a purchase",
        """Banque du Léman SA
DÉCOMPTE DE BOURSE
Genève, le 11.02.2022
Votre achat
Opération du 10.02.2022 N° 554433
12 ACT NOM ROCHE HOLDING GS N° val. 1203204 ISIN CH0012032048
à CHF 349.55
CHF 4'194.60
Courtage CHF 33.55
Timbre fédéral CHF 3.15
Taxe de bourse CHF 1.20
A votre débit CHF 4'232.50
Valeur 14.02.2022
""",
        "BUY", "2022-02-10", "12", "4232.50", "CHF", "CH0012032048",
    ),
    Note(
        "French, side and currency as labels",
        """AVIS D'EXÉCUTION
Sens : Achat
Libellé : AIRBUS
ISIN : NL0000235190
Date et heure d'exécution : 14/04/2022 09:02:17
Quantité exécutée : 10
Prix moyen : 104,46
Montant brut : 1 044,60
Frais : 1,95
TTF : 3,13
Montant net : 1 049,68
Devise : EUR
""",
        "BUY", "2022-04-14", "10", "1049.68", "EUR", "NL0000235190",
    ),
    Note(
        "Singaporean, a contract note",
        """Lion City Securities Pte Ltd
CONTRACT NOTE (BUY)
Contract No. C1234567
Contract Date 09 May 2022
Settlement Date 11 May 2022
Security DBS GROUP HOLDINGS LTD SG1L01001701
Quantity 200
Price SGD 32.1500
Gross Amount SGD 6,430.00
Brokerage SGD 18.00
Clearing Fees SGD 2.09
SGX Trading Fees SGD 0.48
GST @7% SGD 1.44
Net Amount Due SGD 6,452.01
""",
        "BUY", "2022-05-09", "200", "6452.01", "SGD", "SG1L01001701",
    ),
    Note(
        "American, short years and nothing to pay for it",
        """Prairie Brokerage Services
CONFIRMATION
Activity: BOUGHT
Symbol/CUSIP: VTI 922908769
Description: VANGUARD TOTAL STOCK MARKET ETF
Trade date 03/15/22 Settlement date 03/17/22
Qty 7.25  Price 212.40  Principal 1,539.90
Commission 0.00 Fees 0.00
Net amount $1,539.90
""",
        "BUY", "2022-03-15", "7.25", "1539.90", "USD", None,
    ),
    Note(
        "Irish, sold as agent",
        """Liffey Stockbrokers
CONTRACT NOTE - SALE
We have today SOLD on your behalf
Deal date & time 22-Nov-2022 13:45:01
2,500 BANK OF IRELAND GROUP PLC IE00BD1RP616 @ EUR 7.82
Consideration EUR 19,550.00
Less: Commission EUR 97.75
Less: ITP Levy EUR 1.25
Net proceeds EUR 19,451.00
Settlement 24-Nov-2022
""",
        "SELL", "2022-11-22", "2500", "19451.00", "EUR", "IE00BD1RP616",
    ),
    Note(
        "Canadian, months in words",
        """Maple Direct Investing
Transaction confirmation
For settlement on June 20, 2022
On June 16, 2022, as your agent, we confirm your purchase of
150 ROYAL BANK OF CANADA
CUSIP 780087102
Price C$ 124.05
Gross amount 18,607.50
Commission 9.95
Net amount due C$ 18,617.45
""",
        "BUY", "2022-06-16", "150", "18617.45", "CAD", None,
    ),
    Note(
        "German, an issue of fund units",
        """Sparbroker AG & Co. KG
Wertpapier Abrechnung Ausgabe Investmentfonds
Nominale Wertpapierbezeichnung ISIN (WKN)
Stück 3,1415 WELTFONDS AKTIEN INHABER-ANTEILE LU0323578657 (A0M430)
Handels-/Ausführungsplatz Außerbörslich
Schlusstag 02.08.2021 Auftraggeber Max Mustermann
Ausf.-Kurs 317,80 EUR
Kurswert 998,37- EUR
Ausmachender Betrag 998,37- EUR
Den Gegenwert buchen wir mit Valuta 04.08.2021 zu Lasten des Kontos 123456789
""",
        "BUY", "2021-08-02", "3.1415", "998.37", "EUR", "LU0323578657",
    ),
    Note(
        "German, a fund platform's plan with a holding below",
        """Fondsbank Nord GmbH
Abrechnungsnummer: 123456 / 14.06.2022
Fondsabrechnung
Kauf aus Sparplan
Fondsname: Globale Dividende A
ISIN: LU0323578657
Abrechnungsbetrag Anteilspreis Anteile Bewertungstag
100,00 EUR 305,110000 EUR 0,327750 13.06.2022
Depotbestand nach dieser Transaktion: 12,500000 Anteile
""",
        "BUY", "2022-06-13", "0.32775", "100.00", "EUR", "LU0323578657",
    ),
    Note(
        "Austrian, a kind of business",
        """Maklerbank AG Wien
Geschäftsart: Kauf
Titel: AT0000937503  VOESTALPINE AG
Zugang: 60 Stk
Handelszeit: 12.10.2022 um 09:44:03 Uhr
Kurs: 19,83 EUR
Kurswert: -1.189,80 EUR
Grundgebühr: -4,95 EUR
Zu Lasten IBAN AT61 1904 3002 3457 3201 -1.194,75 EUR
Valuta 14.10.2022
""",
        "BUY", "2022-10-12", "60", "1194.75", "EUR", "AT0000937503",
    ),
    Note(
        "German, an app's order",
        """Handelsblitz Bank
Orderausführung
Deine Order wurde ausgeführt
Aktie Mercedes-Benz Group
ISIN DE0007100000
Seite Kauf
Ausgeführt am 24.04.2023, 16:02 Uhr
Stückzahl 4
Ausführungspreis 67,31 €
Gesamtkosten (Order) 269,24 €
Ordergebühr 0,99 €
Gesamt 270,23 €
""",
        "BUY", "2023-04-24", "4", "270.23", "EUR", "DE0007100000",
    ),
    Note(
        "Liechtenstein, a sale credited in one line",
        """Fürstenbank AG Vaduz
Abrechnung Börsentransaktion
Ihr Verkauf vom 06.07.2022
Abwicklungsnummer 77123
300 NESTLE N CH0038863350
Kurs CHF 112.26
Betrag CHF 33'678.00
Börsengebühr CHF 5.05
Kommission CHF 202.07
Eidg. Umsatzabgabe CHF 25.26
Gutschrift Konto 12.345.678 Valuta 08.07.2022 CHF 33'445.62
""",
        "SELL", "2022-07-06", "300", "33445.62", "CHF", "CH0038863350",
    ),
    Note(
        "Danish, bought at the bank",
        """Netbank Danmark
HANDELSNOTA
Købt ved Netbank
Papirnavn A.P. Møller-Mærsk B
Fondskode/ISIN DK0010244508
Handelsdato 19-01-2023 kl. 09:12
Valørdato 23-01-2023
Antal 2
Kurs 15.285,00
Kursværdi 30.570,00
Kurtage 30,57
Beløb hævet på konto 30.600,57
Alle beløb i DKK
""",
        "BUY", "2023-01-19", "2", "30600.57", "DKK", "DK0010244508",
    ),
    Note(
        "German, all labels before all values",
        """Volksbank Musterland eG
Wertpapierabrechnung
Verkauf
Wertpapier
ISIN
Stück
Kurs
Handelstag
Kurswert
Provision
Betrag zu Ihren Gunsten
Valuta
BASF SE
DE000BASF111
70
48,205 EUR
11.05.2022
3.374,35 EUR
10,00 EUR
3.364,35 EUR
13.05.2022
""",
        "SELL", "2022-05-11", "70", "3364.35", "EUR", "DE000BASF111",
    ),
    Note(
        "German, shares allotted",
        """Bank Musterland AG
Zuteilungsanzeige
Sehr geehrter Herr Muster,
im Rahmen der Neuemission haben wir Ihnen zugeteilt:
50 Stück Beispiel SE Namens-Aktien
ISIN DE000A3H2200
Emissionspreis 28,00 EUR
Zuteilungsdatum 18.11.2021
Der Gegenwert von 1.400,00 EUR wird Ihrem Konto mit Wertstellung 22.11.2021 belastet.
""",
        "BUY", "2021-11-18", "50", "1400.00", "EUR", "DE000A3H2200",
    ),
    Note(
        "German, savings from an employer",
        """Fondsdepot Süd GmbH
Depot 99887766 - Vermögenswirksame Leistungen
Umsatzanzeige
Ihre Einzahlung vom Arbeitgeber haben wir wie folgt angelegt:
Fonds: Global Aktien P  ISIN LU0323578657
Buchungstag Preisdatum Betrag EUR Preis EUR Anteile
04.03.2022 03.03.2022 40,00 97,09 0,412
Neuer Bestand: 15,883 Anteile
""",
        "BUY", "2022-03-03", "0.412", "40.00", "EUR", "LU0323578657",
    ),
    Note(
        "German, units given back by a plan",
        """Investmentgesellschaft Nord
Abrechnung über die Rücknahme von Anteilen
Auszahlplan
Fondsname Rendite Plus
ISIN LU0323578657
Abrechnungstag 14.09.2022
Rücknahmepreis 97,50 EUR
Zurückgegebene Anteile 10,500
Auszahlung auf Ihr Konto 1.023,75 EUR
Wertstellung 16.09.2022
""",
        "SELL", "2022-09-14", "10.5", "1023.75", "EUR", "LU0323578657",
    ),
    Note(
        "German, a portfolio manager's trade",
        """Digitale Vermögensverwaltung
Ausführungsanzeige
Im Rahmen Ihrer Vermögensverwaltung haben wir folgende Transaktion durchgeführt
Transaktionsart Kauf
Wertpapier iShares Core MSCI World UCITS ETF
ISIN IE00B4L5Y983
Ausführungstag 01.02.2023
Anteile 3,2154
Ausführungspreis 77,7508 EUR
Transaktionsvolumen 250,00 EUR
""",
        "BUY", "2023-02-01", "3.2154", "250.00", "EUR", "IE00B4L5Y983",
    ),
    Note(
        "German, a bond that fell due",
        """Sparkasse Beispielstadt
Einlösung fälliger Wertpapiere
Nennwert EUR 5.000,00
Wertpapier 1,25% Anleihe 12/22 ISIN DE0001102424
Fällig am 15.06.2022
Einlösungskurs 100,00 %
Gutschriftsbetrag EUR 5.000,00
Valuta 15.06.2022
""",
        "SELL", "2022-06-15", "50", "5000.00", "EUR", "DE0001102424",
    ),
    Note(
        "German, an order carried out, in short words",
        """MUSTERBANK
AUFTRAGSAUSFÜHRUNG
Ihre Order Nr. 5567881 wurde am 11.08.2020 um 14:03 Uhr an der Börse Stuttgart ausgeführt.
VK 300 ST DAIMLER AG NA O.N. (710000 / DE0007100000)
zu 29,985 EUR
Kurswert 8.995,50 EUR
abzgl. Ordergebühr 24,90 EUR
abzgl. Börsenentgelt 12,48 EUR
Gutschrift 8.958,12 EUR Valuta 13.08.2020
""",
        "SELL", "2020-08-11", "300", "8958.12", "EUR", "DE0007100000",
    ),
    Note(
        "Austrian, a statement whose days have no year",
        """Kontoauszug Nr. 5/2021  Blatt 1
IBAN AT12 3456 7890 1234 5678
Saldo alt 3.200,00
05.05. Wertpapierkauf Auftrag 4711 Valuta 07.05. 1.284,50-
12 STK VANGUARD FTSE ALL-WORLD IE00B3RBWM25 Kurs 106,25 EUR
Kurswert 1.275,00 Spesen 9,50
Saldo neu 1.915,50
""",
        "BUY", "2021-05-05", "12", "1284.50", "EUR", "IE00B3RBWM25",
    ),
    Note(
        "German, coins at a bank",
        """Kryptobank GmbH
Abrechnung Kryptowertkauf
Kryptowert Bitcoin (BTC)
Ausführungszeitpunkt 09.01.2023 10:22:31
Menge 0,025 BTC
Kurs 16.000,00 EUR
Kurswert 400,00 EUR
Gebühr 2,00 EUR
Gesamtbetrag 402,00 EUR
""",
        "BUY", "2023-01-09", "0.025", "402.00", "EUR", None,
    ),
    Note(
        "Dutch, an order carried out",
        """Uw order is uitgevoerd
Aankoop van 40 stuks ING GROEP
ISIN: NL0011821202
Tijdstip: 16-02-2021 11:05
Koers: 33,25
Waarde: € 1.330,00
Kosten: € 7,45
Totaal: € 1.337,45
Afgeschreven van rekening NL91ABNA0417164300 op 18-02-2021
""",
        "BUY", "2021-02-16", "40", "1337.45", "EUR", "NL0011821202",
    ),
    Note(
        "Dutch, a Belgian slip with columns",
        """BORDEREL - VERKOOP
Klantnummer 123456        Datum 22/10/2019
Effect             Aantal      Koers       Munt
SOLVAY (BE0003470755)   200      22,00      EUR
Datum uitvoering: 21/10/2019  Tijd: 10:23:45  Plaats: Euronext Brussels
Bruto                                4.400,00
Makelaarsloon                           -7,30
Beurstaks 0,35 %                       -15,40
Netto te uwer beschikking            4.377,30
Valutadatum 23/10/2019
""",
        "SELL", "2019-10-21", "200", "4377.30", "EUR", "BE0003470755",
    ),
    Note(
        "Dutch, a deposit into a fund",
        """Beleggersrekening 400.12.345
Overzicht van uw transactie
Storting van 05/12/2022
Fonds: Global Equity A Kap  (LU0323578657)
Netto-inventariswaarde per 05/12/2022: 81,24 EUR
Instapkosten 0,5 %: 2,50 EUR
Geïnvesteerd bedrag: 497,50 EUR
Aantal deelbewijzen: 6,1237
Totaal bedrag: 500,00 EUR
""",
        "BUY", "2022-12-05", "6.1237", "500.00", "EUR", "LU0323578657",
    ),
    Note(
        "Dutch, a share bought in dollars",
        """Nota van aankoop nr 20200312/77
Aandeel APPLE INC US0378331005 NASDAQ
Orderdatum 11-03-2020    Uitvoering 12-03-2020 15:31
15 x 62,0575 USD                     930,86 USD
Commissie                             15,00 USD
Te betalen                           945,86 USD
""",
        "BUY", "2020-03-12", "15", "945.86", "USD", "US0378331005",
    ),
    Note(
        "Swiss, a stock exchange bill with several prices",
        """Kantonalbank Mustertal
Börsenabrechnung Verkauf Ref. 9988-77
Mustertal, 16. September 2021
Wir haben in Ihrem Auftrag am 15. September 2021 verkauft:
Roche Holding AG Genussscheine Valor 1203204 / CH0012032048
50 zu CHF 119.50 CHF 5'975.00
35 zu CHF 119.60 CHF 4'186.00
Total 85 CHF 10'161.00
Kommission CHF 39.00-
Umsatzabgabe CHF 7.70-
Zu Ihren Gunsten Valuta 17. September 2021 CHF 10'114.30
""",
        "SELL", "2021-09-15", "85", "10114.30", "CHF", "CH0012032048",
    ),
    Note(
        "German, foreign charges converted in one line",
        """Wertpapierabrechnung Kauf Ausland
APPLE INC. WKN 865985 ISIN US0378331005
Stück 10,0000 Kurs 156,57 USD
Handelstag 27.04.2022 Handelsplatz NASDAQ
Kurswert 1.565,70 USD
Fremde Spesen 1,50 USD
Umrechnungskurs EUR/USD 1,0550
Gegenwert 1.485,50 EUR
Eigene Spesen 5,52 EUR
Lastschrift 1.491,02 EUR Wert 29.04.2022
""",
        "BUY", "2022-04-27", "10", "1491.02", "EUR", "US0378331005",
    ),
    Note(
        "German, a table with headings above and a tax line",
        """Depotbank Beispiel
Verkaufsabrechnung
Auftrag Ausführung Stück Kurs Kurswert
14.02.2020 17.02.2020 100 31,50 3.150,00
Entgelt -9,90
KESt 27,5% von 261,45 -71,76
Gutschrift per 19.02.2020 EUR 3.068,34
ISIN DE0007236101 SIEMENS AG NA O.N.
""",
        "SELL", "2020-02-17", "100", "3068.34", "EUR", "DE0007236101",
    ),
    Note(
        "German, in an app's words and a fraction",
        """Verkauf ausgeführt
FTSE All-World
IE00B3RBWM25
Du hast 1,5 Anteile verkauft
Preis pro Anteil 108,56 €
Wert 162,84 €
Gebühr 0,99 €
Du erhältst 161,85 €
Ausgeführt 6. Juni 2023, 09:31
Abrechnung 8. Juni 2023
""",
        "SELL", "2023-06-06", "1.5", "161.85", "EUR", "IE00B3RBWM25",
    ),
    Note(
        "French, a bulletin with a debit column",
        """RELEVÉ D'OPÉRATION SUR TITRES
Compte n° 12345 Date 04/06/2021
ACHAT BOURSE EURONEXT PARIS
AIR LIQUIDE FR0000120073
Date de négociation 03/06/2021
Quantité Cours Débit Crédit
30 85,53 2 565,90
Courtage 8,16
TTF 7,70
Total 2 581,76
Règlement le 07/06/2021
""",
        "BUY", "2021-06-03", "30", "2581.76", "EUR", "FR0000120073",
    ),
    Note(
        "Italian, a report of an order carried out",
        """Rapporto di esecuzione ordine
Operazione: Vendita
Strumento: ENI (IT0003132476)
Eseguito: 09.11.2022 12:22:01
Quantità eseguita: 400
Prezzo: 12,354
Controvalore: 4.941,60
Commissioni: 8,00
Netto ricavato: 4.933,60 EUR
Data regolamento: 11.11.2022
""",
        "SELL", "2022-11-09", "400", "4933.60", "EUR", "IT0003132476",
    ),
    Note(
        "British, a fund with an initial charge",
        """Your investment confirmation
We have bought units for you
Fund: UK Equity Index Acc
ISIN GB00B3X7QG63
Dealing date 20/01/2022 Valuation point 12:00
Amount invested £1,000.00
Price per unit 242.41p
Units bought 412.53
Initial charge £0.00
""",
        "BUY", "2022-01-20", "412.53", "1000.00", "GBP", "GB00B3X7QG63",
    ),
    Note(
        "German, a rights issue subscribed",
        """Bezug neuer Aktien
Ausübung von Bezugsrechten
Neue Aktien: TEAMVIEWER AG INHABER-AKTIEN O.N. DE000A2YN900
Bezogene Stücke 24
Bezugspreis 10,00 EUR
Ausmachender Betrag 240,00 EUR
Buchungstag 02.12.2021
Valuta 02.12.2021
""",
        "BUY", "2021-12-02", "24", "240.00", "EUR", "DE000A2YN900",
    ),
    Note(
        "Dutch, a platform's account of one order",
        """Orderoverzicht
Order 88112233 - Uitgevoerd
Verkoop 25 ASML HOLDING
ISIN NL0010273215
Limiet 68,00
Uitvoeringsprijs 68,60
Orderwaarde 1.715,00
Kosten 2,50
Netto opbrengst 1.712,50 EUR
Datum/tijd 30-08-2021 13:45:10
Afwikkeling 01-09-2021
""",
        "SELL", "2021-08-30", "25", "1712.50", "EUR", "NL0010273215",
    ),
    Note(
        "Danish, a savings bank's sale of a bond",
        """Sparekassen Fyn
Fondsafregning - salg
Realkreditobligation 1% 2050 ISIN DK0009922320
Handelsdato 23-05-2022 Afviklingsdato 25-05-2022
Nominelt 100.000,00
Kurs 98,90
Kursværdi 98.900,00
Kurtage -150,00
Til afregning 98.750,00 DKK
""",
        "SELL", "2022-05-23", "1000", "98750.00", "DKK", "DK0009922320",
    ),
    Note(
        "Swedish, a purchase abroad",
        """Avräkningsnota köp
Apple Inc US0378331005
Antal 20
Kurs 146,10 USD
Affärsdag 2022-10-04 Likviddag 2022-10-06
Belopp 2 922,00 USD
Valutakurs 9,8600
Belopp i SEK 28 810,92
Courtage 28,44
Valutaväxlingsavgift 72,00
Att betala 28 911,36 SEK
""",
        "BUY", "2022-10-04", "20", "28911.36", "SEK", "US0378331005",
    ),
    Note(
        "Portuguese, a sale with a stamp",
        """Nota de execução de ordem
Venda em bolsa
EDP ENERGIAS DE PORTUGAL PTEDP0AM0009
Data/hora execução 15/03/2023 10:11:12
Quantidade 300 Preço 4,3195
Montante bruto 1.295,85
Comissão 7,72
Imposto do selo (4%) 0,31
Montante líquido creditado 1.287,82 EUR
Data de liquidação 17/03/2023
""",
        "SELL", "2023-03-15", "300", "1287.82", "EUR", "PTEDP0AM0009",
    ),
]  # fmt: skip
