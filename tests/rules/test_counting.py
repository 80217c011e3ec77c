"""Numbers as people say them."""

from __future__ import annotations

import pytest

from postroom.nouns.counting import told_apart


@pytest.mark.parametrize(
    ("value", "limit", "kind", "said"),
    [
        (0.3, 0.38, "f", ("0.30", "0.38")),
        (0.3791, 0.3844, "f", ("0.379", "0.384")),
        (0.38, 0.38, "f", ("0.38", "0.38")),  # it is enough
        (0.3799999999, 0.38, "f", ("just less", "0.38")),
        (0.9884, 0.99, "%", ("98.8%", "99.0%")),
        (0.97, 0.99, "%", ("97%", "99%")),
    ],
)
def test_what_is_below_a_limit_never_reads_as_if_it_were_the_limit(value, limit, kind, said):
    assert said == told_apart(value, limit, kind)
