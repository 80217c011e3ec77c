"""Contract notes of brokers that do not exist, in words and layouts of their own: nobody tuned the lexicon to them."""

from __future__ import annotations

from rules.reading.notes import Note

GERMAN = [
    Note(
        "Austrian, a deal slip with two columns",
        """Donaubank Vermögenshaus Gesellschaft m.b.H.            Linz, 9. Juni 2023
Schlussschein Nr. 88-20415
Geschäftsart       Erwerb                 Verwahrstelle     Wien
Gattung            OMV AG                 Kennnummer        AT0000743059
Stückanzahl        180                    Abschlusspreis    39,44 EUR
Abschlussstichtag  07.06.2023             Erfüllungstermin  09.06.2023
Abschlusswert                                               7.099,20 EUR
Vermittlungsentgelt                                            21,30 EUR
Clearingaufwand                                                 3,50 EUR
Abzubuchende Summe                                          7.124,00 EUR
""",
        "BUY", "2023-06-07", "180", "7124.00", "EUR", "AT0000743059",
    ),
    Note(
        "German, a letter in whole sentences",
        """Privatbank Hellweg KG
Sehr geehrter Herr Beispiel,
am 4. Mai 2023 erwarben wir in Ihrem Namen 75 Aktien der Fresenius SE (ISIN DE0005785604) zum Stückpreis von
25,60 EUR. Der Wert der Papiere beträgt 1.920,00 EUR, unsere Vermittlungsgebühr 14,40 EUR.
Ihrem Konto belasten wir per 8. Mai 2023 insgesamt 1.934,40 EUR.
Mit freundlichen Grüßen
""",
        "BUY", "2023-05-04", "75", "1934.40", "EUR", "DE0005785604",
    ),
    Note(
        "German, labels above their values, a sale with tax withheld",
        """SPREEWERT DIREKTANLAGE
Verkaufsnote
Papier                              ISIN
Münchener Rück vink. NA             DE0008430026
Handelstermin     Geldtag         Handelsort
11.10.2022        13.10.2022      Stuttgart
Gehandelte Stücke    Erzielter Kurs     Erlös vor Abzügen
22                   251,30 EUR         5.528,60 EUR
Orderkosten          Kapitalertragsteuer    Solizuschlag
9,90 EUR             187,50 EUR             10,31 EUR
Ihnen fließen zu
5.320,89 EUR
""",
        "SELL", "2022-10-11", "22", "5320.89", "EUR", "DE0008430026",
    ),
    Note(
        "Swiss German, a bond in percent",
        """Kantonalbank Obersee
Effektengeschäft: Kauf ab Börse
Titel: 2.125% UBS Group 2016-2026, ISIN CH0244767585
Nominalkapital                 CHF 20'000.00
Abschlusskurs                  99.35 %
Kapitalbetrag                  CHF 19'870.00
Aufgelaufener Zins 96 Tage     CHF 113.33
Bankkommission                 CHF 79.48
Eidgenössischer Stempel        CHF 14.90
Belastungstotal                CHF 20'077.71
Abschluss: 15.02.2022     Valutierung: 17.02.2022
""",
        "BUY", "2022-02-15", "200", "20077.71", "CHF", "CH0244767585",
    ),
    Note(
        "German, bought in dollars and paid in euros",
        """Wertkontor Online
Effektenkauf USA
12.01.2023 15:34:10 NASDAQ
NVIDIA Corp., US67066G1040
Stückmenge: 16
Schlusspreis: 160,75 USD
Papierwert: 2.572,00 USD
Umrechnungssatz EUR/USD: 1,0816
Papierwert umgerechnet: 2.377,96 EUR
Auslandsgebühr: 12,00 EUR
Maklergeld: 4,75 EUR
Summe zu Lasten Ihres Verrechnungskontos: 2.394,71 EUR
Geldvaluta: 17.01.2023
""",
        "BUY", "2023-01-12", "16", "2394.71", "EUR", "US67066G1040",
    ),
    Note(
        "German, a savings plan in fractions",
        """FONDSLADEN.TEST GMBH
Bestätigung über die Ausführung Ihres Sparauftrags
iShares Core MSCI World (IE00B4L5Y983)
Anlagerate 150,00 EUR
abzüglich Ausführungsgebühr 1,50 EUR
Angelegt 148,50 EUR
Anteilskurs 75,3012 EUR
Anteilsanzahl 1,972080
Zeitpunkt des Kaufs 05.09.2022
Bankeinzug am 07.09.2022
Eingezogen 150,00 EUR
""",
        "BUY", "2022-09-05", "1.97208", "150.00", "EUR", "IE00B4L5Y983",
    ),
    Note(
        "German, parts with a line that adds them up",
        """Handelshaus Isar
Ausführungsprotokoll Verkauf
Infineon Technologies AG     DE0006231004
Uhrzeit     Stücke      Preis          Wert
09:02:11       200      33,410 EUR     6.682,00 EUR
09:02:13       150      33,400 EUR     5.010,00 EUR
09:05:40        50      33,390 EUR     1.669,50 EUR
Summe          400                    13.361,50 EUR
Geschehen am 21.04.2022
Maklercourtage 10,69 EUR
Abwicklungspauschale 2,90 EUR
Auszukehrender Betrag 13.347,91 EUR
Fällig 25.04.2022
""",
        "SELL", "2022-04-21", "400", "13347.91", "EUR", "DE0006231004",
    ),
]  # fmt: skip

ENGLISH = [
    Note(
        "English, labels above, prices in pence",
        """Thornbury & Sons, Members of the London Stock Exchange
DEALING ADVICE - PURCHASE
Stock
UNILEVER PLC ORD 3 1/9P
ISIN code GB00B10RZP78
Dealt               Due for payment
06 Mar 2023         08 Mar 2023
Number dealt     Dealing level (pence)    Value of deal
425              4,112.00                 £17,476.00
Our charge       Transfer stamp           Panel levy
£12.50           £87.38                   £1.00
You owe us
£17,576.88
""",
        "BUY", "2023-03-06", "425", "17576.88", "GBP", "GB00B10RZP78",
    ),
    Note(
        "English, a sale in parts",
        """Liffey Execution Services DAC
Fill report
Side: SALE      Instrument: BP PLC      ISIN: GB0007980591
Dealing day: 14 November 2022
Fill        Lot       At            Worth
1         1,000     4.8120 GBP    4,812.00 GBP
2           600     4.8110 GBP    2,886.60 GBP
3           400     4.8100 GBP    1,924.00 GBP
Dealing cost                        6.00 GBP
Cash to your account            9,616.60 GBP
Cash date: 16 November 2022
""",
        "SELL", "2022-11-14", "2000", "9616.60", "GBP", "GB0007980591",
    ),
    Note(
        "American, a confirm in one long row",
        """PRAIRIE INVESTMENTS INC, MEMBER FINRA/SIPC, DENVER, CO 80202
CONFIRM - WE PURCHASED FOR YOUR ACCOUNT
TRADED       SETTLES       SHS     UNIT PX      EXTENDED      COMM    SEC/TAF   CASH OUT
03/15/2022   03/17/2022     35     $801.8900    $28,066.15    $4.95   $0.00     $28,071.10
TESLA INC COM    CUSIP 88160R101   ISIN US88160R1014
""",
        "BUY", "2022-03-15", "35", "28071.10", "USD", "US88160R1014",
    ),
    Note(
        "Australian, brokerage with tax",
        """Harbourline Trading Pty Ltd AFSL 000000
Confirmation of your acquisition
Company: CSL LIMITED (AU000000CSL8)
As at: 22 Aug 2022
Securities acquired: 60
Average price per security: AUD 291.85
Acquisition cost: AUD 17,511.00
Brokerage inclusive of GST: AUD 19.95
Amount to be drawn from your cash account: AUD 17,530.95
Payable: 24 Aug 2022
""",
        "BUY", "2022-08-22", "60", "17530.95", "AUD", "AU000000CSL8",
    ),
]  # fmt: skip

ROMANCE = [
    Note(
        "French, sold in dollars and paid in euros",
        """Maison de Titres Garonne
Compte rendu de cession
Libellé          APPLE INC
Identifiant      US0378331005
Séance du        02/02/2023
Titres cédés     45
Coté à           150,80 USD
Produit brut     6 786,00 USD
Conversion EUR/USD 1,0950
Produit brut converti     6 197,26 EUR
Frais d'intermédiation    -12,40 EUR
Droits divers             -3,10 EUR
Somme portée à votre crédit   6 181,76 EUR
Disponible le    06/02/2023
""",
        "SELL", "2023-02-02", "45", "6181.76", "EUR", "US0378331005",
    ),
    Note(
        "Swiss French, a purchase on the exchange",
        """Banque du Jura SA
Genève, le 18 mai 2022
Nous avons acquis pour votre compte en date du 16.05.2022
40 nominatives ROCHE HOLDING (CH0012032048)
Prix obtenu          CHF 327.15
Montant des titres acquis    CHF 13'086.00
Courtage             CHF 91.60
Timbre de négociation CHF 9.80
Solde en notre faveur CHF 13'187.40
Val. 18.05.2022
""",
        "BUY", "2022-05-16", "40", "13187.40", "CHF", "CH0012032048",
    ),
    Note(
        "French, a fund in a table",
        """ASSURÉPARGNE DE L'OUEST
Votre souscription a été exécutée
Support                     ISIN            Valeur de part   Parts attribuées   Montant souscrit
Carmignac Investissement    LU0323578657        152,4300             13,1208         2 000,00 €
Jour de cotation : 27/06/2023
Droits acquis à la société : 0,00 €
Montant réglé : 2 000,00 €
""",
        "BUY", "2023-06-27", "13.1208", "2000.00", "EUR", "LU0323578657",
    ),
    Note(
        "Italian, a sale with tax withheld",
        """Cassa Mobiliare Adriatica S.p.A.
Comunicazione di vendita eseguita per Vostro conto
Strumento finanziario: UNIPOL GRUPPO       Cod. ISIN: IT0004810054
Giorno di borsa: 19/09/2022      Liquidato il: 21/09/2022
Pezzi ceduti: 1.500
Prezzo realizzato: 4,0260
Ricavo lordo: 6.039,00
Provvigioni banca: 11,48
Imposta sul guadagno: 84,22
Ricavo netto accreditato: 5.943,30
Importi espressi in EUR
""",
        "SELL", "2022-09-19", "1500", "5943.30", "EUR", "IT0004810054",
    ),
    Note(
        "Italian, a bond with accrued interest",
        """Banco delle Alpi
Avviso di compravendita - A C Q U I S T O
BTP TF 2,50% DC32                IT0005494239
Capitale nominale                EUR 15.000,00
Quotazione di carico             87,42
Valore capitale                  EUR 13.113,00
Dietimi 65 gg                    EUR 66,60
Spese e provvigioni              EUR 19,67
Addebitiamo                      EUR 13.199,27
Seduta del                       03/02/2023
Valuta di addebito               07/02/2023
""",
        "BUY", "2023-02-03", "150", "13199.27", "EUR", "IT0005494239",
    ),
    Note(
        "Spanish, two columns",
        """Caja Bursátil de Levante
AVISO DE ADQUISICIÓN DE TÍTULOS
Clase de valor: INDITEX              Código ISIN: ES0148396007
Sesión: 10/03/2023                   Liquida: 14/03/2023
Títulos adquiridos: 210              Cambio contratado: 28,95 EUR
Valor bursátil                       6.079,50 EUR
Corretaje y cánones                     12,16 EUR
Tasa Tobin                              12,16 EUR
Cantidad adeudada                    6.103,82 EUR
""",
        "BUY", "2023-03-10", "210", "6103.82", "EUR", "ES0148396007",
    ),
    Note(
        "Spanish, a sentence and a short sum",
        """Estimado cliente:
Le informamos de que el día 15 de junio de 2022 vendimos por su cuenta 900 acciones de Banco Santander
(ES0113900J37) al precio de 2,768 euros.
Efectivo obtenido            2.491,20 EUR
Nuestros honorarios              8,00 EUR
Gastos del mercado               2,73 EUR
Ingresamos en su cuenta      2.480,47 EUR
con valor 17/06/2022
""",
        "SELL", "2022-06-15", "900", "2480.47", "EUR", "ES0113900J37",
    ),
    Note(
        "Portuguese, a purchase",
        """Corretora Ribatejo, S.A.
Comprovativo de aquisição de valores mobiliários
Valor mobiliário     GALP ENERGIA           PTGAL0AM0009
Sessão de bolsa      24/01/2023
Títulos adquiridos   320
Preço conseguido     12,485 EUR
Importe dos títulos  3.995,20 EUR
Remuneração da corretora  7,99 EUR
Selo sobre remuneração    0,32 EUR
Debitámos na sua conta 4.003,51 EUR
Data-valor           26/01/2023
""",
        "BUY", "2023-01-24", "320", "4003.51", "EUR", "PTGAL0AM0009",
    ),
    Note(
        "Portuguese, a sale with tax withheld, as a table",
        """Banco do Douro
Alienação de títulos
Título                  ISIN           Qtd. alienada   Preço unit.   Produto ilíquido
Jerónimo Martins SGPS   PTJMT0AE0001             150        21,36        3.204,00
Comissões cobradas       9,61
Imposto retido          55,10
Produto líquido creditado   3.139,29 EUR
Alienação executada em 05-07-2022, valor 07-07-2022
""",
        "SELL", "2022-07-05", "150", "3139.29", "EUR", "PTJMT0AE0001",
    ),
]  # fmt: skip

NORTHERN = [
    Note(
        "Dutch, labels above their values",
        """Grachtenbank Beleggingen N.V.
Bevestiging aankoop op de beurs
Fondsnaam                        ISIN-code
AIRBUS SE                        NL0000235190
Dag van uitvoering      Dag van betaling
05-12-2022 11:20        07-12-2022
Stukken        Afgerekende koers     Effectieve tegenwaarde
60             110,82 EUR            6.649,20 EUR
Bankprovisie   Af te boeken
13,30 EUR      6.662,50 EUR
""",
        "BUY", "2022-12-05", "60", "6662.50", "EUR", "NL0000235190",
    ),
    Note(
        "Belgian Dutch, a sale",
        """Scheldebank
Uw opdracht tot verkoop is verwerkt
Waardepapier       AB INBEV (BE0974293251)
Verhandelde stukken      125
Verkregen prijs          EUR 54,10
Bruto-opbrengst          EUR 6.762,50
Loon makelaar            EUR 10,14
Taks beursverrichting    EUR 23,67
Netto-opbrengst          EUR 6.728,69
Verhandeld op            09/08/2022
Op uw rekening op        11/08/2022
""",
        "SELL", "2022-08-09", "125", "6728.69", "EUR", "BE0974293251",
    ),
    Note(
        "Danish, a purchase",
        """Sundets Sparekasse
Bekræftelse på værdipapirkøb
Værdipapir            A.P. Møller - Mærsk B     DK0010244508
Handelsdøgn           13.09.2022
Pengedøgn             15.09.2022
Stykantal             2
Handelspris           16.510,00 DKK
Papirernes værdi      33.020,00 DKK
Bankens kurtage       49,53 DKK
Trukket på din konto  33.069,53 DKK
""",
        "BUY", "2022-09-13", "2", "33069.53", "DKK", "DK0010244508",
    ),
    Note(
        "Norwegian, a contract note",
        """Nordlys Verdipapirforetak AS
Bekreftelse på kjøp av aksjer
Verdipapir        EQUINOR ASA
ISIN              NO0010096985
Handlet dag       24.08.2022
Oppgjør           26.08.2022
Aksjer            140
Gjennomsnittlig pris  382,45 NOK
Verdi av handelen     53 543,00 NOK
Meglerhonorar         80,31 NOK
Belastet din konto    53 623,31 NOK
""",
        "BUY", "2022-08-24", "140", "53623.31", "NOK", "NO0010096985",
    ),
    Note(
        "Swedish, a fund sold",
        """Mälarfonder AB
Bekräftelse av inlösta fondandelar
Fond                SEB EUROPAFOND        SE0000434201
Handelsdatum NAV    2022-11-08
Inlösta andelar     212,4417
Andelsvärde         31,4910 SEK
Fondlikvid          6 690,00 SEK
Uttagskostnad       66,90 SEK
Utbetalas till ert konto   6 623,10 SEK
Utbetalningsdag     2022-11-10
""",
        "SELL", "2022-11-08", "212.4417", "6623.10", "SEK", "SE0000434201",
    ),
    Note(
        "Swedish, a purchase as a table",
        """Vänerns Fondkommission
Vi bekräftar följande förvärv för Er räkning
Papper              ISIN           Dag          Mängd     Snittpris      Köpeskilling
SEB A               SE0000148884   2023-04-18     350     118,25 SEK     41 387,50 SEK
Mäklararvode                                                              62,08 SEK
Totalt att erlägga                                                    41 449,58 SEK
Likvid 2023-04-20
""",
        "BUY", "2023-04-18", "350", "41449.58", "SEK", "SE0000148884",
    ),
    Note(
        "Polish, a sale",
        """Kantor Inwestycyjny Bałtyk
Zawiadomienie o sprzedaży papierów
Walor: DINO POLSKA            Kod ISIN: PLDINPL00011
Dzień sesji: 17.05.2022       Dzień zapłaty: 19.05.2022
Sprzedanych sztuk: 30
Uzyskana cena: 279,60 PLN
Wartość sprzedanych papierów: 8 388,00 PLN
Wynagrodzenie maklera: 32,71 PLN
Przekazano na rachunek pieniężny: 8 355,29 PLN
""",
        "SELL", "2022-05-17", "30", "8355.29", "PLN", "PLDINPL00011",
    ),
]  # fmt: skip

STRANGERS = [*GERMAN, *ENGLISH, *ROMANCE, *NORTHERN]
