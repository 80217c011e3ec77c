"""Calls to Graph: the only place where its HTTP becomes our errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, cast
from urllib.parse import quote, urlencode, urlsplit

import msgspec
from multidict import CIMultiDict

from postroom.nouns.errors import BadRequest, Conflict, Gone, Misconfigured, PostroomError, Unavailable
from postroom.nouns.secrets import Secret
from postroom.outside.graph import parse, wire
from postroom.outside.graph.parse import SubscriptionInfo
from postroom.outside.http import MEGABYTE, Http, HttpAnswer, NeverWaits, retry_after, same_origin
from postroom.ports import AccessToken, ProviderWaits

BASE_URL = "https://graph.microsoft.com/v1.0"
IMMUTABLE = 'IdType="ImmutableId"'
_LARGEST_MAIL_BYTES = 256 * MEGABYTE  # Exchange allows 150 MB, and base64 adds a third
_TIMEOUT_SECONDS, _LONG_TIMEOUT_SECONDS = 30.0, 180.0
_FAILED_DEPENDENCY = 424


class SubscriptionExists(Conflict):
    """The same subscription is there already; its id, when Graph said it."""

    def __init__(self, subscription_id: str | None) -> None:
        super().__init__("Microsoft already tells somebody of this folder on our behalf.")
        self.subscription_id = subscription_id


class TooLong(BadRequest):
    """The lifetime asked for is refused; the longest in minutes, when Graph said it."""

    def __init__(self, longest: int | None) -> None:
        super().__init__(f"Microsoft allows a subscription {longest or 'fewer'} minutes at most.")
        self.longest = longest


class GraphClient:
    """One mailbox's access to Graph. It never sleeps and never retries, but for one fresh token."""

    def __init__(
        self,
        http: Http,
        token: AccessToken,
        *,
        now: Callable[[], datetime],
        base_url: str = BASE_URL,
        gate: Callable[[], AbstractAsyncContextManager[object]] = nullcontext,
        waits: ProviderWaits | None = None,
    ) -> None:
        """`gate` is passed by every request: Graph takes four at a time for a mailbox, whoever sends them. `waits` is
        told of a 429, and then holds back everybody's requests for the mailbox."""
        self._http = http
        self._gate = gate
        self._waits = waits or NeverWaits()
        self._token = token
        self._now = now
        self._base = base_url.rstrip("/")

    def now(self) -> datetime:
        return self._now()

    def owns(self, link: str) -> bool:
        """Whether a link stays with the Graph we were told to use."""
        if link.startswith(f"{self._base}/"):
            return True  # as nearly every link is written: no need to take both apart
        return same_origin(link, self._base) and urlsplit(link).path.startswith(f"{urlsplit(self._base).path}/")

    async def read(self, where: str, query: Mapping[str, str] | None = None, prefer: Sequence[str] = ()) -> Any:
        """GET a path below the base, or a link that Graph gave us."""
        return self._json(await self._get(where, query, prefer))

    async def content(self, path: str) -> bytes:
        """GET something that is no JSON. Its bytes: the header names no charset."""
        answer = await self._send("GET", self._url(path), timeout=_LONG_TIMEOUT_SECONDS, limit=_LARGEST_MAIL_BYTES)
        return self._checked(answer).body

    async def create(self, path: str, said: Mapping[str, Any]) -> Any:
        """POST something new; as Graph shows it then."""
        return self._json(self._checked(await self._send("POST", self._url(path), said)))

    async def upload(self, url: str, content: bytes, piece_bytes: int) -> None:
        """PUT in pieces, in order, to an address that Graph gave us: it is its own permission, no token goes along."""
        for start in range(0, len(content), piece_bytes):
            piece = content[start : start + piece_bytes]
            place = f"bytes {start}-{start + len(piece) - 1}/{len(content)}"
            headers = {"Content-Range": place, "Content-Type": "application/octet-stream"}
            async with self._gate():
                await self._waits.check()
                answer = await self._http.request(
                    "outlook", "PUT", url, headers=headers, body=piece, timeout=_LONG_TIMEOUT_SECONDS
                )
            self._checked(await self._heeded(answer))

    async def change(self, path: str, said: Mapping[str, Any], version: str) -> Any:
        """PATCH, only if it still has this version. Raises Conflict when it has not."""
        return self._json(self._checked(await self._send("PATCH", self._url(path), said, if_match=version)))

    async def remove(self, path: str, version: str) -> None:
        """DELETE, only if it still has this version. Raises Conflict when it has not, Gone when it is not there."""
        self._checked(await self._send("DELETE", self._url(path), if_match=version))

    async def perform(self, path: str) -> None:
        """POST an action that has no answer."""
        self._checked(await self._send("POST", self._url(path), body=b"", timeout=_LONG_TIMEOUT_SECONDS))

    async def batch(self, requests: Sequence[Mapping[str, Any]]) -> dict[str, wire.BatchItem]:
        """Up to 20 requests in one, and their answers by id. One that should be tried again spoils the batch.

        They run in turn: side by side, each would count against the mailbox's limit of four. One that fails takes those
        after it along (424), which are asked again.
        """
        found: dict[str, wire.BatchItem] = {}
        waiting = list(requests)
        while waiting:
            found |= await self._batch_in_turn(waiting)
            waiting = [one for one in waiting[1:] if found[one["id"]]["status"] == _FAILED_DEPENDENCY]
        return found

    async def _batch_in_turn(self, requests: Sequence[Mapping[str, Any]]) -> dict[str, wire.BatchItem]:
        asked: list[dict[str, Any]] = [{"headers": {"Prefer": IMMUTABLE}, **one} for one in requests]
        for before, after in pairwise(asked):
            after["dependsOn"] = [before["id"]]
        answer = await self._send("POST", self._url("/$batch"), {"requests": asked})
        said: wire.BatchAnswer = self._json(self._checked(answer))
        with parse.understood():
            found = {one["id"]: one for one in said["responses"]}
        for item in found.values():
            if item["status"] == 429 or item["status"] >= 500:
                later = retry_after(CIMultiDict(item.get("headers", {})), self._now())
                if item["status"] == 429:
                    later = await self._waits.told(later)
                raise parse.error_for(parse.refusal(item["status"], item.get("body")), later)
        with parse.understood():
            return {one["id"]: found[one["id"]] for one in asked}

    # subscriptions

    async def create_subscription(
        self,
        resource: str,
        notification_url: str,
        lifecycle_url: str,
        client_state: str,
        expiration_minutes: int = 4230,
        changes: str = "created",
    ) -> SubscriptionInfo:
        """Raises SubscriptionExists and TooLong. Graph calls both URLs before it answers."""
        asked = {
            "changeType": changes,
            "notificationUrl": notification_url,
            "lifecycleNotificationUrl": lifecycle_url,
            "resource": resource,
            "expirationDateTime": self._expiry(expiration_minutes),
            "clientState": client_state,
        }
        answer = await self._send("POST", self._url("/subscriptions"), asked, timeout=_LONG_TIMEOUT_SECONDS)
        if answer.status == 409:
            raise SubscriptionExists(parse.existing_subscription(self._refusal(answer).text))
        return self._subscription(answer)

    async def renew_subscription(
        self, subscription_id: str, expiration_minutes: int = 4230, *, notification_url: str | None = None
    ) -> SubscriptionInfo:
        """In place: it stays the same subscription, and is authorized anew. Raises Gone and TooLong."""
        asked = {"expirationDateTime": self._expiry(expiration_minutes)}
        if notification_url is not None:
            asked["notificationUrl"] = notification_url
        answer = await self._send("PATCH", self._place(subscription_id), asked, timeout=_LONG_TIMEOUT_SECONDS)
        if answer.status == 404:
            raise Gone("Microsoft has ended this subscription: create a new one.")
        return self._subscription(answer)

    async def get_subscription(self, subscription_id: str) -> SubscriptionInfo | None:
        answer = await self._send("GET", self._place(subscription_id))
        return None if answer.status == 404 else self._subscription(answer)

    async def delete_subscription(self, subscription_id: str) -> bool:
        """False when it was not there any more."""
        answer = await self._send("DELETE", self._place(subscription_id))
        if answer.status == 404:
            return False
        self._checked(answer)
        return True

    async def list_subscriptions(self) -> list[SubscriptionInfo]:
        """All that this app, or this person through it, holds. Their client states are not shown."""
        found: list[SubscriptionInfo] = []
        where: str | None = "/subscriptions"
        while where:
            page: wire.GraphSubscriptionPage = await self.read(where)
            with parse.understood():
                found += [parse.subscription(one) for one in page["value"]]
            where = page.get("@odata.nextLink")
        return found

    def _place(self, subscription_id: str) -> str:
        return self._url(f"/subscriptions/{quote(subscription_id, safe='')}")

    def _expiry(self, minutes: int) -> str:
        return parse.written(self._now() + timedelta(minutes=minutes))

    def _subscription(self, answer: HttpAnswer) -> SubscriptionInfo:
        if answer.status == 400 and "extensionerror" in self._refusal(answer).codes:
            raise TooLong(parse.longest_lifetime(self._refusal(answer).text))
        return parse.subscription(cast("wire.GraphSubscription", self._json(self._checked(answer))))

    # the wire

    async def _get(self, where: str, query: Mapping[str, str] | None, prefer: Sequence[str]) -> HttpAnswer:
        return self._checked(await self._send("GET", self._url(where, query), prefer=prefer))

    def _url(self, where: str, query: Mapping[str, str] | None = None) -> str:
        if not where.startswith("/"):
            if not self.owns(where):
                raise Misconfigured(
                    f"A link leads to {urlsplit(where).hostname or 'nowhere'}, away from {self._base}: it is not "
                    "followed. Check POSTROOM_GRAPH_BASE_URL."
                )
            return where
        asked = f"?{urlencode(query, safe='$,:', quote_via=quote)}" if query else ""
        return f"{self._base}{where}{asked}"

    async def _send(
        self,
        method: str,
        url: str,
        said: Mapping[str, Any] | None = None,
        *,
        body: bytes | None = None,
        if_match: str = "",
        prefer: Sequence[str] = (),
        timeout: float = _TIMEOUT_SECONDS,
        limit: int = 16 * MEGABYTE,
    ) -> HttpAnswer:
        async def ask(token: Secret) -> HttpAnswer:
            headers = {"Authorization": f"Bearer {token.reveal()}", "Prefer": ", ".join((IMMUTABLE, *prefer))}
            content = body if said is None else msgspec.json.encode(said)
            if said is not None:
                headers["Content-Type"] = "application/json"
            if if_match:
                headers["If-Match"] = f'W/"{if_match}"'
            async with self._gate():
                await self._waits.check()
                answer = await self._http.request(
                    "outlook", method, url, headers=headers, body=content, timeout=timeout, limit=limit
                )
            return await self._heeded(answer)

        for fresh in (False, True):
            answer = await ask(await self._token(fresh))
            if answer.status != 401:
                break
        return answer

    async def _heeded(self, answer: HttpAnswer) -> HttpAnswer:
        """A 429 holds back all of us; one that names no time gets the time that we leave the mailbox alone."""
        if answer.ok:
            self._waits.went_well()
        if answer.status != 429:
            return answer
        named = retry_after(answer.headers, self._now())
        wait = await self._waits.told(named)
        if named is not None or wait == 0:
            return answer
        headers = CIMultiDict(answer.headers)
        headers["Retry-After"] = str(wait)
        return replace(answer, headers=headers)

    def _checked(self, answer: HttpAnswer) -> HttpAnswer:
        if answer.ok:
            return answer
        raise self._error(answer)

    def _error(self, answer: HttpAnswer) -> PostroomError:
        return parse.error_for(self._refusal(answer), retry_after(answer.headers, self._now()))

    @staticmethod
    def _refusal(answer: HttpAnswer) -> parse.GraphRefusal:
        try:
            return parse.refusal(answer.status, msgspec.json.decode(answer.body))
        except (msgspec.DecodeError, UnicodeDecodeError):
            return parse.GraphRefusal(answer.status)

    @staticmethod
    def _json(answer: HttpAnswer) -> Any:
        """A proxy in between may answer 200 with a page of its own."""
        try:
            said = msgspec.json.decode(answer.body)
        except (msgspec.DecodeError, UnicodeDecodeError):
            said = None
        if not isinstance(said, dict):
            raise Unavailable("Something other than Microsoft Graph answered: no JSON object came back.")
        return said
