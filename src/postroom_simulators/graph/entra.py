"""The simulated Entra on HTTP: sign-in page, token endpoint, discovery, admin consent."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode, urlsplit

from aiohttp import BasicAuth, web

from postroom_simulators.clock import SimClock
from postroom_simulators.faults import Faults
from postroom_simulators.recorder import RecordedCall, Recorder

from . import ids, pages, tokens
from .aadsts import SAID, AadstsError
from .mailbox import SimGraphMailbox
from .request import GraphCaller
from .tokens import OPENID, EntraApp, EntraGrant, EntraTokens


class Entra:
    """Sign-in and tokens. Liberal unless `strict_apps`: any client id and secret will do."""

    def __init__(
        self, clock: SimClock, faults: Faults, recorder: Recorder, mailboxes: Mapping[str, SimGraphMailbox]
    ) -> None:
        self.clock = clock
        self._faults = faults
        self.recorder = recorder
        self.mailboxes = mailboxes
        self.tokens = EntraTokens(clock)
        self.signer = tokens.EntraSigner()
        self.apps: dict[str, EntraApp] = {}
        self.strict_apps = False
        self.auto_sign_in = False  # redirect at once when login_hint names a mailbox
        self.limits: dict[str, frozenset[str]] = {}  # scopes a person leaves ticked, by address
        self.failing: list[int] = []  # AADSTS numbers for the next token requests
        self.find: Callable[[str], SimGraphMailbox | None] = lambda address: mailboxes.get(address.lower())

    def revoke(self, address: str, aadsts: int = 50173) -> None:
        """End every consent this person gave; refreshing tells the AADSTS number, Graph answers 401."""
        for grant in self.tokens.grants.values():
            if grant.address.lower() == address.lower():
                grant.died_of = aadsts

    def app(self, client_id: str) -> EntraApp:
        found = self.apps.get(client_id)
        if found is None and (self.strict_apps or not client_id):
            raise AadstsError(70001)
        return found or EntraApp(client_id, "", ids.TENANT)

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/{tenant}/oauth2/v2.0/authorize", self.authorize),
            web.post("/{tenant}/oauth2/v2.0/authorize", self.authorize),
            web.post("/{tenant}/oauth2/v2.0/token", self.token),
            web.get("/{tenant}/v2.0/.well-known/openid-configuration", self.discovery),
            web.get("/{tenant}/.well-known/openid-configuration", self.discovery),
            web.get("/{tenant}/discovery/v2.0/keys", self.keys),
            web.get("/common/discovery/instance", self.instance),
            web.get("/{tenant}/adminconsent", self.admin_consent),
            web.get("/{tenant}/v2.0/adminconsent", self.admin_consent),
        ]

    def note(self, request: web.Request, status: int, mailbox: str = "", note: str = "") -> None:
        self.recorder.record(
            RecordedCall(self.clock.time(), "entra", request.method, request.path, status, mailbox, note)
        )

    async def authorize(self, request: web.Request) -> web.StreamResponse:
        """The sign-in page; with a picked mailbox (or a hint, when allowed to act on it) the way back."""
        form = await request.post()
        asked = {**request.query, **{name: str(text) for name, text in form.items()}}
        if "ticked" in asked:
            asked["consented"] = " ".join(map(str, form.getall("consented", [])))
        target = asked.get("redirect_uri", "")
        try:
            app = self.app(asked.get("client_id", ""))
            self._check_redirect(app, target)
        except AadstsError as denied:
            self.note(request, 400, note=f"AADSTS{denied.aadsts}")
            return web.Response(status=400, text=f"AADSTS{denied.aadsts}: {denied.text}")
        if asked.get("decline"):
            return self._back(request, asked, _said_no("access_denied", "AADSTS65004: declined."))
        picked = asked.get("account") or self._hinted(asked)
        mailbox = self.find(picked) if picked else None
        if mailbox is not None:
            return self._back(request, asked, {"code": self._code(asked, mailbox)}, mailbox.address)
        if asked.get("prompt") == "none":
            return self._back(request, asked, _said_no("login_required", "AADSTS50058: sign in."))
        self.note(request, 200)
        wanted = requested(asked.get("scope", "")) - OPENID
        return web.Response(text=pages.sign_in(asked, self.mailboxes.values(), wanted), content_type="text/html")

    def _check_redirect(self, app: EntraApp, target: str) -> None:
        if not urlsplit(target).scheme or (app.redirect_uris and target not in app.redirect_uris):
            raise AadstsError(50011)

    def _hinted(self, asked: Mapping[str, str]) -> str:
        at_once = self.auto_sign_in or asked.get("auto") == "1" or asked.get("prompt") == "none"
        return asked.get("login_hint", "") if at_once else ""

    def _code(self, asked: Mapping[str, str], mailbox: SimGraphMailbox) -> str:
        scopes = requested(asked.get("scope", ""))
        left = self.limits.get(mailbox.address.lower())
        if "ticked" in asked:  # by the page
            left = frozenset(asked["consented"].split())
        if left is not None:
            scopes = (scopes & left) | (scopes & OPENID)
        grant = self.tokens.grant(asked["client_id"], mailbox.address, mailbox.tenant, scopes)
        code = f"0.A{secrets.token_urlsafe(32)}"
        self.tokens.codes[code] = tokens.EntraCode(
            grant,
            asked["redirect_uri"],
            asked.get("code_challenge", ""),
            asked.get("code_challenge_method", "plain"),
            asked.get("nonce", ""),
            self.clock.time() + tokens.CODE,
        )
        return code

    def _back(
        self, request: web.Request, asked: Mapping[str, str], said: dict[str, str], address: str = ""
    ) -> web.Response:
        if "state" in asked:
            said["state"] = asked["state"]
        said["session_state"] = str(uuid.uuid4())
        target = asked["redirect_uri"]
        self.note(request, 302, address, said.get("error", ""))
        if asked.get("response_mode") == "form_post":
            return web.Response(text=pages.form_post(target, said), content_type="text/html")
        joined = f"{target}{'&' if urlsplit(target).query else '?'}{urlencode(said)}"
        return web.Response(status=302, headers={"Location": joined})

    async def token(self, request: web.Request) -> web.StreamResponse:
        form = {key: str(value) for key, value in (await request.post()).items()}
        try:
            if self.failing:
                raise AadstsError(self.failing.pop(0))
            body, address = self._redeem(request, form)
        except AadstsError as denied:
            self.note(request, denied.status, note=f"AADSTS{denied.aadsts}")
            return web.json_response(self._error(denied, request), status=denied.status)
        self.note(request, 200, address, form.get("grant_type", ""))
        return web.json_response(body, headers={"Cache-Control": "no-store"})

    def _redeem(self, request: web.Request, form: dict[str, str]) -> tuple[dict[str, Any], str]:
        form = {**_basic_auth(request), **form}
        app = self.app(form.get("client_id", ""))
        if app.secret and form.get("client_secret") != app.secret:
            raise AadstsError(7000215 if "client_secret" in form else 7000218)
        match form.get("grant_type"):
            case "authorization_code":
                return self._redeem_code(request, form)
            case "refresh_token":
                return self._redeem_refresh(request, form)
            case "client_credentials":
                return self._app_only(request, app, form), ""
            case _:
                raise AadstsError(70003)

    def _redeem_code(self, request: web.Request, form: dict[str, str]) -> tuple[dict[str, Any], str]:
        code = self.tokens.codes.get(form.get("code", ""))
        if code is None or code.grant.app != form["client_id"]:
            raise AadstsError(70000)
        if code.used:
            raise AadstsError(54005)
        if code.expires <= self.clock.time():
            raise AadstsError(70008)
        if code.redirect_uri != form.get("redirect_uri"):
            raise AadstsError(50011)
        if not tokens.proves(form.get("code_verifier", ""), code):
            raise AadstsError(501481)
        code.used = True
        return self._answer(request, code.grant, code.grant.scopes, code.nonce), code.grant.address

    def _redeem_refresh(self, request: web.Request, form: dict[str, str]) -> tuple[dict[str, Any], str]:
        refresh = self.tokens.refresh.get(form.get("refresh_token", ""))
        if refresh is None or refresh.grant.app != form["client_id"]:
            raise AadstsError(70000)
        if refresh.grant.died_of:
            raise AadstsError(refresh.grant.died_of)
        if refresh.last_used + tokens.IDLE <= self.clock.time():
            raise AadstsError(700082)
        refresh.last_used = self.clock.time()
        granted = self.tokens.consented(refresh.grant)
        scopes = requested(form["scope"]) if form.get("scope") else granted
        if scopes - granted - OPENID and ".default" not in form.get("scope", ""):
            raise AadstsError(65001)
        return self._answer(request, refresh.grant, scopes & granted | (granted & OPENID)), refresh.grant.address

    def _answer(
        self, request: web.Request, grant: EntraGrant, scopes: frozenset[str], nonce: str = ""
    ) -> dict[str, Any]:
        caller = GraphCaller(grant.app, grant.tenant, grant.address, scopes - OPENID, grant.key)
        body: dict[str, Any] = {
            "token_type": "Bearer",
            "scope": " ".join(sorted(scopes - {"offline_access"})),
            **self._access(caller),
        }
        if "offline_access" in grant.scopes:
            body["refresh_token"] = self.tokens.issue_refresh(grant)
        if "openid" in grant.scopes:
            body["id_token"] = self._id_token(request, grant, nonce)
            body["client_info"] = tokens.packed(
                {"uid": ids.stable_guid("mailbox", grant.address), "utid": grant.tenant}
            )
        return body

    def _access(self, caller: GraphCaller) -> dict[str, Any]:
        life = self._faults.switches.token_life
        return {"expires_in": life, "ext_expires_in": life, "access_token": self.tokens.issue(caller, life)}

    def _id_token(self, request: web.Request, grant: EntraGrant, nonce: str) -> str:
        now = int(self.clock.time())
        guid = ids.stable_guid("mailbox", grant.address.lower())
        mailbox = self.mailboxes.get(grant.address.lower())
        claims = {
            "aud": grant.app,
            "iss": f"{_origin(request)}/{grant.tenant}/v2.0",
            "iat": now,
            "nbf": now,
            "exp": now + 3600,
            "oid": guid,
            "sub": ids.stable_guid("sub", grant.app, grant.address),
            "tid": grant.tenant,
            "preferred_username": grant.address,
            "email": grant.address,
            "name": mailbox.name if mailbox else grant.address,
            "ver": "2.0",
        }
        return self.signer.sign({**claims, "nonce": nonce} if nonce else claims)

    def _app_only(self, request: web.Request, app: EntraApp, form: dict[str, str]) -> dict[str, Any]:
        tenant = request.match_info["tenant"]
        if tenant.lower() in {"common", "organizations", "consumers"}:
            raise AadstsError(50059)
        if not form.get("scope", "").endswith("/.default"):
            raise AadstsError(70011)
        caller = GraphCaller(app.client_id, tokens.tenant_of(tenant), "", app.roles)
        return {
            "token_type": "Bearer",
            **self._access(caller),
        }

    def _error(self, denied: AadstsError, request: web.Request) -> dict[str, Any]:
        return {
            "error": denied.error,
            "error_description": f"AADSTS{denied.aadsts}: {denied.text}",
            "error_codes": [denied.aadsts],
            "timestamp": self.clock.now().strftime("%Y-%m-%d %H:%M:%SZ"),
            "trace_id": str(uuid.uuid4()),
            "correlation_id": request.headers.get("client-request-id", str(uuid.uuid4())),
            "error_uri": f"{_origin(request)}/error?code={denied.aadsts}",
        }

    async def discovery(self, request: web.Request) -> web.Response:
        origin, tenant = _origin(request), request.match_info["tenant"]
        self.note(request, 200)
        concrete = tenant.lower() not in {"common", "organizations", "consumers"}
        return web.json_response(
            {
                "token_endpoint": f"{origin}/{tenant}/oauth2/v2.0/token",
                "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"],
                "jwks_uri": f"{origin}/{tenant}/discovery/v2.0/keys",
                "response_modes_supported": ["query", "form_post"],
                "subject_types_supported": ["pairwise"],
                "id_token_signing_alg_values_supported": ["RS256"],
                "response_types_supported": ["code"],
                "scopes_supported": sorted(OPENID),
                "issuer": f"{origin}/{tokens.tenant_of(tenant) if concrete else '{tenantid}'}/v2.0",
                "authorization_endpoint": f"{origin}/{tenant}/oauth2/v2.0/authorize",
                "claims_supported": ["sub", "iss", "aud", "exp", "iat", "nonce", "preferred_username", "tid"],
            }
        )

    async def keys(self, request: web.Request) -> web.Response:
        self.note(request, 200)
        return web.json_response(self.signer.jwks())

    async def instance(self, request: web.Request) -> web.Response:
        self.note(request, 200)
        host = request.host
        return web.json_response(
            {
                "tenant_discovery_endpoint": f"{_origin(request)}/common/v2.0/.well-known/openid-configuration",
                "api-version": "1.1",
                "metadata": [{"preferred_network": host, "preferred_cache": host, "aliases": [host]}],
            }
        )

    async def admin_consent(self, request: web.Request) -> web.Response:
        asked = dict(request.query)
        target = asked.get("redirect_uri", "")
        if not urlsplit(target).scheme:
            self.note(request, 400, note="AADSTS50011")
            return web.Response(status=400, text=f"AADSTS50011: {SAID[50011][1]}")
        said = {"admin_consent": "True", "tenant": tokens.tenant_of(request.match_info["tenant"])}
        if "state" in asked:
            said["state"] = asked["state"]
        self.note(request, 302)
        return web.Response(status=302, headers={"Location": f"{target}?{urlencode(said)}"})


def requested(scope: str) -> frozenset[str]:
    """Scopes by their short names; `.default` stands for everything."""
    names = {one.rpartition("/")[2] for one in scope.split()}
    return frozenset(names - {".default"} | (tokens.DELEGATED if ".default" in names else set()))


def _said_no(error: str, text: str) -> dict[str, str]:
    return {"error": error, "error_description": text}


def _origin(request: web.Request) -> str:
    return f"{request.scheme}://{request.host}"


def _basic_auth(request: web.Request) -> dict[str, str]:
    header = request.headers.get("Authorization", "")
    if not header.lower().startswith("basic "):
        return {}
    login = BasicAuth.decode(header)
    return {"client_id": login.login, "client_secret": login.password}
