"""Short codes for threads, to be read out over the telephone: no letter or digit is taken for another."""

from __future__ import annotations

import re
import secrets

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
LENGTH = 6
_CODE = re.compile(rf"\s*pr[-\s]?([{ALPHABET}{ALPHABET.lower()}]{{{LENGTH}}})\s*", re.IGNORECASE)


def new_code() -> str:
    return "PR-" + "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def code_in(text: str) -> str | None:
    """The code that somebody typed, as we write it; None when it is something else."""
    found = _CODE.fullmatch(text)
    return f"PR-{found[1].upper()}" if found else None
