"""Delta: rounds, pages, removals, lost state, and the oddities of the field."""

from __future__ import annotations

from datetime import timedelta

from simulators.graph.office import ANNA, IMMUTABLE, mail

DELTA = f"/users/{ANNA}/mailFolders/inbox/messages/delta"


async def walk(desk, link: str, size: int = 10) -> tuple[list[dict], str, int]:
    """To the end of a round: all items, the deltaLink, the number of pages."""
    items, pages = [], 0
    while True:
        answer = await desk.get(link, headers={"Prefer": f'IdType="ImmutableId", odata.maxpagesize={size}'})
        assert answer.status == 200, answer.content
        pages += 1
        items += answer.body["value"]
        assert ("@odata.nextLink" in answer.body) != ("@odata.deltaLink" in answer.body)
        if "@odata.deltaLink" in answer.body:
            return items, answer.body["@odata.deltaLink"], pages
        link = answer.body["@odata.nextLink"]


async def test_a_round_names_everything_and_the_next_only_what_changed(desk):
    keys = {desk.deliver(mail(f"Mail {number}")) for number in range(7)}

    first, link, pages = await walk(desk, DELTA, 3)
    nothing, link, _ = await walk(desk, link)
    new = desk.deliver()
    news, _, _ = await walk(desk, link)

    assert (keys, 3) == ({item["id"] for item in first}, pages)
    assert nothing == []
    assert [new] == [item["id"] for item in news]


async def test_track_changes_and_page_size_are_acknowledged(desk):
    desk.deliver()

    answer = await desk.get(DELTA, headers={"Prefer": "odata.track-changes, odata.maxpagesize=5"})

    assert answer.headers["Preference-Applied"] == "odata.maxpagesize=5, odata.track-changes"


async def test_parentheses_after_delta_are_fine(desk):
    assert (await desk.get(f"{DELTA}()")).status == 200


async def test_moving_out_and_deleting_are_removals(desk):
    moved, deleted, read = desk.deliver(), desk.deliver(), desk.deliver()
    _, link, _ = await walk(desk, DELTA)

    desk.sim.move(ANNA, moved, "archive")
    desk.sim.delete(ANNA, deleted, for_good=True)
    desk.sim.mark_read(ANNA, read)
    items, _, _ = await walk(desk, link)

    removed = {item["id"] for item in items if "@removed" in item}
    assert {moved, deleted} == removed
    assert [(read, True)] == [(item["id"], item["isRead"]) for item in items if "@removed" not in item]


async def test_removals_carry_the_default_id_the_client_knew(desk):
    key = desk.deliver()
    known = (await desk.get(DELTA)).body
    before = known["value"][0]["id"]

    desk.sim.move(ANNA, key, "archive")
    after = (await desk.get(known["@odata.deltaLink"])).body["value"]

    assert [before] == [item["id"] for item in after if "@removed" in item]


async def test_a_token_remembers_the_options_of_the_first_call(desk):
    desk.deliver()
    _, link, _ = await walk(desk, f"{DELTA}?$select=subject")
    desk.deliver()

    items, _, _ = await walk(desk, link)

    assert {"@odata.type", "@odata.etag", "id", "subject"} == set(items[0])


async def test_a_filter_starts_from_now_but_read_states_and_removals_of_older_mail_still_come(desk):
    old, older = desk.deliver(), desk.deliver()
    desk.sim.clock.advance(timedelta(hours=1))
    now = desk.sim.clock.now().strftime("%Y-%m-%dT%H:%M:%SZ")
    items, link, _ = await walk(desk, f"{DELTA}?$filter=receivedDateTime ge {now}")
    assert items == []

    new = desk.deliver()
    desk.sim.mark_read(ANNA, old)
    desk.sim.move(ANNA, older, "archive")
    items, _, _ = await walk(desk, link)

    assert {new, old, older} == {item["id"] for item in items}
    assert {"@odata.type": "#microsoft.graph.message", "id": old, "isRead": True} in items


async def test_only_created_can_be_asked_for(desk):
    old = desk.deliver()
    _, link, _ = await walk(desk, f"{DELTA}?changeType=created")
    desk.sim.mark_read(ANNA, old)
    new = desk.deliver()

    items, _, _ = await walk(desk, link)

    assert [new] == [item["id"] for item in items]


async def test_what_delta_cannot_do_is_refused(desk):
    for option in ("$search=x", "$filter=isRead eq true", "$orderby=subject", "changeType=moved"):
        assert (await desk.get(f"{DELTA}?{option}")).status == 400, option


async def test_a_link_more_than_three_generations_old_is_gone(desk):
    for number in range(8):
        desk.deliver(mail(f"Mail {number}"))
    first = (await desk.get(f"{DELTA}?$top=1")).body["@odata.nextLink"]
    link = first
    for _ in range(2):
        link = (await desk.get(link)).body["@odata.nextLink"]
    assert (await desk.get(first)).status == 200  # still retained, and a fourth generation is made

    lost = await desk.get(first)

    assert (lost.status, lost.code) == (410, "SyncStateNotFound")
    assert "[highest=4][4][2][3]." in lost.body["error"]["message"]
    assert lost.headers["Location"].endswith("$deltatoken=")
    assert (await desk.get(lost.headers["Location"])).status == 200


async def test_cursors_can_be_expired_on_demand(desk):
    _, link, _ = await walk(desk, DELTA)

    desk.sim.expire_cursors(ANNA)

    assert (await desk.get(link)).status == 410


async def test_a_filtered_round_never_returns_more_than_five_thousand(desk):
    raw = mail().as_bytes()
    mailbox = desk.sim.mailboxes[ANNA]
    for _ in range(5010):
        mailbox.receive(raw, mailbox.folder("inbox"))

    filtered, _, _ = await walk(desk, f"{DELTA}?$filter=receivedDateTime ge 2020-01-01&$select=id", 1000)
    everything, _, _ = await walk(desk, f"{DELTA}?$select=id", 1000)

    assert (len(filtered), len(everything)) == (5000, 5010)


async def test_repeats_empty_pages_and_skiptokens_in_the_delta_link_happen_when_switched_on(desk):
    key = desk.deliver()
    desk.sim.faults.turn(repeat_in_delta=1.0, empty_page=1.0, skiptoken_delta_link=1.0)

    items, link, pages = await walk(desk, DELTA)

    assert [key, key] == [item["id"] for item in items]
    assert pages == 2
    assert "$skiptoken=" in link
    desk.sim.faults.reset()
    assert (await desk.get(link)).status == 200


async def test_leaving_and_coming_back_can_go_unmentioned(desk):
    key = desk.deliver()
    _, link, _ = await walk(desk, DELTA)
    desk.sim.faults.turn(delta_misses_return=True)

    desk.sim.move(ANNA, key, "archive")
    desk.sim.move(ANNA, key, "inbox")
    items, _, _ = await walk(desk, link)

    assert items == []


async def test_a_later_page_without_immutable_ids_is_noted_as_a_mistake(desk):
    desk.deliver()
    link = (await desk.get(DELTA, headers=IMMUTABLE)).body["@odata.deltaLink"]

    await desk.get(link)

    assert desk.sim.recorder.mistakes == ["delta of anna@desk.test: a later page was asked without ImmutableId"]
