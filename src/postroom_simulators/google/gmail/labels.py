"""Gmail's labels: made, read, changed and dropped."""

from __future__ import annotations

from typing import Any

from postroom_simulators.google import errors
from postroom_simulators.google.gmail import colours, wire
from postroom_simulators.google.gmail.mailbox import SimGmailLabel
from postroom_simulators.google.gmail.operations import GmailRequest, operation, scopes

_READ = scopes("labels", "metadata", "modify", "readonly")
_WRITE = scopes("labels", "modify")
_MOST = 10_000
_LIST = ("labelShow", "labelShowIfUnread", "labelHide")
_MESSAGE = ("show", "hide")


@operation("labels.list", "GET", "labels", _READ, 1)
def list_labels(request: GmailRequest) -> dict[str, Any]:
    return {"labels": [wire.label(label) for label in request.box.labels.values()]}


@operation("labels.get", "GET", "labels/{id}", _READ, 1)
def get_label(request: GmailRequest) -> dict[str, Any]:
    return wire.label_with_counts(request.box, _label(request))


@operation("labels.create", "POST", "labels", _WRITE, 5)
def create_label(request: GmailRequest) -> dict[str, Any]:
    name = _free_name(request, None)
    if len(request.box.labels) >= _MOST:
        raise errors.invalid("Too many labels; a mailbox has at most 10000.")
    _check(request.body)
    label = request.box.new_label(name)
    _apply(label, request.body)
    return wire.label(label)


@operation("labels.update", "PUT", "labels/{id}", _WRITE, 5)
def update_label(request: GmailRequest) -> dict[str, Any]:
    return _change(request, named=True)


@operation("labels.patch", "PATCH", "labels/{id}", _WRITE, 5)
def patch_label(request: GmailRequest) -> dict[str, Any]:
    return _change(request, named="name" in request.body)


@operation("labels.delete", "DELETE", "labels/{id}", _WRITE, 5)
def delete_label(request: GmailRequest) -> None:
    request.box.drop_label(_own_label(request))


def _change(request: GmailRequest, *, named: bool) -> dict[str, Any]:
    label = _own_label(request)
    _check(request.body)
    if named:
        label.name = _free_name(request, label)
    _apply(label, request.body)
    return wire.label(label)


def _label(request: GmailRequest) -> SimGmailLabel:
    label = request.box.labels.get(request.path["id"])
    if label is None:
        raise errors.not_found()
    return label


def _own_label(request: GmailRequest) -> SimGmailLabel:
    label = _label(request)
    if label.kind == "system":
        raise errors.invalid("Invalid update request: system labels cannot be changed.")
    return label


def _free_name(request: GmailRequest, taken_by: SimGmailLabel | None) -> str:
    name = request.body.get("name")
    if not isinstance(name, str) or not name.strip():
        raise errors.invalid("Invalid label name")
    clash = request.box.label_named(name)
    if clash and clash is not taken_by:
        raise errors.GoogleApiError(409, "aborted", "Label name exists or conflicts", status="ALREADY_EXISTS")
    return name


def _check(body: dict[str, Any]) -> None:
    for key, known in (("labelListVisibility", _LIST), ("messageListVisibility", _MESSAGE)):
        if key in body and body[key] not in known:
            raise errors.invalid(f"Invalid value at 'label.{key}': {body[key]!r}; use one of {', '.join(known)}.")
    if body.get("color") is not None:
        colours.check(body["color"])


def _apply(label: SimGmailLabel, body: dict[str, Any]) -> None:
    label.list_visibility = body.get("labelListVisibility", label.list_visibility)
    label.message_visibility = body.get("messageListVisibility", label.message_visibility)
    label.color = body.get("color", label.color)
