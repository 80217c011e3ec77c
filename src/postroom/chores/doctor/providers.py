"""What Microsoft and Google know of us: app, redirect address, permissions, topic, and how pushes are signed."""

from __future__ import annotations

import asyncio
import base64
import json
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

from postroom.app.house import House
from postroom.app.providers import GMAIL_NOTIFY
from postroom.chores.doctor.findings import Finding, Verdict, clock_of, compare, judge
from postroom.nouns.errors import PostroomError
from postroom.nouns.provider_traits import traits
from postroom.nouns.providers import ProviderName
from postroom.outside.gmail.service_account import ServiceAccountAccess
from postroom.outside.http import HttpAnswer
from postroom.rooms.mailboxes.rules import make_pkce

_AADSTS = re.compile(rb"AADSTS(\d{4,7})")
_GOOGLE = re.compile(
    rb"redirect_uri_mismatch|invalid_client|deleted_client|unauthorized_client|access_denied|invalid_request"
)
_MICROSOFT_SAYS = {
    "50011": "the redirect address is not registered",
    "700016": "there is no such app in that tenant",
    "90002": "there is no such tenant",
}
PUBLISHER = "serviceAccount:gmail-api-push@system.gserviceaccount.com"


@dataclass(frozen=True, slots=True)
class SignIn:
    """Where a provider's people sign in, and how it says there that something is wrong with us."""

    provider: ProviderName
    url_setting: str
    registered_at: str
    objection: Callable[[HttpAnswer], str]


async def outlook(house: House) -> AsyncIterator[Finding]:
    settings = house.settings
    if not settings.graph_client_id:
        yield Finding("Outlook", "ok", "POSTROOM_GRAPH_CLIENT_ID", "not set: Outlook is not used")
        return
    async for finding in _redirect(house, OUTLOOK):
        yield finding
    if not settings.graph_mailbox_email:
        yield Finding("Outlook app-only", "ok", "POSTROOM_GRAPH_MAILBOX_EMAIL", "not set: only delegated mailboxes")
        return
    try:
        yield app_permission(await house.providers.app_token())
    except PostroomError as problem:
        yield Finding("Outlook permission", "wrong", "Mail.Read", "no token", str(problem))


def app_permission(token: str) -> Finding:
    roles = _claims(token).get("roles")
    held = " ".join(sorted(roles)) if isinstance(roles, list) else "(the token does not say)"
    good = not isinstance(roles, list) or any(role.startswith("Mail.Read") for role in roles)
    advice = "In Entra, grant the app the application permission Mail.Read, and consent to it as administrator."
    return judge("Outlook permission", "Mail.Read", held or "none", advice, good=good)


async def gmail(house: House) -> AsyncIterator[Finding]:
    settings = house.settings
    if not settings.gmail_client_id:
        yield Finding("Gmail", "ok", "POSTROOM_GMAIL_CLIENT_ID", "not set: Gmail is not used")
        return
    async for finding in _redirect(house, GMAIL):
        yield finding
    wanted = ["gmail_topic", "gmail_subscription"]
    if not settings.gmail_pull:
        wanted += ["gmail_audience", "gmail_service_account"]
    for name in wanted:
        value = getattr(settings, name)
        advice = f"Set POSTROOM_{name.upper()}, or the mailboxes are polled."
        yield judge(f"POSTROOM_{name.upper()}", "set", value or "not set", advice, good=bool(value), else_="warning")
    async for finding in _certificates(house):
        yield finding
    advice = "If the consent screen is in Testing, refresh tokens die after 7 days: publish the app."
    yield Finding("Google consent screen", "ok", "published", "cannot be seen from here", advice)


async def _certificates(house: House) -> AsyncIterator[Finding]:
    advice = "Let this machine reach it, or correct POSTROOM_GOOGLE_CERTS_URL: without it no push can be believed."
    try:
        answer = await house.http.request("google", "GET", house.settings.google_certs_url, timeout=10)
    except PostroomError as problem:
        yield Finding("Google's certificates", "wrong", "200", str(problem), advice)
        return
    yield judge("Google's certificates", "200", str(answer.status), advice, good=answer.status == 200)
    if clock := clock_of("Google", answer, house.clock()):
        yield clock


async def _redirect(house: House, sign_in: SignIn) -> AsyncIterator[Finding]:
    """Ask for the page that people are sent to: the provider says there whether it knows us and the way back."""
    provider, about = sign_in.provider, traits(sign_in.provider)
    consent = house.providers.consents.get(provider)
    back = f"{house.settings.outside_url}/oauth/{provider}/callback"
    if consent is None:
        secret = f"POSTROOM_{about.settings}_CLIENT_SECRET"
        yield Finding(f"{provider} sign-in", "ok", secret, "not set: nobody can connect")
        return
    url = consent.authorize_url(redirect_uri=back, state="doctor", challenge=make_pkce().challenge, login_hint=None)
    try:
        answer = await house.http.request(f"{provider}_login", "GET", url, timeout=15)
    except PostroomError as problem:
        reach = f"Let this machine reach {urlsplit(url).netloc} (firewall, proxy, DNS)"
        advice = f"{reach}, or correct {sign_in.url_setting}."
        yield Finding(f"redirect URI for {provider}", "wrong", back, str(problem), advice)
        return
    wrong = sign_in.objection(answer)
    register = f"Register exactly this redirect address ({sign_in.registered_at})"
    advice = f"{register}, or correct POSTROOM_PUBLIC_URL and the client id."
    yield judge(f"redirect URI for {provider}", back, wrong or "accepted", advice, good=not wrong)
    if clock := clock_of(f"{about.vendor}'s sign-in", answer, house.clock()):
        yield clock


def _microsoft_objection(answer: HttpAnswer) -> str:
    """The sign-in page comes with 200 even when it is one of refusal: the number is what counts."""
    if found := _AADSTS.search(answer.body):
        number = found[1].decode()
        return f"refused, AADSTS{number}" + (f": {_MICROSOFT_SAYS[number]}" if number in _MICROSOFT_SAYS else "")
    return "" if answer.status < 400 else f"refused, HTTP {answer.status}"


def _google_objection(answer: HttpAnswer) -> str:
    """A refusal is a page of its own, reached by a redirect that names the error."""
    there = urlsplit(answer.headers.get("Location", ""))
    said = answer.body
    if there.path.endswith("/oauth/error"):
        told = parse_qs(there.query).get("authError", [""])[0]
        said = base64.urlsafe_b64decode(told + "=" * (-len(told) % 4)) if told else b""
    elif answer.status < 400:
        return ""
    found = _GOOGLE.search(said)
    return f"refused, {found[0].decode()}" if found else f"refused, HTTP {answer.status}"


OUTLOOK = SignIn("outlook", "POSTROOM_GRAPH_LOGIN_URL", "Entra: Authentication, platform Web", _microsoft_objection)
GMAIL = SignIn("gmail", "POSTROOM_GOOGLE_AUTH_URL", "Google Cloud: Credentials, the client", _google_objection)


async def pubsub(house: House) -> AsyncIterator[Finding]:
    """What Pub/Sub was told against what we expect; seen only with a key file, or at a simulator."""
    settings = house.settings
    if not (settings.gmail_client_id and settings.gmail_topic and settings.gmail_subscription):
        return
    simulated = settings.google_pubsub_url.startswith("http://")
    if settings.google_credentials is None and not simulated:
        said = "cannot be seen without POSTROOM_GOOGLE_CREDENTIALS"
        yield Finding("Pub/Sub subscription", "ok", "as the settings say", said)
        return
    found = await _google(house, settings.gmail_subscription)
    if isinstance(found, str):
        advice = f"Make the subscription {settings.gmail_subscription}, or correct POSTROOM_GMAIL_SUBSCRIPTION."
        yield Finding("Pub/Sub subscription", "wrong", "there", found, advice)
    else:
        for finding in _subscription(house, found):
            yield finding
    yield await _publisher(house, settings.gmail_topic)


def _subscription(house: House, found: dict[str, Any]) -> list[Finding]:
    settings = house.settings
    advice = "Attach the subscription to the topic that Gmail publishes to, or correct POSTROOM_GMAIL_TOPIC."
    findings = [compare("Pub/Sub topic", settings.gmail_topic, found.get("topic"), advice)]
    push = found.get("pushConfig") or {}
    endpoint = str(push.get("pushEndpoint") or "")
    if settings.gmail_pull:
        advice = "This house pulls: remove the push endpoint of the subscription, or set POSTROOM_GMAIL_PULL=false."
        return [*findings, compare("Pub/Sub push", None, endpoint or None, advice)]
    wanted = f"{settings.outside_url}{GMAIL_NOTIFY}"
    advice = f"Set the subscription's push endpoint to {wanted}, or correct POSTROOM_PUBLIC_URL."
    findings.append(compare("Pub/Sub push endpoint", wanted, endpoint.partition("?")[0], advice))
    token = push.get("oidcToken") or {}
    advice = "Every push would be refused: make POSTROOM_GMAIL_AUDIENCE and the subscription's audience the same."
    findings.append(compare("Pub/Sub audience", settings.gmail_audience, token.get("audience") or endpoint, advice))
    advice = "Turn on authentication for the subscription, with the account in POSTROOM_GMAIL_SERVICE_ACCOUNT."
    account = token.get("serviceAccountEmail")
    return [*findings, compare("Pub/Sub account", settings.gmail_service_account, account, advice)]


async def _publisher(house: House, topic: str) -> Finding:
    found = await _google(house, f"{topic}:getIamPolicy")
    advice = f"Grant {PUBLISHER.partition(':')[2]} the role Pub/Sub Publisher on {topic}: else Gmail makes no watch."
    if isinstance(found, str):
        verdict: Verdict = "warning" if found == "403" else "wrong"
        return Finding("topic's publisher", verdict, "Gmail may publish", found, advice)
    roles = [
        each for each in found.get("bindings", ()) if each.get("role") in ("roles/pubsub.publisher", "roles/owner")
    ]
    good = any(PUBLISHER in each.get("members", ()) for each in roles)
    return judge("topic's publisher", "Gmail may publish", "it may" if good else "it may not", advice, good=good)


async def _google(house: House, path: str) -> dict[str, Any] | str:
    """What Pub/Sub answers, or its status."""
    settings, headers = house.settings, {}
    if settings.google_credentials is not None:
        key = await asyncio.to_thread(settings.google_credentials.read_bytes)
        account = ServiceAccountAccess(house.http, key, token_url=settings.google_token_url, now=house.clock)
        headers = {"Authorization": f"Bearer {(await account(False)).reveal()}"}  # noqa: FBT003 - the port's shape
    try:
        answer = await house.http.request(
            "google", "GET", f"{settings.google_pubsub_url}/v1/{path}", headers=headers, timeout=15
        )
        return json.loads(answer.body) if answer.ok else str(answer.status)
    except (PostroomError, ValueError) as problem:
        return str(problem)


def _claims(token: str) -> dict[str, Any]:
    """What a token says of itself; for show only, nothing is decided by it."""
    try:
        part = token.split(".")[1]
        claims: dict[str, Any] = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (IndexError, ValueError):
        return {}
    return claims
