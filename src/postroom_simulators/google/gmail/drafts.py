"""Gmail's drafts: every edit gives the message a new id, sending consumes the draft."""

from __future__ import annotations

from typing import Any

from postroom_simulators.google import errors
from postroom_simulators.google.gmail import wire
from postroom_simulators.google.gmail.mailbox import Draft
from postroom_simulators.google.gmail.messages import SEND_LIMIT, matching, page, paging, shown
from postroom_simulators.google.gmail.operations import Ask, operation, scopes

_WRITE = scopes("compose", "modify")
_READ = scopes("compose", "modify", "readonly")


@operation("drafts.list", "GET", "drafts", _READ, 5)
def list_drafts(ask: Ask) -> dict[str, Any]:
    fits = matching(ask)
    found, more = page(ask, lambda mail: "DRAFT" in mail.labels and fits(mail))
    drafts = [draft for mail in found if (draft := ask.box.draft_of(mail.id))]
    answer: dict[str, Any] = {"drafts": [wire.draft(item, wire.stub(item.mail)) for item in drafts]} if drafts else {}
    return answer | paging(ask, found, more=more)


@operation("drafts.get", "GET", "drafts/{id}", _READ, (5, 20))
def get_draft(ask: Ask) -> dict[str, Any]:
    draft = _draft(ask, ask.path["id"])
    return wire.draft(draft, shown(ask, draft.mail, wire.FORMATS))


@operation("drafts.create", "POST", "drafts", _WRITE, 10, upload=SEND_LIMIT)
def create_draft(ask: Ask) -> dict[str, Any]:
    message = _message(ask)
    raw = ask.raw(message)
    thread = ask.gmail.thread_for(ask.box, raw, str(message.get("threadId", "")))
    draft = ask.box.put_draft(raw, thread_id=thread)
    return wire.draft(draft, wire.labelled(draft.mail))


@operation("drafts.update", "PUT", "drafts/{id}", _WRITE, 15, upload=SEND_LIMIT)
def update_draft(ask: Ask) -> dict[str, Any]:
    draft = _replace(ask, _draft(ask, ask.path["id"]))
    return wire.draft(draft, wire.labelled(draft.mail))


@operation("drafts.delete", "DELETE", "drafts/{id}", _WRITE, 10)
def delete_draft(ask: Ask) -> None:
    ask.box.delete(_draft(ask, ask.path["id"]).mail)


@operation("drafts.send", "POST", "drafts/send", _WRITE, 100, upload=SEND_LIMIT)
def send_draft(ask: Ask) -> dict[str, Any]:
    draft = _draft(ask, str(ask.body.get("id", "")))
    if ask.media is not None or _message(ask).get("raw"):
        draft = _replace(ask, draft)
    return wire.labelled(ask.gmail.send_draft(ask.box, draft))


def _replace(ask: Ask, draft: Draft) -> Draft:
    message = _message(ask)
    raw = ask.raw(message)
    wanted = str(message.get("threadId", "")) or draft.mail.thread_id
    alone = len(ask.box.threads.get(wanted, ())) == 1 and wanted == draft.mail.thread_id
    thread = wanted if alone else ask.gmail.thread_for(ask.box, raw, wanted)
    return ask.box.put_draft(raw, thread_id=thread, draft_id=draft.id)


def _draft(ask: Ask, draft_id: str) -> Draft:
    draft = ask.box.drafts.get(draft_id)
    if draft is None:
        raise errors.not_found()
    return draft


def _message(ask: Ask) -> dict[str, Any]:
    message = ask.body.get("message", {})
    if not isinstance(message, dict):
        raise errors.invalid("Invalid value at 'message': an object is needed.")
    return message
