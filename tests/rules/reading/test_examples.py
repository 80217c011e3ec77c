"""Every kind's own examples: made-up papers in its folder, each with the entries that must be read of it."""

from __future__ import annotations

import tomllib
from importlib import resources

import pytest

from postroom.nouns.documents import typed
from postroom.reading.extractor import extract

FOLDERS = [item for item in resources.files("postroom.reading.kinds").iterdir() if (item / "words.toml").is_file()]


def examples_of(folder):
    return tomllib.loads((folder / "examples.toml").read_text("utf-8"))["example"]


EXAMPLES = {f"{folder.name}: {one['name']}": one for folder in FOLDERS for one in examples_of(folder)}


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_an_example_is_read_as_its_kind_says(example):
    wanted = example.get("entries", [])

    read = extract(typed(example["text"].strip("\n"))).as_json()["entries"]

    asked = [{name: entry.get(name) for name in want} for entry, want in zip(read, wanted, strict=False)]
    assert (len(wanted), wanted) == (len(read), asked)


def test_every_kind_has_examples_of_its_own():
    lone = [
        folder.name
        for folder in FOLDERS
        if folder.name != "other"
        and not any(entry["kind"] == folder.name for one in examples_of(folder) for entry in one["entries"])
    ]

    assert [] == lone
