"""The names that scripts import: there, with the arguments that the reference page says, and its programs run."""

from __future__ import annotations

import importlib
import inspect
import re
from functools import reduce
from pathlib import Path

import pytest

from postroom.nouns.documents import Extraction
from postroom_simulators.papers import NOTES
from rooms.documents.dealing import DAY

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "python.md").read_text()
NAMES = re.findall(r"`(postroom[\w.]*):([\w.]+)\(([^)]*)\)`", PAGE)
PROGRAMS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
NOTE = NOTES["hansekontor"](DAY, 1)


@pytest.mark.parametrize(("module", "name", "arguments"), NAMES, ids=[name for _, name, _ in NAMES])
def test_a_name_of_the_page_is_there_and_takes_what_it_says(module, name, arguments):
    found = reduce(getattr, name.split("."), importlib.import_module(module))

    told = [each.strip() for each in arguments.split(",") if each.strip() not in ("", "*")]
    assert told == [each for each in inspect.signature(found).parameters if each != "self"]


def test_the_page_names_what_others_rely_on():
    named = {name for _, name, _ in NAMES}

    assert named >= {
        "DocumentProcessorAgent.process_pdf",
        "ExtractionRouter.process_and_route",
        "PDFArchiver.archive_processed_pdf",
        *(f"GraphClient.{verb}_subscription" for verb in ("create", "renew", "get", "delete")),
        *(f"IngestionRetryService.{verb}" for verb in ("record_retry_attempt", "manual_retry", "get_retry_statistics")),
        *("ErrorClassifier.classify", "RetryStrategy.calculate_delay"),
        *("get_active_subscription", "upsert_subscription", "mark_expired", "mark_removed"),
    }


def test_its_programs_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("POSTROOM_ARCHIVE_URL", f"file://{tmp_path}/kept")
    (tmp_path / "kept").mkdir()
    (tmp_path / "note.pdf").write_bytes(NOTE.pdf)
    kept: dict[str, object] = {}

    for program in PROGRAMS:
        exec(program, kept)

    truth = NOTE.truth["trades"][0]
    assert f"{truth['direction']} " in capsys.readouterr().out
    assert isinstance(kept["extraction"], Extraction)
    assert (tmp_path / "kept" / str(kept["kept_as"])).read_bytes() == NOTE.pdf
    assert "/ldeburna-20260204-AAPL-BUY-100/note.pdf" in str(kept["kept_as"])


def test_the_page_promises_public_names_only():
    import postroom

    assert {"postroom"} == {module for module, _, _ in NAMES}
    assert [] == [name for _, name, _ in NAMES if name.partition(".")[0] not in postroom.__all__]
    assert [] == re.findall(r"(?:from|import) postroom\.[\w.]+", PAGE)


def test_every_public_name_is_there():
    import postroom

    assert [] == [name for name in postroom.__all__ if getattr(postroom, name, None) is None]
    assert sorted(postroom.__all__) == postroom.__all__
