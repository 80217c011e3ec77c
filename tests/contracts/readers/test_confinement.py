"""What a file that took over its reading process can reach: nothing."""

from __future__ import annotations

import os
import socket
import sys

import pytest

from contracts.readers import misbehaving
from postroom.outside.readers import confine
from postroom.outside.readers.pool import Readers

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Landlock and seccomp are Linux's")


@pytest.fixture(scope="module")
def confined():
    with Readers(processes=1) as readers:
        return readers._wait(readers.pool.confinement())


def test_what_holds_is_told(confined):
    assert confined.no_new_privs
    assert "no new privileges" in confined.said()
    assert confined.is_tight, confined.said()


@pytest.mark.parametrize("family", ["AF_INET", "AF_INET6", "AF_UNIX"])
def test_it_opens_no_socket(family, tried):
    assert "'PermissionError'" == tried(f"found = socket.socket(socket.{family}, socket.SOCK_STREAM)")


def test_it_reaches_no_server_of_this_machine(tmp_path, tried):
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s"))
        server.listen()

        assert "Error" in tried(f"found = socket.socket(socket.AF_UNIX).connect({str(tmp_path / 's')!r})")


def test_it_reads_no_file_but_its_program(tmp_path, tried):
    secret = tmp_path / "sealing.key"
    secret.write_text("hush")
    secret.chmod(0o644)

    assert "'PermissionError'" == tried(f"found = open({str(secret)!r}).read()")
    assert "'PermissionError'" == tried("found = open('/etc/passwd').read()")
    assert "'PermissionError'" == tried("found = os.listdir('/')")
    assert "True" == tried("found = len(open(os.__file__).read()) > 1000")


def test_it_writes_nowhere(tmp_path, tried):
    tmp_path.chmod(0o777)

    assert "Error" in tried(f"found = open({str(tmp_path / 'new')!r}, 'w')")
    assert "Error" in tried("found = open('/tmp/postroom-was-here', 'w')")
    assert [] == list(tmp_path.iterdir())


def test_it_starts_no_program(tried):
    assert "'PermissionError'" == tried("found = os.fork()")
    assert "Error" in tried("found = os.execv('/bin/true', ['true'])")
    assert "Error" in tried("import subprocess\nfound = subprocess.run(['/bin/true'])")


def test_it_touches_no_other_process(tried):
    assert "'PermissionError'" == tried(f"found = os.kill({os.getpid()}, 0)")
    assert "Error" in tried(f"found = open('/proc/{os.getpid()}/environ').read()")


def test_it_holds_no_line_but_its_own(tried):
    """Of what the parent has open, nothing is passed on: no connection to the database, no file."""
    found = tried(
        "import resource\nfound = []\nfor fd in range(resource.getrlimit(resource.RLIMIT_NOFILE)[0]):\n"
        "    try:\n        os.fstat(fd)\n        found.append(fd)\n    except OSError:\n        pass"
    )

    assert 4 >= len(eval(found)), found


def test_its_environment_holds_what_python_needs(monkeypatch):
    monkeypatch.setenv("POSTROOM_SEALING_KEY", "hush")

    with misbehaving.obedient_readers() as readers:
        assert "PATH" in misbehaving.tried(readers, "found = sorted(os.environ)")
        assert "hush" not in misbehaving.tried(readers, "found = dict(os.environ)")
        assert "POSTROOM" not in misbehaving.tried(readers, "found = sorted(os.environ)")


def test_its_processor_time_files_and_memory_are_limited(tried):
    found = tried(
        "import resource\nfound = [resource.getrlimit(each)[1] for each in "
        "(resource.RLIMIT_CPU, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE, resource.RLIMIT_AS, resource.RLIMIT_CORE)]"
    )

    assert [60 * 50 + 5, 0, confine.FILES_OPEN, 1024 << 20, 0] == eval(found)


def test_root_is_dropped_where_another_user_can_read_our_files(monkeypatch, tried):
    if os.getuid() != 0:
        assert f"as user {os.getuid()}" in tried(
            "from postroom.outside.readers import confine\nfound = confine.settle().user"
        )
        return
    pid = os.fork()
    if pid == 0:
        monkeypatch.setattr(confine, "_could_read_as", lambda uid: True)
        said = confine.settle()
        os._exit(0 if os.getresuid() == (confine.NOBODYS_UIDS[0],) * 3 and "61999" in said.user else 1)

    assert 0 == os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def test_root_that_cannot_be_dropped_loses_its_rights():
    if os.getuid() != 0:
        pytest.skip("not root here")
    pid = os.fork()
    if pid == 0:
        confine._could_read_as = lambda uid: False
        said = confine.settle()
        try:
            os.setuid(12345)
            os._exit(1)
        except PermissionError:
            os._exit(0 if "without its rights" in said.user else 1)

    assert 0 == os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
