"""A person at Gmail's web page."""

from __future__ import annotations

import email
from collections.abc import Sequence
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP, default
from itertools import islice
from typing import Any

from postroom_simulators.google import GoogleSim
from postroom_simulators.google.gmail import mime
from postroom_simulators.google.gmail.mailbox import SimGmailDraft, SimGmailMessage
from postroom_simulators.mail_programs.program import known_folder
from postroom_simulators.scenarios.script import Provider

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

    # seeing

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

    def thread(self, key: str) -> list[dict[str, Any]]:
        return [self._shown(mail) for mail in self._box.threads[self._either(key).thread_id]]

    def text(self, key: str) -> str:
        return _text(_parsed(self._either(key).raw))

    def _shown(self, mail: SimGmailMessage) -> dict[str, Any]:
        draft = self._box.draft_of(mail.id)
        parsed = _parsed(mail.raw)
        shown = {
            "id": draft.id if draft else mail.id,
            "thread": mail.thread_id,
            "folder": _folder(mail),
            "subject": str(parsed.get("Subject", "")),
            "from": [str(parsed.get("From", ""))],
            "to": [str(parsed.get("To", ""))],
            "cc": [str(parsed["Cc"])] if parsed["Cc"] else [],
            "at": datetime.fromtimestamp(mail.received_at, UTC).isoformat(timespec="seconds"),
            "read": "UNREAD" not in mail.labels,
            "labels": sorted(self._box.labels[one].name for one in mail.labels if one in self._box.labels),
        }
        return {**shown, "words": _text(parsed)} if draft else shown

    # drafts

    def write_draft(
        self, text: str, *, answers: str = "", to: Sequence[str] = (), cc: Sequence[str] = (), subject: str = ""
    ) -> str:
        original = self._mail(answers) if answers else None
        raw = self._written(text, original, everyone=False, to=to, cc=cc, subject=subject)
        return self._box.put_draft(raw, thread_id=original.thread_id if original else "").id

    def edit_draft(
        self,
        key: str,
        words: str = "",
        *,
        text: str | None = None,
        subject: str | None = None,
        to: Sequence[str] | None = None,
        cc: Sequence[str] | None = None,
    ) -> str:
        raw = self._draft(key).mail.raw
        asked = {"Subject": subject, "To": _joined(to), "Cc": _joined(cc)}
        changed = {name: value for name, value in asked.items() if value is not None}
        raw = mime.with_headers(
            raw, drop=tuple(changed), add=tuple((name, said) for name, said in changed.items() if said)
        )
        if words or text is not None:
            raw = mime.with_text(raw, f"{words}\n\n{_text(_parsed(raw))}" if text is None else text)
        faults = self._sim.gmail.faults
        return self._sim.edit_draft(self.address, key, raw=raw, new_id=faults.strikes(faults.switches.new_draft_id))

    def discard_draft(self, key: str) -> None:
        self._box.delete(self._draft(key).mail)

    def send_draft(self, key: str) -> str:
        draft = self._draft(key)
        if not mime.addresses(draft.mail.raw, "To", "Cc", "Bcc"):
            raise ValueError("Gmail does not send it: at least one recipient is needed.")
        return self._sim.gmail.send_draft(self._box, draft).id

    def answer(self, key: str, text: str, *, everyone: bool = False) -> str:
        original = self._mail(key)
        raw = self._written(text, original, everyone=everyone)
        return self._sim.gmail.send(self._box, raw, original.thread_id).id

    def _written(
        self,
        text: str,
        original: SimGmailMessage | None,
        *,
        everyone: bool,
        to: Sequence[str] = (),
        cc: Sequence[str] = (),
        subject: str = "",
    ) -> bytes:
        mail = EmailMessage(policy=SMTP)
        mail["From"] = self.address
        if original is not None:
            to = to or mime.addresses(original.raw, "Reply-To") or mime.addresses(original.raw, "From")
            others = mime.addresses(original.raw, "To", "Cc") if everyone else []
            cc = cc or [one for one in others if one not in self._box.addresses and one not in to]
            subject = subject or _reply_subject(mime.header(original.raw, "Subject"))
            earlier = mime.header(original.raw, "References").split()
            mail["In-Reply-To"] = original.message_id
            mail["References"] = " ".join([*earlier, original.message_id])
        mail["Subject"] = subject
        for name, people in (("To", to), ("Cc", cc)):
            if people:
                mail[name] = ", ".join(people)
        mail.set_content(text)
        return mail.as_bytes()

    # keeping order

    def label(self, key: str, *, add: Sequence[str] = (), remove: Sequence[str] = ()) -> None:
        """As Gmail's page does: on every message of the conversation but drafts."""
        new = [(self._box.label_named(name) or self._box.new_label(name)).id for name in add]
        old = [label.id for name in remove if (label := self._box.label_named(name))]
        for mail in list(self._box.threads[self._mail(key).thread_id]):
            if "DRAFT" not in mail.labels:
                self._box.relabel(mail, new, old)

    def move(self, key: str, folder: str) -> None:
        self._put(self._mail(key), folder)

    def move_thread(self, key: str, folder: str) -> None:
        for mail in list(self._box.threads[self._mail(key).thread_id]):
            if "INBOX" in mail.labels:
                self._put(mail, folder)

    def mark_spam(self, key: str) -> None:
        for mail in list(self._box.threads[self._mail(key).thread_id]):
            if not mail.labels & {"DRAFT", "SENT"}:
                self._put(mail, "junkemail")

    def _put(self, mail: SimGmailMessage, folder: str) -> None:
        wanted = known_folder(folder)
        if wanted in {"drafts", "sentitems"}:
            raise ValueError(f"Gmail moves nothing to {wanted}; choose inbox, archive, junkemail or deleteditems.")
        add = [_LABELS[wanted]] if wanted in _LABELS else []
        self._box.relabel(mail, add, [one for one in ("INBOX", "SPAM", "TRASH") if one not in add])

    def mark_read(self, key: str, *, read: bool) -> None:
        (self._sim.mark_read if read else self._sim.mark_unread)(self.address, self._mail(key).id)

    def delete(self, key: str, *, for_good: bool) -> None:
        if key in self._box.drafts:
            self.discard_draft(key)
        elif for_good:
            self._box.delete(self._mail(key))
        else:
            self._sim.trash(self.address, self._mail(key).id)

    def poison(self, key: str) -> None:
        self._mail(key).poisoned = True

    def _either(self, key: str) -> SimGmailMessage:
        return self._box.drafts[key].mail if key in self._box.drafts else self._mail(key)

    def _mail(self, key: str) -> SimGmailMessage:
        if key not in self._box.mails:
            raise KeyError(f"{self.address} has no message {key}.")
        return self._box.mails[key]

    def _draft(self, key: str) -> SimGmailDraft:
        if key not in self._box.drafts:
            raise KeyError(f"{self.address} has no draft {key}.")
        return self._box.drafts[key]


def _folder(mail: SimGmailMessage) -> str:
    return next((folder for folder, label in _LABELS.items() if label in mail.labels), "archive")


def _joined(people: Sequence[str] | None) -> str | None:
    return None if people is None else ", ".join(people)


def _reply_subject(subject: str) -> str:
    return subject if subject.lower().startswith("re:") else f"Re: {subject}"


def _parsed(raw: bytes) -> EmailMessage:
    mail = email.message_from_bytes(raw, policy=default)
    assert isinstance(mail, EmailMessage)
    return mail


def _text(mail: EmailMessage) -> str:
    body = mail.get_body(("plain", "html"))
    return "" if body is None else str(body.get_content())
