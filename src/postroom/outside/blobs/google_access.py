"""How we prove to Google who we are: a service account's key, a person's grant, or the machine we run on."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

import aiohttp
import jwt

from postroom.nouns.errors import Misconfigured, PermissionDenied, PostroomError, Unavailable
from postroom.nouns.secrets import Secret
from postroom.outside.blobs.urls import is_plain_loopback

SCOPE = "https://www.googleapis.com/auth/devstorage.read_write"
# Plain http by design: the address answers only inside the machine.
# https://cloud.google.com/compute/docs/metadata/overview
_MACHINE = "http://{host}/computeMetadata/v1/instance/service-accounts/default/token"
_EARLY = timedelta(seconds=90)


class TokenRequest(Protocol):
    """A way to a new access token: the HTTP request that asks for one."""

    def request(self, now: datetime) -> tuple[str, str, dict[str, Any]]:
        """Method, URL and the arguments for aiohttp."""


class ServiceAccount:
    def __init__(self, info: Mapping[str, str]) -> None:
        try:
            self._email, self._key_id = info["client_email"], info.get("private_key_id")
            self._key, self._token_url = Secret(info["private_key"]), _https(info["token_uri"])
        except KeyError as missing:
            raise Misconfigured(f"The service account's key file has no {missing}: download it anew.") from None

    def request(self, now: datetime) -> tuple[str, str, dict[str, Any]]:
        claims = {
            "iss": self._email,
            "scope": SCOPE,
            "aud": self._token_url,
            "iat": now,
            "exp": now + timedelta(hours=1),
        }
        try:
            headers = {"kid": self._key_id} if self._key_id else None
            assertion = jwt.encode(claims, self._key.reveal(), "RS256", headers=headers)
        except (ValueError, TypeError, jwt.PyJWTError):
            raise Misconfigured("The service account's private key is damaged: download it anew.") from None
        form = {"grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": assertion}
        return "POST", self._token_url, {"data": form}


class PersonsGrant:
    """What `gcloud auth application-default login` leaves behind."""

    def __init__(self, info: Mapping[str, str]) -> None:
        try:
            self._form = {name: info[name] for name in ("client_id", "client_secret", "refresh_token")}
        except KeyError as missing:
            raise Misconfigured(f"The credentials file has no {missing}: sign in anew.") from None
        self._token_url = _https(info.get("token_uri", "https://oauth2.googleapis.com/token"))

    def request(self, now: datetime) -> tuple[str, str, dict[str, Any]]:
        return "POST", self._token_url, {"data": self._form | {"grant_type": "refresh_token"}}


class Machine:
    def __init__(self, host: str) -> None:
        self._url = _MACHINE.format(host=host)

    def request(self, now: datetime) -> tuple[str, str, dict[str, Any]]:
        return "GET", self._url, {"headers": {"Metadata-Flavor": "Google"}}


def _https(url: str) -> str:
    if url.startswith("https://") or is_plain_loopback(url):
        return url
    raise Misconfigured("The credentials file's token_uri must start with https://.")


def find_grant(options: Mapping[str, str]) -> TokenRequest:
    path = options.get("GOOGLE_APPLICATION_CREDENTIALS")
    if not path:
        return Machine(options.get("GCE_METADATA_HOST") or "metadata.google.internal")
    try:
        info = json.loads(Path(path).read_bytes())
        kind = info.get("type")
    except (OSError, ValueError, AttributeError):
        raise Misconfigured(
            f"GOOGLE_APPLICATION_CREDENTIALS={path} cannot be read: name a service account's JSON key file."
        ) from None
    if kind == "service_account":
        return ServiceAccount(info)
    if kind == "authorized_user":
        return PersonsGrant(info)
    raise Misconfigured(f"{path} holds credentials of type {kind!r}: use service_account or authorized_user.")


class Access:
    """Access tokens, kept until shortly before they end."""

    def __init__(self, grant: TokenRequest, now: Callable[[], datetime]) -> None:
        self._grant = grant
        self._now = now
        self._kept: tuple[Secret, datetime] | None = None

    async def token(self, http: aiohttp.ClientSession) -> Secret:
        if self._kept is None or self._now() + _EARLY >= self._kept[1]:
            self._kept = await self._ask(http)
        return self._kept[0]

    def forget(self) -> None:
        self._kept = None

    async def _ask(self, http: aiohttp.ClientSession) -> tuple[Secret, datetime]:
        now = self._now()
        method, url, arguments = self._grant.request(now)
        async with http.request(method, url, **arguments) as answer:
            if answer.status != 200:
                raise _refusal(answer.status, await answer.read())
            said = await answer.json(content_type=None)
        try:
            return Secret(said["access_token"]), now + timedelta(seconds=int(said["expires_in"]))
        except (KeyError, TypeError, ValueError):
            raise Unavailable("Google's token endpoint gave an answer without a token.") from None


def _refusal(status: int, body: bytes) -> PostroomError:
    if b"invalid_grant" in body:
        return PermissionDenied("Google refuses the archive's credentials (invalid_grant): make new ones.")
    if status in (400, 401, 403, 404):
        return PermissionDenied(f"Google gives no token for the archive ({status}): check its credentials.")
    return Unavailable(f"Google's token endpoint is not available ({status}).")
