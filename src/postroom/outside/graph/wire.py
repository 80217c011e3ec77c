"""Graph's JSON as documented; what may be missing is marked, what we do not read is left out."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict


class GraphEmailAddress(TypedDict):
    name: NotRequired[str | None]
    address: NotRequired[str | None]


class GraphRecipient(TypedDict):
    emailAddress: NotRequired[GraphEmailAddress | None]


class GraphBody(TypedDict):
    contentType: NotRequired[str]
    content: NotRequired[str | None]


class GraphExtendedProperty(TypedDict):
    """https://learn.microsoft.com/graph/api/resources/singlevaluelegacyextendedproperty"""

    id: str
    value: NotRequired[str | None]


# https://learn.microsoft.com/graph/api/resources/message
GraphMessage = TypedDict(
    "GraphMessage",
    {
        "@odata.type": NotRequired[str],
        "@odata.etag": NotRequired[str],
        "@removed": NotRequired[dict[str, str]],
        "id": str,
        "changeKey": NotRequired[str | None],
        "conversationId": NotRequired[str | None],
        "receivedDateTime": NotRequired[str | None],
        "parentFolderId": NotRequired[str | None],
        "internetMessageId": NotRequired[str | None],
        "subject": NotRequired[str | None],
        "from": NotRequired[GraphRecipient | None],
        "isDraft": NotRequired[bool | None],
        "isRead": NotRequired[bool | None],
        "toRecipients": NotRequired[list[GraphRecipient] | None],
        "ccRecipients": NotRequired[list[GraphRecipient] | None],
        "bccRecipients": NotRequired[list[GraphRecipient] | None],
        "replyTo": NotRequired[list[GraphRecipient] | None],
        "categories": NotRequired[list[str] | None],
        "body": NotRequired[GraphBody | None],
        "singleValueExtendedProperties": NotRequired[list[GraphExtendedProperty] | None],
    },
)
SELECT = "id,changeKey,conversationId,receivedDateTime,parentFolderId,internetMessageId,subject,from,isDraft,categories"
THREAD_SELECT = f"{SELECT},toRecipients,ccRecipients,bccRecipients,replyTo"
DRAFT_SELECT = f"{SELECT},toRecipients,ccRecipients,bccRecipients,body,hasAttachments"

# https://learn.microsoft.com/graph/api/message-delta
GraphMessagePage = TypedDict(
    "GraphMessagePage",
    {"value": list[GraphMessage], "@odata.nextLink": NotRequired[str], "@odata.deltaLink": NotRequired[str]},
)


class GraphFolder(TypedDict):
    """https://learn.microsoft.com/graph/api/resources/mailfolder"""

    id: str
    displayName: NotRequired[str]


class GraphFolderPage(TypedDict):
    value: list[GraphFolder]


class GraphUser(TypedDict):
    """https://learn.microsoft.com/graph/api/resources/user"""

    id: str
    mail: NotRequired[str | None]
    userPrincipalName: NotRequired[str | None]
    proxyAddresses: NotRequired[list[str] | None]
    otherMails: NotRequired[list[str] | None]


class GraphSubscription(TypedDict):
    """https://learn.microsoft.com/graph/api/resources/subscription"""

    id: str
    resource: str
    changeType: NotRequired[str]
    clientState: NotRequired[str | None]
    notificationUrl: str
    lifecycleNotificationUrl: NotRequired[str | None]
    expirationDateTime: str


GraphSubscriptionPage = TypedDict(
    "GraphSubscriptionPage", {"value": list[GraphSubscription], "@odata.nextLink": NotRequired[str]}
)


class BatchItem(TypedDict):
    """One answer out of a `$batch`: https://learn.microsoft.com/graph/json-batching"""

    id: str
    status: int
    headers: NotRequired[dict[str, str]]
    body: NotRequired[Any]


class BatchAnswer(TypedDict):
    responses: list[BatchItem]
