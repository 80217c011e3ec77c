"""The archive in a local folder: whole files or none, on disk before we say so, one writer per key.

A file is written aside, synced, and then linked to its name, which fails if the name is taken. Its label lies
beside it as `.name.label.json`. Folders are entered one by one, following no link: a key cannot lead out.
"""

from __future__ import annotations

import asyncio
import errno
import fcntl
import json
import os
import uuid
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Self

from postroom.nouns.errors import (
    BadRequest,
    Misconfigured,
    NotFound,
    PermissionDenied,
    PostroomError,
    Unavailable,
)
from postroom.outside.blobs.port import Blob, acceptable, segments

WORKSHOP = ".postroom"  # locks and half-written files; keys never start with a dot, so none can reach it
UNSETTLED = "unsettled"  # is in the workshop while a folder was made that may not be on disk yet
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC


class FolderBlobs:
    def __init__(self, root: Path) -> None:
        self._root = root
        self._swept = False

    async def put_if_absent(self, key: str, data: bytes, metadata: Mapping[str, str], content_type: str) -> bool:
        acceptable(key, metadata, content_type)
        label = json.dumps({"content_type": content_type, "metadata": dict(metadata)}, ensure_ascii=False)
        return await asyncio.to_thread(self._put, segments(key), data, label.encode())

    async def get(self, key: str) -> bytes:
        return await asyncio.to_thread(self._get, segments(key))

    async def head(self, key: str) -> Blob:
        return await asyncio.to_thread(self._head, segments(key))

    async def exists(self, key: str) -> bool:
        try:
            await self.head(key)
        except NotFound:
            return False
        return True

    async def beneath(self, prefix: str = "") -> AsyncIterator[str]:
        waiting = [segments(prefix.rstrip("/")) if prefix else []]
        while waiting:
            at = waiting.pop()
            files, folders = await asyncio.to_thread(self._entries, at)
            waiting.extend([*at, name] for name in folders)
            for name in files:
                yield "/".join([*at, name])

    async def remove(self, key: str) -> None:
        await asyncio.to_thread(self._remove, segments(key))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        """Nothing stays open between calls."""

    def _put(self, parts: list[str], data: bytes, label: bytes) -> bool:
        *folders, name = parts
        with self._told(parts, missing=Unavailable), ExitStack() as stack:
            workshop = stack.enter_context(self._workshop())
            self._sweep(workshop)
            body = stack.enter_context(_draft(workshop, data))
            tag = stack.enter_context(_draft(workshop, label))
            with _locked(workshop):
                path = self._enter(stack, workshop, folders)
                fresh = not _present(path[-1], name)
                if fresh:
                    os.rename(tag, _label_of(name), src_dir_fd=workshop, dst_dir_fd=path[-1])
                    os.link(body, name, src_dir_fd=workshop, dst_dir_fd=path[-1], follow_symlinks=False)
            # Also when another was first: we say "there", so it must be on disk, whoever wrote it.
            for folder in reversed(path[-2:]):
                os.fsync(folder)
            return fresh

    def _get(self, parts: list[str]) -> bytes:
        with self._told(parts), self._opened(parts) as (file, _):
            return _read(file)

    def _head(self, parts: list[str]) -> Blob:
        with self._told(parts), self._opened(parts) as (file, folder):
            size = os.fstat(file).st_size
            label = _read_label(folder, parts[-1])
        return Blob("/".join(parts), size, **label)

    def _remove(self, parts: list[str]) -> None:
        *folders, name = parts
        with self._told(parts), suppress(FileNotFoundError), ExitStack() as stack:
            workshop = stack.enter_context(self._workshop())
            stack.enter_context(_locked(workshop))
            path = self._descend(stack, folders)
            for doomed in (name, _label_of(name)):
                with suppress(FileNotFoundError):
                    os.unlink(doomed, dir_fd=path[-1])
            os.fsync(path[-1])
            _prune(path, folders)

    def _entries(self, at: list[str]) -> tuple[list[str], list[str]]:
        """Files and folders here; links and whatever starts with a dot are not ours."""
        with self._told(at), ExitStack() as stack:
            try:
                here = self._descend(stack, at)[-1]
            except FileNotFoundError:
                return [], []
            found = stack.enter_context(os.scandir(here))
            ours = [entry for entry in found if not entry.name.startswith(".")]
            files = [entry.name for entry in ours if entry.is_file(follow_symlinks=False)]
            return files, [entry.name for entry in ours if entry.is_dir(follow_symlinks=False)]

    @contextmanager
    def _open_root(self) -> Iterator[int]:
        # The root itself may be a link: that is the operator's choice, made in the setting.
        with _closing(os.open(self._root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)) as root:
            yield root

    @contextmanager
    def _workshop(self) -> Iterator[int]:
        self._root.mkdir(parents=True, exist_ok=True, mode=0o700)
        with self._open_root() as root:
            with suppress(FileExistsError):
                os.mkdir(WORKSHOP, 0o700, dir_fd=root)
            with _closing(os.open(WORKSHOP, _FOLDER, dir_fd=root)) as workshop:
                yield workshop

    def _descend(self, stack: ExitStack, folders: list[str]) -> list[int]:
        """Every folder from the root to the last of these, held open."""
        path = [stack.enter_context(self._open_root())]
        for name in folders:
            path.append(stack.enter_context(_closing(os.open(name, _FOLDER, dir_fd=path[-1]))))
        return path

    def _enter(self, stack: ExitStack, workshop: int, folders: list[str]) -> list[int]:
        """The same, made where they are missing. The last two are synced by whoever puts something there, those above
        them when they are made; for a writer that was killed before it did, the next one syncs everything."""
        if _present(workshop, UNSETTLED):
            os.sync()
            os.unlink(UNSETTLED, dir_fd=workshop)
        path = [stack.enter_context(self._open_root())]
        for name in folders:
            if not _present(path[-1], name):
                above = len(path) < len(folders)
                if above:
                    os.close(os.open(UNSETTLED, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600, dir_fd=workshop))
                with suppress(FileExistsError):
                    os.mkdir(name, 0o700, dir_fd=path[-1])
                if above:
                    os.fsync(path[-1])
                    os.unlink(UNSETTLED, dir_fd=workshop)
            path.append(stack.enter_context(_closing(os.open(name, _FOLDER, dir_fd=path[-1]))))
        return path

    @contextmanager
    def _opened(self, parts: list[str]) -> Iterator[tuple[int, int]]:
        *folders, name = parts
        with ExitStack() as stack:
            path = self._descend(stack, folders)
            file = stack.enter_context(_closing(os.open(name, _FILE, dir_fd=path[-1])))
            yield file, path[-1]

    def _sweep(self, workshop: int) -> None:
        """Throw away what killed writers left: a living one holds a lock on its draft."""
        if self._swept:
            return
        self._swept = True
        with _locked(workshop):
            for name in os.listdir(workshop):
                if name.endswith(".draft"):
                    _discard_if_abandoned(workshop, name)

    @contextmanager
    def _told(self, parts: list[str], *, missing: type[PostroomError] = NotFound) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError as error:
            raise missing(f"The archive has no {'/'.join(parts)!r}.") from error
        except OSError as error:
            raise _ours(error, self._root, "/".join(parts)) from error


@contextmanager
def _closing(fd: int) -> Iterator[int]:
    try:
        yield fd
    finally:
        os.close(fd)


@contextmanager
def _locked(workshop: int) -> Iterator[None]:
    """One at a time over all processes; held for a few file-system calls, never while data is written."""
    with _closing(os.open("lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600, dir_fd=workshop)) as fd:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield


@contextmanager
def _draft(workshop: int, data: bytes) -> Iterator[str]:
    """A file beside the archive, complete and on disk, gone again at the end unless it was renamed."""
    name = f"{uuid.uuid4().hex}.draft"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    with ExitStack() as stack:
        with _locked(workshop):
            # Read-only from the start: what is archived is not edited.
            fd = stack.enter_context(_closing(os.open(name, flags, 0o400, dir_fd=workshop)))
            fcntl.flock(fd, fcntl.LOCK_EX)
        try:
            _write(fd, data)
            os.fsync(fd)
            yield name
        finally:
            with suppress(FileNotFoundError):
                os.unlink(name, dir_fd=workshop)


def _write(fd: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


def _read(fd: int) -> bytes:
    with os.fdopen(os.dup(fd), "rb") as file:
        return file.read()


def _discard_if_abandoned(workshop: int, name: str) -> None:
    with suppress(BlockingIOError), _closing(os.open(name, _FILE, dir_fd=workshop)) as fd:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.unlink(name, dir_fd=workshop)


def _present(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _prune(path: list[int], folders: list[str]) -> None:
    """Folders are named after people: an empty one goes as well."""
    for above, name in zip(reversed(path[:-1]), reversed(folders), strict=True):
        try:
            os.rmdir(name, dir_fd=above)
        except OSError as error:
            if error.errno in (errno.ENOTEMPTY, errno.EEXIST):
                return
            raise


def _label_of(name: str) -> str:
    return f".{name}.label.json"


def _read_label(folder: int, name: str) -> dict[str, Any]:
    try:
        with _closing(os.open(_label_of(name), _FILE, dir_fd=folder)) as fd:
            kept = json.loads(_read(fd))
        return {"content_type": str(kept["content_type"]), "metadata": dict(kept["metadata"])}
    except FileNotFoundError:
        return {}  # put there by hand
    except (ValueError, KeyError, TypeError):
        raise Misconfigured(f"The label {_label_of(name)!r} is damaged: restore it or remove it.") from None


_FULL = (errno.ENOSPC, errno.EDQUOT)
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)
_DETOUR = (errno.ELOOP, errno.ENOTDIR, errno.EISDIR, errno.EEXIST)
_TOO_BIG = (errno.ENAMETOOLONG, errno.EFBIG)


def _ours(error: OSError, root: Path, key: str) -> PostroomError:
    why = os.strerror(error.errno or 0)
    if error.errno in _FULL:
        return Unavailable(f"The archive's disk is full ({root}): free some space; it will be tried again.")
    if error.errno in _FORBIDDEN:
        return PermissionDenied(f"The archive folder {root} may not be used ({why}): give Postroom's user access.")
    if error.errno in _DETOUR:
        return Misconfigured(f"A link, file or folder stands in the way of {key!r} in {root} ({why}): remove it.")
    if error.errno in _TOO_BIG:
        return BadRequest(f"The file system of {root} cannot hold {key!r} ({why}).")
    return Unavailable(f"The archive folder {root} failed ({why}).")
