"""Gmail's messages: list, get, label, trash, insert and send."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

from postroom_simulators.google import errors
from postroom_simulators.google.gmail import mime, query, wire
from postroom_simulators.google.gmail.mailbox import SimGmailMailbox, SimGmailMessage
from postroom_simulators.google.gmail.operations import (
    EVERYTHING,
    MODIFY,
    READ,
    READ_OR_METADATA,
    GmailRequest,
    operation,
    scopes,
)

SEND_LIMIT = 36_700_160
INSERT_LIMIT = 157_286_400
_NEVER_ADDED = {"SENT", "DRAFT"}
_INSERT = scopes("insert", "modify")


@operation("messages.list", "GET", "messages", READ_OR_METADATA, 5)
def list_messages(request: GmailRequest) -> dict[str, Any]:
    found, more = page(request, matching(request))
    answer: dict[str, Any] = {"messages": [wire.stub(mail) for mail in found]} if found else {}
    return answer | paging(request, found, more=more)


@operation("messages.get", "GET", "messages/{id}", READ_OR_METADATA, (5, 20))
def get_message(request: GmailRequest) -> dict[str, Any]:
    return shown(request, request.mail(), wire.FORMATS)


@operation("messages.attachments.get", "GET", "messages/{messageId}/attachments/{id}", READ, (5, 20))
def get_attachment(request: GmailRequest) -> dict[str, Any]:
    mail = wholesome(request.mail("messageId"))
    part_id = request.gmail.attachment_ids.part(mail, request.path["id"])
    content = next(part.content() for part in mime.tree(mail.raw).walk() if part.part_id == part_id)
    return {"size": len(content), "data": wire.b64(content)}


@operation("messages.modify", "POST", "messages/{id}/modify", MODIFY, 5)
def modify_message(request: GmailRequest) -> dict[str, Any]:
    mail = request.mail()
    request.box.relabel(mail, *wanted_labels(request, [mail]))
    return wire.labelled(mail)


@operation("messages.batchModify", "POST", "messages/batchModify", MODIFY, 50)
def batch_modify(request: GmailRequest) -> None:
    mails = _named(request)
    add, remove = wanted_labels(request, mails)
    for mail in mails:
        request.box.relabel(mail, add, remove)


@operation("messages.batchDelete", "POST", "messages/batchDelete", frozenset({EVERYTHING}), 50)
def batch_delete(request: GmailRequest) -> None:
    for mail in _named(request):
        request.box.delete(mail)


@operation("messages.delete", "DELETE", "messages/{id}", frozenset({EVERYTHING}), (10, 10))
def delete_message(request: GmailRequest) -> None:
    request.box.delete(request.mail())


@operation("messages.trash", "POST", "messages/{id}/trash", MODIFY, (5, 20))
def trash_message(request: GmailRequest) -> dict[str, Any]:
    mail = request.mail()
    request.box.relabel(mail, ["TRASH"], ["INBOX"])
    return wire.labelled(mail)


@operation("messages.untrash", "POST", "messages/{id}/untrash", MODIFY, 5)
def untrash_message(request: GmailRequest) -> dict[str, Any]:
    mail = request.mail()
    request.box.relabel(mail, remove=["TRASH"])
    return wire.labelled(mail)


@operation("messages.insert", "POST", "messages", _INSERT, 25, upload=INSERT_LIMIT)
def insert_message(request: GmailRequest) -> dict[str, Any]:
    return wire.labelled(_insert(request, (), "receivedTime"))


@operation("messages.import", "POST", "messages/import", _INSERT, 25, upload=INSERT_LIMIT)
def import_message(request: GmailRequest) -> dict[str, Any]:
    return wire.labelled(_insert(request, ("INBOX", "UNREAD"), "dateHeader"))


@operation("messages.send", "POST", "messages/send", scopes("send", "compose", "modify"), 100, upload=SEND_LIMIT)
def send_message(request: GmailRequest) -> dict[str, Any]:
    raw = request.raw(request.body)
    thread = request.gmail.thread_for(request.box, raw, str(request.body.get("threadId", "")))
    return wire.labelled(request.gmail.send(request.box, raw, thread))


def shown(request: GmailRequest, mail: SimGmailMessage, formats: Collection[str]) -> dict[str, Any]:
    """The mail in the format asked for."""
    default = "metadata" if request.only_metadata() else "full"
    form = request.choice("format", list(formats), default)
    if request.only_metadata() and form in ("full", "raw"):
        raise errors.GoogleApiError(403, "forbidden", f"Metadata scope doesn't allow format {form.upper()}")
    if form in ("full", "raw"):
        wholesome(mail)
    return wire.message(mail, form, request.gmail.attachment_ids.mint, request.query.get("metadataHeaders", ()))


def wholesome(mail: SimGmailMessage) -> SimGmailMessage:
    """Some messages cannot be read, today or ever."""
    if mail.poisoned:
        raise errors.GoogleApiError(500, "backendError", "Internal error encountered.")
    return mail


def matching(request: GmailRequest) -> Callable[[SimGmailMessage], bool]:
    """The filter that `q`, `labelIds` and `includeSpamTrash` make together."""
    text, labels = request.one("q"), set(request.query.get("labelIds", ()))
    if text and request.only_metadata():
        raise errors.GoogleApiError(403, "forbidden", "Metadata scope does not support 'q' parameter")
    test = query.compiled(text, request.box, request.gmail.clock.now()) if text else None
    hidden_too = (
        request.flag("includeSpamTrash") or bool(labels & {"SPAM", "TRASH"}) or query.looks_in_hidden_places(text)
    )

    def fits(mail: SimGmailMessage) -> bool:
        return labels <= mail.labels and query.listed(mail, hidden_too=hidden_too) and (not test or test(mail))

    return fits


def page(request: GmailRequest, fits: Callable[[SimGmailMessage], bool]) -> tuple[list[SimGmailMessage], bool]:
    """The next mails, newest first, and whether there are more; the token is the last one given."""
    token, size = request.one("pageToken"), request.page_size()
    if token and not token.isdecimal():
        raise errors.invalid("Invalid pageToken")
    before = f"{int(token):016x}" if token else "g"
    found: list[SimGmailMessage] = []
    for mail in _newest_first(request.box, request.query.get("labelIds", ())):
        if mail.id < before and fits(mail):
            if len(found) == size:
                return found, True
            found.append(mail)
    return found, False


def paging(request: GmailRequest, found: list[SimGmailMessage], *, more: bool) -> dict[str, Any]:
    answer: dict[str, Any] = {"resultSizeEstimate": len(found) + (request.page_size() if more else 0)}
    if more:
        answer["nextPageToken"] = str(int(found[-1].id, 16))
    return answer


def wanted_labels(request: GmailRequest, mails: Iterable[SimGmailMessage]) -> tuple[list[str], list[str]]:
    add, remove = request.names("addLabelIds"), request.names("removeLabelIds")
    if len(add) > 100 or len(remove) > 100:
        raise errors.invalid("Too many labels; at most 100 can be added and 100 removed at once.")
    for label in (*add, *remove):
        if label not in request.box.labels or label in _NEVER_ADDED:
            raise errors.invalid(f"Invalid label: {label}")
    if add and any("DRAFT" in mail.labels for mail in mails):
        raise errors.invalid("Drafts cannot carry labels other than DRAFT.")
    return add, remove


def _newest_first(box: SimGmailMailbox, labels: Collection[str]) -> list[SimGmailMessage]:
    narrowest = min((box.by_label.get(label, {}) for label in labels), key=len, default=box.mails)
    return [narrowest[mail_id] for mail_id in sorted(narrowest, reverse=True)]


def _named(request: GmailRequest) -> list[SimGmailMessage]:
    ids = request.names("ids")
    if not ids:
        raise errors.invalid("No message ids specified.")
    if len(ids) > 1000:
        raise errors.invalid("Too many message ids; at most 1000 are allowed.")
    return [request.box.mails[mail_id] for mail_id in dict.fromkeys(ids) if mail_id in request.box.mails]


def _insert(request: GmailRequest, default_labels: tuple[str, ...], default_date: str) -> SimGmailMessage:
    raw = request.raw(request.body)
    labels = request.names("labelIds") or default_labels
    for label in labels:
        if label not in request.box.labels:
            raise errors.invalid(f"Invalid label: {label}")
    thread = request.gmail.thread_for(request.box, raw, str(request.body.get("threadId", "")))
    dated = request.choice("internalDateSource", ("receivedTime", "dateHeader"), default_date) == "dateHeader"
    return request.box.add(raw, labels, thread_id=thread, at=mime.date(raw) if dated else None)
