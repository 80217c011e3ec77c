"""A model's answer weighed against what we read: it can send a document to a person, and never past one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from postroom.nouns.documents import DocumentText, Extraction, PaperEntry, Trade
from postroom.nouns.opinions import ModelAnswer
from postroom.reading.invoices import read_text_invoice
from postroom.reading.opinions import bills
from postroom.reading.opinions.answers import ModelClaims, claimed
from postroom.reading.opinions.ballot import Ballot
from postroom.reading.opinions.deals import Deals, read_by_model, several, weigh_trade
from postroom.reading.profiles import SenderProfile

TRADES = ("contract_note", "activity_statement")
KINDS = {
    "contract_note": "a contract note",
    "activity_statement": "an activity statement",
    "invoice": "an invoice",
    "other": "neither a trade nor an invoice",
}
UNCLEAR = "No second opinion: the model's answer has not the form that was asked for."


def weigh(
    text: DocumentText, ours: Extraction, answer: ModelAnswer, profile: SenderProfile | None = None
) -> Extraction:
    """The extraction as it goes on: unchanged where the model agrees or proves nothing, else for a person."""
    theirs = claimed(answer.text)
    ballot = Ballot(answer.model)
    if theirs is None:
        because = f"{ours.because} {UNCLEAR}".strip()
        return replace(ours, opinion=ballot.opinion(UNCLEAR), because=because)
    if ours.type == "other":
        return _rescued(text, ours, theirs, ballot, profile)
    if not _same_kind(ours.type, theirs.type):
        ballot.differ("type", ours.type, str(theirs.type), "")
        said = f"{answer.model} takes it for {KINDS[str(theirs.type)]}."
        return replace(ours, auto_confirm=False, because=_joined(said, ours), opinion=ballot.opinion())
    if ours.type == "invoice" and ours.invoice is not None:
        sheet, heard = bills.quoted(text, ballot, theirs.invoice)
        invoice = bills.weigh_invoice(sheet, ballot, ours.invoice, heard)
        return _closed(replace(ours, entries=(invoice,)), ours, ballot)
    trades = _trades(text, ours.trades, theirs, ballot, profile)
    return _closed(replace(ours, entries=_with(ours, trades)), ours, ballot)


def _same_kind(ours: str, theirs: str | None) -> bool:
    return theirs is None or ours == theirs or {ours, theirs} == set(TRADES)


def _trades(
    text: DocumentText, ours: Sequence[Trade], theirs: ModelClaims, ballot: Ballot, profile: SenderProfile | None
) -> tuple[Trade, ...]:
    if not theirs.trades:
        return tuple(ours)
    deals = Deals(text, profile)
    if len(ours) == len(theirs.trades) == 1:
        found = deals.found(1)
        return (weigh_trade(deals, ballot, ours[0], found[0] if found else None, theirs.trades[0]),)
    return several(deals, ballot, ours, theirs.trades)


def _rescued(
    text: DocumentText, ours: Extraction, theirs: ModelClaims, ballot: Ballot, profile: SenderProfile | None
) -> Extraction:
    """What we took for neither: read all the same if the model quotes all that makes it one."""
    if theirs.type == "invoice":
        sheet, heard = bills.quoted(text, ballot, theirs.invoice)
        if bills.needs_nothing_more(heard):
            invoice = bills.weigh_invoice(sheet, ballot, read_text_invoice(text).invoice, heard)
            told = replace(ours, type="invoice", entries=(invoice,))
            return _called(told, ours, ballot)
    if theirs.type in TRADES and len(theirs.trades) == 1:
        trade = read_by_model(Deals(text, profile), ballot, theirs.trades[0])
        if trade is not None:
            return _called(replace(ours, type="contract_note", entries=(trade,)), ours, ballot)
    ballot.filled.clear()
    return replace(ours, opinion=ballot.opinion())


def _called(told: Extraction, ours: Extraction, ballot: Ballot) -> Extraction:
    ballot.differ("type", ours.type, told.type, "")
    said = f"Only {ballot.model} takes it for {KINDS[told.type]}. {ours.because}".strip()
    return replace(told, auto_confirm=False, because=said, opinion=ballot.opinion())


def _closed(told: Extraction, ours: Extraction, ballot: Ballot) -> Extraction:
    opinion = ballot.opinion()
    if not opinion.changed:
        return replace(ours, opinion=opinion)
    return replace(told, auto_confirm=False, because=_joined(ballot.said(), ours), opinion=opinion)


def _joined(said: str, ours: Extraction) -> str:
    """Why it would have passed is no reason any more; why it would not still is."""
    return said if ours.auto_confirm else f"{said} {ours.because}".strip()


def _with(ours: Extraction, trades: Sequence[Trade]) -> tuple[PaperEntry, ...]:
    return (*trades, *(entry for entry in ours.entries if not isinstance(entry, Trade)))
