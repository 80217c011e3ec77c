"""A value that must not be printed: it can be asked for, and cannot slip out."""

from __future__ import annotations

import hmac
from typing import Any, Never

_SHOWN = "Secret(…)"


class Secret:
    """A string that logs, tracebacks, f-strings and pickles never show; `reveal()` hands it over."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        object.__setattr__(self, "_value", value)

    def reveal(self) -> str:
        value: str = object.__getattribute__(self, "_value")
        return value

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError("A Secret does not change; make a new one.")

    def __delattr__(self, name: str) -> Never:
        raise AttributeError("A Secret does not change; make a new one.")

    def __repr__(self) -> str:
        return _SHOWN

    def __str__(self) -> str:
        return _SHOWN

    def __format__(self, spec: str) -> str:
        return format(_SHOWN, spec)

    def __bool__(self) -> bool:
        return bool(self.reveal())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Secret):
            return NotImplemented
        return hmac.compare_digest(_bytes(self), _bytes(other))

    def __hash__(self) -> int:
        return hash((Secret, self.reveal()))

    def __copy__(self) -> Secret:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Secret:
        return self

    def __reduce_ex__(self, protocol: object) -> Never:
        raise TypeError("A Secret is not pickled: seal what it reveals, or pass it on as it is.")


def _bytes(secret: Secret) -> bytes:
    return secret.reveal().encode("utf-8", "surrogatepass")
