"""The evidence library and drafts at the console, without a browser."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import aiohttp

from doors.console.place import OUTLOOK, Browser, Place, revision

PAPER = (
    b"# House rules\n\n## Breakfast\n\nBreakfast is served from 7:00 to 10:30 in the garden room.\n\n"
    b"## Parking\n\nParking costs 18 EUR per night.\n"
)
QUESTION = "Hello, at what time is breakfast served? And do you sell helicopters?"


async def hands_in(browser: Browser, name: str = "house-rules.md", content: bytes = PAPER) -> None:
    form = aiohttp.FormData()
    form.add_field("files", content, filename=name, content_type="text/markdown")
    form.add_field("audience", "")
    form.add_field("valid_until", "")
    answer = await browser.post("/evidence", form)
    assert 200 == answer.status, await answer.text()


async def with_a_draft(place: Place, text: str = QUESTION) -> tuple[Browser, str]:
    """A mailbox where drafts are written, a paper, and a mail that the paper answers in part."""
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, OUTLOOK, "outlook")
    await place.works()
    await hands_in(admin)
    mailbox = place.ask("SELECT id FROM postroom.mailbox")
    answer = await admin.post(f"/mailboxes/{mailbox}/copilot", {"copilot": "drafts", "operators": ""})
    assert 200 == answer.status, await answer.text()
    await place.connect(admin, OUTLOOK, "outlook")  # asks for the right to write drafts now
    await place.works()
    place.deliver(subject="Our stay", text=text)
    await place.works()
    return admin, str(place.ask("SELECT thread_id FROM postroom.thread_state"))


async def test_one_file_that_cannot_be_taken_keeps_no_other_out(place: Place):
    admin = await place.come_in()
    form = aiohttp.FormData()
    for name, content in (("first.md", PAPER), ("empty.md", b""), ("last.md", b"# Dogs\n\nDogs are welcome.\n")):
        form.add_field("files", content, filename=name, content_type="text/markdown")
    answer = await admin.post("/evidence", form)
    toast = json.loads(answer.headers["HX-Trigger"])["toast"]

    assert ["first.md", "last.md"] == place.ask("SELECT jsonb_agg(name ORDER BY name) FROM postroom.evidence_document")
    assert ("2 taken in, 0 as before. empty.md cannot be read: There are no words in it.", "bad") == (
        toast["text"],
        toast["kind"],
    )


async def test_a_paper_is_taken_in_asked_changed_and_retired(place: Place):
    admin = await place.come_in()
    await hands_in(admin)
    paper = place.ask("SELECT id FROM postroom.evidence_document")

    _, listed = await admin.get("/evidence")
    asked = await admin.post("/evidence/ask", {"question": "When is breakfast served, and who built the tower?"})
    sensitive = await (await admin.post("/evidence/ask", {"question": "When is breakfast? Can I get a refund?"})).text()
    changed = await admin.post(
        f"/evidence/{paper}",
        {"text": PAPER.decode().replace("10:30", "11:00"), "audience": "public", "valid_until": "2030-01-31"},
    )
    newer = place.ask("SELECT id FROM postroom.evidence_document WHERE is_current")
    _, shown = await admin.get(f"/evidence/{newer}")
    retired = await admin.post(f"/evidence/{newer}/retire")
    _, empty = await admin.get("/evidence")

    assert "house-rules.md" in listed
    told = await asked.text()
    assert "from 7:00 to 10:30" in told
    assert "who built the tower? ]]" in told  # left open in the draft
    assert "It would answer in part</h2>" in told
    assert "It would leave this to a person</h2>" in sensitive
    assert "waits for a person before anything is drafted" in sensitive
    assert f"/evidence/{newer}" == changed.headers["HX-Redirect"]
    assert "11:00" in shown
    assert "Version 1" in shown
    assert "retired" in await retired.text()
    assert "No papers yet" in empty


async def test_who_changes_an_older_version_is_led_to_the_one_in_use(place: Place):
    admin = await place.come_in()
    await hands_in(admin)
    paper = place.ask("SELECT id FROM postroom.evidence_document")
    words = {"text": "# House\n\nBreakfast is at nine.\n", "audience": "public", "valid_until": ""}
    newer = (await admin.post(f"/evidence/{paper}", words)).headers["HX-Redirect"]
    refused = await admin.post(f"/evidence/{paper}", {**words, "text": "# House\n\nBreakfast is at ten.\n"})
    _, older = await admin.get(f"/evidence/{paper}")
    await admin.post(f"{newer}/retire")
    gone = await admin.post(newer, words)
    _, listed = await admin.get("/evidence?view=retired")
    status, _ = await admin.get("/evidence/named?name=house-rules.md&quote=nine")
    _, shown = await admin.get(newer)
    back = await admin.post(f"{newer}/restore")

    said = await refused.text()
    assert (409, "#refused") == (refused.status, refused.headers["HX-Retarget"])
    assert "Version 1 of house-rules.md is not the current one: version 2 is" in said
    assert f'href="{newer}"' in said
    assert f'<a href="{newer}">Open version 2</a>' in older
    assert "was retired by" in await gone.text()
    assert f'href="{newer}"' in listed
    assert 303 == status
    assert "Use it again" in shown
    assert (200, True) == (back.status, "in use again" in back.headers["HX-Trigger"])
    assert '<span class="tag tone-good">in use</span>' in await back.text()


async def test_what_is_typed_wrong_is_said_in_a_sentence(place: Place):
    admin = await place.come_in()
    await hands_in(admin)
    paper = place.ask("SELECT id FROM postroom.evidence_document")

    odd_day = await admin.post(f"/evidence/{paper}", {"text": "Words.", "valid_until": "tomorrow"})
    no_words = await admin.post(f"/evidence/{paper}", {"text": "   "})
    no_question = await admin.post("/evidence/ask", {"question": " "})
    form = aiohttp.FormData()
    form.add_field("files", b"x", filename="a.docx", content_type="application/octet-stream")
    odd_file = await admin.post("/evidence", form)

    assert [400] * 4 == [each.status for each in (odd_day, no_words, no_question, odd_file)]
    assert "is no day" in await odd_day.text()


async def test_the_draft_stands_beside_its_evidence_with_what_is_open(place: Place):
    admin, thread = await with_a_draft(place)
    place.own(
        "INSERT INTO postroom.turn SELECT (jsonb_populate_record(u, jsonb_build_object("
        "'ref', 'the draft', 'draft_ref', r.provider_draft_id, 'message_id', NULL))).* "
        "FROM postroom.turn u, postroom.draft_revision r WHERE u.ref = r.message_ref"
    )

    _, page = await admin.get(f"/inbox/{thread}")
    status, _ = await admin.get(
        "/evidence/named?" + urlencode({"name": "house-rules.md", "quote": "Breakfast is served from 7:00 to 10:30"})
    )
    paper = place.ask("SELECT id FROM postroom.evidence_document")
    _, shown = await admin.get(f"/evidence/{paper}?quote=Breakfast%20is%20served%20from")
    _, other = await admin.get(f"/evidence/{paper}?quote=Never%20said")

    _, outbox = await admin.get("/outbox")
    _, front = await admin.get("/")
    for said in (
        "Our draft: see below.",
        "Look and approve",
        "ours, untouched",
        'id="claim-1"',
        "house-rules.md",
        "helicopters",
        '<mark class="open">',
        "Gate",
    ):
        assert said in page
    assert "a question is open" in outbox
    assert "thread wants an answer" in front
    assert 303 == status
    assert '<mark id="found" class="found">Breakfast is served from</mark>' in shown
    assert "do not stand in this version" in other


async def test_a_draft_is_edited_and_what_changed_is_shown(place: Place):
    admin, thread = await with_a_draft(place)
    draft, seen = (
        place.ask("SELECT id FROM postroom.draft_revision"),
        place.ask("SELECT fingerprint FROM postroom.draft_revision"),
    )
    body = place.ask("SELECT body FROM postroom.draft_revision")

    edited = await admin.post(
        f"/inbox/{thread}/draft/{draft}", {"body": body.replace("in the garden room", "See you soon."), "seen": seen}
    )
    stale = await admin.post(f"/inbox/{thread}/draft/{draft}", {"body": "Other words", "seen": seen})
    page = await edited.text()

    assert (200, 409) == (edited.status, stale.status)
    assert "a person" in page
    assert "What a person changed" in page
    assert "See you soon." in str(place.ask("SELECT body FROM postroom.draft_revision"))


async def test_a_draft_is_discarded_with_its_reason(place: Place):
    admin, thread = await with_a_draft(place)
    draft = place.ask("SELECT id FROM postroom.draft_revision")

    wordless = await admin.post(f"/inbox/{thread}/draft/{draft}/discard", {"reason": ""})
    gone = await admin.post(f"/inbox/{thread}/draft/{draft}/discard", {"reason": "The tone is wrong."})

    assert (400, 200) == (wordless.status, gone.status)
    assert "The tone is wrong." in await gone.text()
    assert "discarded" == place.ask("SELECT status FROM postroom.draft_revision")
    await place.works()
    assert [("discarded",)] == place.own("SELECT status FROM postroom.proposal")

    undo = json.loads(gone.headers["HX-Trigger"])["toast"]["undo"]
    back = await admin.post(undo["path"], {"revision": str(undo["revision"])})
    await place.works()

    assert (200, "written") == (back.status, place.ask("SELECT status FROM postroom.draft_revision"))
    statuses = place.own("SELECT status FROM postroom.proposal ORDER BY created_at")
    assert [("discarded",), ("waiting",)] == statuses  # it waits for a yes again
    assert 409 == (await admin.post(undo["path"], {"revision": str(undo["revision"])})).status


async def test_voice_and_gate_are_set_on_their_page(place: Place):
    admin, _ = await with_a_draft(place)
    mailbox = place.ask("SELECT id FROM postroom.mailbox")

    saved = await admin.post(
        "/settings/replies",
        {"gate": "70", "formality": "formal", "thanks": "yes", "signature": "Nora", "greeting_de": "Moin {name},",
         "learn_from": str(mailbox)},
    )  # fmt: skip
    odd = await admin.post("/settings/replies", {"gate": "much"})
    _, page = await admin.get("/settings/replies")

    assert (200, 400) == (saved.status, odd.status)
    assert 0.7 == place.ask("SELECT gate FROM postroom.reply_policy")
    assert [mailbox] == place.ask("SELECT learn_from FROM postroom.reply_policy")
    for said in ('value="70"', "Moin {name},", "Nora", "checked"):
        assert said in page


async def test_a_thread_that_was_not_for_us_and_is_again_shows_the_draft_that_is_there(place: Place):
    admin, thread = await with_a_draft(place)
    _, page = await admin.get(f"/inbox/{thread}")
    away = await admin.post(f"/inbox/{thread}/not-for-us", {"revision": revision(page)})
    await place.works()
    back = await admin.post(f"/inbox/{thread}/reopen", {"revision": revision(await away.text())})
    await place.works()
    place.deliver(subject="Another matter", text="Thank you for the kind welcome.")  # its push has Drafts looked at too
    await place.works()

    status, page = await admin.get(f"/inbox/{thread}")

    assert (200, 200, 200) == (away.status, back.status, status)
    assert 1 == page.count("Our draft: see below.")
    assert "A person&#39;s draft" not in page.replace("'", "&#39;")
