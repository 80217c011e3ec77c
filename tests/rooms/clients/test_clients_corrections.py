"""People correct: it outranks every guess, is kept with before and after, teaches, and can be taken back."""

from __future__ import annotations

import asyncio

import psycopg
import pytest

from harness import NORA
from postroom.nouns.errors import BadRequest, Conflict, NotFound
from postroom.rooms.clients import commands
from rooms.clients.office import ClientDesk, open_client_desk

EVE = "person:eve@larkspur.example"


async def test_remap_creates_audit_event(desk: ClientDesk):
    await desk.has_book()
    message = await desk.receives("anna@acme.example")
    await commands.confirm_mapping(desk.scope(), desk.mapping(message), "FONTANEL")

    (told,) = desk.facts("mapping.confirmed")
    assert str(message) == told["message_id"]
    ((actor,),) = desk.own("SELECT actor FROM postroom.fact WHERE kind = 'mapping.confirmed'")
    assert "person:nora@larkspur.example" == actor


async def test_mark_ignored_creates_audit_event(desk: ClientDesk):
    await desk.has_book()
    message = await desk.receives("other@gmail.com")
    await commands.mark_ignored(desk.scope(), desk.mapping(message), "Advertising")

    (told,) = desk.facts("mapping.ignored")
    assert ("Advertising", str(message)) == (told["reason"], told["message_id"])
    assert (None, "ignored") == desk.standing(message)


async def test_artifact_not_deleted_on_remap(desk: ClientDesk, dsn: str):
    await desk.has_book()
    message = await desk.receives("anna@acme.example")
    mapping = desk.mapping(message)
    await commands.confirm_mapping(desk.scope(), mapping, "FONTANEL")
    await commands.confirm_mapping(desk.scope(EVE), mapping, "BOREALIS")
    await commands.mark_ignored(desk.scope(), mapping, "Nobody's")

    assert mapping == desk.mapping(message)
    assert [(1,)] == desk.own("SELECT count(*) FROM postroom.message")
    for table in ("mapping", "mapping_change", "account", "contact"):
        with (
            psycopg.connect(dsn, options="-c role=postroom_app") as app,
            pytest.raises(psycopg.errors.InsufficientPrivilege),
        ):
            app.execute(f"DELETE FROM postroom.{table}")


async def test_before_after_metadata_captured(desk: ClientDesk):
    """Also for a remap of a remap."""
    await desk.has_book()
    mapping = desk.mapping(await desk.receives("anna@acme.example", subject="[ACME-1042]"))
    await commands.confirm_mapping(desk.scope(), mapping, "BOREALIS", "TEAM")
    await commands.confirm_mapping(desk.scope(EVE), mapping, "FONTANEL")
    ids = {code: str(desk.account_id(code)) for code in ("ACME", "BOREALIS", "FONTANEL")}
    first, second = desk.facts("mapping.confirmed")

    assert (ids["ACME"], "mapped") == (first["before"]["account_id"], first["before"]["status"])
    assert first["before"]["work_item_id"]
    assert (ids["BOREALIS"], "confirmed") == (first["after"]["account_id"], first["after"]["status"])
    assert (ids["BOREALIS"], ids["FONTANEL"]) == (second["before"]["account_id"], second["after"]["account_id"])
    changes = (await commands.get_mapping(desk.scope(), mapping)).changes
    assert [(EVE, "remap"), ("person:nora@larkspur.example", "remap")] == [
        (each.changed_by, each.action) for each in changes
    ]
    assert all(each.changed_at == desk.now for each in changes)


async def test_what_misled_is_recorded_and_weighs_less_from_then_on(desk: ClientDesk):
    await desk.has_book()
    before = {each.signal: each for each in await commands.signal_report(desk.scope())}
    for _ in range(3):
        await commands.confirm_mapping(desk.scope(), desk.mapping(await desk.receives("new@acme.example")), "FONTANEL")
    after = {each.signal: each for each in await commands.signal_report(desk.scope())}

    assert ["domain"] == desk.facts("mapping.confirmed")[0]["misled"]
    assert (0, 0) == (before["domain"].right, before["domain"].wrong)
    assert after["domain"].wrong >= 1
    assert after["domain"].weight < before["domain"].weight
    assert after["contact"].weight == before["contact"].weight


async def test_a_confirmed_suggestion_counts_for_its_signals_once(desk: ClientDesk):
    await desk.has_book()
    mapping = desk.mapping(await desk.receives("anna@acme.example"))
    for _ in range(2):
        await commands.confirm_mapping(desk.scope(), mapping, "ACME")
    report = {each.signal: (each.right, each.wrong) for each in await commands.signal_report(desk.scope())}

    assert ((1, 0), (1, 0)) == (report["contact"], report["domain"])
    assert 1 == len(desk.facts("mapping.confirmed"))


async def test_what_a_later_decision_says_replaces_what_the_first_had_taught(desk: ClientDesk):
    await desk.has_book()
    mapping = desk.mapping(await desk.receives("anna@acme.example"))
    await commands.confirm_mapping(desk.scope(), mapping, "ACME")
    await commands.confirm_mapping(desk.scope(), mapping, "BOREALIS")
    report = {each.signal: (each.right, each.wrong) for each in await commands.signal_report(desk.scope())}

    assert (0, 1) == report["contact"]


async def test_a_correction_outranks_the_book_for_the_senders_next_mail(desk: ClientDesk):
    await desk.has_book()
    await commands.confirm_mapping(desk.scope(), desk.mapping(await desk.receives("anna@acme.example")), "FONTANEL")

    assert "FONTANEL" == desk.standing(await desk.receives("anna@acme.example", subject="Another matter"))[0]


async def test_what_a_person_decided_is_not_touched_when_the_mail_is_mapped_again(desk: ClientDesk):
    await desk.has_book()
    message = await desk.receives("anna@acme.example")
    await commands.confirm_mapping(desk.scope(), desk.mapping(message), "FONTANEL")
    await desk.arrives(message)
    await desk.works()

    assert ("FONTANEL", "confirmed") == desk.standing(message)


async def test_an_account_a_person_took_mail_away_from_is_remembered_against(desk: ClientDesk):
    await desk.has_book()
    first = await desk.receives("stranger@elsewhere.example", subject="About ACME-1042")
    await commands.mark_ignored(desk.scope(), desk.mapping(first), "Not about them")
    second = await desk.receives("stranger@elsewhere.example", subject="About ACME-1042")
    found = (await commands.get_mapping(desk.scope(), desk.mapping(second))).mapping

    assert "rejected" in {clue["signal"] for clue in found.candidates[0]["clues"]}


# more than one mail


async def test_a_whole_thread_is_decided_in_one_act_that_is_previewed(desk: ClientDesk):
    await desk.has_book()
    messages = [await desk.receives("other@gmail.com", thread="one", days_ago=days) for days in (3, 2, 1)]
    apart = await desk.receives("other@gmail.com")
    reach = await commands.reach(desk.scope(), desk.mapping(messages[0]))
    act = await commands.confirm_mapping(desk.scope(), desk.mapping(messages[0]), "ACME", thread=True)

    assert (2, 3) == (reach.thread, act.messages)
    assert [("ACME", "confirmed")] * 3 == [desk.standing(each) for each in messages]
    assert "triage" == desk.standing(apart)[1]


async def test_also_the_next_ones_of_a_sender(desk: ClientDesk):
    await desk.has_book()
    first, waiting = [await desk.receives("tessa@bridgework.example") for _ in range(2)]
    reach = await commands.reach(desk.scope(), desk.mapping(first))
    act = await commands.confirm_mapping(desk.scope(), desk.mapping(first), "BOREALIS", next_from_sender=True)
    later = await desk.receives("tessa@bridgework.example")

    assert (1, 2) == (reach.waiting_from_sender, act.messages)
    assert [("BOREALIS", "confirmed"), ("BOREALIS", "confirmed"), ("BOREALIS", "mapped")] == [
        desk.standing(each) for each in (first, waiting, later)
    ]
    assert "1.00" == str((await commands.get_mapping(desk.scope(), desk.mapping(later))).mapping.confidence)


async def test_the_next_ones_of_a_sender_can_be_set_aside(desk: ClientDesk):
    await desk.has_book()
    first = await desk.receives("news@elsewhere.example")
    await commands.mark_ignored(desk.scope(), desk.mapping(first), "Newsletter", next_from_sender=True)
    later = await desk.receives("news@elsewhere.example")

    assert (None, "ignored") == desk.standing(later)
    assert "Newsletter" == (await commands.get_mapping(desk.scope(), desk.mapping(later))).mapping.ignore_reason


# taking back


async def test_a_decision_is_taken_back_with_what_it_taught(desk: ClientDesk):
    await desk.has_book()
    message = await desk.receives("anna@acme.example")
    mapping, before = desk.mapping(message), desk.own("SELECT confidence, reasons FROM postroom.mapping")
    await commands.confirm_mapping(desk.scope(), mapping, "FONTANEL")
    await commands.undo_mapping(desk.scope(EVE), mapping)
    report = {each.signal: (each.right, each.wrong) for each in await commands.signal_report(desk.scope())}

    assert (("ACME", "mapped"), before) == (
        desk.standing(message),
        desk.own("SELECT confidence, reasons FROM postroom.mapping"),
    )
    assert {(0, 0)} == set(report.values())
    (told,) = desk.facts("mapping.undone")
    assert (str(desk.account_id("FONTANEL")), str(desk.account_id("ACME"))) == (
        told["before"]["account_id"],
        told["after"]["account_id"],
    )
    assert "ACME" == desk.standing(await desk.receives("anna@acme.example"))[0]


async def test_an_act_on_many_is_taken_back_as_one(desk: ClientDesk):
    await desk.has_book()
    messages = [await desk.receives("other@gmail.com", thread="one") for _ in range(3)]
    await commands.confirm_mapping(desk.scope(), desk.mapping(messages[0]), "ACME", thread=True, next_from_sender=True)
    act = await commands.undo_mapping(desk.scope(), desk.mapping(messages[2]))

    assert 3 == act.messages
    assert {(None, "triage")} == {desk.standing(each) for each in messages}
    assert (None, "triage") == desk.standing(await desk.receives("other@gmail.com"))


async def test_taking_back_leaves_what_was_decided_again_since(desk: ClientDesk):
    await desk.has_book()
    one, two = [await desk.receives("other@gmail.com", thread="one") for _ in range(2)]
    act = await commands.confirm_mapping(desk.scope(), desk.mapping(one), "ACME", thread=True)
    await commands.confirm_mapping(desk.scope(EVE), desk.mapping(two), "BOREALIS")
    back = await commands.undo_act(desk.scope(), act.id)

    assert 1 == back.messages
    assert [(None, "triage"), ("BOREALIS", "confirmed")] == [desk.standing(each) for each in (one, two)]
    with pytest.raises(Conflict, match="decided about again"):
        await commands.undo_act(desk.scope(), act.id)


async def test_taking_back_goes_one_decision_at_a_time(desk: ClientDesk):
    await desk.has_book()
    message = await desk.receives("anna@acme.example")
    mapping = desk.mapping(message)
    await commands.confirm_mapping(desk.scope(), mapping, "FONTANEL")
    await commands.mark_ignored(desk.scope(), mapping, "Nobody's")
    seen = [desk.standing(message)]
    for _ in range(2):
        await commands.undo_mapping(desk.scope(), mapping)
        seen.append(desk.standing(message))

    assert [(None, "ignored"), ("FONTANEL", "confirmed"), ("ACME", "mapped")] == seen
    with pytest.raises(Conflict, match="nothing to take back"):
        await commands.undo_mapping(desk.scope(), mapping)


async def test_undoing_a_choice_brings_back_the_one_it_replaced(desk: ClientDesk):
    await desk.has_book()
    mapping = desk.mapping(await desk.receives("tessa@bridgework.example"))
    await commands.confirm_mapping(desk.scope(), mapping, "ACME", next_from_sender=True)
    second = await commands.confirm_mapping(desk.scope(), mapping, "BOREALIS", next_from_sender=True)
    await commands.undo_act(desk.scope(), second.id)

    assert ("ACME", "mapped") == desk.standing(await desk.receives("tessa@bridgework.example"))


async def test_taking_back_after_a_merge_leads_to_the_account_that_stays(desk: ClientDesk):
    await desk.has_book()
    message = await desk.receives("jonas@borealis.example")
    mapping = desk.mapping(message)
    await commands.confirm_mapping(desk.scope(), mapping, "FONTANEL")
    await commands.merge_accounts(desk.scope(), "BOREALIS", "ACME")
    await commands.undo_mapping(desk.scope(), mapping)

    assert ("ACME", "mapped") == desk.standing(message)


async def test_two_who_take_back_at_once_take_back_once(desk: ClientDesk):
    await desk.has_book()
    mapping = desk.mapping(await desk.receives("anna@acme.example"))
    act = await commands.confirm_mapping(desk.scope(), mapping, "FONTANEL")
    done = await asyncio.gather(
        *(commands.undo_act(desk.scope(who), act.id) for who in (NORA, EVE)), return_exceptions=True
    )
    report = {each.signal: (each.right, each.wrong) for each in await commands.signal_report(desk.scope())}

    assert ["Conflict", "MappingAct"] == sorted(type(each).__name__ for each in done)
    assert 1 == len(desk.facts("mapping.undone"))
    assert {(0, 0)} == set(report.values())


async def test_what_somebody_decides_while_another_takes_back_stays(desk: ClientDesk):
    await desk.has_book()
    message = await desk.receives("anna@acme.example")
    mapping = desk.mapping(message)
    act = await commands.confirm_mapping(desk.scope(), mapping, "FONTANEL")
    with psycopg.connect(desk.owner_dsn) as slow:
        slow.execute("SELECT FROM postroom.mapping WHERE id = %s FOR UPDATE", [mapping])
        deciding = asyncio.create_task(commands.confirm_mapping(desk.scope(EVE), mapping, "BOREALIS"))
        await desk.waits_for_locks(1)
        undoing = asyncio.create_task(commands.undo_act(desk.scope(), act.id))
        await desk.waits_for_locks(2)
    await asyncio.wait((deciding, undoing))

    assert ("BOREALIS", "confirmed") == desk.standing(message)
    with pytest.raises(Conflict, match="decided about again"):
        await undoing


async def test_two_who_decide_about_one_thread_at_once_wait_for_each_other(desk: ClientDesk):
    await desk.has_book()
    one, two = [desk.mapping(await desk.receives("other@gmail.com", thread="one")) for _ in range(2)]
    with psycopg.connect(desk.owner_dsn) as slow:
        slow.execute("SELECT FROM postroom.mapping WHERE id = ANY (%s) FOR UPDATE", [[one, two]])
        first = asyncio.create_task(commands.confirm_mapping(desk.scope(), one, "ACME", thread=True))
        await desk.waits_for_locks(1)
        second = asyncio.create_task(commands.confirm_mapping(desk.scope(EVE), two, "BOREALIS", thread=True))
        await desk.waits_for_locks(2)

    assert [2, 2] == [(await each).messages for each in (first, second)]
    assert 1 == len(set(desk.own("SELECT account_id, decided_by FROM postroom.mapping")))


# what is refused


async def test_what_cannot_be_done_says_why(desk: ClientDesk):
    await desk.has_book()
    message = await desk.receives("anna@acme.example")
    mapping = desk.mapping(message)
    nobody = desk.mapping(await desk.receives(None))

    with pytest.raises(NotFound, match="no account NOBODY"):
        await commands.confirm_mapping(desk.scope(), mapping, "NOBODY")
    with pytest.raises(NotFound, match="ACME has no engagement TEAM"):
        await commands.confirm_mapping(desk.scope(), mapping, "ACME", "TEAM")
    with pytest.raises(NotFound, match="LEAD has no work item BOR-0311"):
        await commands.confirm_mapping(desk.scope(), mapping, "ACME", "LEAD", "BOR-0311")
    with pytest.raises(BadRequest, match="Say why"):
        await commands.mark_ignored(desk.scope(), mapping, "  ")
    with pytest.raises(BadRequest, match="no sender"):
        await commands.mark_ignored(desk.scope(), nobody, "Odd", next_from_sender=True)
    with pytest.raises(NotFound, match="no mapping"):
        await commands.undo_mapping(desk.scope(), message)


async def test_a_work_item_names_its_engagement(desk: ClientDesk):
    await desk.has_book()
    mapping = desk.mapping(await desk.receives("other@gmail.com"))
    await commands.confirm_mapping(desk.scope(), mapping, "acme", None, "acme-1042")
    found = (await commands.get_mapping(desk.scope(), mapping)).mapping

    assert ("ACME", "LEAD", "ACME-1042") == (found.account, found.engagement, found.work_item)


async def test_two_who_decide_at_once_do_not_overrule_each_other_unseen(desk: ClientDesk):
    await desk.has_book()
    mapping = desk.mapping(await desk.receives("other@gmail.com"))
    seen = (await commands.get_mapping(desk.scope(), mapping)).mapping.version
    await commands.confirm_mapping(desk.scope(), mapping, "ACME", version=seen)

    with pytest.raises(Conflict, match=r"nora@larkspur\.example decided about it"):
        await commands.confirm_mapping(desk.scope(EVE), mapping, "BOREALIS", version=seen)


async def test_another_tenants_mapping_is_not_there(desk: ClientDesk, db, waker, owner_dsn):
    await desk.has_book()
    mapping = desk.mapping(await desk.receives("anna@acme.example"))
    other = open_client_desk(db, waker, owner_dsn, "desk@other.example")
    for act in (
        commands.confirm_mapping(other.scope(), mapping, "ACME"),
        commands.mark_ignored(other.scope(), mapping, "Mine"),
        commands.undo_mapping(other.scope(), mapping),
        commands.get_mapping(other.scope(), mapping),
        commands.get_account(other.scope(), "ACME"),
    ):
        with pytest.raises(NotFound):
            await act
    assert ([], None) == await commands.accounts(other.scope())
    assert [] == await commands.search_accounts(other.scope(), "acme")
