"""Gmail's labels: made, read, changed and dropped."""

from __future__ import annotations

from typing import Any

from postroom_simulators.google import errors
from postroom_simulators.google.gmail import wire
from postroom_simulators.google.gmail.mailbox import Label
from postroom_simulators.google.gmail.operations import Ask, operation, scopes

_READ = scopes("labels", "metadata", "modify", "readonly")
_WRITE = scopes("labels", "modify")
_MOST = 10_000
_LIST = ("labelShow", "labelShowIfUnread", "labelHide")
_MESSAGE = ("show", "hide")


@operation("labels.list", "GET", "labels", _READ, 1)
def list_labels(ask: Ask) -> dict[str, Any]:
    return {"labels": [wire.label(label) for label in ask.box.labels.values()]}


@operation("labels.get", "GET", "labels/{id}", _READ, 1)
def get_label(ask: Ask) -> dict[str, Any]:
    return wire.label_with_counts(ask.box, _label(ask))


@operation("labels.create", "POST", "labels", _WRITE, 5)
def create_label(ask: Ask) -> dict[str, Any]:
    name = _free_name(ask, None)
    if len(ask.box.labels) >= _MOST:
        raise errors.invalid("Too many labels; a mailbox has at most 10000.")
    _check(ask.body)
    label = ask.box.new_label(name)
    _apply(label, ask.body)
    return wire.label(label)


@operation("labels.update", "PUT", "labels/{id}", _WRITE, 5)
def update_label(ask: Ask) -> dict[str, Any]:
    return _change(ask, named=True)


@operation("labels.patch", "PATCH", "labels/{id}", _WRITE, 5)
def patch_label(ask: Ask) -> dict[str, Any]:
    return _change(ask, named="name" in ask.body)


@operation("labels.delete", "DELETE", "labels/{id}", _WRITE, 5)
def delete_label(ask: Ask) -> None:
    ask.box.drop_label(_own_label(ask))


def _change(ask: Ask, *, named: bool) -> dict[str, Any]:
    label = _own_label(ask)
    _check(ask.body)
    if named:
        label.name = _free_name(ask, label)
    _apply(label, ask.body)
    return wire.label(label)


def _label(ask: Ask) -> Label:
    label = ask.box.labels.get(ask.path["id"])
    if label is None:
        raise errors.not_found()
    return label


def _own_label(ask: Ask) -> Label:
    label = _label(ask)
    if label.kind == "system":
        raise errors.invalid("Invalid update request: system labels cannot be changed.")
    return label


def _free_name(ask: Ask, taken_by: Label | None) -> str:
    name = ask.body.get("name")
    if not isinstance(name, str) or not name.strip():
        raise errors.invalid("Invalid label name")
    clash = ask.box.label_named(name)
    if clash and clash is not taken_by:
        raise errors.ApiError(409, "aborted", "Label name exists or conflicts", status="ALREADY_EXISTS")
    return name


def _check(body: dict[str, Any]) -> None:
    for key, known in (("labelListVisibility", _LIST), ("messageListVisibility", _MESSAGE)):
        if key in body and body[key] not in known:
            raise errors.invalid(f"Invalid value at 'label.{key}': {body[key]!r}; use one of {', '.join(known)}.")


def _apply(label: Label, body: dict[str, Any]) -> None:
    label.list_visibility = body.get("labelListVisibility", label.list_visibility)
    label.message_visibility = body.get("messageListVisibility", label.message_visibility)
    label.color = body.get("color", label.color)
