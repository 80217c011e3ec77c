"""The evidence library: papers taken in, read, changed and retired, answers that were learned, and a question tried."""

from __future__ import annotations

from datetime import date
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from postroom.doors.console import frame
from postroom.doors.console.draft_parts import found_in
from postroom.doors.console.forms import asked, each_taken, handed_in, id_in, id_of, one_of, said
from postroom.doors.console.queue_items import FRESH
from postroom.doors.entry import Caller, signed_in
from postroom.nouns.errors import BadRequest, Conflict
from postroom.rooms.replies import commands
from postroom.rooms.triage import commands as triage

VIEWS = ("papers", "answers", "retired")
AUDIENCES = ("public", "internal")
PARTS = {"evidence": "evidence/_list.html"}
ONE = {"paper": "evidence/_paper.html"}
LONGEST_PAPER = 1_200_000


async def index(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    view = one_of(request, "view", VIEWS) or "papers"
    listed = {
        "papers": await commands.list_evidence(who.scope),
        "answers": await commands.list_answers(who.scope),
        "retired": await commands.list_retired(who.scope),
    }
    words = asked(request, "q").casefold()
    found = [each for each in listed[view] if words in f"{each.name} {each.title}".casefold()]
    counts = {name: len(each) for name, each in listed.items()}
    values = {"found": found, "view": view, "views": VIEWS, "counts": counts, "q": words}
    return await frame.page(request, who, "evidence/index.html", PARTS, **values, **await _around(who))


async def _around(who: Caller) -> dict[str, Any]:
    outcomes = await commands.draft_outcomes(who.scope)
    boxes = await commands.mailboxes_to_learn_from(who.scope)
    policy = await commands.reply_policy(who.scope)
    return {
        "outcomes": outcomes,
        "learning": [each for each in boxes if each.id in policy.learn_from],
        "policy": policy,
    }


async def add(request: Request) -> Response:
    who = await signed_in(request, "operator")
    files = await handed_in(request, "files", commands.LARGEST_PAPER, several=True)
    form = await said(request)
    if not files:
        raise BadRequest("Choose a file: Markdown, text, HTML or PDF.")
    reader, about = request.app.state.house.outside.reader, (_audience(form), _day(form))
    made, refused = await each_taken(
        files, lambda name, content: commands.add_evidence(who.scope, reader, name, content, *about)
    )
    new = sum(each.is_new for each in made)
    return frame.done(f"{new} taken in, {len(made) - new} as before.", "evidence", refused=refused)


async def show(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    return await frame.page(request, who, "evidence/show.html", ONE, **await _paper(request, who, id_of(request)))


async def _paper(request: Request, who: Caller, document_id: UUID) -> dict[str, Any]:
    shown = await commands.one_evidence(who.scope, document_id)
    quote = asked(request, "quote")
    parts = found_in(shown.body, quote)
    missing = bool(quote) and not any(each.marked for each in parts)
    return {
        "shown": shown,
        "paper": shown.document,
        "quote": quote,
        "text_parts": parts,
        "missing": missing,
        "today": who.scope.now.date(),
    }


async def by_name(request: Request) -> Response:
    """From a draft's source to the paper as it is today, at the quoted words."""
    who = await signed_in(request, "viewer")
    found = await commands.evidence_named(who.scope, asked(request, "name"), retired=True)
    return RedirectResponse(f"/evidence/{found.id}?{urlencode({'quote': asked(request, 'quote')})}#found", 303)


async def change(request: Request) -> Response:
    who = await signed_in(request, "operator")
    form = await said(request, LONGEST_PAPER)
    try:
        made = await commands.change_evidence(who.scope, id_of(request), form.get("text"), _audience(form), _day(form))
    except Conflict as error:
        return await _refused(request, who, error)
    return frame.go_to(f"/evidence/{made.document.id}")


async def _refused(request: Request, who: Caller, error: Conflict) -> Response:
    """Beside the words that were typed, which stay; with the way to the version that is in use."""
    newest = (await commands.one_evidence(who.scope, id_of(request))).newest
    response = frame.html(request, "evidence/_refused.html", 409, because=str(error), newest=newest)
    response.headers.update({FRESH: "yes", "HX-Retarget": "#refused", "HX-Reswap": "innerHTML"})
    return response


async def retire(request: Request) -> Response:
    who = await signed_in(request, "operator")
    held = await commands.retire_evidence(who.scope, id_of(request))
    values = await _paper(request, who, held.id)
    response = frame.html(request, "evidence/_paper.html", who=who, **values)
    return frame.toast(response, f"{held.name} is off the shelf.", changed=["evidence"])


async def restore(request: Request) -> Response:
    who = await signed_in(request, "operator")
    held = await commands.restore_evidence(who.scope, id_of(request))
    response = frame.html(request, "evidence/_paper.html", who=who, **await _paper(request, who, held.id))
    return frame.toast(response, f"{held.name} is in use again.", changed=["evidence"])


async def ask(request: Request) -> Response:
    """What it would answer; nothing is kept."""
    who = await signed_in(request, "viewer")
    form = await said(request)
    mailbox = form.get("mailbox", "")
    encoder = request.app.state.house.outside.encoder
    tried = await commands.ask_evidence(who.scope, form.get("question", ""), id_in(mailbox), encoder)
    withheld = await triage.withheld_because(who.scope, form.get("question", ""))
    return frame.html(request, "evidence/_tried.html", who=who, tried=tried, withheld=withheld)


def _audience(form: dict[str, str]) -> Any:
    return form["audience"] if form.get("audience") in AUDIENCES else None


def _day(form: dict[str, str]) -> date | None:
    text = form.get("valid_until", "").strip()
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise BadRequest(f"{text!r} is no day: write it as 2027-01-31.") from None


ROUTES = [
    Route("/evidence", index, methods=["GET"]),
    Route("/evidence", add, methods=["POST"]),
    Route("/evidence/ask", ask, methods=["POST"]),
    Route("/evidence/named", by_name, methods=["GET"]),
    Route("/evidence/{id:uuid}", show, methods=["GET"]),
    Route("/evidence/{id:uuid}", change, methods=["POST"]),
    Route("/evidence/{id:uuid}/retire", retire, methods=["POST"]),
    Route("/evidence/{id:uuid}/restore", restore, methods=["POST"]),
]
