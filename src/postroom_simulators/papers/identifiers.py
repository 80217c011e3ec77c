"""Numbers that banks and suppliers print, with check digits that hold."""

from __future__ import annotations

import random

_IBAN_LENGTHS = {"DE": 22, "FR": 27, "IT": 27, "NL": 18, "SE": 24, "ES": 24, "GB": 22, "AT": 20}


def _as_digits(text: str) -> str:
    return "".join(str(int(char, 36)) for char in text)


def isin(prefix: str) -> str:
    """The eleven leading characters with their check digit (Luhn over the letters' numbers)."""
    digits = _as_digits(prefix)
    total = 0
    for place, digit in enumerate(reversed(digits)):
        doubled = int(digit) * (2 if place % 2 == 0 else 1)
        total += doubled // 10 + doubled % 10
    return f"{prefix}{-total % 10}"


def iban(country: str, bban: str) -> str:
    """An IBAN with its two check digits (ISO 7064 mod 97-10)."""
    if len(country + bban) + 2 != _IBAN_LENGTHS[country]:
        raise ValueError(f"An IBAN of {country} has {_IBAN_LENGTHS[country]} characters; {bban!r} does not fit.")
    rest = int(_as_digits(f"{bban}{country}00")) % 97
    return f"{country}{98 - rest:02d}{bban}"


def iban_of(country: str, chance: random.Random) -> str:
    """A made-up account whose national check digits hold too where the country has them."""

    def digits(count: int) -> str:
        return "".join(str(chance.randrange(10)) for _ in range(count))

    match country:
        case "FR":
            bank, counter, account = digits(5), digits(5), digits(11)
            key = 97 - (89 * int(bank) + 15 * int(counter) + 3 * int(account)) % 97
            return iban("FR", f"{bank}{counter}{account}{key:02d}")
        case "ES":
            bank, account = digits(8), digits(10)
            return iban("ES", f"{bank}{_mod11('00' + bank)}{_mod11(account)}{account}")
        case "IT":
            rest = digits(10) + digits(12)
            return iban("IT", _italian_cin(rest) + rest)
        case "NL":
            return iban("NL", "RABO" + digits(10))
        case "GB":
            return iban("GB", "LOYD" + digits(14))
        case _:
            return iban(country, digits(_IBAN_LENGTHS[country] - 4))


def _mod11(digits: str) -> str:
    check = 11 - sum(int(d) * w for d, w in zip(digits, (1, 2, 4, 8, 5, 10, 9, 7, 3, 6), strict=True)) % 11
    return {10: "1", 11: "0"}.get(check, str(check))


def _italian_cin(rest: str) -> str:
    odd = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21)
    total = sum(odd[int(d)] if place % 2 == 0 else int(d) for place, d in enumerate(rest))
    return chr(ord("A") + total % 26)


def grouped(number: str, size: int = 4) -> str:
    """An IBAN as people print it."""
    return " ".join(number[at : at + size] for at in range(0, len(number), size))


def german_vat(chance: random.Random) -> str:
    """DE and nine digits (ISO 7064 mod 11,10)."""
    stem = f"{chance.randrange(1, 10)}" + "".join(str(chance.randrange(10)) for _ in range(7))
    product = 10
    for digit in stem:
        total = (int(digit) + product) % 10 or 10
        product = total * 2 % 11
    return f"DE{stem}{(11 - product) % 10}"
