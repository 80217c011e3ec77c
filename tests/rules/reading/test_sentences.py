"""What a sentence says of its days, and what is told beside a trade."""

from __future__ import annotations

import pytest

from postroom.nouns.documents import plain, typed
from postroom.reading.extractor import extract, understand
from postroom.reading.labels import pairing, words
from postroom.reading.page.tokens import TokenKind, tokenise


def days_of(text: str, language: str) -> dict[str, str]:
    """What each day of a text is most plainly called."""
    reading = pairing.pair(tokenise(typed(text)), words.lexicon((language, "en")))
    fields = ("trade_date", "order_date", "settlement_date", "other_date")
    return {
        str(token.day): max(fields, key=reading.about(token).of) for token in reading.text.of(TokenKind.DATE)
    }  # fmt: skip


@pytest.mark.parametrize(
    ("language", "sentence", "trade", "order"),
    [
        ("en", "Your order of 4 March 2024 was carried out on 5 March 2024.", "2024-03-05", "2024-03-04"),
        ("de", "Ihren am 4.3.2024 erteilten Auftrag haben wir am 5.3.2024 ausgeführt.", "2024-03-05", "2024-03-04"),
        ("de", "In Ihrem Auftrag vom 04.03.2024 haben wir am 05.03.2024 verkauft", "2024-03-05", "2024-03-04"),
        ("nl", "Op 5 maart 2024 is uw opdracht van 4 maart 2024 uitgevoerd.", "2024-03-05", "2024-03-04"),
        ("fr", "Votre ordre du 4/3/2024 a été exécuté le 5/3/2024.", "2024-03-05", "2024-03-04"),
        ("es", "El día 5 de marzo de 2024 hemos vendido, según su orden del 4 de marzo de 2024.", "2024-03-05", "2024-03-04"),
        ("it", "In data 05/03/2024 abbiamo eseguito il Vostro ordine del 04/03/2024.", "2024-03-05", "2024-03-04"),
    ],
)  # fmt: skip
def test_a_sentence_tells_the_order_s_day_from_the_trade_s(language, sentence, trade, order):
    assert {trade: "trade_date", order: "order_date"} == days_of(sentence, language)


@pytest.mark.parametrize(
    ("language", "sentence", "called"),
    [
        ("nl", "Op 7 maart 2024 schrijven wij dit bedrag af van uw rekening.", "settlement_date"),
        ("en", "We will debit your account on 7 March 2024.", "settlement_date"),
        ("de", "Diese Abrechnung wurde am 07.03.2024 erstellt.", "other_date"),
        ("nl", "Opdracht ingelegd: 07-03-2024", "order_date"),
        ("pt", "Negociado em 07/03/2024", "trade_date"),
    ],
)
def test_a_day_is_what_was_done_on_it(language, sentence, called):
    assert {"2024-03-07": called} == days_of(sentence, language)


def test_a_sentence_ends_before_the_next_one():
    text = "De order is uitgevoerd op Euronext. U gaf de order door op 4 maart 2024."

    assert {"2024-03-04": "order_date"} == days_of(text, "nl")


def test_a_word_right_before_another_day_says_nothing_of_this_one():
    text = "Negociado em 05/03/2024 com liquidação em 07/03/2024"

    assert {"2024-03-05": "trade_date", "2024-03-07": "settlement_date"} == days_of(text, "pt")


SOLD = """Bank am Hang
Wertpapierabrechnung Verkauf
Stück 20 Muster AG AT0000937503
Handelstag 12.03.2024
Kurs 25,50 EUR
Kurswert 510,00 EUR
Provision 5,00 EUR
{more}Gutschrift 505,00 EUR
Valuta 14.03.2024
{below}"""


def sold(more: str = "", below: str = "") -> tuple[str, str, str, bool]:
    extraction = extract(typed(SOLD.format(more=more, below=below)))
    (trade,) = extraction.trades
    return str(trade.direction), str(trade.trade_date), str(trade.net), extraction.auto_confirm


@pytest.mark.parametrize(
    "below",
    [
        "Kaufdatum 03.02.2016 Stück 20\n",
        "Erworben am 03.02.2016\n",
        "Kosteninformation\nProvision 1,25 EUR\nGesamtkosten 6,25 EUR\n",
        "Buchungstag 13.03.2024\n",
    ],
)
def test_what_is_told_below_a_sale_stops_nothing(below):
    assert ("SELL", "2024-03-12", "505.00", True) == sold(below=below)


def test_the_minute_of_a_trade_is_never_that_of_another_one():
    text = SOLD.format(more="", below="Kauf am 03.02.2016, 10:15 Uhr\n")

    assert not extract(typed(text)).auto_confirm


TAXED = SOLD.replace("Gutschrift 505,00", "Gutschrift 402,00")


@pytest.mark.parametrize(
    "line",
    [
        "Ersatzsteuer auf Veräußerungsgewinn 27,5% 103,00-\n",
        "Kapitalertragsteuer 27,5 % auf Kursgewinn 374,55 EUR 103,00-\n",
        "KESt 27,5% (Bemessung 374,55) 103,00\n",
    ],
)
def test_a_tax_is_the_share_of_its_base_whatever_stands_before_it(line):
    extraction = extract(typed(TAXED.format(more=line, below="")))

    assert [("402.00", "103.00")] == [(str(trade.net), str(trade.taxes)) for trade in extraction.trades]
    assert extraction.auto_confirm


def test_a_header_over_two_lines_is_put_together():
    text = """Depotauszug
Fonds Weltweit ISIN DE0008491051
Buchungs- Preis- Umsatzart Betrag in Ausgabe- Anteile
datum datum EUR preis EUR
Anfangsbestand 10,000
13.03.2024 12.03.2024 Kauf 100,00 50,00 2,000
Endbestand 12,000
Wert Ihres Depots am 12.03.2024: EUR 571,44
Rücknahmepreis EUR 47,62
"""
    whole = understand(typed(text)).whole

    assert ("2", "50.00", "100.00") == (plain(whole.quantity), str(whole.price), str(whole.net))


@pytest.mark.parametrize("said", ["we have SOLD as your agent", "and have SOLD for your account and at your risk only"])
def test_a_word_in_capitals_says_what_was_done(said):
    text = f"Contract note\nIn accordance with your instructions {said}\nQuantity 10"
    reading = understand(typed(text)).whole

    assert ("SELL", True) == (reading.direction, reading.flags["direction_lean"] >= 1.0)
