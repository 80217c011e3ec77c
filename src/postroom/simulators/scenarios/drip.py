"""Mail that never ends: varied and plausible, for load and for a demo that stays alive."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta

from postroom.simulators.letters import Letter
from postroom.simulators.papers import NOTES, SUPPLIERS, Paper, bill_of, brochure, factur_x, invoice
from postroom.simulators.scenarios.accounts_payable import BOX as PAYABLE
from postroom.simulators.scenarios.client_mails import ANNA, BEN, CLAIRE, JONAS, LUCIA, MARCO, OSKAR, PRIYA
from postroom.simulators.scenarios.client_mails import BOX as SERVICE
from postroom.simulators.scenarios.correspondents import BROKERS, invoice_mail, order_for
from postroom.simulators.scenarios.dealing_desk import BOX as DEALING
from postroom.simulators.scenarios.envelopes import Enclosure, Sender, Writer
from postroom.simulators.scenarios.script import Box

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
    Sender("Dieter Vogt", "dieter.vogt@borealis.example"),
    Sender("Ingrid Dahl", "ingrid.dahl@gmail.com"),
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
    seed: int = 0, *, start: datetime | None = None, boxes: Sequence[Box] = BOXES, pause: float = 5.0
) -> Iterator[Letter]:
    """Letters for ever. `after` grows by about `pause` seconds each; give other `boxes` to spread them wider.

    Dealing desks get notes, payables invoices, everybody else questions: a box is told by its name.
    """
    chance = random.Random(f"drip {seed}")
    begin = start or datetime(2026, 1, 5, 8, tzinfo=UTC)
    writers = [Writer(box, begin, seed) for box in boxes]
    after, number = 0.0, 0
    while True:
        writer = chance.choice(writers)
        yield _kind_of(writer.box)(writer, after, number, chance)
        number += 1
        after += chance.uniform(0.4, 1.6) * pause


def _kind_of(box: Box) -> Callable[[Writer, float, int, random.Random], Letter]:
    if "notes" in box.address:
        return _note
    return _bill if "payable" in box.address else _question


def _note(writer: Writer, after: float, number: int, chance: random.Random) -> Letter:
    broker = chance.choice(list(BROKERS))
    mail = BROKERS[broker]
    day = (writer.start + timedelta(seconds=after)).date()
    paper = NOTES[broker](day, chance.randrange(10**9))
    subject, text, filename = mail.worded(paper.truth["trades"][0], day)
    truth = {"documents": [{"filename": filename, **paper.truth}], "order": order_for(paper, mail.holder)}
    return writer.letter(
        f"drip-{number}",
        after,
        mail.sender,
        subject,
        text,
        enclosures=[Enclosure(filename, paper.pdf)],
        about=f"A contract note of {mail.sender.name}.",
        truth=truth,
    )


def _bill(writer: Writer, after: float, number: int, chance: random.Random) -> Letter:
    if chance.random() < 0.1:
        return _advert(writer, after, number, chance)
    supplier = chance.choice(list(SUPPLIERS.values()))
    day = (writer.start + timedelta(seconds=after)).date()
    charge = bill_of(supplier, day, chance.randrange(10**9))
    draw: Callable[..., Paper] = factur_x if supplier.key == "brenner" and chance.random() < 0.5 else invoice
    paper = draw(charge)
    sender, subject, text, filename = invoice_mail(charge)
    return writer.letter(
        f"drip-{number}",
        after,
        sender,
        subject,
        text,
        enclosures=[Enclosure(filename, paper.pdf)],
        about=f"An invoice of {sender.name}.",
        truth={"documents": [{"filename": filename, **paper.truth}]},
    )


def _advert(writer: Writer, after: float, number: int, chance: random.Random) -> Letter:
    paper = brochure(chance.randrange(1000))
    return writer.letter(
        f"drip-{number}",
        after,
        Sender("Studio Northlight", "hello@news.northlight.example"),
        "Your weekly inspiration",
        "Hello,\n\nnew ideas for your office are in the attached catalogue.\n\nStudio Northlight",
        enclosures=[Enclosure("catalogue.pdf", paper.pdf)],
        headers={"Precedence": "bulk"},
        about="Advertising with a PDF.",
        truth={"documents": [{"filename": "catalogue.pdf", **paper.truth}]},
    )


def _question(writer: Writer, after: float, number: int, chance: random.Random) -> Letter:
    sender = chance.choice(_PEOPLE)
    subject, text = chance.choice(_QUESTIONS)
    fields = {
        "name": sender.name,
        "hour": chance.randrange(6, 23),
        "count": chance.randrange(2, 24),
        "code": chance.randrange(10_000, 99_999),
    }
    verdict = "needs_review" if "refund" in text else "draft"
    return writer.letter(
        f"drip-{number}",
        after,
        sender,
        subject.format(**fields),
        text.format(**fields),
        about=f"A question of {sender.name}.",
        truth={"triage": {"verdict": verdict}},
    )
