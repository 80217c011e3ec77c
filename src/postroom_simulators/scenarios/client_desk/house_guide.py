"""The guide that lies in every room, as a PDF."""

from __future__ import annotations

from postroom_simulators.papers.paper import PaperSheet

NAME = "house-guide.pdf"
_SECTIONS = [
    ("Wi-Fi", "The network is called Larkspur-Guest. It is free of charge in the whole house and needs no password."),
    ("Sauna", "The sauna is open from 16:00 to 21:00. Children under 12 come with an adult. Towels lie at the door."),
    ("Quiet hours", "From 22:00 to 7:00 the house is quiet. The fireplace room stays open for guests all night."),
    ("Laundry", "A wash costs 5 euros, drying 3 euros. Tokens are sold at the reception from 7:00 to 22:00."),
]  # fmt: skip


def house_guide() -> bytes:
    sheet = PaperSheet(title="House guide", author="Larkspur Retreats")
    sheet.block(0, 0, 210, 34, "#3d5a45")
    sheet.text(20, 22, "Larkspur Retreats · House guide", size=20, bold=True, color="#ffffff")
    y = 52.0
    for title, text in _SECTIONS:
        sheet.text(20, y, title, size=14, bold=True)
        y = sheet.paragraph(20, y + 8, text, width=165, size=11, gap=6) + 10
    return sheet.finish()
