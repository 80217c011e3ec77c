"""Notes of brokers that do not exist, as text comes out of their PDFs; each batch was read first when all of it was written."""

from __future__ import annotations

from rules.reading.notes import Note

FIRST = [
    Note(
        "German, a direct bank's sale with losses set off",
        """Direktbank Main · Postfach 10 01 20 · 60001 Frankfurt
Frau
Erika Muster
Am Ring 4
60311 Frankfurt
Depotinhaber: Erika Muster
Direkt-Depot Nr.: 8009876543
Datum: 22.11.2019
Ordernummer: 98765432.001
Seite: 1 von 2
Wertpapierabrechnung Verkauf
ISIN (WKN) US5949181045 (870747)
Wertpapierbezeichnung Microsoft Corp.
Registered Shares DL-,00000625
Nominale Stück 12,00
Kurs EUR 135,46 (Festpreisgeschäft)
Handelsplatz Direkthandel Lang & Schwarz
Ausführungstag / -zeit 21.11.2019 um 18:04:11 Uhr
Kurswert EUR 1.625,52
Provision EUR 4,90
Endbetrag zu Ihren Gunsten EUR 1.620,62
Abrechnungs-IBAN DE00 5001 0517 5400 0000 00
Valuta 25.11.2019
Steuerlich relevante Angaben
Veräußerungsergebnis EUR 241,18
Verrechneter Verlust EUR 241,18
Bemessungsgrundlage EUR 0,00
Kapitalertragsteuer EUR 0,00
Diese Abrechnung wird von der Bank nicht unterschrieben.
""",
        "SELL", "2019-11-21", "12", "1620.62", "EUR", "US5949181045",
    ),
    Note(
        "German, a fund platform's savings plan",
        """Fondsservice Bank Nord AG  80218 München
Herrn Max Muster
Depotnummer 99.123.456.78
Abrechnung Nr. 27 vom 06.10.2020
Fondsumsatzabrechnung
Ansparplan Rate 75,00 EUR
Fondsname DWS Top Dividende LD
ISIN / WKN DE0009848119 / 984811
Verwahrart Girosammelverwahrung
Abwicklung über IBAN DE12XXXXXXXXXXXX7890
Betrag Ausgabeaufschlag Preistag Abrechnungspreis Anteile
75,00 EUR 0,00 EUR 05.10.2020 111,94 EUR 0,67
Anteilbestand nach Buchung 33,4812 Bestandswert 3.747,89 EUR
Der Sparbetrag wird am 06.10.2020 von Ihrem Konto eingezogen.
""",
        "BUY", "2020-10-05", "0.67", "75.00", "EUR", "DE0009848119",
    ),
    Note(
        "German, a neobroker's plan with a dotted frame",
        """NEOBROKER BANK GMBH BRUNNENSTRASSE 19-21 10119 BERLIN
Max Muster
Musterstr. 1 SEITE 1 von 1
12345 Berlin DATUM 03.05.2022
AUSFÜHRUNG 11a2-33bb
SPARPLAN 55cc-66dd
DEPOT 0123456789
WERTPAPIERABRECHNUNG SPARPLAN
ÜBERSICHT
Sparplanausführung am 02.05.2022 an der Lang & Schwarz Exchange.
POSITION ANZAHL DURCHSCHNITTSKURS BETRAG
Vanguard FTSE All-World U.ETF 0,9837 Stk. 101,66 EUR 100,00 EUR
Registered Shares USD Dis.oN
IE00B3RBWM25
GESAMT 100,00 EUR
BUCHUNG
VERRECHNUNGSKONTO WERTSTELLUNG BETRAG
DE01234567890123456789 04.05.2022 -100,00 EUR
Vanguard FTSE All-World U.ETF in Girosammelverwahrung in Irland.
""",
        "BUY", "2022-05-02", "0.9837", "100.00", "EUR", "IE00B3RBWM25",
    ),
    Note(
        "Swiss, a pension foundation's fund units",
        """Vorsorgestiftung Rheinknie
Aeschenplatz 1, 4002 Basel
Vertrag 1.234.567
Portfolio 1.234.567.01
Basel, 23.06.2020
Börsenabrechnung - Kauf
Unsere Referenz: 1234567
Wir haben für Sie folgenden Auftrag ausgeführt:
Order: Kauf
0.117 Anteile CSIF World ex CH hedged
ISIN: CH0032400670
Kurs: CHF 1'402.57
Betrag CHF 164.10
Verrechneter Betrag: Valuta 19.06.2020 CHF 164.10
Abschlussdatum: 17.06.2020
Freundliche Grüsse
Diese Anzeige wird nicht unterschrieben
""",
        "BUY", "2020-06-17", "0.117", "164.10", "CHF", "CH0032400670",
    ),
    Note(
        "Swiss, a large bank's sale in dollars to a franc account",
        """Bank am Paradeplatz AG
8001 Zürich
Portfolio 206-123456-01
Abrechnung Wertschriftentransaktion
Zürich, 15. März 2021
Ihr Verkauf vom 12.03.2021
Auftragsnummer 8877665
40 Namenaktien Apple Inc
Valor 908440 ISIN US0378331005
Ausführung NASDAQ 12.03.2021 16:22:10
Ausführungspreis USD 121.03
Handelsbetrag USD 4'841.20
Courtage USD -41.15
Fremde Gebühren USD -0.11
Eidg. Umsatzabgabe USD -7.26
Nettobetrag USD 4'792.68
Umrechnungskurs 0.92875 CHF 4'451.20
Gutschrift Konto 206-123456.01A Valuta 16.03.2021 CHF 4'451.20
""",
        "SELL", "2021-03-12", "40", "4451.20", "CHF", "US0378331005",
    ),
    Note(
        "Austrian, a cooperative bank's purchase in foreign money",
        """Genossenschaftsbank Tirol
Adamgasse 1 6020 Innsbruck
Depotnummer: 00-12.345.678 Depotinhaber: Muster Max
Wertpapier-Abrechnung Kauf
Geschäftsart: Kauf Auftrags-Nr.: 12345678 - 14.02.2022
Titel: US88160R1014  Tesla Inc.
Registered Shares DL -,001
Zugang: 3 Stk
Kurs: 875,76 USD
Handelsplatz: NASDAQ
Handelszeit: 14.02.2022 um 15:31:05 Uhr
Kurswert: -2.627,28 USD
Devisenkurs: 1,1312 (15.02.2022) -2.322,56 EUR
Grundgebühr: -7,95 EUR
Fremde Spesen: -12,07 EUR
Zu Lasten IBAN AT12 3456 7890 1234 5678 -2.342,58 EUR
Valuta 16.02.2022
""",
        "BUY", "2022-02-14", "3", "2342.58", "EUR", "US88160R1014",
    ),
    Note(
        "Dutch, a discount broker's list of one",
        """Rekeningoverzicht transacties
De heer J. de Vries
Lijst van transacties van 01-02-2022 tot 28-02-2022
Datum Tijd Product ISIN Beurs Uitvoeringsplaats Aantal Koers Lokale waarde Waarde Wisselkoers Transactiekosten en/of kosten van derden Totaal Order ID
16-02-2022 09:04 VANGUARD S&P 500 IE00B3XXRP09 EAM XAMS 7 EUR 74,812 EUR -523,68 EUR -523,68 EUR -1,00 EUR -524,68 3c2f
Pagina 1 / 1
Amsterdam
""",
        "BUY", "2022-02-16", "7", "524.68", "EUR", "IE00B3XXRP09",
    ),
    Note(
        "Dutch, an online bank's securities note",
        """BeleggersBank
Postbus 75047
1070 AA Amsterdam
Effectennota
Rekeningnummer 123456789
Notanummer 2104123
Opdrachtnummer 991122
Transactiedatum 12-05-2020
Transactietijd 11:42
Transactiesoort Koop (openen)
Beurs Euronext Amsterdam
Omschrijving ASML Holding
ISIN NL0010273215
Aantal Koers Bedrag
10 272,35 2.723,50
Provisie 8,50
Totaal debet EUR 2.732,00
Boekdatum 12-05-2020 Rentedatum 14-05-2020
""",
        "BUY", "2020-05-12", "10", "2732.00", "EUR", "NL0010273215",
    ),
    Note(
        "Dutch, a Belgian bank's sale, labels above",
        """Havenlaan 12 - 1080 Brussel
UW EFFECTENREKENING 731-0123456-78
Borderel nr. 00012 dd. 18-10-2021
VERKOOP OP DE BEURS VAN BRUSSEL
Ordernummer Datum Uur Type order
123456 18-10-2021 10:11 Limiet 70,00
Effect ISIN-code
SOLVAY BE0003470755
Aantal Eenheidskoers Munt Bruto
15 103,20 EUR 1.548,00
Makelaarsloon 7,50
Beurstaks 0,35 % 5,42
Netto creditbedrag EUR 1.535,08
Valutadatum 20-10-2021
""",
        "SELL", "2021-10-18", "15", "1535.08", "EUR", "BE0003470755",
    ),
    Note(
        "Dutch, an app's order",
        """Bevestiging van je order
Hoi Sanne,
Je order is uitgevoerd!
Adyen NV
ISIN NL0012969182
Koop
Uitgevoerd op 7 april 2021 om 13:27
Aantal aandelen 1
Prijs per aandeel € 2.011,50
Totaal ordervolume € 2.011,50
Commissie € 1,00
Totaal betaald € 2.012,50
App-broker B.V. staat onder toezicht van de AFM.
""",
        "BUY", "2021-04-07", "1", "2012.50", "EUR", "NL0012969182",
    ),
    Note(
        "Dutch, a bank's fund order",
        """Beleggen bij Stadsbank
Bevestiging beleggingsopdracht
Datum 03-12-2021
Beleggingsrekening NL01STAD0123456789
Opdracht Aankoop beleggingsfonds
Naam fonds Stadsbank Duurzaam Offensief
ISIN code NL0014857104
Uitgevoerd op 02-12-2021
Aantal 12,3456 participaties
Koers EUR 40,50
Effectieve waarde EUR 500,00
Kosten EUR 0,00
Afgeschreven van uw rekening EUR 500,00
""",
        "BUY", "2021-12-02", "12.3456", "500.00", "EUR", "NL0014857104",
    ),
    Note(
        "French, an online bank's executed order",
        """BANQUE EN LIGNE DE BREST
29802 BREST CEDEX 9
M. JEAN DUPONT
AVIS D'EXECUTION
Compte titres : 00012345678
Le 09/03/2023
Nous avons exécuté l'ordre suivant :
Sens : ACHAT COMPTANT
Valeur : AIR LIQUIDE (FR0000120073)
Place : EURONEXT PARIS
Date et heure d'exécution : 08/03/2023 à 10:15:27
Quantité exécutée : 6
Cours : 150,62 EUR
Montant brut : 903,72 EUR
Frais de courtage : 1,95 EUR
TTF : 2,71 EUR
Montant net : 908,38 EUR
Date de règlement livraison : 10/03/2023
""",
        "BUY", "2023-03-08", "6", "908.38", "EUR", "FR0000120073",
    ),
    Note(
        "French, an employer's savings scheme",
        """Épargne salariale Lumière
Votre avis d'opération
Plan d'Épargne Entreprise
Entreprise : EXEMPLE SA
Opération : Versement volontaire
Date d'opération : 14/06/2022
Support : Lumière Actions Monde
Code ISIN : FR0010315770
Valeur de la part du 13/06/2022 : 24,3500 €
Nombre de parts : 8,2136
Montant net investi : 200,00 €
Disponible le 01/06/2027
""",
        "BUY", "2022-06-14", "8.2136", "200.00", "EUR", "FR0010315770",
    ),
    Note(
        "Italian, an online bank's purchase",
        """BancaRete S.p.A.
Conto titoli n. 0123456
Milano, 21/02/2023
Oggetto: conferma di esecuzione ordine
Le confermiamo di aver eseguito per Suo conto la seguente operazione:
Tipo operazione ACQUISTO
Titolo ENEL
ISIN IT0003128367
Mercato MTA
Data operazione 20/02/2023 ora 09:31:44
Data valuta 22/02/2023
Quantità 500
Prezzo 5,412
Controvalore EUR 2.706,00
Commissioni EUR 5,14
Tobin tax EUR 2,71
Importo totale a debito EUR 2.713,85
""",
        "BUY", "2023-02-20", "500", "2713.85", "EUR", "IT0003128367",
    ),
    Note(
        "Italian, a government bond with interest",
        """Cassa di Risparmio della Valle
NOTA DI ESEGUITO
Ordine n. 5512 del 04/10/2022
Operazione: VENDITA
BTP 01/03/2032 1,65%
Codice ISIN IT0005094088
Valore nominale 10.000,00
Corso secco 80,15
Controvalore 8.015,00
Rateo lordo 16,86
Imposta su rateo -2,11
Commissione di negoziazione -16,03
Netto ricavo EUR 8.013,72
Data regolamento 06/10/2022
Data e ora esecuzione 04/10/2022 14:10:02
""",
        "SELL", "2022-10-04", "100", "8013.72", "EUR", "IT0005094088",
    ),
    Note(
        "English, an app's order executed abroad",
        """ContraTrade 212 Markets Ltd
Contract note
Order ID EOF1234567
Customer Jane Doe
Instrument/ISIN Direction Quantity Execution time Price Value FX rate FX fee Total amount
Amazon.com Inc/US0231351067 Buy 1.5 2023-09-12 14:31:02 UTC USD 142.20 USD 213.30 0.9312 EUR 0.30 EUR 198.92
Settlement date 2023-09-14
Execution venue: OTC
""",
        "BUY", "2023-09-12", "1.5", "198.92", "EUR", "US0231351067",
    ),
    Note(
        "English, an American house's purchase",
        """Sequoia Investment Services
TRADE CONFIRMATION
Account Number: XXXX-1234
Account Type: Cash
You Bought
Security Description: MICROSOFT CORP
Symbol: MSFT  CUSIP: 594918104  ISIN US5949181045
Trade Date: 08/03/22   Settlement Date: 08/05/22
Quantity: 4
Price: $278.0125
Principal: $1,112.05
Commission: $0.00
Transaction Fee: $0.00
Net Amount: $1,112.05
""",
        "BUY", "2022-08-03", "4", "1112.05", "USD", "US5949181045",
    ),
    Note(
        "Spanish, a fund subscribed to",
        """Entidad Gestora del Sur
Confirmación de operación
Titular: JUAN ESPAÑOL
Operación: Suscripción de participaciones
Fondo: Sur Renta Variable Global FI
ISIN: ES0138930038
Fecha de solicitud: 10/01/2023
Fecha de valor liquidativo: 11/01/2023
Valor liquidativo: 14,257310
Nº de participaciones: 70,139430
Importe bruto: 1.000,00 EUR
Comisión: 0,00 EUR
Importe neto: 1.000,00 EUR
""",
        "BUY", "2023-01-11", "70.13943", "1000.00", "EUR", "ES0138930038",
    ),
    Note(
        "Danish, a trade note",
        """Øresunds Netbank
Handelsnota
Depot 1234567890
Notanr. 00012345
Vi har for Deres regning
KØBT
Novo Nordisk B
ISIN: DK0060534915
Handelsdag 22.08.2022 Valørdag 24.08.2022
Antal 15 stk.
Kurs 785,40
Kursværdi 11.781,00 DKK
Kurtage 29,00 DKK
Beløb i alt til Deres debet 11.810,00 DKK
""",
        "BUY", "2022-08-22", "15", "11810.00", "DKK", "DK0060534915",
    ),
    Note(
        "Swedish, a fund bought monthly",
        """Sparbanken Småland
Fondorder - avräkningsnota
Köp av fondandelar
Fond Global Indexnära
ISIN SE0005993011
Avslutsdag 2022-03-28
Antal andelar 2,3714
Kurs 421,69 SEK
Belopp 1 000,00 SEK
Avgift 0,00 SEK
Att betala 1 000,00 SEK
Likviddag 2022-03-30
""",
        "BUY", "2022-03-28", "2.3714", "1000.00", "SEK", "SE0005993011",
    ),
    Note(
        "German, coins on an app",
        """Abrechnung Kryptohandel
Coinhaus Digital GmbH
Kunde 4711
Beleg-Nr. KR-2021-0099
Verkauf Bitcoin (BTC)
Ausgeführt am 19.04.2021 22:14 Uhr
Menge 0,01250000 BTC
Kurs 46.720,00 EUR/BTC
Gegenwert 584,00 EUR
Gebühr (1,0 %) 5,84 EUR
Auszahlung 578,16 EUR
""",
        "SELL", "2021-04-19", "0.0125", "578.16", "EUR", None,
    ),
    Note(
        "German, a bond in dollars with accrued interest",
        """Bankhaus Elbtal KGaA
Wertpapierabrechnung
Kauf von Anleihen
Auftrag vom 05.07.2021
Nominal USD 5.000,00
3,125% Bundesrep. Muster 15.05.2029
ISIN US912810QX90
Schlusstag 06.07.2021
Kurs 104,20 %
Kurswert USD 5.210,00
Stückzinsen für 54 Tage USD 23,12
Provision USD 26,05
Zwischensumme USD 5.259,17
Umrechnungskurs EUR/USD 1,1855
Belastung Konto 4711 Valuta 08.07.2021 EUR 4.436,25
""",
        "BUY", "2021-07-06", "50", "4436.25", "EUR", "US912810QX90",
    ),
    Note(
        "German, the order repeated beside its execution",
        """Filialbank Ruhr
Ihre Wertpapierorder wurde ausgeführt
Auftragsdaten
Auftragsart Kauf
Auftragserteilung 10.01.2023 21:45
Limit 45,00 EUR
Stück 40
Gültig bis 31.01.2023
Ausführungsdaten
Deutsche Post AG Namens-Aktien
WKN 555200 ISIN DE0005552004
Ausgeführt 11.01.2023 09:00:12 Xetra
Ausgeführte Stück 40
Ausführungskurs 38,615 EUR
Abrechnung
Kurswert 1.544,60 EUR
Orderentgelt 9,95 EUR
Börsenplatzentgelt 1,50 EUR
Gesamtbetrag 1.556,05 EUR
Wertstellung 13.01.2023
""",
        "BUY", "2023-01-11", "40", "1556.05", "EUR", "DE0005552004",
    ),
    Note(
        "Polish, a table of one",
        """Dom Maklerski Wisła
Potwierdzenie zawarcia transakcji
Rachunek 1234-5678
Papier ISIN K/S Data transakcji Liczba Kurs Wartość Prowizja Rozliczenie
CDPROJEKT PLOPTTC00011 K 2022-05-11 12 108,50 1 302,00 5,00 2022-05-13
Razem do zapłaty 1 307,00 PLN
""",
        "BUY", "2022-05-11", "12", "1307.00", "PLN", "PLOPTTC00011",
    ),
]  # fmt: skip

SECOND = [
    Note(
        "German, a certificate falls due",
        """Volksbank Muldental eG
Depotservice
Herrn Max Muster Datum 20.12.2021
Depot-Nr. 4000123456
Einlösung bei Gesamtfälligkeit
Nominale Wertpapierbezeichnung ISIN (WKN)
Stück 20 EXPRESS-ZERTIFIKAT 21 DE000DK0W9A1 (DK0W9A)
AUF EURO STOXX 50
Zahlbarkeitstag 17.12.2021 Einlösungskurs 1.000,00 EUR
Fälligkeitstag 17.12.2021
Kurswert 20.000,00+ EUR
Kapitalertragsteuer 25 % auf 400,00 EUR 100,00- EUR
Solidaritätszuschlag 5,5 % auf 100,00 EUR 5,50- EUR
Ausmachender Betrag 19.894,50+ EUR
Den Gegenwert buchen wir mit Valuta 17.12.2021 zu Gunsten des Kontos 1234567890
""",
        "SELL", "2021-12-17", "20", "19894.50", "EUR", "DE000DK0W9A1",
    ),
    Note(
        "German, a warrant settled for its residual value",
        """Onlinebroker Spree AG
Mitteilung über die Ausbuchung von Optionsscheinen
Depot 99887766
Wir haben Ihrem Depot im Zusammenhang mit einem Knock-out-Ereignis folgende Wertpapiere entnommen:
Stück 1.500 WKN: PH3Q9V ISIN: DE000PH3Q9V0
BNP Paribas Em.-u.Handelsg.mbH TurboL O.End Linde
Barausgleich 0,001 EUR pro Stück
Bruttobetrag 1,50 EUR
Gutschrift auf Konto 99887766 mit Valuta 04.03.2022 1,50 EUR
""",
        "SELL", "2022-03-04", "1500", "1.50", "EUR", "DE000PH3Q9V0",
    ),
    Note(
        "German, a fraction sold after a swap",
        """Wertpapierbank Weser
Kapitalmaßnahme
Verkauf von Teilrechten / Spitzenregulierung
Depotnummer 123 456 789
Wir haben die sich aus der Kapitalmaßnahme ergebende Spitze für Sie veräußert.
ISIN NL0011821202 ING Groep N.V.
Stück 0,5
Schlusstag 16.05.2022
Abrechnungskurs 9,48 EUR
Kurswert 4,74 EUR
Valuta 18.05.2022
Betrag zu Ihren Gunsten 4,74 EUR
""",
        "SELL", "2022-05-16", "0.5", "4.74", "EUR", "NL0011821202",
    ),
    Note(
        "German, an offer for shares taken up",
        """Sparinstitut Fulda
Abfindung / Squeeze-Out
Depotkonto-Nr. 55443322
STORAGE VON BARABFINDUNG
Wertpapier OSRAM LICHT AG
ISIN DE000LED4000
Bestand 44 Stück
Barabfindung je Stück EUR 52,30
Bruttobetrag EUR 2.301,20
Abrechnungstag 15.06.2023
Der Betrag wird Ihrem Konto mit Wertstellung 15.06.2023 gutgeschrieben
Gutschriftsbetrag EUR 2.301,20
""",
        "SELL", "2023-06-15", "44", "2301.20", "EUR", "DE000LED4000",
    ),
    Note(
        "German, a robo's monthly purchase among its terms",
        """RoboInvest Vermögensverwaltung
Abrechnung Ihrer Anlage
Kundin: Erika Muster Kundennummer: 10023
Portfolio: Ausgewogen 60
In Ausführung Ihres Mandats haben wir am 11.08.2023 folgende Transaktion getätigt:
Transaktionsart: Kauf
Instrument: Xtrackers MSCI Emerging Markets UCITS ETF 1C
ISIN: IE00BTJRMP35
Stücke/Anteile: 4,2517
Handelspreis: EUR 46,325
Handelswert: EUR 196,96
Ordergebühren: EUR 0,00
Summe: EUR 196,96
Handelsdatum: 11.08.2023
Abwicklungsdatum: 15.08.2023
Bitte prüfen Sie diese Abrechnung. Einwendungen sind unverzüglich zu erheben.
Die Wertentwicklung der Vergangenheit ist kein verlässlicher Indikator.
""",
        "BUY", "2023-08-11", "4.2517", "196.96", "EUR", "IE00BTJRMP35",
    ),
    Note(
        "German, distribution put back into the fund",
        """Kapitalverwaltung Isartor
Wiederanlage der Ausschüttung
Depotnummer 7001002003
Fonds Isartor Rendite Plus
ISIN DE0009750117
Abrechnungsdatum 16.11.2020
Ausschüttung je Anteil 0,85 EUR
Anteilsbestand 210,114
Ausschüttungsbetrag brutto 178,60 EUR
Wiederanlagebetrag 178,60 EUR
Wiederanlagepreis 57,43 EUR
Gutgeschriebene Anteile 3,110
Neuer Bestand 213,224 Anteile
""",
        "BUY", "2020-11-16", "3.11", "178.60", "EUR", "DE0009750117",
    ),
    Note(
        "German, labels first and values after",
        """Bankverein Werra
Wertpapierkauf
Geschäftstag
Stück
Kurs
Kurswert
Provision
Fremde Spesen
Belastung
Valuta
05.09.2022
30
EUR 51,24
EUR 1.537,20
EUR 9,95
EUR 1,38
EUR 1.548,53
07.09.2022
BASF SE Namens-Aktien o.N.
WKN BASF11 / ISIN DE000BASF111
""",
        "BUY", "2022-09-05", "30", "1548.53", "EUR", "DE000BASF111",
    ),
    Note(
        "Swiss, a robo's purchase with two currencies",
        """Anlage-App Helvetia AG, Zürich
Transaktionsbeleg
Kunde Nr. 44556
Konto in CHF
Transaktion: Titelkauf
Titel: Vanguard S&P 500 UCITS ETF (IE00B3XXRP09)
Anzahl: 3.5
Preis pro Titel: USD 80.10
Transaktionswert: USD 280.35
Wechselkurs USD/CHF: 0.9217
Wert in CHF: 258.40
Wechselgebühr: CHF 0.52
Stempelsteuer: CHF 0.39
Belasteter Betrag: CHF 259.31
Abschluss: 04.11.2021
Valuta: 08.11.2021
""",
        "BUY", "2021-11-04", "3.5", "259.31", "CHF", "IE00B3XXRP09",
    ),
    Note(
        "Swiss French, a bond redeemed",
        """Banque des Trois Lacs SA
Neuchâtel, le 16 mai 2022
REMBOURSEMENT D'OBLIGATIONS
Dossier 4.567.890
CHF 20'000.00 1.25% OBLIGATIONS VILLE EXEMPLE 2012-2022
ISIN CH0184249990
Remboursement à 100.00 %
Montant brut CHF 20'000.00
Net à votre crédit, valeur 16.05.2022 CHF 20'000.00
Compte 4.567.890.01
""",
        "SELL", "2022-05-16", "200", "20000.00", "CHF", "CH0184249990",
    ),
    Note(
        "Austrian, sold with tax and a total before it",
        """Alpenbank Online AG
Wertpapierverkauf
Auftrags-Nr. 5544332
Depot 12345678
IE00B5BMR087 iShs VII-Core S&P 500 ETF
Schlusstag 14.07.2023 10:02 Xetra
Abgang 8 Stk.
Kurs 441,18 EUR
Kurswert EUR 3.529,44
Spesen EUR -8,95
Zwischensumme EUR 3.520,49
KESt-Basis EUR 412,00
KESt 27,5 % EUR -113,30
Gutschrift EUR 3.407,19
Valuta 18.07.2023
""",
        "SELL", "2023-07-14", "8", "3407.19", "EUR", "IE00B5BMR087",
    ),
    Note(
        "Dutch, an investor's monthly inlay",
        """Indexbeleggen Nederland B.V.
Overzicht inleg
Klantnummer 88123
Periodieke inleg oktober
Inlegdatum 05-10-2022
Handelsdatum 07-10-2022
Fonds: Indexfonds Aandelen Wereldwijd
ISIN: NL0011683594
Inleg: € 300,00
Af: transactiekosten (0,1%): € 0,30
Belegd: € 299,70
Prijs per participatie: € 84,4250
Aantal participaties erbij: 3,5499
""",
        "BUY", "2022-10-07", "3.5499", "300.00", "EUR", "NL0011683594",
    ),
    Note(
        "Dutch, a Belgian slip in a row of figures",
        """Spaarbank Antwerpen NV
Belgiëlei 49-53, 2018 Antwerpen
Effectendossier 979-1234567-89
BORDEREL AANKOOP DEELBEWIJZEN ICB
Datum opmaak: 24/01/2023
Naam ICB ISIN Aantal NIW Instapkosten Totaal
Pensioenfonds Defensief BE6296072246 1,845 53,12 EUR 1,99 EUR 100,00 EUR
Orderdatum 20/01/2023
Datum NIW 23/01/2023
Valutadatum 25/01/2023
Debet rekening BE71 9790 0000 0000 EUR 100,00
""",
        "BUY", "2023-01-23", "1.845", "100.00", "EUR", "BE6296072246",
    ),
    Note(
        "Dutch, a sale in dollars to a euro account",
        """Vermogensbank Den Haag
Verkoopnota
Uw order is uitgevoerd op 21 juni 2022 om 16:45 uur.
Effect: Alphabet Inc. Class A
ISIN: US02079K3059
Verkocht: 2 stuks
Koers: USD 2.240,15
Opbrengst: USD 4.480,30
Omgerekend tegen 1,0542: EUR 4.249,95
Transactiekosten: EUR 15,00
Valutakosten: EUR 10,62
Netto-opbrengst: EUR 4.224,33
Boekingsdatum: 23 juni 2022
""",
        "SELL", "2022-06-21", "2", "4224.33", "EUR", "US02079K3059",
    ),
    Note(
        "Dutch, a trader's list with minus signs behind",
        """Tradehuis Amsterdam
Afschrift geldrekening
Volgnr Datum Omschrijving Bedrag
Transactie-overzicht
Transactienummer 100200
Handelsdag 14-09-2021 Valutadag 16-09-2021
Aankoop PHILIPS KON NL0000009538
Aantal 50
Koers 38,405
Bedrag 1.920,25-
Commissie 7,50-
Te verrekenen 1.927,75-
Saldo na transactie 312,18
""",
        "BUY", "2021-09-14", "50", "1927.75", "EUR", "NL0000009538",
    ),
    Note(
        "French, a broker's bilingual note",
        """Courtier Suisse-Romand
Avis de transaction / Transaction advice
N° 998877
Vente / Sale
Titre / Security: NESTLE SA NOM (CH0038863350)
Quantité / Quantity: 20
Prix / Price: 118.46 CHF
Montant / Amount: 2'369.20 CHF
Courtage / Brokerage: 24.00 CHF
Timbre fédéral / Federal stamp: 1.78 CHF
Bourse / Exchange fee: 2.00 CHF
Total en votre faveur / Total in your favour: 2'341.42 CHF
Date d'exécution / Execution date: 03.06.2022
Date valeur / Value date: 08.06.2022
""",
        "SELL", "2022-06-03", "20", "2341.42", "CHF", "CH0038863350",
    ),
    Note(
        "French, a fund order with an entry fee",
        """CAISSE RÉGIONALE DU CENTRE
Relevé d'opération sur OPCVM
Compte n° 12345678901
SOUSCRIPTION
FR0000989626 CENTRE MONÉTAIRE ISR
Date de valeur liquidative 12/09/2022
VL 1 023,45
Nombre de parts 4,8855
Montant brut 5 000,07 EUR
Droits d'entrée 25,00 EUR
Montant débité 5 025,07 EUR
Date de règlement 14/09/2022
""",
        "BUY", "2022-09-12", "4.8855", "5025.07", "EUR", "FR0000989626",
    ),
    Note(
        "Italian, a fund's periodic payment",
        """FONDI CONSULENZA SGR
Lettera di conferma investimento
PIANO DI ACCUMULO - RATA
Fondo: Consulenza Azionario Globale
ISIN LU0135980968
Data di valorizzazione 08/05/2023
Importo lordo EUR 150,00
Diritti fissi EUR 1,50
Importo netto investito EUR 148,50
Valore quota EUR 22,173
N. quote 6,697
""",
        "BUY", "2023-05-08", "6.697", "150.00", "EUR", "LU0135980968",
    ),
    Note(
        "Italian, shares sold under the administered regime",
        """Banca Lariana
Fissato bollato n. 778899
Operazione del 17/11/2022
Vi abbiamo accreditato per VENDITA TITOLI
n. 300 INTESA SANPAOLO cod. ISIN IT0000072618
al prezzo di 2,1255
controvalore 637,65
commissioni 4,00-
ritenuta capital gain 8,19-
spese 1,50-
netto a vostro credito EUR 623,96
valuta 21/11/2022
""",
        "SELL", "2022-11-17", "300", "623.96", "EUR", "IT0000072618",
    ),
    Note(
        "English, a retirement plan's fund",
        """Clearwater Retirement Services
Transaction confirmation
Plan participant: Jane Doe
Contribution invested 03/15/2023
Fund: US Large Cap Index Fund
ISIN US9229087690
Transaction type: Purchase
Unit price $98.7654
Units 5.0625
Amount $500.00
""",
        "BUY", "2023-03-15", "5.0625", "500.00", "USD", "US9229087690",
    ),
    Note(
        "English, a statement with one buy on it",
        """Maple Direct Investing
Activity statement for May 2022
Account 5A-1234
Opening cash balance 1,250.00 CAD
Trade date Settlement date Activity Description Quantity Price Commission Net amount
05-10-2022 05-12-2022 Buy ROYAL BANK OF CANADA CA7800871021 8 127.450 (4.95) (1,024.55)
Closing cash balance 225.45 CAD
All figures in CAD.
""",
        "BUY", "2022-05-10", "8", "1024.55", "CAD", "CA7800871021",
    ),
    Note(
        "English, shares sold to cover",
        """Equity Plan Services
Sale of shares - advice
Participant 00123
Grant type RSU
Shares sold: 14
Sale price: USD 187.2500
Gross proceeds: USD 2,621.50
Supplemental transaction fee: USD 0.07
Broker commission: USD 12.00
Net proceeds: USD 2,609.43
Sale date: 18-Nov-2022
Settlement date: 22-Nov-2022
ISIN: US0378331005 Apple Inc.
""",
        "SELL", "2022-11-18", "14", "2609.43", "USD", "US0378331005",
    ),
    Note(
        "Spanish, shares with letters and custody notes",
        """BANCO DEL EBRO, S.A.
COMPRA DE VALORES
Fecha operación: 06.02.2023   Fecha liquidación: 08.02.2023
Cuenta de valores: 0049 1500 05 1234567890
Valor: IBERDROLA SA   ISIN: ES0144580Y14
Mercado: SIBE
Títulos: 200   Cambio: 10,585 EUR
Efectivo: 2.117,00 EUR
Corretaje: 6,00 EUR
Cánones: 2,12 EUR
Impuesto s/ transacciones: 4,23 EUR
Total adeudado: 2.129,35 EUR
""",
        "BUY", "2023-02-06", "200", "2129.35", "EUR", "ES0144580Y14",
    ),
    Note(
        "Danish, sold from a custody account in dollars",
        """Vestjysk Investeringsbank
Fondsnota - salg
Dato 12-05-2022
Afregning nr 4455
Salg af 25 stk. Microsoft Corp
ISIN US5949181045
Handelstidspunkt 11-05-2022 15:40
Kurs USD 262,50
Kursværdi USD 6.562,50
Valutakurs 706,20
Kursværdi DKK 46.344,38
Kurtage DKK 69,52
Provenu DKK 46.274,86
Valør 13-05-2022
""",
        "SELL", "2022-05-11", "25", "46274.86", "DKK", "US5949181045",
    ),
    Note(
        "Swedish, a statement of one deal",
        """Internetmäklaren AB
Kontoutdrag
Transaktioner 2022-11-01 - 2022-11-30
Affärsdag Likviddag Typ Värdepapper ISIN Antal Kurs Courtage Belopp Valuta
2022-11-09 2022-11-11 Köp INVESTOR B SE0015811963 40 188,20 15,00 -7 543,00 SEK
""",
        "BUY", "2022-11-09", "40", "7543.00", "SEK", "SE0015811963",
    ),
]  # fmt: skip

THIRD = [
    Note(
        "German, a deposit statement's only movement",
        """Fondsdepotbank Lech
Depotauszug zum 30.09.2021
Depotinhaber: Max Muster
Depot-Nr.: 12 345 678
Umsätze im Zeitraum 01.07.2021 - 30.09.2021
Lech Global Equity A (LU0323577840)
Datum Umsatzart Anteile Preis EUR Betrag EUR
01.07.2021 Anfangsbestand 12,5000
16.08.2021 Kauf 0,8912 112,21 100,00
30.09.2021 Endbestand 13,3912
Bestandswert am 30.09.2021: 1.531,15 EUR
""",
        "BUY", "2021-08-16", "0.8912", "100.00", "EUR", "LU0323577840",
    ),
    Note(
        "German, rights sold",
        """Sparbank Hunte
Bezugsrechtsverkauf
Depot 900123
Wir haben Ihre Bezugsrechte interessewahrend verkauft
DE000A3MQB30 Lufthansa AG Inhaber-Bezugsrechte
Stück 120
Verkaufskurs EUR 2,245
Handelstag 27.09.2021 Börse Frankfurt
Erlös EUR 269,40
Verkaufsprovision EUR 5,00
Gutschrift Valuta 29.09.2021 EUR 264,40
""",
        "SELL", "2021-09-27", "120", "264.40", "EUR", "DE000A3MQB30",
    ),
    Note(
        "German, a subscription allotted",
        """Emissionshaus Saale
Zuteilungsmitteilung
Ihre Zeichnung vom 18.03.2022 wurde wie folgt zugeteilt:
Wertpapier: 4,75 % Windpark Saale Anleihe 2022/2027
WKN A3MQYU ISIN DE000A3MQYU1
Zugeteilter Nennbetrag: EUR 3.000,00
Emissionskurs: 100,00 %
Zahlbetrag: EUR 3.000,00
Zuteilungstag: 25.03.2022
Valuta: 01.04.2022
Der Betrag wird Ihrem Konto belastet.
""",
        "BUY", "2022-03-25", "30", "3000.00", "EUR", "DE000A3MQYU1",
    ),
    Note(
        "German, a bonus bought back as fund units",
        """VL-Fondsservice
Vermögenswirksame Leistungen - Kontoauszug
Kontonummer 555 001 234
Buchungstext Einzahlung VL
Fonds VL Wachstum Europa, WKN 847504, ISIN DE0008475047
Buchungstag 03.02.2020
Kurstag 31.01.2020
Einzahlung EUR 40,00
Ausgabepreis EUR 58,94
Gutschrift Anteile 0,679
Anteile gesamt 61,201
""",
        "BUY", "2020-01-31", "0.679", "40.00", "EUR", "DE0008475047",
    ),
    Note(
        "German, letter-spaced with the amounts at the edge",
        """S p a r k a s s e  M u s t e r s t a d t
Wertpapierabrechnung
V e r k a u f
Nr. 0815 / 4711
Wir haben am 08.02.2019 in Ihrem Auftrag verkauft:
75 St. ALLIANZ SE VNA O.N. DE0008404005
zum Kurs von EUR 184,62 Kurswert EUR 13.846,50
abzüglich Provision EUR 69,23-
abzüglich Börsenentgelt EUR 3,40-
abzüglich Kapitalertragsteuer EUR 120,11-
abzüglich Solidaritätszuschlag EUR 6,60-
Wir überweisen Ihnen mit Wert 12.02.2019 EUR 13.647,16
""",
        "SELL", "2019-02-08", "75", "13647.16", "EUR", "DE0008404005",
    ),
    Note(
        "German, tax paid back below the booking",
        """Depotbank Regnitz
Wertpapierabrechnung Verkauf
Wertpapier Tesla Inc. Registered Shares DL-,001
ISIN US88160R1014
Stück 5
Kurs 231,10 EUR
Handelstag 03.11.2022 Handelszeit 17:32
Kurswert 1.155,50 EUR
Ordergebühr 1,00- EUR
Betrag 1.154,50 EUR
Steuererstattung 22,85 EUR
Kontogutschrift 1.177,35 EUR
Valuta 07.11.2022
""",
        "SELL", "2022-11-03", "5", "1154.50", "EUR", "US88160R1014",
    ),
    Note(
        "German, a swap of one fund into another",
        """Fondsplattform Tauber
Fondstausch - Abrechnung Teil 2: Kauf
Auftragsnummer 778001
Zielfonds: Tauber Multi Asset
ISIN: LU0935227489
Abrechnungstag: 14.03.2023
Anlagebetrag: 2.415,77 EUR
abzgl. Ausgabeaufschlag 0,00 %: 0,00 EUR
Anteilswert: 61,02 EUR
Zugebuchte Anteile: 39,590
""",
        "BUY", "2023-03-14", "39.59", "2415.77", "EUR", "LU0935227489",
    ),
    Note(
        "Swiss, stamp and commission beside the position",
        """Privatbank Limmat AG
Abrechnungsanzeige
Kundennummer 300.123
Geschäft: Börsenkauf
Handelsdatum Valuta Anzahl Titel Kurs Total
09.08.2022 11.08.2022 50 Novartis N (CH0012005267) 80.94 4'047.00
Courtage 40.47
Eidg. Stempel 3.04
Börsengebühr 1.50
Total zu Ihren Lasten CHF 4'092.01
Belastung Konto 300.123.01
""",
        "BUY", "2022-08-09", "50", "4092.01", "CHF", "CH0012005267",
    ),
    Note(
        "Swiss, a fund plan told in one sentence",
        """Bank Säntis
Anlagesparplan
Sehr geehrter Kunde
Wir haben am 05.05.2021 für Ihren Fondssparplan 1.482 Anteile Säntis Strategie 65 (CH0117044948) zum Kurs von CHF 134.95 gekauft.
Investierter Betrag CHF 200.00
Valuta 07.05.2021
""",
        "BUY", "2021-05-05", "1.482", "200.00", "CHF", "CH0117044948",
    ),
    Note(
        "Austrian, a confirmation of a paid plan",
        """Kapitalanlagegesellschaft Mur
Bestätigung über den Ankauf von Fondsanteilen
Ansparplan Nr. 4455
ISIN AT0000801014 Mur Mix
Einzahlung am 02.09.2022 EUR 80,00
Rechenwert + Ausgabeaufschlag EUR 13,17
Rechenwertdatum 05.09.2022
Angekaufte Anteile 6,074
""",
        "BUY", "2022-09-05", "6.074", "80.00", "EUR", "AT0000801014",
    ),
    Note(
        "Dutch, a private bank's purchase note",
        """Bankiershuis Wassenaar N.V.
AANKOOPNOTA
Rekening 22.33.44.555
Nota nr. 2023/00182
Hierbij bevestigen wij u de volgende aankoop in opdracht en voor uw rekening:
Nominaal/aantal: 60
Fonds: UNILEVER PLC  ISIN: GB00B10RZP78
Koers: 46,785 EUR
Effectieve waarde EUR 2.807,10
Provisie EUR 14,04
Kosten correspondent EUR 2,50
U wordt belast voor EUR 2.823,64
Transactiedatum 06-03-2023 Tijdstip 14:08:51
Afwikkelingsdatum 08-03-2023
""",
        "BUY", "2023-03-06", "60", "2823.64", "EUR", "GB00B10RZP78",
    ),
    Note(
        "Dutch, sold through an app, in a receipt",
        """Kassabon belegging
Verkoop ASML
Ordernummer AB-4711
Uitvoering: wo 12 okt. 2022, 15:31
Fractie: 0,2500 aandeel
Prijs: € 402,30
Opbrengst: € 100,58
Kosten: € 0,99
Ontvangen op je rekening: € 99,59
ISIN: NL0010273215
""",
        "SELL", "2022-10-12", "0.25", "99.59", "EUR", "NL0010273215",
    ),
    Note(
        "Dutch, a Belgian bank's fund sold",
        """Kredietbank Leuven
Bevestiging van uw verrichting
Type verrichting: Terugkoop
Fonds: Leuven Equity Fund Cap
ISIN-code: BE0126164888
Verrichtingsdatum: 14/06/2022
Netto-inventariswaarde (NIW): 812,44 EUR
Aantal rechten van deelneming: 3,000
Brutobedrag: 2.437,32 EUR
Beurstaks (1,32%): 32,17 EUR
Nettobedrag in het voordeel van uw rekening: 2.405,15 EUR
Valutadatum: 16/06/2022
""",
        "SELL", "2022-06-14", "3", "2405.15", "EUR", "BE0126164888",
    ),
    Note(
        "Dutch, a note whose words run in capitals",
        """EFFECTENBANK MAAS
AFREKENING AANKOOP EFFECTEN
DATUM AFREKENING 17/02/2021
WIJ HEBBEN VOOR UW REKENING AANGEKOCHT :
OP EURONEXT BRUSSEL DE DATO 16/02/2021 - 11:05
40 AANDELEN UCB (BE0003739530)
TEGEN 84,50 EUR
BRUTO 3.380,00 EUR
MAKELAARSLOON 16,90 EUR
T.O.B. 11,83 EUR
UW DEBET 3.408,73 EUR
VALUTA 18/02/2021
""",
        "BUY", "2021-02-16", "40", "3408.73", "EUR", "BE0003739530",
    ),
    Note(
        "French, a life policy's switch, units bought",
        """Assurance-vie Horizon
Confirmation d'arbitrage
Contrat n° 123456
Désinvestissement : Fonds Euros 1 500,00 €
Investissement
Support : Horizon Techno (LU0171310443)
Date de valeur : 21/03/2022
Montant investi : 1 500,00 €
Valeur liquidative : 61,8700 €
Nombre d'unités de compte : 24,2444
""",
        "BUY", "2022-03-21", "24.2444", "1500.00", "EUR", "LU0171310443",
    ),
    Note(
        "French, a broker's note with a foreign rate",
        """PARQUET DIRECT
Avis d'opéré du 16/08/2022
Compte n° 88990
VENTE AU COMPTANT  NASDAQ
8 NVIDIA CORP  US67066G1040
Cours exécuté 190,32 USD le 15/08/2022 à 16:04
Montant brut 1 522,56 USD
Parité EUR/USD 1,0165
Contre-valeur 1 497,84 EUR
Courtage 8,95 EUR
Commission de change 1,50 EUR
Net crédité au compte 1 487,39 EUR
Date de dénouement 17/08/2022
""",
        "SELL", "2022-08-15", "8", "1487.39", "EUR", "US67066G1040",
    ),
    Note(
        "Italian, a list of one with letters for the side",
        """SIM Trading Online
Estratto ordini eseguiti del 12/06/2023
Titolo ISIN Segno Qta Prezzo Controvalore Commissioni Totale Divisa
FERRARI NL0011585146 A 5 279,40 1.397,00 2,95 1.399,95 EUR
A = acquisto, V = vendita
Valuta 14/06/2023
""",
        "BUY", "2023-06-12", "5", "1399.95", "EUR", "NL0011585146",
    ),
    Note(
        "Italian, a subscription at a post office",
        """Sportello Risparmio
Ricevuta di sottoscrizione
BUONI DEL TESORO BTP ITALIA 22/11/2028
ISIN IT0005517195
Data prenotazione 15/11/2022
Data regolamento 22/11/2022
Taglio sottoscritto 4.000,00 EUR
Prezzo di emissione 100,00
Importo addebitato 4.000,00 EUR
""",
        "BUY", "2022-11-15", "40", "4000.00", "EUR", "IT0005517195",
    ),
    Note(
        "English, an Irish broker's crest transfer of a purchase",
        """Claddagh Stockbrokers
BOUGHT NOTE
Bargain reference B0099
Bargain date 21/04/2022 10:44
Settlement date 25/04/2022
We have bought for you as agent
2,000 BANK OF IRELAND GROUP PLC ORD EUR1  IE00BD1RP616
at EUR 6.105
Consideration EUR 12,210.00
Commission EUR 61.05
Stamp duty @ 1% EUR 122.10
Levy EUR 1.25
Total due EUR 12,394.40
""",
        "BUY", "2022-04-21", "2000", "12394.40", "EUR", "IE00BD1RP616",
    ),
    Note(
        "English, a wallet's conversion",
        """Digital Asset Exchange
Order summary
Type Market sell
Pair ETH/EUR
Filled 0.75000000 ETH
Average price 1,612.40 EUR
Subtotal 1,209.30 EUR
Trading fee 3.02 EUR
You received 1,206.28 EUR
Completed 2023-02-14 08:55:10 UTC
""",
        "SELL", "2023-02-14", "0.75", "1206.28", "EUR", None,
    ),
    Note(
        "Spanish, a fund paid back",
        """GESTORA DEL CANTÁBRICO SGIIC
REEMBOLSO DE PARTICIPACIONES
Partícipe 00123456
Fondo CANTÁBRICO BOLSA FI  ISIN ES0114105036
Fecha operación 18/10/2022  Fecha valor 20/10/2022
Participaciones reembolsadas 25,00000
Valor liquidativo 48,9120
Importe bruto 1.222,80
Retención IRPF 21,40
Importe líquido abonado 1.201,40 EUR
""",
        "SELL", "2022-10-18", "25", "1201.40", "EUR", "ES0114105036",
    ),
    Note(
        "Danish, a pension depot's fund",
        """Pensionsbanken
Handelsbekræftelse
Vi bekræfter hermed følgende handel:
Handelstype Køb
Værdipapir Globale Aktier Indeks
Fondskode DK0060118610
Stykker 21
Handelskurs 142,35
Handelsdato 03-03-2022 Afregningsdato 07-03-2022
Handelsbeløb 2.989,35
Gebyr 0,00
Afregningsbeløb DKK 2.989,35
""",
        "BUY", "2022-03-03", "21", "2989.35", "DKK", "DK0060118610",
    ),
    Note(
        "Swedish, a note with the total in the margin",
        """Skandinaviska Fondkommissionen
AVRÄKNINGSNOTA  Sälj
Depå 77-123
Er försäljning har genomförts
Värdepapper: VOLVO B  ISIN: SE0000115446
Affärsdag: 2021-12-06  Likviddag: 2021-12-08
Antal: 150  Kurs: 198,16
Likvidbelopp före avgifter: 29 724,00
Courtage: 26,75
Att erhålla SEK 29 697,25
""",
        "SELL", "2021-12-06", "150", "29697.25", "SEK", "SE0000115446",
    ),
    Note(
        "Portuguese, shares bought, charges with tax on them",
        """Banco Atlântico Online
Nota de execução de ordem
Operação: Compra
Título: GALP ENERGIA  ISIN: PTGAL0AM0009
Data da operação: 07/02/2023 11:21
Data de liquidação: 09/02/2023
Quantidade: 150
Preço: 12,045 EUR
Valor bruto: 1.806,75 EUR
Comissão de corretagem: 6,95 EUR
Imposto do selo: 0,28 EUR
Valor líquido a débito: 1.813,98 EUR
""",
        "BUY", "2023-02-07", "150", "1813.98", "EUR", "PTGAL0AM0009",
    ),
]  # fmt: skip

FOURTH = [
    Note(
        "German, a bank for doctors with a long tail of tax",
        """Heilberufebank eG Seite 1/2
Postfach 10 16 41 40007 Düsseldorf
Depotnummer 0001234567
Kundennummer 1234567
Auftragsnummer 554433/01.00
Datum 11.05.2023
Rechnungsnummer W00123-0000012345/23
Wertpapier Abrechnung Verkauf
Nominale Wertpapierbezeichnung ISIN (WKN)
Stück 250 MUENCHENER RUECKVERS.-GES. AG DE0008430026 (843002)
VINK.NAMENS-AKTIEN O.N.
Handels-/Ausführungsplatz XETRA (gemäß Weisung)
Order vom 09.05.2023 Limit 330,00 EUR
Schlusstag/-Zeit 10.05.2023 09:04:13 Auftragserteilung/ -ort Online-Banking
Ausführungskurs 336,40 EUR
Girosammelverw. mehrere Sammelurkunden - kein Stückeausdruck -
Kurswert 84.100,00 EUR
Provision 0,10 % vom Kurswert 84,10- EUR
Transaktionsentgelt Börse 12,21- EUR
Übertragungs-/Liefergebühr 0,14- EUR
Ermittlung steuerrelevante Erträge
Veräußerungsgewinn 21.050,30 EUR
Berechnungsgrundlage für die Kapitalertragsteuer 21.050,30 EUR
Kapitalertragsteuer 24,51 % auf 21.050,30 EUR 5.159,43- EUR
Solidaritätszuschlag 5,5 % auf 5.159,43 EUR 283,76- EUR
Kirchensteuer 8 % auf 5.159,43 EUR 412,75- EUR
Ausmachender Betrag 78.147,61 EUR
Den Gegenwert buchen wir mit Valuta 12.05.2023 zu Gunsten des Kontos 0001234567
(IBAN DE12 3006 0601 0001 2345 67), BLZ 300 606 01 (BIC DAAEDEDDXXX).
Die Wertpapiere entnehmen wir Ihrem Depotkonto.
Verrechnungssalden - Aktien / Sonstige
Sparer-Pauschbetrag 0,00 EUR
""",
        "SELL", "2023-05-10", "250", "78147.61", "EUR", "DE0008430026",
    ),
    Note(
        "German, a house for managed money, days and money in a grid",
        """Quirinus Privatbank AG · Kurfürstendamm 119 · 10711 Berlin
Depot-Nr. 1234567890
Wertpapierabrechnung
Kauf
Referenz O:000500000:1
Wertpapierbezeichnung Xtr.(IE) - MSCI World Registered Shares 1D o.N.
WKN A1XEY2
ISIN IE00BK1PV551
Nominal/Stück 12,2187 ST
Kurs EUR 61,0105
Handelstag/-zeit 16.04.2019 12:04:53
Erfüllungstag 18.04.2019
Kurswert EUR - 745,47
Abwicklungsgebühren * EUR - 0,74
Ausmachender Betrag EUR - 746,21
Die Buchung erfolgt zu Lasten Konto-Nr. 1234567891
* Die Kosten enthalten 0,12 EUR Umsatzsteuer
""",
        "BUY", "2019-04-16", "12.2187", "746.21", "EUR", "IE00BK1PV551",
    ),
    Note(
        "German, a postal bank's fund order with a discount",
        """Postsparbank Direkt 44131 Dortmund
Abrechnung Investmentfonds
Depot 123 45 67
Kauf von Investmentanteilen
Bezeichnung Templeton Growth (Euro) A (acc)
ISIN LU0114760746 WKN 941034
Anteile 25,612
Ausgabepreis 19,52 EUR
Anlagebetrag brutto 499,95 EUR
darin enthaltener Ausgabeaufschlag 5,25 % 24,94 EUR
Handelstag 04.06.2018
Wertstellung 06.06.2018
Belastung Ihres Kontos 499,95 EUR
""",
        "BUY", "2018-06-04", "25.612", "499.95", "EUR", "LU0114760746",
    ),
    Note(
        "German, coins on a bank's trading desk",
        """Handelsplatz Kryptowerte Süd GmbH
Transaktionsbestätigung
Kontoinhaber Max Muster
Transaktion Kauf
Handelsobjekt Ethereum (ETH)
Nominal 0,3500 ETH
Preis 1.742,80 EUR
Volumen 609,98 EUR
Transaktionsentgelt 1,22 EUR
Gesamt 611,20 EUR
Ausführungszeitpunkt 21.03.2023, 07:14:02
Erfüllung 21.03.2023
""",
        "BUY", "2023-03-21", "0.35", "611.20", "EUR", None,
    ),
    Note(
        "German, a withdrawal plan",
        """Fondshaus Elster
Abrechnung Auszahlplan
Depot 3344556677
DE0009807016 hausInvest
Rücknahmepreis 42,55 EUR Preisdatum 01.12.2021
Verkaufte Anteile 7,051
Auszahlungsbetrag 300,02 EUR
Überweisung auf IBAN DE89370400440532013000 am 03.12.2021
Bestand nach Verkauf 412,338 Anteile
Gegenwert des Bestandes 17.544,98 EUR
""",
        "SELL", "2021-12-01", "7.051", "300.02", "EUR", "DE0009807016",
    ),
    Note(
        "German, shares executed in two parts",
        """Brokerhaus Ilm
Wertpapierabrechnung Kauf
Auftragsnummer 12399
DE0007236101 Siemens AG Namens-Aktien
Teilausführung 1 Stück 30 Kurs 141,20 EUR Kurswert 4.236,00 EUR
Teilausführung 2 Stück 20 Kurs 141,26 EUR Kurswert 2.825,20 EUR
Gesamt Stück 50 Durchschnittskurs 141,224 EUR Kurswert 7.061,20 EUR
Handelstag 02.02.2022
Orderentgelt 4,95 EUR
Fremdspesen 1,50 EUR
Endbetrag zu Ihren Lasten 7.067,65 EUR
Valuta 04.02.2022
""",
        "BUY", "2022-02-02", "50", "7067.65", "EUR", "DE0007236101",
    ),
    Note(
        "Swiss, a sale with a currency account of its own",
        """Bank Finanzplatz AG
Postfach, 8010 Zürich
Wertschriftenabrechnung
Auftrag 445566 vom 02.09.2021
VERKAUF
Anzahl Bezeichnung Valor ISIN
100 Intel Corp 941595 US4581401001
Preis Handelswert
USD 53.69 USD 5'369.00
./. Courtage USD 45.00
./. Eidg. Umsatzabgabe USD 8.05
./. Börsenabgabe USD 0.03
Netto USD 5'315.92
Gutschrift auf Konto USD 123-456.789
Abschluss 02.09.2021, Valuta 07.09.2021
""",
        "SELL", "2021-09-02", "100", "5315.92", "USD", "US4581401001",
    ),
    Note(
        "Austrian, government paper bought direct",
        """Bundesfinanz Direkt
Veranlagungsbestätigung
Konto 77001
Produkt Bundesanleihe 2,90 % 2023-2033
ISIN AT0000A324S8
Nominale EUR 2.500,00
Kurs 98,75 %
Kurswert EUR 2.468,75
Stückzinsen EUR 18,07
Gesamtbetrag EUR 2.486,82
Schlusstag 24.05.2023
Valuta 26.05.2023
""",
        "BUY", "2023-05-24", "25", "2486.82", "EUR", "AT0000A324S8",
    ),
    Note(
        "Dutch, a pension account's purchase",
        """Pensioenbeleggen Nu
Mutatiebevestiging lijfrenterekening
Deelnemersnummer 445566
Datum mutatie 18-11-2022
Soort mutatie Aankoop
Fondsnaam Nu Wereld Aandelen Fonds
ISIN NL0013040330
Aantal stukken 9,4412
Koers per 18-11-2022 EUR 31,7756
Bedrag EUR 300,00
Aankoopkosten EUR 0,00
""",
        "BUY", "2022-11-18", "9.4412", "300.00", "EUR", "NL0013040330",
    ),
    Note(
        "Dutch, values above their labels",
        """Vermogensbeheer Veluwe
Transactiebevestiging
Geachte heer Jansen,
Onderstaand treft u de gegevens aan van de door ons uitgevoerde verkooptransactie.
ISIN NL0000235190 Airbus SE
18 stuks
verkocht tegen EUR 109,44
op 05-05-2022 om 10:22:41 uur via Euronext Parijs
Brutobedrag EUR 1.969,92
Onze kosten EUR 9,85 -
Netto bij te schrijven EUR 1.960,07
Boeking per valuta 09-05-2022
""",
        "SELL", "2022-05-05", "18", "1960.07", "EUR", "NL0000235190",
    ),
    Note(
        "Dutch, a bond bought in Belgium",
        """Beleggersbank Gent
AANKOOP OBLIGATIES
Ref. 88-11-22
Uitvoeringsdatum 08/03/2023
Nominaal bedrag EUR 5.000,00
Effect 2,75% KINGDOM OF BELGIUM 22/04/2039
ISIN BE0000356650
Koers 92,40 %
Bedrag EUR 4.620,00
Verlopen interest (320 dagen) EUR 120,55
Makelaarsloon EUR 12,50
Beurstaks 0,12 % EUR 5,54
Totaal te uwen laste EUR 4.758,59
Valutadatum 10/03/2023
""",
        "BUY", "2023-03-08", "50", "4758.59", "EUR", "BE0000356650",
    ),
    Note(
        "Dutch, an order list from a broker abroad",
        """Handelsplatform Utrecht
Dagoverzicht 21 februari 2023
Rekening U123456
Symbool Datum/Tijd Aantal T. Prijs Opbrengst Comm./Kosten Basis Code
Aandelen EUR
PRX 2023-02-21, 09:31:02 25 72,35 -1.808,75 -3,00 1.811,75 O
Totaal PRX 25 -1.808,75 -3,00 1.811,75
PRX = PROSUS NV, ISIN NL0013654783
""",
        "BUY", "2023-02-21", "25", "1811.75", "EUR", "NL0013654783",
    ),
    Note(
        "Dutch, a crowdfunding note",
        """Obligatiehuis Twente
Bevestiging inschrijving
U heeft ingeschreven op: 6% Zonnepark Twente 2022-2028
ISIN NL0015000XY6
Aantal obligaties 4
Nominale waarde per obligatie EUR 250,00
Totale inleg EUR 1.000,00
Emissiekosten EUR 20,00
Totaal te betalen EUR 1.020,00
Inschrijfdatum 14-06-2022
""",
        "BUY", "2022-06-14", "4", "1020.00", "EUR", "NL0015000XY6",
    ),
    Note(
        "French, a bank of the east, a table with a foreign fee",
        """BANQUE POPULAIRE DES VOSGES
RELEVE D'OPERATION DE BOURSE
Compte titres ordinaire 123 45678 90
Date de l'opération Nature Désignation Quantité Cours Montant
27/01/2023 ACHAT ETRANGER ASML HOLDING NL0010273215 3 612,80 1 838,40
Frais bancaires 12,87
Frais place étrangère 4,60
Montant net débité EUR 1 855,87
Date de valeur 31/01/2023
""",
        "BUY", "2023-01-27", "3", "1855.87", "EUR", "NL0010273215",
    ),
    Note(
        "French, a plan for young savers",
        """Appli Épargne
Confirmation de ton achat programmé
Bonjour Léa,
Ton plan d'investissement a été exécuté le 6 mars 2023.
ETF : Amundi MSCI World (LU1681043599)
Parts achetées : 0,1102
Prix par part : 453,72 €
Montant : 50,00 €
Frais : 0 €
""",
        "BUY", "2023-03-06", "0.1102", "50.00", "EUR", "LU1681043599",
    ),
    Note(
        "Italian, sold with a foreign tax and two totals",
        """Banca Telematica del Po
CONFERMA ESEGUITO VENDITA
Rif. ordine 0099887 del 13/09/2022
Strumento: STMICROELECTRONICS   ISIN NL0000226223
Mercato: EURONEXT MILAN
Data/ora eseguito: 13/09/2022 15:20:31
Quantità eseguita: 80
Prezzo medio: 34,1050 EUR
Controvalore: 2.728,40 EUR
Commissioni: 5,18 EUR
Totale operazione: 2.723,22 EUR
Imposta sostitutiva 26%: 61,40 EUR
Netto accreditato: 2.661,82 EUR
Data valuta: 15/09/2022
""",
        "SELL", "2022-09-13", "80", "2661.82", "EUR", "NL0000226223",
    ),
    Note(
        "English, a platform's note in pounds for a dollar share",
        """Pennine Investments
Contract Note - Sale
Trade reference PN-77120
Date and time of transaction 09/11/2022 15:02:10 GMT
Settlement date 11/11/2022
Security Alphabet Inc Class C
ISIN US02079K1079
Number of shares 12.0000
Price per share $87.32
Gross value $1,047.84
Exchange rate 1.1392
Value in GBP £919.80
Dealing charge £3.99
FX charge £9.20
Net proceeds £906.61
""",
        "SELL", "2022-11-09", "12", "906.61", "GBP", "US02079K1079",
    ),
    Note(
        "English, dividend shares bought",
        """Registrars of Thames plc
Dividend Reinvestment Plan - advice
Shareholder reference 0012345678
Payment date 28 September 2022
Dividend available for investment £84.10
Number of shares purchased 17
Price per share paid 486.20p
Cost of shares £82.65
Dealing commission £0.62
Stamp duty £0.42
Total cost £83.69
Trade date 29 September 2022
Cash carried forward £0.41
ISIN GB0031348658
""",
        "BUY", "2022-09-29", "17", "83.69", "GBP", "GB0031348658",
    ),
    Note(
        "English, a Singapore broker's line",
        """Straits Securities Pte Ltd
CONTRACT NOTE
Account 01-2345678
Contract no. B220714001
Trade Date 14 Jul 2022  Due Date 18 Jul 2022
Market SGX  Currency SGD
BUY  DBS GROUP HOLDINGS LTD  ISIN SG1L01001701
Quantity 200  Price 30.480  Gross 6,096.00
Brokerage 25.00
Clearing fee 1.98
Trading access fee 0.46
GST 7% 1.92
Net amount due 6,125.36
""",
        "BUY", "2022-07-14", "200", "6125.36", "SGD", "SG1L01001701",
    ),
    Note(
        "Spanish, a broker's app abroad",
        """Bróker Meseta
Resumen de ejecución
Orden 55667 ejecutada
Venta de 15 acciones de APPLE INC (US0378331005)
Fecha y hora: 30/01/2023 16:31:20
Precio medio: 143,20 USD
Importe: 2.148,00 USD
Tipo de cambio: 1,0868
Importe en EUR: 1.976,44 EUR
Comisión: 6,50 EUR
Comisión de cambio: 4,94 EUR
Neto abonado en cuenta: 1.965,00 EUR
Fecha valor: 01/02/2023
""",
        "SELL", "2023-01-30", "15", "1965.00", "EUR", "US0378331005",
    ),
    Note(
        "Norwegian, a fund order in an app",
        """Fjordbanken Sparing
Ordrebekreftelse fond
Du har solgt andeler i Fjord Indeks Global
ISIN NO0010582984
Handelsdato 12.10.2022
Antall andeler 4,2750
Kurs 2 339,18
Beløp NOK 10 000,00
Oppgjør 14.10.2022
""",
        "SELL", "2022-10-12", "4.275", "10000.00", "NOK", "NO0010582984",
    ),
    Note(
        "Finnish, a purchase with fee",
        """Lounaispankki
Arvopaperikaupan vahvistus
Toimeksianto: Osto
Arvopaperi: Sampo Oyj A
ISIN: FI0009003305
Kauppapäivä: 03.04.2023
Selvityspäivä: 05.04.2023
Määrä: 40
Hinta: 43,51 EUR
Kauppahinta: 1 740,40 EUR
Palkkio: 7,00 EUR
Maksettava yhteensä: 1 747,40 EUR
""",
        "BUY", "2023-04-03", "40", "1747.40", "EUR", "FI0009003305",
    ),
    Note(
        "Czech, a sale in crowns",
        """Makléřský dům Morava
Potvrzení o obchodu
Druh obchodu: Prodej
Cenný papír: ČEZ, a.s.
ISIN: CZ0005112300
Datum obchodu: 17.01.2023
Datum vypořádání: 19.01.2023
Počet kusů: 30
Cena za kus: 868,50 CZK
Objem obchodu: 26 055,00 CZK
Poplatek: 91,19 CZK
K výplatě: 25 963,81 CZK
""",
        "SELL", "2023-01-17", "30", "25963.81", "CZK", "CZ0005112300",
    ),
    Note(
        "Polish, a fund's units",
        """Towarzystwo Funduszy Odra
Potwierdzenie realizacji zlecenia
Rodzaj: Nabycie jednostek uczestnictwa
Fundusz: Odra Obligacji Krótkoterminowych
ISIN: PLARKFI00019
Data wyceny: 21.02.2023
Cena jednostki: 152,34 PLN
Liczba jednostek: 6,564
Kwota wpłaty: 1 000,00 PLN
Opłata manipulacyjna: 0,00 PLN
""",
        "BUY", "2023-02-21", "6.564", "1000.00", "PLN", "PLARKFI00019",
    ),
]  # fmt: skip

FIFTH = [
    Note(
        "German, figures before their words",
        """Vermögensbank Oder
Abrechnung Kauf
12 Stück
Henkel AG & Co. KGaA Vorzugsaktien DE0006048432
64,82 EUR Ausführungskurs
777,84 EUR Kurswert
8,90 EUR Entgelt
786,74 EUR Belastung Ihres Kontos
06.10.2021 Ausführung
08.10.2021 Wertstellung
""",
        "BUY", "2021-10-06", "12", "786.74", "EUR", "DE0006048432",
    ),
    Note(
        "Dutch, amounts at the head of each line",
        """Bank der Lage Landen
Uw verkoop is verwerkt
Heineken NV, ISIN NL0000009165
35 stuks
EUR 91,46 koers
EUR 3.201,10 bruto bedrag
EUR 12,00 provisie
EUR 3.189,10 netto te ontvangen
Handelsdatum 19-07-2022, valuta 21-07-2022
""",
        "SELL", "2022-07-19", "35", "3189.10", "EUR", "NL0000009165",
    ),
    Note(
        "Dutch, a table whose fee has no total",
        """Effectenhuis Noord
Transactieoverzicht mei 2023
Datum Fonds ISIN A/V Aantal Koers Kosten Totaal
11-05-2023 SHELL PLC GB00BP6MXD84 A 60 27,415 5,00 1.649,90
Bedragen in EUR. A = aankoop, V = verkoop
""",
        "BUY", "2023-05-11", "60", "1649.90", "EUR", "GB00BP6MXD84",
    ),
    Note(
        "German, sold at a loss with taxes given back in the sum",
        """Sparbank Jade
Verkaufsabrechnung
PayPal Holdings Inc. Reg. Shares DL -,0001
ISIN US70450Y1038 WKN A14R7U
Handelstag: 16.02.2022
Valuta: 18.02.2022
Stück: 8
Kurs: 96,40 EUR
Kurswert: 771,20 EUR
Gebühren: 9,99 EUR
Erstattete Kapitalertragsteuer: 41,20 EUR
Erstatteter Solidaritätszuschlag: 2,27 EUR
Gutschrift: 804,68 EUR
""",
        "SELL", "2022-02-16", "8", "761.21", "EUR", "US70450Y1038",
    ),
    Note(
        "French, labels below their figures",
        """Courtage Atlantique
ORDRE EXÉCUTÉ - VENTE
SANOFI FR0000120578
17/05/2022
Date d'exécution
22
Quantité
101,34 EUR
Cours
2 229,48 EUR
Montant brut
4,35 EUR
Courtage
2 225,13 EUR
Montant net
19/05/2022
Date de règlement
""",
        "SELL", "2022-05-17", "22", "2225.13", "EUR", "FR0000120578",
    ),
    Note(
        "English, a row whose value is left out",
        """Great Lakes Brokerage
Transaction confirmation
Type Symbol ISIN Trade date Settle date Shares Price Commission Amount due
BUY KO US1912161007 09/12/2022 09/14/2022 15 60.1200 1.00 902.80
All amounts in USD
""",
        "BUY", "2022-09-12", "15", "902.80", "USD", "US1912161007",
    ),
    Note(
        "Italian, a note that says it in one line",
        """Banca dei Laghi
Eseguito del 22/03/2023: ACQUISTO 120 ENI IT0003132476 a 12,986 EUR
Controvalore 1.558,32 - Commissioni 9,95 - Tobin tax 1,56
Totale addebitato 1.569,83 EUR valuta 24/03/2023
""",
        "BUY", "2023-03-22", "120", "1569.83", "EUR", "IT0003132476",
    ),
    Note(
        "Swiss, a bond repaid with its last coupon",
        """Bank Rütli AG
Titelrückzahlung
Depot 12.345
CHF 10'000.00 0.75% Anleihe Musterkanton 2015-2023
ISIN CH0269885908
Rückzahlung zu 100.00 %
Rückzahlungsbetrag CHF 10'000.00
Gutschrift CHF 10'000.00 Valuta 03.02.2023
""",
        "SELL", "2023-02-03", "100", "10000.00", "CHF", "CH0269885908",
    ),
    Note(
        "Swedish, thousands with blanks in a row",
        """Nordhandel Bank
Avräkningsnota köp
Värdepapper ISIN Antal Kurs Belopp Courtage
ERICSSON B SE0000108656 400 61,52 24 608,00 49,00
Att betala 24 657,00 SEK
Affärsdag 2022-12-01 Likviddag 2022-12-05
""",
        "BUY", "2022-12-01", "400", "24657.00", "SEK", "SE0000108656",
    ),
    Note(
        "Spanish, a fund plan by the month",
        """Inversión Mensual SGIIC
Aportación periódica ejecutada
Fondo Índice Mundial  ISIN LU0996182563
Fecha de ejecución 06/06/2023
Participaciones adquiridas 0,4381
Valor liquidativo aplicado 228,26 EUR
Importe de la aportación 100,00 EUR
Participaciones tras la operación 12,0042
""",
        "BUY", "2023-06-06", "0.4381", "100.00", "EUR", "LU0996182563",
    ),
    Note(
        "Danish, a sale with tax withheld",
        """Aarhus Netbank
Salgsnota
Papir: DSV A/S DK0060079531
Handelsdato: 09.11.2022 kl. 10:31
Antal: 12
Kurs: 1.012,50 DKK
Kursværdi: 12.150,00 DKK
Kurtage: 29,00 DKK
Afregningsbeløb: 12.121,00 DKK
Valørdato: 11.11.2022
""",
        "SELL", "2022-11-09", "12", "12121.00", "DKK", "DK0060079531",
    ),
    Note(
        "German, a plan whose units follow from what is left after the load",
        """Investmentbank Ostsee
Sparplanabrechnung
Fonds Ostsee Balance ISIN DE0008486465
Sparrate 150,00 EUR
Ausgabeaufschlag 3,00 % 4,37 EUR
Anlagebetrag 145,63 EUR
Anteilwert am 15.07.2022 88,41 EUR
Gekaufte Anteile 1,6472
""",
        "BUY", "2022-07-15", "1.6472", "150.00", "EUR", "DE0008486465",
    ),
]  # fmt: skip
