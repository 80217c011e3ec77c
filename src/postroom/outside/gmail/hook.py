"""Pub/Sub's webhook: verifies the push token, reads the notification. Pure: keys come in as an argument."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Any

import jwt
import msgspec
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from jwt.types import Options

from postroom.nouns.errors import BadRequest, Misconfigured, NotAllowed, Unavailable, Unreadable
from postroom.nouns.providers import Notification
from postroom.outside.gmail import parse, wire

ISSUERS = frozenset({"accounts.google.com", "https://accounts.google.com"})
CLOCK_SKEW_SECONDS = 10.0  # by which Google's clock and ours may differ
_CLAIMS = ["aud", "iss", "iat", "exp", "email", "email_verified"]
_TIMES_ARE_OURS: Options = {"verify_exp": False, "verify_iat": False, "verify_nbf": False, "require": _CLAIMS}

KeyOf = Callable[[str], Awaitable[RSAPublicKey]]


def notification(body: bytes, subscription: str | None = None) -> Notification:
    """The notification in a pushed envelope. BadRequest will not get better: acknowledge it, or it comes for a week.

    With `subscription`, an envelope of another one is refused.
    """
    try:
        envelope = msgspec.json.decode(body, type=wire.PushEnvelope)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise BadRequest("This is no Pub/Sub envelope: let the subscription push wrapped messages.") from None
    if subscription is not None and envelope.get("subscription") != subscription:
        raise NotAllowed("This push comes from a subscription that is not ours: correct POSTROOM_GMAIL_SUBSCRIPTION.")
    return from_message(envelope["message"])


def from_message(message: wire.PubSubMessage) -> Notification:
    """The history id tells of a change; it is never a place to read from."""
    try:
        told = msgspec.json.decode(parse.bytes_of(message.get("data", "")), type=wire.PushData)
        if "\0" in told["emailAddress"]:
            raise ValueError("no address has a NUL in it")
        return Notification(address=told["emailAddress"].strip().lower(), position=int(told["historyId"]))
    except (msgspec.DecodeError, UnicodeDecodeError, Unreadable, ValueError):
        raise BadRequest("This Pub/Sub message is not from Gmail: give Gmail a topic of its own.") from None


async def verify(
    authorization: str | None, key_of: KeyOf, *, audience: str, service_account: str, now: datetime
) -> None:
    """Whether Pub/Sub sent it, by the token it carries. Check before anything is kept.

    https://cloud.google.com/pubsub/docs/authenticate-push-subscriptions
    """
    if not audience or not service_account:
        raise Misconfigured(
            "Set POSTROOM_GMAIL_AUDIENCE and POSTROOM_GMAIL_SERVICE_ACCOUNT: without, no push is taken."
        )
    scheme, _, token = (authorization or "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise NotAllowed("The push carries no token: set its subscription to authenticate.")
    key = await key_of(_key_id(token))
    try:
        claims = jwt.decode(token.strip(), key, algorithms=["RS256"], audience=audience, options=_TIMES_ARE_OURS)
    except jwt.InvalidAudienceError:
        raise NotAllowed("The push was meant for another audience: compare POSTROOM_GMAIL_AUDIENCE.") from None
    except jwt.PyJWTError as problem:
        raise NotAllowed(f"The push's token is not valid ({type(problem).__name__}).") from None
    if objection := _objection(claims, service_account, now):
        raise NotAllowed(objection)


def _key_id(token: str) -> str:
    try:
        header = jwt.get_unverified_header(token.strip())
    except jwt.PyJWTError:
        raise NotAllowed("The push's token cannot be read.") from None
    if header.get("alg") != "RS256" or not isinstance(header.get("kid"), str):
        raise NotAllowed("The push's token is not signed as Google signs.")
    return str(header["kid"])


def _objection(claims: Mapping[str, Any], service_account: str, now: datetime) -> str:
    if claims["iss"] not in ISSUERS:
        return "The push's token is not from Google."
    if claims["email"] != service_account or claims["email_verified"] is not True:
        return "The push comes from another service account: compare POSTROOM_GMAIL_SERVICE_ACCOUNT."
    try:
        issued, expires = float(claims["iat"]), float(claims["exp"])
    except (TypeError, ValueError):
        return "The push's token carries no usable times."
    if now.timestamp() > expires + CLOCK_SKEW_SECONDS:
        return "The push's token has expired: compare this machine's clock."
    if now.timestamp() < issued - CLOCK_SKEW_SECONDS:
        return "The push's token is from the future: compare this machine's clock."
    return ""


def keys(body: bytes) -> dict[str, RSAPublicKey]:
    """Google's signing keys, from its JWKS (v3) or its map of PEM certificates (v1)."""
    try:
        told = msgspec.json.decode(body, type=dict[str, Any])
        found = _from_jwks(told["keys"]) if isinstance(told.get("keys"), list) else _from_certificates(told)
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError, TypeError, KeyError, jwt.PyJWTError):
        found = {}
    if not found:
        raise Unavailable("The address in POSTROOM_GOOGLE_CERTS_URL gives no signing keys.")
    return found


def _from_jwks(listed: list[dict[str, Any]]) -> dict[str, RSAPublicKey]:
    known = {item["kid"]: jwt.PyJWK(item, algorithm="RS256").key for item in listed if item.get("kty") == "RSA"}
    return {kid: key for kid, key in known.items() if isinstance(key, RSAPublicKey)}


def _from_certificates(told: Mapping[str, str]) -> dict[str, RSAPublicKey]:
    known = {kid: x509.load_pem_x509_certificate(pem.encode()).public_key() for kid, pem in told.items()}
    return {kid: key for kid, key in known.items() if isinstance(key, RSAPublicKey)}
