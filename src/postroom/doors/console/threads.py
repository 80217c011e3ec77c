"""The inbox: threads that wait for somebody, by state and channel; one thread with its conversation and verdict."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from postroom import reads
from postroom.doors.console import frame
from postroom.doors.console.draft_parts import draft_parts
from postroom.doors.console.forms import asked, id_in, id_of, one_of, said
from postroom.doors.console.queue_items import MOST_NEIGHBOURS, changed_meanwhile, neighbours, seen_revision, with_undo
from postroom.doors.entry import Caller, signed_in
from postroom.nouns.errors import BadRequest, NoSuchThread, StaleRevision
from postroom.nouns.ids import PersonId, ThreadId
from postroom.nouns.sending import zone_of
from postroom.reads.threads import ANY_CHANNEL, DEFAULT_CHANNEL
from postroom.rooms.outbox import commands as outbox
from postroom.rooms.replies import commands as replies
from postroom.rooms.replies.rules.edits import edited_parts
from postroom.rooms.tenants import store as people
from postroom.rooms.triage import commands
from postroom.rooms.triage.rules.codes import code_in

VIEWS = ("open", "needs_review", "ready", "error", "snoozed", "all")
PAGE = 50
PROPOSALS = 5
PARTS = {"threads": "threads/_list.html"}
ONE = {"thread": "threads/_thread.html", "walk": "threads/_walk.html", "draft": "threads/_draft.html"}
MOST_REVISIONS = 20
LONGEST_DRAFT = 100_000
MORNING = time(8)
SNOOZE_HOURS = timedelta(hours=3)
SNOOZES = {"tomorrow": timedelta(days=1), "week": timedelta(days=7)}


async def index(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    chosen = {
        "view": one_of(request, "view", VIEWS) or "open",
        "channel": asked(request, "channel") or ANY_CHANNEL,
        "words": asked(request, "q"),
    }
    before = reads.messages.from_cursor(asked(request, "before"))
    async with who.scope.read() as tx:
        found = await _listed(tx, chosen, before)
        counts = await reads.threads.inbox_counts(tx)
        forged = await reads.threads.forged(tx, [each.id for each in found])
    channels = await commands.channels(who.scope)
    shown = found[:PAGE]
    after = _cursor(shown[-1], chosen) if len(found) > PAGE else None
    values = {"rows": shown, "after": after, "chosen": chosen, "views": VIEWS, "channels": channels, "forged": forged}
    return await frame.page(
        request, who, "threads/index.html", PARTS, **values, counts=_counts(counts), by_channel=_by_channel(counts)
    )


async def _listed(
    tx: Any, chosen: dict[str, str], before: tuple[datetime, UUID] | None
) -> list[reads.threads.ThreadRow]:
    view = chosen["view"]
    if chosen["words"]:
        return await _searched(tx, chosen, before)
    if view == "all":
        return await reads.threads.threads(tx, PAGE + 1, before)
    state = view if view in ("needs_review", "ready", "error") else None
    wanted = reads.threads.InboxFilter(state=state, channel=chosen["channel"], snoozed=view == "snoozed")
    return await reads.threads.inbox(tx, PAGE + 1, before, wanted)


async def _searched(
    tx: Any, chosen: dict[str, str], before: tuple[datetime, UUID] | None
) -> list[reads.threads.ThreadRow]:
    """Among all threads, whichever view is open, of the chosen channel."""
    if code := code_in(chosen["words"]):
        return await reads.threads.by_code(tx, code)
    wanted = reads.threads.InboxFilter(channel=chosen["channel"])
    return await reads.threads.search(tx, chosen["words"], PAGE + 1, before, wanted)


def _cursor(row: reads.threads.ThreadRow, chosen: dict[str, str]) -> str:
    by_message = chosen["view"] == "all" or chosen["words"]
    at = None if by_message else row.newest_at
    return reads.messages.as_cursor(at or row.last_message_at, row.id)


def _counts(counts: list[reads.threads.InboxCount]) -> dict[str, int]:
    """How many each view shows; those out of sight only in their own."""
    made = dict.fromkeys(VIEWS, 0)
    for each in counts:
        for view in ("snoozed",) if each.snoozed else (each.state, "open"):
            made[view] += each.threads
    return made


def _by_channel(counts: list[reads.threads.InboxCount]) -> dict[str, int]:
    made: dict[str, int] = {}
    for each in counts:
        if not each.snoozed:
            name = str(each.channel_id) if each.channel_id else DEFAULT_CHANNEL
            made[name] = made.get(name, 0) + each.threads
    return made


async def show(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    values = await _thread(who, id_of(request))
    return await frame.page(request, who, "threads/show.html", ONE, **values)


async def _thread(who: Caller, thread_id: UUID) -> dict[str, Any]:
    async with who.scope.read() as tx:
        found = await reads.threads.thread(tx, thread_id)
        if found is None:
            raise NoSuchThread("There is no such thread here. It may belong to another tenant.")
        walk = await reads.facts.walk_of_thread(tx, thread_id)
        values: dict[str, Any] = {
            **neighbours(await reads.threads.waiting(tx, MOST_NEIGHBOURS), found.id),
            "thread": found,
            "turns": await reads.threads.turns(tx, thread_id),
            "clients": await reads.threads.clients_of_thread(tx, thread_id),
            "made": await reads.threads.documents_of_thread(tx, thread_id),
            "messages": await reads.messages.messages(tx, PAGE, thread_id=thread_id),
            "walk": walk,
            "names": await reads.facts.labels(tx, walk),
            "people": await _who_can(tx, found.assigned_to) if who.may("operator") else [],
        }
    drafts = await replies.list_drafts(who.scope, MOST_REVISIONS, thread_id=thread_id)
    shown = {
        "tomorrow": who.scope.now.date() + SNOOZES["tomorrow"],
        "drafts": drafts,
        "draft_parts": draft_parts,
        "edited_parts": edited_parts,
    }
    shown["answers"] = _to_answer(values["turns"], values["messages"])
    proposed = await outbox.list_proposals(who.scope, PROPOSALS, thread_id=thread_id)
    return {**values, **shown, "channels": await commands.channels(who.scope), "proposed": proposed}


async def _who_can(tx: Any, assigned_to: UUID | None) -> list[people.Person]:
    """Whom a thread can be given to, and who has it, whatever became of them since."""
    found = await people.people(tx)
    return [each for each in found if each.id == assigned_to or (each.role != "viewer" and not each.disabled_at)]


def _to_answer(
    turns: Sequence[reads.threads.TurnRow], messages: Sequence[reads.messages.MessageRow]
) -> reads.messages.MessageRow | None:
    """The last message that somebody wrote to us and that is still here."""
    ours = {each.message_id for each in turns if each.outgoing}
    return next((m for m in messages if m.id not in ours and m.state == "arrived" and not m.forgotten_at), None)


async def _changed(request: Request, who: Caller, text: str, undo: str = "") -> Response:
    """The thread as it is now. What `undo` names is posted by z, with the revision that was made."""
    values = await _thread(who, id_of(request))
    response = frame.html(request, "threads/_thread.html", who=who, **values)
    if undo:
        path, revision = f"/inbox/{id_of(request)}/{undo}", values["thread"].revision
        return with_undo(response, text, path, revision, changed=["threads"])
    return frame.toast(response, text, changed=["threads"]) if text else response


async def assign(request: Request) -> Response:
    who = await signed_in(request, "operator")
    person = id_in((await said(request)).get("person", ""))
    to = PersonId(person) if person else None
    return await _decide(request, who, partial(commands.assign, person_id=to), "Assigned." if to else "Nobody's now.")


async def move(request: Request) -> Response:
    who = await signed_in(request, "operator")
    channel = id_in((await said(request)).get("channel", ""))
    return await _decide(request, who, partial(commands.move, channel_id=channel), "Moved.")


async def snooze(request: Request) -> Response:
    """For some hours, or till the morning of a later day, which may be named; nothing said brings it back."""
    who = await signed_in(request, "operator")
    word = (await said(request)).get("till", "")
    if not word:
        return await _decide(request, who, partial(commands.snooze, till=None), "In sight again.")
    zone = _zone(request)
    till = _snoozed_till(word, who.scope.now.astimezone(zone))
    text = f"Out of sight till {till:%d %b %H:%M}{' UTC' if zone.key == 'UTC' else ''}."
    return await _decide(request, who, partial(commands.snooze, till=till), text, "snooze")


def _zone(request: Request) -> ZoneInfo:
    """Where the person sits, as the browser tells; UTC, where it does not or names a place unknown here."""
    try:
        return zone_of(request.headers.get("Postroom-Zone") or "UTC")
    except BadRequest:
        return zone_of("UTC")


def _snoozed_till(word: str, now: datetime) -> datetime:
    """The morning is that of the place where `now` is told."""
    if word == "hours":
        at = now.astimezone(UTC) + SNOOZE_HOURS  # by the wall clock it would be one more or less in some nights
        return at.astimezone(now.tzinfo).replace(second=0, microsecond=0)
    try:
        day = now.date() + SNOOZES[word] if word in SNOOZES else date.fromisoformat(word)
    except ValueError:
        raise BadRequest(
            f"{word!r} is no time to snooze till: say hours, tomorrow, week, or a day as 2026-12-01."
        ) from None
    return datetime.combine(day, MORNING, now.tzinfo)


async def set_not_for_us(request: Request) -> Response:
    who = await signed_in(request, "operator")
    return await _decide(request, who, commands.set_not_for_us, "Not for us. Nothing more is done about it.", "reopen")


async def set_done(request: Request) -> Response:
    who = await signed_in(request, "operator")
    return await _decide(request, who, commands.set_done, "Done. New mail opens it again.", "reopen")


async def reopen(request: Request) -> Response:
    who = await signed_in(request, "operator")
    return await _decide(request, who, commands.reopen, "Open again.")


async def _decide(
    request: Request, who: Caller, act: Callable[..., Awaitable[None]], text: str, undo: str = ""
) -> Response:
    try:
        await act(who.scope, ThreadId(id_of(request)), revision=seen_revision(await said(request)))
    except StaleRevision as error:
        return changed_meanwhile(await _changed(request, who, ""), error)
    return await _changed(request, who, text, undo)


async def edit_draft(request: Request) -> Response:
    who = await signed_in(request, "operator")
    form = await said(request, LONGEST_DRAFT)
    await replies.edit_draft(
        who.scope, _open_copilot(request), id_of(request, "draft"), form.get("body", ""), form.get("seen")
    )
    return await _changed(request, who, "Saved in the mailbox. From now on it is a person's.")


async def discard_draft(request: Request) -> Response:
    who = await signed_in(request, "operator")
    reason, draft = (await said(request)).get("reason", ""), id_of(request, "draft")
    await replies.discard_draft(who.scope, _open_copilot(request), draft, reason)
    return await _changed(request, who, "Discarded the draft.", f"draft/{draft}/restore")


async def restore_draft(request: Request) -> Response:
    who = await signed_in(request, "operator")
    await replies.restore_draft(who.scope, _open_copilot(request), id_of(request, "draft"))
    return await _changed(request, who, "The draft stands in the mailbox again.")


def _open_copilot(request: Request) -> Any:
    return request.app.state.house.outside.open_copilot


ROUTES = [
    Route("/inbox", index, methods=["GET"]),
    Route("/inbox/{id:uuid}", show, methods=["GET"]),
    Route("/inbox/{id:uuid}/assign", assign, methods=["POST"]),
    Route("/inbox/{id:uuid}/move", move, methods=["POST"]),
    Route("/inbox/{id:uuid}/snooze", snooze, methods=["POST"]),
    Route("/inbox/{id:uuid}/not-for-us", set_not_for_us, methods=["POST"]),
    Route("/inbox/{id:uuid}/done", set_done, methods=["POST"]),
    Route("/inbox/{id:uuid}/reopen", reopen, methods=["POST"]),
    Route("/inbox/{id:uuid}/draft/{draft:uuid}", edit_draft, methods=["POST"]),
    Route("/inbox/{id:uuid}/draft/{draft:uuid}/discard", discard_draft, methods=["POST"]),
    Route("/inbox/{id:uuid}/draft/{draft:uuid}/restore", restore_draft, methods=["POST"]),
]
