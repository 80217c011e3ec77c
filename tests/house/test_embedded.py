"""Our own PostgreSQL: shared, killed, recovered, and refused with a clear word."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psycopg
import pytest

from postroom.db import embedded
from postroom.db.embedded import EmbeddedServer
from postroom.nouns.errors import Misconfigured, Unavailable

SMALL = {"shared_buffers": "16MB", "max_connections": "20"}
CLIENT = """
import sys, time
from pathlib import Path
from postroom.db.embedded import EmbeddedServer
server = EmbeddedServer(Path(sys.argv[1]), {"shared_buffers": "16MB", "max_connections": "20"}).start()
print("up", flush=True)
sys.stdin.readline()
server.stop()
"""


@pytest.fixture
def home():
    """Short, and open to the server's own user when the tests run as root."""
    folder = Path(tempfile.mkdtemp(prefix="pr-"))
    folder.chmod(0o755)
    yield folder / "home"
    shutil.rmtree(folder, ignore_errors=True)


def client(home: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", CLIENT, str(home)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "up\n"
    return process


def leave(process: subprocess.Popen[str]) -> None:
    process.communicate("\n", timeout=60)


def server_pid(home: Path) -> int:
    return int((home / "postgres" / "data" / "postmaster.pid").read_text().splitlines()[0])


def runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def ended(pid: int) -> bool:
    """A dying process lets go of its locks a moment before it is gone."""
    till = time.monotonic() + 10
    while runs(pid) and time.monotonic() < till:
        time.sleep(0.01)
    return not runs(pid)


def test_several_processes_share_one_server_and_the_last_one_out_stops_it(home):
    first, second = client(home), client(home)
    pid = server_pid(home)
    leave(first)
    assert runs(pid)
    leave(second)
    assert ended(pid)


def test_a_killed_client_neither_stops_the_server_nor_keeps_it_alive(home):
    doomed, survivor = client(home), client(home)
    pid = server_pid(home)
    doomed.kill()
    doomed.communicate()
    assert runs(pid)
    leave(survivor)
    assert ended(pid)


def test_a_killed_server_is_started_anew_and_has_lost_nothing_that_was_committed(home):
    server = EmbeddedServer(home, SMALL).start()
    with psycopg.connect(server.dsn(), autocommit=True) as connection:
        connection.execute("CREATE TABLE kept (n int)")
        connection.execute("INSERT INTO kept SELECT generate_series(1, 1000)")
    os.kill(server_pid(home), signal.SIGKILL)
    time.sleep(0.2)

    again = EmbeddedServer(home, SMALL).start()
    with psycopg.connect(again.dsn()) as connection:
        assert (1000,) == connection.execute("SELECT count(*) FROM kept").fetchone()
    again.stop()
    server.stop()


def test_it_never_listens_on_the_network(home):
    server = EmbeddedServer(home, SMALL).start()
    with psycopg.connect(server.dsn()) as connection:
        assert ("",) == connection.execute("SHOW listen_addresses").fetchone()
    server.stop()


def test_none_of_our_secrets_is_in_its_environment(home, monkeypatch):
    monkeypatch.setenv("POSTROOM_SEALING_KEY", "a secret of ours")
    server = EmbeddedServer(home, SMALL).start()
    with psycopg.connect(server.dsn(), autocommit=True) as connection:
        connection.execute("CREATE TABLE line (said text)")
        connection.execute("COPY line FROM PROGRAM 'env'")  # what a program has that the server starts
        told = [each for (each,) in connection.execute("SELECT said FROM line")]
    server.stop()

    assert "TZ=UTC" in told
    assert [] == [each for each in told if "POSTROOM" in each]


def test_non_ascii_text_is_compared_and_folded_rightly(home):
    server = EmbeddedServer(home, SMALL).start()
    with psycopg.connect(server.dsn()) as connection:
        assert (True, "ärger") == connection.execute("SELECT 'ÄRGER' ILIKE 'ärger', lower('ÄRGER')").fetchone()
    server.stop()


def test_data_of_another_version_is_refused_with_what_to_do(home):
    server = EmbeddedServer(home, SMALL).start()
    server.stop()
    (server.data / "PG_VERSION").write_text("14\n")

    with pytest.raises(Misconfigured, match="was made by PostgreSQL 14"):
        EmbeddedServer(home, SMALL).start()


def test_a_first_start_that_was_cut_short_is_begun_anew(home):
    half = home / "postgres" / "data"
    half.mkdir(parents=True)
    (half / "base").mkdir()

    server = EmbeddedServer(home, SMALL).start()
    server.stop()


def test_a_folder_that_cannot_be_written_is_said_so(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(Misconfigured, match="Set POSTROOM_HOME to a folder of your own"):
        EmbeddedServer(tmp_path / "file" / "home", SMALL).start()


def test_a_full_disk_is_said_so(tmp_path):
    said = "initdb: error: could not write to file: No space left on device"

    problem = embedded._start_trouble(tmp_path, said)

    assert isinstance(problem, Unavailable)
    assert "The disk that holds" in str(problem)
    assert "is full" in str(problem)


def test_a_path_too_long_for_a_socket_gets_a_short_one(home):
    deep = home / ("d" * 60) / ("e" * 60)

    server = EmbeddedServer(deep, SMALL).start()

    assert len(str(server.sockets)) < 60
    with psycopg.connect(server.dsn()) as connection:
        assert (1,) == connection.execute("SELECT 1").fetchone()
    server.stop()
    shutil.rmtree(server.sockets, ignore_errors=True)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to give up its rights")
def test_as_root_the_server_runs_as_somebody_without_rights_and_no_folder_of_others_is_changed(home):
    before = home.parent.stat().st_mode
    server = EmbeddedServer(home, SMALL).start()

    assert 0 != Path(f"/proc/{server_pid(home)}").stat().st_uid
    assert before == home.parent.stat().st_mode
    server.stop()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_a_normal_user_runs_it_as_himself(home):
    home.parent.chmod(0o777)
    try:
        subprocess.run([sys.executable, "-c", ""], user=65534, group=65534, cwd="/", capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this Python is installed out of other users' reach")
    program = "import os; os.setgid(65534); os.setuid(65534); os.environ['HOME'] = '/tmp'\n" + CLIENT.replace(
        "sys.stdin.readline()", "import psycopg; psycopg.connect(server.dsn()).close()"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, str(home)], capture_output=True, text=True, check=False, timeout=120
    )

    assert (0, "up\n") == (ran.returncode, ran.stdout), ran.stderr
