"""Google's own Pub/Sub client makes topics and subscriptions, publishes, pulls and acknowledges."""

import asyncio
import base64
from datetime import timedelta

import pytest

ANNA = "anna@office.test"
TOPIC = "projects/office/topics/mail"
NAME = "projects/office/subscriptions/puller"


@pytest.fixture
def subscriptions(pubsub):
    return pubsub.projects.subscriptions()


@pytest.fixture
async def pulled(pubsub, subscriptions):
    """A pull subscription."""
    await pubsub.run(pubsub.projects.topics().create(name=TOPIC, body={}))
    return await pubsub.run(subscriptions.create(name=NAME, body={"topic": TOPIC, "ackDeadlineSeconds": 20}))


async def publish(pubsub, *texts):
    messages = [{"data": base64.b64encode(text.encode()).decode(), "attributes": {"kind": "test"}} for text in texts]
    return (await pubsub.run(pubsub.projects.topics().publish(topic=TOPIC, body={"messages": messages})))["messageIds"]


async def pull(pubsub, subscriptions, most=10, *, wait=False):
    body = {"maxMessages": most, "returnImmediately": not wait}
    answer = await pubsub.run(subscriptions.pull(subscription=NAME, body=body))
    return answer.get("receivedMessages", [])


async def acknowledge(pubsub, subscriptions, received):
    ids = {"ackIds": [item["ackId"] for item in received]}
    await pubsub.run(subscriptions.acknowledge(subscription=NAME, body=ids))


async def test_what_is_published_is_pulled_once_it_is_acknowledged(pubsub, subscriptions, pulled, clock):
    ids = await publish(pubsub, "one", "two", "three")

    first = await pull(pubsub, subscriptions, 2)
    second = await pull(pubsub, subscriptions)

    assert [item["message"]["messageId"] for item in first + second] == ids
    assert [base64.b64decode(item["message"]["data"]) for item in first] == [b"one", b"two"]
    assert first[0]["message"]["attributes"] == {"kind": "test"}
    await acknowledge(pubsub, subscriptions, first + second)
    clock.advance(timedelta(minutes=5))
    assert await pull(pubsub, subscriptions) == []


async def test_an_unacknowledged_message_comes_back_after_its_deadline_with_a_new_ack_id(
    pubsub, subscriptions, pulled, clock
):
    await publish(pubsub, "one")
    (first,) = await pull(pubsub, subscriptions)
    clock.advance(timedelta(seconds=19))
    assert await pull(pubsub, subscriptions) == []

    clock.advance(timedelta(seconds=2))

    (again,) = await pull(pubsub, subscriptions)
    assert again["message"] == first["message"]
    assert again["ackId"] != first["ackId"]


async def test_a_deadline_can_be_extended_or_given_up(pubsub, subscriptions, pulled, clock):
    await publish(pubsub, "one")
    (held,) = await pull(pubsub, subscriptions)

    def deadline(seconds):
        body = {"ackIds": [held["ackId"]], "ackDeadlineSeconds": seconds}
        return subscriptions.modifyAckDeadline(subscription=NAME, body=body)

    await pubsub.run(deadline(600))
    clock.advance(timedelta(seconds=300))
    assert await pull(pubsub, subscriptions) == []
    await pubsub.run(deadline(0))
    assert len(await pull(pubsub, subscriptions)) == 1
    assert (await pubsub.refused(deadline(601)))[0] == 400


async def test_a_pull_waits_for_the_first_message(sim, pubsub, subscriptions, pulled):
    waiting = asyncio.create_task(pull(pubsub, subscriptions, wait=True))
    await asyncio.sleep(0.05)

    sim.broker.publish(TOPIC, b"at last")

    (received,) = await waiting
    assert base64.b64decode(received["message"]["data"]) == b"at last"


async def test_a_pull_that_waited_in_vain_answers_nothing(sim, pubsub, subscriptions, pulled):
    sim.pubsub.pull_wait = 0.05
    assert await pull(pubsub, subscriptions, wait=True) == []


async def test_a_watch_is_pulled_too(sim, gmail, pubsub, subscriptions, letter, clock):
    sim.add_pull_subscription(NAME, TOPIC)
    await gmail.run(gmail.users.watch(userId="me", body={"topicName": TOPIC}))
    clock.advance(timedelta(seconds=2))
    sim.deliver(letter())

    received = await pull(pubsub, subscriptions)

    assert len(received) == 2
    assert ANNA.encode() in base64.b64decode(received[1]["message"]["data"])


async def test_a_message_is_forgotten_when_its_retention_is_over(pubsub, subscriptions, pulled, clock):
    await publish(pubsub, "one")
    clock.advance(timedelta(days=8))
    assert await pull(pubsub, subscriptions) == []


async def test_pulled_messages_are_duplicated_and_dropped(sim, pubsub, subscriptions, pulled, faults):
    faults.turn(duplicate=1.0)
    sim.broker.publish(TOPIC, b"twice")
    faults.turn(duplicate=0.0, drop=1.0)
    sim.broker.publish(TOPIC, b"never")
    faults.turn(drop=0.0)

    received = await pull(pubsub, subscriptions)

    assert [base64.b64decode(item["message"]["data"]) for item in received] == [b"twice", b"twice"]


async def test_permissions_are_tested_and_policies_checked(pubsub, subscriptions, pulled):
    topics = pubsub.projects.topics()
    asked = {"permissions": ["pubsub.topics.publish"]}
    assert await pubsub.run(topics.testIamPermissions(resource=TOPIC, body=asked)) == asked
    odd = {"policy": {"bindings": "everyone"}}
    assert (await pubsub.refused(topics.setIamPolicy(resource=TOPIC, body=odd)))[0] == 400
    policy = await pubsub.run(subscriptions.getIamPolicy(resource=NAME))
    assert "bindings" not in policy


async def test_senseless_calls_are_refused(pubsub, subscriptions, pulled):
    for request in (
        subscriptions.pull(subscription=NAME, body={"maxMessages": 0}),
        subscriptions.acknowledge(subscription=NAME, body={"ackIds": []}),
        pubsub.projects.topics().publish(topic=TOPIC, body={"messages": []}),
    ):
        assert (await pubsub.refused(request))[:2] == (400, "invalidArgument")


async def test_a_message_is_overtaken_by_a_later_one(sim, pubsub, subscriptions, pulled, faults, until):
    faults.turn(reorder=1.0)
    sim.broker.publish(TOPIC, b"first")
    faults.turn(reorder=0.0)
    sim.broker.publish(TOPIC, b"second")
    waiting = sim.broker.subscriptions[NAME].waiting
    await until(lambda: len(waiting) == 2)

    received = await pull(pubsub, subscriptions)

    assert [base64.b64decode(item["message"]["data"]) for item in received] == [b"second", b"first"]


async def test_topics_and_subscriptions_are_made_listed_and_dropped(pubsub, subscriptions, pulled):
    topics = pubsub.projects.topics()
    assert (await pubsub.run(topics.list(project="projects/office")))["topics"] == [{"name": TOPIC}]
    assert (await pubsub.run(topics.get(topic=TOPIC)))["name"] == TOPIC
    assert (await pubsub.run(topics.subscriptions().list(topic=TOPIC)))["subscriptions"] == [NAME]
    listed = await pubsub.run(subscriptions.list(project="projects/office"))
    assert listed["subscriptions"] == [await pubsub.run(subscriptions.get(subscription=NAME))]
    assert listed["subscriptions"][0]["ackDeadlineSeconds"] == 20
    assert listed["subscriptions"][0]["messageRetentionDuration"] == "604800s"
    assert (await pubsub.refused(topics.create(name=TOPIC, body={})))[0] == 409
    assert (await pubsub.refused(subscriptions.create(name=NAME, body={"topic": TOPIC})))[0] == 409
    await pubsub.run(subscriptions.delete(subscription=NAME))
    assert (await pubsub.refused(subscriptions.get(subscription=NAME)))[0] == 404
    await pubsub.run(topics.delete(topic=TOPIC))
    assert (await pubsub.refused(topics.get(topic=TOPIC)))[0] == 404


async def test_a_subscription_is_changed_and_turned_to_push(pubsub, subscriptions, pulled, hook):
    await publish(pubsub, "one")
    changes = {
        "subscription": {"ackDeadlineSeconds": 30, "retryPolicy": {"minimumBackoff": "1s", "maximumBackoff": "2s"}},
        "updateMask": "ackDeadlineSeconds,retryPolicy",
    }
    changed = await pubsub.run(subscriptions.patch(name=NAME, body=changes))
    assert (changed["ackDeadlineSeconds"], changed["retryPolicy"]["maximumBackoff"]) == (30, "2s")

    token = {"serviceAccountEmail": "push@office.iam.gserviceaccount.com", "audience": "https://a.test"}
    push = {"pushConfig": {"pushEndpoint": hook.url, "oidcToken": token}}
    await pubsub.run(subscriptions.modifyPushConfig(subscription=NAME, body=push))

    await hook.rings()
    assert (await pubsub.run(subscriptions.get(subscription=NAME)))["pushConfig"]["oidcToken"] == token
    not_now = subscriptions.pull(subscription=NAME, body={"maxMessages": 1})
    assert (await pubsub.refused(not_now))[:2] == (400, "failedPrecondition")


async def test_after_enough_attempts_a_message_goes_to_the_dead_letter_topic(
    sim, pubsub, subscriptions, hook, clock, until
):
    topics = pubsub.projects.topics()
    dead = "projects/office/topics/dead"
    for name in (TOPIC, dead):
        await pubsub.run(topics.create(name=name, body={}))
    await pubsub.run(subscriptions.create(name=NAME, body={"topic": dead}))
    body = {
        "topic": TOPIC,
        "pushConfig": {"pushEndpoint": hook.url},
        "deadLetterPolicy": {"deadLetterTopic": dead, "maxDeliveryAttempts": 5},
    }
    await pubsub.run(subscriptions.create(name="projects/office/subscriptions/pushed", body=body))
    hook.answers = [500] * 9
    await publish(pubsub, "poison")
    for attempt in range(2, 6):
        await until(lambda: len(sim._schedule) == 1)
        clock.advance(timedelta(seconds=60))
        await hook.rings(attempt)
    await until(lambda: not sim.waiting_pushes())

    (received,) = await pull(pubsub, subscriptions)

    assert base64.b64decode(received["message"]["data"]) == b"poison"
    assert [body["deliveryAttempt"] for body, _ in hook.bells] == [1, 2, 3, 4, 5]
    assert "Authorization" not in hook.bells[0][1]


@pytest.mark.parametrize(
    "body",
    [
        {"topic": TOPIC, "ackDeadlineSeconds": 5},
        {"topic": TOPIC, "messageRetentionDuration": "1s"},
        {"topic": TOPIC, "messageRetentionDuration": "soon"},
        {"topic": TOPIC, "pushConfig": {"pushEndpoint": "ftp://x.test"}},
        {"topic": TOPIC, "deadLetterPolicy": {"deadLetterTopic": TOPIC, "maxDeliveryAttempts": 1}},
    ],
)
async def test_a_subscription_out_of_bounds_is_refused(pubsub, subscriptions, body):
    await pubsub.run(pubsub.projects.topics().create(name=TOPIC, body={}))
    assert (await pubsub.refused(subscriptions.create(name=NAME, body=body)))[:2] == (400, "invalidArgument")
    assert (await pubsub.refused(subscriptions.get(subscription=NAME)))[0] == 404


async def test_a_subscription_needs_its_topic_unless_topics_are_made_on_the_way(sim, pubsub, subscriptions):
    sim.auto_topics = False
    assert (await pubsub.refused(subscriptions.create(name=NAME, body={"topic": TOPIC})))[0] == 404
    sim.auto_topics = True
    await pubsub.run(subscriptions.create(name=NAME, body={"topic": TOPIC}))


async def test_strict_callers_need_a_token_with_the_right_scope(sim, base, http, pulled):
    async def status(*scopes):
        token = sim.access_token(ANNA, scopes=[f"https://www.googleapis.com/auth/{scope}" for scope in scopes])
        headers = {"Authorization": f"Bearer {token}"} if scopes else {}
        async with http.get(f"{base}/v1/{NAME}", headers=headers) as answer:
            return answer.status

    assert await status() == 200
    sim.strict_apps = True
    assert await status() == 401
    assert await status("gmail.modify") == 403
    assert await status("pubsub") == 200
