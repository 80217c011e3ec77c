"""Channels, and the tenant's own sensitive topics."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field
from starlette.responses import Response

from postroom.doors.api.paging import NO_NUL, InBody, OutBody, PageOut
from postroom.doors.api.route import Admin, Reader, collection
from postroom.rooms.triage import commands
from postroom.rooms.triage.rules.channels import Channel, ChannelRules
from postroom.rooms.triage.rules.own_topics import OwnTopic

router = collection("channels")
topics = collection("topics")
Entry = Annotated[str, Field(min_length=1, max_length=200, pattern=NO_NUL)]
Name = Annotated[str, Field(min_length=1, max_length=60, pattern=NO_NUL)]
IntentWord = Literal["request", "question", "update", "complaint", "introduction", "other"]
TopicWord = Literal["refund_or_cancellation", "medical", "safety", "legal", "exception"]


class ChannelRulesBody(InBody):
    """Of each kind any entry will do; all kinds that have entries must apply."""

    senders: list[Entry] = Field(default=[], max_length=200, examples=[["anna@client.example", "@client.example"]])
    accounts: list[Entry] = Field(default=[], max_length=200, description="Codes of clients.")
    words: list[Entry] = Field(default=[], max_length=200)
    intents: list[IntentWord] = Field(default=[], max_length=6)


class ChannelIn(InBody):
    name: Name
    rules: ChannelRulesBody
    active: bool = Field(default=True, description="Off: it keeps its rules and its threads, and gets no new ones.")


class ChannelOut(OutBody):
    """Where threads are seen to. What fits no channel is in Default, which has no id."""

    id: UUID
    name: str
    rules: ChannelRulesBody
    active: bool


class TopicIn(InBody):
    """Words or phrases; a star ends the beginning of a word. They only add caution."""

    name: Name
    counts_as: TopicWord
    words: list[Entry] = Field(max_length=200)
    active: bool = Field(default=True, description="Off: its words count for nothing.")


class TopicOut(OutBody):
    id: UUID
    name: str
    counts_as: str
    words: list[str]
    active: bool


class TopicPreviewIn(TopicIn):
    topic_id: UUID | None = Field(None, description="The topic that is to be changed; none: a new one.")


class TopicEffectOut(OutBody):
    thread_id: UUID
    reference_code: str
    subject: str
    before: str
    after: str


class TopicPreviewOut(OutBody):
    """What a change would have done to the threads of the last 30 days."""

    looked_at: int
    all_looked_at: bool = Field(description="False: there are more, and only the newest were looked at.")
    changed: list[TopicEffectOut]


class TryIn(InBody):
    """A mail to us alone; what is not said is empty."""

    sender: str = Field("", max_length=200, pattern=NO_NUL)
    subject: str = Field("", max_length=1000, pattern=NO_NUL)
    text: str = Field("", max_length=20_000, pattern=NO_NUL)


class TriedOut(OutBody):
    """What would become of it, by rules, topics and channels as they stand."""

    action: str
    reason: str
    because: str
    intent: str
    urgency: str
    reasoning: str
    channel: str
    channel_because: str


@router.get("/channels", summary="List channels, in the order in which they are tried")
async def list_channels(who: Reader) -> PageOut[ChannelOut]:
    return PageOut(items=[_channel(each) for each in await commands.channels(who.scope)], next=None)


@router.post("/channels", summary="Add a channel", status_code=201)
async def add_channel(body: ChannelIn, who: Admin) -> ChannelOut:
    return _channel(await commands.add_channel(who.scope, body.name, _rules(body.rules), active=body.active))


@router.put("/channels/{channel_id}", summary="Change a channel")
async def change_channel(channel_id: UUID, body: ChannelIn, who: Admin) -> ChannelOut:
    """Threads that are judged from now on go by it."""
    rules = _rules(body.rules)
    return _channel(await commands.change_channel(who.scope, channel_id, body.name, rules, active=body.active))


@router.delete("/channels/{channel_id}", summary="Remove a channel", status_code=204)
async def remove_channel(channel_id: UUID, who: Admin) -> Response:
    """Its threads are in Default then."""
    await commands.remove_channel(who.scope, channel_id)
    return Response(status_code=204)


@topics.get("/topics", summary="List the tenant's own sensitive topics")
async def list_topics(who: Reader) -> PageOut[TopicOut]:
    return PageOut(items=[_topic(each) for each in await commands.topics(who.scope)], next=None)


@topics.post("/topics", summary="Add a sensitive topic", status_code=201)
async def add_topic(body: TopicIn, who: Admin) -> TopicOut:
    return _topic(await commands.add_topic(who.scope, body.name, body.counts_as, body.words, active=body.active))


@topics.post("/topics/preview", summary="What a topic would have done to the last 30 days; nothing is kept")
async def preview_topic(body: TopicPreviewIn, who: Reader) -> TopicPreviewOut:
    """Without words: what removing the topic would have done."""
    found = await commands.preview_topic(
        who.scope, body.topic_id, body.name, body.counts_as, body.words, active=body.active
    )
    return TopicPreviewOut(
        looked_at=found.looked_at,
        all_looked_at=found.all_looked_at,
        changed=[TopicEffectOut.model_validate(each) for each in found.changed],
    )


@topics.post("/topics/try", summary="What would become of a mail with this text; nothing is kept")
async def try_text(body: TryIn, who: Reader) -> TriedOut:
    found = await commands.try_text(who.scope, body.sender, body.subject, body.text)
    return TriedOut(
        action=found.verdict.action,
        reason=found.verdict.reason,
        because=found.verdict.because,
        intent=found.analysis.intent,
        urgency=found.analysis.urgency,
        reasoning=found.analysis.reasoning,
        channel=found.channel.name,
        channel_because=found.channel.because,
    )


@topics.put("/topics/{topic_id}", summary="Change a sensitive topic")
async def change_topic(topic_id: UUID, body: TopicIn, who: Admin) -> TopicOut:
    changed = await commands.change_topic(
        who.scope, topic_id, body.name, body.counts_as, body.words, active=body.active
    )
    return _topic(changed)


@topics.delete("/topics/{topic_id}", summary="Remove a sensitive topic", status_code=204)
async def remove_topic(topic_id: UUID, who: Admin) -> Response:
    await commands.remove_topic(who.scope, topic_id)
    return Response(status_code=204)


def _rules(body: ChannelRulesBody) -> ChannelRules:
    return ChannelRules(**{kind: tuple(entries) for kind, entries in body.model_dump().items()})


def _channel(channel: Channel) -> ChannelOut:
    rules = ChannelRulesBody(**channel.rules.as_json())
    return ChannelOut(id=channel.id, name=channel.name, rules=rules, active=channel.active)


def _topic(topic: OwnTopic) -> TopicOut:
    return TopicOut(id=topic.id, **topic.as_json())
