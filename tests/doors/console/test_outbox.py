"""The outbox at the console: a mail is written, read, changed, approved, taken back, sent and, in doubt, explained."""

from __future__ import annotations

import re
from typing import Any

import psycopg

from doors.console.place import OUTLOOK, Browser, Place
from doors.console.test_evidence import with_a_draft

ANNA = "anna@client.test"
LETTER = {"to": ANNA, "subject": "Your rooms", "body": "Dear Anna,\n\nthe rooms are kept.\n"}


async def connected(place: Place, **sending: str) -> Browser:
    """An admin, a mailbox, and sending switched on."""
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, OUTLOOK, "outlook", "send")
    await place.works()
    await allows(admin, **sending)
    return admin


async def allows(admin: Browser, **sending: str) -> None:
    _, page = await admin.get("/settings/sending")
    version = re.search(r'name="version" value="([^"]*)"', page)
    assert version
    usual = {"switch": "on", "undo_seconds": "0", "approval_hours": "72", "proposal_days": "14"}
    usual |= {"per_thread_hour": "5", "per_mailbox_hour": "100", "version": version[1]}
    answer = await admin.post("/settings/sending", usual | sending)
    assert 200 == answer.status, await answer.text()


async def proposed(who: Browser, **other: str) -> str:
    answer = await who.post("/outbox", LETTER | other)
    assert 200 == answer.status, await answer.text()
    return answer.headers["HX-Redirect"]


async def test_a_mailbox_that_may_only_be_read_says_so_and_offers_to_grant_sending(place):
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, OUTLOOK, "outlook", "read")
    await place.works()
    await allows(admin)

    _, form = await admin.get("/outbox/new")
    path = await proposed(admin)
    _, page = await admin.get(path)
    refused = await said_yes(admin, path)

    assert "has no right to send yet" in form
    assert "has no right to send yet: an admin has to press Grant sending" in page
    assert 409 == refused.status
    link = re.search(r'href="(/oauth/outlook/authorize[^"]*)">Grant sending', page)
    assert link
    assert ("waiting", []) == (status(place), sent(place))
    await place.connect(admin, OUTLOOK, "outlook", "send")
    _, page = await admin.get(path)
    assert "Grant sending" not in page
    assert 200 == (await said_yes(admin, path)).status


async def test_whoever_decides_about_an_old_mail_hears_who_changed_what(place):
    admin = await connected(place)
    path = await proposed(admin)
    colleague = await place.come_in("operator")
    who = place.ask("SELECT email FROM postroom.person WHERE role = 'operator'")
    _, page = await admin.get(path)
    seen = re.search(r"sha256:[0-9a-f]{64}", page)
    assert seen
    changed = await colleague.post(f"{path}/change", {**LETTER, "subject": "Both rooms", "hash": seen[0]})
    assert 200 == changed.status, await changed.text()

    for act in ("approve", "discard", "change"):  # the old words stay on the page: a second key says yes to nothing new
        late = await admin.post(f"{path}/{act}", {**LETTER, "body": "Dear Anna.", "hash": seen[0]})
        assert (act, 409, None) == (act, late.status, late.headers.get("Postroom-Fresh"))
        assert f"{who} changed subject at " in await late.text() + late.headers.get("HX-Trigger", "")
    assert "waiting" == status(place)


async def said_yes(who: Browser, path: str) -> Any:
    _, page = await who.get(path)
    seen = re.search(r"sha256:[0-9a-f]{64}", page)
    assert seen
    return await who.post(f"{path}/approve", {"hash": seen[0]})


def status(place: Place) -> str:
    return place.ask("SELECT status FROM postroom.proposal ORDER BY created_at DESC LIMIT 1")


def sent(place: Place) -> list[str]:
    rows = place.own("SELECT subject FROM postroom.proposal WHERE status = 'sent' ORDER BY created_at")
    return [subject for (subject,) in rows]


async def test_a_mail_is_written_read_approved_and_sent(place: Place):
    admin = await connected(place)

    path = await proposed(admin)
    _, page = await admin.get(path)
    answer = await said_yes(admin, path)
    await place.works()
    _, after = await admin.get(path)
    _, listed = await admin.get("/outbox?view=sent")

    for seen in ("What goes out", ANNA, "the rooms are kept", "Approve", "Nobody yet"):
        assert seen in page
    assert 200 == answer.status
    assert "sent" == status(place)
    assert "Used for the send" in after
    assert "Your rooms" in listed


async def test_a_changed_mail_cannot_be_approved_by_who_saw_the_old_one(place: Place):
    admin = await connected(place)
    path = await proposed(admin)
    _, page = await admin.get(path)
    old = re.search(r"sha256:[0-9a-f]{64}", page)
    assert old

    changed = await admin.post(f"{path}/change", LETTER | {"hash": old[0], "body": "Other words."})
    stale = await admin.post(f"{path}/approve", {"hash": old[0]})
    late = await admin.post(f"{path}/change", LETTER | {"hash": old[0], "body": "A third."})
    _, now = await admin.get(path)
    await place.works()

    assert (200, 409, 409) == (changed.status, stale.status, late.status)
    assert "Other words." in now
    assert "Since the last version" in now
    assert [] == sent(place)


async def test_an_approval_is_taken_back_within_the_undo_delay(place: Place):
    admin = await connected(place, undo_seconds="600")
    path = await proposed(admin)

    await said_yes(admin, path)
    await place.works()
    _, before = await admin.get(path)
    answer = await admin.post(f"{path}/revoke")
    await place.works()

    assert "Until then it can be taken back" in before
    assert 200 == answer.status
    assert "revoked" == status(place)


async def test_two_people_must_agree_where_the_tenant_says_so(place: Place):
    admin = await connected(place, second_person="new_recipient")
    colleague = await place.come_in("operator")
    path = await proposed(admin)

    await said_yes(admin, path)
    await place.works()
    _, waiting = await admin.get(path)
    again = await said_yes(admin, path)
    await place.works()
    assert "waiting" == status(place)
    await said_yes(colleague, path)
    await place.works()

    assert "another person&#39;s is missing" in waiting or "another person's is missing" in waiting
    assert again.status in (200, 409)
    assert "sent" == status(place)


async def test_the_kill_switches_stop_also_what_was_approved(place: Place):
    admin = await connected(place, undo_seconds="600")
    operator = await place.come_in("operator")
    mailbox = place.ask("SELECT id FROM postroom.mailbox")
    path = await proposed(admin)
    await said_yes(admin, path)

    stopped = await operator.post(f"/mailboxes/{mailbox}/sending", {"sending": "off"})
    on = await operator.post(f"/mailboxes/{mailbox}/sending", {"sending": "on"})
    await place.works()
    _, page = await admin.get(path)
    _, box = await admin.get(f"/mailboxes/{mailbox}")

    assert (200, 403) == (stopped.status, on.status)
    assert status(place) in ("waiting", "revoked")
    assert "Sending is stopped at this mailbox" in box
    assert 'class="note tone-warn"' in page
    assert "live:people" in page  # which the tenant's switch wakes

    assert 200 == (await admin.post(f"/mailboxes/{mailbox}/sending", {"sending": "on"})).status
    await allows(admin, switch="off")
    _, outbox = await admin.get("/outbox")
    assert "Sending is off" in outbox


async def test_a_mail_in_doubt_shows_both_possibilities_and_a_person_decides(place: Place):
    admin = await connected(place)
    path = await proposed(admin)
    with psycopg.connect(place.owner_dsn, autocommit=True) as owner:
        owner.execute("SET session_replication_role = replica")  # past the guards: how it came to be is told elsewhere
        owner.execute(
            "UPDATE postroom.proposal SET status = 'unknown', begun_at = now(), held = '{}', because = 'The answer was lost.'"
        )

    _, page = await admin.get(path)
    nothing = await admin.post(f"{path}/resolve", {"outcome": "perhaps"})
    decided = await admin.post(f"{path}/resolve", {"outcome": "sent"})

    assert "It may have been sent" in page
    assert "It may not have been sent" in page
    assert (400, 200) == (nothing.status, decided.status)
    assert "sent" == status(place)


async def test_a_message_is_answered_and_forwarded_with_its_files(place: Place):
    admin = await connected(place)
    place.deliver(subject="Rooms", text="Have you two?", files=(("plan.txt", b"two rooms", "text/plain"),))
    await place.works()
    message = place.ask("SELECT id FROM postroom.message")
    sha256 = place.ask("SELECT attachments->0->>'sha256' FROM postroom.message")

    _, form = await admin.get(f"/outbox/new?kind=forward&message={message}")
    reply = await proposed(admin, kind="reply", message=str(message), to="", subject="", body="Yes.")
    _, page = await admin.get(reply)
    forward = await proposed(admin, kind="forward", message=str(message), subject="", body="See below.", files=sha256)
    await said_yes(admin, forward)
    await place.works()

    assert "plan.txt" in form
    assert "Re: Rooms" in page
    assert ANNA in page
    assert ["Fw: Rooms"] == sent(place)


async def test_who_answers_reads_the_mail_and_hears_of_a_colleague_s_reply(place: Place):
    admin = await connected(place)
    place.deliver(subject="Our rooms", text="Are the two rooms kept till six?")
    await place.works()
    message = str(place.ask("SELECT id FROM postroom.message"))
    path = f"/outbox/new?kind=reply&message={message}"
    _, alone = await admin.get(path)
    colleague = await place.come_in("operator")
    made = await proposed(colleague, kind="reply", message=message)
    _, page = await admin.get(path)
    _, part = await admin.get(path, HX_Request="true", HX_Target="answers")
    _, forward = await admin.get(f"/outbox/new?kind=forward&message={message}")
    _, row = await admin.get(made)
    seen = re.search(r"sha256:[0-9a-f]{64}", row)
    assert seen
    await admin.post(f"{made}/discard", {"hash": seen[0]})
    _, after = await admin.get(path)

    for shown in (alone, page, forward):
        assert "Are the two rooms kept till six?" in shown
    assert "in the <a href=" not in alone
    for shown in (page, part):
        assert f'is in the <a href="{made}">outbox</a> already' in shown
    assert "<form" not in part
    assert "<form" in after
    assert made not in after
    assert made not in forward


async def test_a_search_without_a_hit_says_so(place: Place):
    admin = await connected(place)
    await proposed(admin)

    _, none = await admin.get("/outbox?q=helicopter")
    _, hit = await admin.get("/outbox?q=rooms")
    _, empty = await admin.get("/outbox?view=sent")

    assert ("Nothing found" in none, "Nothing waits for your yes" in none) == (True, False)
    assert "Your rooms" in hit
    assert "Nothing was sent yet" in empty


async def test_what_was_discarded_is_proposed_again_word_by_word_with_its_files(place: Place):
    admin = await connected(place)
    place.deliver(subject="Rooms", text="Have you two?", files=(("plan.txt", b"two rooms", "text/plain"),))
    await place.works()
    await place.until("SELECT count(*) FROM postroom.message WHERE state = 'arrived'", 1)
    message = str(place.ask("SELECT id FROM postroom.message"))
    path = await proposed(admin, kind="forward", message=message, subject="", body="See below.", files=_file(place))
    hash_ = place.ask("SELECT hash FROM postroom.proposal")

    gone = await admin.post(f"{path}/discard", {"hash": hash_})
    back = await admin.post(f"{path}/again", {})

    assert (200, 200) == (gone.status, back.status)
    assert path != back.headers["HX-Redirect"]
    assert hash_ == place.ask("SELECT hash FROM postroom.proposal WHERE status = 'waiting'")


def _file(place: Place) -> str:
    return str(place.ask("SELECT attachments->0->>'sha256' FROM postroom.message"))


async def test_recipients_are_taken_as_they_are_pasted(place: Place):
    admin = await connected(place)
    path = await proposed(admin, to=f"Smith, Anna <{ANNA.upper()}>; bob@client.test", cc="Carl <carl@client.test>")
    hash_ = place.ask("SELECT hash FROM postroom.proposal")
    refused = await admin.post(f"{path}/change", LETTER | {"hash": hash_, "to": f"{ANNA}, Dora"})
    changed = await admin.post(f"{path}/change", LETTER | {"hash": hash_, "to": f"{ANNA}\nDora <dora@client.test>"})

    assert 400 == refused.status
    assert "'dora' is not a mail address." in (await refused.text()).replace("&#39;", "'")
    assert 200 == changed.status
    assert [ANNA, "dora@client.test"] == place.ask("SELECT recipients FROM postroom.proposal")


async def test_another_tenant_sees_and_does_nothing_of_it(place: Place):
    admin = await connected(place)
    path = await proposed(admin)
    stranger = await place.come_in("admin", await place.tenant_named("other"))

    seen, _ = await stranger.get(path)
    _, listed = await stranger.get("/outbox?view=all")
    refused = await stranger.post(f"{path}/approve", {"hash": "sha256:" + "0" * 64})

    assert (404, 404) == (seen, refused.status)
    assert "Your rooms" not in listed


async def test_a_draft_is_not_written_over_by_who_saw_an_earlier_one(place: Place):
    admin, _ = await with_a_draft(place)
    path = f"/outbox/{place.ask('SELECT id FROM postroom.proposal')}"
    _, page = await admin.get(path)
    seen = re.search(r"sha256:[0-9a-f]{64}", page)
    assert seen
    head = {"hash": seen[0], "to": "anna@client.test", "subject": "Re: Our stay"}

    first = await admin.post(f"{path}/change", head | {"body": "Anna's words."})
    before_the_proposal_followed = await admin.post(f"{path}/change", head | {"body": "Bea's words."})
    await place.works()
    late = await admin.post(f"{path}/change", head | {"body": "Bea's words."})
    await place.works()

    assert (200, 409, 409) == (first.status, before_the_proposal_followed.status, late.status)
    assert "Anna's words." == place.ask("SELECT body FROM postroom.draft_revision")


async def test_a_copy_that_a_colleague_added_to_a_draft_is_kept_by_who_did_not_see_it_yet(place: Place):
    admin, _ = await with_a_draft(place)
    path = f"/outbox/{place.ask('SELECT id FROM postroom.proposal')}"
    body, hash_ = place.own("SELECT body, hash FROM postroom.proposal")[0]
    head = {"hash": hash_, "to": ANNA, "subject": "Re: Our stay", "cc": ""}

    first = await admin.post(f"{path}/change", head | {"body": body, "cc": "bea@client.test"})
    second = await admin.post(f"{path}/change", head | {"body": "Other words."})
    await place.works()

    assert (200, 200) == (first.status, second.status)
    kept = "SELECT body, cc FROM postroom.proposal WHERE status = 'waiting'"
    assert [("Other words.", ["bea@client.test"])] == place.own(kept)


async def test_what_is_over_says_why_whatever_the_switches_say(place: Place):
    admin = await connected(place)
    path = await proposed(admin)
    await admin.post(
        f"{path}/discard", {"because": "The client called.", "hash": place.ask("SELECT hash FROM postroom.proposal")}
    )
    await allows(admin, switch="off")

    _, page = await admin.get(path)

    assert "The client called." in page
    assert "Sending is switched off" not in page


async def test_a_persons_draft_says_which_paper_was_changed_and_its_yes_asks_once_more(place: Place):
    admin, thread = await with_a_draft(place)
    await place.connect(admin, OUTLOOK, "outlook", "send")
    await allows(admin, undo_seconds="600")
    draft, body, seen = place.own("SELECT id, body, fingerprint FROM postroom.draft_revision")[0]
    words = re.sub(r"\[\[.*?\]\]", "See you soon.", body, flags=re.DOTALL)
    await admin.post(f"/inbox/{thread}/draft/{draft}", {"body": words, "seen": seen})
    await place.works()
    paper = place.ask("SELECT id FROM postroom.evidence_document WHERE is_current")
    text = place.ask("SELECT body FROM postroom.evidence_document WHERE is_current")
    await admin.post(f"/evidence/{paper}", {"text": text.replace("in the garden room", "in the hall")})
    await place.works()
    newest = place.ask("SELECT id FROM postroom.evidence_document WHERE is_current")
    proposal, hash_ = place.own("SELECT id, hash FROM postroom.proposal WHERE status = 'waiting'")[0]

    _, inbox = await admin.get(f"/inbox/{thread}")
    _, outbox = await admin.get(f"/outbox/{proposal}")
    once = await admin.post(f"/outbox/{proposal}/approve", {"hash": hash_})

    for page in (inbox, outbox):
        assert "was changed: it does not say" in page
        assert f'href="/evidence/{newest}"' in page
    assert "Shall it go out all the same?" in outbox
    assert (409, True) == (once.status, "say yes once more" in await once.text())
    again = await admin.post(f"/outbox/{proposal}/approve", {"hash": hash_, "papers": "seen"})
    assert (200, "approved") == (again.status, status(place))
