"""Small charts as SVG, drawn here: no script, no style attribute, readable by a screen reader."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup, escape

from postroom.reads.scorecard import Score

WIDTH, HEIGHT, GAP = 288, 44, 2
PLOT, EDGE = 240, 28  # the square of a plot, and the room for its scale


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


def calibration(bands: Sequence[Score]) -> Markup:
    """Stated confidence across, the true share up: a dot for each band, larger where it counts more."""
    known = [each for each in bands if each.stated is not None and each.true_share is not None]
    most = max((each.decided for each in known), default=1)
    scale = Markup("").join(_tick(value / 4) for value in range(5))
    dots = Markup("").join(_dot(each, most) for each in known)
    total = sum(each.decided for each in known)
    return Markup(
        '<svg class="plot" viewBox="0 0 {size} {size}" role="img" aria-label="Stated confidence against what came '
        'true, {total} documents in {bands} bands">{scale}'
        '<line class="same" x1="{left}" y1="{low}" x2="{right}" y2="{top}"/>{dots}'
        '<text x="{middle}" y="{under}" class="axis">stated</text>'
        '<text x="0" y="8" class="axis start">true</text></svg>'
    ).format(
        size=PLOT + 2 * EDGE,
        under=PLOT + 2 * EDGE - 2,
        total=total,
        bands=len(known),
        scale=scale,
        left=_across(0),
        right=_across(1),
        low=_up(0),
        top=_up(1),
        dots=dots,
        middle=EDGE + PLOT / 2,
    )


def _across(share: float) -> str:
    return f"{EDGE + share * PLOT:.1f}"


def _up(share: float) -> str:
    return f"{EDGE + (1 - share) * PLOT:.1f}"


def _tick(share: float) -> Markup:
    return Markup(
        '<line class="grid" x1="{left}" y1="{y}" x2="{right}" y2="{y}"/>'
        '<line class="grid" x1="{x}" y1="{low}" x2="{x}" y2="{top}"/>'
        '<text x="{x}" y="{under}" class="axis">{name}</text><text x="{beside}" y="{y}" class="axis end">{name}</text>'
    ).format(
        left=_across(0),
        right=_across(1),
        x=_across(share),
        y=_up(share),
        low=_up(0),
        top=_up(1),
        under=EDGE + PLOT + 12,
        beside=EDGE - 4,
        name=f"{share:.0%}",
    )


def _dot(band: Score, most: int) -> Markup:
    assert band.stated is not None
    assert band.true_share is not None
    low, high = band.true_between or (0.0, 1.0)
    told = f"Stated {band.stated:.1%}, true {band.true_share:.1%} ({low:.0%} to {high:.0%}) of {band.decided}"
    return Markup(
        '<g class="point"><title>{told}</title><line class="between" x1="{x}" y1="{low}" x2="{x}" y2="{high}"/>'
        '<circle cx="{x}" cy="{y}" r="{r:.1f}"/></g>'
    ).format(
        told=told,
        x=_across(band.stated),
        y=_up(band.true_share),
        low=_up(low),
        high=_up(high),
        r=3 + 4 * (band.decided / most) ** 0.5,
    )
