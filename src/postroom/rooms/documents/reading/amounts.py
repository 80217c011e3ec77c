"""Numbers as candidates for roles: what each could be, by its labels, its form and its neighbours."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from decimal import Decimal

from postroom.rooms.documents.reading.pairing import Evidence, Reading
from postroom.rooms.documents.reading.tokens import Kind, Token

ROLES = ("quantity", "price", "gross", "net", "fee", "tax", "accrued", "fx", "multiplier")
SECOND_READING = -0.8
CHARGES = ("fee", "tax", "accrued")


@dataclass(slots=True, eq=False)
class Amount:
    """One reading of one number, and how well it would do in each role."""

    token: Token
    exact: Decimal
    value: float
    decimals: int
    evidence: Evidence
    scores: dict[str, float] = field(default_factory=dict)

    @property
    def step(self) -> float:
        """The worth of one unit in the last printed place."""
        return float(10.0**-self.decimals)

    @property
    def currency(self) -> str | None:
        return self.token.currency

    @property
    def line(self) -> int:
        return self.token.line

    def named(self, name: str) -> float:
        """How loudly a label says so, form aside."""
        return self.evidence.of(name)

    def role(self, name: str) -> float:
        return self.scores.get(name, 0.0)


def candidates(reading: Reading, tokens: Iterable[Token]) -> list[Amount]:
    """Every number that could be something, both readings where the separators leave doubt."""
    found: list[Amount] = []
    for token in tokens:
        if token.kind is not Kind.NUMBER and not _percent_price(reading, token):
            continue
        evidence = reading.about(token)
        found.append(_amount(token, token.number, token.decimals, evidence, 0.0))
        found.extend(_amount(token, other.value, other.decimals, evidence, SECOND_READING) for other in token.also)
        if token.head is not None:
            alone = replace(token, value=token.head.value, also=(), head=None, currency=None, decimals=0)
            found.append(_amount(alone, token.head.value, 0, Evidence(), SECOND_READING))
    return [amount for amount in found if amount.value > 0]


def _percent_price(reading: Reading, token: Token) -> bool:
    """A bond's price is a percentage; other percentages are no amounts."""
    return token.kind is Kind.PERCENT and 1 < token.number < 250


def _amount(token: Token, exact: Decimal, decimals: int, evidence: Evidence, prior: float) -> Amount:
    amount = Amount(token, exact, float(exact), decimals, evidence)
    amount.scores = {name: prior + _suits(name, amount, evidence) for name in ROLES}
    return amount


def _suits(name: str, amount: Amount, evidence: Evidence) -> float:
    own = evidence.of(name)
    rivals = max((score for other, score in evidence.scores.items() if _rival(name, other)), default=0.0)
    return own - 0.45 * rivals + _form(name, amount, evidence)


def _rival(name: str, other: str) -> bool:
    """Whether evidence for `other` speaks against `name`; totals before and after charges share their words."""
    return other not in (name, "unit", "multiplier") and {name, other} != {"gross", "net"}


def _form(name: str, amount: Amount, evidence: Evidence) -> float:
    has_unit = evidence.of("unit") > 0
    money = amount.currency is not None
    if name == "quantity":
        if amount.token.kind is Kind.PERCENT:
            return -5.0
        form = 0.6 if amount.token.text.startswith("+") else 0.0
        form += 0.4 if amount.decimals == 0 or amount.decimals >= 3 else 0.0
        form -= 1.2 if money and not has_unit else 0.0
        form -= 0.8 if amount.token.negative and amount.decimals == 2 else 0.0
        return form
    if name == "multiplier":
        return 0.0
    if amount.token.kind is Kind.PERCENT and name != "price":
        return -5.0
    if has_unit:
        return -1.5
    if name == "price":
        return (0.4 if money else 0.0) - (0.5 if amount.decimals == 0 else 0.0)
    if name == "fx":
        form = -1.5 if amount.value > 20000 or amount.decimals < 1 else 0.0
        return form - (1.0 if money and amount.decimals == 2 else 0.0)
    printed_as_money = amount.decimals == 2 or "-" in amount.token.text[-2:]
    return (0.5 if printed_as_money else -0.5) + (0.4 if money else 0.0)
