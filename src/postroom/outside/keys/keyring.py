"""Where sealing keys come from: POSTROOM_SEALING_KEY, or a file made on the first run."""

from __future__ import annotations

import base64
import binascii
import fcntl
import os
import re
import stat
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from postroom.nouns.errors import Misconfigured
from postroom.outside.keys.encryption import KEY_BYTES, Key, Sealer

FILE = "sealing.key"
_HEX = re.compile(r"[0-9a-fA-F]{64}")
_EXPECTED = (
    f"expected {KEY_BYTES} random bytes in base64 or hex, several separated by commas with the newest first; "
    "`openssl rand -base64 32` makes one"
)


def load_sealer(env_value: str | None, home: Path) -> Sealer:
    """Keys from the environment seal; a key file in `home`, if there is one, still opens what it sealed before."""
    if env_value is None or not env_value.strip():
        file = KeyFile(_made_once(home / FILE))
        return Sealer(file.keys(), file.keys)
    given = parse_keys(env_value, "POSTROOM_SEALING_KEY")
    if not (home / FILE).exists():
        return Sealer(given)
    file = KeyFile(home / FILE)
    return Sealer([*given, *file.keys()], lambda: [*given, *file.keys()])


class KeyFile:
    """Read anew when it changed, so that every process of a host takes up a new key by itself."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._keys: list[Key] = []
        self._as_of: tuple[int, int, int] | None = None

    def keys(self) -> list[Key]:
        """A file that cannot be read any more does not take away what we know."""
        try:
            found = self._path.stat()
            as_of = (found.st_ino, found.st_mtime_ns, found.st_size)
            if as_of != self._as_of:
                self._keys, self._as_of = _file_keys(self._path), as_of
        except (OSError, Misconfigured):
            if not self._keys:
                raise
        return self._keys


def add_key(home: Path) -> Sealer:
    """A new key in front of those in the file: it seals from now on, and the others still open."""
    path = _made_once(home / FILE)
    with _alone(path):
        keys = [Key(os.urandom(KEY_BYTES)), *_file_keys(path)]
        draft = _draft(path, keys)
        _give_to_owner(draft, path)
        draft.replace(path)
        _sync_folder(path.parent)
    return Sealer(keys)


def _give_to_owner(draft: Path, path: Path) -> None:
    """Root may add a key for whom the house runs as."""
    owner = path.stat()
    if os.geteuid() == 0 and owner.st_uid != 0:
        os.chown(draft, owner.st_uid, owner.st_gid)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Two additions at once must not lose a key that something may be sealed with."""
    with path.with_name(f".{path.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def parse_keys(text: str, where: str) -> list[Key]:
    words = [word for word in re.split(r"[,\s]+", text) if word]
    if not words:
        raise Misconfigured(f"{where} holds no key: {_EXPECTED}.")
    return [_parsed(word, number, where) for number, word in enumerate(words, start=1)]


def _parsed(word: str, number: int, where: str) -> Key:
    # The value is not repeated in the error: it may be a real key with a letter missing.
    try:
        if _HEX.fullmatch(word):
            material = bytes.fromhex(word)
        else:
            ordinary = word.replace("-", "+").replace("_", "/").rstrip("=")
            material = base64.b64decode(ordinary + "=" * (-len(ordinary) % 4), validate=True)
    except (ValueError, binascii.Error):
        raise Misconfigured(f"Key {number} of {where} is neither base64 nor hex: {_EXPECTED}.") from None
    if len(material) != KEY_BYTES:
        raise Misconfigured(f"Key {number} of {where} has {len(material)} bytes: {_EXPECTED}.")
    return Key(material)


def _file_keys(path: Path) -> list[Key]:
    try:
        mode = path.stat().st_mode
        text = path.read_text("ascii", "replace")
    except OSError as error:
        raise Misconfigured(f"The key file {path} cannot be read ({error.strerror}).") from error
    if stat.S_IMODE(mode) & 0o077:
        raise Misconfigured(f"Others can read the key file {path}: chmod 600 {path}.")
    return parse_keys(text, str(path))


def _made_once(path: Path) -> Path:
    """The file, made if there is none. Of several processes that start together one makes it, and all use that."""
    if path.exists():
        return path
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = _draft(path, [Key(os.urandom(KEY_BYTES))])
        try:
            with suppress(FileExistsError):
                os.link(draft, path)
        finally:
            draft.unlink()
        _sync_folder(path.parent)
    except OSError as error:
        raise Misconfigured(
            f"The key file {path} cannot be made ({error.strerror}): make POSTROOM_HOME writable, "
            "or set POSTROOM_SEALING_KEY."
        ) from error
    return path


def _draft(path: Path, keys: list[Key]) -> Path:
    """Complete and on disk before it gets its name."""
    draft = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    lines = "".join(f"{base64.b64encode(key.material).decode()}\n" for key in keys)
    fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(fd, "w") as file:
        file.write(lines)
        file.flush()
        os.fsync(fd)
    return draft


def _sync_folder(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
