"""The `fields` parameter keeps what it names."""

import pytest

from postroom_simulators.google.errors import GoogleApiError
from postroom_simulators.google.gmail import fields

ANSWER = {"a": 1, "b": {"c": 2, "d": {"e": 3, "f": 4}}, "g": [{"h": 5, "i": {"j": 6}}, {"h": 7}]}


@pytest.mark.parametrize(
    ("mask", "kept"),
    [
        ("*", ANSWER),
        ("a", {"a": 1}),
        ("a, b/c", {"a": 1, "b": {"c": 2}}),
        ("b/d/e,b/d/f", {"b": {"d": {"e": 3, "f": 4}}}),
        ("b/c,b", {"b": ANSWER["b"]}),
        ("b(c,d/e)", {"b": {"c": 2, "d": {"e": 3}}}),
        ("b/d(e)", {"b": {"d": {"e": 3}}}),
        ("g(h)", {"g": [{"h": 5}, {"h": 7}]}),
        ("g/i/j", {"g": [{"i": {"j": 6}}, {}]}),
        ("b/*", {"b": ANSWER["b"]}),
        ("a/x", {"a": 1}),
        ("x", {}),
    ],
)
def test_a_mask_keeps_what_it_names(mask, kept):
    assert fields.trim(ANSWER, fields.parse(mask)) == kept


@pytest.mark.parametrize("mask", ["", "a(", "a(b", "a)", "a/", "a//b", "(a)", "a/(b)"])
def test_a_broken_mask_is_refused(mask):
    with pytest.raises(GoogleApiError, match="Invalid field selection"):
        fields.parse(mask)
