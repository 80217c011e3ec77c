"""What a client must live with: prices, scopes, refusals, and answers that do not arrive."""

import asyncio
import json
from collections import Counter
from datetime import datetime, timedelta

import aiohttp
import pytest

ANNA = "anna@office.test"
BEN = "ben@office.test"
SCOPE = "https://www.googleapis.com/auth/gmail."


@pytest.fixture
def call(sim, base, http):
    """A plain call with a token of some scopes: status, error or answer, headers."""

    async def made(path, *scopes, method="GET", address=ANNA, **options):
        token = sim.access_token(address, scopes=[SCOPE + scope for scope in scopes or ("modify",)])
        headers = {"Authorization": f"Bearer {token}"}
        async with http.request(method, f"{base}/gmail/v1/users/me/{path}", headers=headers, **options) as answer:
            text = await answer.read()
            return answer.status, json.loads(text) if text else {}, answer.headers

    return made


@pytest.mark.parametrize(("table", "fits"), [("new", 300), ("old", 3000)])
async def test_message_fetches_a_minute_by_the_price_list(sim, call, letter, table, fits):
    sim.quota = table
    message_id = sim.deliver(letter())
    spent = sim.gmail.quota
    for _ in range(fits - 1):
        spent.spend("", ANNA, (5, 20))

    assert (await call(f"messages/{message_id}"))[0] == 200
    status, body, headers = await call(f"messages/{message_id}")

    assert status in (403, 429)
    assert body["error"]["errors"][0]["reason"] == "rateLimitExceeded"
    assert "Retry-After" not in headers


async def test_exhausted_quota_is_refused_with_403_and_429_in_turn_and_names_the_instant(sim, call, clock):
    sim.gmail.quota.spend("", ANNA, (0, 6000))

    refusals = [await call("profile") for _ in range(4)]

    assert [status for status, _, _ in refusals] == [403, 429, 403, 429]
    text = refusals[0][1]["error"]["message"]
    assert text.startswith("User-rate limit exceeded.  Retry after ")
    till = datetime.fromisoformat(text.rpartition(" ")[2])
    assert 0 < till.timestamp() - clock.time() <= 60
    assert refusals[0][1]["error"]["errors"][0]["domain"] == "usageLimits"
    clock.advance(timedelta(seconds=61))
    assert (await call("profile"))[0] == 200


async def test_quota_is_per_user_and_can_be_switched_off(sim, call):
    sim.add_mailbox(BEN)
    sim.gmail.quota.spend("", ANNA, (0, 6000))
    assert (await call("profile", address=BEN))[0] == 200
    assert (await call("profile"))[0] == 403

    sim.quota = "off"
    sim.gmail.quota.spend("", BEN, (0, 60_000))
    assert (await call("profile", address=BEN))[0] == 200


async def test_the_projects_quota_is_shared_by_its_users(sim, call):
    for number in range(200):
        sim.gmail.quota.spend("", f"user{number}@office.test", (0, 6000))
    assert (await call("profile"))[0] in (403, 429)


@pytest.mark.parametrize(
    ("method", "path", "enough", "too_little"),
    [
        ("GET", "messages", "readonly", "send"),
        ("GET", "history?startHistoryId=1", "metadata", "labels"),
        ("GET", "labels", "labels", "compose"),
        ("POST", "labels", "labels", "readonly"),
        ("POST", "watch", "readonly", "compose"),
        ("POST", "stop", "metadata", "send"),
        ("POST", "drafts", "compose", "readonly"),
        ("GET", "drafts", "readonly", "metadata"),
        ("POST", "messages/send", "send", "readonly"),
        ("POST", "messages", "insert", "compose"),
        ("GET", "threads", "metadata", "insert"),
        ("GET", "profile", "compose", "send"),
        ("GET", "settings/sendAs", "settings.basic", "metadata"),
    ],
)
async def test_each_call_wants_its_scope(call, method, path, enough, too_little):
    status, _, _ = await call(path, enough, method=method)
    assert status not in (401, 403)
    status, body, _ = await call(path, too_little, method=method)
    assert (status, body["error"]["errors"][0]["reason"]) == (403, "insufficientPermissions")


@pytest.mark.parametrize("path", ["messages/{id}", "messages/batchDelete", "threads/{id}"])
async def test_permanent_deletion_needs_full_access(sim, call, letter, path):
    message_id = sim.deliver(letter())
    method = "POST" if "batch" in path else "DELETE"
    status, _, _ = await call(path.format(id=message_id), "modify", method=method, json={"ids": [message_id]})
    assert status == 403
    assert sim.mailboxes[ANNA].mails


async def test_the_metadata_scope_shows_no_content_and_searches_nothing(sim, call, letter):
    message_id = sim.deliver(letter())
    assert (await call(f"messages/{message_id}", "metadata"))[1]["payload"]["headers"]
    for path in (f"messages/{message_id}?format=raw", f"messages/{message_id}?format=full", "messages?q=from:carl"):
        status, body, _ = await call(path, "metadata")
        assert (status, body["error"]["message"].startswith("Metadata scope")) == (403, True)


async def test_another_persons_mailbox_is_closed(sim, base, http):
    sim.add_mailbox(BEN)
    headers = {"Authorization": f"Bearer {sim.access_token(ANNA)}"}
    async with http.get(f"{base}/gmail/v1/users/{BEN}/profile", headers=headers) as answer:
        assert answer.status == 403
    async with http.get(f"{base}/gmail/v1/users/Anna@Office.test/profile", headers=headers) as answer:
        assert answer.status == 200


@pytest.mark.parametrize("body", ["{", "[]", "nonsense"])
async def test_a_body_that_is_no_json_object_is_refused(call, body):
    status, answer, _ = await call("labels", method="POST", data=body)
    assert (status, answer["error"]["errors"][0]["reason"]) == (400, "parseError")


@pytest.mark.parametrize("query", ["maxResults=0", "maxResults=many", "pageToken=abc"])
async def test_senseless_paging_is_refused(call, query):
    assert (await call(f"messages?{query}"))[0] == 400


async def test_an_unknown_format_is_refused_by_name(sim, call, letter):
    message_id = sim.deliver(letter())
    status, body, _ = await call(f"messages/{message_id}?format=pretty")
    assert status == 400
    assert "minimal, full, raw, metadata" in body["error"]["message"]


async def test_a_throttled_call_is_refused_in_both_shapes_before_it_has_any_effect(sim, call, faults):
    faults.turn(throttle=1.0, retry_after=7)

    refusals = [await call("labels", method="POST", json={"name": "New"}) for _ in range(4)]

    assert [status for status, _, _ in refusals] == [403, 429, 403, 429]
    assert "Retry after" in refusals[0][1]["error"]["message"]
    assert refusals[1][1]["error"]["status"] == "RESOURCE_EXHAUSTED"
    assert sim.mailboxes[ANNA].label_named("New") is None


async def test_chance_decides_by_the_seed(call, faults):
    faults.turn(unavailable=0.5)
    first = [(await call("profile"))[0] for _ in range(20)]
    faults.reset(seed=1)
    faults.turn(unavailable=0.5)
    second = [(await call("profile"))[0] for _ in range(20)]

    assert first == second
    assert set(Counter(first)) == {200, 503}


async def test_the_token_endpoint_is_sometimes_unavailable_but_never_throttled(sim, base, http, faults):
    body = {"grant_type": "refresh_token", "refresh_token": sim.grant(ANNA).refresh_token, "client_id": "client"}
    faults.turn(throttle=1.0)
    async with http.post(base + "/token", data=body) as answer:
        assert answer.status == 200
    faults.turn(unavailable=1.0)
    async with http.post(base + "/token", data=body) as answer:
        assert answer.status == 503


async def test_a_broken_connection_loses_the_answer_but_not_the_effect(sim, call, faults):
    faults.turn(reset=1.0)
    with pytest.raises(aiohttp.ClientError):
        await call("labels", method="POST", json={"name": "New"})
    assert sim.mailboxes[ANNA].label_named("New")


async def test_slow_answers_take_their_time(call, faults):
    faults.turn(slow=0.2)
    started = asyncio.get_running_loop().time()
    await call("profile")
    # A loop's timer counts whole milliseconds and may ring one early.
    assert asyncio.get_running_loop().time() - started > 0.15


async def test_everything_the_client_did_is_recorded(call, recorder):
    await call("profile?fields=emailAddress")
    await call("messages/19a0000000000000")
    calls = [(item.api, item.method, item.path, item.status, item.mailbox, item.note) for item in recorder.calls]
    assert calls == [
        ("gmail", "GET", "/gmail/v1/users/me/profile?fields=emailAddress", 200, ANNA, "getProfile"),
        ("gmail", "GET", "/gmail/v1/users/me/messages/19a0000000000000", 404, ANNA, "messages.get"),
    ]


@pytest.mark.parametrize(
    "action",
    [
        lambda sim, letter: sim.archive(ANNA, "nothing"),
        lambda sim, letter: sim.edit_draft(ANNA, "nothing", text="x"),
        lambda sim, letter: sim.deliver(letter(to="nobody@else.test")),
        lambda sim, letter: sim.deliver(letter(folder="attic")),
        lambda sim, letter: sim.grant("nobody@else.test"),
        lambda sim, letter: sim.revoke(ANNA, "boredom"),
        lambda sim, letter: sim.add_push_subscription("s", "t", "hooks.office.test"),
    ],
)
def test_a_mistake_in_a_scenario_says_what_is_wrong(sim, letter, action):
    with pytest.raises(
        ValueError, match=r"no message|no draft|add_mailbox|Unknown folder|Unknown reason|push endpoint"
    ):
        action(sim, letter)
