"""Gmail's own office, for what only Gmail does."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from email.message import EmailMessage
from email.policy import SMTP
from itertools import count

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from contracts.mail.gmail_office import GmailOffice, open_office

_numbers = count(1)
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@pytest.fixture
async def office() -> AsyncIterator[GmailOffice]:
    async with open_office() as opened:
        yield opened


@pytest.fixture
def letter():
    """A mail as it comes over SMTP."""

    def written(subject="A question", text="Dear Anna,\r\n\r\nplease see below.\r\n"):
        mail = EmailMessage(policy=SMTP)
        mail["From"], mail["To"], mail["Subject"] = "Carl Client <carl@client.test>", "anna@office.test", subject
        mail["Message-ID"] = f"<{next(_numbers)}@client.test>"
        mail.set_content(text)
        return mail.as_bytes()

    return written


@pytest.fixture
async def served() -> AsyncIterator[Callable[[Handler], Awaitable[str]]]:
    """A server that answers everything in one way; its address."""
    servers: list[TestServer] = []

    async def serving(answer: Handler) -> str:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", answer)
        servers.append(TestServer(app))
        await servers[-1].start_server()
        return str(servers[-1].make_url("")).rstrip("/")

    yield serving
    for server in servers:
        await server.close()
