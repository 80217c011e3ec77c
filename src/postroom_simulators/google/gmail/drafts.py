"""Gmail's drafts: every edit gives the message a new id, sending consumes the draft."""

from __future__ import annotations

from typing import Any

from postroom_simulators.google import errors
from postroom_simulators.google.gmail import wire
from postroom_simulators.google.gmail.mailbox import SimGmailDraft
from postroom_simulators.google.gmail.messages import SEND_LIMIT, matching, page, paging, shown
from postroom_simulators.google.gmail.operations import GmailRequest, operation, scopes

_WRITE = scopes("compose", "modify")
_READ = scopes("compose", "modify", "readonly")


@operation("drafts.list", "GET", "drafts", _READ, 5)
def list_drafts(request: GmailRequest) -> dict[str, Any]:
    fits = matching(request)
    found, more = page(request, lambda mail: "DRAFT" in mail.labels and fits(mail))
    drafts = [draft for mail in found if (draft := request.box.draft_of(mail.id))]
    answer: dict[str, Any] = {"drafts": [wire.draft(item, wire.stub(item.mail)) for item in drafts]} if drafts else {}
    return answer | paging(request, found, more=more)


@operation("drafts.get", "GET", "drafts/{id}", _READ, (5, 20))
def get_draft(request: GmailRequest) -> dict[str, Any]:
    draft = _draft(request, request.path["id"])
    return wire.draft(draft, shown(request, draft.mail, wire.FORMATS))


@operation("drafts.create", "POST", "drafts", _WRITE, 10, upload=SEND_LIMIT)
def create_draft(request: GmailRequest) -> dict[str, Any]:
    message = _message(request)
    raw = request.raw(message)
    thread = request.gmail.thread_for(request.box, raw, str(message.get("threadId", "")))
    draft = request.box.put_draft(raw, thread_id=thread)
    return wire.draft(draft, wire.labelled(draft.mail))


@operation("drafts.update", "PUT", "drafts/{id}", _WRITE, 15, upload=SEND_LIMIT)
def update_draft(request: GmailRequest) -> dict[str, Any]:
    draft = _replace(request, _draft(request, request.path["id"]))
    return wire.draft(draft, wire.labelled(draft.mail))


@operation("drafts.delete", "DELETE", "drafts/{id}", _WRITE, 10)
def delete_draft(request: GmailRequest) -> None:
    request.box.delete(_draft(request, request.path["id"]).mail)


@operation("drafts.send", "POST", "drafts/send", _WRITE, 100, upload=SEND_LIMIT)
def send_draft(request: GmailRequest) -> dict[str, Any]:
    draft = _draft(request, str(request.body.get("id", "")))
    if request.media is not None or _message(request).get("raw"):
        draft = _replace(request, draft)
    return wire.labelled(request.gmail.send_draft(request.box, draft))


def _replace(request: GmailRequest, draft: SimGmailDraft) -> SimGmailDraft:
    message = _message(request)
    raw = request.raw(message)
    named, here = str(message.get("threadId", "")), draft.mail.thread_id
    if len(request.box.threads.get(here, ())) == 1 and named in ("", here):
        thread = here  # it is alone there
    elif named:
        thread = request.gmail.thread_for(request.box, raw, named)
    else:
        thread = request.box.thread_for(raw, here)  # it stays if its subject lets it
    return request.box.put_draft(raw, thread_id=thread, draft_id=draft.id)


def _draft(request: GmailRequest, draft_id: str) -> SimGmailDraft:
    draft = request.box.drafts.get(draft_id)
    if draft is None:
        raise errors.not_found()
    return draft


def _message(request: GmailRequest) -> dict[str, Any]:
    message = request.body.get("message", {})
    if not isinstance(message, dict):
        raise errors.invalid("Invalid value at 'message': an object is needed.")
    return message
