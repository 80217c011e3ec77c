"""What is done about the draft of a thread, case by case."""

from __future__ import annotations

import itertools

import pytest

from postroom.rooms.replies.rules.draft_plans import DraftStanding, plan_draft

NONE = DraftStanding()
FIRST = frozenset({"m1"})
WRITTEN = DraftStanding("written", "m1", FIRST, "untouched")
EDITED = DraftStanding("written", "m1", FIRST, "touched")
EDITED_HERE = DraftStanding("written", "m1", FIRST, "edited")
BLOCKED = DraftStanding("blocked_user_edited", "m1", FIRST, "touched")
SENT = DraftStanding("sent", "m1", FIRST)
DISCARDED = DraftStanding("discarded", "m1", FIRST)
TAKEN_BACK = DraftStanding("superseded", "m1", FIRST)
PERSON = DraftStanding(persons_draft=True)


@pytest.mark.parametrize(
    ("action", "reason", "newest", "latest", "held", "doing"),
    [
        ("draft", "draftable", "m1", "m1", NONE, "create"),
        ("draft", "draftable", "m1", "m1", WRITTEN, "noop"),
        ("draft", "draftable", "m2", "m2", WRITTEN, "update"),
        ("draft", "draftable", "m1", "m1", EDITED, "blocked"),
        ("draft", "draftable", "m2", "m2", EDITED, "blocked"),
        ("draft", "draftable", "m1", "m1", EDITED_HERE, "noop"),
        ("needs_review", "user_edited_draft", "m1", "m1", EDITED_HERE, "noop"),
        ("draft", "draftable", "m2", "m2", EDITED_HERE, "blocked"),
        ("draft", "draftable", "m1", "m2", EDITED_HERE, "blocked"),
        ("ignore", "latest_is_operator_sent", "m1", "s1", EDITED_HERE, "blocked"),
        ("draft", "draftable", "m2", "m2", BLOCKED, "label_only"),
        ("draft", "draftable", "m1", "m1", SENT, "noop"),
        ("draft", "draftable", "m2", "m2", SENT, "create"),
        ("draft", "draftable", "m1", "m1", DISCARDED, "noop"),
        ("draft", "draftable", "m2", "m2", DISCARDED, "create"),
        ("draft", "draftable", "m1", "m1", PERSON, "label_only"),
        ("draft", "draftable", "m2", "m2", DraftStanding("written", "m1", FIRST, "untouched", True), "supersede"),
        ("needs_review", "user_edited_draft", "m2", "m2", DraftStanding("written", "m1", FIRST, "untouched", True), "supersede"),
        ("draft", "draftable", "m1", "m1", DraftStanding("written", "m1", FIRST, "untouched", True), "label_only"),
        ("draft", "draftable", "m2", "m2", DraftStanding("written", "m1", FIRST, "touched", True), "blocked"),
        ("draft", "draftable", "m1", "m2", NONE, "noop"),
        ("draft", "draftable", "m1", "m2", WRITTEN, "noop"),
        ("draft", "draftable", None, None, NONE, "noop"),
        ("draft", "draftable", "m2", "m2", DraftStanding("written", "m1", FIRST, "sent"), "sent"),
        ("draft", "draftable", "m2", "m2", DraftStanding("written", "m1", FIRST, "gone"), "discarded"),
        ("draft", "draftable", "m2", "m2", DraftStanding("blocked_user_edited", "m1", FIRST, "sent"), "sent"),
        ("needs_review", "user_edited_draft", "m1", "m1", EDITED, "blocked"),
        ("needs_review", "multi_party", "m1", "m1", NONE, "label_only"),
        ("needs_review", "multi_party", "m2", "m2", WRITTEN, "supersede"),
        ("needs_review", "multi_party", "m1", "m1", WRITTEN, "label_only"),
        ("ignore", "latest_is_operator_sent", "m1", "s1", WRITTEN, "supersede"),
        ("ignore", "latest_is_operator_sent", "m1", "s1", EDITED, "blocked"),
        ("ignore", "latest_is_operator_sent", "m1", "s1", NONE, "noop"),
        ("ignore", "not_in_inbox", "m1", "m1", WRITTEN, "noop"),
        ("draft", "draftable", "m1", "m1", TAKEN_BACK, "create"),
        ("ignore", "set_aside", "m1", "m1", TAKEN_BACK, "noop"),
        ("ignore", "set_aside", "m1", "m1", WRITTEN, "supersede"),
        ("ignore", "set_aside", "m1", "m2", WRITTEN, "supersede"),
        ("ignore", "set_aside", "m1", "m1", EDITED, "blocked"),
        ("ignore", "set_aside", "m1", "m1", EDITED_HERE, "noop"),
        ("ignore", "set_aside", "m1", "m1", BLOCKED, "noop"),
        (None, None, "m1", "m1", NONE, "noop"),
    ],
)  # fmt: skip
def test_what_is_done(action, reason, newest, latest, held, doing):
    assert doing == plan_draft(action, reason, newest, latest, held).doing


def test_no_case_writes_over_a_person_or_beside_one():
    """Every combination there is."""
    statuses = [None, "written", "blocked_user_edited", "superseded", "sent", "discarded"]
    places = ["nowhere", "untouched", "edited", "touched", "sent", "gone"]
    actions = [None, "draft", "needs_review", "ignore"]
    cases = itertools.product(actions, statuses, places, [True, False], ["m1", "m2", None], ["m1", "m2", None])
    for action, status, there, persons, newest, latest in cases:
        held = DraftStanding(status, "m1" if status else None, FIRST if status else frozenset(), there, persons)
        doing = plan_draft(action, "latest_is_operator_sent", newest, latest, held).doing
        if persons:
            assert doing not in {"create", "update"}
        if there in {"touched", "edited"} and status in {"written", "blocked_user_edited"}:
            assert doing not in {"create", "update", "supersede"}
        if status == "blocked_user_edited" and there != "nowhere":
            assert doing not in {"create", "update", "supersede"}
        if newest != latest:
            assert doing not in {"create", "update"}
