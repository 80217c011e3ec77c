"""What is too long for a field is refused with its limit, and nothing of it is kept cut."""

from __future__ import annotations

from doors.console.desk_book import mapped, with_book
from doors.console.place import OUTLOOK, Browser, Place
from doors.console.test_evidence import with_a_draft
from doors.console.test_outbox import LETTER, connected


async def refused(who: Browser, path: str, form: dict[str, str]) -> str:
    answer = await who.post(path, form)
    assert 400 == answer.status
    return answer.headers["HX-Trigger"]


async def test_a_list_of_domains_is_kept_wholly_or_not_at_all(place: Place):
    await with_book(place)
    operator = await place.come_in("operator")
    path = f"/accounts/{place.ask('SELECT id FROM postroom.account WHERE code = %s', 'ACME')}"
    held = place.ask("SELECT domains FROM postroom.account WHERE code = 'ACME'")
    many = "; ".join(f"company-number-{number}.example" for number in range(200))

    said = await refused(operator, path, {"domains": many * 10})
    assert held == place.ask("SELECT domains FROM postroom.account WHERE code = 'ACME'")
    assert 200 == (await operator.post(path, {"domains": many})).status

    assert "Up to 50,000 letters go into the field 'domains'" in said
    assert 200 == place.ask("SELECT cardinality(domains) FROM postroom.account WHERE code = 'ACME'")


async def test_a_list_of_senders_is_kept_wholly_or_not_at_all(place: Place):
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, OUTLOOK, "outlook")
    path = f"/mailboxes/{place.ask('SELECT id FROM postroom.mailbox')}/rules"
    senders = [f"newsletter-{number}@sender-of-news.example" for number in range(501)]

    said = await refused(admin, path, {"deny_senders": "\r\n".join(senders)})
    assert 200 == (await admin.post(path, {"deny_senders": "\r\n".join(senders[:500])})).status

    assert "up to 500 senders; this one has 501" in said
    assert senders[:500] == place.ask("SELECT rules -> 'deny_senders' FROM postroom.mailbox")


async def test_a_mail_is_proposed_wholly_or_not_at_all(place: Place):
    admin = await connected(place)
    most = "a\r\n" * 49_999 + "a" * 2  # a line break counts once, as it does in the mail

    words = await refused(admin, "/outbox", LETTER | {"body": most + "a"})
    subject = await refused(admin, "/outbox", LETTER | {"subject": "a" * 501})
    assert 0 == place.ask("SELECT count(*) FROM postroom.proposal")
    assert 200 == (await admin.post("/outbox", LETTER | {"body": most})).status

    assert "Up to 100,000 letters go into the field 'body'; these are 100,001" in words
    assert "A subject has up to 500 letters; this one has 501" in subject
    assert 100_000 == place.ask("SELECT length(body) FROM postroom.proposal")


async def test_a_draft_is_changed_wholly_or_not_at_all_and_so_is_the_reason_to_discard_it(place: Place):
    admin, thread = await with_a_draft(place)
    held = place.ask("SELECT body FROM postroom.draft_revision")
    path = f"/inbox/{thread}/draft/{place.ask('SELECT id FROM postroom.draft_revision')}"

    words = await refused(admin, path, {"body": "a" * 100_001})
    reason = await refused(admin, f"{path}/discard", {"reason": "a" * 501})

    assert "Up to 100,000 letters go into the field 'body'" in words
    assert "A reason has up to 500 letters; this one has 501" in reason
    assert (held, "written") == place.own("SELECT body, status FROM postroom.draft_revision")[0]


async def test_a_reason_to_set_a_mail_aside_is_kept_wholly_or_not_at_all(place: Place):
    await with_book(place)
    mapping = await mapped(place)
    operator = await place.come_in("operator")

    said = await refused(operator, f"/clients/{mapping}/ignore", {"reason": "a" * 301, "revision": "1"})

    assert "A reason has up to 300 letters; this one has 301" in said


async def test_what_a_webhook_is_for_is_kept_wholly_or_not_at_all(place: Place):
    admin = await place.come_in()

    said = await refused(admin, "/settings/webhooks", {"url": "https://hooks.example.org/a", "description": "a" * 201})

    assert "What it is for has up to 200 letters; these are 201" in said
