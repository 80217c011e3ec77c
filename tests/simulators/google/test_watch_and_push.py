"""A watch rings the hook through Pub/Sub: signed, at most once a second, until it is acknowledged or over."""

import asyncio
import json
from datetime import timedelta

import jwt
import pytest
import requests
from google.auth.transport.requests import Request
from google.oauth2 import id_token

ANNA = "anna@office.test"
TOPIC = "projects/office/topics/mail"
SUBSCRIPTION = "projects/office/subscriptions/hook"
AUDIENCE = "https://hooks.office.test/gmail"
ROBOT = "push@office.iam.gserviceaccount.com"
PUBLISHER = "serviceAccount:gmail-api-push@system.gserviceaccount.com"


def watch(gmail, topic=TOPIC, **options):
    return gmail.users.watch(userId="me", body={"topicName": topic, **options})


@pytest.fixture
def subscribed(sim, hook):
    return sim.add_push_subscription(SUBSCRIPTION, TOPIC, hook.url, AUDIENCE, ROBOT)


@pytest.fixture
async def watched(gmail, subscribed, hook, clock):
    """A watch whose first notification has come and whose first second is over."""
    answer = await gmail.run(watch(gmail, labelIds=["INBOX"]))
    await hook.rings()
    hook.bells.clear()
    clock.advance(timedelta(seconds=2))
    return answer


async def test_a_watch_lasts_seven_days_and_rings_at_once(gmail, subscribed, hook, clock):
    before = clock.time()

    answer = await gmail.run(watch(gmail))

    assert int(answer["expiration"]) / 1000 - before == pytest.approx(7 * 86400, abs=5)
    await hook.rings()
    assert hook.news() == [{"emailAddress": ANNA, "historyId": int(answer["historyId"])}]


async def test_a_push_carries_both_spellings_and_nothing_about_the_message(sim, watched, hook, letter):
    sim.deliver(letter())

    ((body, headers),) = await hook.rings()

    message = body["message"]
    assert body["subscription"] == SUBSCRIPTION
    assert message["messageId"] == message["message_id"]
    assert message["publishTime"] == message["publish_time"]
    assert set(body) == {"message", "subscription"}
    assert headers["Content-Type"] == "application/json"
    assert set(hook.news()[0]) == {"emailAddress", "historyId"}


async def test_the_history_id_is_a_number_or_a_string(sim, watched, hook, letter, faults):
    faults.turn(pubsub_number_history_id=False)
    sim.deliver(letter())
    await hook.rings()
    assert hook.news()[0]["historyId"] == str(sim.mailboxes[ANNA].history_id)


async def test_googles_library_verifies_the_push_token(sim, base, watched, hook, letter):
    sim.deliver(letter())
    ((_, headers),) = await hook.rings()
    scheme, token = headers["Authorization"].split()

    def verified():
        with requests.Session() as session:
            certs = base + "/oauth2/v1/certs"
            return id_token.verify_token(token, Request(session), audience=AUDIENCE, certs_url=certs)

    claims = await asyncio.to_thread(verified)

    assert scheme == "Bearer"
    assert (claims["iss"], claims["email"], claims["email_verified"]) == ("https://accounts.google.com", ROBOT, True)
    assert claims["exp"] - claims["iat"] == 3600


async def test_the_jwks_endpoint_verifies_it_too_even_after_the_clock_was_pushed(
    sim, base, watched, hook, letter, clock
):
    clock.advance(timedelta(days=3))
    sim.deliver(letter())
    ((_, headers),) = await hook.rings()
    token = headers["Authorization"].removeprefix("Bearer ")

    keys = (await asyncio.to_thread(requests.get, base + "/oauth2/v3/certs", timeout=5)).json()
    key = jwt.PyJWKSet.from_dict(keys)[jwt.get_unverified_header(token)["kid"]]

    claims = jwt.decode(token, key, algorithms=["RS256"], audience=AUDIENCE)
    assert claims["email"] == ROBOT


@pytest.mark.parametrize("switch", ["wrong_audience", "wrong_email", "expired_token"])
async def test_a_false_token_is_well_signed_but_wrong_in_one_claim(sim, watched, hook, letter, faults, switch):
    faults.turn(**{switch: 1.0})
    sim.deliver(letter())
    ((_, headers),) = await hook.rings()

    token = headers["Authorization"].removeprefix("Bearer ")
    key = jwt.PyJWKSet.from_dict(sim.key.jwks)[sim.key.kid]
    claims = jwt.decode(token, key, algorithms=["RS256"], options={"verify_aud": False, "verify_exp": False})

    wrong = {
        "wrong_audience": claims["aud"] != AUDIENCE,
        "wrong_email": claims["email"] != ROBOT,
        "expired_token": claims["exp"] < sim.key.real_time(),
    }
    assert [name for name, is_wrong in wrong.items() if is_wrong] == [switch]


async def test_more_than_one_notification_a_second_is_dropped_not_delayed(sim, watched, hook, letter, clock):
    for number in range(5):
        sim.deliver(letter(message_id=f"<{number}@c.test>"))
    clock.advance(timedelta(seconds=1.5))
    sim.deliver(letter(message_id="<last@c.test>"))

    await hook.rings(2)

    assert hook.news()[1]["historyId"] == sim.mailboxes[ANNA].history_id
    assert sim.gmail.watches.of(ANNA)[0].dropped == 4
    assert len(hook.bells) == 2


async def test_a_watch_on_a_label_is_silent_about_other_mail(sim, watched, hook, letter, clock):
    spam = sim.deliver(letter(folder="junkemail"))
    clock.advance(timedelta(seconds=2))
    sim.move_to_inbox(ANNA, spam)
    await hook.rings()
    assert len(hook.bells) == 1


async def test_a_watch_can_exclude_a_label(sim, gmail, subscribed, hook, letter, clock):
    await gmail.run(watch(gmail, labelIds=["SPAM"], labelFilterBehavior="exclude"))
    await hook.rings()
    clock.advance(timedelta(seconds=2))
    sim.deliver(letter(folder="junkemail"))
    sim.deliver(letter(message_id="<2@c.test>"))
    await hook.rings(2)
    assert hook.news()[1]["historyId"] == sim.mailboxes[ANNA].history_id


async def test_a_watch_dies_silently_after_seven_days_and_is_renewed_by_repeating_it(
    sim, gmail, watched, hook, letter, clock
):
    clock.advance(timedelta(days=6))
    renewed = await gmail.run(watch(gmail, labelIds=["INBOX"]))
    assert int(renewed["expiration"]) > int(watched["expiration"])
    await hook.rings(1)

    clock.advance(timedelta(days=8))
    sim.deliver(letter())

    assert sim.gmail.watches.of(ANNA) == []
    await gmail.run(watch(gmail))
    await hook.rings(2)
    assert [item["historyId"] for item in hook.news()][1] == sim.mailboxes[ANNA].history_id


async def test_another_topic_is_refused_until_the_watch_is_stopped(sim, gmail, watched, hook, letter):
    sim.add_topic("projects/office/topics/other")

    refusal = await gmail.refused(watch(gmail, "projects/office/topics/other"))

    text = "Only one user push notification client allowed per developer (call /stop then try again)"
    assert refusal == (400, "invalidArgument", text)
    await gmail.run(gmail.users.stop(userId="me"))
    sim.deliver(letter())
    await gmail.run(watch(gmail, "projects/office/topics/other"))
    assert not hook.bells


async def test_a_registered_application_watches_with_a_topic_of_its_own_project(sim, gmail):
    sim.register_app("client", project="office")
    refusal = await gmail.refused(watch(gmail, "projects/elsewhere/topics/mail"))
    assert refusal == (400, "invalidArgument", "Invalid topicName does not match projects/office/topics/*")
    await gmail.run(watch(gmail))
    await gmail.run(gmail.users.stop(userId="me"))
    assert sim.gmail.watches.of(ANNA) == []


async def test_another_project_has_its_own_watch(gmail, watched):
    await gmail.run(watch(gmail, "projects/elsewhere/topics/mail"))


async def test_a_topic_must_exist_unless_topics_are_made_on_the_way(sim, gmail):
    sim.auto_topics = False
    refusal = await gmail.refused(watch(gmail))
    assert refusal[0] == 404
    assert "Resource not found (resource=topic)" in refusal[2]
    sim.auto_topics = True
    await gmail.run(watch(gmail))


async def test_gmail_must_be_allowed_to_publish(gmail, pubsub):
    topics = pubsub.projects.topics()
    await pubsub.run(topics.create(name=TOPIC, body={}))

    refusal = await gmail.refused(watch(gmail))
    assert refusal[0] == 403
    assert "User not authorized to perform this action." in refusal[2]

    policy = {"policy": {"bindings": [{"role": "roles/pubsub.publisher", "members": [PUBLISHER]}]}}
    await pubsub.run(topics.setIamPolicy(resource=TOPIC, body=policy))
    await gmail.run(watch(gmail))
    kept = await pubsub.run(topics.getIamPolicy(resource=TOPIC))
    assert kept["bindings"] == policy["policy"]["bindings"]


@pytest.mark.parametrize(
    "body",
    [
        {"topicName": "mail"},
        {},
        {"topicName": TOPIC, "labelIds": ["Label_404"]},
        {"topicName": TOPIC, "labelFilterBehavior": "sometimes"},
    ],
)
async def test_a_malformed_watch_is_refused(gmail, body):
    assert (await gmail.refused(gmail.users.watch(userId="me", body=body)))[:2] == (400, "invalidArgument")


@pytest.mark.parametrize("status", [200, 201, 202, 204])
async def test_these_answers_acknowledge(sim, watched, hook, letter, recorder, until, status):
    hook.answers = [status]
    sim.deliver(letter())
    await hook.rings()
    await until(lambda: not sim.waiting_pushes())
    assert len(hook.bells) == 1
    assert [call.status for call in recorder.where(lambda call: call.api == "push")][-1] == status


@pytest.mark.parametrize("status", [203, 302, 400, 401, 403, 404, 429, 500, 503])
async def test_every_other_answer_brings_the_same_message_again(sim, watched, hook, letter, status):
    hook.answers = [status, status]
    sim.deliver(letter())

    await hook.rings(3)

    assert len(set(hook.message_ids())) == 1


async def test_redelivery_backs_off_by_the_simulated_clock(sim, watched, hook, letter, clock, recorder, until):
    hook.answers = [500] * 12
    sim.deliver(letter())
    pauses = []
    for attempt in range(1, 12):
        await hook.rings(attempt)
        await until(lambda: len(sim._schedule) == 1)
        pauses.append(round(sim._schedule._waiting[0][0] - recorder.calls[-1].at, 1))
        clock.advance(timedelta(seconds=60))

    assert pauses == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 60.0]
    assert len(set(hook.message_ids())) == 1


async def test_a_hook_slower_than_the_acknowledgement_deadline_is_asked_again(sim, gmail, hook, letter, recorder):
    sim.add_push_subscription(SUBSCRIPTION, TOPIC, hook.url, AUDIENCE, ROBOT, ack_deadline=0.1)
    hook.pause = 0.3
    await gmail.run(watch(gmail))
    await hook.rings()
    hook.pause = 0.0

    await hook.rings(2)

    assert len(set(hook.message_ids())) == 1
    assert next(recorder.where(lambda call: call.api == "push")).status == 0


async def test_an_unacknowledged_message_is_kept_seven_days(sim, watched, hook, letter, clock, until):
    hook.answers = [500] * 100
    sim.deliver(letter())
    await hook.rings(1)
    clock.advance(timedelta(days=6))
    await hook.rings(2)
    clock.advance(timedelta(days=2))
    await until(lambda: not sim.waiting_pushes())

    assert {body["message"]["messageId"] for body, _ in hook.bells} == {hook.message_ids()[0]}
    assert len(hook.bells) < 60


async def test_a_hook_that_cannot_be_reached_is_tried_again(sim, gmail, hook, recorder, until):
    working, hook_url = hook.url, "http://127.0.0.1:9/hook"
    subscription = sim.add_push_subscription(SUBSCRIPTION, TOPIC, hook_url, AUDIENCE, ROBOT)
    await gmail.run(watch(gmail))
    await until(lambda: recorder.counts["push", "POST", 0])

    sim.redirect_pushes(subscription.name, working)

    await hook.rings()


async def test_pushes_are_duplicated_reordered_delayed_and_dropped(sim, gmail, subscribed, hook, letter, faults, clock):
    faults.turn(duplicate=1.0, one_push_a_second=False)
    await gmail.run(watch(gmail))
    await hook.rings(2)
    assert len(set(hook.message_ids())) == 1

    hook.bells.clear()
    faults.turn(duplicate=0.0, reorder=1.0)
    sim.deliver(letter())
    faults.turn(reorder=0.0)
    sim.deliver(letter(message_id="<2@c.test>"))
    await hook.rings(2)
    assert len(set(hook.message_ids())) == 2

    hook.bells.clear()
    faults.turn(delay=30.0)
    sim.deliver(letter(message_id="<3@c.test>"))
    await asyncio.sleep(0.1)
    assert not hook.bells
    clock.advance(timedelta(seconds=31))
    await hook.rings()

    hook.bells.clear()
    faults.turn(delay=0.0, drop=1.0)
    sim.deliver(letter(message_id="<4@c.test>"))
    faults.turn(drop=0.0)
    sim.deliver(letter(message_id="<5@c.test>"))
    await hook.rings()
    assert [item["historyId"] for item in hook.news()] == [sim.mailboxes[ANNA].history_id]


async def test_a_subscription_added_again_replaces_the_first(sim, watched, hook, letter, until):
    sim.add_push_subscription(SUBSCRIPTION, TOPIC, hook.url, "another audience", ROBOT)
    sim.deliver(letter())
    await hook.rings()
    await until(lambda: not sim.waiting_pushes())
    ((_, headers),) = hook.bells
    claims = jwt.decode(headers["Authorization"].split()[1], options={"verify_signature": False})
    assert claims["aud"] == "another audience"


async def test_every_push_is_recorded_with_its_mailbox_and_attempt(sim, watched, hook, letter, recorder, until):
    recorder.clear()
    hook.answers = [500]
    sim.deliver(letter())
    await hook.rings(2)
    await until(lambda: not sim.waiting_pushes())

    pushes = list(recorder.where(lambda call: call.api == "push"))

    assert [(call.status, call.mailbox) for call in pushes] == [(500, ANNA), (204, ANNA)]
    assert [call.note.split()[-1] for call in pushes] == ["1", "2"]
    assert json.dumps(recorder.as_dict())
