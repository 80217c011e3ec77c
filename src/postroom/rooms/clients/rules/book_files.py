"""The client book from CSV files, with a clear word about every line that will not do."""

from __future__ import annotations

import csv
import io
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from postroom.nouns.clients import BookStatus
from postroom.nouns.errors import BadRequest
from postroom.rooms.clients.rules.domains import clean_domain
from postroom.rooms.clients.rules.known import plain_address
from postroom.rooms.clients.rules.words import code_key

ACCOUNTS, CONTACTS = "accounts.csv", "contacts.csv"
ENGAGEMENTS, WORK_ITEMS = "engagements.csv", "work_items.csv"
FILES = (ACCOUNTS, CONTACTS, ENGAGEMENTS, WORK_ITEMS)
COLUMNS: Mapping[str, tuple[str, ...]] = {
    ACCOUNTS: ("code", "name", "aliases", "domains", "status"),
    CONTACTS: ("email", "name", "account"),
    ENGAGEMENTS: ("code", "name", "account", "status"),
    WORK_ITEMS: ("code", "name", "engagement", "status"),
}
NEEDED: Mapping[str, tuple[str, ...]] = {
    ACCOUNTS: ("code", "name"),
    CONTACTS: ("email", "account"),
    ENGAGEMENTS: ("code", "account"),
    WORK_ITEMS: ("code", "engagement"),
}
LONGEST_CODE, LONGEST_NAME, MOST_IN_A_CELL = 64, 200, 200
MOST_ACCOUNTS = 1_000  # of one contact
MOST_LINES = 1_000_000  # of one file: ten times the largest book we measured, and seconds of work
MOST_BAD_LINES = 10_000  # of one file: nobody mends more by hand, and millions of them would fill the memory
_EMAIL = re.compile(r"^[^@\s,;<>\"]{1,64}@(?:[^@\s.,;<>\"]+\.)+[^@\s.,;<>\"]{2,63}$")
_CODE = re.compile(r"^[^\W_][\w./:-]*$")
_BROKEN = re.compile(r"[\x00-\x1f\x7f]")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class BadBookLine:
    """What is wrong, and where."""

    file: str
    line: int
    because: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.because}"


@dataclass(frozen=True, slots=True)
class AccountEntry:
    """An account as somebody wants it."""

    code: str
    name: str
    aliases: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    status: BookStatus = "open"
    line: int = field(default=0, compare=False)

    @property
    def key(self) -> str:
        return code_key(self.code)


@dataclass(frozen=True, slots=True)
class ContactEntry:
    """A contact with all the accounts it has."""

    email: str
    name: str
    accounts: tuple[str, ...]  # their keys
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class EngagementEntry:
    code: str
    name: str
    account: str  # its key
    status: BookStatus = "open"
    line: int = field(default=0, compare=False)

    @property
    def key(self) -> str:
        return code_key(self.code)


@dataclass(frozen=True, slots=True)
class WorkItemEntry:
    code: str
    name: str
    engagement: str  # its key
    status: BookStatus = "open"
    line: int = field(default=0, compare=False)

    @property
    def key(self) -> str:
        return code_key(self.code)


@dataclass(frozen=True, slots=True)
class BookFiles:
    """What the files say, and every line that will not do. With one of those, nothing is taken."""

    accounts: Sequence[AccountEntry] = ()
    contacts: Sequence[ContactEntry] = ()
    engagements: Sequence[EngagementEntry] = ()
    work_items: Sequence[WorkItemEntry] = ()
    bad: Sequence[BadBookLine] = ()
    lines: int = 0


class _Reader(Generic[T]):
    """One file: its good lines by key, and what is wrong with the others."""

    def __init__(self, name: str, make: Callable[[Mapping[str, str], int], T]) -> None:
        self.name, self._make = name, make
        self.bad: list[BadBookLine] = []
        self.lines = 0

    def read(self, content: bytes | None) -> Iterator[T]:
        if content is None:
            return
        for line, values in self._rows(content):
            if self._is_enough(line):
                return
            self.lines += 1
            try:
                yield self._make(values, line)
            except BadRequest as problem:
                self._refuse(line, str(problem))

    def _is_enough(self, line: int) -> bool:
        if len(self.bad) < MOST_BAD_LINES:
            return False
        self._refuse(line, "There are more; mend these first.")
        return True

    def _refuse(self, line: int, because: str) -> None:
        self.bad.append(BadBookLine(self.name, line, because))

    def _rows(self, content: bytes) -> Iterator[tuple[int, dict[str, str]]]:
        text, broken = _decoded(content)
        for line in broken:
            if self._is_enough(line):
                return
            self._refuse(line, "This line is not UTF-8; save the file as CSV in UTF-8.")
        if text.count("\n") > MOST_LINES:
            self._refuse(MOST_LINES + 1, f"The file has more than {MOST_LINES:,} lines; split it.")
            return
        delimiter = max(",;\t", key=text.split("\n", 1)[0].count)
        cells = self._cells(text, delimiter)
        _, first = next(cells, (1, []))
        if self.bad:
            return
        try:
            header = _header(self.name, first)
        except BadRequest as problem:  # without its columns nothing more can be said of a file
            self._refuse(1, str(problem))
            return
        for line, row in cells:
            if not any(cell.strip() for cell in row):
                continue
            if len(row) > len(header):
                if self._is_enough(line):
                    return
                said = f"It has {len(row)} cells where the first line has {len(header)}"
                self._refuse(line, f"{said}; quote those with a {delimiter} in them.")
                continue
            yield line, {name: cell.strip() for name, cell in zip(header, row, strict=False)}

    def _cells(self, text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
        """Row by row with the line it ends in; what is no CSV is named where it begins, and the next line is tried."""
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        while True:
            begins = rows.line_num + 1
            try:
                row = next(rows)
            except StopIteration:
                return
            except csv.Error as problem:
                self._refuse(begins, f"This is not CSV: {_not_csv(str(problem))}.")
                if begins == 1:
                    return
            else:
                yield rows.line_num, row


def _not_csv(problem: str) -> str:
    if problem.startswith("field larger"):
        return f"a cell is longer than {csv.field_size_limit():,} characters"
    if problem == "unexpected end of data":
        return "a quote is opened here and never closed"
    return problem


def read_book(files: Mapping[str, bytes]) -> BookFiles:
    """All files of a folder, by name; those that are not there say nothing."""
    if not any(name in files for name in FILES):
        raise BadRequest(f"There is no book here: put {', '.join(FILES)} into the folder, at least one of them.")
    if strange := [name for name in files if name not in FILES]:
        raise BadRequest(f"{strange[0][:80]!r} is no file of a book; those are {', '.join(FILES)}.")
    accounts = _Reader(ACCOUNTS, account_entry)
    contacts = _Reader(CONTACTS, contact_entry)
    engagements = _Reader(ENGAGEMENTS, engagement_entry)
    work_items = _Reader(WORK_ITEMS, work_item_entry)
    read = BookFiles(
        accounts=list(_once(accounts, accounts.read(files.get(ACCOUNTS)))),
        contacts=_together(contacts, contacts.read(files.get(CONTACTS))),
        engagements=list(_once(engagements, engagements.read(files.get(ENGAGEMENTS)))),
        work_items=list(_once(work_items, work_items.read(files.get(WORK_ITEMS)))),
    )
    readers = (accounts, contacts, engagements, work_items)
    bad = [each for reader in readers for each in sorted(reader.bad, key=lambda found: found.line)]
    lines = sum(reader.lines for reader in readers)
    return BookFiles(read.accounts, read.contacts, read.engagements, read.work_items, bad, lines)


Coded = TypeVar("Coded", AccountEntry, EngagementEntry, WorkItemEntry)


def _once(reader: _Reader[Coded], entries: Iterator[Coded]) -> Iterator[Coded]:
    first: dict[str, int] = {}
    for entry in entries:
        if entry.key in first:
            said = f"{entry.code} stands in line {first[entry.key]} already."
            reader.bad.append(BadBookLine(reader.name, entry.line, said))
            continue
        first[entry.key] = entry.line
        yield entry


def _together(reader: _Reader[ContactEntry], entries: Iterator[ContactEntry]) -> list[ContactEntry]:
    """A contact has a line for each of its accounts."""
    first: dict[str, ContactEntry] = {}
    names: dict[str, str] = {}
    accounts: dict[str, dict[str, None]] = {}
    for entry in entries:
        first.setdefault(entry.email, entry)
        names[entry.email] = entry.name or names.get(entry.email, "")
        own = accounts.setdefault(entry.email, {})
        own.update(dict.fromkeys(entry.accounts))
        if len(own) == MOST_ACCOUNTS + 1:
            said = f"{entry.email} is on more than {MOST_ACCOUNTS:,} accounts, and so says nothing about any."
            reader.bad.append(BadBookLine(reader.name, entry.line, said))
    return [replace(each, name=names[email], accounts=tuple(accounts[email])) for email, each in first.items()]


def account_entry(values: Mapping[str, str], line: int = 0) -> AccountEntry:
    return AccountEntry(
        code=clean_code(values.get("code", "")),
        name=clean_name(values.get("name", ""), "name"),
        aliases=tuple(clean_name(each, "alias") for each in _listed(values.get("aliases", ""))),
        domains=tuple(dict.fromkeys(clean_domain(each) for each in _listed(values.get("domains", "")))),
        status=clean_status(values.get("status", "")),
        line=line,
    )


def contact_entry(values: Mapping[str, str], line: int = 0) -> ContactEntry:
    name = values.get("name", "")
    account = code_key(clean_code(values.get("account", ""), "account"))
    return ContactEntry(
        clean_email(values.get("email", "")), clean_name(name, "name") if name else "", (account,), line
    )


def engagement_entry(values: Mapping[str, str], line: int = 0) -> EngagementEntry:
    code = clean_code(values.get("code", ""))
    account = code_key(clean_code(values.get("account", ""), "account"))
    name = clean_name(values.get("name") or code, "name")
    return EngagementEntry(code, name, account, clean_status(values.get("status", "")), line)


def work_item_entry(values: Mapping[str, str], line: int = 0) -> WorkItemEntry:
    code = clean_code(values.get("code", ""))
    engagement = code_key(clean_code(values.get("engagement", ""), "engagement"))
    name = clean_name(values.get("name") or code, "name")
    return WorkItemEntry(code, name, engagement, clean_status(values.get("status", "")), line)


def clean_code(text: str, what: str = "code") -> str:
    code = text.strip()
    if not code:
        raise BadRequest(f"The {what} is missing.")
    if len(code) > LONGEST_CODE or not _CODE.match(code):
        raise BadRequest(f"{what} {code[:80]!r} will not do: letters, digits and - _ . / : only, 64 at most.")
    return code


def clean_name(text: str, what: str) -> str:
    name = " ".join(text.split())
    if not name:
        raise BadRequest(f"The {what} is missing.")
    if _BROKEN.search(name):
        raise BadRequest(f"{what} {name[:40]!r} has a character in it that is no text.")
    if len(name) > LONGEST_NAME:
        raise BadRequest(f"{what} {name[:40]!r}… is longer than {LONGEST_NAME} characters.")
    return name


def clean_email(text: str) -> str:
    email = text.strip().lower()
    if not email:
        raise BadRequest("The email is missing.")
    if len(email) > 254 or _BROKEN.search(email) or not _EMAIL.match(email):
        raise BadRequest(f"{text.strip()[:80]!r} is not a mail address.")
    return plain_address(email)


def clean_status(text: str) -> BookStatus:
    """Other programs say active and inactive."""
    match text.strip().lower():
        case "" | "open" | "active":
            return "open"
        case "closed" | "inactive":
            return "closed"
        case other:
            raise BadRequest(f"status {other[:40]!r} is neither open nor closed.")


def _listed(cell: str) -> list[str]:
    found = [each.strip() for each in cell.split(";") if each.strip()]
    if len(found) > MOST_IN_A_CELL:
        raise BadRequest(f"{len(found)} things in one cell are more than {MOST_IN_A_CELL}.")
    return found


def _header(file: str, cells: Sequence[str]) -> list[str]:
    known, said = COLUMNS[file], [cell.strip().lower().replace(" ", "_") for cell in cells]
    expected = f"The first line names the columns: {','.join(known)}."
    if not any(said):
        raise BadRequest(f"The first line is empty. {expected}")
    if unknown := [name for name in said if name not in known]:
        raise BadRequest(f"{unknown[0]!r} is no column of {file}. {expected}")
    if twice := [name for name, times in Counter(said).items() if times > 1]:
        raise BadRequest(f"The column {twice[0]} stands there twice. {expected}")
    if missing := [name for name in NEEDED[file] if name not in said]:
        raise BadRequest(f"The column {missing[0]} is missing. {expected}")
    return said


def _decoded(content: bytes) -> tuple[str, list[int]]:
    """The text, or every line that is none. Spreadsheets also save as UTF-16, which always says so at its beginning."""
    try:
        return content.decode("utf-16" if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"), []
    except UnicodeDecodeError:
        return "", [line for line, each in enumerate(content.split(b"\n"), 1) if not _is_text(each)] or [1]


def _is_text(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True
