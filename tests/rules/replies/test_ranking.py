"""What ranks and gates evidence: fitted weights over few features, pages of glossary, forms of verbs."""

import tomllib
from dataclasses import replace
from importlib import resources

import pytest

from postroom.mail.language import LANGUAGES
from postroom.rooms.replies.rules import questions
from postroom.rooms.replies.rules.answers import choose
from postroom.rooms.replies.rules.calendar_terms import calendar_terms
from postroom.rooms.replies.rules.papers import EvidenceLine
from postroom.rooms.replies.rules.ranking import LINE_FEATURES, passage_features, rank
from postroom.rooms.replies.rules.search import answers_want
from postroom.rooms.replies.rules.slots import slots_of
from postroom.rooms.replies.rules.terms import (
    EVERYDAY,
    GLOSSARIES,
    KINDS,
    glossary,
    infinitive,
    meanings,
    near_concepts,
    terms,
)
from postroom.rooms.replies.rules.weights import PASSAGE_FEATURES, fitted
from rules.replies.test_replying import PAPERS, replied, shelf


def ranked(text):
    papers = shelf()
    asked = replied(text).asked
    return rank(asked.questions[0], papers.indexed, papers.statistics, asked.context)


def test_every_feature_has_its_weight_and_a_sensible_sign():
    weights = fitted()
    assert (set(LINE_FEATURES), set(PASSAGE_FEATURES)) == (set(weights.line), set(weights.passage))
    assert [] == [name for name, value in weights.line.items() if name.endswith("_missing") and value > 0]
    assert weights.line["own_line"] > weights.line["own_near"] > weights.line["own_section"] >= 0
    assert weights.passage["firm_missing"] < 0 < weights.passage["paragraph"]


def test_the_chance_falls_with_every_word_that_stands_nowhere():
    chances = []
    for text in (
        "What does a dog cost?",
        "What does a dog cost in a cellar?",
        "What does a dog cost in a cellar attic?",
    ):
        hits = ranked(text)
        chances.append(fitted().chance(passage_features(hits[0], hits)))
    assert chances == sorted(chances, reverse=True)
    assert chances[0] > 0.5 > chances[-1]


def test_a_place_that_answers_as_well_does_not_lower_the_chance():
    hits = ranked("From what time are the quiet hours on the park?")
    assert {"rules.md", "camping.md"} == {hits[0].source, hits[1].source}
    ahead = dict(zip(PASSAGE_FEATURES, passage_features(hits[0], hits), strict=True))["ahead"]
    assert ahead > hits[0].score - hits[1].score


@pytest.mark.parametrize(("behind", "chosen"), [(2.4, "the price"), (2.6, "the best")])
def test_where_a_price_is_asked_for_a_line_that_has_one_may_be_less_to_the_point(behind, chosen):
    first, second, *_ = ranked("What does a dog cost?")
    best = replace(first, score=10.0, satisfied=False)
    price = replace(second, score=10.0 - behind, satisfied=True)
    assert {"the price": price, "the best": best}[chosen] is choose(best.asked.question, [best, price])


def test_a_question_of_which_nothing_stands_there_stays_open():
    draft = replied("How much is a dog per night? And is a helicopter allowed?").draft
    assert "€ 6.50" in draft.body
    assert ["And is a helicopter allowed?"] == list(draft.questions)


def test_one_passage_is_quoted_once():
    body = replied("How much is firewood? And what does the firewood cost?", papers=PAPERS).draft.body
    assert 1 == body.count("€ 7.90")


def test_a_condition_belongs_to_the_question_after_it():
    asked = replied("If we bring a dog, how much is it per night?").asked
    assert 1 == len(asked.questions)
    assert "dog" in [slot.text for slot in asked.questions[0].slots]


@pytest.mark.parametrize(
    ("word", "language", "told"),
    [
        ("angemeldet", "de", "anmelden"),
        ("anzumelden", "de", "anmelden"),
        ("gemeldet", "de", "melden"),
        ("ausgezahlt", "de", "auszahlen"),
        ("gebühr", "de", None),
        ("geld", "de", None),
        ("gestuurd", "nl", "stuuren"),
        ("booked", "en", None),
    ],
)
def test_participles_lead_to_their_verbs(word, language, told):
    assert told == infinitive(word, language)


@pytest.mark.parametrize(
    ("word", "language"),
    [("Selbstbehalt", "de"), ("excess", "en"), ("franchise", "fr"), ("franquicia", "es"), ("franchigia", "it")],
)
def test_a_word_of_a_trade_means_the_same_in_every_language(word, language):
    assert "deductible" in meanings(word, language)


@pytest.mark.parametrize("name", [*GLOSSARIES, EVERYDAY])
def test_every_concept_has_words_in_every_language(name):
    page = tomllib.loads(resources.files("postroom.rooms.replies").joinpath("words", name).read_text("utf-8"))
    columns = {concept: [column.strip() for column in line.split("|")] for concept, line in page["concepts"].items()}
    assert [] == [concept for concept, words in columns.items() if len(words) != len(LANGUAGES) or not all(words)]


def test_a_list_has_the_same_words_in_every_language():
    page = tomllib.loads(
        resources.files("postroom.rooms.replies").joinpath("words/glossary_general.toml").read_text("utf-8")
    )
    uneven = {
        name: sizes
        for name, line in page["lists"].items()
        if len(sizes := [len(column.split()) for column in line.split("|")]) != len(LANGUAGES) or len(set(sizes)) > 1
    }
    assert {} == uneven


@pytest.mark.parametrize(
    ("word", "language"), [("cherry", "en"), ("Kirsche", "de"), ("cerise", "fr"), ("wiśnie", "pl")]
)
def test_words_at_the_same_place_of_a_list_mean_the_same(word, language):
    assert ("food_cherry",) == meanings(word, language)


def test_an_everyday_word_does_not_change_what_a_word_of_the_trades_means():
    assert "price" in meanings("Preis", "de")
    assert "competition" not in meanings("Preis", "de")
    assert ("competition",) == meanings("Gewinnspiel", "de")


@pytest.mark.parametrize(
    ("word", "language"), [("mould", "en"), ("Schimmel", "de"), ("moisissure", "fr"), ("pleśń", "pl"), ("mögel", "sv")]
)
def test_a_further_word_means_the_same_in_every_language(word, language):
    assert "humid_mould" in meanings(word, language)


def told(text, papers=PAPERS):
    shelved, asked = shelf(papers), replied(text, papers=papers).asked
    hits = rank(asked.questions[0], shelved.indexed, shelved.statistics, asked.context)
    return dict(zip(PASSAGE_FEATURES, passage_features(hits[0], hits), strict=True))


def test_a_row_that_the_question_does_not_name_is_told_from_one_that_it_names():
    rates = {"rates.md": "# Sailings\n\n| port | leaves |\n|---|---|\n| Oslo | Friday |\n| Malmo | Sunday |\n"}
    assert 0.0 == told("When do sailings leave for Oslo?", rates)["row_strange"]
    assert 1.0 == told("When do sailings leave for Boston?", rates)["row_strange"]


def test_a_name_that_no_paper_knows_lowers_the_chance():
    known, strange = told("What does a dog cost per night?"), told("What does a dog cost per night in Boston?")
    assert (0.0, 1.0) == (known["name_unheard"], strange["name_unheard"])
    assert fitted().passage["name_unheard"] < 0


@pytest.mark.parametrize("word", ["wysyłce", "wysyłkę", "wysyłki"])
def test_polish_cases_do_not_hide_a_word(word):
    assert "delivery" in meanings(word, "pl")


@pytest.mark.parametrize(
    ("word", "language", "kind"),
    [("to", "en", None), ("fire", "en", "word"), ("fire", "da", "number"), ("three", "en", "number")],
)
def test_a_word_is_a_number_only_in_its_own_language(word, language, kind):
    slots = slots_of(word, language)
    assert kind == (slots[0].kind if slots else None)


def test_a_further_word_lends_its_meaning_to_no_other_word_of_its_stem():
    assert "report" in meanings("report", "en")
    assert "journalist_press" not in meanings("report", "en")


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Mon–Fri 9–17, Sat 9–12", "123456"),
        ("lun-ven 9-18", "12345"),
        ("Ma t/m vr 8.00-17.00, Za 9-12", "123456"),
        ("pon.–pt. 8–16", "12345"),
        ("Do 5 things a day, so we sat 9 hours.", ""),
    ],
)
def test_short_days_of_opening_hours_are_days(text, days):
    assert days == "".join(sorted({term[2:] for term in calendar_terms(text) if term.startswith("d:")}))


@pytest.mark.parametrize(("word", "language"), [("Christmas", "en"), ("Weihnachten", "de"), ("Noël", "fr")])
def test_a_feast_is_found_by_its_month(word, language):
    [slot] = slots_of(word, language)
    assert 0 < slot.filled(frozenset(calendar_terms("from 20 December to 6 January"))) < 1


@pytest.mark.parametrize(
    ("word", "language", "concept"),
    [("mislaid", "en", "lost"), ("Wohngemeinschaft", "de", "shared_flat"), ("jante", "fr", "tyre")],
)
def test_what_people_say_means_what_the_papers_write(word, language, concept):
    assert concept in meanings(word, language)


def test_what_people_say_never_changes_the_meaning_of_a_known_word():
    assert "battery" not in meanings("start", "en")
    assert ("postpone",) == tuple(concept for _, concept in glossary("en").phrases["put"] if concept == "postpone")[:1]


@pytest.mark.parametrize(
    ("text", "language", "verb"),
    [
        ("Wie lange heben Sie so etwas auf?", "de", "=aufheben"),
        ("Wann holen Sie den Müll ab, und wohin?", "de", "=abholen"),
        ("Halen jullie het ook op?", "nl", "=ophalen"),
    ],
)
def test_a_verb_whose_first_part_stands_at_the_end_is_one_word(text, language, verb):
    assert verb in terms(text, language)
    assert verb in [key for slot in slots_of(text, language) for key, _ in slot.keys]


def test_a_preposition_inside_a_clause_is_no_part_of_a_verb():
    assert "=aufheben" not in terms("Wir heben auf dem Konto nichts ab.", "de")


def test_every_concept_of_a_circle_stands_in_a_glossary():
    named = {concept for language in LANGUAGES for found in glossary(language).words.values() for concept in found}
    named |= {
        concept for language in LANGUAGES for found in glossary(language).phrases.values() for _, concept in found
    }
    assert set() == set(near_concepts()) - named


def test_a_word_that_no_paper_has_is_answered_by_what_lies_near_it():
    papers = {"a.md": "# Rules\n\nAnimals stay outside.\n", "b.md": "# Rules\n\nCoats stay inside.\n"}
    shelved, asked = shelf(papers), replied("Can I bring my hamster?", papers=papers).asked
    hits = rank(asked.questions[0], shelved.indexed, shelved.statistics, asked.context)
    assert "Animals stay outside." == hits[0].line.text


def test_a_word_of_question_and_subject_that_no_paper_has_lowers_the_chance():
    shelved = shelf()
    for subject, unheard in (("Trampoline", 1.0), ("Pool", 0.0)):
        asked = questions.asked(subject, "What does the trampoline at the pool cost?", "en")
        hits = rank(asked.questions[0], shelved.indexed, shelved.statistics, asked.context)
        assert unheard == dict(zip(PASSAGE_FEATURES, passage_features(hits[0], hits), strict=True))["subject_unheard"]
    assert fitted().passage["subject_unheard"] < 0


def test_a_passage_is_likelier_right_where_another_question_of_the_mail_leads_to_its_section():
    hits = ranked("How long is the slide?")
    other = ranked("What does a dog cost?")
    chances = [fitted().chance(passage_features(hits[0], hits, [mate])) for mate in (hits[0], other[0])]
    assert chances[0] > chances[1]


@pytest.mark.parametrize(
    ("word", "language", "concept"),
    [
        ("spaniel", "en", "dog"), ("Bernhardiner", "de", "dog"), ("jument", "fr", "animal_horse"), ("chinche", "es", "pest"),
        ("orecchini", "it", "jewellery"), ("knoflook", "nl", "food_vegetables"), ("girassol", "pt", "flowers"),
        ("kawalerka", "pl", "flat"), ("dragspel", "sv", "music"), ("gravemaskine", "da", "tool_equipment"),
    ],
)  # fmt: skip
def test_a_kind_of_thing_means_the_thing(word, language, concept):
    assert concept in meanings(word, language)


def test_the_page_of_kinds_has_a_column_for_each_language_and_no_word_that_another_page_knows():
    page = tomllib.loads(resources.files("postroom.rooms.replies").joinpath("words", KINDS).read_text("utf-8"))
    columns = [line.split("|") for line in page["concepts"].values()]
    assert {len(LANGUAGES)} == {len(each) for each in columns}
    for at, language in enumerate(LANGUAGES):
        for concept, line in zip(page["concepts"], columns, strict=True):
            strange = [word for word in line[at].split() if "_" not in word and concept not in meanings(word, language)]
            assert [] == strange, (language, concept)


@pytest.mark.parametrize(("said", "written"), [("three", "=3"), ("3", "=drei"), ("drei", "=three")])
def test_a_number_is_found_in_words_and_digits(said, written):
    language = "de" if said == "drei" else "en"
    (number,) = [slot for slot in slots_of(f"{said} GB", language) if slot.kind == "number"]
    assert written in dict(number.keys)


@pytest.mark.parametrize(
    ("text", "language", "counted"),
    [
        ("Closing is free, and the balance is transferred to any account you name.", "en", False),
        ("The account is free until your 27th birthday.", "en", True),
        ("Je kunde får to kort.", "da", True),
        ("Bring two of them.", "en", True),
    ],
)
def test_a_number_is_one_only_in_the_language_of_its_paper(text, language, counted):
    line = EvidenceLine(text=text, raw=text, kind="sentence", paragraph=0, group=0)

    assert counted == answers_want(line, frozenset(), "count", language)


def test_a_form_that_the_glossary_lists_means_that_and_nothing_else_of_its_stem():
    assert ("amount",) == meanings("montant", "fr")
    assert "install" in meanings("monter", "fr")


def test_a_word_of_subject_and_question_counts_once_whatever_its_capitals():
    papers = shelf()
    found = [questions.asked(subject, "Can I bring a dog?", "en").questions[0] for subject in ("dog", "Dog")]
    hits = [rank(each, papers.indexed, papers.statistics)[0] for each in found]

    assert [0.0, 0.0] == [hit.feature("topic_line") for hit in hits]
