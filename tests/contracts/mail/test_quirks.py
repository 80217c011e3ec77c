"""Every test that the pages on IMAP and files name is there."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

CONTRACTS = Path(__file__).parents[1]


@pytest.mark.parametrize("adapter", ["imap", "files"])
def test_what_a_page_of_quirks_names_is_a_test(adapter):
    package = import_module(f"postroom.outside.{adapter}")
    text = (Path(package.__file__).parent / "QUIRKS.md").read_text()
    named = set(re.findall(r"\btest_\w+", re.sub(r"\b\w+::", "", text)))
    modules = "\n".join(
        file.read_text() for folder in (adapter, "mail") for file in (CONTRACTS / folder).glob("test_*.py")
    )
    known = set(re.findall(r"def (test_\w+)", modules)) | {file.stem for file in CONTRACTS.glob("*/test_*.py")}

    assert set() == named - known
    assert len(named) >= 8
