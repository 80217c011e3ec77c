"""The one place where Gmail's HTTP becomes our errors. It never sleeps and never retries."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

import msgspec

from postroom.nouns.errors import Throttled, Unreadable
from postroom.outside.gmail import wire
from postroom.outside.gmail.parse import decoded
from postroom.outside.gmail.refusals import refusal
from postroom.outside.http import MEGABYTE, Http, HttpAnswer, NeverWaits, retry_after
from postroom.ports import AccessToken, ProviderWaits

Spend = Callable[[int], Awaitable[None]]
"""Asks the mailbox's budget for units, and returns when they may be spent; Throttled when they may not."""

T = TypeVar("T")

# What a call costs of the 6,000 units a user has in a minute, for projects since May 2026; older ones pay less.
# https://developers.google.com/gmail/api/reference/quota
UNITS: Mapping[str, int] = MappingProxyType(
    {
        "getProfile": 1,
        "labels.list": 1,
        "labels.get": 1,
        "settings.sendAs.list": 1,
        "history.list": 2,
        "messages.list": 5,
        "messages.modify": 5,
        "messages.untrash": 5,
        "drafts.list": 5,
        "labels.create": 5,
        "labels.update": 5,
        "threads.list": 10,
        "threads.modify": 10,
        "drafts.create": 10,
        "drafts.delete": 10,
        "drafts.update": 15,
        "messages.get": 20,
        "messages.attachments.get": 20,
        "messages.trash": 20,
        "drafts.get": 20,
        "messages.insert": 25,
        "messages.import": 25,
        "threads.get": 40,
        "messages.batchModify": 50,
        "messages.batchDelete": 50,
        "stop": 50,
        "messages.send": 100,
        "drafts.send": 100,
        "upload": 0,  # a further piece of what was paid for
        "watch": 100,
    }
)
# The largest mail Gmail takes in, twice in base64.
LARGEST_ANSWER_BYTES = 100 * MEGABYTE
LARGEST_PAGE = 500
# What is larger is uploaded in pieces, each a multiple of 256 KB.
# https://developers.google.com/workspace/gmail/api/guides/uploads
LARGEST_IN_JSON = 3 * MEGABYTE
PIECE_BYTES = 4 * MEGABYTE
_USER = "/gmail/v1/users/me/"
_CREATE_DRAFT = ("drafts.create", "POST", "drafts")
_GOES_ON = 308
_RANGE = re.compile(r"bytes=0-(\d+)")
_TIMEOUT_SECONDS, _LONG_TIMEOUT_SECONDS = 30.0, 120.0
_NO_HEADERS: Mapping[str, str] = MappingProxyType({})
_INBOX_RECORDS = ("messageAdded", "messageDeleted", "labelAdded", "labelRemoved")


async def spend_freely(units: int) -> None:
    """No budget: for a single call at a desk."""


class GmailClient:
    """One mailbox. `token(True)` is asked for once per call, when Google does not take the one we have."""

    def __init__(
        self,
        http: Http,
        base_url: str,
        token: AccessToken,
        now: Callable[[], datetime],
        spend: Spend = spend_freely,
        page_size: int = LARGEST_PAGE,
        waits: ProviderWaits | None = None,
    ) -> None:
        self._http = http
        self._origin = base_url.rstrip("/")
        self._token = token
        self._now = now
        self._spend = spend
        self._page_size = str(page_size)
        self._waits = waits or NeverWaits()

    async def profile(self) -> wire.GmailProfile:
        return await self.ask("getProfile", "GET", "profile", wire.GmailProfile)

    async def history(self, start: int, page: str) -> wire.HistoryPage:
        """No label is asked for: what leaves the inbox would not be told."""
        query = [("startHistoryId", str(start)), ("maxResults", self._page_size), *_paging(page)]
        query += [("historyTypes", kind) for kind in _INBOX_RECORDS]
        return await self.ask("history.list", "GET", f"history?{urlencode(query)}", wire.HistoryPage)

    async def messages(self, q: str, page: str = "") -> wire.GmailMessagePage:
        return await self._listed("INBOX", q, page)

    async def sent(self, q: str, page: str = "") -> wire.GmailMessagePage:
        return await self._listed("SENT", q, page)

    async def _listed(self, label: str, q: str, page: str) -> wire.GmailMessagePage:
        query = [("labelIds", label), ("q", q), ("maxResults", self._page_size), *_paging(page)]
        return await self.ask("messages.list", "GET", f"messages?{urlencode(query)}", wire.GmailMessagePage)

    async def message(self, ref: str, form: str, headers: Sequence[str] = ()) -> wire.GmailMessage:
        path = f"messages/{quote(ref, safe='')}?{_format(form, headers)}"
        return await self.ask("messages.get", "GET", path, wire.GmailMessage)

    async def thread(self, ref: str, headers: Sequence[str]) -> wire.GmailThread:
        path = f"threads/{quote(ref, safe='')}?{_format('metadata', headers)}"
        return await self.ask("threads.get", "GET", path, wire.GmailThread)

    async def modify_thread(self, ref: str, body: Mapping[str, Any]) -> None:
        await self.ask("threads.modify", "POST", f"threads/{quote(ref, safe='')}/modify", wire.Nothing, body)

    async def labels(self) -> wire.GmailLabelList:
        return await self.ask("labels.list", "GET", "labels", wire.GmailLabelList)

    async def create_label(self, body: Mapping[str, Any]) -> wire.GmailLabel:
        return await self.ask("labels.create", "POST", "labels", wire.GmailLabel, body)

    async def send_as(self) -> wire.SendAsList:
        return await self.ask("settings.sendAs.list", "GET", "settings/sendAs", wire.SendAsList)

    # drafts

    async def drafts(self, page: str = "") -> wire.GmailDraftPage:
        query = urlencode([("maxResults", self._page_size), *_paging(page)])
        return await self.ask("drafts.list", "GET", f"drafts?{query}", wire.GmailDraftPage)

    async def draft(self, ref: str, form: str) -> wire.GmailDraft:
        return await self.ask("drafts.get", "GET", f"drafts/{quote(ref, safe='')}?{_format(form)}", wire.GmailDraft)

    async def create_draft(self, body: Mapping[str, Any]) -> wire.GmailDraft:
        return await self.ask("drafts.create", "POST", "drafts", wire.GmailDraft, body)

    async def update_draft(self, ref: str, body: Mapping[str, Any]) -> wire.GmailDraft:
        return await self.ask("drafts.update", "PUT", f"drafts/{quote(ref, safe='')}", wire.GmailDraft, body)

    async def upload_draft(self, raw: bytes, thread_id: str, ref: str = "") -> wire.GmailDraft:
        """A large mail, in pieces; `ref` names the draft whose place it takes. Nothing is written before the last."""
        call, method, path = ("drafts.update", "PUT", f"drafts/{quote(ref, safe='')}") if ref else _CREATE_DRAFT
        about = msgspec.json.encode({"message": {"threadId": thread_id}} if thread_id else {})
        announced = {"X-Upload-Content-Type": "message/rfc822", "X-Upload-Content-Length": str(len(raw))}
        place = f"{self._origin}/upload{_USER}{path}?uploadType=resumable"
        session = (await self._answer(call, method, place, about, announced)).headers.get("Location", "")
        if not session.startswith(f"{self._origin}/"):  # our token goes along
            raise Unreadable("Gmail named no place of its own for an upload.")
        taken, answer = 0, None
        while taken < len(raw):
            piece = raw[taken : taken + PIECE_BYTES]
            part = {
                "Content-Range": f"bytes {taken}-{taken + len(piece) - 1}/{len(raw)}",
                "Content-Type": "message/rfc822",
            }
            answer = await self._answer("upload", "PUT", session, piece, part, timeout=_LONG_TIMEOUT_SECONDS)
            taken = _taken(answer) if answer.status == _GOES_ON else len(raw)
        return decoded(answer.body if answer else b"", wire.GmailDraft)

    async def delete_draft(self, ref: str) -> None:
        await self.ask("drafts.delete", "DELETE", f"drafts/{quote(ref, safe='')}", wire.Nothing)

    async def send_draft(self, ref: str) -> wire.GmailMessage:
        return await self.ask("drafts.send", "POST", "drafts/send", wire.GmailMessage, {"id": ref})

    # being told

    async def watch(self, topic: str, labels: Sequence[str]) -> wire.WatchAnswer:
        body = {"topicName": topic, "labelIds": list(labels), "labelFilterBehavior": "include"}
        return await self.ask("watch", "POST", "watch", wire.WatchAnswer, body)

    async def stop(self) -> None:
        await self.ask("stop", "POST", "stop", wire.Nothing)

    async def ask(
        self, call: str, method: str, path: str, answer_type: type[T], body: Mapping[str, Any] | None = None
    ) -> T:
        """`call` is Google's name for it: it has a price, and its refusals their own meaning."""
        content = None if body is None else msgspec.json.encode(body)
        answer = await self._answer(call, method, f"{self._origin}{_USER}{path}", content)
        return decoded(answer.body or b"{}", answer_type)

    async def _answer(
        self,
        call: str,
        method: str,
        url: str,
        content: bytes | None,
        more: Mapping[str, str] = _NO_HEADERS,
        timeout: float = _TIMEOUT_SECONDS,
    ) -> HttpAnswer:
        answer = await self._send(call, method, url, content, more, timeout, fresh=False)
        if answer.status == 401:
            answer = await self._send(call, method, url, content, more, timeout, fresh=True)
        if not answer.ok and not (answer.status == _GOES_ON and call == "upload"):
            now = self._now()
            asked = retry_after(answer.headers, now)
            problem = refusal(answer.status, answer.body, call=call, now=now, asked_wait=asked)
            if isinstance(problem, Throttled):  # it is the mailbox that has to wait, whoever asked
                problem = Throttled(str(problem), await self._waits.told(problem.retry_after) or None)
            raise problem
        self._waits.went_well()
        return answer

    async def _send(
        self,
        call: str,
        method: str,
        url: str,
        content: bytes | None,
        more: Mapping[str, str],
        timeout: float,
        *,
        fresh: bool,
    ) -> HttpAnswer:
        token = await self._token(fresh)
        await self._waits.check()
        if units := UNITS[call]:
            await self._spend(units)
        headers = {"Authorization": f"Bearer {token.reveal()}"}
        if content is not None:
            headers["Content-Type"] = "application/json"
        return await self._http.request(
            "gmail",
            method,
            url,
            headers={**headers, **more},
            body=content,
            timeout=timeout,
            limit=LARGEST_ANSWER_BYTES,
        )


def _taken(answer: HttpAnswer) -> int:
    """How many bytes Gmail has by now: the next piece begins there."""
    found = _RANGE.fullmatch(answer.headers.get("Range", ""))
    return int(found[1]) + 1 if found else 0


def _format(form: str, headers: Sequence[str] = ()) -> str:
    return urlencode([("format", form), *(("metadataHeaders", name) for name in headers)])


def _paging(page: str) -> list[tuple[str, str]]:
    return [("pageToken", page)] if page else []
