"""The JSON that clients may send, as far as the simulator insists on its shape."""

from __future__ import annotations

from typing import Any, TypedDict


class PostedAddress(TypedDict, total=False):
    address: str | None
    name: str | None


class PostedRecipient(TypedDict):
    emailAddress: PostedAddress


class PostedBody(TypedDict, total=False):
    contentType: str
    content: str | None


class PostedHeader(TypedDict):
    name: str
    value: str


class PostedExtendedProperty(TypedDict):
    id: str
    value: str | list[str] | None


PostedAttachment = TypedDict(
    "PostedAttachment",
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

PostedMessage = TypedDict(
    "PostedMessage",
    {
        "subject": str | None,
        "body": PostedBody,
        "from": PostedRecipient | None,
        "sender": PostedRecipient | None,
        "toRecipients": list[PostedRecipient] | None,
        "ccRecipients": list[PostedRecipient] | None,
        "bccRecipients": list[PostedRecipient] | None,
        "replyTo": list[PostedRecipient] | None,
        "categories": list[str] | None,
        "importance": str,
        "inferenceClassification": str,
        "internetMessageId": str,
        "internetMessageHeaders": list[PostedHeader],
        "isRead": bool | None,
        "flag": dict[str, Any] | None,
        "singleValueExtendedProperties": list[PostedExtendedProperty] | None,
        "multiValueExtendedProperties": list[PostedExtendedProperty] | None,
        "attachments": list[PostedAttachment] | None,
    },
    total=False,
)


class PostedReply(TypedDict, total=False):
    """createReply, reply, createForward, forward and their kin."""

    comment: str | None
    message: PostedMessage | None
    toRecipients: list[PostedRecipient] | None


class PostedSendMail(TypedDict, total=False):
    message: PostedMessage
    saveToSentItems: bool


class PostedMove(TypedDict, total=False):
    destinationId: str


class PostedUpload(TypedDict, total=False):
    name: str
    size: int


class PostedUploadSession(TypedDict, total=False):
    AttachmentItem: PostedUpload


class PostedSubscription(TypedDict, total=False):
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


class PostedBatchStep(TypedDict, total=False):
    id: str
    method: str
    url: str
    headers: dict[str, str]
    dependsOn: list[str]


class PostedBatch(TypedDict):
    requests: list[PostedBatchStep]
