"""Our own house is never the supplier: its names, and what follows for an invoice that says so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from postroom.nouns.documents import DocumentText, Extraction
from postroom.reading.invoices.parties import is_one_of, plain_name
from postroom.reading.invoices.text import read_text_invoice

SHORTEST = 4  # letters: less says nothing
# Anybody may have an address there, so it names nobody.
FREE_MAIL = frozenset(
    {
        "aol", "bluewin", "free", "freenet", "gmail", "gmx", "googlemail", "hotmail", "icloud", "laposte", "libero",
        "live", "mail", "me", "msn", "o2", "orange", "outlook", "posteo", "proton", "protonmail", "t-online", "tiscali",
        "virgilio", "web", "wp", "yahoo", "ymail", "zoho",
    }
)  # fmt: skip
_PUBLIC = frozenset({"ac", "co", "com", "edu", "gov", "gv", "net", "or", "org"})  # as in co.uk


def own_names(tenant: str, addresses: Iterable[str]) -> tuple[str, ...]:
    """What the house may be called on paper: by the tenant's name, and by the domains of its mailboxes."""
    domains = {address.rpartition("@")[2].lower() for address in addresses if "@" in address}
    names = [tenant, *(_named_by(domain) for domain in sorted(domains))]
    return tuple(name for name in dict.fromkeys(names) if len(name) >= SHORTEST and name != "default")


def _named_by(domain: str) -> str:
    """`larkspur` of `mail.larkspur.co.uk`; nothing of a free mail service."""
    parts = domain.split(".")[:-1]
    while len(parts) > 1 and parts[-1] in _PUBLIC:
        parts.pop()
    name = parts[-1] if parts else ""
    return "" if name in FREE_MAIL else name


def never_ours(text: DocumentText | None, read: Extraction, own: Sequence[str]) -> Extraction:
    """The reading, with another supplier if it named us; without any, and for a person, if there is none."""
    ours = tuple(plain_name(name) for name in own if len(re.sub(r"\W", "", name)) >= SHORTEST)
    invoice = read.invoice
    if invoice is None or invoice.supplier is None or not is_one_of(invoice.supplier, ours):
        return read
    if text is None or all(found.box is None for found in invoice.fields.values()):
        said = f"The e-invoice names ourselves ({invoice.supplier}) as the supplier."
        return replace(read, auto_confirm=False, because=said, warnings=(*read.warnings, said))
    again = read_text_invoice(text, own).invoice
    fields = {name: found for name, found in invoice.fields.items() if name not in ("supplier", "buyer")}
    fields |= {name: again.fields[name] for name in ("supplier", "buyer") if name in again.fields}
    told = replace(invoice, supplier=again.supplier, buyer=again.buyer, fields=fields)
    known = replace(read, entries=(told,))
    if again.supplier is not None:
        return known
    said = f"The only name on it is our own ({invoice.supplier}); there is no supplier."
    return replace(known, auto_confirm=False, because=said, warnings=(*read.warnings, said))
