"""Google's own client drafts and sends; a person works on the same drafts."""

import base64

import pytest

from postroom_simulators.google.gmail import mime

ANNA = "anna@office.test"
BEN = "ben@office.test"


def raw(letter):
    return base64.urlsafe_b64encode(letter.raw).decode()


def answer_to(letter, text="Dear Carl, here it is.\r\n", **changes):
    options = {
        "subject": "Re: A question",
        "sender": ANNA,
        "to": "carl@client.test",
        "message_id": "<a@office.test>",
        "reply_to": "<1@client.test>",
    }
    return letter(text, **(options | changes))


async def test_every_edit_of_a_draft_changes_its_message_id_but_not_its_own(sim, gmail, letter):
    question = sim.deliver(letter())
    drafts = gmail.users.drafts()
    body = {"message": {"raw": raw(answer_to(letter)), "threadId": question}}
    made = await gmail.run(drafts.create(userId="me", body=body))
    assert made["message"]["labelIds"] == ["DRAFT"]
    assert made["message"]["threadId"] == question

    better = {"message": {"raw": raw(answer_to(letter, "Dear Carl, better.\r\n")), "threadId": question}}
    changed = await gmail.run(drafts.update(userId="me", id=made["id"], body=better))
    edited = sim.edit_draft(ANNA, made["id"], text="Dear Carl, best. Anna")

    now = await gmail.run(drafts.get(userId="me", id=made["id"], format="raw"))
    assert changed["id"] == edited == now["id"] == made["id"]
    assert len({made["message"]["id"], changed["message"]["id"], now["message"]["id"]}) == 3
    assert b"best. Anna" in base64.urlsafe_b64decode(now["message"]["raw"])
    assert now["message"]["threadId"] == question
    assert (await gmail.refused(gmail.users.messages().get(userId="me", id=made["message"]["id"])))[0] == 404
    listed = await gmail.run(drafts.list(userId="me"))
    assert [item["message"]["id"] for item in listed["drafts"]] == [now["message"]["id"]]


async def test_an_edit_in_the_web_page_can_change_the_draft_id_too(sim, gmail, letter):
    made = await gmail.run(gmail.users.drafts().create(userId="me", body={"message": {"raw": raw(answer_to(letter))}}))

    other = sim.edit_draft(ANNA, made["id"], text="Anna again", new_id=True)

    assert other != made["id"]
    assert (await gmail.refused(gmail.users.drafts().get(userId="me", id=made["id"])))[0] == 404
    assert (await gmail.run(gmail.users.drafts().get(userId="me", id=other)))["id"] == other


async def test_sending_consumes_the_draft_and_makes_another_message(sim, gmail, letter):
    question = sim.deliver(letter())
    drafts = gmail.users.drafts()
    body = {"message": {"raw": raw(answer_to(letter)), "threadId": question}}
    made = await gmail.run(drafts.create(userId="me", body=body))
    carried = []
    sim.on_outbound = lambda mail, recipients: carried.append(recipients)

    sent = await gmail.run(drafts.send(userId="me", body={"id": made["id"]}))

    assert sent["id"] != made["message"]["id"]
    assert (sent["threadId"], sent["labelIds"]) == (question, ["SENT"])
    assert (await gmail.refused(drafts.get(userId="me", id=made["id"])))[0] == 404
    assert (await gmail.refused(drafts.send(userId="me", body={"id": made["id"]})))[0] == 404
    assert carried == [["carl@client.test"]]


async def test_a_draft_can_be_replaced_while_it_is_sent(sim, gmail, letter):
    drafts = gmail.users.drafts()
    made = await gmail.run(drafts.create(userId="me", body={"message": {"raw": raw(answer_to(letter))}}))
    last_words = {"id": made["id"], "message": {"raw": raw(answer_to(letter, "Last words\r\n"))}}

    sent = await gmail.run(drafts.send(userId="me", body=last_words))

    assert b"Last words" in sim.mailboxes[ANNA].mails[sent["id"]].raw


async def test_a_person_can_send_or_delete_the_draft(sim, gmail, letter):
    drafts = gmail.users.drafts()
    one = await gmail.run(drafts.create(userId="me", body={"message": {"raw": raw(answer_to(letter))}}))
    two = await gmail.run(drafts.create(userId="me", body={"message": {"raw": raw(answer_to(letter))}}))

    sent = sim.send_draft(ANNA, one["id"])
    sim.delete_draft(ANNA, two["id"])

    assert sim.mailboxes[ANNA].mails[sent].labels == {"SENT"}
    assert (await gmail.run(drafts.list(userId="me"))) == {"resultSizeEstimate": 0}


async def test_a_draft_is_deleted_for_good(gmail, letter):
    drafts = gmail.users.drafts()
    made = await gmail.run(drafts.create(userId="me", body={"message": {"raw": raw(answer_to(letter))}}))

    await gmail.run(drafts.delete(userId="me", id=made["id"]))

    assert (await gmail.refused(drafts.delete(userId="me", id=made["id"])))[0] == 404


async def test_a_draft_takes_no_other_label(gmail, letter):
    made = await gmail.run(gmail.users.drafts().create(userId="me", body={"message": {"raw": raw(answer_to(letter))}}))
    star = gmail.users.messages().modify(userId="me", id=made["message"]["id"], body={"addLabelIds": ["STARRED"]})
    assert (await gmail.refused(star))[:2] == (400, "invalidArgument")


async def test_joining_a_thread_takes_id_references_and_subject(sim, gmail, letter, recorder):
    question = sim.deliver(letter())
    send = gmail.users.messages().send

    joined = await gmail.run(send(userId="me", body={"raw": raw(answer_to(letter)), "threadId": question}))
    other = answer_to(letter, subject="Other matter")
    apart = await gmail.run(send(userId="me", body={"raw": raw(other), "threadId": question}))

    assert joined["threadId"] == question
    assert apart["threadId"] == apart["id"]
    assert len(recorder.mistakes) == 1
    missing = send(userId="me", body={"raw": raw(other), "threadId": "19a0000000000000"})
    assert (await gmail.refused(missing))[0] == 404


async def test_mail_to_another_simulated_mailbox_arrives_there_without_bcc(sim, gmail, letter, faults):
    faults.turn(new_message_id=False)
    sim.add_mailbox(BEN)
    mail = letter(sender=ANNA, to=BEN).raw.replace(b"Subject:", b"Bcc: secret@other.test\r\nSubject:")
    carried = []
    sim.on_outbound = lambda _, recipients: carried.append(recipients)

    body = {"raw": base64.urlsafe_b64encode(mail).decode()}
    sent = await gmail.run(gmail.users.messages().send(userId="me", body=body))

    (arrived,) = sim.mailboxes[BEN].mails.values()
    assert {"INBOX", "UNREAD"} <= arrived.labels
    assert arrived.raw == mail.replace(b"Bcc: secret@other.test\r\n", b"")
    assert b"secret@other.test" in sim.mailboxes[ANNA].mails[sent["id"]].raw
    assert carried == [["secret@other.test"]]


async def test_a_reply_between_simulated_mailboxes_finds_its_thread(sim, connect, letter):
    sim.add_mailbox(BEN)
    anna, ben = connect(), connect(BEN)
    question = letter(sender=ANNA, to=BEN, message_id="<q@office.test>")
    asked = await anna.run(anna.users.messages().send(userId="me", body={"raw": raw(question)}))
    (arrived,) = sim.mailboxes[BEN].mails.values()

    reply = letter(sender=BEN, to=ANNA, subject="Re: A question", reply_to=arrived.message_id, message_id="<r@o.test>")
    await ben.run(ben.users.messages().send(userId="me", body={"raw": raw(reply), "threadId": arrived.thread_id}))

    thread = await anna.run(anna.users.threads().get(userId="me", id=asked["threadId"], format="minimal"))
    assert len(thread["messages"]) == 2


async def test_mail_to_oneself_is_one_message_sent_and_received(gmail, letter):
    sent = await gmail.run(gmail.users.messages().send(userId="me", body={"raw": raw(letter(sender=ANNA))}))
    assert sent["labelIds"] == ["INBOX", "SENT", "UNREAD"]


async def test_the_api_gives_sent_mail_a_message_id_of_its_own_unless_told_not_to(sim, gmail, letter, faults):
    send = gmail.users.messages().send
    body = {"raw": raw(letter(sender=ANNA, to="carl@client.test", message_id="<mine@office.test>"))}

    replaced = await gmail.run(send(userId="me", body=body))
    faults.turn(new_message_id=False)
    kept = await gmail.run(send(userId="me", body=body))

    mails = sim.mailboxes[ANNA].mails
    assert mails[replaced["id"]].message_id.endswith("@mail.gmail.com>")
    assert mails[kept["id"]].message_id == "<mine@office.test>"


async def test_the_sender_is_always_the_mailbox(sim, gmail, letter):
    forged = letter(sender="Boss <boss@other.test>", to="carl@client.test")
    sent = await gmail.run(gmail.users.messages().send(userId="me", body={"raw": raw(forged)}))
    assert b"From: Anna Office <anna@office.test>" in sim.mailboxes[ANNA].mails[sent["id"]].raw
    assert b"boss@other.test" not in sim.mailboxes[ANNA].mails[sent["id"]].raw


async def test_mail_without_date_and_sender_gets_both(sim, gmail):
    body = {"raw": base64.urlsafe_b64encode(b"To: carl@client.test\r\nSubject: x\r\n\r\nhello").decode()}
    sent = await gmail.run(gmail.users.messages().send(userId="me", body=body))
    names = [name for name, _ in mime.headers(sim.mailboxes[ANNA].mails[sent["id"]].raw)]
    assert names == ["From", "Date", "Message-ID", "To", "Subject"]


async def test_mail_from_elsewhere_reaches_only_the_mailboxes_that_are_here(sim, letter):
    sim.add_mailbox(BEN)
    accepted = sim.accept(letter().raw, ["Anna@Office.test", BEN, "carl@client.test"])
    assert [list(sim.mailboxes[address].mails) for address in (ANNA, BEN)] == [[accepted[0]], [accepted[1]]]


async def test_a_letter_can_start_as_a_draft(sim, gmail, letter):
    message_id = sim.deliver(letter(folder="drafts"))
    listed = await gmail.run(gmail.users.drafts().list(userId="me"))
    assert [item["message"]["id"] for item in listed["drafts"]] == [message_id]


async def test_mail_to_nobody_is_refused_and_leaves_nothing(sim, gmail):
    body = {"raw": base64.urlsafe_b64encode(b"Subject: x\r\n\r\nhello").decode()}
    refusal = await gmail.refused(gmail.users.messages().send(userId="me", body=body))
    assert refusal == (400, "invalidArgument", "Recipient address required")
    assert not sim.mailboxes[ANNA].mails


async def test_the_addresses_to_send_from_are_listed_and_used(sim, gmail, letter):
    sim.add_alias(ANNA, "Desk@office.test")
    send_as = gmail.users.settings().sendAs()
    listed = await gmail.run(send_as.list(userId="me"))
    one = await gmail.run(send_as.get(userId="me", sendAsEmail="desk@office.test"))

    mail = letter(sender="Desk <desk@office.test>", to="carl@client.test")
    sent = await gmail.run(gmail.users.messages().send(userId="me", body={"raw": raw(mail)}))
    read = await gmail.run(gmail.users.messages().get(userId="me", id=sent["id"], format="metadata"))

    assert [(ANNA, True), ("desk@office.test", False)] == [
        (row["sendAsEmail"], row.get("isPrimary", False)) for row in listed["sendAs"]
    ]
    assert "accepted" == one["verificationStatus"]
    assert (404, "notFound") == (await gmail.refused(send_as.get(userId="me", sendAsEmail="x@office.test")))[:2]
    assert "Desk <desk@office.test>" in [row["value"] for row in read["payload"]["headers"] if row["name"] == "From"]


async def test_labels_of_many_messages_change_in_one_call(sim, gmail, letter):
    first, second = sim.deliver(letter()), sim.deliver(letter(message_id="<2@client.test>"))
    start = (await gmail.run(gmail.users.getProfile(userId="me")))["historyId"]
    body = {"ids": [first, second], "addLabelIds": ["STARRED"], "removeLabelIds": ["INBOX"]}

    await gmail.run(gmail.users.messages().batchModify(userId="me", body=body))

    history = (await gmail.run(gmail.users.history().list(userId="me", startHistoryId=start)))["history"]
    assert [["STARRED"], ["INBOX"]] * 2 == [
        change["labelIds"] for row in history for change in row.get("labelsAdded", []) + row.get("labelsRemoved", [])
    ]


@pytest.mark.parametrize("scope", ["readonly", "metadata", "labels"])
async def test_drafting_and_sending_need_their_scopes(sim, connect, letter, scope):
    client = connect(scopes=[f"https://www.googleapis.com/auth/gmail.{scope}"])
    message_id = sim.deliver(letter())
    body = {"message": {"raw": raw(letter(to="carl@client.test"))}}
    calls = [
        client.users.drafts().create(userId="me", body=body),
        client.users.messages().send(userId="me", body=body["message"]),
        client.users.messages().modify(userId="me", id=message_id, body={"addLabelIds": ["STARRED"]}),
        client.users.threads().modify(userId="me", id=message_id, body={"addLabelIds": ["STARRED"]}),
    ]

    refusals = [await client.refused(call) for call in calls]

    assert [(403, "insufficientPermissions")] * 4 == [refusal[:2] for refusal in refusals]
    assert not sim.mailboxes[ANNA].drafts
