"""The count: what a model's claims agree with, fill, differ from, and lose."""

from __future__ import annotations

from dataclasses import dataclass, field

from postroom.nouns.documents import Field, RivalReading, Value, plain
from postroom.nouns.opinions import Difference, Opinion
from postroom.reading.opinions.answers import Claims
from postroom.reading.opinions.quotes import ClaimDropped, HeardClaim, Quotes

UNMEASURED = 0.5  # how often a model's readings are right was not measured, whatever it says of itself
OURS = "reading"


@dataclass(slots=True)
class Ballot:
    model: str
    agreed: list[str] = field(default_factory=list)
    filled: list[str] = field(default_factory=list)
    differs: dict[str, Difference] = field(default_factory=dict)
    dropped: dict[str, str] = field(default_factory=dict)
    prefix: str = ""

    def hear(self, quotes: Quotes, claims: Claims) -> dict[str, HeardClaim]:
        """The claims that hold, by field; the others are dropped by name and reason."""
        found = {}
        for name, claim in claims.items():
            try:
                found[name] = quotes.heard(name, claim)
            except ClaimDropped as why:
                self.drop(name, str(why))
        return found

    def drop(self, name: str, why: str) -> None:
        self.dropped[self.prefix + name] = why

    def agree(self, name: str) -> None:
        self.agreed.append(self.prefix + name)

    def differ(self, name: str, ours: Value, theirs: Value, quote: str) -> None:
        self.differs[self.prefix + name] = Difference(plain(ours), plain(theirs) or "", quote)

    def beside(self, name: str, ours: Field, heard: HeardClaim) -> Field:
        """Ours stands; theirs is shown beside it."""
        self.differ(name, ours.value, heard.value, heard.quote)
        return _with(ours, RivalReading(heard.value, self.model, heard.page, heard.box))

    def fill(self, name: str, heard: HeardClaim, value: Value | None = None) -> Field:
        self.filled.append(self.prefix + name)
        because = f"{self.model} quotes “{heard.quote}”."
        return Field(heard.value if value is None else value, UNMEASURED, heard.page, heard.box, because)

    def adopt(self, name: str, ours: Field | None, theirs: Field, quote: str) -> Field:
        """Theirs stands, since its sums close; ours is shown beside it."""
        if ours is None:
            self.filled.append(self.prefix + name)
            return theirs
        self.differ(name, ours.value, theirs.value, quote)
        return _with(theirs, RivalReading(ours.value, OURS, ours.page, ours.box))

    def said(self) -> str:
        """The sentence for people; empty if nothing came of it."""
        parts = [
            f"{self.model} reads {_spoken(name)} {one.theirs}, we read {one.ours}."
            for name, one in self.differs.items()
        ]
        if self.filled:
            parts.append(f"{self.model} filled in {', '.join(_spoken(name) for name in self.filled)}.")
        return " ".join(parts[:6])

    def opinion(self, note: str = "") -> Opinion:
        return Opinion(self.model, tuple(self.agreed), tuple(self.filled), self.differs, self.dropped, note)


def _with(found: Field, other: RivalReading) -> Field:
    return Field(found.value, found.confidence, found.page, found.box, found.because, (*found.candidates, other))


def _spoken(name: str) -> str:
    return name.replace("_", " ")
