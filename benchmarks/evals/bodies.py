"""Whether mails whose text is a document are found, and ordinary mail stays silent.

    python -m benchmarks.evals.bodies DATA

DATA is a folder with `mail/` and `trades/`. Ordinary mail is that of `mail/`, and of the simulators' scenarios with the
files taken off: none of it is a document. Each broker paper of `trades/` with one trade is sent as the text of a mail.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from html import escape
from pathlib import Path

from benchmarks.evals.trades_data import single_trades
from postroom.mail.automatic import automatic
from postroom.mail.bodies import body_file
from postroom.mail.parse import read_mail_file
from postroom.nouns.documents import CannotRead
from postroom.nouns.mail import MailMessage
from postroom.outside.readers.pool import Readers
from postroom.rooms.documents.rules.bodies import is_document
from postroom_simulators.scenarios import SCENARIOS, scenario

NOT_MAIL = (".rb", ".py", ".md", ".gitignore", ".html", ".json", ".yml")
START = datetime(2026, 2, 4, 9, tzinfo=UTC)
SEEDS = 3
PAPERS = 200
AS_TEXT, AS_HTML = "broker papers as text", "broker papers as HTML"
LEFT_TO_MACHINES = ("bounce", "report", "auto_reply", "calendar")


def ordinary(data: Path) -> Iterator[tuple[str, MailMessage]]:
    for path in sorted((data / "mail").rglob("*")):
        if path.is_file() and not path.name.endswith(NOT_MAIL) and "LICENSE" not in path.name:
            yield "collected mail", read_mail_file(path.name, path.read_bytes())


def simulated() -> Iterator[tuple[str, MailMessage]]:
    for name in SCENARIOS:
        for seed in range(SEEDS):
            for letter in scenario(name, start=START, seed=seed).mails:
                mail = read_mail_file("mail.eml", letter.raw)
                if not any(one["filename"].endswith(".html") for one in letter.truth.get("documents", ())):
                    yield f"scenario {name}", replace(mail, attachments=(), enclosed=())


def papers(data: Path) -> Iterator[tuple[str, MailMessage]]:
    found = single_trades(data / "trades")
    for case in random.Random(17).sample(found, min(PAPERS, len(found))):
        yield AS_TEXT, MailMessage(subject="Abrechnung", text_body=case.text)
        rows = "".join(f"<tr><td>{'<td>'.join(cells(line))}" for line in case.text.split("\n"))
        yield AS_HTML, MailMessage(subject="Abrechnung", html_body=f"<html><table>{rows}</table></html>")


def cells(line: str) -> list[str]:
    """What two blanks part stands in cells of its own."""
    return [escape(part) for part in re.split(r" {2,}|\t", line.strip())]


def verdict(readers: Readers, mail: MailMessage) -> str:
    machine = automatic(mail)
    if machine and machine.kind in LEFT_TO_MACHINES:
        return "silent"
    body = body_file(mail)
    if body is None:
        return "silent"
    try:
        return "document" if is_document(readers.extract(body.content).extraction) else "letter"
    except CannotRead:
        return "unreadable"


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("data", type=Path)
    arguments.add_argument("--list", action="store_true", help="name the ordinary mails that became documents")
    given = arguments.parse_args()
    told: dict[str, Counter[str]] = {}
    with Readers(processes=2, ocr=False) as readers:
        for name, mail in (*ordinary(given.data), *simulated(), *papers(given.data)):
            became = verdict(readers, mail)
            told.setdefault(name, Counter())[became] += 1
            if given.list and became == "document" and name not in (AS_TEXT, AS_HTML):
                print(f"{name}: {mail.subject}")
    print(f"{'':28}{'mails':>8}{'read':>8}{'documents':>11}{'unreadable':>12}")
    for name, counts in told.items():
        read = counts.total() - counts["silent"]
        print(f"{name:28}{counts.total():8}{read:8}{counts['document']:11}{counts['unreadable']:12}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
