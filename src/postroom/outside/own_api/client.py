"""Requests to our own API. Never sleeps and never retries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import aiohttp

from postroom.nouns.api_answers import ApiAnswer
from postroom.nouns.errors import TimedOut, Unavailable
from postroom.nouns.secrets import Secret

SECONDS = 120.0  # a model may be asked, or a large file fetched


def open_session() -> aiohttp.ClientSession:
    return aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(SECONDS))


class ApiClient:
    """`url` is the web process's, without `/api/v1`."""

    def __init__(self, session: aiohttp.ClientSession, url: str, key: Secret) -> None:
        self._session, self._url, self._key = session, url.rstrip("/"), key

    async def ask(self, method: str, path: str, query: Mapping[str, str] | None = None, body: Any = None) -> ApiAnswer:
        headers = {"Authorization": f"Bearer {self._key.reveal()}"}
        try:
            async with self._session.request(
                method, f"{self._url}/api/v1{path}", params=query, json=body, headers=headers, allow_redirects=False
            ) as answer:
                return ApiAnswer(answer.status, await answer.json(content_type=None))
        except TimeoutError:
            raise TimedOut(f"Postroom did not answer at {self._url} within {SECONDS:.0f} seconds.") from None
        except (aiohttp.ClientError, ValueError):
            raise Unavailable(
                f"Postroom does not answer at {self._url}. Is it running there? Say where with POSTROOM_API_URL."
            ) from None
