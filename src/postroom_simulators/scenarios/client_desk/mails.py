"""The mails of the client desk, written down as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.scenarios.envelopes import Correspondent, MailWriter, Verdict, quoted
from postroom_simulators.scenarios.script import ScenarioMailbox

BOX = ScenarioMailbox("service@larkspur-retreats.example", "Larkspur Retreats Service", "graph")
HOUSE = Correspondent(BOX.name, BOX.address)
OPERATOR = Correspondent("Nora Feld", "nora.feld@larkspur-retreats.example")

ANNA = Correspondent("Anna Kowalski", "anna.kowalski@acme.example")
BEN = Correspondent("Ben Achterberg", "b.achterberg@acme.example")
JONAS = Correspondent("Jonas Petersen", "j.petersen@borealis.example")
CLAIRE = Correspondent("Claire Fontanel", "c.fontanel@atelier-fontanel.example")
LUCIA = Correspondent("Lucía Ibarra", "lucia.ibarra@gmail.com")
MARCO = Correspondent("Marco Bellini", "marco.bellini@studio-bellini.example")
PRIYA = Correspondent("Priya Raman", "priya.raman@outlook.com")
TESSA = Correspondent("Tessa Vermeulen", "t.vermeulen@bridgework-consulting.example")
OSKAR = Correspondent("Oskar Nyström", "oskar.nystrom@gmail.com")

_DRAFT = {"verdict": "draft", "reason": "draftable"}
_MACHINE = {"verdict": "ignore", "reason": "no_reply_or_auto_reply"}


def _review(reason: str) -> dict[str, str]:
    return {"verdict": "needs_review", "reason": reason}


@dataclass(frozen=True, slots=True)
class ClientMail:
    """One mail to the desk, and what triage and the client mapping should say about it."""

    key: str
    after: float
    sender: Correspondent
    subject: str
    text: str
    about: str
    triage: Mapping[str, str]
    client: str = ""
    requires_triage: bool = False
    html: str | None = ""
    plain: bool = True
    charset: str = "utf-8"
    encoding: str | None = None
    to: Sequence[Correspondent] = ()
    cc: Sequence[Correspondent] = ()
    answers: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    folder: str = "inbox"
    verdict: Verdict = "pass"

    def letter(self, writer: MailWriter) -> IncomingMail:
        truth: dict[str, Any] = {"triage": dict(self.triage)}
        if self.client:
            truth["client"] = {"account": self.client, "requires_triage": self.requires_triage}
        return writer.letter(
            self.key,
            self.after,
            self.sender,
            self.subject,
            self.text,
            about=self.about,
            truth=truth,
            html=self.html,
            plain=self.plain,
            to=self.to,
            cc=self.cc,
            answers=self.answers,
            verdict=self.verdict,
            charset=self.charset,
            encoding=self.encoding,
            headers=self.headers,
            folder=self.folder,
        )


_CHECKIN = (
    "Hello,\n\nour team of twelve arrives next Thursday. From what time can we check in, and may we leave the "
    "luggage earlier?\n\nBest regards\nAnna\n\n--\nAnna Kowalski | Office Manager\nACME Industries | +49 30 555 "
    "0134"
)
EVERYDAY = (
    ClientMail(
        "checkin",
        0,
        ANNA,
        "Check-in time for our team [ACME-1042]",
        _CHECKIN,
        "A plain question with a work item code in the subject.",
        _DRAFT,
        "ACME",
    ),
    ClientMail(
        "parking",
        4,
        JONAS,
        "Parkplätze und Ladesäulen",
        "Guten Tag,\n\nwir kommen mit vier Autos, davon zwei elektrisch. Gibt es Parkplätze am Haus, was kosten "
        "sie, und können wir laden?\n\nViele Grüße\nJonas Petersen\nBorealis GmbH",
        "The same kind of question in German.",
        _DRAFT,
        "BOREALIS",
        charset="iso-8859-1",
        encoding="quoted-printable",
    ),
    ClientMail(
        "breakfast",
        8,
        CLAIRE,
        "Petit-déjeuner végétarien ?",
        "Bonjour,\n\nÀ quelle heure servez-vous le petit-déjeuner, et avez-vous une option végétarienne ?\n\n"
        "Merci d'avance,\nClaire Fontanel",
        "A question in French.",
        _DRAFT,
        "FONTANEL",
        charset="windows-1252",
    ),
    ClientMail(
        "copy",
        12,
        LUCIA,
        "Copia de la factura de septiembre",
        "Buenos días:\n\n¿Podrían enviarme una copia de la factura de mi estancia de septiembre? No la "
        "encuentro.\n\nGracias, Lucía Ibarra",
        "A free-mail sender asks for a copy of an invoice, in Spanish.",
        _DRAFT,
    ),
    ClientMail(
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
    ClientMail(
        "checkin-2",
        30,
        ANNA,
        "Re: Check-in time for our team [ACME-1042]",
        "One more thing: is there Wi-Fi in the meeting room, and is it included?\n\nAnna\n\n"
        "On Thursday Anna Kowalski wrote:\n" + quoted(_CHECKIN),
        "A follow-up in the same thread with the first mail quoted below.",
        _DRAFT,
        "ACME",
        answers="checkin",
    ),
    ClientMail(
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
)

SENSITIVE = (
    ClientMail(
        "refund",
        20,
        PRIYA,
        "Booking 88213 - can I get a refund?",
        "Hi,\n\nI have to cancel my stay because my flight was cancelled. Can I get a refund for booking 88213? I "
        "paid EUR 640 in advance.\n\nPriya",
        "A refund request: a person decides.",
        _review("sensitive_refund_or_cancellation"),
    ),
    ClientMail(
        "asthma",
        24,
        OSKAR,
        "Question about the sauna",
        "Hello,\n\nWe have asthma in the family, is this safe for our daughter? She uses an inhaler.\n\nOskar Nyström",
        "A medical question: no machine answers that.",
        _review("sensitive_medical"),
    ),
    ClientMail(
        "lawyer",
        42,
        MARCO,
        "Danni alla mia auto / legal notice",
        "Good afternoon,\n\nmy car was damaged on your car park. If I do not hear from you within five days my "
        "lawyer will take legal action.\n\nMarco Bellini",
        "A legal threat.",
        _review("sensitive_legal"),
        "BELLINI",
    ),
)

_SEVERAL_PARTIES_FIRST = "Hi all,\n\ncan we move the workshop to the large room? Jonas's team would join us.\n\nBen"
SEVERAL_PARTIES = (
    ClientMail(
        "workshop",
        36,
        BEN,
        "Joint workshop in May [ACME-1050]",
        _SEVERAL_PARTIES_FIRST,
        "Two clients in copy: who is meant?",
        _review("multi_party"),
        "ACME",
        requires_triage=True,
        to=[HOUSE, JONAS],
        cc=[ANNA],
    ),
    ClientMail(
        "workshop-2",
        46,
        JONAS,
        "Re: Joint workshop in May - and the invoice for April",
        "Fine with me. By the way, please send the April invoice to our new address.\n\nJonas\n\n"
        "Ben Achterberg wrote:\n" + quoted(_SEVERAL_PARTIES_FIRST),
        "Another client answers in the thread and changes the subject.",
        _review("multi_party"),
        "BOREALIS",
        requires_triage=True,
        answers="workshop",
        to=[HOUSE, BEN],
        cc=[ANNA],
    ),
    ClientMail(
        "consultant",
        50,
        TESSA,
        "Room list for the March event",
        "Hello,\n\ncould you confirm the number of rooms for the March event?\n\nTessa Vermeulen\nBridgework "
        "Consulting",
        "A consultant who works for two clients.",
        _DRAFT,
        "ACME",
        requires_triage=True,
    ),
    ClientMail(
        "answered",
        52,
        CLAIRE,
        "Heure de départ",
        "Bonjour, pouvons-nous partir à 13 h au lieu de 11 h ?\n\nClaire Fontanel",
        "A question that a colleague answers.",
        _review("sensitive_exception"),
        "FONTANEL",
    ),
    ClientMail(
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
)

MACHINES = (
    ClientMail(
        "away",
        28,
        BEN,
        "Automatic reply: Your booking confirmation",
        "I am out of the office until Monday and will answer then.\n\nBen",
        "An automatic reply: never answered.",
        _MACHINE,
        html=None,
        headers={
            "Auto-Submitted": "auto-replied",
            "X-Auto-Response-Suppress": "All",
            "Precedence": "auto_reply",
        },
    ),
    ClientMail(
        "noreply",
        44,
        Correspondent("Booking Portal", "no-reply@bookingportal.example"),
        "New review received",
        "You have a new review: 5 stars. Please do not reply to this message.",
        "A no-reply sender.",
        _MACHINE,
    ),
    ClientMail(
        "spam",
        48,
        Correspondent("Prize Centre", "winner@lucky-prize.example"),
        "You have WON!!!",
        "Send us your bank details to receive EUR 1,000,000.",
        "Junk, already sorted out by the service.",
        {"verdict": "ignore", "reason": "in_spam_or_trash"},
        folder="junkemail",
        verdict="fail",
    ),
)

_EDITED_FIRST = "Hello,\n\nis there a projector in the seminar room, and does it take USB-C?\n\nAnna"
EDITED = (
    ClientMail(
        "projector",
        58,
        ANNA,
        "Projector in the seminar room",
        _EDITED_FIRST,
        "Gets a draft that a person then edits.",
        _DRAFT,
        "ACME",
    ),
    ClientMail(
        "projector-2",
        90,
        ANNA,
        "Re: Projector in the seminar room",
        "And a flip chart, please.\n\nAnna\n\nAnna Kowalski wrote:\n" + quoted(_EDITED_FIRST),
        "New mail after a person edited the draft: nothing of theirs is overwritten.",
        _review("user_edited_draft"),
        "ACME",
        answers="projector",
    ),
)
