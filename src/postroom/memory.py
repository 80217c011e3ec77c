"""Spares the garbage collector what stays anyway, and copies of a process what they need not touch."""

from __future__ import annotations

import gc
from typing import Any

SMALLEST, LARGEST, STEP = 48, 512, 16  # bytes: what Python keeps in pools, one size in each
HEAD_OF_BYTES = 33  # what an empty one takes
SMALL, OF_SMALL, OF_LARGER = 128, 1500, 200  # more than loading leaves free of each size
_in_gaps: list[Any] = []


def keep_what_is_loaded(young: int = 10_000) -> None:
    """For a process that has started and goes on for long: its modules need not be looked through again and again.

    `young` objects may come into being before the collector looks at them. Without this it takes a twentieth of the
    time in which documents are read.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(young, 20, 50)


def fill_gaps() -> None:
    """For a process that will be copied: what a copy makes goes to pages of its own.

    Loading leaves room for a few thousand small objects, one here and one there. A copy would put its first ones
    there, and for each the kernel would copy a page that both share. A megabyte or two fills it once for all.
    """
    _in_gaps.extend(object() for _ in range(OF_LARGER))
    _in_gaps.extend(float(number) for number in range(OF_SMALL))
    for size in range(SMALLEST, LARGEST + 1, STEP):
        count = OF_SMALL if size <= SMALL else OF_LARGER
        _in_gaps.extend(bytes(size - HEAD_OF_BYTES) for _ in range(count))
