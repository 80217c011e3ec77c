"""Hangs the doors: apart from `app`, because a worker and most commands need none and start sooner without."""

from __future__ import annotations

import hmac
from functools import partial

from starlette.requests import Request

from postroom.app.house import House
from postroom.doors import api, health, oauth
from postroom.doors import webhooks as hooks
from postroom.doors.console import open_door
from postroom.doors.http import make_app
from postroom.nouns.errors import NotAllowed
from postroom.nouns.ids import TenantId
from postroom.outside.gmail import hook as gmail_hook
from postroom.outside.gmail.certs import GoogleCerts
from postroom.outside.graph import hook as graph_hook
from postroom.rooms.mailboxes import store as mailbox_store
from postroom.rooms.tenants import store as tenant_store


def web_app(house: House) -> hooks.Porch:
    """All doors of the web process."""
    app = make_app([*health.ROUTES, *oauth.ROUTES], db=house.db, house=house)
    api.mount(app)
    if house.demo is None:
        open_door(app)
    else:
        open_door(app, demo=True, simulators_url=house.demo.simulators_url, send_mail=house.demo.send_mail)
    porter = _porter(house)
    house.last_words.append(porter.tell_the_rest)
    return hooks.Porch(app, porter)


def _porter(house: House) -> hooks.Porter:
    settings, certs = house.settings, GoogleCerts(house.http, house.settings.google_certs_url, house.clock)

    async def house_tenant() -> TenantId | None:
        found = await tenant_store.tenant_by_name(house.db, "default")
        return found.tenant_id if found else None

    async def verify(request: Request) -> None:
        if settings.gmail_push_token is not None:  # a second factor, never the only one
            said = request.query_params.get("token", "")
            if not _equal(said, settings.gmail_push_token.get_secret_value()):
                raise NotAllowed("The push's address carries a wrong token.")
        await gmail_hook.verify(
            request.headers.get("authorization"),
            certs.key,
            audience=settings.gmail_audience or "",
            service_account=settings.gmail_service_account or "",
            now=house.clock(),
        )

    return hooks.Porter(
        find=partial(mailbox_store.ringing_subscriptions, house.db),
        find_addresses=partial(mailbox_store.ringing_addresses, house.db),
        intake=house.intake(),
        house_tenant=house_tenant,
        parse_graph=graph_hook.notices,
        parse_gmail=partial(gmail_hook.notice, subscription=settings.gmail_subscription),
        verify_gmail=verify,
    )


def _equal(said: str, known: str) -> bool:
    return hmac.compare_digest(said.encode(), known.encode())
