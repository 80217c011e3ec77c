"""Documents, trades, invoices and orders over the API."""

from __future__ import annotations

import json

import pytest

from doors.api.filling import PDF


async def test_a_document_comes_with_its_trades_and_where_each_value_was_read(api):
    body = await api.get(f"/documents/{api.ours['document_id']}")
    assert ("review", "Unsure of net.") == (body["status"], body["because"])
    other = {"value": "10", "by": "tiny-2026", "page": 1, "box": None}
    found = {"value": "100", "confidence": 0.9, "page": 1, "box": [10, 10, 40, 20], "candidates": [other]}
    assert found == body["fields"]["quantity"]
    assert {"quantity": {"ours": "100", "theirs": "10", "quote": "10 pieces"}} == body["opinion"]["differs"]
    trade = body["trades"][0]
    assert ("100", "10.5", "1050", "2026-02-04") == tuple(
        trade[name] for name in ("quantity", "price", "net", "trade_date")
    )
    assert trade == await api.get(f"/trades/{api.ours['trade_id']}")


async def test_documents_are_listed_by_status_kind_and_message(api):
    async def found(**asked) -> set[str]:
        return {each["id"] for each in (await api.get("/documents", **asked))["items"]}

    note, bill, handed_in = (str(api.ours[name]) for name in ("document_id", "bill_id", "upload_id"))
    assert {note, bill, handed_in} == await found()
    assert {note, bill} == await found(status="review")
    assert {bill} == await found(status="review", kind="invoice")
    assert {note} == await found(message_id=str(api.ours["message_id"]))
    both = await api.by("viewer").get(
        "/documents", params={"message_id": str(api.ours["message_id"]), "status": "review"}
    )
    assert 400 == both.status_code


async def test_a_person_corrects_and_confirms(api):
    path = f"/documents/{api.ours['document_id']}"
    corrected = (await api.by("operator").post(f"{path}/correct", json={"changes": {"quantity": "90"}})).json()
    assert "90" == corrected["document"]["trades"][0]["quantity"]
    assert [("quantity", "100", "90", "key:operator")] == [
        (each["field"], each["before"], each["after"], each["corrected_by"].rpartition(":")[0])
        for each in corrected["document"]["corrections"]
    ]
    wanted = {"order_id": str(api.ours["order_id"])}
    unexplained = await api.by("operator").post(f"{path}/confirm", json=wanted)
    assert (400, True) == (unexplained.status_code, "Say why it is right" in unexplained.json()["detail"])
    confirmed = await api.by("operator").post(f"{path}/confirm", json={**wanted, "reason": "The broker rounds."})
    assert (200, "confirmed") == (confirmed.status_code, confirmed.json()["status"])
    assert "90" == (await api.get(f"/orders/{api.ours['order_id']}"))["filled"]
    assert 409 == (await api.by("operator").post(f"{path}/confirm")).status_code
    kinds = {each["kind"] for each in (await api.get(f"{path}/facts"))["items"]}
    assert {"document.corrected", "trade.confirmed"} <= kinds


async def test_a_correction_that_will_not_do_says_what_would(api):
    answer = await api.by("operator").post(
        f"/documents/{api.ours['document_id']}/correct", json={"changes": {"quantity": "a lot"}}
    )
    assert (400, True) == (answer.status_code, "write it as 1234.56" in answer.json()["detail"])


@pytest.mark.parametrize("changes", [{"quantity": "-60"}, {"quantity": "0"}, {"net": "-1"}, {"name": "\ud800"}])
async def test_what_no_trade_has_is_refused_when_it_is_corrected(api, changes):
    path = f"/documents/{api.ours['document_id']}"
    answer = await api.by("operator").post(f"{path}/correct", content=json.dumps({"changes": changes}))

    assert answer.status_code in (400, 422), answer.text


async def test_a_rejected_document_says_why_and_by_whom(api):
    path = f"/documents/{api.ours['bill_id']}"
    rejected = await api.by("operator").post(f"{path}/reject", json={"because": "Not ours."})
    said = rejected.json()["because"]
    assert said.startswith("Rejected by key")
    assert said.endswith(": Not ours.")
    assert "operator" in said
    assert 422 == (await api.by("operator").post(f"{path}/reject", json={"because": " "})).status_code
    assert "rejected" == (await api.get(f"/invoices/{api.ours['invoice_id']}"))["status"]


async def test_an_invoice_comes_with_its_lines(api):
    body = await api.get(f"/invoices/{api.ours['invoice_id']}")
    assert ("119", "Paper", "2") == (body["grand_total"], body["lines"][0]["description"], body["lines"][0]["quantity"])


async def test_an_entry_of_another_kind_has_its_values_by_name(api):
    body = await api.get(f"/bookings/{api.ours['booking_id']}")
    assert ("dividend", "review", "30") == (body["kind"], body["status"], body["values"]["net"])
    assert [] == (await api.get("/bookings", status="confirmed"))["items"]
    assert 404 == (await api.by("viewer").get(f"/bookings/{api.theirs['booking_id']}")).status_code


async def test_the_document_that_has_waited_longest_is_next(api):
    first = (await api.get("/documents/next"))["id"]
    second = (await api.get("/documents/next", after=first))["id"]
    assert {str(api.ours["document_id"]), str(api.ours["bill_id"])} == {first, second}


async def test_a_file_that_nobody_reads_is_taken_as_from_mail_and_a_small_picture_refused_as_there(api):
    heic = b"\0\0\0\x18ftypheic" + bytes(20_000)
    taken = await api.by("operator").post("/documents", files={"file": ("note.heic", heic)})
    refused = await api.by("operator").post("/documents", files={"file": ("dot.gif", b"GIF89a" + bytes(90))})

    assert 201 == taken.status_code
    assert 400 == refused.status_code
    assert "Too small a picture to be a document." in refused.text


async def test_a_file_is_handed_in_shown_and_given_back(api):
    answer = await api.by("operator").post(
        "/documents", files={"file": ("mine.pdf", PDF)}, data={"sender_email": "notes@broker.test"}
    )
    assert (201, "waiting", "notes@broker.test") == (
        answer.status_code,
        answer.json()["status"],
        answer.json()["sender_email"],
    )
    path = f"/documents/{answer.json()['id']}"
    picture = await api.by("viewer").get(f"{path}/pages/1", params={"width": 200})
    assert ("image/png", b"\x89PNG") == (picture.headers["content-type"], picture.content[:4])
    assert 422 == (await api.by("viewer").get(f"{path}/pages/7")).status_code
    file = await api.by("viewer").get(f"{path}/file")
    assert PDF == file.content
    assert file.headers["content-disposition"].startswith("attachment")


async def test_a_file_that_is_no_document_is_refused(api):
    answer = await api.by("operator").post("/documents", files={"file": ("virus.exe", b"MZ\x90")})
    assert (400, True) == (answer.status_code, "virus.exe is not taken" in answer.json()["detail"])


async def test_more_than_a_file_may_be_is_refused_without_reading_on(api):
    answer = await api.by("operator").post("/documents", files={"file": ("big.pdf", PDF + b" " * 28_000_000)})
    assert 413 == answer.status_code
    answer = await api.by("operator").post(
        "/orders", content=b'{"username": "' + b"x" * 1_100_000, headers={"content-type": "application/json"}
    )
    assert 413 == answer.status_code


async def test_orders_are_imported_wholly_or_not_at_all(api):
    head = b"username,isin,direction,quantity,placed_on\n"
    fine = head + b"anna,IE00B4L5Y983,BUY,10,2026-02-05\nben,US0378331005,SELL,3,2026-02-05\n"
    imported = await api.by("operator").post("/orders/import", files={"file": ("orders.csv", fine)})
    assert {"new": 2, "changed": 0, "unchanged": 0} == imported.json()
    again = await api.by("operator").post("/orders/import", files={"file": ("orders.csv", fine)})
    assert {"new": 0, "changed": 0, "unchanged": 2} == again.json()
    bad = await api.by("operator").post(
        "/orders/import", files={"file": ("orders.csv", fine + b"cleo,IE00B4L5Y984,BUY,1,2026-02-05\n")}
    )
    assert (422, ["line 4"]) == (bad.status_code, [each["where"] for each in bad.json()["errors"]])
    assert 3 == len((await api.get("/orders"))["items"])


async def test_an_order_is_placed_and_cancelled(api):
    wanted = {"username": "ben", "ticker": "aapl", "direction": "SELL", "quantity": "5", "placed_on": "2026-02-05"}
    placed = (await api.by("operator").post("/orders", json=wanted)).json()
    assert ("AAPL", "open", "5") == (placed["ticker"], placed["status"], placed["quantity"])
    assert "cancelled" == (await api.by("operator").post(f"/orders/{placed['id']}/cancel")).json()["status"]
    assert 409 == (await api.by("operator").post(f"/orders/{placed['id']}/cancel")).status_code
    assert [placed["id"]] == [each["id"] for each in (await api.get("/orders", status="cancelled"))["items"]]


async def test_a_file_of_a_message_comes_with_its_bytes_and_is_saved_not_shown(api):
    path = f"/messages/{api.ours['message_id']}/attachments"
    [told] = (await api.get(path))["items"]
    answer = await api.by("viewer").get(f"{path}/{told['sha256']}")
    assert (200, PDF, "application/octet-stream") == (
        answer.status_code,
        answer.content,
        answer.headers["content-type"],
    )
    assert "attachment; filename*=UTF-8''note.pdf" == answer.headers["content-disposition"]
    assert 404 == (await api.by("viewer").get(f"{path}/{'0' * 64}")).status_code
