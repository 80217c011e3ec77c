"""Delivery of notifications: batches, retries, slow and dropped endpoints, lifecycle events, faults."""

from __future__ import annotations

import asyncio
import base64
import json
import time
from datetime import UTC, datetime, timedelta

import jwt
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, hmac
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.padding import PKCS7
from cryptography.hazmat.primitives.serialization import Encoding

from simulators.graph.office import ANNA, BERT, mail


def ids(hook) -> list[str]:
    return [item["resourceData"]["id"] for item in hook.items]


async def test_several_subscriptions_to_one_url_share_a_post(desk):
    one, two = (await desk.subscribe(ANNA)).body["id"], (await desk.subscribe(BERT)).body["id"]

    desk.deliver(mailbox=ANNA)
    desk.deliver(mailbox=BERT)
    assert desk.sim.waiting_pushes()
    await desk.sim.settle()

    assert 0 == desk.sim.waiting_pushes()
    assert [[one, two]] == [[item["subscriptionId"] for item in post["value"]] for post in desk.hook.posts]


async def test_a_refused_post_comes_again_whole_until_it_is_taken(desk):
    await desk.subscribe(ANNA)
    await desk.subscribe(BERT)
    desk.hook.status = 503
    keys = [desk.deliver(mailbox=ANNA), desk.deliver(mailbox=BERT)]
    await desk.sim.settle()
    assert len(desk.hook.posts) == 1

    desk.hook.status = 202
    desk.sim.clock.advance(timedelta(seconds=11))
    await desk.until(lambda: len(desk.hook.posts) == 2)
    desk.sim.clock.advance(timedelta(hours=5))
    await asyncio.sleep(0.1)
    await desk.sim.settle()

    assert keys + keys == ids(desk.hook)


async def test_retries_back_off_and_end_after_four_hours(desk):
    await desk.subscribe()
    desk.hook.status = 500
    desk.deliver()
    for tried in range(1, 40):
        await desk.until(lambda tried=tried: len(desk.hook.posts) >= min(tried, 11))
        await desk.sim.settle()
        desk.sim.clock.advance(timedelta(seconds=10 * 2 ** (tried - 1)))
        if any("given up" in call.note for call in desk.sim.recorder.calls):
            break

    assert len(desk.hook.posts) == 11  # 10 s doubled ten times is the last wait that fits
    assert any(call.note == "given up: 1 items after 11 attempts" for call in desk.sim.recorder.calls)


async def test_no_answer_in_time_is_retried_with_more_patience(desk):
    def statuses() -> list[int]:
        return [call.status for call in desk.sim.recorder.calls if "attempt" in call.note]

    desk.sim.pushes.timing.first = 0.05
    await desk.subscribe()
    desk.hook.wait = 0.2
    desk.deliver()
    await desk.sim.settle()
    assert statuses() == [0]

    desk.sim.clock.advance(timedelta(seconds=11))
    await desk.until(lambda: len(statuses()) == 2)

    assert statuses() == [0, 202]


async def test_a_slow_endpoint_gets_its_notifications_ten_minutes_late(desk):
    timing = desk.sim.pushes.timing
    timing.first, timing.fewest = 0.02, 3
    await desk.subscribe()
    desk.hook.wait = 0.03
    for _ in range(3):
        desk.deliver()
        await desk.sim.settle()
    endpoint = desk.sim.pushes.endpoint(f"{desk.hook.url}/notify")
    assert endpoint.state == "slow"

    desk.hook.wait, timing.first = 0.0, 3.0
    late = desk.deliver()
    await desk.sim.settle()
    assert late not in ids(desk.hook)

    desk.sim.clock.advance(timedelta(minutes=11))
    await desk.until(lambda: late in ids(desk.hook))


async def test_a_very_slow_endpoint_loses_notifications_for_ten_minutes(desk):
    timing = desk.sim.pushes.timing
    timing.first, timing.retry, timing.fewest = 0.02, 0.02, 3
    await desk.subscribe()
    desk.hook.wait = 0.03
    for _ in range(3):
        desk.deliver()
        await desk.sim.settle()
    assert desk.sim.pushes.endpoint(f"{desk.hook.url}/notify").state == "drop"

    desk.hook.wait, timing.first, timing.retry = 0.0, 3.0, 10.0
    lost = desk.deliver()
    await desk.sim.settle()
    desk.sim.clock.advance(timedelta(minutes=11))
    told = desk.deliver()
    await desk.until(lambda: told in ids(desk.hook))

    assert lost not in ids(desk.hook)


async def test_refusals_alone_do_not_make_an_endpoint_slow(desk):
    desk.sim.pushes.timing.fewest = 3
    await desk.subscribe()
    desk.hook.status = 500
    for _ in range(5):
        desk.deliver()
        await desk.sim.settle()

    assert desk.sim.pushes.endpoint(f"{desk.hook.url}/notify").state == "good"


async def test_duplicates(desk):
    await desk.subscribe()
    desk.sim.faults.turn(duplicate=1.0)
    key = desk.deliver()
    await desk.sim.settle()

    assert [key, key] == ids(desk.hook)


async def test_reordering_holds_one_back_until_another_went_out(desk):
    await desk.subscribe()
    desk.sim.faults.turn(reorder=1.0)
    first = desk.deliver()
    desk.sim.faults.turn(reorder=0.0)
    second = desk.deliver()
    await desk.sim.settle()

    assert [second, first] == ids(desk.hook)


async def test_a_held_back_item_goes_out_in_the_end(desk):
    await desk.subscribe()
    desk.sim.faults.turn(reorder=1.0)
    key = desk.deliver()
    await desk.sim.settle()

    assert [key] == ids(desk.hook)


async def test_dropped_notifications_never_come(desk):
    await desk.subscribe()
    desk.sim.faults.turn(drop=1.0)
    desk.deliver()
    await desk.sim.settle()

    assert desk.hook.posts == []


async def test_delayed_notifications_come_later(desk):
    await desk.subscribe()
    desk.sim.faults.turn(delay=0.2)
    began = time.monotonic()
    key = desk.deliver()
    await desk.sim.settle()

    assert [key] == ids(desk.hook)
    # A loop's timer counts whole milliseconds and may ring one early.
    assert time.monotonic() - began > 0.15


async def test_a_message_can_be_told_of_before_it_can_be_read(desk):
    await desk.subscribe()
    desk.sim.faults.turn(unreadable_for=60)
    key = desk.deliver()
    await desk.sim.settle()

    early = await desk.get(f"/users/{ANNA}/messages/{key}")
    files = await desk.get(f"/users/{ANNA}/messages/{key}/attachments")
    desk.sim.clock.advance(timedelta(seconds=61))
    later = await desk.get(f"/users/{ANNA}/messages/{key}")

    assert [key] == ids(desk.hook)
    assert (early.status, files.status, later.status) == (404, 404, 200)


async def test_client_state_can_be_null_and_the_resource_oddly_spelt(desk):
    await desk.subscribe()
    desk.sim.faults.turn(null_client_state=1.0, odd_resource=1.0)
    key = desk.deliver()
    await desk.sim.settle()

    guid, tenant = desk.sim.mailboxes[ANNA].guid, desk.sim.mailboxes[ANNA].tenant
    assert None is desk.hook.items[0]["clientState"]
    assert f"users/{guid}@{tenant}/messages/{key}" == desk.hook.items[0]["resource"]


async def test_unexplained_updates_follow_an_arrival_when_switched_on(desk):
    await desk.subscribe()
    desk.sim.faults.turn(extra_updates=1.0)
    desk.deliver()
    await desk.sim.settle()

    assert [item["changeType"] for item in desk.hook.items] == ["created", "updated"]


async def test_missed_comes_instead_of_the_notification(desk):
    made = (await desk.subscribe()).body["id"]
    desk.sim.faults.turn(missed=1.0)
    desk.deliver()
    await desk.sim.settle()

    assert [(made, "missed")] == [(item["subscriptionId"], item["lifecycleEvent"]) for item in desk.hook.items]


@pytest.mark.parametrize("event", ["reauthorizationRequired", "missed", "subscriptionRemoved"])
async def test_lifecycle_events_in_the_documented_form(desk, event):
    made = (await desk.subscribe()).body

    desk.sim.lifecycle(made["id"], event)
    await desk.sim.settle()

    assert [
        {
            "subscriptionId": made["id"],
            "subscriptionExpirationDateTime": made["expirationDateTime"],
            "tenantId": desk.sim.mailboxes[ANNA].tenant,
            "clientState": "secret",
            "lifecycleEvent": event,
        }
    ] == desk.hook.items
    gone = (await desk.get(f"/subscriptions/{made['id']}")).status
    assert (404 if event == "subscriptionRemoved" else 200) == gone


async def test_a_lifecycle_event_in_the_form_seen_live(desk):
    made = (await desk.subscribe()).body
    desk.sim.faults.turn(organization_id=1.0)

    desk.sim.lifecycle(made["id"], "missed")
    await desk.sim.settle()

    item = desk.hook.items[0]
    assert desk.sim.mailboxes[ANNA].tenant == item["organizationId"]
    assert "tenantId" not in item
    assert (
        item["resource"],
        item["resourceData"],
        item["sequence"],
        item["encryptedContent"],
    ) == ("", {}, None, None)


async def test_lifecycle_events_need_a_lifecycle_url_and_a_known_name(desk):
    made = (await desk.subscribe(lifecycleNotificationUrl=None)).body["id"]

    desk.sim.lifecycle(made, "missed")
    await desk.sim.settle()

    assert desk.hook.posts == []
    with pytest.raises(ValueError, match="known are missed, reauthorizationRequired, subscriptionRemoved"):
        desk.sim.lifecycle(made, "sneezed")


async def test_lifecycle_items_can_go_astray_to_the_notification_url(desk):
    one = (await desk.subscribe()).body["id"]
    bare = (await desk.subscribe(BERT, lifecycleNotificationUrl=None)).body["id"]
    desk.sim.faults.turn(lifecycle_at_notification_url=1.0, null_client_state=1.0)

    desk.sim.lifecycle(one, "missed")
    desk.sim.lifecycle(bare, "subscriptionRemoved")
    await desk.sim.settle()

    items = [(item["subscriptionId"], item["lifecycleEvent"], item["clientState"]) for item in desk.hook.items]
    assert sorted([(one, "missed", None), (bare, "subscriptionRemoved", None)]) == sorted(items)
    delivered = desk.sim.recorder.where(lambda call: "items" in call.note)
    assert {f"{desk.hook.url}/notify"} == {call.path for call in delivered}


async def test_reauthorization_is_asked_for_before_the_end_when_switched_on(desk):
    desk.sim.faults.turn(reauthorize_before=3600)
    made = (await desk.subscribe(expirationDateTime=desk.in_minutes(600))).body["id"]

    desk.sim.clock.advance(timedelta(minutes=545))
    await desk.until(lambda: desk.hook.items)

    assert [(made, "reauthorizationRequired")] == [
        (item["subscriptionId"], item["lifecycleEvent"]) for item in desk.hook.items
    ]


def certificate() -> tuple[rsa.RSAPrivateKey, str]:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "client")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now)
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    return key, base64.b64encode(made.public_bytes(Encoding.DER)).decode()


def opened(sealed: dict[str, str], key: rsa.RSAPrivateKey) -> dict[str, object]:
    secret = key.decrypt(
        base64.b64decode(sealed["dataKey"]), padding.OAEP(padding.MGF1(hashes.SHA1()), hashes.SHA1(), None)
    )
    data = base64.b64decode(sealed["data"])
    signed = hmac.HMAC(secret, hashes.SHA256())
    signed.update(data)
    signed.verify(base64.b64decode(sealed["dataSignature"]))
    cipher = Cipher(algorithms.AES(secret), modes.CBC(secret[:16])).decryptor()
    filled = PKCS7(128).unpadder()
    return json.loads(filled.update(cipher.update(data) + cipher.finalize()) + filled.finalize())


async def test_rich_notifications_are_sealed_for_the_certificate_and_proved_by_a_token(desk):
    key, encoded = certificate()
    rich = {
        "resource": f"users/{ANNA}/mailFolders('inbox')/messages?$select=subject,isRead",
        "includeResourceData": True,
        "encryptionCertificate": encoded,
        "encryptionCertificateId": "mine",
    }
    too_long = await desk.subscribe(**rich)
    made = await desk.subscribe(**rich, expirationDateTime=desk.in_minutes(1400))
    message = desk.deliver(mail("Sealed"))
    await desk.sim.settle()

    assert "can only be 1440 minutes" in too_long.body["error"]["message"]
    assert made.status == 201
    item = desk.hook.items[0]
    assert f"Users('{desk.sim.mailboxes[ANNA].guid}')/messages('{message}')" == item["resource"]
    content = opened(item["encryptedContent"], key)
    assert ("Sealed", False, message) == (content["subject"], content["isRead"], content["id"])
    keys = jwt.PyJWKSet.from_dict((await desk.get(f"{desk.base}/common/discovery/v2.0/keys")).body)
    [proof] = desk.hook.posts[0]["validationTokens"]
    claims = jwt.decode(proof, keys.keys[0].key, algorithms=["RS256"], audience="test-app")
    assert claims["appid"] == "0bf30f3b-4a52-48df-9a82-234910c4a086"
