"""Which language a mail is written in."""

import pytest

from postroom.mail.language import detect
from postroom.mail.sentences import fold, sentences


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Hello, could we arrive a little earlier than planned?"),
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


def test_a_text_without_words_is_nobodys_and_said_so():
    assert ("en", True) == (detect("4711 / 12").language, detect("4711 / 12").sure < 0.1)


def test_accents_and_typing_habits_fold_away():
    assert fold("Rückerstattung") == fold("RUECKERSTATTUNG") == fold("ruckerstattung")


def test_abbreviations_and_wrapped_lines_end_no_sentence():
    told = [each.text for each in sentences("We saw Dr. Berg on\nMonday. She said no.\n- one\n- two")]

    assert ["We saw Dr. Berg on Monday.", "She said no.", "- one", "- two"] == told
