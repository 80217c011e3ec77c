"""E-invoices, read exactly: CII (Factur-X, ZUGFeRD 1.0 and 2.x, XRechnung) and UBL invoices and credit notes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal

from postroom.nouns.documents import Embedded, Explanation, Field, Invoice, InvoiceLine, PrintedAmount
from postroom.reading.invoices import dues
from postroom.reading.invoices.anywhere import StatedAnywhere, stated_anywhere
from postroom.reading.invoices.xmlguard import BadXml, XmlNode, number, parse

_CENT = Decimal("0.01")
_CII_DEALS = ("SupplyChainTradeTransaction", "SpecifiedSupplyChainTradeTransaction")
_STANDARD_NAMES = ("factur-x.xml", "zugferd-invoice.xml", "xrechnung.xml")


@dataclass(frozen=True, slots=True)
class InvoiceReading:
    """An invoice, what does not fit together in it, and whether it came from machine-readable data.

    The invoice's explanation says what speaks against believing it unseen, and `because` why nobody needs to look, or
    why somebody must.
    """

    invoice: Invoice
    warnings: tuple[str, ...] = ()
    exact: bool = False
    because: str = ""
    anywhere: StatedAnywhere = field(default_factory=StatedAnywhere)

    @property
    def sure(self) -> bool:
        """Whether nothing that was checked speaks against believing it unseen."""
        return self.invoice.explanation is not None and not self.invoice.explanation.objections


def e_invoice_among(files: Iterable[Embedded]) -> InvoiceReading | None:
    """The e-invoice among a PDF's embedded files; one under its standard name goes first. Two that differ are
    doubted."""
    xml = [file for file in files if b"<" in file.content[:200]]
    read = list(_readable(sorted(xml, key=lambda file: file.name.lower() not in _STANDARD_NAMES)))
    if not read:
        return None
    other = next((one for one in read[1:] if _main(one.invoice) != _main(read[0].invoice)), None)
    if other is None:
        return read[0]
    doubt = f"It holds two e-invoices that differ ({read[0].invoice.number} and {other.invoice.number})."
    return replace(read[0], warnings=(*read[0].warnings, doubt))


def _readable(files: Iterable[Embedded]) -> Iterator[InvoiceReading]:
    for file in files:
        try:
            yield read_e_invoice(file.content)
        except BadXml:
            continue


def _main(invoice: Invoice) -> tuple[object, ...]:
    """What two statements of one invoice must agree on."""
    return invoice.number, invoice.issue_date, invoice.currency, invoice.grand_total, invoice.iban


def read_e_invoice(content: bytes) -> InvoiceReading:
    """The invoice that the XML states. Raises BadXml if it is none."""
    root = parse(content)
    if any(any(root.all(name)) for name in _CII_DEALS) and not dues.is_order(root):  # drafts had other root names
        invoice, about = _cii(root), dues.of_cii(root)
    elif ubl := _ubl_root(root):
        invoice, about = _ubl(ubl), dues.of_ubl(ubl)
    else:
        raise BadXml(f"The XML is a {root.name}, not a CII or UBL invoice.")
    warnings = (*disagreements(invoice, about.line_extras), *dues.doubts(about, invoice))
    whole = stated_anywhere(root)
    return InvoiceReading(_with_fields(invoice), warnings, exact=True, because="Stated as XML.", anywhere=whole)


def _ubl_root(root: XmlNode) -> XmlNode | None:
    names = ("Invoice", "CreditNote")
    found = root if root.name in names else next(root.below(*names), None)
    return found if found is not None and any(found.all("LegalMonetaryTotal")) else None


def _cii(root: XmlNode) -> Invoice:
    """Version 1 and 2 differ in names only, so both are asked for."""
    document = _only(root, "ExchangedDocument", "HeaderExchangedDocument")
    deal = _only(root, *_CII_DEALS)
    agreement = _only(deal, "ApplicableHeaderTradeAgreement", "ApplicableSupplyChainTradeAgreement")
    settlement = _only(deal, "ApplicableHeaderTradeSettlement", "ApplicableSupplyChainTradeSettlement")
    sums = _only(
        settlement,
        "SpecifiedTradeSettlementHeaderMonetarySummation",
        "SpecifiedTradeSettlementMonetarySummation",
    )
    currency = settlement.first("InvoiceCurrencyCode")
    return Invoice(
        number=document.first("ID") or None,
        issue_date=_day(document.first("IssueDateTime/DateTimeString", "IssueDateTime/DateTime", "IssueDateTime")),
        due_date=_day(
            settlement.first(
                "SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString",
                "SpecifiedTradePaymentTerms/DueDateDateTime/DateTime",
                "SpecifiedTradePaymentTerms/DueDateDateTime",
            )
        ),
        supplier=_words(agreement.first("SellerTradeParty/Name")),
        buyer=_words(agreement.first("BuyerTradeParty/Name")),
        currency=currency or None,
        net_total=_amount(sums, "TaxBasisTotalAmount", currency),
        tax_total=_amount(sums, "TaxTotalAmount", currency),
        grand_total=_amount(sums, "GrandTotalAmount", currency),
        iban=_iban(settlement.first("SpecifiedTradeSettlementPaymentMeans/PayeePartyCreditorFinancialAccount/IBANID")),
        lines=tuple(
            line for item in deal.all("IncludedSupplyChainTradeLineItem") if (line := _cii_line(item)) is not None
        ),
        tax_by_rate=_by_rate(
            (
                tax.first("RateApplicablePercent", "ApplicablePercent"),
                tax.first("CalculatedAmount"),
            )
            for tax in settlement.all("ApplicableTradeTax")
        ),
        confidence=1.0,
    )


def _only(node: XmlNode, *names: str) -> XmlNode:
    return next((child for name in names for child in node.all(name)), XmlNode("", {}))


def _cii_line(item: XmlNode) -> InvoiceLine | None:
    agreement = _only(item, "SpecifiedLineTradeAgreement", "SpecifiedSupplyChainTradeAgreement")
    delivery = _only(item, "SpecifiedLineTradeDelivery", "SpecifiedSupplyChainTradeDelivery")
    settlement = _only(item, "SpecifiedLineTradeSettlement", "SpecifiedSupplyChainTradeSettlement")
    line = InvoiceLine(
        description=_words(item.first("SpecifiedTradeProduct/Name", "SpecifiedTradeProduct/Description")) or "",
        quantity=number(delivery.first("BilledQuantity")),
        unit_price=number(
            agreement.first("NetPriceProductTradePrice/ChargeAmount", "GrossPriceProductTradePrice/ChargeAmount")
        ),
        tax_rate=number(
            settlement.first("ApplicableTradeTax/RateApplicablePercent", "ApplicableTradeTax/ApplicablePercent")
        ),
        total=number(
            settlement.first(
                "SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount",
                "SpecifiedTradeSettlementMonetarySummation/LineTotalAmount",
            )
        ),
    )
    return line if line != InvoiceLine() else None  # version 1 puts notes into items that charge nothing


def _ubl(root: XmlNode) -> Invoice:
    sums = _only(root, "LegalMonetaryTotal")
    currency = root.first("DocumentCurrencyCode")
    taxes = [tax for tax in root.all("TaxTotal") if _in_currency(tax, "TaxAmount", currency)]
    kind = "Invoice" if root.name == "Invoice" else "CreditNote"
    return Invoice(
        number=root.first("ID") or None,
        issue_date=_day(root.first("IssueDate")),
        due_date=_day(root.first("DueDate", "PaymentMeans/PaymentDueDate", "PaymentTerms/PaymentDueDate")),
        supplier=_ubl_party(_only(root, "AccountingSupplierParty")),
        buyer=_ubl_party(_only(root, "AccountingCustomerParty")),
        currency=currency or None,
        net_total=number(sums.first("TaxExclusiveAmount")),
        tax_total=_sum(number(tax.first("TaxAmount")) for tax in taxes),
        grand_total=number(sums.first("TaxInclusiveAmount", "PayableAmount")),
        iban=_iban(root.first("PaymentMeans/PayeeFinancialAccount/ID"), anything=False),
        lines=tuple(_ubl_line(line) for line in root.all(f"{kind}Line")),
        tax_by_rate=_by_rate(
            (part.first("TaxCategory/Percent", "Percent"), part.first("TaxAmount"))
            for tax in taxes
            for part in tax.all("TaxSubtotal")
        ),
        confidence=1.0,
    )


def _ubl_party(node: XmlNode) -> str | None:
    return _words(node.first("Party/PartyLegalEntity/RegistrationName", "Party/PartyName/Name"))


def _ubl_line(line: XmlNode) -> InvoiceLine:
    return InvoiceLine(
        description=_words(line.first("Item/Name", "Item/Description")) or "",
        quantity=number(line.first("InvoicedQuantity", "CreditedQuantity")),
        unit_price=number(line.first("Price/PriceAmount")),
        tax_rate=number(line.first("Item/ClassifiedTaxCategory/Percent", "TaxTotal/TaxSubtotal/TaxCategory/Percent")),
        total=number(line.first("LineExtensionAmount")),
    )


def _in_currency(node: XmlNode, name: str, currency: str) -> bool:
    amounts = list(node.all(name))
    return not amounts or amounts[0].attributes.get("currencyID", currency) == currency


def _amount(node: XmlNode, name: str, currency: str) -> Decimal | None:
    """Tax may be stated twice, in the invoice's currency and in the tax office's."""
    amounts = list(node.all(name))
    own = [amount for amount in amounts if amount.attributes.get("currencyID", currency) == currency]
    return next((number(amount.text) for amount in (*own, *amounts)), None)


def _sum(amounts: Iterable[Decimal | None]) -> Decimal | None:
    known = [amount for amount in amounts if amount is not None]
    return sum(known, Decimal(0)) if known else None


def _by_rate(pairs: Iterable[tuple[str, str]]) -> dict[Decimal, Decimal]:
    found: dict[Decimal, Decimal] = {}
    for rate, amount in pairs:
        percent, tax = number(rate), number(amount)
        if percent is not None and tax is not None:
            found[percent] = found.get(percent, Decimal(0)) + tax
    return found


def _day(text: str) -> date | None:
    digits = re.match(r"(\d{4})-?(\d{2})-?(\d{2})", text)
    try:
        return date(int(digits[1]), int(digits[2]), int(digits[3])) if digits else None
    except ValueError:
        return None


def _words(text: str) -> str | None:
    return " ".join(text.split()) or None


def _iban(text: str, *, anything: bool = True) -> str | None:
    """UBL has one place for accounts of all kinds, so there it must look like an IBAN."""
    account = re.sub(r"\s+", "", text).upper()
    return account if account and (anything or re.match(r"[A-Z]{2}\d{2}", account)) else None


def disagreements(invoice: Invoice, extras: Sequence[Decimal] = ()) -> list[str]:
    """Sentences about totals that do not add up. `extras` are what each line adds beside quantity times price."""
    found = []
    net, tax, grand = invoice.net_total, invoice.tax_total, invoice.grand_total
    if net is not None and tax is not None and grand is not None and abs(net + tax - grand) > _CENT:
        found.append(f"Net {net} and tax {tax} do not make {grand}.")
    if invoice.tax_by_rate and tax is not None:
        by_rate = sum(invoice.tax_by_rate.values(), Decimal(0))
        if abs(by_rate - tax) > _CENT * len(invoice.tax_by_rate):
            found.append(f"The taxes of the rates make {by_rate}, not {tax}.")
    found.extend(
        f"Line {place}: {line.quantity} × {line.unit_price} is not {line.total}."
        for place, line in enumerate(invoice.lines, start=1)
        if not _line_fits(line, extras[place - 1] if place <= len(extras) else Decimal(0))
    )
    return found


def _line_fits(line: InvoiceLine, extra: Decimal) -> bool:
    """Quantity times price is the total; prices are also stated for ten, a hundred or a thousand pieces."""
    if line.quantity is None or line.unit_price is None or line.total is None:
        return True
    made = line.quantity * line.unit_price
    slack = max(_CENT, abs(line.quantity) * Decimal("0.005"), abs(line.total) * Decimal("0.01"))
    return any(abs(made / per + extra - line.total) <= slack for per in (1, 10, 100, 1000))


def _with_fields(invoice: Invoice) -> Invoice:
    names: Sequence[str] = Invoice.NAMES
    stated = {name: getattr(invoice, name) for name in names}
    fields = {
        name: Field(value, 1.0, because="Stated in the e-invoice's XML.")
        for name, value in stated.items()
        if value is not None
    }
    told = (("net", invoice.net_total), ("tax", invoice.tax_total), ("total", invoice.grand_total))
    used = tuple(PrintedAmount(role, value, invoice.currency) for role, value in told if value is not None)
    return Invoice(
        **stated,
        lines=invoice.lines,
        tax_by_rate=invoice.tax_by_rate,
        confidence=1.0,
        fields=fields,
        explanation=Explanation(used=used, checks=("stated",), evidence=dict.fromkeys(fields, 1.0)),
    )
