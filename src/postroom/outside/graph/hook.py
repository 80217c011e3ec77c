"""Graph's webhook: the body of a POST becomes notifications. Pure, lenient; who sent it is not judged here."""

from __future__ import annotations

from typing import Any, cast, get_args

import msgspec

from postroom.nouns.errors import BadRequest
from postroom.nouns.providers import LifecycleEvent, Notification, ProviderRef
from postroom.nouns.secrets import Secret
from postroom.outside.graph import parse

_EVENTS = frozenset(get_args(LifecycleEvent))


def notifications(body: bytes) -> list[Notification]:
    """One for every item, on whichever URL it came. An item we cannot read gives an empty notification, never none."""
    try:
        said = msgspec.json.decode(body.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise BadRequest("The notification is not JSON: nothing was taken from it.") from None
    items = said.get("value") if isinstance(said, dict) else None
    if not isinstance(items, list):
        raise BadRequest('The notification has no "value" list: nothing was taken from it.')
    return [_notification(item) if isinstance(item, dict) else Notification() for item in items]


def _notification(item: dict[str, Any]) -> Notification:
    event = _text(item.get("lifecycleEvent"))
    state = item.get("clientState")
    return Notification(
        watch_id=_text(item.get("subscriptionId")),
        client_state=None if state is None else Secret(str(state)),
        message_ref=None if event else _message_ref(item),
        change=_text(item.get("changeType")),
        lifecycle=cast("LifecycleEvent", event) if event in _EVENTS else None,
    )


def _message_ref(item: dict[str, Any]) -> ProviderRef | None:
    data = item.get("resourceData")
    named = data if isinstance(data, dict) else {}
    if ref := _text(named.get("id")):
        return ProviderRef(ref)
    return parse.message_ref(_text(item.get("resource"))) or parse.message_ref(_text(named.get("@odata.id")))


def _text(value: Any) -> str:
    """Nothing that Graph names has a NUL in it, and PostgreSQL has no place for one."""
    return value if isinstance(value, str) and "\0" not in value else ""
