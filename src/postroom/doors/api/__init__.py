"""The JSON API: everything the console can do, one file per room.

`mount(app)` adds the routes and the description at /api/v1/openapi.json.
"""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.responses import JSONResponse
from starlette.requests import Request
from starlette.routing import BaseRoute, Route

from postroom.doors.api import (
    accounts,
    attempts,
    books,
    channels,
    documents,
    drafts,
    events,
    evidence,
    facts,
    jobs,
    keys,
    mailboxes,
    mappings,
    messages,
    metrics,
    orders,
    people,
    policy,
    problems,
    proposals,
    scorecard,
    settings,
    skills,
    threads,
    webhooks,
)

TAGS = {
    "mailboxes": "Accounts that are served: how each is doing by evidence, and what people do about it.",
    "messages": "Every mail once, with what became of it in each pipeline and why.",
    "threads": "Conversations: what each wants of us, and what people do about it.",
    "channels": "Where threads are seen to.",
    "topics": "The tenant's own sensitive topics.",
    "drafts": "What was written for which message, on what each statement stands, and what people made of it.",
    "proposals": "Mails that wait for a person's yes, exactly as they would go out, and what became of each.",
    "approvals": "A person's yes to exactly what they saw, and taking it back.",
    "evidence": "Papers that answers are drawn from.",
    "documents": "Files as understood.",
    "trades": "What contract notes and statements say was bought and sold.",
    "orders": "Orders that wait for their contract notes.",
    "invoices": "What invoices say.",
    "bookings": "Dividends, and whatever else is neither a trade nor an invoice.",
    "accounts": "The client book: accounts with their contacts, work and history.",
    "skills": "What a program may ask for by name, and how much say it has.",
    "mappings": "Whose mail each mail is, why we think so, and what people said about it.",
    "attempts": "Every try of every job; what failed, and trying again.",
    "jobs": "Work that is not over.",
    "facts": "The append-only trail: searched, exported, proved.",
    "events": "Facts as they happen (server-sent events).",
    "webhooks": "Endpoints of other systems, and every delivery to them.",
    "metrics": "Times, queues, failures, coverage.",
    "scorecard": "How often confirming by itself would have been right, from what people decided.",
    "people": "Who may sign in.",
    "keys": "API keys.",
    "policy": "What the tenant decides for itself in every room: sending, documents, mapping, retention.",
    "settings": "What the tenant asks for.",
}
DESCRIPTION = """
Send `Authorization: Bearer <key>`; make a key with `postroom key create`. A viewer reads, an operator acts, an admin
manages people, keys, mailboxes and settings. A collection is `{"items": […], "next": …}`: give `next` as `cursor` for
the next page. Errors are `application/problem+json`; their `detail` says what to do. A POST with an `Idempotency-Key`
may be repeated safely.
"""


def routers() -> list[APIRouter]:
    """Fixed paths stand before those with an id in them."""
    return [
        mailboxes.router,
        messages.router,
        threads.router,
        channels.router,
        channels.topics,
        drafts.router,
        proposals.router,
        proposals.approvals,
        evidence.router,
        evidence.uploads,
        skills.router,
        events.document_router,
        documents.router,
        documents.uploads,
        books.trades,
        books.bills,
        books.others,
        orders.files,
        orders.router,
        accounts.files,
        accounts.router,
        mappings.router,
        attempts.router,
        jobs.router,
        facts.router,
        events.router,
        webhooks.router,
        metrics.router,
        scorecard.router,
        people.router,
        keys.own,
        keys.router,
        policy.router,
        settings.router,
    ]


def routes() -> list[BaseRoute]:
    return [route for router in routers() for route in router.routes]


def mount(app: FastAPI) -> None:
    """Before the console: `/documents/events` goes ahead of its `/documents/{id}`.

    The routes themselves, since FastAPI would build those of an included router only when the first request comes.
    """
    app.router.routes.extend([*routes(), Route("/api/v1/openapi.json", openapi, methods=["GET"])])
    app.openapi = description  # type: ignore[method-assign]  # the way FastAPI documents


async def openapi(request: Request) -> JSONResponse:
    """The description; made once, which takes half a second."""
    del request
    return JSONResponse(await asyncio.to_thread(description))


@cache
def description() -> dict[str, Any]:
    """OpenAPI 3.1."""
    tags = [{"name": name, "description": text} for name, text in TAGS.items()]
    schema = get_openapi(title="Postroom", version="1.0.0", description=DESCRIPTION.strip(), routes=routes(), tags=tags)
    problems.document(schema)
    return schema
