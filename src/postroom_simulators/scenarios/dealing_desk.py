"""A dealing desk: staff's brokers send contract notes to one shared Outlook mailbox."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from html import escape
from typing import Any

from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.papers import NOTES, SamplePaper, activity_statement, dividend_advice, locked, scanned
from postroom_simulators.papers.deals import Direction
from postroom_simulators.scenarios.correspondents import BROKERS, TRUSTED_BROKERS, order_for
from postroom_simulators.scenarios.envelopes import Correspondent, Enclosure, MailWriter, as_html
from postroom_simulators.scenarios.script import Scenario, ScenarioMailbox

BOX = ScenarioMailbox("contract.notes@larkspur.example", "Contract Notes", "graph")
PASSWORD = "larkspur-2026"  # noqa: S105 -- a sample that the scenario's truth gives away

_AUTO = {
    "route": "auto_confirm",
    "because": "The trade adds up, matches a pending order and comes from a known broker.",
}


def dealing_desk(start: datetime, seed: int = 0) -> Scenario:
    desk = _Desk(start, seed)
    mails = [
        desk.note("hansekontor", 0, direction="BUY"),
        desk.note("thornbury", 3, direction="BUY"),
        desk.note("berault", 6, encoding="quoted-printable", charset="iso-8859-1"),
        desk.note("kestrel", 9),
        desk.note("malarbanken", 12, old_name=True),
        desk.note("weidenfels", 15, charset="windows-1252"),
        desk.note("arbour", 18),
        desk.note("tiberina", 21, plain_only=True),
        desk.note("seewald", 24),
        desk.duplicate("thornbury", 28),
        desk.statement(32),
        desk.spoofed("hansekontor", 36),
        desk.scan("polderhuis", 40),
        desk.sealed("kestrel", 45),
        desk.dividend(50),
        desk.forwarded("cantabria", 54),
        desk.resent("hansekontor", 58),
        desk.without_order("polderhuis", 62),
        desk.chat(66),
        desk.written("thornbury", 68),
        desk.note("hansekontor", 70, direction="SELL", turn=1),
    ]
    truth = {"orders": desk.orders, "trusted_senders": TRUSTED_BROKERS, "passwords": [PASSWORD]}
    about = "Contract notes from eleven brokers in seven languages, and what makes them hard."
    return Scenario("dealing-desk", about, start, [BOX], mails, truth=truth)


class _Desk:
    """Writes the desk's letters and keeps the orders that wait for them."""

    def __init__(self, start: datetime, seed: int) -> None:
        self.writer = MailWriter(BOX, start, seed)
        self.day: date = start.date()
        self.seed = seed
        self.orders: list[dict[str, Any]] = []

    def paper(self, broker: str, *, direction: Direction | None = None, turn: int = 0) -> SamplePaper:
        return NOTES[broker](self.day, self.seed * 100 + turn, direction=direction)

    def note(
        self,
        broker: str,
        after: float,
        *,
        direction: Direction | None = None,
        turn: int = 0,
        charset: str = "utf-8",
        encoding: str | None = None,
        old_name: bool = False,
        plain_only: bool = False,
    ) -> IncomingMail:
        mail = BROKERS[broker]
        paper = self.paper(broker, direction=direction, turn=turn)
        self.orders.append(order_for(paper, mail.holder))
        subject, text, filename = mail.worded(paper.truth["trades"][0], self.day)
        return self.writer.letter(
            f"{broker}-{turn}",
            after,
            mail.sender,
            subject,
            text,
            html=None if plain_only else as_html(text),
            charset=charset,
            encoding=encoding,
            enclosures=[Enclosure(filename, paper.pdf, old_name=old_name)],
            about=f"A contract note of {mail.sender.name}.",
            truth=_found(paper, filename, _AUTO),
        )

    def duplicate(self, broker: str, after: float) -> IncomingMail:
        """The same file again, in another mail under another name."""
        mail = BROKERS[broker]
        paper = self.paper(broker, direction="BUY")
        subject, text, _ = mail.worded(paper.truth["trades"][0], self.day)
        return self.writer.letter(
            f"{broker}-again",
            after,
            mail.sender,
            f"RE-SENT: {subject}",
            f"Apologies, our system may not have delivered this earlier.\n\n{text}",
            enclosures=[Enclosure("document.pdf", paper.pdf)],
            about="The same contract note, sent again in another mail.",
            truth=_found(paper, "document.pdf", {"route": "duplicate", "because": "The same file was handled before."}),
        )

    def statement(self, after: float) -> IncomingMail:
        paper = activity_statement(self.day, self.seed)
        return self.writer.letter(
            "statement",
            after,
            Correspondent("Pinecrest Brokerage", "statements@pinecrest.example"),
            f"Your monthly activity statement is ready ({self.day:%B %Y})",
            "Dear client,\n\nYour statement for the month is attached. It lists 27 transactions.\n\nPinecrest "
            "Brokerage Inc.",
            enclosures=[Enclosure(f"statement_{self.day:%Y-%m}.pdf", paper.pdf)],
            about="An activity statement with 27 trades over three pages.",
            truth=_found(
                paper,
                f"statement_{self.day:%Y-%m}.pdf",
                {"route": "review", "because": "No order waits for them."},
            ),
        )

    def spoofed(self, broker: str, after: float) -> IncomingMail:
        """Right name and address, but the receiving service says it did not come from there."""
        mail = BROKERS[broker]
        paper = self.paper(broker, direction="SELL", turn=66)
        subject, text, filename = mail.worded(paper.truth["trades"][0], self.day)
        return self.writer.letter(
            f"{broker}-spoofed",
            after,
            mail.sender,
            f"DRINGEND: {subject}",
            text + "\n\nBitte beachten Sie unsere neue Bankverbindung.",
            verdict="fail",
            enclosures=[Enclosure(filename, paper.pdf)],
            about="A forged sender: SPF and DMARC fail.",
            truth=_found(paper, filename, {"route": "review", "because": "The sender failed DMARC."}),
        )

    def scan(self, broker: str, after: float) -> IncomingMail:
        mail = BROKERS[broker]
        paper = scanned(self.paper(broker), self.seed)
        self.orders.append(order_for(paper, mail.holder))
        return self.writer.letter(
            f"{broker}-scan",
            after,
            Correspondent(mail.holder.name, f"{mail.holder.user}@larkspur.example"),
            "Scan of my contract note",
            "Hi,\n\nmy broker only sends paper, so here is a scan from the copier on the third floor.\n\nThanks\nSanne",
            enclosures=[Enclosure("SCN_0042.pdf", paper.pdf)],
            about="A scanned contract note without a text layer: needs OCR.",
            truth=_found(
                paper,
                "SCN_0042.pdf",
                {"route": "review", "because": "Read from a picture; sender is no broker."},
            ),
        )

    def sealed(self, broker: str, after: float) -> IncomingMail:
        mail = BROKERS[broker]
        paper = locked(self.paper(broker, turn=7), PASSWORD)
        self.orders.append(order_for(paper, mail.holder))
        subject, text, filename = mail.worded(paper.truth["trades"][0], self.day)
        return self.writer.letter(
            f"{broker}-sealed",
            after,
            mail.sender,
            subject,
            text + "\n\nFor your security the document opens with the password agreed with your compliance team.",
            enclosures=[Enclosure(filename, paper.pdf)],
            about="A contract note behind a password that the desk knows.",
            truth=_found(paper, filename, _AUTO),
        )

    def dividend(self, after: float) -> IncomingMail:
        paper = dividend_advice(self.day, self.seed)
        return self.writer.letter(
            "dividend",
            after,
            BROKERS["hansekontor"].sender,
            "Dividendengutschrift Allianz SE",
            "Sehr geehrte Frau Brandt,\n\nanbei erhalten Sie die Abrechnung Ihrer Dividende.\n\nHansekontor Bank AG",
            enclosures=[Enclosure("Dividende.pdf", paper.pdf)],
            about="A dividend advice: looks like a note, but is not a trade.",
            truth=_found(paper, "Dividende.pdf", {"route": "review", "because": "Nothing was bought or sold."}),
        )

    def forwarded(self, broker: str, after: float) -> IncomingMail:
        """The note hides in a mail that is attached to a mail."""
        mail = BROKERS[broker]
        paper = self.paper(broker)
        self.orders.append(order_for(paper, mail.holder))
        subject, text, filename = mail.worded(paper.truth["trades"][0], self.day)
        inner = EmailMessage(policy=SMTP)
        inner["From"] = mail.sender.header
        inner["To"] = f"{mail.holder.user}@larkspur.example"
        inner["Subject"] = subject
        inner["Date"] = format_datetime(self.writer.start)
        inner["Message-ID"] = self.writer.message_id("inner", mail.sender.domain)
        inner.set_content(text)
        inner.add_attachment(paper.pdf, "application", "pdf", filename=filename)
        return self.writer.letter(
            f"{broker}-forwarded",
            after,
            Correspondent(mail.holder.name, f"{mail.holder.user}@larkspur.example"),
            f"WG: {subject}",
            "Reenvío el justificante de mi operación.\n\nIñaki",
            forwarded=inner,
            about="A note inside a forwarded message (message/rfc822).",
            truth=_found(
                paper,
                filename,
                {"route": "review", "because": "Forwarded by staff, so the sender is no broker."},
            ),
        )

    def resent(self, broker: str, after: float) -> IncomingMail:
        """The broker's own second copy: other bytes, the same trade."""
        mail = BROKERS[broker]
        paper = scanned(self.paper(broker, direction="BUY"), self.seed + 1)
        return self.writer.letter(
            f"{broker}-resent",
            after,
            mail.sender,
            "Zweitschrift Ihrer Wertpapierabrechnung",
            "Sehr geehrte Frau Brandt,\n\nwie gewünscht erhalten Sie die Zweitschrift Ihrer "
            "Abrechnung.\n\nHansekontor Bank AG",
            enclosures=[Enclosure("Zweitschrift.pdf", paper.pdf)],
            about="A second copy as a picture: other bytes, the same trade.",
            truth=_found(
                paper,
                "Zweitschrift.pdf",
                {"route": "duplicate", "because": "The same trade was booked before."},
            ),
        )

    def without_order(self, broker: str, after: float) -> IncomingMail:
        mail = BROKERS[broker]
        paper = self.paper(broker, turn=9)
        subject, text, filename = mail.worded(paper.truth["trades"][0], self.day)
        return self.writer.letter(
            f"{broker}-unasked",
            after,
            mail.sender,
            subject,
            text,
            enclosures=[Enclosure(filename, paper.pdf)],
            about="A trade that no order asked for: compliance wants to see it.",
            truth=_found(paper, filename, {"route": "review", "because": "No pending order matches."}),
        )

    def written(self, broker: str, after: float) -> IncomingMail:
        """A broker that prints nothing: the confirmation is the mail itself, in a table."""
        mail = BROKERS[broker]
        paper = self.paper(broker, turn=11)
        trade = paper.truth["trades"][0]
        self.orders.append(order_for(paper, mail.holder))
        subject = f"Trade confirmation {trade['isin']}"
        return self.writer.letter(
            f"{broker}-written",
            after,
            mail.sender,
            subject,
            "Please use a program that shows HTML.",
            html=_confirmation(trade, mail.holder.name),
            about="A trade in the text of the mail: no file is enclosed.",
            truth=_found(paper, f"{subject}.html", _AUTO),
        )

    def chat(self, after: float) -> IncomingMail:
        return self.writer.letter(
            "chat",
            after,
            Correspondent("Rosalind Whitlock", "rwhitlock@larkspur.example"),
            "Pre-clearance for next week?",
            "Hi team,\n\nam I right that I need a new pre-clearance if my limit order was not filled by "
            "Friday?\n\nRosalind",
            about="A question without any paper.",
            truth={"documents": [], "triage": {"verdict": "draft"}},
        )


def _confirmation(trade: Mapping[str, Any], holder: str) -> str:
    bought = trade["direction"] == "BUY"
    way, settled = ("bought", "Total amount debited") if bought else ("sold", "Total amount credited")
    charges = [("Commission", trade["fees"]), ("Tax", trade["taxes"])]
    sums = [("Consideration", trade["gross"]), *charges, (settled, trade["net"])]
    heads = ("Security", "ISIN", "Quantity", f"Price ({trade['currency']})")
    cells = (trade["name"], trade["isin"], f"{int(trade['quantity']):,}", trade["price"])
    amounts = "".join(
        f'<tr><td colspan="3">{escape(name)}</td><td align="right">{trade["currency"]} {float(amount):,.2f}</td></tr>'
        for name, amount in sums
        if float(amount)
    )
    return (
        '<html><head><meta charset="utf-8"></head><body><table width="640"><tr><td width="24">&nbsp;</td><td>'
        f"<h2>Trade confirmation</h2><p>Dear {escape(holder)},</p><p>We have {way} for your account:</p>"
        f'<table border="1" cellpadding="4"><tr>{"".join(f"<th>{escape(head)}</th>" for head in heads)}</tr>'
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>{amounts}</table>"
        f"<p>Trade date: {trade['trade_date']}<br>Settlement date: {trade['settlement_date']}</p>"
        "<p>No paper follows.</p></td></tr></table></body></html>"
    )


def _found(paper: SamplePaper, filename: str, outcome: Mapping[str, str]) -> dict[str, Any]:
    return {"documents": [{"filename": filename, **paper.truth, **outcome}]}
