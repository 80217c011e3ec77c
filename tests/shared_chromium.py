"""One chromium for all browser tests: starting it costs more than most of them do.

Each test has contexts of its own, which share nothing. For each context chromium draws the popup of an address bar that
nobody sees, twice, and starts a process that nobody asked for: together more work than most pages are, so both are off.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import shlex
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import aiohttp
from playwright._impl._driver import compute_driver_executable, get_driver_env
from playwright._impl.browser import Browser as RemoteBrowser
from playwright._impl.connection import Connection
from playwright.async_api import Browser

from needs import CHROMIUM

ARGUMENTS = [
    "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run",
    # A page that asks for a font from elsewhere would wait as long as its name is looked up.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]  # fmt: skip
UNSEEN = "WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess"
# Of two lists of features to turn off chromium takes the last: ours is added to playwright's.
STARTER = """#!/bin/sh
for given; do
    shift
    case $given in --disable-features=*) given=$given,%s ;; esac
    set -- "$@" "$given"
done
exec %s "$@"
"""


@contextlib.contextmanager
def running(folder: Path) -> Iterator[str]:
    """Hands out the address that playwright connects to."""
    starter, config = folder / "chromium", folder / "chromium.json"
    starter.write_text(STARTER % (UNSEEN, shlex.quote(CHROMIUM)))
    starter.chmod(0o755)
    config.write_text(json.dumps({"executablePath": str(starter), "args": ARGUMENTS}))
    command = [*compute_driver_executable(), "launch-server", "--browser", "chromium", "--config", str(config)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=get_driver_env()) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.terminate()


@contextlib.asynccontextmanager
async def connected(address: str) -> AsyncIterator[Browser]:
    """The running browser, spoken to directly: playwright's own `connect` starts a program for each test that only passes on
    what is said, and starting it costs more than most tests do."""
    async with aiohttp.ClientSession() as session, session.ws_connect(address, max_msg_size=0) as line:
        connection, unsent = Connection(asyncio.get_running_loop()), asyncio.Queue[Any]()
        connection.mark_as_remote()
        connection.onmessage = unsent.put_nowait

        async def speak() -> None:
            while True:
                await line.send_str(json.dumps(await unsent.get()))

        async def hear() -> None:
            try:
                async for said in line:
                    connection.dispatch(json.loads(said.data))
                    await asyncio.sleep(0)  # who waits for this message goes on before the next one
            finally:
                connection.close()  # who still waits for an answer is told

        talk = [asyncio.create_task(speak()), asyncio.create_task(hear())]
        playwright = await connection.initialize_playwright()
        browser = RemoteBrowser.from_(playwright._initializer["preLaunchedBrowser"])
        browser._connect_to_browser_type(playwright.chromium, {}, None)
        yield Browser(browser)
        await line.close()
        talk[0].cancel()
        await asyncio.wait(talk)
        talk[1].result()
