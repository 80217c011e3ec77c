"""What a scenario is made of: mailboxes, letters in time, and what people do meanwhile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from postroom_simulators.incoming_mail import IncomingMail

Provider = Literal["graph", "gmail"]


@dataclass(frozen=True, slots=True)
class ScenarioMailbox:
    """A mailbox that the scenario needs."""

    address: str
    name: str
    provider: Provider


@dataclass(frozen=True, slots=True)
class PersonAct:
    """Something a person does in the mailbox: once a draft with this subject exists, they add words to it."""

    after: float
    mailbox: str
    subject: str  # the draft's subject contains this
    words: str
    about: str = ""
    patience: float = 120.0  # seconds to wait for the draft


@dataclass(frozen=True, slots=True)
class Scenario:
    """A story told in mail.

    A letter's truth may hold `documents` (the papers' truths, `filename`, `route`, `because`), `ignored`
    (attachments that are no documents, and why), `triage` (`verdict` and, where it has a name, `reason`) and
    `client` (`account`, `requires_triage`). The scenario's own truth is what the office knows beforehand, and for
    the client desk `threads`: a row for every thread, with the Message-IDs of its mails.
    """

    name: str
    about: str
    start: datetime
    boxes: Sequence[ScenarioMailbox]
    mails: Sequence[IncomingMail]
    acts: Sequence[PersonAct] = ()
    truth: Mapping[str, Any] = field(default_factory=dict)

    @property
    def lasts(self) -> float:
        """Seconds from the start to the last thing that happens."""
        return max([letter.after for letter in self.mails] + [act.after for act in self.acts])
