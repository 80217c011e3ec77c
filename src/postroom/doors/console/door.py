"""Opens the console's door in the web process: its pages, its errors as pages, and what it was told about the house."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI

from postroom.nouns.secrets import Secret
from postroom.rooms.tenants.oidc import Oidc


@dataclass(frozen=True, slots=True)
class Dropped:
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

    oidc: Oidc | None = None
    demo: bool = False
    simulators_url: str = ""
    send_mail: Callable[[Dropped], Awaitable[None]] | None = None


def open_door(
    app: FastAPI,
    *,
    demo: bool = False,
    simulators_url: str = "",
    send_mail: Callable[[Dropped], Awaitable[None]] | None = None,
) -> FastAPI:
    """Call it last, with `app.state.house` set."""
    from postroom.doors.console import errors, pages

    app.state.console = Console(_oidc(app.state.house), demo, simulators_url, send_mail)
    app.router.routes.extend(pages.ROUTES)
    errors.show_as_pages(app)
    return app


def _oidc(house: Any) -> Oidc | None:
    settings = house.settings
    if not (settings.oidc_issuer and settings.oidc_client_id):
        return None
    secret = settings.oidc_client_secret
    return Oidc(
        house.http,
        settings.oidc_issuer,
        settings.oidc_client_id,
        Secret(secret.get_secret_value()) if secret else None,
        house.clock,
    )
