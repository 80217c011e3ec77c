"""The floor: a bare script that makes the same calls, reads the PDF, inserts a row and writes a file."""

from __future__ import annotations

import json
import urllib.parse
import urllib.request

FLOOR = """
import asyncio, io, json, os, sys, uuid
from base64 import urlsafe_b64decode
from email import message_from_bytes
from urllib.parse import quote
import aiohttp, psycopg, pypdfium2
base, dsn, folder, kind, token, boxes, fields = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5], sys.argv[6].split(","), sys.argv[7]
def words(raw):
    for part in message_from_bytes(raw).walk():
        content = part.get_payload(decode=True)
        if content and content[:5] == b"%PDF-":
            document = pypdfium2.PdfDocument(content)
            text = "".join(page.get_textpage().get_text_range() for page in document)
            document.close()
            with open(f"{folder}/{uuid.uuid4()}.pdf", "wb") as kept:
                kept.write(content)
                kept.flush()
                os.fsync(kept.fileno())
            return text
    return ""
async def ids(session, address):
    if kind == "gmail":
        page = ""
        while page is not None:
            async with session.get(f"{base}/gmail/v1/users/me/messages?maxResults=100&pageToken={page}") as answer:
                told = json.loads(await answer.read())
            for item in told.get("messages", ()):
                yield item["id"]
            page = told.get("nextPageToken")
        return
    url = f"{base}/v1.0/users/{address}/mailFolders/inbox/messages/delta?$select={fields}"
    while url:
        async with session.get(url) as answer:
            told = json.loads(await answer.read())
        for item in told["value"]:
            yield item["id"]
        url = told.get("@odata.nextLink")
async def fetched(session, address, ref):
    if kind == "gmail":
        async with session.get(f"{base}/gmail/v1/users/me/messages/{ref}?format=raw") as answer:
            return urlsafe_b64decode(json.loads(await answer.read())["raw"])
    async with session.get(f"{base}/v1.0/users/{address}/messages/{quote(ref, safe='')}/$value") as answer:
        return await answer.read()
async def box(session, address):
    gate, lock = asyncio.Semaphore(3), asyncio.Lock()
    db = await psycopg.AsyncConnection.connect(dsn, autocommit=True)
    async def one(ref):
        async with gate:
            raw = await fetched(session, address, ref)
        text = words(raw)
        async with lock:
            await db.execute("INSERT INTO bench_floor_message VALUES (%s, %s, %s) ON CONFLICT DO NOTHING", [address, ref, text[:2000]])
    async with asyncio.TaskGroup() as group:
        async for ref in ids(session, address):
            group.create_task(one(ref))
    await db.close()
async def main():
    headers = {"Authorization": f"Bearer {token}", "Prefer": 'IdType="ImmutableId", odata.maxpagesize=100'}
    async with aiohttp.ClientSession(headers=headers) as session:
        await asyncio.gather(*(box(session, address) for address in boxes))
asyncio.run(main())
"""


def graph_token(base: str) -> str:
    asked = {"grant_type": "client_credentials", "client_id": "a", "client_secret": "b", "scope": "x/.default"}
    data = urllib.parse.urlencode(asked).encode()
    with urllib.request.urlopen(f"{base}/demo/oauth2/v2.0/token", data) as answer:
        return str(json.load(answer)["access_token"])


def gmail_token(base: str, refresh: str) -> str:
    asked = {"grant_type": "refresh_token", "client_id": "postroom-bench", "client_secret": "secret"}
    data = urllib.parse.urlencode({**asked, "refresh_token": refresh}).encode()
    with urllib.request.urlopen(f"{base}/token", data) as answer:
        return str(json.load(answer)["access_token"])
