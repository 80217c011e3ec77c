from __future__ import annotations

import base64
import binascii
import io
import tracemalloc
import zipfile
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from random import Random

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, pkcs7

from postroom.mail.containers import Limits
from postroom.mail.parse import Piece, attachments_in, read_mail, read_mail_file
from postroom.nouns.mail import Address, MailMessage
from rules.mail.outlook import msg, tnef

PDF = b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\n%%EOF\n"
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 2000


def letter(**headers: str) -> EmailMessage:
    mail = EmailMessage()
    mail["From"] = headers.pop("sender", "Anna Berg <anna@client.test>")
    mail["To"] = "desk@house.test"
    mail["Subject"] = headers.pop("subject", "Trade of today")
    mail["Message-ID"] = "<1@client.test>"
    mail["Date"] = "Tue, 05 Mar 2024 09:30:00 +0100"
    for name, value in headers.items():
        mail[name.replace("_", "-")] = value
    mail.set_content("Please find the note attached.\n")
    return mail


def names(message: MailMessage) -> list[str]:
    return [attachment.filename for attachment in message.attachments]


def test_an_ordinary_mail_comes_in_one_shape():
    mail = letter(Reply_To="back@client.test", References="<a@x> <b@x>", In_Reply_To="<b@x>", Cc="Bo <BO@House.test>")
    mail.add_attachment(PDF, maintype="application", subtype="pdf", filename="note.pdf")

    message = read_mail(mail.as_bytes())

    assert message.sender == Address("anna@client.test", "Anna Berg")
    assert message.cc == (Address("bo@house.test", "Bo"),)
    assert message.answer_to() == (Address("back@client.test"),)
    assert message.date == datetime(2024, 3, 5, 8, 30, tzinfo=UTC)
    assert (message.message_id, message.in_reply_to, message.references) == (
        "<1@client.test>",
        "<b@x>",
        ("<a@x>", "<b@x>"),
    )
    assert message.new_text == "Please find the note attached."
    assert [(a.filename, a.sniffed_type, a.path, a.content) for a in message.attachments] == [
        ("note.pdf", "application/pdf", ("2",), PDF)
    ]
    assert message.flaws == ()


@pytest.mark.parametrize(
    ("header", "subject"),
    [
        (b"=?utf-8?q?Gr=C3=BC=C3=9Fe?=", "Grüße"),
        (b"=?utf-8?B?w6k=?= =?utf-8?B?dMOp?=", "été"),
        (b"=?utf-8?Q?=E2=82?=\n =?utf-8?Q?=AC_5?=", "€ 5"),
        (b"=?x-nobody-knows?q?caf=E9?=", "café"),
        (b"Gr\xc3\xbc\xc3\x9fe roh", "Grüße roh"),
        (b"Gr\xfc\xdfe alt", "Grüße alt"),
        (b"=?utf-8?B?!!!notbase64?=", "!!!notbase64"),
        (b"folded\n over two", "folded over two"),
        (b"", ""),
    ],
)
def test_subjects_are_decoded_whatever_was_done_to_them(header, subject):
    message = read_mail(b"From: a@b.test\nSubject: " + header + b"\n\nbody\n")

    assert message.subject == subject


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("a@b.test", [("a@b.test", "")]),
        ('"Berg, Anna" <Anna@B.test>, bo@b.test', [("anna@b.test", "Berg, Anna"), ("bo@b.test", "")]),
        ("=?utf-8?q?Berg=2C_Anna?= <anna@b.test>", [("anna@b.test", "Berg, Anna")]),
        ("anna@b.test (Anna Berg)", [("anna@b.test", "Anna Berg")]),
        ("Team: a@b.test, b@b.test;", [("a@b.test", ""), ("b@b.test", "")]),
        ("undisclosed-recipients:;", []),
        ('"ceo@bank.test" <thief@evil.test>', [("thief@evil.test", "ceo@bank.test")]),
        ("MAILER-DAEMON", []),
        ("<a@b.test>; <a@b.test>", [("a@b.test", "")]),
    ],
)
def test_addresses_are_split_where_they_end(header, expected):
    message = read_mail(f"From: x@y.test\nTo: {header}\n\n".encode())

    assert [(address.email, address.name) for address in message.to] == expected


def test_two_from_lines_are_both_kept_for_whoever_must_be_suspicious():
    message = read_mail(b"From: real@bank.test\nFrom: thief@evil.test\n\nhello\n")

    assert [address.email for address in message.from_] == ["real@bank.test", "thief@evil.test"]


@pytest.mark.parametrize(
    ("disposition", "filename"),
    [
        ("attachment; filename=\"plain.pdf\"", "plain.pdf"),
        ("attachment; filename*=utf-8''%C3%9Cbersicht.pdf", "Übersicht.pdf"),
        ("attachment; filename*0*=utf-8''%C3%9Cber; filename*1=sicht.pdf", "Übersicht.pdf"),
        ("attachment; filename=\"=?utf-8?q?=C3=9Cbersicht.pdf?=\"", "Übersicht.pdf"),
        ("attachment; filename=two words.pdf", "two words.pdf"),
        ("attachment; filename=\"../../etc/passwd.pdf\"", "passwd.pdf"),
        ("attachment; filename=\"C:\\\\\\\\temp\\\\\\\\note.pdf\"", "note.pdf"),
        ("attachment", "part-1.pdf"),
    ],
)  # fmt: skip
def test_file_names_survive_every_way_of_writing_them(disposition, filename):
    raw = (
        f"From: a@b.test\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=B\n\n--B\n"
        f"Content-Type: application/pdf\nContent-Disposition: {disposition}\nContent-Transfer-Encoding: base64\n\n"
        f"{base64.b64encode(PDF).decode()}\n--B--\n"
    ).encode()

    assert names(read_mail(raw)) == [filename]


ODD = {
    "empty": b"",
    "only a line end": b"\n",
    "no headers": b"just some words\nwithout any header\n",
    "binary junk": bytes(range(256)) * 20,
    "unknown charset": b"Content-Type: text/plain; charset=martian\n\ncaf\xe9\n",
    "charset that is no text": b"Content-Type: text/plain; charset=rot13\n\nwords\n",
    "charset as RFC 2231": b"Content-Type: text/plain; charset*=us-ascii'en'utf-8\n\n\xff\xfe words\n",
    "boundary missing": b"Content-Type: multipart/mixed\n\n--B\nContent-Type: text/plain\n\nwords\n--B--\n",
    "boundary misspelt": b"Content-Type: multipart/mixed; boundary=A\n\n--B\nContent-Type: text/plain\n\nwords\n--B--\n",
    "no closing boundary": b"Content-Type: multipart/mixed; boundary=B\n\n--B\nContent-Type: text/plain\n\nwords\n",
    "empty multipart": b"Content-Type: multipart/mixed; boundary=B\n\n--B--\n",
    "type of one word": b"Content-Type: text\n\nwords\n",
    "type of nonsense": b"Content-Type: ;;;===\"\n\nwords\n",
    "broken base64": b"Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n####\n",
    "broken quoted-printable": b"Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n=ZZ=\n",
    "unknown transfer encoding": b"Content-Type: text/plain\nContent-Transfer-Encoding: x-magic\n\nwords\n",
    "impossible date": b"Date: Wed, 99 Foo 99999 99:99:99 +9999\n\nwords\n",
    "nul in header": b"Subject: a\0b\nFrom: \0\n\nwords\n",
    "very long line": b"Subject: " + b"x" * 200_000 + b"\n\nwords\n",
    "carriage returns only": b"Subject: a\rFrom: b@c.test\r\rwords\r",
    "message in message without content": b"Content-Type: message/rfc822\n\n",
    "report of nothing": b"Content-Type: multipart/report; boundary=B\n\n--B\nContent-Type: message/delivery-status\n\n--B--\n",
    "deeply nested": b"".join(
        b"Content-Type: multipart/mixed; boundary=B%d\n\n--B%d\n" % (level, level) for level in range(400)
    ),
    "mail in mail in mail": b"Content-Type: message/rfc822\n\n" * 300,
    "html of nothing but tags": b"Content-Type: text/html\n\n" + b"<div>" * 5000,
    "tnef cut short": b"Content-Type: application/ms-tnef\n\n\x78\x9f\x3e\x22\x01",
    "zip cut short": b"Content-Type: application/zip\n\nPK\x03\x04junk",
}  # fmt: skip


@pytest.mark.parametrize("raw", ODD.values(), ids=ODD)
def test_odd_mail_is_read_not_refused(raw):
    message = read_mail(raw)

    assert isinstance(message, MailMessage)
    assert len(message.content_hash) == 64


@pytest.mark.parametrize("name", ["boundary missing", "boundary misspelt", "no closing boundary"])
def test_words_behind_a_broken_boundary_are_found(name):
    assert read_mail(ODD[name]).text_body == "words"


def test_an_inline_picture_is_known_by_the_html_that_shows_it():
    mail = letter()
    mail.add_alternative('<p>Hi</p><img src="cid:logo@x">', subtype="html")
    mail.get_payload()[1].add_related(PNG, "image", "png", cid="<logo@x>", filename="logo.png")
    mail.add_attachment(PNG, maintype="image", subtype="png", filename="scan.png")

    message = read_mail(mail.as_bytes())

    assert [(a.filename, a.inline) for a in message.attachments] == [("logo.png", True), ("scan.png", False)]


def test_a_uuencoded_file_in_the_text_is_taken_out():
    coded = "".join(binascii.b2a_uu(PDF[at : at + 45]).decode() for at in range(0, len(PDF), 45))
    raw = f"From: a@b.test\n\nSee below.\n\nbegin 644 note.pdf\n{coded}`\nend\nBye\n".encode()

    message = read_mail(raw)

    assert [(a.filename, a.content) for a in message.attachments] == [("note.pdf", PDF)]
    assert "begin" not in message.text_body
    assert message.text_body.split() == ["See", "below.", "Bye"]


def forwarded(inner: bytes, encoding: str = "7bit") -> bytes:
    body = base64.encodebytes(inner) if encoding == "base64" else inner
    return (
        b"From: bo@client.test\nSubject: FW: note\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=OUT\n\n"
        b"--OUT\nContent-Type: text/plain\n\nAs promised.\n--OUT\nContent-Type: message/rfc822\n"
        b"Content-Transfer-Encoding: " + encoding.encode() + b"\n\n" + body + b"\n--OUT--\n"
    )


@pytest.mark.parametrize("encoding", ["7bit", "base64"])
def test_a_forwarded_mail_gives_up_its_attachment_with_the_way_to_it(encoding):
    inner = letter()
    inner.add_attachment(PDF, maintype="application", subtype="pdf", filename="note.pdf")

    message = read_mail(forwarded(inner.as_bytes(), encoding))

    assert [(a.filename, a.path) for a in message.attachments] == [("note.pdf", ("2", "message.eml", "2"))]
    assert [mail.subject for mail in message.enclosed] == ["Trade of today"]
    assert message.text_body == "As promised."


def test_a_winmail_dat_is_opened_also_inside_another():
    mail = letter()
    inner = tnef("inner words", [("scan.png", PNG)])
    outer = tnef("outer words", [("note.pdf", PDF), ("winmail.dat", inner)])
    mail.add_attachment(outer, maintype="application", subtype="ms-tnef", filename="winmail.dat")

    message = read_mail(mail.as_bytes())

    assert [(a.filename, a.path) for a in message.attachments] == [
        ("note.pdf", ("2", "winmail.dat", "note.pdf")),
        ("scan.png", ("2", "winmail.dat", "winmail.dat", "scan.png")),
    ]


def test_an_outlook_message_file_is_a_mail_with_its_mails():
    content = msg(
        "Quarterly note",
        body="See both.",
        sender="anna@client.test",
        to=["desk@house.test"],
        files=[("note.pdf", PDF + b"x" * 5000)],
        mails=[{"subject": "Inner", "sender": "bo@client.test", "files": [("inner.pdf", PDF)]}],
    )

    message = read_mail_file("any name", content)

    assert (message.subject, message.text_body) == ("Quarterly note", "See both.")
    assert (message.sender, message.to) == (Address("anna@client.test"), (Address("desk@house.test"),))
    assert names(message) == ["note.pdf", "inner.pdf"]
    assert [(mail.subject, mail.sender) for mail in message.enclosed] == [("Inner", Address("bo@client.test"))]


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def test_a_zip_is_opened_and_its_rubbish_left_out():
    content = zipped({"march/note.pdf": PDF, "__MACOSX/._note.pdf": b"x", "inner.zip": zipped({"deep.png": PNG})})

    found = attachments_in([Piece("all.zip", content)])

    assert [(a.filename, a.path) for a in found] == [
        ("note.pdf", ("all.zip", "note.pdf")),
        ("deep.png", ("all.zip", "inner.zip", "deep.png")),
    ]


def test_a_zip_bomb_costs_no_more_than_the_limit():
    bomb = zipped({"zeros.bin": b"\0" * 30_000_000})

    found = attachments_in([Piece("bomb.zip", bomb)], limits=Limits(unpacked_bytes=1024 * 1024))

    assert [(a.filename, a.flaw) for a in found] == [("bomb.zip", "Not opened: unpacks to more than 1 MB.")]


def test_a_nest_of_zips_ends_at_the_limit():
    content = PDF
    for level in range(30):
        content = zipped({f"{level}.zip" if level else "note.pdf": content})

    found = attachments_in([Piece("nest.zip", content)])

    assert [a.flaw for a in found] == ["Not opened: nested more than 8 deep."]


def test_a_zip_of_countless_files_ends_at_the_limit():
    content = zipped({f"{number}.txt": b"x" for number in range(50)})

    found = attachments_in([Piece("many.zip", content)], limits=Limits(files=10))

    assert found[-1].flaw == "Not opened: more than 10 files in one mail."


@pytest.mark.parametrize(
    ("content", "flaw"),
    [
        (b"PK\x03\x04" + b"junk" * 10, "a broken zip file (File is not a zip file); ask the sender for it again"),
        (b"\x78\x9f\x3e\x22" + b"\xff" * 40, "a winmail.dat without"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "__properties_version1.0".encode("utf-16-le"), "a broken .msg file"),
    ],
)
def test_a_broken_container_is_kept_with_the_reason(content, flaw):
    (found,) = attachments_in([Piece("broken", content)])

    assert found.flaw.startswith(f"Not opened: {flaw}")


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (PDF, "application/pdf"),
        (b"junk before\n" + PDF, "application/pdf"),
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"II*\0", "image/tiff"),
        (b"MM\0*", "image/tiff"),
        (b"GIF89a", "image/gif"),
        (b"<?xml version='1.0'?><a/>", "application/xml"),
        (b"\xef\xbb\xbf<Invoice xmlns='x'>", "application/xml"),
        (b"BEGIN:VCALENDAR", "text/calendar"),
        (b"BEGIN:VCARD", "text/vcard"),
        (b"<html><body>", "text/html"),
        (b"plain words", "text/plain"),
        (b"\0\1\2", "application/octet-stream"),
        (b"MZ\x90\0", "application/x-msdownload"),
    ],
)
def test_a_file_is_what_its_bytes_say(content, kind):
    (found,) = attachments_in([Piece("invoice.pdf", content, "application/pdf")])

    assert found.sniffed_type == kind


def test_the_same_mail_by_two_routes_has_one_hash():
    mail = letter().as_bytes()

    one, other = read_mail(b"Received: by a\n" + mail), read_mail(b"Received: by b\nX-Seen: 1\n" + mail)

    assert one.content_hash == other.content_hash
    assert one.content_hash != read_mail(mail.replace(b"attached", b"enclosed")).content_hash


def test_html_alone_becomes_readable_text():
    html = "<style>p{}</style><p>Dear&nbsp;team,</p><p>one<br>two</p><ul><li>a</li><li>b</li></ul><table><tr><td>x</td><td>1</td></tr></table>"
    raw = f"From: a@b.test\nContent-Type: text/html; charset=utf-8\n\n{html}\n".encode()

    assert read_mail(raw).text_body == "Dear team,\n\none\ntwo\n\n- a\n- b\n\nx\t1"


SLOW = {
    "countless uuencoded beginnings": b"\n" + b"begin 644 x\n" * 60_000,
    "html of endless depth": b"Content-Type: text/html\n\n" + b"<div><blockquote>" * 100_000,
    "a date of brackets": b"Date: " + b"(" * 300_000 + b"\n\nhi",
    "nothing but labels": b"\n" + b"From: x\n" * 100_000,
    "recipients without end": b"To: " + b"a@b.test, " * 200_000 + b"\n\nhi",
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("raw", SLOW.values(), ids=SLOW)
def test_mail_made_to_take_for_ever_does_not(raw):
    assert isinstance(read_mail(raw), MailMessage)


def opaque(content: bytes) -> bytes:
    """Signed as Outlook does it, with the mail inside the signature."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Anna")])
    start = datetime(2024, 1, 1, tzinfo=UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(7)
        .not_valid_before(start)
        .not_valid_after(start + timedelta(days=9000))
        .sign(key, hashes.SHA256())
    )
    builder = pkcs7.PKCS7SignatureBuilder().set_data(content).add_signer(certificate, key, hashes.SHA256())
    return builder.sign(Encoding.DER, [pkcs7.PKCS7Options.Binary])


def enveloped(der: bytes) -> bytes:
    return (
        b"From: anna@client.test\nSubject: signed\nMIME-Version: 1.0\n"
        b'Content-Type: application/pkcs7-mime; smime-type=signed-data; name="smime.p7m"\n'
        b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(der)
    )


def test_a_mail_inside_its_signature_is_read():
    inner = EmailMessage()
    inner.set_content("Signed words.")
    inner.add_attachment(PDF, maintype="application", subtype="pdf", filename="note.pdf")

    message = read_mail(enveloped(opaque(inner.as_bytes())))

    assert message.new_text == "Signed words."
    assert [(a.filename, a.path) for a in message.attachments] == [("note.pdf", ("signed", "2"))]


def test_a_signature_in_pieces_of_unknown_length_is_read():
    def endless(tag: int, *inside: bytes) -> bytes:
        return bytes((tag, 0x80)) + b"".join(inside) + b"\0\0"

    def short(tag: int, content: bytes) -> bytes:
        return bytes((tag, len(content))) + content

    data, signed = short(6, bytes.fromhex("2a864886f70d010701")), short(6, bytes.fromhex("2a864886f70d010702"))
    pieces = endless(0x24, short(4, b"Content-Type: text/plain\n\nwo"), short(4, b"rds"))
    content = endless(0x30, data, endless(0xA0, pieces))
    der = endless(0x30, signed, endless(0xA0, endless(0x30, short(2, b"\1"), short(0x31, b""), content)))

    assert read_mail(enveloped(der)).text_body == "words"


@pytest.mark.parametrize("der", [b"", b"\x30", b"\x30\x80" * 5000, b"\x30\x03\x02\x01\x01", bytes(range(256))])
def test_an_envelope_that_cannot_be_opened_stays_a_file(der):
    message = read_mail(enveloped(der))

    assert names(message) == ["smime.p7m"]


LARGE = PDF + Random(1).randbytes(3_000_001)


def carrying(encoded: bytes) -> bytes:
    return (
        b"From: a@b.test\nMIME-Version: 1.0\nContent-Type: application/pdf; name=note.pdf\n"
        b"Content-Disposition: attachment; filename=note.pdf\nContent-Transfer-Encoding: Base64\n\n" + encoded
    )


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text,
        lambda text: text.replace(b"\n", b"\r\n"),
        lambda text: text.replace(b"\n", b" \n", 1),
        lambda text: text.replace(b"\n", b"\n\n", 3),
        lambda text: text.rstrip(b"=\n"),
        lambda text: text[:500] + b"!" + text[500:],
    ],
    ids=["as usual", "with carriage returns", "a space", "empty lines", "no padding", "a stray letter"],
)
def test_a_large_file_is_whole_however_its_lines_are_written(spoil):
    [found] = read_mail(carrying(spoil(base64.encodebytes(LARGE)))).attachments

    assert found.content == LARGE


def test_a_large_mail_takes_no_more_than_three_times_its_size_beside_itself():
    raw = carrying(base64.encodebytes(LARGE))
    tracemalloc.start()
    try:
        read_mail(raw)
        taken = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert taken < 3 * len(raw)
