"""What an e-invoice says beside its totals: of which kind it is, what was added, taken off or paid, and what is due."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from stdnum import iban as iban_number

from postroom.nouns.documents import Invoice
from postroom.reading.invoices.xmlguard import XmlNode, number

CENT = Decimal("0.01")
ZERO = Decimal(0)
# UNTDID 1001, as far as EN 16931 allows: https://docs.peppol.eu/poacc/billing/3.0/codelist/UNCL1001-inv/
CREDITS = frozenset({"81", "83", "261", "262", "296", "308", "381", "396", "420", "458", "532"})
ORDERS = frozenset({"220", "221", "226", "230", "231", "351"})
CORRECTED, PROFORMA = "384", "325"
_CII_SUMS = ("SpecifiedTradeSettlementHeaderMonetarySummation", "SpecifiedTradeSettlementMonetarySummation")
_CII_SETTLEMENTS = ("ApplicableHeaderTradeSettlement", "ApplicableSupplyChainTradeSettlement")
_CII_DEALS = ("SupplyChainTradeTransaction", "SpecifiedSupplyChainTradeTransaction")


@dataclass(frozen=True, slots=True)
class InvoiceDues:
    """Amounts as stated; None is not stated."""

    kind: str = ""
    credit: bool = False
    lines: Decimal | None = None
    allowances: Decimal | None = None
    charges: Decimal | None = None
    prepaid: Decimal | None = None
    rounding: Decimal | None = None
    due: Decimal | None = None
    line_extras: tuple[Decimal, ...] = ()


def is_order(root: XmlNode) -> bool:
    """Order-X and its kin have the same deal inside as an invoice."""
    kind = next((node.first("TypeCode") for node in root.all("ExchangedDocument")), "")
    return kind in ORDERS or "CIO" in root.name or "Order" in root.name or "Despatch" in root.name


def of_cii(root: XmlNode) -> InvoiceDues:
    settled = list(_paths(root, _CII_DEALS, _CII_SETTLEMENTS))
    sums = [node for settlement in settled for name in _CII_SUMS for node in settlement.all(name)]
    kind = root.first("ExchangedDocument/TypeCode", "HeaderExchangedDocument/TypeCode")

    def stated(name: str) -> Decimal | None:
        return next((number(node.first(name)) for node in sums if node.first(name)), None)

    return InvoiceDues(
        kind=kind,
        credit=kind in CREDITS,
        lines=stated("LineTotalAmount"),
        allowances=stated("AllowanceTotalAmount"),
        charges=stated("ChargeTotalAmount"),
        prepaid=stated("TotalPrepaidAmount"),
        rounding=stated("RoundingAmount"),
        due=stated("DuePayableAmount"),
        line_extras=tuple(_cii_extra(item) for item in _paths(root, _CII_DEALS, ("IncludedSupplyChainTradeLineItem",))),
    )


def _paths(root: XmlNode, outer: tuple[str, ...], inner: tuple[str, ...]) -> Iterator[XmlNode]:
    return (node for one in outer for other in inner for node in root.all(f"{one}/{other}"))


def _cii_extra(item: XmlNode) -> Decimal:
    """What a line adds to or takes off quantity times price."""
    total = ZERO
    for name in ("SpecifiedLineTradeSettlement", "SpecifiedSupplyChainTradeSettlement"):
        for one in item.all(f"{name}/SpecifiedTradeAllowanceCharge"):
            amount = number(one.first("ActualAmount")) or ZERO
            total += amount if one.first("ChargeIndicator/Indicator", "ChargeIndicator") == "true" else -amount
    return total


def of_ubl(root: XmlNode) -> InvoiceDues:
    kind = root.first("InvoiceTypeCode", "CreditNoteTypeCode")

    def stated(name: str) -> Decimal | None:
        return number(root.first(f"LegalMonetaryTotal/{name}"))

    return InvoiceDues(
        kind=kind,
        credit=root.name == "CreditNote" or kind in CREDITS,
        lines=stated("LineExtensionAmount"),
        allowances=stated("AllowanceTotalAmount"),
        charges=stated("ChargeTotalAmount"),
        prepaid=stated("PrepaidAmount"),
        rounding=stated("PayableRoundingAmount"),
        due=stated("PayableAmount"),
        line_extras=tuple(_ubl_extra(line) for name in ("InvoiceLine", "CreditNoteLine") for line in root.all(name)),
    )


def _ubl_extra(line: XmlNode) -> Decimal:
    total = ZERO
    for one in line.all("AllowanceCharge"):
        amount = number(one.first("Amount")) or ZERO
        total += amount if one.first("ChargeIndicator") == "true" else -amount
    return total


def doubts(dues: InvoiceDues, invoice: Invoice) -> list[str]:
    """Sentences about what a person must see before it is booked as an invoice to be paid."""
    return [*_about_kind(dues), *_about_sums(dues, invoice), *_about_payment(dues, invoice)]


def _about_kind(dues: InvoiceDues) -> Iterator[str]:
    if dues.credit:
        yield f"It is a credit note (type {dues.kind or '381'}): the money comes back."
    elif dues.kind == CORRECTED:
        yield "It corrects another invoice (type 384)."
    elif dues.kind == PROFORMA:
        yield "It is a pro forma invoice (type 325): nothing is to be paid by it."


def _about_sums(dues: InvoiceDues, invoice: Invoice) -> Iterator[str]:
    """Lines − allowances + charges = net."""
    if dues.lines is not None and invoice.net_total is not None:
        made = dues.lines - (dues.allowances or ZERO) + (dues.charges or ZERO)
        if abs(made - invoice.net_total) > CENT:
            yield f"Lines {dues.lines} with allowances and charges make {made}, not {invoice.net_total}."
    totals = [line.total for line in invoice.lines if line.total is not None]
    if dues.lines is not None and totals and len(totals) == len(invoice.lines):
        whole = sum(totals, ZERO)
        if abs(whole - dues.lines) > CENT * max(len(totals), 1):
            yield f"The lines make {whole}, not {dues.lines}."


def _about_payment(dues: InvoiceDues, invoice: Invoice) -> Iterator[str]:
    """Total − prepaid + rounding = due."""
    total, paid = invoice.grand_total, dues.prepaid or ZERO
    if total is not None and dues.due is not None:
        left = total - paid + (dues.rounding or ZERO)
        if abs(left - dues.due) > CENT:
            yield f"{total} less {paid} paid leaves {left}, not {dues.due}."
        elif paid > 0:
            yield f"Of {total}, {paid} is paid already; {dues.due} is due."
        elif paid < 0:
            yield f"To {total} comes {-paid} from before; {dues.due} is due."
    if total is not None and total < 0 and not dues.credit:
        yield "Its total is negative: the money comes back."
    if invoice.iban and not iban_number.is_valid(invoice.iban, check_country=False):
        yield f"The check digits of {invoice.iban} are wrong."
