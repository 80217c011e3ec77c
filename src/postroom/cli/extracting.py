"""Files to answers, several at a time, in the order they were named."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from postroom.mail.attachments import sift as sift_mail
from postroom.mail.bodies import body_file
from postroom.mail.sniff import MSG, RFC822, TNEF, ZIP, sniff
from postroom.nouns.documents import CannotRead, PasswordNeeded
from postroom.nouns.mail import MailMessage
from postroom.outside.readers.pool import Readers
from postroom.ports import Model
from postroom.rooms.documents.agent import DocumentProcessorAgent
from postroom.rooms.documents.rules.bodies import is_document

PROCESSES = 2
AHEAD = 4  # files held in memory at once
CONTAINERS = (MSG, TNEF, ZIP)


@dataclass(frozen=True, slots=True)
class ExtractionAnswer:
    """One document's line; `last` of its file."""

    line: dict[str, Any]
    last: bool = True

    @property
    def failed(self) -> bool:
        return "error" in self.line


def extract_all(
    files: Iterable[tuple[str, bytes | str]],
    *,
    passwords: Sequence[str] = (),
    ocr: bool = True,
    model: Model | None = None,
) -> Iterator[ExtractionAnswer]:
    with Readers(processes=PROCESSES, ocr=ocr) as readers, ThreadPoolExecutor(PROCESSES) as hands:
        waiting: deque[Future[list[dict[str, Any]]]] = deque()
        agent = DocumentProcessorAgent(readers, passwords=passwords, model=model)
        for name, content in files:
            waiting.append(hands.submit(_file, readers, agent, name, content))
            if len(waiting) >= AHEAD:
                yield from _answers(waiting.popleft().result())
        while waiting:
            yield from _answers(waiting.popleft().result())


def _answers(lines: list[dict[str, Any]]) -> Iterator[ExtractionAnswer]:
    for at, line in enumerate(lines, start=1):
        yield ExtractionAnswer(line, last=at == len(lines))


def _file(readers: Readers, agent: DocumentProcessorAgent, name: str, content: bytes | str) -> list[dict[str, Any]]:
    if isinstance(content, str):
        return [{"file": name, "error": content}]
    kind = sniff(content)
    if name.lower().endswith(".eml") or kind in CONTAINERS or (kind == RFC822 and not name.lower().endswith(".txt")):
        return _mail(readers, agent, name, content)
    return [_document(agent, name, content)]


def _mail(readers: Readers, agent: DocumentProcessorAgent, name: str, content: bytes) -> list[dict[str, Any]]:
    """Each document that the mail carries, under the mail's name and its own."""
    try:
        mail = readers.read_mail_file(name, content)
    except CannotRead as refusal:
        return [{"file": name, "error": f"The mail could not be taken apart. {refusal}"}]
    sifted = sift_mail(mail)
    files = [kept.attachment for kept in sifted.kept]
    lines = [_document(agent, f"{name}/{each.filename}", each.content) for each in files]
    if not any("error" in line or line["type"] != "other" for line in lines):
        lines += _text(agent, name, mail)
    if lines:
        return lines
    why = " ".join(f"{drop.attachment.filename}: {drop.because}" for drop in sifted.dropped[:3])
    holder = "mail" if sniff(content) != ZIP else "file"
    return [{"file": name, "error": f"The {holder} carries no document to read. {why}".strip()}]


def _text(agent: DocumentProcessorAgent, name: str, mail: MailMessage) -> list[dict[str, Any]]:
    """What the mail itself says, if it is a document."""
    body = body_file(mail)
    if body is None:
        return []
    try:
        read = agent.process_pdf(body.content)
    except CannotRead as refusal:
        return [{"file": f"{name}/{body.filename}", "error": str(refusal)}]
    return [{"file": f"{name}/{body.filename}", **read.as_json()}] if is_document(read) else []


def _document(agent: DocumentProcessorAgent, name: str, content: bytes) -> dict[str, Any]:
    try:
        extraction = agent.process_pdf(content)
    except PasswordNeeded:
        return {"file": name, "error": "The PDF is protected by a password; give the right one with --password."}
    except CannotRead as refusal:
        return {"file": name, "error": str(refusal)}
    except Exception as fault:  # noqa: BLE001 - one file's trouble must not end the others
        return {"file": name, "error": f"The reading stumbled over it ({type(fault).__name__})."}
    return {"file": name, **extraction.as_json()}
