"""Where sealing keys come from, and what is said when they are not usable."""

import base64
import stat
import subprocess
import sys

import pytest

from postroom.nouns.errors import Misconfigured
from postroom.outside.keys import load_sealer
from postroom.outside.keys.keyring import add_key

RAW = bytes(range(100, 132))
OTHER = bytes(range(200, 232))
SPELLINGS = {
    "base64": base64.b64encode(RAW).decode(),
    "base64 for URLs": base64.urlsafe_b64encode(RAW).decode(),
    "unpadded": base64.b64encode(RAW).decode().rstrip("="),
    "hex": RAW.hex(),
    "capital hex": RAW.hex().upper(),
    "with blanks around": f"  {RAW.hex()}\n",
}

LOAD = """
import pathlib, sys
from postroom.outside.keys import load_sealer
print("ready", flush=True)
sys.stdin.readline()
print(load_sealer(None, pathlib.Path(sys.argv[1])))
"""


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS.keys())
def test_every_usual_spelling_of_a_key_is_understood(tmp_path, spelling):
    sealed = load_sealer(RAW.hex(), tmp_path).seal(b"token", about="a")

    assert load_sealer(spelling, tmp_path).open(sealed, about="a") == b"token"
    assert list(tmp_path.iterdir()) == []


def test_of_several_keys_the_first_seals_and_all_open(tmp_path):
    before = load_sealer(RAW.hex(), tmp_path).seal(b"token", about="a")
    both = load_sealer(f"{OTHER.hex()}, {RAW.hex()}", tmp_path)

    assert both.open(before, about="a") == b"token"
    assert both.needs_reseal(before)
    assert load_sealer(OTHER.hex(), tmp_path).open(both.seal(b"x", about="a"), about="a") == b"x"


@pytest.mark.parametrize(
    ("value", "wrong"),
    [
        ("correct horse battery staple", "Key 1 .* base64 nor hex|has .* bytes"),
        ("hunter2!", "Key 1 of POSTROOM_SEALING_KEY is neither base64 nor hex"),
        (RAW.hex()[:-2], "Key 1 of POSTROOM_SEALING_KEY has 46 bytes"),
        (base64.b64encode(RAW[:16]).decode(), "has 16 bytes"),
        (f"{RAW.hex()},{RAW.hex()}ff", "Key 2 of POSTROOM_SEALING_KEY has 49 bytes"),
        (",", "holds no key"),
        ("é" * 64, "neither base64 nor hex"),
    ],
)
def test_a_wrong_key_is_refused_with_what_is_expected_and_not_repeated(tmp_path, value, wrong):
    with pytest.raises(Misconfigured, match=wrong) as told:
        load_sealer(value, tmp_path)

    assert "openssl rand -base64 32" in str(told.value)
    assert value == "," or value not in str(told.value)


@pytest.mark.parametrize("unset", [None, "", "  "])
def test_without_a_key_one_is_made_for_our_eyes_only_and_kept(tmp_path, unset):
    home = tmp_path / "new" / "home"
    sealed = load_sealer(unset, home).seal(b"token", about="a")

    assert load_sealer(unset, home).open(sealed, about="a") == b"token"
    (file,) = home.iterdir()
    assert (file.name, stat.S_IMODE(file.stat().st_mode)) == ("sealing.key", 0o600)
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert len(base64.b64decode(file.read_text())) == 32


def test_processes_that_start_together_use_the_same_key(tmp_path):
    def started():
        return subprocess.Popen(
            [sys.executable, "-c", LOAD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    processes = [started() for _ in range(3)]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("\n")
        process.stdin.flush()
    shown = {process.communicate()[0] for process in processes}

    assert shown == {f"{load_sealer(None, tmp_path)}\n"}
    assert [path.name for path in tmp_path.iterdir()] == ["sealing.key"]


def test_a_key_file_that_others_can_read_is_refused_with_the_remedy(tmp_path):
    load_sealer(None, tmp_path)
    (tmp_path / "sealing.key").chmod(0o640)

    with pytest.raises(Misconfigured, match="chmod 600"):
        load_sealer(None, tmp_path)


@pytest.mark.parametrize("content", ["", "rubbish", "YWJj"])
def test_a_damaged_key_file_is_named_and_left_alone(tmp_path, content):
    file = tmp_path / "sealing.key"
    file.write_text(content)
    file.chmod(0o600)

    with pytest.raises(Misconfigured, match=r"sealing\.key"):
        load_sealer(None, tmp_path)
    assert file.read_text() == content


def test_a_home_that_cannot_be_written_is_named_with_both_remedies(tmp_path):
    (tmp_path / "home").write_text("a file")

    with pytest.raises(Misconfigured, match="make POSTROOM_HOME writable, or set POSTROOM_SEALING_KEY"):
        load_sealer(None, tmp_path / "home" / "postroom")


def test_moving_from_the_file_to_the_environment_loses_nothing(tmp_path):
    before = load_sealer(None, tmp_path).seal(b"token", about="a")
    moved = load_sealer(RAW.hex(), tmp_path)

    assert moved.open(before, about="a") == b"token"
    assert moved.needs_reseal(before)
    assert load_sealer(RAW.hex(), tmp_path / "elsewhere").open(moved.seal(b"x", about="a"), about="a") == b"x"


def test_a_key_added_to_the_file_seals_from_now_on_and_the_old_one_still_opens(tmp_path):
    before = load_sealer(None, tmp_path).seal(b"token", about="a")
    after = add_key(tmp_path).seal(b"token", about="a")

    again = load_sealer(None, tmp_path)
    assert [again.open(sealed, about="a") for sealed in (before, after)] == [b"token"] * 2
    assert (again.needs_reseal(before), again.needs_reseal(after)) == (True, False)
    assert stat.S_IMODE((tmp_path / "sealing.key").stat().st_mode) == 0o600
