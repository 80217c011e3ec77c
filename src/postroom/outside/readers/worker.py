"""The reading process: takes requests on standard input until the parent hangs up, within hard limits."""

from __future__ import annotations

import gc
import os
import resource
import sys

from postroom.nouns.documents import CannotRead, TooLarge
from postroom.outside.readers import pdf
from postroom.outside.readers.sniff import kind_of
from postroom.outside.readers.wire import Answer, Request, receive_request, send


def serve(megabytes: int) -> None:
    _confine(megabytes)
    gc.freeze()  # what is loaded now stays, and need not be looked through again for every few pages
    gc.set_threshold(50_000)
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not be taken for an answer
    while (request := receive_request(requests)) is not None:
        send(answers, answer(request))


def _confine(megabytes: int) -> None:
    room = megabytes * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (room, room))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))


def answer(request: Request) -> Answer:
    """The answer to one request; a refusal is an answer too, anything worse ends this process."""
    try:
        return _work(request)
    except CannotRead as refusal:
        return Answer(refused=refusal.reason, because=str(refusal))
    except MemoryError:
        return Answer(refused=TooLarge.reason, because="Reading the file takes more memory than is allowed.")


def _work(request: Request) -> Answer:
    if request.work == "read":
        return pdf.read(request)
    if request.work == "image" and kind_of(request.content) == "pdf":
        return pdf.picture(request)
    from postroom.outside.readers import images

    return images.picture(request) if request.work == "image" else images.read(request)


if __name__ == "__main__":
    serve(int(sys.argv[1]))
