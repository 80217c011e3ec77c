"""The book from files: wholly or not at all, one word for each bad line, and the same again changes nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from postroom.nouns.errors import BadRequest
from postroom.rooms.clients.rules import book_files
from postroom.rooms.clients.rules.book_files import AccountEntry, ContactEntry, read_book
from postroom.rooms.clients.rules.book_plan import Diff, HeldBook, plan

ACCOUNTS = """code,name,aliases,domains,status
ACME,ACME Industries GmbH,Acme;Acme Leadership,acme.example; www.acme.example,open
BOREALIS,Borealis GmbH,,borealis.example,
OLDHAM,"Oldham, Sons & Co",,,closed
"""
CONTACTS = """email,name,account
Anna@Acme.example,Anna Kowalski,ACME
tessa@bridgework.example,Tessa,ACME
tessa@bridgework.example,,borealis
"""
ENGAGEMENTS = "code,name,account,status\nLEAD,Leadership retreat,ACME,open\nTEAM,,BOREALIS,closed\n"
WORK_ITEMS = "code,name,engagement,status\nACME-1042,Check-in,LEAD,open\nBOR-0311,,TEAM,\n"


def files(**changed: str | None) -> dict[str, bytes]:
    held = {"accounts": ACCOUNTS, "contacts": CONTACTS, "engagements": ENGAGEMENTS, "work_items": WORK_ITEMS} | changed
    return {f"{name}.csv": text.encode() for name, text in held.items() if text is not None}


def held(**changed: str) -> HeldBook:
    """The book as it is after an import."""
    read = read_book(files(**changed))
    return HeldBook(
        {each.key: each for each in read.accounts},
        {each.email: each for each in read.contacts},
        {each.key: each for each in read.engagements},
        {each.key: each for each in read.work_items},
    )


def test_a_book_is_read_as_it_was_written():
    read = read_book(files())

    assert [] == list(read.bad)
    assert 10 == read.lines
    assert (
        AccountEntry("ACME", "ACME Industries GmbH", ("Acme", "Acme Leadership"), ("acme.example", "www.acme.example"))
        == read.accounts[0]
    )
    assert ("Oldham, Sons & Co", "closed") == (read.accounts[2].name, read.accounts[2].status)
    assert ContactEntry("tessa@bridgework.example", "Tessa", ("ACME", "BOREALIS")) == read.contacts[1]
    assert "anna@acme.example" == read.contacts[0].email
    assert "TEAM" == read.engagements[1].name


@pytest.mark.parametrize(
    ("file", "text", "line", "because"),
    [
        ("accounts", "code,name\n,Nobody\n", 2, "code is missing"),
        ("accounts", "code,name\nA B,Nobody\n", 2, "will not do"),
        ("accounts", "code,name\nACME,\n", 2, "name is missing"),
        ("accounts", "code,name\nACME,A\nacme,B\n", 3, "stands in line 2 already"),
        ("accounts", "code,name,domains\nACME,A,gmail.com\n", 2, "free-mail domain"),
        ("accounts", "code,name,domains\nACME,A,acme.example;nonsense\n", 2, "'nonsense' is not a domain"),
        ("accounts", "code,name,status\nACME,A,lost\n", 2, "neither open nor closed"),
        ("accounts", "code,name,colour\nACME,A,red\n", 1, "'colour' is no column"),
        ("accounts", "name\nA\n", 1, "column code is missing"),
        ("accounts", "", 1, "The first line is empty. The first line names the columns"),
        ("accounts", "\ufeff", 1, "The first line is empty"),
        ("accounts", "\n\n", 1, "The first line is empty"),
        ("accounts", "x" * 10_000_000, 1, "a cell is longer than 131,072 characters"),
        ("accounts", "code,name\nACME" + "," * 100_000 + "\n", 2, "100001 cells where the first line has 2"),
        ("accounts", "code,name\nACME,A\0cme\n", 2, "a character in it that is no text"),
        ("accounts", "code,name\nAC\0ME,Acme\n", 2, "will not do"),
        ("accounts", f"code,name\nACME,{'x' * 201}\n", 2, "is longer than 200 characters"),
        ("accounts", "code,code,name\nACME,A,B\n", 1, "code stands there twice"),
        ("accounts", "code,name\nACME,A,B\n", 2, "3 cells where the first line has 2"),
        ("accounts", 'code,name\nACME,"A\n', 2, "not CSV"),
        ("contacts", "email,account\nanna,ACME\n", 2, "'anna' is not a mail address"),
        ("contacts", "email,account\nanna@acme.example,\n", 2, "account is missing"),
        ("contacts", "email,account\nanna@acme.example,NOBODY\n", 2, "no account NOBODY for anna@acme.example"),
        ("engagements", "code,account\nX,NOBODY\n", 2, "no account NOBODY for X"),
        ("work_items", "code,engagement\nX,NOTHING\n", 2, "no engagement NOTHING for X"),
    ],
)
def test_a_bad_line_is_named_with_what_is_wrong_and_nothing_is_taken(file, text, line, because):
    found = plan(
        read_book(files(**{"contacts": None, "engagements": None, "work_items": None, file: text})), HeldBook()
    )

    assert [(f"{file}.csv", line)] == [(each.file, each.line) for each in found.bad]
    assert because in found.bad[0].because
    assert found.is_empty


def test_every_bad_line_is_named_not_only_the_first():
    text = "code,name\n,A\nB,\nGOOD,Good\n!,C\n"
    found = read_book({"accounts.csv": text.encode()})

    assert [2, 3, 5] == [each.line for each in found.bad]
    assert "accounts.csv:2: The code is missing." == str(found.bad[0])


def test_every_line_that_is_no_text_is_named():
    found = read_book({"accounts.csv": b"code,name\nACME,A\nB,\xff\xfe\nC,Caf\xe9\n"})

    assert [
        "accounts.csv:3: This line is not UTF-8; save the file as CSV in UTF-8.",
        "accounts.csv:4: This line is not UTF-8; save the file as CSV in UTF-8.",
    ] == [str(each) for each in found.bad]


def test_after_what_is_no_csv_the_next_lines_are_read():
    long = "x" * 10_000_000
    found = read_book({"accounts.csv": f'code,name\nACME,{long}\n,B\nC,"C"c\nD,D\nE,"E\n'.encode()})

    assert [2, 3, 4, 6] == [each.line for each in found.bad]
    assert "accounts.csv:2: This is not CSV: a cell is longer than 131,072 characters." == str(found.bad[0])
    assert "accounts.csv:6: This is not CSV: a quote is opened here and never closed." == str(found.bad[3])


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffcode,name\nACME,Acme\n",
        "CODE, Name\nACME,Acme\n",
        "name;code\nAcme;ACME\n",
        "code\tname\r\nACME\tAcme\r\n\r\n",
        "code,name\rACME,Acme\r",
        "code\tname\r\nACME\tAcme\r\n".encode("utf-16"),
        b"\xfe\xff" + "code;name\nACME;Acme\n".encode("utf-16-be"),
    ],
)
def test_what_spreadsheets_write_is_understood(text):
    found = read_book({"accounts.csv": text if isinstance(text, bytes) else text.encode()})

    assert ([], [("ACME", "Acme")]) == (list(found.bad), [(each.code, each.name) for each in found.accounts])


def test_a_folder_without_a_book_says_what_it_should_hold():
    with pytest.raises(BadRequest, match=r"accounts\.csv, contacts\.csv, engagements\.csv, work_items\.csv"):
        read_book({"other.csv": b""})


def test_a_file_that_is_none_of_a_book_is_not_passed_over():
    with pytest.raises(BadRequest, match=r"'account\.csv' is no file of a book"):
        read_book({"account.csv": b"code,name\nACME,Acme\n", "contacts.csv": b"email,account\n"})


def test_a_first_import_is_all_new():
    found = plan(read_book(files()), HeldBook())

    assert {"accounts": Diff(3), "contacts": Diff(2), "engagements": Diff(2), "work_items": Diff(2)} == found.diffs


def test_the_same_again_changes_nothing():
    found = plan(read_book(files()), held())

    assert found.is_empty
    assert [] == list(found.history)
    assert Diff(0, 0, 3) == found.diffs["accounts"]


def test_only_what_differs_is_written_and_the_history_has_both():
    renamed = ACCOUNTS.replace("Borealis GmbH", "Borealis SE")
    found = plan(read_book(files(accounts=renamed)), held())

    assert ["BOREALIS"] == [each.code for each in found.accounts]
    assert ("Borealis GmbH", "Borealis SE") == (found.history[0].before["name"], found.history[0].after["name"])
    assert Diff(0, 1, 2) == found.diffs["accounts"]


def test_a_contact_that_moved_leaves_the_account_it_has_no_line_for():
    moved = CONTACTS.replace("Anna Kowalski,ACME", "Anna Kowalski,BOREALIS")
    found = plan(read_book(files(contacts=moved)), held())

    assert [("anna@acme.example", ("BOREALIS",))] == [(each.email, each.accounts) for each in found.contacts]
    assert [("ACME", "contacts"), ("BOREALIS", "contacts")] == [(each.account, each.what) for each in found.history]
    assert found.history[0].after is None


def test_contacts_that_a_file_does_not_name_stay():
    found = plan(read_book(files(contacts="email,account\nnew@acme.example,ACME\n")), held())

    assert ["new@acme.example"] == [each.email for each in found.contacts]


def test_a_file_without_names_takes_no_names_away():
    bare = "email,account\nanna@acme.example,ACME\ntessa@bridgework.example,ACME\ntessa@bridgework.example,BOREALIS\n"

    assert plan(read_book(files(contacts=bare)), held()).is_empty


def test_files_that_still_name_a_merged_account_mean_the_one_it_went_to():
    now = held(accounts=ACCOUNTS, contacts=CONTACTS.replace(",ACME", ",BOREALIS"))
    merged = HeldBook(
        now.accounts,
        now.contacts,
        {"LEAD": replace(now.engagements["LEAD"], account="BOREALIS")},
        now.work_items,
        {"ACME": "BOREALIS"},
    )
    renamed = ACCOUNTS.replace("ACME Industries GmbH", "ACME Holding")
    found = plan(read_book(files(accounts=renamed, engagements=ENGAGEMENTS.split("TEAM")[0], work_items=None)), merged)

    assert ([], [], []) == (list(found.accounts), list(found.contacts), list(found.engagements))


@pytest.mark.parametrize(
    "line", [b"A,b\n", b"A,\n", b"\xff,b\n", b"A,b,c\n"], ids=["twice", "no name", "no text", "cells"]
)
def test_a_file_of_bad_lines_is_read_no_further_than_people_would(line):
    bad = read_book({"accounts.csv": b"code,name\n" + line * 20_000}).bad

    assert 10_001 == len(bad)
    assert "There are more; mend these first." == bad[-1].because


def test_one_contact_on_very_many_accounts_is_read_at_once_and_refused():
    lines = b"".join(b"tessa@bridgework.example,,A%d\n" % number for number in range(100_000))
    read = read_book({"contacts.csv": b"email,name,account\n" + lines})

    said = "tessa@bridgework.example is on more than 1,000 accounts, and so says nothing about any."
    assert [f"contacts.csv:1002: {said}"] == [str(each) for each in read.bad]


def test_a_first_line_of_very_many_columns_is_refused_at_once():
    (bad,) = read_book({"accounts.csv": b"code," * 500_000 + b"name\n"}).bad

    assert bad.because.startswith("The column code stands there twice.")


def test_a_file_of_more_lines_than_anybody_has_clients_is_not_read(monkeypatch):
    monkeypatch.setattr(book_files, "MOST_LINES", 5)
    read = read_book({"accounts.csv": b"code,name\nACME,Acme\n" + b"\n" * 10})

    assert ["accounts.csv:6: The file has more than 5 lines; split it."] == [str(each) for each in read.bad]
