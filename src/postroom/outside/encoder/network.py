"""The network's forward pass: six layers of attention, then the mean over a text's pieces, of length one.

Nothing is computed in 64 bits, and the weights stay in their file, which processes share.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
LAYERS, HEADS, WIDTH = 6, 12, 384
TINY = np.float32(1e-12)
_ROOT_HALF = np.float32(0.5**0.5)
_ERF = tuple(map(np.float32, (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)))


def read_weights(path: Path) -> Mapping[str, Floats]:
    """Each array by its name, as a view of the file: a length, a table of contents in JSON, then the numbers."""
    with path.open("rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        contents = json.loads(file.read(length))
    numbers = np.asarray(np.memmap(path, np.uint8, "r", offset=8 + length))
    return {
        name: numbers[slice(*told["data_offsets"])].view(np.float32).reshape(told["shape"])
        for name, told in contents.items()
        if told.get("dtype") == "F32"
    }


class Network:
    def __init__(self, weights: Mapping[str, Floats]) -> None:
        self._weights = weights

    def vectors(self, pieces: Sequence[Sequence[int]]) -> Floats:
        """One for each text. All go through a layer together, however long each is; only attention keeps them apart."""
        ends = np.cumsum([len(text) for text in pieces])
        texts = [slice(end - len(text), end) for end, text in zip(ends.tolist(), pieces, strict=True)]
        places = np.concatenate([range(length) for length in map(len, pieces)])
        state = (
            self._weights["embeddings.word_embeddings.weight"][np.concatenate(pieces)]
            + self._weights["embeddings.position_embeddings.weight"][places]
            + self._weights["embeddings.token_type_embeddings.weight"][0]
        )
        state = self._normed("embeddings.LayerNorm", state)
        for layer in range(LAYERS):
            state = self._layer(f"encoder.layer.{layer}", state, texts)
        mean = np.stack([state[text].mean(axis=0) for text in texts])
        return np.asarray(mean / np.linalg.norm(mean, axis=1, keepdims=True))

    def _layer(self, name: str, state: Floats, texts: Sequence[slice]) -> Floats:
        heard = self._linear(f"{name}.attention.output.dense", self._attended(f"{name}.attention.self", state, texts))
        state = self._normed(f"{name}.attention.output.LayerNorm", state + heard)
        inner = _gelu(self._linear(f"{name}.intermediate.dense", state))
        return self._normed(f"{name}.output.LayerNorm", state + self._linear(f"{name}.output.dense", inner))

    def _attended(self, name: str, state: Floats, texts: Sequence[slice]) -> Floats:
        query, key, value = (
            self._linear(f"{name}.{part}", state).reshape(-1, HEADS, WIDTH // HEADS).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        heard = [_heard(query[:, text], key[:, text], value[:, text]) for text in texts]
        return np.concatenate(heard, axis=1).transpose(1, 0, 2).reshape(-1, WIDTH)

    def _linear(self, name: str, state: Floats) -> Floats:
        return state @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]

    def _normed(self, name: str, state: Floats) -> Floats:
        apart = state - state.mean(axis=-1, keepdims=True)
        spread = np.sqrt((apart * apart).mean(axis=-1, keepdims=True) + TINY)
        return np.asarray(apart / spread * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"])


def _heard(query: Floats, key: Floats, value: Floats) -> Floats:
    """What each piece of one text hears of the others, head by head."""
    told = query @ key.transpose(0, 2, 1) / np.float32((WIDTH // HEADS) ** 0.5)
    shares = np.exp(told - told.max(axis=-1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=-1, keepdims=True) @ value)


def _gelu(value: Floats) -> Floats:
    """With the error function as Abramowitz and Stegun approach it (7.1.26), to seven digits."""
    scaled: Floats = np.abs(value) * _ROOT_HALF
    share = 1 / (1 + np.float32(0.3275911) * scaled)
    series = np.zeros_like(share)
    for factor in _ERF:
        series = (series + factor) * share
    erf: Floats = np.sign(value) * (1 - series * np.exp(-scaled * scaled))
    return np.float32(0.5) * value * (1 + erf)
