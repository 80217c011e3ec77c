"""The JSON that clients may send, as far as the simulator insists on its shape."""

from __future__ import annotations

from typing import Any, TypedDict


class EmailAddress(TypedDict, total=False):
    address: str | None
    name: str | None


class Recipient(TypedDict):
    emailAddress: EmailAddress


class ItemBody(TypedDict, total=False):
    contentType: str
    content: str | None


class Header(TypedDict):
    name: str
    value: str


class Mark(TypedDict):
    id: str
    value: str | list[str] | None


Attachment = TypedDict(
    "Attachment",
    {
        "@odata.type": str,
        "name": str | None,
        "contentType": str | None,
        "contentBytes": str | None,
        "contentId": str | None,
        "isInline": bool | None,
        "sourceUrl": str | None,
        "item": dict[str, Any] | None,
    },
    total=False,
)

Message = TypedDict(
    "Message",
    {
        "subject": str | None,
        "body": ItemBody,
        "from": Recipient | None,
        "sender": Recipient | None,
        "toRecipients": list[Recipient] | None,
        "ccRecipients": list[Recipient] | None,
        "bccRecipients": list[Recipient] | None,
        "replyTo": list[Recipient] | None,
        "categories": list[str] | None,
        "importance": str,
        "inferenceClassification": str,
        "internetMessageId": str,
        "internetMessageHeaders": list[Header],
        "isRead": bool | None,
        "flag": dict[str, Any] | None,
        "singleValueExtendedProperties": list[Mark] | None,
        "multiValueExtendedProperties": list[Mark] | None,
        "attachments": list[Attachment] | None,
    },
    total=False,
)


class Answering(TypedDict, total=False):
    """createReply, reply, createForward, forward and their kin."""

    comment: str | None
    message: Message | None
    toRecipients: list[Recipient] | None


class Sending(TypedDict, total=False):
    message: Message
    saveToSentItems: bool


class Moving(TypedDict, total=False):
    destinationId: str


class Upload(TypedDict, total=False):
    name: str
    size: int


class Uploading(TypedDict, total=False):
    AttachmentItem: Upload


class Subscribing(TypedDict, total=False):
    changeType: str
    notificationUrl: str
    lifecycleNotificationUrl: str | None
    resource: str
    expirationDateTime: str
    clientState: str | None
    includeResourceData: bool | None
    latestSupportedTlsVersion: str | None
    encryptionCertificate: str | None
    encryptionCertificateId: str | None


class Step(TypedDict, total=False):
    id: str
    method: str
    url: str
    headers: dict[str, str]
    dependsOn: list[str]


class Batch(TypedDict):
    requests: list[Step]
