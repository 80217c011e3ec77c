"""A kind of entry as its folder states it: name, fields, sums, and what speaks against posting it unseen."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from postroom.nouns.documents import Direction
from postroom.reading.sums.rules import SumRule

PACKAGE = "postroom.reading.kinds"


@dataclass(frozen=True, slots=True)
class EntryKind:
    """What `kind.toml` says. `topic` is what the paper's words are heard for; `booked_on` the day that counts."""

    name: str
    called: str
    topic: str
    fields: tuple[str, ...]
    required: tuple[str, ...]
    booked_on: str
    direction: Direction | None
    sums: SumRule
    objections: tuple[str, ...]

    @property
    def among_trades(self) -> bool:
        """Whether it is booked as a purchase or sale; any other kind is an entry of its own."""
        return "direction" in self.fields


@cache
def kind(name: str) -> EntryKind:
    table = tomllib.loads((resources.files(PACKAGE) / name / "kind.toml").read_text("utf-8"))
    return EntryKind(
        name=name,
        called=table["called"],
        topic=table["topic"],
        fields=tuple(table["fields"]),
        required=tuple(table["required"]),
        booked_on=table["booked_on"],
        direction=table.get("direction"),
        sums=SumRule(**table["sums"]),
        objections=tuple(table["objections"]),
    )


@cache
def kinds() -> tuple[EntryKind, ...]:
    """Every kind that has a `kind.toml`."""
    folders = sorted(item.name for item in resources.files(PACKAGE).iterdir() if (item / "kind.toml").is_file())
    return tuple(kind(name) for name in folders)


def booked_apart() -> tuple[EntryKind, ...]:
    return tuple(one for one in kinds() if not one.among_trades)


@cache
def topics_apart() -> tuple[str, ...]:
    """What papers are heard for that tell of an entry of its own: where one is said, no silence is read as a trade."""
    return tuple(dict.fromkeys(one.topic for one in booked_apart()))
