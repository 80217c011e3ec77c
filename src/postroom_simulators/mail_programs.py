"""What a person sees and does in a mailbox, the same words for Outlook and Gmail."""

from __future__ import annotations

import email
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import default
from html import escape
from itertools import islice
from typing import Any, Protocol

from postroom_simulators.google import GoogleSim
from postroom_simulators.google.gmail.mailbox import GmailDraft, GmailMessage
from postroom_simulators.graph import GraphSim
from postroom_simulators.graph.items import GraphItem
from postroom_simulators.scenarios.script import Provider

FOLDERS = ("inbox", "archive", "junkemail", "deleteditems", "sentitems", "drafts")


class MailProgram(Protocol):
    """One mailbox from its owner's chair. Unknown ids raise KeyError, unknown folders ValueError."""

    address: str
    provider: Provider

    @property
    def name(self) -> str: ...

    def counts(self) -> dict[str, int]: ...
    def messages(self, folder: str = "", last: int = 50) -> list[dict[str, Any]]:
        """Newest first; drafts carry their words."""

    def edit_draft(self, key: str, words: str) -> str:
        """Write `words` above what the draft says; returns the draft's id, which may be new."""

    def move(self, key: str, folder: str) -> None: ...
    def mark_read(self, key: str, *, read: bool) -> None: ...
    def delete(self, key: str, *, for_good: bool) -> None: ...


def known_folder(folder: str) -> str:
    if folder.lower() not in FOLDERS:
        raise ValueError(f"Unknown folder {folder!r}; choose one of {', '.join(FOLDERS)}.")
    return folder.lower()


class OutlookProgram:
    provider: Provider = "graph"

    def __init__(self, sim: GraphSim, address: str) -> None:
        self._sim = sim
        self._box = sim.mailboxes[address.lower()]
        self.address = self._box.address

    @property
    def name(self) -> str:
        return self._box.name

    def counts(self) -> dict[str, int]:
        shelves = self._box.well_known
        return {
            "inbox": len(shelves["inbox"].items),
            "unread": shelves["inbox"].unread,
            "drafts": len(shelves["drafts"].items),
            "sent": len(shelves["sentitems"].items),
            "total": len(self._box.everything.items),
        }

    def messages(self, folder: str = "", last: int = 50) -> list[dict[str, Any]]:
        shelf = self._box.well_known[known_folder(folder)] if folder else self._box.everything
        return [self._shown(item) for item in islice(shelf.newest_first(), last)]

    def _shown(self, item: GraphItem) -> dict[str, Any]:
        props = item.props
        shown = {
            "id": item.immutable_id,
            "folder": item.folder.well_known or item.folder.name,
            "subject": props["subject"],
            "from": _addresses([props["from"]] if props["from"] else []),
            "to": _addresses(props["toRecipients"]),
            "at": _when(item.received),
            "read": item.is_read,
            "labels": list(item.categories),
        }
        return {**shown, "words": props["body"]["content"]} if item.is_draft else shown

    def edit_draft(self, key: str, words: str) -> str:
        item = self._sim.item(self.address, key)
        if not item.is_draft:
            raise KeyError(f"Message {key} of {self.address} is no draft.")
        body = item.props["body"]
        old = body["content"] if body["contentType"].lower() == "html" else f"<pre>{escape(body['content'])}</pre>"
        self._sim.edit_draft(self.address, key, body=f"<p>{escape(words)}</p>{old}")
        return key

    def move(self, key: str, folder: str) -> None:
        self._sim.move(self.address, key, known_folder(folder))

    def mark_read(self, key: str, *, read: bool) -> None:
        self._sim.mark_read(self.address, key, read=read)

    def delete(self, key: str, *, for_good: bool) -> None:
        self._sim.delete(self.address, key, for_good=for_good)


_LABELS = {
    "deleteditems": "TRASH",
    "junkemail": "SPAM",
    "drafts": "DRAFT",
    "inbox": "INBOX",
    "sentitems": "SENT",
}


class GmailProgram:
    provider: Provider = "gmail"

    def __init__(self, sim: GoogleSim, address: str) -> None:
        self._sim = sim
        self._box = sim.mailboxes[address.lower()]
        self.address = self._box.address

    @property
    def name(self) -> str:
        return self._box.name

    def counts(self) -> dict[str, int]:
        labelled = self._box.by_label
        inbox = labelled.get("INBOX", {})
        return {
            "inbox": len(inbox),
            "unread": sum("UNREAD" in mail.labels for mail in inbox.values()),
            "drafts": len(self._box.drafts),
            "sent": len(labelled.get("SENT", {})),
            "total": len(self._box.mails),
        }

    def messages(self, folder: str = "", last: int = 50) -> list[dict[str, Any]]:
        wanted = known_folder(folder) if folder else ""
        found = (mail for mail in reversed(self._box.mails.values()) if not wanted or _folder(mail) == wanted)
        return [self._shown(mail) for mail in islice(found, last)]

    def _shown(self, mail: GmailMessage) -> dict[str, Any]:
        draft = self._box.draft_of(mail.id)
        parsed = _parsed(mail.raw)
        shown = {
            "id": draft.id if draft else mail.id,
            "folder": _folder(mail),
            "subject": str(parsed.get("Subject", "")),
            "from": [str(parsed.get("From", ""))],
            "to": [str(parsed.get("To", ""))],
            "at": _when(mail.received_at),
            "read": "UNREAD" not in mail.labels,
            "labels": sorted(self._box.labels[one].name for one in mail.labels if one in self._box.labels),
        }
        return {**shown, "words": _text(parsed)} if draft else shown

    def edit_draft(self, key: str, words: str) -> str:
        draft = self._draft(key)
        old = _text(_parsed(draft.mail.raw))
        return self._sim.edit_draft(self.address, key, text=f"{words}\n\n{old}")

    def move(self, key: str, folder: str) -> None:
        wanted = known_folder(folder)
        if wanted in {"drafts", "sentitems"}:
            raise ValueError(f"Gmail moves nothing to {wanted}; choose inbox, archive, junkemail or deleteditems.")
        add = [_LABELS[wanted]] if wanted in _LABELS else []
        self._box.relabel(self._mail(key), add, [one for one in ("INBOX", "SPAM", "TRASH") if one not in add])

    def mark_read(self, key: str, *, read: bool) -> None:
        (self._sim.mark_read if read else self._sim.mark_unread)(self.address, self._mail(key).id)

    def delete(self, key: str, *, for_good: bool) -> None:
        if key in self._box.drafts:
            self._sim.delete_draft(self.address, key)
        elif for_good:
            self._box.delete(self._mail(key))
        else:
            self._sim.trash(self.address, self._mail(key).id)

    def _mail(self, key: str) -> GmailMessage:
        if key not in self._box.mails:
            raise KeyError(f"{self.address} has no message {key}.")
        return self._box.mails[key]

    def _draft(self, key: str) -> GmailDraft:
        if key not in self._box.drafts:
            raise KeyError(f"{self.address} has no draft {key}.")
        return self._box.drafts[key]


def _folder(mail: GmailMessage) -> str:
    return next((folder for folder, label in _LABELS.items() if label in mail.labels), "archive")


def _addresses(people: Iterable[dict[str, Any]]) -> list[str]:
    return [person["emailAddress"]["address"] for person in people]


def _when(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


def _parsed(raw: bytes) -> EmailMessage:
    mail = email.message_from_bytes(raw, policy=default)
    assert isinstance(mail, EmailMessage)
    return mail


def _text(mail: EmailMessage) -> str:
    body = mail.get_body(("plain", "html"))
    return "" if body is None else str(body.get_content())


def all_mail_programs(graph: GraphSim, google: GoogleSim) -> Iterator[MailProgram]:
    yield from (OutlookProgram(graph, address) for address in graph.mailboxes)
    yield from (GmailProgram(google, address) for address in google.mailboxes)
