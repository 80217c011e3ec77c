"""What the parent and a reading process say to each other: msgpack, so that an answer is only data."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from typing import BinaryIO, Literal

import msgspec

from postroom.nouns.documents import Box
from postroom.nouns.mail import MailMessage

LENGTH = struct.Struct(">Q")
BETWEEN = "\n"  # never inside a word
ANSWER_LIMIT = 256 * 1024 * 1024


class ReadLimits(msgspec.Struct, frozen=True):
    """What one file may cost. Time is by the clock and by the processor, memory by address space."""

    seconds: float = 30.0
    ocr_seconds: float = 300.0
    mail_seconds: float = 20.0
    megabytes: int = 1024
    ocr_megabytes: int = 6144
    mail_megabytes: int = 2048
    pages: int = 500
    ocr_pages: int = 30
    embedded_megabytes: int = 20
    pixels: int = 80_000_000
    documents_per_process: int = 2000


class ReadRequest(msgspec.Struct, frozen=True):
    work: Literal["read", "ocr", "image", "mail"]
    content: bytes
    limits: ReadLimits
    passwords: tuple[str, ...] = ()
    page: int = 1
    width: int = 1000
    refuse_scripts: bool = False
    name: str = ""
    """Of a file that may hold a mail in another form."""


class PageSheet(msgspec.Struct, frozen=True, array_like=True):
    """A page on the wire: its size, its words in one text, and their edges as doubles, all left ones first, then all
    upper, right and lower ones. Quick to unpack."""

    number: int
    width: float
    height: float
    texts: str
    edges: bytes

    def words(self) -> Iterator[tuple[str, int, Box]]:
        """Text, page and box of each. Raises ValueError unless every word has its box."""
        texts = self.texts.split(BETWEEN) if self.texts else []
        edges, count = array("d", self.edges), len(texts)
        if len(edges) != 4 * count:
            raise ValueError(f"{count} words, but {len(edges)} edges")
        boxes = zip(*(edges[side * count : (side + 1) * count] for side in range(4)), strict=True)
        return zip(texts, repeat(self.number), boxes, strict=False)


Edges = tuple[Iterable[float], Iterable[float], Iterable[float], Iterable[float]]
"""The left, upper, right and lower edges of many words."""


def sheet(number: int, width: float, height: float, texts: Sequence[str], edges: Edges) -> PageSheet:
    return PageSheet(number, width, height, BETWEEN.join(texts), b"".join(array("d", edge).tobytes() for edge in edges))


class ReadAnswer(msgspec.Struct, frozen=True):
    sheets: list[PageSheet] = []
    embedded: list[tuple[str, bytes]] = []
    notes: list[str] = []
    scripted: bool = False
    damaged: bool = False
    image: bytes = b""
    mail: MailMessage | None = None
    refused: str = ""
    because: str = ""


def send(pipe: BinaryIO, message: ReadRequest | ReadAnswer) -> None:
    """In one piece, so that the other side wakes up once."""
    body = msgspec.msgpack.encode(message)
    pipe.write(LENGTH.pack(len(body)) + body)
    pipe.flush()


def receive_request(pipe: BinaryIO) -> ReadRequest | None:
    """The next request, or None when the parent has hung up."""
    head = pipe.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    return msgspec.msgpack.decode(pipe.read(LENGTH.unpack(head)[0]), type=ReadRequest)
