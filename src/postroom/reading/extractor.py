"""The extractor, the whole of reading: a document's text in, an extraction with evidence out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from postroom.nouns.documents import DocumentText, DocumentType, Extraction, Field, Trade
from postroom.reading import document_type as kinds
from postroom.reading.confidence import REQUIRED, Calibration, shipped
from postroom.reading.invoices import (
    InvoiceReading,
    is_invoice,
    looks_like_another,
    read_invoice,
    sells_goods,
)
from postroom.reading.labels import compounds as roots
from postroom.reading.labels import pairing, words
from postroom.reading.labels.pairing import LabelledText
from postroom.reading.page import short_dates as shortdates
from postroom.reading.page.ocr_repair import mended
from postroom.reading.page.tokens import tokenise
from postroom.reading.profiles import SenderProfile
from postroom.reading.trades import balances, statements
from postroom.reading.trades import trade as trades
from postroom.reading.trades.gate import verdict
from postroom.reading.trades.trade import EntryReading

INVOICE_VOICE = 0.9
LIKELY_TRADE = 0.45  # a dividend shown to a person costs less than a trade that is not
SHARED = ("filled", "explained", "isins", "quantity_label", "price_label", "net_label")
MOST_LINES_FOR_ONE_TRADE = 2500
SURE_AS = {"name": "isin", "ticker": "isin"}  # the others are as sure as the sums they take part in


@dataclass(slots=True)
class TextReading:
    """What was read of trades, before it is judged: for the evals as much as for us."""

    reading: LabelledText
    whole: EntryReading
    many: list[EntryReading]
    voices: kinds.TopicVoices
    kind_evidence: list[float]


def understand(
    text: DocumentText,
    profile: SenderProfile | None = None,
    lexicon: words.Lexicon | None = None,
    parts: roots.LabelRoots | None = None,
) -> TextReading:
    """All that is read of trades. `lexicon` and `parts` overrule the words of the languages that would be detected."""
    tokens = tokenise(mended(text) if text.source == "ocr" else text)
    shortdates.complete(tokens)
    reading = pairing.pair(tokens, lexicon, parts)
    if profile is not None and profile.labels:
        reading = pairing.pair(tokens, words.extended(reading.lexicon, profile.labels), parts)
    balances.note_movements(reading)
    whole = trades.read_trade(reading, range(min(len(reading.text.lines), MOST_LINES_FOR_ONE_TRADE)))
    if profile is not None and profile.trades_on_settlement_day and whole.settlement_date is not None:
        whole.trade_date, whole.tokens["trade_date"] = whole.settlement_date, whole.tokens["settlement_date"]
    many = statements.read_many(reading, whole)
    voices = kinds.listen(reading)
    whole.flags["redeemed"] = voices.loudest.get("redemption", 0.0)
    best = max(many, key=lambda found: found.flags["score"]) if many else whole
    return TextReading(reading, whole, many, voices, kinds.evidence(voices, _shared(whole, best, len(many))))


def _shared(whole: EntryReading, best: EntryReading, entries: int) -> dict[str, float]:
    """The whole document's evidence, with what its best entry adds."""
    told = {name: best.flags.get(name, 0.0) for name in SHARED}
    return {**whole.flags, **told, "listed": float(entries > 1)}


def extract(
    text: DocumentText, profile: SenderProfile | None = None, calibration: Calibration | None = None
) -> Extraction:
    """Trades or an invoice, each field with its place and how sure we are, and whether a person must look."""
    if not any(page.words for page in text.pages):
        return Extraction(type="other", because="There is no text on it.", warnings=text.notes, source=text.source)
    return judged(text, understand(text, profile), calibration or shipped())


def judged(text: DocumentText, understood: TextReading, calibration: Calibration) -> Extraction:
    """What is made of what was read."""
    sure_of_trade = calibration.of_kind(kinds.EVIDENCE, understood.kind_evidence)
    exact = read_invoice(text) if text.embedded else None
    if exact is not None and exact.exact:
        return _invoice(text, understood, exact)
    plain = kinds.plainly_a_trade(understood.voices, understood.whole.flags)
    announced = kinds.only_announced(understood.voices, understood.whole.flags)
    likely = plain or sure_of_trade >= LIKELY_TRADE
    found = _trades(understood) if likely and not announced else []
    unnamed = not any(entry.flags.get("isin_checks") for entry in found)
    billed = unnamed and is_invoice(text)
    another = looks_like_another(text) if unnamed and not billed else ""
    if found and not billed and not (another and sells_goods(text)):
        return _told(text, understood, found, sure_of_trade, calibration)
    spoken = understood.voices.of("invoice") >= INVOICE_VOICE and not understood.voices.of("contract")
    if billed or (spoken and not another):
        return _invoice(text, understood, exact or read_invoice(text))
    return Extraction(
        type="other",
        because=another or _what_else(understood.voices),
        warnings=text.notes,
        language=understood.reading.lexicon.languages[0],
        source=text.source,
    )


def _trades(understood: TextReading) -> list[EntryReading]:
    found = understood.many or [understood.whole]
    return [entry for entry in found if entry.quantity is not None or entry.net is not None]


def _told(
    text: DocumentText, understood: TextReading, found: Sequence[EntryReading], sure: float, calibration: Calibration
) -> Extraction:
    judged = verdict(text, found, sure, calibration)
    stated = tuple(_trade(entry, calibration) for entry in found)
    several = len(found) > 1
    voices = understood.voices
    listed = several or voices.of("statement") > voices.of("contract") + 0.4
    kind: DocumentType = "activity_statement" if listed else "contract_note"
    return Extraction(
        type=kind,
        trades=stated,
        fields=_fields(stated),
        auto_confirm=judged.unattended,
        because=judged.because,
        warnings=text.notes,
        language=understood.reading.lexicon.languages[0],
        source=text.source,
    )


def _fields(stated: Sequence[Trade]) -> Mapping[str, Field]:
    """One trade's fields by name; of several, by number and name."""
    if len(stated) == 1:
        return stated[0].fields
    return {f"{place}.{name}": found for place, trade in enumerate(stated, 1) for name, found in trade.fields.items()}


def _trade(found: EntryReading, calibration: Calibration) -> Trade:
    sure = {name: calibration.of_field(name, found.flags) for name in REQUIRED}
    stated = {name: getattr(found, name) for name in Trade.NAMES}
    fields = {}
    for name, value in stated.items():
        page, box = found.place_of(name) or (None, None)
        if value is not None and (page is not None or name in REQUIRED):
            confidence = sure.get(SURE_AS.get(name, name), sure["net"])
            fields[name] = Field(value, confidence, page, box, found.labels.get(name, ""))
    return Trade(**stated, confidence=calibration.of_document(found.flags), fields=fields)


def _invoice(text: DocumentText, understood: TextReading, read: InvoiceReading) -> Extraction:
    unsure = [name for name in ("number", "issue_date", "grand_total") if getattr(read.invoice, name) is None]
    fine = read.sure and not read.warnings and not unsure
    because = "Read from the e-invoice inside the PDF." if read.exact else read.because
    if read.warnings or unsure:
        because = " ".join([*read.warnings, *(f"There is no {name.replace('_', ' ')}." for name in unsure)])
    return Extraction(
        type="invoice",
        invoice=read.invoice,
        fields=read.invoice.fields,
        auto_confirm=fine and not text.scripted,
        because=because,
        warnings=(*text.notes, *read.warnings),
        language=understood.reading.lexicon.languages[0],
        source=text.source,
    )


NAMES = {
    "dividend": "a dividend, interest or distribution",
    "cash": "an account statement or payment",
    "transfer": "a transfer or corporate action",
    "tax_document": "a tax document",
    "cost_document": "information on costs",
    "order_document": "an order that is not executed, or a cancellation",
    "statement": "a statement without trades",
}


def _what_else(voices: kinds.TopicVoices) -> str:
    loudest = max(NAMES, key=voices.of)
    if voices.of(loudest) < 0.4:
        return "Nothing in it tells of a trade or an invoice."
    return f"It reads like {NAMES[loudest]} (“{voices.phrase[loudest]}”)."


__all__ = ["TextReading", "extract", "judged", "understand"]
