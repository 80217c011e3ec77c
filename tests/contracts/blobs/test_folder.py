"""The local folder: crashes, links, full disks and writers in other processes."""

import asyncio
import errno
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from postroom.nouns.errors import Misconfigured, NotFound, PermissionDenied, Unavailable
from postroom.outside.blobs.folder import FolderBlobs

PDF = b"%PDF-1.7 note"
KEY = "archive/sender_email=a%40b/note.pdf"

PUT = """
import asyncio, os, pathlib, signal, sys
from postroom.outside.blobs.folder import FolderBlobs
root, writer, dies_in = sys.argv[1:]
if dies_in:
    setattr(os, dies_in, lambda *a, **k: os.kill(os.getpid(), signal.SIGKILL))
print("ready", flush=True)
sys.stdin.readline()
blobs = FolderBlobs(pathlib.Path(root))
body = (writer * 300_000).encode()
for number in range(10):
    won = asyncio.run(blobs.put_if_absent(f"a/{number}", body, {"source": writer}, "text/plain"))
    print(int(won), end="", flush=True)
"""


def writer_process(root, name, dies_in=""):
    return subprocess.Popen(
        [sys.executable, "-c", PUT, str(root), name, dies_in],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def files_in(root):
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


async def put(blobs, key=KEY, data=PDF):
    return await blobs.put_if_absent(key, data, {"source": "poller"}, "application/pdf")


async def test_the_file_stands_where_its_key_says_and_its_label_beside_it(tmp_path):
    await put(FolderBlobs(tmp_path))

    folder = tmp_path / "archive" / "sender_email=a%40b"
    assert (folder / "note.pdf").read_bytes() == PDF
    assert {"note.pdf", ".note.pdf.label.json"} == {path.name for path in folder.iterdir()}


async def test_an_archived_file_is_read_only_and_ours_alone(tmp_path):
    await put(FolderBlobs(tmp_path))

    mode = (tmp_path / KEY).stat().st_mode
    assert stat.S_IMODE(mode) == 0o400
    assert stat.S_IMODE((tmp_path / "archive").stat().st_mode) == 0o700


async def test_two_processes_putting_the_same_keys_leave_one_object_each(tmp_path):
    writers = [writer_process(tmp_path, name) for name in ("x", "y")]
    for process in writers:
        assert process.stdout.readline() == "ready\n"
    for process in writers:
        process.stdin.write("\n")
        process.stdin.flush()
    won = [process.communicate()[0] for process in writers]

    blobs = FolderBlobs(tmp_path)
    assert [int(one) + int(other) for one, other in zip(*won, strict=True)] == [1] * 10
    for number in range(10):
        winner = "xy"[int(won[1][number])]
        assert await blobs.get(f"a/{number}") == winner.encode() * 300_000
        assert (await blobs.head(f"a/{number}")).metadata == {"source": winner}


@pytest.mark.parametrize("dies_in", ["fsync", "rename", "link"])
async def test_a_writer_killed_on_the_way_leaves_no_object_and_the_next_one_tidies_up(tmp_path, dies_in):
    process = writer_process(tmp_path, "x", dies_in)
    process.communicate("\n")
    assert process.returncode == -signal.SIGKILL
    blobs = FolderBlobs(tmp_path)
    assert [key async for key in blobs.beneath()] == []
    with pytest.raises(NotFound):
        await blobs.get("a/0")

    assert await blobs.put_if_absent("a/0", PDF, {"source": "second"}, "application/pdf") is True

    assert files_in(tmp_path) == [".postroom/lock", "a/.0.label.json", "a/0"]
    assert (await blobs.head("a/0")).metadata == {"source": "second"}


async def test_tidying_up_spares_the_drafts_of_living_writers(tmp_path, monkeypatch):
    first, second = FolderBlobs(tmp_path), FolderBlobs(tmp_path)
    loop, written, go_on = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()
    fsync = os.fsync

    def slow_once(fd):
        monkeypatch.setattr(os, "fsync", fsync)
        loop.call_soon_threadsafe(written.set)
        asyncio.run_coroutine_threadsafe(go_on.wait(), loop).result(30)
        fsync(fd)

    monkeypatch.setattr(os, "fsync", slow_once)
    slow = asyncio.create_task(put(first, "slow"))
    await written.wait()
    await put(second, "quick")
    go_on.set()

    assert await slow is True
    assert await first.get("slow") == PDF


DEEP = "archive/sender_email=a%40b/received_date=2026-01-02/id/note.pdf"


async def test_everything_is_on_disk_before_we_say_so(tmp_path, synced):
    await put(FolderBlobs(tmp_path), DEEP)
    first, synced[:] = list(synced), []
    await put(FolderBlobs(tmp_path), DEEP.replace("id", "other"))
    second, synced[:] = list(synced), []
    await put(FolderBlobs(tmp_path), DEEP)

    sender = "/archive/sender_email=a%40b"
    day = f"{sender}/received_date=2026-01-02"
    made = ["", "/archive", sender]
    assert [*made, f"{day}/id", day] == first[2:], "what was made, and where something new stands"
    assert [f"{day}/other", day] == second[2:], "the folders above were there"
    assert [f"{day}/id", day] == synced[2:], "who is second says that it is there as well"
    for each in (first, second, synced):
        assert [True, True] == [path.endswith(".draft") for path in each[:2]]


@pytest.fixture
def synced(tmp_path, monkeypatch) -> list[str]:
    """The files and folders that were synced, one by one."""
    noted: list[str] = []
    fsync = os.fsync

    def noting(fd):
        noted.append(str(Path(f"/proc/self/fd/{fd}").readlink()).removeprefix(str(tmp_path)))
        fsync(fd)

    monkeypatch.setattr(os, "fsync", noting)
    return noted


async def test_a_folder_whose_maker_was_stopped_before_it_was_on_disk_is_synced_by_the_next_writer(
    tmp_path, monkeypatch
):
    blobs, everything = FolderBlobs(tmp_path), []
    monkeypatch.setattr(os, "sync", lambda: everything.append("synced"))
    with monkeypatch.context() as broken:
        fsync, seen = os.fsync, []

        def breaks_at_a_folder(fd):
            seen.append(fd)
            if len(seen) > 2:
                raise OSError(errno.EIO, "")
            fsync(fd)

        broken.setattr(os, "fsync", breaks_at_a_folder)
        with pytest.raises(Unavailable):
            await put(blobs, DEEP)
    assert ([], [True]) == (everything, [(tmp_path / ".postroom/unsettled").exists()])

    assert await put(blobs, DEEP) is True
    assert ["synced"] == everything
    assert await put(blobs, DEEP.replace("id", "other")) is True
    assert (["synced"], False) == (everything, (tmp_path / ".postroom/unsettled").exists())


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
async def test_a_full_disk_is_named_leaves_nothing_behind_and_is_tried_again(tmp_path, monkeypatch, code):
    blobs = FolderBlobs(tmp_path)
    with monkeypatch.context() as full:
        full.setattr(os, "write", lambda *_: (_ for _ in ()).throw(OSError(code, "")))
        with pytest.raises(Unavailable, match="disk is full"):
            await put(blobs)

    assert files_in(tmp_path) == [".postroom/lock"]
    assert await put(blobs) is True


async def test_a_read_only_archive_says_who_needs_access(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "link", lambda *_, **__: (_ for _ in ()).throw(OSError(errno.EROFS, "")))

    with pytest.raises(PermissionDenied, match="give Postroom's user access"):
        await put(FolderBlobs(tmp_path))


@pytest.mark.parametrize("planted", ["archive", "archive/sender_email=a%40b", KEY])
async def test_a_link_planted_in_the_archive_is_never_followed(tmp_path, planted):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "note.pdf").write_bytes(b"secret")
    trap = tmp_path / "root" / planted
    trap.parent.mkdir(parents=True)
    trap.symlink_to(outside / "note.pdf" if planted == KEY else outside)
    blobs = FolderBlobs(tmp_path / "root")

    with pytest.raises(Misconfigured, match="stands in the way"):
        await blobs.get(KEY)
    if planted == KEY:
        assert await put(blobs) is False
    else:
        with pytest.raises(Misconfigured, match="stands in the way"):
            await put(blobs)

    assert [key async for key in blobs.beneath()] == []
    assert files_in(outside) == ["note.pdf"]
    assert (outside / "note.pdf").read_bytes() == b"secret"


async def test_the_root_itself_may_be_a_link(tmp_path):
    (tmp_path / "disk").mkdir()
    (tmp_path / "root").symlink_to(tmp_path / "disk")

    await put(FolderBlobs(tmp_path / "root"))

    assert (tmp_path / "disk" / KEY).read_bytes() == PDF


async def test_a_file_where_a_folder_should_be_is_named(tmp_path):
    (tmp_path / "archive").write_text("in the way")

    with pytest.raises(Misconfigured, match="stands in the way"):
        await put(FolderBlobs(tmp_path))


async def test_removing_the_last_file_removes_the_folders_named_after_people(tmp_path):
    blobs = FolderBlobs(tmp_path)
    await put(blobs)
    await put(blobs, "archive/other/note.pdf")

    await blobs.remove(KEY)

    assert [path.name for path in (tmp_path / "archive").iterdir()] == ["other"]


async def test_a_file_put_there_by_hand_is_served_without_a_label(tmp_path):
    (tmp_path / "by-hand.pdf").write_bytes(PDF)

    found = await FolderBlobs(tmp_path).head("by-hand.pdf")

    assert (found.size, dict(found.metadata)) == (len(PDF), {})


async def test_a_damaged_label_is_named(tmp_path):
    (tmp_path / "note.pdf").write_bytes(PDF)
    (tmp_path / ".note.pdf.label.json").write_text("{")

    with pytest.raises(Misconfigured, match=r"\.note\.pdf\.label\.json"):
        await FolderBlobs(tmp_path).head("note.pdf")
