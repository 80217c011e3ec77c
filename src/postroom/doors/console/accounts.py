"""The client book: accounts listed and searched, one with all that is its, and contacts that age."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from postroom.doors import limits
from postroom.doors.console import frame
from postroom.doors.console.forms import LONGEST_LIST, asked, asked_id, handed_in, id_of, one_of, said
from postroom.doors.entry import Caller, signed_in
from postroom.nouns.counting import count
from postroom.nouns.errors import BadRequest
from postroom.rooms.clients import commands
from postroom.rooms.clients.store.book import AccountRow

PARTS = {"accounts": "accounts/_list.html"}
ONE = {"account": "accounts/_account.html"}
PROPOSED = {"proposals": "accounts/_proposals.html"}
STATUSES = ("open", "closed")
MOST_BAD = 200  # lines that are named one by one


async def index(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    words, status = asked(request, "q"), one_of(request, "status", STATUSES)
    if words:
        found, more = await commands.search_accounts(who.scope, words, 100), None
    else:
        found, more = await commands.accounts(who.scope, after=asked(request, "after"), status=status)
    open_proposals, _ = await commands.proposals(who.scope, most=100)
    values = {"found": found, "more": more, "q": words, "status": status, "proposed": len(open_proposals)}
    return await frame.page(request, who, "accounts/index.html", PARTS, statuses=STATUSES, **values)


async def show(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    detail = await commands.get_account(who.scope, id_of(request))
    return await frame.page(request, who, "accounts/show.html", ONE, detail=detail, account=detail.account)


async def _account(request: Request) -> tuple[Caller, AccountRow]:
    """Who acts, and on which account: what is not there is not found, whatever else is said."""
    who = await signed_in(request, "operator")
    return who, await commands.account_named(who.scope, id_of(request))


async def add(request: Request) -> Response:
    who = await signed_in(request, "operator")
    words = await said(request, LONGEST_LIST)
    made = await commands.add_account(
        who.scope,
        words.get("code", ""),
        words.get("name", ""),
        aliases=_listed(words.get("aliases", "")),
        domains=_listed(words.get("domains", "")),
    )
    return frame.go_to(f"/accounts/{made.id}")


def _listed(text: str) -> Sequence[str]:
    return [each.strip() for each in text.replace("\n", ";").replace(",", ";").split(";") if each.strip()]


async def change(request: Request) -> Response:
    who, row = await _account(request)
    words = await said(request, LONGEST_LIST)
    kept = await commands.change_account(
        who.scope,
        row.id,
        name=words.get("name"),
        aliases=_listed(words["aliases"]) if "aliases" in words else None,
        domains=_listed(words["domains"]) if "domains" in words else None,
        seen=words.get("version"),
    )
    return frame.done(f"{kept.name} is kept.", "accounts")


async def close(request: Request) -> Response:
    who = await signed_in(request, "operator")
    row = await commands.close_account(who.scope, id_of(request))
    return frame.done(f"{row.name} is closed: its mail waits for a person.", "accounts")


async def reopen(request: Request) -> Response:
    who = await signed_in(request, "operator")
    row = await commands.reopen_account(who.scope, id_of(request))
    return frame.done(f"{row.name} is open.", "accounts")


async def merge(request: Request) -> Response:
    who, row = await _account(request)
    into = (await said(request)).get("into", "").strip()
    if not into:
        raise BadRequest("Say into which account, by its code.")
    await commands.merge_accounts(who.scope, row.id, into)
    stays = (await commands.get_account(who.scope, into, most=1)).account
    return frame.go_to(f"/accounts/{stays.id}")


async def add_contact(request: Request) -> Response:
    who, row = await _account(request)
    words = await said(request)
    made = await commands.add_contact(who.scope, row.id, words.get("email", ""), words.get("name", ""))
    others = ", ".join(each for each in made.accounts if each != row.code)
    besides = f"here too, besides {others}{f', as {made.name}' if made.name else ''}" if others else "now"
    return frame.done(f"{made.email} is a contact {besides}.", "accounts")


async def remove_contact(request: Request) -> Response:
    who = await signed_in(request, "operator")
    await commands.remove_contact(who.scope, id_of(request), id_of(request, "contact"))
    return frame.done("The contact is taken from this account.", "accounts")


async def put_engagement(request: Request) -> Response:
    who, row = await _account(request)
    words = await said(request)
    name, status = words.get("name") or None, words.get("status") or None
    await commands.put_engagement(who.scope, row.id, words.get("code", ""), name=name, status=status)
    return frame.done(f"{words.get('code', '')} is kept.", "accounts")


async def put_work_item(request: Request) -> Response:
    who, row = await _account(request)
    words, account = await said(request), row.id
    name, status = words.get("name") or None, words.get("status") or None
    engagement, code = words.get("engagement", ""), words.get("code", "")
    await commands.put_work_item(who.scope, engagement, code, account=account, name=name, status=status)
    return frame.done(f"{code} is kept.", "accounts")


async def take_files(request: Request) -> Response:
    """The files of a book, wholly or not at all."""
    who = await signed_in(request, "operator")
    files = await handed_in(request, "files", limits.FILE_BYTES, several=True)
    if not files:
        raise BadRequest(f"Choose the files of the book first: {', '.join(commands.BOOK_FILES)}.")
    done = await commands.import_book(who.scope, dict(files))
    if done.bad:
        shown = frame.html(request, "accounts/_bad_lines.html", 422, bad=done.bad, most=MOST_BAD)
        return frame.toast(_in_place(shown), f"Nothing was taken in; {count(len(done.bad), 'line')} to mend.", "bad")
    said = f"{count(done.lines, 'line')} read, {count(done.changes, 'thing')} changed."
    return _in_place(frame.done(said, "accounts", "clients"))


def _in_place(response: Response) -> Response:
    """Where the form tells of bad lines; after files that were good, of none."""
    response.headers.update({"HX-Retarget": "#bad-lines", "HX-Reswap": "innerHTML", "Postroom-Fresh": "yes"})
    return response


async def contacts(request: Request) -> Response:
    """Contacts that bounced, fell silent or turned up elsewhere, each with what is proposed."""
    who = await signed_in(request, "viewer")
    found, more = await commands.proposals(who.scope, before=asked_id(request, "before"))
    return await frame.page(request, who, "accounts/proposals.html", PROPOSED, found=found, more=more)


async def accept(request: Request) -> Response:
    who = await signed_in(request, "operator")
    found = await commands.accept_proposal(who.scope, id_of(request))
    return frame.done(f"{found.email} {'moved' if found.kind == 'elsewhere' else 'retired'}.", "accounts")


async def dismiss(request: Request) -> Response:
    who = await signed_in(request, "operator")
    found = await commands.dismiss_proposal(who.scope, id_of(request))
    return frame.done(f"{found.email} stays as it is.", "accounts")


ROUTES = [
    Route("/accounts", index, methods=["GET"]),
    Route("/accounts", add, methods=["POST"]),
    Route("/accounts/files", take_files, methods=["POST"]),
    Route("/accounts/contacts", contacts, methods=["GET"]),
    Route("/accounts/contacts/{id:uuid}/accept", accept, methods=["POST"]),
    Route("/accounts/contacts/{id:uuid}/dismiss", dismiss, methods=["POST"]),
    Route("/accounts/{id:uuid}", show, methods=["GET"]),
    Route("/accounts/{id:uuid}", change, methods=["POST"]),
    Route("/accounts/{id:uuid}/close", close, methods=["POST"]),
    Route("/accounts/{id:uuid}/reopen", reopen, methods=["POST"]),
    Route("/accounts/{id:uuid}/merge", merge, methods=["POST"]),
    Route("/accounts/{id:uuid}/contacts", add_contact, methods=["POST"]),
    Route("/accounts/{id:uuid}/contacts/{contact:uuid}/remove", remove_contact, methods=["POST"]),
    Route("/accounts/{id:uuid}/engagements", put_engagement, methods=["POST"]),
    Route("/accounts/{id:uuid}/work-items", put_work_item, methods=["POST"]),
]
