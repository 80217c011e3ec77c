"""Attempts: what waits for a person, what was tried and how it went; try again, one or many."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import asdict

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from postroom import reads
from postroom.doors import sse
from postroom.doors.api import bulk_retry
from postroom.doors.console import frame, words
from postroom.doors.console.forms import asked_id, asked_number, chosen, id_of, one_of, said
from postroom.doors.entry import signed_in
from postroom.engine import queue as lanes
from postroom.nouns.counting import count
from postroom.nouns.errors import BadRequest, Conflict, NotFound
from postroom.nouns.ids import JobId
from postroom.rooms.mailboxes import store as mailboxes

CLASSES = ("transient", "retryable", "non_retryable", "rate_limited")
VIEWS = ("aside", "waiting", "failed", "all")
PARTS = {"attempts": "attempts/_list.html"}
AT_ONCE = 500


async def index(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    view = one_of(request, "view", VIEWS) or "aside"
    mailbox, before = asked_id(request, "mailbox"), asked_number(request, "before", 2**62)
    error_class = one_of(request, "class", CLASSES)
    async with who.scope.read() as tx:
        boxes = await mailboxes.mailboxes(tx)
        jobs = await reads.jobs.aside(tx, mailbox_id=mailbox, before=before) if view == "aside" else []
        jobs = await reads.jobs.waiting(tx, mailbox) if view == "waiting" else jobs
        tries = []
        if view in ("failed", "all"):
            failed = view == "failed"
            tries = await lanes.attempts(tx, failed=failed, error_class=error_class, mailbox_id=mailbox, before=before)
    names = {box.id: box.address for box in boxes}
    values = {"view": view, "jobs": jobs, "tries": tries, "boxes": boxes, "names": names, "mailbox": mailbox}
    return await frame.page(
        request, who, "attempts/index.html", PARTS, views=VIEWS, classes=CLASSES, error_class=error_class, **values
    )


async def show(request: Request) -> Response:
    """One job with all its tries."""
    who = await signed_in(request, "viewer")
    job_id = JobId(int(request.path_params["job"]))
    async with who.scope.read() as tx:
        tries = await lanes.attempts(tx, job_id=job_id, most=50)
        found = [job for job in await lanes.jobs(tx, after=job_id - 1, most=1) if job.id == job_id]
        boxes = await mailboxes.mailboxes(tx)
    if not tries and not found:
        raise NotFound(f"There is no job {job_id}. Attempts are kept for some weeks.")
    names = {box.id: box.address for box in boxes}
    values = {"job": found[0] if found else None, "tries": tries, "names": names, "job_id": job_id}
    return await frame.page(request, who, "attempts/show.html", {"job": "attempts/_job.html"}, **values)


async def retry(request: Request) -> Response:
    who = await signed_in(request, "operator")
    tried = await lanes.replay(who.scope, JobId(int(id_of(request, "job"))))
    return frame.done(f"Job {tried.id} is tried again now.", "attempts")


async def retry_many(request: Request) -> Response:
    """What was ticked, or all of a view; answered with how far they have come, which goes on by itself."""
    who = await signed_in(request, "operator")
    ticked = [JobId(int(text)) for text in await chosen(request, "job") if text.isdecimal() and len(text) < 19]
    if (await said(request)).get("every"):
        async with who.scope.read() as tx:
            ticked = await lanes.failed_jobs(tx, mailbox_id=asked_id(request, "mailbox"), most=AT_ONCE)
    if not ticked:
        raise BadRequest("Tick what should be tried again (x ticks the chosen line), or press all.")
    begun = await bulk_retry.retry_jobs(who.scope, ticked[:AT_ONCE])
    if not begun.many.retried:
        raise Conflict("All of these had moved on already.")
    seen = await bulk_retry.progress(who.scope, begun.batch)
    response = frame.html(
        request, "attempts/_progress.html", who=who, batch=begun.batch, seen=seen, refused=len(begun.many.refused)
    )
    return frame.toast(response, count(begun.many.retried, "job") + " tried again now.", changed=["attempts"])


async def progress(request: Request) -> Response:
    """Each change as an event, until all is over."""
    who = await signed_in(request, "viewer")
    batch = bulk_retry.RetryBatch.parse(str(request.path_params["batch"]))
    await bulk_retry.progress(who.scope, batch)

    async def events() -> AsyncGenerator[bytes, None]:
        async for seen in bulk_retry.follow(who.scope, batch):
            text = words.progress(seen.total, seen.done, seen.failed, seen.later)
            yield sse.event("progress", {**asdict(seen), "over": seen.over, "text": text})

    return sse.stream(request, events(), frame.GUARDS)


ROUTES = [
    Route("/attempts", index, methods=["GET"]),
    Route("/attempts/retry", retry_many, methods=["POST"]),
    Route("/attempts/batches/{batch}", progress, methods=["GET"]),
    Route("/attempts/{job:int}", show, methods=["GET"]),
    Route("/attempts/{job:int}/retry", retry, methods=["POST"]),
]
