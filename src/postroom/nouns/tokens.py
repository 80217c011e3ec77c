"""What a provider granted us for one mailbox, and where such grants are kept."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol

from postroom.nouns.errors import Unreadable
from postroom.nouns.ids import MailboxId, TenantId
from postroom.nouns.secrets import Secret

REFRESH_EARLY = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class TokenSet:
    """App-only access has no refresh token. `scope` is what was granted, as the provider wrote it."""

    access_token: Secret
    refresh_token: Secret | None
    expires_at: datetime
    scope: str = ""
    lifetime: timedelta | None = None  # as it was told when they were given

    def __post_init__(self) -> None:
        if self.expires_at.tzinfo is None:
            raise ValueError("expires_at needs a time zone: use an aware UTC datetime.")

    def is_old(self, now: datetime) -> bool:
        """Five minutes before its end. One that lives shortly, in its last fifth: else it would never be good."""
        early = REFRESH_EARLY if self.lifetime is None else min(REFRESH_EARLY, self.lifetime / 5)
        return self.expires_at - early <= now

    def to_bytes(self) -> bytes:
        """In the clear: for a sealer or an encrypted store, never for a log."""
        refresh = self.refresh_token
        return json.dumps(
            {
                "access_token": self.access_token.reveal(),
                "refresh_token": None if refresh is None else refresh.reveal(),
                "expires_at": self.expires_at.astimezone(UTC).isoformat(),
                "scope": self.scope,
                "lifetime": None if self.lifetime is None else self.lifetime.total_seconds(),
            },
            separators=(",", ":"),
        ).encode()

    @classmethod
    def from_bytes(cls, raw: bytes) -> TokenSet:
        try:
            kept = json.loads(raw)
            refresh = kept["refresh_token"]
            return cls(
                access_token=Secret(kept["access_token"]),
                refresh_token=None if refresh is None else Secret(refresh),
                expires_at=datetime.fromisoformat(kept["expires_at"]),
                scope=kept["scope"],
                lifetime=timedelta(seconds=kept["lifetime"]) if kept.get("lifetime") is not None else None,
            )
        except (ValueError, KeyError, TypeError):
            # The cause is dropped: its text would quote the token.
            raise Unreadable("The stored tokens cannot be understood: connect the mailbox anew.") from None


class TokenStore(Protocol):
    """Tokens at rest, always encrypted. Raises only postroom.nouns.errors."""

    async def get(self, tenant: TenantId, mailbox: MailboxId) -> TokenSet | None: ...

    async def put(self, tenant: TenantId, mailbox: MailboxId, tokens: TokenSet) -> None:
        """When this returns they are kept: save a refreshed set before using it."""

    async def remove(self, tenant: TenantId, mailbox: MailboxId) -> None:
        """Safe to repeat."""
