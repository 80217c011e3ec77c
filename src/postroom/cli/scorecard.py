"""The scorecard at the command line: how often confirming by itself would have been right."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from datetime import timedelta
from typing import Annotated, Any

import typer

from postroom import reads
from postroom.cli.shared import TenantName, out, printable, run, scope, show
from postroom.nouns.pipelines import PIPELINES, known_pipelines
from postroom.reads.scorecard import WINDOW_DAYS, Score, Scorecard
from postroom.rooms.mailboxes import commands, store


def scorecard(
    mailbox: Annotated[str | None, typer.Option(help="Of one mailbox: its address.")] = None,
    pipeline: Annotated[str | None, typer.Option(help=f"{' or '.join(PIPELINES)}.")] = None,
    days: Annotated[int, typer.Option(help="How far back.", min=1, max=3650)] = WINDOW_DAYS,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object, for programs.")] = False,
    tenant: TenantName = "default",
) -> None:
    """How often confirming by itself would have been right, from people's decisions."""

    async def work() -> None:
        async with scope(tenant) as (_, teller), teller.read() as tx:
            chosen = known_pipelines([pipeline])[0] if pipeline else None
            box = await commands.mailbox_called(tx, mailbox) if mailbox else None
            names = {each.id: each.address for each in await store.mailboxes(tx)}
            since = teller.now - timedelta(days=days)
            card = await reads.scorecard.scorecard(tx, since, mailbox_id=box.id if box else None, pipeline=chosen)
        if as_json:
            sys.stdout.write(printable(json.dumps(asdict(card), default=str)) + "\n")
            return
        _show(card, names)

    run(work())


def _show(card: Scorecard, names: Mapping[Any, str]) -> None:
    out.print(card.every.said, highlight=False)
    heads = ["", "judged", "would confirm", "right", "corrected", "rejected", "precision", "between"]
    places = [(f"{names.get(each.mailbox_id, 'handed in')} {each.pipeline}", each) for each in card.pipelines]
    groups = (
        ("By mailbox and pipeline", places),
        ("By sender", [(each.sender_email or "unknown", each) for each in card.senders]),
        ("By week", [(f"{each.week:%Y-%m-%d}", each) for each in card.weeks]),
    )
    for title, rows in groups:
        show(title, heads, [(name, *_counts(each)) for name, each in rows], empty="Nothing was judged yet.")
    bands = [
        (
            f"{each.edges[0]:.2f}–{each.edges[1]:.2f}",
            each.decided,
            _share(each.stated),
            _share(each.true_share),
            _span(each.true_between),
        )
        for each in card.bands
    ]
    show("Stated against true", ["stated", "decided", "stated on average", "true", "between"], bands, empty="")


def _counts(each: Score) -> tuple[object, ...]:
    counts = (each.judged, each.passed, each.found_right, each.corrected, each.rejected)
    return (*counts, _share(each.precision), _span(each.precision_between))


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"


def _span(between: tuple[float, float] | None) -> str:
    return "" if between is None else f"{between[0]:.1%} – {between[1]:.1%}"
