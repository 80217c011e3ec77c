"""What each collection tells, and what people do with it."""

from __future__ import annotations


async def test_every_collection_is_items_and_next(api):
    names = (
        "mailboxes",
        "messages",
        "threads",
        "documents",
        "trades",
        "orders",
        "invoices",
        "attempts",
        "jobs",
        "facts",
        "people",
        "keys",
    )
    for name in names:
        body = await api.get(f"/{name}", "admin")
        assert {"items", "next"} == set(body), name
        assert body["items"], name
