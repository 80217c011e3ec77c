"""The tenant's voice: its own words first, then those of its manner, then those of the language."""

from __future__ import annotations

import pytest

from postroom.mail.language import LANGUAGES
from postroom.nouns.errors import BadRequest
from postroom.rooms.replies.rules.drafting import letter, phrases
from postroom.rooms.replies.rules.search import TUNING
from postroom.rooms.replies.rules.voicing import ReplyPolicy, addressed, check_policy, tone_of, voice_of


def written(policy: ReplyPolicy, language, name: str = "Ada Client") -> str:
    return letter(["Breakfast is at eight."], phrases(language), addressed(policy, name), voice_of(policy, language))


def test_without_a_word_from_the_tenant_the_language_speaks():
    expected = "Hello Ada Client,\n\nThank you for your message.\n\nBreakfast is at eight.\n\nKind regards"
    assert expected == written(ReplyPolicy(), "en")


def test_an_informal_house_uses_the_first_name():
    said = written(ReplyPolicy(formality="informal", signature="Nora\nLarkspur"), "de")
    assert said == "Hallo Ada,\n\ndanke für deine Nachricht.\n\nBreakfast is at eight.\n\nViele Grüße\nNora\nLarkspur"


def test_the_tenants_own_words_win_and_thanks_can_be_left_out():
    policy = ReplyPolicy(
        formality="formal", thanks=False, greetings={"en": "Good day {name},"}, closings={"en": "Yours, the house"}
    )
    assert "Good day Ada Client,\n\nBreakfast is at eight.\n\nYours, the house" == written(policy, "en")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("formality", ["neutral", "formal", "informal"])
def test_every_manner_has_its_words_in_every_language(language, formality):
    said = written(ReplyPolicy(formality=formality), language)
    assert "{" not in said
    assert 4 == len(said.split("\n\n"))


def test_without_a_name_nobody_is_called_by_one():
    assert written(ReplyPolicy(formality="formal"), "en", "").startswith("Hello,\n\n")


def test_the_gate_is_the_houses_until_the_tenant_says_otherwise():
    assert (TUNING.gate, 0.8) == (ReplyPolicy().gate_now, ReplyPolicy(gate=0.8).gate_now)


def test_a_model_is_told_the_manner():
    assert ("", "informal and friendly") == (tone_of(ReplyPolicy()), tone_of(ReplyPolicy(formality="informal")))


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (ReplyPolicy(gate=0.1), "between 0.3 and 0.95"),
        (ReplyPolicy(language="xx"), "is no language"),
        (ReplyPolicy(formality="rude"), "is no manner of writing"),
        (ReplyPolicy(greetings={"en": "Hello {name.__class__},"}), "a brace too many"),
        (ReplyPolicy(greetings={"en": "Hello {name!r},"}), "a brace too many"),
        (ReplyPolicy(greetings={"en": "Hello {,"}), "a brace too many"),
        (ReplyPolicy(greetings={"en": "x" * 201}), "up to 200 letters"),
        (ReplyPolicy(closings={"en": "Yours {name}"}), "nothing is filled in"),
        (ReplyPolicy(closings={"tlh": "Qapla"}), "is no language"),
        (ReplyPolicy(signature="[[ open ]]"), "no [["),
        (ReplyPolicy(signature="x" * 1001), "up to 1,000 letters"),
    ],
)
def test_what_cannot_be_written_is_refused_with_a_sentence(wanted, said):
    with pytest.raises(BadRequest, match=said.replace("[", r"\[")):
        check_policy(wanted)


def test_what_is_saved_is_tidy():
    made = check_policy(
        ReplyPolicy(gate=0.5555, greetings={"en": "  ", "de": " Moin {name}, "}, signature=" Nora \r\n")
    )
    assert (0.56, {"de": "Moin {name},"}, "Nora") == (made.gate, made.greetings, made.signature)
