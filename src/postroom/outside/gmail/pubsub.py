"""Pub/Sub pull: notifications for installations that nobody can reach from outside."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

import msgspec

from postroom.nouns.errors import (
    AccessRevoked,
    BadRequest,
    Misconfigured,
    PermissionDenied,
    PostroomError,
    Throttled,
    TimedOut,
    Unavailable,
)
from postroom.nouns.providers import Notification
from postroom.outside.gmail import hook, wire
from postroom.outside.gmail.parse import decoded
from postroom.outside.gmail.refusals import QUOTA, error_of, reason_of, wait
from postroom.outside.http import Http, HttpAnswer, retry_after
from postroom.ports import AccessToken

T = TypeVar("T")
_PULL_SECONDS = 100.0  # Pub/Sub keeps a pull open for up to a minute and a half


@dataclass(frozen=True, slots=True)
class PulledNotification:
    """`notification` is None for a message that is not from Gmail: acknowledge it, or it comes again."""

    ack_id: str
    notification: Notification | None


class PubSubPull:
    """`token` is None for an emulator, which wants no credentials."""

    def __init__(
        self,
        http: Http,
        base_url: str,
        subscription: str,
        token: AccessToken | None,
        now: Callable[[], datetime],
    ) -> None:
        self._http = http
        self._url = f"{base_url.rstrip('/')}/v1/{subscription}"
        self._subscription = subscription
        self._token = token
        self._now = now

    async def pull(self, most: int = 100, *, listen: float = _PULL_SECONDS) -> Sequence[PulledNotification]:
        """Waits for the first, at most `listen` seconds; then empty. What is not acknowledged comes again."""
        try:
            answer = await self._ask("pull", {"maxMessages": most}, wire.PullAnswer, timeout=listen)
        except TimedOut:
            return []
        return [PulledNotification(item["ackId"], _notification(item)) for item in answer.get("receivedMessages", ())]

    async def acknowledge(self, ack_ids: Sequence[str]) -> None:
        """Only after they are written down. Safe to repeat."""
        if ack_ids:
            await self._ask("acknowledge", {"ackIds": list(ack_ids)}, wire.Nothing, timeout=30.0)

    async def _ask(self, verb: str, body: Mapping[str, Any], answer_type: type[T], *, timeout: float) -> T:
        answer = await self._send(verb, body, timeout, fresh=False)
        if answer.status == 401 and self._token is not None:
            answer = await self._send(verb, body, timeout, fresh=True)
        if not answer.ok:
            raise self._refusal(answer)
        return decoded(answer.body or b"{}", answer_type)

    async def _send(self, verb: str, body: Mapping[str, Any], timeout: float, *, fresh: bool) -> HttpAnswer:
        headers = {"Content-Type": "application/json"}
        if self._token is not None:
            headers["Authorization"] = f"Bearer {(await self._token(fresh)).reveal()}"
        return await self._http.request(
            "pubsub", "POST", f"{self._url}:{verb}", headers=headers, body=msgspec.json.encode(body), timeout=timeout
        )

    def _refusal(self, answer: HttpAnswer) -> PostroomError:
        error, now = error_of(answer.body), self._now()
        why = f"{answer.status} {error.get('status', '')}".strip()
        if answer.status == 429 or reason_of(error) in QUOTA:
            asked = wait(error.get("message", ""), retry_after(answer.headers, now), now)
            return Throttled(f"Pub/Sub asks us to slow down ({why}).", asked)
        if answer.status == 401:
            return AccessRevoked(f"Pub/Sub does not accept our credentials ({why}): make new ones.")
        if answer.status == 403:
            return PermissionDenied(f"Pub/Sub refuses us ({why}): grant roles/pubsub.subscriber on the subscription.")
        if answer.status == 404:
            return Misconfigured(f"{self._subscription} does not exist: create it, or correct the setting.")
        if answer.status == 400 and error.get("status") == "FAILED_PRECONDITION":
            return Misconfigured(f"{self._subscription} pushes, so it cannot be pulled: make it a pull subscription.")
        if answer.status == 408 or answer.status >= 500:
            return Unavailable(f"Pub/Sub is not available ({why}).")
        return BadRequest(f"Pub/Sub does not accept the request ({why}).")


def _notification(item: wire.PulledItem) -> Notification | None:
    try:
        return hook.from_message(item.get("message", {}))
    except BadRequest:
        return None
