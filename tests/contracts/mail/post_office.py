"""What the contract suite asks of a provider's stand-in: put mail in, turn faults, see the notifications."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from postroom.nouns.providers import Notification, ProviderRef
from postroom.nouns.secrets import Secret
from postroom.ports import CopilotMailbox, MailProvider
from postroom_simulators.clock import SimClock
from postroom_simulators.faults import Faults
from postroom_simulators.mail_programs import MailProgram
from postroom_simulators.recorder import Recorder

PAGE = 3  # what every office sets as page size, so that a handful of mails makes several pages


class PostOffice(Protocol):
    """One mailbox at a simulated provider on real HTTP, and the adapter connected to it.

    A module `<provider>_office.py` offers `async def open_office() -> AsyncIterator[PostOffice]`, an async context
    manager (`contextlib.asynccontextmanager`) that starts the simulator on port 0 and closes everything at the end.
    The adapter is given `clock.now` as its `now`, and `PAGE` as its page size.
    """

    name: str
    address: str  # lower case; the office itself was opened in mixed case
    provider: MailProvider
    copilot: CopilotMailbox  # where mail can be answered
    person: MailProgram  # somebody at the mailbox's mail program
    other_addresses: set[str]  # aliases
    clock: SimClock
    faults: Faults
    recorder: Recorder
    callback: str  # where notifications go; answers the provider's handshake
    lifecycle_callback: str
    client_state: Secret

    def deliver(self, raw: bytes, folder: str = "inbox") -> ProviderRef:
        """A mail comes in now, by the simulated clock; `folder` is inbox, junkemail or archive."""

    def move_out(self, ref: ProviderRef) -> None:
        """A person archives it: still there, no longer in the folder we serve."""

    def move_back(self, ref: ProviderRef) -> None:
        """A person returns it to the folder we serve."""

    def throw_away(self, ref: ProviderRef) -> None:
        """A person deletes it: it lies in the bin."""

    def erase(self, ref: ProviderRef) -> None:
        """Gone for good."""

    def write_draft(self) -> ProviderRef:
        """A person begins a mail; the ref of its message."""

    def expire_cursors(self) -> None:
        """Every cursor handed out so far is too old."""

    def expire_access(self) -> None:
        """The access token ends, and a fresh one can be had."""

    def revoke(self) -> None:
        """The person takes the grant back: no token works, none can be had."""

    def forbid(self) -> None:
        """The token is good, and does not allow reading mail."""

    async def go_away(self) -> None:
        """Nothing answers at the provider's address any more."""

    async def notifications(self, at_least: int = 1) -> Sequence[Notification]:
        """What was sent to the callback so far, as the adapter's hook reads it; waits a moment for `at_least`."""
