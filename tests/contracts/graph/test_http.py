"""The HTTP floor: an answer as it came, or one of our errors."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest
import structlog
from aiohttp import web
from aiohttp.test_utils import TestServer
from prometheus_client import REGISTRY

from postroom.nouns.errors import BadRequest, TimedOut, Unavailable, Unreadable
from postroom.outside.http import MEGABYTE, Http, retry_after, same_origin

NOW = datetime(2026, 11, 2, 10, 0, 0, tzinfo=UTC)


def counted(provider: str, outcome: str) -> float:
    labels = {"provider": provider, "outcome": outcome}
    return REGISTRY.get_sample_value("postroom_outside_requests_total", labels) or 0.0


async def serve(handler):
    app = web.Application()
    app.router.add_route("*", "/{tail:.*}", handler)
    server = TestServer(app)
    await server.start_server()
    return server


async def test_an_answer_comes_as_it_is_whatever_its_status(scripted):
    scripted.say(418, b"short and stout", {"X-Kind": "pot"})

    answer = await scripted.http.request("tea", "GET", f"{scripted.origin}/kettle")

    assert (answer.status, answer.body, answer.headers["x-kind"]) == (418, b"short and stout", "pot")
    assert not answer.ok


async def test_every_request_has_an_id_of_its_own(scripted):
    scripted.say(200).say(200)

    answers = [await scripted.http.request("tea", "GET", scripted.origin) for _ in range(2)]

    sent = [one.headers["client-request-id"] for one in scripted.asked]
    assert sent == [one.request_id for one in answers]
    assert len(set(sent)) == 2


async def test_nobody_asks_the_outside_while_a_transaction_is_open(scripted):
    async with Http(forbidden=lambda: True) as http:
        with pytest.raises(RuntimeError, match="inside a database transaction"):
            await http.request("tea", "GET", scripted.origin)

    assert scripted.asked == []


async def test_a_closed_floor_says_how_to_open_it():
    with pytest.raises(RuntimeError, match="async with"):
        await Http().request("tea", "GET", "http://127.0.0.1/")


async def test_an_answer_that_does_not_come_in_time_is_told_as_such():
    release = asyncio.Event()

    async def late(request: web.Request) -> web.Response:
        await release.wait()
        return web.Response()

    server = await serve(late)
    async with Http() as http:
        with pytest.raises(TimedOut, match=r"did not answer within 0\.05 seconds"):
            await http.request("tea_late", "GET", str(server.make_url("/")), timeout=0.05)
    release.set()
    await server.close()
    assert counted("tea_late", "timed_out") == 1


async def test_nobody_there_is_an_outage():
    async def nothing(request: web.Request) -> web.Response:
        return web.Response()

    server = await serve(nothing)
    url = str(server.make_url("/"))
    await server.close()

    async with Http() as http:
        with pytest.raises(Unavailable, match="cannot be reached"):
            await http.request("tea_gone", "GET", url)
    assert counted("tea_gone", "unreachable") == 1


async def test_half_an_answer_is_an_outage():
    async def half(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        response.content_length = 100
        await response.prepare(request)
        await response.write(b"half")
        request.transport.abort()
        return response

    server = await serve(half)
    async with Http() as http:
        with pytest.raises(Unavailable, match="broke off"):
            await http.request("tea", "GET", str(server.make_url("/")))
    await server.close()


async def test_more_than_we_are_ready_to_read_is_not_read(scripted):
    scripted.say(200, b"x" * (MEGABYTE + 1)).say(200, b"x" * MEGABYTE)

    with pytest.raises(Unreadable, match="larger than 1 MB"):
        await scripted.http.request("tea", "GET", scripted.origin, limit=MEGABYTE)
    assert len((await scripted.http.request("tea", "GET", scripted.origin, limit=MEGABYTE)).body) == MEGABYTE


async def test_a_redirect_is_told_and_not_followed(scripted):
    scripted.say(302, b"", {"Location": "http://127.0.0.2:1/secret"}).say(307, b"", {"Location": "/elsewhere"})

    away = await scripted.http.request("tea", "GET", scripted.origin, headers={"Authorization": "Bearer x"})
    near = await scripted.http.request("tea", "POST", scripted.origin, body=b"{}")

    assert (away.status, near.status) == (302, 307)
    assert len(scripted.asked) == 2


async def test_a_cookie_of_one_answer_does_not_ride_on_the_next_request(scripted):
    scripted.say(200, b"", {"Set-Cookie": "session=anna"}).say(200)

    for _ in range(2):  # by name: a jar keeps no cookies of bare numbers
        await scripted.http.request("tea", "GET", scripted.origin.replace("127.0.0.1", "localhost"))

    assert "Cookie" not in scripted.asked[1].headers


@pytest.mark.parametrize(
    "url", ["", "ftp://desk.test/", "no address", "http://[", "https:///path", "http://a/b c", "http://a/b\r\nX: y"]
)
async def test_what_is_no_web_address_is_refused(http, url):
    with pytest.raises(BadRequest, match="no web address"):
        await http.request("tea", "GET", url)


@pytest.mark.parametrize(
    ("status", "outcome"), [(200, "ok"), (404, "refused"), (302, "refused"), (429, "throttled"), (503, "failed")]
)
async def test_requests_are_counted_by_how_they_ended(scripted, status, outcome):
    before = counted("tea_counted", outcome)
    scripted.say(status)

    await scripted.http.request("tea_counted", "GET", scripted.origin)

    assert counted("tea_counted", outcome) - before == 1


async def test_no_log_shows_an_address_a_token_or_a_body(scripted):
    scripted.say(503, b"body-secret")

    with structlog.testing.capture_logs() as logs:
        await scripted.http.request(
            "tea",
            "POST",
            f"{scripted.origin}/path-secret?q=secret",
            headers={"Authorization": "secret"},
            body=b"secret",
        )

    assert [one["event"] for one in logs] == ["outside request ended badly"]
    assert "secret" not in str(logs)


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("17", 17.0),
        ("0", 0.0),
        ("1.5", 1.5),
        ("-3", 0.0),
        ("Mon, 02 Nov 2026 10:00:30 GMT", 30.0),
        ("Mon, 02 Nov 2026 09:59:30 GMT", 0.0),
        ("soon", None),
        ("nan", None),
        ("inf", None),
        ("", None),
    ],
)
def test_the_time_to_wait_is_read_in_both_its_forms(said, seconds):
    assert seconds == retry_after({"Retry-After": said} if said else {}, NOW)


@pytest.mark.parametrize(
    ("url", "same"),
    [
        ("https://graph.microsoft.com/v1.0/me", True),
        ("https://graph.microsoft.com:443/v1.0/me", True),
        ("https://GRAPH.microsoft.com/v1.0/me", True),
        ("http://graph.microsoft.com/v1.0/me", False),
        ("https://graph.microsoft.com:444/", False),
        ("https://graph.microsoft.com.evil.test/v1.0/", False),
        ("https://graph.microsoft.com@evil.test/v1.0/", False),
        ("https://evil@graph.microsoft.com/v1.0/", False),
        ("https://evil.test/#graph.microsoft.com", False),
        ("//graph.microsoft.com/v1.0", False),
        ("/v1.0/me", False),
        ("http://[", False),
        ("", False),
    ],
)
def test_a_link_stays_with_its_origin_or_is_told_apart(url, same):
    assert same is same_origin(url, "https://graph.microsoft.com/v1.0")
