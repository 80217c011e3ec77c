"""What a subscription's state, a lifecycle event and an error mean for a mailbox."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from postroom.nouns.errors import AccessRevoked, BadRequest
from postroom.nouns.secrets import Secret

Status = Literal["active", "token_refresh_failed", "subscription_expired", "provider_error", "paused", "disconnected"]
Pipeline = Literal["pad_contract_notes", "ap_invoices"]
RENEW_WITHIN = timedelta(hours=24)
LEAVE_ALONE = timedelta(minutes=10)
CONSENT_LASTS = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Pkce:
    """A secret of ours, and what may be shown of it."""

    verifier: Secret
    challenge: str


def make_pkce() -> Pkce:
    verifier = secrets.token_urlsafe(64)
    digest = hashlib.sha256(verifier.encode()).digest()
    return Pkce(Secret(verifier), base64.urlsafe_b64encode(digest).rstrip(b"=").decode())


def make_client_state(configured: Secret | None) -> Secret:
    """256 random bits, or the one that was configured for the app-only mailbox."""
    return configured or Secret(secrets.token_urlsafe(48))


def digest_state(state: Secret) -> bytes:
    """What we keep: enough to recognise it, too little to know it."""
    return hashlib.sha256(state.reveal().encode()).digest()


def state_matches(said: Secret | None, digest: bytes | None) -> bool:
    """In constant time. Nothing said, or nothing known, never matches."""
    if said is None or digest is None:
        return False
    return hmac.compare_digest(digest_state(said), bytes(digest))


def status_after(code: str) -> Status:
    """How a mailbox stands when its provider wants a person."""
    return "token_refresh_failed" if code == AccessRevoked.code else "provider_error"


def goes_on(status: Status) -> bool:
    """Whether a mailbox that is named once more needs no new start: it works, or a person paused it."""
    return status in {"active", "subscription_expired", "paused"}


def is_own_page(path: str) -> bool:
    """Whether a browser sent there stays with us: it reads a backslash as a slash, and drops what it cannot see."""
    return path.startswith("/") and not path.startswith("//") and path.isprintable() and "\\" not in path


def due(expires_at: datetime | None, now: datetime) -> bool:
    """Whether a watch wants to be renewed, or made."""
    return expires_at is None or expires_at - now < RENEW_WITHIN


def outlived_by_grant(renewed_at: datetime | None, connected_at: datetime) -> bool:
    """A watch lives by the grant it was made with; after a reconnect it is silent until the new one renews it."""
    return renewed_at is not None and renewed_at < connected_at


def touched_lately(renewed_at: datetime | None, now: datetime) -> bool:
    """Graph asks for reauthorization several times; twice within ten minutes may confuse it."""
    return renewed_at is not None and now - renewed_at < LEAVE_ALONE


def same_mailbox(asked: str | None, granted: str) -> None:
    """T65: a cookie may have picked another account than the person meant."""
    if asked and asked.lower() != granted.lower():
        raise BadRequest(
            f"You asked to connect {asked}, but signed in as {granted}. Sign out there, and connect again as {asked}."
        )
