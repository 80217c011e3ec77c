"""What every mail provider promises when things go wrong: one of our errors, sorted by remedy."""

from __future__ import annotations

import pytest

from contracts.mail.letters import mail
from postroom.nouns.errors import AccessRevoked, PermissionDenied, Throttled, Transient, Unavailable


async def every_call(office):
    """Each way of asking the provider for something."""
    cursor = (await office.provider.changes(None)).cursor
    ref = office.deliver(mail("here"))
    since = office.clock.now()
    calls = {
        "changes": lambda: office.provider.changes(cursor),
        "a fresh start": lambda: office.provider.changes(None),
        "list_since": lambda: office.provider.list_since(since),
        "message": lambda: office.provider.message(ref),
    }
    if office.name != "imap":  # it has no push
        state = office.client_state
        calls["watch"] = lambda: office.provider.watch(office.callback, office.lifecycle_callback, state, None)
    return calls


async def test_throttling_names_the_time_to_wait(post_office):
    calls = await every_call(post_office)
    post_office.faults.turn(throttle=1.0, retry_after=17)

    for name, call in calls.items():
        with pytest.raises(Throttled) as refused:
            await call()
        assert refused.value.retry_after is None or 0 < refused.value.retry_after <= 60, name


async def test_an_outage_is_tried_again_later(post_office):
    calls = await every_call(post_office)
    post_office.faults.turn(unavailable=1.0)

    for call in calls.values():
        with pytest.raises(Transient):
            await call()


async def test_a_line_that_breaks_in_mid_answer_is_an_outage(post_office):
    calls = await every_call(post_office)
    post_office.faults.turn(reset=1.0)

    for call in calls.values():
        with pytest.raises(Unavailable):
            await call()


async def test_nobody_at_the_address_is_an_outage(post_office):
    calls = await every_call(post_office)
    await post_office.go_away()

    for call in calls.values():
        with pytest.raises(Unavailable):
            await call()


async def test_an_ended_token_is_replaced_without_fuss(post_office):
    calls = await every_call(post_office)

    for call in calls.values():
        post_office.expire_access()
        await call()


async def test_a_grant_taken_back_asks_for_a_person(post_office):
    calls = await every_call(post_office)
    post_office.revoke()

    for call in calls.values():
        with pytest.raises(AccessRevoked):
            await call()


async def test_a_permission_that_is_missing_asks_for_a_person(post_office):
    calls = await every_call(post_office)
    post_office.forbid()

    for call in calls.values():
        with pytest.raises(PermissionDenied):
            await call()


async def test_no_error_shows_a_token_or_a_client_state(post_office):
    calls = await every_call(post_office)
    post_office.forbid()

    for call in calls.values():
        with pytest.raises(PermissionDenied) as refused:
            await call()
        assert post_office.client_state.reveal() not in str(refused.value)
        assert "Bearer" not in str(refused.value)
