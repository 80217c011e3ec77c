"""The house's identity provider: OpenID Connect's code flow with PKCE and nonce."""

from __future__ import annotations

import base64
import hmac
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

import jwt
import msgspec

from postroom.nouns.errors import BadRequest, Misconfigured, NotAllowed, Unavailable
from postroom.nouns.identity import Identity, LoginState
from postroom.nouns.secrets import Secret
from postroom.outside.http import Http
from postroom.outside.oidc.claims import check_times, identity, signing_keys

ALGORITHMS = ("RS256", "PS256", "ES256", "ES384", "RS384", "RS512", "EdDSA")
DISCOVERY = "/.well-known/openid-configuration"
REMEMBER_SECONDS = 3600.0  # discovery and keys are believed so long
ASK_AGAIN_SECONDS = 10.0  # before an unknown key makes us look again


class Discovery(msgspec.Struct):
    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str


class OidcProvider:
    """The one identity provider of the house."""

    def __init__(
        self,
        http: Http,
        issuer: str,
        client_id: str,
        client_secret: Secret | None,
        clock: Callable[[], datetime],
        *,
        trust_unverified: bool = False,
    ) -> None:
        self._http, self.issuer, self._client_id, self._client_secret = http, issuer, client_id, client_secret
        self._clock, self._trust_unverified = clock, trust_unverified
        self._found: tuple[float, Discovery] | None = None
        self._keys: tuple[float, dict[str, jwt.PyJWK]] = (0.0, {})

    async def authorization_url(self, login: LoginState, redirect_uri: str) -> str:
        """Where to send the person."""
        found = await self._discover()
        asked = {
            "response_type": "code",
            "client_id": self._client_id,
            "redirect_uri": redirect_uri,
            "scope": "openid email profile",
            "state": login.state,
            "nonce": login.nonce,
            "code_challenge": login.challenge,
            "code_challenge_method": "S256",
        }
        mark = "&" if "?" in found.authorization_endpoint else "?"
        return f"{found.authorization_endpoint}{mark}{urlencode(asked)}"

    async def identify(self, login: LoginState, said: Mapping[str, str], redirect_uri: str) -> Identity:
        """Whom they vouch for, after every check."""
        if not hmac.compare_digest(said.get("state", "").encode(), login.state.encode()):
            raise BadRequest("This sign-in was not started in this browser. Start again.")
        await self._discover()  # also tells how the issuer spells itself
        if said.get("iss", self.issuer) != self.issuer:
            raise BadRequest("Another identity provider answered than the one that was asked. Start again.")
        if "error" in said:
            text = said.get("error_description") or said["error"]
            raise NotAllowed(f"The identity provider did not let you in: {text[:300]}")
        if not said.get("code"):
            raise BadRequest("The identity provider's answer lacks its code. Start again.")
        claims = await self._claims(await self._redeem(login, said["code"], redirect_uri), login)
        return identity(claims, self.issuer, trust_unverified=self._trust_unverified)

    async def _redeem(self, login: LoginState, code: str, redirect_uri: str) -> str:
        found = await self._discover()
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": login.verifier,
            "client_id": self._client_id,
        }
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
        if self._client_secret is not None:
            pair = urlencode({"": self._client_id})[1:] + ":" + urlencode({"": self._client_secret.reveal()})[1:]
            headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        answer = await self._http.request(
            "oidc", "POST", found.token_endpoint, headers=headers, body=urlencode(form).encode()
        )
        told = _json(answer.body)
        if answer.status == 401 or told.get("error") == "invalid_client":
            raise Misconfigured("The identity provider refused us: check POSTROOM_OIDC_CLIENT_ID and _CLIENT_SECRET.")
        if answer.status != 200 or not isinstance(told.get("id_token"), str):
            raise NotAllowed("The identity provider did not honour its code: it is used up or too old. Start again.")
        token: str = told["id_token"]
        return token

    async def _claims(self, token: str, login: LoginState) -> dict[str, Any]:
        try:
            header = jwt.get_unverified_header(token)
            key = await self._key(str(header.get("kid", "")))
            claims: dict[str, Any] = jwt.decode(
                token,
                key,
                algorithms=list(ALGORITHMS),
                audience=self._client_id,
                issuer=self.issuer,
                options={"require": ["exp", "iat", "sub", "aud", "iss"], "verify_exp": False, "verify_iat": False},
            )
        except jwt.PyJWTError as problem:
            raise NotAllowed(f"The identity provider's token does not hold: {problem}.") from None
        check_times(claims, self._clock().timestamp())
        if not hmac.compare_digest(str(claims.get("nonce", "")).encode(), login.nonce.encode()):
            raise NotAllowed("The identity provider's token belongs to another sign-in. Start again.")
        if claims.get("azp", self._client_id) != self._client_id:
            raise NotAllowed("The identity provider's token was made for somebody else. Start again.")
        return claims

    async def _discover(self) -> Discovery:
        now = time.monotonic()
        if self._found is None or now - self._found[0] > REMEMBER_SECONDS:
            self._found = (now, await self._ask_discovery())
        return self._found[1]

    async def _ask_discovery(self) -> Discovery:
        answer = await self._http.request("oidc", "GET", self.issuer.rstrip("/") + DISCOVERY)
        try:
            found = msgspec.json.decode(answer.body, type=Discovery)
        except msgspec.DecodeError:
            raise Unavailable(f"The identity provider at {self.issuer} does not describe itself.") from None
        if found.issuer.rstrip("/") != self.issuer.rstrip("/"):
            raise Misconfigured(f"POSTROOM_OIDC_ISSUER is {self.issuer}, but the provider calls itself {found.issuer}.")
        self.issuer = found.issuer
        return found

    async def _key(self, kid: str) -> jwt.PyJWK:
        found = await self._discover()
        read_at, keys = self._keys
        age = time.monotonic() - read_at
        if not keys or age > REMEMBER_SECONDS or (kid not in keys and age > ASK_AGAIN_SECONDS):
            answer = await self._http.request("oidc", "GET", found.jwks_uri)
            keys = signing_keys(_json(answer.body))
            self._keys = (time.monotonic(), keys)
        if not kid and len(keys) == 1:
            return next(iter(keys.values()))
        if kid not in keys:
            raise NotAllowed("The identity provider signed with a key that it does not publish. Start again.")
        return keys[kid]


def _json(body: bytes) -> dict[str, Any]:
    try:
        told = msgspec.json.decode(body)
    except msgspec.DecodeError:
        return {}
    return told if isinstance(told, dict) else {}
