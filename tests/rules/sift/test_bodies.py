from __future__ import annotations

import pytest

from postroom.mail.bodies import body_file, own_part, tells_of_money
from postroom.mail.parse import read_mail
from postroom.nouns.mail import Address, MailMessage

TRADE = "We bought 100 Apple, ISIN US0378331005, at 150.25. Total 15,035.00 USD."
TABLE = "<table><tr><td>ISIN US0378331005<td>150.25<td>15,035.00</table>"
FORWARDED = (
    "---------- Forwarded message ---------\nFrom: Broker <b@broker.test>\nDate: Mon, 4 Mar 2024\nSubject: Trade\n"
    "To: anna@house.test"
)
QUOTED = "<p>Thanks!</p><div>On Mon, 4 Mar 2024 at 10:00, B &lt;b@broker.test&gt; wrote:<blockquote>"
HEAD = "From: b@broker.test\r\nSubject: Trade\r\nContent-Type: text/html; charset=iso-8859-1\r\n\r\n"
MAY_BE_PAPERS = {
    "a trade": TRADE,
    "a bill": "Invoice 4711\nNet 100.00\nTax 19.00\nTotal 119.00 EUR",
    "a German bill": "Rechnung 4711\nNetto 1.100,00 €\nGesamt 1.309,00 €",
    "a Swiss one": "Abrechnung Kauf: 1'205.50 und 12.00 CHF.",
    "an ISIN and amounts without a word": "US0378331005  150.25  1502.50",
}
ARE_NONE = {
    "a letter": "Dear team, shall we meet at noon? Best, Anna",
    "one amount": "Your invoice of 120.00 EUR is overdue.",
    "days and times are no amounts": "The order of 13.03.2024, 14.03.2024 and 15.03.2024, version 1.2.3.4",
    "amounts without a word": "The temperature was 21.50 in May and 22.75 in June.",
}


@pytest.mark.parametrize("text", MAY_BE_PAPERS.values(), ids=MAY_BE_PAPERS)
def test_a_text_with_amounts_and_a_word_for_them_may_be_a_paper(text):
    assert tells_of_money(text)


@pytest.mark.parametrize("text", ARE_NONE.values(), ids=ARE_NONE)
def test_a_text_without_is_none(text):
    assert not tells_of_money(text)


def test_words_count_for_the_pipelines_of_the_mailbox_only():
    bill = MAY_BE_PAPERS["a bill"]

    assert tells_of_money(bill, ["ap_invoices"])
    assert not tells_of_money(bill, ["pad_contract_notes"])


def test_of_an_answer_only_what_is_new_counts():
    answer = f"Thank you, that is right.\n\nOn Mon, 4 Mar 2024 at 10:00, Broker <b@broker.test> wrote:\n> {TRADE}\n"

    assert own_part("Re: your trade", answer) == "Thank you, that is right."


def test_a_forwarded_paper_counts_as_a_whole():
    handed_on = f"For the books.\n\n{FORWARDED}\n\n{TRADE}\n"

    assert TRADE in own_part("Fwd: Trade", handed_on)


def mail(**more) -> MailMessage:
    return MailMessage(sender=Address("b@broker.test"), subject=more.pop("subject", "Your trade: 4711"), **more)


def test_the_text_is_a_file_named_after_its_subject():
    found = body_file(mail(text_body=TRADE))

    assert (found.filename, found.sniffed_type, found.content) == ("Your trade 4711.txt", "text/plain", TRADE.encode())


def test_html_with_a_table_is_taken_as_it_is():
    found = body_file(mail(text_body=TRADE, html_body=f"<div>{TABLE}</div>"))

    assert (found.filename, found.sniffed_type) == ("Your trade 4711.html", "text/html")
    assert TABLE in found.content.decode("utf-8-sig")


def test_html_without_a_table_says_no_more_than_its_text():
    assert body_file(mail(text_body=TRADE, html_body=f"<p>{TRADE}</p>")).sniffed_type == "text/plain"


def test_html_counts_where_the_text_beside_it_only_asks_for_another_program():
    found = body_file(mail(text_body="Please use a program that shows HTML.", html_body=TABLE))

    assert found.sniffed_type == "text/html"


def test_of_an_html_answer_the_new_words_count_without_what_is_quoted():
    quoted = f"{QUOTED}{TABLE}</blockquote></div>"

    assert body_file(mail(subject="Re: trade", html_body=quoted, text_body="Thanks!")) is None


def test_an_enclosed_mail_speaks_for_one_that_only_hands_it_on():
    found = body_file(mail(subject="Fwd", text_body="see below", enclosed=(mail(text_body=TRADE),)))

    assert found.filename == "Your trade 4711.txt"


def test_the_same_mail_gives_the_same_file_each_time():
    raw = f"{HEAD}<p>Stück {TABLE}".encode("latin-1")

    assert body_file(read_mail(raw)).sha256 == body_file(read_mail(raw)).sha256


def test_a_flood_of_text_is_no_paper():
    assert body_file(mail(text_body=TRADE + " x" * 200_000)) is None
