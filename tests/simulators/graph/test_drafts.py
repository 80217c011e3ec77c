"""Drafts, replies, forwards, sending."""

from __future__ import annotations

import base64
import email
from datetime import timedelta
from email import policy

import pytest

from simulators.graph.office import ANNA, BERT, IMMUTABLE, mail

ME = f"/users/{ANNA}"


def to(address: str) -> list[dict]:
    return [{"emailAddress": {"address": address}}]


async def folder_of(desk, address: str, name: str) -> list[dict]:
    return (await desk.get(f"/users/{address}/mailFolders/{name}/messages", headers=IMMUTABLE)).body["value"]


async def test_a_draft_is_made_changed_and_sent_under_one_immutable_id(desk):
    asked = {"subject": "Offer", "toRecipients": to(BERT), "body": {"contentType": "html", "content": "<p>Hi</p>"}}
    made = await desk.post(f"{ME}/messages", asked, headers=IMMUTABLE)
    key = made.body["id"]
    changed = await desk.patch(f"{ME}/messages/{key}", {"subject": "Better offer"}, headers=IMMUTABLE)
    sent = await desk.post(f"{ME}/messages/{key}/send")
    after = await desk.get(f"{ME}/messages/{key}", headers=IMMUTABLE)

    assert (made.status, made.body["isDraft"], made.body["from"]["emailAddress"]["address"]) == (201, True, ANNA)
    assert changed.body["changeKey"] != made.body["changeKey"]
    assert (sent.status, sent.content) == (202, b"")
    assert (after.body["isDraft"], after.body["subject"]) == (False, "Better offer")
    assert [row["id"] for row in await folder_of(desk, ANNA, "sentitems")] == [key]
    assert await folder_of(desk, ANNA, "drafts") == []
    [arrived] = await folder_of(desk, BERT, "inbox")
    assert (arrived["subject"], arrived["isRead"]) == ("Better offer", False)
    assert arrived["internetMessageId"] == made.body["internetMessageId"]


async def test_the_default_id_of_a_draft_dies_with_sending(desk):
    made = await desk.post(f"{ME}/messages", {"toRecipients": to(BERT)})
    await desk.post(f"{ME}/messages/{made.body['id']}/send")

    assert (await desk.get(f"{ME}/messages/{made.body['id']}")).status == 404


async def test_sending_twice_or_to_nobody_is_refused(desk):
    nobody = (await desk.post(f"{ME}/messages", {"subject": "x"}, headers=IMMUTABLE)).body["id"]
    twice = (await desk.post(f"{ME}/messages", {"toRecipients": to(BERT)}, headers=IMMUTABLE)).body["id"]
    await desk.post(f"{ME}/messages/{twice}/send")

    assert (await desk.post(f"{ME}/messages/{nobody}/send")).status == 400
    assert (await desk.post(f"{ME}/messages/{twice}/send")).status == 403
    assert len(await folder_of(desk, BERT, "inbox")) == 1


async def test_a_sent_message_may_linger_in_the_outbox(desk):
    desk.sim.faults.turn(sent_lag=30)
    key = (await desk.post(f"{ME}/messages", {"toRecipients": to(BERT)}, headers=IMMUTABLE)).body["id"]
    await desk.post(f"{ME}/messages/{key}/send")

    assert [row["id"] for row in await folder_of(desk, ANNA, "outbox")] == [key]
    desk.sim.clock.advance(timedelta(seconds=31))
    await desk.until(lambda: desk.sim.item(ANNA, key).folder.well_known == "sentitems")


async def test_mail_to_elsewhere_goes_to_the_carrier(desk):
    carried = []
    desk.sim.carrier = lambda sender, raw, people: carried.append((sender, people, raw))
    await desk.post(f"{ME}/sendMail", {"message": {"subject": "Out", "toRecipients": to("x@gmail.test")}})

    [(sender, people, raw)] = carried
    assert (sender, people) == (ANNA, ["x@gmail.test"])
    assert email.message_from_bytes(raw, policy=policy.default)["Subject"] == "Out"


async def test_one_shot_sending_saves_a_copy_unless_told_not_to(desk):
    message = {"subject": "Quick", "toRecipients": to(BERT), "bccRecipients": to("hidden@desk.test")}

    saved = await desk.post(f"{ME}/sendMail", {"message": message})
    unsaved = await desk.post(f"{ME}/sendMail", {"message": message, "saveToSentItems": False})
    empty = await desk.post(f"{ME}/sendMail", {})

    assert (saved.status, saved.content, unsaved.status, empty.status) == (202, b"", 202, 400)
    assert len(await folder_of(desk, ANNA, "sentitems")) == 1
    arrived = await folder_of(desk, BERT, "inbox")
    assert [row["bccRecipients"] for row in arrived] == [[], []]


async def test_a_reply_goes_to_reply_to_keeps_the_thread_and_quotes(desk):
    question = mail("Question", "What is the price?", Message_ID="<q@client.test>", Reply_To="desk@client.test")
    key = desk.deliver(question)

    reply = (await desk.post(f"{ME}/messages/{key}/createReply", headers=IMMUTABLE)).body
    original = (await desk.get(f"{ME}/messages/{key}")).body

    assert (reply["subject"], reply["isDraft"]) == ("RE: Question", True)
    assert [one["emailAddress"]["address"] for one in reply["toRecipients"]] == ["desk@client.test"]
    assert reply["conversationId"] == original["conversationId"]
    assert reply["conversationIndex"] != original["conversationIndex"]
    assert "What is the price?" in reply["body"]["content"]
    value = (await desk.get(f"{ME}/messages/{reply['id']}/$value")).content
    threaded = email.message_from_bytes(value, policy=policy.default)
    assert (threaded["In-Reply-To"], threaded["References"]) == ("<q@client.test>", "<q@client.test>")


async def test_replying_to_all_leaves_ourselves_out(desk):
    key = desk.deliver(mail("Hello", to=f"{ANNA}, cara@client.test", Cc="dora@client.test"))

    reply = (await desk.post(f"{ME}/messages/{key}/createReplyAll")).body

    assert [one["emailAddress"]["address"] for one in reply["toRecipients"]] == [
        "notes@broker.test",
        "cara@client.test",
    ]
    assert [one["emailAddress"]["address"] for one in reply["ccRecipients"]] == ["dora@client.test"]


async def test_a_comment_does_not_show_in_the_draft_and_excludes_a_body(desk):
    key = desk.deliver()

    commented = await desk.post(f"{ME}/messages/{key}/createReply", {"comment": "Our words"})
    both = {"comment": "x", "message": {"body": {"contentType": "text", "content": "y"}}}
    refused = await desk.post(f"{ME}/messages/{key}/createReply", both)
    given = await desk.post(f"{ME}/messages/{key}/createReply", {"message": {"subject": "Mine"}})

    assert commented.status == 201
    assert "Our words" not in commented.body["body"]["content"]
    assert (refused.status, given.body["subject"]) == (400, "Mine")


async def test_forwarding_takes_the_attachments_along(desk):
    note = mail("Note")
    note.add_attachment(b"%PDF-", maintype="application", subtype="pdf", filename="note.pdf")
    key = desk.deliver(note)

    draft = (await desk.post(f"{ME}/messages/{key}/createForward", {"toRecipients": to(BERT)}, headers=IMMUTABLE)).body
    await desk.post(f"{ME}/messages/{draft['id']}/send")

    [arrived] = await folder_of(desk, BERT, "inbox")
    assert (arrived["subject"], arrived["hasAttachments"]) == ("FW: Note", True)


async def test_replying_at_once_sends_the_comment(desk):
    key = desk.deliver(mail("Ping", sender=BERT))

    answer = await desk.post(f"{ME}/messages/{key}/reply", {"comment": "Pong"})

    [arrived] = await folder_of(desk, BERT, "inbox")
    assert (answer.status, arrived["subject"]) == (202, "RE: Ping")
    assert arrived["bodyPreview"].startswith("Pong")


async def test_a_persons_edit_shows_in_body_and_change_key(desk):
    draft = (await desk.post(f"{ME}/messages", {"subject": "Draft"}, headers=IMMUTABLE)).body

    desk.sim.edit_draft(ANNA, draft["id"], body="<p>By hand</p>")
    after = (await desk.get(f"{ME}/messages/{draft['id']}")).body

    assert "By hand" in after["body"]["content"]
    assert after["changeKey"] != draft["changeKey"]


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ([], "InvalidInternetMessageHeaderCollection"),
        ([{"name": f"x-{n}", "value": "1"} for n in range(6)], "InvalidInternetMessageHeaderCollection"),
        ([{"name": "In-Reply-To", "value": "<a@b>"}], "InvalidInternetMessageHeader"),
    ],
)
async def test_own_headers_follow_the_rules(desk, headers, code):
    refused = await desk.post(f"{ME}/messages", {"internetMessageHeaders": headers})

    assert (refused.status, refused.code) == (400, code)


async def test_own_headers_travel_with_the_mail(desk):
    asked = {"toRecipients": to(BERT), "internetMessageHeaders": [{"name": "x-desk", "value": "7"}]}
    await desk.post(f"{ME}/sendMail", {"message": asked})

    path = f"/users/{BERT}/messages?$select=internetMessageHeaders"
    [arrived] = (await desk.get(path)).body["value"]
    assert {"name": "x-desk", "value": "7"} in arrived["internetMessageHeaders"]


async def test_a_mark_on_a_draft_can_be_expanded_and_found(desk):
    name = "String {66f5a359-4659-4830-9070-00047ec6ac6e} Name DraftKey"
    marked = {"subject": "Marked", "singleValueExtendedProperties": [{"id": name, "value": "K-1"}]}
    key = (await desk.post(f"{ME}/messages", marked, headers=IMMUTABLE)).body["id"]
    await desk.post(f"{ME}/messages", {"subject": "Plain"})

    clause = f"singleValueExtendedProperties/Any(ep: ep/id eq '{name}' and ep/value eq 'k-1')"
    found = await desk.get(f"{ME}/messages", params={"$filter": clause})
    wrong_case = await desk.get(f"{ME}/messages", params={"$filter": clause.replace("DraftKey", "draftkey")})
    expand = {"$expand": f"singleValueExtendedProperties($filter=id eq '{name}')"}
    shown = await desk.get(f"{ME}/messages/{key}", params=expand)

    assert [row["subject"] for row in found.body["value"]] == ["Marked"]
    assert wrong_case.body["value"] == []
    assert shown.body["singleValueExtendedProperties"] == [{"id": name, "value": "K-1"}]


async def test_mime_makes_and_sends_messages(desk):
    raw = base64.b64encode(mail("By MIME", to=BERT, sender=ANNA, html="<p>x</p>").as_bytes())
    plain = {"Content-Type": "text/plain"}

    draft = await desk.call("POST", f"{ME}/messages", data=raw, headers=plain)
    sent = await desk.call("POST", f"{ME}/sendMail", data=raw, headers=plain)
    broken = await desk.call("POST", f"{ME}/messages", data=b"not base64!", headers=plain)

    assert (draft.status, draft.body["subject"], draft.body["isDraft"]) == (201, "By MIME", True)
    assert sent.status == 202
    assert [row["subject"] for row in await folder_of(desk, BERT, "inbox")] == ["By MIME"]
    assert (broken.status, broken.code) == (400, "ErrorMimeContentInvalidBase64String")


async def test_words_that_look_encoded_are_sent_as_they_stand(desk):
    odd = "=?utf-8?q?Pay=0D=0ABcc:_eve=40evil.test?="
    person = {"emailAddress": {"name": odd, "address": BERT}}
    said = {
        "subject": f"{odd}\r\nBcc: eve@evil.test",
        "toRecipients": [person],
        "body": {"contentType": "text", "content": "x"},
        "internetMessageHeaders": [{"name": "x-note", "value": odd}],
    }
    key = (await desk.post(f"{ME}/messages", said, headers=IMMUTABLE)).body["id"]
    file = {"@odata.type": "#microsoft.graph.fileAttachment", "name": odd, "contentBytes": "eA=="}
    await desk.post(f"{ME}/messages/{key}/attachments", file, headers=IMMUTABLE)

    assert 202 == (await desk.post(f"{ME}/messages/{key}/send", headers=IMMUTABLE)).status

    [there] = await folder_of(desk, BERT, "inbox")
    assert f"{odd} Bcc: eve@evil.test" == " ".join(there["subject"].split())
    assert [person] == there["toRecipients"]
    assert [] == there["bccRecipients"]
    assert [] == await folder_of(desk, ANNA, "inbox")
    files = (await desk.get(f"/users/{BERT}/messages/{there['id']}/attachments")).body["value"]
    assert [odd] == [each["name"] for each in files]


async def test_what_outlook_gives_back_is_not_what_it_was_given(desk):
    written = "<p>Dear Bert,\nsee below.</p><!-- desk:draftKey=7;v=1 --><script>x()</script>"
    asked = {"subject": "Draft", "body": {"contentType": "html", "content": written}}
    key = (await desk.post(f"{ME}/messages", asked, headers=IMMUTABLE)).body["id"]
    path = f"{ME}/messages/{key}"

    clean = (await desk.get(path)).body["body"]["content"]
    unsafe = (await desk.get(path, headers={"Prefer": "outlook.allow-unsafe-html"})).body["body"]["content"]
    desk.sim.faults.turn(keep_comments=True)
    kept = (await desk.get(path)).body["body"]["content"]
    await desk.patch(path, {"body": {"contentType": "text", "content": "one\ntwo\r\nthree"}})
    text = (await desk.get(path, headers={"Prefer": 'outlook.body-content-type="text"'})).body["body"]["content"]

    assert clean.startswith("<html><head>")
    assert "Dear Bert,\r\nsee below." in clean
    assert ("draftKey" in clean, "<script" in clean) == (False, False)
    assert ("draftKey" in unsafe, "<script" in unsafe) == (True, True)
    assert ("draftKey" in kept, "<script" in kept) == (True, False)
    assert text == "one\r\ntwo\r\nthree"


async def test_a_stale_version_is_refused_and_changes_nothing(desk):
    draft = (await desk.post(f"{ME}/messages", {"subject": "Draft"}, headers=IMMUTABLE)).body
    path, version = f"{ME}/messages/{draft['id']}", {"If-Match": draft["@odata.etag"]}

    fresh = await desk.patch(path, {"subject": "Ours"}, headers=version)
    desk.sim.edit_draft(ANNA, draft["id"], subject="Theirs")
    stale = [
        await desk.patch(path, {"subject": "Ours again"}, headers=version),
        await desk.patch(path, {"subject": "Ours again"}, headers={"If-Match": fresh.headers["ETag"]}),
        await desk.delete(path, headers=version),
    ]

    assert fresh.status == 200
    assert [(one.status, one.code) for one in stale] == [(412, "ErrorIrresolvableConflict")] * 3
    assert (await desk.get(path)).body["subject"] == "Theirs"


async def test_drafts_and_sent_items_have_deltas_of_their_own_with_the_marks_asked_for(desk):
    name = "String {66f5a359-4659-4830-9070-00047ec6ac6e} Name DraftKey"
    expand = {"$expand": f"singleValueExtendedProperties($filter=id eq '{name}')", "$select": "subject,isDraft"}

    async def changes(folder, link=""):
        options = {} if link else {"params": expand}
        page = (await desk.get(link or f"{ME}/mailFolders/{folder}/messages/delta", headers=IMMUTABLE, **options)).body
        return page["value"], page["@odata.deltaLink"]

    links = {folder: (await changes(folder))[1] for folder in ("drafts", "sentitems")}
    marked = {"subject": "Marked", "toRecipients": to(BERT)}
    marked["singleValueExtendedProperties"] = [{"id": name, "value": "K-1"}]
    key = (await desk.post(f"{ME}/messages", marked, headers=IMMUTABLE)).body["id"]
    [draft], links["drafts"] = await changes("drafts", links["drafts"])
    await desk.post(f"{ME}/messages/{key}/send")
    [gone], _ = await changes("drafts", links["drafts"])
    [sent], _ = await changes("sentitems", links["sentitems"])

    assert (draft["id"], draft["isDraft"]) == (key, True)
    assert [{"id": name, "value": "K-1"}] == draft["singleValueExtendedProperties"]
    assert gone == {"@odata.type": "#microsoft.graph.message", "id": key, "@removed": {"reason": "deleted"}}
    assert (sent["id"], sent["isDraft"]) == (key, False)
    assert [{"id": name, "value": "K-1"}] == sent["singleValueExtendedProperties"]


async def test_basic_rights_show_no_marks(desk):
    name = "String {66f5a359-4659-4830-9070-00047ec6ac6e} Name DraftKey"
    marked = {"subject": "Marked", "singleValueExtendedProperties": [{"id": name, "value": "K-1"}]}
    key = (await desk.post(f"{ME}/messages", marked, headers=IMMUTABLE)).body["id"]
    basic = desk.sim.issue_token(ANNA, scopes=frozenset({"Mail.ReadBasic"}))
    expand = {"$expand": f"singleValueExtendedProperties($filter=id eq '{name}')"}

    shown = (await desk.get(f"{ME}/messages/{key}", params=expand, token=basic)).body

    assert ("Marked", False) == (shown["subject"], "singleValueExtendedProperties" in shown)
