"""Google's own client reads, finds, labels, inserts and deletes mail."""

import base64
from datetime import timedelta

import pytest

ANNA = "anna@office.test"
PDF = b"%PDF-1.7 " + b"x" * 5000


def headers(message, name):
    return [item["value"] for item in message["payload"]["headers"] if item["name"] == name]


def encoded(letter):
    return base64.urlsafe_b64encode(letter.raw).decode()


async def ids(gmail, **options):
    answer = await gmail.run(gmail.users.messages().list(userId="me", **options))
    return [item["id"] for item in answer.get("messages", [])]


async def test_a_delivered_mail_is_read_in_all_four_formats(sim, gmail, letter):
    mail = letter(files=[("note.pdf", PDF)])
    message_id = sim.deliver(mail)

    read = {}
    for form in ("minimal", "metadata", "full", "raw"):
        read[form] = await gmail.run(gmail.users.messages().get(userId="me", id=message_id, format=form))

    assert base64.urlsafe_b64decode(read["raw"]["raw"]) == mail.raw
    assert "payload" not in read["minimal"]
    assert read["minimal"]["snippet"] == "Dear Anna, please see below."
    assert {"INBOX", "UNREAD"} <= set(read["minimal"]["labelIds"])
    assert headers(read["metadata"], "Subject") == ["A question"]
    assert "parts" not in read["metadata"]["payload"]
    text, note = read["full"]["payload"]["parts"]
    assert (text["partId"], text["mimeType"], text["filename"]) == ("0", "text/plain", "")
    assert base64.urlsafe_b64decode(text["body"]["data"]).startswith(b"Dear Anna")
    assert (note["partId"], note["mimeType"], note["filename"]) == ("1", "application/pdf", "note.pdf")
    assert note["body"]["size"] == len(PDF)


async def test_metadata_headers_are_picked_without_regard_to_case(sim, gmail, letter):
    message_id = sim.deliver(letter())

    picked = gmail.users.messages().get(
        userId="me", id=message_id, format="metadata", metadataHeaders=["subject", "FROM"]
    )

    shown = (await gmail.run(picked))["payload"]["headers"]
    assert [item["name"] for item in shown] == ["From", "Subject"]


async def test_encoded_words_and_raw_utf8_in_headers_are_shown_decoded(sim, gmail, letter):
    message_id = sim.deliver(letter(subject="Rückfrage zur Überweisung"))

    read = await gmail.run(gmail.users.messages().get(userId="me", id=message_id))

    assert headers(read, "Subject") == ["Rückfrage zur Überweisung"]


async def test_an_attached_mail_shows_both_its_bytes_and_its_parts(sim, gmail, letter):
    inner = letter(files=[("inner.pdf", PDF)])
    outer = (
        b"From: a@b.test\r\nTo: anna@office.test\r\nSubject: Fwd\r\nMIME-Version: 1.0\r\n"
        b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n'
        b"--b\r\nContent-Type: text/plain\r\n\r\nsee attached\r\n"
        b"--b\r\nContent-Type: message/rfc822\r\n\r\n" + inner.raw + b"\r\n--b--\r\n"
    )
    message_id = sim.gmail.receive(sim.mailboxes[ANNA], outer).id

    read = await gmail.run(gmail.users.messages().get(userId="me", id=message_id))

    attached = read["payload"]["parts"][1]
    assert attached["filename"] == "noname.eml"
    assert attached["body"]["attachmentId"]
    assert [part["filename"] for part in attached["parts"][0]["parts"]] == ["", "inner.pdf"]
    assert attached["parts"][0]["parts"][1]["partId"] == "1.0.1"


async def test_an_attachment_id_differs_with_every_look_and_expires(sim, gmail, letter, clock):
    message_id = sim.deliver(letter(files=[("note.pdf", PDF)]))

    async def attachment_id():
        read = await gmail.run(gmail.users.messages().get(userId="me", id=message_id))
        return read["payload"]["parts"][1]["body"]["attachmentId"]

    def fetch(which):
        return gmail.users.messages().attachments().get(userId="me", messageId=message_id, id=which)

    first, second = await attachment_id(), await attachment_id()
    assert first != second
    for which in (first, second):
        got = await gmail.run(fetch(which))
        assert base64.urlsafe_b64decode(got["data"]) == PDF
        assert got["size"] == len(PDF)

    clock.advance(timedelta(hours=2))
    assert await gmail.refused(fetch(first)) == (400, "invalidArgument", "Invalid attachment token")
    assert (await gmail.refused(fetch("ANGjdJnonsense")))[0] == 400
    fresh = await gmail.run(fetch(await attachment_id()))
    assert fresh["size"] == len(PDF)


async def test_an_unknown_message_is_not_found(gmail):
    refusal = await gmail.refused(gmail.users.messages().get(userId="me", id="19a0000000000000"))
    assert refusal == (404, "notFound", "Requested entity was not found.")


async def test_a_list_is_paged_newest_first_without_gaps_or_repeats(sim, gmail, letter):
    delivered = [sim.deliver(letter(subject=f"No {n}", message_id=f"<{n}@c.test>")) for n in range(7)]

    seen, token = [], None
    while True:
        page = await gmail.run(gmail.users.messages().list(userId="me", maxResults=3, pageToken=token))
        seen += [item["id"] for item in page["messages"]]
        token = page.get("nextPageToken")
        if not token:
            break

    assert seen == delivered[::-1]


async def test_an_empty_list_has_no_messages_key(gmail):
    assert await gmail.run(gmail.users.messages().list(userId="me")) == {"resultSizeEstimate": 0}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("from:carl", {"invoice", "question"}),
        ("from:dora@other.test", set()),
        ("from:dora@other.test in:spam", {"spam"}),
        ("in:spam", {"spam"}),
        ("in:anywhere", {"invoice", "question", "spam"}),
        ("subject:invoice", {"invoice"}),
        ('subject:"Invoice 7"', {"invoice"}),
        ("has:attachment", {"invoice"}),
        ("filename:note.pdf", {"invoice"}),
        ("-has:attachment", {"question"}),
        ("is:unread", {"question"}),
        ("is:read", {"invoice"}),
        ("in:inbox is:unread", {"question"}),
        ("label:work-2026", {"question"}),
        ("rfc822msgid:q@client.test", {"question"}),
        ("rfc822msgid:<nobody@client.test>", set()),
        ("newer_than:1d", {"invoice", "question"}),
        ("older_than:1d", set()),
        ("after:2020/01/01", {"invoice", "question"}),
        ("before:2020/01/01", set()),
        ("after:1577836800", {"invoice", "question"}),
        ("below", {"question", "invoice"}),
        ("subject:invoice OR is:unread", {"question", "invoice"}),
        ("{subject:invoice subject:question} is:read", {"invoice"}),
        ("subject:(a question)", {"question"}),
        ("-(from:carl has:attachment)", {"question"}),
        ("from:carl -{subject:invoice in:sent}", {"question"}),
        ("in:inbox -in:sent category:primary", {"question", "invoice"}),
    ],
)
async def test_the_search_box_finds_mail(sim, gmail, letter, query, found):
    known = {
        "invoice": sim.deliver(letter(subject="Invoice 7", files=[("note.pdf", PDF)], message_id="<i@client.test>")),
        "question": sim.deliver(letter(message_id="<q@client.test>")),
        "spam": sim.deliver(letter("Buy", sender="dora@other.test", message_id="<s@other.test>", folder="junkemail")),
    }
    sim.mark_read(ANNA, known["invoice"])
    label = await gmail.run(gmail.users.labels().create(userId="me", body={"name": "Work/2026"}))
    change = {"addLabelIds": [label["id"]]}
    await gmail.run(gmail.users.messages().modify(userId="me", id=known["question"], body=change))
    wanted = {known[name] for name in found}

    assert set(await ids(gmail, q=query)) == wanted


@pytest.mark.parametrize("query", ["after:yesterday", "newer_than:long", "from:carl)"])
async def test_a_senseless_search_is_refused(gmail, query):
    refusal = await gmail.refused(gmail.users.messages().list(userId="me", q=query))
    assert refusal[:2] == (400, "invalidArgument")


async def test_spam_and_trash_are_listed_only_when_asked_for(sim, gmail, letter):
    kept = sim.deliver(letter())
    spam = sim.deliver(letter(folder="junkemail", message_id="<2@c.test>"))
    trashed = sim.deliver(letter(message_id="<3@c.test>"))
    sim.trash(ANNA, trashed)

    assert await ids(gmail) == [kept]
    assert await ids(gmail, labelIds=["SPAM"]) == [spam]
    assert await ids(gmail, includeSpamTrash=True) == [trashed, spam, kept]


async def test_the_fields_parameter_trims_the_answer(sim, gmail, letter):
    message_id = sim.deliver(letter(files=[("note.pdf", PDF)]))

    get = gmail.users.messages().get
    plain = await gmail.run(get(userId="me", id=message_id, fields="id,labelIds"))
    assert set(plain) == {"id", "labelIds"}
    nested = await gmail.run(get(userId="me", id=message_id, fields="payload(parts(filename,body/size)),historyId"))
    assert set(nested) == {"payload", "historyId"}
    assert nested["payload"]["parts"][1] == {"filename": "note.pdf", "body": {"size": len(PDF)}}
    listed = await gmail.run(gmail.users.messages().list(userId="me", fields="messages/id,nextPageToken"))
    assert listed == {"messages": [{"id": message_id}]}
    assert (await gmail.refused(get(userId="me", id=message_id, fields="payload(parts")))[0] == 400


async def test_labels_are_put_on_and_taken_off(sim, gmail, letter):
    message_id = sim.deliver(letter())

    change = {"addLabelIds": ["STARRED"], "removeLabelIds": ["UNREAD", "INBOX"]}
    answer = await gmail.run(gmail.users.messages().modify(userId="me", id=message_id, body=change))

    assert set(answer["labelIds"]) == {"STARRED", "CATEGORY_PERSONAL"}


@pytest.mark.parametrize("label", ["Label_404", "SENT", "DRAFT"])
async def test_a_label_that_cannot_be_put_on_is_refused(sim, gmail, letter, label):
    message_id = sim.deliver(letter())
    change = {"addLabelIds": [label]}

    refusal = await gmail.refused(gmail.users.messages().modify(userId="me", id=message_id, body=change))

    assert refusal == (400, "invalidArgument", f"Invalid label: {label}")


async def test_many_mails_are_changed_or_deleted_at_once(sim, gmail, letter):
    three = [sim.deliver(letter(message_id=f"<{n}@c.test>")) for n in range(3)]

    await gmail.run(gmail.users.messages().batchModify(userId="me", body={"ids": three, "removeLabelIds": ["INBOX"]}))
    assert await ids(gmail, labelIds=["INBOX"]) == []
    await gmail.run(gmail.users.messages().batchDelete(userId="me", body={"ids": three[:2]}))
    assert await ids(gmail) == three[2:]
    too_many = {"ids": [f"{n:016x}" for n in range(1001)], "addLabelIds": ["STARRED"]}
    assert (await gmail.refused(gmail.users.messages().batchModify(userId="me", body=too_many)))[0] == 400


async def test_trash_untrash_and_delete(sim, gmail, letter):
    message_id = sim.deliver(letter())
    messages = gmail.users.messages()

    assert "TRASH" in (await gmail.run(messages.trash(userId="me", id=message_id)))["labelIds"]
    assert "TRASH" not in (await gmail.run(messages.untrash(userId="me", id=message_id)))["labelIds"]
    await gmail.run(messages.delete(userId="me", id=message_id))
    assert (await gmail.refused(messages.get(userId="me", id=message_id)))[0] == 404


async def test_insert_keeps_the_labels_given_and_import_dates_by_the_header(gmail, letter):
    messages = gmail.users.messages()
    inserted = await gmail.run(
        messages.insert(userId="me", body={"raw": encoded(letter()), "labelIds": ["INBOX", "STARRED"]})
    )
    assert set(inserted["labelIds"]) == {"INBOX", "STARRED"}

    imported = await gmail.run(messages.import_(userId="me", body={"raw": encoded(letter(message_id="<2@c.test>"))}))
    read = await gmail.run(messages.get(userId="me", id=imported["id"], format="minimal"))
    assert read["internalDate"] == "1772442000000"
    assert set(read["labelIds"]) == {"INBOX", "UNREAD"}


async def test_a_mail_that_is_not_base64_is_refused(gmail):
    refusal = await gmail.refused(gmail.users.messages().send(userId="me", body={"raw": "***"}))
    assert refusal[:2] == (400, "invalidArgument")
    assert (await gmail.refused(gmail.users.messages().send(userId="me", body={})))[0] == 400


async def test_a_person_marks_mail_read_and_unread(sim, gmail, letter):
    message_id = sim.deliver(letter())
    sim.mark_read(ANNA, message_id)
    assert await ids(gmail, q="is:unread") == []
    sim.mark_unread(ANNA, message_id)
    assert await ids(gmail, labelIds=["UNREAD", "INBOX"]) == [message_id]


async def test_the_profile_counts_and_names_the_newest_change(sim, gmail, letter):
    before = await gmail.run(gmail.users.getProfile(userId=ANNA))
    sim.deliver(letter())
    after = await gmail.run(gmail.users.getProfile(userId="me"))

    assert (before["messagesTotal"], after["messagesTotal"], after["threadsTotal"]) == (0, 1, 1)
    assert after["emailAddress"] == ANNA
    assert int(after["historyId"]) > int(before["historyId"])


async def test_the_own_address_is_a_sender(gmail):
    listed = await gmail.run(gmail.users.settings().sendAs().list(userId="me"))
    assert [(item["sendAsEmail"], item["isPrimary"]) for item in listed["sendAs"]] == [(ANNA, True)]
    assert (await gmail.run(gmail.users.settings().sendAs().get(userId="me", sendAsEmail=ANNA)))["isDefault"]
    other = gmail.users.settings().sendAs().get(userId="me", sendAsEmail="x@y.test")
    assert (await gmail.refused(other))[0] == 404
