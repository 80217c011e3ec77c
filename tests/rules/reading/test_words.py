from __future__ import annotations

import pytest

from postroom.nouns.documents import typed
from postroom.reading.labels import words
from postroom.reading.page.lines import read_lines

SPOKEN = ("cs", "da", "de", "el", "en", "es", "fi", "fr", "hu", "it", "nl", "pl", "pt", "ro", "sv")


def hits(text, *languages):
    (line,) = read_lines(typed(text))
    found = words.find(words.spelt(line), words.lexicon(languages or ("de", "en")).labels)
    return [(hit.phrase, max(hit.meaning, key=lambda item: item[1])[0]) for hit in found]


def test_fifteen_languages_are_spoken():
    assert SPOKEN == words.languages()


@pytest.mark.parametrize("language", SPOKEN)
def test_every_language_names_every_field_of_a_trade(language):
    content = words.entries(language)

    assert [] == [
        name for name in (*words.NUMBER_FIELDS, *words.DATE_FIELDS) if name not in content and name != "multiplier"
    ]
    assert [] == [name for name in words.TOPICS if name not in content]


def test_the_longest_phrase_wins():
    assert [("zu ihren gunsten vor steuern", "net")] == hits("Zu Ihren Gunsten vor Steuern")


@pytest.mark.parametrize(
    ("text", "field"),
    [("Transaktionsentgelt", "fee"), ("Quellensteuer", "tax"), ("Börsenplatzgebühr", "fee"), ("Gebuehr", "fee")],
)
def test_compounds_and_written_out_umlauts_are_understood(text, field):
    assert [field] == [name for _, name in hits(text)]


def test_a_phrase_does_not_reach_across_a_number():
    assert [("datum", "trade_date"), ("ausfuhrung", "trade_date")] == hits("Datum 12.03.2020 Ausführung")


def test_letters_of_an_identifier_are_no_words():
    assert [] == hits("AT44 ON00-036")


def test_broken_words_are_found_by_their_letters():
    assert ("totalkurswert", "gross") in hits("Tota lK u rsw ert U SD 3 2 1")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wir haben für Sie gekauft", "de"),
        ("Nous avons acheté pour votre compte", "fr"),
        ("Vi har købt for Deres regning", "da"),
        ("Potwierdzenie transakcji na rachunek", "pl"),
        ("Kurswert Provision Handelstag", "de"),
    ],
)
def test_the_language_is_told_by_common_words_and_terms(text, language):
    assert language == words.detect([words.spelt(line) for line in read_lines(typed(text))])[0]


def test_a_senders_own_label_is_added():
    base = words.lexicon(("de", "en"))

    extended = words.extended(base, {"Schlussabrechnung brutto": "net"})
    (line,) = read_lines(typed("Schlussabrechnung brutto 12,00"))

    assert ["schlussabrechnung brutto"] == [hit.phrase for hit in words.find(words.spelt(line), extended.labels)]
    assert ["brutto"] == [hit.phrase for hit in words.find(words.spelt(line), base.labels)]
