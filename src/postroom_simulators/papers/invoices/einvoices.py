"""Invoices for machines: a PDF/A-3 with its Factur-X XML inside, and UBL on its own."""

from __future__ import annotations

import io
from decimal import Decimal
from xml.etree import ElementTree as ET

import pikepdf
from PIL import ImageCms
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from postroom_simulators.papers.invoices.bills import BillLine, SampleBill
from postroom_simulators.papers.invoices.layouts import invoice
from postroom_simulators.papers.invoices.suppliers import InvoiceParty
from postroom_simulators.papers.paper import SamplePaper

_PREFIXES = {
    "rsm": "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100",
    "ram": "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100",
    "udt": "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100",
    "ubl": "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2",
    "cac": "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2",
    "cbc": "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2",
}
_GUIDELINE = "urn:cen.eu:en16931:2017"
_XRECHNUNG = f"{_GUIDELINE}#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0"


def _node(tag: str, *inside: ET.Element | str, **attributes: str) -> ET.Element:
    prefix, name = tag.split(":")
    node = ET.Element(f"{{{_PREFIXES[prefix]}}}{name}", attributes)
    for part in inside:
        if isinstance(part, str):
            node.text = part
        else:
            node.append(part)
    return node


def _document(root: ET.Element) -> bytes:
    for prefix, uri in _PREFIXES.items():
        ET.register_namespace(prefix, uri)
    ET.indent(root)
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode").encode()


def cii_xml(bill: SampleBill) -> bytes:
    """Cross Industry Invoice, profile EN 16931."""
    deal = _node(
        "rsm:SupplyChainTradeTransaction",
        *(_cii_line(number, line) for number, line in enumerate(bill.lines, 1)),
        _node(
            "ram:ApplicableHeaderTradeAgreement",
            _cii_party("ram:SellerTradeParty", bill.supplier.party),
            _cii_party("ram:BuyerTradeParty", bill.buyer),
        ),
        _node(
            "ram:ApplicableHeaderTradeDelivery",
            _node(
                "ram:ActualDeliverySupplyChainEvent",
                _node("ram:OccurrenceDateTime", _cii_date(bill.issued.strftime("%Y%m%d"))),
            ),
        ),
        _cii_settlement(bill),
    )
    return _document(
        _node(
            "rsm:CrossIndustryInvoice",
            _node(
                "rsm:ExchangedDocumentContext",
                _node("ram:GuidelineSpecifiedDocumentContextParameter", _node("ram:ID", _GUIDELINE)),
            ),
            _node(
                "rsm:ExchangedDocument",
                _node("ram:ID", bill.number),
                _node("ram:TypeCode", "380"),
                _node("ram:IssueDateTime", _cii_date(bill.issued.strftime("%Y%m%d"))),
            ),
            deal,
        )
    )


def _cii_date(day: str) -> ET.Element:
    return _node("udt:DateTimeString", day, format="102")


def _cii_party(tag: str, party: InvoiceParty) -> ET.Element:
    return _node(
        tag,
        _node("ram:Name", party.name),
        _node(
            "ram:PostalTradeAddress",
            _node("ram:PostcodeCode", party.postcode),
            _node("ram:LineOne", party.street),
            _node("ram:CityName", party.city),
            _node("ram:CountryID", party.country),
        ),
        _node("ram:SpecifiedTaxRegistration", _node("ram:ID", party.vat, schemeID="VA")),
    )


def _cii_tax(rate: Decimal, *amounts: ET.Element) -> ET.Element:
    return _node(
        "ram:ApplicableTradeTax",
        *amounts[:1],
        _node("ram:TypeCode", "VAT"),
        *amounts[1:],
        _node("ram:CategoryCode", "S" if rate else "Z"),
        _node("ram:RateApplicablePercent", f"{rate:f}"),
    )


def _cii_line(number: int, line: BillLine) -> ET.Element:
    return _node(
        "ram:IncludedSupplyChainTradeLineItem",
        _node("ram:AssociatedDocumentLineDocument", _node("ram:LineID", str(number))),
        _node("ram:SpecifiedTradeProduct", _node("ram:Name", line.description)),
        _node(
            "ram:SpecifiedLineTradeAgreement",
            _node("ram:NetPriceProductTradePrice", _node("ram:ChargeAmount", f"{line.unit_price:f}")),
        ),
        _node(
            "ram:SpecifiedLineTradeDelivery",
            _node("ram:BilledQuantity", f"{line.quantity:f}", unitCode="C62"),
        ),
        _node(
            "ram:SpecifiedLineTradeSettlement",
            _cii_tax(line.rate),
            _node(
                "ram:SpecifiedTradeSettlementLineMonetarySummation",
                _node("ram:LineTotalAmount", f"{line.total:f}"),
            ),
        ),
    )


def _cii_settlement(bill: SampleBill) -> ET.Element:
    taxes = [
        _cii_tax(rate, _node("ram:CalculatedAmount", f"{tax:f}"), _node("ram:BasisAmount", f"{base:f}"))
        for rate, (base, tax) in bill.taxes().items()
    ]
    return _node(
        "ram:ApplicableHeaderTradeSettlement",
        _node("ram:PaymentReference", bill.number),
        _node("ram:InvoiceCurrencyCode", bill.supplier.currency),
        _node(
            "ram:SpecifiedTradeSettlementPaymentMeans",
            _node("ram:TypeCode", "58"),
            _node("ram:PayeePartyCreditorFinancialAccount", _node("ram:IBANID", bill.iban)),
        ),
        *taxes,
        _node(
            "ram:SpecifiedTradePaymentTerms",
            _node("ram:DueDateDateTime", _cii_date(bill.due.strftime("%Y%m%d"))),
        ),
        _node(
            "ram:SpecifiedTradeSettlementHeaderMonetarySummation",
            _node("ram:LineTotalAmount", f"{bill.net:f}"),
            _node("ram:TaxBasisTotalAmount", f"{bill.net:f}"),
            _node("ram:TaxTotalAmount", f"{bill.tax:f}", currencyID=bill.supplier.currency),
            _node("ram:GrandTotalAmount", f"{bill.total:f}"),
            _node("ram:DuePayableAmount", f"{bill.total:f}"),
        ),
    )


def ubl_xml(bill: SampleBill) -> bytes:
    """An XRechnung in UBL, as the public sector wants it."""
    return _document(
        _node(
            "ubl:Invoice",
            _node("cbc:CustomizationID", _XRECHNUNG),
            _node("cbc:ProfileID", "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0"),
            _node("cbc:ID", bill.number),
            _node("cbc:IssueDate", bill.issued.isoformat()),
            _node("cbc:DueDate", bill.due.isoformat()),
            _node("cbc:InvoiceTypeCode", "380"),
            _node("cbc:DocumentCurrencyCode", bill.supplier.currency),
            _node("cbc:BuyerReference", f"04011000-{bill.customer}-06"),
            _ubl_party("cac:AccountingSupplierParty", bill.supplier.party),
            _ubl_party("cac:AccountingCustomerParty", bill.buyer),
            _node(
                "cac:PaymentMeans",
                _node("cbc:PaymentMeansCode", "58"),
                _node("cac:PayeeFinancialAccount", _node("cbc:ID", bill.iban)),
            ),
            _ubl_tax_total(bill),
            _node(
                "cac:LegalMonetaryTotal",
                _ubl_amount("cbc:LineExtensionAmount", bill.net, bill),
                _ubl_amount("cbc:TaxExclusiveAmount", bill.net, bill),
                _ubl_amount("cbc:TaxInclusiveAmount", bill.total, bill),
                _ubl_amount("cbc:PayableAmount", bill.total, bill),
            ),
            *(_ubl_line(number, line, bill) for number, line in enumerate(bill.lines, 1)),
        )
    )


def _ubl_amount(tag: str, value: Decimal, bill: SampleBill) -> ET.Element:
    return _node(tag, f"{value:f}", currencyID=bill.supplier.currency)


def _ubl_tax_total(bill: SampleBill) -> ET.Element:
    subtotals = [
        _node(
            "cac:TaxSubtotal",
            _ubl_amount("cbc:TaxableAmount", base, bill),
            _ubl_amount("cbc:TaxAmount", tax, bill),
            _ubl_tax("cac:TaxCategory", rate),
        )
        for rate, (base, tax) in bill.taxes().items()
    ]
    return _node("cac:TaxTotal", _ubl_amount("cbc:TaxAmount", bill.tax, bill), *subtotals)


def _ubl_line(number: int, line: BillLine, bill: SampleBill) -> ET.Element:
    return _node(
        "cac:InvoiceLine",
        _node("cbc:ID", str(number)),
        _node("cbc:InvoicedQuantity", f"{line.quantity:f}", unitCode="C62"),
        _ubl_amount("cbc:LineExtensionAmount", line.total, bill),
        _node("cac:Item", _node("cbc:Name", line.description), _ubl_tax("cac:ClassifiedTaxCategory", line.rate)),
        _node("cac:Price", _ubl_amount("cbc:PriceAmount", line.unit_price, bill)),
    )


def _ubl_tax(tag: str, rate: Decimal) -> ET.Element:
    scheme = _node("cac:TaxScheme", _node("cbc:ID", "VAT"))
    return _node(tag, _node("cbc:ID", "S" if rate else "Z"), _node("cbc:Percent", f"{rate:f}"), scheme)


def _ubl_party(tag: str, party: InvoiceParty) -> ET.Element:
    return _node(
        tag,
        _node(
            "cac:Party",
            _node(
                "cac:PostalAddress",
                _node("cbc:StreetName", party.street),
                _node("cbc:CityName", party.city),
                _node("cbc:PostalZone", party.postcode),
                _node("cac:Country", _node("cbc:IdentificationCode", party.country)),
            ),
            _node(
                "cac:PartyTaxScheme",
                _node("cbc:CompanyID", party.vat),
                _node("cac:TaxScheme", _node("cbc:ID", "VAT")),
            ),
            _node("cac:PartyLegalEntity", _node("cbc:RegistrationName", party.name)),
        ),
    )


def factur_x(bill: SampleBill) -> SamplePaper:
    """The printed invoice with fonts embedded, and `factur-x.xml` attached as its machine-readable twin."""
    if "Vera" not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont("Vera", "Vera.ttf"))
        pdfmetrics.registerFont(TTFont("Vera-Bold", "VeraBd.ttf"))
    paper = invoice(bill, font="Vera", bold="Vera-Bold")
    buffer = io.BytesIO()
    with pikepdf.open(io.BytesIO(paper.pdf)) as document:
        _attach(document, bill)
        _declare_pdfa(document, bill)
        document.save(buffer, deterministic_id=True)
    return SamplePaper(buffer.getvalue(), paper.truth)


def _attach(document: pikepdf.Pdf, bill: SampleBill) -> None:
    xml = cii_xml(bill)
    stream = document.make_stream(xml, Type=pikepdf.Name.EmbeddedFile, Subtype=pikepdf.Name("/text/xml"))
    stream.Params = pikepdf.Dictionary(Size=len(xml), ModDate=f"D:{bill.issued:%Y%m%d}080000Z")
    spec = document.make_indirect(
        pikepdf.Dictionary(
            Type=pikepdf.Name.Filespec,
            F="factur-x.xml",
            UF="factur-x.xml",
            Desc="Factur-X invoice",
            AFRelationship=pikepdf.Name.Alternative,
            EF=pikepdf.Dictionary(F=stream, UF=stream),
        )
    )
    document.Root.Names = pikepdf.Dictionary(EmbeddedFiles=pikepdf.Dictionary(Names=["factur-x.xml", spec]))
    document.Root.AF = pikepdf.Array([spec])


def _declare_pdfa(document: pikepdf.Pdf, bill: SampleBill) -> None:
    xmp = _XMP.format(title=f"{bill.supplier.words.invoice} {bill.number}").encode()
    document.Root.Metadata = document.make_stream(xmp, Type=pikepdf.Name.Metadata, Subtype=pikepdf.Name.XML)
    profile = document.make_stream(_srgb(), N=3)
    document.Root.OutputIntents = pikepdf.Array(
        [
            pikepdf.Dictionary(
                Type=pikepdf.Name.OutputIntent,
                S=pikepdf.Name.GTS_PDFA1,
                OutputConditionIdentifier="sRGB",
                DestOutputProfile=profile,
            )
        ]
    )


def _srgb() -> bytes:
    """The profile without its creation time (bytes 24 to 35), so that the same bill gives the same bytes."""
    made = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    return made[:24] + bytes(12) + made[36:]


_XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
   <pdfaid:part>3</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>
  </rdf:Description>
  <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
   <dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
  </rdf:Description>
  <rdf:Description rdf:about="" xmlns:fx="urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#">
   <fx:DocumentType>INVOICE</fx:DocumentType><fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>
   <fx:Version>1.0</fx:Version><fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>"""
