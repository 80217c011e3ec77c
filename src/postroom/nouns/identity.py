"""Signing in at an identity provider: what a browser holds on the way, and whom the provider vouches for."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass

from postroom.nouns.errors import BadRequest

_SHAPE = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True)
class LoginState:
    """One journey to the provider and back. State, nonce and verifier follow from a random secret in a cookie.

    Nothing is kept on our side, and only the browser that went can come back.
    """

    secret: str

    @classmethod
    def new(cls) -> LoginState:
        return cls(secrets.token_urlsafe(32))

    @classmethod
    def from_cookie(cls, text: str) -> LoginState:
        """Without the secret that we set, state and nonce would be constants that anybody can compute."""
        if not _SHAPE.fullmatch(text):
            raise BadRequest("This sign-in was not started in this browser, or took longer than 15 minutes. Try again.")
        return cls(text)

    @property
    def state(self) -> str:
        return self._derive("state")

    @property
    def nonce(self) -> str:
        return self._derive("nonce")

    @property
    def verifier(self) -> str:
        return self._derive("verifier")

    @property
    def challenge(self) -> str:
        digest = hashlib.sha256(self.verifier.encode()).digest()
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()

    def _derive(self, what: str) -> str:
        digest = hmac.new(self.secret.encode(), what.encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


@dataclass(frozen=True, slots=True)
class Identity:
    """Whom the provider vouches for; no address if it did not prove one."""

    subject: str
    email: str | None
