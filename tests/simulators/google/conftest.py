"""A simulated Google on a loopback port, and Google's own client pointed at it."""

import asyncio
import base64
import json
from email.message import EmailMessage
from email.policy import SMTP

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from google.auth.credentials import AnonymousCredentials
from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build
from googleapiclient.discovery_cache import get_static_doc
from googleapiclient.errors import HttpError

from postroom_simulators.clock import SimClock
from postroom_simulators.faults import Faults
from postroom_simulators.google import GoogleSim
from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.recorder import Recorder

ANNA = "anna@office.test"
FULL = "https://mail.google.com/"


@pytest.fixture
def clock():
    return SimClock()


@pytest.fixture
def faults():
    return Faults(seed=1)


@pytest.fixture
def recorder():
    return Recorder()


@pytest.fixture
async def sim(clock, faults, recorder):
    google = GoogleSim(clock, faults, recorder)
    google.add_mailbox(ANNA, name="Anna Office")
    await google.start()
    yield google
    await google.stop()


@pytest.fixture
async def base(sim):
    """The simulator's address."""
    app = web.Application()
    app.add_routes(sim.routes())
    server = TestServer(app)
    await server.start_server()
    yield str(server.make_url("")).rstrip("/")
    await server.close()


class Discovery:
    """Google's own description of an API: what may be in an answer, and in which form."""

    def __init__(self, api):
        self._document = json.loads(get_static_doc(api, "v1"))
        self._answers = dict(self._methods(self._document))

    def check(self, method_id, answer):
        reference = self._answers[method_id]
        if reference is None:
            assert not answer, f"{method_id} answers nothing"
        else:
            self._check(reference, answer, method_id)

    def _methods(self, resource):
        for method in resource.get("methods", {}).values():
            yield method["id"], method.get("response")
        for inner in resource.get("resources", {}).values():
            yield from self._methods(inner)

    def _check(self, schema, value, path):
        if "$ref" in schema:
            schema = self._document["schemas"][schema["$ref"]]
        getattr(self, "_" + schema["type"])(schema, value, path)
        if "enum" in schema:
            assert value in schema["enum"], path

    def _object(self, schema, value, path):
        assert isinstance(value, dict), path
        known = schema.get("properties", {})
        for name, item in value.items():
            assert name in known or "additionalProperties" in schema, f"{path}.{name} is unknown"
            self._check(known.get(name) or schema["additionalProperties"], item, f"{path}.{name}")

    def _array(self, schema, value, path):
        assert isinstance(value, list), path
        for number, item in enumerate(value):
            self._check(schema["items"], item, f"{path}[{number}]")

    def _string(self, schema, value, path):
        assert isinstance(value, str), path
        if schema.get("format") in ("int64", "uint64"):
            assert value.isdecimal(), path
        if schema.get("format") == "byte":
            base64.b64decode(value.replace("-", "+").replace("_", "/"), validate=True)

    def _integer(self, schema, value, path):
        assert type(value) is int, path

    def _boolean(self, schema, value, path):
        assert type(value) is bool, path


GMAIL = Discovery("gmail")
PUBSUB = Discovery("pubsub")


class Client:
    """google-api-python-client. It blocks, so each call runs beside the loop; every answer is checked."""

    def __init__(self, service, discovery, base):
        self.base = base
        self.service = service
        self._discovery = discovery

    @property
    def users(self):
        return self.service.users()

    @property
    def projects(self):
        return self.service.projects()

    async def run(self, request):
        answer = await asyncio.to_thread(request.execute)
        self._discovery.check(request.methodId, answer)
        return answer

    async def refused(self, request):
        """Status, reason and text of a refusal."""
        with pytest.raises(HttpError) as caught:
            await asyncio.to_thread(request.execute)
        error = json.loads(caught.value.content)["error"]
        assert error["code"] == caught.value.status_code
        return error["code"], error["errors"][0]["reason"], error["message"]


def gmail_client(base, refresh_token):
    credentials = Credentials(
        token=None,
        refresh_token=refresh_token,
        client_id="client",
        client_secret="s",
        token_uri=base + "/token",
    )
    options = {"api_endpoint": base}
    service = build("gmail", "v1", credentials=credentials, client_options=options, static_discovery=True)
    return Client(service, GMAIL, base)


@pytest.fixture
async def connect(sim, base):
    """Connect Google's client to a mailbox."""
    clients = []

    def connected(address=ANNA, scopes=(FULL,)):
        client = gmail_client(base, sim.grant(address, scopes=scopes).refresh_token)
        clients.append(client)
        return client

    yield connected
    for client in clients:
        client.service.close()


@pytest.fixture
def gmail(connect):
    return connect()


@pytest.fixture
async def pubsub(base):
    """Google's client for Pub/Sub."""
    service = build(
        "pubsub",
        "v1",
        credentials=AnonymousCredentials(),
        client_options={"api_endpoint": base},
        static_discovery=True,
    )
    yield Client(service, PUBSUB, base)
    service.close()


class Hook:
    """A receiver of pushes that answers what it is told to."""

    def __init__(self):
        self.url = ""
        self.bells = []
        self.answers = []  # statuses for the next pushes; then 204
        self.pause = 0.0
        self._came = asyncio.Event()

    async def receive(self, request):
        self.bells.append((await request.json(), request.headers))
        self._came.set()
        if self.pause:
            await asyncio.sleep(self.pause)
        return web.Response(status=self.answers.pop(0) if self.answers else 204)

    async def rings(self, times=1, within=20.0):
        """Wait until that many pushes have come."""
        async with asyncio.timeout(within):
            while len(self.bells) < times:
                self._came.clear()
                await self._came.wait()
        return self.bells

    def news(self):
        return [json.loads(base64.b64decode(body["message"]["data"])) for body, _ in self.bells]

    def message_ids(self):
        return [body["message"]["messageId"] for body, _ in self.bells]


@pytest.fixture
async def http():
    async with aiohttp.ClientSession() as session:
        yield session


@pytest.fixture
def until():
    """Wait for a condition that nothing announces."""

    async def waited(condition, within=20.0):
        async with asyncio.timeout(within):
            while not condition():  # noqa: ASYNC110 - the simulator has no event for every condition
                await asyncio.sleep(0.01)

    return waited


@pytest.fixture
async def hook():
    receiver = Hook()
    app = web.Application()
    app.router.add_post("/hook", receiver.receive)
    server = TestServer(app)
    await server.start_server()
    receiver.url = str(server.make_url("/hook"))
    yield receiver
    await server.close()


@pytest.fixture
def letter():
    """A mail on its way to Anna."""

    def written(
        text="Dear Anna,\r\n\r\nplease see below.\r\n",
        subject="A question",
        *,
        to=ANNA,
        sender="Carl Client <carl@client.test>",
        message_id="<1@client.test>",
        reply_to="",
        files=(),
        folder="inbox",
    ):
        mail = EmailMessage(policy=SMTP)
        mail["From"] = sender
        mail["To"] = to
        mail["Subject"] = subject
        mail["Date"] = "Mon, 02 Mar 2026 09:00:00 +0000"
        mail["Message-ID"] = message_id
        if reply_to:
            mail["In-Reply-To"] = reply_to
            mail["References"] = reply_to
        mail.set_content(text)
        for name, content in files:
            mail.add_attachment(content, maintype="application", subtype="pdf", filename=name)
        return IncomingMail(to, mail.as_bytes(), folder=folder)

    return written
