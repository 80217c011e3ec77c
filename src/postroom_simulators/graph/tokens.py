"""Consents, codes and tokens of the simulated Entra, all with an end in simulated time."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

from postroom_simulators.clock import SimClock

from . import ids
from .request import GraphCaller

CODE = 600
IDLE = 90 * 86400
ROLES = frozenset({"Mail.Read", "Mail.ReadWrite", "Mail.Send", "MailboxSettings.ReadWrite", "User.Read.All"})
DELEGATED = frozenset({"Mail.Read", "Mail.ReadWrite", "Mail.Send", "MailboxSettings.ReadWrite", "User.Read"})
OPENID = frozenset({"openid", "profile", "email", "offline_access"})


@dataclass(slots=True)
class EntraApp:
    """A client registered at the simulated Entra."""

    client_id: str
    secret: str
    tenant: str
    roles: frozenset[str] = ROLES
    redirect_uris: tuple[str, ...] = ()
    only: frozenset[str] | None = None  # mailboxes an access policy leaves to it


@dataclass(slots=True)
class EntraGrant:
    """What one person allowed one app."""

    key: str
    app: str
    address: str
    tenant: str
    scopes: frozenset[str]
    died_of: int = 0  # the AADSTS code with which it ended


@dataclass(slots=True)
class EntraCode:
    grant: EntraGrant
    redirect_uri: str
    challenge: str
    method: str
    nonce: str
    expires: float
    used: bool = False


@dataclass(slots=True)
class EntraRefreshToken:
    grant: EntraGrant
    last_used: float


@dataclass(slots=True)
class EntraTokens:
    """Everything Entra has issued."""

    clock: SimClock
    access: dict[str, tuple[GraphCaller, float]] = field(default_factory=dict)
    codes: dict[str, EntraCode] = field(default_factory=dict)
    refresh: dict[str, EntraRefreshToken] = field(default_factory=dict)
    grants: dict[str, EntraGrant] = field(default_factory=dict)

    def grant(self, app: str, address: str, tenant: str, scopes: frozenset[str]) -> EntraGrant:
        made = EntraGrant(secrets.token_hex(8), app, address, tenant, scopes)
        self.grants[made.key] = made
        return made

    def consented(self, grant: EntraGrant) -> frozenset[str]:
        """All that this person ever allowed this app and did not take back: Entra remembers it per person and app."""
        mine = (grant.app, grant.address.lower())
        alive = [one for one in self.grants.values() if (one.app, one.address.lower()) == mine and not one.died_of]
        return grant.scopes.union(*(one.scopes for one in alive))

    def issue(self, caller: GraphCaller, seconds: float) -> str:
        """A token in the shape of a JWT; a client must not look inside, so its signature is noise."""
        claims = {"aud": "https://graph.microsoft.com", "appid": caller.app, "tid": caller.tenant}
        claims |= {"upn": caller.address, "jti": secrets.token_hex(8)}
        token = f"{packed({'typ': 'JWT', 'alg': 'RS256'})}.{packed(claims)}.{secrets.token_urlsafe(32)}"
        self.access[token] = (caller, self.clock.time() + seconds)
        return token

    def issue_refresh(self, grant: EntraGrant) -> str:
        token = f"1.A{secrets.token_urlsafe(48)}"
        self.refresh[token] = EntraRefreshToken(grant, self.clock.time())
        return token

    def caller(self, token: str) -> GraphCaller | None:
        found = self.access.get(token)
        if found is None or found[1] <= self.clock.time():
            return None
        grant = self.grants.get(found[0].grant)
        return None if grant is not None and grant.died_of else found[0]

    def alive(self, grant: str) -> bool:
        return not grant or (grant in self.grants and not self.grants[grant].died_of)


def packed(value: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def proves(verifier: str, code: EntraCode) -> bool:
    if not code.challenge:
        return True
    digest = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    return secrets.compare_digest(verifier if code.method == "plain" else digest, code.challenge)


@cache
def _key_of_this_process() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


class EntraSigner:
    """The key with which id tokens are signed: one for all of this process, made when first needed."""

    kid = "simulated-entra-key"

    @property
    def _key(self) -> rsa.RSAPrivateKey:
        return _key_of_this_process()

    def sign(self, claims: dict[str, Any]) -> str:
        return jwt.encode(claims, self._key, algorithm="RS256", headers={"kid": self.kid})

    def jwks(self) -> dict[str, Any]:
        public = jwt.algorithms.RSAAlgorithm.to_jwk(self._key.public_key(), as_dict=True)
        return {"keys": [{**public, "use": "sig", "kid": self.kid, "alg": "RS256"}]}


def tenant_of(name: str) -> str:
    """`common` and its kin are the simulator's own tenant; a guid is itself; a domain has a stable guid."""
    if name.lower() in {"common", "organizations", "consumers"}:
        return ids.TENANT
    return name.lower() if len(name) == 36 and name.count("-") == 4 else ids.stable_guid("tenant", name.lower())
