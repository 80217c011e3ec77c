"""Mails whose text is the document, and letters that only speak of one."""

from __future__ import annotations

from email.message import EmailMessage

from rooms.documents.dealing import BROKER, PASSED

NOTE = """<html><body><div style="display:none">Your trade of today: 99.99</div>
<table width="600"><tr><td width="20"></td><td><h1>Trade confirmation</h1><p>Dear client, we have bought for you:</p>
<table><tr><th>ISIN</th><th>Security</th><th>Quantity</th><th>Price</th><th>Amount</th></tr>
<tr><td>US0378331005</td><td>Apple Inc.</td><td>{count}</td><td>150.25 USD</td><td>{gross} USD</td></tr>
<tr><td colspan="4">Commission</td><td>10.00 USD</td></tr>
<tr><td colspan="4">Total debit</td><td>{net} USD</td></tr></table>
<p>Trade date: 2026-02-04<br>Settlement date: 2026-02-06</p><script>alert(1)</script></td></tr></table></body></html>"""
BILL = """Invoice

Kestrel Cleaning Ltd
12 Mill Lane, Leeds

Invoice number: KC-2026-118
Invoice date: 2026-02-03
Due date: 2026-03-05

Description                 Quantity    Unit price      Amount
Office cleaning, January           4        120.00      480.00

Net total                                               480.00 GBP
VAT 20 %                                                 96.00 GBP
Total due                                               576.00 GBP

IBAN: GB29 NWBK 6016 1331 9268 19
"""
LETTERS = {
    "asks for a trade": (
        "Order", "Please buy 100 Apple (US0378331005) for me at 150.25 or less, so up to 15,025.00 USD. Regards, Anna"),
    "asks about a trade": (
        "My trade", "I was told that 100 Apple, ISIN US0378331005, were bought at 150.25 for 15,035.00 USD. Why 10.00 more?"),
    "speaks of a bill": (
        "Invoice", "The invoice KC-2026-118 over 576.00 GBP is overdue since 5 March; we paid 480.00 GBP only. Best, Tom"),
    "thanks for a payment": (
        "Payment received", "Thank you, we received 576.00 GBP for invoice KC-2026-118 and 96.00 GBP for KC-2026-117."),
    "offers a fund": (
        "New fund", "Our fund (ISIN IE00B4L5Y983) costs 0.20 % a year and closed at 92.31 EUR, up 1.25 % since Monday."),
    "reminds in German": (
        "Mahnung", "Ihre Rechnung RE-2026-7 über 416,50 EUR ist seit dem 27.02.2026 offen, zzgl. 5,00 EUR Mahngebühr."),
    "a market letter": (
        "Markets", "Apple 150.25 +1.20\nSAP 175.30 -0.40\nOrder now: purchase of US0378331005 without charges until 28.02.2026."),
    "a limit that was not reached": (
        "Your order", "Your order to buy 100 Apple US0378331005 at 150.25 USD was not executed on 2026-02-04. No charge of 10.00."),
}  # fmt: skip


def note(count: int = 100) -> str:
    gross = count * 150.25
    return NOTE.format(count=count, gross=f"{gross:,.2f}", net=f"{gross + 10:,.2f}")


def mail_of(
    to: str, subject: str, text: str, html: str = "", *, sender: str = BROKER, verdict: str = PASSED, name: str = ""
) -> EmailMessage:
    mail = EmailMessage()
    mail["Authentication-Results"] = verdict.format(d=sender.rpartition("@")[2])
    mail["From"], mail["To"], mail["Subject"] = sender, to, subject
    if name:
        mail["Message-ID"] = name
    mail.set_content(text)
    if html:
        mail.add_alternative(html, subtype="html")
    return mail
