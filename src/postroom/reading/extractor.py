"""The extractor, the whole of reading: a document's text in, an extraction with evidence out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from postroom.nouns.documents import (
    Booking,
    DocumentText,
    DocumentType,
    Explanation,
    Extraction,
    Field,
    PaperEntry,
    Trade,
)
from postroom.reading.confidence import REQUIRED, Calibration, shipped
from postroom.reading.entries import balances, counting, incomes, statements
from postroom.reading.entries.entry import EntryReading, read_entry
from postroom.reading.entries.incomes import ListedEntries
from postroom.reading.invoices import (
    InvoiceReading,
    held_against,
    is_invoice,
    looks_like_another,
    read_invoice,
    sells_goods,
)
from postroom.reading.invoices.papers import PaperCalled, called
from postroom.reading.kinds import cautions, competition, objections
from postroom.reading.kinds.competition import TopicVoices
from postroom.reading.kinds.kind import EntryKind, booked_apart, kind
from postroom.reading.labels import compounds as roots
from postroom.reading.labels import pairing, words
from postroom.reading.labels.labelled import LabelledText
from postroom.reading.page import short_dates as shortdates
from postroom.reading.page.lines import PrintedLine, read_lines
from postroom.reading.page.ocr_repair import mended
from postroom.reading.page.tokens import tokenise
from postroom.reading.profiles import SenderProfile
from postroom.reading.weights import Weights

INVOICE_VOICE = 0.9
NEEDED_OF_INVOICE = ("number", "issue_date", "grand_total", "currency")
LIKELY = 0.35  # a dividend shown to a person as a trade costs less than a trade that is not shown
TIE = 0.2  # nearer than this to each other, two kinds go to a person together
NAMED = 1.5  # how plainly a label must name the rate of what stands beside a trade
SOLD_ON = 2.4  # so plainly a label must name a trade day before settlement: units given back are sold on it
SHARED = ("filled", "explained", "isins", "quantity_label", "price_label", "net_label")
MOST_LINES_FOR_ONE_TRADE = 2500
SCRIPTED = "The file carries a script."
HIDDEN = (
    "It holds words that nobody sees on the page, or shows what its words do not say: covered, cut off, stamped over, "
    "laid under a scan, white on white, or without ink."
)
SURE_AS = {"name": "isin", "ticker": "isin"}  # the others are as sure as the sums they take part in


@dataclass(slots=True)
class TextReading:
    """What was read of entries, before it is judged: for the evals as much as for us."""

    reading: LabelledText
    whole: EntryReading
    many: list[EntryReading]
    voices: TopicVoices
    kind_evidence: list[float]
    apart: dict[str, EntryReading] = field(default_factory=dict)
    """What would be booked by itself, by kind."""
    listed: dict[str, ListedEntries] = field(default_factory=dict)
    """And where the paper tells of several."""
    shown: int = 1
    """How many entries the paper's own structure shows."""
    invoice_labels: Mapping[str, str] = field(default_factory=dict)
    """What the sender calls the fields of an invoice."""

    @property
    def kind(self) -> EntryKind:
        """Of what is traded: a sale that its words call a repayment is one."""
        return kind("redemption" if competition.is_redeemed(self.voices) else "trade")


def understand(
    text: DocumentText,
    profile: SenderProfile | None = None,
    lexicon: words.Lexicon | None = None,
    parts: roots.LabelRoots | None = None,
    weights: Weights | None = None,
) -> TextReading:
    """All that is read of entries. `lexicon` and `parts` overrule the words of the languages that would be detected,
    `weights` the scores that come with the package."""
    tokens = tokenise(mended(text) if text.source == "ocr" else text)
    shortdates.complete(tokens)
    reading = pairing.pair(tokens, lexicon, parts, weights)
    if profile is not None and profile.entry_labels:
        reading = pairing.pair(tokens, words.extended(reading.lexicon, profile.entry_labels), parts, weights)
    balances.note_movements(reading)
    voices = competition.listen(reading)
    redeemed = competition.is_redeemed(voices)
    lines = range(min(len(reading.text.lines), MOST_LINES_FOR_ONE_TRADE))
    whole = read_entry(reading, lines, kind("redemption" if redeemed else "trade").sums)
    if profile is not None and profile.trades_on_settlement_day:
        _book_on_settlement(whole)
    many = statements.read_many(reading, whole)
    if not many:
        whole = statements.read_only(reading, whole) or whole
    if redeemed:
        for entry in (whole, *many):
            entry.flags["day_moved"] = entry.flags.get("day_label", 0.0) if _waits(entry) else 0.0
            if entry.flags["day_moved"] < SOLD_ON:
                _book_on_settlement(entry)
    apart = {
        one.name: read_entry(reading, lines, one.sums) for one in booked_apart() if competition.speaks_of(voices, one)
    }
    listed = {
        name: incomes.read_several(reading, kind(name).topic, kind(name).sums, entry) for name, entry in apart.items()
    }
    best = max(many, key=lambda found: found.flags["score"]) if many else whole
    told = competition.evidence(voices, _shared(whole, best, len(many)), _paid(many, apart.get("dividend")))
    shown = counting.shown(reading, whole, many)
    own = profile.invoice_labels if profile is not None else {}
    return TextReading(reading, whole, many, voices, told, apart, listed, shown, own)


def _book_on_settlement(entry: EntryReading) -> None:
    if entry.settlement_date is not None:
        entry.trade_date, entry.tokens["trade_date"] = entry.settlement_date, entry.tokens["settlement_date"]


def _paid(many: Sequence[EntryReading], paid: EntryReading | None) -> dict[str, float]:
    """What speaks for a dividend; money that one of several trades moved was not paid out."""
    if paid is None:
        return {}
    rows = {entry.tokens["quantity"].line for entry in many if "quantity" in entry.tokens}
    net = paid.tokens.get("net")
    return paid.flags | {"explained": 0.0} if net is not None and net.line in rows else paid.flags


def _waits(entry: EntryReading) -> bool:
    return None not in (entry.trade_date, entry.settlement_date) and entry.trade_date != entry.settlement_date


def _shared(whole: EntryReading, best: EntryReading, entries: int) -> dict[str, float]:
    """The whole document's evidence, with what its best entry adds."""
    told = {name: best.flags.get(name, 0.0) for name in SHARED}
    return {**whole.flags, **told, "listed": float(entries > 1)}


def extract(
    text: DocumentText, profile: SenderProfile | None = None, calibration: Calibration | None = None
) -> Extraction:
    """Trades, an invoice or other entries, each field with its place and how sure we are, and whether a person must
    look."""
    if not any(page.words for page in text.pages) and not text.embedded:
        return Extraction(type="other", because="There is no text on it.", warnings=text.notes, source=text.source)
    return judged(text, understand(text, profile), calibration or shipped())


def judged(text: DocumentText, understood: TextReading, calibration: Calibration) -> Extraction:
    """What is made of what was read."""
    exact = read_invoice(text) if text.embedded else None
    if exact is not None and exact.exact:
        return _invoice(text, understood, _of_no_trade(held_against(text, exact), understood.whole))
    sure = calibration.of_kinds(competition.EVIDENCE, understood.kind_evidence)
    voices, flags = understood.voices, understood.whole.flags
    rows = competition.rows_hold(voices, understood.many)
    holds = rows or competition.sums_hold(voices, flags) or competition.repayment_holds(voices, flags)
    holds = holds or competition.row_holds(understood.reading, understood.whole)
    announced = not rows and competition.only_announced(voices, flags)
    likely = (holds or sure["trade"] >= LIKELY) and not announced
    chances = _chances_apart(understood, sure)
    other, sure_of_other = next(iter(chances.items()), ("", 0.0))
    titled = bool(other) and competition.is_titled(voices, kind(other), understood.apart[other])
    if holds and not titled:
        other, sure_of_other = "", 0.0
    apart = understood.apart[other] if sure_of_other >= LIKELY else None
    if apart is not None and sure_of_other > sure["trade"] + TIE and not holds:
        likely = False
    found = entries_of(understood) if likely else []
    unnamed = not any(entry.flags.get("isin_checks") for entry in found)
    lines = _printed(text, understood) if unnamed else []
    title = called(lines) if unnamed else PaperCalled()
    plain = bool(found) and not title.kind and competition.is_titled_trade(voices, flags)
    billed = unnamed and not plain and (apart is None or not apart.flags.get("isin_checks"))
    billed = billed and is_invoice(text, lines, title)
    another = looks_like_another(text, title) if unnamed and not billed else ""
    if found and not billed and not (another and sells_goods(text)):
        rival = other if apart is not None and (titled or sure_of_other > sure["trade"] - TIE) else ""
        return _told(text, understood, found, sure["trade"], calibration, rival)
    spoken = voices.of("invoice") >= INVOICE_VOICE and not voices.of("contract")
    if apart is not None and not billed:
        return _booked_apart(text, understood, chances, calibration)
    if billed or (spoken and not another):
        return _invoice(text, understood, exact or read_invoice(text, labels=understood.invoice_labels))
    return _extraction(text, understood, "other", (), another or _what_else(voices))


def _printed(text: DocumentText, understood: TextReading) -> list[PrintedLine]:
    """Its lines as printed. What was recognised from an image was mended before it was read."""
    return read_lines(text) if text.source == "ocr" else [line.line for line in understood.reading.text.lines]


def _extraction(
    text: DocumentText,
    understood: TextReading,
    called: DocumentType,
    entries: Sequence[PaperEntry],
    because: str,
    *,
    auto_confirm: bool = False,
    warnings: tuple[str, ...] = (),
) -> Extraction:
    return Extraction(
        type=called,
        entries=entries,
        auto_confirm=auto_confirm,
        because=because,
        warnings=(*text.notes, *warnings),
        language=understood.reading.lexicon.languages[0],
        source=text.source,
    )


def entries_of(understood: TextReading) -> list[EntryReading]:
    """The trades as read, before they are judged."""
    found = understood.many or [understood.whole]
    return [entry for entry in found if entry.quantity is not None or entry.net is not None]


def _told(
    text: DocumentText,
    understood: TextReading,
    found: Sequence[EntryReading],
    sure: float,
    calibration: Calibration,
    rival: str,
) -> Extraction:
    """A paper of trades; with what else it may be, if that is nearly as likely."""
    stated = tuple(_trade(entry, understood, calibration) for entry in found)
    objection = _objection(text, stated, found, sure, calibration)
    entries: list[PaperEntry] = [*stated, *(_refunds(found))]
    if rival:
        entries += _bookings(understood, rival, calibration)[: 1 if understood.many else None]
        objection = f"It may be a trade, or {kind(rival).called}."
    else:
        besides = [booking for name in understood.apart for booking in _besides(understood, name, found, calibration)]
        if besides:
            entries += besides
            objection = f"It also tells of {kind(besides[0].kind).called}. {objection}".strip()
    voices = understood.voices
    if titled := competition.other_title(voices, understood.apart):
        objection = objection or f"A title calls it {kind(titled).called} (“{voices.phrase[kind(titled).topic]}”)."
    listed = len(found) > 1 or voices.of("statement") > voices.of("contract") + 0.4
    called: DocumentType = "activity_statement" if listed else "contract_note"
    because = objection or objections.told(found[0])
    return _extraction(text, understood, called, entries, because, auto_confirm=not objection)


def _objection(
    text: DocumentText,
    stated: Sequence[Trade],
    found: Sequence[EntryReading],
    sure: float,
    calibration: Calibration,
) -> str:
    """Why a person must look; empty if nothing speaks against posting it unseen. The first objection decides."""
    if text.scripted:
        return SCRIPTED
    if text.source == "ocr":
        return "The text was recognised from an image."
    if text.hidden:
        return HIDDEN
    if len(stated) > 1:
        return f"It tells of {len(stated)} trades."
    (trade,) = stated
    if trade.explanation is not None and trade.explanation.objections:
        return trade.explanation.objections[0]
    if sure < calibration.kind_gate:
        return f"It may not be a contract note ({sure:.2f})."
    if trade.confidence < calibration.gate:
        return _doubt(found[0], trade.confidence, calibration)
    return ""


def _doubt(entry: EntryReading, sure: float, calibration: Calibration) -> str:
    weak = sorted(REQUIRED, key=lambda name: calibration.of_field(name, entry.flags))[:2]
    named = " and ".join(f"{name.replace('_', ' ')} ({calibration.of_field(name, entry.flags):.2f})" for name in weak)
    return f"Only {sure:.2f} sure of all together; least of {named}."


def _trade(found: EntryReading, understood: TextReading, calibration: Calibration) -> Trade:
    told = understood.kind
    shown = understood.shown if not understood.many else 1
    stated = {name: getattr(found, name) for name in Trade.NAMES}
    return Trade(
        **stated,
        confidence=calibration.of_document(found.flags),
        fields=_fields(found, Trade.NAMES, calibration),
        kind=told.name,
        explanation=objections.explained(found, told, shown, cautions.raised(understood.reading, found)),
    )


def _fields(found: EntryReading, names: Sequence[str], calibration: Calibration) -> dict[str, Field]:
    sure = {name: calibration.of_field(name, found.flags) for name in REQUIRED}
    fields = {}
    for name in names:
        value = getattr(found, name)
        page, box = found.place_of(name) or (None, None)
        if value is not None and (page is not None or name in REQUIRED):
            confidence = sure.get(SURE_AS.get(name, name), sure["net"])
            fields[name] = Field(value, confidence, page, box, found.labels.get(name, ""))
    return fields


def _bookings(understood: TextReading, name: str, calibration: Calibration) -> list[Booking]:
    """Every entry of a kind that is booked apart."""
    told = understood.listed[name]
    found = told.entries or [understood.apart[name]]
    shown = told.shown if told.shown > len(found) else 1
    return [_booking(entry, kind(name), calibration, shown) for entry in found]


def _besides(
    understood: TextReading, name: str, trades: Sequence[EntryReading], calibration: Calibration
) -> list[Booking]:
    """Entries of another kind on a paper of trades: their sums hold, by labels and amounts of their own."""
    entries = understood.listed[name].entries or [understood.apart[name]]
    taken = {id(token) for trade in trades for token in trade.tokens.values()}
    return [
        _booking(entry, kind(name), calibration)
        for entry in entries
        if incomes.is_proven(entry)
        and entry.flags.get("price_label", 0.0) >= NAMED
        and taken.isdisjoint(id(entry.tokens[part]) for part in ("quantity", "net") if part in entry.tokens)
    ]


def _booking(found: EntryReading, told: EntryKind, calibration: Calibration, shown: int = 1) -> Booking:
    return Booking(
        kind=told.name,
        values={name: getattr(found, name) for name in told.fields},
        confidence=min(calibration.of_field(name, found.flags) for name in ("isin", "net", "currency")),
        fields=_fields(found, told.fields, calibration),
        explanation=objections.explained(found, told, shown),
    )


def _refunds(found: Sequence[EntryReading]) -> list[Booking]:
    """Tax that came back along with a sale is booked by itself."""
    return [
        Booking("tax_refund", {"net": one.refund, "currency": one.currency, "isin": one.isin, "pay_date": one.pay_date})
        for one in found
        if one.refund
    ]


def _chances_apart(understood: TextReading, sure: Mapping[str, float]) -> dict[str, float]:
    """The kinds that are no trade, the likeliest first: by its curve, or plainly where none was fitted."""
    chances = {
        name: sure[name] if name in sure else competition.plainly(understood.voices, kind(name), entry)
        for name, entry in understood.apart.items()
    }
    return dict(sorted(chances.items(), key=lambda item: -item[1]))


def _booked_apart(
    text: DocumentText, understood: TextReading, chances: Mapping[str, float], calibration: Calibration
) -> Extraction:
    """A paper of another kind, such as a dividend: no trade and no invoice, but an entry that a person may see. Another
    such kind that is nearly as likely is shown beside it."""
    (name, sure), *others = chances.items()
    of_kind = kind(name)
    told = _bookings(understood, name, calibration)
    against = next((why for one in told if one.explanation for why in one.explanation.objections), "")
    phrase = understood.voices.phrase.get(of_kind.topic, "")
    said = f"It tells of {of_kind.called} (“{phrase}”, {sure:.2f})."
    if len(told) > 1:
        said = f"It tells of {len(told)} entries, each {of_kind.called} (“{phrase}”, {sure:.2f})."
    rival = next((other for other, as_sure in others if as_sure >= max(LIKELY, sure - TIE)), "")
    if rival:
        told += _bookings(understood, rival, calibration)
        said = f"It may be {of_kind.called}, or {kind(rival).called}."
    return _extraction(text, understood, "other", told, f"{said} {against}".strip())


def _of_no_trade(read: InvoiceReading, entry: EntryReading) -> InvoiceReading:
    """Doubts an e-invoice inside a paper whose pages prove a trade."""
    if not all(entry.flags.get(name) for name in ("filled", "explained", "isin_checks")):
        return read
    return replace(read, warnings=(*read.warnings, f"Its pages tell of a trade in {entry.isin}."))


def _invoice(text: DocumentText, understood: TextReading, read: InvoiceReading) -> Extraction:
    if text.hidden:
        read = replace(read, warnings=(*read.warnings, HIDDEN))
    unsure = [name for name in NEEDED_OF_INVOICE if getattr(read.invoice, name) is None]
    doubts = [*read.warnings, *(f"There is no {name.replace('_', ' ')}." for name in unsure)]
    because = "Read from the e-invoice inside the PDF." if read.exact else read.because
    because = " ".join(doubts) or because
    known = read.invoice.explanation or Explanation()
    scripted = (SCRIPTED,) if text.scripted else ()
    explained = replace(known, objections=tuple(dict.fromkeys((*doubts, *known.objections, *scripted))))
    return _extraction(
        text,
        understood,
        "invoice",
        (replace(read.invoice, explanation=explained),),
        because,
        auto_confirm=not explained.objections,
        warnings=read.warnings,
    )


NAMES = {
    **{one.topic: one.called for one in booked_apart()},
    "dividend": "a dividend, interest or distribution",
    "cash": "an account statement or payment",
    "transfer": "a transfer or corporate action",
    "tax_document": "a tax document",
    "cost_document": "information on costs",
    "order_document": "an order that is not executed, or a cancellation",
    "statement": "a statement without trades",
}


def _what_else(voices: TopicVoices) -> str:
    loudest = max(NAMES, key=voices.of)
    if voices.of(loudest) < 0.4:
        return "Nothing in it tells of a trade or an invoice."
    return f"It reads like {NAMES[loudest]} (“{voices.phrase[loudest]}”)."


__all__ = ["TextReading", "entries_of", "extract", "judged", "understand"]
