from __future__ import annotations

import pytest

from postroom.mail.trust import trust
from postroom.nouns.mail import Address, MailMessage

GOOGLE = ("mx.google.com",)
MICROSOFT = ("", "mx.microsoft.com")
ALLOW = ("broker-house.test", "notes@bank.co.uk")


def mail(sender: str, *headers: tuple[str, str], name: str = "") -> MailMessage:
    address = Address(sender, name)
    return MailMessage(sender=address, from_=(address,), headers=(("from", sender), *headers))


def results(text: str) -> tuple[str, str]:
    return ("authentication-results", text)


DMARC = "mx.google.com; dkim=pass header.i=@broker-house.test; spf=pass smtp.mailfrom=x@broker-house.test; dmarc=pass (p=REJECT) header.from=broker-house.test"
CASES = {
    "DMARC passed, on the list": (
        mail("notes@broker-house.test", results(DMARC)), GOOGLE, "trusted"),
    "a subdomain of the list": (
        mail("notes@mail.broker-house.test", results("mx.google.com; dmarc=pass header.from=mail.broker-house.test")), GOOGLE, "trusted"),
    "DMARC passed, not on the list": (
        mail("a@other.test", results("mx.google.com; dmarc=pass header.from=other.test")), GOOGLE, "authenticated"),
    "aligned DKIM alone": (
        mail("notes@broker-house.test", results("mx.google.com; dkim=pass header.d=broker-house.test")), GOOGLE, "trusted"),
    "somebody else's DKIM": (
        mail("notes@broker-house.test", results("mx.google.com; dkim=pass header.d=mailer.test; spf=pass smtp.mailfrom=b@mailer.test")), GOOGLE, "unknown"),
    "aligned SPF under co.uk": (
        mail("notes@bank.co.uk", results("mx.google.com; spf=pass smtp.mailfrom=bounce@mail.bank.co.uk")), GOOGLE, "trusted"),
    "another house under co.uk": (
        mail("notes@bank.co.uk", results("mx.google.com; spf=pass smtp.mailfrom=x@evil.co.uk")), GOOGLE, "unknown"),
    "DMARC failed": (
        mail("notes@broker-house.test", results("mx.google.com; dmarc=fail header.from=broker-house.test")), GOOGLE, "spoofed"),
    "DMARC about another domain": (
        mail("notes@broker-house.test", results("mx.google.com; dmarc=pass header.from=evil.test")), GOOGLE, "spoofed"),
    "SPF failed": (
        mail("notes@broker-house.test", results("mx.google.com; spf=fail smtp.mailfrom=notes@broker-house.test")), GOOGLE, "spoofed"),
    "no results": (mail("notes@broker-house.test"), GOOGLE, "unknown"),
    "results of a server that is not ours": (
        mail("notes@broker-house.test", results("mx.evil.test; dmarc=pass header.from=broker-house.test")), GOOGLE, "unknown"),
    "a forged result below the real one": (
        mail("notes@broker-house.test", results("mx.google.com; dmarc=fail header.from=broker-house.test"), results(DMARC)), GOOGLE, "spoofed"),
    "our service's name inside a comment": (
        mail("notes@broker-house.test", results("mx.evil.test (mx.google.com); dmarc=pass header.from=broker-house.test")), GOOGLE, "unknown"),
    "Exchange leaves its name out": (
        mail("notes@broker-house.test", results("spf=pass (sender IP is 1.2.3.4) smtp.mailfrom=broker-house.test; dkim=pass header.d=broker-house.test;dmarc=pass action=none header.from=broker-house.test;compauth=pass")), MICROSOFT, "trusted"),
    "a nameless result where names are given": (
        mail("notes@broker-house.test", results("dmarc=pass header.from=broker-house.test")), GOOGLE, "unknown"),
    "another address shown as name": (
        mail("x@evil.test", results("mx.google.com; dmarc=pass header.from=evil.test"), name="notes@broker-house.test"), GOOGLE, "spoofed"),
    "a domain one letter beside": (
        mail("notes@broker-housse.test", results("mx.google.com; dmarc=pass header.from=broker-housse.test")), GOOGLE, "spoofed"),
    "no sender": (MailMessage(), GOOGLE, "unknown"),
}  # fmt: skip


@pytest.mark.parametrize(("message", "authserv", "level"), CASES.values(), ids=CASES)
def test_only_the_receiving_service_is_believed(message, authserv, level):
    found = trust(message, ALLOW, authserv)

    assert found.level == level, found.because


def test_two_authors_are_never_trusted():
    message = MailMessage(
        sender=Address("notes@broker-house.test"),
        from_=(Address("notes@broker-house.test"), Address("x@evil.test")),
        headers=(results(DMARC),),
    )

    assert trust(message, ALLOW, GOOGLE).level == "spoofed"


def test_the_reason_is_a_sentence_for_people():
    found = trust(mail("notes@broker-house.test", results(DMARC)), ALLOW, GOOGLE)

    assert found.because == "DMARC passed for broker-house.test, and broker-house.test is on the allow-list."


def test_where_nobody_asks_for_the_list_nothing_is_said_of_it():
    found = trust(mail("notes@broker-house.test", results(DMARC)), None, GOOGLE)

    assert (found.level, found.because) == ("authenticated", "DMARC passed for broker-house.test.")
