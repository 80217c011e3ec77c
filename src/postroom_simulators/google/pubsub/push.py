"""Push delivery: signed, acknowledged by status, repeated until acknowledged."""

from __future__ import annotations

import asyncio
import base64
import hashlib
from typing import Any

import aiohttp
import msgspec

from postroom_simulators.clock import SimClock
from postroom_simulators.faults import Faults
from postroom_simulators.google.errors import stamp
from postroom_simulators.google.keys import GoogleSigningKey
from postroom_simulators.google.pubsub.broker import PubSubBroker, PushConfig, SimPubSubDelivery
from postroom_simulators.recorder import RecordedCall, Recorder
from postroom_simulators.schedule import SimSchedule

_ACKS = {102, 200, 201, 202, 204}
_AT_ONCE = 64
_BACKOFF = (0.1, 60.0)
_DAY = 24 * 3600.0
_FRESH = 1800.0  # one token serves many messages


class PubSubPusher:
    """Sends what the broker hands over; `start` and `stop` it with the simulator."""

    def __init__(
        self,
        clock: SimClock,
        faults: Faults,
        recorder: Recorder,
        key: GoogleSigningKey,
        schedule: SimSchedule,
        broker: PubSubBroker,
    ) -> None:
        self._clock = clock
        self._faults = faults
        self._recorder = recorder
        self._key = key
        self._schedule = schedule
        self._broker = broker
        self._queue: asyncio.Queue[SimPubSubDelivery] = asyncio.Queue()
        self._workers: list[asyncio.Task[None]] = []
        self._session: aiohttp.ClientSession | None = None
        self._tokens: dict[PushConfig, tuple[float, str]] = {}
        self._on_their_way = 0
        broker.push = self._queue.put_nowait

    async def start(self) -> None:
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=_AT_ONCE), headers={"User-Agent": "CloudPubSub-Google"}
        )
        self._workers = [asyncio.create_task(self._work(self._session)) for _ in range(_AT_ONCE)]

    async def stop(self) -> None:
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)
        self._workers = []
        if self._session:
            await self._session.close()

    def busy(self) -> int:
        return self._queue.qsize() + self._on_their_way

    async def _work(self, session: aiohttp.ClientSession) -> None:
        while True:
            delivery = await self._queue.get()
            push = delivery.subscription.push
            if push and delivery.subscription.live:
                self._on_their_way += 1
                try:
                    await self._deliver(session, delivery, push)
                finally:
                    self._on_their_way -= 1

    async def _deliver(self, session: aiohttp.ClientSession, delivery: SimPubSubDelivery, push: PushConfig) -> None:
        if delivery.subscription.too_old(delivery.message, self._clock.time()):
            return
        delivery.attempt += 1
        status = await self._post(session, delivery, push)
        note = f"{delivery.message.id} attempt {delivery.attempt}"
        self._recorder.record(
            RecordedCall(self._clock.time(), "push", "POST", push.endpoint, status, delivery.message.about, note)
        )
        if status not in _ACKS:
            self._again(delivery)

    async def _post(self, session: aiohttp.ClientSession, delivery: SimPubSubDelivery, push: PushConfig) -> int:
        """The answer's status, or 0 when none came within the acknowledgement deadline."""
        headers = {"Content-Type": "application/json"}
        if push.service_account:
            headers["Authorization"] = f"Bearer {self._token(push)}"
        timeout = aiohttp.ClientTimeout(total=delivery.subscription.ack_deadline)
        try:
            async with session.post(
                push.endpoint,
                data=envelope(delivery),
                headers=headers,
                timeout=timeout,
                allow_redirects=False,
            ) as answer:
                return answer.status
        except (aiohttp.ClientError, TimeoutError, OSError):
            return 0

    def _again(self, delivery: SimPubSubDelivery) -> None:
        subscription = delivery.subscription
        if subscription.dead_letter and delivery.attempt >= subscription.dead_letter[1]:
            message = delivery.message
            self._broker.publish(subscription.dead_letter[0], message.data, message.attributes, message.about)
            return
        shortest, longest = subscription.backoff or _BACKOFF
        pause = min(longest, shortest * 2 ** min(delivery.attempt - 1, 20))
        self._schedule.at(self._clock.time() + pause, lambda: self._queue.put_nowait(delivery))

    def _token(self, push: PushConfig) -> str:
        switches = self._faults.switches
        if self._faults.strikes(switches.wrong_audience):
            return self._signed(PushConfig(push.endpoint, "https://somebody-else.test/hook", push.service_account))
        if self._faults.strikes(switches.wrong_email):
            return self._signed(
                PushConfig(push.endpoint, push.audience, "intruder@another-project.iam.gserviceaccount.com")
            )
        if self._faults.strikes(switches.expired_token):
            return self._signed(push, age=_DAY)
        now = self._key.real_time()
        signed_at, token = self._tokens.get(push, (0.0, ""))
        if now - signed_at > _FRESH:
            token = self._signed(push)
            self._tokens[push] = now, token
        return token

    def _signed(self, push: PushConfig, age: float = 0) -> str:
        number = str(10**20 + int.from_bytes(hashlib.sha256(push.service_account.encode()).digest()[:8], "big"))
        claims = {"aud": push.audience or push.endpoint, "azp": number, "sub": number}
        return self._key.sign(claims | {"email": push.service_account, "email_verified": True}, age=age)


def envelope(delivery: SimPubSubDelivery) -> bytes:
    """The wrapped form of version 1, with both spellings of id and time."""
    message = delivery.message
    at = stamp(message.published_at)
    told: dict[str, Any] = {"data": base64.b64encode(message.data).decode()}
    told |= {"messageId": message.id, "message_id": message.id, "publishTime": at, "publish_time": at}
    if message.attributes:
        told["attributes"] = message.attributes
    body: dict[str, Any] = {"message": told, "subscription": delivery.subscription.name}
    if delivery.subscription.dead_letter:
        body["deliveryAttempt"] = delivery.attempt
    return msgspec.json.encode(body)
