"""Statements as PostgreSQL takes them: parameters by number, prepared from their second use, several in one message."""

from __future__ import annotations

import functools
import inspect
import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import psycopg
from psycopg import errors
from psycopg.abc import Buffer, PQGen
from psycopg.adapt import PyFormat, Transformer
from psycopg.pq import ExecStatus, Format
from psycopg.pq.abc import PGconn, PGresult
from psycopg.waiting import Ready, Wait

T = TypeVar("T")
Asked = tuple[str, Mapping[str, Any] | None]  # with None it is no parametrised statement, and never prepared
Key = tuple[bytes, tuple[int, ...] | None]
Prepares = tuple[Key, bytes]
_SAYS: Sequence[Prepares | None] = (None,)
MOST_PREPARED = 200  # on one connection
_FIELDS: dict[type[Any], tuple[str, ...]] = {}
_MARK = re.compile(r"%(?:\((?P<name>\w+)\)s|(?P<percent>%)|(?P<odd>.?))", re.DOTALL)


class Placed(NamedTuple):
    """A statement whose parameters have numbers instead of names."""

    text: bytes
    names: tuple[str, ...]


@functools.lru_cache(4096)
def placed(text: str) -> Placed:
    numbers: dict[str, int] = {}

    def number(mark: re.Match[str]) -> str:
        if mark["percent"]:
            return "%"
        if mark["name"] is None:
            raise ValueError(f"%{mark['odd']} in a statement: a parameter is %(name)s, and a percent sign %%.")
        return f"${numbers.setdefault(mark['name'], len(numbers) + 1)}"

    return Placed(_MARK.sub(number, text).encode(), tuple(numbers))


class Composed(NamedTuple):
    """A statement with its values as they travel. Without types it is never prepared."""

    text: bytes
    values: Sequence[Buffer | None] | None = None
    types: tuple[int, ...] | None = None
    formats: Sequence[Format] | None = None


class Statements:
    """What one connection has prepared, and how values travel over it."""

    def __init__(self, connection: psycopg.AsyncConnection[Any]) -> None:
        self._pgconn: PGconn = connection.pgconn
        self._values = Transformer(connection)
        self._seen: set[Key] = set()
        self._prepared: dict[Key, bytes] = {}
        self._numbers = itertools.count()

    def compose(self, text: str, values: Mapping[str, Any] | None) -> Composed:
        if values is None:
            return Composed(text.encode())
        statement, names = placed(text)
        if not names:
            return Composed(statement, types=())
        try:
            given = [values[name] for name in names]
        except KeyError as missing:
            raise psycopg.ProgrammingError(f"A statement was given no value for {missing}.") from None
        dumped = self._values.dump_sequence(given, [PyFormat.AUTO] * len(names))
        return Composed(statement, dumped, self._values.types, self._values.formats)

    def exchange(self, composed: Sequence[Composed]) -> PQGen[list[PGresult]]:
        """All of them in one message; their results, or the first one's error."""
        steps = [step for each in composed for step in self._send(each)]
        self._pgconn.pipeline_sync()
        results = yield from _answers(self._pgconn)
        for result in results:
            if result.status == ExecStatus.FATAL_ERROR:
                raise errors.error_from_result(result)
        self._prepared.update(step for step in steps if step)
        return [result for result, step in zip(results, steps, strict=True) if step is None]

    def _send(self, each: Composed) -> Sequence[Prepares | None]:
        """What will be answered: perhaps that it is prepared, and what it says."""
        key = (each.text, each.types)
        if name := self._prepared.get(key):
            self._pgconn.send_query_prepared(name, each.values, each.formats)
            return _SAYS
        if each.types is None or self._seldom(key):
            self._pgconn.send_query_params(each.text, each.values, each.types, each.formats)
            return _SAYS
        name = b"said_%d" % next(self._numbers)
        self._pgconn.send_prepare(name, each.text, each.types)
        self._pgconn.send_query_prepared(name, each.values, each.formats)
        return (key, name), None

    def _seldom(self, key: Key) -> bool:
        if len(self._prepared) >= MOST_PREPARED:
            return True
        if key in self._seen:
            return False
        self._seen.add(key)
        return True

    def load(self, result: PGresult, make: Callable[[Sequence[Any]], T]) -> list[T]:
        self._values.set_pgresult(result)
        try:
            return self._values.load_rows(0, result.ntuples, make)
        finally:
            self._values.set_pgresult(None)


def rows_into(into: type[T], result: PGresult) -> Callable[[Sequence[Any]], T]:
    names = tuple((result.fname(column) or b"").decode() for column in range(result.nfields))
    if names == _fields(into):  # then by place, which is half the cost
        return lambda values: into(*values)
    return lambda values: into(**dict(zip(names, values, strict=True)))


def _fields(into: type[Any]) -> tuple[str, ...]:
    if into not in _FIELDS:
        found = inspect.signature(into).parameters.values()
        _FIELDS[into] = tuple(each.name for each in found if each.kind is each.POSITIONAL_OR_KEYWORD)
    return _FIELDS[into]


def _answers(pgconn: PGconn) -> PQGen[list[PGresult]]:
    """What the server says to each statement, up to the end of the message."""
    while pgconn.flush():
        if (yield Wait.RW) & Ready.R:
            pgconn.consume_input()
    results: list[PGresult] = []
    ends = 0
    while ends < 2:  # one end follows each answer; two in a row mean that nobody will say more
        while pgconn.is_busy():
            yield Wait.R
            pgconn.consume_input()
        result = pgconn.get_result()
        if result is None:
            ends += 1
        elif result.status == ExecStatus.PIPELINE_SYNC:
            return results
        else:
            ends = 0
            results.append(result)
    raise psycopg.OperationalError("the connection was lost")
