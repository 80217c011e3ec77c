"""A mailbox in memory, with the same faults as the simulated ones, and a person at its mail program."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from contracts.mail.post_office import PAGE
from postroom.nouns.errors import AccessRevoked, PermissionDenied, PostroomError, Throttled, Unavailable
from postroom.nouns.providers import Notification, ProviderRef
from postroom.nouns.secrets import Secret
from postroom.outside.memory import MemoryMailbox, MemoryProvider, open_copilot
from postroom.outside.memory.mailbox import composed
from postroom_simulators.clock import SimClock
from postroom_simulators.faults import Faults
from postroom_simulators.recorder import Recorder


class Person:
    """As the simulators' people, at a mailbox in memory."""

    def __init__(self, box: MemoryMailbox) -> None:
        self._box = box

    def write_draft(self, text: str, *, answers: str = "") -> str:
        return self._box.write_draft(text, answers=ProviderRef(answers) if answers else None)

    def edit_draft(self, key: str, words: str = "") -> str:
        self._box.edit_draft(ProviderRef(key), f"{words}\n\n{self._box.message(ProviderRef(key)).mail.text_body}")
        return key

    def discard_draft(self, key: str) -> None:
        self._box.discard_draft(ProviderRef(key))

    def send_draft(self, key: str) -> str:
        self._box.send(ProviderRef(key))
        return key

    def answer(self, key: str, text: str) -> str:
        original = self._box.message(ProviderRef(key))
        to = [original.mail.sender.email] if original.mail.sender else []
        raw = composed(self._box.address, to, (), f"Re: {original.mail.subject}", text, "")
        return self._box._add(raw, {"SENT"}, original.thread_ref).ref

    def label(self, key: str, *, add: Sequence[str] = (), remove: Sequence[str] = ()) -> None:
        self._box.label(ProviderRef(key), add=add, remove=remove)


class MemoryOffice:
    """A contracts.mail.post_office.PostOffice."""

    name = "memory"
    address = "anna@memory.test"
    callback, lifecycle_callback = "memory:notify", "memory:lifecycle"
    client_state = Secret("a-client-state-of-enough-characters")

    def __init__(self) -> None:
        self.clock, self.faults, self.recorder = SimClock(), Faults(seed=3), Recorder()
        self.box = MemoryMailbox("Anna@Memory.Test", self.clock.now, aliases=["Desk@Memory.Test"])
        self.box.trouble, self.box.notify = self._trouble, self._heard
        self.provider = MemoryProvider(self.box, page_size=PAGE)
        self.copilot = open_copilot(self.box, PAGE)
        self.person = Person(self.box)
        self.other_addresses = {"desk@memory.test"}
        self._notifications: list[Notification] = []
        self._refusal: PostroomError | None = None

    def _trouble(self) -> PostroomError | None:
        switches = self.faults.switches
        if self._refusal is not None or self.faults.strikes(switches.throttle):
            return self._refusal or Throttled("The mailbox has to wait.", switches.retry_after)
        return Unavailable("Not now.") if self.faults.strikes(max(switches.unavailable, switches.reset)) else None

    def _heard(self, notification: Notification) -> None:
        self._notifications.append(notification)

    async def notifications(self, at_least: int = 1) -> Sequence[Notification]:
        assert len(self._notifications) >= at_least
        return list(self._notifications)

    def deliver(self, raw: bytes, folder: str = "inbox") -> ProviderRef:
        return self.box.deliver(raw, folder)

    def move_out(self, ref: ProviderRef) -> None:
        self.box.move(ref, "archive")

    def move_back(self, ref: ProviderRef) -> None:
        self.box.move(ref, "inbox")

    def throw_away(self, ref: ProviderRef) -> None:
        self.box.move(ref, "deleteditems")

    def erase(self, ref: ProviderRef) -> None:
        self.box.erase(ref)

    def write_draft(self) -> ProviderRef:
        return self.box.write_draft("Half a thought")

    def expire_cursors(self) -> None:
        self.box.expire_cursors()

    def expire_access(self) -> None:
        """Nobody signs in here."""

    def revoke(self) -> None:
        self._refusal = AccessRevoked("The grant was taken back.")

    def forbid(self) -> None:
        self._refusal = PermissionDenied("Reading mail was not granted.")

    async def go_away(self) -> None:
        self._refusal = Unavailable("Nobody is there.")


@asynccontextmanager
async def open_office() -> AsyncIterator[MemoryOffice]:
    yield MemoryOffice()
