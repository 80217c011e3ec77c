"""Whether the sender is who the From line says, by the word of the receiving service alone."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from postroom.mail.authentication import AuthenticationReport, receivers_report
from postroom.mail.domains import organisation, same_organisation
from postroom.nouns.mail import Address, MailMessage, Trust
from postroom.nouns.mailbox_rules import listed_sender
from postroom.nouns.providers import ProviderName

# Who signs the authentication results that we may rely on. Exchange Online leaves its name out.
_AUTHSERV: Mapping[ProviderName, tuple[str, ...]] = {"outlook": ("",), "gmail": ("mx.google.com",)}


def trusted_authserv(provider: ProviderName) -> tuple[str, ...]:
    return _AUTHSERV.get(provider, ())


def trust(message: MailMessage, allow_list: Iterable[str] | None, trusted_authserv: Collection[str]) -> Trust:
    """`trusted_authserv` names the receiving service as it signs its results, such as `mx.google.com`.

    With `allow_list=None` nothing is said of it: each pipeline has its own, and asks by itself.

    Exchange Online leaves its name out of the plain header: an empty string in the collection accepts that.
    Anything that other servers wrote, or that the sender put in, counts for nothing.
    """
    allowed = tuple(allow_list or ())
    sender = message.sender
    if sender is None or not sender.domain:
        return Trust("unknown", "The mail has no readable From address.")
    if len(message.from_) > 1 or len(list(message.header_all("from"))) > 1:
        return Trust("spoofed", "The mail names several authors in From; only one can have been checked.")
    if trick := _disguise(sender, allowed):
        return Trust("spoofed", trick)
    report = receivers_report(message, trusted_authserv)
    entry = listed_sender(sender, allowed)
    if report is None:
        return Trust("unknown", "The receiving service left no authentication result we may rely on.")
    proof, objection = _proof(report, sender)
    if objection:
        return Trust("spoofed", objection)
    if not proof:
        return Trust("unknown", f"No check vouches for {sender.domain}: {report.doubt or report.summary}.")
    if entry:
        return Trust("trusted", f"{proof}, and {entry} is on the allow-list.")
    if allow_list is None:
        return Trust("authenticated", f"{proof}.")
    return Trust("authenticated", f"{sender.email} is genuine ({proof}), but not on your list of trusted senders.")


def _proof(report: AuthenticationReport, sender: Address) -> tuple[str, str]:
    """A sentence that vouches for the sender, or one that speaks against it."""
    if objection := _objection(report, sender):
        return "", objection
    if report.doubt:
        return "", ""
    for check in report.of("dmarc"):
        if check.outcome == "pass" and check.properties.get("header.from") == sender.domain:
            return f"DMARC passed for {sender.domain}", ""
    for check in report.of("dkim"):
        signer = check.properties.get("header.d") or check.properties.get("header.i", "")
        if check.outcome == "pass" and same_organisation(signer.rpartition("@")[2], sender.domain):
            return f"DKIM passed for {sender.domain}", ""
    for check in report.of("spf"):
        envelope = check.properties.get("smtp.mailfrom", "").rpartition("@")[2]
        if check.outcome == "pass" and same_organisation(envelope, sender.domain):
            return f"SPF passed for {sender.domain}", ""
    return "", ""


def _objection(report: AuthenticationReport, sender: Address) -> str:
    """What speaks against the sender counts even where other checks speak for them."""
    for check in report.of("dmarc"):
        about = check.properties.get("header.from", sender.domain)
        if about != sender.domain and not same_organisation(about, sender.domain):
            return f"DMARC was checked for {about}, but the From line says {sender.domain}."
        if check.outcome == "fail":
            return f"DMARC failed for {sender.domain}: the mail does not come from there."
    if any(check.outcome == "pass" for check in report.of("dmarc") + report.of("dkim")):
        return ""  # forwarding breaks SPF, and leaves these
    for check in report.of("spf"):
        envelope = check.properties.get("smtp.mailfrom", "").rpartition("@")[2]
        if check.outcome in ("fail", "hardfail") and same_organisation(envelope, sender.domain):
            return f"SPF failed for {sender.domain}: the sending server is not one of its own."
    return ""


def _disguise(sender: Address, allowed: tuple[str, ...]) -> str:
    """A name that shows another address, or a domain one letter beside one we trust."""
    shown = re.search(r"[\w.+-]+@([\w-]+\.[\w.-]+)", sender.name)
    if shown and not same_organisation(shown[1], sender.domain):
        return f"The sender's name shows {shown[0]}, but the mail comes from {sender.domain}."
    if listed_sender(sender, allowed):
        return ""
    for entry in allowed:
        domain = entry.rpartition("@")[2].lower()
        if "*" not in domain and _one_letter_apart(_name(sender.domain), _name(domain)):
            return f"{sender.domain} looks like {domain} of the allow-list, but is another domain."
    return ""


def _name(domain: str) -> str:
    return organisation(domain) or domain


def _one_letter_apart(one: str, other: str) -> bool:
    if one == other or abs(len(one) - len(other)) > 1 or min(len(one), len(other)) < 7:
        return False
    start = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return (
        one[start + 1 :] == other[start + 1 :] or one[start:] == other[start + 1 :] or one[start + 1 :] == other[start:]
    )
