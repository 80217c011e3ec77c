"""The one place where a model's HTTP becomes our errors."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from urllib.parse import urlsplit

from postroom.nouns.errors import BadRequest
from postroom.nouns.opinions import ModelAnswer, ModelEndpoint
from postroom.nouns.secrets import Secret
from postroom.outside.http import MEGABYTE, Http, retry_after
from postroom.outside.models import parse

LARGEST_QUESTION = 2 * MEGABYTE
LARGEST_ANSWER = 4 * MEGABYTE
UNKNOWN_WISH = (400, 422)


class ChatModel:
    """One model at one endpoint. Without `http` each question opens a connection of its own."""

    def __init__(
        self,
        endpoint: ModelEndpoint,
        key: Secret | None,
        now: Callable[[], datetime],
        http: Http | None = None,
        seconds: float = 60.0,
    ) -> None:
        self._endpoint, self._key, self._now, self._http, self._seconds = endpoint, key, now, http, seconds

    @property
    def name(self) -> str:
        return self._endpoint.name

    @property
    def host(self) -> str:
        return urlsplit(self._endpoint.base_url).hostname or ""

    async def ask(self, system: str, document: str) -> ModelAnswer:
        """Some servers refuse wishes they do not know, so those are left out the second time."""
        async with self._way_out() as http:
            status, body, wait = await self._send(http, system, document, bare=False)
            if status in UNKNOWN_WISH:
                status, body, wait = await self._send(http, system, document, bare=True)
        if not 200 <= status < 300:
            raise parse.refusal(self._endpoint, status, body, wait)
        return parse.answer(self._endpoint, body)

    async def _send(self, http: Http, system: str, document: str, *, bare: bool) -> tuple[int, bytes, float | None]:
        question = parse.question(self._endpoint, system, document, bare=bare)
        if len(question) > LARGEST_QUESTION:
            raise BadRequest(f"The question is larger than {LARGEST_QUESTION // MEGABYTE} MB: it was not sent.")
        answer = await http.request(
            "model",
            "POST",
            self._endpoint.base_url.rstrip("/") + parse.path(self._endpoint),
            headers=parse.headers(self._endpoint, self._key.reveal() if self._key else ""),
            body=question,
            timeout=self._seconds,
            limit=LARGEST_ANSWER,
        )
        return answer.status, answer.body, retry_after(answer.headers, self._now())

    @contextlib.asynccontextmanager
    async def _way_out(self) -> AsyncIterator[Http]:
        if self._http is not None:
            yield self._http
            return
        async with Http(connections=1) as http:
            yield http
