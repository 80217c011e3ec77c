"""Tools for language models, over the Model Context Protocol."""

from __future__ import annotations

import importlib.util
from typing import Annotated

import typer

from postroom import logs, settings
from postroom.cli.printing import err
from postroom.cli.running import run
from postroom.nouns.errors import Misconfigured
from postroom.nouns.secrets import Secret

NO_EXTRA = "The Model Context Protocol is an extra: pip install 'postroom[mcp]'."
NO_KEY = (
    "Set POSTROOM_API_KEY to a key for the agent. Make one that can propose and never approve: "
    "postroom key create --name agent --role operator --scope skills --scope threads --scope messages --scope proposals"
)


def mcp(
    listen: Annotated[
        str | None,
        typer.Option(help="host:port: over HTTP instead of standard input and output; callers bring their own keys."),
    ] = None,
) -> None:
    """Tools for language models: read, analyse, fetch and propose with a key; never approve.

    Speaks over standard input and output with the key in POSTROOM_API_KEY, to the web process at POSTROOM_API_URL.
    """
    if importlib.util.find_spec("mcp") is None:
        err.print(NO_EXTRA, style="red", highlight=False)
        raise typer.Exit(2)
    run(_serve(listen))


async def _serve(listen: str | None) -> None:
    from postroom.app.agents import serve_http, serve_stdio

    ours = settings.load()
    logs.set_up(ours.log_format, ours.log_level)
    url = ours.api_url or ours.outside_url
    if listen is not None:
        await serve_http(url, *_place(listen))
        return
    if ours.api_key is None:
        raise Misconfigured(NO_KEY)
    await serve_stdio(url, Secret(ours.api_key.get_secret_value()))


def _place(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise Misconfigured(f"{text!r} is no place to listen at: write host:port, such as 127.0.0.1:8026.")
    return host.strip("[]"), int(port)
