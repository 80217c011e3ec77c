"""Sending: the mail goes out, and its copy reaches Sent Items now or later."""

from __future__ import annotations

from collections.abc import Callable

from postroom_simulators.faults import Faults
from postroom_simulators.schedule import SimSchedule

from . import mime
from .items import SimGraphItem
from .mailbox import SimGraphMailbox
from .messages import mime_of
from .request import GraphError

Post = Callable[[SimGraphMailbox, bytes, list[str]], None]
_NOT_YOURS = (
    "The user account which was used to submit this request does not have the right to send mail on behalf of the "
    "specified sending account."
)
_RECIPIENTS = ("toRecipients", "ccRecipients", "bccRecipients")


class GraphOutbox:
    """`post` carries a sent mail to its recipients."""

    def __init__(self, faults: Faults, schedule: SimSchedule, post: Post) -> None:
        self._faults, self._schedule, self._post = faults, schedule, post

    def send(self, mailbox: SimGraphMailbox, item: SimGraphItem) -> None:
        """A draft, or a message in no folder yet: from now on it is sent, under the same immutable id."""
        check(mailbox, item)
        if item.immutable_id not in mailbox.by_id:
            mailbox.add(item, mailbox.folder("outbox"))

        def sent(one: SimGraphItem) -> None:
            one.is_draft = False
            one.props["sentDateTime"] = mime.stamp(mailbox.clock.time())
            one.received = int(mailbox.clock.time())

        mailbox.edit(item, sent)
        self._carry(mailbox, item)
        if lag := self._faults.switches.sent_lag:
            if item.folder.well_known != "outbox":
                mailbox.move(item, mailbox.folder("outbox"))
            self._schedule.after(lag, lambda: _file(mailbox, item))
        else:
            _file(mailbox, item)

    def send_and_forget(self, mailbox: SimGraphMailbox, item: SimGraphItem) -> None:
        """No copy is kept."""
        check(mailbox, item)
        self._carry(mailbox, item)

    def _carry(self, mailbox: SimGraphMailbox, item: SimGraphItem) -> None:
        people = [one["emailAddress"]["address"] for name in _RECIPIENTS for one in item.props[name]]
        raw = item.raw if item.raw is not None else mime_of(mailbox, item, bcc=False)
        self._post(mailbox, raw, list(dict.fromkeys(people)))


def check(mailbox: SimGraphMailbox, item: SimGraphItem) -> None:
    if not any(item.props[name] for name in _RECIPIENTS):
        raise GraphError(400, "ErrorInvalidRecipients", "At least one recipient is not valid.")
    sender = ((item.props.get("from") or {}).get("emailAddress") or {}).get("address") or mailbox.address
    if str(sender).lower() not in mailbox.addresses:
        raise GraphError(403, "ErrorSendAsDenied", _NOT_YOURS)


def _file(mailbox: SimGraphMailbox, item: SimGraphItem) -> None:
    if item.immutable_id in mailbox.by_id:
        mailbox.move(item, mailbox.folder("sentitems"))
