"""Numbers as candidates for roles: what each could be, by its labels, its form and its neighbours."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from decimal import Decimal
from operator import itemgetter

from postroom.reading.labels.labelled import LabelEvidence, LabelledText
from postroom.reading.labels.placement import ASIDE, ROW_NUMBER
from postroom.reading.page.tokens import Token, TokenKind
from postroom.reading.weights import Weights

ROLES = ("quantity", "price", "gross", "net", "fee", "tax", "accrued", "fx", "multiplier", "rate", "holding")
HELD = "held"  # a balance, proven by what it changed by
MOVED = "moved"  # what a balance changed by
CHARGES = ("fee", "tax", "accrued")
CHARGE = "charge"  # the best of these
STEPS = tuple(10.0**-decimals for decimals in range(12))
LARGEST_RATE = 20000
CENTS = 2  # decimals
MOST_REMEMBERED = 5_000


@dataclass(slots=True, eq=False)
class AmountReading:
    """One reading of one number, and how well it would do in each role."""

    token: Token
    exact: Decimal
    value: float
    decimals: int
    evidence: LabelEvidence
    scores: dict[str, float] = field(default_factory=dict)
    step: float = field(init=False)
    """The worth of one unit in the last printed place."""
    currency: str | None = field(init=False)
    line: int = field(init=False)

    def __post_init__(self) -> None:
        self.step = STEPS[self.decimals] if self.decimals < len(STEPS) else 10.0**-self.decimals
        self.currency, self.line = self.token.currency, self.token.line

    def named(self, name: str) -> float:
        """How loudly a label says so, form aside."""
        return self.evidence.scores.get(name, 0.0)

    def role(self, name: str) -> float:
        return self.scores.get(name, 0.0)

    @property
    def reread(self) -> bool:
        """Whether it is not the likelier reading of what is printed."""
        return self.exact != self.token.value


def candidates(reading: LabelledText, tokens: Iterable[Token], *, held: bool = False) -> list[AmountReading]:
    """Every number that could be something, both readings where the separators leave doubt.

    `held` counts balances too: what is held is what a dividend is paid for.
    """
    found: list[AmountReading] = []
    known = reading.candidates
    for token in tokens:
        if token.kind is not TokenKind.NUMBER and not _percent_price(token):
            continue
        evidence = reading.about(token)
        if evidence.scores and ((evidence.of(HELD) and not held) or evidence.of(ROW_NUMBER) or evidence.of(ASIDE)):
            continue
        if id(token) not in known:
            known[id(token)] = _readings(token, evidence, reading.weights)
        found += known[id(token)]
    return found


def _readings(token: Token, evidence: LabelEvidence, weights: Weights) -> list[AmountReading]:
    """What a number may be; nothing is no amount."""
    second = weights["role.second_reading"]
    found = [_amount(token, token.number, token.decimals, evidence, 0.0, weights)]
    found += [_amount(token, other.value, other.decimals, evidence, second, weights) for other in token.also]
    if token.head is not None:
        alone = replace(token, value=token.head.value, also=(), head=None, currency=None, decimals=0)
        found.append(_amount(alone, token.head.value, 0, LabelEvidence(), second, weights))
    return [amount for amount in found if amount.value > 0]


def _percent_price(token: Token) -> bool:
    """A bond's price is a percentage; other percentages are no amounts."""
    return token.kind is TokenKind.PERCENT and 1 < token.number < 250


def _amount(
    token: Token, exact: Decimal, decimals: int, evidence: LabelEvidence, prior: float, weights: Weights
) -> AmountReading:
    amount = AmountReading(token, exact, float(exact), decimals, evidence)
    amount.scores = _KNOWN.of(amount, prior, weights)
    return amount


class KnownScores:
    """How numbers do in each role, looked up: those of one form that labels call the same do alike."""

    def __init__(self) -> None:
        self._weights: Weights | None = None
        self._known: dict[tuple[object, ...], dict[str, float]] = {}

    def of(self, amount: AmountReading, prior: float, weights: Weights) -> dict[str, float]:
        if weights is not self._weights or len(self._known) > MOST_REMEMBERED:
            self._weights, self._known = weights, {}
        token, value, text = amount.token, amount.value, amount.token.text
        form = (token.kind, amount.currency is None, amount.decimals, value > LARGEST_RATE, token.negative)
        like = (form, text[:1] == "+", "-" in text[-2:], prior, *amount.evidence.scores.items())
        known = self._known.get(like)
        if known is None:
            known = self._known[like] = _scores(amount, prior, weights)
        return known


_KNOWN = KnownScores()


def _scores(amount: AmountReading, prior: float, weights: Weights) -> dict[str, float]:
    evidence = amount.evidence
    scores = _forms(amount, evidence, weights)
    if evidence.scores:
        said = _said(evidence, weights["role.rival"])
        scores = {name: said[name] + form for name, form in scores.items()}
    if prior:
        scores = {name: prior + score for name, score in scores.items()}
    scores[CHARGE] = max(scores[name] for name in CHARGES)
    return scores


def _said(evidence: LabelEvidence, rival: float) -> dict[str, float]:
    """What the labels say for each role, less what they say for others."""
    scores, said = evidence.scores, {}
    by_loudness = sorted(scores.items(), key=itemgetter(1), reverse=True)
    for name, friends in FRIENDS.items():
        loudest = 0.0
        for other, score in by_loudness:
            if other not in friends:
                loudest = score
                break
        said[name] = scores.get(name, 0.0) - rival * loudest
    said["holding"] = max(said["holding"], said["quantity"])  # what is held is counted
    return said


_NEUTRAL = ("unit", "multiplier", "included", "rebate", MOVED)
FRIENDS = {name: frozenset((name, *_NEUTRAL)) for name in ROLES} | {
    "gross": frozenset(("gross", "net", *_NEUTRAL)),
    "net": frozenset(("gross", "net", *_NEUTRAL)),
    "quantity": frozenset(("quantity", "holding", *_NEUTRAL)),
    "holding": frozenset(("quantity", "holding", "other", *_NEUTRAL)),
    "rate": frozenset(("rate", "price", *_NEUTRAL)),
}
"""What does not speak against a role; totals before and after charges share their words."""


def _forms(amount: AmountReading, evidence: LabelEvidence, w: Weights) -> dict[str, float]:
    """How well the way a number is printed suits each role."""
    has_unit = evidence.scores.get("unit", 0.0) > 0
    quantity = _form_of_count(amount, w, has_unit=has_unit)
    if amount.token.kind is TokenKind.PERCENT:
        price = w["form.counted"] if has_unit else _form_of_price(amount, w)
        return dict.fromkeys(ROLES, w["form.percent"]) | {"multiplier": 0.0, "price": price}
    if has_unit:
        return dict.fromkeys(ROLES, w["form.counted"]) | {"multiplier": 0.0, "quantity": quantity, "holding": quantity}
    money = amount.currency is not None
    cents = amount.decimals == CENTS or "-" in amount.token.text[-2:]
    sum_of_money = w["form.cents" if cents else "form.no_cents"] + (w["form.currency"] if money else 0.0)
    rate = w["form.unlike_rate"] if amount.value > LARGEST_RATE or amount.decimals < 1 else 0.0
    rate += w["form.rate_in_money"] if money and amount.decimals == CENTS else 0.0
    forms = dict.fromkeys(ROLES, sum_of_money)
    forms["quantity"], forms["price"] = quantity, _form_of_price(amount, w)
    forms["holding"], forms["rate"] = forms["quantity"], forms["price"]
    forms["fx"], forms["multiplier"] = rate, 0.0
    return forms


def _form_of_price(amount: AmountReading, w: Weights) -> float:
    form = w["form.price_in_money"] if amount.currency is not None else 0.0
    return form + (w["form.whole_price"] if amount.decimals == 0 else 0.0)


def _form_of_count(amount: AmountReading, w: Weights, *, has_unit: bool) -> float:
    form = w["form.plus"] if amount.token.text.startswith("+") else 0.0
    form += w["form.count"] if amount.decimals == 0 or amount.decimals >= 3 else 0.0
    form += w["form.count_in_money"] if amount.currency is not None and not has_unit else 0.0
    form += w["form.count_negative"] if amount.token.negative and amount.decimals == CENTS else 0.0
    return form
