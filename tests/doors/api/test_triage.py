"""Threads, channels and topics over HTTP, as other programs use them."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import psycopg
import pytest

from postroom.nouns.ids import new_id

RULES = {"senders": ["@client.example"], "accounts": [], "words": [], "intents": []}


def triaged(api, *, subject: str = "Rooms", text: str = "May we have two more rooms?", reason: str = "draftable"):
    """A thread of ours that was judged a moment ago; its id."""
    thread, now = new_id(), api.house.clock()
    state, action = ("ready", "draft") if reason == "draftable" else ("needs_review", "needs_review")
    analysis = (
        '{"summary": "Two more rooms?", "intent": "question", "urgency": "normal", "suggestedChannel": null,'
        ' "draftResponse": null, "reasoning": "Read as question.", "note": ""}'
    )
    with psycopg.connect(api.owner_dsn, autocommit=True) as owner:
        owner.execute(
            "INSERT INTO postroom.thread (id, tenant_id, mailbox_id, provider_thread_id, subject, messages, last_message_at)"
            " VALUES (%s, %s, %s, %s, %s, 1, %s)",
            [thread, api.ours.tenant_id, api.ours["mailbox_id"], f"t-{thread}", subject, now],
        )
        owner.execute(
            "INSERT INTO postroom.thread_state (thread_id, tenant_id, mailbox_id, reference_code, state, action, reason,"
            " because, analysis, newest_ref, newest_at, newest_from, decided_at, updated_at)"
            " VALUES (%s, %s, %s, %s, %s, %s, %s, 'Because.', %s, 'm1', %s, 'anna@client.example', %s, %s)",
            [thread, api.ours.tenant_id, api.ours["mailbox_id"], f"PR-{str(thread.int)[-6:].translate(str.maketrans('01', 'AB'))}",
             state, action, reason, analysis, now, now, now],
        )  # fmt: skip
        owner.execute(
            "INSERT INTO postroom.turn (tenant_id, thread_id, ref, outgoing, sender_email, subject, own_text, quoted_text,"
            " recipients, sent_at, kept_at) VALUES (%s, %s, 'm1', false, 'anna@client.example', %s, %s, 'Earlier.',"
            ' \'{"to": ["us@house.example"]}\', %s, %s)',
            [api.ours.tenant_id, thread, subject, text, now, now],
        )
    return thread


def proposed(api, thread, words: str) -> None:
    """A draft was written for its newest message."""
    slot, now = new_id(), api.house.clock()
    with psycopg.connect(api.owner_dsn, autocommit=True) as owner:
        owner.execute(
            "INSERT INTO postroom.draft_slot (id, tenant_id, mailbox_id, thread_id, kind, draft_key, updated_at)"
            " VALUES (%s, %s, %s, %s, 'copilot_reply', %s, %s)",
            [slot, api.ours.tenant_id, api.ours["mailbox_id"], thread, slot.hex, now],
        )
        owner.execute(
            "INSERT INTO postroom.draft_revision (id, tenant_id, slot_id, message_ref, status, provider_draft_id, fingerprint,"
            " recipients, subject, proposed, body, confidence, gate, model, created_at, updated_at)"
            " VALUES (%s, %s, %s, 'm1', 'written', %s, 'sha256:1', '{anna@client.example}', 'Rooms', %s, %s, 1, 0.4, 'rules', %s, %s)",
            [new_id(), api.ours.tenant_id, slot, f"d-{slot}", words, words, now, now],
        )


async def test_a_thread_says_what_it_wants_of_us(api):
    thread = triaged(api)

    shown = (await api.by("viewer").get(f"/threads/{thread}")).json()

    assert ("ready", "draft", "draftable", "Because.") == (
        shown["state"],
        shown["triage"]["action"],
        shown["triage"]["reason"],
        shown["triage"]["because"],
    )
    assert ("question", "Default", "rules") == (
        shown["analysis"]["intent"],
        shown["channel"],
        shown["analysis"]["model"],
    )
    assert [("May we have two more rooms?", "Earlier.")] == [
        (each["own_text"], each["quoted_text"]) for each in shown["turns"]
    ]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("draft_written", ("draft", "draftable")),
        ("draft_has_gaps", ("draft", "draftable")),
        ("draft_discarded", ("draft", "draftable")),
        ("permission_denied", ("draft", "draftable")),
        ("evidence_missing", ("needs_review", "evidence_missing")),
        ("draft_conflict_user_edited", ("needs_review", "user_edited_draft")),
    ],
)
async def test_what_became_of_the_draft_changes_no_reason_that_others_know(api, said, told):
    thread = triaged(api)
    with psycopg.connect(api.owner_dsn, autocommit=True) as owner:
        owner.execute("UPDATE postroom.thread_state SET reason = %s WHERE thread_id = %s", [said, thread])

    shown = (await api.by("viewer").get(f"/threads/{thread}")).json()["triage"]

    assert told == (shown["action"], shown["reason"])


@pytest.mark.parametrize(
    ("asked", "found"),
    [({"state": "open"}, True), ({"state": "ready"}, True), ({"state": "error"}, False), ({"q": "rooms"}, True)],
)
async def test_what_waits_is_listed_by_state_and_found_by_words(api, asked, found):
    thread = triaged(api)

    listed = (await api.by("viewer").get("/threads", params=asked)).json()["items"]

    assert found == (str(thread) in [each["id"] for each in listed])


async def test_a_thread_is_found_by_its_code(api):
    thread = triaged(api)
    code = (await api.by("viewer").get(f"/threads/{thread}")).json()["reference_code"]

    listed = (await api.by("viewer").get("/threads", params={"q": code.lower()})).json()["items"]

    assert [str(thread)] == [each["id"] for each in listed]


async def test_a_search_goes_on_and_heeds_what_else_is_asked(api):
    threads = {str(triaged(api)) for _ in range(3)}
    other = str(triaged(api, reason="sensitive_legal"))
    viewer, seen, cursor = api.by("viewer"), [], None
    while True:
        got = (
            await viewer.get(
                "/threads", params={"q": "rooms", "state": "ready", "limit": 2} | ({"cursor": cursor} if cursor else {})
            )
        ).json()
        seen += [each["id"] for each in got["items"]]
        if (cursor := got["next"]) is None:
            break
    in_default = (await viewer.get("/threads", params={"q": "rooms", "channel_id": "default"})).json()["items"]

    assert (3, threads) == (len(seen), set(seen))
    assert threads | {other} == {each["id"] for each in in_default}


async def test_nobody_decides_over_what_they_have_not_seen(api):
    thread, operator = triaged(api), api.by("operator")
    seen = (await operator.get(f"/threads/{thread}")).json()["revision"]

    done = await operator.post(f"/threads/{thread}/done", json={"revision": seen})
    late = await operator.post(f"/threads/{thread}/not-for-us", json={"revision": seen})
    unasked = await operator.post(f"/threads/{thread}/reopen")

    assert (200, 409, 200) == (done.status_code, late.status_code, unasked.status_code)


async def test_what_is_left_to_a_person_tells_of_no_draft(api):
    thread = triaged(api, reason="user_edited_draft")
    proposed(api, thread, "Two more rooms are kept.")
    drafted = triaged(api)
    proposed(api, drafted, "Two rooms are kept.")

    said = [(await api.by("viewer").get(f"/threads/{each}")).json()["analysis"] for each in (thread, drafted)]

    assert [None, "Two rooms are kept."] == [each["draftResponse"] for each in said]


async def test_people_assign_snooze_and_set_aside(api):
    thread, operator = triaged(api), api.by("operator")
    person = (await api.by("admin").post("/people", json={"email": "nora@house.example", "role": "operator"})).json()[
        "id"
    ]
    till = (api.house.clock() + timedelta(days=1)).isoformat()

    assigned = (await operator.post(f"/threads/{thread}/assign", json={"person_id": person})).json()
    snoozed = (await operator.post(f"/threads/{thread}/snooze", json={"till": till})).json()
    hidden = (await operator.get("/threads", params={"state": "open"})).json()["items"]
    aside = (await operator.post(f"/threads/{thread}/not-for-us")).json()
    again = (await operator.post(f"/threads/{thread}/reopen")).json()

    assert ("nora@house.example", True) == (assigned["assignee"], snoozed["snoozed_till"] is not None)
    assert str(thread) not in [each["id"] for each in hidden]
    assert (True, False) == (aside["not_for_us"], again["not_for_us"])


async def test_nobody_is_assigned_whom_we_do_not_know(api):
    answer = await api.by("operator").post(f"/threads/{triaged(api)}/assign", json={"person_id": str(uuid4())})

    assert 404 == answer.status_code


async def test_a_thread_is_not_given_to_who_can_only_look(api):
    added = await api.by("admin").post("/people", json={"email": "vera@house.example", "role": "viewer"})
    path = f"/threads/{triaged(api)}/assign"
    answer = await api.by("operator").post(path, json={"person_id": added.json()["id"]})

    assert (400, True) == (answer.status_code, "vera@house.example can only look" in answer.json()["detail"])


async def test_a_thread_is_not_snoozed_into_the_past(api):
    till = (api.house.clock() - timedelta(days=1)).isoformat()

    assert 400 == (await api.by("operator").post(f"/threads/{triaged(api)}/snooze", json={"till": till})).status_code


async def test_channels_are_made_changed_and_removed(api):
    admin, thread = api.by("admin"), triaged(api)
    made = (await admin.post("/channels", json={"name": "Key clients", "rules": RULES})).json()
    moved = (await admin.post(f"/threads/{thread}/move", json={"channel_id": made["id"]})).json()
    twice = await admin.post("/channels", json={"name": "key clients", "rules": RULES})
    empty = await admin.post("/channels", json={"name": "Nothing", "rules": {}})
    changed = (await admin.put(f"/channels/{made['id']}", json={"name": "Clients", "rules": RULES})).json()
    gone = await admin.delete(f"/channels/{made['id']}")
    left = (await admin.get(f"/threads/{thread}")).json()

    assert ("Key clients", "Clients", "Default") == (moved["channel"], changed["name"], left["channel"])
    assert (409, 400, 204) == (twice.status_code, empty.status_code, gone.status_code)


async def test_a_topic_shows_what_it_would_have_done_before_it_is_saved(api):
    admin = api.by("admin")
    thread = triaged(api, text="Please ask the insurer about the roof.")
    triaged(api, text="May we have two more rooms?")
    topic = {"name": "Insurers", "counts_as": "legal", "words": ["insur*"]}

    shown = (await admin.post("/topics/preview", json=topic)).json()
    kept_before = (await admin.get("/topics")).json()["items"]
    made = (await admin.post("/topics", json=topic)).json()
    removing = (await admin.post("/topics/preview", json={**topic, "topic_id": made["id"], "words": []})).json()
    switching = (await admin.post("/topics/preview", json={**topic, "topic_id": made["id"], "active": False})).json()

    assert ["Vans"] == [each["name"] for each in kept_before]
    assert (3, [(str(thread), "draftable", "sensitive_legal")]) == (
        shown["looked_at"],
        [(each["thread_id"], each["before"], each["after"]) for each in shown["changed"]],
    )
    assert [("sensitive_legal", "draftable")] == [(each["before"], each["after"]) for each in removing["changed"]]
    assert (True, removing["changed"]) == (shown["all_looked_at"], switching["changed"])


async def test_the_copilot_is_switched_by_an_admin_where_the_provider_can(api):
    path = f"/mailboxes/{api.ours['mailbox_id']}"

    before = (await api.by("viewer").get(path)).json()["copilot"]
    refused = await api.by("operator").patch(path, json={"copilot": "labels"})
    after = (await api.by("admin").patch(path, json={"copilot": "labels", "operators": ["Nora@House.example"]})).json()

    assert ("off", 403) == (before, refused.status_code)
    assert ("labels", ["nora@house.example"]) == (after["copilot"], after["operators"])


async def test_a_text_is_tried_and_what_is_switched_off_counts_for_nothing(api):
    admin = api.by("admin")
    topic = {"name": "Works council", "counts_as": "legal", "words": ["works council"]}
    made = (await admin.post("/topics", json=topic)).json()
    channel = {"name": "Council", "rules": {**RULES, "senders": [], "words": ["council"]}}
    kept = (await admin.post("/channels", json=channel)).json()
    asked = {"sender": "anna@client.example", "text": "When does the works council meet?"}

    tried = (await api.by("viewer").post("/topics/try", json=asked)).json()
    assert ("needs_review", "sensitive_legal", "Council") == (tried["action"], tried["reason"], tried["channel"])

    await admin.put(f"/topics/{made['id']}", json={**topic, "active": False})
    await admin.put(f"/channels/{kept['id']}", json={**channel, "active": False})
    tried = (await api.by("viewer").post("/topics/try", json=asked)).json()
    assert ("draft", "draftable", "Default") == (tried["action"], tried["reason"], tried["channel"])
    assert 400 == (await admin.post("/topics/try", json={"text": " "})).status_code
