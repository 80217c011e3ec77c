"""Gmail's promise to tell a Pub/Sub topic about changes: seven days, at most once a second."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

import msgspec

from postroom_simulators.clock import SimClock
from postroom_simulators.faults import Faults
from postroom_simulators.google import errors
from postroom_simulators.google.gmail.mailbox import SimGmailMailbox
from postroom_simulators.google.pubsub.broker import PubSubBroker

PUBLISHER = "serviceAccount:gmail-api-push@system.gserviceaccount.com"
_LIFE = 7 * 24 * 3600.0
_PAUSE = 1.0  # more than one notification a second and user is dropped, not delayed
_TOPIC = re.compile(r"projects/([^/]+)/topics/[^/]+")


@dataclass(slots=True)
class GmailPushWatch:
    topic: str
    labels: frozenset[str]
    include: bool
    expires_at: float
    told_at: float = 0.0
    pushed: int = 0
    dropped: int = 0

    def cares_about(self, touched: Collection[str]) -> bool:
        return not self.labels or self.include is not self.labels.isdisjoint(touched)


class GmailWatches:
    """One watch per mailbox and project."""

    def __init__(self, clock: SimClock, faults: Faults, broker: PubSubBroker) -> None:
        self._clock = clock
        self._faults = faults
        self._broker = broker
        self._of: dict[str, dict[str, GmailPushWatch]] = {}

    def start(self, box: SimGmailMailbox, topic: str, labels: Collection[str], *, include: bool) -> GmailPushWatch:
        named = _TOPIC.fullmatch(topic)
        if not named:
            raise errors.invalid("Invalid topicName does not match projects/*/topics/*")
        self._check_topic(topic)
        mine = self._of.setdefault(box.address, {})
        old = mine.get(named[1])
        now = self._clock.time()
        if old and old.expires_at > now and old.topic != topic:
            raise errors.invalid(
                "Only one user push notification client allowed per developer (call /stop then try again)"
            )
        watch = mine[named[1]] = GmailPushWatch(topic, frozenset(labels), include, now + _LIFE)
        self._tell(box, watch, now)
        return watch

    def stop(self, box: SimGmailMailbox, project: str = "") -> None:
        """The watch of one project, or all when the caller's project is unknown."""
        if project:
            self._of.get(box.address, {}).pop(project, None)
        else:
            self._of.pop(box.address, None)

    def of(self, address: str) -> list[GmailPushWatch]:
        now = self._clock.time()
        return [watch for watch in self._of.get(address, {}).values() if watch.expires_at > now]

    def changed(self, box: SimGmailMailbox, touched: Collection[str]) -> None:
        watches = self._of.get(box.address)
        if not watches:
            return
        now = self._clock.time()
        for watch in watches.values():
            if watch.expires_at <= now or not watch.cares_about(touched):
                continue
            if self._faults.switches.one_push_a_second and now - watch.told_at < _PAUSE:
                watch.dropped += 1
            else:
                self._tell(box, watch, now)

    def _tell(self, box: SimGmailMailbox, watch: GmailPushWatch, now: float) -> None:
        watch.told_at = now
        watch.pushed += 1
        number = self._faults.switches.pubsub_number_history_id
        history_id = box.history_id if number else str(box.history_id)
        news = msgspec.json.encode({"emailAddress": box.address, "historyId": history_id})
        self._broker.publish(watch.topic, news, about=box.address)

    def _check_topic(self, name: str) -> None:
        topic = self._broker.topic_for_watch(name)
        failed = f"Error sending test message to Cloud PubSub {name} : "
        if topic is None:
            raise errors.GoogleApiError(404, "notFound", failed + "Resource not found (resource=topic).")
        if not topic.grants("roles/pubsub.publisher", PUBLISHER):
            raise errors.GoogleApiError(403, "forbidden", failed + "User not authorized to perform this action.")
