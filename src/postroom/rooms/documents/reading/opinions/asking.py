"""The question to a model, and what becomes of a document whether or not it is answered."""

from __future__ import annotations

import asyncio
import hashlib
import tomllib
from dataclasses import replace
from functools import cache
from importlib import resources

import structlog

from postroom.nouns.documents import DocumentText, Extraction
from postroom.nouns.errors import PostroomError, Unavailable
from postroom.nouns.opinions import Answer, Opinion
from postroom.ports import Model
from postroom.rooms.documents.reading.invoices import states_itself
from postroom.rooms.documents.reading.lines import read_lines
from postroom.rooms.documents.reading.mending import mended
from postroom.rooms.documents.reading.opinions.weighing import weigh
from postroom.rooms.documents.reading.profiles import Profile

LONGEST = 48_000  # letters: a model that sees half of a statement has an opinion about half of it
SHORTEST = 12  # words
log = structlog.get_logger()


class Hurried:
    """A model that is asked only till a time: many documents of one mail must not wait for it one after the other."""

    def __init__(self, model: Model, seconds: float) -> None:
        self._model, self._till = model, asyncio.get_running_loop().time() + seconds

    @property
    def name(self) -> str:
        return self._model.name

    async def ask(self, system: str, document: str) -> Answer:
        if asyncio.get_running_loop().time() > self._till:
            raise Unavailable(f"{self.name} took all the time there was for this mail.")
        return await self._model.ask(system, document)


async def with_opinion(
    model: Model | None, text: DocumentText, extraction: Extraction, profile: Profile | None = None
) -> Extraction:
    """The extraction with a model's opinion weighed in; as it was, with a note, when there is none to be had."""
    if model is None or text.words < SHORTEST or states_itself(text):
        return extraction
    lines = document_lines(text)
    if sum(map(len, lines)) > LONGEST:
        return without(
            extraction, model.name, f"The document has more than {LONGEST:,} letters, too many to ask about."
        )
    fence = fence_of(lines)
    try:
        answer = await model.ask(system_text(fence), fenced(lines, fence))
    except PostroomError as trouble:
        return without(extraction, model.name, f"No second opinion: {trouble}")
    try:
        return await asyncio.to_thread(weigh, text, extraction, answer, profile)
    except Exception as fault:  # noqa: BLE001 - whoever writes a document moves the answer: it must not undo the reading
        log.warning("an opinion could not be weighed", error=type(fault).__name__)
        return without(extraction, answer.model, f"No second opinion: weighing it failed ({type(fault).__name__}).")


def without(extraction: Extraction, model: str, note: str) -> Extraction:
    """As it was read, and why nobody else was heard."""
    because = f"{extraction.because} {note}".strip()
    return replace(extraction, opinion=Opinion(model, note=note), because=because)


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
