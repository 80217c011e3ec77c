from __future__ import annotations

import pytest

from postroom.mail.attachments import Kept, sift, worth_keeping
from postroom.mail.relevance import worth_reading
from postroom.mail.sniff import DOCX, HTML, LOCKED_OFFICE, XLSX, sniff
from postroom.nouns.errors import Misconfigured
from postroom.nouns.mail import Address, Attachment, MailMessage
from postroom.nouns.mailbox_rules import MailboxRules, mailbox_rules

PDF, PNG, JPEG, TIFF = "application/pdf", "image/png", "image/jpeg", "image/tiff"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
CII = b'<?xml version="1.0"?><rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100">'
UBL = b'<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2">'


def file(name: str = "note.pdf", sniffed: str = PDF, content: bytes = b"x" * 5000, **more) -> Attachment:
    return Attachment(filename=name, content=content, sniffed_type=sniffed, path=more.pop("path", ("2",)), **more)


KEPT = {
    "a PDF": (file(), "pdf"),
    "a PDF that calls itself something else": (file("note.txt", declared_type="text/plain"), "pdf"),
    "a PNG": (file("scan.png", PNG), "png"),
    "a JPEG": (file("scan.jpg", JPEG), "jpeg"),
    "a TIFF": (file("fax.tif", TIFF), "tiff"),
    "a PDF shown inline, as Apple Mail does": (file(content_id="x", inline=True), "pdf"),
    "a picture with a content id that nothing shows": (file("scan.png", PNG, content_id="x"), "png"),
    "an e-invoice in CII": (file("xrechnung.xml", "application/xml", CII), "e_invoice"),
    "an e-invoice in UBL": (file("invoice.xml", "application/xml", UBL), "e_invoice"),
    "a bill as text": (file("bill.txt", "text/plain", b"Invoice 7\nNet 10.00\nTotal 11.90"), "text"),
    "a trade as a page": (file("note.html", HTML, b"<td>US0378331005<td>150.25<td>1,502.50"), "html"),
    "a statement as a table": (file("trades.csv", "text/csv", b"ISIN;Price;Amount\nX;1,50;15,00\n"), "csv"),
    "a Word file": (file("bill.docx", DOCX), "docx"),
    "an Excel file": (file("trades.xlsx", XLSX), "xlsx"),
    "a Word file with a password, so that somebody is told": (file("bill.docx", LOCKED_OFFICE), "office"),
    "a Word file of the old kind": (file("bill.doc", "application/msword"), "office"),
    "an encrypted mail": (file("smime.p7m", "application/pkcs7-mime"), "unread"),
    "a file of an old program": (file("note.xls", "application/x-ole-storage"), "office"),
    "XPS": (file("note.xps", "application/oxps"), "office"),
    **{
        f"a {ending} file": (file(f"note.{ending}", kind, b"x" * 20_000), "unread")
        for ending, kind in (
            ("heic", "image/heic"),
            ("webp", "image/webp"),
            ("gif", "image/gif"),
            ("bmp", "image/bmp"),
            ("7z", "application/x-7z-compressed"),
            ("rar", "application/vnd.rar"),
            ("gz", "application/gzip"),
        )
    },
    "exactly 25 MB": (file(content=b"x" * (25 * 1024 * 1024)), "pdf"),
}
PAIRS = (
    "Contract note,We have bought for you\nISIN,DE0007164600\nQuantity,12\nPrice EUR,100.00\nGross amount EUR,1200.00\n"
)
TWO_COLUMNS = {
    "commas": PAIRS,
    "tabs": PAIRS.replace(",", "\t"),
    "bars": PAIRS.replace(",", "|"),
    "semicolons": PAIRS.replace(",", ";"),
    "quotes": "\n".join('"' + line.replace(",", '","') + '"' for line in PAIRS.splitlines()),
    "a byte order mark": "\ufeff" + PAIRS,
    "decimal commas in quotes": PAIRS.replace("100.00", '"100,00"').replace("1200.00", '"1.200,00"'),
    "decimal commas": PAIRS.replace(".00", ",00"),
    "whole numbers": PAIRS.replace(".00", ""),
    "lines of Windows": PAIRS.replace("\n", "\r\n"),
}


@pytest.mark.parametrize("text", TWO_COLUMNS.values(), ids=TWO_COLUMNS)
def test_a_table_of_two_columns_is_a_document_whatever_parts_them(text):
    content = text.encode()

    assert "csv" == getattr(worth_keeping(file("c.csv", sniff(content), content)), "kind", "")


@pytest.mark.parametrize(
    "text",
    [
        "Hello Tom,\nthanks for the photos, we loved them.\nSee you soon, and all the best,\nAnna",
        "Betrag 100,00\nSteuer 19,00\nSumme 119,00\n",
        "One line,only\n",
    ],
)
def test_prose_with_commas_is_no_table(text):
    assert "text/plain" == sniff(text.encode())


def test_a_mail_whose_file_is_left_out_says_so():
    said = worth_reading(mail(attachments=(file("notes.txt", "text/plain", b"Lunch at noon."),), text_body="your file"))

    assert not said.keep
    assert "It has no document with it" not in said.because
    assert "notes.txt: A text without amounts" in said.because


DROPPED = {
    "an empty file": (file(content=b""), "empty"),
    "25 MB and a byte": (file(content=b"x" * (25 * 1024 * 1024 + 1)), "over the limit of 25 MB"),
    "a logo": (file("logo.png", PNG, content_id="l", inline=True), "cid:"),
    "a tracking pixel": (file("p.png", PNG, b"x" * 100), "Too small"),
    "a program called PDF": (file("invoice.pdf", "application/x-msdownload"), "application/x-msdownload"),
    "a signature without a name": (file("part 2", "application/pkcs7-mime"), "not a document"),
    "a small GIF, such as a logo": (file("logo.gif", "image/gif"), "Too small"),
    "a GIF in the text": (file("logo.gif", "image/gif", b"x" * 50_000, content_id="l", inline=True), "cid:"),
    "a zip": (file("x.zip", "application/zip"), "one by one"),
    "a text": (file("notes.txt", "text/plain", b"Lunch at noon, 12.50 each or 13.00?"), "word for a trade"),
    "a page without amounts": (file("invoice.html", "text/html", b"<p>Your invoice is ready</p>"), "without amounts"),
    "a list of people": (file("people.csv", "text/csv", b"name;mail;phone\nA;a@b.test;1\n"), "without amounts"),
    "slides": (file("talk.pptx", PPTX), "presentationml"),
    "other XML": (file("feed.xml", "application/xml", b"<rss><Invoice/></rss>"), "application/xml"),
    "a broken container": (
        file("winmail.dat", "application/ms-tnef", flaw="Not opened: a broken winmail.dat."),
        "broken",
    ),
    **{f"a {ending}": (file(f"x{ending}", PDF), ending) for ending in (".sig", ".p7s", ".smime", ".ics", ".vcf")},
}


@pytest.mark.parametrize(("attachment", "kind"), KEPT.values(), ids=KEPT)
def test_documents_are_kept(attachment, kind):
    verdict = worth_keeping(attachment)

    assert isinstance(verdict, Kept)
    assert verdict.kind == kind


@pytest.mark.parametrize(("attachment", "reason"), DROPPED.values(), ids=DROPPED)
def test_the_rest_is_dropped_with_a_reason(attachment, reason):
    verdict = worth_keeping(attachment)

    assert not isinstance(verdict, Kept)
    assert reason in verdict.because


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (MailboxRules(kinds=("png",)), "does not keep pdf"),
        (MailboxRules(deny_files=("NOTE*",)), "leaves out files named NOTE*"),
        (MailboxRules(allow_files=("invoice*.pdf", "bill*")), "keeps only files named invoice*.pdf or bill*"),
        (MailboxRules(max_bytes=1024), "over the limit"),
    ],
)
def test_a_mailbox_has_rules_of_its_own(rules, reason):
    assert reason in worth_keeping(file(), rules).because


def test_the_reason_says_what_had_to_be_opened():
    verdict = worth_keeping(file(path=("2", "forward.eml", "1")))

    assert verdict.because == "By its content it is PDF, found in 2 › forward.eml › 1."


def test_the_same_file_twice_is_one_document():
    message = MailMessage(attachments=(file("a.pdf"), file("b.pdf")))

    sifted = sift(message)

    assert [kept.attachment.filename for kept in sifted.kept] == ["a.pdf"]
    assert [dropped.because for dropped in sifted.dropped] == ["The same file as a.pdf in this mail."]


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"senders": []}, "Unknown mailbox rule 'senders'"),
        ({"kinds": ["pptx"]}, "Unknown kind 'pptx'"),
        ({"allow_senders": "bank.test"}, "'allow_senders' is a list"),
    ],
)
def test_a_mistake_in_the_rules_is_named(settings, complaint):
    with pytest.raises(Misconfigured, match=complaint):
        mailbox_rules(settings)


def test_rules_come_from_stored_settings():
    rules = mailbox_rules({"allow_senders": ["bank.test"], "kinds": ["pdf"], "attachments_only": True})

    assert rules == MailboxRules(allow_senders=("bank.test",), kinds=("pdf",), attachments_only=True)


def mail(sender: str = "anna@bank.test", **more) -> MailMessage:
    address = Address(sender)
    return MailMessage(sender=address, from_=(address,), headers=(("from", sender), *more.pop("headers", ())), **more)


READ = {
    "a document": (mail(attachments=(file(),)), MailboxRules(), "It carries note.pdf."),
    "a word in the subject": (mail(subject="Ihre Rechnung Mai"), MailboxRules(), "Rechnung"),
    "a word in the text": (mail(text_body="attached is the contract note"), MailboxRules(), "contract note"),
    "a table with amounts": (mail(html_body="<table>", text_body="Seats 12.50"), MailboxRules(), "table"),
    "a newsletter that carries an invoice": (
        mail(attachments=(file(),), headers=(("list-unsubscribe", "<x>"),)), MailboxRules(), "note.pdf"),
    "an allowed subdomain": (
        mail("a@mail.bank.test", attachments=(file(),)), MailboxRules(allow_senders=("bank.test",)), "note.pdf"),
    "an auto-reply that carries a document": (
        mail(attachments=(file(),), headers=(("auto-submitted", "auto-replied"),)), MailboxRules(), "note.pdf"),
}  # fmt: skip
NOT_READ = {
    "nothing in it": (mail(subject="Lunch?", text_body="At noon?"), MailboxRules(), "does not speak of one"),
    "a denied sender": (
        mail(attachments=(file(),)), MailboxRules(deny_senders=("*@bank.test",)), "leaves out mail from *@bank.test"),
    "a sender who is not allowed": (
        mail("a@notbank.test", attachments=(file(),)), MailboxRules(allow_senders=("bank.test",)), "not one this mailbox"),
    "words only, where attachments are asked for": (
        mail(subject="Invoice"), MailboxRules(attachments_only=True), "reads attachments only"),
    "our own document, bounced": (
        mail(attachments=(file(),), headers=(("x-failed-recipients", "b@c.test"),)), MailboxRules(), "delivery failure"),
    "an absence": (mail(subject="Out of office: invoice"), MailboxRules(), "automatic reply"),
    "only a logo": (
        mail(attachments=(file("l.png", PNG, content_id="l", inline=True),)), MailboxRules(), "does not speak"),
}  # fmt: skip


@pytest.mark.parametrize(("message", "rules", "reason"), READ.values(), ids=READ)
def test_mail_that_may_hold_a_document_is_read(message, rules, reason):
    verdict = worth_reading(message, rules)

    assert verdict.keep
    assert reason in verdict.because


@pytest.mark.parametrize(("message", "rules", "reason"), NOT_READ.values(), ids=NOT_READ)
def test_mail_that_cannot_is_left_with_the_reason(message, rules, reason):
    verdict = worth_reading(message, rules)

    assert not verdict.keep
    assert reason in verdict.because
