"""Attachments: three kinds, inline pictures, uploads in pieces."""

from __future__ import annotations

import base64
import io
from email import policy
from email.parser import BytesParser

import pytest

from simulators.graph.office import ANNA, BERT, IMMUTABLE, mail

ME = f"/users/{ANNA}"
PDF = b"%PDF-1.7 " + bytes(range(256)) * 40


def with_everything():
    inner = mail("Inner", "The note is inside.")
    inner.add_attachment(PDF, maintype="application", subtype="pdf", filename="inner.pdf")
    message = mail("Outer", html='<p><img src="cid:logo"></p>')
    message.get_payload()[1].add_related(b"PNG", maintype="image", subtype="png", cid="<logo>", filename="logo.png")
    message.add_attachment(PDF, maintype="application", subtype="pdf", filename="Überweisung.pdf")
    message.add_attachment(inner)
    return message


async def test_the_three_kinds_are_listed_with_their_types(desk):
    key = desk.deliver(with_everything())
    desk.sim.attach_link(ANNA, key, "Plan", "https://files.test/plan")

    rows = (await desk.get(f"{ME}/messages/{key}/attachments")).body["value"]

    assert [(row["@odata.type"].rpartition(".")[2], row["name"], row["isInline"]) for row in rows] == [
        ("fileAttachment", "logo.png", True),
        ("fileAttachment", "Überweisung.pdf", False),
        ("itemAttachment", "Inner", False),
        ("referenceAttachment", "Plan", False),
    ]
    assert base64.b64decode(rows[1]["contentBytes"]) == PDF
    assert rows[0]["contentId"] == "logo"
    assert rows[1]["size"] > len(PDF)
    assert (rows[2]["contentType"], "contentBytes" in rows[2]) == (None, False)


async def test_a_selected_list_carries_no_content(desk):
    key = desk.deliver(with_everything())
    path = f"{ME}/messages/{key}/attachments"

    rows = (await desk.get(f"{path}?$select=id,name,contentType,size,isInline,lastModifiedDateTime")).body["value"]
    refused = await desk.get(f"{path}?$select=contentId")
    counted = await desk.get(f"{path}/$count")

    assert not any("contentBytes" in row for row in rows)
    assert (refused.status, counted.content) == (400, b"3")


async def test_values_are_bytes_mime_or_not_allowed(desk):
    key = desk.deliver(with_everything())
    desk.sim.attach_link(ANNA, key, "Plan", "https://files.test/plan")
    path = f"{ME}/messages/{key}/attachments"
    rows = (await desk.get(path)).body["value"]

    _, pdf, inner, link = [await desk.get(f"{path}/{row['id']}/$value") for row in rows]

    assert (pdf.content, pdf.headers["Content-Type"]) == (PDF, "application/pdf")
    assert BytesParser(policy=policy.default).parsebytes(inner.content)["Subject"] == "Inner"
    assert link.status == 405


async def test_an_item_expands_to_the_message_inside_with_its_files(desk):
    key = desk.deliver(with_everything())
    path = f"{ME}/messages/{key}/attachments"
    row = (await desk.get(path)).body["value"][2]

    closed = (await desk.get(f"{path}/{row['id']}")).body
    opened = (await desk.get(f"{path}/{row['id']}?$expand=microsoft.graph.itemattachment/item")).body

    assert "item" not in closed
    assert (opened["item"]["id"], opened["item"]["subject"]) == ("", "Inner")
    [inside] = opened["item"]["attachments"]
    assert base64.b64decode(inside["contentBytes"]) == PDF


async def test_only_inline_pictures_do_not_count_as_attachments(desk):
    message = mail(html='<img src="cid:logo">')
    message.get_payload()[1].add_related(b"PNG", maintype="image", subtype="png", cid="<logo>")
    key = desk.deliver(message)

    shown = (await desk.get(f"{ME}/messages/{key}?$expand=attachments")).body

    assert shown["hasAttachments"] is False
    assert len(shown["attachments"]) == 1


async def test_attachment_ids_follow_the_id_format_of_the_request(desk):
    key = desk.deliver(with_everything())
    path = f"{ME}/messages/{key}/attachments"

    default = (await desk.get(path)).body["value"][1]["id"]
    immutable = (await desk.get(path, headers=IMMUTABLE)).body["value"][1]["id"]
    desk.sim.move(ANNA, key, "archive")

    assert default != immutable
    assert (await desk.get(f"{path}/{default}")).status == 404
    assert (await desk.get(f"{path}/{immutable}")).status == 200


async def test_files_are_added_to_and_taken_from_a_draft(desk):
    draft = (await desk.post(f"{ME}/messages", {"subject": "x"}, headers=IMMUTABLE)).body
    path = f"{ME}/messages/{draft['id']}/attachments"
    content = base64.b64encode(PDF).decode()
    file = {"@odata.type": "#microsoft.graph.fileAttachment", "name": "a.pdf", "contentBytes": content}

    added = await desk.post(path, file)
    link = {"@odata.type": "#microsoft.graph.referenceAttachment", "name": "l", "sourceUrl": "https://files.test/l"}
    linked = await desk.post(path, link)
    untyped = await desk.post(path, {"name": "a.pdf", "contentBytes": content})
    broken = await desk.post(path, {**file, "contentBytes": "!!"})
    after = (await desk.get(f"{ME}/messages/{draft['id']}")).body
    removed = await desk.delete(f"{path}/{added.body['id']}")

    assert (added.status, linked.status, untyped.status, broken.status) == (201, 201, 400, 400)
    assert after["hasAttachments"] is True
    assert after["changeKey"] != draft["changeKey"]
    assert removed.status == 204
    assert [row["name"] for row in (await desk.get(path)).body["value"]] == ["l"]


async def test_links_and_embedded_mail_survive_the_way_to_another_mailbox(desk):
    item = {"@odata.type": "#microsoft.graph.itemAttachment", "name": "Inner", "item": {"subject": "Inner"}}
    link = {"@odata.type": "#microsoft.graph.referenceAttachment", "name": "Plan", "sourceUrl": "https://files.test/p"}
    message = {"toRecipients": [{"emailAddress": {"address": BERT}}], "attachments": [link, item]}

    await desk.post(f"{ME}/sendMail", {"message": message})

    [arrived] = desk.sim.mailboxes[BERT].everything.items.values()
    assert [(one.kind, one.name, one.url) for one in arrived.attached] == [
        ("reference", "Plan", "https://files.test/p"),
        ("item", "Inner", ""),
    ]


async def test_a_large_file_comes_in_pieces_without_a_token(desk):
    draft = (await desk.post(f"{ME}/messages", {"subject": "x"}, headers=IMMUTABLE)).body["id"]
    size = 3 * 1024 * 1024 + 10
    item = {"AttachmentItem": {"attachmentType": "file", "name": "big.bin", "size": size}}
    session = await desk.post(f"{ME}/messages/{draft}/attachments/createUploadSession", item)
    url = session.body["uploadUrl"]
    data = bytes(size)

    async def put(start: int, end: int):
        headers = {"Content-Range": f"bytes {start}-{end - 1}/{size}"}
        async with desk.session.put(url, data=io.BytesIO(data[start:end]), headers=headers) as answer:
            return answer.status, answer.headers, await answer.read()

    first = await put(0, 2_000_000)
    again = await put(0, 2_000_000)
    last = await put(2_000_000, size)

    assert (session.status, session.body["nextExpectedRanges"]) == (201, ["0-"])
    assert (first[0], again[0], last[0]) == (200, 416, 201)
    assert b'"2000000-"' in first[2]
    assert (await desk.get(last[1]["Location"])).body["name"] == "big.bin"
    assert (await desk.get(f"{last[1]['Location']}/$value")).content == data
    assert desk.sim.recorder.mistakes == []


@pytest.mark.parametrize(
    ("size", "code"),
    [
        (1000, "ErrorAttachmentSizeShouldNotBeLessThanMinimumSize"),
        (200 * 1024 * 1024, "ErrorAttachmentSizeLimitExceeded"),
    ],
)
async def test_sessions_are_for_the_right_sizes(desk, size, code):
    draft = (await desk.post(f"{ME}/messages", {"subject": "x"}, headers=IMMUTABLE)).body["id"]
    item = {"AttachmentItem": {"attachmentType": "file", "name": "a", "size": size}}

    refused = await desk.post(f"{ME}/messages/{draft}/attachments/createUploadSession", item)

    assert refused.code == code
