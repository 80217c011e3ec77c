"""The client desk: a truth for every thread, documents to answer from, and a book of clients."""

from __future__ import annotations

import csv
import email
from datetime import UTC, datetime
from email.policy import default

import pypdfium2
import pytest

from postroom_simulators.scenarios import client_desk, scenario

START = datetime(2026, 3, 3, 9, tzinfo=UTC)
HEADINGS = {
    "accounts": ["code", "name", "aliases", "domains", "status"],
    "contacts": ["email", "name", "account"],
    "engagements": ["code", "name", "account", "status"],
    "work_items": ["code", "name", "engagement", "status"],
}


@pytest.fixture(scope="module")
def story():
    return scenario("client-service", start=START)


@pytest.fixture(scope="module")
def threads(story):
    return story.truth["threads"]


def words(folder):
    """What each document says, with white space made plain."""
    found = {}
    for path in client_desk.write_knowledge(folder):
        if path.suffix == ".pdf":
            with pypdfium2.PdfDocument(path) as document:
                text = "".join(page.get_textpage().get_text_range() for page in document)
        else:
            text = path.read_text(encoding="utf-8")
        found[path.name] = " ".join(text.split())
    return found


def test_every_mail_belongs_to_one_thread_of_the_table(story, threads):
    mails = [email.message_from_bytes(mail.raw, policy=default)["Message-ID"] for mail in story.mails]

    assert sorted(mails) == sorted(key for row in threads for key in row["message_ids"])


def test_the_last_mail_of_a_thread_says_what_the_table_says(story, threads):
    by_id = {email.message_from_bytes(mail.raw, policy=default)["Message-ID"]: mail for mail in story.mails}

    for row in threads:
        last = by_id[row["message_ids"][-1]].truth
        expected = ("needs_review", row["after_edit"]) if row["after_edit"] else (row["action"], row["reason"])
        assert expected == (last["triage"]["verdict"], last["triage"]["reason"]), row["key"]
        if "client" in last:
            told = (row["account"], row["requires_triage"])
            assert told == (last["client"]["account"], last["client"]["requires_triage"]), row["key"]


def test_the_table_shows_every_action_five_languages_and_every_kind_of_answer(threads):
    assert {"draft", "needs_review", "ignore"} == {row["action"] for row in threads}
    assert {"en", "de", "fr", "es", "it"} == {row["language"] for row in threads}
    assert {"yes", "partly", "no"} == {row["answerable"] for row in threads}
    assert {"refund_or_cancellation", "medical", "legal"} == {row["sensitive"] for row in threads} - {None}
    assert all(row["reason"].startswith("sensitive_") == bool(row["sensitive"]) for row in threads)


def test_what_can_be_answered_stands_in_the_documents_word_for_word(tmp_path, threads):
    known = words(tmp_path)

    for row in threads:
        assert bool(row["sources"]) == (row["answerable"] != "no"), row["key"]
        said = " ".join(known[source] for source in row["sources"])
        assert all(phrase in said for phrase in (*row["expects"], *row["asks"])), row["key"]


def test_the_documents_are_markdown_and_a_pdf_and_one_is_internal(tmp_path):
    known = words(tmp_path)

    assert {".md", ".pdf"} == {name[name.rindex(".") :] for name in known}
    assert ["internal-goodwill.md"] == [name for name, text in known.items() if "Audience: internal" in text]
    assert len(known) == len(client_desk.knowledge()) + 1


def test_the_client_book_has_the_tables_that_an_import_reads(tmp_path):
    tables = {}
    for path in client_desk.write_client_book(tmp_path):
        with path.open(encoding="utf-8", newline="") as file:
            tables[path.stem] = list(csv.DictReader(file))

    assert HEADINGS == {name: list(rows[0]) for name, rows in tables.items()}
    codes = {name: {row.get("code") for row in rows} for name, rows in tables.items()}
    assert {row["account"] for row in tables["contacts"] + tables["engagements"]} <= codes["accounts"]
    assert {row["engagement"] for row in tables["work_items"]} <= codes["engagements"]


def test_the_book_knows_the_clients_of_the_table(threads):
    book = {row["account"]: row for row in client_desk.accounts()}
    items = {item for row in book.values() for one in row["engagements"] for item in one["work_items"]}

    assert {row["account"] for row in threads} - {None} <= set(book)
    assert {row["work_item"] for row in threads} - {None} <= items
    assert not any(domain in {"gmail.com", "outlook.com"} for row in book.values() for domain in row["domains"])


def test_one_contact_is_on_two_accounts():
    found = [row["account"] for row in client_desk.rows("contacts") if row["name"] == "Tessa Vermeulen"]

    assert ["ACME", "BOREALIS"] == found
