"""Which files under a path hold mail."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

MBOX_START = b"From "
Kind = Literal["eml", "mbox", "maildir"]
_MAIL_NAMES: dict[str, Kind] = {".eml": "eml", ".mbox": "mbox", ".mbx": "mbox"}


@dataclass(frozen=True, slots=True)
class MailFile:
    path: Path
    kind: Kind
    size: int


@dataclass(frozen=True, slots=True)
class Unreachable:
    path: Path
    problem: OSError


def mail_files(path: Path) -> Iterator[MailFile | Unreachable]:
    """A file that was named counts whatever it is called; in a folder, only what looks like mail does.

    Folders are not followed through links, so that no loop can arise.
    """
    try:
        folder = path.is_dir()
        named = None if folder else MailFile(path, _kind(path, named=True) or "eml", path.stat().st_size)
    except OSError as problem:
        yield Unreachable(path, problem)
        return
    if named:
        yield named
    else:
        yield from _in_folder(path)


def _in_folder(folder: Path) -> Iterator[MailFile | Unreachable]:
    maildir = (folder / "cur").is_dir() and (folder / "new").is_dir()
    if maildir:
        # What is in `tmp` is still being delivered: https://cr.yp.to/proto/maildir.html
        for part in ("cur", "new"):
            for entry in _entries(folder / part):
                if isinstance(entry, Unreachable) or not entry.name.startswith("."):
                    yield from _file(entry, "maildir")
    for entry in _entries(folder):
        if isinstance(entry, Unreachable) or not entry.is_dir(follow_symlinks=False):
            yield from _file(entry, None)
        elif not (maildir and entry.name in ("cur", "new", "tmp")):
            yield from _in_folder(Path(entry.path))


def _file(entry: os.DirEntry[str] | Unreachable, kind: Kind | None) -> Iterator[MailFile | Unreachable]:
    if isinstance(entry, Unreachable):
        yield entry
        return
    path = Path(entry.path)
    try:
        found = (kind or _kind(path, named=False)) if entry.is_file() else None
        if found:
            yield MailFile(path, found, entry.stat().st_size)
    except OSError as problem:
        yield Unreachable(path, problem)


def _entries(folder: Path) -> Sequence[os.DirEntry[str] | Unreachable]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError as problem:
        return [Unreachable(folder, problem)]


def _kind(path: Path, *, named: bool) -> Kind | None:
    """By the first bytes where it matters: mail programs keep mailboxes in files without a suffix."""
    by_name = _MAIL_NAMES.get(path.suffix.lower())
    if by_name is None and path.suffix and not named:
        return None
    with path.open("rb") as file:
        return "mbox" if file.read(len(MBOX_START)) == MBOX_START else by_name
