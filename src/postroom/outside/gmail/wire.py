"""Google's JSON as documented: what we read of it.

https://developers.google.com/gmail/api/reference/rest
https://cloud.google.com/pubsub/docs/reference/rest
"""

from __future__ import annotations

from typing import NotRequired, TypedDict

Number = str | int  # 64-bit numbers are strings by the documents, and numbers in some live answers


class GmailProfile(TypedDict):
    emailAddress: str
    historyId: Number


class GmailHeader(TypedDict):
    name: str
    value: NotRequired[str]


class GmailPayload(TypedDict):
    headers: NotRequired[list[GmailHeader]]


class GmailMessage(TypedDict):
    id: str
    threadId: NotRequired[str]
    labelIds: NotRequired[list[str]]
    historyId: NotRequired[Number]
    internalDate: NotRequired[Number]  # milliseconds since 1970
    raw: NotRequired[str]  # base64url
    payload: NotRequired[GmailPayload]


class HistoryMessage(TypedDict):
    message: GmailMessage


class HistoryLabels(TypedDict):
    message: GmailMessage
    labelIds: NotRequired[list[str]]


class HistoryRecord(TypedDict):
    id: Number
    messagesAdded: NotRequired[list[HistoryMessage]]
    messagesDeleted: NotRequired[list[HistoryMessage]]
    labelsAdded: NotRequired[list[HistoryLabels]]
    labelsRemoved: NotRequired[list[HistoryLabels]]


class HistoryPage(TypedDict):
    historyId: Number
    history: NotRequired[list[HistoryRecord]]  # absent when nothing happened
    nextPageToken: NotRequired[str]


class GmailMessagePage(TypedDict):
    messages: NotRequired[list[GmailMessage]]  # absent when there are none
    nextPageToken: NotRequired[str]


class GmailThread(TypedDict):
    id: str
    messages: NotRequired[list[GmailMessage]]


class GmailDraft(TypedDict):
    id: str
    message: GmailMessage


class GmailDraftPage(TypedDict):
    drafts: NotRequired[list[GmailDraft]]  # absent when there are none
    nextPageToken: NotRequired[str]


class GmailLabel(TypedDict):
    id: str
    name: str


class GmailLabelList(TypedDict):
    labels: NotRequired[list[GmailLabel]]


class SendAs(TypedDict):
    sendAsEmail: str
    verificationStatus: NotRequired[str]  # absent for the main address


class SendAsList(TypedDict):
    sendAs: NotRequired[list[SendAs]]


class WatchAnswer(TypedDict):
    historyId: Number
    expiration: Number  # milliseconds since 1970


class Nothing(TypedDict):
    """An answer of which nothing is read."""


class GoogleErrorItem(TypedDict):
    reason: NotRequired[str]
    domain: NotRequired[str]


class GoogleError(TypedDict):
    code: NotRequired[int]
    message: NotRequired[str]
    status: NotRequired[str]
    errors: NotRequired[list[GoogleErrorItem]]


class GoogleRefusal(TypedDict):
    error: GoogleError


class TokenAnswer(TypedDict):
    access_token: str
    expires_in: NotRequired[float]
    scope: NotRequired[str]
    refresh_token: NotRequired[str]
    id_token: NotRequired[str]


class TokenRefusal(TypedDict):
    error: str
    error_subtype: NotRequired[str]


class PushData(TypedDict):
    """What Gmail publishes: nothing says which message."""

    emailAddress: str
    historyId: Number


class PubSubMessage(TypedDict):
    data: NotRequired[str]  # base64 of News
    messageId: NotRequired[str]
    message_id: NotRequired[str]


class PushEnvelope(TypedDict):
    message: PubSubMessage
    subscription: NotRequired[str]


class PulledItem(TypedDict):
    ackId: str
    message: NotRequired[PubSubMessage]


class PullAnswer(TypedDict):
    receivedMessages: NotRequired[list[PulledItem]]  # absent when there are none
