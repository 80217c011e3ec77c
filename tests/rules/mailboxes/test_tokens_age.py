from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from postroom.nouns.secrets import Secret
from postroom.nouns.tokens import TokenSet

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("lifetime", "left", "old"),
    [
        (3600, 301, False),
        (3600, 300, True),
        (240, 239, False),
        (240, 49, False),
        (240, 48, True),
        (None, 301, False),
        (None, 299, True),
    ],
)
def test_a_token_that_lives_shortly_is_good_for_most_of_its_life(lifetime, left, old):
    lives = timedelta(seconds=lifetime) if lifetime else None
    tokens = TokenSet(Secret("a"), None, NOW + timedelta(seconds=left), lifetime=lives)

    assert old == tokens.is_old(NOW)
    assert old == TokenSet.from_bytes(tokens.to_bytes()).is_old(NOW)
