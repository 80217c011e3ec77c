"""A person at a mail program: what they see and do in a mailbox, in the same words for Outlook and Gmail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from postroom_simulators.scenarios.script import Provider

FOLDERS = ("inbox", "archive", "junkemail", "deleteditems", "sentitems", "drafts")


class MailProgram(Protocol):
    """One mailbox from its owner's chair. Unknown ids raise KeyError, unknown folders ValueError.

    Whatever a person does shows up in delta or history, and rings whoever watches, as if no program had been there.
    """

    address: str
    provider: Provider

    @property
    def name(self) -> str: ...

    # seeing

    def counts(self) -> dict[str, int]: ...
    def messages(self, folder: str = "", last: int = 50) -> list[dict[str, Any]]:
        """Newest first; drafts carry their words."""

    def thread(self, key: str) -> list[dict[str, Any]]:
        """The conversation of a message or a draft, oldest first."""

    def text(self, key: str) -> str:
        """What a reader reads in a message or a draft."""

    # drafts

    def write_draft(
        self, text: str, *, answers: str = "", to: Sequence[str] = (), cc: Sequence[str] = (), subject: str = ""
    ) -> str:
        """A draft of their own: in the thread of the message that it `answers`, or a new mail. The draft's id."""

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
        """Write `words` above what the draft says, or `text` in its place; the draft's id, which may be new."""

    def discard_draft(self, key: str) -> None: ...
    def send_draft(self, key: str) -> str:
        """Press Send; the id of the sent message."""

    def answer(self, key: str, text: str, *, everyone: bool = False) -> str:
        """Answer a message at once, without leaving a draft behind; the id of the sent message."""

    # keeping order

    def label(self, key: str, *, add: Sequence[str] = (), remove: Sequence[str] = ()) -> None:
        """Labels of Gmail, categories of Outlook, by name; one that does not exist yet is made."""

    def move(self, key: str, folder: str) -> None: ...
    def move_thread(self, key: str, folder: str) -> None:
        """All that the conversation has in the inbox."""

    def mark_spam(self, key: str) -> None:
        """The whole conversation."""

    def mark_read(self, key: str, *, read: bool) -> None: ...
    def delete(self, key: str, *, for_good: bool) -> None: ...

    # no act of theirs

    def poison(self, key: str) -> None:
        """From now on the provider answers 500 whenever the content of this message is asked for."""


def known_folder(folder: str) -> str:
    if folder.lower() not in FOLDERS:
        raise ValueError(f"Unknown folder {folder!r}; choose one of {', '.join(FOLDERS)}.")
    return folder.lower()
