"""A Gmail mailbox that is throttled, by quota or by chance, and what the client makes of it."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from postroom_simulators import traffic

ANNA = "anna@office.test"


async def test_the_time_to_wait_is_the_mailboxs_whatever_is_asked(sim, gmail, letter, faults, clock):
    sim.deliver(letter())
    faults.turn(throttle=1.0, retry_after=30)
    first = await gmail.refused(gmail.users.messages().list(userId="me"))
    faults.turn(throttle=0.0)

    second = await gmail.refused(gmail.users.getProfile(userId="me"))
    clock.advance(timedelta(seconds=31))
    at_last = await gmail.run(gmail.users.getProfile(userId="me"))

    assert [(403, "rateLimitExceeded"), (429, "rateLimitExceeded")] == [first[:2], second[:2]]
    assert ANNA == at_last["emailAddress"]


async def test_a_spent_quota_shuts_out_cheap_calls_as_well(sim, gmail, clock):
    sim.gmail.quota.spend("", ANNA, (0, 5_990))

    dear = await gmail.refused(gmail.users.messages().get(userId="me", id="19a0000000000000"))
    cheap = await gmail.refused(gmail.users.getProfile(userId="me"))
    clock.advance(timedelta(minutes=1))

    assert "rateLimitExceeded" == dear[1] == cheap[1]
    assert all("Retry after" in text for _, _, text in (dear, cheap))
    assert await gmail.run(gmail.users.getProfile(userId="me"))


async def test_refusals_early_returns_and_the_most_in_flight_are_counted(sim, gmail, faults, monkeypatch):
    faults.turn(throttle=1.0, retry_after=600)
    monkeypatch.setattr(traffic, "NOTICE", 0.0)
    for _ in range(3):
        await gmail.refused(gmail.users.getProfile(userId="me"))

    seen = sim.gmail.traffic.at(ANNA)

    assert (3, 3, 2) == (seen["requests"], seen["throttled"], seen["too_early"])


async def test_calls_side_by_side_are_seen_as_such(sim, http, base, faults):
    faults.turn(slow=1.0)
    headers = {"Authorization": f"Bearer {sim.access_token(ANNA)}"}

    async def call() -> int:
        async with http.get(f"{base}/gmail/v1/users/me/profile", headers=headers) as answer:
            return answer.status

    assert [200] * 5 == await asyncio.gather(*(call() for _ in range(5)))
    assert 5 == sim.gmail.traffic.at(ANNA)["most_in_flight"]
