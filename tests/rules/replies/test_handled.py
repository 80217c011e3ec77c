"""Of an answer that a person sent only what holds for everybody is kept."""

from __future__ import annotations

import pytest

from postroom.rooms.replies.rules.handled import handled_answer, too_personal, unknown_names

QUESTION = "Hello, are dogs welcome in the garden rooms? Is my booking 4711 confirmed?"


@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        ("Dogs are welcome in the garden rooms.", "en"),
        ("The gate is open until 22:00.", "en"),
        ("You can park behind the house.", "en"),
        ("Hunde sind in allen Zimmern willkommen.", "de"),
        ("Les chiens sont les bienvenus dans le jardin.", "fr"),
    ],
)
def test_what_holds_for_everybody_stays(sentence, language):
    assert None is too_personal(sentence, language, ())


@pytest.mark.parametrize(
    ("sentence", "language", "why"),
    [
        ("Yes, gladly.", "en", "too little"),
        ("The room costs 120 EUR a night.", "en", "amount"),
        ("The room is free on 3 March.", "en", "amount, a day"),
        ("Please quote number 48213 at the desk.", "en", "number"),
        ("Please write to nora@larkspur.example about it.", "en", "address"),
        ("The keys are with Ada at the desk.", "en", "name"),
        ("Your booking is all right for the weekend.", "en", "one person"),
        ("I shall keep a table for the evening.", "en", "one person"),
        ("We have reserved a table by the window.", "en", "done for somebody"),
        ("The pool is closed today for cleaning.", "en", "on the day"),
        ("You will get a full refund for the night.", "en", "Nobody but a person"),
        ("Ihr Zimmer liegt im dritten Stock hinten.", "de", "one person"),
        ("Wir haben den Tisch am Fenster reserviert.", "de", "done for somebody"),
        ("Das Bad ist heute leider geschlossen worden.", "de", "on the day"),
        ("Votre chambre donne sur le jardin derrière.", "fr", "one person"),
        ("Hemos reservado una mesa para la noche.", "es", "done for somebody"),
        ("La piscina oggi resta chiusa per lavori.", "it", "on the day"),
        ("Uw kamer ligt aan de achterkant beneden.", "nl", "one person"),
        ("O seu quarto fica no terceiro andar.", "pt", "one person"),
        ("Pana pokój jest na trzecim piętrze hotelu.", "pl", "one person"),
        ("Ditt rum ligger på tredje våningen.", "sv", "one person"),
        ("Dit værelse ligger på tredje sal.", "da", "one person"),
        ("Storing skis costs a hundred and twenty euros a week.", "en", "in words"),
        ("Das Unterstellen kostet hundertzwanzig Euro in der Woche.", "de", "in words"),
        ("Cela coûte cent vingt euros par semaine.", "fr", "in words"),
        ("Det kostar hundratjugo kronor i veckan.", "sv", "in words"),
        ("To kosztuje sto dwadzieścia złotych za tydzień.", "pl", "in words"),
        ("The big one gets the cellar at half the normal rate.", "en", "in words"),
        ("Storage in the cellar is free of charge there.", "en", "in words"),
        ("The cellar belongs to them because of their contract.", "en", "somebody else"),
        ("The agreement with kowalski allows late storage.", "en", "somebody else"),
        ("Auch die Firma nebenan stellt dort Ski unter.", "de", "somebody else"),
    ],
)
def test_what_is_one_clients_goes(sentence, language, why):
    assert why in (too_personal(sentence, language, ["Ada Client"]) or "")


def test_a_name_inside_a_sentence_is_one_until_a_paper_knows_it():
    text = "Dogs are welcome. Park beside Martha at the Larkspur, on Monday."
    assert ["Martha", "Larkspur"] == unknown_names(text, "en")


@pytest.mark.parametrize(
    ("language", "text", "name"),
    [
        ("en", "Skis stand in the cellar. Berger keeps skis in the cellar as well.", "Berger"),
        ("de", "Ski stehen im Keller. Berger nutzt den Keller ganz allein.", "Berger"),
        ("fr", "Les skis sont à la cave. Dupont range aussi les skis à la cave.", "Dupont"),
        ("es", "Los esquís están abajo. García guarda allí los esquís.", "García"),
        ("sv", "Skidor står i källaren. Svensson har hela källaren.", "Svensson"),
    ],
)
def test_a_name_that_opens_its_sentence_is_one(language, text, name):
    assert name in unknown_names(text, language)


def test_question_and_answer_become_a_paper_without_the_client():
    answer = (
        "Dear Ada,\nDogs are welcome in the garden rooms. They cost 12 EUR a night. Your booking is confirmed.\n\n"
        "The gate is open until 22:00. Does that help?"
    )
    made = handled_answer("Booking 4711", QUESTION, answer, "en", ["Ada"])

    assert made is not None
    assert made.text == (
        "# Are dogs welcome in the garden rooms?\n\nDogs are welcome in the garden rooms. The gate is open until 22:00.\n"
    )
    assert 3 == made.left_out


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is my booking confirmed for the weekend?", "Breakfast is served in the garden room."),
        (QUESTION, "Yes.\n\nYour booking is confirmed."),
        ("Thank you very much.", "Dogs are welcome in the garden rooms."),
    ],
)
def test_without_a_question_or_an_answer_for_others_nothing_is_kept(question, answer):
    assert None is handled_answer("Stay", question, answer, "en", ())
