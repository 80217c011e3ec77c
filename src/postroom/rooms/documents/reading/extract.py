"""The whole of reading: a document's text in, an extraction with evidence out."""

from __future__ import annotations

from postroom.nouns.documents import DocumentText, Extraction, Field, Trade
from postroom.rooms.documents.reading import pairing, statements, trades
from postroom.rooms.documents.reading.tokens import tokenise


def extract(text: DocumentText) -> Extraction:
    reading = pairing.pair(tokenise(text))
    whole = trades.read_trade(reading, range(len(reading.text.lines)))
    many = statements.read_many(reading, whole)
    found = many or [whole]
    return Extraction(
        type="activity_statement" if len(many) > 1 else "contract_note",
        trades=tuple(as_trade(entry) for entry in found),
        language=reading.lexicon.languages[0],
    )


def as_trade(found: trades.Found) -> Trade:
    fields = {
        name: Field(value, 0.5, token.page, token.box)
        for name, token in found.tokens.items()
        if (value := getattr(found, name)) is not None
    }
    return Trade(
        found.direction,
        found.trade_date,
        found.settlement_date,
        found.quantity,
        found.isin,
        found.ticker,
        found.name,
        found.price,
        found.currency,
        found.gross,
        found.fees,
        found.taxes,
        found.net,
        fields=fields,
    )
