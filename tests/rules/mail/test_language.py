"""Which language a mail is written in."""

import pytest

from postroom.mail.language import detect, is_other_language
from postroom.mail.sentences import fold, sentences


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Hello, could we arrive a little earlier than planned?"),
        ("en", "I want a refund now."),
        ("de", "Guten Tag, könnten wir etwas früher anreisen als geplant?"),
        ("de", "koennten Sie mir bitte die Rechnung fuer Maerz nochmal schicken"),
        ("fr", "Bonjour, pourrions-nous arriver un peu plus tôt que prévu ?"),
        ("es", "Hola, ¿podríamos llegar un poco antes de lo previsto?"),
        ("it", "Buongiorno, potremmo arrivare un po' prima del previsto?"),
        ("nl", "Goedendag, kunnen wij iets eerder komen dan gepland?"),
        ("pt", "Bom dia, podíamos chegar um pouco mais cedo do que o previsto?"),
        ("pl", "Dzień dobry, czy możemy przyjechać trochę wcześniej?"),
        ("sv", "Hej, kan vi komma lite tidigare än planerat?"),
        ("da", "Hej, kan vi komme lidt tidligere end planlagt?"),
    ],
)
def test_a_line_or_two_are_enough(language, text):
    assert language == detect(text).language


@pytest.mark.parametrize(
    "text",
    [
        "Dobrý den, chci zpět své peníze za zrušený pobyt. Jestliže je do pátku nedostanu, řeknu to svému právníkovi.",
        "Hei, haluan rahani takaisin peruutetusta varauksesta. Jos en saa niitä perjantaihin mennessä, haastan teidät oikeuteen.",
        "Merhaba, iptal edilen rezervasyonum için paramı geri istiyorum. Cumaya kadar almazsam avukatıma gideceğim.",
        "Bună ziua, vreau banii înapoi pentru rezervarea anulată. Dacă nu îi primesc până vineri, voi merge la avocat.",
        "Здравствуйте, верните мне деньги за отменённое бронирование.",
        "你好，我要求退款，否则我会起诉。",
        "Θέλω τα χρήματά μου πίσω, αλλιώς θα σας μηνύσω.",
        "أريد استرداد أموالي وإلا سأقاضيكم",
    ],
)
def test_what_is_written_in_none_of_the_ten_is_known_as_such(text):
    assert is_other_language(text)


@pytest.mark.parametrize(
    "text",
    [
        "Hello, Mr Yılmaz of Çelik Ağı A.Ş. and Ms Nováková are coming with us on Friday. Is there a table for six?",
        "Meter 55120. Regards, Nowak.",
        "Guten Tag, könnten wir etwas früher anreisen als geplant? Unser Zug kommt schon um neun an.",
        "Dzień dobry, podaję stan licznika: 55120. Proszę o potwierdzenie.",
        "",
    ],
)
def test_names_from_elsewhere_and_short_notes_are_no_other_language(text):
    assert not is_other_language(text)


def test_a_text_without_words_is_nobodys_and_said_so():
    assert ("en", True) == (detect("4711 / 12").language, detect("4711 / 12").sure < 0.1)


def test_accents_and_typing_habits_fold_away():
    assert fold("Rückerstattung") == fold("RUECKERSTATTUNG") == fold("ruckerstattung")


def test_abbreviations_and_wrapped_lines_end_no_sentence():
    told = [each.text for each in sentences("We saw Dr. Berg on\nMonday. She said no.\n- one\n- two")]

    assert ["We saw Dr. Berg on Monday.", "She said no.", "- one", "- two"] == told
