"""Our words become Graph's: mails to write, markers, categories, filters. Pure."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

from postroom.nouns.drafts import (
    KEY_HEADER,
    REVISION_HEADER,
    VERSION_HEADER,
    Draft,
    DraftMarkers,
    OutgoingFile,
    OutgoingMail,
)
from postroom.nouns.threads import LabelColour, StateLabel

_OURS = "String {5a0a1d0e-6f5b-4c39-9f0c-7a1f2f0c6b11} Name"
KEY_PROPERTY = f"{_OURS} InboxCopilotDraftKey"
MARKER_PROPERTY = f"{_OURS} InboxCopilotMarker"  # version and revision, with a blank between
MARKERS_EXPANDED = f"singleValueExtendedProperties($filter=id eq '{KEY_PROPERTY}' or id eq '{MARKER_PROPERTY}')"
# https://learn.microsoft.com/graph/api/resources/outlookcategory
_PRESETS: dict[LabelColour, str] = {"red": "preset0", "yellow": "preset3", "green": "preset4"}


def quoted(text: str) -> str:
    """Inside the quotes of a filter."""
    return text.replace("'", "''")


def marked(key: str) -> str:
    """A filter for what carries our marker with this key."""
    return f"singleValueExtendedProperties/Any(ep: ep/id eq '{KEY_PROPERTY}' and ep/value eq '{quoted(key)}')"


def mail(outgoing: OutgoingMail) -> dict[str, Any]:
    return {
        "subject": outgoing.subject,
        "body": {"contentType": "html", "content": outgoing.html},
        "toRecipients": _recipients(outgoing.to),
        "ccRecipients": _recipients(outgoing.cc),
        "bccRecipients": _recipients(outgoing.bcc),
    }


def attachment(file: OutgoingFile) -> dict[str, Any]:
    return {
        "@odata.type": "#microsoft.graph.fileAttachment",
        "name": file.filename,
        "contentType": file.content_type,
        "contentBytes": base64.b64encode(file.content).decode(),
    }


def upload_session(file: OutgoingFile) -> dict[str, Any]:
    about = {"attachmentType": "file", "name": file.filename, "size": len(file.content)}
    return {"AttachmentItem": {**about, "contentType": file.content_type}}


def _recipients(addresses: Sequence[str]) -> list[dict[str, Any]]:
    return [{"emailAddress": {"address": address}} for address in addresses]


def markers(ours: DraftMarkers) -> dict[str, Any]:
    """Hidden, searchable, and shown on drafts, where headers are not."""
    values = ((KEY_PROPERTY, ours.key), (MARKER_PROPERTY, f"{ours.version} {ours.revision}".strip()))
    return {"singleValueExtendedProperties": [{"id": name, "value": value} for name, value in values]}


def marker_headers(ours: DraftMarkers) -> dict[str, Any]:
    """Only at creation; names must begin with x-, there are five at most, and an empty list is refused."""
    values = ((KEY_HEADER, ours.key), (VERSION_HEADER, ours.version), (REVISION_HEADER, ours.revision))
    return {"internetMessageHeaders": [{"name": name, "value": value} for name, value in values if value]}


def took(draft: Draft, outgoing: OutgoingMail) -> bool:
    """Whether a new draft says what we wrote: Outlook may have kept its own words for a reply instead."""
    return shows(draft) == (_words(outgoing.text), outgoing.subject, _lower(outgoing.to), _lower(outgoing.cc))


def shows(draft: Draft) -> tuple[str, str, tuple[str, ...], tuple[str, ...]]:
    """What people see of it."""
    return _words(draft.text), draft.subject, draft.to, draft.cc


def _words(text: str) -> str:
    return " ".join(text.split())


def _lower(addresses: Sequence[str]) -> tuple[str, ...]:
    return tuple(address.lower() for address in addresses)


def category(label: StateLabel) -> dict[str, str]:
    return {"displayName": label.name, "color": _PRESETS[label.colour]}


def relabelled(has: Sequence[str], label: StateLabel | None, among: Sequence[StateLabel]) -> list[str] | None:
    """All categories as they should be, people's own in their order; None when they are so already."""
    ours = {each.name.lower() for each in among}
    wanted = [name for name in has if name.lower() not in ours] + ([label.name] if label else [])
    return wanted if sorted(wanted) != sorted(has) else None
