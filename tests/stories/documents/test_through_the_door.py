"""Good and bad files by simulated mail: Graph notifies us, our web process answers, our worker fetches, reads and books."""

from __future__ import annotations

from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from postroom.nouns.retention import Retention
from postroom.nouns.secrets import Secret
from postroom.rooms.documents import commands
from postroom.rooms.tenants import commands as tenants
from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.papers import NOTES, activity_statement, locked, scanned
from rooms.documents.dealing import BROKER, DAY, FAILED, PASSED
from stories.documents.test_hostile_files import LIMIT, bomb, scripted
from stories.office import DESK, Office

NOTE = NOTES["hansekontor"](DAY, 1, direction="BUY")
OTHER = NOTES["hansekontor"](DAY, 2, direction="SELL")
THIRD = NOTES["hansekontor"](DAY, 3, direction="BUY")
SETTLED = "SELECT count(*) FROM postroom.disposition p JOIN postroom.message m ON m.id = p.message_id"
ENDED = "SELECT string_agg(d.status || ' ' || d.because, '|' ORDER BY d.filename) FROM postroom.document d"


class Street:
    """Outside the office: somebody posts a mail, and sees how its files ended."""

    def __init__(self, office: Office) -> None:
        self.office = office

    async def sends(self, *files: tuple[str, bytes], verdict: str = PASSED, seconds: float = 180) -> list[str]:
        name = f"{self.office.counter}.{id(self)}@thornburyvale.example"
        self.office.counter += 1
        mail = EmailMessage()
        mail["Authentication-Results"] = verdict.format(d=BROKER.rpartition("@")[2])
        mail["From"], mail["To"], mail["Subject"], mail["Message-ID"] = BROKER, DESK, "Contract note", f"<{name}>"
        mail.set_content("Please find attached your contract note.")
        for filename, content in files:
            mail.add_attachment(content, "application", "octet-stream", filename=filename)
        self.office.world.deliver(IncomingMail(DESK, mail.as_bytes()))
        await self.office.world.graph.settle()
        about = f"m.internet_message_id = '<{name}>'"
        await self.office.works_until(f"{SETTLED} WHERE {about} AND p.status <> 'pending'", 2, seconds=seconds)
        ended = self.office.ask(f"{ENDED} JOIN postroom.message m ON m.id = d.message_id WHERE {about}")
        return (ended or "").split("|")

    def archived(self) -> int:
        return sum(path.is_file() for path in Path(self.office.house.settings.home, "archive").rglob("*.pdf"))

    def booked(self) -> int:
        return self.office.ask("SELECT count(*) FROM postroom.trade WHERE status = 'confirmed'")


@pytest.fixture
async def street(office):
    tenant = await tenants.ensure_tenant(office.house.db, "default")
    await commands.allow_sender(office.house.scope(tenant, "rosalind"), "pad_contract_notes", BROKER)
    return Street(office)


@pytest.mark.long
async def test_a_note_is_booked_once_however_often_and_in_whatever_shape_it_comes(street):
    (first,) = await street.sends(("Contract_Note.pdf", NOTE.pdf))
    (again,) = await street.sends(("document.pdf", NOTE.pdf))
    (scan,) = await street.sends(("Copy.pdf", scanned(NOTE, 1).pdf))
    (forged,) = await street.sends(("Forged.pdf", OTHER.pdf), verdict=FAILED)

    assert first.startswith("confirmed ")
    assert again.startswith("duplicate The same file as Contract_Note.pdf")
    assert scan.startswith("duplicate The same trade came with Contract_Note.pdf")
    assert forged.startswith("review DMARC failed for thornburyvale.example")
    assert (1, 3) == (street.booked(), street.archived())  # the note, its scan, and what waits for a person


async def test_a_protected_note_waits_for_its_password_at_the_mailbox(street):
    office = street.office
    (shut,) = await street.sends(("locked.pdf", locked(NOTE, "larkspur-2026").pdf))
    assert shut.startswith("failed The PDF is protected by a password")
    assert (0, 0) == (street.booked(), street.archived())

    tenant = await tenants.ensure_tenant(office.house.db, "default")
    desk = office.house.scope(tenant, "rosalind")
    assert 1 == await commands.add_password(desk, office.house.outside.sealer, "Thornbury", Secret("larkspur-2026"))
    await office.works_until("SELECT status FROM postroom.document", "confirmed", seconds=60)
    (known,) = await street.sends(("next.pdf", locked(THIRD, "larkspur-2026").pdf))

    assert known.startswith("confirmed ")
    assert (2, 2) == (street.booked(), street.archived())


@pytest.mark.long
async def test_files_that_would_do_harm_end_with_their_reason_and_the_next_mail_flows(street):
    head = b"%PDF-1.4\n"
    (truncated,) = await street.sends(("truncated.pdf", NOTE.pdf[:700]))
    (script,) = await street.sends(("script.pdf", scripted(OTHER.pdf)))
    (huge,) = await street.sends(("huge.pdf", head + bytes(LIMIT + 1 - len(head))))
    good, bad = await street.sends(("good.pdf", THIRD.pdf), ("notes.zip", bomb()))

    assert truncated.startswith("failed The PDF is damaged beyond repair")
    assert script.startswith("review The file carries a script")
    assert "skipped 25.0 MB is over the limit of 25 MB." == huge
    assert bad.startswith("failed Not opened: unpacks to more than 200 MB")
    assert good.startswith("confirmed ")
    assert 0 == street.office.ask("SELECT count(*) FROM postroom.job WHERE state IN ('parked', 'quarantined')")


@pytest.mark.timeout(600)
async def test_a_statement_of_a_hundred_pages_gives_all_its_trades(street):
    statement = activity_statement(DAY, 3, trades=99 * 18)

    (ended,) = await street.sends(("statement.pdf", statement.pdf), seconds=500)

    assert ended.startswith("review ")
    assert 100 == street.office.ask("SELECT pages FROM postroom.document")
    assert len(statement.truth["trades"]) == street.office.ask("SELECT count(*) FROM postroom.trade")


async def test_at_night_the_house_forgets_what_the_tenant_keeps_no_longer(street):
    office = street.office
    tenant = await tenants.ensure_tenant(office.house.db, "default")
    desk = office.house.scope(tenant, "rosalind")
    await street.sends(("Contract_Note.pdf", NOTE.pdf))
    await tenants.change_retention(desk, Retention(messages=30, archive=60))
    office.world.clock.advance(timedelta(days=40))

    await office.fires_the_timetable("forget")
    await office.works_until("SELECT count(*) FROM postroom.fact WHERE kind = 'tenant.forgotten'", 1)

    assert (1, 1) == (street.booked(), street.archived())
    assert 0 == office.ask("SELECT count(*) FROM postroom.message WHERE body IS NOT NULL OR subject IS NOT NULL")
    assert 1 == office.ask("SELECT count(*) FROM postroom.message WHERE state = 'arrived'")
