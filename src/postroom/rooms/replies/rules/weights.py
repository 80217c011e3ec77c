"""The weights of ranking and gate, fitted by `benchmarks/evals/replies/fit.py`, every folder left out once."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

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


@dataclass(frozen=True, slots=True)
class FittedWeights:
    line: Mapping[str, float]
    passage: Mapping[str, float]
    bias: float

    def score(self, features: Sequence[float]) -> float:
        return sum(self.line[name] * value for name, value in zip(LINE_FEATURES, features, strict=True))

    def chance(self, features: Sequence[float]) -> float:
        told = self.bias + sum(
            self.passage[name] * value for name, value in zip(PASSAGE_FEATURES, features, strict=True)
        )
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, told))))


@cache
def fitted() -> FittedWeights:
    raw = tomllib.loads(resources.files("postroom.rooms.replies.rules").joinpath("weights.toml").read_text("utf-8"))
    return FittedWeights(raw["line"], raw["passage"], raw["bias"])
