"""Running the simulators as a service, and dropping mail into one that runs."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import aiohttp

from postroom_simulators.scenarios import SCENARIOS
from postroom_simulators.world import World


class MailNotSent(Exception):
    """The letter did not go in; the message says why and what to do."""


async def serve(
    host: str,
    port: int,
    scenarios: Sequence[str],
    *,
    speed: float = 1.0,
    drip: float = 0.0,
    seed: int = 0,
    on_ready: Callable[[World], None] | None = None,
) -> None:
    """Serve until cancelled. `drip` is the pause between endless mails in seconds, 0 is none."""
    if unknown := sorted(set(scenarios) - set(SCENARIOS)):
        raise ValueError(f"There is no scenario {', '.join(unknown)}; choose from {', '.join(SCENARIOS)}.")
    world = World(seed)
    await world.start(host, port)
    try:
        if on_ready is not None:
            on_ready(world)
        async with asyncio.TaskGroup() as stories:
            for name in scenarios:
                stories.create_task(world.play(await world.tell(name, seed=seed), speed))
            if drip:
                stories.create_task(world.drip(drip, seed=seed))
            stories.create_task(_for_ever())
    finally:
        await world.stop()


async def _for_ever() -> None:
    await asyncio.Event().wait()


async def send_letter(
    base_url: str,
    *,
    sender: str,
    to: Sequence[str],
    subject: str,
    text: str = "",
    html: str | None = None,
    cc: Sequence[str] = (),
    attachments: Sequence[Path] = (),
    raw: Path | None = None,
    verdict: str = "pass",
) -> dict[str, str]:
    """Drop a mail in; returns the message id in each mailbox it reached. `raw` is an .eml file to send as it is."""
    body: dict[str, Any] = {"to": list(to), "cc": list(cc)}
    if raw is not None:
        body["raw"] = _base64(raw)
    else:
        body |= {"from": sender, "subject": subject, "text": text, "html": html, "verdict": verdict}
        body["attachments"] = [{"filename": path.name, "content": _base64(path)} for path in attachments]
    return dict((await _post(base_url, "/control/letters", body))["delivered"])


def _base64(path: Path) -> str:
    try:
        return b64encode(path.read_bytes()).decode()
    except OSError as error:
        raise MailNotSent(f"{path} cannot be read: {error.strerror}.") from error


async def _post(base_url: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30)) as session,
            session.post(base_url.rstrip("/") + path, json=body) as answer,
        ):
            found: dict[str, Any] = await answer.json()
    except (aiohttp.ClientError, TimeoutError, ValueError) as error:
        raise MailNotSent(
            f"No simulator answers at {base_url}; start one with `postroom simulate`. ({error})"
        ) from error
    if "error" in found:
        raise MailNotSent(str(found["error"]))
    return found
