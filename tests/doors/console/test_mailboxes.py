"""What people do about mailboxes."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from doors.console.place import OUTLOOK, Place
from postroom.rooms.mailboxes import store
from postroom.rooms.sync import store as sync_store


async def test_who_cancels_at_the_provider_is_led_back_to_where_they_began(place: Place):
    admin = await place.come_in()
    begun = "/oauth/outlook/authorize?return_to=/outbox/new"
    left = await admin.raw("GET", begun, headers={"Accept": "text/html"})
    state = parse_qs(urlsplit(left.headers["Location"]).query)["state"][0]

    status, page = await admin.get(f"/oauth/outlook/callback?error=access_denied&state={state}")
    _, unknown = await admin.get("/oauth/outlook/callback?error=access_denied&state=other")

    assert (400, True) == (status, "did not grant access: access_denied. Connect again." in page)
    assert '<a class="button primary" href="/outbox/new">' in page
    assert '<a class="button primary" href="/mailboxes">' in unknown


async def test_a_mailbox_is_paused_resumed_compared_and_disconnected(place: Place):
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, OUTLOOK, "outlook")
    await place.works()
    box = place.ask("SELECT id FROM postroom.mailbox")
    seen = []
    for act in ("pause", "resume", "check", "disconnect"):
        answer = await admin.post(f"/mailboxes/{box}/{act}")
        seen.append((act, answer.status, place.ask("SELECT status FROM postroom.mailbox")))

    assert [
        ("pause", 200, "paused"),
        ("resume", 200, "active"),
        ("check", 200, "active"),
        ("disconnect", 200, "disconnected"),
    ] == seen
    assert 409 == (await admin.post(f"/mailboxes/{box}/check")).status


async def test_a_resync_lists_the_days_anew_and_takes_nothing_in_twice(place: Place):
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, OUTLOOK, "outlook")
    place.deliver()
    await place.works()
    box = place.ask("SELECT id FROM postroom.mailbox")
    answer = await admin.post(f"/mailboxes/{box}/resync", {"days": "3"})
    await place.works()

    assert 200 == answer.status
    assert 1 == place.ask("SELECT count(*) FROM postroom.fact WHERE kind = 'sync.resync_done'")
    assert 1 == place.ask("SELECT count(*) FROM postroom.message")


async def test_mail_of_a_time_that_was_never_listed_is_warned_of_by_page_and_health(place: Place):
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, OUTLOOK, "outlook")
    await place.works()
    box = place.ask("SELECT id FROM postroom.mailbox")
    assert "Not listed" not in (await admin.get(f"/mailboxes/{box}"))[1]
    place.own(
        "UPDATE postroom.mailbox_cursor SET unlisted_since = '2026-01-05 10:00Z', unlisted_till = '2026-02-01 11:00Z'"
    )

    page = (await admin.get(f"/mailboxes/{box}"))[1]

    assert "Not listed" in page
    assert "mail of that time may be missing" in page
    async with place.house.db.tenant(place.ask("SELECT tenant_id FROM postroom.mailbox")) as tx:
        [seen] = await store.health(tx, box)
    assert ("2026-01-05", "2026-02-01") == (f"{seen.unlisted_since:%Y-%m-%d}", f"{seen.unlisted_till:%Y-%m-%d}")


async def test_rules_of_a_mailbox_are_kept_and_noted(place: Place):
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, OUTLOOK, "outlook")
    box = place.ask("SELECT id FROM postroom.mailbox")
    good = await admin.post(
        f"/mailboxes/{box}/rules", {"pipelines": "ap_invoices", "deny_senders": "News.example\nspam@shop.example"}
    )
    bad = await admin.post(f"/mailboxes/{box}/rules", {"pipelines": "ap_invoices", "deny_senders": "not a sender"})

    assert (200, 400) == (good.status, bad.status)
    assert ["ap_invoices"] == place.ask("SELECT pipelines FROM postroom.mailbox")
    assert ["news.example", "spam@shop.example"] == place.ask("SELECT rules -> 'deny_senders' FROM postroom.mailbox")
    assert 1 == place.ask("SELECT count(*) FROM postroom.fact WHERE kind = 'mailbox.rules_changed'")


async def test_another_folder_is_served_from_now_on(place: Place):
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, OUTLOOK, "outlook")
    box = place.ask("SELECT id FROM postroom.mailbox")
    good = await admin.post(f"/mailboxes/{box}/folder", {"folder": "Inbox/Notes"})
    bad = await admin.post(f"/mailboxes/{box}/folder", {"folder": " "})

    assert (200, 400) == (good.status, bad.status)
    assert "Inbox/Notes" == place.ask("SELECT folder FROM postroom.mailbox")
    assert "Inbox/Notes instead of Inbox" in (await admin.get("/audit"))[1]


async def test_an_imap_server_that_does_not_answer_leaves_nothing_behind(place: Place):
    admin = await place.come_in()
    form = {"address": "ap@larkspur.example", "host": "127.0.0.1", "port": "9", "security": "plain", "password": "x"}
    silent = await admin.post("/mailboxes/imap", form)
    odd = await admin.post("/mailboxes/imap", {**form, "port": "many"})

    assert (400, 400) == (silent.status, odd.status)
    assert 0 == place.ask("SELECT count(*) FROM postroom.mailbox")


async def test_a_first_comparison_that_ends_while_the_page_is_read_breaks_nothing(place: Place, monkeypatch):
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, OUTLOOK, "outlook")
    box = place.ask("SELECT id FROM postroom.mailbox")
    read = sync_store.coverages

    async def compared_just_before(*words):
        place.own(
            "INSERT INTO postroom.coverage (tenant_id, mailbox_id, since, checked_at, listed, held, unannounced)"
            " SELECT tenant_id, id, '2026-01-05', '2026-01-06', 3, 3, 0 FROM postroom.mailbox"
        )
        return await read(*words)

    monkeypatch.setattr(sync_store, "coverages", compared_just_before)

    status, page, *_ = await admin.get(f"/mailboxes/{box}")

    assert (200, True) == (status, '<b class="nums">3 of 3</b>' in page)
