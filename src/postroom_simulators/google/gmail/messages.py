"""Gmail's messages: list, get, label, trash, insert and send."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

from postroom_simulators.google import errors
from postroom_simulators.google.gmail import mime, query, wire
from postroom_simulators.google.gmail.mailbox import Mail, Mailbox
from postroom_simulators.google.gmail.operations import (
    EVERYTHING,
    MODIFY,
    READ,
    READ_OR_METADATA,
    Ask,
    operation,
    scopes,
)

SEND_LIMIT = 36_700_160
INSERT_LIMIT = 157_286_400
_NEVER_ADDED = {"SENT", "DRAFT"}
_INSERT = scopes("insert", "modify")


@operation("messages.list", "GET", "messages", READ_OR_METADATA, 5)
def list_messages(ask: Ask) -> dict[str, Any]:
    found, more = page(ask, matching(ask))
    answer: dict[str, Any] = {"messages": [wire.stub(mail) for mail in found]} if found else {}
    return answer | paging(ask, found, more=more)


@operation("messages.get", "GET", "messages/{id}", READ_OR_METADATA, (5, 20))
def get_message(ask: Ask) -> dict[str, Any]:
    return shown(ask, ask.mail(), wire.FORMATS)


@operation("messages.attachments.get", "GET", "messages/{messageId}/attachments/{id}", READ, (5, 20))
def get_attachment(ask: Ask) -> dict[str, Any]:
    mail = ask.mail("messageId")
    part_id = ask.gmail.attachment_ids.part(mail, ask.path["id"])
    content = next(part.content() for part in mime.tree(mail.raw).walk() if part.part_id == part_id)
    return {"size": len(content), "data": wire.b64(content)}


@operation("messages.modify", "POST", "messages/{id}/modify", MODIFY, 5)
def modify_message(ask: Ask) -> dict[str, Any]:
    mail = ask.mail()
    ask.box.relabel(mail, *wanted_labels(ask, [mail]))
    return wire.labelled(mail)


@operation("messages.batchModify", "POST", "messages/batchModify", MODIFY, 50)
def batch_modify(ask: Ask) -> None:
    mails = _named(ask)
    add, remove = wanted_labels(ask, mails)
    for mail in mails:
        ask.box.relabel(mail, add, remove)


@operation("messages.batchDelete", "POST", "messages/batchDelete", frozenset({EVERYTHING}), 50)
def batch_delete(ask: Ask) -> None:
    for mail in _named(ask):
        ask.box.delete(mail)


@operation("messages.delete", "DELETE", "messages/{id}", frozenset({EVERYTHING}), (10, 10))
def delete_message(ask: Ask) -> None:
    ask.box.delete(ask.mail())


@operation("messages.trash", "POST", "messages/{id}/trash", MODIFY, (5, 20))
def trash_message(ask: Ask) -> dict[str, Any]:
    mail = ask.mail()
    ask.box.relabel(mail, ["TRASH"], ["INBOX"])
    return wire.labelled(mail)


@operation("messages.untrash", "POST", "messages/{id}/untrash", MODIFY, 5)
def untrash_message(ask: Ask) -> dict[str, Any]:
    mail = ask.mail()
    ask.box.relabel(mail, remove=["TRASH"])
    return wire.labelled(mail)


@operation("messages.insert", "POST", "messages", _INSERT, 25, upload=INSERT_LIMIT)
def insert_message(ask: Ask) -> dict[str, Any]:
    return wire.labelled(_insert(ask, (), "receivedTime"))


@operation("messages.import", "POST", "messages/import", _INSERT, 25, upload=INSERT_LIMIT)
def import_message(ask: Ask) -> dict[str, Any]:
    return wire.labelled(_insert(ask, ("INBOX", "UNREAD"), "dateHeader"))


@operation("messages.send", "POST", "messages/send", scopes("send", "compose", "modify"), 100, upload=SEND_LIMIT)
def send_message(ask: Ask) -> dict[str, Any]:
    raw = ask.raw(ask.body)
    thread = ask.gmail.thread_for(ask.box, raw, str(ask.body.get("threadId", "")))
    return wire.labelled(ask.gmail.send(ask.box, raw, thread))


def shown(ask: Ask, mail: Mail, formats: Collection[str]) -> dict[str, Any]:
    """The mail in the format asked for."""
    default = "metadata" if ask.only_metadata() else "full"
    form = ask.choice("format", list(formats), default)
    if ask.only_metadata() and form in ("full", "raw"):
        raise errors.ApiError(403, "forbidden", f"Metadata scope doesn't allow format {form.upper()}")
    return wire.message(mail, form, ask.gmail.attachment_ids.mint, ask.query.get("metadataHeaders", ()))


def matching(ask: Ask) -> Callable[[Mail], bool]:
    """The filter that `q`, `labelIds` and `includeSpamTrash` make together."""
    text, labels = ask.one("q"), set(ask.query.get("labelIds", ()))
    if text and ask.only_metadata():
        raise errors.ApiError(403, "forbidden", "Metadata scope does not support 'q' parameter")
    test = query.compiled(text, ask.box, ask.gmail.clock.now()) if text else None
    hidden_too = ask.flag("includeSpamTrash") or bool(labels & {"SPAM", "TRASH"}) or query.looks_in_hidden_places(text)

    def fits(mail: Mail) -> bool:
        return labels <= mail.labels and query.listed(mail, hidden_too=hidden_too) and (not test or test(mail))

    return fits


def page(ask: Ask, fits: Callable[[Mail], bool]) -> tuple[list[Mail], bool]:
    """The next mails, newest first, and whether there are more; the token is the last one given."""
    token, size = ask.one("pageToken"), ask.page_size()
    if token and not token.isdecimal():
        raise errors.invalid("Invalid pageToken")
    before = f"{int(token):016x}" if token else "g"
    found: list[Mail] = []
    for mail in _newest_first(ask.box, ask.query.get("labelIds", ())):
        if mail.id < before and fits(mail):
            if len(found) == size:
                return found, True
            found.append(mail)
    return found, False


def paging(ask: Ask, found: list[Mail], *, more: bool) -> dict[str, Any]:
    answer: dict[str, Any] = {"resultSizeEstimate": len(found) + (ask.page_size() if more else 0)}
    if more:
        answer["nextPageToken"] = str(int(found[-1].id, 16))
    return answer


def wanted_labels(ask: Ask, mails: Iterable[Mail]) -> tuple[list[str], list[str]]:
    add, remove = ask.names("addLabelIds"), ask.names("removeLabelIds")
    if len(add) > 100 or len(remove) > 100:
        raise errors.invalid("Too many labels; at most 100 can be added and 100 removed at once.")
    for label in (*add, *remove):
        if label not in ask.box.labels or label in _NEVER_ADDED:
            raise errors.invalid(f"Invalid label: {label}")
    if add and any("DRAFT" in mail.labels for mail in mails):
        raise errors.invalid("Drafts cannot carry labels other than DRAFT.")
    return add, remove


def _newest_first(box: Mailbox, labels: Collection[str]) -> list[Mail]:
    narrowest = min((box.by_label.get(label, {}) for label in labels), key=len, default=box.mails)
    return [narrowest[mail_id] for mail_id in sorted(narrowest, reverse=True)]


def _named(ask: Ask) -> list[Mail]:
    ids = ask.names("ids")
    if not ids:
        raise errors.invalid("No message ids specified.")
    if len(ids) > 1000:
        raise errors.invalid("Too many message ids; at most 1000 are allowed.")
    return [ask.box.mails[mail_id] for mail_id in dict.fromkeys(ids) if mail_id in ask.box.mails]


def _insert(ask: Ask, default_labels: tuple[str, ...], default_date: str) -> Mail:
    raw = ask.raw(ask.body)
    labels = ask.names("labelIds") or default_labels
    for label in labels:
        if label not in ask.box.labels:
            raise errors.invalid(f"Invalid label: {label}")
    thread = ask.gmail.thread_for(ask.box, raw, str(ask.body.get("threadId", "")))
    dated = ask.choice("internalDateSource", ("receivedTime", "dateHeader"), default_date) == "dateHeader"
    return ask.box.add(raw, labels, thread_id=thread, at=mime.date(raw) if dated else None)
