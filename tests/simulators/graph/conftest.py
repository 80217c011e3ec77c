"""A simulated Graph on a real port, and a hook for it to push to."""

from __future__ import annotations

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from postroom_simulators.clock import SimClock
from postroom_simulators.faults import Faults
from postroom_simulators.graph import GraphSim
from postroom_simulators.recorder import Recorder
from simulators.graph.office import ANNA, BERT, Desk, Hook


@pytest.fixture
async def hook():
    made = Hook()
    app = web.Application()
    app.router.add_post("/{tail:.*}", made.answer)
    async with TestServer(app) as server:
        made.url = str(server.make_url("/hook"))
        yield made


@pytest.fixture
async def desk(hook):
    sim = GraphSim(SimClock(), Faults(seed=1), Recorder())
    sim.add_mailbox(ANNA, name="Anna Ash")
    sim.add_mailbox(BERT, name="Bert Birch")
    app = web.Application()
    app.add_routes(sim.routes())
    await sim.start()
    async with TestServer(app) as server, aiohttp.ClientSession() as session:
        yield Desk(sim, str(server.make_url("")).rstrip("/"), session, hook)
    await sim.stop()
