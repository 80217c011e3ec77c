"""Is it alive, is it ready, and how is it doing."""

from __future__ import annotations

import asyncio

from prometheus_client import REGISTRY as PROCESS
from prometheus_client import CollectorRegistry, Gauge, generate_latest
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from postroom.db.errors import DatabaseError
from postroom.db.pool import Database
from postroom.engine import queue as lanes
from postroom.engine.vitals import Vitals
from postroom.rooms.mailboxes import store as mailboxes

PATIENCE = 2.0


async def healthz(request: Request) -> Response:
    """This process answers, and its parts do their work. Restart it when it does not."""
    if trouble := _vitals(request).trouble():
        return PlainTextResponse(f"{trouble}\n", 503)
    return PlainTextResponse("ok\n")


async def readyz(request: Request) -> Response:
    """The database answers too, over the connections that requests and jobs use. Send no traffic while it does not."""
    if _vitals(request).stopping:
        return JSONResponse({"ready": False, "because": "This process is about to stop."}, 503)
    db: Database = request.app.state.db
    try:
        async with asyncio.timeout(PATIENCE):
            await db.prove()
            workers = await lanes.workers(db)
    except (TimeoutError, DatabaseError) as problem:
        because = f"The database does not answer: {str(problem) or 'no answer in time'}"
        return JSONResponse({"ready": False, "because": because}, 503)
    return JSONResponse({"ready": True, "workers": len(workers)})


async def metrics(request: Request) -> Response:
    """Prometheus text: this process's counters, and the lanes of the whole house."""
    db: Database = request.app.state.db
    house = CollectorRegistry()
    jobs = Gauge("postroom_jobs", "Jobs by state", ["state"], registry=house)
    oldest = Gauge("postroom_oldest_job_seconds", "Age of the oldest job by state", ["state"], registry=house)
    workers = Gauge("postroom_workers", "Workers that are registered, in all processes", registry=house)
    coverage = Gauge("postroom_coverage_ratio", "What we held of what was listed", ["mailbox"], registry=house)
    try:
        async with asyncio.timeout(PATIENCE):
            for depth in await lanes.depths(db):
                jobs.labels(depth.state).set(depth.jobs)
                oldest.labels(depth.state).set(max(0.0, depth.oldest))
            workers.set(len(await lanes.workers(db)))
            for each in await mailboxes.covered(db):
                coverage.labels(str(each.mailbox_id)).set(each.ratio)
    except (TimeoutError, DatabaseError):
        pass  # the process's own figures are still worth having
    return Response(generate_latest(PROCESS) + generate_latest(house), media_type="text/plain; version=0.0.4")


def _vitals(request: Request) -> Vitals:
    vitals: Vitals = getattr(request.app.state, "vitals", None) or Vitals()
    return vitals


ROUTES = [
    Route("/healthz", healthz, methods=["GET"]),
    Route("/readyz", readyz, methods=["GET"]),
    Route("/metrics", metrics, methods=["GET"]),
]
