"""What a request says, read with care: filters, forms and ids."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar
from uuid import UUID

from starlette.datastructures import UploadFile
from starlette.requests import Request

from postroom.doors import limits
from postroom.nouns.errors import BadRequest, PostroomError

LONGEST_FILTER = 300
LONGEST_WORDS = 4_000
LONGEST_LIST = 50_000  # names or addresses, one a line
MOST_FILES = 50

T = TypeVar("T")


def asked(request: Request, name: str) -> str:
    return request.query_params.get(name, "").strip().replace("\0", "")[:LONGEST_FILTER]


def asked_id(request: Request, name: str) -> UUID | None:
    """An id in a filter. One that is none finds nothing wrong, it filters nothing."""
    try:
        return UUID(asked(request, name))
    except ValueError:
        return None


def id_in(text: str) -> UUID | None:
    """An id in a form, or none; anything else is refused."""
    try:
        return UUID(text) if text else None
    except ValueError:
        raise BadRequest("This is no id.") from None


def asked_number(request: Request, name: str, otherwise: int) -> int:
    text = asked(request, name)
    return int(text) if text.isdecimal() and len(text) < 19 else otherwise


def one_of(request: Request, name: str, known: tuple[str, ...]) -> str | None:
    text = asked(request, name)
    return text if text in known else None


async def said(request: Request, most: int = LONGEST_WORDS) -> dict[str, str]:
    """The words of a form; files are read apart. What is too long is refused: nothing is ever cut."""
    form = await request.form()
    words = {name: value.replace("\0", "") for name, value in form.items() if isinstance(value, str)}
    for name, text in words.items():
        if (letters := len(text.replace("\r\n", "\n"))) > most:  # a browser sends each line break as two letters
            field = name.replace("_", " ")
            raise BadRequest(
                f"Up to {most:,} letters go into the field {field!r}; these are {letters:,}. "
                "Nothing was kept: shorten it and send it again."
            )
    return words


async def chosen(request: Request, name: str) -> list[str]:
    form = await request.form()
    return [value for value in form.getlist(name) if isinstance(value, str)]


async def handed_in(request: Request, name: str, largest: int, *, several: bool = False) -> list[tuple[str, bytes]]:
    """Files of a form, with their names. Ask who it is before: only then so much is taken in."""
    limits.allow(request, limits.SEVERAL_FILES_BYTES if several else largest + limits.MB)
    form = await request.form(max_files=MOST_FILES)
    files: list[tuple[str, bytes]] = []
    for each in form.getlist(name):
        if isinstance(each, UploadFile) and each.filename:
            if (each.size or 0) > largest:
                await form.close()
                raise BadRequest(f"{each.filename} is larger than {largest // 1_000_000} MB.")
            files.append((each.filename, await each.read()))
    await form.close()
    return files


async def each_taken(
    files: Sequence[tuple[str, bytes]], take: Callable[[str, bytes], Awaitable[T]]
) -> tuple[list[T], str]:
    """What came of the files, and why some were refused: one that cannot be taken keeps no other out."""
    made: list[T] = []
    refused: list[PostroomError] = []
    for name, content in files:
        try:
            made.append(await take(name, content))
        except PostroomError as error:
            refused.append(error)
    if refused and not made:
        raise refused[0] if len(refused) == 1 else BadRequest(" ".join(map(str, refused)))
    return made, " ".join(map(str, refused))


def id_of(request: Request, name: str = "id") -> Any:
    """The id in the path; the route has made a UUID of it."""
    return request.path_params[name]
