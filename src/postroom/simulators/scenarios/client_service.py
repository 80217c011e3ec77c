"""Client service of a retreat house: guests and corporate clients write to a shared Outlook mailbox."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from email.utils import format_datetime
from typing import Any

from postroom.simulators.letters import Letter
from postroom.simulators.scenarios.envelopes import Sender, Writer, quoted
from postroom.simulators.scenarios.house_rules import ACCOUNTS, KNOWLEDGE
from postroom.simulators.scenarios.script import Act, Box, Scenario

BOX = Box("service@larkspur-retreats.example", "Larkspur Retreats Service", "graph")
HOUSE = Sender(BOX.name, BOX.address)
OPERATOR = Sender("Nora Feld", "nora.feld@larkspur-retreats.example")

ANNA = Sender("Anna Kowalski", "anna.kowalski@acme.example")
BEN = Sender("Ben Achterberg", "b.achterberg@acme.example")
JONAS = Sender("Jonas Petersen", "j.petersen@borealis.example")
CLAIRE = Sender("Claire Fontanel", "c.fontanel@atelier-fontanel.example")
LUCIA = Sender("Lucía Ibarra", "lucia.ibarra@gmail.com")
MARCO = Sender("Marco Bellini", "marco.bellini@studio-bellini.example")
PRIYA = Sender("Priya Raman", "priya.raman@outlook.com")
TESSA = Sender("Tessa Vermeulen", "t.vermeulen@bridgework-consulting.example")
OSKAR = Sender("Oskar Nyström", "oskar.nystrom@gmail.com")

_DRAFT = {"verdict": "draft"}
_IGNORE = {"verdict": "ignore"}


def _review(reason: str = "") -> dict[str, str]:
    return {"verdict": "needs_review"} | ({"reason": reason} if reason else {})


def client_service(start: datetime, seed: int = 0) -> Scenario:
    desk = _Desk(start, seed)
    letters = [
        *desk.everyday(),
        *desk.sensitive(),
        *desk.several_parties(),
        *desk.machines(),
        *desk.edited_thread(),
    ]
    acts = [
        Act(
            after=64,
            mailbox=BOX.address,
            subject="Projector",
            words="I have asked our house technician to call you tomorrow morning. Nora",
            about="An operator adds a sentence to the draft; from now on it is hers.",
        )
    ]
    truth = {"operators": [OPERATOR.address, BOX.address], "accounts": ACCOUNTS, "knowledge": KNOWLEDGE}
    about = "Questions, a refund, a medical question, several parties, machines, and a person who edits."
    return Scenario("client-service", about, start, [BOX], sorted(letters, key=lambda it: it.after), acts, truth)


class _Desk:
    def __init__(self, start: datetime, seed: int) -> None:
        self.writer = Writer(BOX, start, seed)

    def mail(
        self,
        key: str,
        after: float,
        sender: Sender,
        subject: str,
        text: str,
        about: str,
        triage: Mapping[str, str],
        client: str = "",
        **how: Any,
    ) -> Letter:
        unsure = how.pop("requires_triage", False)
        truth: dict[str, Any] = {"triage": dict(triage)}
        if client:
            truth["client"] = {"account": client, "requires_triage": unsure}
        return self.writer.letter(key, after, sender, subject, text, about=about, truth=truth, **how)

    def everyday(self) -> Sequence[Letter]:
        checkin = (
            "Hello,\n\nour team of twelve arrives next Thursday. From what time can we check in, "
            "and may we leave the "
            "luggage earlier?\n\nBest regards\nAnna\n\n--\nAnna Kowalski | Office Manager\nACME "
            "Industries | +49 30 555 0134"
        )
        return [
            self.mail(
                "checkin",
                0,
                ANNA,
                "Check-in time for our team [ACME-1042]",
                checkin,
                "A plain question with a work item code in the subject.",
                _DRAFT,
                "ACME",
            ),
            self.mail(
                "parking",
                4,
                JONAS,
                "Parkplätze und Ladesäulen",
                "Guten Tag,\n\nwir kommen mit vier Autos, davon zwei elektrisch. Gibt es Parkplätze "
                "am Haus, was kosten sie, "
                "und können wir laden?\n\nViele Grüße\nJonas Petersen\nBorealis GmbH",
                "The same kind of question in German.",
                _DRAFT,
                "BOREALIS",
                charset="iso-8859-1",
                encoding="quoted-printable",
            ),
            self.mail(
                "breakfast",
                8,
                CLAIRE,
                "Petit-déjeuner végétarien ?",
                "Bonjour,\n\nÀ quelle heure servez-vous le petit-déjeuner, et avez-vous une option "
                "végétarienne ?\n\n"
                "Merci d'avance,\nClaire Fontanel",
                "A question in French.",
                _DRAFT,
                "FONTANEL",
                charset="windows-1252",
            ),
            self.mail(
                "copy",
                12,
                LUCIA,
                "Copia de la factura de septiembre",
                "Buenos días:\n\n¿Podrían enviarme una copia de la factura de mi estancia de "
                "septiembre? No la encuentro.\n\n"
                "Gracias, Lucía Ibarra",
                "A free-mail sender asks for a copy of an invoice, in Spanish.",
                _DRAFT,
            ),
            self.mail(
                "dog",
                16,
                MARCO,
                "Cani ammessi?",
                "Buongiorno,\nposso portare il mio cane? È piccolo e tranquillo.\nSaluti, Marco",
                "A question in Italian, HTML only.",
                _DRAFT,
                "BELLINI",
                plain=False,
                html="<html><body><p>Buongiorno,<br>posso portare il mio cane? &Egrave; piccolo.</p>"
                "<p>Saluti, Marco</p></body></html>",
            ),
            self.mail(
                "checkin-2",
                30,
                ANNA,
                "Re: Check-in time for our team [ACME-1042]",
                "One more thing: is there Wi-Fi in the meeting room, and is it included?\n\nAnna\n\n"
                "On Thursday Anna Kowalski wrote:\n" + quoted(checkin),
                "A follow-up in the same thread with the first mail quoted below.",
                _DRAFT,
                "ACME",
                answers="checkin",
            ),
            self.mail(
                "wifi",
                34,
                OSKAR,
                "wifi?",
                "Hej, is the wifi free? /Oskar\n\nSent from my phone",
                "As short as mails from a phone are.",
                _DRAFT,
                charset="us-ascii",
                html=None,
            ),
        ]

    def sensitive(self) -> Sequence[Letter]:
        return [
            self.mail(
                "refund",
                20,
                PRIYA,
                "Booking 88213 - can I get a refund?",
                "Hi,\n\nI have to cancel my stay because my flight was cancelled. Can I get a "
                "refund for booking 88213? I paid "
                "EUR 640 in advance.\n\nPriya",
                "A refund request: a person decides.",
                _review("sensitive_refund_or_cancellation"),
            ),
            self.mail(
                "asthma",
                24,
                OSKAR,
                "Question about the sauna",
                "Hello,\n\nWe have asthma in the family, is this safe for our daughter? She uses an "
                "inhaler.\n\nOskar Nyström",
                "A medical question: no machine answers that.",
                _review("sensitive_medical"),
            ),
            self.mail(
                "lawyer",
                42,
                MARCO,
                "Danni alla mia auto / legal notice",
                "Good afternoon,\n\nmy car was damaged on your car park. If I do not hear from you "
                "within five days my lawyer "
                "will take legal action.\n\nMarco Bellini",
                "A legal threat.",
                _review(),
                "BELLINI",
            ),
        ]

    def several_parties(self) -> Sequence[Letter]:
        first = "Hi all,\n\ncan we move the workshop to the large room? Jonas's team would join us.\n\nBen"
        return [
            self.mail(
                "workshop",
                36,
                BEN,
                "Joint workshop in May [ACME-1050]",
                first,
                "Two clients in copy: who is meant?",
                _review(),
                "ACME",
                requires_triage=True,
                to=[HOUSE, JONAS],
                cc=[ANNA],
            ),
            self.mail(
                "workshop-2",
                46,
                JONAS,
                "Re: Joint workshop in May - and the invoice for April",
                "Fine with me. By the way, please send the April invoice to our new address.\n\nJonas\n\n"
                "Ben Achterberg wrote:\n" + quoted(first),
                "Another client answers in the thread and changes the subject.",
                _review(),
                "BOREALIS",
                requires_triage=True,
                answers="workshop",
                to=[HOUSE, BEN],
                cc=[ANNA],
            ),
            self.mail(
                "consultant",
                50,
                TESSA,
                "Room list for the March event",
                "Hello,\n\ncould you confirm the number of rooms for the March event?\n\nTessa "
                "Vermeulen\nBridgework Consulting",
                "A consultant who works for two clients.",
                _DRAFT,
                "ACME",
                requires_triage=True,
            ),
            self.mail(
                "answered",
                52,
                CLAIRE,
                "Heure de départ",
                "Bonjour, pouvons-nous partir à 13 h au lieu de 11 h ?\n\nClaire Fontanel",
                "A question that a colleague answers.",
                _DRAFT,
                "FONTANEL",
            ),
            self.mail(
                "answered-2",
                56,
                OPERATOR,
                "RE: Heure de départ",
                "Bonjour Claire,\n\navec plaisir, la chambre n'est pas réservée ce jour-là.\n\nNora",
                "The colleague's own answer: nothing is left to do.",
                {"verdict": "ignore", "reason": "latest_is_operator_sent"},
                answers="answered",
                to=[CLAIRE],
                folder="sentitems",
            ),
        ]

    def machines(self) -> Sequence[Letter]:
        return [
            self.mail(
                "away",
                28,
                BEN,
                "Automatic reply: Your booking confirmation",
                "I am out of the office until Monday and will answer then.\n\nBen",
                "An automatic reply: never answered.",
                _IGNORE,
                html=None,
                headers={
                    "Auto-Submitted": "auto-replied",
                    "X-Auto-Response-Suppress": "All",
                    "Precedence": "auto_reply",
                },
            ),
            self.mail(
                "noreply",
                44,
                Sender("Booking Portal", "no-reply@bookingportal.example"),
                "New review received",
                "You have a new review: 5 stars. Please do not reply to this message.",
                "A no-reply sender.",
                _IGNORE,
            ),
            self.mail(
                "spam",
                48,
                Sender("Prize Centre", "winner@lucky-prize.example"),
                "You have WON!!!",
                "Send us your bank details to receive EUR 1,000,000.",
                "Junk, already sorted out by the service.",
                _IGNORE,
                folder="junkemail",
                verdict="fail",
            ),
            self.bounce(38),
        ]

    def bounce(self, after: float) -> Letter:
        code = self.writer.code("bounce")
        raw = _BOUNCE.format(code=code, to=BOX.address, date=format_datetime(self.writer.start))
        return self.writer.raw(after, raw, about="A bounce: our mail did not arrive.", truth={"triage": dict(_IGNORE)})

    def edited_thread(self) -> Sequence[Letter]:
        first = "Hello,\n\nis there a projector in the seminar room, and does it take USB-C?\n\nAnna"
        return [
            self.mail(
                "projector",
                58,
                ANNA,
                "Projector in the seminar room",
                first,
                "Gets a draft that a person then edits.",
                _DRAFT,
                "ACME",
            ),
            self.mail(
                "projector-2",
                90,
                ANNA,
                "Re: Projector in the seminar room",
                "And a flip chart, please.\n\nAnna\n\nAnna Kowalski wrote:\n" + quoted(first),
                "New mail after a person edited the draft: nothing of theirs is overwritten.",
                _review(),
                "ACME",
                answers="projector",
            ),
        ]


_BOUNCE = """Received: from mail.gone.example (203.0.113.99) by AB12CD.eurprd04.prod.outlook.com; {date}
Authentication-Results: spf=pass smtp.mailfrom=gone.example; dkim=none;
 dmarc=bestguesspass header.from=gone.example
From: Mail Delivery System <MAILER-DAEMON@gone.example>
To: {to}
Subject: Undelivered Mail Returned to Sender
Date: {date}
Message-ID: <{code}@mail.gone.example>
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="{code}/gone"

--{code}/gone
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients.

<h.strand@gone.example>: host mail.gone.example said: 550 5.1.1 User unknown

--{code}/gone
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.gone.example
Arrival-Date: {date}

Final-Recipient: rfc822; h.strand@gone.example
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 User unknown

--{code}/gone
Content-Type: text/rfc822-headers

From: Larkspur Retreats Service <{to}>
To: h.strand@gone.example
Subject: Your booking confirmation
Message-ID: <{code}.ours@larkspur-retreats.example>

--{code}/gone--
"""
