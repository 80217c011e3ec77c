"""Numbers as candidates for roles: what each could be, by its labels, its form and its neighbours."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from decimal import Decimal

from postroom.reading.labels.pairing import LabelEvidence, LabelledText
from postroom.reading.page.tokens import Token, TokenKind

ROLES = ("quantity", "price", "gross", "net", "fee", "tax", "accrued", "fx", "multiplier")
SECOND_READING = -0.8
HELD = "held"  # a balance, proven by what it changed by
CHARGES = ("fee", "tax", "accrued")
STEPS = tuple(10.0**-decimals for decimals in range(12))


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
        return self.evidence.of(name)

    def role(self, name: str) -> float:
        return self.scores.get(name, 0.0)


def candidates(reading: LabelledText, tokens: Iterable[Token]) -> list[AmountReading]:
    """Every number that could be something, both readings where the separators leave doubt."""
    found: list[AmountReading] = []
    for token in tokens:
        if token.kind is not TokenKind.NUMBER and not _percent_price(reading, token):
            continue
        evidence = reading.about(token)
        if evidence.of(HELD):
            continue
        found.append(_amount(token, token.number, token.decimals, evidence, 0.0))
        found.extend(_amount(token, other.value, other.decimals, evidence, SECOND_READING) for other in token.also)
        if token.head is not None:
            alone = replace(token, value=token.head.value, also=(), head=None, currency=None, decimals=0)
            found.append(_amount(alone, token.head.value, 0, LabelEvidence(), SECOND_READING))
    return [amount for amount in found if amount.value > 0]


def _percent_price(reading: LabelledText, token: Token) -> bool:
    """A bond's price is a percentage; other percentages are no amounts."""
    return token.kind is TokenKind.PERCENT and 1 < token.number < 250


def _amount(token: Token, exact: Decimal, decimals: int, evidence: LabelEvidence, prior: float) -> AmountReading:
    amount = AmountReading(token, exact, float(exact), decimals, evidence)
    forms = _forms(amount, evidence)
    if evidence.scores:
        amount.scores = {name: prior + (_said(name, evidence) + forms[name]) for name in ROLES}
    else:
        amount.scores = {name: prior + form for name, form in forms.items()} if prior else forms
    return amount


def _said(name: str, evidence: LabelEvidence) -> float:
    """What the labels say for a role, less what they say for others."""
    own = rivals = 0.0
    friends = FRIENDS[name]
    for other, score in evidence.scores.items():
        if other == name:
            own = score
        elif score > rivals and other not in friends:
            rivals = score
    return own - 0.45 * rivals


FRIENDS = {name: frozenset((name, "unit", "multiplier")) for name in ROLES} | {
    "gross": frozenset(("gross", "net", "unit", "multiplier")),
    "net": frozenset(("gross", "net", "unit", "multiplier")),
}
"""What does not speak against a role; totals before and after charges share their words."""


def _forms(amount: AmountReading, evidence: LabelEvidence) -> dict[str, float]:
    """How well the way a number is printed suits each role."""
    has_unit = evidence.scores.get("unit", 0.0) > 0
    quantity = _form_of_count(amount, has_unit=has_unit)
    if amount.token.kind is TokenKind.PERCENT:
        return {**PERCENTAGE, "price": -1.5 if has_unit else _form_of_price(amount)}
    if has_unit:
        return {**COUNTED, "quantity": quantity}
    money = amount.currency is not None
    printed_as_money = amount.decimals == 2 or "-" in amount.token.text[-2:]
    sum_of_money = (0.5 if printed_as_money else -0.5) + (0.4 if money else 0.0)
    rate = -1.5 if amount.value > 20000 or amount.decimals < 1 else 0.0
    rate -= 1.0 if money and amount.decimals == 2 else 0.0
    return {
        **dict.fromkeys(ROLES, sum_of_money),
        "quantity": quantity,
        "price": _form_of_price(amount),
        "fx": rate,
        "multiplier": 0.0,
    }


PERCENTAGE = {**dict.fromkeys(ROLES, -5.0), "multiplier": 0.0}
COUNTED = {**dict.fromkeys(ROLES, -1.5), "multiplier": 0.0}


def _form_of_price(amount: AmountReading) -> float:
    return (0.4 if amount.currency is not None else 0.0) - (0.5 if amount.decimals == 0 else 0.0)


def _form_of_count(amount: AmountReading, *, has_unit: bool) -> float:
    form = 0.6 if amount.token.text.startswith("+") else 0.0
    form += 0.4 if amount.decimals == 0 or amount.decimals >= 3 else 0.0
    form -= 1.2 if amount.currency is not None and not has_unit else 0.0
    form -= 0.8 if amount.token.negative and amount.decimals == 2 else 0.0
    return form
