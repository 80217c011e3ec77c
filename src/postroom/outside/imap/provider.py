"""One IMAP folder behind the port."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from postroom.nouns.errors import AccessRevoked, BadRequest, Gone, PostroomError
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
from postroom.outside.imap import parse
from postroom.outside.imap.client import ImapConnection, ImapServer
from postroom.outside.imap.parse import FetchedItem, ImapFolder, ImapPosition
from postroom.ports import AccessToken

_PROBE_AFTER = 30.0  # a line that was quiet this long may have been cut without our hearing of it
_LONGEST_IDLE = 540.0  # the standard allows 29 minutes; many routers forget a quiet line after ten


@dataclass(frozen=True, slots=True)
class ImapAccount:
    """`sign_in` is a password, or what gives OAuth tokens."""

    server: ImapServer
    user: str
    sign_in: Secret | AccessToken = field(repr=False)
    address: str = ""  # whose mail it is, when the user's name is no address
    folder: str = "INBOX"


class ImapProvider:
    """A ports.MailProvider, but for `watch`: IMAP has no push. `wait_for_news` listens instead."""

    def __init__(
        self, account: ImapAccount, *, page_size: int = 500, forbidden: Callable[[], bool] = lambda: False
    ) -> None:
        """`forbidden` tells that a database transaction is open here: then nobody may wait for the outside."""
        self._account = account
        self._page_size = page_size
        self._forbidden = forbidden
        self._line: ImapConnection | None = None
        self._folder: ImapFolder | None = None
        self._counts_changes = False
        self._ear: ImapConnection | None = None
        self._ear_hears = False
        self._turn = asyncio.Lock()
        self._listening = asyncio.Lock()

    async def address(self) -> str:
        address = self._account.address or self._account.user
        if "@" not in address:
            raise BadRequest(f"Name the address of the IMAP user {address!r}: it cannot be told from the sign-in.")
        return address.lower()

    async def changes(self, since: Cursor | None) -> Changes:
        """By ranges of UIDs: a page may be empty, and `UID FETCH n:*` would show the newest message for ever."""
        async with self._open() as line:
            folder = await self._look(line)
            if since is None:
                return Changes([], [], ImapPosition.at_end(folder).cursor(), more=False)
            at = ImapPosition.read(since, folder)
            top = min(at.last + self._page_size, folder.next_uid - 1)
            found = await self._fetch(line, f"{at.last + 1}:{top}") if top > at.last else []
            more = top < folder.next_uid - 1
            gone = [] if more else await self._gone(line, at, folder)
        after = ImapPosition(folder.validity, top, at.change if more else folder.highest_change)
        return Changes(_glimpses(found, folder), gone, after.cursor(), more=more)

    async def list_since(self, since: datetime, page: str | None = None) -> Listing:
        """SEARCH knows days and INTERNALDATE seconds: the rest is sorted out here."""
        moment = since.replace(microsecond=0)
        async with self._open() as line:
            folder = await self._look(line)
            last = 0 if page is None else ImapPosition.read(page, folder).last
            answers = await line.command(f"UID SEARCH UID {last + 1}:* SINCE {parse.day_before(moment)}")
            # `n:*` names the newest message even when its number is smaller than n.
            uids = [uid for uid in parse.found_uids(answers) if uid > last]
            chosen = uids[: self._page_size]
            found = await self._fetch(line, ",".join(map(str, chosen))) if chosen else []
        kept = [one for one in found if one.received_at is None or one.received_at >= moment]
        next_page = ImapPosition(folder.validity, chosen[-1]).cursor() if len(uids) > len(chosen) else None
        return Listing(_glimpses(kept, folder), next_page)

    async def message(self, ref: ProviderRef, known: Glimpse | None = None) -> RawMail:
        del known  # one call brings everything
        async with self._open() as line:
            folder = self._folder or await self._look(line)
            uid = parse.uid_of(ref, folder)
            found = await self._whole(line, uid)
            if found is None:
                await line.command("NOOP")  # a server shows what is new since we looked only after this
                found = await self._whole(line, uid)
        if found is None or found.raw is None:
            raise Gone("The folder does not have it (any more, or yet).")
        return RawMail(found.glimpse(folder.validity), found.raw)

    async def watch(
        self,
        callback: str,
        lifecycle_callback: str,
        client_state: Secret,
        current: Watch | None,
        folders: Sequence[WatchedFolder] = SERVED_ONLY,
    ) -> Watch:
        raise BadRequest("IMAP has no push: this mailbox is followed with IDLE and polled.")

    async def unwatch(self, watch: Watch) -> None:
        """There is nothing to end."""

    async def wait_for_news(self, timeout: float) -> bool:
        """Whether to look now. On a new line always, as nobody knows what was missed before it was there."""
        async with self._listening:
            if self._ear is None or self._ear.closed:
                await _closed(self._ear)
                self._ear = None
                self._ear = ear = await self._signed_in()
                self._ear_hears = await ear.offers("IDLE")
                await ear.examine(parse.folder_name(self._account.folder))
                return True
            if not self._ear_hears:
                await asyncio.sleep(timeout)
                return True
            return await self._hear(self._ear, timeout)

    async def _hear(self, ear: ImapConnection, timeout: float) -> bool:
        clock = asyncio.get_running_loop().time
        till = clock() + timeout
        while (left := till - clock()) > 0:
            if await ear.idle(min(left, _LONGEST_IDLE)):
                return True
        return False

    async def close(self) -> None:
        """Who is asking something at this moment gets their answer first."""
        ear, self._ear = self._ear, None
        await _closed(ear)
        async with self._turn:
            line, self._line, self._folder = self._line, None, None
            await _closed(line)

    @contextlib.asynccontextmanager
    async def _open(self) -> AsyncIterator[ImapConnection]:
        """The one line for asking, opened when needed and kept."""
        if self._forbidden():
            raise RuntimeError("A request to the outside was made inside a database transaction: close it first.")
        async with self._turn:
            if self._line is None or not await _alive(self._line):
                await _closed(self._line)
                self._line, self._folder = None, None
                self._line = await self._signed_in()
                self._counts_changes = await _enable_qresync(self._line)
            yield self._line

    async def _signed_in(self) -> ImapConnection:
        sign_in = self._account.sign_in
        if isinstance(sign_in, Secret):
            return await self._line_with(lambda line: line.login(self._account.user, sign_in))
        token = await sign_in(False)  # noqa: FBT003 - the port takes it by position
        try:
            return await self._line_with(lambda line: line.login_with_token(self._account.user, token))
        except AccessRevoked:
            fresh = await sign_in(True)  # noqa: FBT003 - the port takes it by position
        return await self._line_with(lambda line: line.login_with_token(self._account.user, fresh))

    async def _line_with(self, login: Callable[[ImapConnection], Awaitable[None]]) -> ImapConnection:
        line = await ImapConnection.open(self._account.server)
        try:
            await login(line)
        except BaseException:
            await line.close()
            raise
        return line

    async def _look(self, line: ImapConnection) -> ImapFolder:
        self._folder = parse.folder(await line.examine(parse.folder_name(self._account.folder)))
        return self._folder

    async def _fetch(self, line: ImapConnection, uids: str) -> list[FetchedItem]:
        items = "UID FLAGS INTERNALDATE" + (" MODSEQ" if self._counts_changes else "")
        return parse.fetched(await line.command(f"UID FETCH {uids} ({items})"))

    async def _whole(self, line: ImapConnection, uid: int) -> FetchedItem | None:
        items = "UID FLAGS INTERNALDATE BODY.PEEK[]" + (" MODSEQ" if self._counts_changes else "")
        found = parse.fetched(await line.command(f"UID FETCH {uid} ({items})"))
        return next((one for one in found if one.uid == uid and one.raw is not None), None)

    async def _gone(self, line: ImapConnection, at: ImapPosition, folder: ImapFolder) -> list[ProviderRef]:
        """https://www.rfc-editor.org/rfc/rfc7162#section-3.2.6. Servers without it tell of no removals."""
        if not self._counts_changes or not at.change or at.change == folder.highest_change or not at.last:
            return []
        answers = await line.command(f"UID FETCH 1:{at.last} (UID FLAGS) (CHANGEDSINCE {at.change} VANISHED)")
        marked = [one.uid for one in parse.fetched(answers) if "\\deleted" in one.flags]
        gone = dict.fromkeys([*parse.vanished(answers, at.last), *marked])
        return [parse.ref(folder.validity, uid) for uid in gone]


async def _alive(line: ImapConnection) -> bool:
    if line.closed:
        return False
    if asyncio.get_running_loop().time() - line.used_at < _PROBE_AFTER:
        return True
    try:
        await line.command("NOOP")
    except PostroomError:
        return False
    return True


async def _closed(line: ImapConnection | None) -> None:
    if line is not None:
        await line.close()


async def _enable_qresync(line: ImapConnection) -> bool:
    if not (await line.offers("ENABLE") and await line.offers("QRESYNC")):
        return False
    await line.command("ENABLE QRESYNC")
    return True


def _glimpses(found: Iterable[FetchedItem], folder: ImapFolder) -> list[Glimpse]:
    """What is being written here has not arrived."""
    return [one.glimpse(folder.validity) for one in found if "\\draft" not in one.flags]
