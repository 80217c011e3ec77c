"""What pages and deployment files name: command lines, code blocks, metrics."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import typer.main

from postroom import cli

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "postroom"
COMMANDS = typer.main.get_command(cli.app)
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def below(command: Any) -> dict[str, Any]:
    """A group's commands. By shape, since Typer brings its own copy of click."""
    return getattr(command, "commands", {})


def spoken(text: str) -> list[str]:
    """Command lines: those in code fences, and those in running text as `postroom …`."""
    lines = [line for _, block in FENCE.findall(text) for line in block.replace("\\\n", " ").splitlines()]
    lines += re.findall(r"`((?:\S*/)?postroom [^`\n]+)`", FENCE.sub("", text))
    found = []
    for line in lines:
        match = re.match(r"^[\s$]*(?:\w+=\S*\s+)*(?:sudo \S+ |exec )*(?:\S*/)?postroom((?:\s+[^|;&>]+)?)", line)
        if match and "│" not in line and "├" not in line:
            found.append(match[1].split(" #")[0].strip())
    return found


def objection_to(line: str) -> str | None:
    """What is wrong with a command line, or None. Words in capitals, … and [optional] stand for values."""
    command = COMMANDS
    for word in shlex.split(line.replace("…", "")):
        if word == "--help":
            return None
        if word.startswith("--"):
            options = {opt for each in command.params for opt in (*each.opts, *each.secondary_opts)}
            if word.partition("=")[0] not in options:
                return f"{word} is no option of {command.name}"
        elif word in below(command):
            command = below(command)[word]
        elif below(command):
            return f"{word} is no command of {command.name}"
    return None


def counted() -> set[str]:
    """Every metric that the code declares."""
    source = "\n".join(path.read_text("utf-8") for path in SOURCE.rglob("*.py"))
    return set(re.findall(r"\b(?:Counter|Histogram|Gauge|Tally)\(\s*\"(postroom_\w+)\"", source))
