"""The web application: all doors. Apart from `house`, because a worker and most commands start sooner without."""

from __future__ import annotations

import hmac
from functools import partial

from starlette.requests import Request

from postroom.app.house import House
from postroom.doors import api, console, health, oauth, webhooks
from postroom.doors.http import make_app
from postroom.nouns.errors import NotAllowed
from postroom.nouns.facts import SecurityNoted
from postroom.nouns.facts.mailboxes import UNNAMED_PROXY
from postroom.nouns.ids import TenantId
from postroom.nouns.secrets import Secret
from postroom.outside.gmail import hook as gmail_hook
from postroom.outside.gmail.certs import GoogleCerts
from postroom.outside.graph import hook as graph_hook
from postroom.outside.oidc import OidcProvider
from postroom.rooms.mailboxes import watch_store
from postroom.rooms.tenants import store as tenant_store


def web_app(house: House) -> webhooks.WebhookApp:
    """All doors of the web process."""
    app = make_app(
        [*health.ROUTES, *oauth.ROUTES],
        https=house.settings.outside_url.startswith("https://"),
        note_proxy=partial(_note_proxy, house),
        db=house.db,
        vitals=house.vitals,
        house=house,
    )
    api.mount(app)
    if house.demo is None:
        console.mount(app, oidc=_identity_provider(house))
    else:
        console.mount(app, demo=True, simulators_url=house.demo.simulators_url, send_mail=house.demo.send_mail)
    gate = _webhook_gate(house)
    house.last_words.append(gate.tell_the_rest)
    return webhooks.WebhookApp(app, gate)


async def _note_proxy(house: House, peer: str) -> None:
    """For `postroom doctor`, which runs in another process."""
    tenant = await tenant_store.tenant_by_name(house.db, "default")
    if tenant is not None:
        scope = house.scope(tenant.tenant_id, "door")
        async with scope.finish() as tx:
            await scope.tell(tx, SecurityNoted(what=UNNAMED_PROXY, source=peer))


def _identity_provider(house: House) -> OidcProvider | None:
    settings = house.settings
    if not (settings.oidc_issuer and settings.oidc_client_id):
        return None
    secret = settings.oidc_client_secret
    return OidcProvider(
        house.http,
        settings.oidc_issuer,
        settings.oidc_client_id,
        Secret(secret.get_secret_value()) if secret else None,
        house.clock,
        trust_unverified=settings.oidc_trust_unverified_email,
    )


def _webhook_gate(house: House) -> webhooks.WebhookGate:
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

    return webhooks.WebhookGate(
        find=partial(watch_store.subscription_owners, house.db),
        find_addresses=partial(watch_store.address_owners, house.db),
        intake=house.intake(),
        house_tenant=house_tenant,
        parse_graph=graph_hook.notifications,
        parse_gmail=partial(gmail_hook.notification, subscription=settings.gmail_subscription),
        verify_gmail=verify,
    )


def _equal(said: str, known: str) -> bool:
    return hmac.compare_digest(said.encode(), known.encode())
