"""A subscription: what was asked for, checked as Graph checks it, and how it is shown."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import unquote

from . import filters, rich, views
from .items import SimGraphFolder
from .mailbox import SimGraphMailbox
from .pushes import may_push
from .request import GraphCaller, GraphError, GraphRequest, split_path

_BASIC, _RICH, _SHORTEST = 10_070, 1_440, 45  # minutes
_CHANGES = {"created", "updated", "deleted"}
_RESOURCE = re.compile(r"^/?(?P<path>[^?]+)(?:\?(?P<query>.*))?$")


@dataclass(slots=True)
class SimGraphSubscription:
    id: str
    mailbox: SimGraphMailbox
    folder: SimGraphFolder | None  # None is the whole mailbox
    chosen: filters.MessageFilter | None
    resource: str
    changes: frozenset[str]
    change_type: str
    url: str
    lifecycle_url: str | None
    client_state: str | None
    expires: float
    caller: GraphCaller
    immutable: bool
    lock: rich.ResourceDataLock | None = None  # what seals the content of rich notifications
    select: tuple[str, ...] = ()
    tls: str = "v1_2"
    reauthorized_at: float = -1e12
    patched_at: float = -1e12

    def shown(self, *, secret: bool) -> dict[str, Any]:
        return {
            "id": self.id,
            "resource": self.resource,
            "applicationId": self.caller.app,
            "changeType": self.change_type,
            "clientState": self.client_state if secret else None,
            "notificationUrl": self.url,
            "notificationQueryOptions": None,
            "notificationContentType": "application/json" if self.lock else None,
            "lifecycleNotificationUrl": self.lifecycle_url,
            "expirationDateTime": moment(self.expires),
            "creatorId": self.mailbox.guid if self.caller.address else self.caller.app,
            "includeResourceData": True if self.lock else None,
            "latestSupportedTlsVersion": self.tls,
            "encryptionCertificate": None,
            "encryptionCertificateId": self.lock.certificate_id if self.lock else None,
            "notificationUrlAppId": None,
        }


def moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.%f") + "0Z"


def invalid(message: str) -> GraphError:
    return GraphError(400, "InvalidRequest", message)


def required(asked: dict[str, Any]) -> None:
    for name in ("changeType", "notificationUrl", "resource", "expirationDateTime"):
        if not asked.get(name):
            raise invalid(f"The {name} property is required to create a subscription.")


def read(request: GraphRequest, mailbox: SimGraphMailbox, asked: dict[str, Any], now: float) -> SimGraphSubscription:
    """What the client wants, or a refusal that says what is wrong with it."""
    kinds = [kind.strip() for kind in str(asked["changeType"]).split(",")]
    if not set(kinds) <= _CHANGES:
        raise invalid(f"changeType '{asked['changeType']}' is not supported for this resource.")
    state = asked.get("clientState")
    if state is not None and len(str(state)) > 128:
        raise invalid("clientState may be at most 128 characters long.")
    urls = [str(asked["notificationUrl"]), str(asked.get("lifecycleNotificationUrl") or "")]
    if not all(may_push(url) for url in urls if url):
        raise invalid("Notification endpoint must use the HTTPS protocol.")
    folder, chosen, select = resource_of(str(asked["resource"]), mailbox)
    lock = _lock(asked, select) if asked.get("includeResourceData") else None
    return SimGraphSubscription(
        id=str(uuid.uuid4()),
        mailbox=mailbox,
        folder=folder,
        chosen=chosen,
        resource=str(asked["resource"]),
        changes=frozenset(kinds),
        change_type=",".join(kinds),
        url=urls[0],
        lifecycle_url=urls[1] or None,
        client_state=None if state is None else str(state),
        expires=expiry(asked["expirationDateTime"], now, rich=lock is not None),
        caller=request.caller,
        immutable=request.immutable,
        lock=lock,
        select=select,
        tls=str(asked.get("latestSupportedTlsVersion") or "v1_2"),
    )


def _lock(asked: dict[str, Any], select: tuple[str, ...]) -> rich.ResourceDataLock:
    certificate, key = asked.get("encryptionCertificate"), asked.get("encryptionCertificateId")
    if not certificate or not key:
        raise invalid("includeResourceData needs encryptionCertificate and encryptionCertificateId.")
    if not select or {"body", "uniqueBody"} & set(select):
        raise invalid("includeResourceData needs $select in the resource, without body and uniqueBody.")
    try:
        return rich.ResourceDataLock.read(str(certificate), str(key))
    except ValueError as error:
        raise invalid(f"The encryptionCertificate is not usable: {error}.") from None


def expiry(text: object, now: float, *, rich: bool) -> float:
    """Too long is refused, too short is raised to 45 minutes."""
    wanted = filters.parse_time(str(text))
    longest = _RICH if rich else _BASIC
    if wanted > now + longest * 60 + 1:
        text = f"Subscription expiration can only be {longest} minutes in the future."
        raise GraphError(400, "ExtensionError", text)
    if wanted <= now:
        raise invalid("Subscription expirationDateTime must be in the future.")
    return max(wanted, now + _SHORTEST * 60)


def whose(resource: str) -> str:
    """The user a resource path names: an id, an address, or `me`."""
    parts = _parts(resource)[0]
    if parts[0].lower() == "me":
        return "me"
    if len(parts) > 1 and parts[0].lower() == "users":
        return parts[1]
    raise _unsupported(resource)


def _unsupported(resource: str) -> GraphError:
    return invalid(f"Resource '{resource}' is not supported: only messages of a user can be watched here.")


def _parts(resource: str) -> tuple[list[str], str]:
    match = _RESOURCE.match(resource)
    if match is None:
        raise invalid("The resource property is required to create a subscription.")
    segments = [unquote(one) for one in match["path"].strip("/").split("/")]
    return split_path(segments), unquote(match["query"] or "")


def resource_of(
    resource: str, mailbox: SimGraphMailbox
) -> tuple[SimGraphFolder | None, filters.MessageFilter | None, tuple[str, ...]]:
    """The folder (None: the whole mailbox), the filter, and the properties a rich notification carries."""
    parts, query = _parts(resource)
    rest = parts[1:] if parts[0].lower() == "me" else parts[2:]
    chosen: filters.MessageFilter | None = None
    select: tuple[str, ...] = ()
    for option in filter(None, query.split("&")):
        name, _, text = option.partition("=")
        if name.lower() == "$filter":
            chosen = filters.parse(text)
        elif name.lower() == "$select":
            select = tuple(one for one in text.split(",") if one in views.KNOWN)
    match [one.lower() for one in rest]:
        case ["messages"]:
            return None, chosen, select
        case ["mailfolders", _, "messages"]:
            return mailbox.folder(rest[1]), chosen, select
        case _:
            raise _unsupported(resource)
