"""The reading process: takes requests on standard input until the parent hangs up, within hard limits."""

from __future__ import annotations

import os
import resource
import sys
from datetime import datetime
from typing import Any

import msgspec

from postroom.mail.sniff import readable_as
from postroom.memory import keep_what_is_loaded
from postroom.nouns.documents import CannotRead, FileTooLarge
from postroom.outside.readers import pdf
from postroom.outside.readers.wire import ReadAnswer, ReadRequest, receive_request, send


def serve(megabytes: int) -> None:
    _confine(megabytes)
    keep_what_is_loaded(young=50_000)
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not be taken for an answer
    while (request := receive_request(requests)) is not None:
        send(answers, answer(request))


def _confine(megabytes: int) -> None:
    room = megabytes * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (room, room))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))


def answer(request: ReadRequest) -> ReadAnswer:
    """The answer to one request; a refusal is an answer too, anything worse ends this process."""
    try:
        return _work(request)
    except CannotRead as refusal:
        return ReadAnswer(refused=refusal.reason, because=str(refusal))
    except MemoryError:
        return ReadAnswer(refused=FileTooLarge.reason, because="Reading the file takes more memory than is allowed.")


def _work(request: ReadRequest) -> ReadAnswer:
    if request.work == "read":
        return pdf.read(request)
    if request.work == "mail":
        return _mail(request)
    if request.work == "image" and readable_as(request.content) == "pdf":
        return pdf.picture(request)
    from postroom.outside.readers import images

    return images.picture(request) if request.work == "image" else images.read(request)


def _mail(request: ReadRequest) -> ReadAnswer:
    from postroom.mail.parse import read_mail, read_mail_file

    name, content = request.name, request.content
    found = ReadAnswer(mail=read_mail_file(name, content) if name else read_mail(content))
    try:
        msgspec.msgpack.encode(found)
    except UnicodeEncodeError:  # half of a surrogate pair in some header: seldom, so looked for only now
        return msgspec.convert(_cleaned(msgspec.to_builtins(found, builtin_types=(bytes, datetime))), ReadAnswer)
    return found


def _cleaned(value: Any) -> Any:
    match value:
        case str():
            return value.encode("utf-8", "replace").decode()
        case dict():
            return {key: _cleaned(each) for key, each in value.items()}
        case list() | tuple():
            return [_cleaned(each) for each in value]
        case _:
            return value


if __name__ == "__main__":
    serve(int(sys.argv[1]))
