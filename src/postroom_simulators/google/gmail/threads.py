"""Gmail's threads: the same calls as for messages, for all messages of a conversation."""

from __future__ import annotations

from typing import Any

from postroom_simulators.google import errors
from postroom_simulators.google.gmail import wire
from postroom_simulators.google.gmail.mailbox import Mail
from postroom_simulators.google.gmail.messages import matching, shown, wanted_labels
from postroom_simulators.google.gmail.operations import EVERYTHING, MODIFY, READ_OR_METADATA, Ask, operation


@operation("threads.list", "GET", "threads", READ_OR_METADATA, 10)
def list_threads(ask: Ask) -> dict[str, Any]:
    size, before = ask.page_size(), ask.one("pageToken", "g")
    fits = matching(ask)
    newest = sorted(((mails[-1].id, mails) for mails in ask.box.threads.values()), reverse=True)
    hits: list[list[Mail]] = []
    for last, mails in newest:
        if last < before and any(fits(mail) for mail in mails):
            hits.append(mails)
        if len(hits) > size:
            break
    given = hits[:size]
    answer: dict[str, Any] = {"threads": [wire.thread_line(mails) for mails in given]} if given else {}
    answer["resultSizeEstimate"] = len(hits)
    if len(hits) > size:
        answer["nextPageToken"] = given[-1][-1].id
    return answer


@operation("threads.get", "GET", "threads/{id}", READ_OR_METADATA, (10, 40))
def get_thread(ask: Ask) -> dict[str, Any]:
    mails = _mails(ask)
    messages = [shown(ask, mail, ("full", "metadata", "minimal")) for mail in mails]
    newest = max(mail.history_id for mail in mails)
    return {"id": ask.path["id"], "historyId": str(newest), "messages": messages}


@operation("threads.modify", "POST", "threads/{id}/modify", MODIFY, 10)
def modify_thread(ask: Ask) -> dict[str, Any]:
    mails = _mails(ask)
    add, remove = wanted_labels(ask, [])
    for mail in mails:
        if "DRAFT" not in mail.labels:
            ask.box.relabel(mail, add, remove)
    return _labelled(ask, mails)


@operation("threads.trash", "POST", "threads/{id}/trash", MODIFY, 10)
def trash_thread(ask: Ask) -> dict[str, Any]:
    mails = _mails(ask)
    for mail in mails:
        ask.box.relabel(mail, ["TRASH"], ["INBOX"])
    return _labelled(ask, mails)


@operation("threads.untrash", "POST", "threads/{id}/untrash", MODIFY, 10)
def untrash_thread(ask: Ask) -> dict[str, Any]:
    mails = _mails(ask)
    for mail in mails:
        ask.box.relabel(mail, remove=["TRASH"])
    return _labelled(ask, mails)


@operation("threads.delete", "DELETE", "threads/{id}", frozenset({EVERYTHING}), 20)
def delete_thread(ask: Ask) -> None:
    for mail in _mails(ask):
        ask.box.delete(mail)


def _mails(ask: Ask) -> list[Mail]:
    now = ask.gmail.clock.time()
    mails = [mail for mail in ask.box.threads.get(ask.path["id"], ()) if mail.readable_at <= now]
    if not mails:
        raise errors.not_found()
    return mails


def _labelled(ask: Ask, mails: list[Mail]) -> dict[str, Any]:
    return {"id": ask.path["id"], "messages": [wire.labelled(mail) for mail in mails]}
