"""Faults by chance and by plan, the clock, and what the client did meanwhile."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import msgspec
from aiohttp import web

from postroom_simulators.control import bodies
from postroom_simulators.control.answers import Table, number
from postroom_simulators.faults import FaultSwitches

if TYPE_CHECKING:
    from postroom_simulators.world import World


class FaultControls:
    def __init__(self, world: World) -> None:
        self.world = world

    def table(self) -> Table:
        return [
            ("GET", "/faults", self.faults),
            ("PUT", "/faults", self.turn_faults),
            ("DELETE", "/faults", self.reset_faults),
            ("GET", "/faults/planned", self.planned),
            ("POST", "/faults/planned", self.plan),
            ("DELETE", "/faults/planned", self.unplan),
            ("GET", "/operations", self.operations),
            ("GET", "/clock", self.clock),
            ("POST", "/clock/advance", self.advance),
            ("GET", "/record", self.record),
            ("DELETE", "/record", self.clear_record),
            ("GET", "/traffic", self.traffic),
            ("DELETE", "/traffic", self.clear_traffic),
        ]

    async def faults(self, _request: web.Request) -> Any:
        return self.world.faults.as_dict()

    async def turn_faults(self, request: web.Request) -> Any:
        if request.content_type != "application/json":
            raise ValueError("Send the faults as JSON with Content-Type: application/json.")
        settings = msgspec.json.decode(await request.read(), type=dict[str, Any])
        return asdict(self.world.faults.turn(**settings))

    async def reset_faults(self, request: web.Request) -> Any:
        seed = request.query.get("seed")
        if seed is not None and not seed.lstrip("-").isdigit():
            raise ValueError(f"seed must be a whole number, not {seed!r}.")
        self.world.faults.reset(None if seed is None else int(seed))
        return asdict(FaultSwitches())

    async def planned(self, _request: web.Request) -> Any:
        return {"items": [fault.as_dict() for fault in self.world.faults.planned.all]}

    async def plan(self, request: web.Request) -> Any:
        body = await bodies.read_body(request, bodies.PlannedFaultBody)
        fault = self.world.plan_fault(
            body.operation, body.kind, times=body.times, mailbox=body.mailbox, seconds=body.seconds
        )
        return fault.as_dict()

    async def unplan(self, _request: web.Request) -> Any:
        self.world.faults.planned.clear()
        return {"items": []}

    async def operations(self, _request: web.Request) -> Any:
        return {"items": self.world.operations()}

    async def clock(self, _request: web.Request) -> Any:
        return {"now": self.world.clock.now().isoformat()}

    async def advance(self, request: web.Request) -> Any:
        by = msgspec.structs.asdict(await bodies.read_body(request, bodies.AdvanceBody))
        return {"now": self.world.clock.advance(timedelta(**by)).isoformat()}

    async def record(self, request: web.Request) -> Any:
        return self.world.recorder.as_dict(number(request, "last", 200))

    async def clear_record(self, _request: web.Request) -> Any:
        self.world.recorder.clear()
        return {"cleared": True}

    async def traffic(self, _request: web.Request) -> Any:
        addresses = [program.address for program in self.world.mail_programs()]
        return {"items": [{"mailbox": address, **self.world.traffic(address)} for address in addresses]}

    async def clear_traffic(self, _request: web.Request) -> Any:
        self.world.graph.gate.traffic.clear()
        self.world.google.gmail.traffic.clear()
        return {"cleared": True}
