"""How a model is asked over HTTP, and what becomes of each way in which that goes wrong."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from aiohttp import web

from contracts.models.endpoint import KEY
from postroom.nouns.errors import (
    BadRequest,
    Misconfigured,
    PermissionDenied,
    Throttled,
    TimedOut,
    Unavailable,
    Unreadable,
)
from postroom.nouns.opinions import HOMES, ModelAnswer, ModelEndpoint, endpoint
from postroom.nouns.secrets import Secret
from postroom.outside.http import Http
from postroom.outside.models import ChatModel, CircuitBreaker
from postroom.settings import Settings

NOW = datetime(2026, 11, 2, 10, tzinfo=UTC)


def model(playing, *, speech="openai", key=KEY, **options) -> ChatModel:
    where = ModelEndpoint(speech, playing.name, playing.base_url)
    return ChatModel(where, Secret(key) if key else None, lambda: NOW, **options)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("reader@https://minds.test/v1", ModelEndpoint("openai", "reader", "https://minds.test/v1")),
        ("llama3.1:8b@http://127.0.0.1:11434/v1", ModelEndpoint("openai", "llama3.1:8b", "http://127.0.0.1:11434/v1")),
        ("org/big@2@https://minds.test/v1", ModelEndpoint("openai", "org/big@2", "https://minds.test/v1")),
        ("openai:gpt-4o", ModelEndpoint("openai", "gpt-4o", HOMES["openai"])),
        ("anthropic:claude@https://proxy.test/v1", ModelEndpoint("anthropic", "claude", "https://proxy.test/v1")),
        ("anthropic:claude", ModelEndpoint("anthropic", "claude", HOMES["anthropic"])),
    ],
)
def test_where_a_model_is_asked(text, expected):
    assert expected == endpoint(text)


@pytest.mark.parametrize("text", ["reader", "openai:", "@https://minds.test/v1", "two words@https://minds.test"])
def test_half_an_address_says_what_is_expected(text):
    with pytest.raises(ValueError, match="expected NAME@https://host/v1"):
        endpoint(text)


@pytest.mark.parametrize("text", ["reader@http://minds.test/v1", "reader@https://", "reader"])
def test_the_setting_wants_https_except_on_this_machine(text):
    with pytest.raises(ValueError, match="https"):
        Settings(model=text)


def test_the_setting_takes_plain_http_on_this_machine():
    assert Settings(model="r@http://127.0.0.1:8000/v1").model == "r@http://127.0.0.1:8000/v1"


async def test_a_question_keeps_what_is_ours_apart_from_the_document(playing):
    playing.say({"type": "other"})

    answer = await model(playing).ask("Read it.", "A stranger's words")

    assert ModelAnswer('{"type": "other"}', playing.version) == answer
    (asked,) = playing.asked
    assert [{"role": "system", "content": "Read it."}, {"role": "user", "content": "A stranger's words"}] == asked[
        "messages"
    ]
    assert (playing.name, 0, {"type": "json_object"}) == (
        asked["model"],
        asked["temperature"],
        asked["response_format"],
    )


async def test_anthropic_is_spoken_to_in_its_own_way(playing):
    playing.say_as_anthropic({"type": "other"})

    answer = await model(playing, speech="anthropic").ask("Read it.", "words")

    assert ModelAnswer('{"type": "other"}', playing.version) == answer
    (asked,) = playing.asked
    assert ("Read it.", [{"role": "user", "content": "words"}]) == (asked["system"], asked["messages"])
    assert asked["max_tokens"] > 0


async def test_the_model_is_kept_by_the_name_it_answers_with(playing):
    playing.say("{}")

    assert "tiny-reader-2026-11" == (await model(playing).ask("", "")).model


async def test_a_server_that_knows_no_wishes_is_asked_again_without_them(playing):
    def strict(body):
        if "response_format" in body:
            return web.json_response({"error": {"message": "unknown field"}}, status=400)
        return web.json_response({"model": "plain", "choices": [{"message": {"content": "{}"}}]})

    playing.will(strict)

    assert ModelAnswer("{}", "plain") == await model(playing).ask("a", "b")
    assert ["model", "messages"] == list(playing.asked[1])


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (401, PermissionDenied),
        (403, PermissionDenied),
        (404, Misconfigured),
        (307, Misconfigured),
        (408, TimedOut),
        (429, Throttled),
        (500, Unavailable),
        (503, Unavailable),
        (504, TimedOut),
        (413, BadRequest),
        (400, BadRequest),
    ],
)
async def test_a_refusal_is_one_of_our_errors(playing, status, expected):
    playing.refuse(status, {"error": {"message": "no"}}, {"Location": "http://127.0.0.1:1/"} if status == 307 else None)

    with pytest.raises(expected):
        await model(playing).ask("a", "b")


async def test_a_wrong_key_names_the_setting(playing):
    with pytest.raises(PermissionDenied, match="POSTROOM_MODEL_KEY"):
        await model(playing, key="wrong").ask("a", "b")
    with pytest.raises(PermissionDenied, match="POSTROOM_MODEL_KEY"):
        await model(playing, key=None).ask("a", "b")


async def test_how_long_to_wait_is_heard(playing):
    playing.refuse(429, headers={"Retry-After": "17"})

    with pytest.raises(Throttled) as waiting:
        await model(playing).ask("a", "b")

    assert 17.0 == waiting.value.retry_after


async def test_a_refusal_never_repeats_the_document(playing):
    playing.refuse(400, {"error": {"message": "too long: CONFIDENTIAL", "code": "context_length_exceeded"}})

    with pytest.raises(BadRequest) as refused:
        await model(playing).ask("a", "CONFIDENTIAL")

    assert "CONFIDENTIAL" not in str(refused.value)
    assert "context_length_exceeded" in str(refused.value)


async def test_a_slow_endpoint_is_not_waited_for(playing):
    playing.slow = 5.0

    with pytest.raises(TimedOut):
        await model(playing, seconds=0.1).ask("a", "b")


async def test_an_endpoint_that_is_not_there_is_unavailable(playing):
    where = ModelEndpoint("openai", "gone", "http://127.0.0.1:1/v1")

    with pytest.raises(Unavailable):
        await ChatModel(where, None, lambda: NOW).ask("a", "b")


@pytest.mark.parametrize("speech", ["openai", "anthropic"])
async def test_an_answer_that_was_cut_off_is_none(playing, speech):
    if speech == "openai":
        playing.say('{"type": "inv', finish="length")
    else:
        playing.say_as_anthropic('{"type": "inv', stop="max_tokens")

    with pytest.raises(Unreadable, match="cut off"):
        await model(playing, speech=speech).ask("a", "b")


@pytest.mark.parametrize("body", [b"<html>", b"[]", b'{"choices": 3}', b'{"choices": []}', b"{}", b"\xff\xfe"])
async def test_an_answer_that_is_none_of_theirs_is_unreadable(playing, body):
    playing.will(lambda _: web.Response(body=body, content_type="application/json"))

    with pytest.raises(Unreadable):
        await model(playing).ask("a", "b")


async def test_an_endless_answer_is_not_read(playing):
    playing.say("x" * (5 * 1024 * 1024))

    with pytest.raises(Unreadable, match="larger than"):
        await model(playing).ask("a", "b")


async def test_an_endless_question_is_not_sent(playing):
    with pytest.raises(BadRequest, match="not sent"):
        await model(playing).ask("a", "x" * (3 * 1024 * 1024))

    assert [] == playing.asked


async def test_no_question_leaves_while_a_transaction_is_open(playing):
    async with Http(forbidden=lambda: True) as http:
        with pytest.raises(RuntimeError, match="inside a database transaction"):
            await model(playing, http=http).ask("a", "b")


async def test_a_model_in_trouble_is_left_alone_for_as_long_as_it_asked(playing):
    clock = [100.0]
    patient = CircuitBreaker(model(playing), lambda: clock[0])
    playing.refuse(429, headers={"Retry-After": "20"}).say("{}")

    with pytest.raises(Throttled):
        await patient.ask("a", "b")
    clock[0] += 19
    with pytest.raises(Unavailable, match="left alone"):
        await patient.ask("a", "b")
    assert 1 == len(playing.asked)
    clock[0] += 2
    assert "{}" == (await patient.ask("a", "b")).text


async def test_a_wrong_key_is_no_reason_to_rest(playing):
    patient = CircuitBreaker(model(playing, key="wrong"), lambda: 0.0)

    for _ in range(2):
        with pytest.raises(PermissionDenied):
            await patient.ask("a", "b")

    assert 2 == len(playing.asked)
