"""What the control API accepts, checked field by field."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Sequence
from typing import Literal, TypeVar

import msgspec
from aiohttp import web

from postroom_simulators.planned_faults import FaultKind
from postroom_simulators.scenarios.envelopes import Enclosure, Verdict
from postroom_simulators.scenarios.script import Provider

T = TypeVar("T", bound=msgspec.Struct)


class ControlBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A body of the control API; a misspelt field is refused."""


class AdvanceBody(ControlBody, frozen=True):
    seconds: float = 0.0
    minutes: float = 0.0
    hours: float = 0.0
    days: float = 0.0


class NewMailboxBody(ControlBody, frozen=True):
    address: str
    name: str = ""
    provider: Provider = "graph"
    aliases: Sequence[str] = ()


class AttachedFileBody(ControlBody, frozen=True):
    filename: str
    content: str  # base64
    content_type: str = ""

    def enclosure(self) -> Enclosure:
        kind = self.content_type or kind_of(self.filename)
        if kind.count("/") != 1:
            raise ValueError(f"content_type of {self.filename!r} must look like application/pdf, not {kind!r}.")
        return Enclosure(self.filename, from_base64(self.content, f"attachments[{self.filename}].content"), kind)


class NewLetterBody(ControlBody, frozen=True, rename={"sender": "from"}):
    """Either `raw` (a whole mail, base64) with its `mailbox`, or fields."""

    raw: str = ""
    mailbox: str = ""
    folder: str = "inbox"
    sender: str = ""
    to: Sequence[str] = ()
    cc: Sequence[str] = ()
    subject: str = ""
    text: str = ""
    html: str | None = None
    attachments: Sequence[AttachedFileBody] = ()
    in_reply_to: str = ""
    verdict: Verdict = "pass"  # what the receiving service says about the sender
    poisoned: bool = False  # the provider answers 500 whenever the content is asked for
    megabytes: int = 0  # of a file that makes it oversized


class PlayBody(ControlBody, frozen=True):
    speed: float = 1.0
    seed: int = 0


class LifecycleBody(ControlBody, frozen=True):
    event: Literal["reauthorizationRequired", "subscriptionRemoved", "missed"]


class RevokeBody(ControlBody, frozen=True):
    reason: Literal["", "revoked", "rapt", "admin_policy"] = ""  # Google's; Entra has one way


class MoveBody(ControlBody, frozen=True):
    folder: str
    thread: bool = False  # all that the conversation has in the inbox


class ReadBody(ControlBody, frozen=True):
    read: bool = True


class WriteDraftBody(ControlBody, frozen=True):
    text: str
    answers: str = ""  # the id of the message that it answers; empty starts a new mail
    to: Sequence[str] = ()
    cc: Sequence[str] = ()
    subject: str = ""


class EditDraftBody(ControlBody, frozen=True):
    words: str = ""  # written above what is there
    text: str | None = None  # in place of what is there
    subject: str | None = None
    to: Sequence[str] | None = None
    cc: Sequence[str] | None = None


class AnswerBody(ControlBody, frozen=True):
    text: str
    everyone: bool = False


class LabelBody(ControlBody, frozen=True):
    add: Sequence[str] = ()
    remove: Sequence[str] = ()


class PlannedFaultBody(ControlBody, frozen=True):
    operation: str  # a name or a pattern; GET /control/operations lists the names
    kind: FaultKind
    times: int = 1
    mailbox: str = ""
    seconds: float = 0.0


class PushSubscriptionBody(ControlBody, frozen=True):
    name: str
    topic: str
    endpoint: str = ""  # empty makes a pull subscription
    audience: str = ""
    service_account: str = ""


async def read_body(request: web.Request, kind: type[T]) -> T:
    """The body as `kind`. Only JSON: a foreign web page cannot send that without asking first."""
    if request.can_read_body and request.content_type != "application/json":
        raise ValueError("Send the body as JSON with Content-Type: application/json.")
    body = await request.read() or b"{}"
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        fields = ", ".join(field.encode_name for field in msgspec.structs.fields(kind))
        raise ValueError(f"{error}. The fields are {fields}.") from error
    except msgspec.DecodeError as error:
        raise ValueError(f"The body is not JSON: {error}.") from error


def from_base64(text: str, where: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except ValueError as error:  # also what binascii raises
        raise ValueError(f"{where} must be base64: {error}.") from error


_KINDS = {
    "pdf": "application/pdf",
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "tif": "image/tiff",
    "tiff": "image/tiff",
    "txt": "text/plain",
    "xml": "application/xml",
    "ics": "text/calendar",
    "eml": "message/rfc822",
    "dat": "application/ms-tnef",
}


def kind_of(filename: str) -> str:
    return _KINDS.get(filename.rpartition(".")[2].lower(), "application/octet-stream")
