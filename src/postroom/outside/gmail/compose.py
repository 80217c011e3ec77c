"""Our words become Gmail's: a mail as MIME, labels with the colours of its palette. Pure."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from postroom.mail.outgoing import without_reply_marks
from postroom.mail.writing import write_mail
from postroom.nouns.drafts import KEY_HEADER, REVISION_HEADER, VERSION_HEADER, DraftMarkers, OutgoingMail
from postroom.nouns.threads import LabelColour, StateLabel

# https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.labels#color
_COLOURS: dict[LabelColour, tuple[str, str]] = {
    "green": ("#16a766", "#ffffff"),
    "yellow": ("#fad165", "#000000"),
    "red": ("#fb4c2f", "#ffffff"),
}


@dataclass(frozen=True, slots=True)
class Answered:
    """What a reply has to name of the message it answers."""

    thread_id: str = ""
    message_id: str = ""
    references: tuple[str, ...] = ()
    subject: str | None = None  # none: not known

    def thread_of(self, subject: str) -> str:
        """The thread that a mail with this subject joins: Gmail begins another one with another subject."""
        same = self.subject is None or _topic(self.subject) == _topic(subject)
        return self.thread_id if same else ""


def _topic(subject: str) -> str:
    return " ".join(without_reply_marks(subject.strip()).split()).casefold()


def mime(mail: OutgoingMail, markers: DraftMarkers, answered: Answered, domain: str) -> bytes:
    """A thread wants its id, In-Reply-To with References, and the same subject: the last is the caller's."""
    answers = answered.message_id
    headers = {
        "Subject": mail.subject,
        "Message-ID": message_id(markers, domain),
        "In-Reply-To": answers,
        "References": " ".join(dict.fromkeys([*answered.references, answers])) if answers else "",
        KEY_HEADER: markers.key,
        VERSION_HEADER: markers.version,
        REVISION_HEADER: markers.revision,
    }
    return write_mail({"To": mail.to, "Cc": mail.cc, "Bcc": mail.bcc}, headers, mail.text, mail.html, mail.files)


def message_id(markers: DraftMarkers, domain: str) -> str:
    """The same for the same revision, so that it is found again; Gmail may put one of its own in its place."""
    return f"<{markers.revision}.{markers.key.rpartition(':')[2][:32]}@{domain}>" if markers.revision else ""


def message(raw: bytes, thread_id: str) -> dict[str, Any]:
    said = {"raw": base64.urlsafe_b64encode(raw).decode()}
    return {"message": said | ({"threadId": thread_id} if thread_id else {})}


def label(wanted: StateLabel) -> dict[str, Any]:
    background, text = _COLOURS[wanted.colour]
    return {
        "name": wanted.name,
        "labelListVisibility": "labelShow",
        "messageListVisibility": "show",
        "color": {"backgroundColor": background, "textColor": text},
    }


def relabelled(add: Sequence[str], remove: Sequence[str]) -> dict[str, Any]:
    return {"addLabelIds": list(add), "removeLabelIds": list(remove)}
