"""One word, one thing: a class name lives in one module, and the field's words lead to a file by its name."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

import postroom
from postroom.doors.api import TAGS

SOURCE = Path(postroom.__file__).parent
ROOT = SOURCE.parents[1]
# Name → why it may live in several modules.
SEVERAL: dict[str, str] = {}
# Collections of the API whose names are everybody's words.
PLAIN = frozenset(
    [
        "mailboxes",
        "messages",
        "trades",
        "orders",
        "invoices",
        "people",
        "keys",
        "settings",
        "policy",
        "events",
        "metrics",
        "jobs",
        "scorecard",
    ]
)


def class_names() -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for file in SOURCE.rglob("*.py"):
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.ClassDef):
                found[node.name].add(file.relative_to(SOURCE).as_posix())
    return found


def test_a_class_name_lives_in_one_module():
    several = {name: sorted(files) for name, files in class_names().items() if len(files) > 1}

    assert {} == {name: files for name, files in several.items() if name not in SEVERAL}
    assert set(SEVERAL) <= set(several), "no longer needed"


@pytest.mark.parametrize(
    "word", ["webhook", "queue", "isolation", "scheduler", "encryption", "extractor", "notification", "retry"]
)
def test_the_usual_word_leads_to_a_file_by_its_name(word):
    files = [*SOURCE.rglob("*.py"), *(ROOT / "docs").rglob("*.md")]

    assert [file for file in files if word in file.name]


def test_nothing_mentions_papers_that_are_not_in_the_repository():
    away = re.compile(r"\bseed [A-E]\b|REQUIREMENTS\.md|STYLE\.md|CONTRACTS\.md|\[D B\.\d")
    texts = [*SOURCE.rglob("*.py"), *SOURCE.rglob("*.sql"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")]

    assert [] == [str(file.relative_to(ROOT)) for file in texts if away.search(file.read_text())]


def test_the_glossary_explains_every_room_and_floor():
    text = (ROOT / "docs" / "glossary.md").read_text()
    rooms = [path.name for path in (SOURCE / "rooms").iterdir() if (path / "__init__.py").is_file()]

    assert [] == [name for name in [*rooms, "engine", "reads", "doors", "outside", "nouns"] if f"`{name}" not in text]


def glossary_words() -> list[str]:
    rows = re.findall(r"^\| (.+?) \|", (ROOT / "docs" / "glossary.md").read_text(), re.MULTILINE)
    return [word.strip("` ") for row in rows if row != "our word" for word in row.split(",")]


def test_the_glossary_explains_no_word_twice():
    words = [word.strip() for word in glossary_words()]

    assert [] == sorted({word for word in words if words.count(word) > 1})
    bare = {word.partition(" (")[0] for word in words if " (" in word}
    assert [] == sorted(bare & set(words)), "a word with two meanings says in both places which one it is"


def test_the_glossary_explains_what_the_api_lists():
    names = set(TAGS)
    explained = {word.strip().partition(" (")[0] for word in glossary_words()}

    assert [] == sorted(name for name in names - PLAIN if name.removesuffix("s") not in explained)
