"""One line to an IMAP server: the only place where its answers become our errors. It never retries."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import ipaddress
import itertools
import re
import socket
import ssl
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Literal

from postroom.nouns.errors import BadRequest, Misconfigured, TimedOut, Unavailable, Unreadable
from postroom.nouns.secrets import Secret
from postroom.outside.http import MEGABYTE, REQUESTS
from postroom.outside.imap.refusals import refusal
from postroom.outside.imap.wire import LITERAL, Garbled, Response, quoted, response

Security = Literal["tls", "starttls", "plain"]
LARGEST = 150 * MEGABYTE
_LONGEST_LINE = 16 * MEGABYTE  # an answer to SEARCH is one line
_TIMEOUT = 60.0
_GOODBYE = 5.0
_TAG = re.compile(rb"[*+]|p\d+")
_NEWS = frozenset({"EXISTS", "EXPUNGE", "VANISHED", "FETCH"})


@dataclass(frozen=True, slots=True)
class ImapServer:
    host: str
    port: int = 993
    security: Security = "tls"
    trust: ssl.SSLContext | None = None  # whom to believe; None: those this machine believes
    private: bool = True  # whether it may be inside our own network

    def __post_init__(self) -> None:
        if self.security == "plain" and not _is_loopback(self.host):
            raise Misconfigured("An unencrypted IMAP line is allowed to this machine only: use tls or starttls.")


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


async def _connect(server: ImapServer, trust: ssl.SSLContext) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host = server.host if server.private else await _public_address(server)
    if server.security != "tls":
        return await asyncio.open_connection(host, server.port, limit=_LONGEST_LINE)
    return await asyncio.open_connection(host, server.port, limit=_LONGEST_LINE, ssl=trust, server_hostname=server.host)


async def _public_address(server: ImapServer) -> str:
    """Asked for once and connected to as it is: a name that changes its mind in between leads nowhere."""
    found = await asyncio.get_running_loop().getaddrinfo(server.host, server.port, type=socket.SOCK_STREAM)
    addresses = [str(each[4][0]) for each in found]
    if not addresses or not all(ipaddress.ip_address(each).is_global for each in addresses):
        raise BadRequest(
            f"{server.host} is inside a private network, where people at the doors may not send us: "
            "let the operator connect it with `postroom mailbox connect-imap`."
        )
    return addresses[0]


@dataclass(frozen=True, slots=True)
class _Said:
    tag: bytes
    answer: Response


class ImapConnection:
    """Signed in or not; one command at a time. After an error it is closed: open another."""

    def __init__(self, server: ImapServer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._server = server
        self._reader = reader
        self._writer = writer
        self._tags = (f"p{number}".encode() for number in itertools.count(1))
        self._in_the_clear: asyncio.StreamWriter | None = None
        self._capabilities: frozenset[str] = frozenset()
        self.used_at = asyncio.get_running_loop().time()

    @classmethod
    async def open(cls, server: ImapServer) -> ImapConnection:
        trust = server.trust or ssl.create_default_context()
        try:
            async with asyncio.timeout(_TIMEOUT):
                reader, writer = await _connect(server, trust)
        except TimeoutError:
            raise TimedOut(f"{server.host} did not answer within {_TIMEOUT:g} seconds.") from None
        except ssl.SSLCertVerificationError as problem:
            raise _untrusted(server, problem) from None
        except OSError as problem:
            raise Unavailable(f"{server.host} cannot be reached ({type(problem).__name__}).") from None
        line = cls(server, reader, writer)
        try:
            await line._begin(trust)
        except BaseException:
            await line.close()
            raise
        return line

    async def _begin(self, trust: ssl.SSLContext) -> None:
        async with self._guarded("CONNECT", _TIMEOUT):
            greeting = (await self._read()).answer
            if greeting.name not in ("OK", "PREAUTH"):
                raise Unavailable(f"{self._server.host} does not greet us as an IMAP server that is ready.")
            if self._server.security == "starttls":
                await self._start_tls(trust)

    # Commands

    async def offers(self, name: str) -> bool:
        if not self._capabilities:
            answers = await self.command("CAPABILITY")
            told = [word for answer in answers if answer.name == "CAPABILITY" for word in answer.text.split()]
            self._capabilities = frozenset(word.upper() for word in told)
        return name.upper() in self._capabilities

    async def login(self, user: str, password: Secret) -> None:
        if _fits_on_a_line(user) and _fits_on_a_line(password.reveal()) and not await self.offers("LOGINDISABLED"):
            await self._command("LOGIN", b"LOGIN %b %b" % (quoted(user), quoted(password.reveal())))
        elif await self.offers("AUTH=PLAIN"):
            await self._authenticate("PLAIN", f"\0{user}\0{password.reveal()}")
        else:
            raise Misconfigured("The IMAP server takes no password: connect this mailbox with OAuth.")
        self._capabilities = frozenset()  # what a server offers changes with the sign-in

    async def login_with_token(self, user: str, token: Secret) -> None:
        """https://developers.google.com/workspace/gmail/imap/xoauth2-protocol."""
        if not await self.offers("AUTH=XOAUTH2"):
            raise Misconfigured("The IMAP server takes no OAuth token (XOAUTH2): connect this mailbox with a password.")
        await self._authenticate("XOAUTH2", f"user={user}\1auth=Bearer {token.reveal()}\1\1")
        self._capabilities = frozenset()

    async def command(self, text: str) -> list[Response]:
        """What the server told meanwhile. `text` is ours: nothing a stranger wrote."""
        return await self._command(text.partition(" ")[0], text.encode("ascii"))

    async def examine(self, folder: str) -> list[Response]:
        """Selected for reading only: nothing is marked as seen."""
        if not _fits_on_a_line(folder):
            raise BadRequest("This cannot be the name of a folder.")
        return await self._command("EXAMINE", b"EXAMINE %b" % quoted(folder))

    async def idle(self, seconds: float) -> bool:
        """Whether there was news; waits for it no longer than that. https://www.rfc-editor.org/rfc/rfc2177."""
        async with self._guarded("IDLE", seconds + _TIMEOUT):
            tag = self._send(b"IDLE")
            news = False
            while (said := await self._read()).tag != b"+":
                if said.tag == tag:
                    raise refusal(said.answer, "IDLE")
                news = news or said.answer.name in _NEWS
            news = news or await self._hear(seconds)
            self._writer.write(b"DONE\r\n")
            heard = await self._until(tag, "IDLE")
            return news or any(answer.name in _NEWS for answer in heard)

    async def close(self) -> None:
        """Hangs up. The server needs no goodbye, and may be the reason."""
        self._writer.close()
        if self._writer is self._in_the_clear:
            return  # it was being encrypted: nobody would tell it that it is closed
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(_GOODBYE):
                await self._writer.wait_closed()
        if self._in_the_clear is not None:
            self._in_the_clear.close()

    # The wire

    async def _command(self, name: str, line: bytes) -> list[Response]:
        async with self._guarded(name, _TIMEOUT):
            return await self._until(self._send(line), name)

    async def _authenticate(self, mechanism: str, secret: str) -> None:
        async with self._guarded("AUTHENTICATE", _TIMEOUT):
            tag = self._send(f"AUTHENTICATE {mechanism}".encode())
            reply = base64.b64encode(secret.encode())
            while (said := await self._read()).tag != tag:
                if said.tag == b"+":
                    # The second time it is a refusal with reasons, which wants an empty answer before the NO.
                    self._writer.write(reply + b"\r\n")
                    reply = b""
            if said.answer.name != "OK":
                raise refusal(said.answer, "AUTHENTICATE")

    async def _start_tls(self, trust: ssl.SSLContext) -> None:
        """With a new reader: what was sent in the clear before the line was safe is never read."""
        tag = self._send(b"STARTTLS")
        await self._until(tag, "STARTTLS")
        self._in_the_clear = self._writer  # kept, since it would hang up when forgotten
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(limit=_LONGEST_LINE)
        protocol = asyncio.StreamReaderProtocol(reader)
        try:
            transport = await loop.start_tls(self._writer.transport, protocol, trust, server_hostname=self._server.host)
        except ssl.SSLCertVerificationError as problem:
            raise _untrusted(self._server, problem) from None
        if transport is None:
            raise Unavailable(f"{self._server.host} hung up while the line was being encrypted.")
        protocol.connection_made(transport)
        self._reader, self._writer = reader, asyncio.StreamWriter(transport, protocol, reader, loop)

    def _send(self, line: bytes) -> bytes:
        tag = next(self._tags)
        self._writer.write(b"%b %b\r\n" % (tag, line))
        return tag

    async def _until(self, tag: bytes, name: str) -> list[Response]:
        told: list[Response] = []
        while (said := await self._read()).tag != tag:
            if said.answer.name == "BYE":
                raise refusal(said.answer, name)
            told.append(said.answer)
        if said.answer.name != "OK":
            raise refusal(said.answer, name)
        return [*told, said.answer]

    async def _hear(self, seconds: float) -> bool:
        try:
            async with asyncio.timeout(seconds):
                while True:
                    answer = (await self._read()).answer
                    if answer.name == "BYE":
                        raise refusal(answer, "IDLE")
                    if answer.name in _NEWS:
                        return True
        except TimeoutError:
            return False

    async def _read(self) -> _Said:
        """One response, with its literals. Cancelled only while nothing of it has come, or before hanging up."""
        pieces = [await self._reader.readuntil(b"\n")]
        while literal := LITERAL.search(pieces[-1]):
            size = int(literal[1])
            if size > LARGEST:
                raise Unreadable(f"A message is larger than {LARGEST // MEGABYTE} MB: it was not read.")
            pieces[-1] = pieces[-1][: literal.start()]
            pieces += [await self._reader.readexactly(size), await self._reader.readuntil(b"\n")]
        pieces[-1] = pieces[-1].rstrip(b"\r\n")
        tag, _, pieces[0] = pieces[0].partition(b" ")
        if not _TAG.fullmatch(tag):
            raise Garbled(f"{self._server.host} does not speak IMAP.")
        return _Said(tag, Response("+") if tag == b"+" else response(pieces))

    @contextlib.asynccontextmanager
    async def _guarded(self, name: str, seconds: float) -> AsyncIterator[None]:
        """Whatever goes wrong, the line is of no use afterwards: nobody knows what was answered."""
        outcome = "refused"
        try:
            async with asyncio.timeout(seconds):
                yield
            outcome = "ok"
        except TimeoutError:
            outcome = "timed_out"
            raise TimedOut(f"{self._server.host} did not answer {name} within {seconds:g} seconds.") from None
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError) as problem:
            outcome = "unreachable"
            raise Unavailable(f"{self._server.host} broke off its answer ({type(problem).__name__}).") from None
        finally:
            self.used_at = asyncio.get_running_loop().time()
            REQUESTS.labels("imap", outcome).inc()
            if outcome != "ok":
                self._writer.close()

    @property
    def closed(self) -> bool:
        return self._writer.is_closing() or self._reader.at_eof()


def _untrusted(server: ImapServer, problem: ssl.SSLCertVerificationError) -> Misconfigured:
    why = problem.verify_message or "unknown"
    return Misconfigured(f"{server.host} shows a certificate that is not trusted ({why}): check its name and issuer.")


def _fits_on_a_line(text: str) -> bool:
    return text.isascii() and text.isprintable()
