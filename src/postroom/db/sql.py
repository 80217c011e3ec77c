"""SQL is source code: named queries, read from `.sql` files beside the code that uses them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources

_HEADING = re.compile(r"^--\s*name:\s*(\w+)\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Query:
    """One statement under its name."""

    name: str
    text: str


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
