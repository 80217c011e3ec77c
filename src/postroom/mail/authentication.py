"""The receiving service's own word on a mail: its topmost Authentication-Results header, read by RFC 8601."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection
from dataclasses import dataclass, field

import authres
import authres.dmarc
from authres.core import AuthenticationResultsHeader

from postroom.nouns.mail import MailMessage

LONGEST_HEADER = 8_000  # characters; what a receiving service writes has a few hundred
_NAMELESS = "nameless.invalid"  # stands in for the name that Exchange Online leaves out
_READER = authres.FeatureContext(authres.dmarc)  # the result classes of RFC 8601, and DMARC's
# What a sender chose (local parts) is repeated in comments and quotes. No honest address needs these characters there.
_QUOTED, _COMMENT = re.compile(r'"([^"]*)"'), re.compile(r"\(([^()]*)\)")
_NEVER_QUOTED, _NEVER_IN_COMMENTS = frozenset(";()"), frozenset(';"\\')


@dataclass(frozen=True, slots=True)
class AuthenticationCheck:
    """One check: `dmarc=pass header.from=acme.test`."""

    method: str
    outcome: str
    properties: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AuthenticationReport:
    """What the receiving service found out. `doubt` says why none of it may vouch for anybody."""

    checks: tuple[AuthenticationCheck, ...]
    doubt: str = ""

    def of(self, method: str) -> list[AuthenticationCheck]:
        return [check for check in self.checks if check.method == method]

    @property
    def summary(self) -> str:
        return ", ".join(f"{check.method} {check.outcome}" for check in self.checks) or "nothing was checked"


def receivers_report(message: MailMessage, trusted_authserv: Collection[str]) -> AuthenticationReport | None:
    """Of the topmost header alone: whatever lies below it, other servers wrote, or the sender.

    Neither ARC results nor Received-SPF count: anybody can write those, and nobody here checks their seals.
    """
    topmost = next(iter(message.header_all("authentication-results")), None)
    if topmost is None or len(topmost) > LONGEST_HEADER:
        return None
    return _report(topmost, frozenset(name.lower() for name in trusted_authserv))


@functools.lru_cache(256)
def _report(topmost: str, trusted: frozenset[str]) -> AuthenticationReport | None:
    """Remembered: a mail is asked about when it is recorded, and once more for each of its documents."""
    for name, text in (("", f"{_NAMELESS}; {topmost}"), (None, topmost)):
        if name is not None and name not in trusted:
            continue
        header = _read(text)
        if header is not None and (name is not None or header.authserv_id in trusted):
            checks = tuple(_check(result) for result in header.results)
            return AuthenticationReport(checks, _doubt(topmost, checks))
    return None


def _read(text: str) -> AuthenticationResultsHeader | None:
    try:
        return AuthenticationResultsHeader.parse_value(_READER, text.rstrip("; \t"))
    except (authres.AuthResError, RecursionError):
        return None


def _check(result: authres.AuthenticationResult) -> AuthenticationCheck:
    properties: dict[str, str] = {}
    for each in result.properties:
        properties.setdefault(f"{each.type}.{each.name}".lower(), (each.value or "").lower())
    return AuthenticationCheck(result.method.lower(), result.result.lower(), properties)


def _doubt(text: str, checks: tuple[AuthenticationCheck, ...]) -> str:
    """A header that contradicts itself proves nothing, nor does one into which the sender wrote."""
    if _smuggled(text):
        return "the sender wrote into the authentication result"
    if any(check.method == "compauth" and check.outcome == "fail" for check in checks):
        return "Microsoft's own judgement of the sender failed"
    for method, about in (("dmarc", ""), ("spf", "smtp.mailfrom"), ("dkim", "header.d"), ("dkim", "header.i")):
        said: dict[str, set[str]] = {}
        for check in checks:
            if check.method == method and (not about or about in check.properties):
                said.setdefault(check.properties.get(about, ""), set()).add(check.outcome)
        if any(len(outcomes) > 1 for outcomes in said.values()):
            return f"the authentication result contradicts itself on {method.upper()}"
    many = [each for each in ("dmarc", "spf") if len([c for c in checks if c.method == each and _names(c)]) > 1]
    return f"the authentication result speaks twice of {many[0].upper()}" if many else ""


def _names(check: AuthenticationCheck) -> bool:
    """Whether it is about an address or domain that would count; SPF also checks how the server greeted."""
    return check.method != "spf" or "smtp.mailfrom" in check.properties


def _smuggled(text: str) -> bool:
    quoted = any(not _NEVER_QUOTED.isdisjoint(each) for each in _QUOTED.findall(text))
    return quoted or any(not _NEVER_IN_COMMENTS.isdisjoint(each) for each in _COMMENT.findall(text))
