"""A small mail with a note is fetched once and read once; a large one is asked for again."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from postroom.rooms.tenants import commands as tenants
from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.papers import NOTES
from rooms.documents.dealing import DAY
from stories.office import DESK, open_office

DONE = "SELECT count(*) FROM bo_airflow.email_ingestion_state WHERE status = 'success'"


@pytest.fixture
async def office(dsn, owner_dsn, tmp_path):
    async with open_office(dsn, owner_dsn, str(tmp_path)) as opened:
        await tenants.ensure_tenant(opened.house.db, "default")
        yield opened


def with_note(number: int, padding: int = 0) -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "notes@broker.example", DESK, f"Contract note {number}"
    mail["Message-ID"] = f"<{number}@broker.example>"
    mail.set_content("Attached.")
    mail.add_attachment(NOTES["hansekontor"](DAY, number).pdf, "application", "pdf", filename="note.pdf")
    if padding:
        mail.add_attachment(bytes(padding), "application", "octet-stream", filename="picture.bin")
    return mail.as_bytes()


def fetches(office) -> int:
    return sum(call.path.endswith("$value") for call in office.world.recorder.calls)


@pytest.mark.parametrize(("padding", "expected"), [(0, 1), (400_000, 2)])
async def test_a_mail_is_fetched_once_if_it_is_small(office, padding, expected):
    read = []
    real = office.house.outside.reader.aread_mail

    async def counted(raw, **about):
        read.append(len(raw))
        return await real(raw, **about)

    office.house.outside.reader.aread_mail = counted
    office.world.deliver(IncomingMail(DESK, with_note(1, padding)))

    await office.works_until(DONE, 1)

    assert (expected, expected) == (fetches(office), len(read))
    assert 0 == office.ask("SELECT count(*) FROM postroom.job_payload")
    assert 1 == office.ask("SELECT count(*) FROM postroom.trade")


async def test_a_burst_of_them_is_fetched_once_each(office):
    for number in range(1, 9):
        office.world.deliver(IncomingMail(DESK, with_note(number)))

    await office.works_until(DONE, 8)

    assert 8 == fetches(office)
    assert 0 == office.ask("SELECT count(*) FROM postroom.job_payload")
