"""What kind of document it is: its loudest words against what could be read from it."""

from __future__ import annotations

from dataclasses import dataclass, field

from postroom.rooms.documents.reading import directions
from postroom.rooms.documents.reading.pairing import Reading
from postroom.rooms.documents.reading.words import TOPICS

LOOKED_AT = 400  # lines; a long statement shows what it is before that


@dataclass(slots=True)
class Voices:
    """How loudly a document speaks of each topic: its loudest line, and all of them together."""

    loudest: dict[str, float] = field(default_factory=dict)
    total: dict[str, float] = field(default_factory=dict)
    phrase: dict[str, str] = field(default_factory=dict)
    first: dict[str, int] = field(default_factory=dict)

    def of(self, topic: str) -> float:
        return self.loudest.get(topic, 0.0) + 0.3 * min(self.total.get(topic, 0.0), 6.0)


def listen(reading: Reading) -> Voices:
    voices = Voices()
    for index, hits in enumerate(reading.topics[:LOOKED_AT]):
        for hit in hits:
            for topic, weight in hit.meaning:
                loud = weight * directions.loudness(reading, index, index)
                voices.total[topic] = voices.total.get(topic, 0.0) + loud
                voices.first.setdefault(topic, index)
                if loud > voices.loudest.get(topic, 0.0):
                    voices.loudest[topic] = loud
                    voices.phrase[topic] = hit.phrase
    return voices


__all__ = ["TOPICS", "Voices", "listen"]
