"""With a URL, the house stands on a PostgreSQL of yours: the oldest one we promise, and with no more rights than it needs."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import psycopg
import pytest
import trustme

from postroom.db import sql
from postroom.db.binaries import OLDEST, find_programs, reachable_programs, server_user
from postroom.db.errors import DatabaseError
from postroom.db.migrate import bring_up_to_date, is_up_to_date, migrations
from postroom.db.pool import Database
from postroom.nouns.errors import Misconfigured, Unavailable
from stories.office import free_port


@contextlib.contextmanager
def running_server(
    home: Path, options: str = "-c listen_addresses=", files: Mapping[str, bytes] | None = None
) -> Iterator[Path]:
    """A server of the oldest version on this machine, which is Debian's 15 where that is installed; its socket's folder."""
    place = home / f"old-{uuid.uuid4().hex[:8]}"
    user = server_user(place)
    place.mkdir(mode=0o755)
    shutil.chown(place, user.uid, user.gid)
    debian = sorted(Path("/usr/lib/postgresql").glob("[0-9]*/bin"), key=lambda folder: int(folder.parent.name))
    debian = [folder for folder in debian if int(folder.parent.name) >= OLDEST]
    programs = reachable_programs([*debian, find_programs()][0], user, place)
    run: dict[str, Any] = {"cwd": place, "check": True, "stdout": subprocess.DEVNULL}
    if not user.is_us:
        run |= {"user": user.uid, "group": user.gid, "extra_groups": []}
    subprocess.run([programs / "initdb", "-D", place / "data", "-U", "super", "-A", "trust", "-N"], **run)
    for name, content in (files or {}).items():
        held = place / "data" / name
        held.write_bytes(content)
        held.chmod(0o600)
        shutil.chown(held, user.uid, user.gid)
    control = [programs / "pg_ctl", "-D", place / "data", "-w", "-l", place / "log"]
    subprocess.run([*control, "-o", f"-k {place} -c fsync=off -c max_connections=150 {options}", "start"], **run)
    try:
        yield place
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], **run)


@pytest.fixture(scope="module")
def old_server(request: pytest.FixtureRequest) -> Iterator[Path]:
    with running_server(request.config.postroom_home) as place:
        yield place


@pytest.fixture
def sealed_server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """One that is reached over TLS only, as a DSN without its `sslmode`; the authority it trusts is `authority.pem`."""
    authority, port = trustme.CA(), free_port()
    own = authority.issue_cert("localhost")
    authority.cert_pem.write_to_path(tmp_path / "authority.pem")
    trustme.CA().cert_pem.write_to_path(tmp_path / "stranger.pem")
    files = {
        "server.crt": b"".join(each.bytes() for each in own.cert_chain_pems),
        "server.key": own.private_key_pem.bytes(),
        "pg_hba.conf": b"hostssl all all 127.0.0.1/32 trust\nhostssl all all ::1/128 trust\n",
    }
    with running_server(request.config.postroom_home, f"-c listen_addresses=localhost -p {port} -c ssl=on", files):
        yield f"host=localhost port={port} dbname=postgres user=super"


@pytest.fixture
def house(old_server: Path) -> Iterator[tuple[str, str]]:
    """An empty database: how its owner, who is no superuser, gets in, and how a login does that owns nothing."""
    name = f"h_{uuid.uuid4().hex}"
    with psycopg.connect(f"host={old_server} user=super dbname=postgres", autocommit=True) as connection:
        with contextlib.suppress(psycopg.errors.DuplicateObject):
            connection.execute("CREATE ROLE landlord LOGIN CREATEROLE")
        connection.execute(f"CREATE ROLE {name}_runner LOGIN")
        connection.execute(f"CREATE DATABASE {name} OWNER landlord")
        yield tuple(f"host={old_server} dbname={name} user={who}" for who in ("landlord", f"{name}_runner"))
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_an_empty_database_is_brought_up_to_date_by_its_owner(house):
    owner, _ = house

    assert [migration.name for migration in migrations()] == bring_up_to_date(owner, only_if_behind=True)
    assert is_up_to_date(owner)


def test_a_login_without_the_runtime_roles_is_told_the_grant_it_lacks(house):
    owner, runner = house
    bring_up_to_date(owner)

    with pytest.raises(Misconfigured, match=r"GRANT postroom_app, postroom_desk TO h_\w+_runner"):
        bring_up_to_date(runner, only_if_behind=True)


def test_a_login_with_the_runtime_roles_runs_and_is_told_who_may_migrate(house):
    owner, runner = house
    bring_up_to_date(owner)
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute(f"GRANT postroom_app, postroom_desk TO {connection.info.dbname}_runner")

    assert [] == bring_up_to_date(runner, only_if_behind=True)
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute("DELETE FROM postroom.migration WHERE number = (SELECT max(number) FROM postroom.migration)")
    with pytest.raises(Misconfigured, match=r"Run `postroom migrate` once"):
        bring_up_to_date(runner, only_if_behind=True)


def test_a_server_that_is_not_there_is_named(tmp_path):
    with pytest.raises(Unavailable, match="No connection to PostgreSQL"):
        bring_up_to_date(f"host={tmp_path} dbname=postroom", only_if_behind=True)


@pytest.mark.long
def test_the_whole_walk_runs_on_the_oldest_server_we_promise(house, tmp_path):
    owner, _ = house
    environment = os.environ | {"POSTROOM_HOME": str(tmp_path / "home"), "POSTROOM_DATABASE_URL": owner}

    walk = subprocess.run(
        [sys.executable, "-m", "postroom", "demo", "--once", "--keep", "--scenario", "dealing-desk"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )

    assert 0 == walk.returncode, walk.stdout + walk.stderr
    assert "Every mail is accounted for" in walk.stdout
    with psycopg.connect(owner.replace("user=landlord", "user=super")) as connection:
        assert connection.execute("SELECT count(*) > 5 FROM postroom.trade").fetchone() == (True,)


async def reaches(dsn: str) -> bool:
    """Whether the app's own pool gets in and is answered."""
    database = await Database(dsn).open()
    try:
        async with database.front_desk() as tx:
            return bool(await tx.value(sql.Query("reached", "SELECT true")))
    finally:
        await database.close()


async def test_a_server_is_reached_over_tls_when_its_certificate_is_the_right_one(sealed_server, tmp_path):
    checked = f"{sealed_server} sslmode=verify-full sslrootcert={tmp_path / 'authority.pem'}"

    assert [migration.name for migration in migrations()] == bring_up_to_date(checked)
    assert await reaches(checked)
    assert await reaches(f"{sealed_server} sslmode=require")


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ("host=localhost sslmode=verify-full sslrootcert={}/stranger.pem", "certificate"),
        ("host=127.0.0.1 sslmode=verify-full sslrootcert={}/authority.pem", "127.0.0.1|certificate"),
        ("host=localhost sslmode=verify-full sslrootcert={}/none.pem", "none.pem|No such file"),
        ("host=localhost sslmode=disable", "no encryption|pg_hba"),
    ],
)
async def test_a_wrong_certificate_is_refused_with_a_sentence(sealed_server, tmp_path, told, says):
    wrong = sealed_server.replace("host=localhost", told.format(tmp_path))

    with pytest.raises((Unavailable, Misconfigured), match=says):
        bring_up_to_date(wrong, only_if_behind=True)
    with pytest.raises((Unavailable, Misconfigured, DatabaseError), match=says):
        await reaches(wrong)
