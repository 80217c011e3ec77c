"""What the retreat house knows: its clients, the answers it may give, and what is right for each thread."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from postroom_simulators.scenarios.client_desk.house_guide import NAME, house_guide

_HERE = Path(__file__).parent
BOOK, KNOWLEDGE = _HERE / "book", _HERE / "knowledge"
TABLES = ("accounts", "contacts", "engagements", "work_items")


def write_client_book(folder: Path) -> list[Path]:
    """accounts.csv, contacts.csv, engagements.csv and work_items.csv, as `postroom account import` reads them."""
    folder.mkdir(parents=True, exist_ok=True)
    return [_copied(BOOK / f"{table}.csv", folder) for table in TABLES]


def write_knowledge(folder: Path) -> list[Path]:
    """The documents from which mails may be answered: Markdown in five languages, and a PDF."""
    folder.mkdir(parents=True, exist_ok=True)
    guide = folder / NAME
    guide.write_bytes(house_guide())
    return [*(_copied(path, folder) for path in sorted(KNOWLEDGE.glob("*.md"))), guide]


def knowledge() -> list[dict[str, str]]:
    """The same as text: file, title and what it says."""
    found = []
    for path in sorted(KNOWLEDGE.glob("*.md")):
        title, _, text = path.read_text(encoding="utf-8").partition("\n")
        found.append({"file": path.name, "title": title.removeprefix("# "), "text": " ".join(text.split())})
    return found


def rows(table: str) -> list[dict[str, str]]:
    with (BOOK / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def accounts() -> list[dict[str, Any]]:
    """The client book by account."""
    return [
        {
            "account": row["code"],
            "name": row["name"],
            "domains": row["domains"].split(";"),
            "contacts": [one["email"] for one in rows("contacts") if one["account"] == row["code"]],
            "engagements": [
                {
                    "code": one["code"],
                    "name": one["name"],
                    "work_items": [item["code"] for item in rows("work_items") if item["engagement"] == one["code"]],
                }
                for one in rows("engagements")
                if one["account"] == row["code"]
            ],
        }
        for row in rows("accounts")
    ]


def _copied(source: Path, folder: Path) -> Path:
    target = folder / source.name
    target.write_bytes(source.read_bytes())
    return target
