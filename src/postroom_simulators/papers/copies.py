"""What happens to papers on their way: scanned by a copier, or locked with a password."""

from __future__ import annotations

import io
import random

import pikepdf
import pypdfium2 as pdfium
from PIL import Image, ImageFilter
from reportlab.lib.pagesizes import A4

from postroom_simulators.papers.paper import SamplePaper


def scanned(paper: SamplePaper, seed: int, *, dpi: int = 150) -> SamplePaper:
    """The same paper as a copier's picture of it: a little crooked, grey, speckled, without a text layer."""
    chance = random.Random(f"scan {seed}")
    buffer = io.BytesIO()
    document = pdfium.PdfDocument(paper.pdf)
    try:
        with pikepdf.new() as scan:
            for page in document:
                picture = page.render(scale=dpi / 72, grayscale=True).to_pil().convert("L")
                _add_picture(scan, *_through_copier(picture, chance))
            scan.save(buffer, deterministic_id=True)
    finally:
        document.close()
    return SamplePaper(buffer.getvalue(), paper.truth)


def _through_copier(picture: Image.Image, chance: random.Random) -> tuple[bytes, int, int]:
    angle = chance.uniform(0.25, 0.8) * chance.choice([-1, 1])
    crooked = picture.rotate(angle, resample=Image.Resampling.BICUBIC, fillcolor=255)
    soft = crooked.filter(ImageFilter.GaussianBlur(0.5))
    noise = Image.frombytes("L", soft.size, chance.randbytes(soft.width * soft.height))
    jpeg = io.BytesIO()
    Image.blend(soft, noise, 0.05).save(jpeg, "JPEG", quality=70)
    return jpeg.getvalue(), soft.width, soft.height


def _add_picture(scan: pikepdf.Pdf, jpeg: bytes, width: int, height: int) -> None:
    """A page that is one JPEG, as copiers write it."""
    image = scan.make_stream(
        jpeg,
        Type=pikepdf.Name.XObject,
        Subtype=pikepdf.Name.Image,
        Width=width,
        Height=height,
        ColorSpace=pikepdf.Name.DeviceGray,
        BitsPerComponent=8,
        Filter=pikepdf.Name.DCTDecode,
    )
    page = scan.add_blank_page(page_size=A4)
    page.obj.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Scan=image))
    page.obj.Contents = scan.make_stream(f"q {A4[0]:.2f} 0 0 {A4[1]:.2f} 0 0 cm /Scan Do Q".encode())


def locked(paper: SamplePaper, password: str) -> SamplePaper:
    """Opens with the password agreed beforehand. RC4: newer ciphers' salts would differ on every run."""
    buffer = io.BytesIO()
    with pikepdf.open(io.BytesIO(paper.pdf)) as document:
        lock = pikepdf.Encryption(owner=f"{password}-owner", user=password, R=3, aes=False, metadata=False)
        document.save(buffer, encryption=lock, static_id=True)
    return SamplePaper(buffer.getvalue(), {**paper.truth, "password": password})
