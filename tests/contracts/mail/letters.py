"""Mails to put into a post office, the odd ones among them."""

from __future__ import annotations

from email.message import EmailMessage


def mail(subject: str = "Contract note", text: str = "Please find the note attached.") -> bytes:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "Broker <notes@broker.test>", "anna.ash@desk.test", subject
    message["Date"] = "Mon, 02 Nov 2026 10:00:00 +0000"
    message["Message-ID"] = f"<{subject.encode().hex()}@broker.test>"
    message.set_content(text)
    return message.as_bytes()


def with_pdf(content: bytes) -> bytes:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "notes@broker.test", "anna.ash@desk.test", "Ihre Abrechnung"
    message.set_content("Grüße aus Zürich – 3 Stück à 5 €")
    message.add_attachment(content, maintype="application", subtype="pdf", filename="Beleg für März.pdf")
    return message.as_bytes()


ODD = {
    "eight bit without a charset": (
        b"From: notes@broker.test\r\nTo: anna.ash@desk.test\r\nSubject: raw\r\nMIME-Version: 1.0\r\n"
        b"Content-Type: text/plain\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
        b"Latin \xfc\xdf and UTF-8 \xe2\x82\xac side by side\r\n",
        b"Latin \xfc\xdf and UTF-8 \xe2\x82\xac side by side",
    ),
    "a header that says its charset wrongly": (
        b"From: =?utf-8?q?J=C3=B6rg?= <joerg@broker.test>\r\nTo: anna.ash@desk.test\r\n"
        b"Subject: =?iso-8859-1?q?Gr=FC=DFe?=\r\n\r\nbody\r\n",
        b"body",
    ),
    "a mail within a mail": (
        b"From: a@broker.test\r\nTo: anna.ash@desk.test\r\nSubject: Fwd\r\nMIME-Version: 1.0\r\n"
        b'Content-Type: multipart/mixed; boundary="x"\r\n\r\n--x\r\nContent-Type: message/rfc822\r\n\r\n'
        b"From: b@inner.test\r\nSubject: inner\r\n\r\ninner words\r\n--x--\r\n",
        b"inner words",
    ),
    "no header that matters": (b"Subject: bare\r\n\r\nonly a body\r\n", b"only a body"),
}
