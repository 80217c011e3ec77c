"""An agent with the official client of the Model Context Protocol: it reads, analyses, fetches and proposes; never approves."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from doors.api.filling import PDF, PDF_HASH
from stories.office import free_port

NEVER = ("approve", "revoke", "discard", "send_", "delete", "policy", "key")
COMMAND = [sys.executable, "-m", "postroom", "mcp"]


def environment(api, key: str | None, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("POSTROOM_")}
    said = {"POSTROOM_API_URL": api.url, **({"POSTROOM_API_KEY": key} if key else {}), **more}
    return {**kept, **said}


@contextlib.asynccontextmanager
async def agent(api, key: str) -> AsyncIterator[Client]:
    """The real command as a process of its own, spoken to over its standard input and output."""
    server = StdioServerParameters(command=COMMAND[0], args=COMMAND[1:], env=environment(api, key))
    async with Client(server) as client:
        yield client


def told(result: Any) -> Any:
    assert not result.is_error, result.content[0].text
    assert json.loads(result.content[0].text) == result.structured_content
    return result.structured_content


async def test_an_agent_reads_analyses_and_fetches_and_every_run_is_on_the_trail(api):
    key = await api.key("operator", ["skills", "threads", "messages"], name="agent")
    async with agent(api, key) as client:
        tools = {each.name: each for each in (await client.list_tools()).tools}
        threads = told(await client.call_tool("list_threads", {"limit": 5}))
        thread = told(await client.call_tool("read_thread", {"thread_id": threads["items"][0]["id"]}))
        message = told(await client.call_tool("read_message", {"message_id": str(api.ours["message_id"])}))
        analysed = told(await client.call_tool("email-analyse", {"message_id": message["id"]}))
        fetched = await client.call_tool(
            "email-fetch-attachment", {"message_id": message["id"], "sha256": PDF_HASH, "with_content": True}
        )

    assert {"list_threads", "read_thread", "list_messages", "read_message"} < set(tools)
    assert "list_drafts" not in tools  # the key has no such scope
    assert {True} == {tools[name].annotations.read_only_hint for name in ("read_thread", "email-analyse")}
    assert threads["items"][0]["id"] == thread["id"]
    assert ("email-analyse", "done") == (analysed["skill"], analysed["status"])
    assert "content" not in told(fetched)["output"]
    assert PDF == base64.b64decode(fetched.content[1].resource.blob)
    runs = (await api.get("/facts", "admin", kind="skill.finished"))["items"]
    assert {"email-analyse", "email-fetch-attachment"} == {each["body"]["skill"] for each in runs}
    assert all(each["actor"].startswith("key:agent:") for each in runs)


async def test_what_an_agent_proposes_waits_for_a_person_and_the_agent_cannot_say_yes(api):
    key = await api.key("operator", ["skills", "proposals", "messages"], name="agent")
    async with agent(api, key) as client:
        send = next(each for each in (await client.list_tools()).tools if each.name == "email-send")
        asked = {"message_id": str(api.ours["message_id"]), "body": "Thank you, we have it."}
        made = told(await client.call_tool("email-send", asked))
        seen = told(await client.call_tool("read_proposal", {"proposal_id": made["output"]["id"]}))
        odd = await client.call_tool("email-send", {"to": ["x"], "body": "Hello."})

    assert (False, False) == (send.annotations.read_only_hint, send.annotations.destructive_hint)
    assert ("waiting", "waiting", made["output"]["hash"]) == (made["status"], seen["status"], seen["hash"])
    assert odd.is_error
    path, body = f"/proposals/{seen['id']}/approve", {"hash": seen["hash"]}
    assert 403 == (await api.by(key).post(path, json=body)).status_code  # nor past the tools, with that key
    assert "waiting" == (await api.get(f"/proposals/{seen['id']}"))["status"]


async def test_whatever_the_key_may_there_is_no_tool_that_decides(api):
    async with agent(api, api.keys["admin"]) as client:
        names = [each.name for each in (await client.list_tools()).tools]
        refused = [await client.call_tool(name, {}) for name in ("approve", "approve_proposal", "proposals/approve")]

    assert [] == [name for name in names if any(word in name for word in NEVER)]
    assert [True] * 3 == [each.is_error for each in refused]
    assert "There is no tool" in refused[0].content[0].text


async def test_what_a_model_writes_cannot_leave_its_tool(api):
    outside = ["../keys", "%2e%2e/keys", str(api.ours["message_id"]) + "/retry", "", None, 7]
    async with agent(api, api.keys["admin"]) as client:
        tried = [await client.call_tool("read_message", {"message_id": each}) for each in outside]
        odd = await client.call_tool("read_message", {"message_id": str(api.ours["message_id"]), "role": "admin"})
        theirs = await client.call_tool("read_message", {"message_id": str(api.theirs["message_id"])})

    assert [True] * 8 == [each.is_error for each in (*tried, odd, theirs)]
    assert "an id as the lists give it" in tried[0].content[0].text
    assert "There is no message" in theirs.content[0].text


async def test_a_viewer_may_not_propose_and_a_revoked_key_opens_nothing_more(api):
    key = await api.key("viewer", name="watcher")
    async with agent(api, key) as client:
        names = [each.name for each in (await client.list_tools()).tools]
        held = next(each for each in (await api.get("/keys", "admin"))["items"] if each["name"] == "watcher")
        assert 200 == (await api.by("admin").post(f"/keys/{held['id']}/revoke")).status_code
        after = await client.call_tool("list_threads", {})

    assert "email-analyse" in names
    assert "email-send" not in names
    assert (True, True) == (after.is_error, "revoked" in after.content[0].text)


@pytest.mark.parametrize(
    ("key", "more", "code", "words"),
    [
        (None, {}, 2, "postroom key create --name agent"),
        ("pr_" + "x" * 43, {}, 1, "not known here, was revoked, or has expired"),
        (
            "pr_" + "x" * 43,
            {"POSTROOM_API_URL": "http://127.0.0.1:9"},
            1,
            "Postroom does not answer at http://127.0.0.1:9",
        ),
        ("pr_" + "x" * 43, {"POSTROOM_API_URL": "mailto:us"}, 2, "POSTROOM_API_URL"),
    ],
)
async def test_a_start_that_cannot_work_says_why_in_a_sentence(api, key, more, code, words):
    process = await asyncio.create_subprocess_exec(
        *COMMAND,
        env=environment(api, key, **more),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()

    said = " ".join(err.decode().split())
    assert (code, b"", True) == (process.returncode, out, words in said), said
    assert "Traceback" not in said


async def test_without_the_extra_it_says_how_to_get_it(api):
    hide = "import sys; sys.modules['mcp'] = None; sys.argv = ['postroom', 'mcp']; from postroom.cli import app; app()"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", hide, env=environment(api, "pr_x"), stderr=asyncio.subprocess.PIPE
    )
    _, err = await process.communicate()

    assert (2, True) == (process.returncode, "pip install 'postroom[mcp]'" in err.decode())


async def test_over_http_every_caller_brings_a_key_of_their_own(api):
    port = free_port()
    process = await asyncio.create_subprocess_exec(
        *COMMAND, "--listen", f"127.0.0.1:{port}", env=environment(api, None), stderr=asyncio.subprocess.PIPE
    )
    url = f"http://127.0.0.1:{port}/mcp"
    try:
        async with httpx.AsyncClient(trust_env=False) as stranger:
            while True:
                with contextlib.suppress(httpx.TransportError):
                    assert 401 == (await stranger.post(url, json={})).status_code
                    break
                assert process.returncode is None
                await asyncio.sleep(0.1)
        seen = {}
        for role in ("viewer", "admin"):
            headers = {"Authorization": f"Bearer {await api.key(role, ['skills', 'messages'])}"}
            async with (
                httpx.AsyncClient(headers=headers, trust_env=False) as http,
                Client(streamable_http_client(url, http_client=http)) as client,
            ):
                seen[role] = [each.name for each in (await client.list_tools()).tools]
                assert str(api.ours["message_id"]) in json.dumps(told(await client.call_tool("list_messages", {})))
    finally:
        process.terminate()
        await process.wait()
    assert set(seen["viewer"]) <= set(seen["admin"])
    assert not any(name.startswith("list_threads") for name in seen["admin"])
