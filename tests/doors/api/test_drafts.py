"""Evidence and drafts over HTTP, as other programs use them."""

from __future__ import annotations


async def test_a_paper_of_the_same_name_is_a_new_version(api):
    operator = api.by("operator")
    first = await operator.post("/evidence", files={"file": ("rules.md", b"# Rules\n\nBreakfast is at eight.\n")})
    again = await operator.post("/evidence", files={"file": ("rules.md", b"# Rules\n\nBreakfast is at eight.\n")})
    second = await operator.post("/evidence", files={"file": ("rules.md", b"# Rules\n\nBreakfast is at nine.\n")})

    assert [(201, 1), (201, 1), (201, 2)] == [
        (each.status_code, each.json()["version"]) for each in (first, again, second)
    ]
    [listed] = [each for each in (await api.get("/evidence"))["items"] if each["name"] == "rules.md"]
    assert ("rules.md", 2, "public", "markdown") == tuple(
        listed[name] for name in ("name", "version", "audience", "kind")
    )


async def test_an_internal_paper_says_so_and_what_cannot_be_read_is_refused(api):
    operator = api.by("operator")
    made = await operator.post(
        "/evidence",
        files={"file": ("staff.txt", b"The code is 1234.")},
        data={"audience": "internal", "valid_until": "2030-01-31"},
    )
    odd = await operator.post("/evidence", files={"file": ("a.docx", b"x")})

    assert ("internal", "2030-01-31") == (made.json()["audience"], made.json()["valid_until"])
    assert (400, "a.docx is neither Markdown, text, HTML nor PDF.") == (odd.status_code, odd.json()["detail"])


async def test_a_draft_is_listed_and_one_that_is_over_cannot_be_changed(api):
    [draft] = (await api.get("/drafts", thread_id=str(api.ours["thread_id"])))["items"]
    assert ("sent", "d1", "Thank you.", [], []) == tuple(
        draft[name] for name in ("status", "provider_draft_id", "body", "claims", "questions")
    )
    assert [] == (await api.get("/drafts", status="written"))["items"]

    refused = await api.by("operator").put(f"/drafts/{draft['id']}", json={"body": "Other words"})

    assert 409 == refused.status_code
    assert "The draft is sent" in refused.json()["detail"]


async def test_a_paper_is_read_changed_asked_and_retired(api):
    operator = api.by("operator")
    made = (
        await operator.post("/evidence", files={"file": ("bar.md", b"# Bar\n\nThe bar is open until 23:00.\n")})
    ).json()
    asked = {"question": "Until when is the bar open?"}

    tried = (await api.by("viewer").post("/evidence/ask", json=asked)).json()
    changed = await operator.put(
        f"/evidence/{made['id']}", json={"text": "# Bar\n\nThe bar is open until 01:00.\n", "valid_until": "2030-01-31"}
    )
    after = (await api.by("viewer").post("/evidence/ask", json=asked)).json()
    sensitive = {"question": f"{asked['question']} And I want my money back."}
    held = (await api.by("viewer").post("/evidence/ask", json=sensitive)).json()
    stale = await operator.put(f"/evidence/{made['id']}", json={"text": "Other words."})
    retired = await operator.post(f"/evidence/{changed.json()['id']}/retire")
    gone = (await api.by("viewer").post("/evidence/ask", json=asked)).json()
    listed = (await api.get("/evidence", source="retired"))["items"]
    too_old = await operator.post(f"/evidence/{made['id']}/restore")
    restored = await operator.post(f"/evidence/{changed.json()['id']}/restore")
    back = (await api.by("viewer").post("/evidence/ask", json=asked)).json()

    [question] = tried["questions"]
    assert ("bar.md", ["The bar is open until 23:00."]) == (question["answer"]["source"], question["answer"]["lines"])
    assert (2, "2030-01-31") == (changed.json()["version"], changed.json()["valid_until"])
    assert "01:00" in after["body"]
    assert after["withheld_because"] is None
    assert held["withheld_because"].startswith("It speaks of")
    assert (409, True) == (
        stale.status_code,
        stale.json()["detail"].startswith("Version 1 of bar.md is not the current one: version 2 is, by "),
    )
    assert [False, False] == [each["is_current"] for each in retired.json()["versions"]]
    assert retired.json()["retired_by"]
    assert (None, None) == (gone["body"], gone["questions"][0]["answer"])
    assert [changed.json()["id"]] == [each["id"] for each in listed]
    assert (409, True) == (too_old.status_code, "take it back in use first" in too_old.json()["detail"])
    assert (200, True, None) == (restored.status_code, *map(restored.json().get, ("is_current", "retired_by")))
    assert "01:00" in back["body"]


async def test_how_drafts_are_written_is_decided_by_an_admin(api):
    before = await api.get("/drafts/policy")
    changed = await api.by("admin").patch(
        "/drafts/policy", json={"gate": 0.7, "formality": "formal", "greetings": {"en": "Good day {name},"}}
    )
    odd = await api.by("admin").patch("/drafts/policy", json={"closings": {"en": "Yours, {who}"}})
    strange = await api.by("admin").patch(
        "/drafts/policy", json={"learn_from": ["00000000-0000-0000-0000-000000000001"]}
    )

    assert (None, "neutral", {}) == (before["gate"], before["formality"], before["greetings"])
    assert (0.7, 0.7, "formal", {"en": "Good day {name},"}) == tuple(
        changed.json()[name] for name in ("gate", "gate_now", "formality", "greetings")
    )
    assert (400, 400) == (odd.status_code, strange.status_code)
    assert "nothing is filled in here" in odd.json()["detail"]
    assert changed.json() == await api.get("/drafts/policy")


async def test_what_was_proposed_is_the_draft_response_of_the_thread(api):
    thread = await api.get(f"/threads/{api.ours['thread_id']}")

    assert "Thank you." == thread["analysis"]["draftResponse"]
