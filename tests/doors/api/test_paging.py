"""Pages: complete, without repetition, and clear about a cursor that is none."""

from __future__ import annotations

import base64
import json

import psycopg

LISTS = (
    "mailboxes",
    "messages",
    "threads",
    "documents",
    "trades",
    "orders",
    "invoices",
    "bookings",
    "attempts",
    "jobs",
    "facts",
    "people",
    "keys",
)


async def walk(api, path: str, **asked) -> list[dict]:
    items, cursor = [], {}
    while True:
        page = await api.get(path, "admin", limit=1, **cursor, **asked)
        items += page["items"]
        if page["next"] is None:
            return items
        cursor = {"cursor": page["next"]}


async def test_page_by_page_is_the_same_as_all_at_once(api):
    for name in LISTS:
        whole = (await api.get(f"/{name}", "admin", limit=200))["items"]
        assert (name, whole) == (name, await walk(api, f"/{name}"))


async def test_messages_of_one_moment_are_neither_lost_nor_repeated(api):
    with psycopg.connect(api.owner_dsn, autocommit=True) as owner:
        owner.execute(
            "INSERT INTO postroom.message (id, tenant_id, mailbox_id, provider_message_id, source, received_at) SELECT gen_random_uuid(), %s, %s, 'same-' || n, 'push', '2026-01-01T00:00:00Z' FROM generate_series(1, 7) n",
            [api.ours.tenant_id, api.ours["mailbox_id"]],
        )
    seen = [each["provider_message_id"] for each in await walk(api, "/messages", until="2026-01-02T00:00:00Z")]
    assert sorted(f"same-{n}" for n in range(1, 8)) == sorted(seen)


def written(*parts: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


CURSORS = (
    *("x", "%", "é", "", "W1tbW1tb", "A" * 499),
    *(written(), written(1, 2, 3, 4), written("nobody", "nothing"), written("2026-01-01", "x"), written({}, [])),
    *(written("-1", "9" * 30), written("0001-01-01T00:00:00+23:59", "\ud800")),
)


async def test_a_cursor_that_is_none_is_refused_with_what_to_do(api):
    for cursor in CURSORS:
        for name in ("messages", "documents", "attempts", "facts"):
            answer = await api.by("viewer").get(f"/{name}", params={"cursor": cursor})
            assert (name, cursor, 400) == (name, cursor, answer.status_code)
            assert "leave it out" in answer.json()["detail"]


async def test_a_limit_that_is_none_is_refused(api):
    for limit in (0, 201, -1, "many", 10**30):
        answer = await api.by("viewer").get("/messages", params={"limit": limit})
        assert (limit, 422, "query.limit") == (limit, answer.status_code, answer.json()["errors"][0]["where"])
