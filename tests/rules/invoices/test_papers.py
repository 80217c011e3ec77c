"""Which papers are invoices: by their title, in ten languages, whatever else they print."""

from __future__ import annotations

import pytest

from postroom.nouns.documents import typed
from postroom.reading.extractor import extract
from postroom.reading.invoices import is_invoice, looks_like_another
from postroom.reading.invoices.papers import called
from postroom.reading.page.lines import read_lines

BODY = """
Kranbau Wittig GmbH · Hafenstraße 12 · 24103 Kiel

Nordlicht Versand AG                              {date}        03.05.2024
Mühlenweg 4                                       {customer}    44711
23552 Lübeck

{title}

{item}                         {quantity}     {price}        {amount}
Alpha 12 mm                             2       100,00        200,00
Beta                                    1        50,00         50,00

                                     {net}              250,00 EUR
                                     {tax} 20 %          50,00 EUR
                                     {total}            300,00 EUR

{terms}
IBAN DE02 1203 0000 0000 2020 51
"""
WORDS = {
    "de": ("Datum", "Kundennummer", "Bezeichnung", "Menge", "Preis", "Betrag", "Nettobetrag", "MwSt.", "Gesamtbetrag", "Zahlbar bis 01.06.2024"),
    "en": ("Date", "Customer No", "Description", "Qty", "Price", "Amount", "Subtotal", "VAT", "Total", "Payable by 01.06.2024"),
    "fr": ("Date", "N° client", "Désignation", "Quantité", "Prix", "Montant", "Total HT", "TVA", "Total TTC", "À régler avant le 01.06.2024"),
    "it": ("Data", "Codice cliente", "Descrizione", "Quantità", "Prezzo", "Importo", "Imponibile", "IVA", "Totale", "Scadenza 01.06.2024"),
    "es": ("Fecha", "N.º cliente", "Descripción", "Cantidad", "Precio", "Importe", "Base imponible", "IVA", "Total", "Vencimiento 01.06.2024"),
    "nl": ("Datum", "Klantnummer", "Omschrijving", "Aantal", "Prijs", "Bedrag", "Subtotaal", "BTW", "Totaal", "Vervaldatum 01.06.2024"),
    "da": ("Dato", "Kundenummer", "Beskrivelse", "Antal", "Pris", "Beløb", "Subtotal", "Moms", "I alt", "Forfaldsdato 01.06.2024"),
    "sv": ("Datum", "Kundnummer", "Beskrivning", "Antal", "Pris", "Belopp", "Netto", "Moms", "Totalt", "Förfallodatum 01.06.2024"),
    "pl": ("Data", "Nr klienta", "Nazwa", "Ilość", "Cena", "Wartość", "Razem netto", "VAT", "Razem brutto", "Termin płatności 01.06.2024"),
    "pt": ("Data", "N.º cliente", "Descrição", "Quantidade", "Preço", "Valor", "Subtotal", "IVA", "Total", "Vencimento 01.06.2024"),
}  # fmt: skip
NAMES = ("date", "customer", "item", "quantity", "price", "amount", "net", "tax", "total", "terms")
TITLES = {
    "invoice": {"de": "Rechnung", "en": "Invoice", "fr": "Facture", "it": "Fattura", "es": "Factura", "nl": "Factuur", "da": "Faktura", "sv": "Faktura", "pl": "Faktura VAT", "pt": "Fatura"},
    "credit_note": {"de": "Rechnungskorrektur", "en": "Credit note", "fr": "Avoir", "it": "Nota di credito", "es": "Factura rectificativa", "nl": "Creditnota", "da": "Kreditnota", "sv": "Kreditfaktura", "pl": "Faktura korygująca", "pt": "Nota de crédito"},
    "order_confirmation": {"de": "Auftragsbestätigung", "en": "Order confirmation", "fr": "Confirmation de commande", "it": "Conferma d'ordine", "es": "Confirmación de pedido", "nl": "Orderbevestiging", "da": "Ordrebekræftelse", "sv": "Orderbekräftelse", "pl": "Potwierdzenie zamówienia", "pt": "Confirmação de encomenda"},
    "delivery_note": {"de": "Lieferschein", "en": "Delivery note", "fr": "Bon de livraison", "it": "Documento di trasporto", "es": "Albarán", "nl": "Pakbon", "da": "Følgeseddel", "sv": "Följesedel", "pl": "List przewozowy", "pt": "Guia de remessa"},
    "reminder": {"de": "Mahnung", "en": "Payment reminder", "fr": "Rappel de paiement", "it": "Sollecito di pagamento", "es": "Recordatorio de pago", "nl": "Betalingsherinnering", "da": "Rykker", "sv": "Betalningspåminnelse", "pl": "Wezwanie do zapłaty", "pt": "Lembrete de pagamento"},
    "account_statement": {"de": "Kontoauszug", "en": "Statement of account", "fr": "Relevé de compte", "it": "Estratto conto", "es": "Extracto de cuenta", "nl": "Rekeningoverzicht", "da": "Kontoudtog", "sv": "Kontoutdrag", "pl": "Zestawienie sald", "pt": "Extrato de conta"},
    "offer": {"de": "Angebot", "en": "Quotation", "fr": "Devis", "it": "Preventivo", "es": "Presupuesto", "nl": "Offerte", "da": "Tilbud", "sv": "Offert", "pl": "Oferta cenowa", "pt": "Orçamento"},
    "proforma": {"de": "Proforma-Rechnung", "en": "Pro forma invoice", "fr": "Facture pro forma", "it": "Fattura proforma", "es": "Factura proforma", "nl": "Proforma factuur", "da": "Proformafaktura", "sv": "Proformafaktura", "pl": "Faktura pro forma", "pt": "Fatura pro forma"},
    "catalogue": {"de": "Preisliste", "en": "Catalogue", "fr": "Liste de prix", "it": "Listino prezzi", "es": "Lista de precios", "nl": "Prijslijst", "da": "Prisliste", "sv": "Prislista", "pl": "Cennik", "pt": "Tabela de preços"},
}  # fmt: skip
CASES = [(kind, language, title) for kind, told in TITLES.items() for language, title in told.items()]


def paper(language: str, title: str) -> str:
    return BODY.format(title=title, **dict(zip(NAMES, WORDS[language], strict=True)))


@pytest.mark.parametrize(
    ("kind", "language", "title"), CASES, ids=[f"{kind} {language}" for kind, language, _ in CASES]
)
def test_a_paper_is_what_its_title_says(kind, language, title):
    text = typed(paper(language, title))

    assert kind == called(read_lines(text)).kind
    assert (kind not in ("invoice", "credit_note")) == bool(looks_like_another(text))
    read = extract(text)
    assert ("invoice" if kind in ("invoice", "credit_note") else "other") == read.type, read.because


@pytest.mark.parametrize("language", WORDS)
def test_a_numbered_title_is_still_one(language):
    title = TITLES["order_confirmation"][language]

    assert "order_confirmation" == called(read_lines(typed(paper(language, f"{title} Nr. 2024-117")))).kind


@pytest.mark.parametrize("language", WORDS)
def test_a_credit_note_goes_to_a_person_who_sees_that_money_comes_back(language):
    title = TITLES["credit_note"][language]

    read = extract(typed(paper(language, f"{title} 2024-117")))

    assert not read.auto_confirm
    assert read.because.startswith(f"It calls itself a credit note (“{title} 2024-117”). The money comes back.")


@pytest.mark.parametrize(
    "reference",
    ["Bestellung: 4500017", "Lieferschein Nr. 8811", "Order   4500017", "Auftrag 17 vom 02.05.2024", "Angebot:  17"],
)
def test_an_invoice_may_speak_of_the_order_and_its_delivery(reference):
    text = paper("de", f"Rechnungsnummer: 2024-117\n{reference}")

    assert is_invoice(typed(text))
    assert "invoice" == extract(typed(text)).type


@pytest.mark.parametrize(
    "said",
    [
        "This is not an invoice.",
        "Dies ist keine Rechnung.",
        "Ceci n'est pas une facture.",
        "Non costituisce fattura.",
        "Este documento no es una factura.",
        "Dit is geen factuur.",
        "Dette er ikke en faktura.",
        "Detta är ingen faktura.",
        "Dokument nie jest fakturą.",
        "Este documento não serve de fatura.",
    ],
)
def test_a_paper_that_denies_to_be_one_is_none(said):
    text = f"Wir freuen uns auf Sie\nNeues aus der Werkstatt\nTisch 100,00 EUR\nStuhl 50,00 EUR\nTotal 150,00 EUR\n{said}\n"

    assert "denied" == called(read_lines(typed(text))).kind
    assert "other" == extract(typed(text)).type


def test_the_tallest_title_counts():
    from postroom.outside.readers.pool import Readers
    from postroom_simulators.papers.paper import PaperSheet

    sheet = PaperSheet(title="x", author="y")
    sheet.text(20, 30, "Auftragsbestätigung", size=22, bold=True)
    sheet.text(20, 60, "Rechnung", size=9)
    sheet.text(20, 70, "geht Ihnen nach der Lieferung zu.", size=9)
    with Readers(processes=1, ocr=False) as readers:
        text = readers.read(sheet.finish())

    assert "order_confirmation" == called(read_lines(text)).kind
