"""Which part of a domain somebody registered, by the public suffix list."""

from __future__ import annotations

from functools import cache

from publicsuffixlist import PublicSuffixList

# Strangers live side by side below these, though the public list does not say so.
SHARED_PARENTS = frozenset(
    (
        *("mail.onmicrosoft.com", "onmicrosoft.com", "onmicrosoft.us", "onmicrosoft.de", "partner.onmschina.cn"),
        *(
            "amazonses.com",
            "sendgrid.net",
            "mailgun.org",
            "mandrillapp.com",
            "hs-send.com",
            "zendesk.com",
            "freshdesk.com",
        ),
    )
)


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()


def registered(domain: str) -> str:
    """The part that somebody registered: `acme.co.uk` of `mail.acme.co.uk`. Empty when there is none."""
    return _suffixes().privatesuffix(domain.strip(".").lower()) or ""


def organisation(domain: str) -> str:
    """Whose domain it is: as registered, or one label below a parent that many share. Empty when nobody's."""
    labels = domain.strip(".").lower().split(".")
    for at in range(len(labels)):
        if ".".join(labels[at:]) in SHARED_PARENTS:
            return ".".join(labels[at - 1 :]) if at else ""
    return registered(domain)


def same_organisation(one: str, other: str) -> bool:
    """Whether one and the same registered both."""
    owner = organisation(one)
    return bool(owner) and owner == organisation(other)
