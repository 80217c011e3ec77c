"""Our values as plain data and back, by their type hints: what a reading process answers is checked field by field."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")
Decode = Callable[[Any], Any]
NUMBER, DAY = "n", "d"
"""Marks of what would look like text on the wire."""


class NotOurs(ValueError):
    """Data that is none of our values."""


def encode(value: Any) -> Any:
    """Dataclasses as lists of their fields, numbers and days marked, the rest as it is."""
    kind = type(value)
    if kind in _AS_IT_IS:
        return value
    if kind is tuple or kind is list:
        return [each if type(each) in _AS_IT_IS else encode(each) for each in value]
    if kind is Decimal:
        return [NUMBER, str(value)]
    if kind in _NAMES:
        return _fields(value, _NAMES[kind])
    return _encode_other(value)


def _encode_other(value: Any) -> Any:
    """What is rare, or met for the first time."""
    if isinstance(value, str | int | float | bytes):
        return value
    if isinstance(value, Decimal):
        return [NUMBER, str(value)]
    if isinstance(value, date):
        return [DAY, value.isoformat()]
    if isinstance(value, Mapping):
        return [encode(list(value)), encode(list(value.values()))]
    if isinstance(value, list | tuple):
        return [encode(each) for each in value]
    return _fields(value, _names(type(value)))


def _fields(value: Any, names: Sequence[str]) -> list[Any]:
    return [each if type(each := getattr(value, name)) in _AS_IT_IS else encode(each) for name in names]


def decode(kind: type[T], data: Any) -> T:
    """A value of this type. Raises NotOurs for anything else."""
    value: T = decoder(kind)(data)
    return value


def _names(kind: Any) -> tuple[str, ...]:
    if kind not in _NAMES:
        _NAMES[kind] = tuple(each.name for each in fields(kind))
    return _NAMES[kind]


def decoder(kind: Any) -> Decode:
    """What reads a value of this type; made once."""
    if kind not in _DECODERS:
        _DECODERS[kind] = _made(kind)
    return _DECODERS[kind]


def _made(kind: Any) -> Decode:
    if isinstance(kind, type) and is_dataclass(kind):
        return _dataclass(kind)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return _one_of(inner)
    if origin in (Union, types.UnionType):
        read = _first_that_fits([each for each in inner if each is not type(None)])
        return _or_nothing(read) if type(None) in inner else read
    if origin is tuple and inner[-1] is not Ellipsis:
        return _row(inner)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping(_many(inner[0]), _many(inner[1]))
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return _many(inner[0])
    raise TypeError(f"{kind} has no form on the wire.")


def _instance(kind: type[Any]) -> Decode:
    def read(data: Any) -> Any:
        if type(data) is not kind:
            raise NotOurs(f"a {kind.__name__} was expected")
        return data

    return read


def _float(data: Any) -> float:
    if type(data) not in (float, int):
        raise NotOurs("a number was expected")
    return float(data)


def _marked(mark: str, make: Callable[[str], Any]) -> Decode:
    def read(data: Any) -> Any:
        if type(data) is not list or len(data) != 2 or data[0] != mark or type(data[1]) is not str:
            raise NotOurs("a marked value was expected")
        try:
            return make(data[1])
        except (ValueError, InvalidOperation) as odd:
            raise NotOurs(str(odd)) from None

    return read


_AS_IT_IS = frozenset((str, int, float, bool, bytes, type(None)))
_NAMES: dict[Any, tuple[str, ...]] = {}
_DECODERS: dict[Any, Decode] = {
    **{kind: _instance(kind) for kind in (str, int, bool, bytes, type(None))},
    float: _float,
    Decimal: _marked(NUMBER, Decimal),
    date: _marked(DAY, date.fromisoformat),
}


def _one_of(allowed: Sequence[Any]) -> Decode:
    def read(data: Any) -> Any:
        if type(data) is not str or data not in allowed:
            raise NotOurs("a known word was expected")
        return data

    return read


def _or_nothing(read_one: Decode) -> Decode:
    return lambda data: None if data is None else read_one(data)


def _first_that_fits(kinds: Sequence[Any]) -> Decode:
    readers, plain = [decoder(each) for each in kinds], _AS_IT_IS.intersection(kinds)
    if len(readers) == 1:
        return readers[0]

    def read(data: Any) -> Any:
        if type(data) in plain:
            return data
        for each in readers:
            try:
                return each(data)
            except NotOurs:
                continue
        raise NotOurs("nothing that may stand here")

    return read


def _list(data: Any) -> list[Any]:
    if type(data) is not list:
        raise NotOurs("a list was expected")
    return data


def _many(kind: Any) -> Decode:
    read_one, plain = decoder(kind), {kind} if kind in _AS_IT_IS else None

    def read(data: Any) -> Any:
        if set(map(type, _list(data))) == plain:
            return tuple(data)
        return tuple(map(read_one, data))

    return read


def _row(kinds: Sequence[Any]) -> Decode:
    readers, plain = [decoder(each) for each in kinds], list(kinds) if _AS_IT_IS.issuperset(kinds) else None

    def read(data: Any) -> Any:
        if list(map(type, _list(data))) == plain:
            return tuple(data)
        if len(data) != len(readers):
            raise NotOurs("a row of another length")
        return tuple([each(part) for each, part in zip(readers, data, strict=True)])

    return read


def _mapping(read_keys: Decode, read_values: Decode) -> Decode:
    """All keys, then all values."""

    def read(data: Any) -> Any:
        if len(_list(data)) != 2:
            raise NotOurs("a row of another length")
        keys, values = read_keys(data[0]), read_values(data[1])
        if len(keys) != len(values):
            raise NotOurs("keys without values")
        return dict(zip(keys, values, strict=True))

    return read


def _dataclass(kind: type[Any]) -> Decode:
    hints, names = get_type_hints(kind), _names(kind)
    readers: list[Decode] = []
    in_order = kind.__dataclass_params__.init  # its fields are its arguments

    def read(data: Any) -> Any:
        if not readers:  # made when first needed: a type may hold itself
            readers.extend(decoder(hints[name]) for name in names)
        if len(_list(data)) != len(readers):
            raise NotOurs(f"not a {kind.__name__}")
        values = [each(part) for each, part in zip(readers, data, strict=True)]
        return kind(*values) if in_order else kind(**dict(zip(names, values, strict=True)))

    return read
