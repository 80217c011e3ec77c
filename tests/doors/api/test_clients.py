"""The client book and the mappings over HTTP, as other programs use them."""

from __future__ import annotations

import asyncio
import json

import pytest

from doors.api.test_events import events
from rooms.clients.bad_books import BAD_ACCOUNTS

BOOK = {
    "accounts.csv": b"code,name,aliases,domains,status\nBOREALIS,Borealis GmbH,,borealis.example,active\nOLDHAM,Oldham & Sons,,oldham.example,closed\n",
    "contacts.csv": b"email,name,account\njonas@borealis.example,Jonas,BOREALIS\ntessa@bridgework.example,Tessa,ACME\ntessa@bridgework.example,Tessa,BOREALIS\n",
    "engagements.csv": b"code,name,account,status\nTEAM,Team days,BOREALIS,open\n",
    "work_items.csv": b"code,name,engagement,status\nBOR-0311,Rooms,TEAM,open\n",
}


def uploaded(**changed: bytes) -> list[tuple[str, tuple[str, bytes]]]:
    files = {**BOOK, **{f"{name}.csv": content for name, content in changed.items()}}
    return [("file", item) for item in files.items()]


async def imported(api, **options):
    return await api.by("operator").post("/accounts/import", files=uploaded(), **options)


async def test_a_book_is_imported_wholly_once_and_again_without_a_change(api):
    dry = (await imported(api, params={"dry_run": True})).json()
    assert (True, 2, 404) == (
        dry["dry_run"],
        dry["accounts"]["new"],
        (await api.by("viewer").get("/accounts/BOREALIS")).status_code,
    )

    assert {"new": 2, "changed": 0, "same": 0} == (await imported(api)).json()["accounts"]
    again = (await imported(api)).json()
    assert {(0, 0)} == {
        (again[kind]["new"], again[kind]["changed"]) for kind in ("accounts", "contacts", "engagements", "work_items")
    }


async def test_one_bad_line_and_every_bad_line_is_named_and_nothing_taken(api):
    files = uploaded(contacts=b"email,name,account\nnobody,N,BOREALIS\nx@y.example,X,NOSUCH\n")
    answer = await api.by("operator").post("/accounts/import", files=files)
    assert 422 == answer.status_code
    assert ["contacts.csv:2", "contacts.csv:3"] == [each["where"] for each in answer.json()["errors"]]
    assert 404 == (await api.by("viewer").get("/accounts/BOREALIS")).status_code


@pytest.mark.parametrize(("content", "said"), BAD_ACCOUNTS)
async def test_of_every_bad_file_each_bad_line_is_told_once_and_nothing_is_taken(api, content, said):
    before = (await api.get("/accounts"))["items"]
    answer = await api.by("operator").post("/accounts/import", files={"file": ("accounts.csv", content)})
    assert 422 == answer.status_code
    assert [(f"accounts.csv:{line}", because) for line, because in said] == [
        (each["where"], each["what"]) for each in answer.json()["errors"]
    ]
    assert before == (await api.get("/accounts"))["items"]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["account.csv"], "There is no book here"),
        (["account.csv", "contacts.csv"], "'account.csv' is no file of a book"),
        (["accounts.csv", "accounts.csv"], "Two of the files have the same name"),
    ],
)
async def test_a_file_that_would_be_passed_over_is_refused(api, names, said):
    files = [("file", (name, BOOK["accounts.csv"])) for name in names]
    answer = await api.by("operator").post("/accounts/import", files=files)
    assert (400, True) == (answer.status_code, said in answer.json()["detail"])
    assert 404 == (await api.by("viewer").get("/accounts/BOREALIS")).status_code


async def test_every_change_of_a_mapping_is_told_on_the_stream_as_it_happens(api):
    path, nora = f"/mappings/{api.ours['mapping_id']}", api.by("operator")
    stream = events(api.by("viewer"), "/events", params={"kind": "mapping"})
    assert {"open": True} == await anext(stream)
    async with asyncio.timeout(20):
        for act, body, kind in (
            ("confirm", {"account": "ACME"}, "mapping.confirmed"),
            ("confirm", {"account": "SPARE"}, "mapping.confirmed"),
            ("ignore", {"reason": "A newsletter."}, "mapping.ignored"),
            ("undo", {}, "mapping.undone"),
        ):
            assert 200 == (await nora.post(f"{path}/{act}", json=body)).status_code
            seen = await anext(stream)
            told = json.loads(seen["data"])
            assert (kind, str(api.ours["message_id"])) == (seen["event"], told["message_id"])
    await stream.aclose()


@pytest.mark.parametrize(
    ("mail", "account", "work_item", "triage"),
    [
        ({"from": "jonas@borealis.example", "subject": "Rooms [BOR-0311]"}, "BOREALIS", "BOR-0311", False),
        ({"from": "Eva <eva@borealis.example>", "text": "Hello"}, "BOREALIS", None, False),
        ({"from": "eva@borea1is.example", "subject": "Borealis: new account"}, "BOREALIS", None, True),
        ({"from": "max@oldham.example", "subject": "Hello"}, "OLDHAM", None, True),
        ({"from": "somebody@gmail.com", "subject": "Hello"}, None, None, True),
        ({"from": None, "to": None, "thread": None}, None, None, True),
    ],
)
async def test_whose_mail_a_mail_would_be(api, mail, account, work_item, triage):
    await imported(api)
    answer = await api.by("viewer").post("/mappings/suggest", json=mail)
    found = answer.json()
    assert 200 == answer.status_code, answer.text
    assert (account, work_item, triage) == (found["account"], found["work_item"], found["requires_triage"])
    assert found["reasons"]
    assert isinstance(found["confidence"], str)


async def test_the_example_of_staleness_is_exact(api):
    """A contact of two accounts, whose thread is older than ninety days."""
    await imported(api)
    thread = [{"from": "jonas@borealis.example", "subject": "Rooms", "date": "2026-01-01T09:00:00Z"}]
    mail = {
        "from": "tessa@bridgework.example",
        "subject": "Re: Rooms",
        "thread": thread,
        "date": "2026-06-01T09:00:00Z",
    }
    found = (await api.by("viewer").post("/mappings/suggest", json=mail)).json()
    assert [
        "Contact email associated with multiple accounts (penalty: 0.25)",
        "Last confident mapping is older than 90 days (penalty: 0.30)",
    ] == found["staleness"]
    assert found["requires_triage"]


async def test_a_person_confirms_moves_sets_aside_and_takes_back(api):
    await imported(api)
    path = f"/mappings/{api.ours['mapping_id']}"
    nora = api.by("operator")

    confirmed = (await nora.post(f"{path}/confirm", json={"account": "BOREALIS", "work_item": "BOR-0311"})).json()
    assert ("confirmed", "BOREALIS", "TEAM", "BOR-0311", "1.00", 1) == tuple(
        confirmed[name] for name in ("status", "account", "engagement", "work_item", "confidence", "touched")
    )
    listed = await api.get("/mappings", account="BOREALIS", status="confirmed")
    assert [str(api.ours["message_id"])] == [each["message_id"] for each in listed["items"]]

    ignored = (await nora.post(f"{path}/ignore", json={"reason": "A newsletter."})).json()
    assert ("ignored", None, "A newsletter.") == (ignored["status"], ignored["account"], ignored["ignore_reason"])
    assert "BOREALIS" == (await nora.post(f"{path}/undo")).json()["account"]
    assert "triage" == (await nora.post(f"{path}/undo")).json()["status"]
    assert 409 == (await nora.post(f"{path}/undo")).status_code

    changes = (await api.get(path))["changes"]
    assert ["ignore", "remap"] == [each["action"] for each in changes]
    assert all(each["undone_by"] for each in changes)


async def test_whoever_decides_second_is_told_who_was_first(api):
    path = f"/mappings/{api.ours['mapping_id']}"
    seen = (await api.get(path))["revision"]
    await api.by("admin").post(f"{path}/confirm", json={"account": "ACME", "revision": seen})
    answer = await api.by("operator").post(f"{path}/confirm", json={"account": "SPARE", "revision": seen})
    assert 409 == answer.status_code
    assert "key admin" in answer.json()["detail"]
    assert "ACME" == (await api.get(path))["account"]


async def test_the_book_is_kept_by_hand_with_its_history(api):
    nora = api.by("operator")
    assert 201 == (await nora.post("/accounts", json={"code": "GRANIT", "name": "Granit Bau AG"})).status_code
    assert 409 == (await nora.post("/accounts", json={"code": "granit", "name": "Again"})).status_code
    free = await nora.patch("/accounts/GRANIT", json={"domains": ["gmail.com"]})
    assert (400, True) == (free.status_code, "free-mail" in free.json()["detail"])
    await nora.patch("/accounts/GRANIT", json={"domains": ["granit-bau.example"]})
    await nora.post("/accounts/GRANIT/contacts", json={"email": "Urs+x@granit-bau.example", "name": "Urs"})
    await nora.post("/accounts/GRANIT/engagements", json={"code": "SITE", "name": "Site office"})
    await nora.post("/accounts/GRANIT/work-items", json={"engagement": "SITE", "code": "GR-1"})
    foreign = await nora.post("/accounts/GRANIT/work-items", json={"engagement": "LEAD", "code": "GR-2"})
    assert 404 == foreign.status_code

    found = await api.get("/accounts/GRANIT")
    assert ["urs@granit-bau.example"] == [each["email"] for each in found["contacts"]]
    assert [("SITE", ["GR-1"])] == [
        (each["code"], [item["code"] for item in each["work_items"]]) for each in found["engagements"]
    ]
    assert ["GRANIT"] == [each["code"] for each in (await api.get("/accounts", q="granit b"))["items"]]
    assert "closed" == (await nora.post("/accounts/GRANIT/close")).json()["status"]

    moved = (await nora.post("/accounts/GRANIT/merge", json={"into": "ACME"})).json()
    assert (1, "ACME") == (moved["contacts"], moved["account"]["code"])
    assert 409 == (await nora.post("/accounts/GRANIT/reopen")).status_code
    history = (await api.get("/accounts/GRANIT/history"))["items"]
    assert "merged" == history[0]["what"]
    assert {"account", "contacts", "engagement", "work_items"} < {each["what"] for each in history}


async def test_accounts_are_listed_page_by_page_with_a_cursor(api):
    await imported(api)
    seen, cursor = [], None
    while True:
        page = await api.get("/accounts", limit=2, **({"cursor": cursor} if cursor else {}))
        seen += [each["code"] for each in page["items"]]
        if (cursor := page["next"]) is None:
            break
    assert ["ACME", "BOREALIS", "OLDHAM", "SPARE"] == seen


async def test_proposals_about_contacts_are_decided_once(api):
    nora, path = api.by("operator"), f"/accounts/contact-proposals/{api.ours['proposal_id']}"
    listed = (await api.get("/accounts/contact-proposals"))["items"]
    assert [("ben@acme.example", ["SPARE"], "silent")] == [
        (one["email"], one["accounts"], one["kind"]) for one in listed
    ]
    assert "accepted" == (await nora.post(f"{path}/accept")).json()["status"]
    again = await api.by("admin").post(f"{path}/dismiss")
    assert (409, True) == (again.status_code, "key operator" in again.json()["detail"])
    assert [] == (await api.get("/accounts/SPARE"))["contacts"]


async def test_how_sure_is_sure_enough_is_the_tenants_to_say(api):
    changed = (
        await api.by("admin").patch("/mappings/policy", json={"threshold": 0.95, "stale_penalty": "0.10"})
    ).json()
    assert ("0.95", "0.10", "0.25") == tuple(
        changed[name] for name in ("threshold", "stale_penalty", "multi_account_penalty")
    )
    assert 422 == (await api.by("admin").patch("/mappings/policy", json={"threshold": 0.2})).status_code
    told = await api.get("/facts", kind="mapping.policy_changed")
    assert ["0.95"] == [each["body"]["after"]["threshold"] for each in told["items"]]


async def test_the_report_says_how_each_signal_did(api):
    await api.by("operator").post(f"/mappings/{api.ours['mapping_id']}/confirm", json={"account": "SPARE"})
    report = {each["signal"]: each for each in (await api.get("/mappings/signals"))["items"]}
    assert (0, 1, 0.0) == tuple(report["domain"][name] for name in ("right", "wrong", "precision"))
    assert report["domain"]["weight"] < report["domain"]["fitted"]
    assert report["contact"]["precision"] is None


async def test_messages_and_documents_say_whose_they_are_and_are_found_by_it(api):
    message, document = str(api.ours["message_id"]), str(api.ours["document_id"])
    assert (await api.get(f"/messages/{message}"))["client"] is None
    await api.by("operator").post(f"/mappings/{api.ours['mapping_id']}/confirm", json={"account": "ACME"})

    assert "ACME" == (await api.get(f"/messages/{message}"))["client"]
    assert "ACME" == (await api.get(f"/documents/{document}"))["client"]
    for client in ("ACME", "acme", str(api.ours["account_id"])):
        assert [message] == [each["id"] for each in (await api.get("/messages", client=client))["items"]]
        assert [document] == [each["id"] for each in (await api.get("/documents", client=client))["items"]]
    assert [] == (await api.get("/messages", client="ACME", status="failed"))["items"]
    assert [message] == [
        each["id"] for each in (await api.get("/messages", client="ACME", status="processed"))["items"]
    ]
    assert [] == (await api.get("/messages", client="NOSUCH"))["items"]
    assert [] == (await api.get("/documents", client=str(api.theirs["account_id"])))["items"]
    assert {"ACME", None} == {each["client"] for each in (await api.get("/messages"))["items"]}
    await api.by("operator").post("/accounts/ACME/merge", json={"into": "SPARE"})
    assert [message] == [each["id"] for each in (await api.get("/messages", client="ACME"))["items"]]
