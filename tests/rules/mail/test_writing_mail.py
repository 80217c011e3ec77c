"""Mail as we write it: whatever stands in a header, a recipient or a file name, it begins no header of its own."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.policy import default

import pytest

from postroom.mail.parse import read_mail
from postroom.mail.writing import write_mail
from postroom.nouns.drafts import OutgoingFile

EVIL = "=?utf-8?q?x=0D=0ABcc:_evil@x.example?="
ODD = {
    "an encoded word": EVIL,
    "an encoded word among others": f"Offer {EVIL} for you",
    "an encoded word beside an umlaut": f"Grüße {EVIL}",
    "a line break": "Offer\r\nBcc: evil@x.example",
    "other line breaks": "Offer\u2028Bcc: evil@x.example\x0b\x0c\x1c\x85Bcc: evil@x.example",
    "control characters": "a\x08b\x1b[31m\x7f",
    "a header's beginning": "Bcc: evil@x.example",
    "letters that are joined": "می\u200cخواهم 👨\u200d👩\u200d👧",
    "nothing but umlauts": "ü" * 300,
    "a long line": "long " * 90,
    "one long word": "w" * 500,
}


def written(**other: object) -> bytes:
    usual = {
        "people": {"To": ["anna@b.example"]},
        "headers": {"Subject": "Offer"},
        "text": "Yes.",
        "html": "<p>Yes.</p>",
    }
    return write_mail(**{**usual, **other})  # type: ignore[arg-type]  # by their names


def names_of(raw: bytes) -> list[str]:
    head = raw.partition(b"\r\n\r\n")[0].decode()
    return [line.partition(":")[0] for line in head.split("\r\n") if not line.startswith((" ", "\t"))]


@pytest.mark.parametrize("subject", ODD.values(), ids=list(ODD))
def test_a_subject_stays_one_header_and_says_what_it_said(subject: str):
    raw = written(headers={"Subject": subject})

    assert ["To", "Subject", "Content-Type", "MIME-Version"] == sorted(names_of(raw), key=_order)
    shown = re.sub(r"[\x00-\x1f\x7f]", "", " ".join(subject.split()))
    assert shown.split() == read_mail(raw).subject.split()
    assert max(len(line) for line in raw.split(b"\r\n")) <= 998


def _order(name: str) -> int:
    return ["To", "Subject", "Content-Type", "MIME-Version"].index(name)


@pytest.mark.parametrize("name", ["References", "In-Reply-To", "X-Other"])
def test_no_other_header_begins_one_either(name: str):
    raw = written(headers={name: f"<{EVIL}@x.example>\r\nBcc: evil@x.example"})

    assert "Bcc" not in names_of(raw)
    assert message_from_bytes(raw, policy=default)["Bcc"] is None


@pytest.mark.parametrize(
    "address",
    [
        "=?utf-8?q?evil=40x.example=2c_a?=@b.example",
        "a@=?utf-8?q?b.example=2c_evil=40x?=.example",
        "a\x01b@c.example",
        "a\r\nBcc: evil@x.example",
        'a"b@c.example',
    ],
)
def test_an_address_stays_one_address(address: str):
    raw = written(people={"To": [address, "anna@b.example"]})

    read = message_from_bytes(raw, policy=default)
    assert "Bcc" not in names_of(raw)
    assert 2 == len(read["To"].addresses)
    assert "anna@b.example" == read["To"].addresses[1].addr_spec


def test_an_address_with_umlauts_is_written_as_it_is():
    raw = written(people={"To": ["jörg@bücher.example"], "Cc": []})

    assert "To: jörg@bücher.example\r\n".encode() in raw
    assert ["jörg@bücher.example"] == [each.email for each in read_mail(raw).to]


def test_fifty_recipients_are_folded_between_addresses():
    people = [f"person.number{number}@some-long-domain.example" for number in range(50)]

    raw = written(people={"To": people})

    assert people == [each.email for each in read_mail(raw).to]
    assert max(len(line) for line in raw.split(b"\r\n")) <= 78


@pytest.mark.parametrize(
    "name", [f"{EVIL}.txt", "a\r\nBcc: evil.txt", 'a"; x="b.txt', "Preise für März.txt", "plan.txt"]
)
def test_a_file_name_begins_no_header_and_keeps_its_letters(name: str):
    raw = written(files=[OutgoingFile(name, "text/plain", b"two rooms")])

    part = next(iter(message_from_bytes(raw, policy=default).iter_attachments()))
    assert ["content-disposition", "content-transfer-encoding", "content-type", "mime-version"] == sorted(
        each.lower() for each in part
    )
    assert b"two rooms" == part.get_payload(decode=True)
    if "=?" not in name:
        assert " ".join(name.split()) == part.get_filename()
