"""How Google lets us in: the authorization-code flow with PKCE.

https://developers.google.com/identity/protocols/oauth2/web-server
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import jwt
import msgspec

from postroom.nouns.errors import (
    AccessRevoked,
    BadRequest,
    Misconfigured,
    PermissionDenied,
    PostroomError,
    Throttled,
    Unavailable,
)
from postroom.nouns.providers import Capability, Grant
from postroom.nouns.secrets import Secret
from postroom.nouns.tokens import TokenSet
from postroom.outside.gmail import wire
from postroom.outside.gmail.parse import decoded
from postroom.outside.http import Http, HttpAnswer, retry_after

MODIFY = "https://www.googleapis.com/auth/gmail.modify"
READONLY = "https://www.googleapis.com/auth/gmail.readonly"
SCOPES = ("openid", "email", MODIFY)
_EVERYTHING = "https://mail.google.com/"  # includes what we ask for
_FULL_NAMES = {"email": "https://www.googleapis.com/auth/userinfo.email"}
_CONNECT = "connect the mailbox anew"
_OURS = frozenset({"invalid_client", "unauthorized_client", "redirect_uri_mismatch", "deleted_client", "invalid_scope"})
_THEIRS = frozenset({"server_error", "temporarily_unavailable", "internal_failure"})


def scopes_for(capability: Capability) -> tuple[str, ...]:
    """Exactly what is needed. Who may modify may also send."""
    return ("openid", "email", READONLY if capability == "read" else MODIFY)


class GoogleConsent:
    """A ports.Consent."""

    def __init__(
        self,
        http: Http,
        *,
        client_id: str,
        client_secret: Secret,
        auth_url: str,
        token_url: str,
        now: Callable[[], datetime],
        scopes: Sequence[str] = SCOPES,
    ) -> None:
        self.scopes = tuple(scopes)
        self._http = http
        self._client_id = client_id
        self._client_secret = client_secret
        self._auth_url = auth_url
        self._token_url = token_url
        self._revoke_url = f"{token_url.rpartition('/')[0]}/revoke"
        self._now = now

    def capability(self, tokens: TokenSet) -> Capability:
        granted = set(tokens.scope.split() or self.scopes)
        return "send" if granted & {MODIFY, _EVERYTHING} else "read"

    def authorize_url(self, *, redirect_uri: str, state: str, challenge: str, login_hint: str | None) -> str:
        query = {
            "client_id": self._client_id,
            "redirect_uri": redirect_uri,
            "response_type": "code",
            "scope": " ".join(self.scopes),
            "state": state,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
            "access_type": "offline",
            # Google gives a refresh token once, unless the person is asked again.
            "prompt": "consent select_account",
        }
        if login_hint:
            query["login_hint"] = login_hint
        return f"{self._auth_url}?{urlencode(query)}"

    async def redeem(self, *, code: str, verifier: str, redirect_uri: str) -> Grant:
        form = {"grant_type": "authorization_code", "code": code, "code_verifier": verifier}
        answer = await self._post(self._token_url, self._signed(form | {"redirect_uri": redirect_uri}))
        if not answer.ok:
            raise _refused_code(answer, self._now())
        told = decoded(answer.body, wire.TokenAnswer)
        tokens = self._tokens(told, None)
        if tokens.refresh_token is None:
            raise AccessRevoked(
                f"Google gave no lasting access: remove this application under myaccount.google.com/permissions, "
                f"then {_CONNECT}."
            )
        person = self._person(told.get("id_token", ""))
        return Grant(
            tokens=tokens,
            address=person["email"].lower(),
            subject=person["sub"],
            missing_scopes=missing_scopes(self.scopes, tokens.scope),
        )

    async def refresh(self, tokens: TokenSet) -> TokenSet:
        if tokens.refresh_token is None:
            raise AccessRevoked(f"There is no lasting access to this mailbox: {_CONNECT}.")
        form = {"grant_type": "refresh_token", "refresh_token": tokens.refresh_token.reveal()}
        answer = await self._post(self._token_url, self._signed(form))
        if not answer.ok:
            raise refused_refresh(answer, self._now())
        return self._tokens(decoded(answer.body, wire.TokenAnswer), tokens)

    async def revoke(self, tokens: TokenSet) -> None:
        token = tokens.refresh_token or tokens.access_token
        answer = await self._post(self._revoke_url, {"token": token.reveal()})
        if answer.ok or answer.status == 400:  # 400: it ended before
            return
        raise _no_answer(answer, self._now())

    def _signed(self, form: Mapping[str, str]) -> dict[str, str]:
        return {**form, "client_id": self._client_id, "client_secret": self._client_secret.reveal()}

    async def _post(self, url: str, form: Mapping[str, str]) -> HttpAnswer:
        return await post_form(self._http, url, form)

    def _tokens(self, told: wire.TokenAnswer, before: TokenSet | None) -> TokenSet:
        """Google does not rotate: the refresh token we have stays the right one unless another comes."""
        kept = before.refresh_token if before else None
        given = told.get("refresh_token")
        lasts = timedelta(seconds=float(told.get("expires_in", 0)))
        return TokenSet(
            access_token=Secret(told["access_token"]),
            refresh_token=Secret(given) if given else kept,
            expires_at=self._now() + lasts,
            lifetime=lasts,
            scope=told.get("scope") or (before.scope if before else ""),
        )

    def _person(self, id_token: str) -> Mapping[str, str]:
        """The token came straight from Google over TLS: its signature adds nothing (OpenID Connect 3.1.3.7)."""
        try:
            claims = jwt.decode(id_token, options={"verify_signature": False})
        except jwt.PyJWTError:
            claims = {}
        if claims.get("aud") != self._client_id or not claims.get("email") or claims.get("email_verified") is not True:
            raise PermissionDenied(f"Google did not say whose mailbox this is: {_CONNECT} and tick all boxes.")
        return {"email": str(claims["email"]), "sub": str(claims.get("sub", ""))}


async def post_form(http: Http, url: str, form: Mapping[str, str]) -> HttpAnswer:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    return await http.request("google", "POST", url, headers=headers, body=urlencode(form).encode())


def missing_scopes(asked: Sequence[str], granted: str) -> list[str]:
    """A person can untick single permissions; Google writes some scopes in their long form."""
    given = set(granted.split())
    covered = given | ({MODIFY} if _EVERYTHING in given else set())
    covered |= {READONLY} if MODIFY in covered else set()
    return [scope for scope in asked if not {scope, _FULL_NAMES.get(scope, scope)} & covered]


def refused_refresh(answer: HttpAnswer, now: datetime) -> PostroomError:
    """By `error` and `error_subtype`, never by the text. A busy token endpoint is no bad credential."""
    error, subtype = _error_of(answer)
    if subtype in ("invalid_rapt", "rapt_required"):
        return AccessRevoked(
            f"The domain's session control ended our access ({subtype}): {_CONNECT}; an administrator can exempt "
            "this application from it."
        )
    if error == "invalid_grant":
        return AccessRevoked(
            f"Google ended our access to this mailbox ({error}): {_CONNECT}. It ends when a person takes it back, when "
            "the password changes, and after 7 days while the Google project is in publishing status Testing."
        )
    if error == "admin_policy_enforced":
        return AccessRevoked(f"An administrator does not allow this application ({error}): ask them, then {_CONNECT}.")
    return _no_answer(answer, now)


def _refused_code(answer: HttpAnswer, now: datetime) -> PostroomError:
    error, _ = _error_of(answer)
    if error == "invalid_grant":
        return BadRequest("The sign-in took too long or was used already: start it again.")
    return _no_answer(answer, now)


def _no_answer(answer: HttpAnswer, now: datetime) -> PostroomError:
    error, _ = _error_of(answer)
    why = f"{answer.status} {error}".strip()
    if answer.status == 429 or error == "rate_limit_exceeded":
        return Throttled(f"Google's sign-in asks us to slow down ({why}).", retry_after(answer.headers, now))
    if answer.status >= 500 or error in _THEIRS:
        return Unavailable(f"Google's sign-in is not available ({why}).")
    if error in _OURS:
        return Misconfigured(
            f"Google does not accept this application ({why}): compare POSTROOM_GMAIL_CLIENT_ID, "
            "POSTROOM_GMAIL_CLIENT_SECRET and the redirect URI with the Google project."
        )
    return BadRequest(f"Google's sign-in does not accept the request ({why}).")


def _error_of(answer: HttpAnswer) -> tuple[str, str]:
    try:
        told: Any = msgspec.json.decode(answer.body, type=wire.TokenRefusal)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return "", ""
    return told["error"][:60], told.get("error_subtype", "")[:60]
