"""Gmail's threads: the same calls as for messages, for all messages of a conversation."""

from __future__ import annotations

from typing import Any

from postroom_simulators.google import errors
from postroom_simulators.google.gmail import wire
from postroom_simulators.google.gmail.mailbox import SimGmailMessage
from postroom_simulators.google.gmail.messages import matching, shown, wanted_labels
from postroom_simulators.google.gmail.operations import EVERYTHING, MODIFY, READ_OR_METADATA, GmailRequest, operation


@operation("threads.list", "GET", "threads", READ_OR_METADATA, 10)
def list_threads(request: GmailRequest) -> dict[str, Any]:
    size, before = request.page_size(), request.one("pageToken", "g")
    fits = matching(request)
    newest = sorted(((mails[-1].id, mails) for mails in request.box.threads.values()), reverse=True)
    hits: list[list[SimGmailMessage]] = []
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
def get_thread(request: GmailRequest) -> dict[str, Any]:
    mails = _mails(request)
    messages = [shown(request, mail, ("full", "metadata", "minimal")) for mail in mails]
    newest = max(mail.history_id for mail in mails)
    return {"id": request.path["id"], "historyId": str(newest), "messages": messages}


@operation("threads.modify", "POST", "threads/{id}/modify", MODIFY, 10)
def modify_thread(request: GmailRequest) -> dict[str, Any]:
    mails = _mails(request)
    add, remove = wanted_labels(request, [])
    for mail in mails:
        if "DRAFT" not in mail.labels:
            request.box.relabel(mail, add, remove)
    return _labelled(request, mails)


@operation("threads.trash", "POST", "threads/{id}/trash", MODIFY, 10)
def trash_thread(request: GmailRequest) -> dict[str, Any]:
    mails = _mails(request)
    for mail in mails:
        request.box.relabel(mail, ["TRASH"], ["INBOX"])
    return _labelled(request, mails)


@operation("threads.untrash", "POST", "threads/{id}/untrash", MODIFY, 10)
def untrash_thread(request: GmailRequest) -> dict[str, Any]:
    mails = _mails(request)
    for mail in mails:
        request.box.relabel(mail, remove=["TRASH"])
    return _labelled(request, mails)


@operation("threads.delete", "DELETE", "threads/{id}", frozenset({EVERYTHING}), 20)
def delete_thread(request: GmailRequest) -> None:
    for mail in _mails(request):
        request.box.delete(mail)


def _mails(request: GmailRequest) -> list[SimGmailMessage]:
    now = request.gmail.clock.time()
    mails = [mail for mail in request.box.threads.get(request.path["id"], ()) if mail.readable_at <= now]
    if not mails:
        raise errors.not_found()
    return mails


def _labelled(request: GmailRequest, mails: list[SimGmailMessage]) -> dict[str, Any]:
    return {"id": request.path["id"], "messages": [wire.labelled(mail) for mail in mails]}
