"""A mail arrives: whose it is, why, and when a person is asked."""

from __future__ import annotations

import asyncio
from decimal import Decimal

import psycopg
import pytest

from harness import BOX, NOON
from loopwatch import unblocked_loop
from postroom.nouns import facts
from postroom.nouns.clients import Email
from postroom.nouns.errors import NotFound
from postroom.nouns.ids import new_id
from postroom.nouns.jobs import Enqueue
from postroom.nouns.mail import Address
from postroom.rooms.clients import commands
from postroom.rooms.clients.jobs import MapEarlierMail, ReconsiderTriage, record
from postroom.rooms.clients.mapping_service import EmailMappingService, decide, gather_message
from postroom.rooms.clients.rules.suggesting import MappingPolicy
from postroom.rooms.itinerary import next_jobs
from rooms.clients.office import ClientDesk


async def test_mail_of_a_contact_is_mapped_and_says_why(desk: ClientDesk):
    await desk.has_book()
    message = await desk.receives("anna@acme.example", subject="Check-in [ACME-1042]")
    found = (await commands.get_mapping(desk.scope(), desk.mapping(message))).mapping

    assert ("ACME", "mapped") == desk.standing(message)
    assert ("LEAD", "ACME-1042") == (found.engagement, found.work_item)
    assert "anna@acme.example is a contact of ACME Industries GmbH (ACME)." in found.reasons
    assert [("ACME", True)] == [(each["account"], bool(each["clues"])) for each in found.candidates]
    (told,) = desk.facts("mapping.mapped")
    assert str(desk.account_id("ACME")) == told["account_id"]


@pytest.mark.parametrize(
    ("about", "standing"),
    [
        ({"sender": "newcomer@acme.example"}, ("ACME", "mapped")),
        ({"sender": "lucia@gmail.com"}, ("FONTANEL", "mapped")),  # an explicit contact, if at a free-mail address
        ({"sender": "other@gmail.com"}, (None, "triage")),
        ({"sender": "max@oldham.example"}, ("OLDHAM", "triage")),
        ({"sender": "anna@acme.example", "trust": "spoofed"}, ("ACME", "triage")),
        ({"sender": "anna@acrne.example", "subject": "ACME Industries"}, ("ACME", "triage")),
        ({"sender": "lawyer@elsewhere.example", "subject": "Our claim against Borealis GmbH"}, ("BOREALIS", "triage")),
        ({"sender": "tessa@bridgework.example"}, ("ACME", "triage")),
        ({"sender": "ben@acme.example", "cc": ("jonas@borealis.example",)}, ("ACME", "triage")),
        ({"sender": "no-reply@forms.example", "reply_to": ("Anna <anna@acme.example>",)}, ("ACME", "triage")),
        ({"sender": None}, (None, "triage")),
        ({"sender": "news@letters.example", "automatic": "mailing_list", "subject": "ACME Industries grows"}, None),
        ({"sender": "ben@acme.example", "automatic": "auto_reply"}, ("ACME", "mapped")),
        ({"sender": "mailer-daemon@gone.example", "automatic": "bounce"}, None),
    ],
    ids=str,
)
async def test_what_becomes_of_a_mail(desk: ClientDesk, about, standing):
    await desk.has_book()

    assert standing == desk.standing(await desk.receives(about.pop("sender"), **about))


async def test_without_a_book_nobody_is_asked_anything(desk: ClientDesk):
    message = await desk.receives("anna@acme.example")

    assert desk.standing(message) is None
    assert [] == desk.facts("mapping.triage_required")


async def test_mail_that_came_before_the_book_is_mapped_when_there_is_one(desk: ClientDesk):
    messages = [await desk.receives("anna@acme.example", days_ago=days) for days in (1, 40, 200)]
    await desk.has_book()
    await desk.works()
    desk.own("UPDATE postroom.job SET run_at = now() WHERE state = 'later'")
    await desk.works()

    assert [("ACME", "mapped"), ("ACME", "mapped"), None] == [desk.standing(each) for each in messages]


async def test_what_waits_is_looked_at_again_when_the_book_changes(desk: ClientDesk):
    await desk.has_book()
    message = await desk.receives("newcomer@bellini.example")
    assert (None, "triage") == desk.standing(message)

    await commands.add_account(desk.scope(), "BELLINI", "Studio Bellini", domains=["bellini.example"])
    await desk.works()

    assert ("BELLINI", "mapped") == desk.standing(message)
    assert 1 == len(desk.facts("mapping.mapped"))


async def test_what_a_thread_was_mapped_to_counts_for_its_next_mail(desk: ClientDesk):
    await desk.has_book()
    await desk.receives("anna@acme.example", subject="Rooms [ACME-1042]", thread="one", days_ago=1)
    message = await desk.receives("assistant@elsewhere.example", subject="Re: Rooms", thread="one")
    found = (await commands.get_mapping(desk.scope(), desk.mapping(message))).mapping

    assert (("ACME", "mapped"), "LEAD") == (desk.standing(message), found.engagement)
    assert "The thread has an earlier mail of ACME Industries GmbH (ACME) (as mapped)." in found.reasons


async def test_mail_that_quotes_another_client_is_not_that_clients(desk: ClientDesk):
    text = "Fine with me.\n\nOn Monday Jonas Petersen <jonas@borealis.example> wrote:\n> We at Borealis GmbH want BOR-0311.\n"
    await desk.has_book()
    message = await desk.receives("claire@atelier-fontanel.example", text=text)
    found = (await commands.get_mapping(desk.scope(), desk.mapping(message))).mapping

    assert ("FONTANEL", "mapped") == desk.standing(message)
    assert ["FONTANEL"] == [each["account"] for each in found.candidates]


async def test_what_its_documents_say_counts_once_they_are_read(desk: ClientDesk):
    await desk.has_book()
    message = await desk.receives("billing@supplier.example", subject="Invoice")
    assert (None, "triage") == desk.standing(message)
    document = new_id()
    desk.own(
        "INSERT INTO postroom.document (id, tenant_id, message_id, mailbox_id, attachment_path, filename, content_type, size, sha256, kind, status, source, received_at)"
        " VALUES (%s, %s, %s, %s, 'a', 'bill.pdf', 'application/pdf', 3, repeat('a', 64), 'invoice', 'review', 'graph_webhook', %s)",
        *[document, desk.tenant, message, desk.mailbox, NOON],
    )
    desk.own(
        "INSERT INTO postroom.invoice (id, tenant_id, document_id, status, because, buyer, confidence) VALUES (%s, %s, %s, 'review', '', 'Borealis', 1)",
        *[new_id(), desk.tenant, document],
    )
    scope = desk.scope("postroom")
    async with scope.finish() as tx:
        sifted = facts.MessageSifted(
            message_id=message, mailbox_id=desk.mailbox, kept=1, dropped=[], outcome={}, because=""
        )
        await scope.tell(tx, sifted)
    await desk.works()

    assert ("BOREALIS", "triage") == desk.standing(message)


async def test_a_mailbox_can_be_left_out(desk: ClientDesk):
    await desk.has_book()
    await commands.change_mapping_policy(desk.scope(), MappingPolicy(left_out=frozenset({desk.mailbox})))

    assert desk.standing(await desk.receives("anna@acme.example")) is None


async def test_a_tenant_decides_how_sure_is_sure_enough(desk: ClientDesk):
    await desk.has_book()
    await commands.change_mapping_policy(desk.scope(), MappingPolicy(threshold=Decimal("1.00")))

    assert ("ACME", "triage") == desk.standing(await desk.receives("anna@acme.example"))


async def test_mapping_the_same_mail_again_tells_nothing_new(desk: ClientDesk):
    await desk.has_book()
    message = await desk.receives("anna@acme.example")
    await desk.arrives(message)
    await desk.works()

    assert 1 == len(desk.facts("mapping.mapped"))


async def test_the_service_answers_in_the_published_shape_and_keeps_nothing(desk: ClientDesk):
    await desk.has_book()
    email = Email(Address("anna@acme.example"), to=(Address(BOX),), subject="Check-in [ACME-1042]")
    account, engagement, work_item, confidence, reasons, triage = await EmailMappingService(
        desk.scope()
    ).suggest_mapping(email)

    assert ("ACME", "LEAD", "ACME-1042") == (account.code, engagement.code, work_item.code)
    assert Decimal("0.90") < confidence < 1
    assert "anna@acme.example is a contact of ACME Industries GmbH (ACME)." in reasons
    assert triage is False
    assert [(0,)] == desk.own("SELECT count(*) FROM postroom.mapping")


async def test_a_mail_made_to_take_long_leaves_the_loop_alone(desk: ClientDesk):
    """Thousands of headers of older mails, each of which might be where the new words end."""
    await desk.has_book()
    await desk.receives("anna@acme.example")  # lists of words are read once
    message = desk.inserts("anna@acme.example", text="From: x\nSent: y\n" * 20_000)
    await desk.arrives(message)

    async with unblocked_loop():
        await desk.works()

    assert ("ACME", "mapped") == desk.standing(message)


async def test_only_our_own_mailboxes_can_be_left_out(desk: ClientDesk):
    with pytest.raises(NotFound, match="There is no mailbox"):
        await commands.adjust_mapping_policy(desk.scope(), {"left_out": [new_id()]})

    assert frozenset() == (await commands.mapping_policy(desk.scope())).left_out


async def test_two_who_find_the_same_at_one_moment_tell_it_once(desk: ClientDesk):
    """What the book's import asks for and what the mail's arrival asks for may run at the same time."""
    await desk.has_book()
    message = desk.inserts()

    written = asyncio.Event()

    async def finds(*, first: bool) -> None:
        scope = desk.scope("postroom")
        async with scope.read() as tx:
            case = await gather_message(tx, message, desk.now)
        assert case is not None
        if not first:
            await written.wait()
        async with scope.finish() as tx:
            await record(tx, scope, case, decide(case.email, case.context, case.known, desk.now))
            written.set()
            if first:
                await desk.waits_for_locks(1)  # the other one waits for our commit

    await asyncio.gather(finds(first=True), finds(first=False))

    assert 1 == len(desk.facts("mapping.mapped"))


def test_mail_of_a_tenant_without_a_book_asks_for_no_mapping_and_is_mapped_once_there_is_one():
    arrived = facts.MessageArrived(
        message_id=new_id(),
        mailbox_id=new_id(),
        thread_id=new_id(),
        provider_message_id="m",
        source="push",
        received_at=NOON,
        pipelines=(),
        client_book=False,
    )
    sifted = facts.MessageSifted(
        message_id=new_id(), mailbox_id=new_id(), kept=1, dropped=[], outcome={}, because="", client_book=False
    )
    imported = next_jobs(facts.BookImported(new={"accounts": 1}, changed={}))

    assert [] == [*next_jobs(arrived), *next_jobs(sifted)]
    assert MapEarlierMail() in [each.job for each in imported if isinstance(each, Enqueue)]


async def test_earlier_mail_is_mapped_once_the_first_account_is_made_by_hand(desk: ClientDesk):
    by_hand = await desk.receives("anna@acme.example")
    by_a_machine = await desk.receives("orders@acme.example", automatic="auto_reply")
    assert [None, None] == [desk.standing(by_hand), desk.standing(by_a_machine)]

    await commands.add_account(desk.scope(), "ACME", "ACME Industries GmbH", domains=["acme.example"])
    desk.own("UPDATE postroom.job SET run_at = %s WHERE kind = %s", desk.now, MapEarlierMail.kind)  # not to wait for it
    await desk.works()

    assert [("ACME", "mapped")] * 2 == [desk.standing(by_hand), desk.standing(by_a_machine)]


def test_only_a_new_account_asks_for_earlier_mail():
    def asked(what: str, before: dict[str, str] | None) -> list[object]:
        told = facts.BookChanged(account_id=new_id(), code="ACME", what=what, before=before, after={"code": "ACME"})
        return [each.job if isinstance(each, Enqueue) else each for each in next_jobs(told)]

    assert [ReconsiderTriage(), MapEarlierMail()] == asked("account", None)
    assert [ReconsiderTriage()] == asked("account", {"code": "ACME"})  # what waits is looked at again
    assert [ReconsiderTriage()] == asked("engagement", None)


async def test_what_is_mapped_while_two_accounts_are_merged_goes_to_the_one_that_stays(desk: ClientDesk):
    await desk.has_book()
    message = desk.inserts("jonas@borealis.example")
    async with desk.scope().read() as tx:
        case = await gather_message(tx, message, desk.now)
    assert case is not None
    found = decide(case.email, case.context, case.known, desk.now)
    with psycopg.connect(desk.owner_dsn) as slow:
        slow.execute("SELECT FROM postroom.account WHERE code = 'ACME' FOR UPDATE")
        merging = asyncio.create_task(commands.merge_accounts(desk.scope(), "BOREALIS", "ACME"))
        await desk.waits_for_locks(1)
        mapping = asyncio.create_task(_recorded(desk, case, found))
        await desk.waits_for_locks(2)
    await asyncio.gather(merging, mapping)

    assert "ACME" == desk.standing(message)[0]
    (told,) = desk.facts("mapping.mapped")
    assert str(desk.account_id("ACME")) == told["account_id"]


async def _recorded(desk: ClientDesk, case, found) -> None:
    scope = desk.scope()
    async with scope.finish() as tx:
        await record(tx, scope, case, found)
