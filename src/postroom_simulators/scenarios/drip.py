"""Mail that never ends: varied and plausible, for load and for a demo that stays alive."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta

from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.papers import NOTES, SUPPLIERS, bill_of, brochure, factur_x, invoice
from postroom_simulators.scenarios.accounts_payable import BOX as PAYABLE
from postroom_simulators.scenarios.client_desk.mails import ANNA, BEN, CLAIRE, JONAS, LUCIA, MARCO, OSKAR, PRIYA
from postroom_simulators.scenarios.client_desk.mails import BOX as SERVICE
from postroom_simulators.scenarios.correspondents import BROKERS, invoice_mail, order_for
from postroom_simulators.scenarios.dealing_desk import BOX as DEALING
from postroom_simulators.scenarios.envelopes import Correspondent, Enclosure, MailWriter, quoted
from postroom_simulators.scenarios.script import ScenarioMailbox

BOXES = (DEALING, PAYABLE, SERVICE)

_PEOPLE = [
    ANNA,
    BEN,
    JONAS,
    CLAIRE,
    MARCO,
    PRIYA,
    OSKAR,
    LUCIA,
    Correspondent("Dieter Vogt", "dieter.vogt@borealis.example"),
    Correspondent("Ingrid Dahl", "ingrid.dahl@gmail.com"),
]
_QUESTIONS = [
    (
        "Late arrival",
        "Hello,\n\nour train arrives at {hour}:40. Will somebody still be at the reception?\n\n{name}",
    ),
    (
        "Wi-Fi in the rooms",
        "Hi,\n\nis Wi-Fi included in the room price? We are {count} people.\n\nThanks, {name}",
    ),
    ("Parkplätze", "Guten Tag,\n\nwas kosten {count} Parkplätze für zwei Nächte?\n\nViele Grüße\n{name}"),
    ("Petit-déjeuner", "Bonjour,\n\nservez-vous le petit-déjeuner dès {hour} h ?\n\nCordialement,\n{name}"),
    ("Copia de factura", "Hola:\n\n¿me pueden enviar la factura de la reserva {code}?\n\nSaludos, {name}"),
    ("Cane in camera", "Buongiorno,\n\nvorrei venire con un cane di {count} chili, è possibile?\n\n{name}"),
    (
        "Seminar room for {count}",
        "Hello,\n\nwe are {count} people. Does the seminar room have a projector?\n\n{name}",
    ),
    (
        "Refund for booking {code}",
        "Hi,\n\nwe had to leave a day early. Can I get a refund for booking {code}?\n\n{name}",
    ),
]


def drip(
    seed: int = 0, *, start: datetime | None = None, boxes: Sequence[ScenarioMailbox] = BOXES, pause: float = 5.0
) -> Iterator[IncomingMail]:
    """Letters for ever. `after` grows by about `pause` seconds each; give other `boxes` to spread them wider.

    Dealing desks get notes, payables invoices, everybody else questions: a box is told by its name.
    """
    chance = random.Random(f"drip {seed}")
    begin = start or datetime(2026, 1, 5, 8, tzinfo=UTC)
    taps = [_Tap(MailWriter(box, begin, seed), chance) for box in boxes]
    after, number = 0.0, 0
    while True:
        yield chance.choice(taps).letter(f"drip-{number}", after)
        number += 1
        after += chance.uniform(0.4, 1.6) * pause


class _Tap:
    """One mailbox's share of the drip."""

    def __init__(self, writer: MailWriter, chance: random.Random) -> None:
        self._writer, self._chance = writer, chance
        self._asked: tuple[str, Correspondent, str, str] | None = None  # the last question: key, who, subject, text

    def letter(self, key: str, after: float) -> IncomingMail:
        address = self._writer.box.address
        if "notes" in address:
            return self._note(key, after)
        if "payable" in address:
            return self._advert(key, after) if self._chance.random() < 0.1 else self._bill(key, after)
        return self._follow_up(key, after) or self._question(key, after)

    def _day(self, after: float) -> date:
        return (self._writer.start + timedelta(seconds=after)).date()

    def _note(self, key: str, after: float) -> IncomingMail:
        broker = self._chance.choice(list(BROKERS))
        mail, day = BROKERS[broker], self._day(after)
        paper = NOTES[broker](day, self._chance.randrange(10**9))
        subject, text, filename = mail.worded(paper.truth["trades"][0], day)
        return self._writer.letter(
            key,
            after,
            mail.sender,
            subject,
            text,
            enclosures=[Enclosure(filename, paper.pdf)],
            about=f"A contract note of {mail.sender.name}.",
            truth={"documents": [{"filename": filename, **paper.truth}], "order": order_for(paper, mail.holder)},
        )

    def _bill(self, key: str, after: float) -> IncomingMail:
        supplier = self._chance.choice(list(SUPPLIERS.values()))
        charge = bill_of(supplier, self._day(after), self._chance.randrange(10**9))
        electronic = supplier.key == "brenner" and self._chance.random() < 0.5
        paper = factur_x(charge) if electronic else invoice(charge)
        sender, subject, text, filename = invoice_mail(charge)
        return self._writer.letter(
            key,
            after,
            sender,
            subject,
            text,
            enclosures=[Enclosure(filename, paper.pdf)],
            about=f"An invoice of {sender.name}.",
            truth={"documents": [{"filename": filename, **paper.truth}]},
        )

    def _advert(self, key: str, after: float) -> IncomingMail:
        paper = brochure(self._chance.randrange(1000))
        return self._writer.letter(
            key,
            after,
            Correspondent("Studio Northlight", "hello@news.northlight.example"),
            "Your weekly inspiration",
            "Hello,\n\nnew ideas for your office are in the attached catalogue.\n\nStudio Northlight",
            enclosures=[Enclosure("catalogue.pdf", paper.pdf)],
            headers={"Precedence": "bulk"},
            about="Advertising with a PDF.",
            truth={"documents": [{"filename": "catalogue.pdf", **paper.truth}]},
        )

    def _question(self, key: str, after: float) -> IncomingMail:
        sender = self._chance.choice(_PEOPLE)
        subject, text = self._chance.choice(_QUESTIONS)
        fields = {
            "name": sender.name,
            "hour": self._chance.randrange(6, 23),
            "count": self._chance.randrange(2, 24),
            "code": self._chance.randrange(10_000, 99_999),
        }
        subject, text = subject.format(**fields), text.format(**fields)
        self._asked = (key, sender, subject, text)
        verdict = "needs_review" if "refund" in text else "draft"
        about, truth = f"A question of {sender.name}.", {"triage": {"verdict": verdict}}
        return self._writer.letter(key, after, sender, subject, text, about=about, truth=truth)

    def _follow_up(self, key: str, after: float) -> IncomingMail | None:
        """Now and then the last one to ask writes again, with the first mail quoted."""
        if self._asked is None or self._chance.random() > 0.2:
            return None
        before, sender, subject, text = self._asked
        self._asked = None
        asking = f"Sorry to ask again, could you answer by tomorrow?\n\n{sender.name}"
        more = f"{asking}\n\n{sender.name} wrote:\n{quoted(text)}"
        about = f"{sender.name} asks again in the same thread."
        return self._writer.letter(key, after, sender, f"Re: {subject}", more, answers=before, about=about)
