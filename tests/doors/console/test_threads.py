"""The inbox at the console: what waits, one thread with its conversation, and what people do about it."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from doors.console.browsing import enter, toast
from doors.console.place import OUTLOOK, Browser, Place, revision

REFUND = "Hello,\n\nI want my money back for the second night.\n\nKind regards\nAda"


async def at_the_inbox(place: Place) -> tuple[Browser, str]:
    """A mailbox with the copilot on, and a mail that a person must see."""
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, OUTLOOK, "outlook")
    await place.works()
    mailbox = place.ask("SELECT id FROM postroom.mailbox")
    answer = await admin.post(f"/mailboxes/{mailbox}/copilot", {"copilot": "labels", "operators": ""})
    assert 200 == answer.status
    place.deliver(subject="The second night", text=REFUND)
    await place.works()
    return admin, str(place.ask("SELECT thread_id FROM postroom.thread_state"))


async def test_a_thread_is_seen_judged_and_dealt_with(place: Place):
    admin, thread = await at_the_inbox(place)

    _, inbox = await admin.get("/inbox?view=needs_review")
    _, page = await admin.get(f"/inbox/{thread}")
    done = await admin.post(f"/inbox/{thread}/done", {"revision": revision(page)})
    await place.works()
    _, after = await admin.get("/inbox")
    reopened = await admin.post(f"/inbox/{thread}/reopen", {"revision": revision(await done.text())})
    await place.works()

    assert "The second night" in inbox
    for said in ("I want my money back", "Verdict", "Analysis", "What happened", "PR-"):
        assert said in page
    assert (200, 200) == (done.status, reopened.status)
    assert "Nothing waits for you" in after
    assert "needs_review" == place.ask("SELECT state FROM postroom.thread_state")


async def test_a_draft_that_a_person_began_in_the_mail_program_is_told_on_the_page(place: Place):
    admin, thread = await at_the_inbox(place)
    program = place.world.mail_program(OUTLOOK)
    program.write_draft("I think", answers=program.messages("inbox")[0]["id"])
    place.deliver(subject="Another matter", text="Thank you for the kind welcome.")  # its push has Drafts looked at too
    await place.works()

    status, page = await admin.get(f"/inbox/{thread}")

    assert 200 == status
    assert "A person&#39;s draft, in the mail program." in page.replace("'", "&#39;")


async def test_a_thread_is_snoozed_assigned_and_found_by_its_code(place: Place):
    admin, thread = await at_the_inbox(place)
    person = place.ask("SELECT id FROM postroom.person")
    code = place.ask("SELECT reference_code FROM postroom.thread_state")

    _, page = await admin.get(f"/inbox/{thread}")
    assigned = await admin.post(f"/inbox/{thread}/assign", {"person": str(person), "revision": revision(page)})
    now = revision(await assigned.text())
    assert 200 == (await admin.post(f"/inbox/{thread}/snooze", {"till": "tomorrow", "revision": now})).status
    _, inbox = await admin.get("/inbox")
    _, snoozed = await admin.get("/inbox?view=snoozed")
    _, found = await admin.get(f"/inbox?q={code}")
    _, sign = await admin.get("/inbox?q=%25")  # no letter of any thread

    assert person == place.ask("SELECT assigned_to FROM postroom.thread_state")
    assert "The second night" not in inbox
    assert "The second night" in snoozed
    assert "08:00 UTC</time>" in snoozed
    assert "The second night" in found
    assert "The second night" not in sign


async def test_a_thread_that_waits_for_a_person_can_be_answered(place: Place):
    admin, thread = await at_the_inbox(place)
    _, page = await admin.get(f"/inbox/{thread}")
    message = place.ask("SELECT id FROM postroom.message")
    link = re.search(r'<a class="button" href="([^"]+)" data-key="r">Reply', page)
    assert link
    _, form = await admin.get(link[1].replace("&amp;", "&"))
    viewer = await place.come_in("viewer")

    assert f"/outbox/new?kind=reply&amp;message={message}" == link[1]
    assert "I want my money back for the second night." in form
    assert 'data-key="r"' not in (await viewer.get(f"/inbox/{thread}"))[1]


async def test_a_thread_is_given_only_to_who_can_see_to_it(place: Place):
    admin, thread = await at_the_inbox(place)
    for name, role in (("vera", "viewer"), ("olga", "operator"), ("gone", "operator")):
        await place.person(f"{name}@larkspur.example", role)
    place.own("UPDATE postroom.person SET disabled_at = now() WHERE email LIKE 'gone@%%'")
    people = dict(place.own("SELECT email, id::text FROM postroom.person"))
    _, page = await admin.get(f"/inbox/{thread}")
    offered = re.findall(r'<option value="([^"]+)"', page[page.index('name="person"') : page.index("/move")])
    told = {"revision": revision(page)}
    refused = [
        await admin.post(f"/inbox/{thread}/assign", {"person": people[f"{name}@larkspur.example"], **told})
        for name in ("vera", "gone")
    ]
    given = await admin.post(f"/inbox/{thread}/assign", {"person": people["olga@larkspur.example"], **told})
    place.own("UPDATE postroom.person SET role = 'viewer' WHERE email LIKE 'olga@%%'")
    _, later = await admin.get(f"/inbox/{thread}")

    assert {people["olga@larkspur.example"], people["admin1@larkspur.example"]} == set(offered)
    assert [400, 400, 200] == [each.status for each in (*refused, given)]
    assert "vera@larkspur.example can only look" in refused[0].headers["HX-Trigger"]
    assert f'<option value="{people["olga@larkspur.example"]}" selected' in later


async def test_a_thread_is_snoozed_till_the_morning_of_a_named_day_and_not_till_yesterday(place: Place):
    admin, thread = await at_the_inbox(place)
    _, page = await admin.get(f"/inbox/{thread}")
    day = place.ask("SELECT current_date + 20")

    late = await admin.post(f"/inbox/{thread}/snooze", {"till": "2020-01-01", "revision": revision(page)})
    unknown = await admin.post(f"/inbox/{thread}/snooze", {"till": "some day", "revision": revision(page)})
    named = await admin.post(f"/inbox/{thread}/snooze", {"till": day.isoformat(), "revision": revision(page)})

    assert (400, 400, 200) == (late.status, unknown.status, named.status)
    assert f"{day} 08:00" == place.ask(
        "SELECT to_char(snoozed_till AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') FROM postroom.thread_state"
    )


@pytest.mark.parametrize(("zone", "expected"), [("Pacific/Auckland", "20:00"), ("Nowhere/At_All", "08:00")])
async def test_a_morning_is_that_of_the_place_where_the_person_sits(place: Place, zone: str, expected: str):
    admin, thread = await at_the_inbox(place)
    _, page = await admin.get(f"/inbox/{thread}")

    named = await admin.post(f"/inbox/{thread}/snooze", {"till": _in_winter(place), "revision": revision(page)}, zone=zone)  # fmt: skip

    assert 200 == named.status
    assert expected == place.ask(
        "SELECT to_char(snoozed_till AT TIME ZONE 'UTC', 'HH24:MI') FROM postroom.thread_state"
    )


@pytest.mark.browser
async def test_the_first_day_that_can_be_named_is_tomorrow_where_the_person_sits(place: Place, chromium):
    zone = ZoneInfo("Etc/GMT+12" if place.world.clock.now().hour < 11 else "Etc/GMT-14")  # another day than in London
    _, thread = await at_the_inbox(place)
    tomorrow = (place.world.clock.now().astimezone(zone) + timedelta(days=1)).date()
    context = await chromium.new_context(timezone_id=zone.key)
    page = await context.new_page()
    await enter(place, page, place.ask("SELECT email FROM postroom.person"))
    await page.goto(f"{place.url}/inbox/{thread}")
    day = page.get_by_label("Snooze till the morning of")

    assert tomorrow.isoformat() == await day.get_attribute("min")
    await day.fill(tomorrow.isoformat())
    await toast(page, "Out of sight till")
    till = place.ask("SELECT snoozed_till FROM postroom.thread_state").astimezone(zone)
    assert (tomorrow, 8) == (till.date(), till.hour)
    await context.close()


async def test_three_hours_are_three_hours_also_in_the_night_when_the_clocks_change(place: Place):
    zone, hour = ZoneInfo("Europe/Berlin"), timedelta(hours=1)
    change = place.world.clock.now() + 2 * hour
    while (change + hour).astimezone(zone).utcoffset() == change.astimezone(zone).utcoffset():
        change += hour
    place.world.clock.advance(change - place.world.clock.now())
    admin, thread = await at_the_inbox(place)
    _, page = await admin.get(f"/inbox/{thread}")

    await admin.post(f"/inbox/{thread}/snooze", {"till": "hours", "revision": revision(page)}, zone=zone.key)

    till = place.ask("SELECT snoozed_till FROM postroom.thread_state")
    assert 3 * hour == pytest.approx(till - place.world.clock.now(), abs=timedelta(minutes=5))


def _in_winter(place: Place) -> str:
    """A day of the coming months on which Auckland is twelve hours ahead."""
    return str(place.ask("SELECT min(day)::date FROM generate_series(current_date + 2, current_date + 300, '1 day') day WHERE extract(month FROM day) IN (5, 6, 7, 8)"))  # fmt: skip


async def test_nobody_is_done_with_a_mail_that_they_have_not_seen(place: Place):
    admin, thread = await at_the_inbox(place)
    _, page = await admin.get(f"/inbox/{thread}")
    place.own("UPDATE postroom.thread_state SET newest_ref = 'a mail that came meanwhile'")
    late = await admin.post(f"/inbox/{thread}/done", {"revision": revision(page)})
    fresh = await late.text()
    seen = await admin.post(f"/inbox/{thread}/not-for-us", {"revision": revision(fresh)})

    assert (409, "yes") == (late.status, late.headers["Postroom-Fresh"])
    assert "Changed while you looked" in late.headers["HX-Trigger"]
    assert 200 == seen.status
    undo = json.loads(seen.headers["HX-Trigger"])["toast"]["undo"]
    assert f"/inbox/{thread}/reopen" == undo["path"]
    assert 200 == (await admin.post(undo["path"], {"revision": undo["revision"]})).status
    assert place.ask("SELECT not_for_us_at IS NULL FROM postroom.thread_state")
    assert ["not_for_us", "open"] == [
        row[0]
        for row in place.own("SELECT body ->> 'how' FROM postroom.fact WHERE kind = 'thread.set_aside' ORDER BY id")
    ]


async def test_whoever_decides_late_hears_who_did_what_meanwhile(place: Place):
    """Every act of a thread: each is about what somebody saw."""
    admin, thread = await at_the_inbox(place)
    colleague = await place.come_in("operator")
    [(person, who)] = place.own("SELECT id::text, email FROM postroom.person WHERE role = 'operator'")
    _, seen = await admin.get(f"/inbox/{thread}")
    assigned = await colleague.post(f"/inbox/{thread}/assign", {"person": person, "revision": revision(seen)})
    done = await colleague.post(f"/inbox/{thread}/done", {"revision": revision(await assigned.text())})
    assert 200 == done.status

    for act, words in {
        "assign": {"person": ""},
        "move": {"channel": ""},
        "snooze": {"till": "tomorrow"},
        "done": {},
        "not-for-us": {},
        "reopen": {},
    }.items():
        late = await admin.post(f"/inbox/{thread}/{act}", {**words, "revision": revision(seen)})
        assert (act, 409, "yes") == (act, late.status, late.headers["Postroom-Fresh"])
        text = json.loads(late.headers["HX-Trigger"])["toast"]["text"]
        assert f"{who} gave it to {who} at " in text
        assert f"{who} set it to done at " in text
        assert 400 == (await admin.post(f"/inbox/{thread}/{act}", words)).status
    assert person == str(place.ask("SELECT assigned_to FROM postroom.thread_state"))


async def test_a_mail_that_came_meanwhile_is_named_too(place: Place):
    admin, thread = await at_the_inbox(place)
    _, seen = await admin.get(f"/inbox/{thread}")
    first = place.ask("SELECT internet_message_id FROM postroom.message")
    place.deliver(subject="Re: The second night", text="And the third night, too.", answers=first)
    await place.works()

    late = await admin.post(f"/inbox/{thread}/done", {"revision": revision(seen)})

    assert 409 == late.status
    assert "anna@client.test wrote at " in json.loads(late.headers["HX-Trigger"])["toast"]["text"]


async def test_a_thread_with_a_forged_mail_says_so_in_every_list(place: Place):
    admin, thread = await at_the_inbox(place)
    lists = ("/messages", "/inbox", "/inbox?view=all", "/inbox?q=second")
    honest = [(await admin.get(path))[1] for path in lists]
    place.own("UPDATE postroom.message SET trust = 'spoofed', trust_because = 'Their domain did not sign it.'")
    _, page = await admin.get(f"/inbox/{thread}")

    listed = [(await admin.get(path))[1] for path in lists]

    assert "<b>This looks forged.</b> Their domain did not sign it." in page
    tagged = re.compile(r'<tr[^>]* class="forged">.*?<span class="tag tone-bad forged">forged</span>', re.DOTALL)
    assert [None] * len(lists) == [tagged.search(each) for each in honest]
    assert [] == [path for path, each in zip(lists, listed, strict=True) if not tagged.search(each)]


async def test_a_chosen_row_is_dealt_with_from_the_list(place: Place):
    admin, thread = await at_the_inbox(place)

    _, inbox = await admin.get("/inbox")
    [done] = re.findall(rf"hx-post=\"(/inbox/{thread}/done)\"[^>]*hx-vals='([^']*)'[^>]*data-key=\"e\"", inbox)
    answer = await admin.post(done[0], {key: str(value) for key, value in json.loads(done[1]).items()})
    _, after = await admin.get("/inbox")

    assert f'hx-post="/inbox/{thread}/not-for-us"' in inbox
    assert (200, False) == (answer.status, f"/inbox/{thread}/done" in after)


async def test_an_empty_view_says_what_it_would_show(place: Place):
    admin, _ = await at_the_inbox(place)

    said = {view: (await admin.get(f"/inbox?view={view}"))[1] for view in ("ready", "error", "snoozed")}

    assert [True, True, True] == [
        words in said[view]
        for view, words in (
            ("ready", "No draft is ready"),
            ("error", "Nothing went wrong"),
            ("snoozed", "until its time comes"),
        )
    ]
    assert "Nothing waits for you" not in "".join(said.values())
