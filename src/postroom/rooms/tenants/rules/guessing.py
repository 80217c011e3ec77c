"""How guesses at passwords are counted, and how long somebody waits who guessed too often."""

from __future__ import annotations

import hashlib
import ipaddress
from dataclasses import dataclass
from datetime import timedelta

GUESSES_FORGOTTEN = timedelta(hours=1)
FIRST_PAUSE = timedelta(seconds=10)
LONGEST_PAUSE = timedelta(minutes=15)
IPV6_HOME_BITS = 64  # what one household or server is given: counting single addresses would count nothing


@dataclass(frozen=True, slots=True)
class GuessLimit:
    """Something guesses are counted by, and how many are free."""

    key: bytes
    free: int


def guess_limits(email: str, address: str) -> tuple[GuessLimit, GuessLimit, GuessLimit]:
    """By account and source together most strictly, so that a stranger cannot lock a person out for long."""
    source = counted_source(address)
    return (
        GuessLimit(_key("both", email, source), 5),
        GuessLimit(_key("account", email), 20),
        GuessLimit(_key("source", source), 60),
    )


def counted_source(address: str) -> str:
    """The address itself; of IPv6 the network of 64 bits."""
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(known, ipaddress.IPv6Address):
        if known.ipv4_mapped is not None:
            return str(known.ipv4_mapped)
        return str(ipaddress.ip_network((known, IPV6_HOME_BITS), strict=False))
    return str(known)


def _key(*parts: str) -> bytes:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).digest()


def pause_after(guesses: int, free: int) -> timedelta | None:
    """Doubling from ten seconds once the free guesses are used up."""
    if guesses < free:
        return None
    return min(LONGEST_PAUSE, FIRST_PAUSE * float(2 ** min(guesses - free, 12)))
