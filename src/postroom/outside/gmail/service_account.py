"""A Google service account's access: its key signs for a token, which is kept until shortly before it ends."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypedDict

import jwt
import msgspec

from postroom.nouns.errors import Misconfigured
from postroom.nouns.secrets import Secret
from postroom.outside.gmail import wire
from postroom.outside.gmail.oauth import post_form, refused_refresh
from postroom.outside.gmail.parse import decoded
from postroom.outside.http import Http

PUBSUB = "https://www.googleapis.com/auth/pubsub"
_EARLY = timedelta(seconds=90)
_GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"


class ServiceAccountKey(TypedDict):
    client_email: str
    private_key: str
    private_key_id: str


class ServiceAccountAccess:
    """A ports.AccessToken: call it. `key_file` is the JSON that Google offers for download."""

    def __init__(
        self, http: Http, key_file: bytes, *, token_url: str, now: Callable[[], datetime], scope: str = PUBSUB
    ) -> None:
        try:
            self._key = msgspec.json.decode(key_file, type=ServiceAccountKey)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise Misconfigured("This is no service account's key file: download it as JSON from Google.") from None
        self._http = http
        self._token_url = token_url
        self._now = now
        self._scope = scope
        self._kept: tuple[Secret, datetime] | None = None

    async def __call__(self, fresh: bool, /) -> Secret:  # noqa: FBT001 - the port's shape
        if fresh or self._kept is None or self._now() >= self._kept[1]:
            self._kept = await self._ask()
        return self._kept[0]

    async def _ask(self) -> tuple[Secret, datetime]:
        now = self._now()
        answer = await post_form(self._http, self._token_url, {"grant_type": _GRANT, "assertion": self._assertion(now)})
        if not answer.ok:
            raise refused_refresh(answer, now)
        told = decoded(answer.body, wire.TokenAnswer)
        lasts = timedelta(seconds=told.get("expires_in", 0))
        return Secret(told["access_token"]), now + lasts - min(_EARLY, lasts / 5)

    def _assertion(self, now: datetime) -> str:
        claims = {
            "iss": self._key["client_email"],
            "scope": self._scope,
            "aud": self._token_url,
            "iat": now,
            "exp": now + timedelta(hours=1),
        }
        try:
            return jwt.encode(claims, self._key["private_key"], "RS256", headers={"kid": self._key["private_key_id"]})
        except (ValueError, TypeError, jwt.PyJWTError):
            raise Misconfigured("The service account's private key is damaged: download the key file anew.") from None
