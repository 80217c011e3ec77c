"""The command line answers at once, and imports only what a command needs."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys
from importlib.metadata import version

import pytest
import typer
from typer.testing import CliRunner

from postroom import cli

HEAVY = ("fastapi", "uvicorn", "aiohttp", "psycopg", "pydantic", "argon2", "pypdfium2", "jinja2", "prometheus_client")


def answer(*arguments: str) -> str:
    """What it prints, and below it the heavy modules that were loaded for it."""
    program = (
        "import sys; from postroom.cli import app\n"
        "try: app(sys.argv[1:])\n"
        f"finally: print(*(name for name in {HEAVY!r} if name in sys.modules))"
    )
    ended = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@pytest.mark.parametrize("asked", [("--help",), ("--version",)])
def test_help_and_version_load_nothing_heavy(asked):
    assert answer(*asked).splitlines()[-1] == ""


def test_a_command_that_only_asks_the_api_loads_no_house():
    program = "import sys, postroom.cli.mcp; print('postroom.app.house' in sys.modules)"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert "False" == ended.stdout.strip()


def test_help_names_every_command_with_what_it_does():
    shown = " ".join(CliRunner().invoke(cli.app, ["--help"]).stdout.split())

    for name, line in cli.LINES.items():
        assert f" {name} {line.help}" in shown


def test_version_is_the_packages():
    assert answer("--version").splitlines()[0] == f"postroom {version('postroom')}"


@pytest.mark.parametrize("name", cli.LINES)
def test_the_list_says_what_the_command_says_of_itself(name):
    line = cli.LINES[name]
    module, _, attribute = line.place.partition(":")
    found = getattr(importlib.import_module(module), attribute)
    if not isinstance(found, typer.Typer):
        assert " ".join(inspect.getdoc(found).split()).startswith(line.help.removesuffix("."))


@pytest.mark.parametrize("name", cli.LINES)
def test_every_command_has_a_help_of_its_own(name):
    ended = CliRunner().invoke(cli.app, [name, "--help"])

    assert ended.exit_code == 0
    assert f"Usage: postroom {name}" in ended.stdout


def test_an_unknown_command_is_refused_with_a_likely_one():
    ended = CliRunner().invoke(cli.app, ["docter"])

    assert ended.exit_code == 2
    assert "doctor" in ended.stderr
