"""What a provider granted us for one mailbox, and where such grants are kept."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from postroom.nouns.errors import Unreadable
from postroom.nouns.ids import MailboxId, TenantId
from postroom.nouns.secrets import Secret


@dataclass(frozen=True, slots=True)
class TokenSet:
    """App-only access has no refresh token. `scope` is what was granted, as the provider wrote it."""

    access_token: Secret
    refresh_token: Secret | None
    expires_at: datetime
    scope: str = ""

    def __post_init__(self) -> None:
        if self.expires_at.tzinfo is None:
            raise ValueError("expires_at needs a time zone: use an aware UTC datetime.")

    def to_bytes(self) -> bytes:
        """In the clear: for a sealer or an encrypted store, never for a log."""
        refresh = self.refresh_token
        return json.dumps(
            {
                "access_token": self.access_token.reveal(),
                "refresh_token": None if refresh is None else refresh.reveal(),
                "expires_at": self.expires_at.astimezone(UTC).isoformat(),
                "scope": self.scope,
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
