"""The scorecard's page, and the figure that is shown before something is switched on or a threshold moves."""

from __future__ import annotations

from doors.console.place import OUTLOOK, Place


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
