"""A repeated request acts once."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import psycopg

ORDER = {"username": "ben", "ticker": "AAPL", "direction": "SELL", "quantity": "5", "placed_on": "2026-02-05"}


async def test_the_same_request_under_the_same_key_gets_the_same_answer_and_acts_once(api):
    headers = {"Idempotency-Key": "order-1"}
    first = await api.by("operator").post("/orders", json=ORDER, headers=headers)
    second = await api.by("operator").post("/orders", json=ORDER, headers=headers)
    assert (201, first.json()) == (second.status_code, second.json())
    assert ("true", "application/json") == (second.headers["idempotency-replayed"], second.headers["content-type"])
    assert "idempotency-replayed" not in first.headers
    assert 409 == (await api.by("operator").post("/orders", json=ORDER)).status_code


async def test_another_request_under_the_same_key_is_refused(api):
    headers = {"Idempotency-Key": "order-1"}
    await api.by("operator").post("/orders", json=ORDER, headers=headers)
    for path, body in (("/orders", ORDER | {"quantity": "6"}), (f"/orders/{api.ours['order_id']}/cancel", ORDER)):
        answer = await api.by("operator").post(path, json=body, headers=headers)
        assert (422, True) == (answer.status_code, "make a new one" in answer.json()["detail"])


async def test_at_once_only_one_of_many_acts(api):
    headers = {"Idempotency-Key": "at-once"}
    answers = await asyncio.gather(
        *(api.by("admin").post("/keys", json={"name": "same", "role": "viewer"}, headers=headers) for _ in range(8))
    )
    assert {201} <= {each.status_code for each in answers} <= {201, 409}
    assert 1 == len({each.json()["key"] for each in answers if each.status_code == 201})
    assert 1 == sum(each["name"] == "same" for each in (await api.get("/keys", "admin"))["items"])


async def test_a_request_that_failed_may_be_made_again(api):
    headers = {"Idempotency-Key": "again"}
    wrong = await api.by("operator").post("/orders", json=ORDER | {"quantity": "0"}, headers=headers)
    assert 400 == wrong.status_code
    assert 201 == (await api.by("operator").post("/orders", json=ORDER, headers=headers)).status_code


async def test_keys_of_different_callers_and_tenants_have_nothing_to_do_with_each_other(api):
    headers = {"Idempotency-Key": "mine"}
    theirs = await api.key("operator", tenant=api.theirs.tenant_id, name="operator")
    mine = (await api.by("operator").post("/orders", json=ORDER, headers=headers)).json()
    other = (await api.by(theirs).post("/orders", json=ORDER, headers=headers)).json()
    assert mine["id"] != other["id"]
    assert 409 == (await api.by("admin").post("/orders", json=ORDER, headers=headers)).status_code


async def test_two_keys_of_one_name_have_nothing_to_do_with_each_other(api):
    headers = {"Idempotency-Key": "mine"}
    mine, twin = await api.key("operator", name="loader"), await api.key("operator", name="loader")
    first = await api.by(mine).post("/orders", json=ORDER | {"external_id": "A"}, headers=headers)
    second = await api.by(twin).post("/orders", json=ORDER | {"external_id": "B"}, headers=headers)
    assert (201, 201) == (first.status_code, second.status_code)
    actors = {each["actor"] for each in (await api.get("/facts", kind="order.placed"))["items"]}
    assert 2 == len({actor for actor in actors if actor.startswith("key:loader:")})


async def test_a_stored_answer_cannot_be_read_in_the_database(api):
    made = (
        await api.by("admin").post("/keys", json={"name": "k", "role": "viewer"}, headers={"Idempotency-Key": "k"})
    ).json()
    again = (
        await api.by("admin").post("/keys", json={"name": "k", "role": "viewer"}, headers={"Idempotency-Key": "k"})
    ).json()
    assert made == again
    with psycopg.connect(api.owner_dsn) as owner:
        (answer,) = owner.execute("SELECT answer FROM postroom.idempotency WHERE key = 'k'").fetchone()
    assert made["key"].encode() not in answer


async def test_after_a_day_a_key_is_forgotten(api):
    headers = {"Idempotency-Key": "old"}
    await api.by("operator").post("/orders", json=ORDER, headers=headers)
    with psycopg.connect(api.owner_dsn, autocommit=True) as owner:
        owner.execute("UPDATE postroom.idempotency SET created_at = created_at - %s", [timedelta(hours=25)])
    assert 409 == (await api.by("operator").post("/orders", json=ORDER, headers=headers)).status_code


async def test_a_request_that_died_does_not_hold_its_key_for_ever(api):
    headers = {"Idempotency-Key": "died"}
    await api.by("operator").post("/orders", json=ORDER, headers=headers)
    with psycopg.connect(api.owner_dsn, autocommit=True) as owner:
        owner.execute("UPDATE postroom.idempotency SET answer = NULL")
        waiting = await api.by("operator").post("/orders", json=ORDER, headers=headers)
        assert (409, True) == (waiting.status_code, "still being worked on" in waiting.json()["detail"])
        owner.execute("UPDATE postroom.idempotency SET created_at = created_at - interval '11 minutes'")
    assert "known already" in (await api.by("operator").post("/orders", json=ORDER, headers=headers)).json()["detail"]


async def test_a_key_that_is_no_key_is_refused(api):
    for key in ("", "with space", "x" * 201):
        answer = await api.by("operator").post("/orders", json=ORDER, headers={"Idempotency-Key": key})
        assert (key, 422) == (key, answer.status_code)
