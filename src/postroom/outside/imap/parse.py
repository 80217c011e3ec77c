"""IMAP's words become ours."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

from postroom.nouns.errors import CursorExpired, Gone, Misconfigured
from postroom.nouns.providers import DRAFT, INBOX, TRASH, Cursor, Glimpse, ProviderRef
from postroom.outside.imap.wire import Garbled, Response, Value, numbers, pairs

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
MOST_VANISHED = 100_000
_INTERNAL_DATE = re.compile(r" ?(\d{1,2})-([A-Za-z]{3})-(\d{4}) (\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)")
_POSITION = re.compile(r"(\d+)\.(\d+)(?:\.(\d+))?")
_LABELS = {"\\deleted": TRASH, "\\draft": DRAFT}


@dataclass(frozen=True, slots=True)
class ImapFolder:
    """The folder as selected. A new `validity` makes every UID we know worthless."""

    validity: int
    next_uid: int
    highest_change: int = 0  # 0: the server does not count changes


@dataclass(frozen=True, slots=True)
class ImapPosition:
    """How far we have read: UIDs only grow, changes are counted where the server does."""

    validity: int
    last: int
    change: int = 0

    @classmethod
    def at_end(cls, folder: ImapFolder) -> ImapPosition:
        return cls(folder.validity, folder.next_uid - 1, folder.highest_change)

    @classmethod
    def read(cls, text: Cursor | str, folder: ImapFolder) -> ImapPosition:
        found = _POSITION.fullmatch(text)
        if found is None:
            raise CursorExpired("The stored IMAP cursor cannot be understood: a resync is needed.")
        position = cls(int(found[1]), int(found[2]), int(found[3] or 0))
        if position.validity != folder.validity or position.last >= folder.next_uid:
            raise CursorExpired("The server has numbered this folder anew (UIDVALIDITY): a resync is needed.")
        return position

    def cursor(self) -> Cursor:
        return Cursor(f"{self.validity}.{self.last}.{self.change}")


def folder(responses: Iterable[Response]) -> ImapFolder:
    """What SELECT or EXAMINE told."""
    told = {answer.code: answer.argument for answer in responses if answer.code}
    try:
        return ImapFolder(int(told["UIDVALIDITY"]), int(told["UIDNEXT"]), int(told.get("HIGHESTMODSEQ", 0)))
    except (KeyError, ValueError):
        raise Misconfigured("This server gives messages no lasting numbers (UIDs): it cannot be read safely.") from None


@dataclass(frozen=True, slots=True)
class FetchedItem:
    """One message as FETCH told it."""

    uid: int
    flags: frozenset[str]
    received_at: datetime | None
    version: str
    raw: bytes | None

    def glimpse(self, validity: int) -> Glimpse:
        labels = frozenset(_LABELS[flag] for flag in self.flags if flag in _LABELS)
        return Glimpse(
            ref=ref(validity, self.uid),
            received_at=self.received_at,
            labels=labels | {INBOX},
            version=self.version,
            is_draft=DRAFT in labels,
        )


def fetched(responses: Iterable[Response]) -> list[FetchedItem]:
    """Those that carry a UID; a server may add news of other messages. The last word on each counts."""
    found: dict[int, FetchedItem] = {}
    for answer in responses:
        if answer.name != "FETCH":
            continue
        told = pairs(_only(answer.values()))
        uid = _number(told.get("UID"))
        if uid is not None and "FLAGS" in told:
            found[uid] = _message(uid, told)
    return [found[uid] for uid in sorted(found)]


def _message(uid: int, told: dict[str, Value]) -> FetchedItem:
    flags = frozenset(flag.decode("ascii", "replace").lower() for flag in _list(told["FLAGS"]) if flag)
    change = _list(told.get("MODSEQ"))
    raw = told.get("BODY[]")
    return FetchedItem(
        uid=uid,
        flags=flags,
        received_at=internal_date(told.get("INTERNALDATE")),
        version=change[0].decode() if change and change[0] else " ".join(sorted(flags - {"\\recent"})),
        raw=raw if isinstance(raw, bytes) else None,
    )


def vanished(responses: Iterable[Response], up_to: int) -> list[int]:
    """UIDs that are gone; a server that forgot which names all that are missing, those that never were too."""
    ranges = [
        (low, min(high, up_to))
        for answer in responses
        if answer.name == "VANISHED"
        for value in answer.values()
        if isinstance(value, bytes)
        for low, high in numbers(value.decode())
    ]
    if sum(high - low + 1 for low, high in ranges) > MOST_VANISHED:
        raise CursorExpired("The server no longer knows which messages left: a resync is needed.")
    return [uid for low, high in ranges for uid in range(low, high + 1)]


def found_uids(responses: Iterable[Response]) -> list[int]:
    answers = [value for answer in responses if answer.name == "SEARCH" for value in answer.values()]
    return sorted(number for value in answers if (number := _number(value)) is not None)


def ref(validity: int, uid: int) -> ProviderRef:
    return ProviderRef(f"{validity}.{uid}")


def uid_of(wanted: ProviderRef, folder: ImapFolder) -> int:
    found = _POSITION.fullmatch(wanted)
    if found is None or found[3] or int(found[1]) != folder.validity:
        raise Gone("The folder does not have it (any more): it was numbered anew since.")
    return int(found[2])


def internal_date(value: Value) -> datetime | None:
    """When the server took it in. Month names are English whatever our locale."""
    found = _INTERNAL_DATE.fullmatch(value.decode("ascii", "replace")) if isinstance(value, bytes) else None
    if found is None or found[2].capitalize() not in MONTHS:
        return None
    day, year, hour, minute, second = (int(found[group]) for group in (1, 3, 4, 5, 6))
    offset = timedelta(hours=int(found[8]), minutes=int(found[9])) * (1 if found[7] == "+" else -1)
    try:
        month = MONTHS.index(found[2].capitalize()) + 1
        return datetime(year, month, day, hour, minute, second, tzinfo=timezone(offset)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def day_before(moment: datetime) -> str:
    """For SEARCH SINCE, which compares days in the server's own zone and is never too late with this one."""
    day = (moment.astimezone(UTC) - timedelta(days=1)).date()
    return f"{day.day}-{MONTHS[day.month - 1]}-{day.year:04d}"


def folder_name(name: str) -> str:
    """Modified UTF-7, as IMAP4rev1 writes names of folders: https://www.rfc-editor.org/rfc/rfc3501#section-5.1.3."""
    return re.sub(r"[^\x20-\x7e]+|&", _shifted, name)


def _shifted(run: re.Match[str]) -> str:
    if run[0] == "&":
        return "&-"
    coded = base64.b64encode(run[0].encode("utf-16-be")).decode().rstrip("=").replace("/", ",")
    return f"&{coded}-"


def _only(listed: Sequence[Value]) -> Value:
    if len(listed) != 1:
        raise Garbled("The server's answer is no list of names and values.")
    return listed[0]


def _list(value: Value) -> list[bytes]:
    return [item for item in value if isinstance(item, bytes)] if isinstance(value, list) else []


def _number(value: Value) -> int | None:
    return int(value) if isinstance(value, bytes) and value.isdigit() else None
