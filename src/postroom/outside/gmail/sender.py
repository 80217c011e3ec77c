"""Sending from a Gmail mailbox: a `ports.Sender`. Sending gives the message another id, and the draft is gone."""

from __future__ import annotations

import contextlib
from datetime import datetime

from postroom.nouns.drafts import KEY_HEADER, Draft, SentLookup
from postroom.nouns.errors import Gone
from postroom.nouns.providers import ProviderRef
from postroom.outside.gmail import parse
from postroom.outside.gmail.client import GmailClient
from postroom.outside.gmail.drafts import GmailDrafts
from postroom.outside.gmail.threads import GmailThreads


class GmailSender:
    """After a lost answer: a draft that is still there was not sent; else its Message-ID or markers are looked for."""

    def __init__(self, client: GmailClient, threads: GmailThreads, drafts: GmailDrafts) -> None:
        self._client, self._threads, self._drafts = client, threads, drafts

    async def send_draft(self, draft: Draft) -> ProviderRef:
        await self._drafts.require_untouched(draft)
        return ProviderRef((await self._client.send_draft(draft.ref))["id"])

    async def find_sent(self, draft: Draft) -> SentLookup:
        try:
            await self._client.draft(draft.ref, "minimal")
        except Gone:
            pass
        else:
            return SentLookup("not_sent")
        inside = await self._threads.messages(draft.thread_ref) if draft.thread_ref else []
        sent = [one["id"] for one in inside if parse.was_sent(one, draft)]
        return SentLookup("sent", ProviderRef(sent[-1])) if sent else SentLookup("unknown")

    async def find_marked(self, key: str, to: str, since: datetime) -> ProviderRef | None:
        """No search looks into headers of ours: what went to that address since then is read one by one."""
        page = ""
        while True:
            found = await self._client.sent(f"after:{int(since.timestamp())} to:{to}", page)
            for each in found.get("messages", ()):
                with contextlib.suppress(Gone):  # somebody deletes it while we read on
                    if parse.bears(await self._client.message(each["id"], "metadata", [KEY_HEADER]), key):
                        return ProviderRef(each["id"])
            if not (page := found.get("nextPageToken", "")):
                return None
