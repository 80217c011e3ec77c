"""Gmail's account-wide calls: profile, history, watch and stop."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from postroom_simulators.google import errors
from postroom_simulators.google.gmail import wire
from postroom_simulators.google.gmail.mailbox import SimHistoryRecord
from postroom_simulators.google.gmail.operations import READ_OR_METADATA, GmailRequest, operation, scopes

_KINDS = {
    "messageAdded": "messagesAdded",
    "messageDeleted": "messagesDeleted",
    "labelAdded": "labelsAdded",
    "labelRemoved": "labelsRemoved",
}


@operation("getProfile", "GET", "profile", scopes("compose", "metadata", "modify", "readonly"), 1)
def get_profile(request: GmailRequest) -> dict[str, Any]:
    return {
        "emailAddress": request.box.address,
        "messagesTotal": len(request.box.mails),
        "threadsTotal": len(request.box.threads),
        "historyId": str(request.box.history_id),
    }


@operation("history.list", "GET", "history", READ_OR_METADATA, 2)
def list_history(request: GmailRequest) -> dict[str, Any]:
    """`history` is absent, not empty, when nothing happened; the cursor is only right on the last page."""
    start, size = _start(request), request.page_size()
    token = request.one("pageToken")
    if token and not token.isdecimal():
        raise errors.invalid("Invalid pageToken")
    found = list(islice(_visible(request, int(token) if token else start), size + 1))
    given = found[:size]
    answer: dict[str, Any] = {"historyId": str(_newest_visible(request, start))}
    if given:
        answer["history"] = [wire.record(record) for record in _in_order(request, given)]
    if len(found) > size:
        answer["nextPageToken"] = str(given[-1].id)
    return answer


@operation("watch", "POST", "watch", READ_OR_METADATA, 100)
def watch(request: GmailRequest) -> dict[str, Any]:
    behavior = str(
        request.body.get("labelFilterBehavior") or request.body.get("labelFilterAction") or "include"
    ).lower()
    if behavior not in ("include", "exclude"):
        raise errors.invalid("Invalid value at 'labelFilterBehavior'; use include or exclude.")
    labels = request.names("labelIds")
    for label in labels:
        if label not in request.box.labels:
            raise errors.invalid(f"Invalid label: {label}")
    topic = str(request.body.get("topicName", ""))
    if request.project and not topic.startswith(f"projects/{request.project}/"):
        raise errors.invalid(f"Invalid topicName does not match projects/{request.project}/topics/*")
    started = request.gmail.watches.start(request.box, topic, labels, include=behavior == "include")
    return {"historyId": str(request.box.history_id), "expiration": str(int(started.expires_at * 1000))}


@operation("stop", "POST", "stop", READ_OR_METADATA, 50)
def stop(request: GmailRequest) -> None:
    request.gmail.watches.stop(request.box, request.project)


def _start(request: GmailRequest) -> int:
    text = request.one("startHistoryId")
    if not text.isdecimal():
        raise errors.invalid("Missing or invalid value at 'startHistoryId'; use the historyId of watch or getProfile.")
    if not request.box.knows_history(int(text)):
        raise errors.not_found()
    return int(text)


def _visible(request: GmailRequest, after: int) -> Iterator[SimHistoryRecord]:
    kinds = _wanted_kinds(request)
    label = request.one("labelId")
    newest = request.gmail.clock.time() - request.gmail.faults.switches.history_lag
    for record in request.box.since(after):
        if record.at > newest:
            return
        if record.kind in kinds and (not label or record.touches(label)):
            yield record


def _wanted_kinds(request: GmailRequest) -> set[str]:
    wanted = request.query.get("historyTypes", ())
    for kind in wanted:
        if kind not in _KINDS:
            raise errors.invalid(f"Invalid value at 'historyTypes': {kind!r}; use one of {', '.join(_KINDS)}.")
    return {_KINDS[kind] for kind in wanted} or set(_KINDS.values())


def _newest_visible(request: GmailRequest, start: int) -> int:
    """With a lagging index the answer's cursor lags with it, so that nothing is skipped."""
    lag = request.gmail.faults.switches.history_lag
    if not lag:
        return request.box.history_id
    newest = request.gmail.clock.time() - lag
    return max((record.id for record in request.box.since(start) if record.at <= newest), default=start)


def _in_order(request: GmailRequest, records: list[SimHistoryRecord]) -> list[SimHistoryRecord]:
    if not request.gmail.faults.switches.history_shuffled or len(records) < 2:
        return records
    turned = request.gmail.faults.pick(len(records) - 1) + 1
    return records[turned:] + records[:turned]
