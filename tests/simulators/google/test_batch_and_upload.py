"""Google's own client sends batches and uploads media."""

import asyncio
import base64
import io
import json
from collections import Counter

import pytest
from googleapiclient.errors import HttpError
from googleapiclient.http import MediaInMemoryUpload, MediaIoBaseUpload

ANNA = "anna@office.test"


async def in_batch(gmail, requests, path="/batch/gmail/v1"):
    """Answers by request id; refusals are exceptions."""
    await gmail.run(gmail.users.getProfile(userId="me"))  # else the batch fetches a token and leaks the socket
    answers = {}
    batch = gmail.service.new_batch_http_request(
        callback=lambda key, answer, error: answers.update({key: error or answer})
    )
    batch._batch_uri = gmail.base + path
    for key, request in requests.items():
        batch.add(request, request_id=key)
    await asyncio.to_thread(batch.execute)
    return answers


def upload(request):
    """The client forces media uploads to https."""
    request.uri = request.uri.replace("https://", "http://", 1)
    return request


@pytest.mark.parametrize("path", ["/batch/gmail/v1", "/batch"])
async def test_a_batch_answers_each_call_with_its_own_status(sim, gmail, letter, path):
    message_id = sim.deliver(letter())
    messages = gmail.users.messages()

    answers = await in_batch(
        gmail,
        {
            "found": messages.get(userId="me", id=message_id, format="metadata", metadataHeaders=["Subject", "From"]),
            "missing": messages.get(userId="me", id="19a0000000000000"),
            "changed": messages.modify(userId="me", id=message_id, body={"removeLabelIds": ["UNREAD"]}),
            "gone": messages.batchDelete(userId="me", body={"ids": [message_id]}),
        },
        path,
    )

    assert answers["found"]["id"] == message_id
    assert len(answers["found"]["payload"]["headers"]) == 2
    assert isinstance(answers["missing"], HttpError)
    assert answers["missing"].status_code == 404
    assert "UNREAD" not in answers["changed"]["labelIds"]
    assert not sim.mailboxes[ANNA].mails


async def test_a_batch_takes_a_hundred_calls_and_no_more(sim, gmail, letter):
    sim.quota = "off"
    message_id = sim.deliver(letter())

    def calls(number):
        return {str(n): gmail.users.messages().get(userId="me", id=message_id) for n in range(number)}

    assert len(await in_batch(gmail, calls(100))) == 100
    with pytest.raises(HttpError) as caught:
        await in_batch(gmail, calls(101))
    assert caught.value.status_code == 400


async def test_every_call_of_a_batch_costs_and_is_recorded(sim, gmail, letter, recorder):
    message_id = sim.deliver(letter())
    calls = {str(n): gmail.users.messages().get(userId="me", id=message_id) for n in range(100)}

    for _ in range(3):
        await in_batch(gmail, calls)

    inner = list(recorder.where(lambda call: call.note == "messages.get in batch"))
    assert Counter(call.status for call in inner) == {200: 299, 403: 1}  # 6,000 units less the 3 of the profiles
    assert {call.mailbox for call in inner} == {ANNA}


async def test_a_body_that_is_no_batch_is_refused(base, http):
    async with http.post(base + "/batch/gmail/v1", data=b"hello") as answer:
        assert answer.status == 400
    headers = {"Content-Type": "multipart/mixed; boundary=b"}
    inner = b"--b\r\nContent-Type: application/http\r\n\r\nGET /drive/v3/files HTTP/1.1\r\n\r\n--b--\r\n"
    async with http.post(base + "/batch/gmail/v1", data=inner, headers=headers) as answer:
        assert answer.status == 200
        assert b"HTTP/1.1 404 Not Found" in await answer.read()


async def test_a_mail_is_uploaded_as_it_is(sim, gmail, letter):
    mail = letter(files=[("note.pdf", bytes(range(256)) * 50)])
    media = MediaInMemoryUpload(mail.raw, mimetype="message/rfc822")

    made = await gmail.run(upload(gmail.users.messages().insert(userId="me", media_body=media)))

    assert sim.mailboxes[ANNA].mails[made["id"]].raw == mail.raw


async def test_an_upload_brings_its_thread_and_labels_along(sim, gmail, letter):
    question = sim.deliver(letter())
    reply = letter(subject="Re: A question", sender=ANNA, to="carl@client.test", reply_to="<1@client.test>")
    media = MediaInMemoryUpload(reply.raw, mimetype="message/rfc822")

    body = {"message": {"threadId": question}}
    made = await gmail.run(upload(gmail.users.drafts().create(userId="me", body=body, media_body=media)))

    assert made["message"]["threadId"] == question
    assert sim.mailboxes[ANNA].mails[made["message"]["id"]].raw == reply.raw
    changed = upload(gmail.users.drafts().update(userId="me", id=made["id"], body=body, media_body=media))
    assert (await gmail.run(changed))["id"] == made["id"]


async def test_a_large_mail_is_uploaded_in_pieces(sim, gmail, letter):
    mail = letter(files=[("big.pdf", bytes(range(256)) * 4000)], to="carl@client.test", sender=ANNA)
    media = MediaIoBaseUpload(io.BytesIO(mail.raw), mimetype="message/rfc822", chunksize=512 * 1024, resumable=True)
    sim.gmail.faults.turn(new_message_id=False)

    sent = await gmail.run(upload(gmail.users.messages().send(userId="me", body={}, media_body=media)))

    assert sim.mailboxes[ANNA].mails[sent["id"]].raw == mail.raw


async def test_a_draft_of_more_than_five_megabytes_is_written_and_replaced_by_upload_alone(sim, gmail, letter):
    mail = letter(files=[("big.pdf", bytes(range(256)) * 20_000)], to="carl@client.test", sender=ANNA)
    drafts, question = gmail.users.drafts(), sim.deliver(letter())
    in_json = {"message": {"raw": base64.urlsafe_b64encode(mail.raw).decode()}}

    def in_pieces():
        return MediaIoBaseUpload(io.BytesIO(mail.raw), mimetype="message/rfc822", chunksize=1024**2, resumable=True)

    assert 413 == (await gmail.refused(drafts.create(userId="me", body=in_json)))[0]
    about = {"message": {"threadId": question}}
    made = await gmail.run(upload(drafts.create(userId="me", body=about, media_body=in_pieces())))
    changed = await gmail.run(upload(drafts.update(userId="me", id=made["id"], body=about, media_body=in_pieces())))

    assert made["id"] == changed["id"]
    assert [mail.raw] == [each.mail.raw for each in sim.mailboxes[ANNA].drafts.values()]


async def test_an_interrupted_upload_goes_on_where_it_stopped(sim, base, http, letter):
    raw = letter().raw
    headers = {"Authorization": f"Bearer {sim.access_token(ANNA)}"}
    start = base + "/resumable/upload/gmail/v1/users/me/messages?uploadType=resumable"
    async with http.post(start, json={"labelIds": ["INBOX"]}, headers=headers) as begun:
        place = begun.headers["Location"]

    async def put(content_range, piece=b""):
        async with http.put(place, data=piece, headers=headers | {"Content-Range": content_range}) as answer:
            return answer.status, answer.headers.get("Range"), await answer.read()

    size = len(raw)
    assert (await put(f"bytes */{size}"))[:2] == (308, None)
    assert (await put(f"bytes 0-99/{size}", raw[:100]))[:2] == (308, "bytes=0-99")
    assert (await put(f"bytes 50-149/{size}", raw[50:150]))[:2] == (308, "bytes=0-99")
    assert (await put("octets", b"x"))[0] == 400
    assert (await put(f"bytes */{size}"))[:2] == (308, "bytes=0-99")
    status, _, body = await put(f"bytes 100-{size - 1}/{size}", raw[100:])
    assert status == 200
    assert sim.mailboxes[ANNA].mails[json.loads(body)["id"]].raw == raw
    assert (await put(f"bytes */{size}"))[0] == 404


async def test_an_upload_beyond_the_limit_or_of_unknown_kind_is_refused(sim, base, http):
    headers = {"Authorization": f"Bearer {sim.access_token(ANNA)}"}
    address = base + "/upload/gmail/v1/users/me/messages/send?uploadType="
    async with http.post(address + "media", data=io.BytesIO(b"x" * 36_700_161), headers=headers) as answer:
        assert answer.status == 413
    for kind in ("carrier-pigeon", "multipart", "resumable&upload_id=unknown"):
        async with http.post(address + kind, data=b"x", headers=headers) as answer:
            assert answer.status in (400, 404), kind
            assert json.loads(await answer.read())["error"]["message"]
