"""Adds the console to the web process: its pages, its errors as pages, and what it was told about the house."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from fastapi import FastAPI

from postroom.rooms.tenants.ports import IdentityProvider


@dataclass(frozen=True, slots=True)
class DemoMail:
    """A mail that a visitor of the demo wants to arrive."""

    mailbox: str
    sender: str
    subject: str
    text: str
    filename: str = ""
    content: bytes = b""


@dataclass(frozen=True, slots=True)
class Console:
    """What the pages know besides the house."""

    oidc: IdentityProvider | None = None
    demo: bool = False
    simulators_url: str = ""
    send_mail: Callable[[DemoMail], Awaitable[None]] | None = None


def mount(
    app: FastAPI,
    *,
    oidc: IdentityProvider | None = None,
    demo: bool = False,
    simulators_url: str = "",
    send_mail: Callable[[DemoMail], Awaitable[None]] | None = None,
) -> FastAPI:
    """Call it last, with `app.state.house` set."""
    from postroom.doors.console import errors, routes

    app.state.console = Console(oidc, demo, simulators_url, send_mail)
    app.router.routes.extend(routes.ROUTES)
    errors.show_as_pages(app)
    return app
