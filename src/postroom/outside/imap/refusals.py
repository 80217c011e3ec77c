"""What a server's NO, BAD and BYE mean for us: by response code, never by text.

https://www.rfc-editor.org/rfc/rfc9051#section-7.1
"""

from __future__ import annotations

from postroom.nouns.errors import (
    AccessRevoked,
    BadRequest,
    Misconfigured,
    PermissionDenied,
    PostroomError,
    Throttled,
    Unavailable,
)
from postroom.outside.imap.wire import Response

_LATER = frozenset({"UNAVAILABLE", "INUSE", "SERVERBUG", "CORRUPTION", "EXPUNGEISSUED"})
_MAY_NOT = frozenset({"NOPERM", "AUTHORIZATIONFAILED", "CONTACTADMIN", "CANNOT"})


def refusal(answer: Response, command: str) -> PostroomError:
    why = f"{command}: {answer.name} {answer.code}".strip()
    if answer.name == "BYE" or answer.code in _LATER:
        return Unavailable(f"The IMAP server is not available ({why}).")
    if answer.code in ("LIMIT", "OVERQUOTA"):
        return Throttled(f"The IMAP server asks us to slow down ({why}).")
    if answer.code == "PRIVACYREQUIRED":
        return Misconfigured(f"The IMAP server wants an encrypted line ({why}): use tls or starttls.")
    if answer.code in _MAY_NOT:
        return PermissionDenied(f"The IMAP server does not allow it ({why}): ask its administrator.")
    if answer.name == "NO" and command in ("LOGIN", "AUTHENTICATE"):
        return AccessRevoked(f"The IMAP server does not accept our sign-in ({why}): connect the mailbox anew.")
    if answer.name == "NO" and command == "EXAMINE":
        return Misconfigured(f"The IMAP server has no such folder, or does not show it to us ({why}): check its name.")
    return BadRequest(f"The IMAP server does not accept the request ({why}).")
