"""What a person may hand in."""

from __future__ import annotations

from dataclasses import dataclass

from postroom.mail.attachments import Dropped, worth_keeping
from postroom.mail.sniff import sniff
from postroom.nouns.errors import BadRequest
from postroom.nouns.mail import Attachment

LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class Accepted:
    filename: str
    content_type: str


def accepted(content: bytes, filename: str) -> Accepted:
    """By its content, as with mail. Raises BadRequest that says what is wrong."""
    name = "".join(char for char in filename.replace("\\", "/").rpartition("/")[2] if char.isprintable())
    name = name.strip(" .")[:LONGEST_NAME] or "document"
    content_type = sniff(content)
    verdict = worth_keeping(Attachment(name, content, sniffed_type=content_type))
    if isinstance(verdict, Dropped):
        raise BadRequest(f"{name} is not taken: {verdict.because}")
    return Accepted(name, content_type)
