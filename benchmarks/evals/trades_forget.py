"""How much hangs on words that only one broker uses: each broker's notes, read without its own words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from benchmarks.evals.trades_data import Case, wrong
from postroom.rooms.documents.reading import words
from postroom.rooms.documents.reading.confidence import Calibration
from postroom.rooms.documents.reading.extract import judged, understand


def forgetting(single: Sequence[Case], others: Sequence[Case], calibration: Calibration) -> dict[str, Any]:
    """Fully right with all words, and with each broker's own words unknown."""
    users = _users([*single, *others])
    own: dict[str, set[str]] = defaultdict(set)
    for phrase, brokers in users.items():
        if len(brokers) == 1:
            own[next(iter(brokers))].add(phrase)
    known = forgot = 0
    for case in single:
        known += not _wrong(case, words.without(case.read().reading.lexicon, frozenset()), calibration)
        lexicon = words.without(case.read().reading.lexicon, own[case.broker])
        forgot += not _wrong(case, lexicon, calibration)
    phrases = sum(len(phrases) for phrases in own.values())
    return {"documents": len(single), "right": known, "right without": forgot, "phrases": phrases, "used": len(users)}


def _wrong(case: Case, lexicon: words.Lexicon, calibration: Calibration) -> bool:
    answer = judged(case.document, understand(case.document, lexicon=lexicon), calibration)
    return bool(wrong(answer.trades[0] if answer.trades else None, case.truth[0]))


def _users(cases: Sequence[Case]) -> dict[str, set[str]]:
    """Which brokers' documents use each phrase of the lexicon."""
    users: dict[str, set[str]] = defaultdict(set)
    for case in cases:
        reading = case.read().reading
        for hits in (*reading.labels, *reading.topics):
            for hit in hits:
                users[hit.phrase].add(case.broker)
    return users
