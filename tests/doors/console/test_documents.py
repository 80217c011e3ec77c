"""Documents: handed in, looked at, decided."""

from __future__ import annotations

import json
import re

import aiohttp

from doors.console.place import Place, disagree, hand_in, revision


async def test_a_document_is_handed_in_corrected_confirmed_and_leaves_the_queue(place: Place):
    operator = await place.come_in("operator")
    await hand_in(place, operator, 3, 4)
    answer = await operator.raw("GET", "/documents/review")
    path = answer.headers["Location"]
    _, page = await operator.get(path)
    trade = re.search(r'name="trade_id" value="([^"]+)"', page)
    quantity = re.search(r'name="quantity" value="([^"]+)"', page)
    assert trade
    assert quantity
    form = {"trade_id": trade[1], "quantity": str(int(quantity[1]) + 1), "revision": revision(page)}
    corrected = await operator.post(f"{path}/correct", form)
    now = revision(await corrected.text())
    confirmed = await operator.post(f"{path}/confirm", {"revision": now, "reason": "Seen on paper."})
    again = await operator.post(f"{path}/confirm", {"revision": now})

    assert (200, 200, 409) == (corrected.status, confirmed.status, again.status)
    assert f"{quantity[1]} × " not in page
    assert "Corrected." in corrected.headers["HX-Trigger"]
    assert int(quantity[1]) + 1 == place.ask("SELECT quantity FROM postroom.trade WHERE status = 'confirmed'")
    following = confirmed.headers["HX-Push-Url"]
    assert following != path
    assert {"confirmed": 1, "review": 1} == place.ask(
        "SELECT jsonb_object_agg(status, n) FROM (SELECT status, count(*) AS n FROM postroom.document GROUP BY 1) x"
    )

    _, page = await operator.get(following)
    rejected = await operator.post(f"{following}/reject", {"because": "Not ours", "revision": revision(page)})
    assert "Nothing else is to review." in rejected.headers["HX-Trigger"]
    assert "rejected" == place.ask("SELECT status FROM postroom.document ORDER BY updated_at DESC LIMIT 1")


async def test_one_file_that_cannot_be_taken_keeps_no_other_out_and_the_count_to_review_is_a_part(place: Place):
    operator = await place.come_in("operator")
    form = aiohttp.FormData()
    for name, content in (
        ("first.pdf", b"%PDF-1.4 broken"),
        ("empty.pdf", b""),
        ("last.pdf", b"%PDF-1.7 broken"),
    ):
        form.add_field("files", content, filename=name, content_type="application/pdf")
    answer = await operator.post("/documents/upload", form)
    await hand_in(place, operator, 3)
    _, part = await operator.get("/documents", HX_Request="true", HX_Target="to-review")

    assert ("Of 3 files 2 are being read. empty.pdf is not taken: The file is empty.", "bad") == (
        json.loads(answer.headers["HX-Trigger"])["toast"]["text"],
        json.loads(answer.headers["HX-Trigger"])["toast"]["kind"],
    )
    assert ["first.pdf", "last.pdf", "note-3.pdf"] == place.ask(
        "SELECT jsonb_agg(filename ORDER BY filename) FROM postroom.document"
    )
    assert 200 == answer.status
    assert part.startswith('<div id="to-review"')
    assert "Review 1 " in part


async def test_what_a_model_read_stands_beside_ours_until_a_person_decides(place: Place):
    operator = await place.come_in("operator")
    await hand_in(place, operator, 3)
    disagree(place)
    path = f"/documents/{place.ask('SELECT id FROM postroom.document')}"
    trade = place.ask("SELECT id FROM postroom.trade")
    _, page = await operator.get(path)
    _, sheet = await operator.get(f"{path}/pages/1", HX_Request="true", HX_Target="sheet")
    assert re.search(r"tiny-2026: <button[^>]*>99999</button>", page)
    assert "Quantity, another reading: 99999" in sheet

    await operator.post(f"{path}/correct", {"trade_id": str(trade), "fees": "1.00", "revision": revision(page)})
    _, page = await operator.get(path)
    assert "tiny-2026: <button" in page
    await operator.post(f"{path}/correct", {"trade_id": str(trade), "quantity": "99999", "revision": revision(page)})
    assert "tiny-2026: <button" not in (await operator.get(path))[1]


async def test_a_page_is_drawn_with_a_mark_where_each_field_was_read(place: Place):
    operator = await place.come_in("operator")
    await hand_in(place, operator, 3)
    document = place.ask("SELECT id FROM postroom.document")
    status, part = await operator.get(f"/documents/{document}/pages/1", HX_Request="true", HX_Target="sheet")
    image = await operator.raw("GET", f"/documents/{document}/pages/1/image")
    spots = set(re.findall(r'data-spot="[^:]+:(\w+)"', part))
    box = [float(number) for number in re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', part).groups()]

    assert (200, "image/png") == (status, image.content_type)
    assert {"isin", "quantity", "net", "trade_date"} <= spots
    assert [595, 842] == [round(side) for side in box]
