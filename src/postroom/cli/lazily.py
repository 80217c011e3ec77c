"""A group of commands whose modules are imported when they are called, not when they are listed."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any

import typer
from typer.core import TyperGroup


@dataclass(frozen=True, slots=True)
class Line:
    """Where a command is, as `module:name`, and what `--help` says of it."""

    place: str
    help: str

    def load(self, name: str) -> Any:
        """Typer makes commands of functions only inside a group, so it gets one for the moment."""
        module, _, attribute = self.place.partition(":")
        found = getattr(importlib.import_module(module), attribute)
        group = typer.Typer(callback=lambda: None, rich_markup_mode=None)
        if isinstance(found, typer.Typer):
            group.add_typer(found, name=name, help=self.help)
        else:
            group.command(name)(found)
        return typer.main.get_group(group).commands[name]


class Commands(MutableMapping[str, Any]):
    """The names are known; the commands are loaded when somebody asks for them."""

    def __init__(self, lines: Mapping[str, Line]) -> None:
        self._lines = lines
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._loaded:
            self._loaded[name] = self._lines[name].load(name)
        return self._loaded[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._loaded[name] = command

    def __delitem__(self, name: str) -> None:
        del self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._lines, **self._loaded})

    def __len__(self) -> int:
        return len({**self._lines, **self._loaded})


def group_of(lines: Mapping[str, Line]) -> type[TyperGroup]:
    class Lazily(TyperGroup):
        def __init__(self, **options: Any) -> None:
            super().__init__(**options)
            self.commands = Commands(lines)

        def list_commands(self, ctx: Any) -> list[str]:
            return list(self.commands)

        def format_commands(self, ctx: Any, formatter: Any) -> None:
            with formatter.section("Commands"):
                formatter.write_dl([(name, line.help) for name, line in lines.items()])

    return Lazily
