"""A Hamburg bank's share settlement with its tax page, and a private bank's bond note."""

from __future__ import annotations

import random
from datetime import date
from decimal import Decimal

from postroom_simulators.papers.brokers.holders import HOLDERS
from postroom_simulators.papers.deals import (
    BONDS,
    SHARES,
    Direction,
    SampleDeal,
    business_days_after,
    contract_note,
    either_way,
    market_price,
)
from postroom_simulators.papers.locales import GERMAN, cents
from postroom_simulators.papers.paper import PaperSheet, SamplePaper, SheetColumn

_BLUE = "#0b3d66"


def hansekontor_note(day: date, seed: int, *, direction: Direction | None = None) -> SamplePaper:
    chance = random.Random(f"hansekontor {seed}")
    deal = _hansekontor_deal(day, chance, direction)
    sheet = PaperSheet(title="Wertpapierabrechnung", author="Hansekontor Bank AG")
    _hansekontor_head(sheet, deal)
    y = _hansekontor_terms(sheet, deal, chance)
    _hansekontor_money(sheet, deal, y)
    _hansekontor_foot(sheet)
    if deal.taxes:
        _hansekontor_tax_page(sheet, deal)
    return SamplePaper(sheet.finish(), contract_note(deal))


def _hansekontor_deal(day: date, chance: random.Random, direction: Direction | None) -> SampleDeal:
    instrument = SHARES[chance.choice(["SAP", "SIE", "ALV"])]
    way = direction or either_way(chance)
    quantity, price = Decimal(chance.randrange(12, 160)), market_price(instrument, chance, 3)
    gross = quantity * price
    taxes = {}
    if way == "SELL":
        gain = cents(gross * Decimal("0.18"))
        taxes["Kapitalertragsteuer 25,00 %"] = cents(gain * Decimal("0.25"))
        taxes["Solidaritätszuschlag 5,50 %"] = cents(taxes["Kapitalertragsteuer 25,00 %"] * Decimal("0.055"))
    return SampleDeal(
        direction=way,
        instrument=instrument,
        quantity=quantity,
        price=price,
        trade_date=day,
        settlement_date=business_days_after(day, 2),
        fees={
            "Provision": max(Decimal("9.90"), cents(gross * Decimal("0.0025"))),
            "Handelsplatzentgelt": Decimal("2.95"),
            "Fremde Spesen": cents(gross * Decimal("0.00008")),
        },
        taxes=taxes,
        reference=f"{chance.randrange(10**7, 10**8)}/{chance.randrange(10, 99)}",
    )


def hansekontor_logo(sheet: PaperSheet) -> None:
    sheet.block(0, 0, 210, 5, _BLUE)
    sheet.shape([(20, 24), (26, 13), (32, 24)], _BLUE)
    sheet.shape([(27, 24), (33, 13), (39, 24)], "#d49a2a")
    sheet.text(43, 19, "HANSEKONTOR BANK", size=15, bold=True, color=_BLUE)
    sheet.text(43, 23.5, "Aktiengesellschaft · gegründet 1871", size=7.5, color="#666666")


def _hansekontor_head(sheet: PaperSheet, deal: SampleDeal) -> None:
    hansekontor_logo(sheet)
    sheet.text(20, 46, "Hansekontor Bank AG · Ballindamm 37 · 20095 Hamburg", size=6.5, color="#666666")
    sheet.lines(20, 53, HOLDERS["de"].address(), size=10, gap=4.8)
    box = [
        ("Depotnummer", HOLDERS["de"].account),
        ("Kundennummer", HOLDERS["de"].account.replace(" ", "")[:7]),
        ("Auftragsnummer", deal.reference),
        ("Datum", GERMAN.date(deal.trade_date)),
        ("Telefon", "040 / 55 31 20 - 0"),
    ]
    for number, (label, value) in enumerate(box):
        sheet.text(132, 48 + number * 4.6, label, size=8, color="#666666")
        sheet.text(190, 48 + number * 4.6, value, size=8, align="right")
    sheet.text(20, 88, "Wertpapierabrechnung", size=14, bold=True)


def _hansekontor_terms(sheet: PaperSheet, deal: SampleDeal, chance: random.Random) -> float:
    word = "Kauf" if deal.direction == "BUY" else "Verkauf"
    sheet.text(20, 96, f"{word} · Ausführung im Kommissionsgeschäft", size=10)
    columns = [
        SheetColumn("Nominale / Stück", 34),
        SheetColumn("Wertpapierbezeichnung", 76),
        SheetColumn("ISIN", 34),
        SheetColumn("WKN", 26),
    ]
    sheet.block(20, 101, 170, 6.4, "#e6edf3")
    sheet.row(21, 105.4, columns, [column.title for column in columns], size=8, bold=True)
    cells = [
        f"Stück {GERMAN.number(deal.quantity, 0)}",
        deal.instrument.name,
        deal.instrument.isin,
        deal.instrument.national,
    ]
    sheet.row(21, 112, columns, cells)
    clock = f"{chance.randrange(9, 17):02d}:{chance.randrange(60):02d}:{chance.randrange(60):02d}"
    terms = [
        ("Handelsplatz", deal.instrument.venue),
        ("Schlusstag/-zeit", f"{GERMAN.date(deal.trade_date)} {clock}"),
        ("Ausführungskurs", f"{GERMAN.number(deal.price, 3)} EUR"),
        ("Verwahrart", "Girosammelverwahrung"),
        ("Valuta", GERMAN.date(deal.settlement_date)),
    ]
    y = 121.0
    for label, value in terms:
        sheet.text(21, y, label)
        sheet.text(62, y, value)
        y += 5
    return y + 3


def _hansekontor_money(sheet: PaperSheet, deal: SampleDeal, y: float) -> None:
    sheet.rule(20, y, 170)
    y += 6
    minus = "" if deal.direction == "BUY" else "-"
    y = sheet.pair(y, "Kurswert", f"{GERMAN.number(deal.gross)} EUR", left=21, right=189)
    for name, amount in {**deal.fees, **deal.taxes}.items():
        y = sheet.pair(y, name, f"{GERMAN.number(amount)}{minus} EUR", left=21, right=189)
    sheet.rule(140, y - 2, 50)
    label = "Betrag zu Ihren Lasten" if deal.direction == "BUY" else "Betrag zu Ihren Gunsten"
    y = sheet.pair(y + 3, label, f"{GERMAN.number(deal.net)} EUR", left=21, right=189, bold=True, size=10)
    y = sheet.paragraph(
        20,
        y + 6,
        f"Den Betrag verrechnen wir mit Wertstellung {GERMAN.date(deal.settlement_date)} über Ihr "
        "Verrechnungskonto DE02 2003 0000 0047 1093 21. Diese Abrechnung wurde maschinell erstellt und trägt "
        "keine Unterschrift. Einwendungen bitten wir unverzüglich zu erheben; der Umsatz ist nach § 4 Nr. 8 UStG "
        "umsatzsteuerfrei.",
        width=170,
        size=8,
    )


def _hansekontor_foot(sheet: PaperSheet) -> None:
    sheet.rule(20, 277, 170, color="#bbbbbb")
    people = "Vorstand: Dr. Wiebke Harms, Jens Oltmann · Aufsichtsrat: Prof. Ute Paulsen"
    sheet.text(20, 281, f"Hansekontor Bank AG · Sitz Hamburg · HRB 88 214 · {people}", size=6.5)
    sheet.text(20, 284.2, "USt-IdNr. DE811907980 · BIC HAKODEHH · www.hansekontor.example", size=6.5)
    sheet.text(190, 284.2, f"Seite {sheet.page}", size=6.5, align="right")


def _hansekontor_tax_page(sheet: PaperSheet, deal: SampleDeal) -> None:
    sheet.next_page()
    sheet.block(0, 0, 210, 5, _BLUE)
    sheet.text(20, 22, "Ermittlung steuerrelevanter Erträge", size=12, bold=True)
    sheet.text(
        20,
        28,
        f"zu Auftragsnummer {deal.reference} · {deal.instrument.name} ({deal.instrument.isin})",
        size=8.5,
    )
    gain = cents(deal.gross * Decimal("0.18"))
    y = sheet.pair(40, "Veräußerungsgewinn (FIFO)", f"{GERMAN.number(gain)} EUR", left=21, right=189)
    y = sheet.pair(y, "Verrechnung Aktienverluste", "0,00 EUR", left=21, right=189)
    y = sheet.pair(y, "Freistellungsauftrag verfügbar / verbraucht", "0,00 EUR", left=21, right=189)
    y = sheet.pair(y, "Bemessungsgrundlage", f"{GERMAN.number(gain)} EUR", left=21, right=189, bold=True)
    for name, amount in deal.taxes.items():
        y = sheet.pair(y, name, f"{GERMAN.number(amount)} EUR", left=21, right=189)
    sheet.paragraph(20, y + 6, "Keine Steuerbescheinigung im Sinne des § 45a EStG.", width=170, size=7.5)
    _hansekontor_foot(sheet)


def weidenfels_bond_note(day: date, seed: int, *, direction: Direction | None = None) -> SamplePaper:
    """Quoted in per cent, with accrued interest for the days since the last coupon."""
    chance = random.Random(f"weidenfels {seed}")
    bond = BONDS["BUND"]
    nominal = Decimal(chance.choice([10_000, 25_000, 40_000, 75_000]))
    days = chance.randrange(20, 340)
    gross = nominal * bond.price / 100
    deal = SampleDeal(
        direction=direction or "BUY",
        instrument=bond,
        quantity=nominal,
        price=market_price(bond, chance, 3),
        percent=True,
        accrued=cents(nominal * Decimal("0.023") * days / 365),
        trade_date=day,
        settlement_date=business_days_after(day, 2),
        fees={
            "Maklercourtage": cents(gross * Decimal("0.00075")),
            "Eigene Provision": cents(gross * Decimal("0.0025")),
        },
        reference=f"WF{chance.randrange(10**6, 10**7)}",
    )
    sheet = PaperSheet(
        title="Wertpapierabrechnung Rentenhandel",
        author="Weidenfels & Cie.",
        font="Times-Roman",
        bold="Times-Bold",
    )
    _weidenfels_head(sheet, deal)
    _weidenfels_body(sheet, deal, days)
    return SamplePaper(sheet.finish(), contract_note(deal))


def _weidenfels_head(sheet: PaperSheet, deal: SampleDeal) -> None:
    sheet.text(105, 22, "W E I D E N F E L S   &   C I E.", size=17, align="center", color="#5a1a2b")
    sheet.text(105, 28, "Privatbankiers seit 1798 · Frankfurt am Main", size=9, align="center", color="#5a1a2b")
    sheet.rule(60, 31, 90, color="#5a1a2b")
    sheet.lines(25, 50, HOLDERS["de"].address(), size=11, gap=5.2)
    sheet.text(185, 72, f"Frankfurt am Main, {GERMAN.long_date(deal.trade_date)}", size=10, align="right")
    word = "gekauft" if deal.direction == "BUY" else "verkauft"
    sheet.text(25, 84, f"Wir haben für Sie {word}", size=14, bold=True)
    sheet.text(25, 90, f"Geschäftsnummer {deal.reference} · Depot {HOLDERS['de'].account}", size=10)


def _weidenfels_body(sheet: PaperSheet, deal: SampleDeal, days: int) -> None:
    y = _weidenfels_terms(sheet, deal)
    y = _weidenfels_money(sheet, deal, days, y)
    _weidenfels_foot(sheet, y)


def _weidenfels_terms(sheet: PaperSheet, deal: SampleDeal) -> float:
    rows = [
        ("Nennbetrag", f"EUR {GERMAN.number(deal.quantity)}"),
        ("Gattung", deal.instrument.name),
        ("ISIN / WKN", f"{deal.instrument.isin} / {deal.instrument.national}"),
        ("Handelstag", GERMAN.date(deal.trade_date)),
        ("Kurs", f"{GERMAN.number(deal.price, 3)} %"),
        ("Ausführungsart", "Festpreisgeschäft, außerbörslich"),
    ]
    y = 100.0
    for label, value in rows:
        sheet.text(25, y, label, size=10.5)
        sheet.text(75, y, value, size=10.5)
        y += 6
    return y


def _weidenfels_money(sheet: PaperSheet, deal: SampleDeal, days: int, y: float) -> float:
    y += 4
    sheet.rule(25, y - 3, 160, color="#5a1a2b")
    y = sheet.pair(y + 3, "Kurswert", f"EUR {GERMAN.number(deal.gross)}", left=25, right=185, size=10.5)
    y = sheet.pair(
        y,
        f"Stückzinsen für {days} Tage (2,300 % p.a.)",
        f"EUR {GERMAN.number(deal.accrued)}",
        left=25,
        right=185,
        size=10.5,
    )
    for name, amount in deal.fees.items():
        y = sheet.pair(y, name, f"EUR {GERMAN.number(amount)}", left=25, right=185, size=10.5)
    sheet.rule(130, y - 2.5, 55, color="#5a1a2b")
    side = "Zu Ihren Lasten" if deal.direction == "BUY" else "Zu Ihren Gunsten"
    label = f"{side} per {GERMAN.date(deal.settlement_date)}"
    return sheet.pair(y + 3, label, f"EUR {GERMAN.number(deal.net)}", left=25, right=185, bold=True, size=11)


def _weidenfels_foot(sheet: PaperSheet, y: float) -> None:
    sheet.paragraph(
        25,
        y + 8,
        "Die Stücke sind Ihrem Depot gutgeschrieben. Bitte prüfen Sie diese Abrechnung und teilen Sie uns "
        "Unstimmigkeiten innerhalb von sechs Wochen mit. Irrtum vorbehalten.",
        width=160,
        size=9.5,
    )
    sheet.text(25, y + 34, "Mit freundlichen Grüßen", size=10.5)
    sheet.text(25, y + 40, "Weidenfels & Cie. Kommanditgesellschaft auf Aktien", size=10.5)
    sheet.text(
        105,
        284,
        "Neue Mainzer Straße 12 · 60311 Frankfurt · HRB 3307 · BIC WEIDDEFF",
        size=8,
        align="center",
        color="#5a1a2b",
    )
