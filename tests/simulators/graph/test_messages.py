"""Reading and changing mail: ids, lists, filters, bodies, MIME."""

from __future__ import annotations

import email
from datetime import timedelta
from email import policy
from urllib.parse import quote

import pytest

from simulators.graph.office import ANNA, BERT, IMMUTABLE, mail

INBOX = f"/users/{ANNA}/mailFolders/inbox/messages"


async def test_a_message_shows_what_the_mail_said(desk):
    sent = mail("Trade 4711", "Bought 100.", html="<p>Bought <b>100</b>.</p>", Cc="Cara <cara@desk.test>")
    sent["Reply-To"] = "desk@broker.test"
    sent["Message-ID"] = "<note-1@broker.test>"
    key = desk.deliver(sent)

    shown = (await desk.get(f"/users/{ANNA}/messages/{key}")).body

    assert shown["subject"] == "Trade 4711"
    assert shown["from"]["emailAddress"] == {"name": "Broker", "address": "notes@broker.test"}
    assert shown["ccRecipients"] == [{"emailAddress": {"name": "Cara", "address": "cara@desk.test"}}]
    assert shown["replyTo"][0]["emailAddress"]["address"] == "desk@broker.test"
    assert shown["internetMessageId"] == "<note-1@broker.test>"
    assert shown["body"]["contentType"] == "html"
    assert "<p>Bought <b>100</b>.</p>" in shown["body"]["content"]
    assert shown["bodyPreview"] == "Bought 100."
    assert shown["sentDateTime"] == "2026-11-02T10:00:00Z"
    assert (shown["isRead"], shown["isDraft"], shown["importance"]) == (False, False, "normal")
    assert f'W/"{shown["changeKey"]}"' == shown["@odata.etag"]
    assert "internetMessageHeaders" not in shown
    assert "uniqueBody" not in shown


async def test_the_default_id_dies_with_a_move_and_the_immutable_one_lives(desk):
    key = desk.deliver()
    before = (await desk.get(f"/users/{ANNA}/messages/{key}")).body["id"]

    moved = await desk.post(f"/users/{ANNA}/messages/{quote(before)}/move", {"destinationId": "archive"})
    stale = await desk.get(f"/users/{ANNA}/messages/{before}")
    kept = await desk.get(f"/users/{ANNA}/messages/{key}", headers=IMMUTABLE)

    assert moved.status == 201
    assert before != moved.body["id"]
    assert (stale.status, stale.code) == (404, "ErrorItemNotFound")
    assert key == kept.body["id"]


async def test_ids_are_case_sensitive(desk):
    key = desk.deliver()

    assert (await desk.get(f"/users/{ANNA}/messages/{key.swapcase()}")).status == 404


async def test_ids_translate_both_ways(desk):
    key = desk.deliver()
    default = (await desk.get(f"/users/{ANNA}/messages/{key}")).body["id"]
    path = f"/users/{ANNA}/translateExchangeIds"

    there = await desk.post(path, {"inputIds": [default, "x"], "targetIdType": "restImmutableEntryId"})
    back = await desk.post(path, {"inputIds": [key], "targetIdType": "restId"})

    assert key == there.body["value"][0]["targetId"]
    assert "errorDetails" in there.body["value"][1]
    assert default == back.body["value"][0]["targetId"]


async def test_pages_follow_the_next_link_newest_first(desk):
    for number in range(25):
        desk.deliver(mail(f"Mail {number}"))
        desk.sim.clock.advance(timedelta(seconds=1))
    subjects, link = [], f"{INBOX}?$select=subject"
    sizes = []
    while link:
        page = (await desk.get(link)).body
        sizes.append(len(page["value"]))
        subjects += [one["subject"] for one in page["value"]]
        link = page.get("@odata.nextLink")

    assert sizes == [10, 10, 5]
    assert [f"Mail {number}" for number in reversed(range(25))] == subjects


async def test_select_leaves_out_the_rest_and_refuses_unknown_names(desk):
    desk.deliver()

    page = await desk.get(f"{INBOX}?$select=subject,isRead")
    refused = await desk.get(f"{INBOX}?$select=colour")

    assert {"@odata.etag", "id", "subject", "isRead"} == set(page.body["value"][0])
    assert (refused.status, refused.code) == (400, "RequestBroker--ParseUri")


@pytest.mark.parametrize(
    ("clause", "found"),
    [
        ("isRead eq true", {"Two"}),
        ("isRead eq false", {"One", "Three"}),
        ("subject eq 'one'", {"One"}),
        ("startswith(subject,'T') and isRead eq false", {"Three"}),
        ("contains(subject,'ee') or subject eq 'Two'", {"Two", "Three"}),
        ("not (subject eq 'One')", {"Two", "Three"}),
        ("from/emailAddress/address eq 'cara@client.test'", {"Three"}),
        ("internetMessageId eq '<two@client.test>'", {"Two"}),
        ("categories/any(c:c eq 'Done')", {"One"}),
        ("hasAttachments eq true", {"Three"}),
        ("isDraft eq false", {"One", "Two", "Three"}),
        ("toRecipients/any(r: r/emailAddress/address eq 'bert@desk.test')", {"Two"}),
    ],
)
async def test_filters_find_what_they_say(desk, clause, found):
    one = desk.deliver(mail("One"))
    two = desk.deliver(mail("Two", to=BERT, Message_ID="<two@client.test>"))
    third = mail("Three", sender="cara@client.test")
    third.add_attachment(b"%PDF-", maintype="application", subtype="pdf", filename="a.pdf")
    desk.deliver(third)
    desk.sim.mark_read(ANNA, two)
    await desk.patch(f"/users/{ANNA}/messages/{one}", {"categories": ["Done"]})

    page = await desk.get(INBOX, params={"$filter": clause})

    assert found == {row["subject"] for row in page.body["value"]}


async def test_a_time_filter_takes_zulu_offset_and_fraction(desk):
    desk.deliver(mail("Early"))
    desk.sim.clock.advance(timedelta(hours=2))
    middle = desk.sim.clock.now() - timedelta(hours=1)
    desk.deliver(mail("Late"))

    for moment in (middle.strftime("%Y-%m-%dT%H:%M:%SZ"), middle.isoformat()):
        late = await desk.get(INBOX, params={"$filter": f"receivedDateTime ge {moment}"})
        early = await desk.get(INBOX, params={"$filter": f"receivedDateTime lt {moment}"})
        assert (
            [row["subject"] for row in late.body["value"]],
            [row["subject"] for row in early.body["value"]],
        ) == (["Late"], ["Early"])


async def test_ordering_by_what_the_filter_does_not_begin_with_is_inefficient(desk):
    desk.deliver()
    ordered = {"$orderby": "receivedDateTime desc"}

    refused = await desk.get(INBOX, params={"$filter": "isRead eq false", **ordered})
    allowed = await desk.get(INBOX, params={"$filter": "receivedDateTime ge 2020-01-01 and isRead eq false", **ordered})

    assert (refused.status, refused.code) == (400, "InefficientFilter")
    assert len(allowed.body["value"]) == 1


async def test_a_broken_filter_says_where(desk):
    refused = await desk.get(INBOX, params={"$filter": "isRead eq"})

    assert refused.status == 400
    assert "Invalid filter clause" in refused.body["error"]["message"]


async def test_counting_and_searching(desk):
    desk.deliver(mail("Alpha", "nothing"))
    desk.deliver(mail("Beta", "the needle is here"))

    counted = await desk.get(f"{INBOX}?$count=true&$top=1")
    bare = await desk.get(f"{INBOX}/$count")
    found = await desk.get(INBOX, params={"$search": '"needle"'})

    assert (counted.body["@odata.count"], bare.content) == (2, b"2")
    assert [row["subject"] for row in found.body["value"]] == ["Beta"]


async def test_the_body_comes_as_html_or_as_text(desk):
    key = desk.deliver(mail(text="plain", html="<p>Hello<script>steal()</script> <b onclick='x()'>you</b></p>"))

    html = await desk.get(f"/users/{ANNA}/messages/{key}")
    text = await desk.get(f"/users/{ANNA}/messages/{key}", headers={"Prefer": 'outlook.body-content-type="text"'})
    unsafe = await desk.get(f"/users/{ANNA}/messages/{key}", headers={"Prefer": "outlook.allow-unsafe-html"})

    assert "script" not in html.body["body"]["content"]
    assert "onclick" not in html.body["body"]["content"]
    assert text.body["body"] | {"content": text.body["body"]["content"].replace("steal()", "").strip()} == {
        "contentType": "text",
        "content": "Hello you",
    }
    assert text.headers["Preference-Applied"] == 'outlook.body-content-type="text"'
    assert "<script>steal()</script>" in unsafe.body["body"]["content"]


async def test_headers_and_unique_body_come_only_when_selected(desk):
    key = desk.deliver(mail(text="New words.\n\n> old words\n", Auto_Submitted="auto-replied"))

    shown = (await desk.get(f"/users/{ANNA}/messages/{key}?$select=internetMessageHeaders,uniqueBody")).body

    assert {"name": "Auto-Submitted", "value": "auto-replied"} in shown["internetMessageHeaders"]
    assert "New words." in shown["uniqueBody"]["content"]
    assert "old words" not in shown["uniqueBody"]["content"]


async def test_mime_comes_as_plain_text_without_charset_and_is_not_byte_for_byte_what_arrived(desk):
    sent = mail("Grüße aus Köln", "Schöne Grüße")
    key = desk.deliver(sent)

    answer = await desk.get(f"/users/{ANNA}/messages/{key}/$value")

    assert answer.headers["Content-Type"] == "text/plain"
    assert sent.as_bytes() != answer.content
    again = email.message_from_bytes(answer.content, policy=policy.default)
    assert (again["Subject"], again.get_content()) == ("Grüße aus Köln", "Schöne Grüße\n")


async def test_every_change_moves_the_change_key_and_a_stale_if_match_is_refused(desk):
    key = desk.deliver()
    path = f"/users/{ANNA}/messages/{key}"
    first = (await desk.get(path)).body

    changed = await desk.patch(path, {"isRead": True}, headers={"If-Match": first["@odata.etag"]})
    stale = await desk.patch(path, {"isRead": False}, headers={"If-Match": first["@odata.etag"]})

    assert changed.status == 200
    assert first["changeKey"] != changed.body["changeKey"]
    assert (stale.status, stale.code) == (412, "ErrorIrresolvableConflict")
    assert (await desk.get(path)).body["isRead"]


async def test_categories_and_flags_replace_and_bad_bodies_are_refused(desk):
    key = desk.deliver()
    path = f"/users/{ANNA}/messages/{key}"

    shown = await desk.patch(path, {"categories": ["A", "B"], "flag": {"flagStatus": "flagged"}})
    unknown = await desk.patch(path, {"colour": "red"})
    broken = await desk.call("PATCH", path, data=b"{", headers={"Content-Type": "application/json"})

    assert (shown.body["categories"], shown.body["flag"]["flagStatus"]) == (["A", "B"], "flagged")
    assert (unknown.status, broken.status) == (400, 400)


async def test_received_mail_guards_its_draft_fields_when_told_to(desk):
    key = desk.deliver()
    path = f"/users/{ANNA}/messages/{key}"
    desk.sim.faults.turn(refuse_draft_fields=True)

    refused = await desk.patch(path, {"subject": "Other"})
    allowed = await desk.patch(path, {"categories": ["Fine"]})

    assert (refused.status, allowed.status) == (403, 200)


async def test_deleting_goes_to_deleted_items_and_then_out_of_sight(desk):
    key = desk.deliver()
    path = f"/users/{ANNA}/messages/{key}"

    assert (await desk.delete(path)).status == 204
    in_bin = await desk.get(f"/users/{ANNA}/mailFolders/deleteditems/messages", headers=IMMUTABLE)
    assert [key] == [row["id"] for row in in_bin.body["value"]]
    assert len((await desk.get(f"/users/{ANNA}/messages")).body["value"]) == 1

    assert (await desk.delete(path)).status == 204
    assert (await desk.get(f"/users/{ANNA}/messages")).body["value"] == []


async def test_a_copy_is_another_message_with_the_same_internet_id(desk):
    key = desk.deliver()

    twin = await desk.post(f"/users/{ANNA}/messages/{key}/copy", {"destinationId": "archive"}, headers=IMMUTABLE)
    found = await desk.get(
        f"/users/{ANNA}/messages", params={"$filter": f"internetMessageId eq '{twin.body['internetMessageId']}'"}
    )

    assert key != twin.body["id"]
    assert len(found.body["value"]) == 2


async def test_answers_share_the_conversation_of_what_they_answer(desk):
    desk.deliver(mail("Question", Message_ID="<q@client.test>"))
    desk.deliver(mail("Re: Question", In_Reply_To="<q@client.test>", References="<q@client.test>"))
    desk.deliver(mail("Question"))

    rows = (await desk.get(f"{INBOX}?$select=conversationId,subject")).body["value"]
    conversation = next(row["conversationId"] for row in rows if row["subject"].startswith("Re:"))
    thread = await desk.get(INBOX, params={"$filter": f"conversationId eq '{conversation}'"})

    assert len({row["conversationId"] for row in rows}) == 2
    assert {"Question", "Re: Question"} == {row["subject"] for row in thread.body["value"]}


async def test_an_invitation_is_an_event_message(desk):
    invitation = mail("Meeting")
    invitation.add_alternative("BEGIN:VCALENDAR\r\nEND:VCALENDAR", subtype="calendar", params={"method": "REQUEST"})
    key = desk.deliver(invitation)

    shown = (await desk.get(f"/users/{ANNA}/messages/{key}")).body

    assert shown["@odata.type"] == "#microsoft.graph.eventMessageRequest"
    assert shown["meetingMessageType"] == "meetingRequest"


async def test_the_most_broken_mail_is_still_a_message(desk):
    raw = b"Subject: =?utf-9?q?odd?=\r\nFrom: <<>>\r\nDate: never\r\nContent-Type: text/plain; charset=nope\r\n\r\n\xff\xfe"
    from postroom_simulators.incoming_mail import IncomingMail

    key = desk.sim.deliver(IncomingMail(mailbox=ANNA, raw=raw))

    assert (await desk.get(f"/users/{ANNA}/messages/{key}")).status == 200


async def test_all_spellings_of_a_path_mean_the_same(desk):
    key = desk.deliver()
    guid = desk.sim.mailboxes[ANNA].guid
    paths = [
        f"/users/{guid}/messages/{key}",
        f"/users('{ANNA}')/messages('{key}')",
        f"/users/{ANNA.upper()}/mailFolders('inbox')/messages/{key}",
        f"/users/{ANNA}/mailfolders/Inbox/Messages/{key}",
    ]

    assert [(await desk.get(path)).status for path in paths] == [200] * 4
