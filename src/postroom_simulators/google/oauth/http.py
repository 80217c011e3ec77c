"""The authorization server over HTTP: sign-in, tokens, revocation, user info and keys."""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote, urlencode, urlsplit

import jwt
from aiohttp import web

from postroom_simulators.google.errors import GoogleOAuthError
from postroom_simulators.google.gmail.mailbox import SimGmailMailbox
from postroom_simulators.google.keys import ISSUER, GoogleSigningKey
from postroom_simulators.google.middleware import Handler
from postroom_simulators.google.oauth import page
from postroom_simulators.google.oauth.grants import GoogleAccess, GoogleCode, GoogleGrants

_KEPT = (
    *("client_id", "redirect_uri", "response_type", "scope", "state", "access_type", "prompt", "nonce"),
    *("code_challenge", "code_challenge_method", "include_granted_scopes"),
)
_JWT_GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
_FULL_NAMES = {
    "email": "https://www.googleapis.com/auth/userinfo.email",
    "profile": "https://www.googleapis.com/auth/userinfo.profile",
}


class AuthorizationServer:
    """Google's accounts, by the documents of OAuth 2.0 and OpenID Connect."""

    def __init__(self, grants: GoogleGrants, key: GoogleSigningKey, boxes: Mapping[str, SimGmailMailbox]) -> None:
        self._grants = grants
        self._key = key
        self._boxes = boxes

    def pages(self) -> list[tuple[str, str, Handler]]:
        """What a browser visits: never faulty."""
        paths = ("/o/oauth2/v2/auth", "/o/oauth2/auth")
        return [
            *(("GET", path, self.ask) for path in paths),
            *(("POST", path, self.answer) for path in paths),
        ]

    def calls(self) -> list[tuple[str, str, Handler]]:
        """What a program calls."""
        infos = ("/v1/userinfo", "/oauth2/v3/userinfo", "/oauth2/v2/userinfo")
        return [
            ("POST", "/token", self.token),
            ("POST", "/o/oauth2/token", self.token),
            ("POST", "/revoke", self.revoke),
            ("GET", "/tokeninfo", self.token_info),
            ("GET", "/oauth2/v3/tokeninfo", self.token_info),
            *(("GET", path, self.user_info) for path in infos),
            ("GET", "/oauth2/v1/certs", self.certificates),
            ("GET", "/oauth2/v3/certs", self.jwks),
            ("GET", "/.well-known/openid-configuration", self.configuration),
        ]

    # Sign-in

    async def ask(self, request: web.Request) -> web.StreamResponse:
        asked = {name: request.query[name] for name in _KEPT if name in request.query}
        problem = self._problem(asked)
        if problem:
            return _html(page.refusal("Access blocked", problem), status=400)
        hint = request.query.get("login_hint", "").lower()
        if self._grants.faults.switches.auto_consent and hint in self._boxes:
            return self._granted(asked, hint, asked["scope"].split())
        return _html(page.consent(asked, self._boxes, hint))

    async def answer(self, request: web.Request) -> web.StreamResponse:
        form = await request.post()
        asked = {name: str(form[name]) for name in _KEPT if name in form}
        problem = self._problem(asked)
        if problem:
            return _html(page.refusal("Access blocked", problem), status=400)
        address = str(form.get("mailbox", "")).lower()
        if form.get("answer") != "allow":
            return _redirect(asked, error="access_denied")
        if address not in self._boxes:
            return _html(page.consent(asked, self._boxes, ""), status=400)
        return self._granted(asked, address, [str(scope) for scope in form.getall("granted", [])])

    def _problem(self, asked: Mapping[str, str]) -> str:
        missing = [name for name in ("client_id", "redirect_uri", "response_type", "scope") if not asked.get(name)]
        if missing:
            return f"Error 400: invalid_request. Missing: {', '.join(missing)}."
        if asked["response_type"] != "code":
            return "Error 400: unsupported_response_type. Use response_type=code."
        if urlsplit(asked["redirect_uri"]).scheme not in ("http", "https"):
            return "Error 400: redirect_uri_mismatch. The redirect URI must be an http or https address."
        app = self._grants.apps.get(asked["client_id"])
        if app is None and self._grants.strict_apps:
            return "Error 401: invalid_client. The OAuth client was not found."
        if app and app.redirect_uris and asked["redirect_uri"] not in app.redirect_uris:
            return "Error 400: redirect_uri_mismatch. Register this redirect URI for the client."
        return ""

    def _granted(self, asked: Mapping[str, str], address: str, scopes: list[str]) -> web.StreamResponse:
        """What was ticked, and with `include_granted_scopes` also what this person allowed before."""
        wanted = frozenset(_FULL_NAMES.get(scope, scope) for scope in scopes)
        if asked.get("include_granted_scopes") == "true":
            wanted |= self._grants.granted_before(address, asked["client_id"])
        code = GoogleCode(
            address=address,
            client_id=asked["client_id"],
            redirect_uri=asked["redirect_uri"],
            scopes=wanted,
            expires_at=self._grants.code_life(),
            offline=asked.get("access_type") == "offline",
            consented="consent" in asked.get("prompt", ""),
            challenge=asked.get("code_challenge", ""),
            challenge_method=asked.get("code_challenge_method", "plain"),
            nonce=asked.get("nonce", ""),
        )
        return _redirect(asked, code=self._grants.code(code), scope=" ".join(sorted(wanted)), authuser="0")

    # Tokens

    async def token(self, request: web.Request) -> web.StreamResponse:
        form = {name: str(value) for name, value in (await request.post()).items()}
        try:
            return web.json_response(self._tokens(form, *_client(request, form)))
        except GoogleOAuthError as refusal:
            return web.json_response(refusal.body(), status=refusal.code)

    def _tokens(self, form: Mapping[str, str], client_id: str, secret: str) -> dict[str, Any]:
        match form.get("grant_type"):
            case "authorization_code":
                return self._by_code(form, client_id, secret)
            case "refresh_token":
                return self._by_refresh(form, client_id, secret)
            case str(kind) if kind == _JWT_GRANT:
                return self._by_assertion(form.get("assertion", ""))
            case kind:
                raise GoogleOAuthError("unsupported_grant_type", f"Invalid grant_type: {kind or ''}")

    def _by_code(self, form: Mapping[str, str], client_id: str, secret: str) -> dict[str, Any]:
        self._grants.check_client(client_id, secret)
        redirect, verifier = form.get("redirect_uri", ""), form.get("code_verifier", "")
        code = self._grants.redeem(form.get("code", ""), client_id, redirect, verifier)
        first = all(grant.client_id != client_id for grant in self._grants.of(code.address))
        grant = None
        if code.offline and (code.consented or first):
            grant = self._grants.give(code.address, client_id, code.scopes)
        body = self._body(self._grants.access(code.address, client_id, code.scopes, grant), nonce=code.nonce)
        if grant:
            body["refresh_token"] = grant.refresh_token
        if grant and grant.dies_at is not None:
            body["refresh_token_expires_in"] = int(grant.dies_at - self._grants.clock.time())
        return body

    def _by_refresh(self, form: Mapping[str, str], client_id: str, secret: str) -> dict[str, Any]:
        """Google does not rotate: the answer has no refresh token."""
        self._grants.check_client(client_id, secret)
        grant = self._grants.refreshed(form.get("refresh_token", ""), client_id)
        asked = frozenset(form.get("scope", "").split())
        if not asked <= grant.scopes:
            raise GoogleOAuthError("invalid_scope", "Bad Request")
        return self._body(self._grants.access(grant.address, client_id, asked or grant.scopes, grant))

    def _by_assertion(self, assertion: str) -> dict[str, Any]:
        """A service account, for itself or, with `sub`, for a person of its domain."""
        try:
            claims = jwt.decode(assertion, options={"verify_signature": False})
        except jwt.InvalidTokenError as error:
            raise GoogleOAuthError("invalid_grant", "Invalid JWT.") from error
        account, person = str(claims.get("iss", "")), str(claims.get("sub", "")).lower()
        if float(claims.get("exp", 0)) < self._key.real_time():
            raise GoogleOAuthError("invalid_grant", "Invalid JWT: the assertion has expired.")
        if self._grants.strict_apps and account not in self._grants.apps:
            raise GoogleOAuthError("unauthorized_client", "Client is unauthorized to retrieve access tokens.", code=401)
        if person and person != account and person not in self._boxes:
            raise GoogleOAuthError("invalid_grant", "Invalid email or User ID")
        address = person if person in self._boxes else ""
        access = self._grants.access(address, account, str(claims.get("scope", "")).split())
        return {"access_token": access.token, "expires_in": self._life(), "token_type": "Bearer"}

    def _life(self) -> int:
        return self._grants.faults.switches.token_life

    def _body(self, access: GoogleAccess, nonce: str = "") -> dict[str, Any]:
        body: dict[str, Any] = {
            "access_token": access.token,
            "expires_in": self._life(),
            "token_type": "Bearer",
        }
        body["scope"] = " ".join(sorted(access.scopes))
        if "openid" in access.scopes:
            body["id_token"] = self._id_token(access, nonce)
        return body

    def _id_token(self, access: GoogleAccess, nonce: str) -> str:
        claims = {"azp": access.client_id, "aud": access.client_id, **self._person(access.address)}
        return self._key.sign(claims | ({"nonce": nonce} if nonce else {}))

    def _person(self, address: str) -> dict[str, Any]:
        box = self._boxes[address]
        return {"sub": subject(address), "email": address, "email_verified": True, "name": box.name}

    async def revoke(self, request: web.Request) -> web.StreamResponse:
        token = str((await request.post()).get("token", "")) or request.query.get("token", "")
        if self._grants.revoke_token(token):
            return web.json_response({})
        return web.json_response(GoogleOAuthError("invalid_token", "Token expired or revoked").body(), status=400)

    async def token_info(self, request: web.Request) -> web.StreamResponse:
        access = self._grants.live(request.query.get("access_token", ""))
        if access is None:
            return web.json_response(GoogleOAuthError("invalid_token", "Invalid Value").body(), status=400)
        info = {"azp": access.client_id, "aud": access.client_id, "scope": " ".join(sorted(access.scopes))}
        info |= {"exp": str(int(access.expires_at)), "access_type": "offline" if access.grant else "online"}
        info["expires_in"] = str(int(access.expires_at - self._grants.clock.time()))
        if access.address:
            info |= {"sub": subject(access.address), "email": access.address, "email_verified": "true"}
        return web.json_response(info)

    async def user_info(self, request: web.Request) -> web.StreamResponse:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        access = self._grants.live(token) if scheme.lower() == "bearer" else None
        if access is None or not access.address:
            body = {"error": "invalid_request", "error_description": "Invalid Credentials"}
            return web.json_response(body, status=401)
        person = self._person(access.address)
        if request.path.startswith("/oauth2/v2/"):
            person |= {"id": person.pop("sub"), "verified_email": person.pop("email_verified")}
        return web.json_response(person)

    # Keys

    async def certificates(self, request: web.Request) -> web.StreamResponse:
        return web.json_response(self._key.certificates, headers={"Cache-Control": "public, max-age=3600"})

    async def jwks(self, request: web.Request) -> web.StreamResponse:
        return web.json_response(self._key.jwks, headers={"Cache-Control": "public, max-age=3600"})

    async def configuration(self, request: web.Request) -> web.StreamResponse:
        base = str(request.url.origin())
        return web.json_response(
            {
                "issuer": ISSUER,
                "authorization_endpoint": f"{base}/o/oauth2/v2/auth",
                "token_endpoint": f"{base}/token",
                "revocation_endpoint": f"{base}/revoke",
                "userinfo_endpoint": f"{base}/v1/userinfo",
                "jwks_uri": f"{base}/oauth2/v3/certs",
                "response_types_supported": ["code"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"],
                "scopes_supported": ["openid", "email", "profile"],
                "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"],
                "code_challenge_methods_supported": ["plain", "S256"],
            }
        )


def subject(address: str) -> str:
    """A stable account number."""
    return str(10**20 + int.from_bytes(hashlib.sha256(address.encode()).digest()[:8], "big"))


def _client(request: web.Request, form: Mapping[str, str]) -> tuple[str, str]:
    scheme, _, sealed = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "basic":
        try:
            name, _, secret = base64.b64decode(sealed).decode().partition(":")
        except (binascii.Error, UnicodeDecodeError) as error:
            raise GoogleOAuthError("invalid_client", "Malformed Authorization header.", code=401) from error
        return unquote(name), unquote(secret)
    return form.get("client_id", ""), form.get("client_secret", "")


def _redirect(asked: Mapping[str, str], **answer: str) -> web.StreamResponse:
    told = answer | ({"state": asked["state"]} if "state" in asked else {})
    joint = "&" if urlsplit(asked["redirect_uri"]).query else "?"
    return web.Response(status=302, headers={"Location": f"{asked['redirect_uri']}{joint}{urlencode(told)}"})


def _html(text: str, status: int = 200) -> web.StreamResponse:
    return web.Response(text=text, status=status, content_type="text/html")
