"""Figures: how the copilot does, over time and by mailbox."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from postroom import reads
from postroom.doors.console import frame
from postroom.doors.console.forms import asked_number
from postroom.doors.entry import signed_in
from postroom.reads.figures import MailboxFigures
from postroom.rooms.mailboxes import store as mailboxes

WINDOWS = (7, 30, 90)
CHARTS = (
    ("received", "Mail received", "plain"),
    ("drafted", "Drafts", "good"),
    ("sensitive", "Sensitive", "warn"),
    ("retried", "Retries", "bad"),
)


async def show(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    days = asked_number(request, "days", 30)
    days = days if days in WINDOWS else 30
    today = who.scope.now.replace(hour=0, minute=0, second=0, microsecond=0)
    first = today - timedelta(days=days - 1)
    async with who.scope.read() as tx:
        found = await reads.figures.by_mailbox(tx, first)
        names = {each.id: each.address for each in await mailboxes.mailboxes(tx)}
    every = MailboxFigures(
        [day for each in found.values() for day in each.days], [day for each in found.values() for day in each.tries]
    )
    dates = [first + timedelta(days=n) for n in range(days)]
    charts = [(name, tone, [_on(every, what, date) for date in dates]) for what, name, tone in CHARTS]
    rows = sorted(((names.get(box, str(box)), each) for box, each in found.items()), key=lambda row: row[0])
    labels = [f"{date:%Y-%m-%d}" for date in dates]
    values: dict[str, Any] = {"rows": rows, "charts": charts, "labels": labels, "days": days, "windows": WINDOWS}
    return await frame.page(request, who, "figures/index.html", **values)


def _on(figures: MailboxFigures, what: str, date: object) -> int:
    return sum(getattr(each, what) for each in figures.days if each.day == date)


ROUTES = [Route("/figures", show, methods=["GET"])]
