"""A mail as bytes, for providers that take it so. Pure.

Values come from strangers: a subject, a file name, the ids of what is answered. The standard library decodes encoded
words in what it is given, and writes what they hide, line breaks too; so the head is written here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from email.header import Header
from email.message import EmailMessage
from email.policy import SMTP
from typing import Protocol
from unicodedata import category

LINE = 76
_NO_DOMAIN = re.compile(r"[^\w.:\[\]-]")
_PLAIN_LOCAL = re.compile(r"(?!.*=\?)[^\s\"(),:;<>@\[\\\]]+")


class WrittenFile(Protocol):
    """A file that goes along."""

    @property
    def filename(self) -> str: ...
    @property
    def content_type(self) -> str: ...
    @property
    def content(self) -> bytes: ...


def write_mail(
    people: Mapping[str, Sequence[str]],
    headers: Mapping[str, str],
    text: str,
    html: str = "",
    files: Sequence[WrittenFile] = (),
) -> bytes:
    """`people` are headers that hold addresses. What is empty is left out."""
    made = EmailMessage(policy=SMTP)
    made.set_content(text)
    if html:
        made.add_alternative(html, subtype="html")
    for each in files:
        _attach(made, each)
    head = [f"{name}: {_people(name, said)}" for name, said in people.items() if said]
    head += [f"{name}: {_words(name, line)}" for name, value in headers.items() if (line := _one_line(value))]
    return "".join(f"{each}\r\n" for each in head).encode("utf-8", "replace") + made.as_bytes()


def _attach(made: EmailMessage, file: WrittenFile) -> None:
    main, _, sub = file.content_type.partition("/")
    plain = main and sub and main not in {"message", "multipart"}
    made.add_attachment(file.content, *((main, sub) if plain else ("application", "octet-stream")))
    part = list(made.iter_attachments())[-1]
    # Told with its charset it is taken by the letter: no encoded word is seen in it.
    part.set_param("filename", _one_line(file.filename), header="Content-Disposition", charset="utf-8")


def _one_line(text: str) -> str:
    """A line break in a header would begin another one, and control characters are nobody's words."""
    return "".join(each for each in " ".join(text.split()) if category(each) not in {"Cc", "Cs"})


def _words(name: str, line: str) -> str:
    """What looks like an encoded word already is encoded, so that it is read as it stands."""
    plain = line.isascii() and "=?" not in line
    return Header(line, "us-ascii" if plain else "utf-8", LINE, name).encode(linesep="\r\n")


def _people(name: str, addresses: Sequence[str]) -> str:
    lines, used = [""], len(name) + 2
    for number, each in enumerate(_address(address) for address in addresses):
        if number:
            lines[-1] += ","
            if used + len(each) + 2 > LINE:
                lines, used = [*lines, ""], 0
            lines[-1] += " "
        lines[-1] += each
        used += len(each) + 2
    return "\r\n".join(lines)


def _address(address: str) -> str:
    """Quoted where it could be taken for more than one address."""
    local, _, domain = _one_line(address).rpartition("@")
    if not _PLAIN_LOCAL.fullmatch(local):
        escaped = re.sub(r'(["\\])', r"\\\1", local)
        local = f'"{escaped}"'
    return f"{local}@{_NO_DOMAIN.sub('', domain)}"
