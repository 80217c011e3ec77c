"""Contacts that bounce, fall silent or turn up elsewhere are shown with a proposal, and never changed by themselves."""

from __future__ import annotations

from datetime import timedelta

import pytest

from postroom.nouns.errors import Conflict
from postroom.rooms.clients import commands
from postroom.rooms.clients.jobs import AgeContacts
from rooms.clients.office import ClientDesk

BOUNCE = "Your message could not be delivered.\n\n<ben@acme.example>: host mail said: 550 5.1.1 User unknown\n"


async def ages(desk: ClientDesk) -> list[tuple[str, str]]:
    scope = desk.scope("postroom")
    async with scope.finish() as tx:
        await scope.enqueue(tx, AgeContacts())
    await desk.works()
    found, _ = await commands.proposals(desk.scope())
    return sorted((each.kind, each.email) for each in found)


def contact(desk: ClientDesk, email: str) -> tuple[str, list[str]]:
    rows = desk.own(
        "SELECT c.status, a.code FROM postroom.contact c LEFT JOIN postroom.contact_account o ON o.contact_id = c.id"
        " LEFT JOIN postroom.account a ON a.id = o.account_id WHERE c.email = %s ORDER BY 2",
        email,
    )
    return rows[0][0], [code for _, code in rows if code]


async def test_a_contact_whose_mail_came_back_is_proposed_for_retirement(desk: ClientDesk):
    await desk.has_book()
    await desk.receives("mailer-daemon@gone.example", automatic="bounce", text=BOUNCE)

    assert [("bounced", "ben@acme.example")] == await ages(desk)
    assert ("active", ["ACME"]) == contact(desk, "ben@acme.example")  # nothing changed by itself
    found, _ = await commands.proposals(desk.scope())
    assert "550 5.1.1 User unknown" in found[0].because
    await commands.accept_proposal(desk.scope(), found[0].id)
    assert ("retired", []) == contact(desk, "ben@acme.example")
    assert {"bounced": 1} == desk.facts("account.contacts_aged")[0]["proposals"]
    assert desk.facts("account.contact_proposal_decided")[0]["accepted"] is True


async def test_a_contact_that_wrote_after_it_bounced_is_alive(desk: ClientDesk):
    await desk.has_book()
    await desk.receives("mailer-daemon@gone.example", automatic="bounce", text=BOUNCE, days_ago=3)
    await desk.receives("ben@acme.example", days_ago=1)

    assert [] == await ages(desk)


async def test_a_contact_that_people_put_elsewhere_is_proposed_to_move(desk: ClientDesk):
    await desk.has_book()
    for number in range(2):
        mapping = desk.mapping(await desk.receives("ben@acme.example", subject=f"Matter {number}"))
        await commands.confirm_mapping(desk.scope(), mapping, "FONTANEL")

    assert [("elsewhere", "ben@acme.example")] == await ages(desk)
    found, _ = await commands.proposals(desk.scope())
    assert ("FONTANEL", ["ACME"]) == (found[0].account, found[0].accounts)
    await commands.accept_proposal(desk.scope(), found[0].id)
    assert ("active", ["FONTANEL"]) == contact(desk, "ben@acme.example")
    history = (await commands.get_account(desk.scope(), "ACME")).history
    assert {"count": 1, "addresses": ["ben@acme.example"]} == history[0].before


async def test_one_who_still_writes_for_its_own_account_is_left_alone(desk: ClientDesk):
    await desk.has_book()
    for number in range(2):
        mapping = desk.mapping(await desk.receives("ben@acme.example", subject=f"Matter {number}", days_ago=5))
        await commands.confirm_mapping(desk.scope(), mapping, "FONTANEL")
    own = desk.mapping(await desk.receives("ben@acme.example", subject="Own", days_ago=1))
    await commands.confirm_mapping(desk.scope(), own, "ACME")

    assert [] == await ages(desk)


async def test_a_silent_contact_is_asked_about_once_and_not_again_for_a_while(desk: ClientDesk):
    await desk.has_book()
    await desk.receives("anna@acme.example", days_ago=400)

    assert [("silent", "anna@acme.example")] == await ages(desk)
    assert 1 == len(await ages(desk))
    found, _ = await commands.proposals(desk.scope())
    await commands.dismiss_proposal(desk.scope(), found[0].id)
    assert [] == await ages(desk)
    with pytest.raises(Conflict, match="dismissed this proposal already"):
        await commands.accept_proposal(desk.scope(), found[0].id)
    desk.now += timedelta(days=181)
    assert [("silent", "anna@acme.example")] == await ages(desk)
    assert ("active", ["ACME"]) == contact(desk, "anna@acme.example")


async def test_what_a_forgotten_mail_said_is_forgotten_here_too(desk: ClientDesk):
    await desk.has_book()
    message = await desk.receives("anna@acme.example")
    desk.own(
        "UPDATE postroom.message SET sender_email = NULL, subject = NULL, forgotten_at = %s WHERE id = %s",
        desk.now,
        message,
    )
    await ages(desk)

    assert [(None, [], [])] == desk.own("SELECT sender_email, reasons, candidates FROM postroom.mapping")
    assert ("ACME", "mapped") == desk.standing(message)
