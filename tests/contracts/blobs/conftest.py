"""Archives to prove ours against: a folder, moto's S3, an emulated GCS behind a strict gate, Azurite."""

import asyncio
import base64
import contextlib
import hashlib
import hmac
import io
import json
import re
import subprocess
import threading
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import aiohttp
import boto3
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from gcp_storage_emulator.server import create_server
from moto.server import ThreadedMotoServer
from yarl import URL

from contracts.blobs.archives import opened
from needs import need_package
from postroom.outside.blobs import Archive
from shared_services import shared

# The same on every Azurite, and public.
AZURITE_KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
AZURITE = Path(__file__).parent / "azurite"


@dataclass
class Seen:
    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes


@dataclass
class Gate:
    """Stands before the emulator, notes each request, and honours `ifGenerationMatch=0`, which it ignores."""

    behind: str
    base: str = ""
    seen: list[Seen] = field(default_factory=list)
    answers: list[web.Response] = field(default_factory=list)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def pass_on(self, request: web.Request) -> web.Response:
        body = await request.read()
        self.seen.append(Seen(request.method, request.raw_path, dict(request.query), dict(request.headers), body))
        if self.answers:
            return self.answers.pop(0)
        async with self.turn, aiohttp.ClientSession() as http:
            if request.query.get("ifGenerationMatch") == "0" and await self.taken(http, request, body):
                return web.json_response({"error": {"errors": [{"reason": "conditionNotMet"}]}}, status=412)
            return await self.forward(http, request.method, request.raw_path, request.headers, body)

    async def taken(self, http: aiohttp.ClientSession, request: web.Request, body: bytes) -> bool:
        name = json.loads(body.split(b"\r\n\r\n")[1].split(b"\r\n")[0])["name"]
        path = request.path.removeprefix("/upload") + "/" + quote(name, safe="")
        return (await self.forward(http, "GET", path, {}, b"")).status == 200

    async def forward(self, http, method, path, headers, body) -> web.Response:
        kept = {name: value for name, value in headers.items() if name.lower() == "content-type"}
        async with http.request(
            method, URL(self.behind + path, encoded=True), headers=kept, data=io.BytesIO(body)
        ) as said:
            return web.Response(status=said.status, body=await said.read())


@pytest.fixture(scope="session")
def gcs_emulator() -> Iterator[str]:
    server = create_server("127.0.0.1", 0, in_memory=True, default_bucket="box")
    server.start()
    host, port = server._api._httpd.server_address
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
async def gate(gcs_emulator):
    gate = Gate(gcs_emulator)
    app = web.Application(client_max_size=64 << 20)
    app.router.add_route("*", "/{path:.*}", gate.pass_on)
    async with TestServer(app) as server:
        gate.base = str(server.make_url("")).rstrip("/")
        yield gate


@pytest.fixture
def gcs(gate) -> Archive:
    return opened(f"gs://box/{uuid.uuid4()}", STORAGE_EMULATOR_HOST=gate.base)


def _one_at_a_time(app):
    """S3 checks and writes in one step; moto does it in two, and its threads come in between."""
    turn = threading.Lock()

    def taking_turns(environ, start_response):
        with turn:
            return list(app(environ, start_response))

    return taking_turns


@pytest.fixture(scope="session")
def s3_options() -> Iterator[dict[str, str]]:
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    server._server.app = _one_at_a_time(server._server.app)
    host, port = server.get_host_and_port()
    options = {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "any",
        "AWS_SECRET_ACCESS_KEY": "any",
        "AWS_REGION": "us-east-1",
    }
    client = boto3.client(
        "s3",
        endpoint_url=options["AWS_ENDPOINT_URL"],
        region_name="us-east-1",
        aws_access_key_id="any",
        aws_secret_access_key="any",
    )
    client.create_bucket(Bucket="box")
    client.close()
    yield options
    server.stop()


@pytest.fixture
def s3(s3_options) -> Archive:
    return opened(f"s3://box/{uuid.uuid4()}", **s3_options)


@pytest.fixture
def folder(tmp_path) -> Archive:
    return opened(f"file://{quote(str(tmp_path))}/my%20archive")


@pytest.fixture(scope="session")
def azure_options(request, tmp_path_factory) -> Iterator[dict[str, str]]:
    need_package(AZURITE, "azurite")
    with shared(request.config.postroom_home, "azurite", azurite(tmp_path_factory.mktemp("azurite"))) as options:
        yield options


@contextlib.contextmanager
def azurite(home: Path) -> Iterator[dict[str, str]]:
    command = [
        str(AZURITE / "node_modules" / ".bin" / "azurite-blob"),
        "--blobHost",
        "127.0.0.1",
        "--blobPort",
        "0",
        "--inMemoryPersistence",
        "--silent",
    ]
    command += ["--disableTelemetry", "--skipApiVersionCheck"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=home) as server:
        assert server.stdout is not None
        try:
            port = next(found[1] for line in server.stdout if (found := re.search(r"listens on .*:(\d+)", line)))
            endpoint = f"http://127.0.0.1:{port}/devstoreaccount1"
            asyncio.run(_make_container(endpoint))
            yield {
                "AZURE_STORAGE_ACCOUNT_NAME": "devstoreaccount1",
                "AZURE_STORAGE_ACCOUNT_KEY": AZURITE_KEY,
                "AZURE_STORAGE_ENDPOINT": endpoint,
            }
        finally:
            server.terminate()
            server.communicate()  # it says goodbye, and would stumble over a closed pipe


async def _make_container(endpoint: str) -> None:
    """Signed by hand: obstore makes no containers."""
    date = datetime.now(UTC).strftime("%a, %d %b %Y %H:%M:%S GMT")
    stated = f"x-ms-date:{date}\nx-ms-version:2021-08-06\n"
    signed = "PUT" + "\n" * 12 + stated + "/devstoreaccount1/devstoreaccount1/box\nrestype:container"
    digest = hmac.new(base64.b64decode(AZURITE_KEY), signed.encode(), hashlib.sha256).digest()
    headers = {
        "x-ms-date": date,
        "x-ms-version": "2021-08-06",
        "Authorization": f"SharedKey devstoreaccount1:{base64.b64encode(digest).decode()}",
    }
    url = f"{endpoint}/box?restype=container"
    async with (
        aiohttp.ClientSession() as http,
        http.put(url, headers=headers, skip_auto_headers=["Content-Type"]) as answer,
    ):
        assert answer.status == 201, await answer.text()


@pytest.fixture
def azure(azure_options) -> Archive:
    return opened(f"az://box/{uuid.uuid4()}", **azure_options)


@pytest.fixture(params=["folder", "s3", "gcs", pytest.param("azure", marks=pytest.mark.service)])
def blobs(request) -> Archive:
    return request.getfixturevalue(request.param)
