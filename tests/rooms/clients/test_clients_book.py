"""The book: from files, by hand, merged, closed, searched, and with its history."""

from __future__ import annotations

import pytest

from harness import NORA
from postroom.db.pool import Tx
from postroom.db.sql import Query
from postroom.nouns.errors import BadRequest, Conflict, NotFound
from postroom.nouns.ids import new_id
from postroom.rooms.clients import commands
from postroom.rooms.clients.rules.book_plan import Diff
from postroom.rooms.clients.store import book
from rooms.clients.office import BOOK, ClientDesk

LOOKED_AT = Query(
    "looked_at",
    "SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint FROM pg_stat_xact_user_tables"
    " WHERE relname IN ('account', 'contact', 'contact_account')",
)


async def test_an_import_takes_all_in_and_the_same_again_changes_nothing(desk: ClientDesk):
    first = await commands.import_book(desk.scope(), BOOK)
    before = (
        desk.own("SELECT * FROM postroom.account ORDER BY id"),
        desk.own("SELECT * FROM postroom.account_change ORDER BY id"),
    )
    again = await commands.import_book(desk.scope(), BOOK)

    assert {"accounts": Diff(4), "contacts": Diff(6), "engagements": Diff(2), "work_items": Diff(2)} == first.diffs
    assert Diff(0, 0, 6) == again.diffs["contacts"]
    assert 0 == again.changes
    assert before == (
        desk.own("SELECT * FROM postroom.account ORDER BY id"),
        desk.own("SELECT * FROM postroom.account_change ORDER BY id"),
    )
    assert 1 == len(desk.facts("account.imported"))


async def test_a_dry_run_says_what_would_change_and_changes_nothing(desk: ClientDesk):
    done = await commands.import_book(desk.scope(), BOOK, dry_run=True)

    assert 4 == done.diffs["accounts"].new
    assert [(0,)] == desk.own("SELECT count(*) FROM postroom.account")
    assert [] == desk.facts("account.imported")


async def test_one_bad_line_and_nothing_is_taken(desk: ClientDesk):
    bad = BOOK | {"contacts.csv": BOOK["contacts.csv"] + b"nobody,Nobody,ACME\nx@y.example,X,NOWHERE\n"}
    done = await commands.import_book(desk.scope(), bad)

    assert [
        "contacts.csv:9: 'nobody' is not a mail address.",
        "contacts.csv:10: There is no account NOWHERE for x@y.example.",
    ] == [str(each) for each in done.bad]
    assert [(0,)] == desk.own("SELECT count(*) FROM postroom.account")


async def test_how_far_an_import_is_can_be_watched(desk: ClientDesk):
    contacts = b"email,name,account\n" + b"".join(b"c%d@acme.example,,ACME\n" % number for number in range(5000))
    seen: list[tuple[int, int]] = []
    await commands.import_book(
        desk.scope(), BOOK | {"contacts.csv": contacts}, progress=lambda done, total: seen.append((done, total))
    )

    assert (5008, 5008) == seen[-1]
    assert len(seen) > 4
    assert [(5000,)] == desk.own("SELECT count(*) FROM postroom.contact")


async def test_what_is_changed_by_hand_is_looked_up_at_once_and_kept_in_the_history(desk: ClientDesk):
    await commands.add_account(desk.scope(), "BELLINI", "Studio Bellini", domains=["bellini.example"])
    await commands.change_account(
        desk.scope(), "bellini", name="Bellini & Figli", aliases=["Bellini Arredo"], domains=["bellini-figli.example"]
    )
    found = await commands.get_account(desk.scope(), "BELLINI")
    history = [
        (each.what, (each.before or {}).get("name"), each.after["name"], each.changed_by) for each in found.history
    ]

    assert [
        ("account", "Studio Bellini", "Bellini & Figli", NORA),
        ("account", None, "Studio Bellini", NORA),
    ] == history
    assert [("bellini-figli.example",)] == desk.own("SELECT domain FROM postroom.account_domain")
    assert ["BELLINI"] == [each.code for each in await commands.search_accounts(desk.scope(), "arre")]
    assert [] == await commands.search_accounts(desk.scope(), "studio")
    assert 2 == len(desk.facts("account.changed"))


async def test_changing_nothing_leaves_no_trace(desk: ClientDesk):
    await desk.has_book()
    before = desk.own("SELECT updated_at FROM postroom.account WHERE code = 'ACME'")
    await commands.change_account(desk.scope(), "ACME", name="ACME Industries GmbH")

    assert before == desk.own("SELECT updated_at FROM postroom.account WHERE code = 'ACME'")
    assert [] == desk.facts("account.changed")


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("acme", ["ACME"]),
        ("acm", ["ACME"]),
        ("Industries", ["ACME"]),
        ("industries acme", ["ACME"]),
        ("fontanel", ["FONTANEL"]),
        ("atel font", ["FONTANEL"]),
        ("jonas@", ["BOREALIS"]),
        ("borealis.ex", ["BOREALIS"]),
        ("tessa@bridgework.example", ["ACME", "BOREALIS"]),
        ("oldham", ["OLDHAM"]),
        ("gmbh", ["ACME", "BOREALIS"]),
        ("acme borealis", []),
        ("", []),
        ("!", []),
    ],
)
async def test_the_book_is_searched_by_the_beginnings_of_words(desk: ClientDesk, text, codes):
    await desk.has_book()

    assert codes == sorted(each.code for each in await commands.search_accounts(desk.scope(), text))


async def test_accounts_are_listed_page_by_page(desk: ClientDesk):
    await desk.has_book()
    seen, after = [], ""
    for _ in range(5):
        found, following = await commands.accounts(desk.scope(), after=after, most=2)
        seen += [each.code for each in found]
        if following is None:
            break
        after = following

    assert ["ACME", "BOREALIS", "FONTANEL", "OLDHAM"] == seen
    assert ["OLDHAM"] == [each.code for each in (await commands.accounts(desk.scope(), status="closed"))[0]]


async def test_a_contact_is_added_to_one_more_account_and_taken_from_one(desk: ClientDesk):
    await desk.has_book()
    await commands.add_contact(desk.scope(), "BOREALIS", "Anna@acme.example")
    both = await desk.receives("anna@acme.example")
    contact = desk.own("SELECT id FROM postroom.contact WHERE email = 'anna@acme.example'")[0][0]
    await commands.remove_contact(desk.scope(), "ACME", contact)
    moved = await desk.receives("anna@acme.example", subject="Another")

    assert "triage" == desk.standing(both)[1]
    assert "BOREALIS" in {
        each["account"] for each in (await commands.get_mapping(desk.scope(), desk.mapping(moved))).mapping.candidates
    }
    assert "Anna Kowalski" == desk.own("SELECT name FROM postroom.contact WHERE id = %s", contact)[0][0]
    with pytest.raises(Conflict, match="already"):
        await commands.add_contact(desk.scope(), "BOREALIS", "anna@acme.example")
    with pytest.raises(NotFound, match="no such contact"):
        await commands.remove_contact(desk.scope(), "ACME", contact)


async def test_work_is_added_changed_and_closed(desk: ClientDesk):
    await desk.has_book()
    await commands.put_engagement(desk.scope(), "FONTANEL", "WEEK", name="Writers' week")
    await commands.put_work_item(desk.scope(), "WEEK", "FON-0007")
    await commands.put_engagement(desk.scope(), "FONTANEL", "week", status="closed")
    (row,) = (await commands.get_account(desk.scope(), "FONTANEL")).work

    assert ("WEEK", "Writers' week", "closed", "FON-0007", "open") == (
        row.engagement_code, row.engagement_name, row.engagement_status, row.work_item_code, row.work_item_status,
    )  # fmt: skip
    with pytest.raises(Conflict, match="belongs to FONTANEL"):
        await commands.put_engagement(desk.scope(), "ACME", "WEEK")
    with pytest.raises(Conflict, match="belongs to WEEK"):
        await commands.put_work_item(desk.scope(), "LEAD", "FON-0007")
    with pytest.raises(NotFound, match="no engagement NOTHING"):
        await commands.put_work_item(desk.scope(), "NOTHING", "X-1")


async def test_a_closed_account_keeps_its_mail_for_a_person(desk: ClientDesk):
    await desk.has_book()
    await commands.close_account(desk.scope(), "ACME")
    closed = await desk.receives("anna@acme.example")
    await commands.reopen_account(desk.scope(), "ACME")
    await desk.works()

    assert ("ACME", "mapped") == desk.standing(closed)  # it was looked at again
    told = desk.own(
        "SELECT kind FROM postroom.fact WHERE message_id = %s AND kind LIKE 'mapping.%%' ORDER BY id", closed
    )
    assert [("mapping.triage_required",), ("mapping.mapped",)] == told


async def test_two_accounts_that_were_one_are_merged_with_all_that_is_theirs(desk: ClientDesk):
    await desk.has_book()
    old = await desk.receives("jonas@borealis.example", subject="Rooms [BOR-0311]")
    done = await commands.merge_accounts(desk.scope(), "BOREALIS", "ACME")
    new = await desk.receives("jonas@borealis.example", subject="Rooms [BOR-0311]")
    by_name = await desk.receives("someone@gmail.com", subject="Borealis GmbH")
    gone = await commands.get_account(desk.scope(), "BOREALIS")

    assert (2, 1) == (done.contacts, done.messages)
    assert [("ACME", "mapped")] * 2 == [desk.standing(each) for each in (old, new)]
    assert "ACME" == desk.standing(by_name)[0]
    assert ("closed", "ACME") == (gone.account.status, gone.merged_into.code)
    assert ["merged", "account"] == [each.what for each in gone.history if each.what in ("merged", "account")]
    assert {"from": "BOREALIS"}.items() <= (await commands.get_account(desk.scope(), "ACME")).history[0].after.items()
    (told,) = desk.facts("account.merged")
    assert ("BOREALIS", "ACME") == (told["code"], told["into_code"])


async def test_nothing_is_merged_into_what_is_closed(desk: ClientDesk):
    await desk.has_book()
    await commands.close_account(desk.scope(), "ACME")

    with pytest.raises(Conflict, match="ACME is closed: open it again first, or merge it into BOREALIS"):
        await commands.merge_accounts(desk.scope(), "BOREALIS", "ACME")
    assert [] == desk.facts("account.merged")

    await commands.reopen_account(desk.scope(), "ACME")
    await commands.merge_accounts(desk.scope(), "BOREALIS", "ACME")


async def test_the_name_of_who_is_known_already_is_not_written_over(desk: ClientDesk):
    await desk.has_book()
    name = "SELECT name FROM postroom.contact WHERE email = 'anna@acme.example'"

    with pytest.raises(Conflict, match=r"is a contact already, of ACME, as Anna Kowalski\. Leave the name empty"):
        await commands.add_contact(desk.scope(), "BOREALIS", "anna@acme.example", "Anna Smith")
    with pytest.raises(Conflict, match="is a contact of ACME already, as Anna Kowalski"):
        await commands.add_contact(desk.scope(), "ACME", "anna@acme.example", "Anna Smith")
    assert [("Anna Kowalski",)] == desk.own(name)

    added = await commands.add_contact(desk.scope(), "BOREALIS", "anna@acme.example", "Anna Kowalski")
    assert ("Anna Kowalski", ("ACME", "BOREALIS")) == (added.name, added.accounts)


async def test_who_is_nobody_s_contact_any_more_may_come_back_by_another_name(desk: ClientDesk):
    await desk.has_book()
    await commands.remove_contact_by_email(desk.scope(), "ACME", "anna@acme.example")

    await commands.add_contact(desk.scope(), "ACME", "anna@acme.example", "Anna Smith")

    assert [("Anna Smith",)] == desk.own("SELECT name FROM postroom.contact WHERE email = 'anna@acme.example'")


async def test_one_who_worked_for_both_works_for_one_after_a_merge(desk: ClientDesk):
    await desk.has_book()
    await commands.merge_accounts(desk.scope(), "BOREALIS", "ACME")

    assert ("ACME", "mapped") == desk.standing(await desk.receives("tessa@bridgework.example"))


async def test_importing_the_old_files_after_a_merge_does_not_undo_it(desk: ClientDesk):
    await desk.has_book()
    await commands.merge_accounts(desk.scope(), "BOREALIS", "ACME")
    await desk.has_book()

    assert [("closed",)] == desk.own("SELECT status FROM postroom.account WHERE code = 'BOREALIS'")
    assert ("ACME", "mapped") == desk.standing(await desk.receives("jonas@borealis.example"))


async def test_a_code_that_was_merged_twice_means_the_last_account(desk: ClientDesk):
    await desk.has_book()
    message = await desk.receives("other@gmail.com", subject="Hello")
    await commands.merge_accounts(desk.scope(), "BOREALIS", "ACME")
    await commands.merge_accounts(desk.scope(), "ACME", "FONTANEL")
    await desk.has_book()
    await commands.confirm_mapping(desk.scope(), desk.mapping(message), "BOREALIS")
    by_code = await desk.receives("somebody@gmail.com", subject="Order [BOREALIS]")

    assert ("FONTANEL", "confirmed") == desk.standing(message)
    assert "FONTANEL" == desk.standing(by_code)[0]
    assert "FONTANEL" == desk.standing(await desk.receives("jonas@borealis.example"))[0]
    assert [("FONTANEL",)] == desk.own(
        "SELECT DISTINCT a.code FROM postroom.contact_account o JOIN postroom.account a ON a.id = o.account_id"
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda who: commands.change_account(who, "BOREALIS", domains=["borealis.example"]),
        lambda who: commands.close_account(who, "BOREALIS"),
        lambda who: commands.add_contact(who, "BOREALIS", "new@borealis.example"),
        lambda who: commands.put_engagement(who, "BOREALIS", "NEW"),
    ],
    ids=["account", "close", "contact", "engagement"],
)
async def test_a_merged_account_is_not_changed_any_more(desk: ClientDesk, change):
    await desk.has_book()
    await commands.merge_accounts(desk.scope(), "BOREALIS", "ACME")

    with pytest.raises(Conflict, match=r"BOREALIS was merged into ACME"):
        await change(desk.scope())


async def test_a_contact_is_moved_to_where_the_proposed_account_went(desk: ClientDesk):
    await desk.has_book()
    contact = desk.own("SELECT id FROM postroom.contact WHERE email = 'lucia@gmail.com'")[0][0]
    proposal = new_id()
    desk.own(
        "INSERT INTO postroom.contact_proposal (id, tenant_id, contact_id, kind, account_id, because, made_at)"
        " VALUES (%s, %s, %s, 'elsewhere', %s, 'People said so.', now())",
        *[proposal, desk.tenant, contact, desk.account_id("BOREALIS")],
    )
    await commands.merge_accounts(desk.scope(), "BOREALIS", "ACME")
    await commands.accept_proposal(desk.scope(), proposal)

    assert ("ACME", "mapped") == desk.standing(await desk.receives("lucia@gmail.com"))


async def test_what_cannot_be_merged_says_why(desk: ClientDesk):
    await desk.has_book()
    await commands.merge_accounts(desk.scope(), "BOREALIS", "ACME")

    with pytest.raises(BadRequest, match="into itself"):
        await commands.merge_accounts(desk.scope(), "ACME", "acme")
    with pytest.raises(Conflict, match="BOREALIS was merged"):
        await commands.merge_accounts(desk.scope(), "FONTANEL", "BOREALIS")
    with pytest.raises(Conflict, match="was merged into ACME"):
        await commands.reopen_account(desk.scope(), "BOREALIS")
    with pytest.raises(Conflict, match="already; change that one"):
        await commands.add_account(desk.scope(), "acme", "Another")


async def test_an_account_page_has_all_that_is_the_accounts(desk: ClientDesk):
    await desk.has_book()
    message = await desk.receives("anna@acme.example", subject="Check-in [ACME-1042]")
    await desk.receives("other@gmail.com", subject="About ACME Industries")  # waits: nobody's yet
    note, bill = new_id(), new_id()
    for document, kind in ((note, "contract_note"), (bill, "invoice")):
        desk.own(
            "INSERT INTO postroom.document (id, tenant_id, message_id, mailbox_id, attachment_path, filename, content_type, size, sha256, kind, status, source, received_at)"
            " VALUES (%s, %s, %s, %s, %s, %s, 'application/pdf', 3, repeat('a', 64), %s, 'review', 'graph_webhook', now())",
            *[document, desk.tenant, message, desk.mailbox, kind, f"{kind}.pdf", kind],
        )
    desk.own(
        "INSERT INTO postroom.trade (id, tenant_id, document_id, position, status, because, confidence, isin) VALUES (%s, %s, %s, 0, 'review', '', 1, 'IE00B4L5Y983')",
        new_id(),
        desk.tenant,
        note,
    )
    desk.own(
        "INSERT INTO postroom.invoice (id, tenant_id, document_id, status, because, confidence, number) VALUES (%s, %s, %s, 'review', '', 1, 'R-1')",
        new_id(),
        desk.tenant,
        bill,
    )
    found = await commands.get_account(desk.scope(), desk.account_id("ACME"))

    assert ["Check-in [ACME-1042]"] == [each.subject for each in found.mail]
    assert {"contract_note.pdf", "invoice.pdf"} == {each.filename for each in found.documents}
    assert (["IE00B4L5Y983"], ["R-1"]) == (
        [each.isin for each in found.trades],
        [each.number for each in found.invoices],
    )
    assert {"anna@acme.example", "ben@acme.example", "tessa@bridgework.example"} == {
        each.email for each in found.contacts
    }
    assert desk.now == next(each.last_seen_at for each in found.contacts if each.email == "anna@acme.example")
    assert [("LEAD", "ACME-1042")] == [(each.engagement_code, each.work_item_code) for each in found.work]


async def test_the_last_contact_of_a_large_book_costs_what_the_first_did(desk: ClientDesk, monkeypatch):
    """By what the database looked at in each statement: seconds waver."""
    desk.own("VACUUM ANALYZE postroom.account, postroom.contact, postroom.contact_account")  # empty, and known to be
    await desk.has_book()  # plans of keys are made for a small one
    looked_at, statements = [], []
    put, run = book.put_contacts, Tx.run

    async def counted(tx, *given):
        before = await _rows_looked_at(tx)
        await put(tx, *given)
        looked_at.append(await _rows_looked_at(tx) - before)

    async def noted(tx, query, **values):
        statements.append(query.name)
        return await run(tx, query, **values)

    monkeypatch.setattr(book, "put_contacts", counted)
    monkeypatch.setattr(Tx, "run", noted)
    accounts = b"code,name\n" + b"".join(b"C%d,Client %d\n" % (number, number) for number in range(1000))
    contacts = b"".join(b"p%d@free.example,,C%d\n" % (number, number % 1000) for number in range(12_000))
    done = await commands.import_book(
        desk.scope(), {"accounts.csv": accounts, "contacts.csv": b"email,name,account\n" + contacts}
    )

    assert (12_000, 6) == (done.diffs["contacts"].new, len(looked_at))
    assert looked_at[-1] <= 1.1 * looked_at[0]
    assert (6, True) == (statements.count("put_contacts"), len(statements) <= 13)


async def _rows_looked_at(tx: Tx) -> int:
    found: int = await tx.value(LOOKED_AT)
    return found
