from __future__ import annotations

from dataclasses import dataclass

import pytest

from postroom.nouns.documents import BrokenFile, DocumentText, Extraction, PasswordNeeded, typed
from postroom.nouns.opinions import ModelAnswer
from postroom.reading.extractor import extract
from postroom.rooms.documents.agent import DocumentProcessorAgent
from rules.reading.notes import NOTES


@dataclass
class Read:
    extraction: Extraction
    text: DocumentText
    damaged: bool = False


class Shelf:
    """A reader that knows its files by heart."""

    def __init__(self, texts, secret=None, damaged=False):
        self.texts, self.secret, self.damaged = texts, secret, damaged

    def extract(self, content, passwords=(), *, profile=None, own=(), with_words=False):
        if self.secret and self.secret not in passwords:
            raise PasswordNeeded("locked")
        text = typed(self.texts[content])
        return Read(extract(text, profile), text, self.damaged)


def test_bytes_become_an_extraction():
    agent = DocumentProcessorAgent(Shelf({b"note": NOTES[0].text}))

    assert NOTES[0].isin == agent.process_pdf(b"note").trades[0].isin


def test_the_tenants_passwords_reach_the_reader():
    archive = Shelf({b"note": NOTES[0].text}, secret="sesame")

    assert DocumentProcessorAgent(archive, passwords=["x", "sesame"]).process_pdf(b"note").trades
    with pytest.raises(PasswordNeeded):
        DocumentProcessorAgent(archive).process_pdf(b"note")


async def test_a_model_is_asked_also_where_a_loop_runs_already():
    class Mind:
        name = "tiny"

        async def ask(self, system: str, document: str) -> ModelAnswer:
            return ModelAnswer('{"type": "contract_note", "trades": [], "invoice": {}}', "tiny-2026")

    agent = DocumentProcessorAgent(Shelf({b"note": NOTES[0].text}), model=Mind())

    assert "tiny-2026" == agent.process_pdf(b"note").opinion.model


def test_a_damaged_file_is_not_believed_to_concern_nobody():
    agent = DocumentProcessorAgent(Shelf({b"blank": "", b"note": NOTES[0].text}, damaged=True))

    assert agent.process_pdf(b"note").trades
    with pytest.raises(BrokenFile, match="ask for it again"):
        agent.process_pdf(b"blank")
