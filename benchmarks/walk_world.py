"""The other side of the walk: simulators in a process of their own, the mail they deliver, and the floor's script.

`python -m benchmarks.walk_world PORT` reads orders as JSON lines and answers each with a line.
"""

from __future__ import annotations

import asyncio
import io
import json
import random
import sys
from datetime import date, timedelta
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from typing import Any

from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen import canvas

from benchmarks.documents import SMALL_PRINT, money
from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.world import World

DAY = date(2026, 3, 13)
SENDER = "notes@musterbank.example"
PASSED = "spf=pass smtp.mailfrom=musterbank.example; dkim=pass header.d=musterbank.example; dmarc=pass action=none header.from=musterbank.example"
TOPIC, SUBSCRIPTION = "projects/bench/topics/gmail", "projects/bench/subscriptions/postroom"
AUDIENCE, ACCOUNT = "https://bench.example/webhooks/gmail", "push@bench.iam.gserviceaccount.com"

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


def traded_on(number: int, *, spread: bool) -> date:
    return DAY - timedelta(days=number % 250) if spread else DAY


def figures(number: int) -> tuple[int, int, int]:
    """Quantity, price and fee in cents: together different for every number."""
    return 10 + number % 997, 1000 + 37 * (number // 997) + number % 89, 495 + number % 400


def note(number: int, day: date) -> bytes:
    """A contract note of about 49 kB: an embedded face and a logo, as banks print them."""
    quantity, cents, fee = figures(number)
    settled = f"{day + timedelta(days=2):%d.%m.%Y}"
    lines = [
        "Musterbank Direkt AG", "Frau Erika Beispiel", "Hauptstraße 1", "60311 Frankfurt am Main", "",
        f"Depotnummer 70{number:08d}", f"Auftragsnummer {number:06d}/10.00", f"Datum {day:%d.%m.%Y}", "",
        "Wertpapier Abrechnung Kauf", "Nominale Wertpapierbezeichnung ISIN (WKN)",
        f"Stück {quantity} SAP SE INHABER-AKTIEN O.N. DE0007164600 (716460)", "Handels-/Ausführungsplatz Xetra",
        f"Schlusstag/-Zeit {day:%d.%m.%Y} 10:15:22", f"Ausführungskurs {money(cents)} EUR",
        f"Kurswert {money(quantity * cents)}- EUR", f"Provision {money(fee)}- EUR",
        f"Ausmachender Betrag {money(quantity * cents + fee)}- EUR",
        f"Den Gegenwert buchen wir mit Valuta {settled} zu Lasten des Kontos 1234567890", "",
        *(line for _ in range(4) for line in SMALL_PRINT),
    ]  # fmt: skip
    out = io.BytesIO()
    sheet = canvas.Canvas(out, pagesize=(595.0, 842.0), invariant=1)
    sheet.drawImage(ImageReader(_logo()), 400, 780, 120, 40)
    sheet.setFont(_face(), 9)
    for row, line in enumerate(lines):
        sheet.drawString(50, 770 - 14 * row, line)
    sheet.save()
    return out.getvalue()


@cache
def _face() -> str:
    pdfmetrics.registerFont(TTFont("Vera", "Vera.ttf"))
    return "Vera"


@cache
def _logo() -> io.BytesIO:
    out = io.BytesIO()
    Image.frombytes("RGB", (96, 64), random.Random(1).randbytes(96 * 64 * 3)).save(out, "PNG")
    return out


def mail(to: str, number: int, *, spread: bool, megabytes: int = 0) -> bytes:
    message = EmailMessage()
    message["Authentication-Results"] = PASSED
    message["From"], message["To"], message["Subject"] = f"Musterbank <{SENDER}>", to, f"Wertpapierabrechnung {number}"
    message["Message-ID"] = f"<{number}.{to}>"
    text = "Guten Tag Frau Beispiel, anbei die Abrechnung. " * 20
    message.set_content(text)
    message.add_alternative(f"<html><body><p>{text}</p><table><tr><td>1.234,56</td></tr></table></body></html>", "html")
    content = note(number, traded_on(number, spread=spread))
    if megabytes:
        content += b"%" + random.Random(number).randbytes(megabytes << 20).replace(b"\n", b" ") + b"\n%%EOF\n"
    message.add_attachment(content, maintype="application", subtype="pdf", filename=f"Abrechnung_{number}.pdf")
    return message.as_bytes()


class Orders:
    """What the benchmark asks of the simulated world."""

    def __init__(self, world: World) -> None:
        self._world = world

    def boxes(self, addresses: list[str], provider: str) -> dict[str, str]:
        """A refresh token for each Gmail address."""
        for address in addresses:
            self._world.add_mailbox(address, provider="graph" if provider == "graph" else "gmail")
        if provider == "graph":
            return {}
        return {address: self._world.google.grant(address, "postroom-bench").refresh_token for address in addresses}

    def pushes(self, hook: str) -> None:
        self._world.google.add_topic(TOPIC)
        self._world.google.add_push_subscription(SUBSCRIPTION, TOPIC, hook, AUDIENCE, ACCOUNT)

    async def deliver(
        self, addresses: list[str], count: int, first: int, *, spread: bool, quietly: bool, megabytes: int = 0
    ) -> int:
        """So many to each address; `quietly` without a push, as if they had come while nobody looked."""
        self._world.faults.turn(drop=1.0 if quietly else 0.0)
        number = first
        for at in range(count):
            for address in addresses:
                raw = await asyncio.to_thread(mail, address, number, spread=spread, megabytes=megabytes)
                self._world.deliver(IncomingMail(address, raw))
                number += 1
            if at % 10 == 9:
                await asyncio.sleep(0)
        if quietly:
            await asyncio.sleep(0.3)  # pushes on their way are dropped with the others
        self._world.faults.turn(drop=0.0)
        return number


async def serve(port: int) -> None:
    world = World()
    await world.start("127.0.0.1", port)
    orders, loop = Orders(world), asyncio.get_running_loop()
    print("ready", flush=True)
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        name, wanted = json.loads(line)
        answer: Any = getattr(orders, name)(**wanted)
        print(json.dumps(await answer if asyncio.iscoroutine(answer) else answer), flush=True)
    await world.stop()


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
    asyncio.run(serve(int(sys.argv[1])))
