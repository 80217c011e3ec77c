"""A marketing brochure: full of figures and euro signs, and nothing to pay or book."""

from __future__ import annotations

import random

from postroom_simulators.papers.paper import PaperSheet, SamplePaper

_OFFERS = [
    ("Desk Pro 140", "Height-adjustable oak desk, memory for four heights", "from €489"),
    ("Task chair Lyra", "Breathing mesh back, ten-year guarantee", "from €259"),
    ("Acoustic pod Duo", "Two seats, fresh air, 32 dB quieter", "from €6,990"),
    ("Monitor arm Reach", "Holds up to 12 kg, cables hidden", "from €79"),
    ("Plant wall Verda", "Self-watering, 2 m², looked after by us", "from €1,140"),
    ("Lamp Halo", "Glare-free, dims with daylight", "from €139"),
]


def brochure(seed: int) -> SamplePaper:
    chance = random.Random(f"brochure {seed}")
    offers = chance.sample(_OFFERS, k=4)
    percent = chance.choice([15, 20, 25, 30])
    sheet = PaperSheet(title="Autumn office catalogue", author="Studio Northlight")
    _cover(sheet, percent)
    sheet.next_page()
    _offers(sheet, offers)
    return SamplePaper(sheet.finish(), {"type": "other", "trades": []})


def _cover(sheet: PaperSheet, percent: int) -> None:
    sheet.block(0, 0, 210, 297, "#f4a259")
    sheet.disc(150, 120, 95, "#f7b978")
    sheet.disc(60, 260, 70, "#8cb369")
    sheet.text(20, 40, "studio northlight", size=16, bold=True, color="#ffffff")
    sheet.text(20, 120, "Work where", size=44, bold=True, color="#3b2c1a")
    sheet.text(20, 138, "you feel well", size=44, bold=True, color="#3b2c1a")
    sheet.text(20, 158, f"Autumn collection · {percent}% off until the end of the month", size=15, color="#3b2c1a")
    sheet.text(
        20,
        285,
        "Order at northlight.example or call 0800 555 0199. Offer while stocks last.",
        size=9,
        color="#ffffff",
    )


def _offers(sheet: PaperSheet, offers: list[tuple[str, str, str]]) -> None:
    sheet.text(20, 26, "Favourites of the season", size=22, bold=True, color="#3b2c1a")
    for number, (name, text, price) in enumerate(offers):
        x, y = 20 + number % 2 * 88, 40 + number // 2 * 112
        sheet.block(x, y, 82, 60, ["#cfe1b9", "#fbe3c0", "#dfe7f1", "#f6d3c4"][number], radius=4)
        sheet.block(x + 25, y + 26, 32, 4, "#6b705c", radius=1)
        sheet.block(x + 28, y + 30, 3, 22, "#6b705c")
        sheet.block(x + 51, y + 30, 3, 22, "#6b705c")
        sheet.text(x, y + 70, name, size=13, bold=True)
        sheet.paragraph(x, y + 76, text, width=80, size=9.5, color="#555555")
        sheet.text(x, y + 92, price, size=14, bold=True, color="#c1440e")
    sheet.text(
        20,
        280,
        "All prices excluding VAT and delivery. Not an invoice. Subject to change.",
        size=7.5,
        color="#777777",
    )
