"""Pub/Sub's JSON: topics, subscriptions and policies, read and shown."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from postroom_simulators.google.errors import GoogleApiError
from postroom_simulators.google.pubsub.broker import PushConfig, SimPubSubSubscription, SimPubSubTopic

Body = dict[str, Any]

_RETENTION = (600.0, 31 * 24 * 3600.0)
_BACKOFF = (0.0, 600.0)


def topic(item: SimPubSubTopic) -> Body:
    return {"name": item.name} | ({"labels": item.labels} if item.labels else {})


def subscription(item: SimPubSubSubscription) -> Body:
    shown: Body = {
        "name": item.name,
        "topic": item.topic,
        "pushConfig": _push(item.push) if item.push else {},
        "ackDeadlineSeconds": round(item.ack_deadline),
        "messageRetentionDuration": f"{item.retention:g}s",
        "state": "ACTIVE",
    }
    if item.backoff:
        shown["retryPolicy"] = {
            "minimumBackoff": f"{item.backoff[0]:g}s",
            "maximumBackoff": f"{item.backoff[1]:g}s",
        }
    if item.dead_letter:
        shown["deadLetterPolicy"] = {
            "deadLetterTopic": item.dead_letter[0],
            "maxDeliveryAttempts": item.dead_letter[1],
        }
    return shown | ({"labels": item.labels} if item.labels else {})


def policy(bindings: list[Body]) -> Body:
    etag = hashlib.sha256(json.dumps(bindings, sort_keys=True).encode()).hexdigest()[:12]
    return {"version": 1, "etag": etag} | ({"bindings": bindings} if bindings else {})


def apply(item: SimPubSubSubscription, body: Body) -> SimPubSubSubscription:
    """Set what the body names, refusing what Pub/Sub refuses."""
    if "pushConfig" in body:
        item.push = push(body["pushConfig"] or {})
    if body.get("ackDeadlineSeconds"):
        item.ack_deadline = _between(body["ackDeadlineSeconds"], (10, 600), "ackDeadlineSeconds")
    if body.get("messageRetentionDuration"):
        item.retention = _duration(body["messageRetentionDuration"], _RETENTION, "messageRetentionDuration")
    if "retryPolicy" in body:
        retry = body["retryPolicy"] or {}
        shortest = _duration(retry.get("minimumBackoff", "10s"), _BACKOFF, "minimumBackoff")
        item.backoff = shortest, _duration(retry.get("maximumBackoff", "600s"), _BACKOFF, "maximumBackoff")
    if body.get("deadLetterPolicy"):
        letter = body["deadLetterPolicy"]
        attempts = _between(letter.get("maxDeliveryAttempts", 5), (5, 100), "maxDeliveryAttempts")
        item.dead_letter = str(letter.get("deadLetterTopic", "")), int(attempts)
    item.labels = body.get("labels", item.labels)
    return item


def push(config: Body) -> PushConfig | None:
    endpoint = config.get("pushEndpoint")
    if not endpoint:
        return None
    if not str(endpoint).startswith(("https://", "http://")):
        raise _invalid("pushEndpoint must be an address starting with https:// (or http:// here).")
    token = config.get("oidcToken") or {}
    return PushConfig(str(endpoint), str(token.get("audience", "")), str(token.get("serviceAccountEmail", "")))


def _push(item: PushConfig) -> Body:
    shown: Body = {"pushEndpoint": item.endpoint}
    if item.service_account:
        token = {"serviceAccountEmail": item.service_account}
        shown["oidcToken"] = token | ({"audience": item.audience} if item.audience else {})
    return shown


def _duration(text: Any, bounds: tuple[float, float], name: str) -> float:
    try:
        seconds = float(str(text).removesuffix("s"))
    except ValueError as error:
        raise _invalid(f"{name} must be written as seconds, like 600s.") from error
    return _between(seconds, bounds, name)


def _between(value: Any, bounds: tuple[float, float], name: str) -> float:
    if not isinstance(value, int | float) or not bounds[0] <= value <= bounds[1]:
        raise _invalid(f"{name} must be between {bounds[0]:g} and {bounds[1]:g}.")
    return float(value)


def _invalid(message: str) -> GoogleApiError:
    return GoogleApiError(400, "invalidArgument", message)
