"""The same simulator behind TLS, and Microsoft's own client for it."""

from __future__ import annotations

import asyncio
import ssl
import warnings

import pytest
import trustme
from aiohttp import web
from aiohttp.test_utils import TestServer

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the vendors' modules warn about one another
    import httpx
    from azure.identity import ClientSecretCredential
    from kiota_authentication_azure.azure_identity_authentication_provider import AzureIdentityAuthenticationProvider
    from msgraph import GraphRequestAdapter, GraphServiceClient
    from msgraph_core import GraphClientFactory
from simulators.graph.vendors.over_tls import Tls


@pytest.fixture
async def tls(desk, tmp_path, monkeypatch):
    """The same simulator behind TLS, with a certificate authority made for the test."""
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        monkeypatch.delenv(name, raising=False)
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1", "localhost").configure_cert(context)
    ca = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(str(ca))
    app = web.Application()
    app.add_routes(desk.sim.routes())
    server = TestServer(app, scheme="https")
    await server.start_server(ssl=context)
    yield Tls(str(server.make_url("")).rstrip("/"), str(ca))
    await desk.until(lambda: not server.runner.server.connections)  # TLS needs a moment to say goodbye
    await server.close()


class InThread:
    """azure-identity's blocking client, beside the loop that serves it."""

    def __init__(self, credential: ClientSecretCredential) -> None:
        self._credential = credential

    async def get_token(self, *scopes: str, **_options: object) -> object:
        return await asyncio.to_thread(self._credential.get_token, *scopes)


@pytest.fixture
async def graph(tls):
    """msgraph-sdk with azure-identity, over TLS."""
    credential = ClientSecretCredential(
        "desk.test", "app", "secret", authority=tls.base, disable_instance_discovery=True, connection_verify=tls.ca
    )
    provider = AzureIdentityAuthenticationProvider(
        InThread(credential),
        scopes=["https://graph.microsoft.com/.default"],
        allowed_hosts=["127.0.0.1", f"127.0.0.1:{tls.port}"],
    )
    context = ssl.create_default_context(cafile=tls.ca)
    transport = httpx.AsyncHTTPTransport(verify=context)
    bare = httpx.AsyncClient(base_url=f"{tls.base}/v1.0", transport=transport, trust_env=False)
    client = GraphClientFactory.create_with_default_middleware(client=bare)
    adapter = GraphRequestAdapter(provider, client=client)
    adapter.base_url = f"{tls.base}/v1.0"
    yield GraphServiceClient(request_adapter=adapter)
    await client.aclose()
    await transport.aclose()  # the middleware that now wraps it does not
    await asyncio.to_thread(credential.close)
