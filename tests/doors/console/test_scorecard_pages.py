"""The scorecard's page, and the figure that is shown before something is switched on or a threshold moves."""

from __future__ import annotations

import hashlib
import os
from datetime import timedelta
from decimal import Decimal

import pytest

from doors.console.browsing import DESKTOP, PHONE, enter
from doors.console.place import OUTLOOK, Place
from postroom.nouns.documents import Extraction, Trade
from postroom.nouns.ids import DocumentId, new_id
from postroom.nouns.mail import Trust
from postroom.rooms.documents import commands
from postroom.rooms.documents.routing import ExtractionRouter
from postroom.rooms.documents.store import documents
from postroom.rooms.documents.store.documents import NewDocument


async def test_the_figure_stands_before_switching_on_and_others_switches_are_seen(place: Place):
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, OUTLOOK, "outlook")
    box = place.ask("SELECT id FROM postroom.mailbox")
    path, was = f"/mailboxes/{box}/confirming", {"was_ap_invoices": "on", "was_pad_contract_notes": "on"}
    off = await admin.post(path, {"ap_invoices": "off", "pad_contract_notes": "on", **was})
    held = {**was, "was_ap_invoices": "off"}
    asked = await admin.post(path, {"ap_invoices": "on", "pad_contract_notes": "on", **held})
    between = place.ask("SELECT rules -> 'confirming' ->> 'ap_invoices' FROM postroom.mailbox")
    stale = await admin.post(path, {"ap_invoices": "on", "figure": "seen", **was})
    done = await admin.post(path, {"ap_invoices": "on", "figure": "seen", **held})

    assert (200, 200, 409, 200) == (off.status, asked.status, stale.status, done.status)
    assert "would have been confirmed by themselves" in await asked.text()
    assert ("off", {}) == (between, place.ask("SELECT rules FROM postroom.mailbox"))
    assert "Confirming by itself" in (await admin.get(f"/mailboxes/{box}"))[1]
    assert 403 == (await (await place.come_in("operator")).post(path, {"ap_invoices": "off"})).status


async def test_a_threshold_says_what_it_would_have_changed_before_it_is_saved(place: Place):
    admin = await place.come_in()
    shown = await admin.post("/settings/policy/preview", {"sure_enough": "97", "require_order": "auto"})
    text = await shown.text()

    assert (200, True) == (shown.status, 'hx-post="/settings/policy"' in text)
    assert "No document of the last 90 days" in text
    assert {} == place.ask("SELECT policy FROM postroom.tenant WHERE name = 'default'")


async def test_the_page_says_when_there_is_nothing_to_count(place: Place):
    viewer = await place.come_in("viewer")

    assert "Nothing to count yet" in (await viewer.get("/scorecard"))[1]


async def weeks_of_decisions(place: Place) -> None:
    """Notes of two brokers in eight weeks; people found most right, the less sure ones less often."""
    scope = place.house.scope(place.tenant, "nora@larkspur.example")
    for number in range(24):
        stated = (0.62, 0.86, 0.96, 0.99)[number % 4]
        sender = ("notes@bank.example", "desk@broker.example")[number % 2]
        received = scope.now - timedelta(days=2 + number * 2)
        name = f"note-{number}.pdf"
        document = NewDocument(
            id=DocumentId(new_id()),
            message_id=None,
            mailbox_id=place.ask("SELECT id FROM postroom.mailbox"),
            attachment_path=name,
            filename=name,
            content_type="application/pdf",
            size=1,
            sha256=hashlib.sha256(name.encode()).hexdigest(),
            source="graph_webhook",
            source_metadata={},
            sender_email=sender,
            received_at=received,
            trust=Trust("trusted", "Known."),
        )
        trade = Trade(
            direction="BUY",
            trade_date=received.date(),
            quantity=Decimal(number + 1),
            isin="DE0008404005",
            currency="EUR",
            net=Decimal(1000 + number),
            confidence=stated,
        )
        async with place.house.db.tenant(place.tenant) as tx:
            await documents.put(tx, place.tenant, document, scope.now)
        read = Extraction("contract_note", trades=(trade,), auto_confirm=stated > 0.9, because="All fits.")
        await ExtractionRouter(scope).process_and_route(document.id, read, sender)
        if number % 3 == 0 and stated < 0.9:
            await commands.correct(scope, document.id, {"net": str(2000 + number)})
        if number == 7:
            await commands.reject(scope, document.id, "Not ours.")
        elif number < 22:
            await commands.confirm(scope, document.id)


@pytest.mark.browser
async def test_a_person_sees_the_figures_and_switches_it_on_after_them(place: Place, page):
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, OUTLOOK, "outlook")
    box = place.ask("SELECT id FROM postroom.mailbox")
    modes = {"pad_contract_notes": "shadow", "was_pad_contract_notes": "on"}
    assert 200 == (await admin.post(f"/mailboxes/{box}/confirming", modes)).status
    await weeks_of_decisions(place)
    await enter(place, page)
    for width, size in (("desktop", DESKTOP), ("phone", PHONE)):
        await page.set_viewport_size(size)
        await page.goto(f"{place.url}/scorecard")
        assert 4 == await page.locator("svg.plot .point").count()
        await picture(page, f"scorecard-{width}")
        assert await page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        await page.goto(f"{place.url}/mailboxes/{box}")
        await page.locator("#confirming select[name=pad_contract_notes]").select_option("on")
        await page.locator("#confirming button.primary").first.click()
        await page.get_by_text("Before it is switched on").wait_for()
        await picture(page, f"switch-{width}")
        await page.goto(f"{place.url}/settings/policy")
        await page.get_by_label("Sure enough, in percent").fill("98")
        await page.get_by_role("button", name="Save …").click()
        await page.get_by_text("fewer documents").wait_for()
        await picture(page, f"threshold-{width}")
    await page.get_by_role("button", name="Save", exact=True).click()
    await page.get_by_text("It applies to documents").wait_for()

    assert {"documents": {"sure_enough": 0.98}} == place.ask(
        "SELECT policy FROM postroom.tenant WHERE name = 'default'"
    )


async def picture(page, name: str) -> None:
    """For whoever wants to look."""
    if folder := os.environ.get("POSTROOM_ORACLES"):
        await page.screenshot(path=f"{folder}/{name}.png", full_page=True)
