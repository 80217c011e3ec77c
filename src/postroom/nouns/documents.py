"""Documents as understood: their words with places, what was read from them, and how sure we are of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any, ClassVar, Literal, NamedTuple

from postroom.nouns.errors import Unreadable
from postroom.nouns.opinions import Opinion

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in points; the origin is the page's top left corner."""

DocumentType = Literal["contract_note", "activity_statement", "invoice", "other"]
Direction = Literal["BUY", "SELL"]
TextSource = Literal["text_layer", "ocr", "plain"]

CHARACTER_WIDTH = 6.0
LINE_HEIGHT = 12.0


class Word(NamedTuple):
    """A run of characters without a blank, where it stands on its page (pages count from 1)."""

    text: str
    page: int
    box: Box


@dataclass(frozen=True, slots=True)
class TextPage:
    number: int
    width: float
    height: float
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Embedded:
    """A file that travels inside a PDF, such as the XML of an e-invoice."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class DocumentText:
    """What a reader saw. `notes` are sentences for people: repaired, scripted, pages skipped.

    Of a `damaged` file something may be missing, so that finding nothing in it proves nothing. A `hidden` one has words
    that nobody sees: under a scan, white on white, or drawn without ink.
    """

    pages: tuple[TextPage, ...]
    source: TextSource = "plain"
    embedded: tuple[Embedded, ...] = ()
    notes: tuple[str, ...] = ()
    scripted: bool = False
    damaged: bool = False
    hidden: bool = False

    @property
    def words(self) -> int:
        return sum(len(page.words) for page in self.pages)


def typed(text: str) -> DocumentText:
    """Plain text laid out as if typed: a word's box follows from its line and column."""
    pages = [_typed_page(number, sheet) for number, sheet in enumerate(text.split("\f"), start=1)]
    return DocumentText(pages=tuple(pages))


def _typed_page(number: int, sheet: str) -> TextPage:
    lines = sheet.replace("\r\n", "\n").replace("\r", "\n").expandtabs(8).split("\n")
    words = [word for row, line in enumerate(lines) for word in _typed_words(number, row, line)]
    width = CHARACTER_WIDTH * max((len(line) for line in lines), default=1)
    return TextPage(number, max(width, 1.0), LINE_HEIGHT * len(lines), tuple(words))


def _typed_words(page: int, row: int, line: str) -> list[Word]:
    words, at = [], 0
    top = row * LINE_HEIGHT
    for text in line.split():
        start = line.index(text, at)
        at = start + len(text)
        box = (start * CHARACTER_WIDTH, top, at * CHARACTER_WIDTH, top + LINE_HEIGHT)
        words.append(Word(text, page, box))
    return words


Value = Decimal | date | str


@dataclass(frozen=True, slots=True)
class RivalReading:
    """Another reading of the same field: whose it is, and where it stands."""

    value: Value
    by: str
    page: int | None = None
    box: Box | None = None

    def as_json(self) -> dict[str, Any]:
        return {"value": plain(self.value), "by": self.by, "page": self.page, "box": _rounded(self.box)}


@dataclass(frozen=True, slots=True)
class Field:
    """One value read from a document: how sure we are, why, where it stands, and what others read there."""

    value: Value
    confidence: float
    page: int | None = None
    box: Box | None = None
    because: str = ""
    candidates: tuple[RivalReading, ...] = ()

    def as_json(self) -> dict[str, Any]:
        told = {
            "value": plain(self.value),
            "confidence": round(self.confidence, 4),
            "page": self.page,
            "box": _rounded(self.box),
        }
        return told | ({"candidates": [one.as_json() for one in self.candidates]} if self.candidates else {})


def _rounded(box: Box | None) -> list[float] | None:
    return None if box is None else [round(edge, 1) for edge in box]


@dataclass(frozen=True, slots=True)
class PrintedAmount:
    """A printed number that a reading used, or has no place for: what it is called, and where it stands."""

    role: str
    value: Decimal
    currency: str | None = None
    page: int | None = None
    box: Box | None = None
    label: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "role": self.role,
            "value": plain(self.value),
            "currency": self.currency,
            "page": self.page,
            "box": _rounded(self.box),
            "label": self.label,
        }


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a reading says what it says: the gate, its sentence, the highlights and the confidence go by this alone.

    `left` are amounts that the paper calls a total, a booking, a charge or a tax, and that the sums have no place for;
    `aside` are taxes that it tells for information, well below what was booked.
    `shown` is how many entries the paper's own structure shows. `evidence` are the same findings as numbers.
    """

    used: tuple[PrintedAmount, ...] = ()
    left: tuple[PrintedAmount, ...] = ()
    aside: tuple[PrintedAmount, ...] = ()
    checks: tuple[str, ...] = ()
    shown: int = 1
    objections: tuple[str, ...] = ()
    evidence: Mapping[str, float] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {
            "used": [one.as_json() for one in self.used],
            "left": [one.as_json() for one in self.left],
            "aside": [one.as_json() for one in self.aside],
            "checks": list(self.checks),
            "shown": self.shown,
            "objections": list(self.objections),
        }


@dataclass(frozen=True, slots=True)
class Trade:
    """One purchase or sale. `net` is the money moved on the account, in `currency`, never negative.

    `quantity` times `price` is `gross` in the price's currency. A bond quoted in percent therefore counts in
    hundreds of its nominal: 10,000 nominal at 95.341 % is a quantity of 100 at a price of 95.341. A redemption is a
    sale on its settlement day.
    """

    direction: Direction | None = None
    trade_date: date | None = None
    settlement_date: date | None = None
    quantity: Decimal | None = None
    isin: str | None = None
    ticker: str | None = None
    name: str | None = None
    price: Decimal | None = None
    currency: str | None = None
    gross: Decimal | None = None
    fees: Decimal | None = None
    taxes: Decimal | None = None
    net: Decimal | None = None
    confidence: float = 0.0
    fields: Mapping[str, Field] = field(default_factory=dict)
    because: str = ""
    kind: str = "trade"
    explanation: Explanation | None = None

    NAMES = (
        "direction", "trade_date", "settlement_date", "quantity", "isin", "ticker", "name", "price",
        "currency", "gross", "fees", "taxes", "net",
    )  # fmt: skip

    def as_json(self) -> dict[str, Any]:
        answer: dict[str, Any] = {name: plain(getattr(self, name)) for name in self.NAMES}
        return answer | {"confidence": round(self.confidence, 4)}


@dataclass(frozen=True, slots=True)
class Booking:
    """Any other entry, its values by name: a dividend, a tax paid back. Shown and told as it is."""

    kind: str
    values: Mapping[str, Value | None] = field(default_factory=dict)
    confidence: float = 0.0
    fields: Mapping[str, Field] = field(default_factory=dict)
    because: str = ""
    explanation: Explanation | None = None

    def as_json(self) -> dict[str, Any]:
        answer: dict[str, Any] = {name: plain(value) for name, value in self.values.items()}
        return answer | {"confidence": round(self.confidence, 4)}


@dataclass(frozen=True, slots=True)
class InvoiceLine:
    description: str = ""
    quantity: Decimal | None = None
    unit_price: Decimal | None = None
    tax_rate: Decimal | None = None
    total: Decimal | None = None

    def as_json(self) -> dict[str, Any]:
        names = ("description", "quantity", "unit_price", "tax_rate", "total")
        return {name: plain(getattr(self, name)) for name in names}


@dataclass(frozen=True, slots=True)
class Invoice:
    number: str | None = None
    issue_date: date | None = None
    due_date: date | None = None
    supplier: str | None = None
    buyer: str | None = None
    currency: str | None = None
    net_total: Decimal | None = None
    tax_total: Decimal | None = None
    grand_total: Decimal | None = None
    iban: str | None = None
    lines: tuple[InvoiceLine, ...] = ()
    tax_by_rate: Mapping[Decimal, Decimal] = field(default_factory=dict)
    confidence: float = 0.0
    fields: Mapping[str, Field] = field(default_factory=dict)
    explanation: Explanation | None = None

    kind: ClassVar[str] = "invoice"
    NAMES = (
        "number", "issue_date", "due_date", "supplier", "buyer", "currency", "net_total", "tax_total",
        "grand_total", "iban",
    )  # fmt: skip

    def as_json(self) -> dict[str, Any]:
        answer: dict[str, Any] = {name: plain(getattr(self, name)) for name in self.NAMES}
        return answer | {"lines": [line.as_json() for line in self.lines]}


PaperEntry = Trade | Invoice | Booking


def _entry_as_json(entry: PaperEntry) -> dict[str, Any]:
    """What it says, its kind, and why it is believed or not."""
    told = {"kind": entry.kind, **entry.as_json()}
    return told | ({"explanation": entry.explanation.as_json()} if entry.explanation is not None else {})


@dataclass(frozen=True, slots=True, init=False)
class Extraction:
    """What a document says, and whether it may be posted without a person looking.

    `entries` are all bookings that it tells of; `trades` and `invoice` are views of them, and may be given instead.
    """

    type: DocumentType
    entries: tuple[PaperEntry, ...]
    auto_confirm: bool
    because: str
    warnings: tuple[str, ...]
    language: str | None
    source: TextSource
    opinion: Opinion | None

    def __init__(
        self,
        type: DocumentType,  # noqa: A002 - the name that others rely on
        entries: Sequence[PaperEntry] = (),
        *,
        trades: Sequence[Trade] | None = None,
        invoice: Invoice | None = None,
        auto_confirm: bool = False,
        because: str = "",
        warnings: tuple[str, ...] = (),
        language: str | None = None,
        source: TextSource = "plain",
        opinion: Opinion | None = None,
    ) -> None:
        told = list(entries)
        if trades is not None:
            told = [*trades, *(entry for entry in told if not isinstance(entry, Trade))]
        if invoice is not None:
            told = [*(entry for entry in told if not isinstance(entry, Invoice)), invoice]
        for name, value in (
            ("type", type), ("entries", tuple(told)), ("auto_confirm", auto_confirm), ("because", because),
            ("warnings", warnings), ("language", language), ("source", source), ("opinion", opinion),
        ):  # fmt: skip
            object.__setattr__(self, name, value)

    @property
    def trades(self) -> tuple[Trade, ...]:
        return tuple(entry for entry in self.entries if isinstance(entry, Trade))

    @property
    def invoice(self) -> Invoice | None:
        return next((entry for entry in self.entries if isinstance(entry, Invoice)), None)

    @property
    def tells_of(self) -> str | None:
        """The kind of the first entry of a paper that is neither a trade nor an invoice: a dividend, say."""
        others = [entry.kind for entry in self.entries if isinstance(entry, Booking)]
        return others[0] if self.type == "other" and others else None

    @property
    def fields(self) -> Mapping[str, Field]:
        """The only trade's or entry's fields by name; of several, by number and name."""
        if len(self.trades) == 1 or len(self.entries) == 1:
            return (self.trades or self.entries)[0].fields
        return {
            f"{place}.{name}": found
            for place, entry in enumerate(self.entries, start=1)
            for name, found in entry.fields.items()
        }

    def as_json(self) -> dict[str, Any]:
        told = {
            "type": self.type,
            "trades": [trade.as_json() for trade in self.trades],
            "invoice": None if self.invoice is None else self.invoice.as_json(),
            "auto_confirm": self.auto_confirm,
            "because": self.because,
            "fields": {name: found.as_json() for name, found in self.fields.items()},
            "entries": [_entry_as_json(entry) for entry in self.entries],
        }
        return told | ({"opinion": self.opinion.as_json()} if self.opinion else {})


def plain(value: Value | None) -> str | None:
    """A value as text: numbers in plain decimal form without needless zeros, dates in ISO form."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, Decimal):
        return _plain_number(value)
    return value.isoformat()


def _plain_number(value: Decimal) -> str:
    text = f"{value:f}"
    if "." in text:
        whole, _, part = text.partition(".")
        part = part.rstrip("0")
        text = f"{whole}.{part}" if part else whole
    return "0" if text in ("-0", "") else text


class CannotRead(Unreadable):
    """A file that gives no text. `reason` is a stable word for records; the message says what to do."""

    reason: ClassVar[str] = "unreadable"


class NotADocument(CannotRead):
    reason = "not_a_document"


class BrokenFile(CannotRead):
    reason = "broken"


class PasswordNeeded(CannotRead):
    reason = "password_needed"


class Protected(CannotRead):
    """A password of ours would not help: only a copy without one does."""

    reason = "protected"


class FileTooLarge(CannotRead):
    reason = "too_large"


class TookTooLong(CannotRead):
    reason = "took_too_long"


class Hostile(CannotRead):
    """Reading it ended the process that read it."""

    reason = "hostile"


class Scripted(CannotRead):
    reason = "scripted"


class ScanWithoutOcr(CannotRead):
    """There is no text layer, and the extra that reads images is not installed."""

    reason = "scan_without_ocr"
