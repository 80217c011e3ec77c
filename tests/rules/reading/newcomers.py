"""More notes of brokers that do not exist, written when the roots were done: what is read of them at first sight."""

from __future__ import annotations

from rules.reading.notes import Note

NEWCOMERS = [
    Note(
        "German, a platform's receipt",
        """ANLAGEFREUND GmbH · Beleg zu Ihrer Order 7781-A
Hallo Erika, deine Kauforder wurde erledigt.
Wertpapier: Commerzbank AG, Inhaberaktien (DE0005785604)
Ausgeführt: 28.02.2023, 16:44 Uhr, Handelsplatz gettex
Ausgeführte Stückzahl: 310
Erzielter Preis pro Aktie: 11,34 €
Summe der Papiere: 3.515,40 €
Ordergebühr: 0,99 €
Von deinem Guthaben abgezogen: 3.516,39 €
Verbucht zum: 02.03.2023
""",
        "BUY", "2023-02-28", "310", "3516.39", "EUR", "DE0005785604",
    ),
    Note(
        "German, a sale as a table without colons",
        """Raiffeisenhaus Bodensee eG
Abrechnung über den Verkauf von Wertpapieren
Depot 90 771 204        Beleg 55012
Nominal    Titel                        Kennnummer       Kurs          Ausmachend
65         Münchener Rück               DE0008430026     301,20 EUR    19.578,00 EUR
           Bankprovision                                                   48,95 EUR
           Börsenplatzentgelt                                               4,90 EUR
           Abgeltungsteuer                                                312,00 EUR
           Solidaritätszuschlag                                            17,16 EUR
           Gutschriftsumme                                             19.194,99 EUR
Geschäftstag 06.03.2023      Gutschrift Wert 08.03.2023
""",
        "SELL", "2023-03-06", "65", "19194.99", "EUR", "DE0008430026",
    ),
    Note(
        "Austrian, a fund bought for a round sum",
        """Fondsdepot Kärnten
Ausgabe von Fondsanteilen
Fonds: Carmignac Investissement A EUR       ISIN: LU0323578657
Anlagebetrag:           500,00 EUR
Ausgabespesen 2,00 %:     9,80 EUR
Investiert:             490,20 EUR
Rechenwert je Anteil:   153,1875 EUR
Zugeteilte Anteile:     3,200
Schlusstag 14.09.2022 / Valuta 16.09.2022
Abgebucht von AT61 1904 3002 3457 3201:  500,00 EUR
""",
        "BUY", "2022-09-14", "3.2", "500.00", "EUR", "LU0323578657",
    ),
    Note(
        "Swiss, in English, with stamp",
        """Bank Rigi AG, Lucerne
Stock exchange transaction - we have sold on your behalf
30 registered shares NOVARTIS AG, ISIN CH0012005267
Dealt on 17.01.2023 on SIX Swiss Exchange
Rate CHF 83.50
Countervalue CHF 2'505.00
Own commission CHF 22.55
Federal turnover tax CHF 1.90
Credited to your current account CHF 2'480.55
Value 19.01.2023
""",
        "SELL", "2023-01-17", "30", "2480.55", "CHF", "CH0012005267",
    ),
    Note(
        "English, a fund manager's statement of purchase",
        """Caledonian Unit Managers Ltd
Your investment has been placed
Fund                          ISIN            Valuation point     Units allocated    Unit price
Global Equity Fund A Acc      IE00B3RBWM25    10 Jan 2023 12:00         812.348      £6.1550
Amount invested               £5,000.00
Initial charge                £0.00
Monies to reach us by         14 Jan 2023
""",
        "BUY", "2023-01-10", "812.348", "5000.00", "GBP", "IE00B3RBWM25",
    ),
    Note(
        "American, a sale told line by line",
        """BLUE MESA BROKERAGE LLC  MEMBER SIPC
TRANSACTION CONFIRMATION
Action:          SOLD
Security:        APPLE INC (AAPL)  CUSIP 037833100  ISIN US0378331005
Executed:        10/18/2022 10:31 AM ET
Settlement:      10/20/2022
Shares:          120
Price per share: $145.4900
Gross proceeds:  $17,458.80
Regulatory fees: $0.42
Net proceeds:    $17,458.38
""",
        "SELL", "2022-10-18", "120", "17458.38", "USD", "US0378331005",
    ),
    Note(
        "French, a broker's advice in two columns",
        """COURTIER DU LITTORAL                       Avis n° 2023-0457
Nature de l'opération : Acquisition        Place : Euronext Paris
Valeur : BNP PARIBAS                       ISIN : FR0000131104
Négociation du 11/04/2023                  Dénouement le 13/04/2023
Quantité négociée : 85                     Cours négocié : 55,42 €
Montant négocié                            4 710,70 €
Courtage                                       9,42 €
Taxe financière                               14,13 €
Votre compte est débité de                 4 734,25 €
""",
        "BUY", "2023-04-11", "85", "4734.25", "EUR", "FR0000131104",
    ),
    Note(
        "Italian, labels above",
        """BANCA COLLINARE
Ordine di borsa eseguito - VENDITA
Strumento                 ISIN
POSTE ITALIANE            IT0004810054
Eseguito in data          Regolamento in data
23/05/2022                25/05/2022
Q.tà eseguita    Prezzo di eseguito    Controvalore lordo
400              9,8450 EUR            3.938,00 EUR
Commissioni      Imposta sostitutiva   Netto a Suo favore
7,88 EUR         41,20 EUR             3.888,92 EUR
""",
        "SELL", "2022-05-23", "400", "3888.92", "EUR", "IT0004810054",
    ),
    Note(
        "Spanish, a purchase abroad",
        """BOLSA DIRECTA CANTÁBRICO
Justificante de compra de valores extranjeros
Valor: NVIDIA CORP         ISIN: US67066G1040
Fecha de ejecución: 08/11/2022 16:05
Acciones compradas: 20
Cambio de compra: 141,20 USD
Efectivo en divisa: 2.824,00 USD
Divisa aplicada EUR/USD: 1,0045
Efectivo en euros: 2.811,35 EUR
Comisión intermediario: 15,00 EUR
Total a cargar en su cuenta: 2.826,35 EUR
Fecha de liquidación: 10/11/2022
""",
        "BUY", "2022-11-08", "20", "2826.35", "EUR", "US67066G1040",
    ),
    Note(
        "Dutch, a sale in one sentence and a sum",
        """Polderbroker
Op 16 maart 2023 om 10.12 uur hebben wij voor u 75 aandelen AIRBUS SE (NL0000235190) verkocht.
Behaalde koers                EUR 120,44
Opbrengst aandelen            EUR 9.033,00
Onze kosten                   EUR 8,50
Bij te schrijven op rekening  EUR 9.024,50
Boeking met valuta 20 maart 2023
""",
        "SELL", "2023-03-16", "75", "9024.50", "EUR", "NL0000235190",
    ),
    Note(
        "Danish, a sale with labels above",
        """Limfjordens Bank
Salgsmeddelelse
Fondskode          Papirnavn
DK0010244508       A.P. Møller - Mærsk B
Handlet den        Til disposition den
22.11.2022         24.11.2022
Antal solgte       Opnået kurs            Salgssum
3                  15.105,00 DKK          45.315,00 DKK
Kurtage til banken                        67,97 DKK
Indsat på konto 4040 118822           45.247,03 DKK
""",
        "SELL", "2022-11-22", "3", "45247.03", "DKK", "DK0010244508",
    ),
    Note(
        "Swedish, a purchase",
        """NORRSKENSBANKEN
Affärsbesked
Ni har köpt       SEB A, SE0000148884
Dag för affären   2022-10-05
Dag för likvid    2022-10-07
Antal köpta aktier 220
Pris per aktie    109,40 kr
Aktiernas värde   24 068,00 SEK
Vårt courtage     36,10 SEK
Summa som dras från kontot  24 104,10 SEK
""",
        "BUY", "2022-10-05", "220", "24104.10", "SEK", "SE0000148884",
    ),
    Note(
        "Polish, a purchase as a table",
        """Biuro Maklerskie Tatry
Potwierdzenie wykonania zlecenia kupna
Instrument       Kod ISIN        Ilość   Cena wykonania   Wartość brutto
DINO POLSKA      PLDINPL00011       45       312,10 PLN     14 044,50 PLN
Prowizja biura                                                 40,73 PLN
Do pobrania z rachunku                                     14 085,23 PLN
Sesja z dnia 12.10.2022, rozrachunek 14.10.2022
""",
        "BUY", "2022-10-12", "45", "14085.23", "PLN", "PLDINPL00011",
    ),
    Note(
        "Portuguese, a bond bought in percent",
        """Banco da Serra
Compra de obrigações
Obrigação        BTP TF 2,50% DC32   ISIN IT0005494239
Valor nominal    EUR 10.000,00
Cotação          88,15 %
Valor da compra  EUR 8.815,00
Juros corridos   EUR 41,10
Comissão do banco EUR 12,00
Total debitado   EUR 8.868,10
Negociado em 21/03/2023 com liquidação em 23/03/2023
""",
        "BUY", "2023-03-21", "100", "8868.10", "EUR", "IT0005494239",
    ),
]  # fmt: skip
