"""A corpus of attacks: what senders write so that a mail looks authenticated. None of it may vouch for them."""

from __future__ import annotations

import time

import pytest

from postroom.mail.trust import trust
from postroom.nouns.mail import Address, MailMessage

GOOGLE, EXCHANGE = ("mx.google.com",), ("",)
ALLOW = ("bank.test", "broker.ltd.uk", "desk@good.onmicrosoft.com")


def mail(sender: str, *headers: tuple[str, str]) -> MailMessage:
    address = Address(sender)
    return MailMessage(sender=address, from_=(address,), headers=(("from", sender), *headers))


def results(text: str) -> tuple[str, str]:
    return ("authentication-results", text)


PASS = "mx.google.com; dmarc=pass header.from=bank.test"
ATTACKS = {
    "a semicolon inside quotes, before the real failure": (
        mail("a@bank.test", results('mx.google.com; spf=pass smtp.mailfrom="x; dmarc=pass header.from=bank.test; y"@evil.test; dmarc=fail header.from=bank.test')), GOOGLE, "spoofed"),
    "a semicolon inside quotes, where the domain has no DMARC": (
        mail("a@bank.test", results('mx.google.com; spf=pass smtp.mailfrom="x; dmarc=pass header.from=bank.test"@evil.test')), GOOGLE, "unknown"),
    "a local part that closes the comment it is repeated in": (
        mail("a@bank.test", results('mx.google.com; spf=pass (google.com: domain of "x) ; dmarc=pass header.from=bank.test ("@evil.test designates 1.2.3.4) smtp.mailfrom=evil.test')), GOOGLE, "unknown"),
    "a local part that closes the comment, and DMARC failed": (
        mail("a@bank.test", results("mx.google.com; spf=pass (domain of x) ; dmarc=pass header.from=bank.test (designates 1.2.3.4) smtp.mailfrom=evil.test; dmarc=fail header.from=bank.test")), GOOGLE, "spoofed"),
    "comments within comments": (
        mail("a@bank.test", results("mx.google.com; spf=none (a (dmarc=pass header.from=bank.test;) b) smtp.mailfrom=evil.test")), GOOGLE, "unknown"),
    "an escaped bracket in a comment": (
        mail("a@bank.test", results(r"mx.google.com; spf=none (a \) ; dmarc=pass header.from=bank.test) smtp.mailfrom=evil.test")), GOOGLE, "unknown"),
    "a comment that never ends": (
        mail("a@bank.test", results("mx.google.com; dmarc=pass header.from=bank.test (")), GOOGLE, "unknown"),
    "two words on DMARC": (
        mail("a@bank.test", results("mx.google.com; dmarc=pass header.from=bank.test; dmarc=none header.from=bank.test")), GOOGLE, "unknown"),
    "two passes of DMARC": (
        mail("a@bank.test", results("mx.google.com; dmarc=pass header.from=bank.test; dmarc=pass header.from=bank.test")), GOOGLE, "unknown"),
    "DKIM passed and failed for one domain": (
        mail("a@bank.test", results("mx.google.com; dkim=pass header.d=bank.test; dkim=fail header.d=bank.test")), GOOGLE, "unknown"),
    "a forged header below that of another server": (
        mail("a@bank.test", results("relay.bank.test; none"), results(PASS)), GOOGLE, "unknown"),
    "a forged header below one that cannot be read": (
        mail("a@bank.test", results('mx.google.com; dmarc="'), results(PASS)), GOOGLE, "unknown"),
    "our service's name in quotes": (
        mail("a@bank.test", results('"mx.google.com"; dmarc=pass header.from=bank.test')), GOOGLE, "unknown"),
    "our service's name with more behind it": (
        mail("a@bank.test", results("mx.google.com.evil.test; dmarc=pass header.from=bank.test")), GOOGLE, "unknown"),
    "a version nobody knows": (
        mail("a@bank.test", results("mx.google.com 9; dmarc=pass header.from=bank.test")), GOOGLE, "unknown"),
    "no word on whom DMARC was checked for": (
        mail("a@bank.test", results("mx.google.com; dmarc=pass")), GOOGLE, "unknown"),
    "the sender's own Received-SPF": (
        mail("a@bank.test", ("received-spf", "pass (google.com: domain of a@bank.test designates 1.2.3.4 as permitted sender) receiver=mx.google.com; client-ip=1.2.3.4;")), GOOGLE, "unknown"),
    "the sender's own ARC results": (
        mail("a@bank.test", ("arc-authentication-results", "i=9; mx.google.com; dmarc=pass header.from=bank.test")), GOOGLE, "unknown"),
    "another company under ltd.uk": (
        mail("a@broker.ltd.uk", results("mx.google.com; spf=pass smtp.mailfrom=x@evil.ltd.uk; dkim=pass header.d=evil.ltd.uk")), GOOGLE, "unknown"),
    "another tenant of Microsoft's": (
        mail("desk@good.onmicrosoft.com", results("spf=pass (sender IP is 1.2.3.4) smtp.mailfrom=evil.onmicrosoft.com; dkim=pass (signature was verified) header.d=evil.onmicrosoft.com;dmarc=none action=none header.from=good.onmicrosoft.com;compauth=pass reason=703")), EXCHANGE, "unknown"),
    "the parent of all Microsoft's tenants": (
        mail("desk@good.onmicrosoft.com", results("dkim=pass (signature was verified) header.d=onmicrosoft.com;dmarc=none header.from=good.onmicrosoft.com")), EXCHANGE, "unknown"),
    "a public suffix that signs": (
        mail("a@broker.ltd.uk", results("mx.google.com; dkim=pass header.d=ltd.uk")), GOOGLE, "unknown"),
    "a name where Exchange leaves it out": (
        mail("a@bank.test", results("mx.evil.test; dmarc=pass header.from=bank.test")), EXCHANGE, "unknown"),
    "Microsoft's own judgement failed": (
        mail("a@bank.test", results("spf=pass smtp.mailfrom=bank.test; dkim=none header.d=none;dmarc=none header.from=bank.test;compauth=fail reason=001")), EXCHANGE, "unknown"),
    "letters in disguise": (
        mail("a@bank.test", results("mx.google.com; dmаrc=pass header.from=bank.test")), GOOGLE, "unknown"),
    "a header of a megabyte": (
        mail("a@bank.test", results(f"mx.google.com; {'(' * 1_000_000} dmarc=pass header.from=bank.test")), GOOGLE, "unknown"),
    "brackets as deep as allowed": (
        mail("a@bank.test", results(f"mx.google.com; {'(' * 3_900}{')' * 3_900}; dmarc=pass header.from=bank.test")), GOOGLE, "unknown"),
}  # fmt: skip


@pytest.mark.parametrize(("message", "authserv", "level"), ATTACKS.values(), ids=ATTACKS)
def test_nothing_a_sender_writes_vouches_for_them(message, authserv, level):
    began = time.process_time()

    found = trust(message, ALLOW, authserv)

    assert (level, True) == (found.level, time.process_time() - began < 2), found.because


HONEST = {
    "Google, as it writes": (
        mail("a@bank.test", results("mx.google.com; dkim=pass header.i=@bank.test header.s=s1 header.b=Ab/+d3=; spf=pass (google.com: domain of bounces+srs=x=y@mail.bank.test designates 2001:db8::1 as permitted sender) smtp.mailfrom=bounces+srs=x=y@mail.bank.test; dmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from=bank.test")), GOOGLE),
    "Exchange, as it writes": (
        mail("a@bank.test", results("spf=pass (sender IP is 1.2.3.4) smtp.mailfrom=bank.test; dkim=pass (signature was verified) header.d=bank.test;dmarc=pass action=none header.from=bank.test;compauth=pass reason=100")), EXCHANGE),
    "two signatures, one of them a mailer's": (
        mail("a@bank.test", results("mx.google.com; dkim=pass header.i=@bank.test; dkim=fail header.i=@mailer.test; spf=softfail smtp.mailfrom=x@mailer.test; dmarc=pass header.from=bank.test")), GOOGLE),
    "SPF twice, once for the greeting": (
        mail("a@bank.test", results("mx.google.com; spf=none smtp.helo=relay.bank.test; spf=pass smtp.mailfrom=a@bank.test")), GOOGLE),
    "a tenant of Microsoft's for itself": (
        mail("desk@good.onmicrosoft.com", results("spf=pass smtp.mailfrom=good.onmicrosoft.com; dkim=pass header.d=good.onmicrosoft.com;dmarc=pass action=none header.from=good.onmicrosoft.com")), EXCHANGE),
}  # fmt: skip


@pytest.mark.parametrize(("message", "authserv"), HONEST.values(), ids=HONEST)
def test_what_receiving_services_write_is_understood(message, authserv):
    found = trust(message, ALLOW, authserv)

    assert found.level == "trusted", found.because
