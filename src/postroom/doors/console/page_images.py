"""Pictures of pages, drawn once and kept for a while, with the size of the page in points."""

from __future__ import annotations

import re
import struct
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from uuid import UUID

from postroom.nouns.ids import TenantId

PNG = b"\x89PNG\r\n\x1a\n"
WIDTH = 1100
MOST = 40
A4, LETTER = (595.28, 841.89), (612.0, 792.0)
NEAR = 0.01
MARGIN, NARROWEST = 12.0, 420.0  # points
_SVG_SIZE = re.compile(rb'<svg xmlns="[^"]+" width="([\d.]+)" height="([\d.]+)"')


@dataclass(frozen=True, slots=True)
class DrawnPage:
    """A page as drawn; width and height are the page's own, in points."""

    content: bytes = field(repr=False)
    content_type: str
    width: float
    height: float

    @property
    def view_box(self) -> tuple[float, float, float, float]:
        """What is shown of it: typed words begin at the very edge, so they get a margin, and a few are not blown up."""
        if self.content_type != "image/svg+xml":
            return 0.0, 0.0, self.width, self.height
        return -MARGIN, -MARGIN, max(self.width, NARROWEST) + 2 * MARGIN, self.height + 2 * MARGIN


Draw = Callable[[], Awaitable[tuple[bytes, str]]]


class PageImageCache:
    """The pages that reviewers looked at last."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[TenantId, UUID, int], DrawnPage] = OrderedDict()

    async def picture(self, tenant_id: TenantId, document_id: UUID, page: int, draw: Draw) -> DrawnPage:
        key = (tenant_id, document_id, page)
        found = self._kept.get(key)
        if found is None:
            content, content_type = await draw()
            found = self._kept[key] = DrawnPage(content, content_type, *points(content))
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return found


def points(image: bytes) -> tuple[float, float]:
    """How large the drawn page is in points: by the resolution the picture states, else by its shape."""
    if stated := _SVG_SIZE.match(image):
        return float(stated[1]), float(stated[2])
    wide, high = pixels(image)
    if scale := _stated_scale(image):
        return wide / scale, high / scale
    for short, long in (A4, LETTER):
        if abs(high / wide - long / short) < NEAR:
            return short, high * short / wide
        if abs(wide / high - long / short) < NEAR:
            return long, high * long / wide
    return float(wide), float(high)


def pixels(image: bytes) -> tuple[int, int]:
    if image.startswith(PNG) and len(image) >= 24:
        wide, high = struct.unpack(">II", image[16:24])
        return max(wide, 1), max(high, 1)
    return _jpeg_pixels(image)


def _jpeg_pixels(image: bytes) -> tuple[int, int]:
    at = 2
    while at + 9 < len(image) and image[at] == 0xFF:
        mark, length = image[at + 1], struct.unpack(">H", image[at + 2 : at + 4])[0]
        if 0xC0 <= mark <= 0xCF and mark not in (0xC4, 0xC8, 0xCC):
            high, wide = struct.unpack(">HH", image[at + 5 : at + 9])
            return max(wide, 1), max(high, 1)
        at += 2 + length
    return WIDTH, WIDTH


def _stated_scale(image: bytes) -> float | None:
    """Pixels per point, from the pHYs chunk of a PNG; it counts pixels per metre."""
    at = image.find(b"pHYs", 0, 1024) if image.startswith(PNG) else -1
    if at < 0 or image[at + 12 : at + 13] != b"\x01":
        return None
    per_metre: int = struct.unpack(">I", image[at + 4 : at + 8])[0]
    return per_metre * 0.0254 / 72 or None
