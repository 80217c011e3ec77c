"""Google's signing keys, fetched seldom and kept as long as Google says."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

from postroom.nouns.errors import NotAllowed, PostroomError, Unavailable
from postroom.outside.gmail import hook
from postroom.outside.http import Http

ASK_AGAIN_AFTER = timedelta(seconds=60)  # a stranger's invented key ids cannot make us ask Google more often
_AFTER_FAILURE = timedelta(seconds=5)
_DEFAULT_LIFE_SECONDS, _LONGEST_LIFE_SECONDS = 300, 24 * 3600
_TIMEOUT_SECONDS = 3.0  # a webhook is waiting meanwhile
_MOST_BYTES = 1024 * 1024


class GoogleCerts:
    """`key` is what `hook.verify` asks. Many pushes at once lead to one request."""

    def __init__(self, http: Http, url: str, now: Callable[[], datetime]) -> None:
        self._http = http
        self._url = url
        self._now = now
        self._keys: dict[str, RSAPublicKey] = {}
        self._fresh_till: datetime | None = None
        self._not_before: datetime | None = None
        self._failed = False
        self._asking = asyncio.Lock()

    async def key(self, kid: str) -> RSAPublicKey:
        if (known := self._known(kid)) is not None:
            return known
        async with self._asking:
            if (known := self._known(kid)) is None and self._may_ask():
                await self._fetch()
                known = self._known(kid)
        if known is not None:
            return known
        if self._failed:
            raise Unavailable("Google's signing keys could not be fetched just now.")
        raise NotAllowed("The push's token is signed with a key that Google does not list.")

    def _known(self, kid: str) -> RSAPublicKey | None:
        if self._fresh_till is None or self._now() >= self._fresh_till:
            return None
        return self._keys.get(kid)

    def _may_ask(self) -> bool:
        now = self._now()
        stale = not self._failed and (self._fresh_till is None or now >= self._fresh_till)
        return stale or self._not_before is None or now >= self._not_before

    async def _fetch(self) -> None:
        self._failed, self._not_before = True, self._now() + _AFTER_FAILURE
        try:
            answer = await self._http.request("google", "GET", self._url, timeout=_TIMEOUT_SECONDS, limit=_MOST_BYTES)
            if not answer.ok:
                raise Unavailable(f"Google's signing keys are not available ({answer.status}).")
            self._keys = hook.keys(answer.body)
        except PostroomError as problem:
            raise Unavailable(str(problem)) from None
        self._failed, self._not_before = False, self._now() + ASK_AGAIN_AFTER
        self._fresh_till = self._now() + timedelta(seconds=_life(answer.headers))


def _life(headers: Mapping[str, str]) -> int:
    told = re.search(r"max-age=(\d{1,9})", headers.get("Cache-Control", ""))
    return min(int(told[1]), _LONGEST_LIFE_SECONDS) if told else _DEFAULT_LIFE_SECONDS
