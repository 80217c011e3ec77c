"""Stems: the same word has the same stem, whoever asks for it at the same moment."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from postroom.rooms.replies.rules.stems import stem

THREADS = 8
BEGINNINGS = ["reserv", "cancel", "confirm", "deliver", "approach", "nation", "rapid", "hope", "general", "communic"]
ENDINGS = ["ations", "ing", "ed", "ational", "fulness", "ization", "ously", "ments", "ities", "ibly"]
WORDS = [beginning + ending for beginning in BEGINNINGS for ending in ENDINGS]


@pytest.fixture
def hasty_switches():
    """Threads take turns after microseconds instead of milliseconds."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def stems(words: list[str]) -> dict[str, str]:
    return {word: stem(word, "en") for word in words}


def test_threads_that_stem_at_once_get_what_one_alone_gets(hasty_switches):
    stem.cache_clear()
    alone = stems(WORDS)
    for _ in range(10):
        stem.cache_clear()  # as in a worker that has just begun
        with ThreadPoolExecutor(THREADS) as threads:
            together = list(threads.map(stems, [WORDS[turn:] + WORDS[:turn] for turn in range(THREADS)]))

        assert [alone] * THREADS == together
