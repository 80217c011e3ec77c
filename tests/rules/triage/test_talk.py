"""What each sentence of a mail is for, and in which order the kinds come."""

from __future__ import annotations

import pytest

from postroom.mail.sentences import sentences
from postroom.rooms.triage.rules.talk import course_of, kinds_of, phrases_by_language
from postroom.rooms.triage.rules.vocabulary import ORDER, rows_of


def kinds_in(text, language):
    languages = tuple(sorted({language, "en"}))
    return [
        kinds_of(each, {row.name for token in each.tokens for row in rows_of(token, languages)}, languages)
        for each in sentences(text)
    ]


@pytest.mark.parametrize(
    ("language", "text", "kinds"),
    [
        ("en", "Could you send me the invoice?", {"question_to_do"}),
        ("de", "Können Sie mir die Rechnung schicken?", {"question_to_do"}),
        ("pl", "Kiedy otwiera się recepcja?", {"question_to_know"}),
        ("fr", "À quelle heure fermez-vous ?", {"question_to_know"}),
        ("en", "Please find the plan attached.", {"asks", "attaches", "orders"}),
        ("sv", "Tack!", {"only_thanks", "exclaims"}),  # their "please" is the same word
        ("it", "Aspetto ancora una risposta.", {"amiss"}),
    ],
)
def test_what_a_sentence_is_for(language, text, kinds):
    assert [kinds] == kinds_in(text, language)


@pytest.mark.parametrize(
    ("language", "to_know", "to_do"),
    [
        ("en", "Could you tell me when you open?", "Could you put us on the list?"),
        ("de", "Können Sie mir sagen, wann Sie öffnen?", "Könnten Sie uns auf die Liste setzen?"),
        ("fr", "Pourriez-vous me dire quand vous ouvrez ?", "Pourriez-vous nous inscrire ?"),
        ("es", "¿Podrían decirme cuándo abren?", "¿Podrían apuntarnos en la lista?"),
        ("it", "Mi sapreste dire quando aprite?", "Potreste aggiungerci alla lista?"),
        ("nl", "Kunt u mij laten weten wanneer u opengaat?", "Kunt u ons op de lijst zetten?"),
        ("pt", "Podem dizer-me quando abrem?", "Podem pôr-nos na lista?"),
        ("pl", "Czy mogliby Państwo powiedzieć, kiedy jest otwarte?", "Czy mogliby Państwo nas dopisać?"),
        ("sv", "Kan ni säga när ni öppnar?", "Kan ni sätta upp oss på listan?"),
        ("da", "Kan I fortælle mig, hvornår I åbner?", "Vil I sætte os på listen?"),
    ],
)
def test_a_question_to_know_is_told_from_a_polite_order(language, to_know, to_do):
    [know], [do] = kinds_in(to_know, language), kinds_in(to_do, language)
    assert ("question_to_know" in know, "question_to_do" in know) == (True, False)
    assert "question_to_do" in do


@pytest.mark.parametrize(
    ("language", "wonders"),
    [
        ("en", "I was wondering whether you open on Sundays."),
        ("de", "Ich wüsste gern, ob Sie sonntags öffnen."),
        ("fr", "Je voudrais savoir si vous ouvrez le dimanche."),
        ("es", "Me gustaría saber si abren los domingos."),
        ("it", "Vorrei capire se la domenica siete aperti."),
        ("nl", "Ik wil graag weten of u op zondag open bent."),
        ("pt", "Gostaria de saber se abrem ao domingo."),
        ("pl", "Prosiłabym o informację, czy w niedzielę jest otwarte."),
        ("sv", "Jag skulle vilja veta om ni har öppet på söndag."),
        ("da", "Jeg vil gerne vide, om I har åbent om søndagen."),
    ],
)
def test_a_wish_to_know_asks_without_a_question_mark(language, wonders):
    [kinds] = kinds_in(wonders, language)
    assert "wonders" in kinds
    assert "orders" not in kinds


@pytest.mark.parametrize(
    ("language", "order", "none"),
    [
        ("en", "The lamp is broken, send another.", "They send another."),
        ("de", "Streichen Sie uns aus dem Kurs.", "Das streichen Sie jedes Jahr."),
        ("de", "Schicken Sie uns die Liste.", "Wenn Sie mögen, sind wir da."),
        ("fr", "Supprimez mon adresse de vos fichiers.", "Vous supprimez mon adresse."),
        ("es", "Ingrésenme lo pagado cuando puedan.", "Ayer me ingresaron lo pagado."),
        ("it", "Toglieteci dalla lista.", "Nella lista non ci siamo."),
        ("nl", "Leg hem bij het dossier.", "Ik leg hem bij het dossier."),
        ("pt", "Guardem-no, passamos no domingo.", "Deram-me um recibo no domingo."),
        ("pl", "Dorzućcie nam jeszcze worek lodu.", "Wreszcie mamy worek lodu."),
        ("sv", "Stryk oss från listan.", "Vi får stryk på planen."),
        ("da", "Luk vores aftale pr. 1. oktober.", "Vi har et luk på døren."),
    ],
)
def test_an_order_is_known_by_its_place_and_its_ending(language, order, none):
    assert "orders" in kinds_in(order, language)[0]
    assert "orders" not in kinds_in(none, language)[0]


@pytest.mark.parametrize("language", ORDER)
def test_every_language_has_phrases_for_the_same_purposes(language):
    assert set(phrases_by_language()["en"]) == set(phrases_by_language()[language])


def test_the_last_sentence_that_asks_says_what_is_wanted():
    course = set(course_of(kinds_in("Where is the key? The lamp is missing. Please send one. Bye.", "en")))
    assert {"ask:do", "asks:do+know", "amiss>do", "know..do", "amiss..do"} <= course


def test_a_mail_that_asks_nothing_says_so():
    assert {"ask:none", "asks:", "tells"} == set(course_of(kinds_in("The bus came at nine.", "en")))
