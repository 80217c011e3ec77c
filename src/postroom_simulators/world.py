"""The simulated world: both providers on one address, mail between them, and stories that play in it."""

from __future__ import annotations

import asyncio
import hashlib
import re
import ssl
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from aiohttp import web

from postroom_simulators.clock import SimClock
from postroom_simulators.control import ControlApi
from postroom_simulators.faults import Faults
from postroom_simulators.google import GoogleSim
from postroom_simulators.google.gmail import OPERATIONS, mime
from postroom_simulators.graph import GraphSim
from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.mail_programs import GmailProgram, MailProgram, OutlookProgram, all_mail_programs
from postroom_simulators.planned_faults import FaultKind, PlannedFault
from postroom_simulators.recorder import Recorder
from postroom_simulators.scenarios import PersonAct, Scenario, ScenarioMailbox, drip, scenario
from postroom_simulators.scenarios.drip import BOXES
from postroom_simulators.scenarios.envelopes import Correspondent, postmarks
from postroom_simulators.scenarios.script import Provider

_LINE_END = re.compile(rb"\r*\n")
_LARGEST_UPLOAD = 200 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class DepartedMail:
    """Mail that left for addresses which nobody simulates."""

    at: float
    sender: str
    to: tuple[str, ...]
    subject: str
    raw: bytes = field(repr=False)


@dataclass(slots=True)
class PlayedScenario:
    """What came of a scenario."""

    delivered: list[str] = field(default_factory=list)
    acted: list[PersonAct] = field(default_factory=list)
    gave_up: list[PersonAct] = field(default_factory=list)  # acts whose draft never came


class World:
    """Graph, Gmail and Pub/Sub on one port, with one clock, one set of faults and one record."""

    def __init__(self, seed: int = 0, *, first: int = 1) -> None:
        """`first` is the number of the first mail: a larger one where somebody remembers an earlier world."""
        self.clock = SimClock()
        self.faults = Faults(seed)
        self.recorder = Recorder()
        self.graph = GraphSim(self.clock, self.faults, self.recorder, first=first)
        self.google = GoogleSim(self.clock, self.faults, self.recorder)
        self.graph.carrier = lambda _sender, raw, people: self._carry(raw, people)
        self.google.on_outbound = self._carry
        self.departed: deque[DepartedMail] = deque(maxlen=1000)
        self.base_url = ""
        self._runner: web.AppRunner | None = None
        self._writing = asyncio.Lock()  # the PDF library behind the scenarios knows one thread at a time
        self._tasks: set[asyncio.Task[object]] = set()

    # running

    async def start(self, host: str = "127.0.0.1", port: int = 0, ssl_context: ssl.SSLContext | None = None) -> None:
        if self._runner is not None:
            raise RuntimeError(f"This world already runs at {self.base_url}; stop it first or use expose().")
        app = web.Application(client_max_size=_LARGEST_UPLOAD)
        app.add_routes([*ControlApi(self).routes(), *self.google.routes(), *self.graph.routes()])
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        await self.graph.start()
        await self.google.start()
        try:
            self.base_url = await self.expose(host, port, ssl_context)
        except OSError:
            await self.stop()
            raise

    async def expose(self, host: str = "127.0.0.1", port: int = 0, ssl_context: ssl.SSLContext | None = None) -> str:
        """One more address for the same world, for example https beside http; returns its URL."""
        if self._runner is None:
            raise RuntimeError("Start the world before exposing it once more.")
        site = web.TCPSite(self._runner, host, port, ssl_context=ssl_context)
        try:
            await site.start()
        except OSError as error:
            message = f"Cannot listen on {host}:{port} ({error.strerror}); choose another port, or 0 for a free one."
            raise OSError(error.errno, message) from error
        bound: int = self._runner.addresses[-1][1]
        shown = f"[{host}]" if ":" in host else host
        return f"{'https' if ssl_context else 'http'}://{shown}:{bound}"

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.graph.stop()
        await self.google.stop()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def __aenter__(self) -> World:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    # mailboxes

    def add_mailbox(
        self, address: str, *, name: str = "", provider: Provider = "graph", aliases: Iterable[str] = ()
    ) -> MailProgram:
        other = self.google if provider == "graph" else self.graph
        if address.lower() in other.mailboxes:
            raise ValueError(f"{address} is already a mailbox of the other provider; choose another address.")
        if "@" not in address:
            raise ValueError(f"{address!r} is not an address; a mailbox needs one like anna@desk.example.")
        sim = self.graph if provider == "graph" else self.google
        sim.add_mailbox(address, name=name)
        for alias in aliases:
            sim.add_alias(address, alias)
        return self.mail_program(address)

    def furnish(self, boxes: Iterable[ScenarioMailbox]) -> None:
        for box in boxes:
            self.add_mailbox(box.address, name=box.name, provider=box.provider)

    def mail_program(self, address: str) -> MailProgram:
        """The person at this mailbox, which an alias names as well."""
        known = self.graph.aliases.get(address.lower()) or self.google.gmail.aliases.get(address.lower())
        key = (known.address if known else address).lower()
        if key in self.graph.mailboxes:
            return OutlookProgram(self.graph, key)
        if key in self.google.mailboxes:
            return GmailProgram(self.google, key)
        raise KeyError(f"There is no mailbox {address}; add it with POST /control/mailboxes or add_mailbox().")

    def traffic(self, address: str) -> dict[str, Any]:
        """Requests at this mailbox: how many, most at once, refused with a time to wait, and come too early."""
        key = address.lower()
        return self.google.gmail.traffic.at(key) if key in self.google.mailboxes else self.graph.gate.traffic.at(key)

    def operations(self) -> list[str]:
        """The names that a planned fault can hit."""
        return sorted([*self.graph.operations, *(f"gmail.{one.name}" for one in OPERATIONS)])

    def plan_fault(
        self,
        operation: str,
        kind: FaultKind,
        *,
        times: int = 1,
        mailbox: str = "",
        seconds: float = 0.0,
        act: Callable[[], object] | None = None,
    ) -> PlannedFault:
        """The next `times` requests of this operation (a name or a pattern) fail in this way."""
        if not any(fnmatchcase(one, operation) for one in self.operations()):
            raise ValueError(f"No operation is called {operation!r}; known are {', '.join(self.operations())}.")
        return self.faults.plan(operation, kind, times=times, mailbox=mailbox, seconds=seconds, act=act)

    def mail_programs(self) -> Iterator[MailProgram]:
        return all_mail_programs(self.graph, self.google)

    def deliver(self, letter: IncomingMail) -> str:
        """Put the letter into its mailbox, whoever holds it; returns the provider's message id."""
        if letter.mailbox.lower() in self.google.mailboxes:
            return self.google.deliver(letter)
        if letter.mailbox.lower() in self.graph.mailboxes:
            return self.graph.deliver(letter)
        raise KeyError(f"There is no mailbox {letter.mailbox}; add it before mail is delivered to it.")

    def _carry(self, raw: bytes, people: Sequence[str]) -> None:
        """Mail that one provider sent to addresses it does not hold."""
        senders = mime.addresses(raw, "From")
        sender = senders[0] if senders else "unknown@unknown.invalid"
        strangers = []
        for address in people:
            try:
                program = self.mail_program(address)
            except KeyError:
                strangers.append(address)
                continue
            self.deliver(IncomingMail(program.address, self._postmarked(raw, program, sender)))
        if strangers:
            subject = mime.header(raw, "Subject")
            self.departed.append(DepartedMail(self.clock.time(), sender, tuple(strangers), subject, raw))

    def _postmarked(self, raw: bytes, program: MailProgram, sender: str) -> bytes:
        box = ScenarioMailbox(program.address, program.name, program.provider)
        token = hashlib.sha256(raw).hexdigest()
        marks = postmarks(box, Correspondent("", sender), self.clock.now(), "pass", token)
        carried = _LINE_END.sub(b"\r\n", raw)  # SMTP knows one kind of line end, the senders' APIs take any
        return "".join(f"{name}: {value}\r\n" for name, value in marks).encode() + carried

    # stories

    async def tell(self, name: str, *, seed: int = 0) -> Scenario:
        """Write a scenario that starts now, without holding up the world."""
        async with self._writing:
            return await asyncio.to_thread(scenario, name, start=self.clock.now(), seed=seed)

    async def play(self, story: Scenario, speed: float = 1.0, *, patience: float | None = None) -> PlayedScenario:
        """Let it happen: `speed` 2 is twice as fast, 0 all at once. `patience` overrules that of the acts."""
        self.furnish(story.boxes)
        played = PlayedScenario()
        acts = [asyncio.create_task(self._act(act, speed, patience, played)) for act in story.acts]
        try:
            begun = asyncio.get_running_loop().time()
            for letter in sorted(story.mails, key=lambda one: one.after):
                await self._wait_till(begun, letter.after, speed)
                played.delivered.append(self.deliver(letter))
            await asyncio.gather(*acts)
        finally:
            for task in acts:
                task.cancel()
        return played

    async def drip(self, pause: float = 5.0, *, seed: int = 0, boxes: Sequence[ScenarioMailbox] = BOXES) -> None:
        """Send plausible mail until cancelled."""
        self.furnish(boxes)
        begun = asyncio.get_running_loop().time()
        for letter in drip(seed, start=self.clock.now(), boxes=boxes, pause=pause):
            await self._wait_till(begun, letter.after, 1.0)
            self.deliver(letter)

    def in_background(self, task: asyncio.Task[object]) -> None:
        """Keep it running till it ends or the world stops."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _wait_till(self, begun: float, after: float, speed: float) -> None:
        left = begun + (after / speed if speed else 0.0) - asyncio.get_running_loop().time()
        await asyncio.sleep(max(0.0, left))

    async def _act(self, act: PersonAct, speed: float, patience: float | None, played: PlayedScenario) -> None:
        """Wait for the draft, then edit it as a person would."""
        await asyncio.sleep(act.after / speed if speed else 0.0)
        loop = asyncio.get_running_loop()
        till = loop.time() + (act.patience if patience is None else patience)
        while loop.time() < till:
            program = self.mail_program(act.mailbox)
            for draft in program.messages("drafts"):
                if act.subject.lower() in draft["subject"].lower():
                    program.edit_draft(draft["id"], act.words)
                    played.acted.append(act)
                    return
            await asyncio.sleep(0.1)
        played.gave_up.append(act)
