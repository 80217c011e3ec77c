"""How many entries a paper's own structure shows, whatever was read of it."""

from __future__ import annotations

from collections.abc import Sequence

from postroom.reading.entries.entry import EntryReading
from postroom.reading.labels.labelled import LabelledText


def shown(reading: LabelledText, whole: EntryReading, many: Sequence[EntryReading]) -> int:
    return max(len(many), 1)
