"""A folder at a real dovecot, reached through a line that knows the person's tokens and can be made to fail."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import imaplib
import re
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from contracts.imap.dovecot import PASSWORD, Dovecot
from contracts.mail.post_office import PAGE
from postroom.nouns.errors import AccessRevoked
from postroom.nouns.providers import Notification, ProviderRef
from postroom.nouns.secrets import Secret
from postroom.outside.imap import parse
from postroom.outside.imap.client import ImapServer
from postroom.outside.imap.provider import ImapAccount, ImapProvider
from postroom_simulators.clock import SimClock
from postroom_simulators.faults import Faults
from postroom_simulators.recorder import Recorder

SERVED, OTHERS = "Desk", {"archive": "Archive", "junkemail": "Junk"}
_DRAFT = b"Subject: Half a thought\r\n\r\n"


class Gate:
    """Stands before dovecot: takes tokens as an OAuth server would, and fails as the switches say."""

    def __init__(self, dovecot: Dovecot, user: str, faults: Faults, recorder: Recorder) -> None:
        self._dovecot, self._user, self._faults, self._recorder = dovecot, user, faults, recorder
        self.good: set[str] = set()
        self.forbids = False
        self._lines: set[asyncio.StreamWriter] = set()
        self._talks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self.port = 0

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._talk, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
        self.cut()
        await asyncio.gather(*self._talks, return_exceptions=True)

    def cut(self) -> None:
        """Every line: whoever wants to go on signs in anew."""
        for line in self._lines:
            line.transport.abort()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._talks.add(asyncio.current_task())
        there, onward = await asyncio.open_connection("127.0.0.1", self._dovecot.plain, limit=1 << 26)
        self._lines |= {writer, onward}
        back = asyncio.create_task(self._carry(there, writer))
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while line := await reader.readline():
                if not await self._answered(line, reader, writer, onward):
                    onward.write(line)
                    await onward.drain()
        back.cancel()
        await asyncio.gather(back, return_exceptions=True)
        for end in (writer, onward):
            end.transport.abort()
            self._lines.discard(end)

    async def _carry(self, there: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while said := await there.read(1 << 16):
                if re.search(rb"(^|\n)p\d+ BAD ", said):
                    self._recorder.mistake(said.decode("ascii", "replace"))
                writer.write(said)
        writer.close()

    async def _answered(self, line, reader, writer, onward) -> bool:
        """Whether we answered in dovecot's place."""
        tag, _, command = line.strip().partition(b" ")
        switches = self._faults.switches
        if switches.reset:
            writer.write(b"* 3 FETCH (UID 3 BODY[] {2048}\r\nhalf")
            await writer.drain()
            writer.close()
        elif switches.unavailable:
            writer.write(b"* BYE [UNAVAILABLE] Come back later\r\n")
            writer.close()
        elif switches.throttle:
            writer.write(tag + b" NO [LIMIT] Slow down\r\n")
        elif self.forbids and command.startswith((b"EXAMINE", b"UID", b"NOOP")):
            writer.write(tag + b" NO [NOPERM] Not for you\r\n")
        elif command == b"AUTHENTICATE XOAUTH2":
            await self._sign_in(tag, reader, writer, onward)
        else:
            return False
        return True

    async def _sign_in(self, tag, reader, writer, onward) -> None:
        writer.write(b"+ \r\n")
        said = base64.b64decode(await reader.readline()).decode()
        if said.partition("Bearer ")[2].rstrip("\x01") in self.good:
            onward.write(tag + f' LOGIN "{self._user}" "{PASSWORD}"\r\n'.encode())
            return
        writer.write(b"+ eyJzdGF0dXMiOiI0MDAifQ==\r\n")
        await reader.readline()
        writer.write(tag + b" NO [AUTHENTICATIONFAILED] No\r\n")


class ImapOffice:
    name = "imap"
    callback = lifecycle_callback = ""
    client_state = Secret("IMAP has no push")

    def __init__(self, dovecot: Dovecot) -> None:
        self.clock, self.faults, self.recorder = SimClock(), Faults(seed=7), Recorder()
        user = f"Anna.{uuid.uuid4().hex}@Office.test"
        self.address = user.lower()
        self.other: imaplib.IMAP4 = dovecot.client(self.address)
        for folder in (SERVED, *OTHERS.values()):
            self.other.create(folder)
        self.gate = Gate(dovecot, self.address, self.faults, self.recorder)
        self._user, self._revoked, self._tokens = user, False, 0
        self.provider: ImapProvider

    async def open(self) -> None:
        await self.gate.open()
        self._next_token()
        account = ImapAccount(ImapServer("127.0.0.1", self.gate.port, "plain"), self._user, self.token, folder=SERVED)
        self.provider = ImapProvider(account, page_size=PAGE)

    async def close(self) -> None:
        await self.provider.close()
        await self.gate.close()
        self.other.shutdown()

    async def token(self, fresh: bool) -> Secret:
        if fresh and self._revoked:
            raise AccessRevoked("The grant was taken back.")
        if fresh:
            self._next_token()
        return Secret(f"token-{self._tokens}")

    def _next_token(self) -> None:
        self._tokens += 1
        self.gate.good = {f"token-{self._tokens}"}

    def deliver(self, raw: bytes, folder: str = "inbox") -> ProviderRef:
        return self._append(raw, OTHERS.get(folder, SERVED))

    def write_draft(self) -> ProviderRef:
        return self._append(_DRAFT, SERVED, "(\\Draft)")

    def _append(self, raw: bytes, folder: str, flags: str = "") -> ProviderRef:
        date = imaplib.Time2Internaldate(self.clock.now())
        status, answer = self.other.append(folder, flags, date, re.sub(rb"(?<!\r)\n", b"\r\n", raw))
        assert status == "OK", answer
        validity, uid = re.search(rb"APPENDUID (\d+) (\d+)", answer[0]).groups()
        return parse.ref(int(validity), int(uid))

    def move_out(self, ref: ProviderRef) -> None:
        uid = ref.rpartition(".")[2]
        self.other.select(SERVED)
        assert self.other.uid("MOVE", uid, "Archive")[0] == "OK"

    def erase(self, ref: ProviderRef) -> None:
        self.other.select(SERVED)
        self.other.uid("STORE", ref.rpartition(".")[2], "+FLAGS", "(\\Deleted)")
        self.other.expunge()

    def expire_cursors(self) -> None:
        self.other.delete(SERVED)
        self.other.create(SERVED)

    def expire_access(self) -> None:
        """A token matters when somebody signs in: the line was quiet for a minute, and is cut."""
        self.gate.good = set()
        self.gate.cut()
        if self.provider._line is not None:
            self.provider._line.used_at -= 60

    def revoke(self) -> None:
        self._revoked = True
        self.expire_access()

    def forbid(self) -> None:
        self.gate.forbids = True

    async def go_away(self) -> None:
        await self.gate.close()

    async def notifications(self, at_least: int = 1) -> Sequence[Notification]:
        raise NotImplementedError("IMAP has no push; it is not asked to.")


@asynccontextmanager
async def open_office(dovecot: Dovecot) -> AsyncIterator[ImapOffice]:
    office = ImapOffice(dovecot)
    await office.open()
    try:
        yield office
    finally:
        await office.close()
