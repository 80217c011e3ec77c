from __future__ import annotations

import pytest

from postroom.nouns.documents import PasswordNeeded, typed
from postroom.rooms.documents.reading.agent import DocumentProcessorAgent
from rules.reading.notes import NOTES


class Shelf:
    """A reader that knows its files by heart."""

    def __init__(self, texts, secret=None):
        self.texts = texts
        self.secret = secret

    def read(self, content, passwords=()):
        if self.secret and self.secret not in passwords:
            raise PasswordNeeded("locked")
        return typed(self.texts[content])


def test_bytes_become_an_extraction():
    agent = DocumentProcessorAgent(Shelf({b"note": NOTES[0].text}))

    assert NOTES[0].isin == agent.process_pdf(b"note").trades[0].isin


def test_the_tenants_passwords_reach_the_reader():
    shelf = Shelf({b"note": NOTES[0].text}, secret="sesame")

    assert DocumentProcessorAgent(shelf, passwords=["x", "sesame"]).process_pdf(b"note").trades
    with pytest.raises(PasswordNeeded):
        DocumentProcessorAgent(shelf).process_pdf(b"note")
