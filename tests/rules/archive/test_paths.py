"""Where a document is kept: the path rules, for names that behave and names that do not."""

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from urllib.parse import quote, unquote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from postroom.outside.blobs.port import segments
from postroom.rooms.documents.archive import (
    archive_path,
    archived_type,
    harmless,
    key_of_trade,
    unique_id_for,
)

unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # machines are busy

DAY = date(2026, 2, 4)
TRADE = "ldeburna-20260204-AAPL-BUY-100"
ANYTHING = st.text(st.characters(exclude_categories=()), max_size=400)


def name_of(filename, content=b"%PDF-1.7"):
    return archive_path("a@b.test", DAY, TRADE, filename, archived_type(content)).rpartition("/")[2]


def test_the_path_is_the_one_that_was_agreed():
    expected = (
        "archive/sender_email=trades%40broker-one%2Eco%2Euk/received_date=2026-02-04/"
        "ldeburna-20260204-AAPL-BUY-100/contract_note.pdf"
    )

    assert archive_path("trades@broker-one.co.uk", DAY, TRADE, "contract_note.pdf") == expected
    assert archive_path("trades@broker-one.co.uk", DAY, TRADE, "contract_note") == expected


@unhurried
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60))
def test_a_sender_is_encoded_as_agreed(sender):
    agreed = quote(sender, safe="-_~").replace(".", "%2E")

    path = archive_path(sender, DAY, TRADE, "n")

    if len(agreed) <= 200:
        assert path.split("/")[1] == f"sender_email={agreed}"


def test_a_letter_without_sender_has_a_folder_too():
    assert archive_path("", DAY, TRADE, "n").split("/")[1] == "sender_email=__HIVE_DEFAULT_PARTITION__"


@pytest.mark.parametrize(
    ("received", "day"),
    [
        (date(2026, 2, 4), "2026-02-04"),
        (datetime(2026, 2, 4, 23, 59, tzinfo=UTC), "2026-02-04"),
        (datetime(2026, 2, 5, 1, 0, tzinfo=timezone(timedelta(hours=2))), "2026-02-04"),
        (date(33, 4, 3), "0033-04-03"),
    ],
)
def test_the_day_is_the_one_in_utc(received, day):
    assert archive_path("a", received, TRADE, "n").split("/")[2] == f"received_date={day}"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("note.pdf", "note.pdf"),
        ("NOTE.PDF", "NOTE.pdf"),
        ("note", "note.pdf"),
        ("note.v2.pdf", "note.v2.pdf"),
        ("note.pdf.pdf", "note.pdf.pdf"),
        ("Contract Note #1 (final) é.pdf", "Contract Note #1 (final) é.pdf"),
        ("取引報告書.pdf", "取引報告書.pdf"),
        ("Rechnung 3/2026.pdf", "Rechnung 3%2F2026.pdf"),
        ("100%.pdf", "100%25.pdf"),
        ("../../etc/passwd", "%2E%2E%2F%2E%2E%2Fetc%2Fpasswd.pdf"),
        ("..\\..\\x.pdf", "%2E%2E%5C%2E%2E%5Cx.pdf"),
        ("..", "%2E%2E.pdf"),
        ("report..pdf", "report%2E.pdf"),
        (".hidden.pdf", "%2Ehidden.pdf"),
        (".pdf", "document.pdf"),
        ("", "document.pdf"),
        (" a .pdf", "%20a%20.pdf"),
        ("a\r\nb\0.pdf", "a%0D%0Ab%00.pdf"),
        ("invoice\u202efdp.exe", "invoice%E2%80%AEfdp.exe.pdf"),
        ("\ud800.pdf", "%3F.pdf"),
        ("e\u0301.pdf", "é.pdf"),
    ],
    ids=ascii,
)
def test_a_file_name_stays_readable_and_cannot_mislead(given, kept):
    assert name_of(given) == kept


@pytest.mark.parametrize(
    ("given", "content", "kept"),
    [
        ("scan.png", b"\x89PNG\r\n\x1a\n...", "scan.png"),
        ("scan.pdf", b"\x89PNG\r\n\x1a\n...", "scan.pdf.png"),
        ("scan.JPEG", b"\xff\xd8\xff\xe0", "scan.jpeg"),
        ("scan", b"\xff\xd8\xff\xe0", "scan.jpg"),
        ("fax.tiff", b"II*\0", "fax.tiff"),
        ("factur-x.xml", b"\xef\xbb\xbf\n<?xml version='1.0'?>", "factur-x.xml"),
        ("note.xml", b"%PDF-1.4", "note.xml.pdf"),
        ("note.pdf", b"who knows", "note.pdf"),
    ],
)
def test_the_ending_tells_the_truth_about_the_content(given, content, kept):
    assert name_of(given, content) == kept


def test_long_names_are_cut_and_stay_distinct():
    one, other = name_of("x" * 300 + "1.pdf"), name_of("x" * 300 + "2.pdf")

    assert len(one) == 184
    assert one != other
    assert one.startswith("xxx")
    assert one.endswith(".pdf")


@unhurried
@given(sender=ANYTHING, unique_id=ANYTHING, filename=ANYTHING)
def test_any_path_is_one_that_every_archive_can_hold(sender, unique_id, filename):
    path = archive_path(sender, DAY, unique_id or "x", filename, mark="-" + "f" * 40)

    parts = segments("tenants/0198c0de-0000-7000-8000-000000000000/" + path)
    assert len(parts) == 7
    assert ".." not in path
    assert path.endswith(".pdf")


@unhurried
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=50))
def test_a_made_harmless_name_can_be_read_back(text):
    assert harmless(unquote(harmless(text))) == harmless(text)
    if text.isascii():
        assert unquote(harmless(text)) == text


@unhurried
@given(ANYTHING, ANYTHING)
def test_ids_that_differ_do_not_share_a_folder(one, other):
    if harmless(one) != harmless(other):
        assert archive_path("a", DAY, one, "n") != archive_path("a", DAY, other, "n")


def test_a_trade_has_the_same_key_however_its_quantity_was_written():
    keys = {key_of_trade("ldeburna", DAY, "AAPL", "BUY", q) for q in (100, Decimal(100), Decimal("100.00"))}

    assert keys == {TRADE}
    assert key_of_trade("a", DAY, "X", "SELL", Decimal("0.50")) == "a-20260204-X-SELL-0.5"
    assert key_of_trade("a", DAY, "X", "SELL", Decimal("1E+3")) == "a-20260204-X-SELL-1000"


def test_the_best_id_there_is_is_taken():
    assert unique_id_for(TRADE, "<1@b>") == TRADE
    assert unique_id_for(None, "abc") == "ba7816bf8f01cfea"
    assert unique_id_for() != unique_id_for()
