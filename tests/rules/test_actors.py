"""Who did it, in words."""

from __future__ import annotations

from uuid import UUID

import pytest

from postroom.nouns.actors import key_actor, spoken_actor

KEY = UUID("01890c3e-7d00-7a1e-8000-3f6b2c9d1e55")


@pytest.mark.parametrize(
    ("actor", "expected"),
    [
        ("person:anna@desk.test", "anna@desk.test"),
        (key_actor("loader", KEY), "key loader"),
        (key_actor("a:b", KEY), "key a:b"),
        ("key:loader", "key loader"),
        ("cli:root", "root (command line)"),
        ("postroom", "postroom"),
        ("settings", "settings"),
    ],
)
def test_an_actor_is_read_as_people_would_name_it(actor, expected):
    assert expected == spoken_actor(actor)


def test_two_keys_of_one_name_are_two_actors():
    assert key_actor("loader", KEY) != key_actor("loader", UUID(int=KEY.int + 1))
