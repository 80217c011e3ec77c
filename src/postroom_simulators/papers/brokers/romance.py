"""Notes from Paris, Milan and Santander, each with the taxes of its place."""

from __future__ import annotations

import random
from datetime import date
from decimal import Decimal

from postroom_simulators.papers.brokers.holders import HOLDERS
from postroom_simulators.papers.deals import (
    SHARES,
    Direction,
    SampleDeal,
    business_days_after,
    contract_note,
    either_way,
    market_price,
)
from postroom_simulators.papers.locales import FRENCH, ITALIAN, SPANISH, cents
from postroom_simulators.papers.paper import PaperSheet, SamplePaper, SheetColumn


def berault_note(day: date, seed: int, *, direction: Direction | None = None) -> SamplePaper:
    """Avis d'opéré: VAT on the brokerage and the tax on financial transactions for purchases."""
    chance = random.Random(f"berault {seed}")
    instrument = SHARES[chance.choice(["MC", "AIR"])]
    way = direction or either_way(chance)
    quantity, price = Decimal(chance.randrange(8, 90)), market_price(instrument, chance, 2)
    gross = quantity * price
    brokerage = max(Decimal("12.00"), cents(gross * Decimal("0.0035")))
    deal = SampleDeal(
        direction=way,
        instrument=instrument,
        quantity=quantity,
        price=price,
        trade_date=day,
        settlement_date=business_days_after(day, 2),
        fees={"Courtage H.T.": brokerage, "T.V.A. 20,00 % sur courtage": cents(brokerage * Decimal("0.2"))},
        taxes={"Taxe sur les transactions financières": cents(gross * Decimal("0.004"))} if way == "BUY" else {},
        reference=f"{chance.randrange(10**9, 10**10)}",
    )
    sheet = PaperSheet(title="Avis d'opéré", author="Bérault Gestion Privée")
    _berault_page(sheet, deal, chance)
    return SamplePaper(sheet.finish(), contract_note(deal))


def _berault_page(sheet: PaperSheet, deal: SampleDeal, chance: random.Random) -> None:
    _berault_head(sheet, deal)
    _berault_table(sheet, deal, chance)
    _berault_money(sheet, deal)


def _berault_head(sheet: PaperSheet, deal: SampleDeal) -> None:
    sheet.shape([(20, 15), (32, 15), (26, 27)], "#1f2a6b")
    sheet.shape([(26, 15), (38, 15), (32, 27)], "#c23b3b")
    sheet.text(43, 21, "BÉRAULT", size=18, bold=True, color="#1f2a6b")
    sheet.text(43, 26, "GESTION PRIVÉE", size=8.5, color="#1f2a6b")
    sheet.lines(
        20,
        40,
        ["Service Clients Titres", "11 place Vendôme, 75001 Paris", "Tél. : 01 99 00 41 20"],
        size=8,
        gap=3.8,
    )
    sheet.lines(115, 48, ["M. Laurent DEBURNA", *HOLDERS["fr"].address()[1:]], size=10.5, gap=5)
    sheet.text(115, 72, f"Paris, le {FRENCH.long_date(deal.trade_date)}", size=9.5)
    sheet.text(20, 86, "AVIS D'OPÉRÉ", size=16, bold=True, color="#1f2a6b")
    sheet.text(20, 92, f"Compte titres n° {HOLDERS['fr'].account}  –  Référence de l'opération : {deal.reference}")
    sense = "ACHAT COMPTANT" if deal.direction == "BUY" else "VENTE COMPTANT"
    sheet.text(20, 101, f"Nous avons exécuté pour votre compte l'opération suivante : {sense}", size=9.5, bold=True)


def _berault_table(sheet: PaperSheet, deal: SampleDeal, chance: random.Random) -> None:
    columns = [
        SheetColumn("Quantité", 20, "right"),
        SheetColumn("", 5),
        SheetColumn("Désignation de la valeur", 70),
        SheetColumn("Code ISIN", 30),
        SheetColumn("Cours exécuté", 25, "right"),
        SheetColumn("Lieu", 18, "right"),
    ]
    sheet.frame(20, 106, 170, 22, "#1f2a6b")
    sheet.row(
        20,
        111,
        columns,
        ["Quantité", "", "Désignation de la valeur", "Code ISIN", "Cours exécuté", "Lieu"],
        size=8,
        bold=True,
    )
    sheet.rule(20, 113.5, 170, color="#1f2a6b")
    row = [
        FRENCH.number(deal.quantity, 0),
        "",
        deal.instrument.name,
        deal.instrument.isin,
        f"{FRENCH.number(deal.price)} EUR",
        "XPAR",
    ]
    sheet.row(20, 119, columns, row)
    when = f"{chance.randrange(9, 17)}h{chance.randrange(60):02d}"
    sheet.text(45, 125, f"Date d'exécution : {FRENCH.date(deal.trade_date)} à {when}", size=8)


def _berault_money(sheet: PaperSheet, deal: SampleDeal) -> None:
    y = sheet.pair(140, "Montant brut", f"{FRENCH.number(deal.gross)} €", left=100, right=188)
    sign = "+" if deal.direction == "BUY" else "-"
    for name, amount in {**deal.fees, **deal.taxes}.items():
        y = sheet.pair(y, name, f"{sign} {FRENCH.number(amount)} €", left=100, right=188)
    sheet.rule(100, y - 2.5, 88, color="#1f2a6b")
    label = "Montant net au débit" if deal.direction == "BUY" else "Montant net au crédit"
    y = sheet.pair(y + 3, label, f"{FRENCH.number(deal.net)} €", left=100, right=188, bold=True, size=10.5)
    sheet.text(20, y + 8, f"Date de règlement-livraison : {FRENCH.date(deal.settlement_date)}", size=9)
    sheet.paragraph(
        20,
        y + 18,
        "Sauf contestation de votre part dans un délai de 48 heures à réception, la présente opération sera "
        "réputée acceptée. Ce document tient lieu de justificatif fiscal. La taxe sur les transactions "
        "financières est due en application de l'article 235 ter ZD du code général des impôts.",
        width=170,
        size=8,
        color="#444444",
    )
    sheet.text(
        105,
        285,
        "Bérault Gestion Privée – S.A. au capital de 24 500 000 € – RCS Paris 399 112 508 – www.berault.example",
        size=7,
        align="center",
        color="#666666",
    )


def tiberina_note(day: date, seed: int, *, direction: Direction | None = None) -> SamplePaper:
    """Nota informativa: the account is charged, sales are taxed on the gain."""
    chance = random.Random(f"tiberina {seed}")
    instrument = SHARES[chance.choice(["ENI", "ISP"])]
    way = direction or either_way(chance)
    price = market_price(instrument, chance, 4)
    quantity = Decimal(chance.randrange(4, 60) * 50)
    gross = cents(quantity * price)
    tax = (
        {"Imposta sostitutiva 26%": cents(gross * Decimal("0.02"))}
        if way == "SELL"
        else {"Tobin Tax": cents(gross * Decimal("0.001"))}
    )
    deal = SampleDeal(
        direction=way,
        instrument=instrument,
        quantity=quantity,
        price=price,
        trade_date=day,
        settlement_date=business_days_after(day, 2),
        fees={
            "Commissioni di negoziazione": max(Decimal("2.95"), cents(gross * Decimal("0.0019"))),
            "Spese fisse": Decimal("2.50"),
        },
        taxes=tax,
        reference=f"{day:%Y%m%d}-{chance.randrange(10**5, 10**6)}",
    )
    sheet = PaperSheet(
        title="Nota informativa di eseguito",
        author="Banca Tiberina S.p.A.",
        font="Courier",
        bold="Courier-Bold",
    )
    _tiberina_page(sheet, deal)
    return SamplePaper(sheet.finish(), contract_note(deal))


def _tiberina_page(sheet: PaperSheet, deal: SampleDeal) -> None:
    _tiberina_head(sheet, deal)
    y = _tiberina_terms(sheet, deal)
    _tiberina_money(sheet, deal, y)


def _tiberina_head(sheet: PaperSheet, deal: SampleDeal) -> None:
    sheet.block(18, 12, 16, 16, "#8c1c13", radius=2)
    for step in range(3):
        sheet.block(21 + step * 3.8, 15 + step * 3, 2.4, 10 - step * 3, "#ffffff")
    sheet.text(37.8, 22, "BANCA TIBERINA", size=16, bold=True, color="#8c1c13")
    sheet.text(37.8, 27, "Società per Azioni - Gruppo Tiberina", size=7.5)
    sheet.text(190, 18, "NOTA INFORMATIVA", size=11, bold=True, align="right")
    sheet.text(190, 23, f"N. {deal.reference}", size=8.5, align="right")
    sheet.lines(110, 44, ["Gent.ma Sig.ra", *HOLDERS["it"].address()], size=9.5, gap=4.8)
    sheet.text(18, 74, f"Milano, {ITALIAN.date(deal.trade_date)}", size=9)
    word = "ACQUISTO" if deal.direction == "BUY" else "VENDITA"
    sheet.text(18, 84, f"Oggetto: ESEGUITO {word} TITOLI - Rapporto {HOLDERS['it'].account}", size=9.5, bold=True)


def _tiberina_terms(sheet: PaperSheet, deal: SampleDeal) -> float:
    rows = [
        ("OPERAZIONE", "ACQUISTO" if deal.direction == "BUY" else "VENDITA"),
        ("TITOLO", deal.instrument.name),
        ("CODICE ISIN", deal.instrument.isin),
        ("MERCATO", "MTA - Borsa Italiana"),
        ("DATA ESEGUITO", ITALIAN.date(deal.trade_date)),
        ("DATA VALUTA", ITALIAN.date(deal.settlement_date)),
        ("QUANTITA'", ITALIAN.number(deal.quantity, 0)),
        ("PREZZO ESEGUITO", f"EUR {ITALIAN.number(deal.price, 4)}"),
    ]
    y = 96.0
    for label, value in rows:
        sheet.text(18, y, f"{label:.<22}", size=9)
        sheet.text(70, y, value, size=9)
        y += 5.2
    return y


def _tiberina_money(sheet: PaperSheet, deal: SampleDeal, y: float) -> None:
    y += 5
    sheet.rule(18, y - 3, 172)
    y = sheet.pair(y + 3, "CONTROVALORE", f"EUR {ITALIAN.number(deal.gross)}", left=18, right=190)
    for name, amount in {**deal.fees, **deal.taxes}.items():
        y = sheet.pair(y, name.upper(), f"EUR {ITALIAN.number(amount)}", left=18, right=190)
    sheet.rule(18, y - 2, 172)
    label = "TOTALE A VOSTRO DEBITO" if deal.direction == "BUY" else "TOTALE A VOSTRO CREDITO"
    y = sheet.pair(y + 3, label, f"EUR {ITALIAN.number(deal.net)}", left=18, right=190, bold=True, size=10)
    sheet.paragraph(
        18,
        y + 12,
        "L'operazione e' stata eseguita in conformita' alla strategia di esecuzione degli ordini della Banca. "
        "Eventuali contestazioni dovranno pervenire per iscritto entro 60 giorni dal ricevimento della presente.",
        width=172,
        size=8,
        gap=4.2,
    )
    sheet.text(
        18,
        282,
        "Banca Tiberina S.p.A. - Via Giulia 140, 00186 Roma - Cod. ABI 08931 - Iscr. Albo Banche 5177",
        size=6.5,
    )


def cantabria_note(day: date, seed: int, *, direction: Direction | None = None) -> SamplePaper:
    chance = random.Random(f"cantabria {seed}")
    instrument = SHARES[chance.choice(["SAN", "ITX"])]
    way = direction or either_way(chance)
    price = market_price(instrument, chance, 4)
    quantity = Decimal(int(Decimal(chance.randrange(3_000, 18_000)) / price))
    gross = cents(quantity * price)
    deal = SampleDeal(
        direction=way,
        instrument=instrument,
        quantity=quantity,
        price=price,
        trade_date=day,
        settlement_date=business_days_after(day, 2),
        fees={
            "Corretajes": max(Decimal("4.00"), cents(gross * Decimal("0.0020"))),
            "Cánones de bolsa": Decimal("4.65"),
        },
        taxes={"Impuesto s/ transacciones financieras": cents(gross * Decimal("0.002"))} if way == "BUY" else {},
        reference=f"{chance.randrange(10**10, 10**11)}",
    )
    sheet = PaperSheet(title="Justificante de operación de valores", author="Caja Cantabria Valores")
    _cantabria_page(sheet, deal)
    return SamplePaper(sheet.finish(), contract_note(deal))


def _cantabria_page(sheet: PaperSheet, deal: SampleDeal) -> None:
    _cantabria_head(sheet, deal)
    y = _cantabria_terms(sheet, deal)
    _cantabria_money(sheet, deal, y)


def _cantabria_head(sheet: PaperSheet, deal: SampleDeal) -> None:
    sheet.block(0, 0, 210, 24, "#b5541c")
    sheet.disc(24, 12, 7, "#ffffff")
    sheet.shape([(18.5, 14), (24, 6.5), (29.5, 14)], "#b5541c")
    sheet.text(36, 12, "Cantabria Valores", size=17, bold=True, color="#ffffff")
    sheet.text(36, 17.5, "Sociedad de Valores, S.A.", size=8.5, color="#ffffff")
    sheet.text(20, 38, "JUSTIFICANTE DE LIQUIDACIÓN DE OPERACIÓN", size=12, bold=True)
    sheet.lines(120, 48, ["D. " + HOLDERS["es"].name, *HOLDERS["es"].address()[1:]], size=10, gap=4.8)


def _cantabria_terms(sheet: PaperSheet, deal: SampleDeal) -> float:
    kind = "COMPRA DE VALORES" if deal.direction == "BUY" else "VENTA DE VALORES"
    cells = [
        ("Operación", kind, "Nº de operación", deal.reference),
        ("Cuenta de valores", HOLDERS["es"].account, "Mercado", deal.instrument.venue),
        (
            "Fecha de ejecución",
            SPANISH.date(deal.trade_date),
            "Fecha valor",
            SPANISH.date(deal.settlement_date),
        ),
        ("Valor", deal.instrument.name, "ISIN", deal.instrument.isin),
        ("Nº de títulos", SPANISH.number(deal.quantity, 0), "Cambio", f"{SPANISH.number(deal.price, 4)} EUR"),
    ]
    y = 72.0
    for first, value, second, other in cells:
        sheet.frame(20, y, 85, 12, "#d9b49f")
        sheet.frame(105, y, 85, 12, "#d9b49f")
        sheet.text(22, y + 4, first, size=7, color="#b5541c")
        sheet.text(22, y + 9.5, value, size=9.5, bold=True)
        sheet.text(107, y + 4, second, size=7, color="#b5541c")
        sheet.text(107, y + 9.5, other, size=9.5, bold=True)
        y += 12
    return y


def _cantabria_money(sheet: PaperSheet, deal: SampleDeal, y: float) -> None:
    y += 12
    y = sheet.pair(y, "Efectivo", f"{SPANISH.number(deal.gross)} EUR", left=60, right=188, size=9.5)
    for name, amount in {**deal.fees, **deal.taxes}.items():
        y = sheet.pair(y, name, f"{SPANISH.number(amount)} EUR", left=60, right=188, size=9.5)
    sheet.rule(60, y - 2.5, 128, color="#b5541c", weight=1)
    label = "Importe líquido (cargo en cuenta)" if deal.direction == "BUY" else "Importe líquido (abono en cuenta)"
    y = sheet.pair(y + 3.5, label, f"{SPANISH.number(deal.net)} EUR", left=60, right=188, size=10.5, bold=True)
    sheet.paragraph(
        20,
        y + 14,
        "Documento justificativo a efectos fiscales. Las reclamaciones podrán dirigirse al Servicio de Atención "
        "al Cliente, Paseo de Pereda 9, 39004 Santander, o a la Comisión Nacional del Mercado de Valores.",
        width=170,
        size=7.5,
        color="#555555",
    )
