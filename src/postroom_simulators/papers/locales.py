"""How numbers and dates are written in the places our papers come from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date as Date  # noqa: N812 -- a method is named date
from decimal import ROUND_HALF_UP, Decimal

_MONTHS = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "sv": "januari februari mars april maj juni juli augusti september oktober november december",
}


@dataclass(frozen=True, slots=True)
class PaperLocale:
    """Decimal mark, thousands mark and the usual short date of one place."""

    language: str
    point: str
    thousands: str
    short_date: str

    def number(self, value: Decimal, places: int | None = 2, *, group: bool = True) -> str:
        """Rounded to `places`; `None` keeps what the number has."""
        shown = value if places is None else cents(value, places)
        text = f"{abs(shown):,f}" if group else f"{abs(shown):f}"
        text = text.replace(",", "\0").replace(".", self.point).replace("\0", self.thousands)
        return f"-{text}" if shown < 0 else text

    def date(self, day: Date) -> str:
        return day.strftime(self.short_date)

    def long_date(self, day: Date) -> str:
        month = _MONTHS[self.language].split()[day.month - 1]
        match self.language:
            case "de":
                return f"{day.day}. {month} {day.year}"
            case "es":
                return f"{day.day} de {month} de {day.year}"
            case _:
                return f"{day.day} {month} {day.year}"


GERMAN = PaperLocale("de", ",", ".", "%d.%m.%Y")
BRITISH = PaperLocale("en", ".", ",", "%d/%m/%Y")
AMERICAN = PaperLocale("en", ".", ",", "%m/%d/%Y")
FRENCH = PaperLocale("fr", ",", " ", "%d/%m/%Y")
ITALIAN = PaperLocale("it", ",", ".", "%d/%m/%Y")
DUTCH = PaperLocale("nl", ",", ".", "%d-%m-%Y")
SWEDISH = PaperLocale("sv", ",", " ", "%Y-%m-%d")
SPANISH = PaperLocale("es", ",", ".", "%d/%m/%Y")
SWISS = PaperLocale("de", ".", "'", "%d.%m.%Y")


def cents(value: Decimal, places: int = 2) -> Decimal:
    """Commercial rounding."""
    return value.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)


def plain(value: Decimal) -> str:
    """The decimal form in which truths are kept: no grouping, no exponent, at least as printed."""
    return f"{value:f}"
