"""Documents that are no PDF, by simulated mail from Outlook and from Gmail: each read, or waiting for a person who is told
what to do."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from email.message import EmailMessage

import pytest

from contracts.readers.office_files import bill, locked, statement
from postroom.mail.sniff import DOCX, XLSX
from postroom_simulators.incoming_mail import IncomingMail
from stories.documents.mail_texts import LETTERS, mail_of, note
from stories.office import DESK, Office, open_office
from stories.visitors import GREG, connects, gives_gmail

SETTLED = "SELECT count(*) FROM postroom.disposition WHERE status <> 'pending'"
PIPELINES = "SELECT cardinality(pipelines) FROM postroom.mailbox WHERE address = '{}'"
BOOKED = (
    "SELECT count(*) FROM postroom.trade t JOIN postroom.document d ON d.id = t.document_id"
    " WHERE d.content_type = 'text/html' AND t.isin = 'US0378331005' AND t.net = 15035 AND t.status <> 'duplicate'"
)
DOCUMENTS = "SELECT filename, kind, status, because FROM postroom.document ORDER BY filename"


@dataclass
class PostOffice:
    """One simulated provider with one mailbox of ours."""

    office: Office
    box: str

    def posts(self, mail: EmailMessage) -> None:
        mail["Message-ID"] = f"<{self.office.counter}.{id(self)}@broker.test>"
        self.office.counter += 1
        self.office.world.deliver(IncomingMail(self.box, mail.as_bytes()))

    async def settles(self) -> dict[str, tuple[str, str, str]]:
        """How every document ended, by its name."""
        await self.office.world.graph.settle()
        each = self.office.ask(PIPELINES.format(self.box))
        await self.office.works_until(SETTLED, each * self.office.counter, seconds=240)
        return {name: (kind, status, because) for name, kind, status, because in self.office.own(DOCUMENTS)}


@pytest.fixture(params=["graph", "gmail"])
async def post(request, dsn, owner_dsn, tmp_path) -> AsyncIterator[PostOffice]:
    outlook = request.param == "graph"
    async with open_office(dsn, owner_dsn, str(tmp_path), start=outlook) as opened:
        if not outlook:
            gives_gmail(opened)
            assert 303 == (await connects(opened, "gmail", GREG))[0]
            await opened.works()
            opened.world.clock.advance(timedelta(seconds=2))
        yield PostOffice(opened, DESK if outlook else GREG)


def with_file(to: str, name: str, content: bytes, kind: str) -> EmailMessage:
    mail = mail_of(to, name, "Please find enclosed what you asked for.")
    main, _, sub = kind.partition("/")
    mail.add_attachment(content, main, sub, filename=name)
    return mail


@pytest.mark.timeout(400)
async def test_each_door_leads_to_the_books_or_to_a_person(post):
    post.posts(mail_of(post.box, "Trade confirmation", "See HTML.", note()))
    post.posts(mail_of(post.box, "Trade confirmation", "See HTML.", note()))
    post.posts(with_file(post.box, "trades.xlsx", statement(), XLSX))
    post.posts(with_file(post.box, "bill.docx", bill(), DOCX))
    post.posts(with_file(post.box, "locked.docx", locked(), DOCX))
    post.posts(with_file(post.box, "note.heic", b"\0\0\0\x18ftypheic" + bytes(20_000), "image/heic"))
    post.posts(with_file(post.box, "note.7z", b"7z\xbc\xaf\x27\x1c" + bytes(2000), "application/x-7z-compressed"))
    post.posts(with_file(post.box, "note.odt", b"PK\x03\x04" + bytes(2000), "application/vnd.oasis.opendocument.text"))
    for subject, text in list(LETTERS.values())[:2]:
        post.posts(mail_of(post.box, subject, text))

    ended = await post.settles()

    unread = {"note.heic", "note.7z", "note.odt"}
    assert {"Trade confirmation.html", "trades.xlsx", "bill.docx", "locked.docx"} | unread == ended.keys()
    assert {("other", "failed")} == {ended[name][:2] for name in unread}
    assert "ask for it as a PDF" in ended["note.heic"][2]
    assert "unpack it" in ended["note.7z"][2]
    assert "ask the sender for it again" in ended["note.odt"][2]
    assert 2 == post.office.ask("SELECT count(*) FROM postroom.document WHERE content_type = 'text/html'")
    assert 1 == post.office.ask(BOOKED)
    assert ("activity_statement", "review") == ended["trades.xlsx"][:2]
    assert ("invoice", "review") == ended["bill.docx"][:2]
    assert ("other", "failed") == ended["locked.docx"][:2]
    assert "ask for it without one, or as a PDF" in ended["locked.docx"][2]
    assert 0 == post.office.ask("SELECT count(*) FROM postroom.job WHERE state IN ('parked', 'quarantined')")
