"""Our own PostgreSQL server: started by the first who needs it, shared by all, stopped by the last.

Liveness is a lock that the server inherits, so a reused process id is never taken for it. Clients hold a shared
lock; one that was killed lets go of it by dying. The server listens on a socket file only, never on the network.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from postroom.db.binaries import ServerUser, find_programs, major_version, reachable_programs, server_user
from postroom.nouns.errors import Misconfigured, Unavailable

PORT = 5432
NEEDED = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")  # nothing else of our environment is the server's
LONGEST_SOCKET_PATH = 100  # sun_path holds 107 bytes on Linux and 103 on macOS
SETTINGS = {
    "listen_addresses": "",
    "max_connections": "200",
    "shared_buffers": "256MB",
    "max_wal_size": "2GB",
    "checkpoint_timeout": "15min",
    "autovacuum_naptime": "5s",  # claims walk over what was claimed since the last one
    "autovacuum_analyze_threshold": "2000",  # at the usual 50, all plans of young tables are made anew each time
    "wal_compression": "on",
    "jit": "off",
    "log_min_messages": "warning",
    "log_line_prefix": "%m [%p] ",
    "timezone": "UTC",
    "log_timezone": "UTC",
}


class EmbeddedServer:
    """One server under one folder. Safe to start from any number of processes."""

    def __init__(self, home: Path, settings: dict[str, str] | None = None) -> None:
        self.home = home
        self._settings = SETTINGS | (settings or {})
        self._claim: int | None = None  # our shared lock: "somebody needs the server"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> EmbeddedServer:
        """Make the data if there is none, start the server if nobody has, and wait until it answers."""
        self._lay_out()
        self._claim = _open_lock(self.run / "clients.lock")
        with _held(self.run / "boot.lock"):  # one starter at a time
            fcntl.flock(self._claim, fcntl.LOCK_SH)
            try:
                self._start_if_dead()
            except BaseException:
                os.close(self._claim)
                self._claim = None
                raise
        return self

    def start_again(self) -> None:
        """After it was killed: safe from any number of processes, and nothing happens if it runs."""
        with _held(self.run / "boot.lock"):
            if self._process is not None:
                self._process.poll()
            self._start_if_dead()

    def answers(self) -> bool:
        return self._answers()

    def stop(self) -> None:
        """Let go of the server; the last one out stops it."""
        if self._claim is None:
            return
        claim, self._claim = self._claim, None
        try:
            with _held(self.run / "boot.lock"):
                fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self._shut_down()
        except BlockingIOError:
            if self._process is not None and self._process.returncode is None:
                self._process.returncode = 0  # others still need it: it is not ours to wait for any more
        finally:
            os.close(claim)

    def dsn(self, database: str = "postgres", user: str = "postgres") -> str:
        return f"host={self.sockets} port={PORT} user={user} dbname={database}"

    @property
    def _socket(self) -> Path:
        return self.sockets / f".s.PGSQL.{PORT}"

    def _lay_out(self) -> None:
        try:
            self.home.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.home):
                pass
        except PermissionError as problem:
            raise Misconfigured(
                f"Cannot write to {self.home}: {problem.strerror}. Set POSTROOM_HOME to a folder of your own, "
                "or POSTROOM_DATABASE_URL to a server."
            ) from None
        except OSError as problem:
            raise _disk_trouble(self.home, problem) from None
        self.root = self._root()
        self.data, self.run = self.root / "data", self.root / "run"
        self.user = server_user(self.data)
        for folder in (self.data, self.run):
            folder.mkdir(parents=True, exist_ok=True)
            if not self.user.is_us:
                os.chown(folder, self.user.uid, self.user.gid)
            folder.chmod(0o700)
        self.sockets = _short_folder(self.run, self.user)
        self.programs = reachable_programs(find_programs(), self.user, self.root.parent)

    def _root(self) -> Path:
        """Below our home; when we are root and the server's user cannot get there, below /var/lib."""
        here = self.home / "postgres"
        if os.geteuid() != 0 or all(parent.stat().st_mode & 0o001 for parent in self.home.resolve().parents):
            home_open = os.geteuid() != 0 or bool(self.home.stat().st_mode & 0o001)
            if home_open:
                return here
        name = hashlib.sha256(str(self.home.resolve()).encode()).hexdigest()[:12]
        return Path("/var/lib/postroom") / name / "postgres"

    def _start_if_dead(self) -> None:
        alive = _open_lock(self.run / "server.lock")
        try:
            try:
                fcntl.flock(alive, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if self._answers_soon():
                    return
                fcntl.flock(alive, fcntl.LOCK_EX)  # it is dying: wait for its last process
            self._refuse_other_version()
            if not (self.data / "PG_VERSION").exists():
                self._make_data()
            for stale in (
                self.data / "postmaster.pid",
                self._socket,
                self._socket.with_name(f"{self._socket.name}.lock"),
            ):
                stale.unlink(missing_ok=True)  # we hold the lock, so nobody is behind them
            self._let_us_in()
            self._launch(alive)
        finally:
            os.close(alive)
        self._await_answer()

    def _answers_soon(self) -> bool:
        """Whether the server that holds the lock is up, or will be. A dying one never answers again."""
        while not self._answers():
            if not (self.data / "postmaster.pid").exists() or self._shutting_down():
                return False
            if not _is_locked(self.run / "server.lock"):
                return False  # its first process was killed, and the others have left since
            time.sleep(0.02)
        return True

    def _shutting_down(self) -> bool:
        with contextlib.suppress(OSError, IndexError):
            return (self.data / "postmaster.pid").read_text().splitlines()[7].strip() == "stopping"
        return False

    def _refuse_other_version(self) -> None:
        marker = self.data / "PG_VERSION"
        if not marker.exists():
            return
        made_by, ours = marker.read_text().strip(), str(major_version(self.programs))
        if made_by != ours:
            raise Misconfigured(
                f"The data in {self.data} was made by PostgreSQL {made_by}, but {ours} is installed here. "
                f"Install version {made_by} again, or dump the data with it and load it into an empty folder."
            )

    def _make_data(self) -> None:
        for leftover in self.data.iterdir():  # a first start that was killed half-way
            shutil.rmtree(leftover) if leftover.is_dir() else leftover.unlink()
        locale = ["--locale=C.UTF-8"]
        if major_version(self.programs) >= 17:
            locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C.UTF-8"]
        command = [
            str(self.programs / "initdb"),
            "-D",
            str(self.data),
            "-U",
            "postgres",
            "-E",
            "UTF8",
            "-A",
            "peer",
        ]
        made = subprocess.run(  # noqa: S603 - a program we found ourselves
            [*command, "--data-checksums", "--no-instructions", *locale],
            capture_output=True,
            text=True,
            cwd="/",
            env=_clean_environment(),
            check=False,
            **self._identity(),
        )
        if made.returncode != 0:
            raise _start_trouble(self.data, made.stderr)

    def _let_us_in(self) -> None:
        """Only we and root may connect, over the socket file, checked by the kernel."""
        names = {pwd.getpwuid(os.geteuid()).pw_name, "root", self.user.name}
        roles = ("postgres", "postroom")
        lines = [f"postroom {name} {role}" for name in sorted(names) for role in roles]
        self._write("pg_ident.conf", "\n".join(lines) + "\n")
        self._write("pg_hba.conf", "local all all peer map=postroom\n")

    def _write(self, name: str, text: str) -> None:
        path = self.data / name
        path.write_text(text)
        if not self.user.is_us:
            os.chown(path, self.user.uid, self.user.gid)

    def _launch(self, alive: int) -> None:
        if self._process is not None:
            self._process.wait()  # its lock is free, so it is dead: whoever killed it left us to bury it
        options = self._settings | {
            "unix_socket_directories": str(self.sockets),
            "unix_socket_permissions": "0777",
        }
        command = [str(self.programs / "postgres"), "-D", str(self.data)]
        command += [f"-c{name}={value}" for name, value in options.items()]
        with self._log() as log:
            self._process = subprocess.Popen(  # noqa: S603 - a program we found ourselves
                command,
                pass_fds=[alive],
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                cwd="/",
                env=_clean_environment(),
                **self._identity(),
            )

    def _await_answer(self) -> None:
        """Crash recovery takes as long as it takes: we watch the process, not the clock."""
        process = self._process
        if process is None:
            return
        while not self._answers():
            if process.poll() is not None:
                raise _start_trouble(self.data, self._last_words())
            time.sleep(0.02)

    def _answers(self) -> bool:
        """Whether the server takes connections: it asks for authentication instead of "starting up"."""
        who = b"user\0postgres\0database\0postgres\0\0"
        hello = (len(who) + 8).to_bytes(4, "big") + (196608).to_bytes(4, "big") + who
        with contextlib.closing(socket.socket(socket.AF_UNIX)) as wire:
            try:
                wire.settimeout(5)
                wire.connect(str(self._socket))
                wire.sendall(hello)
                return wire.recv(1) == b"R"
            except OSError:
                return False

    def _shut_down(self) -> None:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError, IndexError, ValueError):
            pid = int((self.data / "postmaster.pid").read_text().splitlines()[0])
            if not _is_locked(self.run / "server.lock"):
                return  # it is dead already; the id may be somebody else's by now
            os.kill(pid, signal.SIGINT)
        if self._process is not None:
            self._process.wait()
        with _held(self.run / "server.lock"):
            pass  # gone when its last process let go of the lock

    def _identity(self) -> dict[str, Any]:
        if self.user.is_us:
            return {}
        return {"user": self.user.uid, "group": self.user.gid, "extra_groups": []}

    def _log(self) -> IO[bytes]:
        path = self.root / "postgres.log"
        if path.exists() and path.stat().st_size > 20_000_000:
            path.replace(path.with_suffix(".log.1"))
        return path.open("ab")

    def _last_words(self) -> str:
        return (self.root / "postgres.log").read_text(errors="replace")[-2000:]


def _clean_environment() -> dict[str, str]:
    """What the server has, each of its processes has: no secret of ours is among it."""
    return {name: os.environ[name] for name in NEEDED if name in os.environ} | {"TZ": "UTC", "LC_ALL": "C"}


def _open_lock(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)


@contextlib.contextmanager
def _held(path: Path) -> Iterator[None]:
    lock = _open_lock(path)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _is_locked(path: Path) -> bool:
    lock = _open_lock(path)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    else:
        return False
    finally:
        os.close(lock)


def _short_folder(run: Path, user: ServerUser) -> Path:
    """A folder for the socket whose path is short enough for the kernel."""
    if len(str(run / f".s.PGSQL.{PORT}")) <= LONGEST_SOCKET_PATH:
        return run
    name = hashlib.sha256(str(run).encode()).hexdigest()[:12]
    folder = Path(tempfile.gettempdir()) / f"postroom-{name}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.is_symlink() or folder.stat().st_uid not in {os.geteuid(), user.uid}:
        raise Misconfigured(f"{folder} belongs to somebody else. Set POSTROOM_HOME to a shorter path.")
    if not user.is_us:
        os.chown(folder, user.uid, user.gid)
    folder.chmod(0o700)
    return folder


def _disk_trouble(folder: Path, problem: OSError) -> Exception:
    if problem.errno in {errno.ENOSPC, errno.EDQUOT}:
        return Unavailable(f"The disk that holds {folder} is full. Free some space, or set POSTROOM_HOME elsewhere.")
    return Misconfigured(f"Cannot use {folder}: {problem.strerror}. Set POSTROOM_HOME to a folder of your own.")


def _start_trouble(data: Path, said: str) -> Exception:
    if "No space left on device" in said or "Disk quota exceeded" in said:
        return Unavailable(f"The disk that holds {data} is full. Free some space, or set POSTROOM_HOME elsewhere.")
    if "Permission denied" in said:
        return Misconfigured(f"PostgreSQL may not use {data}: {said.strip()[-500:]}")
    return Unavailable(f"PostgreSQL did not start; it said: {said.strip()[-1500:]}")
