from __future__ import annotations

import pytest

from postroom.nouns.documents import typed
from postroom.reading.labels import compounds as roots
from postroom.reading.labels import words
from postroom.reading.labels.compounds import completed
from postroom.reading.labels.words import PhraseHit
from postroom.reading.page.lines import read_lines


def told(text: str, *languages: str) -> dict[str, str]:
    """Every label of a line with what it loudest means, as roots alone tell."""
    (line,) = read_lines(typed(text))
    hits = completed(line, words.spelt(line), [], roots.roots(languages))
    return {hit.phrase: max(hit.meaning, key=lambda item: item[1])[0] for hit in hits}


@pytest.mark.parametrize(
    ("language", "text", "phrase", "meaning"),
    [
        ("de", "Abschlussstichtag 07.06.2023", "abschlussstichtag", "trade_date"),
        ("de", "Erfüllungstermin 09.06.2023", "erfullungstermin", "settlement_date"),
        ("de", "Auftragsdatum 06.06.2023", "auftragsdatum", "order_date"),
        ("de", "Umrechnungskurs 1,08", "umrechnungskurs", "fx"),
        ("de", "Wertpapierumrechnungspreis 1,08", "wertpapierumrechnungspreis", "fx"),
        ("de", "Gehandelte Stücke 22", "gehandelte stucke", "quantity"),
        ("de", "Abzubuchende Summe 7.124,00", "abzubuchende summe", "net"),
        ("de", "Anteilswert 12,31", "anteilswert", "price"),
        ("de", "Anschaffungskosten 1.200,00", "anschaffungskosten", "other"),
        ("en", "Dealing day 4 May 2023", "dealing day", "trade_date"),
        ("en", "Value per share 12.30", "value per share", "price"),
        ("en", "Amount deducted 120.10", "amount deducted", "net"),
        ("fr", "Montant des titres acquis 120,10", "montant des titres", "gross"),
        ("fr", "Jour de cotation 27/06/2023", "jour de cotation", "trade_date"),
        ("it", "Ricavo netto accreditato 12,00", "ricavo netto accreditato", "net"),
        ("es", "Fecha de la contratación 10/03/2023", "fecha de la contratacion", "trade_date"),
        ("pt", "Produto ilíquido 3.204,00", "produto iliquido", "gross"),
        ("nl", "Dag van betaling 07-12-2022", "dag van betaling", "settlement_date"),
        ("da", "Handelsdøgn 13.09.2022", "handelsdogn", "trade_date"),
        ("sv", "Utbetalningsdag 2022-11-10", "utbetalningsdag", "settlement_date"),
        ("pl", "Wynagrodzenie maklera 32,71", "wynagrodzenie", "fee"),
    ],
)
def test_a_label_nobody_listed_is_told_by_its_head_and_what_goes_with_it(language, text, phrase, meaning):
    assert meaning == told(text, language)[phrase]


def test_nouns_beside_each_other_are_two_labels_where_a_language_would_join_them():
    assert {"wahrung": None, "kurs": "price"}.keys() >= told("Währung Kurs", "de").keys()
    assert "price" == told("Währung Kurs", "de")["kurs"]


def test_a_verb_for_moving_money_takes_the_account_with_it():
    assert {"trukket pa din konto": "net"} == told("Trukket på din konto 33.069,53", "da")


def test_what_has_no_head_is_no_label_in_the_middle_of_a_line():
    assert {} == told("Handelsplatz Xetra 12", "de")


def test_a_phrase_of_the_lexicon_is_not_overruled():
    (line,) = read_lines(typed("Abrechnungsbetrag 12,00"))
    listed = PhraseHit("abrechnungsbetrag", 0, 17, (("gross", 3.0),))

    assert [listed] == completed(line, words.spelt(line), [listed], roots.roots(("de",)))


def test_a_faint_word_inside_a_longer_label_gives_way():
    (line,) = read_lines(typed("Datum der Ausführung 12.05.2023"))
    faint = PhraseHit("datum", 0, 5, (("trade_date", 1.0),))

    (hit,) = completed(line, words.spelt(line), [faint], roots.roots(("de",)))

    assert ("datum der ausfuhrung", (("trade_date", roots.CLEAR),)) == (hit.phrase, hit.meaning)


def test_roots_can_be_forgotten_to_measure_what_hangs_on_them():
    known = roots.roots(("de",), frozenset(("*kurs",)))

    assert known.part("abschlusskurs") is None or known.part("abschlusskurs").head is None
    assert {"*kurs", "abschluss*"} <= set(roots.roots(("de",)).used("abschlusskurs"))
