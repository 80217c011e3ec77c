"""Whose mail it is: the queue of mails nobody is sure about, one of them with its candidates, and how signals did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from postroom.doors.console import frame, queue_items
from postroom.doors.console.forms import asked, asked_id, id_of, one_of, said
from postroom.doors.entry import Caller, signed_in
from postroom.nouns.clients import MAPPING_STATUSES
from postroom.nouns.errors import BadRequest, NotFound, StaleRevision
from postroom.reads import messages as mail
from postroom.rooms.clients import commands
from postroom.rooms.clients.store.mappings import MappingRow

PARTS = {"mappings": "clients/_list.html"}
STATUSES = ("triage", "mapped", "confirmed", "ignored")
LONGEST_TEXT = 4000
SCALE = 10.0  # log-odds that fill the width of a waterfall


@dataclass(frozen=True, slots=True)
class WaterfallStep:
    """One clue as a bar that begins where the last one ended, in hundredths of the width."""

    signal: str
    because: str
    weight: float
    left: float
    width: float


@dataclass(frozen=True, slots=True)
class CandidateShown:
    account: str
    name: str
    status: str
    confidence: Decimal
    steps: Sequence[WaterfallStep]


def candidates_of(row: MappingRow) -> list[CandidateShown]:
    return [
        CandidateShown(each["account"], each["name"], each["status"], Decimal(each["confidence"]), _waterfall(each))
        for each in row.candidates
    ]


def _waterfall(candidate: dict[str, Any]) -> list[WaterfallStep]:
    weights = [each["weight"] for each in candidate["clues"]]
    whole = max(SCALE, sum(weight for weight in weights if weight > 0))
    steps, at = [], 0.0
    for each in candidate["clues"]:
        end = at + each["weight"]
        left, right = max(0.0, min(at, end)), max(0.0, at, end)
        steps.append(
            WaterfallStep(
                each["signal"],
                each["because"],
                each["weight"],
                100 * left / whole,
                100 * max(right - left, 0.1) / whole,
            )
        )
        at = end
    return steps


async def index(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    everything = asked(request, "status") == "all"
    status = None if everything else one_of(request, "status", MAPPING_STATUSES) or "triage"
    found, more = await commands.list_mappings(
        who.scope, status=status, account=asked(request, "account") or None, before=asked_id(request, "before")
    )
    waiting = await commands.waiting_in_triage(who.scope)
    has_book = bool((await commands.accounts(who.scope, most=1))[0])
    values = {"found": found, "more": more, "status": status or "all", "statuses": STATUSES, "waiting": waiting}
    return await frame.page(request, who, "clients/index.html", PARTS, has_book=has_book, **values)


async def review(request: Request) -> Response:
    """To the mail that has waited longest."""
    who = await signed_in(request, "viewer")
    first = await commands.next_in_triage(who.scope)
    return RedirectResponse(f"/clients/{first}" if first else "/clients", 303)


async def show(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    return await _shown(request, who, id_of(request))


async def _shown(request: Request, who: Caller, mapping_id: UUID, last: MappingRow | None = None) -> Response:
    detail = await commands.get_mapping(who.scope, mapping_id)
    row = detail.mapping
    after = await commands.next_in_triage(who.scope, mapping_id)
    async with who.scope.read() as tx:
        message = await mail.message(tx, row.message_id)
        body = await mail.body(tx, row.message_id)
    if message is None:
        raise NotFound("There is no such mail here. It may belong to another tenant.")
    values: dict[str, Any] = {
        "row": row,
        "changes": detail.changes,
        "choices": candidates_of(row),
        "reach": await commands.reach(who.scope, mapping_id),
        "message": message,
        "text": ((body.body if body else None) or row.snippet or "")[:LONGEST_TEXT],
        "before": await commands.previous_in_triage(who.scope, mapping_id),
        "after": after if after != mapping_id else None,
        "left": await commands.waiting_in_triage(who.scope),
        "last": last,
    }
    if "hx-request" in request.headers:
        return frame.html(request, "clients/_mapping.html", who=who, **values)
    return await frame.page(request, who, "clients/show.html", **values)


async def _mapping(who: Caller, request: Request) -> UUID:
    """What is not there is not found, whatever else is said."""
    return (await commands.get_mapping(who.scope, id_of(request))).mapping.id


async def confirm(request: Request) -> Response:
    who = await signed_in(request, "operator")
    words, mapping_id = await said(request), await _mapping(who, request)
    account = words.get("account", "") or await _found(who, words.get("q", ""))
    try:
        act = await commands.confirm_mapping(
            who.scope,
            mapping_id,
            account,
            words.get("engagement") or None,
            words.get("work_item") or None,
            version=queue_items.seen_revision(words),
            **_reach(words),
        )
    except StaleRevision as error:
        return queue_items.changed_meanwhile(await _shown(request, who, mapping_id), error)
    return await _next(request, who, mapping_id, f"{_mails(act.messages)} under {account.upper()}.")


async def _found(who: Caller, text: str) -> str:
    """What was typed into the search of the book, when it means one account."""
    found = await commands.search_accounts(who.scope, text, 5) if text.strip() else []
    exact = [each for each in found if each.code.upper() == text.strip().upper()]
    if len(exact or found) == 1:
        return (exact or found)[0].code
    if not found:
        raise BadRequest("No account is called that. Search by name, code, domain or address.")
    raise BadRequest(f"{len(found)} accounts or more fit: {', '.join(each.code for each in found)}. Go on typing.")


async def ignore(request: Request) -> Response:
    who = await signed_in(request, "operator")
    words, mapping_id = await said(request), await _mapping(who, request)
    try:
        act = await commands.mark_ignored(
            who.scope,
            mapping_id,
            words.get("reason", ""),
            version=queue_items.seen_revision(words),
            **_reach(words),
        )
    except StaleRevision as error:
        return queue_items.changed_meanwhile(await _shown(request, who, mapping_id), error)
    return await _next(request, who, mapping_id, f"{_mails(act.messages)} set aside.")


def _reach(words: dict[str, str]) -> dict[str, bool]:
    return {name: words.get(name) == "yes" for name in ("thread", "next_from_sender")}


def _mails(count: int) -> str:
    return "1 mail is" if count == 1 else f"{count:,} mails are"


async def _next(request: Request, who: Caller, mapping_id: UUID, text: str) -> Response:
    """The next mail of the queue in the place of this one; this one again when it was the last."""
    decided = (await commands.get_mapping(who.scope, mapping_id)).mapping
    after = await commands.next_in_triage(who.scope, mapping_id)
    response = await _shown(request, who, after or mapping_id, decided)
    response.headers["HX-Push-Url"] = f"/clients/{after or mapping_id}"
    words = text if after else f"{text} Nothing else waits for you."
    return queue_items.with_undo(response, words, f"/clients/{mapping_id}/undo", decided.version)


async def undo(request: Request) -> Response:
    """The mail comes back as it was, with all that the decision touched."""
    who = await signed_in(request, "operator")
    mapping_id = await _mapping(who, request)
    try:
        act = await commands.undo_mapping(who.scope, mapping_id, queue_items.seen_revision(await said(request)))
    except StaleRevision as error:
        return queue_items.changed_meanwhile(await _shown(request, who, mapping_id), error)
    response = await _shown(request, who, mapping_id)
    response.headers["HX-Push-Url"] = f"/clients/{mapping_id}"
    return frame.toast(response, f"{_mails(act.messages)} as before.", "plain")


async def search(request: Request) -> Response:
    """Accounts of the book, as buttons that decide."""
    who = await signed_in(request, "viewer")
    detail = await commands.get_mapping(who.scope, id_of(request))
    found = await commands.search_accounts(who.scope, asked(request, "q"), 9)
    return frame.html(request, "clients/_found.html", who=who, row=detail.mapping, found=found, q=asked(request, "q"))


async def signals(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    report = await commands.signal_report(who.scope)
    policy = await commands.mapping_policy(who.scope)
    return await frame.page(request, who, "clients/signals.html", report=report, policy=policy)


ROUTES = [
    Route("/clients", index, methods=["GET"]),
    Route("/clients/review", review, methods=["GET"]),
    Route("/clients/signals", signals, methods=["GET"]),
    Route("/clients/{id:uuid}", show, methods=["GET"]),
    Route("/clients/{id:uuid}/search", search, methods=["GET"]),
    Route("/clients/{id:uuid}/confirm", confirm, methods=["POST"]),
    Route("/clients/{id:uuid}/ignore", ignore, methods=["POST"]),
    Route("/clients/{id:uuid}/undo", undo, methods=["POST"]),
]
