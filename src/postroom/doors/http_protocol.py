"""HTTP as uvicorn speaks it, with a bound on how long and how large the headers of a request may be.

uvicorn waits for ever for the end of the headers, and keeps all of them. Bodies are bounded by `doors/limits.py`.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEADER_SECONDS = 15.0
HEADER_BYTES = 64 * 1024


class BoundedHttp(HttpToolsProtocol):
    """Closes connections that send their headers too slowly, or too many of them."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._header_bytes = 0
        self._header_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self._expect_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._header_timer is not None:
            self._header_bytes += len(data)
            if self._header_bytes > HEADER_BYTES:
                self._refuse("The headers are too large.")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._expect_headers()

    def on_headers_complete(self) -> None:
        self._stop_waiting()
        super().on_headers_complete()

    def _expect_headers(self) -> None:
        if self._header_timer is None:
            self._header_bytes = 0
            self._header_timer = self.loop.call_later(HEADER_SECONDS, self._out_of_time)

    def _stop_waiting(self) -> None:
        if self._header_timer is not None:
            self._header_timer.cancel()
            self._header_timer = None

    def _out_of_time(self) -> None:
        """A browser keeps a connection in store, and takes what already lies on it for the answer to its next request:
        where nothing was asked, nothing is answered."""
        if self._header_bytes:
            self._refuse("The headers came too slowly.")
        else:
            self._stop_waiting()
            self.transport.close()

    def _refuse(self, why: str) -> None:
        self._stop_waiting()
        if not self.transport.is_closing():
            self.send_400_response(why)
