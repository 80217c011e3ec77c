"""Google's own client works with conversations and labels."""

import json
import re

import pytest
from googleapiclient.discovery_cache import get_static_doc

from postroom_simulators.google.gmail import colours

ANNA = "anna@office.test"


async def test_a_reply_joins_the_thread_by_its_references_and_subject(sim, gmail, letter):
    first = sim.deliver(letter())
    second = sim.deliver(letter(subject="AW: A question", message_id="<2@c.test>", reply_to="<1@client.test>"))
    third = sim.deliver(letter(subject="Something else", message_id="<3@c.test>", reply_to="<2@c.test>"))
    fourth = sim.deliver(letter(subject="Re: A question", message_id="<4@c.test>"))

    thread = await gmail.run(gmail.users.threads().get(userId="me", id=first, format="minimal"))

    assert [item["id"] for item in thread["messages"]] == [first, second]
    listed = await gmail.run(gmail.users.threads().list(userId="me"))
    assert [item["id"] for item in listed["threads"]] == [fourth, third, first]
    assert listed["threads"][-1]["historyId"] == thread["historyId"]


async def test_threads_are_paged_and_searched_by_any_of_their_messages(sim, gmail, letter):
    started = [sim.deliver(letter(subject=f"No {n}", message_id=f"<{n}@c.test>")) for n in range(5)]

    page = await gmail.run(gmail.users.threads().list(userId="me", maxResults=2))
    rest = gmail.users.threads().list(userId="me", maxResults=9, pageToken=page["nextPageToken"])
    seen = page["threads"] + (await gmail.run(rest))["threads"]

    assert [item["id"] for item in seen] == started[::-1]
    found = await gmail.run(gmail.users.threads().list(userId="me", q='subject:"No 3"'))
    assert [item["id"] for item in found["threads"]] == [started[3]]


async def test_a_threads_labels_are_put_on_the_messages_it_has_not_on_later_ones(sim, gmail, letter):
    first = sim.deliver(letter())
    await gmail.run(gmail.users.threads().modify(userId="me", id=first, body={"addLabelIds": ["STARRED"]}))
    sim.deliver(letter(subject="Re: A question", message_id="<2@c.test>", reply_to="<1@client.test>"))

    thread = await gmail.run(gmail.users.threads().get(userId="me", id=first, format="minimal"))

    assert ["STARRED" in item["labelIds"] for item in thread["messages"]] == [True, False]


async def test_a_thread_is_trashed_untrashed_and_deleted_as_a_whole(sim, gmail, letter):
    first = sim.deliver(letter())
    sim.deliver(letter(subject="Re: A question", message_id="<2@c.test>", reply_to="<1@client.test>"))
    threads = gmail.users.threads()

    trashed = await gmail.run(threads.trash(userId="me", id=first))
    assert all("TRASH" in item["labelIds"] for item in trashed["messages"])
    restored = await gmail.run(threads.untrash(userId="me", id=first))
    assert not any("TRASH" in item["labelIds"] for item in restored["messages"])
    await gmail.run(threads.delete(userId="me", id=first))
    assert (await gmail.refused(threads.get(userId="me", id=first)))[0] == 404
    assert not sim.mailboxes[ANNA].mails


async def test_labels_are_made_read_changed_and_dropped(sim, gmail, letter):
    labels = gmail.users.labels()
    made = await gmail.run(
        labels.create(userId="me", body={"name": "Triage/Urgent", "labelListVisibility": "labelHide"})
    )
    message_id = sim.deliver(letter())
    change = {"addLabelIds": [made["id"]]}
    await gmail.run(gmail.users.messages().modify(userId="me", id=message_id, body=change))

    read = await gmail.run(labels.get(userId="me", id=made["id"]))
    assert (read["messagesTotal"], read["messagesUnread"], read["threadsTotal"]) == (1, 1, 1)
    assert (read["type"], read["labelListVisibility"]) == ("user", "labelHide")
    renamed = await gmail.run(labels.patch(userId="me", id=made["id"], body={"name": "Triage/Later"}))
    assert (renamed["name"], renamed["labelListVisibility"]) == ("Triage/Later", "labelHide")
    replaced = await gmail.run(labels.update(userId="me", id=made["id"], body={"name": "Triage/Now"}))
    assert replaced["name"] == "Triage/Now"
    listed = await gmail.run(labels.list(userId="me"))
    assert "Triage/Now" in [label["name"] for label in listed["labels"]]
    assert "INBOX" in [label["id"] for label in listed["labels"]]
    await gmail.run(labels.delete(userId="me", id=made["id"]))
    assert (await gmail.refused(labels.get(userId="me", id=made["id"])))[0] == 404
    shown = await gmail.run(gmail.users.messages().get(userId="me", id=message_id, format="minimal"))
    assert made["id"] not in shown["labelIds"]


@pytest.mark.parametrize("name", ["triage", "TRIAGE", "inbox"])
async def test_a_label_name_that_exists_in_any_case_conflicts(gmail, name):
    labels = gmail.users.labels()
    await gmail.run(labels.create(userId="me", body={"name": "Triage"}))

    refusal = await gmail.refused(labels.create(userId="me", body={"name": name}))

    assert (refusal[0], refusal[2]) == (409, "Label name exists or conflicts")


async def test_system_labels_cannot_be_changed(gmail):
    labels = gmail.users.labels()
    assert (await gmail.refused(labels.delete(userId="me", id="INBOX")))[0] == 400
    assert (await gmail.refused(labels.patch(userId="me", id="INBOX", body={"name": "In"})))[0] == 400
    assert (await gmail.refused(labels.create(userId="me", body={"name": " "})))[0] == 400
    odd = {"name": "Odd", "labelListVisibility": "sometimes"}
    assert (await gmail.refused(labels.create(userId="me", body=odd)))[0] == 400


async def test_a_label_has_two_colours_of_the_palette_or_none(gmail):
    labels = gmail.users.labels()
    good = {"backgroundColor": "#16a766", "textColor": "#ffffff"}

    made = await gmail.run(labels.create(userId="me", body={"name": "Desk/Ready", "color": good}))
    changed = await gmail.run(labels.patch(userId="me", id=made["id"], body={"color": good | {"textColor": "#000000"}}))
    off = await gmail.refused(labels.patch(userId="me", id=made["id"], body={"color": good | {"textColor": "#123456"}}))
    half = await gmail.refused(labels.create(userId="me", body={"name": "Half", "color": {"textColor": "#ffffff"}}))

    assert (good, "#000000") == (made["color"], changed["color"]["textColor"])
    assert (400, "invalidArgument", "Label color #123456 is not on the allowed color palette") == off
    assert (400, "invalidArgument") == half[:2]


def test_the_palette_is_the_one_that_google_describes():
    description = json.loads(get_static_doc("gmail", "v1"))["schemas"]["LabelColor"]["properties"]["textColor"]

    assert set(re.findall(r"#[0-9a-f]{6}", description["description"])) == colours.PALETTE
