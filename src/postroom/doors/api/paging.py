"""Collections, page by page: `items`, and in `next` where to go on."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Annotated, Any, Generic, TypeVar
from uuid import UUID

from fastapi import Query
from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field

from postroom.nouns.errors import BadRequest
from postroom.nouns.moments import in_utc

T = TypeVar("T")
Row = TypeVar("Row")
MOST = 200


class OutBody(BaseModel):
    """What the API says, made from what a room tells."""

    model_config = ConfigDict(from_attributes=True)


class InBody(BaseModel):
    """What a caller may ask for; a misspelt name is refused."""

    model_config = ConfigDict(extra="forbid")


class PageOut(OutBody, Generic[T]):
    """One page of a collection."""

    items: list[T]
    next: str | None = Field(description="Give it as `cursor` for the next page; null on the last one.")


Moment = Annotated[AwareDatetime, AfterValidator(in_utc)]
Limit = Annotated[int, Query(ge=1, le=MOST, description="How many at most, up to 200.")]
Cursor = Annotated[
    str | None,
    Query(max_length=500, description="`next` of the page before; leave it out for the first.", examples=[None]),
]
NO_NUL = r"^[^\u0000]*$"  # PostgreSQL has no place for it
Word = Annotated[str, Query(max_length=200, pattern=NO_NUL)]
BIGGEST = 2**63 - 1
Revision = Annotated[int, Field(ge=1, le=2**31 - 1)]


def page(
    rows: Sequence[Row], limit: int, shape: Callable[[Row], T], mark: Callable[[Row], Sequence[Any]]
) -> PageOut[T]:
    """One row more than asked for was read, to know whether there is more."""
    shown = rows[:limit]
    return PageOut(items=[shape(row) for row in shown], next=_write(mark(shown[-1])) if len(rows) > limit else None)


def next_after(*mark: Any) -> str | None:
    """For those that page by themselves; no mark, or none that is one, ends the list."""
    return _write(mark) if mark and None not in mark else None


def by_time(cursor: str | None) -> tuple[datetime, UUID] | None:
    """Where a list that is ordered by time and id goes on."""
    return _read(cursor, lambda at, row: (_aware(at), UUID(row)))


def by_id(cursor: str | None) -> UUID | None:
    return _read(cursor, UUID)


def by_code(cursor: str | None) -> str | None:
    """Where a list that is ordered by codes goes on."""
    return _read(cursor, _text)


def by_number(cursor: str | None) -> int | None:
    return _read(cursor, _number)


def by_position(cursor: str | None) -> tuple[int, int] | None:
    return _read(cursor, lambda xid, fact: (_number(xid), _number(fact)))


def by_name(cursor: str | None) -> tuple[str, str] | None:
    return _read(cursor, lambda first, second: (str(first), str(second)))


def _write(mark: Sequence[Any]) -> str:
    parts = [part.isoformat() if isinstance(part, datetime) else str(part) for part in mark]
    return base64.urlsafe_b64encode(json.dumps(parts, separators=(",", ":")).encode()).decode().rstrip("=")


def _read(cursor: str | None, build: Callable[..., T]) -> T | None:
    if cursor is None:
        return None
    try:
        parts = json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True))
        return build(*parts)
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError, binascii.Error):
        raise BadRequest(
            "This cursor is not one of ours: give `next` of the page before, unchanged, or leave it out."
        ) from None


def _aware(text: str) -> datetime:
    return in_utc(datetime.fromisoformat(text))


def _text(text: object) -> str:
    if not isinstance(text, str) or "\0" in text:
        raise ValueError("No row has this code.")
    return text


def _number(text: str) -> int:
    number = int(text)
    if not 0 <= number <= BIGGEST:
        raise ValueError("No row has this number.")
    return number
