"""Scenarios are the same every time, and read like real mail."""

import email
import functools
import io
import itertools
from collections import Counter
from datetime import UTC, datetime
from email.policy import default

import pypdfium2 as pdfium
import pytest
from tnefparse import TNEF

from postroom_simulators import scenarios
from postroom_simulators.scenarios import SCENARIOS, drip

START = datetime(2026, 11, 12, 8, 30, tzinfo=UTC)


@functools.cache
def scenario(name, *, start, seed=0):
    return scenarios.scenario(name, start=start, seed=seed)


def parsed(letter):
    return email.message_from_bytes(letter.raw, policy=default)


def by_about(name, words):
    (found,) = (letter for letter in scenario(name, start=START).mails if words in letter.about)
    return found


def files(mail):
    """Every named part, however deep, also inside winmail.dat."""
    for part in mail.walk():
        name = part.get_filename()
        if name == "winmail.dat":
            for inner in TNEF(part.get_content()).attachments:
                yield inner.long_filename(), inner.data
        elif name:
            content = part.get_content()
            yield name, content.encode() if isinstance(content, str) else content


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_is_the_same_every_time(name):
    once, again, other = (scenarios.scenario(name, start=START, seed=seed) for seed in (0, 0, 4))

    assert once == again
    assert once.mails != other.mails


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_letter_is_a_whole_mail(name):
    story = scenario(name, start=START)
    homes = {box.address for box in story.boxes}

    for letter in story.mails:
        mail = parsed(letter)
        assert not [defect for part in mail.walk() for defect in part.defects], letter.about
        assert letter.mailbox in homes
        assert letter.about
        assert mail["Message-ID"]
        assert mail["From"]
        assert mail["Date"].datetime.replace(microsecond=0) >= START or letter.after < 2
        assert b"\n" not in letter.raw.replace(b"\r\n", b"")


@pytest.mark.parametrize("name", SCENARIOS)
def test_message_ids_are_unique_and_replies_point_at_them(name):
    mails = [parsed(letter) for letter in scenario(name, start=START).mails]

    ids = [mail["Message-ID"] for mail in mails]
    assert max(Counter(ids).values()) == 1
    assert all(mail["In-Reply-To"] in ids for mail in mails if mail["In-Reply-To"])
    assert any(mail["In-Reply-To"] for mail in mails) or name == "dealing-desk"


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_document_of_the_truth_is_in_the_mail(name):
    for letter in scenario(name, start=START).mails:
        found = {} if "message/rfc822" in letter.raw.decode("latin-1") else dict(files(parsed(letter)))
        inner = [part.get_payload(0) for part in parsed(letter).walk() if part.get_content_type() == "message/rfc822"]
        for mail in inner:
            found |= dict(files(mail))
        named = [document["filename"] for document in letter.truth.get("documents", [])]
        wanted = [name for name in named if not name.endswith(".html")]  # that is the text of the mail itself
        assert {*wanted, *letter.truth.get("ignored", {})} <= {_plain(name) for name in found}, letter.about


def _plain(name):
    """Old mailers write encoded words into file names; readers decode them."""
    return str(email.header.make_header(email.header.decode_header(name)))


@pytest.mark.parametrize("name", ["dealing-desk", "accounts-payable"])
def test_the_papers_in_the_mails_open(name):
    opened = 0
    for letter in scenario(name, start=START).mails:
        for document in letter.truth.get("documents", []):
            for part in parsed(letter).walk():
                if part.get_content_type() == "application/pdf":
                    pdf = pdfium.PdfDocument(io.BytesIO(part.get_content()), password=document.get("password"))
                    assert len(pdf) >= 1
                    pdf.close()
                    opened += 1
    assert opened >= 12


def test_only_the_forged_mails_fail_authentication():
    for name in SCENARIOS:
        for letter in scenario(name, start=START).mails:
            verdict = parsed(letter)["Authentication-Results"] or ""
            assert ("dmarc=fail" in verdict) == ("orged" in letter.about or "Junk" in letter.about), letter.about


def test_both_services_write_their_own_kind_of_verdict():
    outlook = parsed(by_about("dealing-desk", "Thornbury"))["Authentication-Results"]
    gmail = parsed(by_about("accounts-payable", "Harrow"))["Authentication-Results"]

    assert "compauth=pass" in outlook
    assert gmail.startswith("mx.google.com;")


def test_pending_orders_match_the_notes_that_should_confirm_themselves():
    story = scenario("dealing-desk", start=START)
    orders = {(order["isin"], order["direction"], order["quantity"]) for order in story.truth["orders"]}

    auto, unasked = [], []
    for letter in story.mails:
        for document in letter.truth["documents"]:
            keys = [(trade["isin"], trade["direction"], trade["quantity"]) for trade in document["trades"]]
            (auto if document["route"] == "auto_confirm" else unasked).extend(keys)
    assert len(auto) >= 10
    assert set(auto) <= orders
    assert set(unasked) - orders


def test_the_duplicate_is_the_same_file_in_another_mail():
    first, again = (
        by_about("dealing-desk", "A contract note of Thornbury"),
        by_about("dealing-desk", "sent again"),
    )

    (pdf,), (copy,) = ([data for _, data in files(parsed(letter))] for letter in (first, again))
    assert pdf == copy
    assert parsed(first)["Message-ID"] != parsed(again)["Message-ID"]


def test_the_inline_logo_is_shown_by_the_text():
    mail = parsed(by_about("accounts-payable", "Harrow"))

    (logo,) = (part for part in mail.walk() if part.get_content_type() == "image/png")
    page = mail.get_body(("html",)).get_content()
    assert f"cid:{logo['Content-ID'].strip('<>')}" in page


def test_mails_come_in_several_charsets_and_encodings():
    charsets, encodings = set(), set()
    for name in SCENARIOS:
        for letter in scenario(name, start=START).mails:
            for part in parsed(letter).walk():
                if part.get_content_maintype() == "text":
                    charsets.add(part.get_content_charset())
                    encodings.add(str(part["Content-Transfer-Encoding"]))
            assert parsed(letter).get_body(("html", "plain")).get_content().strip()
    assert {"utf-8", "iso-8859-1", "windows-1252", "us-ascii"} <= charsets
    assert {"quoted-printable", "7bit", "base64"} <= encodings


def test_the_client_desk_shows_every_kind_of_verdict():
    story = scenario("client-service", start=START)

    verdicts = Counter(letter.truth["triage"]["verdict"] for letter in story.mails)
    reasons = {letter.truth["triage"].get("reason") for letter in story.mails}
    assert {"draft", "needs_review", "ignore"} == set(verdicts)
    assert {"sensitive_refund_or_cancellation", "sensitive_medical", "latest_is_operator_sent"} <= reasons
    assert {"sentitems", "junkemail", "inbox"} == {letter.folder for letter in story.mails}
    assert len(story.acts) == 1


def test_several_parties_are_in_copy():
    mail = parsed(by_about("client-service", "who is meant"))

    assert len(mail["To"].addresses) == 2
    assert len(mail["Cc"].addresses) == 1


def test_the_bounce_is_a_delivery_report():
    mail = parsed(by_about("client-service", "did not arrive"))

    assert mail.get_content_type() == "multipart/report"
    assert "message/delivery-status" in [part.get_content_type() for part in mail.walk()]


def test_an_unknown_scenario_names_the_known_ones():
    with pytest.raises(ValueError, match="choose one of dealing-desk, accounts-payable, client-service"):
        scenarios.scenario("lunch", start=START)
    with pytest.raises(ValueError, match="zone"):
        scenarios.scenario("dealing-desk", start=datetime(2026, 1, 1))  # noqa: DTZ001 -- the mistake under test


def test_the_drip_goes_on_and_repeats_itself_exactly():
    first, again = (list(itertools.islice(drip(5, start=START), 40)) for _ in range(2))

    assert first == again
    assert sorted(letter.after for letter in first) == [letter.after for letter in first]
    assert len({letter.mailbox for letter in first}) == 3
    assert len({letter.raw for letter in first}) == 40
    assert all(parsed(letter)["Subject"] for letter in first)


def test_people_in_the_drip_write_again_in_their_thread():
    seen, replies = set(), 0
    for letter in itertools.islice(drip(1, start=START), 120):
        mail = parsed(letter)
        seen.add(mail["Message-ID"])
        if mail["In-Reply-To"]:
            replies += 1
            assert mail["In-Reply-To"] in seen
            assert mail["Subject"].startswith("Re: ")
    assert replies >= 2
