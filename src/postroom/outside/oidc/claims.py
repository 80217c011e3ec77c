"""What an id token says, checked: keys, times and whom it vouches for. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jwt

from postroom.nouns.errors import NotAllowed
from postroom.nouns.identity import Identity

LEEWAY_SECONDS = 60.0


def signing_keys(told: Mapping[str, Any]) -> dict[str, jwt.PyJWK]:
    """Keys of kinds we do not know are left out: providers publish those for others."""
    keys = {}
    for each in told.get("keys", []):
        if each.get("use", "sig") != "sig":
            continue
        try:
            keys[str(each.get("kid", ""))] = jwt.PyJWK(each)
        except jwt.PyJWTError:
            continue
    return keys


def check_times(claims: Mapping[str, Any], now: float) -> None:
    try:
        expires, issued = float(claims["exp"]), float(claims["iat"])
    except (TypeError, ValueError):
        raise NotAllowed("The identity provider's token has no proper times. Start again.") from None
    if expires < now - LEEWAY_SECONDS:
        raise NotAllowed("The identity provider's token has expired. Start again; check this machine's clock.")
    if issued > now + LEEWAY_SECONDS:
        raise NotAllowed("The identity provider's token is from the future: check this machine's clock.")


def identity(claims: Mapping[str, Any], issuer: str, *, trust_unverified: bool = False) -> Identity:
    """An address counts when the provider says that it proved it.

    Some providers never say so; `trust_unverified` takes their silence for proof, but never a plain no.
    """
    email, verified = claims.get("email"), claims.get("email_verified")
    proved = verified is True or verified == "true" or (trust_unverified and verified is None)
    return Identity(f"{issuer}|{claims['sub']}", email if proved and isinstance(email, str) else None)
