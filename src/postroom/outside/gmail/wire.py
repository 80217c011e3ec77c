"""Google's JSON as documented: what we read of it.

https://developers.google.com/gmail/api/reference/rest
https://cloud.google.com/pubsub/docs/reference/rest
"""

from __future__ import annotations

from typing import NotRequired, TypedDict

Number = str | int  # 64-bit numbers are strings by the documents, and numbers in some live answers


class Profile(TypedDict):
    emailAddress: str
    historyId: Number


class Message(TypedDict):
    id: str
    threadId: NotRequired[str]
    labelIds: NotRequired[list[str]]
    historyId: NotRequired[Number]
    internalDate: NotRequired[Number]  # milliseconds since 1970
    raw: NotRequired[str]  # base64url


class Added(TypedDict):
    message: Message


class Labelled(TypedDict):
    message: Message
    labelIds: NotRequired[list[str]]


class Record(TypedDict):
    id: Number
    messagesAdded: NotRequired[list[Added]]
    messagesDeleted: NotRequired[list[Added]]
    labelsAdded: NotRequired[list[Labelled]]
    labelsRemoved: NotRequired[list[Labelled]]


class History(TypedDict):
    historyId: Number
    history: NotRequired[list[Record]]  # absent when nothing happened
    nextPageToken: NotRequired[str]


class Messages(TypedDict):
    messages: NotRequired[list[Message]]  # absent when there are none
    nextPageToken: NotRequired[str]


class Watch(TypedDict):
    historyId: Number
    expiration: Number  # milliseconds since 1970


class Nothing(TypedDict):
    """An answer of which nothing is read."""


class Complaint(TypedDict):
    reason: NotRequired[str]
    domain: NotRequired[str]


class Error(TypedDict):
    code: NotRequired[int]
    message: NotRequired[str]
    status: NotRequired[str]
    errors: NotRequired[list[Complaint]]


class Refusal(TypedDict):
    error: Error


class Tokens(TypedDict):
    access_token: str
    expires_in: NotRequired[float]
    scope: NotRequired[str]
    refresh_token: NotRequired[str]
    id_token: NotRequired[str]


class TokenRefusal(TypedDict):
    error: str
    error_subtype: NotRequired[str]


class News(TypedDict):
    """What Gmail publishes: nothing says which message."""

    emailAddress: str
    historyId: Number


class Published(TypedDict):
    data: NotRequired[str]  # base64 of News
    messageId: NotRequired[str]
    message_id: NotRequired[str]


class Envelope(TypedDict):
    message: Published
    subscription: NotRequired[str]


class Received(TypedDict):
    ackId: str
    message: NotRequired[Published]


class Pulled(TypedDict):
    receivedMessages: NotRequired[list[Received]]  # absent when there are none
