"""More notes of brokers that do not exist: other currencies, bonds, taxes, and what is told beside a trade."""

from __future__ import annotations

from rules.reading.notes import Note

PASSERSBY = [
    Note(
        "Spanish, days in a header of four columns",
        """MERIDIONAL BANCO, S.A.
Pº de la Habana, 74 - 28036 Madrid - C.I.F. A-82473018
INFORMACIÓN DE OPERACIONES DE VALORES
Fecha emisión: 04/03/2024 Nº Documento: 240304-0019
TITULAR: D. RAFAEL CANTERO OLMO Y OTROS
CUENTA EFECTIVO: 0083 0001 11 0012345678 CUENTA VALORES: 001-2345678
Estimado/a cliente: le comunicamos el detalle de la operación realizada por su cuenta:
OPERACIÓN: COMPRA CONTADO MERCADO: CONTINUO DIVISA: EUR
FECHA OPERACIÓN HORA FECHA LIQUIDACIÓN FECHA VALOR
29/02/2024 16:37:12 04/03/2024 04/03/2024
ISIN DESCRIPCIÓN CANTIDAD PRECIO MEDIO IMPORTE EFECTIVO
ES0144580Y14 IBERDROLA 250 10,7250 2.681,25
COMISIÓN INTERMEDIACIÓN 4,50
CANON BURSÁTIL 1,30
IMPUESTO TRANS. FINANCIERAS 0,20% 5,36
TOTAL GASTOS 11,16
IMPORTE NETO (CARGO) 2.692,41
POSICIÓN ACTUAL DEL VALOR: 1.250 TÍTULOS. PRECIO MEDIO DE COMPRA: 9,8812
""",
        "BUY", "2024-02-29", "250", "2692.41", "EUR", "ES0144580Y14",
    ),
    Note(
        "Spanish, an acquisition long ago below",
        """Muy Sr. nuestro:
Conforme a su orden nº 23-887 recibida el 13-12-2023 a las 19:02 h, hemos procedido a la venta de:
Títulos: 8
Valor: LVMH MOET HENNESSY (FR0000121014)
Mercado: EURONEXT PARÍS
Fecha y hora de ejecución: 14-12-2023 09:00:41
Cambio medio: 735,9000
Efectivo bruto: 5.887,20 €
Comisión Meridional 14,13 €
Gastos corresponsal 0,96 €
Abono en cuenta: 5.872,11 €
Fecha valor: 18-12-2023
Rendimiento estimado de la operación: 412,33 € (adquisición 03-05-2021)
Retención a cuenta: 0,00 €
""",
        "SELL", "2023-12-14", "8", "5872.11", "EUR", "FR0000121014",
    ),
    Note(
        "Spanish, dollars, two digits for a year",
        """ORDEN EJECUTADA
Valor AMAZON.COM INC
Isin US0231351067
Sentido Compra
Títulos ejecutados 9 de 9
Precio medio 182,8100 $
Efectivo 1.645,29 $
Tipo de cambio 1,0741 USD/EUR
Efectivo (EUR) 1.531,79 €
Comisión bróker 15,00 €
Comisión cambio divisa 3,06 €
Gastos externos 25,11 €
Importe total 1.574,96 €
Fecha ejecución 19/06/24 15:30
Fecha liquidación 21/06/24
Fecha orden 18/06/24 23:41
Fecha impresión 20/06/24
""",
        "BUY", "2024-06-19", "9", "1574.96", "EUR", "US0231351067",
    ),
    Note(
        "Dutch, a least charge in brackets",
        """Fries Bankiers N.V.
Leeuwarden
Datum: 4 oktober 2023
Betreft: nota aankoop effecten
Uw effectenrekening 55.66.77.888
Wij hebben voor uw rekening en risico gekocht op de beurs van Amsterdam:
Omschrijving fonds Heineken N.V.
Fondscode NL0000009165
Handelsdatum / tijd 03-10-2023 / 13:12:09
Aantal 50
Koers 81,74
Effectenbedrag 4.087,00
Provisie 0,3% (minimaal 10,00) 12,26
Overige kosten 3,94
Per saldo te uwen laste EUR 4.103,20
Rentedatum 05-10-2023
Tegenrekening NL13 FRIE 0123 4567 89
Eventuele onjuistheden dient u binnen 10 dagen te melden.
""",
        "BUY", "2023-10-03", "50", "4103.20", "EUR", "NL0000009165",
    ),
    Note(
        "Dutch, dollars, a gain below",
        """Mijn Beleggen
Overzicht van uw transactie
Dhr. P. Jansen
Je hebt 11 stuks Qualcomm Inc. verkocht
Transactiegegevens
Order geplaatst 1 juli 2024, 21:44
Order uitgevoerd 2 juli 2024, 15:31
Geld op je rekening 4 juli 2024
ISIN US7475251036
Aantal 11
Koers $ 202,66
Waarde $ 2.229,26
Wisselkoers (USD/EUR) 0,9296
Waarde in euro € 2.072,32
Kosten € 5,79
Valutakosten € 5,18
Ontvangen € 2.061,35
Verkoopwinst indicatief € 310,12
""",
        "SELL", "2024-07-02", "11", "2061.35", "EUR", "US7475251036",
    ),
    Note(
        "Dutch, Flemish, when the order was taken in",
        """AFREKENING BEURSVERRICHTING
Borderel 2024/118-99 van 13/11/2024
Wij hebben volgende verrichting voor u uitgevoerd:
AANKOOP
Hoeveelheid 75
Effect ISHARES PHYSICAL GOLD ETC
ISIN IE00B4ND3602
Datum en uur uitvoering 12/11/2024 10:11
Plaats van uitvoering Euronext Amsterdam
Eenheidskoers 46,0333
Bruto 3.452,50
Makelaarsloon 11,56
TOB 0,12% 4,14
Totaal debet 3.468,20
Munt EUR
Valutadatum 14/11/2024
Inningsdatum opdracht 11/11/2024
""",
        "BUY", "2024-11-12", "75", "3468.20", "EUR", "IE00B4ND3602",
    ),
    Note(
        "Dutch, a pension fund's statement",
        """Pensioenbeleggen BV
Transactieoverzicht
Periode 01-11-2022 t/m 30-11-2022
Opdracht verkoop d.d. 15-11-2022
Fonds Beginstand Transactie Eindstand
Security Fund NL-A (LU0270904781) 40,0000 -6,1234 33,8766
Koersdatum 17-11-2022
Koers 238,3088 EUR
Bedrag 1.459,26 EUR
Verkoopkosten 2,49 EUR
Netto uitbetaald 1.456,77 EUR
Uitbetaald op 21-11-2022
""",
        "SELL", "2022-11-17", "6.1234", "1456.77", "EUR", "LU0270904781",
    ),
    Note(
        "German, labels for two values above them",
        """Bankhaus Tegernsee AG
Kontoinhaber Dr. Rolf Unger Depot 0077123400
Abrechnung Verkauf Aktien
Auftragsdatum / -nummer
23.04.2024 / 4471188
Ausführungsdatum / -zeit
24.04.2024 / 09:03:17
Abrechnungsdatum
25.04.2024
Siemens AG Namens-Aktien o.N.
DE0007236101 / 723610
Stück 22,00 zu EUR 178,42
Kurswert EUR 3.925,24
abzgl. Provision EUR 19,63
abzgl. Handelsplatzentgelt EUR 2,10
Ergebnis vor Steuern EUR 3.903,51
Kapitalertragsteuer EUR 155,25
Solidaritätszuschlag EUR 8,54
Auszahlungsbetrag EUR 3.739,72
mit Wertstellung 26.04.2024
Anschaffungsdatum 11.01.2016
""",
        "SELL", "2024-04-24", "22", "3739.72", "EUR", "DE0007236101",
    ),
    Note(
        "German, spaced letters",
        """Alpenbank Aktiengesellschaft
Kundennummer 4711 Filiale Bregenz
Wir erlauben uns, Ihnen über folgendes Geschäft abzurechnen:
K A U F
Ihre Order vom 04.09.2023
Geschäftstag 05.09.2023
Xtrackers MSCI World Swap UCITS ETF 1C
ISIN LU0274208692
Nominale: 55 Kurs: 85,2800 EUR
Kurswert 4.690,40 EUR
Maklergebühr 2,35 EUR
Bankspesen 25,36 EUR
Belastung 4.718,11 EUR
Valuta 07.09.2023
Durchschnittlicher Einstandskurs nach Kauf: 79,1120 EUR
Kest-Verrechnung: keine
""",
        "BUY", "2023-09-05", "55", "4718.11", "EUR", "LU0274208692",
    ),
    Note(
        "German, a letter's day that is the trade's",
        """Bank im Rheintal AG
Aeulestrasse 6, 9490 Vaduz
Börsenverkauf
Vaduz, 01.08.2024
Auftrags-Nr. 1188-22 vom 31.07.2024
Wir haben für Ihre Rechnung verkauft:
Anzahl 30
Titel Aktien Apple Inc
Valor 908440 ISIN US0378331005
Börse Nasdaq
Kurs USD 224.3667
Kurswert USD 6'731.00
Courtage USD -53.85
Fremde Gebühren USD -0.19
Umsatzabgabe USD -10.10
Nettobetrag USD 6'666.86
Umrechnungskurs 0.88657
Gutschrift Valuta 05.08.2024 CHF 5'910.56
Gebührenrückvergütung CHF 0.10
Total CHF 5'910.66
""",
        "SELL", "2024-08-01", "30", "5910.66", "CHF", "US0378331005",
    ),
    Note(
        "German, costs told below for information",
        """Nullmarkt
Wertpapierabrechnung: Kauf
Datum 15.01.2024
Deine Order wurde ausgeführt.
BASF SE NA O.N. DE000BASF111
Handelstag 15.01.2024 Handelszeit 08:02:31 Handelsplatz gettex
Valuta 17.01.2024
Nominal 21 Stk Kurs 45,56 EUR
Kurswert 956,76 EUR
Mindermengenzuschlag 0,60 EUR
Ausmachender Betrag 957,36 EUR
Kosteninformation
Einstiegskosten 0,60 EUR (0,06 %)
Laufende Kosten 0,00 EUR
Zuwendungen Dritter 0,00 EUR
Gesamtkosten 0,60 EUR
""",
        "BUY", "2024-01-15", "21", "957.36", "EUR", "DE000BASF111",
    ),
    Note(
        "German, a fund bought for a payment",
        """Fondsservice Mainz
Bestätigung einer Anteilkaufs
Depot 99887766-01
Fondsname Musterfonds Global
ISIN DE0008491051
Zahlungseingang 30.04.2024
Preisermittlungstag 02.05.2024
Valuta Depot 06.05.2024
Einzahlungsbetrag EUR 250,00
darin enthaltener Ausgabeaufschlag 5,00 % EUR 11,90
Ausgabepreis EUR 389,96
Anteile 0,641
Anteilbestand alt 10,220 Anteilbestand neu 10,861
""",
        "BUY", "2024-05-02", "0.641", "250.00", "EUR", "DE0008491051",
    ),
    Note(
        "Irish, a discounted commission",
        """GALWAY & SONS
Member firm of Euronext Dublin
SOLD CONTRACT NOTE
Contract No. C0099812 Account 44120
Mr P Kenny
In accordance with your instructions received on 13/05/2024 we have sold as agents
CRH PLC ORDINARY 32C
ISIN Code IE0001827041
Contract Date 14/05/2024 Time 15:04 For Settlement 16/05/2024
Quantity Price Currency Consideration
120 73.80 EUR 8,856.00
Commission 1.00% -66.42 (discounted 25%)
Compliance charge -8.38
ITP Panel Levy -1.25
Net Amount Due to you EUR 8,779.95
Place of execution XDUB
E & O E
""",
        "SELL", "2024-05-14", "120", "8779.95", "EUR", "IE0001827041",
    ),
    Note(
        "Australian, only a confirmation's day",
        """Outback Securities Limited
Buy Confirmation
MRS J CITIZEN
Confirmation Date 01/03/2024
Trade Reference 55-18812
Settlement on 05/03/2024
WESFARMERS LIMITED (WES) AU000000WES1
Fully paid ordinary
Bought 80 @ 65.8125
Trade value $5,265.00
Brokerage (incl. GST $1.78) $19.60
Amount payable $5,284.60
Currency AUD
""",
        "BUY", "2024-03-01", "80", "5284.60", "AUD", "AU000000WES1",
    ),
    Note(
        "English, an amount in another currency below",
        """Strahl Invest OÜ
Trade statement
Transaction ID TX-8810 Generated on 10 Apr 2024
Meta Platforms Inc. (META)
ISIN US30303M1027
Sell - Market order
Order placed 09 Apr 2024 13:02:10
Executed 09 Apr 2024 13:30:01
Settlement 11 Apr 2024
Quantity 1.25
Price per share $516.60
Amount $645.75
Fees $1.00
You received $644.75
EUR equivalent €593.91
""",
        "SELL", "2024-04-09", "1.25", "644.75", "USD", "US30303M1027",
    ),
    Note(
        "English, a par value in dollars, paid in pounds",
        """Yorkshire Dealing
CONTRACT NOTE
To: Mr A Smith
We thank you for your instruction and confirm that we have BOUGHT for your account:
VODAFONE GROUP ORD USD0.20 20/21
4,000 at 100.0000 pence
ISIN: GB00BH4HKS39
Date of trade: 07 MAR 23 14:12
Settlement: 09 MAR 23
GBP
Consideration 4,000.00
Dealing charge 9.97
Stamp Duty Reserve Tax 20.00
Total 4,029.97
Printed 08 MAR 23
""",
        "BUY", "2023-03-07", "4000", "4029.97", "GBP", "GB00BH4HKS39",
    ),
    Note(
        "Swedish, an average rate of exchange",
        """Havsbanken
Avräkningsnota
Köp
Erik Svensson 19700101-1234
Depånummer 998877
Notadatum 2023-09-01 Notanummer 2309011122
Affärsdag 2023-09-01 Likviddag 2023-09-05
Vi har för er räkning köpt Tesla Inc på NASDAQ
ISIN US88160R1014
Antal 3
Kurs 246,38 USD
Genomsnittskurs valuta 11,0520
Köpeskilling 8 168,98 SEK
Courtage 20,42 SEK
Valutaväxlingsavgift (ingår i kursen) 20,42 SEK
Utländska kostnader 3,91 SEK
Belopp 8 193,31 SEK
""",
        "BUY", "2023-09-01", "3", "8193.31", "SEK", "US88160R1014",
    ),
    Note(
        "French, a region's bank",
        """Caisse Régionale de Loire-Océan
Nantes, le 28 mars 2024
RELEVE D'OPERATION SUR VALEURS MOBILIERES
VENTE COMPTANT
Valeur AXA FR0000120628
Nombre de titres 110
Exécuté en 1 fois le 26/03/2024
Cours moyen d'exécution 34,1250
Montant brut 3 753,75
Courtage TTC 16,70
Frais de place 5,00
Net en votre faveur 3 732,05 EUR
Compte 40122 0099887 Valeur au 28/03/2024
Plus-value estimée 812,40
""",
        "SELL", "2024-03-26", "110", "3732.05", "EUR", "FR0000120628",
    ),
    Note(
        "French, Swiss, an order's day beside its number",
        """Banque Cantonale du Léman
1003 Lausanne
Lausanne, 22.10.2024
Votre ordre N° 88121 du 21.10.2024
Achat Bourse
Date d'exécution 22.10.2024 Date de règlement 24.10.2024
Titre BJ ROCHE HOLDING AG
N° ISIN CH0012032048
Quantité Cours Monnaie Montant
7 278.30 CHF 1'948.10
Commission 20.00
Timbre fédéral 1.46
Taxe boursière 2.68
Débit CHF 1'972.24
""",
        "BUY", "2024-10-22", "7", "1972.24", "CHF", "CH0012032048",
    ),
    Note(
        "Italian, executed an order of the day before",
        """BANCA DEL PIAVE
Lettera contabile - Conferma di vendita
Dossier 1/228811 Intestato a ROSSI MARIO
Vi informiamo che in data 10.12.2024 ore 11.02.14 abbiamo eseguito il Vs ordine del 09.12.2024
VENDITA n. 180 UNICREDIT SPA IT0005239360
Prezzo medio 39,2300
Controvalore 7.061,40
Commissioni 13,42
Capital gain 26% su 112,85 29,34
Bolli e spese 5,84
Netto ricavo a Vs credito 7.012,80
Valuta 12.12.2024 - Divisa EUR
""",
        "SELL", "2024-12-10", "180", "7012.80", "EUR", "IT0005239360",
    ),
    Note(
        "Portuguese, the note's own day",
        """Banco Atlântico Norte
Nota de lançamento - Compra de títulos em bolsa
Data da nota 08-02-2024
Data da operação 07-02-2024
Data de liquidação 09-02-2024
Título GALP ENERGIA PTGAL0AM0009
Quantidade 200
Cotação 14,5050
Valor da operação 2.901,00
Comissão de bolsa 11,60
Taxa de bolsa 0,80
Imposto de selo 4% 0,46
Valor a debitar 2.913,86 EUR
""",
        "BUY", "2024-02-07", "200", "2913.86", "EUR", "PTGAL0AM0009",
    ),
    Note(
        "Australian, dollars without a code",
        """Harbour Broking Pty Ltd
ABN 69 081 002 851 AFSL 123456
Sydney NSW 2000
BUY CONFIRMATION
CONFIRMATION DATE 19/03/2024
AS AT DATE 19/03/2024
SETTLEMENT DATE 21/03/2024
COMPANY COMMONWEALTH BANK OF AUSTRALIA
SECURITY ORDINARY FULLY PAID CBA ISIN AU000000CBA7
UNITS AT PRICE: 55 116.723636
CONSIDERATION: $6,419.80
BROKERAGE & COSTS INCL GST: $19.94
TOTAL COST: $6,439.74
""",
        "BUY", "2024-03-19", "55", "6439.74", "AUD", "AU000000CBA7",
    ),
    Note(
        "Canadian, dollars without a code",
        """Maple Direct Investing
Toronto, Ontario
Trade Confirmation
Trade date May 20, 2024
Settlement date May 22, 2024
You sold 30 ROYAL BANK OF CANADA CA7800871021
Price $139.7167
Gross amount $4,191.50
Commission $9.95
Net amount $4,181.55
""",
        "SELL", "2024-05-20", "30", "4181.55", "CAD", "CA7800871021",
    ),
    Note(
        "an account in euros",
        """Light App
Trade confirmation
Account currency EUR
You bought 5 shares of Apple (AAPL)
ISIN US0378331005
Executed 25 September 2024 at 16:05
Settled 26 September 2024
Price $226.0600
Subtotal $1,130.30
Currency conversion $1.13 = 1.0735 EUR/USD
Subtotal in EUR €1,052.91
Fee €1.04
Total €1,053.95
""",
        "BUY", "2024-09-25", "5", "1053.95", "EUR", "US0378331005",
    ),
    Note(
        "Irish, pence into euros",
        """Dublin Brokers plc
Contract Note
Sale of 44 RIO TINTO PLC ORD GBP0.10 GB0007188757
Dealt on 15 October 2024
Price GBp 4,968.50
Gross value GBP 2,186.14
Commission GBP 25.00
Net value GBP 2,161.14
Converted at EUR/GBP 0.96254
Net proceeds EUR 2,245.25
Settlement 17 October 2024
""",
        "SELL", "2024-10-15", "44", "2245.25", "EUR", "GB0007188757",
    ),
    Note(
        "Spanish, foreign charges",
        """Valores del Sur
Compra de acciones extranjeras
Fecha operación 20/10/2023
Fecha valor 24/10/2023
Valor MCDONALDS CORP US5801351017
Nº títulos 4
Cambio 258,80
Divisa USD
Efectivo divisa 1.035,20
Gastos divisa 3,00
Líquido divisa 1.038,20
Cambio divisa 1,0589
Contravalor EUR 980,45
Comisión EUR 21,23
Importe total EUR 1.001,68
""",
        "BUY", "2023-10-20", "4", "1001.68", "EUR", "US5801351017",
    ),
    Note(
        "Dutch, charges in euros, the net amount without a code",
        """Polder Beleggen
AANKOOPNOTA
Handelsdag 15-02-2024 16:41
Valutadatum 19-02-2024
Tesla Inc US88160R1014
Aantal 3
Koers 199,95
Valuta USD
Bruto 599,85
Wisselkoers 1,0751
Bruto in EUR 557,95
Makelaarsloon 10,00
TOB 1,95
Valutakosten 3,79
Netto te betalen 573,69
""",
        "BUY", "2024-02-15", "3", "573.69", "EUR", "US88160R1014",
    ),
    Note(
        "Austrian, a bond's price without its percent",
        """Volksbank Beispiel eGen
Wertpapierabrechnung Kauf
Nominale 10.000,00 EUR
Bundesrepublik Deutschland 2,60% 23-33 DE000BU2Z031
Schlusstag 10.04.2024
Kurs 97,12
Kurswert 9.712,00 EUR
Stückzinsen 54,67 EUR
Spesen 21,60 EUR
Belastung 9.788,27 EUR
Valuta 12.04.2024
""",
        "BUY", "2024-04-10", "100", "9788.27", "EUR", "DE000BU2Z031",
    ),
    Note(
        "Austrian, a bond sold",
        """Hypo Bodensee
Verkauf Anleihe
0,00% Rep. Österreich 2028
ISIN AT0000A28KX7
Nominale EUR 5.000
Ausführungskurs 97,5500 %
Handelstag 16.05.2024
Kurswert EUR 4.877,50
Eigene Spesen EUR -14,91
Gutschrift EUR 4.862,59
Valutatag 20.05.2024
""",
        "SELL", "2024-05-16", "50", "4862.59", "EUR", "AT0000A28KX7",
    ),
    Note(
        "Spanish, a bond by its exchange",
        """Banco Tajo
Compra de valores renta fija
Fecha operación 21/02/2024 Fecha valor 23/02/2024
BONO ESTADO 2,55% 31/10/2032 ES0000012K61
Nominal 10.000,00
Cambio ex-cupón 95,4120
Efectivo 9.541,20
Cupón corrido 80,12
Comisiones 20,40
Importe total 9.641,72 EUR
""",
        "BUY", "2024-02-21", "100", "9641.72", "EUR", "ES0000012K61",
    ),
    Note(
        "English, a gilt",
        """Isle Investments
Contract note: purchase of gilts
Trade date 15/11/2023 Settlement 16/11/2023
UK TREASURY 3.75% 22/10/2053 GB00BPCJD997
Nominal £3,000.00
Clean price 96.30
Clean consideration £2,889.00
Accrued interest (25 days) £7.68
Commission £15.94
Total payable £2,912.62
""",
        "BUY", "2023-11-15", "30", "2912.62", "GBP", "GB00BPCJD997",
    ),
    Note(
        "Dutch, a bond sold with interest",
        """Bankiers aan de Maas
Verkoop obligatie
Handelsdatum 10-09-2024
Valutadatum 12-09-2024
APPLE 0,5% 19-31 ISIN XS2079716853
Nominaal EUR 7.000,00
Koers 95,20%
Bedrag EUR 6.664,00
Opgelopen rente EUR 28,48
Kosten EUR 4,14
Netto bij te schrijven EUR 6.688,34
""",
        "SELL", "2024-09-10", "70", "6688.34", "EUR", "XS2079716853",
    ),
    Note(
        "Swiss French, a bond",
        """Banque du Lac
Achat obligations
Date d'exécution 23.01.2024
Date valeur 25.01.2024
CHF 20'000 1.50% Confédération 2042
ISIN CH0224397346
Cours 98.20%
Montant CHF 19'640.00
Intérêts courus CHF 60.00
Courtage CHF 34.40
Montant débité CHF 19'734.40
""",
        "BUY", "2024-01-23", "200", "19734.40", "CHF", "CH0224397346",
    ),
    Note(
        "Austrian, tax on a base",
        """Spar Bank Tirol
Abrechnung Verkauf
Handelstag 11.06.2024
voestalpine AG AT0000937503
Stück 90 Kurs 25,52 EUR
Kurswert 2.296,80 EUR
Spesen -16,40 EUR
Erlös 2.280,40 EUR
Kapitalertragsteuer 27,5% von 374,80 EUR -103,07 EUR
Gutschrift auf Konto AT33 1111 2222 3333 4444 2.177,33 EUR
Valuta 13.06.2024
Steuerliche Anschaffungskosten 1.905,60 EUR
""",
        "SELL", "2024-06-11", "90", "2177.33", "EUR", "AT0000937503",
    ),
    Note(
        "German, tax of the year below",
        """Neobank GmbH
Verkaufsabrechnung
Berkshire Hathaway Inc. US0846707026
Ausführung 13.03.2024 17:22
Anzahl 10 Stk.
Kurs 371,08 EUR
Kurswert 3.710,80 EUR
Transaktionskosten -1,00 EUR
Zwischensumme 3.709,80 EUR
Kapitalertragsteuer -217,63 EUR
Solidaritätszuschlag -11,97 EUR
Kirchensteuer 0,00 EUR
Auszahlung 3.480,20 EUR
Valuta 15.03.2024
Im Jahr 2024 einbehaltene Kapitalertragsteuer 402,12 EUR
""",
        "SELL", "2024-03-13", "10", "3480.20", "EUR", "US0846707026",
    ),
    Note(
        "French, levies estimated below",
        """Banque des Marais
Avis de vente
Date d'exécution 16/07/2024 à 10:12
BNP PARIBAS FR0000131104
Quantité 75
Cours 62,68 EUR
Montant brut 4 701,00 EUR
Courtage 12,10 EUR
Net crédité 4 688,90 EUR
Date de règlement 18/07/2024
Plus-value 811,22 EUR
Prélèvements sociaux estimés 17,20% 139,53 EUR
""",
        "SELL", "2024-07-16", "75", "4688.90", "EUR", "FR0000131104",
    ),
    Note(
        "Spanish, no accents",
        """Caja Ebro
Venta de acciones
F. Operación: 25-10-2023 F. Liquidación: 27-10-2023
TELEFONICA ES0178430E18
Titulos 900
Precio 3,7580
Importe bruto 3.382,20
Comision de compraventa 12,92
Canon 2,00
Importe liquido 3.367,28
Cuenta de abono ES91 2100 0418 4502 0005 1332 EUR
Resultado fiscal estimado -112,40
""",
        "SELL", "2023-10-25", "900", "3367.28", "EUR", "ES0178430E18",
    ),
    Note(
        "German, a savings plan's fee taken off first",
        """Anlage & Co
Sparplanabrechnung
Depot 445566
Sparrate 150,00 EUR
abzgl. Ausführungsentgelt 1,50 EUR
Anlagebetrag 148,50 EUR
Kurs 92,19 EUR
Anteile 1,6108
iShares Core MSCI World IE00B4L5Y983
Ausführungstag 05.08.2024
Wertstellung 07.08.2024
""",
        "BUY", "2024-08-05", "1.6108", "150.00", "EUR", "IE00B4L5Y983",
    ),
    Note(
        "Dutch, an entry fee",
        """Spaarbeleggen NV
Bevestiging inleg
Inleg EUR 250,00
Instapkosten 0,50% EUR 1,25
Belegd bedrag EUR 248,75
Koers EUR 24,5990
Participaties 10,1122
Fonds Wereld Index NL0011225305
Handelsdag 17-06-2024
Incassodatum 14-06-2024
""",
        "BUY", "2024-06-17", "10.1122", "250.00", "EUR", "NL0011225305",
    ),
    Note(
        "a fee in the account's currency",
        """Luxtrade
Sale confirmation
Account currency: EUR
Trade date: 23 Oct 2024 15:40
Instrument: Microsoft Corp US5949181045
Quantity: 7
Execution price: 424.60 USD
Trade amount: 2,972.20 USD
Commission: 2.00 USD
Net amount (USD): 2,970.20 USD
Exchange rate: 1.0850
FX commission: 1.96 EUR
Net amount (EUR): 2,735.55 EUR
Value date: 25 Oct 2024
""",
        "SELL", "2024-10-23", "7", "2735.55", "EUR", "US5949181045",
    ),
    Note(
        "German, yen into euros",
        """Bank Inntal
Wertpapierkauf
Ausführung 24.08.2023 02:11
TOYOTA MOTOR CORP. JP3633400001
Stück 200
Kurs JPY 2.450,00
Kurswert JPY 490.000
Devisenkurs 157,3300
Kurswert EUR 3.114,47
Provision EUR 24,76
Fremde Spesen EUR 7,50
Endbetrag zu Lasten EUR 3.146,73
Valuta 28.08.2023
""",
        "BUY", "2023-08-24", "200", "3146.73", "EUR", "JP3633400001",
    ),
]  # fmt: skip
