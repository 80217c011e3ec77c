"""Files that may be documents and that nobody here can read: what each is, and what a person does about it."""

from __future__ import annotations

from postroom.mail import sniff as types

_AS_PDF = "cannot be read; ask for it as a PDF, or save it as one and hand that in."
_PICTURE = "cannot be read; ask for it as a PDF, or save it as a JPEG or PNG and hand that in."
_PACKED = "is not opened; unpack it and hand in what is in it, or ask the sender for PDFs."
_SEALED = "only its recipient can open; ask the sender for it without encryption, or open it and hand in what is in it."
UNREAD: dict[str, str] = {
    types.LOCKED_OFFICE: "The Office file is protected by a password; ask for it without one, or as a PDF.",
    types.OLD_WORD: f"A Word file of the old kind (.doc) {_AS_PDF}",
    types.OLD_EXCEL: f"An Excel file of the old kind (.xls) {_AS_PDF}",
    types.OLE: f"A file of an old Office program (such as .doc, .xls or .msg) {_AS_PDF}",
    types.RTF: f"A rich text file (.rtf) {_AS_PDF}",
    types.OPEN_DOCUMENT: f"An OpenDocument file (.odt, .ods) {_AS_PDF}",
    types.XPS: f"An XPS file (.xps, .oxps) {_AS_PDF}",
    types.IWORK: f"A file of Apple Pages or Numbers {_AS_PDF}",
    "image/heic": f"A picture from a telephone (.heic) {_PICTURE}",
    "image/webp": f"A WebP picture {_PICTURE}",
    "image/gif": f"A GIF picture {_PICTURE}",
    "image/bmp": f"A BMP picture {_PICTURE}",
    "application/x-7z-compressed": f"A 7-Zip archive (.7z) {_PACKED}",
    "application/vnd.rar": f"A RAR archive (.rar) {_PACKED}",
    "application/gzip": f"A gzip archive (.gz) {_PACKED}",
    "application/pkcs7-mime": f"An encrypted mail or file (S/MIME, .p7m), which {_SEALED}",
    "application/pgp-encrypted": f"An encrypted mail or file (PGP), which {_SEALED}",
}
