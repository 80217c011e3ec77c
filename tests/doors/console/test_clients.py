"""The pages about clients: who sees what, what is decided, and what is said to whoever comes second."""

from __future__ import annotations

import html
import io
import json
import re

import aiohttp
import pytest

from doors.console.desk_book import mapped, with_book
from doors.console.place import Place
from doors.console.test_live import read_events
from makers import settle
from postroom.nouns.ids import ThreadId, new_id
from rooms.clients.bad_books import BAD_ACCOUNTS


def said(answer) -> str:
    return json.loads(answer.headers.get("HX-Trigger", "{}")).get("toast", {}).get("text", "")


async def test_a_mail_nobody_is_sure_about_waits_with_its_candidates_and_why(place: Place):
    await with_book(place)
    mapping = await mapped(place)
    viewer = await place.come_in("viewer")

    _, queue = await viewer.get("/clients")
    status, page = await viewer.get(f"/clients/{mapping}")

    assert "1 mail without a client" in " ".join(
        (await viewer.get("/"))[1].replace("<b>", "").replace("</b><span>", " ").split()
    )
    assert f"/clients/{mapping}" in queue
    assert 200 == status
    assert "Contact email associated with multiple accounts (penalty: 0.25)" in page
    assert "tessa@bridgework.example is a contact of ACME Industries GmbH (ACME)." in page
    assert 'class="waterfall"' in page
    assert "hx-post" not in page.partition("<main")[2]  # a viewer decides nothing


async def test_a_decision_brings_the_next_mail_and_can_be_taken_back(place: Place):
    await with_book(place)
    first, second = await mapped(place, minutes_ago=10), await mapped(place, minutes_ago=5)
    operator = await place.come_in("operator")

    answer = await operator.post(f"/clients/{first}/confirm", {"account": "ACME", "revision": "1"})
    assert (200, f"/clients/{second}") == (answer.status, answer.headers["HX-Push-Url"])
    assert "1 mail is under ACME." == said(answer)
    undo = json.loads(answer.headers["HX-Trigger"])["toast"]["undo"]
    back = await operator.post(undo["path"], {"revision": str(undo["revision"])})
    assert (200, "1 mail is as before.") == (back.status, said(back))
    assert "triage" == place.ask("SELECT status FROM postroom.mapping WHERE id = %s", first)


async def test_whoever_comes_second_sees_who_was_first(place: Place):
    await with_book(place)
    mapping = await mapped(place)
    one, other = await place.come_in("operator"), await place.come_in("operator")

    await one.post(f"/clients/{mapping}/confirm", {"account": "ACME", "revision": "1"})
    answer = await other.post(f"/clients/{mapping}/confirm", {"account": "BOREALIS", "revision": "1"})

    assert (409, "yes") == (answer.status, answer.headers["Postroom-Fresh"])
    assert "operator1@larkspur.example decided about it a moment ago" in said(answer)
    assert "ACME" == place.ask(
        "SELECT a.code FROM postroom.mapping m JOIN postroom.account a ON a.id = m.account_id WHERE m.id = %s", mapping
    )


async def test_a_whole_thread_and_the_next_ones_are_said_beforehand_and_done_at_once(place: Place):
    await with_book(place)
    thread = ThreadId(new_id())
    first, _ = await mapped(place, thread=thread), await mapped(place, thread=thread)
    await mapped(place)
    operator = await place.come_in("operator")

    _, page = await operator.get(f"/clients/{first}")
    assert "The whole thread: 1 other mail" in page
    assert "Also the next ones from this sender: 2 mails wait now" in page
    words = {"account": "BOREALIS", "revision": "1", "thread": "yes", "next_from_sender": "yes"}
    assert "3 mails are under BOREALIS. Nothing else waits for you." == said(
        await operator.post(f"/clients/{first}/confirm", words)
    )


async def test_a_mail_is_set_aside_with_a_reason_and_not_without(place: Place):
    await with_book(place)
    mapping = await mapped(place)
    operator = await place.come_in("operator")

    assert 400 == (await operator.post(f"/clients/{mapping}/ignore", {"reason": " ", "revision": "1"})).status
    assert 200 == (await operator.post(f"/clients/{mapping}/ignore", {"reason": "Spam", "revision": "1"})).status
    assert "set it aside: Spam" in (await operator.get(f"/clients/{mapping}"))[1]


async def test_the_book_is_searched_and_what_is_typed_decides_when_it_means_one_account(place: Place):
    await with_book(place)
    mapping = await mapped(place)
    operator = await place.come_in("operator")

    _, found = await operator.get(f"/clients/{mapping}/search?q=atel")
    assert ["FONTANEL"] == re.findall(r'"account": "(\w+)"', found.replace("&#34;", '"'))
    unclear = await operator.post(f"/clients/{mapping}/confirm", {"q": "gmbh", "revision": "1"})
    assert (400, True) == (unclear.status, "Go on typing" in said(unclear))
    assert 200 == (await operator.post(f"/clients/{mapping}/confirm", {"q": "atelier", "revision": "1"})).status
    assert "Atelier Fontanel" in (await operator.get(f"/clients/{mapping}"))[1]


async def test_a_spoofed_sender_is_shown_as_forged(place: Place):
    await with_book(place)
    mapping = await mapped(place, "anna@acme.example", trust="spoofed")
    viewer = await place.come_in("viewer")
    assert "This looks forged." in (await viewer.get(f"/clients/{mapping}"))[1]
    _, listed = await viewer.get("/clients?status=all")
    assert re.search(r'<tr[^>]* class="forged">.*?<span class="tag tone-bad forged">forged</span>', listed, re.DOTALL)
    await mapped(place, "tessa@bridgework.example")
    assert 1 == (await viewer.get("/clients?status=all"))[1].count('class="forged"')


async def test_an_account_has_its_page_and_is_kept_by_hand(place: Place):
    await with_book(place)
    await mapped(place, "anna@acme.example", subject="Two more rooms")
    operator = await place.come_in("operator")
    account = place.ask("SELECT id FROM postroom.account WHERE code = 'ACME'")
    path = f"/accounts/{account}"

    _, page = await operator.get(path)
    assert all(word in page for word in ("Two more rooms", "anna@acme.example", "ACME-1042", "Added ACME"))
    for act, words in (
        ("", {"name": "ACME Holding", "aliases": "Acme", "domains": "acme.example; acme.test"}),
        ("/contacts", {"email": "cleo@acme.example", "name": "Cleo"}),
        ("/engagements", {"code": "AUTUMN", "name": "Autumn days"}),
        ("/work-items", {"engagement": "AUTUMN", "code": "ACME-2000"}),
        ("/close", {}),
        ("/reopen", {}),
    ):
        assert (act, 200) == (act, (await operator.post(path + act, words)).status)
    _, page = await operator.get(path)
    assert all(word in page for word in ("ACME Holding", "acme.test", "cleo@acme.example", "ACME-2000", "Autumn days"))

    both = await operator.post(f"{path}/contacts", {"email": "bo@borealis.example", "name": ""})
    known = await operator.post(f"{path}/contacts", {"email": "cleo@acme.example", "name": "Cleopatra"})
    assert (200, 409) == (both.status, known.status)
    assert "is a contact of ACME already, as Cleo." in known.headers["HX-Trigger"]
    assert re.search(r"is a contact here too, besides BOREALIS|is a contact now", both.headers["HX-Trigger"])

    merged = await operator.post(path + "/merge", {"into": "BOREALIS"})
    assert merged.headers["HX-Redirect"].startswith("/accounts/")
    assert "Merged into" in (await operator.get(path))[1]


async def test_a_book_comes_in_from_files_and_a_bad_line_is_named(place: Place):
    operator = await place.come_in("operator")
    token = await operator.token()

    async def handed_in(content: bytes):
        form = aiohttp.FormData()
        form.add_field("files", content, filename="accounts.csv")
        headers = {"X-CSRF-Token": token, "HX-Request": "true", "Accept": "text/html"}
        return await operator.raw("POST", "/accounts/files", data=form, headers=headers)

    assert "1 line read, 1 thing changed." == said(await handed_in(b"code,name\nACME,Acme\n"))
    bad = await handed_in(b"code,name\nB,\n")
    assert (422, "Nothing was taken in; 1 line to mend.") == (bad.status, said(bad))
    assert "<b>accounts.csv:2</b> The name is missing." in await bad.text()


@pytest.mark.parametrize(("content", "lines"), BAD_ACCOUNTS)
async def test_of_every_bad_file_each_bad_line_is_told_once_and_nothing_is_taken(place: Place, content, lines):
    operator = await place.come_in("operator")
    form = aiohttp.FormData()
    form.add_field("files", io.BytesIO(content), filename="accounts.csv")
    headers = {"X-CSRF-Token": await operator.token(), "HX-Request": "true", "Accept": "text/html"}
    answer = await operator.raw("POST", "/accounts/files", data=form, headers=headers)
    told = re.findall(r"<li><b>accounts.csv:(\d+)</b> (.*?)</li>", await answer.text())

    assert (422, lines) == (answer.status, [(int(line), html.unescape(because)) for line, because in told])
    assert 0 == place.ask("SELECT count(*) FROM postroom.account")


async def test_contacts_that_age_are_proposed_and_decided(place: Place):
    await with_book(place)
    place.own(
        "INSERT INTO postroom.contact_proposal (id, tenant_id, contact_id, kind, because, made_at)"
        " SELECT gen_random_uuid(), tenant_id, id, 'silent', 'Quiet since 2025. Retire the contact?', now() FROM postroom.contact WHERE email = 'ben@acme.example'"
    )
    operator = await place.come_in("operator")
    _, page = await operator.get("/accounts/contacts")
    assert "Quiet since 2025." in page
    proposal = place.ask("SELECT id FROM postroom.contact_proposal")
    assert "ben@acme.example retired." == said(await operator.post(f"/accounts/contacts/{proposal}/accept"))
    assert "1 contact to look at" not in (await operator.get("/accounts"))[1]


async def test_another_tenants_book_and_mail_are_not_there(place: Place):
    other = await place.tenant_named("elsewhere")
    await with_book(place, other)
    mapping = await mapped(place, tenant=other)
    account = place.ask("SELECT id FROM postroom.account WHERE code = 'ACME'")
    operator = await place.come_in("operator")

    for path in (f"/clients/{mapping}", f"/accounts/{account}", f"/clients/{mapping}/search?q=a"):
        assert (path, 404) == (path, (await operator.get(path))[0])
    for path in (f"/clients/{mapping}/undo", f"/accounts/{account}/close", f"/accounts/{account}/merge"):
        assert (path, 404) == (path, (await operator.post(path, {"revision": "1", "into": "ACME"})).status)
    assert "ACME" not in (await operator.get("/accounts"))[1]
    assert "Rooms" not in (await operator.get("/clients?status=all"))[1]


async def test_the_report_says_how_each_signal_did(place: Place):
    await with_book(place)
    mapping = await mapped(place)
    operator = await place.come_in("operator")
    await operator.post(f"/clients/{mapping}/confirm", {"account": "ACME", "revision": "1"})
    _, page = await operator.get("/clients/signals")
    assert "The sender is a contact" in page


async def test_messages_show_their_client_and_are_found_by_it(place: Place):
    await with_book(place)
    await mapped(place, "anna@acme.example", subject="Two more rooms")
    await mapped(place, "jonas@borealis.example", subject="Team days")
    viewer = await place.come_in("viewer")

    _, page = await viewer.get("/messages?client=acme")
    assert ("Two more rooms" in page, "Team days" in page) == (True, False)
    assert ">ACME</a>" in page
    _, page = await viewer.get("/messages?client=acme&q=team")
    assert "Nothing found" in page
    message = place.ask("SELECT id FROM postroom.message WHERE subject = 'Two more rooms'")
    assert "ACME Industries GmbH" in (await viewer.get(f"/messages/{message}"))[1]
    _, page = await viewer.get("/documents?status=all&client=acme")
    assert "Only what came with mail of acme" in page
    assert 'name="client" value="acme"' in page  # a search keeps it
    assert "Nothing found" in page


async def test_open_pages_hear_that_a_mail_has_a_client_now_and_that_it_was_taken_back(place: Place):
    await with_book(place)
    mapping = await mapped(place)
    viewer, operator = await place.come_in("viewer"), await place.come_in("operator")
    await settle(place.owner_dsn)
    ((start, _, _),) = await read_events(viewer, "/live", 1)
    for act, words in (("confirm", {"account": "ACME", "revision": "1"}), ("undo", {"revision": "2"})):
        assert 200 == (await operator.post(f"/clients/{mapping}/{act}", words)).status
        (_, (start, name, data)) = await read_events(viewer, f"/live?after={start}", 2)
        assert ("news", {"activity": 1, "clients": 1, "messages": 1}) == (name, json.loads(data))
