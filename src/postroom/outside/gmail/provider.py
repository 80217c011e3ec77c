"""One Gmail mailbox behind the port."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cached_property

from postroom.nouns.errors import Gone, Misconfigured
from postroom.nouns.providers import (
    SERVED_ONLY,
    Changes,
    Cursor,
    Glimpse,
    Listing,
    ProviderRef,
    RawMail,
    Watch,
    WatchedFolder,
)
from postroom.nouns.secrets import Secret
from postroom.outside.gmail import parse, wire
from postroom.outside.gmail.client import GmailClient
from postroom.outside.gmail.drafts import GmailDrafts
from postroom.outside.gmail.history import read_history
from postroom.outside.gmail.labels import GmailLabels
from postroom.outside.gmail.outgoing import GmailOutgoing
from postroom.outside.gmail.parse import HistoryPosition
from postroom.outside.gmail.refusals import OnePushClient
from postroom.outside.gmail.sender import GmailSender
from postroom.outside.gmail.threads import GmailThreads
from postroom.ports import CopilotMailbox

_LABELS: dict[WatchedFolder, str] = {"served": "INBOX", "sent": "SENT", "drafts": "DRAFT"}
_NOT_OWN_WRITING = "-in:sent -in:drafts"


class GmailProvider:
    """A ports.MailProvider. `topic` is where Gmail publishes; without one the mailbox is read but not watched."""

    def __init__(self, client: GmailClient, topic: str | None = None, domain: str = "postroom.invalid") -> None:
        """`domain` is the mailbox's own, for the Message-IDs of what we write."""
        self._client = client
        self._topic = topic
        self._domain = domain
        self._labels = GmailLabels(client)

    async def address(self) -> str:
        return (await self._client.profile())["emailAddress"].lower()

    @cached_property
    def copilot(self) -> CopilotMailbox:
        """What answering mail asks of this mailbox, with the same client and so within the same budget."""
        threads = GmailThreads(self._client, self._labels)
        drafts = GmailDrafts(self._client, threads, self._domain)
        return CopilotMailbox(
            threads=threads,
            drafts=drafts,
            labels=self._labels,
            sender=GmailSender(self._client, threads, drafts),
            outgoing=GmailOutgoing(self._client),
            addresses=self,
        )

    async def own_addresses(self) -> frozenset[str]:
        return parse.own_addresses(await self._client.send_as())

    async def changes(self, since: Cursor | None) -> Changes:
        if since is None:
            profile = await self._client.profile()
            return Changes([], [], HistoryPosition.at(profile["historyId"]).cursor(), more=False)
        found = parse.changes(*await read_history(self._client, HistoryPosition.read(since)))
        return parse.named(found, await self._label_names(found)) if found.relabelled else found

    async def _label_names(self, found: Changes) -> dict[str, str]:
        """Asked again for a label that is new."""
        names = await self._labels.names()
        seen = {each for one in found.relabelled for each in one.labels if each.startswith("Label_")}
        return names if seen <= names.keys() else await self._labels.names(afresh=True)

    async def list_since(self, since: datetime, page: str | None = None) -> Listing:
        """Gmail searches by whole seconds: the moment's own neighbourhood is looked at message by message."""
        second = int(since.timestamp())
        found = await self._client.messages(f"after:{second + 1} {_NOT_OWN_WRITING}", page or "")
        return parse.listing(found, [] if page else await self._around(second, since))

    async def _around(self, second: int, since: datetime) -> list[wire.GmailMessage]:
        window = f"after:{second - 1} before:{second + 3} {_NOT_OWN_WRITING}"
        kept: list[wire.GmailMessage] = []
        page = ""
        while True:
            found = await self._client.messages(window, page)
            for message in found.get("messages", ()):
                kept += await self._if_since(message["id"], since)
            page = found.get("nextPageToken", "")
            if not page:
                return kept

    async def _if_since(self, ref: str, since: datetime) -> list[wire.GmailMessage]:
        try:
            message = await self._client.message(ref, "minimal")
        except Gone:
            return []
        at = parse.received_at(message)
        return [message] if at is None or at >= parse.to_millisecond(since) else []

    async def message(self, ref: ProviderRef, known: Glimpse | None = None) -> RawMail:
        """One call brings everything, whatever is known."""
        del known
        return parse.raw_mail(await self._client.message(ref, "raw"))

    async def watch(
        self,
        callback: str,
        lifecycle_callback: str,
        client_state: Secret,
        current: Watch | None,
        folders: Sequence[WatchedFolder] = SERVED_ONLY,
    ) -> Watch:
        """Pub/Sub knows where to push; Gmail knows no lifecycle and no state of ours."""
        if self._topic is None:
            raise Misconfigured("POSTROOM_GMAIL_TOPIC is not set: name the Pub/Sub topic, or poll this mailbox.")
        labels = [_LABELS[each] for each in folders]
        try:
            answer = await self._client.watch(self._topic, labels)
        except OnePushClient:
            await self._client.stop()
            answer = await self._client.watch(self._topic, labels)
        return parse.watch(answer, self._topic, callback)

    async def unwatch(self, watch: Watch) -> None:
        await self._client.stop()
