"""Small charts as SVG, drawn here: no script, no style attribute, readable by a screen reader."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup, escape

WIDTH, HEIGHT, GAP = 288, 44, 2


def bars(counts: Sequence[int], labels: Sequence[str], what: str, tone: str = "plain") -> Markup:
    """One bar for each count; its label and number show when the pointer rests on it."""
    most = max([*counts, 1])
    step = WIDTH / max(len(counts), 1)
    drawn = Markup("").join(
        _bar(index * step, step - GAP, count, most, label)
        for index, (count, label) in enumerate(zip(counts, labels, strict=True))
    )
    total = sum(counts)
    return Markup(
        '<svg class="bars tone-{tone}" viewBox="0 0 {width} {height}" preserveAspectRatio="none" role="img" '
        'aria-label="{what}: {total} in all, at most {most} at a time">{drawn}</svg>'
    ).format(
        tone=escape(tone),
        width=WIDTH,
        height=HEIGHT,
        what=what,
        total=total,
        most=max(counts, default=0),
        drawn=drawn,
    )


def _bar(left: float, width: float, count: int, most: int, label: str) -> Markup:
    tall = max(1.0, count / most * (HEIGHT - 2)) if count else 1.0
    kind = "bar" if count else "bar none"
    return Markup(
        '<rect class="{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"><title>{}</title></rect>'
    ).format(kind, left, HEIGHT - tall, width, tall, f"{label}: {count}")
