from __future__ import annotations

import pytest

from postroom.mail.automatic import automatic
from postroom.mail.parse import read_mail

PERSON = "From: Anna <anna@client.test>\n"


def kind_of(raw: str) -> str | None:
    found = automatic(read_mail(raw.encode()))
    return found.kind if found else None


REPORT = (
    'Content-Type: multipart/report; report-type={kind}; boundary="B"\n\n--B\nContent-Type: text/plain\n\nSee below.\n'
    "--B\nContent-Type: message/{part}\n\nFinal-Recipient: rfc822; x@y.test\nAction: failed\n\n--B--\n"
)
DAEMON = "From: MAILER-DAEMON@mx.test\n"

BOUNCES = {
    "RFC 3464": "From: x@y.test\n" + REPORT.format(kind="delivery-status", part="delivery-status"),
    "qmail": DAEMON + "Subject: failure notice\n\nHi. This is the qmail-send program.\n<x@y.test>: no such user\n",
    "exim": "From: Mail Delivery System <Mailer-Daemon@mx.test>\nSubject: Mail delivery failed: returning message to sender\nX-Failed-Recipients: x@y.test\n\nhello\n",
    "gmail": "From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>\nSubject: Delivery Status Notification (Failure)\n\nAddress not found\n",
    "exchange, German": "Return-Path: <>\nFrom: postmaster@firma.test\nSubject: Unzustellbar: Angebot\n\nkonnte nicht zugestellt werden. 550 5.1.1\n",
    "exchange, French": "Return-Path: <>\nFrom: postmaster@firme.test\nSubject: Non remis : Offre\n\nVotre message n'a pas pu être remis.\n",
    "exchange, Spanish": "Return-Path: <>\nFrom: postmaster@firma.test\nSubject: No se puede entregar: Oferta\n\nNo se pudo entregar el mensaje. 550 5.1.1\n",
    "no sender at all": "Return-Path: <>\nFrom: <>\nSubject: failure notice\n\n550 5.1.1 user unknown\n",
    "delay": DAEMON + "Subject: Delayed Mail (still being retried)\n\nThis is the mail system at host mx.test.\n",
}  # fmt: skip
AUTO_REPLIES = {
    "RFC 3834": PERSON + "Auto-Submitted: auto-replied (vacation)\nSubject: Away\n\nback on Monday\n",
    "outlook": PERSON + "Subject: Automatic reply: Offer\nX-Auto-Response-Suppress: All\n\nback on Monday\n",
    "outlook, German": PERSON + "Subject: Automatische Antwort: Angebot\n\nbin am Montag zurück\n",
    "outlook, French": PERSON + "Subject: Réponse automatique : Offre\n\nde retour lundi\n",
    "outlook, Italian": PERSON + "Subject: Risposta automatica: Offerta\n\ntorno lunedì\n",
    "outlook, Spanish": PERSON + "Subject: Respuesta automática: Oferta\n\nvuelvo el lunes\n",
    "outlook, Dutch": PERSON + "Subject: Automatisch antwoord: Offerte\n\nmaandag terug\n",
    "outlook, Danish": PERSON + "Subject: Automatisk svar: Tilbud\n\ntilbage mandag\n",
    "outlook, Swedish": PERSON + "Subject: Automatiskt svar: Offert\n\ntillbaka måndag\n",
    "outlook, Polish": PERSON + "Subject: Odpowiedź automatyczna: Oferta\n\nwracam w poniedziałek\n",
    "outlook, Portuguese": PERSON + "Subject: Resposta automática: Oferta\n\nvolto segunda\n",
    "old vacation program": PERSON + "X-Autoreply: yes\nSubject: Re: Offer\n\nback on Monday\n",
    "precedence": PERSON + "Precedence: auto_reply\nSubject: Thanks\n\nwe got your mail\n",
    "iCloud": PERSON + "X-Apple-Action: VACATION\nSubject: Hm\n\naway\n",
    "absence with a null return path": "Return-Path: <>\n" + PERSON + "Subject: Im Urlaub bis 5. Mai\n\nzurück am 5. Mai\n",
}  # fmt: skip
OTHERS = {
    "an abuse report": ("report", "From: x@y.test\n" + REPORT.format(kind="feedback-report", part="feedback-report")),
    "a read receipt": (
        "report", PERSON + REPORT.format(kind="disposition-notification", part="disposition-notification")),
    "an invitation": ("calendar", PERSON + "Content-Type: text/calendar; method=REQUEST\n\nBEGIN:VCALENDAR\nEND:VCALENDAR\n"),
    "a mailing list": ("mailing_list", PERSON + "List-Id: <dev.list.test>\n\nhello all\n"),
    "a no-reply sender": ("no_reply", "From: No Reply <no-reply@shop.test>\nSubject: Your order\n\nThanks\n"),
    "a mail daemon that says nothing of a failure": ("no_reply", "From: MAILER-DAEMON@shop.test\nSubject: Hours\n\nOpen?\n"),
    "a French no-reply sender": ("no_reply", "From: ne-pas-repondre@shop.test\nSubject: Commande\n\nMerci\n"),
    "bulk": ("bulk", PERSON + "Precedence: bulk\n\nnews\n"),
    "a machine": ("bulk", PERSON + "Auto-Submitted: auto-generated\nSubject: Invoice 12\n\nattached\n"),
}  # fmt: skip
PEOPLE = {
    "a plain mail": PERSON + "Subject: Offer\n\nIs it still valid?\n",
    "a reply to an absence": PERSON + "Subject: Re: Automatic reply: Offer\n\nEnjoy your holiday!\n",
    "an absence announced by a person": PERSON + "Subject: Out of office party on Friday\n\nCome along!\n",
    "holiday plans": PERSON + "Subject: On vacation next week\n\nPlease take over.\n",
    "a forwarded bounce": PERSON + "Subject: FW: Undelivered Mail Returned to Sender\n\n550 5.1.1 user unknown\n",
    "a bounce talked about": PERSON + "Subject: Your mail could not be delivered\n\nOur provider says 550 5.1.1 user unknown. Can you check?\n",
    "Auto-Submitted: no": PERSON + "Auto-Submitted: no\nSubject: Offer\n\nhello\n",
    "Exchange between people": PERSON + "X-Auto-Response-Suppress: DR, OOF\nSubject: Offer\n\nhello\n",
    "a postmaster who writes": "From: postmaster@client.test\nSubject: Server move on Friday\n\nWe move on Friday.\n",
}  # fmt: skip


@pytest.mark.parametrize("raw", BOUNCES.values(), ids=BOUNCES)
def test_a_bounce_is_a_bounce(raw):
    assert kind_of(raw) == "bounce"


@pytest.mark.parametrize("raw", AUTO_REPLIES.values(), ids=AUTO_REPLIES)
def test_an_automatic_reply_is_known(raw):
    assert kind_of(raw) == "auto_reply"


@pytest.mark.parametrize(("kind", "raw"), OTHERS.values(), ids=OTHERS)
def test_other_machines_are_told_apart(kind, raw):
    assert kind_of(raw) == kind


@pytest.mark.parametrize("raw", PEOPLE.values(), ids=PEOPLE)
def test_people_are_people(raw):
    assert kind_of(raw) is None


def test_an_abuse_report_without_its_wrapping_is_known_by_its_text():
    raw = (
        'From: feedback@provider.test\nContent-Type: multipart/mixed; boundary="OUT"\n\n--OUT\nContent-Type: text/plain\n\n'
        "This is an email abuse report for a message received from 192.0.2.1.\n"
        "--OUT\nContent-Type: message/rfc822\n\nFrom: a@b.test\nSubject: hi\n\nhello\n--OUT--\n"
    )

    assert kind_of(raw) == "report"


def test_a_bounce_attached_by_a_person_is_no_bounce():
    inner = BOUNCES["RFC 3464"]
    raw = (
        PERSON
        + 'Subject: Undeliverable\nContent-Type: multipart/mixed; boundary="OUT"\n\n--OUT\nContent-Type: text/plain\n\n'
        f"This came back.\n--OUT\nContent-Type: message/rfc822\n\n{inner}\n--OUT--\n"
    )

    assert kind_of(raw) is None
