"""Accounts payable: suppliers write to a Gmail mailbox, and so does everybody else."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from PIL import Image, ImageDraw

from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.papers import (
    SUPPLIERS,
    SamplePaper,
    bill_of,
    brochure,
    factur_x,
    invoice,
    scanned,
    ubl_xml,
)
from postroom_simulators.papers.invoices import SampleBill
from postroom_simulators.scenarios.correspondents import TRUSTED_SUPPLIERS, invoice_mail
from postroom_simulators.scenarios.envelopes import Correspondent, Enclosure, MailWriter, as_html, signature_of
from postroom_simulators.scenarios.script import Scenario, ScenarioMailbox
from postroom_simulators.scenarios.tnef import winmail

BOX = ScenarioMailbox("accounts.payable@larkspur.example", "Accounts Payable", "gmail")

_AUTO = {"route": "auto_confirm", "because": "The totals add up and the supplier is known."}
_EXACT = {"route": "auto_confirm", "because": "Read exactly from the embedded e-invoice."}
_CALENDAR = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Harrow//Planner//EN
METHOD:REQUEST
BEGIN:VEVENT
UID:{uid}@harrow-facilities.example
DTSTAMP:{stamp}
DTSTART:{stamp}
SUMMARY:Quarterly service review
END:VEVENT
END:VCALENDAR
"""


def accounts_payable(start: datetime, seed: int = 0) -> Scenario:
    office = _Office(start, seed)
    mails = [
        office.bill("brenner", 0),
        office.bill("canal", 4, charset="iso-8859-1", encoding="quoted-printable"),
        office.e_invoice("brenner", 8),
        office.marketing(12),
        office.bill("harrow", 16, logo=True),
        office.bill("aroma", 20),
        office.xrechnung("brenner", 24),
        office.bill("norrdata", 28, signed=True),
        office.calendar(32),
        office.bill("groenhof", 36),
        office.reminder("canal", 40),
        office.bill("nervion", 44, plain_only=True),
        office.old_outlook("aroma", 48),
        office.photo("groenhof", 53),
        office.question(58),
        office.fraud("harrow", 63),
    ]
    truth = {"trusted_senders": TRUSTED_SUPPLIERS, "buyer": "Larkspur Holdings GmbH"}
    about = "Invoices of seven suppliers and languages, e-invoices, and mail that only looks like an invoice."
    return Scenario("accounts-payable", about, start, [BOX], mails, truth=truth)


class _Office:
    """Writes the letters of the office."""

    def __init__(self, start: datetime, seed: int) -> None:
        self.writer = MailWriter(BOX, start, seed)
        self.day = start.date()
        self.seed = seed

    def charge(self, key: str, turn: int = 0) -> SampleBill:
        return bill_of(SUPPLIERS[key], self.day - timedelta(days=1), self.seed * 100 + turn)

    def bill(
        self,
        key: str,
        after: float,
        *,
        logo: bool = False,
        signed: bool = False,
        plain_only: bool = False,
        charset: str = "utf-8",
        encoding: str | None = None,
    ) -> IncomingMail:
        charge = self.charge(key)
        paper = invoice(charge)
        sender, subject, text, filename = invoice_mail(charge)
        enclosures = [Enclosure(filename, paper.pdf)]
        ignored = {}
        html = as_html(text)
        if logo:
            html = html.replace("</body>", '<img src="cid:logo@harrow" alt="Harrow"></body>')
            enclosures.insert(0, Enclosure("logo.png", _logo(), "image/png", cid="logo@harrow"))
            ignored["logo.png"] = "An inline picture of the text."
        if signed:
            enclosures.append(Enclosure("smime.p7s", signature_of(paper.pdf), "application/pkcs7-signature"))
            ignored["smime.p7s"] = "A signature."
        return self.writer.letter(
            f"{key}-bill",
            after,
            sender,
            subject,
            text,
            html=None if plain_only else html,
            charset=charset,
            encoding=encoding,
            enclosures=enclosures,
            about=f"An invoice of {sender.name}.",
            truth=_found([(paper, filename, _AUTO)], ignored),
        )

    def e_invoice(self, key: str, after: float) -> IncomingMail:
        charge = self.charge(key, turn=3)
        paper = factur_x(charge)
        sender, subject, text, filename = invoice_mail(charge)
        return self.writer.letter(
            f"{key}-factur-x",
            after,
            sender,
            f"E-{subject}",
            text + "\n\nDiese Rechnung ist eine E-Rechnung im Format ZUGFeRD (EN 16931).",
            enclosures=[Enclosure(filename, paper.pdf)],
            about="A ZUGFeRD/Factur-X invoice: the exact figures are inside the PDF.",
            truth=_found([(paper, filename, _EXACT)]),
        )

    def xrechnung(self, key: str, after: float) -> IncomingMail:
        charge = self.charge(key, turn=4)
        xml = ubl_xml(charge)
        sender, subject, _, _ = invoice_mail(charge)
        return self.writer.letter(
            f"{key}-xrechnung",
            after,
            sender,
            f"XRechnung: {subject}",
            "Sehr geehrte Damen und Herren,\n\nanbei unsere Rechnung als XRechnung (UBL).\n\nMit freundlichen Grüßen",
            enclosures=[Enclosure(f"xrechnung-{charge.number}.xml", xml, "application/xml")],
            about="An XRechnung: UBL, no paper at all.",
            truth=_found([(SamplePaper(xml, charge.truth()), f"xrechnung-{charge.number}.xml", _EXACT)]),
        )

    def marketing(self, after: float) -> IncomingMail:
        paper = brochure(self.seed)
        outcome = {"route": "skipped", "because": "Advertising: nothing to pay."}
        text = (
            "Hello,\n\nautumn is here, and with it our new collection: desks from €489, chairs from €259. The "
            "catalogue is attached.\n\nWarmly, Studio Northlight\n\nUnsubscribe: "
            "https://northlight.example/unsubscribe"
        )
        return self.writer.letter(
            "marketing",
            after,
            Correspondent("Studio Northlight", "hello@news.northlight.example"),
            "🍂 Work where you feel well: up to 30% off",
            text,
            enclosures=[Enclosure("Autumn-catalogue.pdf", paper.pdf)],
            headers={"List-Unsubscribe": "<https://northlight.example/unsubscribe>", "Precedence": "bulk"},
            about="Marketing with a PDF full of prices that is no invoice.",
            truth=_found([(paper, "Autumn-catalogue.pdf", outcome)]) | {"triage": {"verdict": "ignore"}},
        )

    def calendar(self, after: float) -> IncomingMail:
        invite = _CALENDAR.format(uid=self.writer.code("invite"), stamp=f"{self.day:%Y%m%d}T090000Z").replace(
            "\n", "\r\n"
        )
        card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Megan Doyle\r\nORG:Harrow Facilities\r\nEND:VCARD\r\n"
        return self.writer.letter(
            "calendar",
            after,
            Correspondent("Megan Doyle", "megan.doyle@harrow-facilities.example"),
            "Invitation: Quarterly service review",
            "Hi all,\n\nhere is the invitation for the quarterly review. My card is attached.\n\nMegan",
            enclosures=[
                Enclosure("invite.ics", invite.encode(), "application/ics"),
                Enclosure("Megan Doyle.vcf", card.encode(), "text/x-vcard"),
            ],
            about="Calendar and card: attachments, but no documents.",
            truth=_found([], {"invite.ics": "A calendar file.", "Megan Doyle.vcf": "A visiting card."}),
        )

    def reminder(self, key: str, after: float) -> IncomingMail:
        charge = self.charge(key)
        paper = invoice(charge, title="Relance - duplicata")
        sender, _, _, filename = invoice_mail(charge)
        outcome = {
            "route": "duplicate",
            "because": f"Invoice {charge.number} of this supplier is already known.",
        }
        return self.writer.letter(
            f"{key}-reminder",
            after,
            sender,
            f"Relance : facture {charge.number} impayée",
            "Bonjour,\n\nSauf erreur de notre part, la facture ci-jointe reste impayée à ce jour. Merci de "
            "régulariser sous huitaine.\n\nLe service comptabilité",
            enclosures=[Enclosure(f"Duplicata {filename}", paper.pdf)],
            answers=f"{key}-bill",
            about="A reminder with another copy of an invoice we have.",
            truth=_found([(paper, f"Duplicata {filename}", outcome)]),
        )

    def old_outlook(self, key: str, after: float) -> IncomingMail:
        charge = self.charge(key, turn=5)
        paper = invoice(charge)
        sender, subject, text, _ = invoice_mail(charge)
        hidden = winmail(subject, "Vedi allegato", [("Fattura.pdf", paper.pdf)])
        return self.writer.letter(
            f"{key}-winmail",
            after,
            sender,
            subject,
            text,
            html=None,
            enclosures=[Enclosure("winmail.dat", hidden, "application/ms-tnef")],
            about="The invoice hides in a winmail.dat.",
            truth=_found([(paper, "Fattura.pdf", _AUTO)]),
        )

    def photo(self, key: str, after: float) -> IncomingMail:
        charge = self.charge(key, turn=6)
        paper = scanned(invoice(charge), self.seed + 5)
        outcome = {"route": "review", "because": "Read from a picture; the sender is a colleague."}
        return self.writer.letter(
            f"{key}-scan",
            after,
            Correspondent("Facility Desk", "facilities@larkspur.example"),
            "Fwd: bon van de hovenier",
            "Kunnen jullie deze verwerken? Het origineel kwam per post.\n\nGroeten, Joost",
            enclosures=[Enclosure("scan 12.pdf", paper.pdf)],
            about="A scanned invoice, forwarded by a colleague.",
            truth=_found([(paper, "scan 12.pdf", outcome)]),
        )

    def question(self, after: float) -> IncomingMail:
        return self.writer.letter(
            "question",
            after,
            Correspondent("Sigrid Holm", "sigrid.holm@norrdata.example"),
            "When will our October invoice be paid?",
            "Hi,\n\ncould you tell me on which date our last invoice will be paid? Our books close on the "
            "28th.\n\nBest,\nSigrid",
            about="A supplier asks when they will be paid.",
            truth={"documents": [], "triage": {"verdict": "draft"}},
        )

    def fraud(self, key: str, after: float) -> IncomingMail:
        """The classic: a known supplier's name, a new bank account, and a sender that fails."""
        charge = self.charge(key, turn=8)
        other = replace(charge, iban="GB33BUKB20201555555555")
        paper = invoice(other)
        sender, subject, text, filename = invoice_mail(other)
        outcome = {"route": "review", "because": "The sender failed DMARC and the bank account is new."}
        return self.writer.letter(
            f"{key}-fraud",
            after,
            sender,
            f"URGENT - {subject} - NEW BANK DETAILS",
            f"{text}\n\nNote that our bank details have changed. Kindly settle today.",
            verdict="fail",
            enclosures=[Enclosure(filename, paper.pdf)],
            about="A forged invoice with another bank account.",
            truth=_found([(paper, filename, outcome)]),
        )


def _found(
    papers: Sequence[tuple[SamplePaper, str, Mapping[str, str]]], ignored: Mapping[str, str] | None = None
) -> dict[str, Any]:
    documents = [{"filename": name, **paper.truth, **outcome} for paper, name, outcome in papers]
    return {"documents": documents, **({"ignored": dict(ignored)} if ignored else {})}


def _logo() -> bytes:
    picture = Image.new("RGB", (160, 48), "#23395b")
    pen = ImageDraw.Draw(picture)
    pen.ellipse((8, 8, 40, 40), fill="white")
    pen.rectangle((56, 20, 148, 28), fill="white")
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()
