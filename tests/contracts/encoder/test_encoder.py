"""The sentence encoder: it computes what its makers' own program computes, once for each text, and may be missing."""

import time
from threading import Thread

import pytest

from postroom.outside.encoder import encoder as module
from postroom.outside.encoder.encoder import PACKAGE, open_encoder
from postroom.outside.encoder.wordpieces import WordPieces

# By torch 2.13 and transformers from the same weights: the first numbers of each vector, and the pieces of the text.
REFERENCE = {
    "How much does parking cost?": [0.0861, 0.01659, 0.01342, -0.00201],
    "A parking space costs 12 euros per day.": [0.09697, 0.04077, 0.00376, -0.00249],
    "Dogs are welcome in the cottages.": [0.02734, -0.07607, 0.06992, 0.04195],
    "Opening hours: Monday to Friday 9–17, closed on public holidays (24 & 25 Dec.)": [0.05417, -0.05171, 0.00195, 0.02077],
    "Le café coûte 3 €, naïve fiancée 中文 ĄĘŁ ß æøå.": [-0.0314, 0.09468, 0.02857, -0.01856],
    "word " * 300: [0.01504, -0.06229, -0.02552, 0.01633],
}  # fmt: skip
COST, SPACE, DOGS, *_ = REFERENCE

fresh = open_encoder.__wrapped__  # not the one that the process shares


@pytest.fixture
def encoder():
    found = fresh()
    if found is None:
        pytest.skip("the encoder is not installed, which is no fault: `make install-dev` tries")
    return found


def test_vectors_are_those_of_the_reference_alone_and_in_company(encoder):
    together = encoder._vectors(list(REFERENCE))
    for vector, (text, told) in zip(together, REFERENCE.items(), strict=True):
        assert told == pytest.approx(vector[:4].tolist(), abs=2e-5), text
    assert fresh()._vectors([DOGS])[0].tolist() == pytest.approx(together[2].tolist(), abs=1e-6)


def test_what_means_nearly_the_same_is_near(encoder):
    (parking, dogs), (space, cottages) = encoder.nearness([SPACE, DOGS], [COST, "Can I bring my dog?"])
    assert parking > 0.6 > cottages > 0.4 > max(dogs, space)


def test_a_text_is_encoded_once(encoder, monkeypatch):
    first = encoder.nearness([SPACE, SPACE], [COST])
    monkeypatch.setattr(encoder._network, "vectors", None)
    assert first == encoder.nearness([SPACE, SPACE], [COST])


def test_only_so_many_vectors_are_kept(encoder, monkeypatch):
    monkeypatch.setattr(module, "MOST_KEPT", 2)
    encoder.nearness([SPACE, DOGS], [COST])
    assert [DOGS, COST] == list(encoder._kept)
    assert 2 == len(encoder.nearness([SPACE, DOGS], [COST]))


def test_threads_may_ask_at_once(encoder):
    told = {}
    texts = [f"Parking space number {number}." for number in range(4)]
    threads = [Thread(target=lambda text=text: told.update({text: encoder.nearness([text], [COST])})) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told == {text: fresh().nearness([text], [COST]) for text in texts}


def test_opening_loads_nothing(encoder):
    began = time.process_time()
    opened = fresh()
    assert ("_network" in vars(opened), time.process_time() - began < 0.05) == (False, True)


@pytest.mark.parametrize("missing", [PACKAGE, "numpy"])
def test_without_its_weights_or_numpy_there_is_none(monkeypatch, missing):
    known = module.find_spec
    monkeypatch.setattr(module, "find_spec", lambda name: None if name == missing else known(name))
    assert fresh() is None


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("model.safetensors", lambda content: content[:40_000_000]),
        ("model.safetensors", lambda _: b""),
        ("model.safetensors", lambda _: b"\xff" * 4_096),
        ("model.safetensors", lambda content: content[:70_000_000] + b"\x41" * (len(content) - 70_000_000)),
        ("vocab.txt", lambda _: b""),
        ("vocab.txt", None),
    ],
    ids=["cut short", "empty", "something else", "overwritten", "no vocabulary", "vocabulary missing"],
)
def test_a_damaged_one_says_so_and_is_not_asked(encoder, tmp_path, name, damage):
    other = {"model.safetensors": "vocab.txt", "vocab.txt": "model.safetensors"}[name]
    (tmp_path / other).symlink_to(encoder._folder / other)
    if damage is not None:
        (tmp_path / name).write_bytes(damage((encoder._folder / name).read_bytes()))

    assert (True, False) == (encoder.works(), module.SentenceEncoder(tmp_path).works())


def test_a_word_is_cut_into_the_longest_known_pieces():
    pieces = WordPieces(["[UNK]", "[CLS]", "[SEP]", "car", "park", "##ing", "##s", ",", "€", "caravan"])
    assert [1, 9, 6, 7, 4, 5, 2] == pieces.numbers("Caravans, PÁRKING", 96)
    assert [1, 8, 0, 0, 2] == pieces.numbers("€ carboot " + "s" * 101, 96)
    assert [1, 4, 4, 2] == pieces.numbers("park " * 50, 4)
