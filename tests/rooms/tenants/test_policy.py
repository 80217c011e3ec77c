"""What a tenant decides for itself: who decided it, and that nothing else is accepted."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from postroom.nouns.errors import BadRequest
from postroom.nouns.retention import KEPT, Retention, retention_of
from postroom.rooms.tenants import commands, rules, store

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


async def test_everything_is_kept_until_the_tenant_says_otherwise(home):
    held = await commands.retention(home.scope)

    assert Retention() == held
    kept = {kind: held.horizon(kind, NOW) for kind in KEPT}
    assert NOW - timedelta(days=30) == kept.pop("events")  # what others were told is soon forgotten
    assert {None} == set(kept.values())


@pytest.mark.parametrize(("days", "fine"), [(6, False), (7, True), (29, True), (36_501, False)])
async def test_events_may_go_sooner_than_anything_else(home, days, fine):
    with contextlib.nullcontext() if fine else pytest.raises(BadRequest, match="7 to 36,500 days;"):
        await commands.change_retention(home.scope, Retention(events=days))
    assert (Retention(events=days) if fine else Retention()) == await commands.retention(home.scope)


async def test_a_window_that_was_set_is_read_again_and_told_once(home):
    wanted = Retention(messages=365, archive=2555)
    await commands.change_retention(home.scope, wanted)
    await commands.change_retention(home.scope, wanted)

    assert wanted == await commands.retention(home.scope)
    told = home.told("tenant.retention_changed")
    assert [({}, {"messages": 365, "archive": 2555})] == [(each["before"], each["after"]) for each in told]
    assert ["person:anna@acme.test"] == [each["actor"] for each in told]


async def test_a_window_can_be_lifted_again(home):
    await commands.change_retention(home.scope, Retention(messages=365, documents=90))
    await commands.change_retention(home.scope, Retention(documents=90))

    assert Retention(documents=90) == await commands.retention(home.scope)
    assert {"messages": 365, "documents": 90} == home.told("tenant.retention_changed")[1]["before"]


async def test_windows_and_thresholds_do_not_disturb_each_other(home):
    await asyncio.gather(
        commands.change_retention(home.scope, Retention(messages=365)),
        commands.change_policy(home.scope, rules.Policy(0.9, True)),
    )

    async with home.scope.read() as tx:
        tenant = await store.own_tenant(tx)
    assert tenant is not None
    assert Retention(messages=365) == retention_of(tenant.policy)
    assert rules.Policy(0.9, True) == rules.policy_of(tenant.policy)


async def test_a_changed_threshold_is_told_with_before_and_after(home):
    await commands.change_policy(home.scope, rules.Policy(0.9, None))
    await commands.change_policy(home.scope, rules.Policy(0.9, None))

    [told] = home.told("tenant.policy_changed")
    assert {"sure_enough": 0.0, "require_order": None} == told["before"]
    assert {"sure_enough": 0.9, "require_order": None} == told["after"]


@pytest.mark.parametrize("days", [0, -1, 29, 36_501, 10**9])
async def test_a_window_outside_the_bounds_is_refused_with_the_bounds(home, days):
    with pytest.raises(BadRequest, match="30 to 36,500 days, or for ever"):
        await commands.change_retention(home.scope, Retention(documents=days))
    assert [] == home.told("tenant.retention_changed")


@pytest.mark.parametrize(
    "policy",
    [
        '{"retention": {"messages": 1}}',
        '{"retention": {"archive": 36501}}',
        '{"retention": {"archive": "90"}}',
        '{"retention": {"archive": null}}',
        '{"retention": [40]}',
        '{"retention": 40}',
    ],
)
async def test_the_database_refuses_a_window_that_would_forget_too_much(home, forged, policy):
    with pytest.raises(psycopg.errors.CheckViolation, match="retention_is_in_days"):
        forged(policy)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"messages": "365"}, Retention(messages=365, archive=40)),
        ({"messages": " 365 days "}, Retention(messages=365, archive=40)),
        ({"archive": "keep"}, Retention()),
        ({"archive": ""}, Retention()),
        ({}, Retention(archive=40)),
        ({"attachments": "30", "documents": "36500"}, Retention(attachments=30, documents=36500, archive=40)),
    ],
)
def test_windows_are_read_as_people_write_them(said, expected):
    assert expected == rules.clean_retention(Retention(archive=40), said)


@pytest.mark.parametrize("said", [{"messages": "soon"}, {"messages": "1.5"}, {"messages": "٣٦٥"}, {"letters": "90"}])
def test_what_is_no_number_of_days_or_no_kind_is_refused(said):
    with pytest.raises(BadRequest):
        rules.clean_retention(Retention(), said)


def test_the_horizon_lies_so_many_days_back():
    held = replace(Retention(), documents=31)

    assert datetime(2026, 1, 30, 9, 0, tzinfo=UTC) == held.horizon("documents", NOW)
    assert held.horizon("messages", NOW) is None
