"""What the parent and a reading process say to each other: msgpack, so that an answer is only data."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import Any, Literal

import msgspec

from postroom.nouns.documents import Box
from postroom.nouns.mail import MailMessage

HEAD = struct.Struct(">IQ")  # how long the message is, and the content that follows it
SENT_WITH_HEAD = 1 << 16  # bytes of content
BETWEEN = "\n"  # never inside a word
ANSWER_LIMIT = 256 * 1024 * 1024
ReaderWork = Literal["read", "extract", "image", "mail"]
Purpose = Literal["read", "ocr", "open"]
"""What a process is made for: text layers and pages, recognition, or mails and what is packed in them."""


class ReadLimits(msgspec.Struct, frozen=True):
    """What one file may cost. Time is by the clock, memory by address space."""

    seconds: float = 60.0
    ocr_seconds: float = 300.0
    mail_seconds: float = 20.0
    megabytes: int = 1024
    ocr_megabytes: int = 6144
    mail_megabytes: int = 2048
    pages: int = 500
    words: int = 250_000
    word_length: int = 1_000  # letters
    ocr_pages: int = 30
    embedded_megabytes: int = 20
    pixels: int = 80_000_000
    files_per_process: int = 50  # a fresh process costs as much as two files; a hostile one may spoil the rest

    def megabytes_for(self, purpose: Purpose) -> int:
        return {"read": self.megabytes, "ocr": self.ocr_megabytes, "open": self.mail_megabytes}[purpose]

    def seconds_for(self, purpose: Purpose) -> float:
        return {"read": self.seconds, "ocr": self.ocr_seconds, "open": self.mail_seconds}[purpose]


class ReadRequest(msgspec.Struct, frozen=True, omit_defaults=True):
    """The file itself follows it on the wire."""

    work: ReaderWork
    limits: ReadLimits
    passwords: tuple[str, ...] = ()
    page: int = 1
    width: int = 1000
    refuse_scripts: bool = False
    recognise: bool = False  # the text from the picture of the page, not from its text layer
    with_words: bool = True
    profile: Mapping[str, Any] | None = None
    own: tuple[str, ...] = ()
    name: str = ""  # of a file that may hold a mail in another form


class PageWords(msgspec.Struct, frozen=True, array_like=True):
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

    @property
    def count(self) -> int:
        return len(self.edges) // 32


Edges = tuple[Iterable[float], Iterable[float], Iterable[float], Iterable[float]]
"""The left, upper, right and lower edges of many words."""


def page_words(number: int, width: float, height: float, texts: Sequence[str], edges: Edges) -> PageWords:
    return PageWords(number, width, height, BETWEEN.join(texts), b"".join(array("d", edge).tobytes() for edge in edges))


class ReadAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came of a request; `refused` is a stable word, `because` a sentence."""

    pages: list[PageWords] = []
    page_count: int = 0
    embedded: list[tuple[str, bytes]] = []
    notes: list[str] = []
    source: Literal["text_layer", "ocr", "plain", "xml"] = "text_layer"
    scripted: bool = False
    hidden: bool = False  # words that nobody sees on the page
    damaged: bool = False
    withheld: bool = False  # parts that people do not see were left out
    scanned: bool = False  # there is hardly a text layer: to be recognised
    extraction: Any = None
    image: bytes = b""
    mail: MailMessage | None = None
    refused: str = ""
    because: str = ""


def framed(request: ReadRequest, content: bytes) -> Sequence[bytes]:
    """What is sent: in one piece unless the content is long."""
    body = msgspec.msgpack.encode(request)
    head = HEAD.pack(len(body), len(content)) + body
    return (head, content) if len(content) > SENT_WITH_HEAD else (head + content,)
