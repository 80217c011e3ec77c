"""Pub/Sub pull, for installations that nobody can reach."""

import json
from datetime import timedelta

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from contracts.mail.gmail_office import TOPIC
from postroom.nouns.errors import AccessRevoked, Misconfigured, PermissionDenied, Throttled, Unavailable
from postroom.nouns.secrets import Secret
from postroom.outside.gmail.pubsub import PubSubPull
from postroom.outside.gmail.service_account import PUBSUB, ServiceAccountAccess

PULL = "projects/office/subscriptions/pull"


@pytest.fixture(scope="module")
def key_file():
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()
    told = {"type": "service_account", "client_email": "pull@office.iam.gserviceaccount.com"}
    return json.dumps(told | {"private_key_id": "k1", "private_key": pem}).encode()


@pytest.fixture
async def pulling(office):
    office.sim.add_pull_subscription(PULL, TOPIC)
    office.sim.pubsub.pull_wait = 0.05
    await office.provider.watch(office.callback, "", office.client_state, None)
    return PubSubPull(office.http, office.base, PULL, None, office.clock.now)


def signed_in(office, key_file):
    return ServiceAccountAccess(office.http, key_file, token_url=f"{office.base}/token", now=office.clock.now)


async def test_news_is_pulled_and_acknowledged(office, pulling, letter):
    (first,) = await pulling.pull()
    await pulling.acknowledge([first.ack_id])
    office.clock.advance(timedelta(seconds=2))
    office.deliver(letter())

    (second,) = await pulling.pull()

    assert (office.address, office.address) == (first.notification.address, second.notification.address)
    assert second.notification.position > first.notification.position


async def test_news_not_acknowledged_comes_again(office, pulling):
    (first,) = await pulling.pull()
    assert list(await pulling.pull()) == []
    office.clock.advance(timedelta(seconds=11))

    (again,) = await pulling.pull()
    await pulling.acknowledge([again.ack_id])
    office.clock.advance(timedelta(seconds=11))

    assert first.notification == again.notification
    assert list(await pulling.pull()) == []


async def test_a_pull_takes_no_more_than_it_is_told(office, pulling):
    for number in range(5):
        office.sim.broker.publish(TOPIC, json.dumps({"emailAddress": "a@b.test", "historyId": number}).encode())

    assert len(await pulling.pull(3)) == 3


async def test_a_message_that_is_not_gmails_is_handed_over_to_be_acknowledged(office, pulling):
    office.sim.broker.publish(TOPIC, b"hello")

    _, strange = await pulling.pull()

    assert strange.notification is None


async def test_silence_is_no_error(office, pulling):
    (first,) = await pulling.pull()
    await pulling.acknowledge([first.ack_id])
    office.sim.pubsub.pull_wait = 30.0

    assert list(await pulling.pull(listen=0.2)) == []


async def test_acknowledging_nothing_asks_nothing(office, pulling):
    office.recorder.clear()

    await pulling.acknowledge([])

    assert list(office.recorder.calls) == []


async def test_a_service_account_signs_in_once_an_hour(office, pulling, key_file):
    office.sim.strict_apps = True
    office.sim.register_app("pull@office.iam.gserviceaccount.com")
    signed = PubSubPull(office.http, office.base, PULL, signed_in(office, key_file), office.clock.now)

    await signed.pull()
    await signed.pull()
    office.clock.advance(timedelta(minutes=59))
    await signed.pull()

    assert [call.status for call in office.recorder.calls if call.path == "/token"] == [200, 200]


async def test_a_token_that_ended_early_is_renewed_once(office, pulling, key_file):
    asked = []
    account = signed_in(office, key_file)

    async def token(fresh):
        asked.append(fresh)
        return await account(True) if fresh else Secret("ya29.ended")

    assert len(await PubSubPull(office.http, office.base, PULL, token, office.clock.now).pull()) == 1
    assert asked == [False, True]


async def test_a_stranger_is_told_to_make_new_credentials(office, pulling):
    async def stranger(fresh):
        return Secret("ya29.stranger")

    with pytest.raises(AccessRevoked, match="make new ones"):
        await PubSubPull(office.http, office.base, PULL, stranger, office.clock.now).pull()


async def test_a_token_without_the_permission_says_which_role_is_missing(office, pulling):
    async def token(fresh):
        return Secret(office.sim.access_token(office.address))

    with pytest.raises(PermissionDenied, match=r"roles/pubsub\.subscriber"):
        await PubSubPull(office.http, office.base, PULL, token, office.clock.now).pull()


async def test_a_persons_grant_serves_as_well(office, pulling):
    async def token(fresh):
        return Secret(office.sim.access_token(office.address, scopes=[PUBSUB]))

    assert len(await PubSubPull(office.http, office.base, PULL, token, office.clock.now).pull()) == 1


@pytest.mark.parametrize("name", ["missing", "mail"])
async def test_a_subscription_that_is_missing_or_pushes_is_a_setting_to_correct(office, name):
    wrong = f"projects/office/subscriptions/{name}"

    with pytest.raises(Misconfigured, match=wrong):
        await PubSubPull(office.http, office.base, wrong, None, office.clock.now).pull()


async def test_a_throttled_or_absent_pubsub_is_a_passing_fault(office, pulling):
    office.faults.turn(throttle=1.0)
    for _ in range(2):  # Google says it with 403 and with 429
        with pytest.raises(Throttled):
            await pulling.pull()
    office.faults.turn(throttle=0.0, unavailable=1.0)
    with pytest.raises(Unavailable):
        await pulling.pull()


@pytest.mark.parametrize("damaged", [b"", b"{}", b'{"client_email": "a@b.test"}'])
def test_a_file_that_is_no_key_is_refused_at_once(office, damaged):
    with pytest.raises(Misconfigured, match="key file"):
        signed_in(office, damaged)


async def test_a_damaged_key_is_named_and_not_shown(office, key_file):
    damaged = json.dumps(json.loads(key_file) | {"private_key": "-----BEGIN nonsense"}).encode()

    with pytest.raises(Misconfigured, match="damaged") as caught:
        await signed_in(office, damaged)(False)

    assert "nonsense" not in str(caught.value)
