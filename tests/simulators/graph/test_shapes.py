"""Answers have the properties and types that Microsoft documents; odd requests are refused, never a crash."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest

from postroom_simulators.clock import SimClock
from postroom_simulators.faults import Faults
from postroom_simulators.graph import GraphSim
from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.recorder import Recorder
from simulators.graph.office import ANNA, BERT, mail

ME = f"/users/{ANNA}"
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,12})?Z")
PERSON = {"emailAddress": {"name": str, "address": str}}
MESSAGE = {
    "id": str,
    "createdDateTime": MOMENT,
    "lastModifiedDateTime": MOMENT,
    "changeKey": str,
    "categories": [str],
    "receivedDateTime": MOMENT,
    "sentDateTime": MOMENT,
    "hasAttachments": bool,
    "internetMessageId": str,
    "subject": str,
    "bodyPreview": str,
    "importance": {"low", "normal", "high"},
    "parentFolderId": str,
    "conversationId": str,
    "conversationIndex": str,
    "isDeliveryReceiptRequested": (bool, type(None)),
    "isReadReceiptRequested": bool,
    "isRead": bool,
    "isDraft": bool,
    "webLink": str,
    "inferenceClassification": {"focused", "other"},
    "body": {"contentType": {"text", "html"}, "content": str},
    "sender": PERSON,
    "from": PERSON,
    "toRecipients": [PERSON],
    "ccRecipients": [PERSON],
    "bccRecipients": [PERSON],
    "replyTo": [PERSON],
    "flag": {"flagStatus": {"notFlagged", "complete", "flagged"}},
}
FOLDER = {
    "id": str,
    "displayName": str,
    "parentFolderId": str,
    "childFolderCount": int,
    "unreadItemCount": int,
    "totalItemCount": int,
    "sizeInBytes": int,
    "isHidden": bool,
}
FILE = {
    "id": str,
    "lastModifiedDateTime": MOMENT,
    "name": str,
    "contentType": str,
    "size": int,
    "isInline": bool,
    "contentId": (str, type(None)),
    "contentLocation": (str, type(None)),
    "contentBytes": str,
}
SUBSCRIPTION = {
    "id": str,
    "resource": str,
    "applicationId": str,
    "changeType": str,
    "clientState": (str, type(None)),
    "notificationUrl": str,
    "notificationQueryOptions": type(None),
    "notificationContentType": type(None),
    "lifecycleNotificationUrl": str,
    "expirationDateTime": MOMENT,
    "creatorId": str,
    "includeResourceData": type(None),
    "latestSupportedTlsVersion": str,
    "encryptionCertificate": type(None),
    "encryptionCertificateId": type(None),
    "notificationUrlAppId": type(None),
}


def misfit(shape: Any, value: Any, path: str = "") -> str:
    """Where a value does not fit its shape; empty when it does."""
    match shape:
        case dict() if isinstance(value, dict):
            named = {name for name in value if not name.startswith("@odata.")}
            if named != set(shape):
                return f"{path}: {named ^ set(shape)}"
            return "".join(misfit(shape[name], value[name], f"{path}/{name}") for name in shape)
        case [inner] if isinstance(value, list):
            return "".join(misfit(inner, one, f"{path}[]") for one in value)
        case set():
            return "" if value in shape else f"{path}: {value!r}"
        case re.Pattern():
            return "" if isinstance(value, str) and shape.fullmatch(value) else f"{path}: {value!r}"
        case type() | tuple():
            return "" if isinstance(value, shape) else f"{path}: {value!r}"
    return f"{path}: {value!r}"


async def test_messages_folders_files_and_subscriptions_have_their_documented_shape(desk):
    note = mail("Note", html="<p>x</p>", Cc="Cara <c@x.test>", Reply_To="r@x.test")
    note.add_attachment(b"%PDF-", maintype="application", subtype="pdf", filename="a.pdf")
    key = desk.deliver(note)
    await desk.subscribe()

    message = await desk.get(f"{ME}/messages/{key}")
    reply = await desk.post(f"{ME}/messages/{key}/createReplyAll")
    folders = await desk.get(f"{ME}/mailFolders")
    files = await desk.get(f"{ME}/messages/{key}/attachments")
    subscriptions = await desk.get("/subscriptions")

    assert misfit(MESSAGE, message.body) == ""
    assert misfit(MESSAGE, reply.body) == ""
    assert misfit([FOLDER], folders.body["value"]) == ""
    assert misfit([FILE], files.body["value"]) == ""
    assert misfit([SUBSCRIPTION], subscriptions.body["value"]) == ""


def test_the_shape_check_sees_what_is_wrong():
    assert misfit({"a": str}, {"a": 1}) == "/a: 1"
    assert misfit({"a": str}, {"a": "x", "b": 1}) == ": {'b'}"
    assert misfit([MOMENT], ["yesterday"]) == "[]: 'yesterday'"


@pytest.mark.parametrize(
    "wrong",
    [
        {"toRecipients": "x"},
        {"toRecipients": [{"address": BERT}]},
        {"from": 5},
        {"body": "text"},
        {"body": {"content": 5}},
        {"categories": 5},
        {"flag": "red"},
        {"importance": []},
        {"singleValueExtendedProperties": [5]},
        {"internetMessageHeaders": ["x-a: b"]},
        {"attachments": [5]},
    ],
)
async def test_odd_messages_are_refused_wherever_they_come_in(desk, wrong):
    key = desk.deliver()
    answers = [
        await desk.patch(f"{ME}/messages/{key}", wrong),
        await desk.post(f"{ME}/messages", wrong),
        await desk.post(f"{ME}/messages/{key}/createReply", {"message": wrong}),
        await desk.post(f"{ME}/sendMail", {"message": wrong}),
    ]

    assert [answer.status for answer in answers] == [400] * 4


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/subscriptions", {"changeType": 5}),
        ("/$batch", {"requests": 5}),
        ("/$batch", {"requests": [5]}),
        ("/$batch", []),
        (f"{ME}/sendMail", {"message": 5}),
        (f"{ME}/mailFolders", {"displayName": 5}),
        (f"{ME}/translateExchangeIds", {"inputIds": 5}),
        (f"{ME}/outlook/masterCategories", {"displayName": 5}),
    ],
)
async def test_odd_requests_are_refused(desk, path, body):
    assert (await desk.post(path, body)).status == 400


def test_a_thousand_mailboxes_take_far_more_than_a_thousand_messages_a_second():
    sim = GraphSim(SimClock(), Faults(), Recorder())
    addresses = [f"desk{number}@desk.test" for number in range(1000)]
    for address in addresses:
        sim.add_mailbox(address)
    raw = mail().as_bytes()

    began = time.process_time()
    for number in range(5000):
        sim.deliver(IncomingMail(mailbox=addresses[number % 1000], raw=raw))

    assert time.process_time() - began < 2.5  # of one core, measured: about 0.4
    assert sum(len(sim.mailboxes[one].everything.items) for one in addresses) == 5000
