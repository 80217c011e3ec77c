"""Google's webhook: only what Google signed for us wakes a mailbox."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs

from stories.office import SUBSCRIPTION


async def test_a_signed_push_wakes_the_mailbox_before_it_is_acknowledged(doorstep):
    mailbox = await doorstep.has_mailbox("a@gmail.test", provider="gmail")

    assert 204 == await doorstep.pushes("A@Gmail.test", doorstep.token())

    assert mailbox == doorstep.ask("SELECT mailbox_id FROM postroom.job WHERE kind = 'sync.mailbox'")


async def test_a_push_with_a_wrong_credential_is_403_and_noted(doorstep):
    await doorstep.has_mailbox("a@gmail.test", provider="gmail")
    wrong = [
        {"aud": "https://somebody-else.example/"},
        {"email": "intruder@other.iam.gserviceaccount.com"},
        {"email_verified": False},
        {"iss": "https://evil.example"},
        {"age": 2 * 86400},
        {"age": -3600},
    ]

    for claims in wrong:
        assert 403 == await doorstep.pushes("a@gmail.test", doorstep.token(**claims))

    assert 0 == doorstep.jobs()
    assert {"203.0.113.9"} == {each["source"] for each in doorstep.security()}
    assert len(wrong) == len(doorstep.security())


async def test_a_push_without_a_readable_token_is_403(doorstep):
    await doorstep.has_mailbox("a@gmail.test", provider="gmail")

    for token in (None, "x", "a.b.c", "eyJhbGciOiJub25lIn0.e30."):
        assert 403 == await doorstep.pushes("a@gmail.test", token)
    assert 0 == doorstep.jobs()


async def test_a_push_of_another_subscription_is_403(doorstep):
    await doorstep.has_mailbox("a@gmail.test", provider="gmail")

    status = await doorstep.pushes("a@gmail.test", doorstep.token(), subscription="projects/x/subscriptions/y")

    assert 403 == status
    assert 0 == doorstep.jobs()


async def test_a_push_for_an_address_that_is_not_ours_is_acknowledged_and_logged(doorstep):
    with capture_logs() as logs:
        assert 204 == await doorstep.pushes("stranger@gmail.test", doorstep.token())

    assert 0 == doorstep.jobs()
    assert ["push for an unknown mailbox"] == [each["event"] for each in logs]
    assert "stranger@gmail.test" not in repr(logs)


async def test_a_signed_push_that_says_nothing_is_acknowledged_or_it_would_come_for_a_week(doorstep):
    headers = {"Authorization": f"Bearer {doorstep.token()}"}
    body = {"message": {"data": "bm90IGdtYWls", "messageId": "1"}, "subscription": SUBSCRIPTION}

    answer = await doorstep.http.post("/webhooks/gmail", json=body, headers=headers)

    assert 204 == answer.status_code
    assert 0 == doorstep.jobs()


async def test_while_googles_keys_cannot_be_fetched_pushes_are_neither_taken_nor_lost(doorstep):
    await doorstep.has_mailbox("a@gmail.test", provider="gmail")
    token = doorstep.token()
    doorstep.world.faults.turn(unavailable=1.0)

    assert 503 == await doorstep.pushes("a@gmail.test", token)
    assert 0 == doorstep.jobs()


@pytest.mark.parametrize("doorstep", [{"gmail_push_token": "second-factor"}], indirect=True)
async def test_the_static_token_is_a_second_factor_and_never_the_only_one(doorstep):
    await doorstep.has_mailbox("a@gmail.test", provider="gmail")
    with_token = "/webhooks/gmail?token=second-factor"

    assert 403 == await doorstep.pushes("a@gmail.test", doorstep.token())
    assert 403 == await doorstep.pushes("a@gmail.test", doorstep.token(), path="/webhooks/gmail?token=wrong")
    assert 403 == await doorstep.pushes("a@gmail.test", None, path=with_token)
    assert 0 == doorstep.jobs()
    assert 204 == await doorstep.pushes("a@gmail.test", doorstep.token(), path=with_token)


@pytest.mark.parametrize("doorstep", [{"gmail_audience": "", "gmail_service_account": ""}], indirect=True)
async def test_without_an_audience_and_an_account_no_push_is_taken_at_all(doorstep):
    await doorstep.has_mailbox("a@gmail.test", provider="gmail")

    assert 403 == await doorstep.pushes("a@gmail.test", doorstep.token())
    assert 0 == doorstep.jobs()
