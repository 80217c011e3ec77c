"""Whose mail it is: who writes, what about, what people said before, and when a person has to look."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from postroom.nouns.clients import PrintedClient
from postroom.rooms.clients.rules.known import SenderChoice
from postroom.rooms.clients.rules.suggesting import MappingPolicy, status_of
from rules.clients.shelf import NOW, Shelf, account_id, mail, past, retreats


def code_of(suggestion) -> str | None:
    return suggestion.account.code if suggestion.account else None


@pytest.mark.parametrize(
    ("email", "account", "triage"),
    [
        # who writes
        (mail("anna@acme.example"), "ACME", False),
        (mail("Anna+rooms@ACME.example"), "ACME", False),
        (mail("newcomer@acme.example"), "ACME", False),
        (mail("newcomer@mail.acme.example"), "ACME", False),
        (mail("max@oldham.example"), "OLDHAM", True),  # closed
        (mail("stranger@elsewhere.example"), None, True),
        (mail("anna@gmail.com"), None, True),
        (mail(None), None, True),
        (mail("tessa@bridgework.example"), "ACME", True),  # works for two
        # what about
        (mail("stranger@elsewhere.example", subject="Check-in [ACME-1042]"), "ACME", True),
        (mail("lawyer@elsewhere.example", subject="Our claim against ACME Industries"), "ACME", True),
        (mail("someone@gmail.com", text="I work for Borealis GmbH."), "BOREALIS", True),
        (mail("jonas@borealis.example", subject="Like ACME Industries had it"), "BOREALIS", False),
        (mail("jonas@borealis.example", subject="About [ACME-1042]"), "BOREALIS", True),
        (mail("tessa@bridgework.example", subject="Rooms [BOR-0311]"), "BOREALIS", True),
        # our own
        (mail("nora@larkspur.example", to="anna@acme.example"), "ACME", False),
        (mail("nora@larkspur.example", to="claire@atelier-fontanel.example", subject="ACME Industries"), "FONTANEL", False),
        (mail("nora@larkspur.example", to="all@larkspur.example"), None, True),
        (
            mail("nora@larkspur.example", quoted="-----\nFrom: Claire <claire@atelier-fontanel.example>\nSent: today\nHello"),
            "FONTANEL",
            True,
        ),
        # disguises
        (mail("anna@acrne.example"), None, True),
        (mail("anna@acrne.example", subject="ACME Industries [ACME-1042]"), "ACME", True),
        (mail("anna@acme.example", trust="spoofed", trust_because="DMARC failed."), "ACME", True),
        (mail("anna@acme.example", is_named_only=True), "ACME", True),
    ],
    ids=lambda value: f"{value.sender} {value.subject}" if hasattr(value, "sender") else str(value),
)  # fmt: skip
def test_who_writes_decides_and_what_it_is_about_only_suggests(email, account, triage):
    found = retreats().suggest(email)

    assert (account, triage) == (code_of(found), found.requires_triage)
    assert ("triage" if triage else "mapped") == status_of(found)


def test_every_candidate_says_why_and_the_surest_comes_first():
    found = retreats().suggest(mail("jonas@borealis.example", subject="As for ACME Industries"))

    assert ["BOREALIS", "ACME"] == [each.account.code for each in found.candidates]
    assert found.candidates[0].confidence > found.candidates[1].confidence
    assert all(each.clues for each in found.candidates)
    assert "jonas@borealis.example is a contact of Borealis GmbH (BOREALIS)." in found.reasons
    assert "The subject names ACME Industries GmbH (ACME)." in found.candidates[1].reasons


def test_the_reasons_are_the_clues_strongest_first():
    found = retreats().suggest(mail("anna@acme.example", subject="Re: [ACME-1042]"))
    weights = [abs(clue.weight) for clue in found.candidates[0].clues]

    assert weights == sorted(weights, reverse=True)
    assert list(found.reasons) == found.candidates[0].reasons


@pytest.mark.parametrize(
    ("subject", "text", "engagement", "work_item"),
    [
        ("Rooms [ACME-1042]", "", "LEAD", "ACME-1042"),
        ("Rooms", "It is about acme-1050.", "SPRING", "ACME-1050"),
        ("Rooms [SPRING]", "", "SPRING", None),
        ("Rooms [ACME-1042]", "not acme-1050", "LEAD", "ACME-1042"),
        ("Rooms [BOR-0311]", "", None, None),  # another client's
        ("Rooms", "", None, None),
    ],
)
def test_a_code_names_the_engagement_and_the_work_item(subject, text, engagement, work_item):
    found = retreats().suggest(mail("anna@acme.example", subject=subject, text=text))

    assert (engagement, work_item) == (
        found.engagement.code if found.engagement else None,
        found.work_item.code if found.work_item else None,
    )


def test_a_thread_keeps_its_engagement():
    thread = (mail("anna@acme.example", subject="Rooms", mapped=past("ACME", 1, "confirmed", "SPRING")),)

    assert "SPRING" == retreats().suggest(mail("anna@acme.example", subject="Re: Rooms", thread=thread)).engagement.code


def test_a_stranger_who_answers_in_a_clients_thread_belongs_to_the_thread():
    thread = (mail("anna@acme.example", subject="Rooms", mapped=past("ACME", 1, "confirmed")),)
    found = retreats().suggest(mail("assistant@elsewhere.example", subject="Re: Rooms", thread=thread))

    assert ("ACME", False) == (code_of(found), found.requires_triage)


def test_a_look_alike_is_stopped_even_in_a_clients_thread_and_is_named():
    thread = (mail("anna@acme.example", subject="Rooms", mapped=past("ACME", 1, "confirmed")),)
    found = retreats().suggest(mail("anna@acme-example.test", subject="Re: Rooms", thread=thread))
    clear = retreats().suggest(mail("anna@acrne.example", subject="Re: Rooms", thread=thread))

    assert code_of(found) == "ACME"
    assert clear.requires_triage
    assert (
        "acrne.example looks like acme.example of ACME Industries GmbH (ACME), but is another domain."
        in clear.objections
    )


def test_a_domain_of_several_accounts_maps_to_none_of_them_by_itself():
    shelf = Shelf().account("NORTH", domains="group.example").account("SOUTH", domains="group.example")
    found = shelf.suggest(mail("someone@group.example"))

    assert found.requires_triage
    assert {"NORTH", "SOUTH"} == {each.account.code for each in found.candidates}


def test_a_name_that_several_share_says_less():
    shelf = Shelf().account("A1", "Meridian").account("A2", "Meridian").account("B", "Bellini")
    one = shelf.suggest(mail("x@gmail.com", subject="Bellini")).candidates[0]
    shared = shelf.suggest(mail("x@gmail.com", subject="Meridian")).candidates[0]

    assert one.confidence > shared.confidence


def test_somebody_who_moved_is_recognised_by_name_but_not_mapped_by_it():
    shelf = retreats().person("Anna Kowalski", "anna@acme.example", "ACME")
    found = shelf.suggest(mail("Anna Kowalski <anna.k@gmail.com>"))

    assert ("ACME", True) == (code_of(found), found.requires_triage)
    assert "who writes from anna@acme.example" in " ".join(found.reasons)


def test_what_is_printed_on_an_attachment_speaks_too():
    shelf = Shelf().account("ACME", aliases="4711-0815").account("BELLINI", "Studio Bellini")
    note = PrintedClient("note.pdf", codes=("4711-0815",))
    bill = PrintedClient("bill.pdf", names=("Studio Bellini S.r.l.",))

    by_note = shelf.suggest(mail("bank@broker.example", documents=(note,)))
    by_bill = shelf.suggest(mail("supplier@paper.example", documents=(bill,)))

    assert ("ACME", True) == (code_of(by_note), by_note.requires_triage)
    assert ["note.pdf names Acme (ACME)."] == list(by_note.reasons)
    assert ["bill.pdf names Studio Bellini (BELLINI)."] == list(by_bill.reasons)


# what people said before


def test_a_correction_outranks_every_guess():
    shelf = retreats()
    shelf.history = [past("FONTANEL", 3, "confirmed"), past("ACME", 9), past("ACME", 12)]
    thread = (mail("anna@acme.example", subject="Rooms", mapped=past("ACME", 9)),)
    found = shelf.suggest(mail("anna@acme.example", subject="Re: Rooms", text="ACME Industries", thread=thread))

    assert "FONTANEL" == code_of(found)
    assert "A person put mail of this sender under Atelier Fontanel (FONTANEL), last on 2026-02-27." == found.reasons[0]


def test_corrections_of_one_who_writes_for_several_only_lean():
    shelf = retreats()
    shelf.history = [past("ACME", 3, "confirmed")]
    found = shelf.suggest(mail("tessa@bridgework.example", subject="Rooms [BOR-0311]"))

    assert ("BOREALIS", True) == (code_of(found), found.requires_triage)


def test_a_choice_for_all_mail_of_a_sender_is_certain_and_settles_who_is_meant():
    shelf = retreats()
    shelf.choice = SenderChoice(account_id("BOREALIS"), None, "person:nora@larkspur.example", NOW)
    found = shelf.suggest(mail("tessa@bridgework.example"))

    assert ("BOREALIS", Decimal("1.00"), False) == (code_of(found), found.confidence, found.requires_triage)
    assert "nora@larkspur.example put every mail of this sender under Borealis GmbH (BOREALIS)." == found.reasons[0]


def test_a_choice_does_not_make_a_spoofed_sender_true():
    shelf = retreats()
    shelf.choice = SenderChoice(account_id("BOREALIS"), None, "person:nora@larkspur.example", NOW)

    assert shelf.suggest(mail("tessa@bridgework.example", trust="spoofed")).requires_triage


def test_what_a_person_took_away_counts_against_an_account_and_is_forgotten_by_and_by():
    confidences = []
    for days in (1, 90, 360, 1500):
        shelf = retreats()
        shelf.rejections = [("ACME", days)]
        confidences.append(
            shelf.suggest(mail("stranger@elsewhere.example", subject="[ACME-1042]")).candidates[0].confidence
        )

    assert confidences == sorted(confidences)
    assert confidences[0] < confidences[-1]


# staleness and the threshold


def test_doubts_lower_the_confidence_of_all_candidates_alike():
    clear = retreats().suggest(mail("anna@acme.example"))
    thread = (mail("anna@acme.example", subject="Something else"),)
    found = retreats().suggest(mail("anna@acme.example", subject="Rooms", thread=thread))

    assert ("Subject changes across thread (penalty: 0.15)",) == found.staleness
    assert found.confidence == found.candidates[0].confidence
    assert not found.requires_triage
    assert Decimal("0.80") <= found.confidence < clear.confidence


def test_below_the_tenants_threshold_a_person_looks():
    email = mail("anna@acme.example")
    sure = retreats().suggest(email).confidence
    policies = [MappingPolicy(threshold=each) for each in (sure, sure + Decimal("0.01"))]

    assert [False, True] == [retreats().suggest(email, policy).requires_triage for policy in policies]


def test_a_guess_is_never_certain():
    thread = tuple(mail("anna@acme.example", subject="Rooms", mapped=past("ACME", 1, "confirmed")) for _ in range(9))
    found = retreats().suggest(
        mail("anna@acme.example", subject="Rooms [ACME-1042]", signature="ACME Industries", thread=thread)
    )

    assert Decimal("0.99") == found.confidence


def test_nothing_known_suggests_nothing_and_says_so():
    found = Shelf().suggest(mail("anna@acme.example", subject="ACME"))

    assert (None, Decimal("0.00"), (), True) == (found.account, found.confidence, found.reasons, found.requires_triage)
    assert "No account is likely." == found.because


def test_a_book_that_names_a_free_mail_domain_does_not_map_by_it():
    shelf = Shelf().account("LUCIA", domains="gmail.com")

    assert shelf.suggest(mail("somebody@gmail.com")).account is None


def test_our_own_domain_in_a_book_maps_nobody():
    shelf = Shelf().account("US", domains="larkspur.example")

    assert shelf.suggest(mail("nora@larkspur.example", to="x@elsewhere.example")).account is None


def test_the_same_mail_gives_the_same_answer():
    email = replace(mail("tessa@bridgework.example", subject="Rooms"), text="Borealis and ACME Industries")

    assert retreats().suggest(email) == retreats().suggest(email)


def test_whom_one_of_us_wrote_to_last_says_nothing_about_the_next_mail():
    """Our own people write to every client."""
    shelf = retreats()
    shelf.history = [past("BOREALIS", 1, "confirmed"), past("BOREALIS", 2)]
    found = shelf.suggest(mail("nora@larkspur.example", to="anna@acme.example"))
    assert ("ACME", False) == (found.account.code, found.requires_triage)
    assert {"recipient"} == {clue.signal for clue in found.candidates[0].clues}


def test_what_an_outsider_s_mail_names_counts_more_than_one_decision_about_an_earlier_one():
    shelf = retreats()
    shelf.history = [past("BOREALIS", 3, "confirmed")]
    found = shelf.suggest(mail("kim@courier.example", subject="ACME Industries: parcel", text="For ACME Industries."))
    assert ("ACME", True) == (found.account.code, found.requires_triage)


def test_two_decisions_about_an_outsider_suffice_when_nothing_speaks_against():
    shelf = retreats()
    shelf.history = [past("BOREALIS", 3, "confirmed")]
    assert shelf.suggest(mail("jo@gmail.com", subject="Hello")).requires_triage
    shelf.history = [past("BOREALIS", 3, "confirmed"), past("BOREALIS", 9, "confirmed")]
    found = shelf.suggest(mail("jo@gmail.com", subject="Hello"))
    assert ("BOREALIS", False) == (found.account.code, found.requires_triage)
