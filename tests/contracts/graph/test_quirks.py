"""The list of quirks names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

from postroom.outside import graph

HERE = Path(__file__).parent


def test_every_quirk_is_pinned_by_a_test_that_exists():
    text = (Path(graph.__file__).parent / "QUIRKS.md").read_text()
    known = {
        name
        for folder in (HERE, HERE.parent / "mail", HERE.parent.parent / "stories")
        for file in folder.glob("test_*.py")
        for name in re.findall(r"def (test_\w+)", file.read_text())
    }
    quirks = re.split(r"^- ", text, flags=re.MULTILINE)[1:]

    assert [quirk.split("\n")[0] for quirk in quirks if not re.search(r"`test_\w+`", quirk)] == []
    assert set() == set(re.findall(r"`(test_\w+)`", text)) - known
