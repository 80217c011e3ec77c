"""What kind of document it is: its loudest words, and whether a trade could be read from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from postroom.reading.labels.pairing import LabelledText
from postroom.reading.labels.words import TOPICS, PhraseHit
from postroom.reading.page.tokens import TokenKind
from postroom.reading.trades import directions

LOOKED_AT = 400  # lines; a long statement shows what it is before that
LOUDEST = 3.0
TITLE = 2.4
OTHERWISE = 0.8
CONTRARY = ("dividend", "cash", "transfer", "tax_document")


@dataclass(slots=True)
class TopicVoices:
    """How loudly a document speaks of each topic: its loudest line, and all of them together."""

    loudest: dict[str, float] = field(default_factory=dict)
    total: dict[str, float] = field(default_factory=dict)
    phrase: dict[str, str] = field(default_factory=dict)

    def of(self, topic: str) -> float:
        """Between 0 and 1.6."""
        return (self.loudest.get(topic, 0.0) + 0.3 * min(self.total.get(topic, 0.0), 6.0)) / LOUDEST


def listen(reading: LabelledText) -> TopicVoices:
    voices = TopicVoices()
    for index, hits in enumerate(reading.topics[:LOOKED_AT]):
        for hit in hits:
            for topic, weight in hit.meaning:
                loud = weight * directions.loudness(reading, index, index, hit)
                if topic in IN_NAMES:
                    loud *= _not_a_name(reading, index, hit)
                voices.total[topic] = voices.total.get(topic, 0.0) + loud
                if loud > voices.loudest.get(topic, 0.0):
                    voices.loudest[topic] = loud
                    voices.phrase[topic] = hit.phrase
    return voices


IN_NAMES = ("dividend", "cash", "transfer")
"""Topics whose words securities have in their names: `High Dividend ETF`."""


def _not_a_name(reading: LabelledText, index: int, hit: PhraseHit) -> float:
    spans = reading.spelt[index].spans
    if any(token.kind is TokenKind.ISIN for token in reading.text.lines[index].tokens):
        return 0.3
    leads = hit.start <= spans[min(1, len(spans) - 1)][0]
    return 1.0 if leads or len(spans) <= 5 else 0.4


ANNOUNCED = ("cost_document", "order_document")
"""Topics that count only as a title: what is planned, or was called off, is no trade."""
HEARD = tuple(topic for topic in TOPICS if topic not in ("buy", "sell", "invoice", "redemption", *ANNOUNCED))
EVIDENCE = (
    "said", "filled", "explained", "isin", "dated", "counted", "priced", "netted", "listed", "taxed", "costlier",
    "plain", *HEARD,
)  # fmt: skip
"""What the kind is judged by."""


def plainly_a_trade(voices: TopicVoices, flags: Mapping[str, float]) -> bool:
    """Bought or sold in a title, sums that agree, one security, and nothing else as loud: whatever the labels."""
    agrees = flags.get("filled") and flags.get("explained") and flags.get("isins") == 1.0
    return bool(agrees) and flags.get("said", 0.0) >= TITLE and all(voices.of(topic) < OTHERWISE for topic in CONTRARY)


def only_announced(voices: TopicVoices, flags: Mapping[str, float]) -> bool:
    """Whether a title says that nothing was traded, and the sums do not say otherwise."""
    loud = max(voices.loudest.get(topic, 0.0) for topic in ANNOUNCED)
    return loud >= TITLE and not (flags.get("filled") and flags.get("explained"))


def evidence(voices: TopicVoices, flags: Mapping[str, float]) -> list[float]:
    """The evidence for a trade in the order of EVIDENCE, each between 0 and about 1."""
    told = [
        flags.get("said", 0.0) / LOUDEST,
        flags.get("filled", 0.0),
        flags.get("explained", 0.0),
        float(flags.get("isins", 0.0) > 0),
        float(flags.get("day_score", 0.0) >= 2.0),
        min(flags.get("quantity_label", 0.0) / LOUDEST, 1.0),
        min(flags.get("price_label", 0.0) / LOUDEST, 1.0),
        min(flags.get("net_label", 0.0) / LOUDEST, 1.0),
        flags.get("listed", 0.0),
        voices.of("tax_document") * (1.0 - flags.get("filled", 0.0)),
        flags.get("costlier", 0.0) * flags.get("filled", 0.0),
        flags.get("filled", 0.0) * flags.get("explained", 0.0) * flags.get("said", 0.0) / LOUDEST,
    ]
    return told + [voices.of(topic) for topic in HEARD]
