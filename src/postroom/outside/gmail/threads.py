"""Whole conversations of a Gmail mailbox: a `ports.ThreadReader`."""

from __future__ import annotations

from postroom.nouns.errors import Gone
from postroom.nouns.providers import ProviderRef
from postroom.nouns.threads import MailThread
from postroom.outside.gmail import parse, wire
from postroom.outside.gmail.client import GmailClient
from postroom.outside.gmail.labels import GmailLabels


class GmailThreads:
    """A thread shows its drafts by the ids of their messages; which draft that is, only the list of drafts tells."""

    def __init__(self, client: GmailClient, labels: GmailLabels) -> None:
        self._client, self._labels = client, labels

    async def thread(self, ref: ProviderRef) -> MailThread:
        found = await self.messages(ref)
        if not found:
            raise Gone("Nothing of this conversation is in the mailbox any more.")
        drafts = await self.draft_ids() if any(parse.is_draft(one) for one in found) else {}
        names = await self._labels.names()
        messages = [parse.thread_message(one, names, drafts.get(one["id"])) for one in found]
        return MailThread.of(ref, messages)

    async def messages(self, ref: ProviderRef) -> list[wire.GmailMessage]:
        """With their headers; none when the thread is not there."""
        try:
            return (await self._client.thread(ref, parse.THREAD_HEADERS)).get("messages", [])
        except Gone:
            return []

    async def draft_ids(self) -> dict[str, str]:
        """Ids of drafts by those of their messages."""
        found: dict[str, str] = {}
        page = ""
        while True:
            listed = await self._client.drafts(page)
            found |= {one["message"]["id"]: one["id"] for one in listed.get("drafts", ())}
            page = listed.get("nextPageToken", "")
            if not page:
                return found
