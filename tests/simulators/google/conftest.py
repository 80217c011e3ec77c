"""A simulated Google on a loopback port, and Google's own client pointed at it."""

import asyncio
from email.message import EmailMessage
from email.policy import SMTP

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build

from postroom.simulators.clock import SimClock
from postroom.simulators.faults import Faults
from postroom.simulators.google import GoogleSim
from postroom.simulators.letters import Letter
from postroom.simulators.recorder import Recorder

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


class Client:
    """google-api-python-client for one mailbox. It blocks, so each call runs beside the loop."""

    def __init__(self, base, refresh_token):
        self.base = base
        self.credentials = Credentials(
            token=None,
            refresh_token=refresh_token,
            client_id="client",
            client_secret="s",
            token_uri=base + "/token",
        )
        self.service = build(
            "gmail",
            "v1",
            credentials=self.credentials,
            client_options={"api_endpoint": base},
            static_discovery=True,
        )

    @property
    def users(self):
        return self.service.users()

    async def run(self, request):
        return await asyncio.to_thread(request.execute)

    def close(self):
        self.service.close()


@pytest.fixture
async def connect(sim, base):
    """Connect Google's client to a mailbox."""
    clients = []

    def connected(address=ANNA, scopes=(FULL,)):
        client = Client(base, sim.grant(address, scopes=scopes).refresh_token)
        clients.append(client)
        return client

    yield connected
    for client in clients:
        client.close()


@pytest.fixture
def gmail(connect):
    return connect()


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
        return Letter(to, mail.as_bytes(), folder=folder)

    return written
