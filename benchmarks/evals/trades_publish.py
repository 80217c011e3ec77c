"""The reliability of confidence as a table for people, written into the documentation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "explain" / "confidence.md"
BEGIN = "<!-- written by benchmarks/evals/trades.py --publish -->"
END = "<!-- end -->"


def publish(figures: dict[str, Any], page: Path = PAGE) -> None:
    """Puts the table between its two marks."""
    text = page.read_text("utf-8")
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    if not rest or not tail:
        raise SystemExit(f"{page} has no place for the table: put {BEGIN} and {END} where it belongs.")
    page.write_text(f"{head}{BEGIN}\n{_table(figures)}\n{END}{tail}", "utf-8")


def _table(figures: dict[str, Any]) -> str:
    strange, known = figures["strangers"], figures["left out"]
    rows = [
        "| stated | documents | mean stated | true | with all words | mean stated | true |",
        "|---|---|---|---|---|---|---|",
    ]
    bands = dict.fromkeys((*strange["reliability"], *known["reliability"]))
    rows += [
        f"| {band} | {_cells(strange['reliability'].get(band))} | {_cells(known['reliability'].get(band))} |"
        for band in sorted(bands, key=lambda band: (not band.startswith("below"), band))
    ]
    return "\n".join([*rows, "", *_past(strange, "Past the gate, own words left out"), *_past(known, "With all words")])


def _cells(found: tuple[int, float, float] | None) -> str:
    if found is None:
        return "– | – | –"
    count, stated, true = found
    return f"{count} | {stated:.2f} | {true:.2f}"


def _past(out: dict[str, Any], name: str) -> list[str]:
    passed, right = out["passed"], out["passed right"]
    return [
        f"{name}: {passed} of {out['documents']} documents ({passed / out['documents']:.1%}), of which {right}",
        f"({right / passed:.1%}) are right in direction, day, ISIN, quantity, net amount and currency.",
    ]
