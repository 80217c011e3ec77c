"""Logs: a constant phrase per event, values as keywords, ids only; secrets cannot be printed."""

from __future__ import annotations

import logging
import sys
from io import TextIOBase
from typing import TextIO, cast

import structlog

LONGEST_TEXT = 500


class _Stderr(TextIOBase):
    """Whatever standard error is at the moment of writing."""

    def write(self, text: str, /) -> int:
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


def words(problem: BaseException) -> dict[str, str]:
    """An error as a log tells it: what it is, what it says, and its code where it has one."""
    told = {"error": type(problem).__name__, "text": str(problem)[:LONGEST_TEXT]}
    code = getattr(problem, "code", None) or getattr(problem, "sqlstate", None)
    return told | {"code": str(code)} if code else told


def set_up(log_format: str, level: str) -> None:
    """JSON lines for machines, short lines for people at a terminal."""
    as_json = log_format == "json" or (log_format == "auto" and not sys.stderr.isatty())
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    last: structlog.typing.Processor = (
        structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    structlog.configure(
        processors=[*shared, structlog.processors.format_exc_info, last],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=structlog.PrintLoggerFactory(file=cast("TextIO", _Stderr())),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s %(message)s")
