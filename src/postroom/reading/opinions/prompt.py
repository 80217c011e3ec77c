"""The question to a model: the document's own lines, numbered, behind a fence that no document can hold."""

from __future__ import annotations

import hashlib
import tomllib
from functools import cache
from importlib import resources

from postroom.nouns.documents import DocumentText
from postroom.reading.page.lines import read_lines
from postroom.reading.page.ocr_repair import mended


def document_lines(text: DocumentText) -> list[str]:
    """The lines as our own reading sees them: quotes are looked for in the same."""
    return [" ".join(line.text.split()) for line in read_lines(mended(text) if text.source == "ocr" else text)]


def fence_of(lines: list[str]) -> str:
    """It follows from all of the document, so no document can hold its own."""
    return f"=== {hashlib.sha256(chr(10).join(lines).encode()).hexdigest()[:24]} ==="


def fenced(lines: list[str], fence: str) -> str:
    numbered = "\n".join(f"{number}| {line}" for number, line in enumerate(lines, start=1))
    return f"{fence}\n{numbered}\n{fence}"


@cache
def _prompt() -> str:
    text = (resources.files(__package__) / "prompt.toml").read_text("utf-8")
    return str(tomllib.loads(text)["system"]).strip()


def system_text(fence: str) -> str:
    return _prompt().replace("{fence}", fence)
