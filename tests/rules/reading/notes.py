"""Contract notes written for these tests, in ten languages and many layouts; no bank ever sent them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Note:
    """A text and what it says."""

    name: str
    text: str
    direction: str
    trade_date: str
    quantity: str
    net: str
    currency: str
    isin: str | None = None


NOTES = [
    Note(
        "German, labels and values in one column",
        """Musterbank Direkt AG
Frau Erika Beispiel
Postfach 10 20 30, 60311 Frankfurt
Datum: 14.03.2023
Wertpapierabrechnung
Kauf
ISIN (WKN) DE0007164600 (716460)
Wertpapierbezeichnung SAP SE
Inhaber-Aktien o.N.
Nominale Stück 15,00
Kurs EUR 112,34
Handelsplatz Xetra
Ausführungstag / -zeit 13.03.2023 um 10:15:22 Uhr
Kurswert EUR 1.685,10
Provision EUR 9,90
Handelsplatzgebühr EUR 2,05
Endbetrag zu Ihren Lasten EUR 1.697,05
Abrechnungs-IBAN DE89 3704 0044 0532 0130 00
Valuta 15.03.2023
""",
        "BUY", "2023-03-13", "15", "1697.05", "EUR", "DE0007164600",
    ),
    Note(
        "German, table with a position and a booking",
        """NEOBANK GMBH BRUNNENSTRASSE 19 10119 BERLIN
DATUM 02.02.2024
ORDER 1a2b-3c4d
DEPOT 1234567890
WERTPAPIERABRECHNUNG
ÜBERSICHT
Market-Order Verkauf am 31.01.2024, um 15:31 Uhr (Europe/Berlin) an der Lang & Schwarz Exchange.
POSITION ANZAHL PREIS BETRAG
Siemens AG 12 Stk. 165,48 EUR 1.985,76 EUR
Namens-Aktien o.N.
ISIN: DE0007236101
GESAMT 1.985,76 EUR
ABRECHNUNG
POSITION BETRAG
Fremdkostenzuschlag -1,00 EUR
GESAMT 1.984,76 EUR
BUCHUNG
VERRECHNUNGSKONTO VALUTA BETRAG
DE40110101008888888888 02.02.2024 1.984,76 EUR
""",
        "SELL", "2024-01-31", "12", "1984.76", "EUR", "DE0007236101",
    ),
    Note(
        "German, prose and units",
        """WERTPAPIERABRECHNUNG
KAUF AM 15.01.2020 UM 08:13:35 TRADEGATE NR. 12345678
IHR AUFTRAG VOM 14.01.2020
WERTPAPIER WKN ISIN
DEUTSCHE TELEKOM AG NAMENS-AKTIEN 555750 DE0005557508
EINHEIT UMSATZ
ST 250,00000
KURS 14,860000 EUR P.ST.
KURSWERT EUR 3.715,00
PROVISION EUR 9,25
GRUNDGEBUEHR EUR 4,95
WERT 17.01.2020 EUR 3.729,20
ZU LASTEN KONTO-NR. 123456789
""",
        "BUY", "2020-01-15", "250", "3729.20", "EUR", "DE0005557508",
    ),
    Note(
        "German, sale with taxes and a foreign currency",
        """Abrechnung: Verkauf
Depotnummer 4711
Stück 40 MICROSOFT CORP. US5949181045 (870747)
Schlusstag 08.11.2022 Schlusszeit 17:05
Ausführungskurs 227,50 USD
Devisenkurs (EUR/USD) 1,0040
Kurswert 9.063,75 EUR
Provision 22,66- EUR
Kapitalertragsteuer 24,51 % auf 1.250,00 EUR 306,37- EUR
Solidaritätszuschlag 5,5 % auf 306,37 EUR 16,85- EUR
Ausmachender Betrag 8.717,87 EUR
Den Gegenwert buchen wir mit Valuta 10.11.2022 zu Gunsten des Kontos 4711
""",
        "SELL", "2022-11-08", "40", "8717.87", "EUR", "US5949181045",
    ),
    Note(
        "Swiss German, apostrophes and a stamp duty",
        """Bank am See AG
Zürich, 03.05.2021
Börsenabrechnung - Kauf
Wir haben für Sie am 30.04.2021 gekauft.
120 Namen-Aktie Nestle AG
Valor: 3886335
ISIN: CH0038863350
Menge Preis
120 108.94
Total Kurswert CHF -13'072.80
Eidg. Umsatzabgabe CHF -9.80
Courtage CHF -45.00
Netto CHF -13'127.60
Valuta: 04.05.2021
""",
        "BUY", "2021-04-30", "120", "13127.60", "CHF", "CH0038863350",
    ),
    Note(
        "German bond in percent with accrued interest",
        """Wertpapier Abrechnung Kauf
Nominale EUR 5.000,00
1,25 % BUNDESREP. DEUTSCHLAND ANL. V. 2017 DE0001102424
Schlusstag 21.06.2023
Kurs 98,20 %
Kurswert EUR 4.910,00
Stückzinsen für 127 Tage EUR 21,75
Provision EUR 12,50
Zu Ihren Lasten EUR 4.944,25
Valuta 23.06.2023
""",
        "BUY", "2023-06-21", "50", "4944.25", "EUR", "DE0001102424",
    ),
    Note(
        "English, pence and a stamp duty",
        """Highstreet Stockbrokers Limited
CONTRACT NOTE
Bought
Trade date: 12/09/2022 Time: 14:22
Settlement date: 14/09/2022
Security: DIAGEO PLC ORD
ISIN: GB0002374006
Quantity Price (p) Consideration
300 3850.50 £11,551.50
Commission £5.99
Stamp Duty £57.76
PTM Levy £1.00
Total payable £11,616.25
""",
        "BUY", "2022-09-12", "300", "11616.25", "GBP", "GB0002374006",
    ),
    Note(
        "American, month first",
        """Lakeside Securities LLC Member FINRA SIPC
Trade Confirmation
You Sold
Trade Date Settlement Date Symbol CUSIP
05/03/2021 05/05/2021 AAPL 037833100
Quantity Price Principal Amount
50 $132.54 $6,627.00
Commission $4.95
SEC Fee $0.04
Net Amount $6,622.01
New York, NY 10005
""",
        "SELL", "2021-05-03", "50", "6622.01", "USD",
    ),
    Note(
        "French, blanks between thousands",
        """Banque des Deux Rives
AVIS D'OPÉRÉ
Le 18/10/2023
Compte titres n° 00123
ACHAT AU COMPTANT
Date d'exécution : 17/10/2023 à 11:42:05
Valeur : AIR LIQUIDE
Code ISIN : FR0000120073
Quantité : 25
Cours : 158,72 EUR
Montant brut : 3 968,00 EUR
Commission : 7,94 EUR
Taxe sur les transactions financières : 11,90 EUR
Montant net au débit de votre compte : 3 987,84 EUR
Date de règlement : 19/10/2023
""",
        "BUY", "2023-10-17", "25", "3987.84", "EUR", "FR0000120073",
    ),
    Note(
        "Belgian French, sale with a tax on the exchange",
        """Votre bordereau de vente
Vente de 80 SOLVAY SA (BE0003470755)
Date de transaction 04/07/2022 14:55
Prix unitaire 79,26 EUR
Montant de la transaction 6 340,80 EUR
Courtage 9,50 EUR
Taxe de bourse 22,19 EUR
Montant net 6 309,11 EUR
Date valeur 06/07/2022
""",
        "SELL", "2022-07-04", "80", "6309.11", "EUR", "BE0003470755",
    ),
    Note(
        "Italian, note of execution",
        """Banca del Lago S.p.A.
Nota di eseguito
Operazione di acquisto
Titolo ENI SPA ISIN IT0003132476
Data esecuzione 06/06/2022 Ora 09:31:07
Quantità 500
Prezzo medio 14,182
Controvalore 7.091,00 EUR
Commissioni 13,47 EUR
Tobin Tax 7,09 EUR
Importo netto a vostro debito 7.111,56 EUR
Data valuta 08/06/2022
""",
        "BUY", "2022-06-06", "500", "7111.56", "EUR", "IT0003132476",
    ),
    Note(
        "Spanish, sale with costs",
        """Banco del Norte, S.A.
LIQUIDACIÓN DE VALORES
VENTA DE ACCIONES
Fecha de operación 14/02/2023
Fecha valor 16/02/2023
Valor IBERDROLA ISIN ES0144580Y14
Número de títulos 600
Precio 10,85 EUR
Importe efectivo 6.510,00 EUR
Comisión 15,00 EUR
Canon de bolsa 4,65 EUR
Importe líquido 6.490,35 EUR
""",
        "SELL", "2023-02-14", "600", "6490.35", "EUR", "ES0144580Y14",
    ),
    Note(
        "Dutch, purchase",
        """Effectenbank Noord
Effectennota
Aankoop
Transactiedatum 22-08-2022 10:12:44
Fonds ASML HOLDING NV
ISIN NL0010273215
Aantal 8
Koers EUR 512,30
Effectief bedrag EUR 4.098,40
Provisie EUR 6,15
Totaal te betalen EUR 4.104,55
Valutadatum 24-08-2022
""",
        "BUY", "2022-08-22", "8", "4104.55", "EUR", "NL0010273215",
    ),
    Note(
        "Danish, sale",
        """Fjordbank A/S
Fondsnota
Vi har solgt for Dem
Handelsdag 07.03.2022
Papir Novo Nordisk B A/S
ISIN DK0060534915
Antal 100 stk
Kurs 672,40 DKK
Kursværdi 67.240,00 DKK
Kurtage 67,24 DKK
Nettobeløb 67.172,76 DKK
Valør 09.03.2022
""",
        "SELL", "2022-03-07", "100", "67172.76", "DKK", "DK0060534915",
    ),
    Note(
        "Swedish, purchase",
        """Skärgårdsbanken AB
AVRÄKNINGSNOTA
Köp
Affärsdag 2022-05-11
Likviddag 2022-05-13
Värdepapper VOLVO AB SER. B
ISIN SE0000115446
Antal 150
Kurs 161,20 SEK
Belopp 24 180,00 SEK
Courtage 60,45 SEK
Att betala 24 240,45 SEK
""",
        "BUY", "2022-05-11", "150", "24240.45", "SEK", "SE0000115446",
    ),
    Note(
        "Polish, purchase",
        """Dom Maklerski Wisła S.A.
Potwierdzenie zawarcia transakcji
Kupno
Data transakcji 09.11.2021 12:01:33
Data rozliczenia 12.11.2021
Papier PKO BANK POLSKI
ISIN PLPKO0000016
Liczba 200 szt.
Kurs 48,50 PLN
Wartość 9 700,00 PLN
Prowizja 37,83 PLN
Kwota do zapłaty 9 737,83 PLN
""",
        "BUY", "2021-11-09", "200", "9737.83", "PLN", "PLPKO0000016",
    ),
    Note(
        "Portuguese, sale",
        """Banco Atlântico
Nota de execução
Venda de títulos
Data da operação 03-10-2022 15:20
Data de liquidação 05-10-2022
Título EDP RENOVAVEIS ISIN ES0127797019
Quantidade 90
Preço 21,55 EUR
Valor bruto 1.939,50 EUR
Comissão de corretagem 5,00 EUR
Imposto do selo 0,20 EUR
Valor líquido 1.934,30 EUR
""",
        "SELL", "2022-10-03", "90", "1934.30", "EUR", "ES0127797019",
    ),
    Note(
        "German, executed in parts",
        """Wertpapierabrechnung Kauf
ISIN DE0005190003 BAYERISCHE MOTOREN WERKE AG
Handelstag 19.07.2022
Ausführungen
Menge Kurs Kurswert
30 71,20 EUR 2.136,00 EUR
20 71,25 EUR 1.425,00 EUR
10 71,30 EUR 713,00 EUR
Provision 10,69 EUR
Gesamtbetrag zu Ihren Lasten 4.284,69 EUR
Valuta 21.07.2022
""",
        "BUY", "2022-07-19", "60", "4284.69", "EUR", "DE0005190003",
    ),
]  # fmt: skip

DIVIDEND = """Musterbank Direkt AG
Dividendengutschrift
ISIN DE0007164600 SAP SE
Stück 15
Dividende pro Stück 2,05 EUR
Zahlbarkeitstag 16.05.2023
Ex-Tag 12.05.2023
Bruttobetrag EUR 30,75
Kapitalertragsteuer EUR 7,69-
Gutschrift EUR 23,06
"""

STATEMENT = """Transaction history
Period 01-02-2023 to 28-02-2023
Date Time Product ISIN Quantity Price Value Fee Total
03-02-2023 09:04 ALLIANZ SE DE0008404005 5 218,40 EUR -1.092,00 EUR -2,00 EUR -1.094,00 EUR
10-02-2023 15:47 BASF SE DE000BASF111 -40 52,10 EUR 2.084,00 EUR -2,00 EUR 2.082,00 EUR
21-02-2023 11:12 BAYER AG DE000BAY0017 20 58,35 EUR -1.167,00 EUR -2,00 EUR -1.169,00 EUR
Page 1 / 1
"""
