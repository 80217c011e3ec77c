"""Floods: what strangers and large files may cost, with the event loop watched."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest

from doors.console.place import OUTLOOK, Browser, Place
from harness import served
from loopwatch import LoopWatch, unblocked_loop
from postroom.doors import http_protocol, limits

HOPELESS = 400_000_000  # bytes


@dataclass(frozen=True)
class Answer:
    status: int
    body: str
    taken: int  # bytes that the server's side took before it closed


def _talk(url: str, head: str, chunks: list[bytes], pause: float = 0.0, most: int = HOPELESS) -> Answer:
    """As rude as a socket can be: sends on until nobody listens any more."""
    parts, sent = urlsplit(url), 0
    with socket.create_connection((parts.hostname or "", parts.port or 80), timeout=30) as line:
        line.sendall(head.replace("\n", "\r\n").encode())
        try:
            while chunks and sent < most:
                for chunk in chunks:
                    line.sendall(chunk)
                    sent += len(chunk)
                    time.sleep(pause)
        except OSError:
            pass
        said = b""
        try:
            while part := line.recv(65536):
                said += part
        except OSError:
            pass
    first = said.partition(b"\r\n")[0].split()
    return Answer(int(first[1]) if len(first) > 1 else 0, said.partition(b"\r\n\r\n")[2].decode(), sent)


async def talk(place: Place, head: str, chunks: list[bytes], pause: float = 0.0, most: int = HOPELESS) -> Answer:
    """In a thread: what the caller costs is not the loop's."""
    return await asyncio.to_thread(_talk, place.url, head, chunks, pause, most)


PATHS = ("/signin", "/documents/upload", "/api/v1/documents", "/api/v1/orders/import", "/nothing")


@pytest.mark.parametrize("announced", [True, False], ids=["announced", "chunked"])
async def test_a_stranger_s_body_is_not_read(place: Place, announced):
    length = "Content-Length: 300000000" if announced else "Transfer-Encoding: chunked"
    kind = "Content-Type: application/x-www-form-urlencoded"
    chunk = b"a" * 65536 if announced else b"10000\r\n" + b"a" * 65536 + b"\r\n"
    for path in PATHS:
        async with unblocked_loop():
            answer = await talk(place, f"POST {path} HTTP/1.1\nHost: x\n{kind}\n{length}\n\n", [chunk])

        assert answer.taken < 30_000_000, path  # what lies in the buffers of two sockets
        assert answer.status in (0, 303, 401, 403, 404, 413), path


async def test_a_body_that_comes_too_slowly_is_cut_off(place: Place, monkeypatch):
    monkeypatch.setattr(limits, "FIRST_BYTES_SECONDS", 0.3)
    head = "POST /signin HTTP/1.1\nHost: x\nContent-Type: application/x-www-form-urlencoded\nContent-Length: 60000\n\n"
    answer = await talk(place, head, [b"a"], pause=0.05, most=30_000)

    assert 408 == answer.status
    assert answer.taken < 30_000


async def test_a_body_that_comes_steadily_is_taken_however_long_it_lasts(place: Place, monkeypatch):
    monkeypatch.setattr(limits, "FIRST_BYTES_SECONDS", 0.5)
    monkeypatch.setattr(limits, "SLOWEST_BYTES_PER_SECOND", 1000)
    head = "POST /signin HTTP/1.1\nHost: x\nContent-Type: application/x-www-form-urlencoded\nContent-Length: 20000\n\n"
    answer = await talk(place, head, [b"a" * 1000], pause=0.05, most=20_000)

    assert (403, 20_000) == (answer.status, answer.taken)


@pytest.fixture
async def bounded(place: Place):
    """The same app as `postroom serve` runs it."""
    async with served(place.app, log_level="critical", http=http_protocol.BoundedHttp) as url:
        yield url


async def test_headers_that_come_too_slowly_are_cut_off(bounded, monkeypatch):
    monkeypatch.setattr(http_protocol, "HEADER_SECONDS", 0.3)
    answer = await asyncio.to_thread(_talk, bounded, "GET / HTTP/1.1\nHost: x\n", [b"X-A: b\r\n"], 0.05, 30_000)

    assert (400, "The headers came too slowly.") == (answer.status, answer.body)


async def test_a_connection_kept_in_store_is_closed_without_a_word(bounded, monkeypatch):
    """Browsers open one more than they need, and take what already lies on it for the answer to their next request."""
    monkeypatch.setattr(http_protocol, "HEADER_SECONDS", 0.1)
    host, _, port = bounded.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    said = await asyncio.wait_for(reader.read(), 10)
    writer.close()

    assert b"" == said


async def test_headers_without_end_are_refused(bounded):
    answer = await asyncio.to_thread(_talk, bounded, "GET / HTTP/1.1\nHost: x\n", [b"X-A: " + b"b" * 10_000 + b"\r\n"])

    assert answer.status in (0, 400)
    assert answer.taken < 30_000_000


async def test_a_connection_is_good_for_several_requests(bounded):
    one = "GET /healthz HTTP/1.1\nHost: x\n\n"
    last = "GET /healthz HTTP/1.1\nHost: x\nConnection: close\n\n"
    answer = await asyncio.to_thread(_talk, bounded, one + one + last, [])

    assert 200 == answer.status
    assert 3 == answer.body.count("ok\n")


async def key(place: Place, role: str = "admin") -> str:
    from postroom.rooms.tenants import commands

    _, secret = await commands.create_key(place.house.scope(place.tenant, "test"), name="flood", role=role)
    return secret.reveal()


async def by_key(place: Place, path: str, body: bytes, kind: str = "application/json") -> Answer:
    head = f"POST {path} HTTP/1.1\nHost: x\nConnection: close\nAuthorization: Bearer {await key(place)}\n"
    return await talk(place, f"{head}Content-Type: {kind}\nContent-Length: {len(body)}\n\n", [body], most=len(body))


HURTING = {
    "lists in lists": b"[" * 900_000,
    "objects in objects": b'{"changes":' * 80_000,
    "a long number": b'{"name":"x","role":"admin","days":' + b"9" * 900_000 + b"}",
    "escapes": b'{"name":"' + b"\\u0000" * 140_000 + b'","role":"viewer"}',
    "a long list": b'{"scopes":[' + b'"metrics",' * 90_000 + b'"metrics"],"name":"x","role":"viewer"}',
    "unknown names": b"{" + b",".join(b'"a%d":1' % number for number in range(90_000)) + b"}",
    "wrong items": b'{"scopes":[' + b"{}," * 300_000 + b'{}],"name":"x","role":"viewer"}',
}


async def test_json_made_to_hurt_is_refused(place: Place):
    for name, body in HURTING.items():
        async with unblocked_loop():
            answer = await by_key(place, "/api/v1/keys", body)

        assert answer.status in (400, 422), (name, answer.body[:300])
        assert len(answer.body) < 20_000, name


async def test_a_large_file_of_orders_leaves_the_loop_alone(place: Place):
    line = "ben,FR0000120271,BUY,{},2026-02-06,An instrument with quite a long name to fill the line with something\r\n"
    rows = "".join(line.format(number) for number in range(1, 19_000)).encode()
    content = b"username,isin,direction,quantity,placed_on,name\r\n" + rows
    form = b'--b\r\nContent-Disposition: form-data; name="file"; filename="o.csv"\r\n\r\n' + content + b"\r\n--b--\r\n"
    assert 1_500_000 < len(content) < limits.ORDER_FILE_BYTES
    async with unblocked_loop():
        answer = await by_key(place, "/api/v1/orders/import", form, "multipart/form-data; boundary=b")

    assert 200 == answer.status, answer.body[:300]
    assert 18_999 == json.loads(answer.body)["new"]


async def test_a_file_of_orders_that_is_too_large_is_refused(place: Place):
    answer = await by_key(place, "/api/v1/orders/import", b"a" * 12_000_000, "multipart/form-data; boundary=b")

    assert 413 == answer.status


async def test_mail_made_to_hurt_is_shown_and_leaves_the_loop_alone(place: Place):
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, OUTLOOK, "outlook")
    place.deliver(subject="Deep", html="<p>hello</p>")
    await place.works()
    message = place.ask("SELECT id FROM postroom.message")
    await admin.get(f"/messages/{message}")  # its template is compiled once in a process, and not by any mail
    for html in ("<ul><li>" * 25_000 + "The words", "".join(f"<p><b class=c{n}>x" for n in range(2_000)) + "The words"):
        place.own("UPDATE postroom.message SET body = NULL, body_html = %s", html)
        async with unblocked_loop():
            pages = [(await admin.get(f"/messages/{message}{path}"))[1] for path in ("", "/as-sent")]
            answer = await admin.raw("GET", f"/api/v1/messages/{message}")

        assert "only its text is shown" in pages[0]
        assert all("The words" in page for page in pages)
        assert (200, None) == (answer.status, (await answer.json())["body_html"])


async def test_passwords_are_hashed_beside_the_loop(place: Place):
    admin: Browser = await place.come_in()
    async with unblocked_loop():
        answer = await admin.post(
            "/settings/people", {"email": "ben@larkspur.example", "role": "viewer", "password": "three unrelated words"}
        )

    assert 200 == answer.status, await answer.text()


async def test_the_description_of_the_api_is_made_beside_the_loop(place: Place):
    async with unblocked_loop():
        answer = await place.browser().raw("GET", "/api/v1/openapi.json")

    assert 200 == answer.status


async def test_the_watch_finds_what_holds_up_the_loop():
    watch = LoopWatch()
    watch.start()
    await asyncio.sleep(0.05)
    sum(number * number for number in range(3_000_000))
    await asyncio.sleep(0.05)
    watch.stop()

    assert watch.stalls
    assert "number * number" in watch.stalls[0][1]
