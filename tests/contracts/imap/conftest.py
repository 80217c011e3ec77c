"""One dovecot for the run, a mailbox of its own for every test, and servers that say what a test wants."""

from __future__ import annotations

import asyncio
import contextlib
import imaplib
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP

import pytest

from contracts.imap.dovecot import PASSWORD, Dovecot, running
from postroom.nouns.secrets import Secret
from postroom.outside.imap.client import ImapServer
from postroom.outside.imap.provider import ImapAccount, ImapProvider

PAGE = 3
_PASSWORD = Secret(PASSWORD)


def letter(subject="A question"):
    mail = EmailMessage(policy=SMTP)
    mail["From"], mail["To"], mail["Subject"] = "Carl <carl@client.test>", "anna@office.test", subject
    mail.set_content("Dear Anna,\n\nplease see below.\n")
    return mail.as_bytes()


@dataclass
class Desk:
    """A mailbox at dovecot: ours through the adapter, and through Python's client as somebody else's."""

    dovecot: Dovecot
    user: str
    provider: ImapProvider
    other: imaplib.IMAP4
    providers: list[ImapProvider] = field(default_factory=list)

    def connect(self, *, sign_in=_PASSWORD, user=None, security="plain", folder="INBOX", **more):
        port = self.dovecot.tls if security == "tls" else self.dovecot.plain
        server = ImapServer("127.0.0.1", port, security, self.dovecot.trust)
        account = ImapAccount(server, user or self.user, sign_in, folder=folder)
        self.providers.append(ImapProvider(account, page_size=PAGE, **more))
        return self.providers[-1]

    def deliver(self, raw=None, *, at=None, flags="", folder="INBOX"):
        """The UID it got."""
        date = imaplib.Time2Internaldate(at or datetime.now(UTC))
        status, answer = self.other.append(folder, flags, date, raw or letter())
        assert status == "OK", answer
        return int(answer[0].split(b"APPENDUID ")[1].split()[1].rstrip(b"]"))

    def uid(self, command, *arguments):
        self.other.select("INBOX")
        status, answer = self.other.uid(command, *arguments)
        assert status == "OK", answer

    def erase(self, *uids):
        for uid in uids:
            self.uid("STORE", str(uid), "+FLAGS", "(\\Deleted)")
        self.other.expunge()


@pytest.fixture(scope="session")
def dovecot() -> Iterator[Dovecot]:
    with running() as server:
        yield server


@pytest.fixture
async def desk_at() -> AsyncIterator[Callable[[Dovecot], Desk]]:
    async with contextlib.AsyncExitStack() as ending:

        def opened(server: Dovecot) -> Desk:
            user = f"{uuid.uuid4().hex}@office.test"
            other = server.client(user)
            ending.callback(other.shutdown)
            scope = Desk(server, user, None, other)
            scope.provider = scope.connect()
            ending.push_async_callback(_close, scope)
            return scope

        yield opened


async def _close(scope: Desk) -> None:
    for provider in scope.providers:
        await provider.close()


@pytest.fixture
def scope(dovecot, desk_at) -> Desk:
    return desk_at(dovecot)


Script = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@pytest.fixture
async def scripted() -> AsyncIterator[Callable[..., Awaitable[ImapServer]]]:
    """A server that follows a script: text to send, or a pattern of a line to wait for, in turn."""
    async with contextlib.AsyncExitStack() as ending:

        async def serving(*script: bytes | tuple[bytes, bytes], hang_up=False) -> ImapServer:
            talks: set[asyncio.Task[None]] = set()

            async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                talks.add(asyncio.current_task())
                try:
                    await _follow(script, reader, writer)
                    if not hang_up:
                        await reader.read()
                except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
                    pass
                finally:
                    writer.close()

            server = await asyncio.start_server(talk, "127.0.0.1", 0)

            async def end() -> None:
                server.close()
                for one in talks:
                    one.cancel()
                await asyncio.gather(*talks, return_exceptions=True)
                await server.wait_closed()

            ending.push_async_callback(end)
            return ImapServer("127.0.0.1", server.sockets[0].getsockname()[1], "plain")

        yield serving


async def _follow(script, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """`(b"LOGIN", b"OK")` waits for that command and answers it under its tag."""
    for step in script:
        if isinstance(step, bytes):
            writer.write(step)
            continue
        wanted, answer = step
        line = await reader.readuntil(b"\n")
        assert wanted in line, f"{line!r} came instead of {wanted!r}"
        writer.write(answer.replace(b"TAG", line.split()[0] if line.strip() else b""))
