"""SQL is source code: named queries, read from `.sql` files beside the code that uses them."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import resources

_HEADING = re.compile(r"^--\s*name:\s*(\w+)\s*$", re.MULTILINE)
_MARK = re.compile(r"%(?:\((?P<name>\w+)\)s|(?P<percent>%)|(?P<next>s)|(?P<odd>.?))", re.DOTALL)
_CALL = re.compile(r"SELECT (postroom\.\w+\(.*\))", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Query:
    """One statement under its name, and as PostgreSQL takes it: with numbers for its parameters."""

    name: str
    text: str
    numbered: str = field(init=False, repr=False)
    parameters: tuple[str, ...] = field(init=False, repr=False)
    call: str | None = field(init=False, repr=False)
    """The function's call, numbered, if the statement is nothing else."""

    def __post_init__(self) -> None:
        numbered, parameters = number_parameters(self.text)
        call = _CALL.fullmatch(numbered)
        object.__setattr__(self, "numbered", numbered)
        object.__setattr__(self, "parameters", parameters)
        object.__setattr__(self, "call", call and call[1])


@functools.lru_cache(1024)
def number_parameters(text: str) -> tuple[str, tuple[str, ...]]:
    """`%(name)s` becomes `$1`, wherever that name stands; a published statement's `%s` is counted instead."""
    numbers: dict[str, int] = {}

    def number(mark: re.Match[str]) -> str:
        if mark["percent"]:
            return "%"
        if mark["name"] is None and not mark["next"]:
            raise ValueError(f"%{mark['odd']} in a statement: a parameter is %(name)s, and a percent sign %%.")
        return f"${numbers.setdefault(mark['name'] or str(len(numbers)), len(numbers) + 1)}"

    return _MARK.sub(number, text), tuple(numbers)


class Queries:
    """The named statements of one file, as attributes."""

    def __init__(self, text: str, where: str) -> None:
        self._where = where
        self._queries = {query.name: query for query in split(text, where)}

    def __getattr__(self, name: str) -> Query:
        try:
            return self._queries[name]
        except KeyError:
            raise AttributeError(f"{self._where} has no query named {name}.") from None

    def __iter__(self) -> Iterator[Query]:
        return iter(self._queries.values())


def split(text: str, where: str) -> list[Query]:
    """Cut a file at its `-- name:` lines."""
    parts = _HEADING.split(text)
    names = parts[1::2]
    if len(set(names)) != len(names):
        raise ValueError(f"{where} has two queries of one name.")
    return [Query(name, body.strip().rstrip(";")) for name, body in zip(names, parts[2::2], strict=True)]


def load(package: str, file: str = "queries.sql") -> Queries:
    """The queries of a package, e.g. `load(__package__)`."""
    return Queries(resources.files(package).joinpath(file).read_text("utf-8"), f"{package}/{file}")


def containing(words: str | None) -> str | None:
    """What ILIKE asks for a text that holds these words, whatever signs they have; nothing for none."""
    if not words:
        return None
    plain = words.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{plain}%"
