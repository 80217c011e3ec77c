"""Graph's words become ours: messages, pages, subscriptions and refusals. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import unquote

from postroom.mail.html import html_to_text
from postroom.nouns import errors
from postroom.nouns.drafts import Draft, DraftMarkers
from postroom.nouns.errors import PostroomError
from postroom.nouns.providers import (
    DRAFT,
    INBOX,
    SENT,
    SPAM,
    TRASH,
    Changes,
    Cursor,
    Glimpse,
    Listing,
    ProviderRef,
    Watch,
)
from postroom.nouns.secrets import Secret
from postroom.nouns.threads import ThreadMessage
from postroom.outside.graph import compose, wire

# Folders whose names work as ids in any language: https://learn.microsoft.com/graph/api/resources/mailfolder
LABELS = {
    "inbox": INBOX,
    "junkemail": SPAM,
    "deleteditems": TRASH,
    "recoverableitemsdeletions": TRASH,
    "sentitems": SENT,
    "outbox": SENT,  # on its way
    "drafts": DRAFT,
}
WELL_KNOWN = frozenset({*LABELS, "archive", "clutter", "conversationhistory", "scheduled", "msgfolderroot"})

_MESSAGE_PATH = re.compile(r"(?:^|/)messages(?:/(?P<plain>[^/?()]+)|\('(?P<quoted>(?:[^']|'')+)'\))", re.IGNORECASE)
_EXISTING_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_LONGEST = re.compile(r"can only be (\d+) minutes", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SubscriptionInfo:
    """A subscription as Graph describes it. Reading one back hides its `client_state`."""

    id: str
    resource: str
    expires_at: datetime
    notification_url: str
    lifecycle_url: str | None = None
    change_type: str = ""
    client_state: Secret | None = None


def moment(text: str) -> datetime:
    """Graph writes seven digits of a second, and at times an offset other than Z."""
    when = datetime.fromisoformat(text)
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).astimezone(UTC)


def written(when: datetime) -> str:
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@contextmanager
def understood() -> Iterator[None]:
    """What does not look as documented came from a proxy, or half way through a deployment of theirs."""
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError):
        raise errors.Unavailable("Microsoft sent something that we do not understand: this is tried again.") from None


@understood()
def glimpse(item: wire.GraphMessage, labels: frozenset[str]) -> Glimpse:
    """`labels` are those of the folder it lies in; the categories that people see on it are labels too.

    An item of a delta may say no more than what changed.
    """
    return _glimpse(item, labels)


def _glimpse(item: wire.GraphMessage, labels: frozenset[str]) -> Glimpse:
    draft = bool(item.get("isDraft"))
    received = item.get("receivedDateTime")
    sender = item.get("from")
    thread = item.get("conversationId")
    return Glimpse(
        ref=ProviderRef(item["id"]),
        thread_ref=ProviderRef(thread) if thread else None,
        received_at=moment(received) if received else None,
        labels=labels | frozenset(item.get("categories") or ()) | ({DRAFT} if draft else frozenset()),
        version=item.get("changeKey") or item.get("@odata.etag", "").removeprefix("W/").strip('"'),
        subject=item.get("subject") or "",
        sender=_address(sender) if sender else "",
        internet_message_id=item.get("internetMessageId") or "",
        is_draft=draft,
    )


@understood()
def changes(page: wire.GraphMessagePage, labels: frozenset[str]) -> Changes:
    """A delta page, drafts among it. The name of the link tells whether more follows, never the token inside it."""
    link = page.get("@odata.nextLink") or page.get("@odata.deltaLink")
    if not link:
        raise errors.Unavailable("Microsoft sent a page of changes without the link to go on from: try again.")
    arrived = _once(page["value"], labels)
    removed = dict.fromkeys(ProviderRef(item["id"]) for item in page["value"] if "@removed" in item)
    return Changes(
        arrived=list(arrived.values()),
        removed=[ref for ref in removed if ref not in arrived],
        cursor=Cursor(link),
        more="@odata.nextLink" in page,
    )


def _once(items: Sequence[wire.GraphMessage], labels: frozenset[str]) -> dict[ProviderRef, Glimpse]:
    """A page may name a message several times; what says more is kept, then what comes later."""
    seen: dict[ProviderRef, Glimpse] = {}
    for item in items:
        if "@removed" in item:
            continue
        one = _glimpse(item, labels)
        if one.received_at is not None or one.ref not in seen:
            seen[one.ref] = one
    return seen


@understood()
def listing(page: wire.GraphMessagePage, labels: frozenset[str]) -> Listing:
    """A page in order of arrival, and where the next begins.

    Graph's own link counts messages to skip, so one that is moved out meanwhile would hide another. The next page is
    therefore asked for by the last second seen, whose messages wait for it. Only a second that fills a page by itself
    is walked by the link.
    """
    shown = [_glimpse(item, labels) for item in page["value"]]
    link = page.get("@odata.nextLink")
    if not link:
        return Listing(_finished(shown), None)
    last = shown[-1].received_at if shown else None
    before = [one for one in shown if last and one.received_at and one.received_at < last]
    if last is None or not before:
        return Listing(_finished(shown), link)
    return Listing(_finished(before), written(last))


def _finished(shown: Sequence[Glimpse]) -> list[Glimpse]:
    return [one for one in shown if not one.is_draft]


def _address(person: wire.GraphRecipient) -> str:
    return ((person.get("emailAddress") or {}).get("address") or "").lower()


def _addresses(people: Sequence[wire.GraphRecipient] | None) -> tuple[str, ...]:
    return tuple(address for person in people or () if (address := _address(person)))


@understood()
def thread_message(item: wire.GraphMessage, labels: frozenset[str]) -> ThreadMessage:
    seen = _glimpse(item, labels)
    return ThreadMessage(
        seen,
        to=_addresses(item.get("toRecipients")),
        cc=_addresses(item.get("ccRecipients")),
        bcc=_addresses(item.get("bccRecipients")),
        reply_to=_addresses(item.get("replyTo")),
        draft_ref=seen.ref if seen.is_draft else None,
    )


@understood()
def draft(item: wire.GraphMessage, files: Sequence[str] = ()) -> Draft:
    body = item.get("body") or {}
    content = body.get("content") or ""
    is_html = body.get("contentType", "html").lower() != "text"
    seen = _glimpse(item, frozenset())
    return Draft(
        ref=seen.ref,
        message_ref=seen.ref,
        version=seen.version,
        thread_ref=seen.thread_ref,
        to=_addresses(item.get("toRecipients")),
        cc=_addresses(item.get("ccRecipients")),
        bcc=_addresses(item.get("bccRecipients")),
        subject=seen.subject,
        text=html_to_text(content) if is_html else content,
        html=content if is_html else "",
        markers=_markers(item.get("singleValueExtendedProperties") or ()),
        internet_message_id=seen.internet_message_id,
        files=tuple(files),
    )


def _markers(properties: Sequence[wire.GraphExtendedProperty]) -> DraftMarkers | None:
    """Names are compared without case: Graph may spell them otherwise."""
    found = {each["id"].lower(): each.get("value") or "" for each in properties}
    key = found.get(compose.KEY_PROPERTY.lower(), "")
    version, _, revision = found.get(compose.MARKER_PROPERTY.lower(), "").partition(" ")
    return DraftMarkers(key, version, revision) if key else None


def own_addresses(user: wire.GraphUser) -> frozenset[str]:
    """`SMTP:` is the main address, `smtp:` an alias; other schemes are no mail."""
    proxies = [each[5:] for each in user.get("proxyAddresses") or () if each.lower().startswith("smtp:")]
    named = [user.get("mail"), user.get("userPrincipalName"), *proxies, *(user.get("otherMails") or ())]
    return frozenset(address.lower() for address in named if address and "@" in address)


def message_ref(resource: str) -> ProviderRef | None:
    """The message that a resource path names, in any of the shapes Graph writes it."""
    found = _MESSAGE_PATH.search(resource)
    if found is None:
        return None
    quoted = found["quoted"]
    return ProviderRef(unquote(quoted.replace("''", "'") if quoted else found["plain"]))


@understood()
def subscription(said: wire.GraphSubscription) -> SubscriptionInfo:
    state = said.get("clientState")
    return SubscriptionInfo(
        id=said["id"],
        resource=said["resource"],
        expires_at=moment(said["expirationDateTime"]),
        notification_url=said["notificationUrl"],
        lifecycle_url=said.get("lifecycleNotificationUrl"),
        change_type=said.get("changeType", ""),
        client_state=Secret(state) if state else None,
    )


def watch(info: SubscriptionInfo, resource: str) -> Watch:
    """`resource` as we asked for it: what comes back may be spelt otherwise."""
    return Watch(info.id, resource, info.expires_at, info.notification_url, info.lifecycle_url)


def existing_subscription(text: str) -> str | None:
    """The id in a 409's message, the only place where it stands."""
    found = _EXISTING_ID.search(text)
    return found[0] if found else None


def longest_lifetime(text: str) -> int | None:
    found = _LONGEST.search(text)
    return int(found[1]) if found else None


def whose(user: wire.GraphUser) -> str:
    """The address of a signed-in person; an account without a mailbox has at most its sign-in name."""
    if address := user.get("mail") or user.get("userPrincipalName"):
        return address.lower()
    raise errors.Misconfigured("This Microsoft account has no address: sign in as somebody who has a mailbox.")


@dataclass(frozen=True, slots=True)
class GraphRefusal:
    """An error body: its codes in lower case, the deepest first, and its text, which is not for branching."""

    status: int
    codes: tuple[str, ...] = ()
    text: str = ""

    @property
    def code(self) -> str:
        return self.codes[0] if self.codes else ""


def refusal(status: int, body: Any) -> GraphRefusal:
    error = body.get("error") if isinstance(body, dict) else None
    if not isinstance(error, dict):
        return GraphRefusal(status)
    return GraphRefusal(status, tuple(_codes(error))[::-1], str(error.get("message") or ""))


def _codes(error: dict[str, Any]) -> Iterator[str]:
    inner: Any = error
    while isinstance(inner, dict):
        if isinstance(code := inner.get("code"), str) and code:
            yield code.lower()
        inner = inner.get("innerError") or inner.get("innererror")


_ANY = 0
_BUSY = (errors.Unavailable, "Microsoft is not available now: this is tried again.")
_NO_MAILBOX = (errors.Misconfigured, "Microsoft knows no mailbox at this address: check it, or ask for a licence.")
# https://learn.microsoft.com/graph/errors
TABLE: dict[tuple[int, str], tuple[type[PostroomError], str]] = {
    (401, ""): (errors.AccessRevoked, "Microsoft does not accept our access any more: connect the mailbox again."),
    (403, "insufficient_claims"): (errors.AccessRevoked, "Microsoft wants a fresh sign-in: connect the mailbox again."),
    (403, ""): (
        errors.PermissionDenied,
        "Microsoft does not allow this: check the app's permissions and its mailbox policy (a change takes an hour).",
    ),
    (404, "errorinvaliduser"): _NO_MAILBOX,
    (404, "resourcenotfound"): _NO_MAILBOX,
    (_ANY, "mailboxnotenabledforrestapi"): _NO_MAILBOX,
    (404, ""): (errors.Gone, "It is not in the mailbox, any more or yet."),
    (408, ""): (errors.TimedOut, "Microsoft gave up waiting: this is tried again."),
    (409, ""): (errors.Conflict, "Somebody else changed it at the same time: read it again."),
    (410, ""): (errors.CursorExpired, "Microsoft has forgotten how far we had read: a resync is needed."),
    (412, ""): (errors.Conflict, "Somebody else changed it at the same time: read it again."),
    (429, ""): (errors.Throttled, "Microsoft asked us to wait."),
    (504, ""): (errors.TimedOut, "Microsoft gave up waiting: this is tried again."),
    (509, ""): (errors.Throttled, "Microsoft asked us to wait."),
    (400, "validationerror"): (
        errors.Unavailable,
        "Microsoft could not reach our notification address: check that POSTROOM_PUBLIC_URL is open to the internet.",
    ),
    (_ANY, "toomanyrequests"): (errors.Throttled, "Microsoft asked us to wait."),
    (_ANY, "applicationthrottled"): (errors.Throttled, "Microsoft asked us to wait: too many requests at once."),
    (_ANY, "errortimeoutexpired"): (errors.TimedOut, "Microsoft gave up waiting: this is tried again."),
    (_ANY, "errorserverbusy"): _BUSY,
    (_ANY, "errorinternalservertransienterror"): _BUSY,
    (_ANY, "errormailboxmoveinprogress"): _BUSY,
    (_ANY, "errormailboxstoreunavailable"): _BUSY,
}


def error_for(refused: GraphRefusal, retry_after: float | None = None) -> PostroomError:
    """Our error, by status and the deepest code we know. A time that was named is kept."""
    kind, say = _row(refused)
    text = f"{say} ({refused.status}{f' {refused.code}' if refused.code else ''})"
    if issubclass(kind, errors.Throttled) or (retry_after is not None and issubclass(kind, errors.Unavailable)):
        return errors.Throttled(text, retry_after)
    return kind(text)


def _row(refused: GraphRefusal) -> tuple[type[PostroomError], str]:
    for code in refused.codes:
        if "syncstate" in code or "resync" in code:
            return TABLE[410, ""]
        if row := TABLE.get((refused.status, code)) or TABLE.get((_ANY, code)):
            return row
    if row := TABLE.get((refused.status, "")):
        return row
    if 400 <= refused.status < 500:
        return errors.BadRequest, "Microsoft did not understand our request."
    return _BUSY
