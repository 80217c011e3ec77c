"""Signatures as Standard Webhooks has them: https://github.com/standard-webhooks/standard-webhooks."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Sequence
from datetime import datetime

from postroom.nouns.secrets import Secret

PREFIX = "whsec_"
SECRET_BYTES = 32


def new_secret() -> Secret:
    return Secret(PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode())


def signed_headers(delivery: str, at: datetime, body: bytes, with_secrets: Sequence[Secret]) -> dict[str, str]:
    """`delivery` is the same at every try, so that a receiver knows what it has seen. One signature for each secret."""
    timestamp = str(int(at.timestamp()))
    signatures = " ".join(f"v1,{_signature(delivery, timestamp, body, each)}" for each in with_secrets)
    return {"webhook-id": delivery, "webhook-timestamp": timestamp, "webhook-signature": signatures}


def _signature(delivery: str, timestamp: str, body: bytes, secret: Secret) -> str:
    key = base64.b64decode(secret.reveal().removeprefix(PREFIX))
    return base64.b64encode(hmac.digest(key, f"{delivery}.{timestamp}.".encode() + body, hashlib.sha256)).decode()
