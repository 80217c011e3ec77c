"""The question to a model, and what becomes of a document whether or not it is answered."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import structlog

from postroom.nouns.documents import DocumentText, Extraction
from postroom.nouns.errors import PostroomError, Unavailable
from postroom.nouns.opinions import ModelAnswer, Opinion
from postroom.ports import Model
from postroom.reading.invoices import states_itself
from postroom.reading.opinions.prompt import document_lines, fence_of, fenced, system_text
from postroom.reading.opinions.weighing import weigh
from postroom.reading.profiles import SenderProfile

LONGEST = 48_000  # letters: a model that sees half of a statement has an opinion about half of it
SHORTEST = 12  # words
log = structlog.get_logger()


class WithDeadline:
    """A model that is asked only till a time: many documents of one mail must not wait for it one after the other."""

    def __init__(self, model: Model, seconds: float) -> None:
        self._model, self._till = model, asyncio.get_running_loop().time() + seconds

    @property
    def name(self) -> str:
        return self._model.name

    async def ask(self, system: str, document: str) -> ModelAnswer:
        if asyncio.get_running_loop().time() > self._till:
            raise Unavailable(f"{self.name} took all the time there was for this mail.")
        return await self._model.ask(system, document)


async def with_opinion(
    model: Model | None, text: DocumentText, extraction: Extraction, profile: SenderProfile | None = None
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
