"""Documents per CPU-second, from bytes to extraction, against bare pdfium text; and the parent's memory meanwhile.

    python -m benchmarks.documents [DATA] [--one-trade] [--documents N] [--different M] [--keep]

The documents are made here: M different contract notes, each printed to a PDF of one page. With DATA they are real ones:
the PDF files of that folder, and its texts of contract notes (`texts/**/*.txt`) printed to PDF; with `--one-trade` only
the notes that tell of a single trade (`single_trades.json`). A paper that comes again costs as much as the first time: no
reading process lives that long.
"""

from __future__ import annotations

import argparse
import io
import json
import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pypdfium2
from reportlab.pdfgen import canvas

from benchmarks.bench import keep
from benchmarks.evals.trades_data import folders
from benchmarks.evals.trades_print import pdf_of
from postroom.mail.headers import decode_bytes
from postroom.memory import keep_what_is_loaded
from postroom.outside.readers.pool import Readers
from postroom.rooms.documents.agent import DocumentProcessorAgent

AIM = 0.25
FLAT = 20_000  # kilobytes that the parent may grow by
ROUNDS = 40
SMALL_PRINT = (
    "Die Abrechnung wurde maschinell erstellt und wird nicht unterschrieben. Bitte prüfen Sie sie unverzüglich.",
    "Einwendungen sind innerhalb von sechs Wochen schriftlich an die oben genannte Anschrift zu richten.",
    "Sofern keine Umsatzsteuer ausgewiesen ist, handelt es sich um eine umsatzsteuerbefreite Finanzdienstleistung.",
    "Es gelten unsere Allgemeinen Geschäftsbedingungen und die Sonderbedingungen für Wertpapiergeschäfte.",
    "Für das Geschäft wurde keine Anlageberatung erbracht. Der Auftrag wurde über das Online-Banking erteilt.",
)


def note(number: int) -> bytes:
    """A plausible one-page purchase; every figure depends on the number."""
    quantity, cents = 10 + number % 90, 1000 + 37 * number % 9000
    gross, fee = quantity * cents, 495 + number % 400
    lines = [
        "Musterbank Direkt AG", "Frau Erika Beispiel", "Hauptstraße 1", "60311 Frankfurt am Main", "",
        f"Depotnummer 70{number:08d}", f"Auftragsnummer {number:06d}/10.00", "Datum 14.03.2023", "",
        "Wertpapier Abrechnung Kauf", "Nominale Wertpapierbezeichnung ISIN (WKN)",
        f"Stück {quantity} SAP SE INHABER-AKTIEN O.N. DE0007164600 (716460)", "Handels-/Ausführungsplatz Xetra",
        "Schlusstag/-Zeit 13.03.2023 10:15:22", f"Ausführungskurs {money(cents)} EUR",
        f"Kurswert {money(gross)}- EUR", f"Provision {money(fee)}- EUR",
        f"Ausmachender Betrag {money(gross + fee)}- EUR",
        "Den Gegenwert buchen wir mit Valuta 15.03.2023 zu Lasten des Kontos 1234567890", "",
        *(line for _ in range(6) for line in SMALL_PRINT),
    ]  # fmt: skip
    out = io.BytesIO()
    sheet = canvas.Canvas(out, pagesize=(595.0, 842.0), invariant=1)
    sheet.setFont("Helvetica", 9)
    for row, line in enumerate(lines):
        sheet.drawString(50, 800 - 14 * row, line)
    sheet.save()
    return out.getvalue()


def real(data: Path, most: int, *, one_trade: bool) -> list[bytes]:
    """As many papers as asked for, of all senders alike."""
    files = _of_one_trade(data) if one_trade else sorted((*data.rglob("*.pdf"), *data.rglob("texts/**/*.txt")))
    chosen = files[:: max(len(files) // most, 1)][:most]
    return [one.read_bytes() if one.suffix == ".pdf" else pdf_of(decode_bytes(one.read_bytes())) for one in chosen]


def _of_one_trade(data: Path) -> list[Path]:
    listed = [(folder, json.loads((folder / "single_trades.json").read_text("utf-8"))) for folder in folders([data])]
    return [folder / one["text"] for folder, notes in listed for one in notes]


def money(cents: int) -> str:
    whole, part = divmod(cents, 100)
    return f"{whole:,}".replace(",", ".") + f",{part:02d}"


def bare(files: Sequence[bytes]) -> None:
    for content in files:
        document = pypdfium2.PdfDocument(content)
        for page in document:
            text = page.get_textpage()
            text.get_text_range()
            text.close()
            page.close()
        document.close()


def own_seconds() -> float:
    spent = resource.getrusage(resource.RUSAGE_SELF)
    return spent.ru_utime + spent.ru_stime


def seconds_of_children() -> float:
    """Of those that have ended."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def resident_kilobytes() -> int:
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize() // 1024


def measure(count: int, files: Sequence[bytes]) -> dict[str, Any]:
    """The floor and the whole take turns, so that whatever else the machine does slows both alike."""
    keep_what_is_loaded()  # as every process of ours does that goes on for long
    size = max(count // ROUNDS, 1)
    floor = whole = 0.0
    wrong, memory = 0, []
    before, started = seconds_of_children(), time.perf_counter()
    with Readers(processes=1, ocr=False) as readers:
        agent = DocumentProcessorAgent(readers)
        for turn in range(ROUNDS):
            batch = [files[(turn * size + at) % len(files)] for at in range(size)]
            at = own_seconds()
            bare(batch)
            floor, at = floor + own_seconds() - at, own_seconds()
            wrong += sum(not agent.process_pdf(content).trades for content in batch)
            whole += own_seconds() - at
            memory.append(resident_kilobytes())
    whole += seconds_of_children() - before
    done = size * ROUNDS
    return {
        "documents": done,
        "bare_per_cpu_second": round(done / floor, 1),
        "end_to_end_per_cpu_second": round(done / whole, 1),
        "ratio": round(floor / whole, 3),
        "seconds": round(time.perf_counter() - started, 1),
        "not_read": wrong,
        "parent_kilobytes": {"after a tenth": memory[ROUNDS // 10], "at most": max(memory), "at the end": memory[-1]},
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?")
    parser.add_argument("--one-trade", action="store_true", help="of DATA only notes of a single trade")
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--different", type=int, default=50)
    parser.add_argument("--keep", action="store_true", help="write the figures to benchmarks/results")
    options = parser.parse_args()
    if options.data is None:
        figures = measure(options.documents, [note(number) for number in range(options.different)])
    else:
        figures = measure(options.documents, real(options.data, options.different, one_trade=options.one_trade))
        del figures["not_read"]  # not all of them are trades
    keep("documents", figures)
    grown = figures["parent_kilobytes"]["at the end"] - figures["parent_kilobytes"]["after a tenth"]
    return 0 if figures["ratio"] >= AIM and not figures.get("not_read") and grown < FLAT else 1


if __name__ == "__main__":
    sys.exit(main())
