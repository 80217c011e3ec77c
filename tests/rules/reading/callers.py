"""Notes of brokers that do not exist, in letters and with many days: ordered, dealt, booked, settled, written."""

from __future__ import annotations

from rules.reading.notes import Note

CALLERS = [
    Note(
        "Spanish, three days on one line",
        """Casa de Valores Pirineos, S.V., S.A.
Paseo de la Habana 74, 28036 Madrid
Extracto de operación de renta variable
Titular: María Lozano Peña
Cuenta de valores: 0071 2233 55
Operación: COMPRA DE VALORES
Fecha de la orden: 13/03/2024 Fecha de contratación: 14/03/2024 Fecha de liquidación: 18/03/2024
Mercado: BME (XMAD)
Valor ISIN Títulos Cambio Efectivo
BANCO SANTANDER ES0113900J37 500 4,2150 2.107,50
Comisión de la entidad 6,00
Cánones de bolsa 0,63
Impuesto sobre transacciones financieras (0,2%) 4,22
Importe líquido de la operación 2.118,35
Con cargo a su cuenta 0071 2233 55 con fecha valor 18/03/2024
Divisa de la cuenta: EUR
""",
        "BUY", "2024-03-14", "500", "2118.35", "EUR", "ES0113900J37",
    ),
    Note(
        "Spanish, a letter that tells the day before the verb",
        """Banco Tramontana
AVISO DE OPERACIÓN DE BOLSA
Palma, 6 de octubre de 2023
Estimado cliente:
Le informamos de que, siguiendo sus instrucciones, el día 5 de octubre de 2023 hemos vendido
por su cuenta en la Bolsa de Madrid 200 acciones de ARCELORMITTAL (ISIN LU1598757687) al precio de 22,6100 euros.
Importe efectivo 4.522,00 EUR
Comisión 8,40 EUR
Gastos de la bolsa 1,20 EUR
Importe neto abonado 4.512,40 EUR
El abono se ha realizado con valor 09/10/2023 en su cuenta ES12 0081 0111 2222 3333 4444.
""",
        "SELL", "2023-10-05", "200", "4512.40", "EUR", "LU1598757687",
    ),
    Note(
        "Spanish, labels above their values",
        """Confirmación de la operación
Broker: Levante Inversión SAU
Nº de operación: 99812-24
Tipo
Compra
Producto
iShares Core MSCI World UCITS ETF
ISIN
IE00B4L5Y983
Recepción de la orden
20/05/2024 18:40
Ejecución
21/05/2024 09:02
Participaciones
12
Precio
91,73 EUR
Subtotal
1.100,76 EUR
Comisiones
3,01 EUR
Total cargado en cuenta
1.103,77 EUR
Liquidación
23/05/2024
""",
        "BUY", "2024-05-21", "12", "1103.77", "EUR", "IE00B4L5Y983",
    ),
    Note(
        "Dutch, a letter, the order's day below",
        """Bank Waterland N.V.
Postbus 100, 1440 AB Purmerend
Datum 12-04-2024
Afschrift effectentransactie
Geachte heer De Wit,
Wij hebben op 11-04-2024 om 14:22 uur voor u verkocht:
150 ING GROEP N.V. ISIN NL0011821202
tegen een koers van EUR 15,114
Bedrag EUR 2.267,10
Transactiekosten EUR 8,00
Bij te schrijven op uw rekening EUR 2.259,10
Valutadatum 15-04-2024
Uw opdracht is op 10-04-2024 door ons ontvangen.
""",
        "SELL", "2024-04-11", "150", "2259.10", "EUR", "NL0011821202",
    ),
    Note(
        "Dutch, four days, each with its own name",
        """Effectennota
Zeeuws Beleggen
Rekeningnummer 5501.22.331
Notanummer 778812
Opdrachtsoort: Koop
Fonds: iShares Core S&P 500 UCITS ETF
ISIN-code: IE00B5BMR087
Opdracht ingelegd: 08-05-2023 21:10
Verwerkingsdatum: 10-05-2023
Transactiedatum: 09-05-2023
Aantal: 5 stuks à EUR 421,088
Effectieve waarde EUR 2.105,44
Kosten EUR 4,00
Totaal te betalen EUR 2.109,44
Wij hebben uw rekening op 11-05-2023 gedebiteerd.
""",
        "BUY", "2023-05-09", "5", "2109.44", "EUR", "IE00B5BMR087",
    ),
    Note(
        "Dutch, a letter that tells the order's day and the booking's",
        """TRANSACTIEBEVESTIGING
Uw order van 24 januari 2024 is op 25 januari 2024 om 10.15 uur uitgevoerd op Euronext Parijs.
U kocht 30 Xtrackers II EUR Overnight Rate Swap UCITS ETF, ISIN LU0290358497, voor € 141,56 per stuk.
Orderwaarde € 4.246,80
Orderkosten € 4,00
Totaal € 4.250,80
Op 29 januari 2024 schrijven wij dit bedrag af van uw rekening NL11 BANK 0123 4567 89.
""",
        "BUY", "2024-01-25", "30", "4250.80", "EUR", "LU0290358497",
    ),
    Note(
        "Dutch, a bordereau whose last line settles",
        """BORDEREL VERKOOP
Datum uitgifte: 01/10/2022 Borderelnummer 20221001-55
Effect Aantal Koers Bruto
KBC GROEP BE0003565737 80 50,9200 EUR 4.073,60
Uitgevoerd op 30/09/2022 om 11u04 te Euronext Brussel
Makelaarsloon 0,90% 36,66
Beurstaks 0,35% 14,26
Kosten 2,57
Netto in uw voordeel op 04/10/2022 4.020,11
""",
        "SELL", "2022-09-30", "80", "4020.11", "EUR", "BE0003565737",
    ),
    Note(
        "German, a letter whose sentence goes on",
        """Privatbank Hallermann & Cie
Hamburg, den 21.02.2024
Sehr geehrte Frau Petersen,
gemäß Ihrem Auftrag vom 19.02.2024 haben wir am 20.02.2024 um 11:32 Uhr an der Börse Xetra
für Sie gekauft:
40 Stück SAP SE Inhaber-Aktien o.N. (ISIN DE0007164600)
zum Kurs von 166,50 EUR
Kurswert 6.660,00 EUR
Courtage 5,33 EUR
Provision 7,62 EUR
Zu Ihren Lasten 6.672,95 EUR
Den Betrag buchen wir mit Wert 22.02.2024 von Ihrem Kontokorrentkonto 44 55 66 ab.
""",
        "BUY", "2024-02-20", "40", "6672.95", "EUR", "DE0007164600",
    ),
    Note(
        "German, labels with a booking day",
        """Volksbank Musterland eGen
Wertpapier-Abrechnung
Geschäftsart: Verkauf
Auftragsdatum: 14.08.2023 Auftragsnummer 4711
Handelszeit: 15.08.2023 13:02:44
Buchungstag: 16.08.2023
Titel: AT0000652011 ERSTE GROUP BANK AG
Abgang: 120 Stk
Kurs: 33,56 EUR
Kurswert: 4.027,20 EUR
KESt auf Kursgewinn: -109,98 EUR
Inlandsspesen: -23,20 EUR
Zu Gunsten Konto AT12 3456 7890 1234 5678: 3.894,02 EUR
Valuta: 17.08.2023
""",
        "SELL", "2023-08-15", "120", "3894.02", "EUR", "AT0000652011",
    ),
    Note(
        "German, a fund bought by its price day",
        """Fondsbank Rheinland
Abrechnung Fondskauf
Depotnummer 44120098
Auftragsdatum 03.06.2024
Preisdatum 04.06.2024
Buchungsdatum 06.06.2024
Fonds Flossbach von Storch - Multiple Opportunities R
ISIN LU0323578657 WKN A0M430
Umsatzart Kauf
Anlagebetrag 2.500,00 EUR
Ausgabeaufschlag 0,00 %
Abrechnungspreis 283,7041 EUR
Anteile 8,812
Neuer Bestand 120,331 Anteile
""",
        "BUY", "2024-06-04", "8.812", "2500.00", "EUR", "LU0323578657",
    ),
    Note(
        "German, sold on a day in a sentence",
        """Bank am Seeplatz AG, Vaduz
Börsenabrechnung - Verkauf
Vaduz, 8. März 2024
Auftragsnummer 6612001
Wir haben für Sie am 7. März 2024 an der SIX Swiss Exchange verkauft
25 Namenaktien Nestlé SA
Valor 3886335 ISIN CH0038863350
Kurs CHF 93.46
Betrag CHF 2'336.50
Courtage CHF 35.05
Eidg. Stempelabgabe CHF 1.75
Börsengebühr CHF 2.53
Netto CHF 2'297.17
Gutschrift Valuta 11.03.2024 auf Konto 12.3456.001 CHF
""",
        "SELL", "2024-03-07", "25", "2297.17", "CHF", "CH0038863350",
    ),
    Note(
        "German, charged in another currency",
        """Bank am Seeplatz AG, Vaduz
Börsenabrechnung - Kauf
Vaduz, 9. November 2023
Abschlussdatum 08.11.2023
Anzahl 15
Titel Apple Inc. Registered Shares
ISIN US0378331005
Ausführungskurs USD 182.35
Kurswert USD 2'735.25
Kommission USD 24.62
Eidg. Umsatzabgabe USD 4.10
Total USD 2'763.97
Devisenkurs USD/CHF 0.885983
Zu Ihren Lasten CHF 2'448.83
Valuta 10.11.2023
""",
        "BUY", "2023-11-08", "15", "2448.83", "CHF", "US0378331005",
    ),
    Note(
        "German, an order that was carried out",
        """Nullmarkt Broker GmbH
Order ausgeführt
Du hast 10 adidas AG gekauft.
Ausführung am 12.09.2024, 10:11 Uhr
Abwicklung am 16.09.2024
ISIN: DE000A1EWWW0
Ausführungskurs 225,20 €
Betrag 2.252,00 €
Fremdspesen 1,00 €
Summe 2.253,00 €
Erstellt am 12.09.2024
""",
        "BUY", "2024-09-12", "10", "2253.00", "EUR", "DE000A1EWWW0",
    ),
    Note(
        "Australian, as at a date",
        """Southern Cross Securities Ltd
ABN 12 345 678 901
BUY CONFIRMATION TAX INVOICE
Confirmation No: 8812711
Account No: 771200
Date: 09/07/2024
As at date: 09/07/2024
Settlement date: 11/07/2024
We have bought the following securities for you
COMPANY: BHP GROUP LIMITED SECURITY: BHP ISIN AU000000BHP4
UNITS AT PRICE 100 43.960000
CONSIDERATION (AUD): 4,396.00
BROKERAGE & COSTS INCL GST: 19.95
(May include GST of 1.81)
TOTAL COST (AUD): 4,415.95
""",
        "BUY", "2024-07-09", "100", "4415.95", "AUD", "AU000000BHP4",
    ),
    Note(
        "Irish, dealt and issued",
        """Liffey Stockbrokers
CONTRACT NOTE - SALE
Date of issue 28 February 2024
Acting as agent we have today sold on your behalf
Dealt 27 February 2024 at 10:44 on Euronext Dublin
1,000 RYANAIR HOLDINGS PLC ORD EUR0.006
ISIN IE00BYTBXV33
Price EUR 20.93
Consideration EUR 20,930.00
Commission EUR 93.65
ITP Levy EUR 1.25
Net proceeds EUR 20,835.10
For settlement on 29 February 2024
""",
        "SELL", "2024-02-27", "1000", "20835.10", "EUR", "IE00BYTBXV33",
    ),
    Note(
        "English, a fraction, submitted and filled",
        """Skylark Invest
Order filled
Microsoft Corporation MSFT US5949181045
Order ID 88-1201
Side Buy
Submitted 1 October 2024 22:15 UTC
Filled 2 October 2024 13:30 UTC
Settled 3 October 2024
Shares 0.4751
Average price $420.9639
Amount $200.00
FX fee $0.70
Total $200.70
""",
        "BUY", "2024-10-02", "0.4751", "200.70", "USD", "US5949181045",
    ),
    Note(
        "English, a letter about an instruction",
        """Thames Wealth
Trade advice
Your instruction of 4 December 2023 to sell was carried out on 5 December 2023.
Stock HSBC HOLDINGS ORD USD0.50 GB0005405286
Quantity 900
Price 608.55p
Value £5,476.95
Dealing charge £11.99
Total due to you £5,464.96
The proceeds will reach your account on 7 December 2023.
""",
        "SELL", "2023-12-05", "900", "5464.96", "GBP", "GB0005405286",
    ),
    Note(
        "French, a letter with the order's day and the trade's",
        """Caisse Régionale du Vexin
AVIS D'OPERE
Le 19/01/2024
Nous avons exécuté votre ordre d'achat du 17/01/2024 le 18/01/2024 à 15h42 sur Euronext Paris
Valeur TOTALENERGIES SE FR0000120271
Quantité 35 Cours 59,02 EUR
Montant brut 2 065,70 EUR
Commission 6,81 EUR
Taxe sur les transactions financières 6,20 EUR
Montant net débité 2 078,71 EUR
Date de règlement 22/01/2024
""",
        "BUY", "2024-01-18", "35", "2078.71", "EUR", "FR0000120271",
    ),
    Note(
        "French, Swiss, sold on a day in a sentence",
        """Banque Cantonale du Jura-Nord
Lausanne, le 14 juin 2023
Décompte de bourse - Vente
Sur votre ordre, nous avons vendu le 13 juin 2023 à la SIX Swiss Exchange:
20 actions nominatives Cie Financière Richemont
No de valeur 21048333 / ISIN CH0210483332
Cours CHF 148.25
Montant brut CHF 2'965.00
Courtage CHF 32.65
Droit de timbre fédéral CHF 2.23
Montant net CHF 2'930.12
Bonification valeur 15.06.2023 sur votre compte CHF 1234.56.78
""",
        "SELL", "2023-06-13", "20", "2930.12", "CHF", "CH0210483332",
    ),
    Note(
        "Swedish, an order received the day before",
        """Nordhavet Bank AB
AVRÄKNINGSNOTA
Sålt värdepapper
Notanummer 5512
Affärsdag 2024-04-23
Likviddag 2024-04-25
Ordern mottagen 2024-04-22
Värdepapper Ericsson B
ISIN SE0000108656
Antal 300
Kurs 57,15
Köpeskilling 17 145,00 SEK
Courtage 39,00 SEK
Belopp att erhålla 17 106,00 SEK
""",
        "SELL", "2024-04-23", "300", "17106.00", "SEK", "SE0000108656",
    ),
    Note(
        "Swedish, bought for account",
        """Nordhavet Bank AB
Stockholm 2023-02-15
Vi har för din räkning köpt
100 Atlas Copco A
SE0017486889
till kursen 123,064 SEK
Avslutsdatum 2023-02-14 kl 09.55
Belopp 12 306,40 SEK
Courtage 39,00 SEK
Att betala 12 345,40 SEK
Likviddatum 2023-02-16
""",
        "BUY", "2023-02-14", "100", "12345.40", "SEK", "SE0017486889",
    ),
    Note(
        "Italian, a letter, the order's day last",
        """Banca Valtellina
Nota informativa - ordine eseguito
Sondrio, 08/05/2024
Vi confermiamo di aver acquistato per vostro conto in data 07/05/2024 alle ore 10:32
Titolo ENEL SPA IT0003128367
Quantità 400
Prezzo 6,164
Controvalore 2.465,60
Commissioni 10,45
Spese 2,50
Totale a vostro debito EUR 2.478,55
Valuta 09/05/2024
Ordine del 06/05/2024
""",
        "BUY", "2024-05-07", "400", "2478.55", "EUR", "IT0003128367",
    ),
    Note(
        "Portuguese, received and executed",
        """Banco Ribeira
Confirmação de execução
Ordem recebida em 05/08/2024
Executada em 06/08/2024 às 11:20
Venda de 700 ações EDP, ISIN PTEDP0AM0009
Preço unitário 3,72 EUR
Valor bruto 2.604,00 EUR
Comissão 15,00 EUR
Imposto do selo 0,90 EUR
Valor líquido creditado 2.588,10 EUR
Data-valor 08/08/2024
""",
        "SELL", "2024-08-06", "700", "2588.10", "EUR", "PTEDP0AM0009",
    ),
    Note(
        "German, a bond without interest",
        """Stadtbank
Wertpapierabrechnung Kauf
Nominale EUR 20.000,00
0,00% Bundesrep.Deutschland Anl.v. 2022 (2032) ISIN DE0001102580
Handelstag 05.03.2024
Kurs 97,05 %
Kurswert EUR 19.410,00
Provision EUR 27,66
Ausmachender Betrag EUR 19.437,66
Valuta 07.03.2024
""",
        "BUY", "2024-03-05", "200", "19437.66", "EUR", "DE0001102580",
    ),
    Note(
        "French, a bond in a few lines",
        """Banque Pont-Neuf
Vente d'obligations
Date d'opération 18/06/2024
OAT 0% 25/05/2032 FR0014007L00
Nominal 5 000 EUR
Cours 88,10 %
Montant brut 4 405,00
Frais 2,87
Net à votre crédit 4 402,13 EUR
Date de valeur 20/06/2024
""",
        "SELL", "2024-06-18", "50", "4402.13", "EUR", "FR0014007L00",
    ),
    Note(
        "German, order and execution above their values",
        """Quantum Broker
Wertpapierabrechnung
Auftrag
Kauf
Name
Allianz SE vNA
ISIN
DE0008404005
Stückzahl
6
Kurs
291,50 EUR
Auftragserteilung
19.11.2024
Ausführungsdatum
20.11.2024
Valuta
22.11.2024
Kurswert
1.749,00 EUR
Entgelte
0,95 EUR
Gesamt
1.749,95 EUR
""",
        "BUY", "2024-11-20", "6", "1749.95", "EUR", "DE0008404005",
    ),
    Note(
        "Spanish, abbreviated labels over a row",
        """Sociedad de Valores Duero
JUSTIFICANTE DE OPERACIÓN EN MERCADOS EXTRANJEROS
Nº Operación: 2024/118822
F. Operación F. Valor Oficina Cuenta
12/02/2024 14/02/2024 0100 0100.22.998811
COMPRA ACCIONES
Valor: MICROSOFT CORP ISIN: US5949181045
Mercado: NASDAQ
Títulos Precio Divisa Importe bruto
10 415,2600 USD 4.152,60
Comisión extranjera 15,00 USD
Total divisa 4.167,60 USD
Cambio EUR/USD 1,0770
Contravalor 3.869,64 EUR
Comisión 60,00 EUR
Corretajes 8,98 EUR
Total a cargar 3.938,62 EUR
""",
        "BUY", "2024-02-12", "10", "3938.62", "EUR", "US5949181045",
    ),
    Note(
        "Spanish, charges in one line",
        """Gestora Cantábrica AV
Titular PEREZ GOMEZ, LUIS
LIQUIDACIÓN DE VENTA
Orden número 551-22 de fecha 20/11/2023
Ejecución: 21/11/2023 11:20:41 Plataforma BME
INDITEX ES0148396007
N.º Títulos: 60
Cambio: 36,4800
Efectivo: 2.188,80
Gastos: Corretaje 14,90 Canon bolsa 1,64
Líquido: 2.172,26
Moneda: EUR
Fecha de liquidación 23/11/2023
""",
        "SELL", "2023-11-21", "60", "2172.26", "EUR", "ES0148396007",
    ),
    Note(
        "Spanish, a fund by its net asset value's day",
        """Rentas del Norte Gestión
SUSCRIPCIÓN DE FONDO DE INVERSIÓN
Fecha solicitud: 02/09/2024
Fecha valor liquidativo: 03/09/2024
Fecha liquidación: 05/09/2024
Fondo: DNCA INVEST ALPHA BONDS
ISIN: LU1694789378
Importe suscrito: 5.000,00 EUR
Valor liquidativo: 223,8228
Participaciones: 22,3391
Saldo de participaciones tras la operación: 102,1100
""",
        "BUY", "2024-09-03", "22.3391", "5000.00", "EUR", "LU1694789378",
    ),
    Note(
        "Dutch, order, execution and booking in words",
        """Polder Bank
Uw aankoop is uitgevoerd
Rekening NL22 POLD 0001 2345 67
Beleggingsrekening
Orderdatum 14 mei 2024
Uitvoeringsdatum 15 mei 2024
Boekdatum 17 mei 2024
Fonds ASML Holding
ISIN NL0010273215
Aantal 4
Koers 851,10 EUR
Transactiewaarde 3.404,40 EUR
Kosten 8,00 EUR
Totaalbedrag 3.412,40 EUR
""",
        "BUY", "2024-05-15", "4", "3412.40", "EUR", "NL0010273215",
    ),
    Note(
        "Dutch, entered, executed and settled",
        """Polder Bank
Transactiebevestiging
Datum 20-10-2023
Soort transactie Verkoop
Effect iShares Core MSCI World UCITS ETF USD (Acc)
ISIN IE00B4L5Y983
Ingelegd 18-10-2023 20:14
Uitgevoerd 19-10-2023 09:04
Afrekening 23-10-2023
Aantal 20
Prijs per stuk € 78,4126
Opbrengst € 1.568,25
Transactiekosten € 2,00
Bij op uw rekening € 1.566,25
""",
        "SELL", "2023-10-19", "20", "1566.25", "EUR", "IE00B4L5Y983",
    ),
    Note(
        "Dutch, paid from an account in euros",
        """Afrekening van uw aankoop
Geachte klant,
U heeft Apple Inc. (US0378331005) gekocht.
Beurs Nasdaq
Datum en tijd 22-03-2024 15:31
Aantal 8
Koers USD 171,9200
Orderbedrag USD 1.375,36
Wisselkoers 1,0829
Orderbedrag EUR 1.270,07
Transactiekosten EUR 15,00
Valutakosten EUR 5,06
Totaal EUR 1.290,13
Wordt afgeschreven op 26-03-2024
Dit overzicht is gemaakt op 23-03-2024
""",
        "BUY", "2024-03-22", "8", "1290.13", "EUR", "US0378331005",
    ),
    Note(
        "Dutch, a count and a price behind one label",
        """Verkoopnota
Rekeningnummer: 2345
Opdrachtnummer 8819
Order: Verkopen 15 AIRBUS tegen bestens
Datum opdracht: 26-08-2024
Datum: 27-08-2024 Tijd: 10:42:11
Product: AIRBUS SE ISIN NL0000235190
Uitgevoerd: 15 à 137,54
Waarde: 2.063,10
Kosten: 5,97
Netto: 2.057,13
Valuta: EUR
Boeking: 29-08-2024
""",
        "SELL", "2024-08-27", "15", "2057.13", "EUR", "NL0000235190",
    ),
    Note(
        "Swedish, a share in dollars",
        """Fjällbanken
Avräkningsnota köp
Depå 1122334
Affärsdatum 2024-01-30
Likviddag 2024-02-01
NVIDIA Corp ISIN US67066G1040
Antal 6 st
Kurs 618,36 USD
Valutakurs SEK/USD 10,4651
Köpbelopp 38 827,30 SEK
Courtage 97,07 SEK
Utländsk avgift 4,35 SEK
Att betala 38 928,72 SEK
""",
        "BUY", "2024-01-30", "6", "38928.72", "SEK", "US67066G1040",
    ),
    Note(
        "Swedish, the order's time and the trade's",
        """Nota
Notadatum 2023-06-28
SÅLT
Ordertid 2023-06-26 17:10
Handelstid 2023-06-27 10:02:55
Värdepapper Billerud
ISIN-kod SE0017832488
Antal Kurs Valuta Belopp
250 73,00 SEK 18 250,00
Courtage 39,00
Summa 18 211,00
Betaldag 2023-06-29
""",
        "SELL", "2023-06-27", "250", "18211.00", "SEK", "SE0017832488",
    ),
    Note(
        "Austrian, day and time in one label",
        """Bankhaus Salzach AG
Kundenauftrag 88-1120
Abrechnung Wertpapierkauf
Wir haben Ihren Auftrag wie folgt durchgeführt:
Wertpapier ANDRITZ AG AKTIEN O.N. / AT0000730007
Nominale/Stück 75
Ausführungsplatz Wiener Börse
Schlusstag/-zeit 16.04.2024 / 10:15:08
Auftragserteilung 15.04.2024
Kurs 38,44 EUR
Kurswert 2.883,00 EUR
Spesen 23,61 EUR
Abrechnungsbetrag 2.906,61 EUR
Verrechnungskonto 123-456789 EUR Valuta 18.04.2024
Buchungsdatum 17.04.2024
""",
        "BUY", "2024-04-16", "75", "2906.61", "EUR", "AT0000730007",
    ),
    Note(
        "German, a fund whose price day is told by a compound",
        """Depotbank Franken
Umsatzabrechnung
Datum 24.05.2024
Geschäftsart Verkauf Fondsanteile
Fonds BGF World Gold A2 ISIN LU0055631609
Kursdatum 22.05.2024
Auftragseingang 21.05.2024
Wertstellung 27.05.2024
Anteile 40,500
Rücknahmepreis 43,00 EUR
Betrag 1.741,50 EUR
Abgeführte Steuern 0,00 EUR
Auszahlungsbetrag 1.741,50 EUR
""",
        "SELL", "2024-05-22", "40.5", "1741.50", "EUR", "LU0055631609",
    ),
    Note(
        "Liechtenstein, units given back",
        """Fürstenbank AG
Abrechnung Rücknahme Fondsanteile
Vaduz, 7. Februar 2024
Auftragsdatum 5. Februar 2024
Abschlusstag 6. Februar 2024
Valuta 8. Februar 2024
Wir haben auf Ihre Rechnung zurückgegeben
10 Anteile Fürsten Strategie Ausgewogen (CHF) ISIN LI0030195247
Inventarwert pro Anteil CHF 1'208.60
Bruttobetrag CHF 12'086.00
Bankkommission CHF 30.22
Nettobetrag CHF 12'055.78
""",
        "SELL", "2024-02-06", "10", "12055.78", "CHF", "LI0030195247",
    ),
    Note(
        "Austrian, foreign charges and tax",
        """Vorarlberger Kreditinstitut
WERTPAPIERABRECHNUNG
VERKAUF
Auftrag vom 07.10.2024 Schlusstag 08.10.2024
TESLA INC. ISIN US88160R1014
Stück 12 Kurs USD 242,84
Kurswert USD 2.914,08
Fremde Spesen USD 2,91
Devisenkurs 1,0984
Gegenwert EUR 2.650,37
Eigene Spesen EUR 18,55
KESt II EUR 59,72
Gutschrift EUR 2.572,10
Wertstellung 10.10.2024
""",
        "SELL", "2024-10-08", "12", "2572.10", "EUR", "US88160R1014",
    ),
    Note(
        "German, a savings plan carried out",
        """Nullmarkt
Sparplan ausgeführt
Vanguard FTSE All-World
IE00BK5BQT80
Status Ausgeführt
Ausgeführt am 02.12.2024 08:01
Stück 0,7742
Preis 129,17 €
Betrag 100,00 €
Gebühren 0,00 €
Gesamt 100,00 €
Abgebucht am 04.12.2024
""",
        "BUY", "2024-12-02", "0.7742", "100.00", "EUR", "IE00BK5BQT80",
    ),
    Note(
        "German, a bond with interest",
        """Regionalbank
Wertpapierabrechnung Kauf festverzinsliche Wertpapiere
Nominale EUR 10.000,00
4,00 % Commerzbank MTN 23/26 DE000CZ40NS9
Handelstag 12.07.2023
Kurs 95,50 %
Kurswert EUR 9.550,00
Stückzinsen 38 Tage EUR 41,53
Spesen EUR 20,80
Gesamtbelastung EUR 9.612,33
Valuta 14.07.2023
""",
        "BUY", "2023-07-12", "100", "9612.33", "EUR", "DE000CZ40NS9",
    ),
    Note(
        "Australian, goods and services tax",
        """Harbour Broking Pty Ltd
SELL CONFIRMATION
MR A TESTER
TRADE DATE 19/03/2024
AS AT DATE 19/03/2024
SETTLEMENT DATE 21/03/2024
CONFIRMATION NO 991128
CODE CBA ISIN AU000000CBA7 COMMONWEALTH BANK FPO
QUANTITY 55
AVERAGE PRICE 116.723636
CONSIDERATION (AUD) $6,419.80
BROKERAGE $18.13
GST $1.81
NET PROCEEDS (AUD) $6,399.86
PAYMENT METHOD - DIRECT CREDIT
""",
        "SELL", "2024-03-19", "55", "6399.86", "AUD", "AU000000CBA7",
    ),
    Note(
        "Irish, a header over date and time",
        """Wicklow Stockbrokers
Bought Note
Bargain reference B12345
We have bought on your behalf, subject to the rules of Euronext Dublin
Bargain Date/Time Settlement Date Client Code
05/06/2024 11:02 07/06/2024 WIC001
Amount Security Price Consideration
300 KERRY GROUP PLC A ORD IE0004906560 79.95 23,985.00
Commission @ 0.69% 164.70
Government Stamp Duty @ 1% 239.85
Contract Levy 1.48
Total EUR 24,391.03
""",
        "BUY", "2024-06-05", "300", "24391.03", "EUR", "IE0004906560",
    ),
    Note(
        "English, a confirmation of an order that was executed",
        """Order confirmation
You bought IBM
Executed
13 Aug 2024 14:31:07 (UTC)
Order ID OR-81X
Instrument IBM - US4592001014
Order type Market buy
Quantity 2.5
Price USD 192.984
Value USD 482.46
Fee USD 1.45
Total USD 483.91
Created 13 Aug 2024 11:02:00
Settlement date 14 Aug 2024
""",
        "BUY", "2024-08-13", "2.5", "483.91", "USD", "US4592001014",
    ),
    Note(
        "French, a foreign share with a fee for exchange",
        """Banque de la Drôme
AVIS D'OPÉRATION SUR TITRES
Opération : ACHAT AU COMPTANT ETRANGER
Exécutée le : 04/04/2024 16:02
Ordre passé le : 03/04/2024
Valeur : AMAZON.COM INC US0231351067
Quantité : 14
Cours exécuté : 183,50 USD
Montant brut : 2 569,00 USD
Cours de change : 1,0842
Montant brut en euros : 2 369,49 EUR
Frais de change : 11,85 EUR
Commission : 44,60 EUR
Montant total : 2 425,94 EUR
Date de valeur : 08/04/2024
""",
        "BUY", "2024-04-04", "14", "2425.94", "EUR", "US0231351067",
    ),
    Note(
        "French, Swiss, units of a fund in dollars",
        """Banque cantonale romande
Rachat de parts de fonds de placement
Date de l'ordre 16.09.2024
Date VNI 17.09.2024
Date valeur 20.09.2024
12.345 parts BGF World Technology A2
ISIN LU0171310443
VNI USD 97.10
Montant brut USD 1'198.70
Cours de change USD/CHF 0.8439
Contre-valeur CHF 1'011.58
Frais CHF 10.40
Montant crédité CHF 1'001.18
""",
        "SELL", "2024-09-17", "12.345", "1001.18", "CHF", "LU0171310443",
    ),
    Note(
        "English, a Swiss account in francs",
        """Lake Bank Ltd
Purchase confirmation
Trade date 14.09.2023
Booking date 15.09.2023
Value date 18.09.2023
Units 40
iShares MSCI World UCITS ETF (Dist) IE00B0M62Q58
Price USD 61.34
Gross amount USD 2'453.60
Brokerage USD 15.00
Net amount USD 2'468.60
FX rate 0.89317
Debit to your account CHF 2'204.88
""",
        "BUY", "2023-09-14", "40", "2204.88", "CHF", "IE00B0M62Q58",
    ),
    Note(
        "Polish, an order three days before",
        """Dom Maklerski Wisła
Potwierdzenie zawarcia transakcji
Data zlecenia 08.03.2024
Data i godzina transakcji 11.03.2024 09:14:22
Data rozliczenia 13.03.2024
Kupno KGHM PLKGHM000017
Ilość 40
Kurs 112,00
Wartość 4 480,00
Prowizja 17,55
Razem do zapłaty 4 497,55 PLN
""",
        "BUY", "2024-03-11", "40", "4497.55", "PLN", "PLKGHM000017",
    ),
    Note(
        "Danish, a letter with the day before the verb",
        """Vesterbank
Handelsnota - Salg
Den 31. maj 2024
Vi har den 30. maj 2024 kl. 10.12 solgt for Deres regning
12 stk. Novo Nordisk B
Fondskode DK0062498333
Kurs 930,10
Kursværdi DKK 11.161,20
Kurtage DKK 31,00
Til Deres rådighed DKK 11.130,20
Valør 3. juni 2024
""",
        "SELL", "2024-05-30", "12", "11130.20", "DKK", "DK0062498333",
    ),
    Note(
        "Norwegian, order, trade and settlement",
        """Fjordmegleren AS
Sluttseddel
Kjøp
Ordredato 04.10.2024
Handelsdato 07.10.2024
Oppgjørsdato 09.10.2024
Verdipapir TELENOR ISIN NO0010063308
Antall 80
Kurs 126,88
Beløp 10 150,40
Kurtasje 29,00
Til oppgjør NOK 10 179,40
""",
        "BUY", "2024-10-07", "80", "10179.40", "NOK", "NO0010063308",
    ),
]  # fmt: skip
