"""The weights of ranking and gate, fitted by `benchmarks/evals/replies/fit.py`, every folder left out once."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any

LINE_FEATURES = (
    "own_line", "own_top", "own_near", "own_section", "own_missing", "strange_missing", "own_share",
    "before_line", "before_any", "said_line", "said_any", "around_line", "around_any", "topic_line", "topic_any",
    "mail_line", "mail_any", "calendar_line", "number_line", "want_here", "own_language", "length", "row",
    "heading_named", "label_named",
)  # fmt: skip
PASSAGE_FEATURES = (
    "strength", "ahead", "paragraph", "around_line", "story_line", "topic",
    "unheard", "firm_missing", "row_strange", "name_unheard", "subject_unheard", "heading_named", "wanted_there",
    "untouched", "agreed", "alone",
)  # fmt: skip


# Where an encoder tells how near texts are in meaning: the line under its headings and the question, alone, with the
# subject, with that and what was said before it; and the whole mail.
NEAR_FEATURES = ("near_asked", "near_named", "near_told", "near_mail")


@dataclass(frozen=True, slots=True)
class FittedWeights:
    """In the order of the features."""

    line: Mapping[str, float]
    passage: Mapping[str, float]
    bias: float
    nearer: FittedWeights | None = None  # the same, fitted with an encoder

    def score(self, features: Sequence[float]) -> float:
        return sum(weight * value for weight, value in zip(self.line.values(), features, strict=True))

    def chance(self, features: Sequence[float]) -> float:
        told = self.bias + sum(weight * value for weight, value in zip(self.passage.values(), features, strict=True))
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, told))))


@cache
def fitted() -> FittedWeights:
    raw = tomllib.loads(resources.files("postroom.rooms.replies.rules").joinpath("weights.toml").read_text("utf-8"))
    nearer = _weights(raw["nearer"], (*LINE_FEATURES, *NEAR_FEATURES))
    return replace(_weights(raw, LINE_FEATURES), nearer=nearer)


def _weights(raw: Mapping[str, Any], features: Sequence[str]) -> FittedWeights:
    line = {name: raw["line"][name] for name in features}
    return FittedWeights(line, {name: raw["passage"][name] for name in PASSAGE_FEATURES}, raw["bias"])
