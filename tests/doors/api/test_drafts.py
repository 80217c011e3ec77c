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
    [listed] = (await api.get("/evidence"))["items"]
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
