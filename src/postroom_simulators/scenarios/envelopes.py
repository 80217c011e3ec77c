"""Raw mail as a receiving service stores it: trace headers, verdicts about the sender, threads and parts."""

from __future__ import annotations

import email
import hashlib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.header import Header
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from html import escape
from typing import Any, Literal

from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.scenarios.script import ScenarioMailbox

Verdict = Literal["pass", "fail", "none"]


@dataclass(frozen=True, slots=True)
class Correspondent:
    name: str
    address: str

    @property
    def domain(self) -> str:
        return self.address.rpartition("@")[2]

    @property
    def header(self) -> Address:
        return Address(self.name, addr_spec=self.address)


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A part beside the text. A `cid` makes it an inline picture, `old_name` names it as old mailers do."""

    filename: str
    data: bytes
    kind: str = "application/pdf"
    cid: str = ""
    old_name: bool = False


def quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def as_html(text: str) -> str:
    """Paragraphs, and a quoted tail the way mail programs mark it up."""
    fresh: list[str] = []
    tail: list[str] = []
    for line in text.splitlines():
        (tail if line.startswith(">") else fresh).append(line.removeprefix("> ").removeprefix(">"))
    body = "".join(f"<p>{escape(block).replace(chr(10), '<br>')}</p>" for block in "\n".join(fresh).split("\n\n"))
    if tail:
        body += f'<blockquote type="cite">{escape(chr(10).join(tail)).replace(chr(10), "<br>")}</blockquote>'
    head = '<head><meta charset="utf-8"></head>'
    return f'<html>{head}<body style="font-family:Calibri,sans-serif">{body}</body></html>'


class MailWriter:
    """Writes the letters of one mailbox. Everything follows from the seed, also ids and boundaries."""

    def __init__(self, box: ScenarioMailbox, start: datetime, seed: int) -> None:
        self.box = box
        self.start = start
        self._seed = f"{box.address} {start.isoformat()} {seed}"
        self._threads: dict[str, list[str]] = {}

    def code(self, *parts: object, size: int = 16) -> str:
        return hashlib.sha256(" ".join([self._seed, *map(str, parts)]).encode()).hexdigest()[:size]

    def message_id(self, key: str, domain: str) -> str:
        return f"<{self.code(key)}.{self.code(key, 'tail', size=6)}@{domain}>"

    def letter(
        self,
        key: str,
        after: float,
        sender: Correspondent,
        subject: str,
        text: str,
        *,
        about: str,
        truth: Mapping[str, Any] | None = None,
        html: str | None = "",
        plain: bool = True,
        enclosures: Sequence[Enclosure] = (),
        forwarded: EmailMessage | None = None,
        to: Sequence[Correspondent] = (),
        cc: Sequence[Correspondent] = (),
        answers: str = "",
        verdict: Verdict = "pass",
        charset: str = "utf-8",
        encoding: str | None = None,
        headers: Mapping[str, str] | None = None,
        folder: str = "inbox",
    ) -> IncomingMail:
        """`html=""` makes one from the text, `None` leaves it out; `answers` names the mail replied to."""
        mail = EmailMessage(policy=SMTP)
        at = self.start + timedelta(seconds=after)
        if folder != "sentitems":
            for name, value in postmarks(self.box, sender, at, verdict, self.code(key)):
                mail[name] = value
        self._address(mail, key, sender, subject, at, to=to, cc=cc, answers=answers)
        for name, value in (headers or {}).items():
            mail[name] = value
        _fill(mail, text, as_html(text) if html == "" else html, plain=plain, charset=charset, encoding=encoding)
        for enclosure in enclosures:
            _enclose(mail, enclosure)
        if forwarded is not None:
            mail.add_attachment(forwarded)
        return IncomingMail(self.box.address, self._seal(mail, key), after, folder, about, dict(truth or {}))

    def raw(
        self, after: float, raw: str, *, about: str, truth: Mapping[str, Any], folder: str = "inbox"
    ) -> IncomingMail:
        """A mail written out by hand, with line ends made right."""
        return IncomingMail(self.box.address, raw.replace("\n", "\r\n").encode(), after, folder, about, dict(truth))

    def _address(
        self,
        mail: EmailMessage,
        key: str,
        sender: Correspondent,
        subject: str,
        at: datetime,
        *,
        to: Sequence[Correspondent],
        cc: Sequence[Correspondent],
        answers: str,
    ) -> None:
        own = self.message_id(key, sender.domain)
        before = self._threads.get(answers, [])
        self._threads[key] = [*before, own]
        mail["From"] = sender.header
        mail["To"] = [person.header for person in to] or [Address(self.box.name, addr_spec=self.box.address)]
        if cc:
            mail["Cc"] = [person.header for person in cc]
        mail["Subject"] = subject
        mail["Date"] = at - timedelta(seconds=2)
        mail["Message-ID"] = own
        if before:
            mail["In-Reply-To"] = before[-1]
            mail["References"] = " ".join(before)

    def _seal(self, mail: EmailMessage, key: str) -> bytes:
        for number, part in enumerate(mail.walk()):
            if part.is_multipart() and part.get_content_maintype() == "multipart":
                part.set_boundary(f"=_{self.code(key, 'boundary', number, size=24)}")
        return mail.as_bytes()


def postmarks(
    box: ScenarioMailbox, sender: Correspondent, at: datetime, verdict: Verdict, token: str
) -> list[tuple[str, str]]:
    """What the receiving service writes on top: who brought the mail, and what it thinks of the sender."""

    def code(what: str, size: int) -> str:
        return hashlib.sha256(f"{token} {what}".encode()).hexdigest()[:size]

    ip = f"203.0.113.{int(code('ip', 2), 16) % 250 + 2}"
    relay = f"mail-{code(sender.domain, 4)}.{sender.domain}"
    stamp = format_datetime(at)
    first = ("Received", f"from app01.{sender.domain} ([10.20.0.7]) by {relay} with ESMTP id {code('id', 10)}; {stamp}")
    if box.provider == "graph":
        host = f"{code('host', 6).upper()}.eurprd04.prod.outlook.com"
        return [
            ("Received", f"from {relay} ({ip}) by {host} with Microsoft SMTP Server (TLS1_3); {stamp}"),
            ("Authentication-Results", _outlook_results(sender.domain, ip, verdict)),
            ("X-MS-Exchange-Organization-SCL", {"pass": "1", "none": "1", "fail": "5"}[verdict]),
            first,
        ]
    return [
        ("Delivered-To", box.address),
        ("Received", f"from {relay} ({relay}. [{ip}]) by mx.google.com with ESMTPS id {code('gid', 16)}; {stamp}"),
        ("Authentication-Results", _google_results(sender, ip, verdict, code("b", 8))),
        first,
    ]


def _outlook_results(domain: str, ip: str, verdict: Verdict) -> str:
    if verdict == "pass":
        return (
            f"spf=pass (sender IP is {ip}) smtp.mailfrom={domain}; dkim=pass (signature was verified) "
            f"header.d={domain}; dmarc=pass action=none header.from={domain};compauth=pass reason=100"
        )
    if verdict == "none":
        return (
            f"spf=none (sender IP is {ip}) smtp.mailfrom={domain}; dkim=none (message not signed) header.d=none; "
            f"dmarc=none action=none header.from={domain};compauth=pass reason=703"
        )
    return (
        f"spf=fail (sender IP is {ip}) smtp.mailfrom=bulk-relay.example; dkim=none (message not signed) "
        f"header.d=none; dmarc=fail action=oreject header.from={domain};compauth=fail reason=000"
    )


def _google_results(sender: Correspondent, ip: str, verdict: Verdict, signature: str) -> str:
    domain, mailfrom = sender.domain, f"smtp.mailfrom={sender.address}"
    if verdict == "pass":
        return (
            f"mx.google.com; dkim=pass header.i=@{domain} header.s=s1 header.b={signature}; spf=pass (google.com: "
            f"domain of {sender.address} designates {ip} as permitted sender) {mailfrom}; dmarc=pass (p=REJECT "
            f"sp=REJECT dis=NONE) header.from={domain}"
        )
    if verdict == "none":
        return f"mx.google.com; spf=none (google.com: {sender.address} has no permitted sender hosts) {mailfrom}"
    return (
        f"mx.google.com; spf=fail (google.com: domain of {sender.address} does not designate {ip} as permitted "
        f"sender) {mailfrom}; dmarc=fail (p=REJECT sp=REJECT dis=QUARANTINE) header.from={domain}"
    )


def _fill(mail: EmailMessage, text: str, html: str | None, *, plain: bool, charset: str, encoding: str | None) -> None:
    if plain:
        mail.set_content(text, charset=charset, cte=encoding)
        if html is not None:
            mail.add_alternative(html, subtype="html", charset=charset, cte=encoding)
    else:
        mail.set_content(html or "", subtype="html", charset=charset, cte=encoding)


def _enclose(mail: EmailMessage, enclosure: Enclosure) -> None:
    main, _, sub = enclosure.kind.partition("/")
    if enclosure.kind == "message/rfc822":
        mail.add_attachment(email.message_from_bytes(enclosure.data, policy=SMTP), filename=enclosure.filename)
    elif enclosure.cid:
        page = mail.get_body(("html",))
        if page is None:
            raise ValueError(f"The inline picture {enclosure.filename!r} needs an HTML text that shows it.")
        page.add_related(
            enclosure.data,
            main,
            sub,
            cid=f"<{enclosure.cid}>",
            filename=enclosure.filename,
            disposition="inline",
        )
    elif enclosure.old_name:
        mail.add_attachment(enclosure.data, main, sub, disposition="attachment")
        part = list(mail.iter_attachments())[-1]
        name = Header(enclosure.filename, "iso-8859-1").encode()
        part.set_param("name", name)
        part.set_param("filename", name, header="Content-Disposition")
    else:
        mail.add_attachment(enclosure.data, main, sub, filename=enclosure.filename)


def bulk(megabytes: int) -> list[Enclosure]:
    """A file so large that it makes the mail oversized; none for zero."""
    if not 0 <= megabytes <= 140:
        raise ValueError(f"A mail has between 0 and 140 megabytes, not {megabytes}.")
    return [Enclosure("large.bin", bytes(megabytes * 1024 * 1024), "application/octet-stream")] if megabytes else []


def signature_of(seed: bytes) -> bytes:
    """Something that looks like a detached S/MIME signature."""
    return b64encode(hashlib.sha512(seed).digest() * 12)
