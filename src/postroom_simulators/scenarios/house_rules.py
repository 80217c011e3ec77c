"""What the retreat house knows: its clients, and the answers it may give."""

from __future__ import annotations

from typing import Any

ACCOUNTS: list[dict[str, Any]] = [
    {
        "account": "ACME",
        "name": "ACME Industries GmbH",
        "domains": ["acme.example"],
        "contacts": [
            "anna.kowalski@acme.example",
            "b.achterberg@acme.example",
            "t.vermeulen@bridgework-consulting.example",
        ],
        "engagements": [
            {"name": "Leadership retreat", "work_items": ["ACME-1042"]},
            {"name": "Spring workshop", "work_items": ["ACME-1050"]},
        ],
    },
    {
        "account": "BOREALIS",
        "name": "Borealis GmbH",
        "domains": ["borealis.example"],
        "contacts": ["j.petersen@borealis.example", "t.vermeulen@bridgework-consulting.example"],
        "engagements": [{"name": "Team days", "work_items": ["BOR-0311"]}],
    },
    {
        "account": "FONTANEL",
        "name": "Atelier Fontanel",
        "domains": ["atelier-fontanel.example"],
        "contacts": ["c.fontanel@atelier-fontanel.example"],
        "engagements": [{"name": "Writers' week", "work_items": ["FON-0007"]}],
    },
    {
        "account": "BELLINI",
        "name": "Studio Bellini",
        "domains": ["studio-bellini.example"],
        "contacts": ["marco.bellini@studio-bellini.example"],
        "engagements": [],
    },
]

KNOWLEDGE: list[dict[str, str]] = [
    {
        "title": "Arrival and departure",
        "text": (
            "Check-in is from 15:00, check-out until 11:00. Luggage can be left at the reception from 9:00 on the "
            "day of arrival and until 18:00 on the day of departure, free of charge."
        ),
    },
    {
        "title": "Anreise und Parken",
        "text": (
            "Am Haus stehen 30 Parkplätze zur Verfügung, 8 Euro pro Auto und Nacht. Zwei Ladesäulen mit je 11 kW "
            "können nach Anmeldung an der Rezeption benutzt werden; die Kilowattstunde kostet 0,49 Euro."
        ),
    },
    {
        "title": "Petit-déjeuner",
        "text": (
            "Le petit-déjeuner est servi de 7 h à 10 h 30, le week-end jusqu'à 11 h. Une option végétarienne et "
            "une option végétalienne sont toujours proposées."
        ),
    },
    {
        "title": "Meeting rooms",
        "text": (
            "The seminar room seats 24 and has a projector with HDMI and USB-C, a flip chart and a whiteboard. "
            "Wi-Fi is included in every room, also in the meeting rooms. The large room seats 60."
        ),
    },
    {
        "title": "Copias de facturas",
        "text": (
            "Enviamos copias de facturas por correo electrónico en un plazo de dos días laborables. Necesitamos "
            "el número de reserva o las fechas de la estancia."
        ),
    },
    {
        "title": "Animali",
        "text": (
            "I cani di piccola taglia sono benvenuti su richiesta, 12 euro a notte. Non sono ammessi nel "
            "ristorante e nella sauna."
        ),
    },
]
