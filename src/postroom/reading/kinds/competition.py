"""Which kind of entry a paper tells of: its loudest words, and whose sums hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from postroom.reading.entries import directions
from postroom.reading.entries.entry import EntryReading
from postroom.reading.kinds.kind import EntryKind, topics_apart
from postroom.reading.kinds.kind import kind as kind_of
from postroom.reading.labels.labelled import LabelledText
from postroom.reading.labels.words import TOPICS, PhraseHit
from postroom.reading.page.tokens import TokenKind

LOOKED_AT = 400  # lines; a long statement shows what it is before that
LOUDEST = 3.0
TITLE = 2.4
FIRM = 1.5
PLAIN = 3.0  # the weight of a word that says bought or sold and nothing else
REDEEMED = 1.2  # how loud a word for repayment must be
UNMEASURED = 0.8  # stated of a kind that nobody measured
FAINT = 0.3
TO_COME = timedelta(days=40)
SPOKEN_OF = 0.2  # below this a kind is not read for


@dataclass(slots=True)
class TopicVoices:
    """How loudly a document speaks of each topic: its loudest line, and all of them together."""

    loudest: dict[str, float] = field(default_factory=dict)
    total: dict[str, float] = field(default_factory=dict)
    phrase: dict[str, str] = field(default_factory=dict)
    traded: float = 0.0
    """How loudly it says bought or sold in words that mean no repayment."""
    saved: float = 0.0
    """How loudly, before any title of repayment, it speaks of money laid out: a savings plan is due, and buys."""
    titled: str = ""
    """Of the two, trade or redemption, which a title names first."""

    def of(self, topic: str) -> float:
        """Between 0 and 1.6."""
        return (self.loudest.get(topic, 0.0) + 0.3 * min(self.total.get(topic, 0.0), 6.0)) / LOUDEST


def listen(reading: LabelledText) -> TopicVoices:
    voices = TopicVoices()
    for index, hits in enumerate(reading.topics[:LOOKED_AT]):
        for hit in hits:
            meant = dict(hit.meaning)
            for topic, weight in hit.meaning:
                loud = weight * directions.loudness(reading, index, index, hit)
                if topic in IN_NAMES:
                    loud *= _not_a_name(reading, index, hit)
                if topic == "redemption" and _is_to_come(reading, index):
                    continue
                voices.total[topic] = voices.total.get(topic, 0.0) + loud
                if loud > voices.loudest.get(topic, 0.0):
                    voices.loudest[topic] = loud
                    voices.phrase[topic] = hit.phrase
                if topic in ("buy", "sell") and weight >= PLAIN and "redemption" not in meant:
                    voices.traded = max(voices.traded, loud)
                    voices.titled = voices.titled or ("trade" if loud >= TITLE else "")
                if topic == "buy" and loud >= FIRM and not voices.titled and "redemption" not in meant:
                    voices.titled, voices.saved = "trade", loud
                if topic == "redemption" and loud >= FIRM:
                    voices.titled = voices.titled or "redemption"
    return voices


IN_NAMES = ("dividend", "cash", "transfer")
"""Topics whose words securities have in their names: `High Dividend ETF`."""


def _not_a_name(reading: LabelledText, index: int, hit: PhraseHit) -> float:
    w, spans = reading.weights, reading.spelt[index].spans
    if any(token.kind is TokenKind.ISIN for token in reading.text.lines[index].tokens):
        return w["topic.beside_isin"]
    leads = hit.start <= spans[min(1, len(spans) - 1)][0]
    return 1.0 if leads or len(spans) <= 5 else w["topic.in_name"]


def _is_to_come(reading: LabelledText, index: int) -> bool:
    """Whether the day beside a word for repayment lies long after the paper's own: a bond says when it will end."""
    beside = [day.day for line in reading.text.lines[index : index + 2] for day in line.of(TokenKind.DATE)]
    if not beside:
        return False
    every = reading.text.of(TokenKind.DATE)
    own = [day.day for day in every if max(map(reading.about(day).of, ("trade_date", "settlement_date"))) >= FIRM]
    return bool(own) and beside[0] - min(own) > TO_COME


def is_redeemed(voices: TopicVoices) -> bool:
    """Whether its words tell of a repayment rather than of a sale: a title says so first, or louder."""
    loud = voices.loudest.get("redemption", 0.0)
    return loud >= REDEEMED and (voices.titled == "redemption" or loud > max(voices.traded, voices.saved) + 0.1)


def speaks_of(voices: TopicVoices, kind: EntryKind) -> bool:
    return voices.of(kind.topic) >= SPOKEN_OF


def is_titled(voices: TopicVoices, kind: EntryKind, entry: EntryReading) -> bool:
    """Whether a title calls it another kind and that kind's sums hold too: whatever else is said, a person decides."""
    holds = entry.flags.get("filled") and entry.flags.get("explained")
    return bool(holds) and voices.loudest.get(kind.topic, 0.0) >= TITLE


def other_title(voices: TopicVoices, names: Iterable[str]) -> str:
    """The kind that is no trade and that a title calls it; empty if none does."""
    return next((name for name in names if voices.loudest.get(kind_of(name).topic, 0.0) >= TITLE), "")


def plainly(voices: TopicVoices, kind: EntryKind, entry: EntryReading) -> float:
    """How likely a kind is that no curve was fitted for: its own topic is the loudest, its sums hold, nothing lacks."""
    loudest = max(voices.loudest.values(), default=0.0)
    spoken = voices.loudest.get(kind.topic, 0.0) >= max(loudest, TITLE)
    holds = entry.flags.get("filled") and entry.flags.get("explained")
    whole = all(getattr(entry, name) is not None for name in kind.required)
    return UNMEASURED if spoken and holds and whole else 0.0


ANNOUNCED = ("cost_document", "order_document")
"""Topics that count only as a title: what is planned, or was called off, is no trade."""
OPPOSED = (*topics_apart(), "cash", "transfer", "tax_document")
"""Topics of papers with sums that are no trade's: those of every kind that is booked apart, and of what is not booked.
Where none is heard, a product beside an ISIN needs no word."""
HEARD = tuple(topic for topic in TOPICS if topic not in ("buy", "sell", "invoice", "before_tax", *ANNOUNCED))
EVIDENCE = (
    "said", "traded", "filled", "explained", "isin", "dated", "counted", "priced", "netted", "listed", "taxed",
    "costlier", "plain", "paid", "paid_product", "paid_out", "redeemed", "quiet_sums", "quiet_product", "quiet_count",
    *HEARD,
)  # fmt: skip
"""What the kinds are judged by."""


def sums_hold(voices: TopicVoices, flags: Mapping[str, float]) -> bool:
    """Whether the money alone tells of a trade: no topic word drops such a paper, unless another kind is as loud."""
    if flags.get("moved") and flags.get("filled") and flags.get("direction_margin", 0.0) > 0:
        return True  # what is held changed by just so much: neither a dividend nor an order does that
    if _is_unspoken(voices, flags):
        return True
    product = flags.get("filled") and not flags.get("trivial") and flags.get("direction_margin", 0.0) > 0
    named = sum(flags.get(name, 0.0) >= FIRM for name in ("quantity_label", "price_label"))
    if not (product and flags.get("isins")):
        return False
    if not named:
        return _is_told_by_form(flags)
    said, dated = flags.get("said", 0.0), flags.get("day_score", 0.0) >= FIRM
    follows, paid = flags.get("explained"), _loudest_apart(voices)
    if named > 1 and follows and dated:
        return said >= TITLE or paid < TITLE
    exactly_one = flags.get("exact") and flags.get("isins") == 1.0
    if named > 1 and flags.get("isins") == 1.0 and dated and _only_money_moved(voices):
        return True
    if named > 1:
        return bool(said >= TITLE and exactly_one and (dated or follows))
    return bool(said >= FIRM and exactly_one and dated and follows and paid < FIRM)


def _loudest_apart(voices: TopicVoices) -> float:
    return max(voices.loudest.get(topic, 0.0) for topic in topics_apart())


def _is_told_by_form(flags: Mapping[str, float]) -> bool:
    """Whether a title says what was done, and from a whole count times a price in money charges lead to a total that is
    called so, on a day: a header far above its values names neither."""
    form = flags.get("formed") and flags.get("charges") and flags.get("isins") == 1.0
    dated = flags.get("day_score", 0.0) >= FIRM and flags.get("settles")
    return bool(form and dated and flags.get("said", 0.0) >= TITLE and flags.get("net_label", 0.0) >= FIRM)


def is_titled_trade(voices: TopicVoices, flags: Mapping[str, float]) -> bool:
    """Whether a title calls it a contract note, it says bought or sold, and on a day its sums hold: without a number of
    the security such a paper has the labels of a bill."""
    titled = voices.loudest.get("contract", 0.0) >= TITLE and voices.traded >= PLAIN
    proven = flags.get("filled") and flags.get("explained") and flags.get("day_score", 0.0) >= FIRM
    return bool(titled and proven)


def rows_hold(voices: TopicVoices, many: Sequence[EntryReading]) -> bool:
    """Whether a list tells of trades by its rows alone: each has a way, a day, a security, a product to the cent and
    charges that lead to its total. A word for an account at a page's foot turns that into nothing else."""
    if max(voices.loudest.get(topic, 0.0) for topic in OPPOSED if topic != "cash") >= FIRM:
        return False
    whole = [entry for entry in many if entry.direction and entry.trade_date and entry.isin and _is_proven(entry)]
    return len(whole) == len(many) > 1


def row_holds(reading: LabelledText, entry: EntryReading) -> bool:
    """Whether a single row tells the trade: bought or sold, and count, price and their product. Whatever else the paper
    is, an account's statement or a dividend's, that row is one."""
    if not entry.flags.get("filled") or entry.flags.get("trivial"):
        return False
    parts = [entry.tokens.get(name) for name in ("quantity", "price", "gross")]
    lines = {part.line for part in parts if part is not None}
    if None in parts or len(lines) > 1:
        return False
    (line,) = lines
    said = {name for hit in reading.topics[line] for name, weight in hit.meaning if weight >= PLAIN}
    return not said.isdisjoint(("buy", "sell")) and said.isdisjoint((*topics_apart(), "redemption", "transfer"))


def _is_proven(entry: EntryReading) -> bool:
    return all(entry.flags.get(name) for name in ("filled", "exact", "explained"))


def _only_money_moved(voices: TopicVoices) -> bool:
    """Whether no word tells of what else has a count and a price: a payment or a statement has neither by itself."""
    return max(voices.of(topic) for topic in OPPOSED if topic != "cash") < FAINT and all(
        voices.of(topic) < FAINT for topic in ANNOUNCED
    )


def _is_unspoken(voices: TopicVoices, flags: Mapping[str, float]) -> bool:
    """Whether a product to the cent, one ISIN and a day stand there, and no word tells of anything else."""
    product = flags.get("filled") and flags.get("exact") and not flags.get("trivial")
    if not (product and flags.get("isins") == 1.0 and flags.get("days")):
        return False
    return max(voices.of(topic) for topic in (*OPPOSED, "statement", *ANNOUNCED)) < FAINT


def repayment_holds(voices: TopicVoices, flags: Mapping[str, float]) -> bool:
    """Whether a paper titled as a repayment counts what went and names what was booked for it."""
    if not is_redeemed(voices) or _loudest_apart(voices) >= voices.loudest["redemption"]:
        return False
    counted = flags.get("quantity_label", 0.0) >= FIRM and flags.get("net_label", 0.0) >= FIRM
    return bool(counted and flags.get("isins") == 1.0)


def only_announced(voices: TopicVoices, flags: Mapping[str, float]) -> bool:
    """Whether a title says that nothing was traded, and neither the sums nor an amount booked on a value day say
    otherwise: an order has none yet."""
    loud = max(voices.loudest.get(topic, 0.0) for topic in ANNOUNCED)
    settled = voices.loudest.get("contract", 0.0) >= TITLE and bool(flags.get("filled"))
    settled = settled or bool(flags.get("settles") and flags.get("net_label", 0.0) >= FIRM)
    settled = settled or _is_executed(flags)
    return loud >= TITLE and not settled and not (flags.get("filled") and flags.get("explained"))


def _is_executed(flags: Mapping[str, float]) -> bool:
    """Whether a paper names the minute of its execution, and a product to the cent that is called its total: some call
    a contract note the confirmation of an order."""
    timed = flags.get("day_timed") and flags.get("day_label", 0.0) >= TITLE
    return bool(timed and flags.get("filled") and flags.get("exact") and flags.get("net_label", 0.0) >= FIRM)


def evidence(voices: TopicVoices, flags: Mapping[str, float], paid: Mapping[str, float] | None = None) -> list[float]:
    """The evidence in the order of EVIDENCE, each between 0 and about 1. `paid` is what speaks for a dividend."""
    paid = paid or {}
    named = float(flags.get("isins", 0.0) > 0)
    quiet = named * max(1.0 - max(voices.of(topic) for topic in OPPOSED), 0.0)
    counted, netted = (min(flags.get(name, 0.0) / LOUDEST, 1.0) for name in ("quantity_label", "net_label"))
    told = {
        "said": flags.get("said", 0.0) / LOUDEST,
        "traded": voices.traded / LOUDEST,
        "filled": flags.get("filled", 0.0),
        "explained": flags.get("explained", 0.0),
        "isin": named,
        "dated": float(flags.get("day_score", 0.0) >= 2.0),
        "counted": counted,
        "priced": min(flags.get("price_label", 0.0) / LOUDEST, 1.0),
        "netted": netted,
        "listed": flags.get("listed", 0.0),
        "taxed": voices.of("tax_document") * (1.0 - flags.get("filled", 0.0)),
        "costlier": flags.get("costlier", 0.0) * flags.get("filled", 0.0),
        "plain": flags.get("filled", 0.0) * flags.get("explained", 0.0) * flags.get("said", 0.0) / LOUDEST,
        "paid": min(paid.get("price_label", 0.0) / LOUDEST, 1.0),
        "paid_product": paid.get("filled", 0.0),
        "paid_out": paid.get("explained", 0.0),
        "redeemed": float(is_redeemed(voices)),
        "quiet_sums": quiet * flags.get("filled", 0.0) * flags.get("explained", 0.0),
        "quiet_product": quiet * flags.get("filled", 0.0),
        "quiet_count": quiet * counted * netted,
    }
    return [*(told[name] for name in EVIDENCE if name in told), *(voices.of(topic) for topic in HEARD)]
