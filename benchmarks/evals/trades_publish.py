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
    out = figures["left out"]
    rows = ["| stated | documents | mean stated | true |", "|---|---|---|---|"]
    rows += [
        f"| {band} | {count} | {stated:.2f} | {true:.2f} |"
        for band, (count, stated, true) in out["reliability"].items()
    ]
    passed, right = out["passed"], out["passed right"]
    rows += [
        "",
        f"Past the gate, brokers left out: {passed} of {out['documents']} documents ({passed / out['documents']:.1%}),",
        f"of which {right} ({right / passed:.1%}) are right in direction, day, ISIN, quantity, net amount and currency.",
    ]
    return "\n".join(rows)
