"""Documents per CPU-second, from bytes to extraction, against bare pdfium text; and the parent's memory meanwhile.

    python -m benchmarks.documents [--documents N] [--different M] [--json PATH]

The documents are made here: M different contract notes, each printed to a PDF of one page.
"""

from __future__ import annotations

import argparse
import io
import json
import resource
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pypdfium2
from reportlab.pdfgen import canvas

from postroom.outside.readers.pool import Readers
from postroom.rooms.documents.reading.agent import DocumentProcessorAgent

AIM = 0.25
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


def money(cents: int) -> str:
    whole, part = divmod(cents, 100)
    return f"{whole:,}".replace(",", ".") + f",{part:02d}"


def bare(files: Sequence[bytes]) -> None:
    for content in files:
        document = pypdfium2.PdfDocument(content)
        for page in document:
            text = page.get_textpage()
            assert text.get_text_range()
            text.close()
            page.close()
        document.close()


def processor_seconds(work: Callable[[], None]) -> float:
    """What the work costs in this process and those it started and ended."""
    before = _spent()
    work()
    return _spent() - before


def _spent() -> float:
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def resident_kilobytes() -> int:
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize() // 1024


def measure(count: int, different: int) -> dict[str, Any]:
    files = [note(number) for number in range(different)]
    turns = [files[turn % different] for turn in range(count)]
    floor = processor_seconds(lambda: bare(turns))
    wrong, memory = 0, []

    def end_to_end() -> None:
        nonlocal wrong
        with Readers(processes=1, ocr=False) as readers:
            agent = DocumentProcessorAgent(readers)
            for turn, content in enumerate(turns):
                wrong += not agent.process_pdf(content).trades
                if turn % max(count // 20, 1) == 0:
                    memory.append(resident_kilobytes())

    started = time.perf_counter()
    spent = processor_seconds(end_to_end)
    return {
        "documents": count,
        "bare_per_cpu_second": round(count / floor, 1),
        "end_to_end_per_cpu_second": round(count / spent, 1),
        "ratio": round(floor / spent, 3),
        "seconds": round(time.perf_counter() - started, 1),
        "not_read": wrong,
        "parent_kilobytes": {"after 10 %": memory[2], "at the end": memory[-1]},
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--different", type=int, default=50)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    figures = measure(max(options.documents, 60), options.different)
    print(json.dumps(figures, indent=1))
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    grown = figures["parent_kilobytes"]["at the end"] - figures["parent_kilobytes"]["after 10 %"]
    return 0 if figures["ratio"] >= AIM and not figures["not_read"] and grown < 20_000 else 1


if __name__ == "__main__":
    sys.exit(main())
