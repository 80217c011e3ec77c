"""What coming in asks of the outside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from postroom.nouns.identity import Identity, LoginState


class IdentityProvider(Protocol):
    """Where people of an organisation sign in. Raises only postroom.nouns.errors."""

    async def authorization_url(self, login: LoginState, redirect_uri: str) -> str:
        """Where to send the person."""

    async def identify(self, login: LoginState, said: Mapping[str, str], redirect_uri: str) -> Identity:
        """Whom the provider vouches for, after every check. `said` is what the browser came back with."""
