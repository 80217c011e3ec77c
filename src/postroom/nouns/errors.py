"""Errors, sorted by what to do next.

PostroomError
├── Transient      try again later: Unavailable, TimedOut, Throttled (it named a time; spends no attempt), NotYet
├── Outdated       our picture is old: CursorExpired (resync), DraftTouched (a person edited; never overwrite)
├── NeedsPerson    park and say why: AccessRevoked (reconnect), PermissionDenied, Misconfigured
└── Refused        it will never work: record and stop: Gone, BadRequest, Unreadable, NotFound (NoSuchMessage,
                   NoSuchThread), NotAllowed, Conflict, StaleRevision (it changed since the caller looked: look again),
                   KilledItsWorkers
"""

from __future__ import annotations

from typing import ClassVar, Literal

ErrorClass = Literal["transient", "retryable", "non_retryable", "rate_limited"]
ErrorCode = Literal[
    "rate_limited",
    "provider_unavailable",
    "provider_timeout",
    "unknown",
    "invalid_cursor",
    "needs_full_sync",
    "auth_revoked",
    "permission_denied",
    "message_not_found",
    "thread_not_found",
    "not_found",
    "draft_conflict_user_edited",
    "bad_request",
]


class PostroomError(Exception):
    """Something we understand. `str()` of it is shown to people unchanged."""

    code: ClassVar[ErrorCode] = "unknown"
    error_class: ClassVar[ErrorClass] = "retryable"


class Transient(PostroomError):
    """Try again later."""

    error_class: ClassVar[ErrorClass] = "transient"


class Unavailable(Transient):
    """The other side is down, or broke off."""

    code = "provider_unavailable"


class TimedOut(Transient):
    """The other side did not answer in time. It may have acted all the same."""

    code = "provider_timeout"


class Throttled(Transient):
    """The other side asked us to wait."""

    code = "rate_limited"
    error_class = "rate_limited"

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class NotYet(Transient):
    """Announced but not there: believed gone only after some tries."""

    code = "message_not_found"


class Outdated(PostroomError):
    """Our picture of the other side is old."""

    error_class = "non_retryable"


class CursorExpired(Outdated):
    """The provider forgot our cursor: resync."""

    code = "invalid_cursor"


class DraftTouched(Outdated):
    """A person edited the draft: never overwrite."""

    code = "draft_conflict_user_edited"


class NeedsPerson(PostroomError):
    """Nothing helps until a person acts."""

    error_class = "non_retryable"


class AccessRevoked(NeedsPerson):
    """The mailbox must be connected anew."""

    code = "auth_revoked"


class PermissionDenied(NeedsPerson):
    """We are known, but may not do this."""

    code = "permission_denied"


class Misconfigured(NeedsPerson):
    """A setting is missing or wrong."""

    code = "permission_denied"


class Refused(PostroomError):
    """It will never work: record and stop."""

    code: ClassVar[ErrorCode] = "bad_request"
    error_class: ClassVar[ErrorClass] = "non_retryable"


class Gone(Refused):
    """The message, thread or draft is not there any more."""

    code = "message_not_found"


class BadRequest(Refused):
    """We, or the caller, asked for something impossible."""


class Unreadable(Refused):
    """A file or mail that cannot be understood."""


class NotFound(Refused):
    """There is no such thing here, or it belongs to someone else."""

    code: ClassVar[ErrorCode] = "not_found"


class NoSuchMessage(NotFound):
    """There is no such message here."""

    code = "message_not_found"


class NoSuchThread(NotFound):
    """There is no such thread here."""

    code = "thread_not_found"


class NotAllowed(Refused):
    """This person or key may not do that."""

    code = "permission_denied"


class Conflict(Refused):
    """Somebody else was first, or it was done already."""


class StaleRevision(Conflict):
    """It was changed since the caller looked; `str()` says by whom, and what. Look again, then decide."""


class KilledItsWorkers(Refused):
    """Every worker that began this died of it."""

    code = "unknown"
