"""How Microsoft lets us in: a person's consent with PKCE, or an administrator's for the app alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from types import MappingProxyType
from urllib.parse import urlsplit

import msgspec
from oauthlib.common import add_params_to_uri
from oauthlib.oauth2 import BackendApplicationClient, OAuth2Error, WebApplicationClient

from postroom.nouns.errors import AccessRevoked, BadRequest, Misconfigured, PostroomError, Throttled, Unavailable
from postroom.nouns.providers import Capability, Grant
from postroom.nouns.secrets import Secret
from postroom.nouns.tokens import TokenSet
from postroom.outside.graph import parse, wire
from postroom.outside.graph.client import BASE_URL, GraphClient
from postroom.outside.http import Http, HttpAnswer, retry_after

LOGIN_URL = "https://login.microsoftonline.com"
# Microsoft does not honour a write permission where reading is asked for, so both are named.
# https://learn.microsoft.com/graph/api/subscription-post-subscriptions
_PERSON = ("openid", "profile", "email", "offline_access", "User.Read")
_MAIL: Mapping[Capability, tuple[str, ...]] = MappingProxyType(
    {
        "read": ("Mail.Read",),
        "draft": ("Mail.Read", "Mail.ReadWrite"),
        "send": ("Mail.Read", "Mail.ReadWrite", "Mail.Send"),
    }
)
_ABOUT_US = {"openid", "profile", "email", "offline_access"}  # never in the list of granted scopes for Graph
_JUST_NOW = timedelta(seconds=10)
_LOOP = 50196

_CONNECT = "connect the mailbox again"
_SETTINGS = "check POSTROOM_GRAPH_CLIENT_ID, _CLIENT_SECRET, _TENANT_ID and the app's registration"
# https://learn.microsoft.com/entra/identity-platform/reference-error-codes: branch on `error`, the rest is for wording
_ERRORS: dict[str, tuple[type[PostroomError], str]] = {
    "invalid_grant": (AccessRevoked, f"Microsoft ended our access: {_CONNECT}."),
    "interaction_required": (AccessRevoked, f"Microsoft wants the person to sign in: {_CONNECT}."),
    "login_required": (AccessRevoked, f"Microsoft wants the person to sign in: {_CONNECT}."),
    "consent_required": (
        AccessRevoked,
        f"Nobody agreed to our access: {_CONNECT}, if need be as an administrator.",
    ),
    "access_denied": (AccessRevoked, f"The person said no: {_CONNECT}."),
    "invalid_client": (Misconfigured, f"Microsoft does not accept the app's secret: {_SETTINGS}."),
    "unauthorized_client": (Misconfigured, f"Microsoft does not know or allow this app: {_SETTINGS}."),
    "invalid_scope": (Misconfigured, f"Microsoft does not know a permission we asked for: {_SETTINGS}."),
    "invalid_request": (Misconfigured, f"Microsoft did not understand our request: {_SETTINGS} (redirect address)."),
    "unsupported_grant_type": (Misconfigured, f"Microsoft does not offer this way in: {_SETTINGS}."),
    "temporarily_unavailable": (Unavailable, "Microsoft's sign-in is not available now: this is tried again."),
    "server_error": (Unavailable, "Microsoft's sign-in is not available now: this is tried again."),
}
_WORDING = {
    50057: "the account is disabled",
    50076: "it asks for a second factor",
    50079: "it asks to set up a second factor",
    50105: "the person is not assigned to the app",
    50173: "the grant was revoked",
    53003: "a Conditional Access policy stands in the way",
    65001: "nobody has consented",
    65004: "the person declined",
    70008: "the grant was unused for too long",
    700082: "the grant was unused for too long",
    7000215: "the secret is wrong",
    7000222: "the secret has expired",
}


def refusal(status: int, body: bytes, later: float | None) -> PostroomError:
    """Our error for what the token endpoint said. A throttled endpoint is never taken for a bad credential."""
    error, codes = _said(body)
    if status == 429 or _LOOP in codes:
        return Throttled("Microsoft's sign-in asked us to wait.", later)
    if status >= 500:
        return _busy(later)
    kind, say = _ERRORS.get(error, (Misconfigured, f"Microsoft gave no token: {_SETTINGS}."))
    if kind is Unavailable:
        return _busy(later)
    why = next((_WORDING[code] for code in codes if code in _WORDING), "")
    number = f"AADSTS{codes[0]}" if codes else f"HTTP {status}"
    return kind(f"{say} ({f'{why}, ' if why else ''}{number})")


def _busy(later: float | None) -> PostroomError:
    kind, say = _ERRORS["temporarily_unavailable"]
    return Throttled(say, later) if later is not None else kind(say)


def _said(body: bytes) -> tuple[str, list[int]]:
    """The error's name and its AADSTS numbers, as far as they can be made out."""
    try:
        said = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        said = None
    if not isinstance(said, dict):
        return "", []
    error, codes = said.get("error"), said.get("error_codes")
    numbers = codes if isinstance(codes, list) else []
    return error if isinstance(error, str) else "", [one for one in numbers if isinstance(one, int)]


def scopes_for(capability: Capability, *, shared: bool = False) -> tuple[str, ...]:
    """Exactly what is needed; for a mailbox that others share with the person, the same once more."""
    mail = _MAIL[capability]
    return (*_PERSON, *mail, *(f"{name}.Shared" for name in mail if shared))


SCOPES = scopes_for("draft")


class _TokenEndpoint:
    """Asks for tokens; one for each app and tenant."""

    def __init__(self, http: Http, url: str, now: Callable[[], datetime]) -> None:
        self._http, self._url, self.now = http, url, now

    async def ask(self, form: str, kept: TokenSet | None = None) -> TokenSet:
        """What is not given anew is kept from the old set."""
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
        answer = await self._http.request("microsoft_login", "POST", self._url, headers=headers, body=form.encode())
        if not answer.ok:
            raise refusal(answer.status, answer.body, retry_after(answer.headers, self.now()))
        return self._tokens(answer, kept)

    def _tokens(self, answer: HttpAnswer, kept: TokenSet | None) -> TokenSet:
        try:
            said = WebApplicationClient("").parse_request_body_response(answer.body.decode())
            access, refresh, granted = said["access_token"], said.get("refresh_token"), said.get("scope")
            lasts = timedelta(seconds=int(said.get("expires_in") or 0))
        except (OAuth2Error, KeyError, ValueError, AttributeError, TypeError):
            access = ""
        if not access:
            raise Unavailable("Microsoft's sign-in gave an answer without a token: this is tried again.")
        return TokenSet(
            access_token=Secret(access),
            refresh_token=Secret(refresh) if refresh else kept.refresh_token if kept else None,
            expires_at=self.now() + lasts,
            lifetime=lasts,
            scope=" ".join(granted) if granted else kept.scope if kept else "",
        )


class GraphConsent:
    """A person lets us in. `tenant` is theirs, or `organizations` or `common` for whoever comes."""

    def __init__(
        self,
        http: Http,
        *,
        client_id: str,
        client_secret: Secret,
        now: Callable[[], datetime],
        tenant: str = "common",
        login_url: str = LOGIN_URL,
        base_url: str = BASE_URL,
        scopes: Sequence[str] = SCOPES,
    ) -> None:
        self._http, self._base, self._now = http, base_url, now
        self._place = f"{login_url.rstrip('/')}/{tenant}/oauth2/v2.0"
        self._endpoint = _TokenEndpoint(http, f"{self._place}/token", now)
        self._client_id, self._secret = client_id, client_secret
        self.scopes = tuple(scopes)

    def capability(self, tokens: TokenSet) -> Capability:
        granted = {_short(name) for name in (tokens.scope.split() or self.scopes)}
        if "mail.readwrite" not in granted:
            return "read"
        return "send" if "mail.send" in granted else "draft"

    def authorize_url(self, *, redirect_uri: str, state: str, challenge: str, login_hint: str | None) -> str:
        asked = {
            "client_id": self._client_id,
            "response_type": "code",
            "response_mode": "query",
            "redirect_uri": redirect_uri,
            "scope": " ".join(self._full_scopes()),
            "state": state,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
            "prompt": "select_account",
            **({"login_hint": login_hint} if login_hint else {}),
        }
        url: str = add_params_to_uri(f"{self._place}/authorize", list(asked.items()))
        return url

    async def redeem(self, *, code: str, verifier: str, redirect_uri: str) -> Grant:
        form = WebApplicationClient(self._client_id).prepare_request_body(
            code=code, redirect_uri=redirect_uri, code_verifier=verifier, client_secret=self._secret.reveal()
        )
        try:
            tokens = await self._endpoint.ask(form)
        except AccessRevoked as refused:
            raise BadRequest(f"The sign-in did not succeed: start connecting again. {refused}") from None
        person = await self._person(tokens)
        granted = {_short(name) for name in tokens.scope.split()}
        missing = [name for name in self.scopes if name not in _ABOUT_US and name.lower() not in granted]
        if tokens.refresh_token is None:
            missing.append("offline_access")
        return Grant(tokens, parse.whose(person), person.get("id", ""), missing)

    async def refresh(self, tokens: TokenSet) -> TokenSet:
        if tokens.refresh_token is None:
            raise AccessRevoked(f"Microsoft gave no lasting access: {_CONNECT} and leave all permissions ticked.")
        form = WebApplicationClient(self._client_id).prepare_refresh_body(
            refresh_token=tokens.refresh_token.reveal(),
            client_id=self._client_id,
            client_secret=self._secret.reveal(),
        )
        return await self._endpoint.ask(form, tokens)

    async def revoke(self, tokens: TokenSet) -> None:
        """Microsoft has no way to give back one grant: revokeSignInSessions would end the person's every session."""

    async def _person(self, tokens: TokenSet) -> wire.GraphUser:
        async def token(fresh: bool) -> Secret:  # noqa: FBT001 - the shape of ports.AccessToken
            del fresh
            return tokens.access_token

        client = GraphClient(self._http, token, now=self._now, base_url=self._base)
        person: wire.GraphUser = await client.read("/me", {"$select": "id,mail,userPrincipalName"})
        return person

    def _full_scopes(self) -> list[str]:
        """A bare name means the worldwide Graph; a national cloud's must be spelt out."""
        home = urlsplit(self._base)
        national = home.scheme == "https" and home.hostname != "graph.microsoft.com"
        before = f"https://{home.hostname}/" if national else ""
        return [name if name in _ABOUT_US else before + name for name in self.scopes]


def _short(scope: str) -> str:
    return scope.rpartition("/")[2].lower()


class AppOnly:
    """The app's own tokens, kept until shortly before they end; many who wait are served by one request."""

    def __init__(
        self,
        http: Http,
        *,
        tenant: str,
        client_id: str,
        client_secret: Secret,
        now: Callable[[], datetime],
        login_url: str = LOGIN_URL,
        base_url: str = BASE_URL,
    ) -> None:
        if tenant.lower() in {"common", "organizations", "consumers"}:
            raise Misconfigured(f"POSTROOM_GRAPH_TENANT_ID={tenant}: an app needs the id or domain of one tenant.")
        self._endpoint = _TokenEndpoint(http, f"{login_url.rstrip('/')}/{tenant}/oauth2/v2.0/token", now)
        self._client_id, self._secret = client_id, client_secret
        home = urlsplit(base_url)
        self._scope = f"{home.scheme}://{home.netloc}/.default"
        self._kept: TokenSet | None = None
        self._asked_at: datetime | None = None
        self._turn = asyncio.Lock()

    async def __call__(self, fresh: bool) -> Secret:  # noqa: FBT001 - the shape of ports.AccessToken
        async with self._turn:
            if self._kept is None or self._is_old(self._kept, fresh=fresh):
                self._kept = await self._ask()
            return self._kept.access_token

    def _is_old(self, kept: TokenSet, *, fresh: bool) -> bool:
        """One that came just now is not asked for again: Entra takes that for a loop. One from the future came by a
        clock that was put right since."""
        now = self._endpoint.now()
        recent = self._asked_at is not None and abs(now - self._asked_at) < _JUST_NOW
        return kept.is_old(now) or (fresh and not recent)

    async def _ask(self) -> TokenSet:
        client = BackendApplicationClient(self._client_id)
        form = client.prepare_request_body(
            scope=[self._scope], include_client_id=True, client_secret=self._secret.reveal()
        )
        tokens = await self._endpoint.ask(form)
        self._asked_at = self._endpoint.now()
        return tokens
