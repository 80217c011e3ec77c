"""The policy: everything a tenant decides, seen together, changed whole, and never over somebody else's change."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from typing import Any

import pytest


async def told(api, kind: str) -> list[dict[str, Any]]:
    return [each["body"] for each in (await api.get("/facts", "admin", kind=kind))["items"]]


async def test_everything_stands_at_its_documented_default(api):
    answer = await api.by("viewer").get("/policy")
    held = answer.json()

    assert f'"{held["version"]}"' == answer.headers["etag"]
    assert ("off", 5, 72, 14, None) == (
        held["sending"],
        *(held["sending_rules"][name] for name in ("undo_seconds", "approval_hours", "proposal_days", "window")),
    )
    assert {"sure_enough": 0.0, "require_order": None} == held["documents"]
    assert ("0.80", 90, "0.25", "0.35", "0.15", "0.30") == tuple(
        held["mapping"][name]
        for name in (
            "threshold",
            "staleness_days",
            "multi_account_penalty",
            "mixed_thread_penalty",
            "subject_penalty",
            "stale_penalty",
        )
    )
    assert {"messages", "attachments", "documents", "archive", "events", "analyses", "drafts", "evidence"} == set(
        held["retention"]
    )
    assert (None, "neutral", True, "") == tuple(
        held["replies"][name] for name in ("gate", "formality", "thanks", "signature")
    )


async def test_sending_is_switched_and_the_rest_stays(api):
    before = (await api.by("admin").get("/policy")).json()
    after = await api.by("admin").patch("/policy", json={"sending": "on"})

    assert 200 == after.status_code, after.text
    assert {**before, "sending": "on", "version": after.json()["version"]} == after.json()
    assert before["version"] != after.json()["version"]
    [fact] = await told(api, "tenant.sending_changed")
    assert ("off", "on") == (fact["before"]["switch"], fact["after"]["switch"])
    assert "on" == (await api.get("/policy"))["sending"]


async def test_parts_of_every_room_change_in_one_commit_each_with_its_own_fact(api):
    window = {"days": ["mon", "tue"], "opens": "08:30:00", "closes": "17:00:00", "zone": "Europe/Berlin"}
    wanted = {
        "sending_rules": {
            "undo_seconds": 30,
            "window": window,
            "second_person": ["attachment"],
            "second_person_amount": "500",
        },
        "documents": {"sure_enough": 0.9},
        "mapping": {"threshold": "0.95", "left_out": [str(api.ours["mailbox_id"])]},
        "retention": {"messages": 365, "events": 7},
    }
    after = (await api.by("admin").patch("/policy", json=wanted)).json()

    assert (30, window, ["attachment"]) == tuple(
        after["sending_rules"][name] for name in ("undo_seconds", "window", "second_person")
    )
    assert Decimal(500) == Decimal(after["sending_rules"]["second_person_amount"])
    assert (0.9, "0.95", 365, 7) == (
        after["documents"]["sure_enough"],
        after["mapping"]["threshold"],
        after["retention"]["messages"],
        after["retention"]["events"],
    )
    kinds = ("tenant.sending_changed", "tenant.policy_changed", "mapping.policy_changed", "tenant.retention_changed")
    assert [1, 1, 1, 1] == [len(await told(api, kind)) for kind in kinds]
    assert after["mapping"] == await api.get("/mappings/policy")
    assert after["documents"]["sure_enough"] == (await api.get("/settings"))["sure_enough"]


async def test_nothing_changes_when_a_part_will_not_do(api):
    before = (await api.by("admin").get("/policy")).json()
    for body, status in (
        ({"documents": {"sure_enough": 0.9}, "sending_rules": {"window": {"days": ["mon"], "opens": "08:00", "closes": "18:00", "zone": "Nowhere/At All"}}}, 400),
        ({"documents": {"sure_enough": 0.9}, "mapping": {"threshold": 0.3}}, 422),
        ({"retention": {"events": 3}}, 422),
        ({"sending": "maybe"}, 422),
        ({"sendign": "on"}, 422),
    ):  # fmt: skip
        answer = await api.by("admin").patch("/policy", json=body)
        assert (body, status) == (body, answer.status_code)
    assert before == (await api.by("admin").get("/policy")).json()
    assert [] == await told(api, "tenant.policy_changed")


async def test_what_somebody_else_changed_meanwhile_is_not_overwritten(api):
    seen = (await api.by("admin").get("/policy")).headers["etag"]
    await api.by("admin").patch("/mappings/policy", json={"threshold": 0.9})
    late = await api.by("admin").patch("/policy", json={"sending": "on"}, headers={"If-Match": seen})

    assert (412, True) == (late.status_code, "look again" in late.json()["detail"])
    assert "off" == (await api.get("/policy"))["sending"]
    fresh = (await api.by("admin").get("/policy")).headers["etag"]
    again = await api.by("admin").patch("/policy", json={"sending": "on"}, headers={"If-Match": fresh})
    assert (200, "on") == (again.status_code, again.json()["sending"])


async def test_of_many_at_once_with_one_version_exactly_one_gets_through(api):
    seen = (await api.by("admin").get("/policy")).headers["etag"]
    tries = [{"documents": {"sure_enough": 0.5 + each / 100}} for each in range(8)]
    answers = await asyncio.gather(
        *(api.by("admin").patch("/policy", json=body, headers={"If-Match": seen}) for body in tries)
    )

    assert [200] + [412] * 7 == sorted(answer.status_code for answer in answers)
    assert 1 == len(await told(api, "tenant.policy_changed"))


async def test_many_at_once_about_different_parts_lose_nothing(api):
    bodies = [
        {"documents": {"sure_enough": 0.7}},
        {"mapping": {"threshold": 0.9}},
        {"mapping": {"staleness_days": 30}},
        {"retention": {"messages": 100}},
        {"retention": {"archive": 200}},
        {"sending": "on"},
        {"sending_rules": {"undo_seconds": 9}},
        {"replies": {"gate": 0.6}},
    ]
    other = [
        ("/drafts/policy", {"signature": "Nora"}),
        ("/mappings/policy", {"stale_penalty": 0.5}),
        ("/settings", {"require_order": True}),
    ]
    asks = [("/policy", body) for body in bodies] + other
    answers = await asyncio.gather(*(api.by("admin").patch(path, json=body) for path, body in asks))

    assert [200] * 11 == [answer.status_code for answer in answers]
    held = await api.get("/policy")
    assert (0.6, "Nora") == (held["replies"]["gate"], held["replies"]["signature"])
    assert (0.7, True, "0.90", 30, "0.50", 100, 200, "on", 9) == (
        held["documents"]["sure_enough"],
        held["documents"]["require_order"],
        held["mapping"]["threshold"],
        held["mapping"]["staleness_days"],
        held["mapping"]["stale_penalty"],
        held["retention"]["messages"],
        held["retention"]["archive"],
        held["sending"],
        held["sending_rules"]["undo_seconds"],
    )


@pytest.mark.parametrize("role", ["viewer", "operator"])
async def test_only_an_admin_decides_and_other_tenants_are_untouched(api, role):
    assert 403 == (await api.by(role).patch("/policy", json={"sending": "on"})).status_code
    theirs = api.by(await api.key("admin", tenant=api.theirs.tenant_id))
    before = (await theirs.get("/policy")).json()
    await api.by("admin").patch("/policy", json={"sending": "on", "mapping": {"threshold": 0.99}})
    assert before == (await theirs.get("/policy")).json()
