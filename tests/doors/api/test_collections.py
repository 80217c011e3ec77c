"""What each collection tells, and what people do with it."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from uuid import UUID

import psycopg

from makers import settle
from postroom.nouns.ids import new_id


async def test_every_collection_is_items_and_next(api):
    names = (
        "mailboxes",
        "messages",
        "threads",
        "documents",
        "trades",
        "orders",
        "invoices",
        "bookings",
        "attempts",
        "jobs",
        "facts",
    )
    for name in (*names, "people", "keys"):
        body = await api.get(f"/{name}", "admin")
        assert {"items", "next"} == set(body), name
        assert body["items"], name


async def test_a_message_says_what_became_of_it_and_why(api):
    shown = {each["provider_message_id"]: each for each in (await api.get("/messages"))["items"]}
    message = shown["provider-0-ours"]
    assert "desk@ours.test" == message["mailbox"]
    assert {"status": "processed", "rule": None, "reason": None} == message["status"]["pad_contract_notes"]
    assert "A contract note is no invoice." == message["status"]["ap_invoices"]["reason"]
    assert "note.pdf is broken." == shown["provider-1-ours"]["status"]["pad_contract_notes"]["reason"]
    assert "announced" == shown["provider-2-ours"]["state"]


async def test_messages_are_found_by_mailbox_state_status_pipeline_time_and_provider_id(api):
    async def found(**asked) -> list[str]:
        return sorted(each["provider_message_id"] for each in (await api.get("/messages", **asked))["items"])

    assert ["provider-0-ours", "provider-1-ours", "provider-2-ours"] == await found(mailbox="DESK@ours.test")
    assert [] == await found(mailbox="nobody@ours.test")
    assert ["provider-2-ours"] == await found(state="announced")
    assert ["provider-1-ours"] == await found(status="failed")
    assert [] == await found(status="failed", pipeline="ap_invoices")
    assert ["provider-0-ours"] == await found(status="filtered", pipeline="ap_invoices")
    assert ["provider-0-ours"] == await found(provider_message_id="provider-0-ours")
    assert ["provider-0-ours", "provider-1-ours"] == await found(thread_id=str(api.ours["thread_id"]))
    assert [] == await found(since="2100-01-01T00:00:00Z")
    assert [] == await found(until="2000-01-01T00:00:00+02:00")


async def test_the_text_of_a_message_is_made_harmless(api):
    body = await api.get(f"/messages/{api.ours['message_id']}")
    assert "Please find attached" == body["body_text"]
    assert "<b>find</b>" in body["body_html"]
    for evil in ("script", "alert", "onclick", "img", "evil.test", "javascript"):
        assert evil not in body["body_html"]
    assert ["note.pdf"] == [each["filename"] for each in body["attachments"]]
    files = await api.get(f"/messages/{api.ours['message_id']}/attachments")
    assert body["attachments"] == files["items"]


async def test_a_stuck_message_is_tried_again_and_a_finished_one_is_not(api):
    again = await api.by("operator").post(f"/messages/{api.ours['announced_id']}/retry")
    assert (202, {"jobs": 1}) == (again.status_code, again.json())
    told = await api.get("/facts", kind="attempt.manual_retry_requested")
    assert ["key:operator", ""] == [each["actor"].rpartition(":")[0] for each in told["items"]]
    assert 409 == (await api.by("operator").post(f"/messages/{api.ours['message_id']}/retry")).status_code


async def test_a_thread_comes_with_its_messages(api):
    body = await api.get(f"/threads/{api.ours['thread_id']}")
    assert ["provider-0-ours", "provider-1-ours"] == [each["provider_message_id"] for each in body["newest"]]


async def test_a_mailbox_is_paused_resumed_and_shows_its_evidence(api):
    path = f"/mailboxes/{api.ours['mailbox_id']}"
    paused = await api.by("operator").post(f"{path}/pause", json={"because": "Holidays."})
    assert ("paused", "Holidays.") == (paused.json()["status"], paused.json()["because"])
    resumed = (await api.by("operator").post(f"{path}/resume")).json()
    assert "active" == resumed["status"]
    assert (4, 3, 1, {"arrived": 3}) == tuple(
        resumed["health"][name] for name in ("listed", "held", "unannounced", "reasons")
    )
    kinds = [each["kind"] for each in (await api.get("/facts", kind="mailbox"))["items"]]
    assert ["mailbox.resumed", "mailbox.paused"] == kinds


async def test_health_says_of_which_time_mail_was_never_listed(api):
    path = f"/mailboxes/{api.ours['mailbox_id']}"
    with psycopg.connect(api.owner_dsn, autocommit=True) as owner:
        owner.execute(
            "INSERT INTO postroom.mailbox_cursor (mailbox_id, tenant_id, unlisted_since, unlisted_till)"
            " SELECT id, tenant_id, '2026-01-05Z', '2026-02-01Z' FROM postroom.mailbox WHERE id = %s"
            " ON CONFLICT (mailbox_id) DO UPDATE SET unlisted_since = '2026-01-05Z', unlisted_till = '2026-02-01Z'",
            [api.ours["mailbox_id"]],
        )
    seen = (await api.get(path))["health"]
    assert ["2026-01-05", "2026-02-01"] == [seen[name][:10] for name in ("unlisted_since", "unlisted_till")]


async def test_coverage_names_what_was_missing(api):
    only = (await api.get(f"/mailboxes/{api.ours['mailbox_id']}/coverage"))["items"][0]
    assert (4, 3, 1, 0.75, ["lost"]) == tuple(
        only[name] for name in ("listed", "held", "missing", "ratio", "missing_refs")
    )


async def test_resync_and_reconcile_set_their_jobs_in_motion(api):
    path = f"/mailboxes/{api.ours['mailbox_id']}"
    since = (api.house.clock() - timedelta(days=40)).replace(microsecond=0)
    shown = await api.by("operator").post(f"{path}/resync", json={"since": since.isoformat()})
    assert 202 == shown.status_code
    assert since == datetime.fromisoformat(shown.json()["health"]["resync_since"])
    for wrong in (since + timedelta(days=41), since - timedelta(days=400)):
        assert 400 == (await api.by("operator").post(f"{path}/resync", json={"since": wrong.isoformat()})).status_code
    assert 202 == (await api.by("operator").post(f"{path}/reconcile")).status_code
    kinds = {each["kind"] for each in (await api.get("/jobs"))["items"]}
    assert {"sync.resync", "sync.reconcile"} <= kinds
    await api.by("operator").post(f"{path}/pause")
    for act in ("resync", "reconcile"):
        answer = await api.by("operator").post(f"{path}/{act}")
        assert (409, True) == (answer.status_code, "resume it first" in answer.json()["detail"])


async def test_connecting_answers_with_a_link_for_somebody_s_browser(api):
    answer = await api.by("admin").post("/mailboxes/connect", json={"provider": "outlook", "address": "new@ours.test"})
    assert 201 == answer.status_code
    assert "/oauth/outlook/authorize?ticket=" in answer.json()["url"]
    unset = await api.by("admin").post("/mailboxes/connect", json={"provider": "gmail"})
    assert (409, True) == (unset.status_code, "POSTROOM_GMAIL_CLIENT_ID" in unset.json()["detail"])


async def test_the_rules_of_a_mailbox_are_replaced(api):
    path = f"/mailboxes/{api.ours['mailbox_id']}/rules"
    wanted = {"rules": {"allow_senders": ["broker.test"], "max_bytes": 1000}, "pipelines": ["ap_invoices"]}
    changed = (await api.by("admin").put(path, json=wanted)).json()
    assert (["broker.test"], ["ap_invoices"]) == (changed["rules"]["allow_senders"], changed["pipelines"])
    assert 1000 == (await api.get(path))["max_bytes"]
    refused = await api.by("admin").put(path, json={"rules": {"alow_senders": []}})
    assert (422, "body.rules.alow_senders") == (refused.status_code, refused.json()["errors"][0]["where"])


async def test_disconnecting_keeps_what_was_taken_in(api):
    path = f"/mailboxes/{api.ours['mailbox_id']}"
    assert "disconnected" == (await api.by("admin").post(f"{path}/disconnect")).json()["status"]
    assert 3 == len((await api.get("/messages"))["items"])


async def test_statistics_name_what_failed(api):
    expected = {
        "total_failures": 3,
        "max_retries_reached": 1,
        "pending_retry": 1,
        "eligible_for_retry": 0,
        "refused_at_once": 1,
        "error_breakdown": {"retryable": 1, "transient": 1, "non_retryable": 1, "rate_limited": 0},
    }
    assert expected == await api.get("/attempts/statistics")


async def test_a_failed_attempt_is_retried_once(api):
    path = f"/attempts/{api.ours['attempt_id']}/retry"
    done = await api.by("operator").post(path)
    assert (202, "quarantined") == (done.status_code, done.json()["state"])
    assert 404 == (await api.by("operator").post(path)).status_code
    assert 1 == (await api.get("/attempts/statistics"))["refused_at_once"]


async def test_many_are_retried_with_a_summary_of_those_that_could_not(api):
    wanted = {"attempt_ids": [api.ours["attempt_id"], api.theirs["attempt_id"], 987654321]}
    summary = (await api.by("operator").post("/attempts/retry", json=wanted)).json()
    assert (3, 1) == (summary["requested"], summary["retried"])
    assert {api.theirs["attempt_id"], 987654321} == {each["attempt_id"] for each in summary["refused"]}
    rest = (await api.by("operator").post("/attempts/retry", json={"error_class": "transient"})).json()
    assert (1, 1, []) == (rest["requested"], rest["retried"], rest["refused"])


async def test_how_far_many_have_come_is_told_until_each_is_over(api):
    def tries(outcome: str, key: str) -> None:
        with psycopg.connect(api.owner_dsn, autocommit=True) as owner:
            owner.execute(
                "INSERT INTO postroom.attempt (tenant_id, job_id, kind, key, epoch, outcome, retry_count, correlation_id, created_at)"
                " VALUES (%s, 1, (SELECT kind FROM postroom.attempt WHERE key = %s LIMIT 1), %s, 1, %s, 0, gen_random_uuid(), now())",
                [api.ours.tenant_id, key, key, outcome],
            )

    wanted = {"attempt_ids": [api.ours["attempt_id"]]}
    batch = (await api.by("operator").post("/attempts/retry", json=wanted)).json()["batch"]
    key, seen = str(api.ours["announced_id"]), []
    for outcome in ("", "retry", "lost", "quarantined", "done"):
        if outcome:
            tries(outcome, key)
        told = await api.get(f"/attempts/batches/{batch}")
        seen.append((told["total"], told["done"], told["failed"], told["later"], told["over"]))
    assert [
        (1, 0, 0, 0, False),
        (1, 0, 0, 1, False),
        (1, 0, 0, 1, False),
        (1, 0, 1, 0, True),
        (1, 1, 0, 0, True),
    ] == seen
    theirs = api.by(await api.key("admin", tenant=api.theirs.tenant_id))
    assert 404 == (await theirs.get(f"/attempts/batches/{batch}")).status_code
    assert 404 == (await api.by("viewer").get("/attempts/batches/nonsense")).status_code


async def test_jobs_are_listed_by_state_and_replayed(api):
    aside = (await api.get("/jobs", state="quarantined"))["items"]
    assert [api.ours["job_id"]] == [each["id"] for each in aside]
    assert 202 == (await api.by("operator").post(f"/jobs/{api.ours['job_id']}/replay")).status_code
    assert [] == (await api.get("/jobs", state="quarantined"))["items"]


async def test_facts_are_exported_as_lines_and_proved(api):
    await api.by("operator").post(f"/mailboxes/{api.ours['mailbox_id']}/pause")
    await settle(api.owner_dsn)
    report = await api.get("/facts/verify")
    assert (True, []) == (report["sound"], report["problems"])
    answer = await api.by("viewer").get("/facts/export")
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert report["facts"] == sum("fact" in line for line in lines)
    assert report["head"] == [line["chain"] for line in lines if "seal" in line][-1]
    paused = next(line for line in lines if line.get("kind") == "mailbox.paused")
    after = await api.by("viewer").get("/facts/export", params={"after": f"{paused['xid']}-{paused['fact']}"})
    assert "mailbox.paused" not in after.text


async def test_facts_are_found_by_time_actor_and_mailbox_however_far_back(api):
    with psycopg.connect(api.owner_dsn, autocommit=True) as owner:
        owner.execute(
            "INSERT INTO postroom.fact (xid, told_at, tenant_id, kind, mailbox_id, actor, body, digest)"
            " SELECT n / 20, '2026-03-01T00:00:00Z'::timestamptz + make_interval(mins => n), %s, 'engine.counted', CASE WHEN n %% 4000 = 7 THEN %s::uuid END, CASE WHEN n = 9 THEN 'person:anna' ELSE 'postroom' END, jsonb_build_object('number', n), ''"
            " FROM generate_series(1, 12000) n",
            [api.ours.tenant_id, api.ours["mailbox_id"]],
        )

    async def found(**asked) -> list[int]:
        numbers, cursor = [], {}
        while True:
            page = await api.get("/facts", kind="engine", limit=200, **cursor, **asked)
            numbers += [each["body"]["number"] for each in page["items"]]
            if page["next"] is None:
                return numbers
            cursor = {"cursor": page["next"]}

    assert [9] == await found(actor="person:anna")
    assert [8007, 4007, 7] == await found(mailbox_id=str(api.ours["mailbox_id"]))
    assert list(range(1259, 1199, -1)) == await found(since="2026-03-01T20:00:00Z", until="2026-03-01T21:00:00Z")
    assert [2, 1] == await found(until="2026-03-01T00:03:00Z")
    assert [12000] == await found(since="2026-03-09T08:00:00Z")
    assert [] == await found(since="2026-03-02T00:00:00Z", until="2026-03-01T00:00:00Z")


async def test_a_changed_fact_is_found_out(api):
    await api.get("/facts/verify")
    with psycopg.connect(api.owner_dsn, autocommit=True) as owner:
        owner.execute("ALTER TABLE postroom.fact DISABLE TRIGGER USER")
        for (part,) in owner.execute(
            "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'postroom.fact'::regclass"
        ).fetchall():
            owner.execute(f"ALTER TABLE {part} DISABLE TRIGGER USER")
        owner.execute("UPDATE postroom.fact SET actor = 'nobody' WHERE kind = 'person.added'")
    assert not (await api.get("/facts/verify"))["sound"]


async def test_metrics_tell_times_queues_and_coverage(api):
    body = await api.get("/metrics")
    assert 2 == body["time_to_arrive"]["messages"]
    assert {"later": 2, "quarantined": 1} == {  # one of them maps earlier mail, in a moment
        each["state"]: each["jobs"] for each in body["queue"] if each["state"] in {"later", "quarantined"}
    }
    assert (4, 3) == (body["attempts"]["attempts"], body["attempts"]["failed"])
    assert [("desk@ours.test", 0.75)] == [(each["mailbox"], each["ratio"]) for each in body["coverage"]]
    assert {"contract_note": 1, "invoice": 1} == {
        each["kind"]: each["documents"] for each in body["documents"] if each["status"] == "review"
    }


async def test_a_key_is_shown_once(api):
    made = (
        await api.by("admin").post(
            "/keys", json={"name": "dashboard", "role": "viewer", "scopes": ["metrics"], "days": 30}
        )
    ).json()
    listed = await api.by("admin").get("/keys")
    assert made["key"].startswith("pr_")
    assert made["key"] not in listed.text
    kept = next(each for each in listed.json()["items"] if each["id"] == made["id"])
    assert (["metrics"], "key:admin") == (kept["scopes"], kept["created_by"].rpartition(":")[0])


async def test_the_last_admin_stays(api):
    path = f"/people/{api.ours['person_id']}"
    kept = await api.by("admin").patch(path, json={"role": "viewer"})
    assert (409, True) == (kept.status_code, "last admin" in kept.json()["detail"])
    made = await api.by("admin").post(
        "/people", json={"email": "Ben@Ours.test", "role": "admin", "password": "a long enough word"}
    )
    assert (201, "ben@ours.test") == (made.status_code, made.json()["email"])
    assert "viewer" == (await api.by("admin").patch(path, json={"role": "viewer"})).json()["role"]
    assert 409 == (await api.by("admin").post("/people", json={"email": "ben@ours.test", "role": "viewer"})).status_code


async def test_settings_change_only_in_what_is_said(api):
    changed = (await api.by("admin").patch("/settings", json={"sure_enough": 0.9, "require_order": False})).json()
    assert ("ours", 0.9, False) == (changed["tenant"], changed["sure_enough"], changed["require_order"])
    again = (await api.by("admin").patch("/settings", json={"require_order": None})).json()
    assert (0.9, None) == (again["sure_enough"], again["require_order"])


async def test_windows_of_retention_change_one_by_one_within_their_bounds(api):
    nothing = dict.fromkeys(
        ("messages", "attachments", "documents", "archive", "events", "analyses", "drafts", "evidence")
    )
    assert nothing == (await api.get("/settings"))["retention"]
    for wish in ({"messages": 365}, {"archive": 2555}):
        changed = await api.by("admin").patch("/settings", json={"retention": wish})
        assert 200 == changed.status_code
    assert nothing | {"messages": 365, "archive": 2555} == changed.json()["retention"]
    lifted = await api.by("admin").patch("/settings", json={"retention": {"messages": None}})
    assert nothing | {"archive": 2555} == lifted.json()["retention"]
    for wrong in ({"messages": 29}, {"messages": 36_501}, {"letters": 90}, None):
        assert 422 == (await api.by("admin").patch("/settings", json={"retention": wrong})).status_code
    told = (await api.get("/facts", kind="tenant.retention_changed"))["items"]
    assert [{"archive": 2555}, {"messages": 365, "archive": 2555}, {"messages": 365}] == [
        each["body"]["after"] for each in told
    ]


async def test_what_corrections_taught_is_shown_and_forgotten(api):
    (learnt,) = (await api.get("/settings/learnt"))["items"]
    assert ("desk@ours.example", {"unterm strich": "net"}) == (learnt["sender_email"], learnt["labels"])
    assert 204 == (await api.by("admin").delete("/settings/learnt/desk@ours.example")).status_code
    assert 404 == (await api.by("admin").delete("/settings/learnt/desk@ours.example")).status_code
    assert [] == (await api.get("/settings/learnt"))["items"]
    assert 1 == len((await api.get("/facts", kind="document.profile_forgotten"))["items"])


async def test_senders_and_passwords_are_kept_and_dropped(api):
    both = await api.by("admin").post("/settings/senders", json={"pipeline": "ap_invoices", "entry": "Supplier.test"})
    assert {"ours.example", "supplier.test"} == {each["entry"] for each in both.json()["items"]}
    assert 204 == (await api.by("admin").delete(f"/settings/senders/{api.ours['rule_id']}")).status_code
    assert ["supplier.test"] == [each["entry"] for each in (await api.get("/settings/senders"))["items"]]
    listed = await api.by("admin").get("/settings/passwords")
    assert "hunter2" not in listed.text
    assert ["Broker"] == [each["label"] for each in listed.json()["items"]]
    assert 204 == (await api.by("admin").delete(f"/settings/passwords/{api.ours['password_id']}")).status_code


async def test_an_answer_of_an_unknown_id_says_so(api):
    answer = await api.by("viewer").get(f"/messages/{new_id()}")
    assert (404, "message_not_found") == (answer.status_code, answer.json()["code"])
    assert UUID(answer.json()["detail"].removesuffix(".").rpartition(" ")[2])


async def test_a_body_that_is_no_json_is_said_to_be_none(api):
    answer = await api.by("operator").post("/orders", content="{", headers={"Content-Type": "application/json"})

    assert (422, [{"where": "body", "what": "JSON decode error"}]) == (answer.status_code, answer.json()["errors"])
