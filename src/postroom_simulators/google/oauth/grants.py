"""Who may do what: applications, codes, refresh tokens and access tokens of the simulated Google."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from secrets import token_urlsafe
from typing import Literal, get_args

from postroom_simulators.clock import SimClock
from postroom_simulators.faults import Faults
from postroom_simulators.google.errors import GoogleOAuthError

_CODE_LIFE = 600.0
_TESTING_LIFE = 7 * 24 * 3600.0
_UNUSED_LIFE = 183 * 24 * 3600.0
_MOST_GRANTS = 100  # per account and client; the oldest is silently dropped
_IDENTITY = {"openid", "email", "profile"}

Death = Literal["revoked", "rapt", "admin_policy"]


@dataclass(frozen=True, slots=True)
class GoogleApp:
    """A registered OAuth client. Unregistered ones are welcome unless `strict_apps`."""

    client_id: str
    secret: str = ""
    redirect_uris: frozenset[str] = frozenset()
    project: str = ""
    testing: bool = False


@dataclass(slots=True)
class GoogleGrant:
    """A person's yes to one application."""

    refresh_token: str
    address: str
    client_id: str
    scopes: frozenset[str]
    used_at: float
    dies_at: float | None = None
    dead: Death | None = None


@dataclass(frozen=True, slots=True)
class GoogleAccess:
    token: str
    address: str  # empty for a service account acting for itself
    client_id: str
    scopes: frozenset[str]
    expires_at: float
    grant: GoogleGrant | None = None


@dataclass(frozen=True, slots=True)
class GoogleCode:
    address: str
    client_id: str
    redirect_uri: str
    scopes: frozenset[str]
    expires_at: float
    offline: bool
    consented: bool
    challenge: str = ""
    challenge_method: str = ""
    nonce: str = ""


@dataclass(slots=True)
class GoogleGrants:
    """Everything handed out, by the simulated clock."""

    clock: SimClock
    faults: Faults
    strict_apps: bool = False
    apps: dict[str, GoogleApp] = field(default_factory=dict)
    by_refresh: dict[str, GoogleGrant] = field(default_factory=dict)
    _codes: dict[str, GoogleCode] = field(default_factory=dict)
    _access: dict[str, GoogleAccess] = field(default_factory=dict)

    # Applications

    def check_client(self, client_id: str, secret: str) -> GoogleApp:
        app = self.apps.get(client_id)
        if app is None and (self.strict_apps or not client_id):
            raise GoogleOAuthError("invalid_client", "The OAuth client was not found.", code=401)
        if app and app.secret and app.secret != secret:
            raise GoogleOAuthError("invalid_client", "The provided client secret is invalid.", code=401)
        return app or GoogleApp(client_id)

    def project(self, client_id: str) -> str:
        app = self.apps.get(client_id)
        return app.project if app else ""

    # Codes

    def code(self, code: GoogleCode) -> str:
        token = f"4/0A{token_urlsafe(32)}"
        self._codes[token] = code
        return token

    def code_life(self) -> float:
        return self.clock.time() + _CODE_LIFE

    def redeem(self, token: str, client_id: str, redirect_uri: str, verifier: str) -> GoogleCode:
        """A code works once, for its client, its address and its verifier."""
        code = self._codes.pop(token, None)
        if code is None or code.expires_at < self.clock.time() or code.client_id != client_id:
            raise GoogleOAuthError("invalid_grant", "Malformed auth code.")
        if code.redirect_uri != redirect_uri:
            raise GoogleOAuthError("redirect_uri_mismatch", "Bad Request")
        if code.challenge and not verifier:
            raise GoogleOAuthError("invalid_grant", "Missing code verifier.")
        if code.challenge and _challenge(verifier, code.challenge_method) != code.challenge:
            raise GoogleOAuthError("invalid_grant", "Invalid code verifier.")
        return code

    # Refresh tokens

    def give(self, address: str, client_id: str, scopes: Iterable[str]) -> GoogleGrant:
        now = self.clock.time()
        app = self.apps.get(client_id)
        testing = self.faults.switches.testing_app or bool(app and app.testing)
        wanted = frozenset(scopes)
        dies_at = now + _TESTING_LIFE if testing and not wanted <= _IDENTITY else None
        grant = GoogleGrant(f"1//0{token_urlsafe(48)}", address.lower(), client_id, wanted, now, dies_at)
        self.by_refresh[grant.refresh_token] = grant
        live = [item for item in self.of(grant.address) if item.client_id == client_id]
        for oldest in live[:-_MOST_GRANTS]:
            oldest.dead = "revoked"
        return grant

    def of(self, address: str) -> list[GoogleGrant]:
        return [grant for grant in self.by_refresh.values() if grant.address == address.lower() and not grant.dead]

    def granted_before(self, address: str, client_id: str) -> frozenset[str]:
        """All that this person allowed this application and did not take back."""
        return frozenset[str]().union(*(grant.scopes for grant in self.of(address) if grant.client_id == client_id))

    def refreshed(self, refresh_token: str, client_id: str) -> GoogleGrant:
        grant = self.by_refresh.get(refresh_token)
        if grant is None or grant.client_id != client_id:
            raise GoogleOAuthError("invalid_grant", "Bad Request")
        now = self.clock.time()
        if grant.used_at + _UNUSED_LIFE < now or (grant.dies_at is not None and grant.dies_at < now):
            grant.dead = "revoked"
        if grant.dead:
            raise _refusal(grant.dead)
        grant.used_at = now
        return grant

    def end(self, address: str, why: Death = "revoked", client_id: str | None = None) -> int:
        """A person or an administrator takes the yes back; how many grants ended."""
        if why not in get_args(Death):
            raise ValueError(f"Unknown reason {why!r} to end a grant; known are {', '.join(get_args(Death))}.")
        ended = [grant for grant in self.of(address) if client_id in (None, grant.client_id)]
        for grant in ended:
            grant.dead = why
        return len(ended)

    def change_password(self, address: str) -> int:
        """A new password ends the grants that can read mail."""
        ended = [grant for grant in self.of(address) if any("mail" in scope for scope in grant.scopes - _IDENTITY)]
        for grant in ended:
            grant.dead = "revoked"
        return len(ended)

    # Access tokens

    def access(
        self, address: str, client_id: str, scopes: Iterable[str], grant: GoogleGrant | None = None
    ) -> GoogleAccess:
        expires_at = self.clock.time() + self.faults.switches.token_life
        access = GoogleAccess(
            f"ya29.{token_urlsafe(48)}", address.lower(), client_id, frozenset(scopes), expires_at, grant
        )
        self._access[access.token] = access
        return access

    def live(self, token: str) -> GoogleAccess | None:
        """The access behind a token. A revocation ends it at once; a policy lets it live out its hour."""
        access = self._access.get(token)
        if access is None:
            return None
        if access.expires_at <= self.clock.time() or (access.grant and access.grant.dead == "revoked"):
            del self._access[token]
            return None
        return access

    def revoke_token(self, token: str) -> bool:
        access = self._access.pop(token, None)
        grant = self.by_refresh.get(token) or (access.grant if access else None)
        if grant and not grant.dead:
            grant.dead = "revoked"
            return True
        return access is not None


def _refusal(why: Death) -> GoogleOAuthError:
    if why == "rapt":
        return GoogleOAuthError("invalid_grant", "reauth related error (invalid_rapt)", subtype="invalid_rapt")
    if why == "admin_policy":
        return GoogleOAuthError("admin_policy_enforced", "An administrator does not allow this application.")
    return GoogleOAuthError("invalid_grant", "Token has been expired or revoked.")


def _challenge(verifier: str, method: str) -> str:
    if method.lower() != "s256":
        return verifier
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")
