"""Client service of a retreat house: guests and corporate clients write to a shared Outlook mailbox."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from email.utils import format_datetime
from typing import Any

from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.scenarios import client_desk
from postroom_simulators.scenarios.client_desk.mails import (
    BOX,
    EDITED,
    EVERYDAY,
    MACHINES,
    OPERATOR,
    SENSITIVE,
    SEVERAL_PARTIES,
    ClientMail,
)
from postroom_simulators.scenarios.client_desk.threads import THREADS
from postroom_simulators.scenarios.envelopes import MailWriter
from postroom_simulators.scenarios.script import PersonAct, Scenario

_EDIT = PersonAct(
    after=64,
    mailbox=BOX.address,
    subject="Projector",
    words="I have asked our house technician to call you tomorrow morning. Nora",
    about="An operator adds a sentence to the draft; from now on it is hers.",
)


def client_service(start: datetime, seed: int = 0) -> Scenario:
    writer = MailWriter(BOX, start, seed)
    notes = [*EVERYDAY, *SENSITIVE, *SEVERAL_PARTIES, *MACHINES, *EDITED]
    mails = [note.letter(writer) for note in sorted(notes, key=lambda one: one.after)]
    mails = sorted([*mails, _bounce(writer, 38)], key=lambda one: one.after)
    truth = {
        "operators": [OPERATOR.address, BOX.address],
        "accounts": client_desk.accounts(),
        "knowledge": client_desk.knowledge(),
        "threads": _threads(notes, writer),
    }
    about = "Questions, a refund, a medical question, several parties, machines, and a person who edits."
    return Scenario("client-service", about, start, [BOX], mails, [_EDIT], truth)


def _threads(notes: Sequence[ClientMail], writer: MailWriter) -> list[dict[str, Any]]:
    """The truth table, by the Message-IDs with which the mails of a thread come in."""
    known = {note.key: (writer.message_id(note.key, note.sender.domain), note.subject) for note in notes}
    known["bounce"] = (f"<{writer.code('bounce')}@mail.gone.example>", "Undelivered Mail Returned to Sender")
    return [truth.as_dict([known[key][0] for key in truth.mails], known[truth.mails[0]][1]) for truth in THREADS]


def _bounce(writer: MailWriter, after: float) -> IncomingMail:
    raw = _BOUNCE.format(code=writer.code("bounce"), to=BOX.address, date=format_datetime(writer.start))
    truth = {"triage": {"verdict": "ignore", "reason": "no_reply_or_auto_reply"}}
    return writer.raw(after, raw, about="A bounce: our mail did not arrive.", truth=truth)


_BOUNCE = """Received: from mail.gone.example (203.0.113.99) by AB12CD.eurprd04.prod.outlook.com; {date}
Authentication-Results: spf=pass smtp.mailfrom=gone.example; dkim=none;
 dmarc=bestguesspass header.from=gone.example
From: Mail Delivery System <MAILER-DAEMON@gone.example>
To: {to}
Subject: Undelivered Mail Returned to Sender
Date: {date}
Message-ID: <{code}@mail.gone.example>
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="{code}/gone"

--{code}/gone
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients.

<h.strand@gone.example>: host mail.gone.example said: 550 5.1.1 User unknown

--{code}/gone
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.gone.example
Arrival-Date: {date}

Final-Recipient: rfc822; h.strand@gone.example
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 User unknown

--{code}/gone
Content-Type: text/rfc822-headers

From: Larkspur Retreats Service <{to}>
To: h.strand@gone.example
Subject: Your booking confirmation
Message-ID: <{code}.ours@larkspur-retreats.example>

--{code}/gone--
"""
