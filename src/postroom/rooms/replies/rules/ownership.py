"""Whose a draft is: our marks on it, the fingerprint of what it says, and whether both are still as we left them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from postroom.mail.html import text_to_html
from postroom.nouns.drafts import BODY_MARKER, MARKER_VERSION, Draft, DraftMarkers, OutgoingMail, markers_in

KIND = "copilot_reply"


@dataclass(frozen=True, slots=True)
class Ownership:
    """Whether a draft is ours as we left it, and why not."""

    ours: bool
    because: str


def draft_key(mailbox_id: object, thread_id: object, kind: str = KIND) -> str:
    """The same for every draft of a thread, and nothing in it tells who wrote."""
    return hashlib.sha256(f"{mailbox_id}\n{thread_id}\n{kind}".encode()).hexdigest()


def body_marker(key: str, version: str = MARKER_VERSION) -> str:
    return f"<!-- inbox-copilot:draftKey={key};v={version} -->"


def as_html(text: str, key: str) -> str:
    """The same words for programs that show HTML, with the mark that people do not see."""
    return text_to_html(text) + body_marker(key)


def found_markers(draft: Draft) -> DraftMarkers | None:
    if draft.markers is not None and draft.markers.key:
        return draft.markers
    return markers_in("", "", draft.html, draft.text)


def fingerprint(draft: Draft) -> str:
    """Of what the provider shows. Line endings and blank lines at the end are no one's words."""
    marks = found_markers(draft)
    key, version = (marks.key, marks.version) if marks else ("", "")
    parts = (key, version, *(_settled(each) for each in (draft.subject, draft.text, draft.html)))
    told = "".join(f"{len(each)}:{each}\n" for each in parts)  # lengths: no part can pose as the next
    return f"sha256:{hashlib.sha256(told.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _settled(text: str) -> str:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    return "\n".join(lines)


def still_ours(draft: Draft, key: str, expected: str | None, version: str | None) -> Ownership:
    """Marks, words and version all have to agree. Any doubt makes it a person's."""
    marks = found_markers(draft)
    if marks is None:
        return Ownership(ours=False, because="The draft bears no mark of ours.")
    if marks.key != key or marks.version != MARKER_VERSION:
        return Ownership(ours=False, because="The draft bears the mark of another thread or version.")
    if not expected or fingerprint(draft) != expected:
        return Ownership(ours=False, because="The draft says something else than what we wrote.")
    if not version or draft.version != version:
        return Ownership(ours=False, because="The draft was saved since we wrote it.")
    return Ownership(ours=True, because="The draft is as we left it.")


def as_intended(draft: Draft, mail: OutgoingMail, markers: DraftMarkers) -> bool:
    """Whether this is what we meant to write when the answer was lost: not by its mark alone, but by every word."""
    return (
        draft.markers == markers
        and _people(draft.to) == _people(mail.to)
        and _people(draft.cc) == _people(mail.cc)
        and not draft.bcc
        and _words(draft.subject) == _words(mail.subject)
        and _words(draft.text) == _words(mail.text)
    )


def _people(addresses: tuple[str, ...]) -> set[str]:
    return {each.strip().lower() for each in addresses}


def without_marker(text: str) -> str:
    return BODY_MARKER.sub("", text)


def _words(text: str) -> list[str]:
    return without_marker(text).split()
