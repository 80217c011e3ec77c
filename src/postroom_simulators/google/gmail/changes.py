"""Gmail's account-wide calls: profile, history, watch and stop, and the sender's own addresses."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from postroom_simulators.google import errors
from postroom_simulators.google.gmail import wire
from postroom_simulators.google.gmail.mailbox import Record
from postroom_simulators.google.gmail.operations import READ_OR_METADATA, Ask, operation, scopes

_KINDS = {
    "messageAdded": "messagesAdded",
    "messageDeleted": "messagesDeleted",
    "labelAdded": "labelsAdded",
    "labelRemoved": "labelsRemoved",
}
_SETTINGS = scopes("readonly", "modify", "settings.basic")


@operation("getProfile", "GET", "profile", scopes("compose", "metadata", "modify", "readonly"), 1)
def get_profile(ask: Ask) -> dict[str, Any]:
    return {
        "emailAddress": ask.box.address,
        "messagesTotal": len(ask.box.mails),
        "threadsTotal": len(ask.box.threads),
        "historyId": str(ask.box.history_id),
    }


@operation("history.list", "GET", "history", READ_OR_METADATA, 2)
def list_history(ask: Ask) -> dict[str, Any]:
    """`history` is absent, not empty, when nothing happened; the cursor is only right on the last page."""
    start, size = _start(ask), ask.page_size()
    token = ask.one("pageToken")
    if token and not token.isdecimal():
        raise errors.invalid("Invalid pageToken")
    found = list(islice(_visible(ask, int(token) if token else start), size + 1))
    given = found[:size]
    answer: dict[str, Any] = {"historyId": str(_newest_visible(ask, start))}
    if given:
        answer["history"] = [wire.record(record) for record in _in_order(ask, given)]
    if len(found) > size:
        answer["nextPageToken"] = str(given[-1].id)
    return answer


@operation("watch", "POST", "watch", READ_OR_METADATA, 100)
def watch(ask: Ask) -> dict[str, Any]:
    behavior = str(ask.body.get("labelFilterBehavior") or ask.body.get("labelFilterAction") or "include").lower()
    if behavior not in ("include", "exclude"):
        raise errors.invalid("Invalid value at 'labelFilterBehavior'; use include or exclude.")
    labels = ask.names("labelIds")
    for label in labels:
        if label not in ask.box.labels:
            raise errors.invalid(f"Invalid label: {label}")
    topic = str(ask.body.get("topicName", ""))
    if ask.project and not topic.startswith(f"projects/{ask.project}/"):
        raise errors.invalid(f"Invalid topicName does not match projects/{ask.project}/topics/*")
    started = ask.gmail.watches.start(ask.box, topic, labels, include=behavior == "include")
    return {"historyId": str(ask.box.history_id), "expiration": str(int(started.expires_at * 1000))}


@operation("stop", "POST", "stop", READ_OR_METADATA, 50)
def stop(ask: Ask) -> None:
    ask.gmail.watches.stop(ask.box, ask.project)


@operation("settings.sendAs.list", "GET", "settings/sendAs", _SETTINGS, 1)
def list_send_as(ask: Ask) -> dict[str, Any]:
    return {"sendAs": [_send_as(ask)]}


@operation("settings.sendAs.get", "GET", "settings/sendAs/{sendAsEmail}", _SETTINGS, 1)
def get_send_as(ask: Ask) -> dict[str, Any]:
    if ask.path["sendAsEmail"].lower() != ask.box.address:
        raise errors.not_found()
    return _send_as(ask)


def _send_as(ask: Ask) -> dict[str, Any]:
    return {
        "sendAsEmail": ask.box.address,
        "displayName": ask.box.name,
        "replyToAddress": "",
        "signature": "",
        "isPrimary": True,
        "isDefault": True,
    }


def _start(ask: Ask) -> int:
    text = ask.one("startHistoryId")
    if not text.isdecimal():
        raise errors.invalid("Missing or invalid value at 'startHistoryId'; use the historyId of watch or getProfile.")
    if not ask.box.knows_history(int(text)):
        raise errors.not_found()
    return int(text)


def _visible(ask: Ask, after: int) -> Iterator[Record]:
    kinds = _wanted_kinds(ask)
    label = ask.one("labelId")
    newest = ask.gmail.clock.time() - ask.gmail.faults.knobs.history_lag
    for record in ask.box.since(after):
        if record.at > newest:
            return
        if record.kind in kinds and (not label or record.touches(label)):
            yield record


def _wanted_kinds(ask: Ask) -> set[str]:
    wanted = ask.query.get("historyTypes", ())
    for kind in wanted:
        if kind not in _KINDS:
            raise errors.invalid(f"Invalid value at 'historyTypes': {kind!r}; use one of {', '.join(_KINDS)}.")
    return {_KINDS[kind] for kind in wanted} or set(_KINDS.values())


def _newest_visible(ask: Ask, start: int) -> int:
    """With a lagging index the answer's cursor lags with it, so that nothing is skipped."""
    lag = ask.gmail.faults.knobs.history_lag
    if not lag:
        return ask.box.history_id
    newest = ask.gmail.clock.time() - lag
    return max((record.id for record in ask.box.since(start) if record.at <= newest), default=start)


def _in_order(ask: Ask, records: list[Record]) -> list[Record]:
    if not ask.gmail.faults.knobs.history_shuffled or len(records) < 2:
        return records
    turned = ask.gmail.faults.pick(len(records) - 1) + 1
    return records[turned:] + records[:turned]
