"""How brokers and suppliers write when they send a paper: in their language, in their tone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from postroom_simulators.papers import HOLDERS, DealHolder, SamplePaper
from postroom_simulators.papers.invoices import SUPPLIERS, SampleBill
from postroom_simulators.papers.locales import FRENCH, GERMAN, ITALIAN, SPANISH
from postroom_simulators.scenarios.envelopes import Correspondent


@dataclass(frozen=True, slots=True)
class BrokerMail:
    sender: Correspondent
    holder: DealHolder
    subject: str
    text: str
    filename: str

    def worded(self, trade: dict[str, Any], day: date) -> tuple[str, str, str]:
        """Subject, text and file name for one trade."""
        fields = {
            "name": self.holder.name,
            "last": self.holder.name.split()[-1],
            "isin": trade["isin"],
            "security": trade["name"],
            "iso": day.isoformat(),
            "de": GERMAN.date(day),
            "fr": FRENCH.date(day),
            "it": ITALIAN.date(day),
            "es": SPANISH.date(day),
            "uk": f"{day:%d %B %Y}",
            "compact": f"{day:%Y%m%d}",
        }
        return self.subject.format(**fields), self.text.format(**fields), self.filename.format(**fields)


BROKERS = {
    "hansekontor": BrokerMail(
        Correspondent("Hansekontor Bank Wertpapierservice", "wertpapierservice@hansekontor.example"),
        HOLDERS["de"],
        "Ihre Wertpapierabrechnung vom {de}",
        "Sehr geehrte Frau {last},\n\nanbei erhalten Sie die Abrechnung zu {security} ({isin}).\n\nFür Rückfragen "
        "erreichen Sie uns montags bis freitags von 8 bis 18 Uhr.\n\nMit freundlichen Grüßen\nIhr "
        "Wertpapierservice\n\n-- \nHansekontor Bank AG, Ballindamm 37, 20095 Hamburg\nDiese Nachricht wurde "
        "automatisch erzeugt.",
        "Wertpapierabrechnung_{compact}.pdf",
    ),
    "weidenfels": BrokerMail(
        Correspondent("Weidenfels & Cie. Rentenhandel", "renten@weidenfels.example"),
        HOLDERS["de"],
        "Abrechnung {isin}",
        "Sehr geehrte Frau {last},\n\nals Anlage übersenden wir Ihnen die Abrechnung Ihres heutigen Geschäfts.\n\n"
        "Ergebenst\nWeidenfels & Cie.",
        "Abrechnung {isin}.pdf",
    ),
    "thornbury": BrokerMail(
        Correspondent("Thornbury & Vale Settlements", "settlements@thornburyvale.example"),
        HOLDERS["en"],
        "Contract note - {security} - {uk}",
        "Dear Ms {last},\n\nPlease find attached the contract note for the bargain dealt on your behalf today in "
        "{security}.\n\nKind regards,\n\nSettlements Team\nThornbury & Vale Stockbrokers LLP\n3 Finch Lane, "
        "London EC3V 3NA\n\nThis email is confidential. If you are not the intended recipient please delete it.",
        "Contract_Note_{compact}.pdf",
    ),
    "arbour": BrokerMail(
        Correspondent("Arbour Fund Services", "dealing@arbourfunds.example"),
        HOLDERS["lu"],
        "Transaction confirmation {isin}",
        "Dear {name},\n\nYour dealing confirmation is attached.\n\nArbour Fund Services S.A.\nTransfer agent",
        "confirmation-{isin}-{iso}.pdf",
    ),
    "berault": BrokerMail(
        Correspondent("Bérault Gestion Privée", "titres@berault.example"),
        HOLDERS["fr"],
        "Votre avis d'opéré du {fr}",
        "Monsieur {last},\n\nVeuillez trouver ci-joint l'avis d'opéré relatif à l'opération sur {security} "
        "exécutée ce jour.\n\nNous vous prions d'agréer, Monsieur, l'expression de nos salutations "
        "distinguées.\n\nService Clients Titres",
        "Avis d'opéré {iso}.pdf",
    ),
    "tiberina": BrokerMail(
        Correspondent("Banca Tiberina - Titoli", "titoli@bancatiberina.example"),
        HOLDERS["it"],
        "Conferma di eseguito del {it}",
        "Gentile Cliente,\n\nin allegato la nota informativa relativa all'operazione su {security}.\n\nCordiali "
        "saluti\nBanca Tiberina S.p.A.\n\nSi prega di non rispondere a questo messaggio.",
        "NotaInformativa_{compact}.pdf",
    ),
    "cantabria": BrokerMail(
        Correspondent("Cantabria Valores", "liquidaciones@cantabriavalores.example"),
        HOLDERS["es"],
        "Justificante de su operación de {es}",
        "Estimado Sr. {last}:\n\nLe adjuntamos el justificante de la operación realizada sobre {security}.\n\n"
        "Atentamente,\nDepartamento de Liquidaciones",
        "justificante_{isin}.pdf",
    ),
    "polderhuis": BrokerMail(
        Correspondent("Polderhuis Effecten", "nota@polderhuis.example"),
        HOLDERS["nl"],
        "Uw nota staat klaar: {security}",
        "Beste {name},\n\nIn de bijlage vindt u de nota van uw order in {security}.\n\nMet vriendelijke "
        "groet,\nPolderhuis",
        "nota-{compact}.pdf",
    ),
    "malarbanken": BrokerMail(
        Correspondent("Mälarbanken", "avrakning@malarbanken.example"),
        HOLDERS["sv"],
        "Avräkningsnota {iso} {security}",
        "Hej {name},\n\nHär kommer avräkningsnotan för din affär i {security}.\n\nVänliga hälsningar\nMälarbanken "
        "Kundservice",
        "Avräkningsnota {iso}.pdf",
    ),
    "kestrel": BrokerMail(
        Correspondent("Kestrel Direct", "confirmations@kestreldirect.example"),
        HOLDERS["us"],
        "Trade confirmation: {security}",
        "Hi {name},\n\nYour order has been executed. The confirmation is attached.\n\nThe Kestrel Direct team",
        "trade-confirmation-{compact}.pdf",
    ),
    "seewald": BrokerMail(
        Correspondent("Seewald Bank AG", "abrechnungen@seewaldbank.example"),
        HOLDERS["ch"],
        "Börsenabrechnung {de}",
        "Sehr geehrter Herr {last}\n\nIn der Beilage finden Sie die Abrechnung zu Ihrem Auftrag in {security}.\n\n"
        "Freundliche Grüsse\nSeewald Bank AG",
        "Boersenabrechnung_{compact}.pdf",
    ),
}


def order_for(paper: SamplePaper, holder: DealHolder) -> dict[str, Any]:
    """The order that this trade should be linked to."""
    trade = paper.truth["trades"][0]
    wanted = ("isin", "name", "direction", "quantity")
    return {"user": holder.user, "date": trade["trade_date"], **{key: trade[key] for key in wanted}}


_INVOICE_MAILS = {
    "de": (
        "Rechnung {number}",
        (
            "Sehr geehrte Damen und Herren,\n\nanbei erhalten Sie unsere Rechnung {number} über {total} mit der "
            "Bitte um Begleichung bis zum {due}.\n\nMit freundlichen Grüßen\n{supplier}"
        ),
        "Rechnung_{safe}.pdf",
    ),
    "en": (
        "Invoice {number} from {supplier}",
        (
            "Hello,\n\nPlease find attached invoice {number} for {total}, due on {due}.\n\nMany "
            "thanks,\nAccounts\n{supplier}"
        ),
        "Invoice-{safe}.pdf",
    ),
    "fr": (
        "Votre facture {number}",
        (
            "Bonjour,\n\nVous trouverez en pièce jointe notre facture {number} d'un montant de {total} T.T.C., "
            "payable au plus tard le {due}.\n\nBien cordialement,\nLe service comptabilité\n{supplier}"
        ),
        "Facture n°{safe}.pdf",
    ),
    "it": (
        "Fattura {number}",
        (
            "Buongiorno,\n\nin allegato la fattura {number} di {total} con scadenza {due}.\n\nCordiali "
            "saluti\n{supplier}"
        ),
        "Fattura_{safe}.pdf",
    ),
    "nl": (
        "Factuur {number}",
        (
            "Geachte heer/mevrouw,\n\nHierbij ontvangt u onze factuur {number} ter hoogte van {total}. Graag "
            "betaling vóór {due}.\n\nMet vriendelijke groet,\n{supplier}"
        ),
        "factuur-{safe}.pdf",
    ),
    "es": (
        "Factura {number} - {supplier}",
        (
            "Buenos días:\n\nAdjuntamos la factura {number} por importe de {total}, con vencimiento el "
            "{due}.\n\nUn saludo,\n{supplier}"
        ),
        "Factura {safe}.pdf",
    ),
    "sv": (
        "Faktura {number}",
        (
            "Hej!\n\nBifogat finner ni faktura {number} på {total}. Förfallodag {due}.\n\nMed vänlig "
            "hälsning\n{supplier}"
        ),
        "Faktura_{safe}.pdf",
    ),
}


def invoice_mail(bill: SampleBill) -> tuple[Correspondent, str, str, str]:
    """Sender, subject, text and file name."""
    supplier = bill.supplier
    fields = {
        "number": bill.number,
        "safe": bill.number.replace("/", "-"),
        "total": f"{supplier.locale.number(bill.total)} {supplier.currency}",
        "due": supplier.locale.date(bill.due),
        "supplier": supplier.party.name,
    }
    subject, text, filename = (part.format(**fields) for part in _INVOICE_MAILS[supplier.locale.language])
    return Correspondent(supplier.party.name, supplier.email), subject, text, filename


TRUSTED_BROKERS = sorted({mail.sender.address for mail in BROKERS.values()} | {"statements@pinecrest.example"})
TRUSTED_SUPPLIERS = sorted(supplier.email for supplier in SUPPLIERS.values())
