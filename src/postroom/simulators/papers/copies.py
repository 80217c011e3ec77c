"""What happens to papers on their way: scanned by a copier, or locked with a password."""

from __future__ import annotations

import io
import random

import pikepdf
import pypdfium2 as pdfium
from PIL import Image, ImageFilter
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from postroom.simulators.papers.paper import Paper


def scanned(paper: Paper, seed: int, *, dpi: int = 150) -> Paper:
    """The same paper as a copier's picture of it: a little crooked, grey, speckled, without a text layer."""
    chance = random.Random(f"scan {seed}")
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=True)
    canvas.setTitle("Scan")
    document = pdfium.PdfDocument(paper.pdf)
    try:
        for page in document:
            picture = page.render(scale=dpi / 72, grayscale=True).to_pil().convert("L")
            canvas.drawImage(ImageReader(_through_copier(picture, chance)), 0, 0, *A4)
            canvas.showPage()
    finally:
        document.close()
    canvas.save()
    return Paper(buffer.getvalue(), paper.truth)


def _through_copier(picture: Image.Image, chance: random.Random) -> Image.Image:
    angle = chance.uniform(0.25, 0.8) * chance.choice([-1, 1])
    crooked = picture.rotate(angle, resample=Image.Resampling.BICUBIC, fillcolor=255)
    soft = crooked.filter(ImageFilter.GaussianBlur(0.5))
    noise = Image.frombytes("L", soft.size, chance.randbytes(soft.width * soft.height))
    grained = Image.blend(soft, noise, 0.05)
    jpeg = io.BytesIO()
    grained.save(jpeg, "JPEG", quality=72)
    return Image.open(jpeg)


def locked(paper: Paper, password: str) -> Paper:
    """Opens with the password agreed beforehand. RC4: newer ciphers' salts would differ on every run."""
    buffer = io.BytesIO()
    with pikepdf.open(io.BytesIO(paper.pdf)) as document:
        lock = pikepdf.Encryption(owner=f"{password}-owner", user=password, R=3, aes=False, metadata=False)
        document.save(buffer, encryption=lock, static_id=True)
    return Paper(buffer.getvalue(), {**paper.truth, "password": password})
