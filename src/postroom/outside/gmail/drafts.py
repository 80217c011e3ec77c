"""Drafts of a Gmail mailbox: a `ports.DraftBox`. The draft's id stays, the id of its message is the version."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from postroom.nouns.drafts import Draft, DraftMarkers, OutgoingMail
from postroom.nouns.errors import DraftTouched, Gone
from postroom.nouns.providers import ProviderRef
from postroom.outside.gmail import compose, parse, wire
from postroom.outside.gmail.client import LARGEST_IN_JSON, GmailClient
from postroom.outside.gmail.threads import GmailThreads


class GmailDrafts:
    """Gmail knows no If-Match: the version is compared right before each write, which leaves a moment of doubt."""

    def __init__(self, client: GmailClient, threads: GmailThreads, domain: str) -> None:
        self._client, self._threads, self._domain = client, threads, domain

    async def draft(self, ref: ProviderRef) -> Draft | None:
        try:
            return await asyncio.to_thread(parse.draft, await self._client.draft(ref, "raw"))
        except Gone:
            return None

    async def find_drafts(self, key: str, thread: ProviderRef | None) -> Sequence[Draft]:
        """No search looks into headers: the drafts of the thread, or all of them, are read one by one."""
        listed = await self._threads.draft_ids()
        if thread is not None:
            inside = {one["id"] for one in await self._threads.messages(thread)}
            listed = {message: draft for message, draft in listed.items() if message in inside}
        found = [await self.draft(ProviderRef(ref)) for ref in listed.values()]
        return [each for each in found if each and each.markers and each.markers.key == key]

    async def create_draft(self, mail: OutgoingMail, markers: DraftMarkers) -> Draft:
        answered = await self._answered(mail.answers) if mail.answers else compose.Answered()
        made = await self._put(mail, markers, answered)
        return await self._as_written(made)

    async def update_draft(self, draft: Draft, mail: OutgoingMail, markers: DraftMarkers) -> Draft:
        """What it answers stays the same unless another message is named: Gmail replaces all that the draft says."""
        now = await self._client.draft(draft.ref, "raw")
        _require_version(now, draft)
        if mail.answers:
            answered = await self._answered(mail.answers)
        else:
            answered = await asyncio.to_thread(parse.answered_by, now)
        return await self._as_written(await self._put(mail, markers, answered, draft.ref))

    async def discard_draft(self, draft: Draft) -> None:
        try:
            await self.require_untouched(draft)
            await self._client.delete_draft(draft.ref)
        except Gone:
            return

    async def require_untouched(self, draft: Draft) -> None:
        """Raises DraftTouched when somebody changed it since, Gone when it is no draft any more."""
        _require_version(await self._client.draft(draft.ref, "minimal"), draft)

    async def _answered(self, ref: ProviderRef) -> compose.Answered:
        return parse.answered(await self._client.message(ref, "metadata", parse.REPLY_HEADERS))

    async def _put(
        self, mail: OutgoingMail, markers: DraftMarkers, answered: compose.Answered, ref: str = ""
    ) -> wire.GmailDraft:
        """A new one, or in the place of `ref`."""
        raw = await asyncio.to_thread(compose.mime, mail, markers, answered, self._domain)
        thread = answered.thread_of(mail.subject)
        if len(raw) > LARGEST_IN_JSON:
            return await self._client.upload_draft(raw, thread, ref)
        said = await asyncio.to_thread(compose.message, raw, thread)
        return await (self._client.update_draft(ref, said) if ref else self._client.create_draft(said))

    async def _as_written(self, made: wire.GmailDraft) -> Draft:
        """As Gmail shows it. What somebody made of it by then is not ours."""
        found = await self.draft(ProviderRef(made["id"]))
        if found is None:
            raise Gone("The draft is not there any more: it was sent or discarded.")
        _require_version(made, found)
        return found


def _require_version(now: wire.GmailDraft, draft: Draft) -> None:
    if now["message"]["id"] != draft.version:
        raise DraftTouched("Somebody changed the draft meanwhile: it is left as it is.")
