"""Signatures as Standard Webhooks has them: https://github.com/standard-webhooks/standard-webhooks."""

from __future__ import annotations

import base64
import hmac
import secrets
from collections.abc import Sequence
from datetime import datetime

from postroom.nouns.secrets import Secret

PREFIX = "whsec_"
SECRET_BYTES = 32


def new_secret() -> Secret:
    return Secret(PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode())


class SigningKeys:
    """The bytes of some secrets, made ready once for many deliveries. Cannot be printed."""

    __slots__ = ("_keys",)

    def __init__(self, secrets_held: Sequence[Secret]) -> None:
        self._keys = [base64.b64decode(each.reveal().removeprefix(PREFIX)) for each in secrets_held]

    def headers(self, delivery: str, at: datetime, body: bytes) -> dict[str, str]:
        """`delivery` is the same at every try, so that a receiver knows what it has seen. One signature a secret."""
        timestamp = str(int(at.timestamp()))
        said = f"{delivery}.{timestamp}.".encode() + body
        signed = [base64.b64encode(hmac.digest(key, said, "sha256")).decode() for key in self._keys]
        signatures = " ".join([f"v1,{each}" for each in signed])
        return {"webhook-id": delivery, "webhook-timestamp": timestamp, "webhook-signature": signatures}
