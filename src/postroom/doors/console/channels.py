"""Channels and the tenant's own sensitive topics: listed, made, changed, switched off, and tried on a text."""

from __future__ import annotations

from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from postroom.doors.console import frame
from postroom.doors.console.forms import LONGEST_LIST, chosen, id_in, id_of, said
from postroom.doors.entry import Caller, signed_in
from postroom.nouns.errors import NotFound
from postroom.rooms.triage import commands
from postroom.rooms.triage.commands.topics import TopicPreview
from postroom.rooms.triage.rules.channels import INTENTS, Channel, ChannelRules
from postroom.rooms.triage.rules.own_topics import OwnTopic
from postroom.rooms.triage.rules.topics import TOPICS

LONGEST_FORM = 20_000
SHOWN_EFFECTS = 20
STEPS = ("on", "off", "remove")


async def channels(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    parts = {"settings": "settings/_channels.html"}
    values = {"channels": await commands.channels(who.scope), "intents": INTENTS}
    return await frame.page(request, who, "settings/index.html", parts, section="channels", **values)


async def add_channel(request: Request) -> Response:
    who = await signed_in(request, "admin")
    made = await commands.add_channel(who.scope, *await _channel_said(request))
    return frame.done(f"Threads that come now may go to {made.name}.", "channels")


async def change_channel(request: Request) -> Response:
    who = await signed_in(request, "admin")
    held, (name, rules) = await _channel(who, id_of(request)), await _channel_said(request)
    changed = await commands.change_channel(
        who.scope, held.id, name, rules, active=held.active, seen=await _seen(request)
    )
    return frame.done(f"{changed.name} is saved. It applies to threads that are judged from now on.", "channels")


async def switch_channel(request: Request) -> Response:
    who = await signed_in(request, "admin")
    held = await _channel(who, id_of(request))
    on = (await said(request)).get("active") == "yes"
    await commands.change_channel(who.scope, held.id, held.name, held.rules, active=on, seen=held.version)
    word = f"{held.name} is on again." if on else f"{held.name} is off. Its threads stay; new ones go elsewhere."
    return frame.done(word, "channels")


async def remove_channel(request: Request) -> Response:
    who = await signed_in(request, "admin")
    await commands.remove_channel(who.scope, id_of(request))
    return frame.done("The channel is removed. Its threads are in Default.", "channels")


async def topics(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    parts = {"settings": "settings/_topics.html"}
    values = {"topics": await commands.topics(who.scope), "kinds": TOPICS}
    return await frame.page(request, who, "settings/index.html", parts, section="topics", **values)


async def add_topic(request: Request) -> Response:
    who = await signed_in(request, "admin")
    made = await commands.add_topic(who.scope, *await _topic_said(request))
    return frame.done(f"{made.name} is watched for from now on.", "topics")


async def change_topic(request: Request) -> Response:
    who = await signed_in(request, "admin")
    held, told = await _topic(who, id_of(request)), await _topic_said(request)
    changed = await commands.change_topic(who.scope, held.id, *told, active=held.active, seen=await _seen(request))
    return frame.done(f"{changed.name} is saved. It applies to mail that is judged from now on.", "topics")


async def switch_topic(request: Request) -> Response:
    who = await signed_in(request, "admin")
    held = await _topic(who, id_of(request))
    on = (await said(request)).get("active") == "yes"
    await commands.change_topic(who.scope, held.id, held.name, held.counts_as, held.words, active=on, seen=held.version)
    return frame.done(f"{held.name} is {'on again' if on else 'off: its words count for nothing'}.", "topics")


async def remove_topic(request: Request) -> Response:
    who = await signed_in(request, "admin")
    await commands.remove_topic(who.scope, id_of(request))
    return frame.done("The topic is removed.", "topics")


async def preview_topic(request: Request) -> Response:
    """What the form would have done to the last days; nothing is kept."""
    who = await signed_in(request, "viewer")
    words = await said(request, LONGEST_FORM)
    topic_id = id_in(words.get("topic_id", ""))
    is_off = topic_id is not None and not (await _topic(who, topic_id)).active
    found = await commands.preview_topic(who.scope, topic_id, *await _topic_said(request), active=not is_off)
    return _previewed(request, who, found)


async def preview_step(request: Request) -> Response:
    """What switching a topic on or off, or removing it, would have done; the step itself is a button beside it."""
    who = await signed_in(request, "viewer")
    held, step = await _topic(who, id_of(request)), request.path_params["step"]
    if step not in STEPS:
        raise NotFound("There is no such step.")
    words = () if step == "remove" else held.words
    found = await commands.preview_topic(who.scope, held.id, held.name, held.counts_as, words, active=step == "on")
    return _previewed(request, who, found, topic=held, step=step)


def _previewed(
    request: Request, who: Caller, found: TopicPreview, topic: OwnTopic | None = None, step: str = ""
) -> Response:
    effects, left = found.changed[:SHOWN_EFFECTS], max(0, len(found.changed) - SHOWN_EFFECTS)
    return frame.html(
        request,
        "settings/_topic_preview.html",
        who=who,
        found=found,
        effects=effects,
        more=left,
        topic=topic,
        step=step,
    )


async def try_text(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    words = await said(request, LONGEST_FORM)
    found = await commands.try_text(who.scope, words.get("sender", ""), words.get("subject", ""), words.get("text", ""))
    return frame.html(request, "settings/_tried.html", who=who, found=found)


async def _seen(request: Request) -> str | None:
    return (await said(request, LONGEST_LIST)).get("version")


async def _channel_said(request: Request) -> tuple[str, ChannelRules]:
    words = await said(request, LONGEST_LIST)
    return words.get("name", ""), ChannelRules(
        senders=_entries(words.get("senders", "")),
        accounts=_entries(words.get("accounts", "")),
        words=_entries(words.get("words", "")),
        intents=tuple(await chosen(request, "intent")),
    )


async def _topic_said(request: Request) -> tuple[str, str, tuple[str, ...]]:
    words = await said(request, LONGEST_FORM)
    return words.get("name", ""), words.get("counts_as", ""), _entries(words.get("words", ""))


def _entries(text: str) -> tuple[str, ...]:
    """One a line, or with commas between."""
    return tuple(each.strip() for line in text.splitlines() for each in line.split(",") if each.strip())


async def _channel(who: Caller, channel_id: UUID) -> Channel:
    found = next((each for each in await commands.channels(who.scope) if each.id == channel_id), None)
    if found is None:
        raise NotFound("There is no such channel here.")
    return found


async def _topic(who: Caller, topic_id: UUID) -> OwnTopic:
    found = next((each for each in await commands.topics(who.scope) if each.id == topic_id), None)
    if found is None:
        raise NotFound("There is no such topic here.")
    return found


ROUTES = [
    Route("/settings/channels", channels, methods=["GET"]),
    Route("/settings/channels", add_channel, methods=["POST"]),
    Route("/settings/channels/{id:uuid}", change_channel, methods=["POST"]),
    Route("/settings/channels/{id:uuid}/switch", switch_channel, methods=["POST"]),
    Route("/settings/channels/{id:uuid}/remove", remove_channel, methods=["POST"]),
    Route("/settings/topics", topics, methods=["GET"]),
    Route("/settings/topics", add_topic, methods=["POST"]),
    Route("/settings/topics/preview", preview_topic, methods=["POST"]),
    Route("/settings/topics/{id:uuid}/preview/{step:str}", preview_step, methods=["POST"]),
    Route("/settings/topics/{id:uuid}", change_topic, methods=["POST"]),
    Route("/settings/topics/{id:uuid}/switch", switch_topic, methods=["POST"]),
    Route("/settings/topics/{id:uuid}/remove", remove_topic, methods=["POST"]),
    Route("/settings/try", try_text, methods=["POST"]),
]
