"""Skills: what a program may ask for by name, every run of it on the trail."""

from __future__ import annotations

import base64
from typing import Any
from uuid import UUID

import jsonschema
import pytest

from doors.api.filling import PDF, PDF_HASH
from loopwatch import unblocked_loop

PAPER = b"# Breakfast\n\nBreakfast is served from 7 to 10 in the garden room.\n"
ANALYSIS = {"summary", "intent", "urgency", "suggestedChannel", "draftResponse", "reasoning"}


async def run(api, skill: str, who: str = "viewer", **body: Any) -> dict[str, Any]:
    answer = await api.by(who).post(f"/skills/{skill}/run", json=body)
    assert 200 == answer.status_code, answer.text
    told: dict[str, Any] = answer.json()
    return told


async def trail(api, kind: str) -> list[dict[str, Any]]:
    return (await api.get("/facts", kind=kind))["items"]


async def test_the_registry_says_what_each_skill_is_and_how_much_say_it_has(api):
    held = {each["id"]: each for each in (await api.get("/skills"))["items"]}

    assert {"email-analyse", "email-send", "email-fetch-attachment"} == set(held)
    analyse, fetch = held["email-analyse"], held["email-fetch-attachment"]
    assert ("code", "AskMeFirst", "operator") == tuple(
        held["email-send"][name] for name in ("executor", "authority", "role")
    )
    assert ("integration", "llm", ["email", "EmailMessage"]) == (
        analyse["category"],
        analyse["executor"],
        analyse["triggers"],
    )
    assert ("code", "JustDoIt") == (fetch["executor"], fetch["authority"])
    for each in held.values():
        jsonschema.Draft202012Validator.check_schema(each["input_schema"])
        jsonschema.Draft202012Validator.check_schema(each["output_schema"])


async def test_a_message_is_analysed_and_the_run_is_on_the_trail_with_all_ids(api):
    told = await run(api, "email-analyse", message_id=str(api.ours["message_id"]))

    assert ("email-analyse", "done", "rules") == (told["skill"], told["status"], told["model"])
    (began,), (ended,) = await trail(api, "skill.started"), await trail(api, "skill.finished")
    message = await api.get(f"/messages/{api.ours['message_id']}")
    for fact in (began, ended):
        assert told["run_id"] == fact["body"]["skill_run_id"]
        assert fact["actor"].startswith("key:viewer:")
        assert (message["mailbox_id"], message["thread_id"], message["id"]) == (
            fact["mailbox_id"],
            fact["thread_id"],
            fact["message_id"],
        )
        assert message["provider_message_id"] == fact["body"]["provider_message_id"]
    assert ("done", None, "rules") == tuple(ended["body"][name] for name in ("outcome", "error_code", "model"))


async def test_a_mail_in_words_gets_an_answer_from_papers_and_from_nothing_else(api):
    asked = {"from": "Ada <ada@client.example>", "to": ["desk@ours.test"], "subject": "Breakfast"}
    question = "Good morning, when is breakfast served? Kind regards, Ada"
    without = await run(api, "email-analyse", **asked, body=question)
    await api.by("admin").post("/evidence", files={"file": ("breakfast.md", PAPER)})
    told = await run(api, "email-analyse", **asked, body=question)

    assert ANALYSIS == set(told["output"])
    assert None is without["output"]["draftResponse"]
    assert "from 7 to 10 in the garden room" in told["output"]["draftResponse"]
    assert "question" == told["output"]["intent"]
    schema = next(each for each in (await api.get("/skills"))["items"] if each["id"] == "email-analyse")
    jsonschema.validate(told["output"], schema["output_schema"])
    ended = next(each for each in await trail(api, "skill.finished") if each["body"]["skill_run_id"] == told["run_id"])
    paper = next(each for each in (await api.get("/evidence"))["items"] if each["name"] == "breakfast.md")
    assert paper["id"] in ended["body"]["evidence_ids"]


@pytest.mark.parametrize(
    ("sender", "body", "analysed", "because"),
    [
        ("no-reply@shop.example", "Your parcel is on its way.", False, "no-reply"),
        ("ada@client.example", "I want my money back, or my lawyer will write to you.", True, ""),
    ],
)
async def test_what_is_not_for_us_is_not_analysed_and_what_is_sensitive_is_not_answered(
    api, sender, body, analysed, because
):
    await api.by("admin").post("/evidence", files={"file": ("money.md", b"# Money\n\nYour money is safe with us.\n")})
    told = await run(api, "email-analyse", **{"from": sender}, to=["desk@ours.test"], subject="News", body=body)

    assert analysed == (told["output"] is not None)
    assert because in told["because"].lower()
    assert not analysed or told["output"]["draftResponse"] is None


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"from": "ada@client.example"},
        {"body": "When?"},
        {"message_id": str(UUID(int=1)), "thread_id": str(UUID(int=2))},
        {"message_id": str(UUID(int=1)), "from": "ada@client.example", "body": "When?"},
        {"input": {"message_id": str(UUID(int=1))}},
    ],
)
async def test_a_run_is_about_one_mail(api, body):
    assert 422 == (await api.by("viewer").post("/skills/email-analyse/run", json=body)).status_code
    assert [] == await trail(api, "skill.started")


async def test_a_long_thread_in_words_leaves_the_loop_alone(api):
    one = {"from": "ada@client.example", "body": "> When is breakfast served?\n" * 3_500}
    await run(api, "email-analyse", **one)  # lists of words are read once

    async with unblocked_loop():
        told = await run(api, "email-analyse", **one, thread=[one] * 4)

    assert "done" == told["status"]


async def test_a_file_is_fetched_with_its_bytes_only_when_they_are_asked_for(api):
    about = {"message_id": str(api.ours["message_id"]), "sha256": PDF_HASH}
    told = await run(api, "email-fetch-attachment", **about)
    full = await run(api, "email-fetch-attachment", **about, with_content=True)

    assert ("note.pdf", "application/pdf", len(PDF), None) == tuple(
        told["output"][name] for name in ("filename", "content_type", "size", "content")
    )
    assert PDF == base64.b64decode(full["output"]["content"])
    path = told["output"]["path"].removeprefix("/api/v1")
    assert PDF == (await api.by("viewer").get(path)).content
    assert ["done", "done"] == [each["body"]["outcome"] for each in await trail(api, "skill.finished")]


async def test_sending_ends_in_a_proposal_that_only_a_person_lets_go(api):
    about = {"message_id": str(api.ours["message_id"]), "body": "Thank you, we have it."}
    agent = await api.key("operator", ["skills", "proposals"], name="agent")
    told = await run(api, "email-send", agent, **about)

    proposal = told["output"]
    assert ("AskMeFirst", "waiting", "waiting", "reply", "program") == (
        told["authority"],
        told["status"],
        proposal["status"],
        proposal["kind"],
        proposal["origin"],
    )
    assert proposal == await api.get(f"/proposals/{proposal['id']}")
    (ended,) = await trail(api, "skill.finished")
    assert ("waiting", proposal["id"]) == (ended["body"]["outcome"], ended["body"]["proposal_id"])
    assert str(api.ours["message_id"]) == ended["message_id"]
    made = (await trail(api, "proposal.made"))[0]
    assert (proposal["id"], proposal["hash"]) == (made["body"]["proposal_id"], made["body"]["hash"])
    yes = await api.by(agent).post(f"/proposals/{proposal['id']}/approve", json={"hash": proposal["hash"]})
    assert (403, True) == (yes.status_code, "scope approvals" in yes.json()["detail"])
    assert "waiting" == (await api.get(f"/proposals/{proposal['id']}"))["status"]
    decided = await trail(api, "proposal.approved")
    assert [] == [each for each in decided if each["body"]["proposal_id"] == proposal["id"]]


async def test_a_viewer_proposes_nothing_and_what_can_never_be_sent_is_refused(api):
    about = {"to": ["nobody"], "subject": "News", "body": "Hello."}
    before = await trail(api, "proposal.made")
    assert 403 == (await api.by("viewer").post("/skills/email-send/run", json=about)).status_code
    refused = await api.by("operator").post("/skills/email-send/run", json=about)
    theirs = {"message_id": str(api.theirs["message_id"]), "body": "Hello."}

    assert (400, "application/problem+json") == (refused.status_code, refused.headers["content-type"])
    assert 404 == (await api.by("operator").post("/skills/email-send/run", json=theirs)).status_code
    assert ["failed"] == [each["body"]["outcome"] for each in await trail(api, "skill.finished")]
    assert before == await trail(api, "proposal.made")


async def test_a_run_that_fails_says_so_on_the_trail(api):
    about = {"message_id": str(api.ours["message_id"]), "sha256": "f" * 64}
    answer = await api.by("viewer").post("/skills/email-fetch-attachment/run", json=about)

    assert (404, "This message has no such file.") == (answer.status_code, answer.json()["detail"])
    (ended,) = await trail(api, "skill.finished")
    assert ("failed", "This message has no such file.") == (ended["body"]["outcome"], ended["body"]["because"])
    assert "non_retryable" == ended["body"]["error_class"]


async def test_another_tenants_mail_is_not_there_and_no_run_begins(api):
    for skill, body in (
        ("email-analyse", {"message_id": str(api.theirs["message_id"])}),
        ("email-analyse", {"thread_id": str(api.theirs["thread_id"])}),
        ("email-fetch-attachment", {"message_id": str(api.theirs["message_id"]), "sha256": PDF_HASH}),
    ):
        assert 404 == (await api.by("admin").post(f"/skills/{skill}/run", json=body)).status_code
    assert [] == await trail(api, "skill.started")


async def test_a_skill_that_there_is_not_is_named_and_a_key_needs_the_scope(api):
    answer = await api.by("viewer").post("/skills/email-forge/run", json={})
    assert (404, True) == (answer.status_code, "email-analyse" in answer.json()["detail"])
    limited = api.by(await api.key("admin", ["messages"]))
    assert 403 == (await limited.get("/skills")).status_code
    assert 403 == (await limited.post("/skills/email-analyse/run", json={})).status_code
