"""A tokenised document with what its labels say of each value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from postroom.reading.labels.compounds import LabelRoots
from postroom.reading.labels.words import Lexicon, PhraseHit, SpeltLine
from postroom.reading.page.tokens import Token, TokenText
from postroom.reading.weights import Weights


@dataclass(slots=True)
class LabelEvidence:
    """What speaks for a token being this or that field, and by which words."""

    scores: dict[str, float] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, score: float, label: str) -> None:
        if score > self.scores.get(name, 0.0):
            self.scores[name] = score
            self.labels[name] = label

    def of(self, name: str) -> float:
        return self.scores.get(name, 0.0)

    def forget(self, name: str, up_to: float) -> None:
        """What was said no louder than this counts no more."""
        if self.scores.get(name, up_to + 1) <= up_to:
            del self.scores[name], self.labels[name]


@dataclass(slots=True)
class LabelledText:
    """A tokenised document with the lexicon's findings: labels and topics per line, evidence per token."""

    text: TokenText
    lexicon: Lexicon
    spelt: list[SpeltLine]
    labels: list[list[PhraseHit]]
    topics: list[list[PhraseHit]]
    parts: LabelRoots
    weights: Weights
    evidence: dict[int, LabelEvidence] = field(default_factory=dict)
    candidates: dict[int, Sequence[Any]] = field(default_factory=dict)
    """What each number was read as (`sums/amounts.py`): the whole paper and its parts are read one after the other."""

    remarks: dict[tuple[str, ...], Sequence[tuple[int, PhraseHit]]] = field(default_factory=dict)
    accounts: Sequence[Token] | None = None
    told_twice: str | None = None
    """What the paper around its entries says (`kinds/cautions.py`), once asked: the same for each of hundreds."""

    def about(self, token: Token) -> LabelEvidence:
        known = self.evidence.get(id(token))
        if known is None:
            known = self.evidence[id(token)] = LabelEvidence()
        return known
