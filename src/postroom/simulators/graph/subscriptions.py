"""Subscriptions: create with handshake, renew, reauthorize, list, delete, and who hears of which change."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import unquote

from postroom.simulators.clock import SimClock
from postroom.simulators.faults import Faults
from postroom.simulators.recorder import Recorder

from . import filters
from .agenda import Agenda
from .asks import Answer, Ask, Caller, Refused, split_path
from .items import Folder, Item
from .mailbox import Change, Mailbox
from .pushes import Pushes, may_push
from .tokens import Tokens

_BASIC, _RICH, _SHORTEST, _PER_MAILBOX = 10_070, 1_440, 45, 1000  # minutes, minutes, minutes, subscriptions
_CHANGES = {"created", "updated", "deleted"}
_QUIET = 600.0  # reauthorize and PATCH may not both come within this time


@dataclass(slots=True)
class Subscription:
    id: str
    mailbox: Mailbox
    folder: Folder | None  # None is the whole mailbox
    chosen: filters.Filter | None
    resource: str
    changes: frozenset[str]
    change_type: str
    url: str
    lifecycle_url: str | None
    client_state: str | None
    expires: float
    caller: Caller
    immutable: bool
    rich: bool
    certificate: str | None = None
    certificate_id: str | None = None
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
            "notificationContentType": "application/json" if self.rich else None,
            "lifecycleNotificationUrl": self.lifecycle_url,
            "expirationDateTime": moment(self.expires),
            "creatorId": self.mailbox.guid if self.caller.address else self.caller.app,
            "includeResourceData": self.rich or None,
            "latestSupportedTlsVersion": self.tls,
            "encryptionCertificate": None,
            "encryptionCertificateId": self.certificate_id,
            "notificationUrlAppId": None,
        }


def moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.%f") + "0Z"


class Subscriptions:
    """All subscriptions, by id and by mailbox; an expired one is gone when next looked at."""

    def __init__(
        self,
        clock: SimClock,
        faults: Faults,
        recorder: Recorder,
        pushes: Pushes,
        agenda: Agenda,
        tokens: Tokens,
    ) -> None:
        self._clock, self._faults, self._recorder = clock, faults, recorder
        self._pushes, self._agenda, self._tokens = pushes, agenda, tokens
        self.all: dict[str, Subscription] = {}
        self._by_mailbox: dict[str, dict[str, Subscription]] = {}

    def get(self, key: str) -> Subscription:
        found = self.all.get(key)
        if found is not None and found.expires <= self._clock.time():
            self.remove(found)
            found = None
        if found is None:
            raise Refused(404, "ResourceNotFound", "The object was not found.")
        return found

    def owned(self, key: str, caller: Caller) -> Subscription:
        found = self.get(key)
        if found.caller.app != caller.app:
            raise Refused(404, "ResourceNotFound", "The object was not found.")
        return found

    def of(self, mailbox: Mailbox) -> list[Subscription]:
        now = self._clock.time()
        mine = self._by_mailbox.get(mailbox.guid)
        if not mine:
            return []
        for gone in [one for one in mine.values() if one.expires <= now]:
            self.remove(gone)
        return list(mine.values())

    def remove(self, subscription: Subscription) -> None:
        self.all.pop(subscription.id, None)
        self._by_mailbox.get(subscription.mailbox.guid, {}).pop(subscription.id, None)

    async def create(self, ask: Ask, mailbox: Mailbox, asked: dict[str, Any]) -> Answer:
        made = self._read(ask, mailbox, asked)
        self._refuse_twin(made)
        if len(self.of(mailbox)) >= _PER_MAILBOX:
            raise Refused(403, "ExtensionError", "The limit of active subscriptions for this mailbox was reached.")
        await self._validate(made)
        self._refuse_twin(made)  # another may have been created during the handshake
        self.all[made.id] = made
        self._by_mailbox.setdefault(mailbox.guid, {})[made.id] = made
        self._plan_reauthorization(made)
        context = {"@odata.context": f"{ask.root}/$metadata#subscriptions/$entity"}
        return Answer(201, {**context, **made.shown(secret=True)})

    def _refuse_twin(self, made: Subscription) -> None:
        for one in self.of(made.mailbox):
            same = (one.change_type, one.resource.lower()) == (made.change_type, made.resource.lower())
            if same and (one.caller.app, one.caller.address) == (made.caller.app, made.caller.address):
                text = f"Subscription Id {one.id} already exists for the requested combination"
                raise Refused(409, "ObjectIdentifierInUse", text)

    async def _validate(self, one: Subscription) -> None:
        request_id = str(uuid.uuid4())
        await self._pushes.validate(one.url, request_id)
        if one.lifecycle_url:
            await self._pushes.validate(one.lifecycle_url, request_id)

    def _read(self, ask: Ask, mailbox: Mailbox, asked: dict[str, Any]) -> Subscription:
        kinds = [kind.strip() for kind in str(asked["changeType"]).split(",")]
        if not set(kinds) <= _CHANGES:
            raise _invalid(f"changeType '{asked['changeType']}' is not supported for this resource.")
        state = asked.get("clientState")
        if state is not None and len(str(state)) > 128:
            raise _invalid("clientState may be at most 128 characters long.")
        lifecycle = asked.get("lifecycleNotificationUrl")
        for url in filter(None, [str(asked["notificationUrl"]), lifecycle]):
            if not may_push(url):
                raise _invalid("Notification endpoint must use the HTTPS protocol.")
        rich = bool(asked.get("includeResourceData"))
        if rich and not (asked.get("encryptionCertificate") and asked.get("encryptionCertificateId")):
            raise _invalid("encryptionCertificate and encryptionCertificateId are required with includeResourceData.")
        folder, chosen = resource_of(str(asked["resource"]), mailbox)
        return Subscription(
            id=str(uuid.uuid4()),
            mailbox=mailbox,
            folder=folder,
            chosen=chosen,
            resource=str(asked["resource"]),
            changes=frozenset(kinds),
            change_type=",".join(kinds),
            url=str(asked["notificationUrl"]),
            lifecycle_url=lifecycle,
            client_state=None if state is None else str(state),
            expires=self._expiry(asked["expirationDateTime"], rich=rich),
            caller=ask.caller,
            immutable=ask.immutable,
            rich=rich,
            certificate=asked.get("encryptionCertificate"),
            certificate_id=asked.get("encryptionCertificateId"),
            tls=str(asked.get("latestSupportedTlsVersion") or "v1_2"),
        )

    def _expiry(self, text: object, *, rich: bool) -> float:
        """Too long is refused, too short is raised to 45 minutes."""
        wanted, now = filters.parse_time(str(text)), self._clock.time()
        longest = _RICH if rich else _BASIC
        if wanted > now + longest * 60 + 1:
            raise Refused(
                400, "ExtensionError", f"Subscription expiration can only be {longest} minutes in the future."
            )
        if wanted <= now:
            raise _invalid("Subscription expirationDateTime must be in the future.")
        return max(wanted, now + _SHORTEST * 60)

    async def patch(self, one: Subscription, caller: Caller, asked: dict[str, Any]) -> dict[str, Any]:
        if unknown := set(asked) - {"expirationDateTime", "notificationUrl", "@odata.type", "id"}:
            raise _invalid(
                f"{', '.join(sorted(unknown))} cannot be updated; delete the subscription and create it anew."
            )
        expires = self._expiry(asked["expirationDateTime"], rich=one.rich) if asked.get("expirationDateTime") else None
        moved = str(asked["notificationUrl"]) if asked.get("notificationUrl") else one.url
        if not may_push(moved):
            raise _invalid("Notification endpoint must use the HTTPS protocol.")
        now = self._clock.time()
        if now - one.reauthorized_at < _QUIET:
            self._recorder.mistake(f"subscription {one.id}: PATCH within 10 minutes of reauthorize")
        if self._faults.knobs.validate_on_renew or moved != one.url:
            await self._pushes.validate(moved, str(uuid.uuid4()))
        one.url, one.expires = moved, expires or one.expires
        one.patched_at, one.caller = now, caller
        self._plan_reauthorization(one)
        return one.shown(secret=True)

    async def reauthorize(self, one: Subscription, caller: Caller) -> None:
        now = self._clock.time()
        if now - one.patched_at < _QUIET:
            self._recorder.mistake(f"subscription {one.id}: reauthorize within 10 minutes of PATCH")
        if self._faults.knobs.validate_on_renew:
            await self._pushes.validate(one.url, str(uuid.uuid4()))
        one.reauthorized_at, one.caller = now, caller

    def glance(self, mailbox: Mailbox, item: Item) -> frozenset[str]:
        """Filtered subscriptions that this message matches as it is now."""
        mine = self._by_mailbox.get(mailbox.guid)
        if not mine:
            return frozenset()
        return frozenset(
            one.id
            for one in mine.values()
            if one.chosen and (one.folder is None or one.folder is item.folder) and one.chosen.test(item)
        )

    def hear(self, mailbox: Mailbox, change: Change) -> None:
        """Tell every subscription that wants to know."""
        if mailbox.guid not in self._by_mailbox:
            return
        for one in self.of(mailbox):
            kind = _kind_for(one, change)
            if kind is not None and kind in one.changes and self._tokens.alive(one.caller.grant):
                self._tell(one, kind, change)

    def _tell(self, one: Subscription, kind: str, change: Change) -> None:
        knobs = self._faults.knobs
        if kind == "created" and knobs.unreadable_for:
            change.item.readable_at = self._clock.time() + knobs.unreadable_for
        if self._faults.strikes(knobs.missed):
            self.lifecycle(one, "missed")
            return
        self._pushes.put(one.url, self._notice(one, kind, change))
        if kind == "created" and "updated" in one.changes and self._faults.strikes(knobs.extra_updates):
            self._pushes.put(one.url, self._notice(one, "updated", change))

    def _notice(self, one: Subscription, kind: str, change: Change) -> dict[str, Any]:
        key = change.item.immutable_id if one.immutable else change.mutable_id
        resource = f"Users/{one.mailbox.guid}/Messages/{key}"
        if self._faults.strikes(self._faults.knobs.odd_resource):
            resource = f"users/{one.mailbox.guid}@{one.mailbox.tenant}/messages/{key}"
        hidden = self._faults.strikes(self._faults.knobs.null_client_state)
        return {
            "subscriptionId": one.id,
            "subscriptionExpirationDateTime": moment(one.expires),
            "changeType": kind,
            "resource": resource,
            "resourceData": {
                "@odata.type": "#Microsoft.Graph.Message",
                "@odata.id": resource,
                "@odata.etag": f'W/"{change.item.change_key}"',
                "id": key,
            },
            "clientState": None if hidden else one.client_state,
            "tenantId": one.mailbox.tenant,
        }

    def lifecycle(self, one: Subscription, event: str) -> None:
        """Send a lifecycle event; `subscriptionRemoved` removes the subscription as well."""
        if event == "subscriptionRemoved":
            self.remove(one)
        if one.lifecycle_url is None:
            return
        item: dict[str, Any] = {
            "subscriptionId": one.id,
            "subscriptionExpirationDateTime": moment(one.expires),
            "tenantId": one.mailbox.tenant,
            "clientState": one.client_state,
            "lifecycleEvent": event,
        }
        if self._faults.strikes(self._faults.knobs.organization_id):
            item["organizationId"] = item.pop("tenantId")
            item |= {"resource": "", "resourceData": {}, "sequence": None, "encryptedContent": None}
        self._pushes.put(one.lifecycle_url, item)

    def _plan_reauthorization(self, one: Subscription) -> None:
        before = self._faults.knobs.reauthorize_before
        if not before or one.lifecycle_url is None:
            return
        expires = one.expires

        def due() -> None:
            if self.all.get(one.id) is one and one.expires == expires:
                self.lifecycle(one, "reauthorizationRequired")

        self._agenda.after(max(0.0, expires - before - self._clock.time()), due)


def _kind_for(one: Subscription, change: Change) -> str | None:
    """How this change looks through this subscription."""
    if one.folder is None and change.moved and one.immutable:
        return "updated" if change.kind == "created" else None
    if one.folder is not None and one.folder is not change.folder:
        return None
    if one.chosen is None or change.kind == "deleted":
        return change.kind if one.chosen is None or one.id in change.matched else None
    matches = one.chosen.test(change.item)
    if change.kind == "created":
        return "created" if matches else None
    match (one.id in change.matched, matches):
        case (False, True):
            return "created"
        case (True, False):
            return "deleted"
        case (True, True):
            return "updated"
        case _:
            return None


def _invalid(message: str) -> Refused:
    return Refused(400, "InvalidRequest", message)


_RESOURCE = re.compile(r"^/?(?P<path>[^?]+)(?:\?(?P<query>.*))?$")


def required(asked: dict[str, Any]) -> None:
    for name in ("changeType", "notificationUrl", "resource", "expirationDateTime"):
        if not asked.get(name):
            raise _invalid(f"The {name} property is required to create a subscription.")


def whose(resource: str) -> str:
    """The user a resource path names: an id, an address, or `me`."""
    parts = _parts(resource)[0]
    if parts[:1] == ["me"]:
        return "me"
    if len(parts) > 1 and parts[0] == "users":
        return parts[1]
    raise _invalid(f"Resource '{resource}' is not supported: only messages of a user can be watched here.")


def _parts(resource: str) -> tuple[list[str], str]:
    match = _RESOURCE.match(resource)
    if match is None:
        raise _invalid("The resource property is required to create a subscription.")
    return split_path([unquote(one) for one in match["path"].strip("/").split("/")]), unquote(match["query"] or "")


def resource_of(resource: str, mailbox: Mailbox) -> tuple[Folder | None, filters.Filter | None]:
    parts, query = _parts(resource)
    rest = parts[1:] if parts[0] == "me" else parts[2:]
    chosen = None
    for option in filter(None, query.split("&")):
        name, _, text = option.partition("=")
        if name.lower() == "$filter":
            chosen = filters.parse(text)
    match [one.lower() for one in rest]:
        case ["messages"]:
            return None, chosen
        case ["mailfolders", _, "messages"]:
            return mailbox.folder(rest[1]), chosen
        case _:
            raise _invalid(f"Resource '{resource}' is not supported: only messages of a user can be watched here.")
