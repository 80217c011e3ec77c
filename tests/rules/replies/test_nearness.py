"""Evidence ranked by meaning too, where an encoder tells how near texts are; what it is shown, and what it cannot do."""

from dataclasses import replace

import pytest

from postroom.rooms.replies.rules.english import in_english
from postroom.rooms.replies.rules.ranking import MOST_ENCODED, passage_features, rank
from postroom.rooms.replies.rules.search import TUNING
from postroom.rooms.replies.rules.weights import (
    LINE_FEATURES,
    NEAR_FEATURES,
    PASSAGE_FEATURES,
    fitted,
)
from rules.replies.test_replying import PAPERS, replied, shelf, thread

QUIET = "From what time are the quiet hours on the park?"


class Encoder:
    """Near is what has the words that it is told to find."""

    def __init__(self, *words):
        self.words, self.told, self.asked = words, [], []

    def nearness(self, told, asked):
        self.told.append(list(told))
        self.asked.append(list(asked))
        return [[0.9 if any(word in text for word in self.words) else 0.1] * len(asked) for text in told]


def ranked(text, encoder=None, papers=PAPERS, subject=""):
    library = shelf(papers)
    asked = replied(papers=papers, talk=thread(text, subject=subject)).asked
    tuning = replace(TUNING, encoder=encoder)
    return rank(asked.questions[0], library.indexed, library.statistics, asked.context, tuning)


@pytest.mark.parametrize(("word", "source"), [("22:30", "camping.md"), ("23:00", "rules.md")])
def test_of_two_lines_that_have_the_same_words_the_nearer_one_comes_first(word, source):
    assert source == ranked(QUIET, Encoder(word))[0].source


def test_what_is_nearer_than_all_else_is_likelier_an_answer():
    near, far = (ranked("How much is a dog per night?", Encoder(word)) for word in ("dog", "nothing"))
    weights = fitted().nearer
    assert weights.chance(passage_features(near[0], near)) > weights.chance(passage_features(far[0], far))


def test_without_an_encoder_nothing_is_different():
    hits = ranked(QUIET)
    assert {len(LINE_FEATURES)} == {len(hit.features) for hit in hits}
    assert len(PASSAGE_FEATURES) == len(passage_features(hits[0], hits))
    assert [fitted().score(hit.features) for hit in hits] == [hit.score for hit in hits]


def test_every_feature_of_the_encoder_has_its_weight_and_speaks_for_a_line():
    weights = fitted().nearer
    assert (*LINE_FEATURES, *NEAR_FEATURES) == tuple(weights.line)
    assert PASSAGE_FEATURES == tuple(weights.passage)
    assert all(weights.line[name] >= 0 for name in NEAR_FEATURES)
    assert any(weights.line[name] > 0 for name in NEAR_FEATURES)


def test_only_the_best_lines_are_shown_to_it_and_the_rest_stays_behind():
    many = {
        "dogs.md": "# Dogs\n\n" + "\n\n".join(f"Kennel {number} is for dogs." for number in range(3 * MOST_ENCODED))
    }
    encoder = Encoder("Kennel")
    hits = ranked("Where do dogs sleep?", encoder, many)
    assert ([MOST_ENCODED], 3 * MOST_ENCODED) == ([len(told) for told in encoder.told], len(hits))


def test_it_is_asked_in_english_with_the_headings_and_what_was_said_before():
    encoder = Encoder()
    papers = {"hunde.md": "# Preise\n\n## Hunde\n\nEin Hund kostet 6 € pro Nacht.\n"}
    ranked("Wir kommen mit unserem Hund. Was kostet das pro Nacht?", encoder, papers, subject="Urlaub")
    assert [["price - dog: dog price 6 € night ."]] == encoder.told
    assert [
        [
            "price night ?",
            "annual leave: price night ?",
            "annual leave: dog . price night ?",
            "annual leave: dog . price night ?",
        ]
    ] == encoder.asked


@pytest.mark.parametrize(
    ("text", "language", "told"),
    [
        ("How much  is\nparking?", "en", "How much is parking?"),
        ("Wie viel kostet der Stellplatz in Uelzen?", "de", "price pitch Uelzen ?"),
        ("Jusqu'à quand puis-je annuler sans frais ?", "fr", "deadline cancel free ?"),
        ("Der Briefkastenschlüssel", "de", "letter box key"),
    ],
)
def test_another_language_is_told_in_english_word_by_word(text, language, told):
    assert told == in_english(text, language)
