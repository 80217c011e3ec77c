"""What is learnt from people, how much of it, and how it fades."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest

from postroom.nouns.clients import SIGNALS, AccountId, Clue, Signal
from postroom.rooms.clients.rules.learning import SignalOutcome, misled, outcomes, report
from postroom.rooms.clients.rules.weights import (
    HIGHEST,
    LOWEST,
    PERSON_SAID,
    REJECTION_HALVES_AFTER,
    SignalTally,
    SignalWeights,
    adjusted,
    faded,
    fitted,
    shift,
)
from rules.clients.shelf import NOW, account_id

ACME, BOREALIS = account_id("ACME"), account_id("BOREALIS")
CANDIDATES = {
    ACME: [Clue("contact", 5.0, "…"), Clue("name_text", 1.0, "…"), Clue("rejected", -3.0, "…")],
    BOREALIS: [Clue("code_subject", 4.0, "…"), Clue("correction", 20.0, "…")],
}


def tally(right: float, wrong: float, days: float = 0, signal: Signal = "domain") -> SignalTally:
    return SignalTally(signal, NOW - timedelta(days=days), right, wrong)


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        (ACME, {"contact": (1, 0), "name_text": (1, 0), "code_subject": (0, 1)}),
        (BOREALIS, {"contact": (0, 1), "name_text": (0, 1), "code_subject": (1, 0)}),
        (account_id("FONTANEL"), {"contact": (0, 1), "name_text": (0, 1), "code_subject": (0, 1)}),
        (None, {}),
    ],
)
def test_every_signal_that_spoke_was_right_or_wrong(chosen: AccountId | None, expected):
    assert expected == {each.signal: (each.right, each.wrong) for each in outcomes(CANDIDATES, chosen)}


@pytest.mark.parametrize(
    ("was", "chosen", "expected"),
    [
        (ACME, BOREALIS, ["contact", "name_text"]),
        (BOREALIS, ACME, ["code_subject"]),  # what a person said does not mislead
        (ACME, ACME, []),
        (None, ACME, []),
        (ACME, None, ["contact", "name_text"]),
    ],
)
def test_what_misled_is_what_spoke_for_the_account_it_was_taken_from(was, chosen, expected):
    assert expected == misled(CANDIDATES, was, chosen)


def test_an_outcome_can_be_taken_back():
    one = SignalOutcome("domain", 1, 0)

    assert (0, 0) == (one.right + one.reversed().right, one.wrong + one.reversed().wrong)


def test_a_signal_that_misled_weighs_less_the_more_often_it_did():
    shifts = [shift(0.95, [tally(0, wrong)], NOW) for wrong in (0, 1, 5, 50)]

    assert 0.0 == shifts[0]
    assert shifts == sorted(shifts, reverse=True)
    assert -1.0 < shifts[1] < 0
    assert shifts[-1] >= LOWEST


@pytest.mark.parametrize("signal", [signal for signal in SIGNALS if signal not in PERSON_SAID])
def test_a_signal_never_speaks_against_the_account_it_speaks_for(signal):
    often = [SignalTally(signal, NOW, 0, 10_000)]

    assert 0 < adjusted(fitted(), often, NOW).of(signal) < fitted().of(signal)


def test_a_signal_that_was_right_may_gain_a_little():
    assert 0 < shift(0.7, [tally(500, 0)], NOW) <= HIGHEST


def test_outcomes_fade_so_that_a_signal_recovers():
    fresh, old, ancient = (shift(0.95, [tally(0, 10, days)], NOW) for days in (0, 360, 3600))

    assert fresh < old < ancient < 0
    assert ancient > -0.01


def test_what_people_said_themselves_is_not_reweighed():
    here = adjusted(fitted(), [tally(0, 100, signal="correction"), tally(0, 100)], NOW)

    assert fitted().of("correction") == here.of("correction")
    assert here.of("domain") < fitted().of("domain")


@pytest.mark.parametrize(("days", "left"), [(0, 1.0), (90, 0.5), (180, 0.25), (-3, 1.0)])
def test_a_memory_halves_with_its_time(days, left):
    assert left == faded(timedelta(days=days), REJECTION_HALVES_AFTER)


def test_the_report_has_a_line_for_every_guess_and_what_it_weighs_here():
    lines = {each.signal: each for each in report(fitted(), [tally(8, 2), tally(0, 1)], NOW)}

    assert {"choice", "correction", "rejected"}.isdisjoint(lines)
    assert (8, 3, 8 / 11) == (lines["domain"].right, lines["domain"].wrong, lines["domain"].precision)
    assert lines["domain"].weight < lines["domain"].fitted
    assert lines["contact"].precision is None
    assert lines["contact"].weight == pytest.approx(lines["contact"].fitted, abs=0.01)


# how evidence adds up

PLAIN = SignalWeights(0.0, fitted().weights, fitted().precision, [], [])


def test_chances_add_up_with_the_chance_that_it_is_nobody_s():
    chances = PLAIN.chances({ACME: 0.0, BOREALIS: 0.0})

    assert {ACME: pytest.approx(1 / 3), BOREALIS: pytest.approx(1 / 3)} == chances


def test_two_pieces_of_evidence_multiply_the_odds():
    one, two = PLAIN.chances({ACME: 1.0})[ACME], PLAIN.chances({ACME: 2.0})[ACME]

    assert (one / (1 - one)) ** 2 == pytest.approx(two / (1 - two))


def test_scores_beyond_all_measure_do_not_overflow():
    assert {ACME: 1.0, BOREALIS: 0.0} == PLAIN.chances({ACME: 5000.0, BOREALIS: -5000.0})


@pytest.mark.parametrize(
    ("chance", "confidence"), [(0.0, "0.10"), (0.5, "0.10"), (0.75, "0.50"), (0.9, "0.74"), (1.0, "0.90")]
)
def test_confidence_follows_the_measured_curve(chance, confidence):
    curved = SignalWeights(0.0, PLAIN.weights, PLAIN.precision, [(0.5, 0.1), (1.0, 0.9)], [])

    assert Decimal(confidence) == curved.confidence(chance, identified=True)
    assert Decimal(str(min(chance, 0.99))) == curved.confidence(chance, identified=False)


def test_a_guess_stays_below_certainty():
    assert Decimal("0.99") == PLAIN.confidence(0.99999, identified=True)


@pytest.mark.parametrize("identified", [True, False])
def test_the_fitted_curve_never_falls(identified):
    steps = [fitted().confidence(at / 100, identified=identified) for at in range(101)]

    assert steps == sorted(steps)


@pytest.mark.parametrize("chance", [0.7, 0.75, 0.8])
def test_what_a_mail_is_about_is_stated_as_less_certain_than_who_writes(chance):
    """At the same odds an outsider who names a client is wrong much more often than a contact."""
    about, known = (fitted().confidence(chance, identified=who) for who in (False, True))

    assert about < known
