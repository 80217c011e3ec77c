"""The outbox: mails that wait for a person's yes, exactly as they would go out, and what became of each."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, get_args
from uuid import UUID

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from postroom import reads
from postroom.doors import sanitize
from postroom.doors.console import frame
from postroom.doors.console.forms import asked, asked_id, chosen, id_in, id_of, one_of, said
from postroom.doors.console.messages import BODY_POLICY
from postroom.doors.console.queue_items import MOST_NEIGHBOURS, neighbours, with_undo
from postroom.doors.entry import Caller, signed_in
from postroom.mail.outgoing import addresses_in
from postroom.nouns.errors import BadRequest, Conflict, NoSuchMessage, StaleRevision
from postroom.nouns.provider_traits import traits
from postroom.rooms.mailboxes import store as mailboxes
from postroom.rooms.outbox import commands
from postroom.rooms.outbox.commands import MailChanges, WantedFile, WantedMail
from postroom.rooms.outbox.rules.mails import MailKind, gaps, settled
from postroom.rooms.outbox.store.proposals import MailProposal
from postroom.rooms.policy import tenant_policy
from postroom.rooms.replies import commands as replies

WAITING, GOING = ("waiting", "revoked"), ("approved", "sending")
VIEWS: dict[str, Sequence[str] | None] = {
    "waiting": WAITING,
    "going": GOING,
    "unknown": ("unknown",),
    "sent": ("sent",),
    "over": ("void", "discarded"),
    "all": None,
}
PAGE = 50
LONGEST_BODY = 100_000
PARTS = {"proposals": "outbox/_list.html"}
ONE = {"proposal": "outbox/_proposal.html"}
COMPOSE = {"answers": "outbox/_answers.html"}
MOST_ANSWERS = 20
KINDS: tuple[MailKind, ...] = get_args(MailKind)


async def index(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    view, text = one_of(request, "view", tuple(VIEWS)) or "waiting", asked(request, "q")
    before = reads.messages.from_cursor(asked(request, "before"))
    found = await commands.list_proposals(who.scope, PAGE + 1, before, statuses=VIEWS[view], words=text or None)
    shown = found[:PAGE]
    after = reads.messages.as_cursor(shown[-1].created_at, shown[-1].id) if len(found) > PAGE else None
    async with who.scope.read() as tx:
        counts = await reads.overview.proposals(tx)
    stopped = (await tenant_policy(who.scope)).sending.switch == "off"
    values = {"rows": shown, "view": view, "views": VIEWS, "after": after, "stopped": stopped, "words": text}
    asking = {each.id for each in shown if each.status in ("waiting", "revoked") and gaps(each.body)}
    return await frame.page(request, who, "outbox/index.html", PARTS, **values, counts=_counts(counts), asking=asking)


def _counts(by_status: dict[str, int]) -> dict[str, int]:
    """How many wait in each view; what is over is not counted."""
    return {view: sum(by_status.get(each, 0) for each in VIEWS[view] or ()) for view in VIEWS}


async def show(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    return await frame.page(request, who, "outbox/show.html", ONE, **await _proposal(who, id_of(request)))


async def _proposal(who: Caller, proposal_id: UUID) -> dict[str, Any]:
    seen = await commands.preview(who.scope, proposal_id)
    async with who.scope.read() as tx:
        boxes = await mailboxes.mailboxes(tx)
        waiting = await reads.overview.waiting_proposals(tx, MOST_NEIGHBOURS)
    readonly = [each for each in boxes if each.id == seen.proposal.mailbox_id and each.capability != "send"]
    shown = {"seen": seen, "it": seen.proposal, "readonly": readonly[0] if readonly else None}
    return {**shown, **neighbours(waiting, proposal_id)}


async def as_sent(request: Request) -> Response:
    """For the frame that shows it as the recipient will: it may run nothing and fetch nothing."""
    who = await signed_in(request, "viewer")
    found = await commands.one_proposal(who.scope, id_of(request))
    clean = await sanitize.as_sent(found.html)
    html = clean.html or f"<pre>{escape(clean.text or found.body)}</pre>"
    guards = {**frame.GUARDS, "Content-Security-Policy": BODY_POLICY}
    text = f"<!doctype html><meta charset=utf-8><title>Mail</title><body>{html}</body>"
    return frame.packed(request, HTMLResponse(text, headers=guards))


async def _changed(request: Request, who: Caller, text: str, kind: str = "good") -> Response:
    response = frame.html(request, ONE["proposal"], who=who, **await _proposal(who, id_of(request)))
    return frame.toast(response, text, kind, changed=["proposals"])


async def approve(request: Request) -> Response:
    who = await signed_in(request, "operator")
    form = await said(request)
    seen = form.get("papers") == "seen"
    done = await commands.approve(who.scope, id_of(request), form.get("hash", ""), papers_seen=seen)
    if done.status != "approved":
        return await _changed(request, who, "Your yes is kept. A second person must agree.")
    return await _changed(request, who, "Approved. You can take it back until it goes out.")


async def revoke(request: Request) -> Response:
    who = await signed_in(request, "operator")
    await commands.revoke(who.scope, id_of(request), (await said(request)).get("because", ""))
    return await _changed(request, who, "Taken back. It does not go out.")


async def discard(request: Request) -> Response:
    who = await signed_in(request, "operator")
    words = await said(request)
    await commands.discard(who.scope, id_of(request), words.get("because", ""), hash_=words.get("hash", ""))
    response = frame.html(request, ONE["proposal"], who=who, **await _proposal(who, id_of(request)))
    undo, text = f"/outbox/{id_of(request)}/again", "Discarded. It does not go out."
    return with_undo(response, text, undo, 0, changed=["proposals"])


async def again(request: Request) -> Response:
    """What was discarded is proposed once more, in the name of who wants it back; it waits for a new yes."""
    who = await signed_in(request, "operator")
    was = await commands.one_proposal(who.scope, id_of(request))
    if was.status != "discarded" or was.forgotten_at:
        raise Conflict("Only what was discarded, and is still kept, can be proposed again.")
    wanted = WantedMail(
        body=was.body,
        kind=was.kind,
        mailbox_id=was.mailbox_id,
        message_id=was.message_id,
        to=was.recipients,
        cc=was.cc,
        bcc=was.bcc,
        subject=was.subject,
        files=[WantedFile(each.message_id, each.sha256) for each in was.mail.files if each.message_id],
        quotes=False,
    )
    made = await commands.propose(who.scope, request.app.state.house.outside, wanted)
    return frame.go_to(f"/outbox/{made.id}")


async def resolve(request: Request) -> Response:
    who = await signed_in(request, "operator")
    outcome = (await said(request)).get("outcome", "")
    if outcome not in ("sent", "not_sent"):
        raise BadRequest("Say whether it was sent.")
    await commands.resolve(who.scope, id_of(request), outcome)  # type: ignore[arg-type]  # one of both
    word = "It counts as sent." if outcome == "sent" else "It waits for a new yes."
    return await _changed(request, who, word)


async def look(request: Request) -> Response:
    who = await signed_in(request, "operator")
    await commands.look_again(who.scope, id_of(request))
    return await _changed(request, who, "Looking in Sent and Drafts once more.")


async def change(request: Request) -> Response:
    """A draft in the mailbox is changed there, and the proposal follows; any other is changed here."""
    who = await signed_in(request, "operator")
    form = await said(request, most=LONGEST_BODY)
    held = await commands.one_proposal(who.scope, id_of(request))
    house = request.app.state.house
    if held.draft_id is not None:
        draft = await replies.one_draft(who.scope, held.draft_id)
        shown = (settled(held.body), held.recipients, held.subject)
        if form.get("hash") != held.hash or shown != (settled(draft.body), draft.recipients, draft.subject):
            raise StaleRevision("Somebody changed it since you opened it: copy your words, and look again.")
        body, seen = form.get("body", ""), draft.fingerprint
        to, cc = addresses_in(form.get("to", "")), addresses_in(form.get("cc", ""))
        copies = None if cc == held.cc else cc  # a colleague may have changed those that were shown
        head = replies.DraftHead(to, copies, form.get("subject", "")) if "to" in form else None
        await replies.edit_draft(who.scope, house.outside.open_copilot, held.draft_id, body, seen, head)
        return frame.go_to(f"/outbox/{held.id}")
    changes = MailChanges(
        to=addresses_in(form.get("to", "")),
        cc=addresses_in(form.get("cc", "")),
        bcc=addresses_in(form.get("bcc", "")),
        subject=form.get("subject"),
        body=form.get("body"),
    )
    await commands.revise(who.scope, house.outside, held.id, form.get("hash", ""), changes)
    return frame.go_to(f"/outbox/{held.id}")


async def compose(request: Request) -> Response:
    who = await signed_in(request, "operator")
    kind, message_id = one_of(request, "kind", KINDS) or "new", asked_id(request, "message")
    async with who.scope.read() as tx:
        message = await reads.messages.message(tx, message_id) if message_id else None
        boxes = [each for each in await mailboxes.mailboxes(tx) if _can_send(each) and _from(each, message)]
        body = await reads.messages.body(tx, message.id) if message else None
    if kind != "new" and message is None:
        raise NoSuchMessage("Open the message that you want to answer or forward, and begin from there.")
    clean = await sanitize.readable(body.body_html) if body and body.body_html else None
    others = await _answers(who, message) if kind == "reply" else []
    values = {"kind": kind, "boxes": boxes, "to": asked(request, "to"), "others": others}
    return await frame.page(request, who, "outbox/new.html", COMPOSE, message=message, body=body, clean=clean, **values)


async def _answers(who: Caller, message: reads.messages.MessageRow | None) -> list[MailProposal]:
    """Replies that colleagues, programs or we proposed in the same thread, and that may still go out."""
    if message is None or message.thread_id is None:
        return []
    found = await commands.list_proposals(
        who.scope, MOST_ANSWERS, thread_id=message.thread_id, statuses=(*GOING, *WAITING, "unknown")
    )
    return [each for each in found if each.kind == "reply"]


def _from(box: mailboxes.Mailbox, message: reads.messages.MessageRow | None) -> bool:
    """A reply and a forward leave the mailbox of their message."""
    return message is None or box.id == message.mailbox_id


def _can_send(box: mailboxes.Mailbox) -> bool:
    return box.status != "disconnected" and "send" in traits(box.provider).capabilities


async def propose(request: Request) -> Response:
    who = await signed_in(request, "operator")
    form, files = await said(request, most=LONGEST_BODY), await chosen(request, "files")
    kind: MailKind = next((each for each in KINDS if each == form.get("kind")), "new")
    message_id = id_in(form.get("message", ""))
    wanted = WantedMail(
        body=form.get("body", ""),
        kind=kind,
        mailbox_id=id_in(form.get("mailbox", "")),
        message_id=message_id,
        to=addresses_in(form.get("to", "")),
        cc=addresses_in(form.get("cc", "")),
        bcc=addresses_in(form.get("bcc", "")),
        subject=form.get("subject") or None,
        files=[WantedFile(message_id, each) for each in files] if message_id else None,
    )
    made = await commands.propose(who.scope, request.app.state.house.outside, wanted)
    return frame.go_to(f"/outbox/{made.id}")


ROUTES = [
    Route("/outbox", index, methods=["GET"]),
    Route("/outbox", propose, methods=["POST"]),
    Route("/outbox/new", compose, methods=["GET"]),
    Route("/outbox/{id:uuid}", show, methods=["GET"]),
    Route("/outbox/{id:uuid}/as-sent", as_sent, methods=["GET"]),
    Route("/outbox/{id:uuid}/approve", approve, methods=["POST"]),
    Route("/outbox/{id:uuid}/revoke", revoke, methods=["POST"]),
    Route("/outbox/{id:uuid}/discard", discard, methods=["POST"]),
    Route("/outbox/{id:uuid}/again", again, methods=["POST"]),
    Route("/outbox/{id:uuid}/resolve", resolve, methods=["POST"]),
    Route("/outbox/{id:uuid}/look", look, methods=["POST"]),
    Route("/outbox/{id:uuid}/change", change, methods=["POST"]),
]
