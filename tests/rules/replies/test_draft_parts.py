"""A draft cut into what stands on evidence, what is open, and the rest."""

from __future__ import annotations

from postroom.doors.console.draft_parts import draft_parts, found_in

BODY = "Hello Ada,\n\nBreakfast is at eight. The bar\nis open.\n\n[[ To be checked: The bar is open. ]]\n\nYours"


def test_claims_are_numbered_where_they_stand_and_the_parts_are_the_whole():
    parts = draft_parts(BODY, [{"statement": "Breakfast is at eight."}, {"statement": "The bar is open."}])

    assert [("claim", 1), ("plain", 0), ("claim", 2), ("plain", 0), ("gap", 0), ("plain", 0)] == [
        (each.kind, each.number) for each in parts[1:]
    ]
    assert BODY == "".join(each.text for each in parts)


def test_a_claim_that_a_person_took_out_is_marked_nowhere():
    assert ["plain"] == [each.kind for each in draft_parts("Only words.", [{"statement": "Breakfast is at eight."}])]


def test_a_statement_that_stands_twice_is_marked_twice_only_for_two_claims():
    twice = [{"statement": "Yes."}, {"statement": "Yes."}, {"statement": "Yes."}]
    assert [1, 2] == [each.number for each in draft_parts("Yes. Yes.", twice) if each.kind == "claim"]


def test_a_quote_is_found_white_space_aside():
    parts = found_in("# Bar\n\nThe bar\n  is open.\n", "The bar is open.")
    assert ["# Bar\n\n", "The bar\n  is open.", "\n"] == [each.text for each in parts]
    assert [False, True, False] == [each.marked for each in parts]
    assert [False] == [each.marked for each in found_in("# Bar", "closed")]
    assert [False] == [each.marked for each in found_in("# Bar", "")]
