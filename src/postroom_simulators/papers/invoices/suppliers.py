"""Who sends invoices: their words, tax rates, wares and looks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from postroom_simulators.papers import locales
from postroom_simulators.papers.locales import PaperLocale


@dataclass(frozen=True, slots=True)
class InvoiceWords:
    """What an invoice's labels are called in one language."""

    invoice: str
    number: str
    date: str
    due: str
    customer: str
    item: str
    quantity: str
    unit_price: str
    rate: str
    amount: str
    net: str
    tax: str
    total: str
    bank: str
    thanks: str
    reminder: str


class InvoiceWare(NamedTuple):
    """Something a supplier charges for, and how many of it people usually take."""

    description: str
    price: str
    rate: str  # of tax, per cent
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class InvoiceParty:
    name: str
    street: str
    city: str
    postcode: str
    country: str  # ISO 3166
    vat: str

    @property
    def town(self) -> str:
        return f"{self.city} {self.postcode}" if self.country == "GB" else f"{self.postcode} {self.city}"


@dataclass(frozen=True, slots=True)
class SampleSupplier:
    key: str
    party: InvoiceParty
    email: str
    locale: PaperLocale
    words: InvoiceWords
    currency: str
    wares: tuple[InvoiceWare, ...]
    prefix: str
    color: str
    layout: Literal["classic", "band", "minimal"]
    terms: int = 14  # days


_DE = InvoiceWords(
    "Rechnung",
    "Rechnungsnummer",
    "Rechnungsdatum",
    "Zahlbar bis",
    "Kundennummer",
    "Bezeichnung",
    "Menge",
    "Einzelpreis",
    "USt",
    "Gesamt",
    "Nettobetrag",
    "zzgl. {rate} % USt auf {base}",
    "Rechnungsbetrag",
    "Bankverbindung",
    "Bitte überweisen Sie den Betrag ohne Abzug unter Angabe der Rechnungsnummer.",
    "Zahlungserinnerung",
)
_EN = InvoiceWords(
    "Invoice",
    "Invoice number",
    "Invoice date",
    "Due date",
    "Customer no.",
    "Description",
    "Qty",
    "Unit price",
    "VAT",
    "Amount",
    "Subtotal",
    "VAT {rate}% on {base}",
    "Total due",
    "Bank details",
    "Please quote the invoice number with your payment. Thank you for your business.",
    "Payment reminder",
)
_FR = InvoiceWords(
    "Facture",
    "Facture n°",
    "Date de facture",
    "Échéance",
    "N° client",
    "Désignation",
    "Qté",
    "Prix unitaire H.T.",
    "TVA",
    "Montant H.T.",
    "Total H.T.",
    "TVA {rate} % sur {base}",
    "Total T.T.C.",
    "Coordonnées bancaires",
    "En cas de retard de paiement, une indemnité forfaitaire de 40 € sera due (art. L441-10 C. com.).",
    "Relance",
)
_IT = InvoiceWords(
    "Fattura",
    "Fattura n.",
    "Data",
    "Scadenza",
    "Cod. cliente",
    "Descrizione",
    "Q.tà",
    "Prezzo unit.",
    "IVA",
    "Importo",
    "Imponibile",
    "IVA {rate}% su {base}",
    "Totale fattura",
    "Coordinate bancarie",
    "Contributo CONAI assolto ove dovuto. Si prega di indicare il numero di fattura.",
    "Sollecito",
)
_NL = InvoiceWords(
    "Factuur",
    "Factuurnummer",
    "Factuurdatum",
    "Vervaldatum",
    "Klantnummer",
    "Omschrijving",
    "Aantal",
    "Prijs",
    "Btw",
    "Bedrag",
    "Subtotaal",
    "Btw {rate}% over {base}",
    "Totaal te voldoen",
    "Bankrekening",
    "Wij verzoeken u het bedrag binnen de termijn over te maken o.v.v. het factuurnummer.",
    "Herinnering",
)
_ES = InvoiceWords(
    "Factura",
    "Factura n.º",
    "Fecha",
    "Vencimiento",
    "N.º cliente",
    "Concepto",
    "Cant.",
    "Precio",
    "IVA",
    "Importe",
    "Base imponible",
    "IVA {rate} % s/ {base}",
    "Total factura",
    "Cuenta bancaria",
    "Rogamos efectúen la transferencia indicando el número de factura.",
    "Recordatorio",
)
_SV = InvoiceWords(
    "Faktura",
    "Fakturanummer",
    "Fakturadatum",
    "Förfallodatum",
    "Kundnummer",
    "Beskrivning",
    "Antal",
    "À-pris",
    "Moms",
    "Belopp",
    "Summa exkl. moms",
    "Moms {rate} % på {base}",
    "Att betala",
    "Bankuppgifter",
    "Vid betalning efter förfallodagen debiteras dröjsmålsränta enligt räntelagen.",
    "Påminnelse",
)

BUYER = InvoiceParty("Larkspur Holdings GmbH", "Speicherstraße 8", "Hamburg", "20457", "DE", "DE318842075")

SUPPLIERS = {
    supplier.key: supplier
    for supplier in (
        SampleSupplier(
            "brenner",
            InvoiceParty(
                "Brenner & Söhne Bürotechnik GmbH",
                "Industriestraße 45",
                "Braunschweig",
                "38112",
                "DE",
                "DE136695976",
            ),
            "rechnung@brenner-buerotechnik.example",
            locales.GERMAN,
            _DE,
            "EUR",
            (
                InvoiceWare("Toner HP 207X schwarz, hohe Reichweite", "84.90", "19", 1, 8),
                InvoiceWare("Kopierpapier A4 80 g, Karton 2.500 Blatt", "24.35", "19", 2, 20),
                InvoiceWare("Wartungspauschale Drucker Etage 3", "149.00", "19", 1, 1),
                InvoiceWare("Fachbuch „E-Rechnung in der Praxis“", "39.20", "7", 1, 4),
                InvoiceWare("Ordner breit, Hebelmechanik", "2.79", "19", 20, 120),
            ),
            "RE-",
            "#c1440e",
            "classic",
            14,
        ),
        SampleSupplier(
            "harrow",
            InvoiceParty("Harrow Facilities Ltd", "Unit 7, Station Road", "Reading", "RG1 1LX", "GB", "GB293847510"),
            "accounts@harrow-facilities.example",
            locales.BRITISH,
            _EN,
            "GBP",
            (
                InvoiceWare("Evening office cleaning, weekly", "312.50", "20", 4, 5),
                InvoiceWare("Window cleaning, levels 1-4", "480.00", "20", 1, 1),
                InvoiceWare("Consumables: soap, towels, liners", "67.84", "20", 1, 3),
                InvoiceWare("Hygiene training booklet", "9.50", "0", 2, 30),
            ),
            "INV",
            "#23395b",
            "band",
            30,
        ),
        SampleSupplier(
            "canal",
            InvoiceParty("Imprimerie du Canal SARL", "41 quai de Valmy", "Paris", "75010", "FR", "FR40303265045"),
            "compta@imprimerie-canal.example",
            locales.FRENCH,
            _FR,
            "EUR",
            (
                InvoiceWare("Brochures A5 quadri, 24 pages", "1.86", "20", 200, 1500),
                InvoiceWare("Cartes de visite, boîte de 250", "58.00", "20", 1, 12),
                InvoiceWare("Frais de port", "32.40", "20", 1, 1),
                InvoiceWare("Manuel imprimé, reliure cousue", "21.30", "5.5", 5, 40),
            ),
            "F",
            "#3d405b",
            "minimal",
            45,
        ),
        SampleSupplier(
            "aroma",
            InvoiceParty("Torrefazione Aroma S.r.l.", "Viale Monza 188", "Milano", "20128", "IT", "IT00743110157"),
            "fatture@torrefazione-aroma.example",
            locales.ITALIAN,
            _IT,
            "EUR",
            (
                InvoiceWare("Caffè in grani miscela Lungarno 1 kg", "17.80", "22", 4, 30),
                InvoiceWare("Noleggio macchina espresso, canone mensile", "95.00", "22", 1, 1),
                InvoiceWare("Acqua minerale 6x1,5 l", "3.42", "22", 10, 60),
                InvoiceWare("Zucchero di canna bustine 5 kg", "14.25", "10", 1, 6),
            ),
            "FT/",
            "#5b3a29",
            "band",
            30,
        ),
        SampleSupplier(
            "groenhof",
            InvoiceParty(
                "Groenhof Hoveniers B.V.",
                "Bloemendaalseweg 210",
                "Overveen",
                "2051 GJ",
                "NL",
                "NL004495445B01",
            ),
            "administratie@groenhof.example",
            locales.DUTCH,
            _NL,
            "EUR",
            (
                InvoiceWare("Onderhoud binnentuin, per uur", "58.50", "21", 3, 24),
                InvoiceWare("Plantgoed daktuin", "12.75", "9", 10, 80),
                InvoiceWare("Afvoer groenafval, per m³", "41.00", "21", 1, 6),
                InvoiceWare("Voorrijkosten", "35.00", "21", 1, 1),
            ),
            "",
            "#386641",
            "minimal",
            14,
        ),
        SampleSupplier(
            "nervion",
            InvoiceParty("Limpiezas Nervión S.L.", "Gran Vía 27, 4.º", "Bilbao", "48009", "ES", "ESB64717838"),
            "facturacion@limpiezas-nervion.example",
            locales.SPANISH,
            _ES,
            "EUR",
            (
                InvoiceWare("Servicio de limpieza mensual, oficina", "685.00", "21", 1, 1),
                InvoiceWare("Limpieza de moqueta, m²", "2.35", "21", 60, 900),
                InvoiceWare("Agua embotellada, caja 24 u.", "7.90", "10", 2, 20),
            ),
            "A/",
            "#1d4e89",
            "classic",
            30,
        ),
        SampleSupplier(
            "norrdata",
            InvoiceParty("Norrdata Drift AB", "Storgatan 12", "Luleå", "972 38", "SE", "SE556123456701"),
            "faktura@norrdata.example",
            locales.SWEDISH,
            _SV,
            "SEK",
            (
                InvoiceWare("Rackplats halvskåp, månad", "4950.00", "25", 1, 2),
                InvoiceWare("Elförbrukning, kWh", "1.38", "25", 400, 4200),
                InvoiceWare("Remote hands, timme", "890.00", "25", 1, 9),
                InvoiceWare("Kurslitteratur driftsäkerhet", "420.00", "6", 1, 5),
            ),
            "",
            "#0a6c74",
            "band",
            30,
        ),
    )
}
