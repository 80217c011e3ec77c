"""Wrong settings, busy ports and odd names end a command with one clear sentence, never with a traceback."""

from __future__ import annotations

import asyncio
import json
import os
import socket
from pathlib import Path

import psycopg
import pytest
from typer.testing import CliRunner

from postroom import cli, settings
from postroom.cli import shared
from postroom.cli.binding import bound
from postroom.cli.simulate import simulated
from postroom.nouns.errors import Misconfigured
from postroom_simulators.papers import NOTES
from postroom_simulators.world import World
from rooms.documents.dealing import DAY

PASSWORD = "correct-horse"


@pytest.fixture
def postroom(tmp_path, monkeypatch):
    monkeypatch.setattr("postroom.logs.set_up", lambda *how: None)  # it would outlive the runner's captured stderr
    monkeypatch.setenv("POSTROOM_HOME", str(tmp_path))

    def run(*words: str):
        ended = CliRunner().invoke(cli.app, list(words))
        assert ended.exception is None or isinstance(ended.exception, SystemExit), ended.exception
        return ended

    return run


@pytest.fixture
def busy():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        yield taken.getsockname()[1]


@pytest.mark.parametrize(
    "told",
    [
        "foo",
        f"mysql://u:{PASSWORD}@h/x",
        f"postgresql://u:{PASSWORD}@[::1/x",
        f"postgresql://u:{PASSWORD}@h/x?nonsense=1",
        f"host=h password={PASSWORD} nonsense",
    ],
)
@pytest.mark.parametrize("command", [("migrate",), ("tenant", "list")])
def test_a_database_url_that_cannot_be_one_is_refused_and_never_shown(postroom, monkeypatch, told, command):
    monkeypatch.setenv("POSTROOM_DATABASE_URL", told)

    ended = postroom(*command)

    assert 2 == ended.exit_code
    assert "POSTROOM_DATABASE_URL=(not shown)" in ended.output
    assert PASSWORD not in ended.output


def test_a_server_that_does_not_answer_is_told_with_what_to_check(postroom, monkeypatch, tmp_path):
    monkeypatch.setenv("POSTROOM_DATABASE_URL", f"host={tmp_path} user=u dbname=x")

    ended = postroom("tenant", "list")

    assert (1, True) == (ended.exit_code, "Check POSTROOM_DATABASE_URL" in ended.output)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("POSTROOM_BIND", "foo", "expected host:port"),
        ("POSTROOM_TRUSTED_PROXIES", "10.0.0.0/8, my-proxy", "'my-proxy' does not appear to be"),
        ("POSTROOM_PUBLIC_URL", "https://mail.example.org/?a=b", "expected no ? and no #"),
        ("POSTROOM_OIDC_ISSUER", "https://login.example.org", "POSTROOM_OIDC_CLIENT_ID is needed too"),
    ],
)
def test_a_wrong_setting_is_named_by_every_command(postroom, monkeypatch, name, value, said):
    monkeypatch.setenv(name, value)

    for command in (("migrate",), ("tenant", "list"), ("demo", "--once")):
        ended = postroom(*command)
        assert (2, True, True) == (ended.exit_code, name in ended.output, said in ended.output), ended.output


def test_proxies_may_be_addresses_networks_or_all(monkeypatch):
    for told in ("", "*", "10.0.0.7", "10.0.0.0/8, ::1"):
        monkeypatch.setenv("POSTROOM_TRUSTED_PROXIES", told)
        assert told == settings.load().trusted_proxies


def test_a_home_below_the_current_folder_is_found_from_anywhere(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("POSTROOM_HOME", "here/postroom")

    assert tmp_path / "here/postroom" == settings.load().home


@pytest.mark.parametrize("command", ["up", "serve"])
def test_a_port_that_is_taken_ends_the_start_before_anything_is_promised(
    postroom, dsn, owner_dsn, busy, monkeypatch, command
):
    monkeypatch.setenv("POSTROOM_DATABASE_URL", dsn)
    monkeypatch.setenv("POSTROOM_BIND", f"127.0.0.1:{busy}")

    ended = postroom(command)

    told = (
        f"Cannot listen on 127.0.0.1:{busy}: another program listens there; stop it, or choose another address in "
        "POSTROOM_BIND.\n"
    )
    assert (2, told) == (ended.exit_code, ended.output)
    with psycopg.connect(owner_dsn) as owner:
        assert [] == owner.execute("SELECT * FROM postroom.signin_link").fetchall()


def test_a_workers_door_is_refused_alike(postroom, dsn, owner_dsn, busy, monkeypatch):
    monkeypatch.setenv("POSTROOM_DATABASE_URL", dsn)
    monkeypatch.setenv("POSTROOM_METRICS_BIND", f"127.0.0.1:{busy}")

    ended = postroom("work")

    assert (2, True) == (ended.exit_code, "choose another address in POSTROOM_METRICS_BIND." in ended.output)


@pytest.mark.parametrize(
    ("host", "said"),
    [("192.0.2.1", "this machine has no such address"), ("nowhere.invalid", "nowhere.invalid names no machine")],
)
def test_an_address_of_another_machine_is_refused(host, said):
    with pytest.raises(Misconfigured, match=said):
        bound(host, 0, "POSTROOM_BIND")


def test_every_address_of_a_host_is_taken():
    held = bound("localhost", 0, "POSTROOM_BIND")
    try:
        assert {each.getsockname()[0] for each in held} <= {"127.0.0.1", "::1"}
        assert held
    finally:
        for each in held:
            each.close()


@pytest.mark.parametrize("told", ["foo", "127.0.0.1", "127.0.0.1:80x", "127.0.0.1:99999", "0.0.0.0:0", ":8026"])
def test_the_simulators_listen_on_this_machine_only(postroom, told):
    ended = postroom("simulate", "--bind", told)

    assert (2, True) == (ended.exit_code, f"{told} will not do" in ended.output)


def test_the_simulators_say_so_when_their_port_is_taken(postroom, busy):
    ended = postroom("simulate", "--bind", f"127.0.0.1:{busy}")

    assert (1, True) == (ended.exit_code, "choose another port, or 0 for a free one" in ended.output)


@pytest.mark.parametrize("command", ["simulate", "demo"])
def test_an_unknown_scenario_is_refused_with_the_known_ones(postroom, command):
    ended = postroom(command, "--scenario", "nope")

    assert 2 == ended.exit_code
    assert "There is no scenario nope; choose from dealing-desk, accounts-payable, client-service." in ended.output


def test_names_in_brackets_are_shown_as_they_are(postroom, tmp_path, monkeypatch):
    monkeypatch.setattr(shared.out, "width", 300)
    named = tmp_path / "[bold]."
    named.mkdir()
    (named / "b].pdf").write_bytes(NOTES["hansekontor"](DAY, 1).pdf)

    read = postroom("extract", str(named / "b].pdf"), f"{tmp_path}/[/gone]")
    refused = postroom("tenant", "create", "[/x]")

    assert (True, True) == ("[bold]./b].pdf" in read.output, "[/gone]" in read.output), read.output
    assert "'[/x]' cannot name a tenant" in refused.output


def test_a_file_name_that_is_no_utf8_comes_back_in_json_as_it_was(postroom, tmp_path):
    odd = os.fsdecode(os.fsencode(tmp_path) + b"/note\xff.pdf")
    Path(odd).write_bytes(NOTES["hansekontor"](DAY, 1).pdf)

    read = postroom("extract", odd, "--json")
    shown = postroom("extract", odd)

    assert (0, odd) == (read.exit_code, json.loads(read.stdout)["file"])
    assert 0 == shown.exit_code


def test_whoever_has_only_a_number_acts_under_it(monkeypatch):
    def nameless() -> str:
        raise KeyError("getpwuid(): uid not found: 12345")

    monkeypatch.setattr("getpass.getuser", nameless)
    monkeypatch.setattr("os.getuid", lambda: 12345)

    assert "cli:12345" == shared.whoami()


def test_a_key_is_made_in_the_name_of_who_made_it(postroom, dsn, owner_dsn, monkeypatch):
    monkeypatch.setenv("POSTROOM_DATABASE_URL", dsn)
    monkeypatch.setattr("getpass.getuser", lambda: "anna")

    assert 0 == postroom("key", "create", "--role", "admin").exit_code
    with psycopg.connect(owner_dsn) as owner:
        told = owner.execute("SELECT actor FROM postroom.fact WHERE kind = 'key.created'").fetchall()
    assert [("cli:anna",)] == told


MAILBOX = (
    "INSERT INTO postroom.mailbox (id, tenant_id, address, provider, access, status, because, pipelines, connected_at)"
    " SELECT gen_random_uuid(), tenant_id, 'desk@acme.test', 'outlook', 'app_only', 'token_refresh_failed',"
    " 'The secret has expired.', '{}', now() FROM postroom.tenant"
)


def test_a_mailbox_that_needs_a_person_is_not_said_to_go_on(postroom, dsn, owner_dsn, monkeypatch):
    monkeypatch.setenv("POSTROOM_DATABASE_URL", dsn)
    postroom("tenant", "create", "default")
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        owner.execute(MAILBOX)

    ended = postroom("mailbox", "resume", "desk@acme.test")

    assert 1 == ended.exit_code
    assert "it needs you: The secret has expired. Put that right" in ended.output


async def test_bootstrap_says_what_microsoft_refused(postroom, dsn, owner_dsn, monkeypatch):
    async with World() as world:
        for name, value in simulated(world.base_url).items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("POSTROOM_DATABASE_URL", dsn)
        for name in ("TENANT_ID", "CLIENT_ID", "CLIENT_SECRET"):
            monkeypatch.setenv(f"GRAPH_{name}", "acme")
        monkeypatch.setenv("GRAPH_MAILBOX_EMAIL", "nobody@acme.test")

        ended = await asyncio.to_thread(postroom, "bootstrap")

    assert 1 == ended.exit_code
    assert "No subscription was made. Microsoft knows no mailbox at this address" in ended.output


@pytest.fixture
def two_tenants(postroom, dsn, owner_dsn, monkeypatch):
    monkeypatch.setenv("POSTROOM_DATABASE_URL", dsn)
    for name in ("default", "other"):
        assert 0 == postroom("tenant", "create", name).exit_code
    return postroom


def test_a_head_is_held_against_the_chain_of_its_own_tenant_only(two_tenants):
    head = two_tenants("audit", "verify", "--tenant", "default").output.split()[-1]

    whose = two_tenants("audit", "verify", "--head", head)
    sound = two_tenants("audit", "verify", "--head", head, "--tenant", "default")

    assert (2, True) == (whose.exit_code, "say whose head this is, with --tenant" in whose.output)
    assert (0, True) == (sound.exit_code, sound.output.startswith("default: sound"))


def test_what_is_no_head_is_not_taken_for_a_broken_chain(two_tenants):
    ended = two_tenants("audit", "verify", "--tenant", "default", "--head", "zz")

    assert (2, False) == (ended.exit_code, "BROKEN" in ended.output)


def test_the_trail_of_an_unknown_tenant_is_refused_with_the_known_ones(two_tenants):
    ended = two_tenants("audit", "verify", "--tenant", "nobody")

    assert (1, True) == (ended.exit_code, "known: default, other" in ended.output), ended.output


def test_a_trail_that_cannot_be_written_says_where(two_tenants, tmp_path):
    ended = two_tenants("audit", "export", "--to", str(tmp_path / "missing" / "trail.jsonl"))

    assert (1, True) == (ended.exit_code, "cannot be written: No such file or directory." in ended.output)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("key", "create", "--scope", "documents", "--scope", "document"),
            "'document': no such scope; choose from mail",
        ),
        (("key", "create", "--days", "99999999999"), "less than or equal to 3650"),
        (("job", "show", "99999999999999999999"), "less than or equal to 9223372036854775807"),
        (("job", "replay", "99999999999999999999"), "less than or equal to 9223372036854775807"),
        (("doctor", "--bundle", "/nowhere/at/all.zip"), "/nowhere/at/all.zip cannot be written"),
    ],
)
def test_what_cannot_be_is_refused_with_what_can(two_tenants, words, said):
    ended = two_tenants(*words)

    assert (True, True) == (ended.exit_code > 0, said in " ".join(ended.output.split())), ended.output
