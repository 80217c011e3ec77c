"""A page of words as a drawing (SVG): text at its places and nothing that acts. For reading processes only."""

from __future__ import annotations

from html import escape

from postroom.outside.readers.wire import PageWords

SIZE = 0.78  # of a line's height
BASELINE = 0.76
HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="{width:.1f}" height="{height:.1f}" '
    'viewBox="0 0 {width:.1f} {height:.1f}"><rect width="100%" height="100%" fill="#fff"/>'
    '<g font-family="ui-monospace, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" fill="#111">'
)


def svg(page: PageWords) -> bytes:
    """Every word as wide as its box, whatever the font."""
    parts = [HEAD.format(width=page.width, height=page.height)]
    for text, _, (left, top, right, bottom) in page.words():
        high = bottom - top
        parts.append(
            f'<text x="{left:.1f}" y="{top + high * BASELINE:.1f}" font-size="{high * SIZE:.1f}" '
            f'textLength="{right - left:.1f}" lengthAdjust="spacingAndGlyphs">{_said(text)}</text>'
        )
    parts.append("</g></svg>")
    return "".join(parts).encode()


def _said(text: str) -> str:
    """XML has no place for control characters."""
    kept = "".join(char if char.isprintable() else "\ufffd" for char in text)
    return escape(kept.encode("utf-8", "replace").decode(), quote=False)
