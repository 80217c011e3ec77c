"""What differs between providers stands in one table, complete and without contradictions."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

import postroom
from postroom.nouns.provider_traits import SYNCED, TRAITS, WATCHED
from postroom.nouns.providers import Capability, ProviderName

OURS = ("app", "chores", "doors", "engine", "mail", "outside", "reads", "rooms")
BRANCH = re.compile(r"""(?:==|!=|\bin\b|not in)\s*[{(\[]?\s*["'](?:outlook|gmail|imap|files)["']""")


def test_every_provider_has_its_line():
    assert set(get_args(ProviderName)) == set(TRAITS)


def test_every_provider_reads_and_who_sends_can_draft():
    for traits in TRAITS.values():
        assert "read" in traits.capabilities
        assert "send" not in traits.capabilities or "draft" in traits.capabilities
        assert traits.capabilities <= set(get_args(Capability))


def test_what_is_watched_is_synced_and_lets_people_in_by_consent():
    assert set(WATCHED) <= set(SYNCED)
    assert [True] * len(WATCHED) == [TRAITS[name].has_consent for name in WATCHED]


@pytest.mark.parametrize("folder", OURS)
def test_nobody_branches_on_a_providers_name(folder):
    root = Path(postroom.__file__).parent
    found = [
        f"{path.relative_to(root)}:{number}"
        for path in sorted((root / folder).rglob("*"))
        if path.suffix in (".py", ".html")
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if BRANCH.search(line)
    ]
    assert [] == found
