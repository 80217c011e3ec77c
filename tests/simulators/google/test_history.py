"""History is the truth a client catches up by: ordered, paged, filtered, and one day too old."""

import base64
from datetime import timedelta
from itertools import pairwise

import pytest

ANNA = "anna@office.test"


async def cursor(gmail):
    return (await gmail.run(gmail.users.getProfile(userId="me")))["historyId"]


def since(gmail, start, **options):
    return gmail.users.history().list(userId="me", startHistoryId=start, **options)


async def test_nothing_new_is_an_absent_key_not_an_empty_list(gmail):
    start = await cursor(gmail)
    assert await gmail.run(since(gmail, start)) == {"historyId": start}


async def test_every_kind_of_change_has_its_typed_array(sim, gmail, letter):
    start = await cursor(gmail)
    message_id = sim.deliver(letter())
    sim.archive(ANNA, message_id)
    sim.move_to_inbox(ANNA, message_id)
    await gmail.run(gmail.users.messages().delete(userId="me", id=message_id))

    answer = await gmail.run(since(gmail, start))

    kinds = [next(key for key in item if key not in ("id", "messages")) for item in answer["history"]]
    assert kinds == ["messagesAdded", "labelsRemoved", "labelsAdded", "messagesDeleted"]
    assert answer["history"][1]["labelsRemoved"][0]["labelIds"] == ["INBOX"]
    numbers = [int(item["id"]) for item in answer["history"]]
    assert numbers == sorted(numbers)
    assert any(later - earlier > 1 for earlier, later in pairwise(numbers))
    assert int(answer["historyId"]) == numbers[-1]


async def test_history_is_filtered_by_kind_and_label(sim, gmail, letter):
    start = await cursor(gmail)
    spam = sim.deliver(letter(folder="junkemail"))
    mail = sim.deliver(letter(message_id="<2@c.test>"))
    sim.mark_read(ANNA, mail)
    sim.move_to_inbox(ANNA, spam)

    added = await gmail.run(since(gmail, start, historyTypes=["messageAdded"], labelId="INBOX"))
    assert [item["messagesAdded"][0]["message"]["id"] for item in added["history"]] == [mail]
    rescued = await gmail.run(since(gmail, start, historyTypes=["labelAdded"], labelId="INBOX"))
    assert [item["labelsAdded"][0]["message"]["id"] for item in rescued["history"]] == [spam]
    odd = since(gmail, start)
    odd.uri += "&historyTypes=somethingElse"
    assert (await gmail.refused(odd))[0] == 400


async def test_history_is_paged_without_gaps_and_ends_with_the_newest_cursor(sim, gmail, letter):
    start = await cursor(gmail)
    delivered = [sim.deliver(letter(message_id=f"<{n}@c.test>")) for n in range(7)]

    seen, token = [], None
    while True:
        page = await gmail.run(since(gmail, start, maxResults=3, pageToken=token))
        seen += [item["messages"][0]["id"] for item in page["history"]]
        token = page.get("nextPageToken")
        if not token:
            break

    assert seen == delivered
    assert page["historyId"] == await cursor(gmail)


async def test_each_draft_edit_is_a_deletion_and_an_addition(sim, gmail, letter):
    draft = await gmail.run(
        gmail.users.drafts().create(
            userId="me", body={"message": {"raw": base64.urlsafe_b64encode(letter().raw).decode()}}
        )
    )
    start = await cursor(gmail)

    sim.edit_draft(ANNA, draft["id"], text="changed")

    answer = await gmail.run(since(gmail, start))
    assert "messagesDeleted" in answer["history"][0]
    assert answer["history"][1]["messagesAdded"][0]["message"]["labelIds"] == ["DRAFT"]


async def test_a_cursor_dies_after_a_week_of_changes(sim, gmail, letter, clock):
    start = await cursor(gmail)
    sim.deliver(letter())
    clock.advance(timedelta(days=6))
    assert "history" in await gmail.run(since(gmail, start))

    clock.advance(timedelta(days=2))

    refusal = await gmail.refused(since(gmail, start))
    assert refusal == (404, "notFound", "Requested entity was not found.")
    assert await gmail.run(since(gmail, await cursor(gmail)))


async def test_a_quiet_mailbox_keeps_its_cursor(gmail, clock):
    start = await cursor(gmail)
    clock.advance(timedelta(days=60))
    assert await gmail.run(since(gmail, start)) == {"historyId": start}


async def test_history_can_be_lost_early(sim, gmail, letter):
    sim.deliver(letter())
    start = await cursor(gmail)

    sim.expire_history(ANNA)

    assert (await gmail.refused(since(gmail, start)))[0] == 404
    fresh = await cursor(gmail)
    late = sim.deliver(letter(message_id="<2@c.test>"))
    answer = await gmail.run(since(gmail, fresh))
    assert [item["messages"][0]["id"] for item in answer["history"]] == [late]


@pytest.mark.parametrize(("start", "status"), [("0", 404), ("999999999999", 404), ("abc", 400), ("", 400)])
async def test_a_cursor_nobody_gave_out_is_refused(gmail, start, status):
    assert (await gmail.refused(since(gmail, start)))[0] == status


async def test_a_lagging_index_hides_new_records_and_its_cursor_lags_with_it(sim, gmail, letter, faults, clock):
    start = await cursor(gmail)
    faults.turn(history_lag=30)
    message_id = sim.deliver(letter())

    early = await gmail.run(since(gmail, start))
    clock.advance(timedelta(seconds=31))
    late = await gmail.run(since(gmail, early["historyId"]))

    assert early == {"historyId": start}
    assert [item["messages"][0]["id"] for item in late["history"]] == [message_id]


async def test_history_can_come_out_of_order_but_complete(sim, gmail, letter, faults):
    start = await cursor(gmail)
    delivered = [sim.deliver(letter(message_id=f"<{n}@c.test>")) for n in range(5)]
    faults.turn(history_shuffled=True)

    answer = await gmail.run(since(gmail, start))

    seen = [item["messages"][0]["id"] for item in answer["history"]]
    assert seen != delivered
    assert sorted(seen) == delivered


async def test_a_new_message_may_be_announced_before_it_can_be_read(sim, gmail, letter, faults, clock):
    start = await cursor(gmail)
    faults.turn(unreadable_for=10)
    message_id = sim.deliver(letter())
    get = gmail.users.messages().get

    assert "history" in await gmail.run(since(gmail, start))
    assert (await gmail.refused(get(userId="me", id=message_id)))[0] == 404
    clock.advance(timedelta(seconds=11))
    assert (await gmail.run(get(userId="me", id=message_id)))["id"] == message_id
