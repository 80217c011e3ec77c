"""All pages of the console, in the order in which addresses are tried."""

from __future__ import annotations

from starlette.routing import BaseRoute

from postroom.doors.console import (
    accounts,
    attempts,
    audit,
    books,
    channels,
    clients,
    demo,
    documents,
    evidence,
    figures,
    live,
    mailboxes,
    messages,
    outbox,
    overview,
    policies,
    queue_items,
    scorecard,
    settings,
    signin,
    static_files,
    threads,
    webhooks,
)

ROUTES: list[BaseRoute] = [
    *static_files.ROUTES,
    *signin.ROUTES,
    *live.ROUTES,
    *queue_items.ROUTES,
    *overview.ROUTES,
    *mailboxes.ROUTES,
    *threads.ROUTES,
    *outbox.ROUTES,
    *messages.ROUTES,
    *documents.ROUTES,
    *books.ROUTES,
    *clients.ROUTES,
    *accounts.ROUTES,
    *evidence.ROUTES,
    *attempts.ROUTES,
    *figures.ROUTES,
    *scorecard.ROUTES,
    *audit.ROUTES,
    *settings.ROUTES,
    *policies.ROUTES,
    *channels.ROUTES,
    *webhooks.ROUTES,
    *demo.ROUTES,
]
