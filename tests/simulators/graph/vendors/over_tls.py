"""The simulator behind TLS, as the vendors' clients insist on it."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from urllib.parse import urlsplit

import requests

from simulators.graph.office import mail

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the vendors' modules warn about one another


PDF = b"%PDF-1.7 a note"
BACK = "http://localhost:1/back"


@dataclass
class Tls:
    base: str
    ca: str

    @property
    def port(self) -> int:
        return urlsplit(self.base).port or 443

    def session(self) -> requests.Session:
        session = requests.Session()
        session.trust_env = False  # a CA bundle named in the environment would win over ours
        session.verify = self.ca
        return session


def note():
    message = mail("Contract note", "See the file.", html="<p>See the file.</p>")
    message.add_attachment(PDF, maintype="application", subtype="pdf", filename="note.pdf")
    inner = mail("Inner")
    inner.add_attachment(PDF, maintype="application", subtype="pdf", filename="inner.pdf")
    message.add_attachment(inner)
    return message
