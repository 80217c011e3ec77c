"""Whether the sender is who the From line says, by the word of the receiving service alone."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from postroom.nouns.mail import Address, MailMessage, Trust
from postroom.nouns.mailbox_rules import listed_sender
from postroom.nouns.providers import ProviderName

# Who signs the authentication results that we may rely on. Exchange Online leaves its name out.
_AUTHSERV: Mapping[ProviderName, tuple[str, ...]] = {"outlook": ("",), "gmail": ("mx.google.com",)}
_SECOND_LEVEL = frozenset(("co", "com", "org", "gov", "ac", "net", "edu", "or", "ne", "go", "gob", "gv"))
_COMMENT = re.compile(r"\([^()]*\)")
_RESULT = re.compile(r"^\s*([\w-]+)(?:/\d+)?\s*=\s*([\w-]+)(.*)$", re.DOTALL)
_PROPERTY = re.compile(r"([\w-]+\.[\w-]+)\s*=\s*(\"[^\"]*\"|[^\s;]+)")


@dataclass(frozen=True, slots=True)
class _Result:
    method: str
    outcome: str
    properties: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Report:
    """One Authentication-Results header: who says it, and what."""

    authserv: str
    results: tuple[_Result, ...]

    def outcomes(self, method: str) -> list[_Result]:
        return [result for result in self.results if result.method == method]


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
    report = _report(message, frozenset(name.lower() for name in trusted_authserv))
    entry = listed_sender(sender, allowed)
    if report is None:
        return Trust("unknown", "The receiving service left no authentication result we may rely on.")
    proof, objection = _proof(report, sender)
    if objection:
        return Trust("spoofed", objection)
    if not proof:
        return Trust("unknown", f"No check vouches for {sender.domain}: {_summary(report)}.")
    if entry:
        return Trust("trusted", f"{proof}, and {entry} is on the allow-list.")
    if allow_list is None:
        return Trust("authenticated", f"{proof}.")
    return Trust("authenticated", f"{proof}, but {sender.email} is not on the allow-list.")


def _proof(report: _Report, sender: Address) -> tuple[str, str]:
    """A sentence that vouches for the sender, or one that speaks against it."""
    dmarc = next(iter(report.outcomes("dmarc")), None)
    about = dmarc.properties.get("header.from", sender.domain) if dmarc else sender.domain
    if dmarc and not _same_house(about, sender.domain):
        return "", f"DMARC was checked for {about}, but the From line says {sender.domain}."
    if dmarc and dmarc.outcome == "fail":
        return "", f"DMARC failed for {sender.domain}: the mail does not come from there."
    if dmarc and dmarc.outcome == "pass":
        return f"DMARC passed for {sender.domain}", ""
    for result in report.outcomes("dkim"):
        signer = result.properties.get("header.d") or result.properties.get("header.i", "")
        if result.outcome == "pass" and _same_house(signer.rpartition("@")[2], sender.domain):
            return f"DKIM passed for {sender.domain}", ""
    for result in report.outcomes("spf"):
        envelope = result.properties.get("smtp.mailfrom", "").rpartition("@")[2]
        if result.outcome == "pass" and _same_house(envelope, sender.domain):
            return f"SPF passed for {sender.domain}", ""
        if result.outcome in ("fail", "hardfail") and _same_house(envelope, sender.domain):
            return "", f"SPF failed for {sender.domain}: the sending server is not one of its own."
    return "", ""


def _summary(report: _Report) -> str:
    return ", ".join(f"{result.method} {result.outcome}" for result in report.results) or "nothing was checked"


def _report(message: MailMessage, trusted: frozenset[str]) -> _Report | None:
    """The receiving service's own result: the topmost plain one, else the last of the ARC chain, else SPF."""
    for value in message.header_all("authentication-results"):
        report = _parsed(value)
        if report.authserv in trusted:
            return report
    sealed = [_arc(value) for value in message.header_all("arc-authentication-results")]
    newest = max(sealed, key=lambda pair: pair[0], default=None)
    if newest is not None and newest[1].authserv in trusted and newest[1].authserv:
        return newest[1]
    return _received_spf(message.header("received-spf"), trusted)


def _parsed(value: str) -> _Report:
    first, *rest = _COMMENT.sub(" ", value).split(";")
    words = first.split()
    authserv = words[0].lower() if words and "=" not in first else ""
    clauses = rest if words and "=" not in first else [first, *rest]
    return _Report(authserv, tuple(result for clause in clauses if (result := _result(clause))))


def _result(clause: str) -> _Result | None:
    match = _RESULT.match(clause)
    if match is None:
        return None
    properties = {key.lower(): text.strip('"').lower() for key, text in _PROPERTY.findall(match[3])}
    return _Result(match[1].lower(), match[2].lower(), properties)


def _arc(value: str) -> tuple[int, _Report]:
    instance, _, rest = value.partition(";")
    number = re.search(r"i\s*=\s*(\d{1,3})", instance)
    return (int(number[1]) if number else 0), _parsed(rest)


def _received_spf(value: str, trusted: frozenset[str]) -> _Report | None:
    """`Received-SPF: pass (google.com: domain of a@b.test designates …) receiver=mx.google.com; …`"""
    outcome = value.partition(" ")[0].lower()
    receiver = re.search(r"receiver=([^\s;]+)", value, re.IGNORECASE)
    speaker = re.match(r"\w+\s+\(([\w.-]+):", value)
    names = {found[1].lower().rstrip(";") for found in (receiver, speaker) if found}
    named = any(_same_house(name, known) for name in names for known in trusted if known)
    envelope = re.search(r"(?:domain of|envelope-from=|mailfrom=)\s*\"?<?([^\s>\";]+)", value, re.IGNORECASE)
    if not outcome or not named or envelope is None:
        return None
    return _Report(next(iter(names)), (_Result("spf", outcome, {"smtp.mailfrom": envelope[1].lower()}),))


def _organisation(domain: str) -> str:
    """The registered name: two labels, or three under `co.uk` and its like."""
    labels = domain.strip(".").lower().split(".")
    size = 3 if len(labels) > 2 and labels[-2] in _SECOND_LEVEL and len(labels[-1]) == 2 else 2
    return ".".join(labels[-size:])


def _same_house(one: str, other: str) -> bool:
    return bool(one) and "." in one and _organisation(one) == _organisation(other)


def _disguise(sender: Address, allowed: tuple[str, ...]) -> str:
    """A name that shows another address, or a domain one letter beside one we trust."""
    shown = re.search(r"[\w.+-]+@([\w-]+\.[\w.-]+)", sender.name)
    if shown and not _same_house(shown[1], sender.domain):
        return f"The sender's name shows {shown[0]}, but the mail comes from {sender.domain}."
    if listed_sender(sender, allowed):
        return ""
    for entry in allowed:
        domain = entry.rpartition("@")[2].lower()
        if "*" not in domain and _one_letter_apart(_organisation(sender.domain), _organisation(domain)):
            return f"{sender.domain} looks like {domain} of the allow-list, but is another domain."
    return ""


def _one_letter_apart(one: str, other: str) -> bool:
    if one == other or abs(len(one) - len(other)) > 1 or min(len(one), len(other)) < 7:
        return False
    start = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return (
        one[start + 1 :] == other[start + 1 :] or one[start:] == other[start + 1 :] or one[start + 1 :] == other[start:]
    )
