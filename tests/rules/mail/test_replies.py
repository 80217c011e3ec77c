from __future__ import annotations

import pytest

from postroom.mail.html import html_to_text
from postroom.mail.replies import split_reply

ANNOUNCEMENTS = [
    "On Tue, Mar 5, 2024 at 9:30 AM Anna Berg <anna@client.test> wrote:",
    "On 5 Mar 2024, at 09:30, Anna Berg wrote:",
    "Am 05.03.2024 um 09:30 schrieb Anna Berg <anna@client.test>:",
    "Anna Berg <anna@client.test> schrieb am Di., 5. März 2024, 09:30:",
    "Le mar. 5 mars 2024 à 09:30, Anna Berg <anna@client.test> a écrit :",
    "Il giorno mar 5 mar 2024 alle ore 09:30 Anna Berg <anna@client.test> ha scritto:",
    "El mar, 5 mar 2024 a las 9:30, Anna Berg (<anna@client.test>) escribió:",
    "Op di 5 mrt 2024 om 09:30 schreef Anna Berg <anna@client.test>:",
    "Den tirs. 5. mar. 2024 kl. 09.30 skrev Anna Berg <anna@client.test>:",
    "Den tis 5 mars 2024 kl 09:30 skrev Anna Berg <anna@client.test>:",
    "wt., 5 mar 2024 o 09:30 Anna Berg <anna@client.test> napisał(a):",
    "Em ter., 5 de mar. de 2024 às 09:30, Anna Berg <anna@client.test> escreveu:",
    "вт, 5 мар. 2024 г. в 09:30, Anna Berg <anna@client.test> пишет:",
    "2024-03-05 9:30 GMT+01:00 Anna Berg <anna@client.test>:",
    "tir. 5. mars 2024 kl. 09:30 skrev Anna Berg <anna@client.test>:",
    "ti 5. maalisk. 2024 klo 9.30 Anna Berg (anna@client.test) kirjoitti:",
    "út 5. 3. 2024 v 9:30 odesílatel Anna Berg <anna@client.test> napsal:",
    "Anna Berg <anna@client.test> ezt írta (időpont: 2024. márc. 5., K, 9:30):",
    "Anna Berg <anna@client.test>, 5 Mar 2024 Sal, 09:30 tarihinde şunu yazdı:",
    "2024年3月5日(火) 9:30 Anna Berg <anna@client.test>:",
    "Anna Berg <anna@client.test> 于2024年3月5日周二 上午9:30写道：",
    "2024년 3월 5일 (화) 오전 9:30, Anna Berg <anna@client.test>님이 작성:",
    "On Tue, Mar 5, 2024 at 9:30 AM Anna Berg with a very long name indeed\n<anna@client.test> wrote:",
]


@pytest.mark.parametrize("announcement", ANNOUNCEMENTS)
@pytest.mark.parametrize("quote", ["> Which account?\n> Anna", "Which account?\nAnna"])
def test_what_was_quoted_is_left_out(announcement, quote):
    parts = split_reply(f"The second one, please.\n\nBo\n\n{announcement}\n\n{quote}\n")

    assert parts.new == "The second one, please.\n\nBo"
    assert "Which account?" in parts.quoted


@pytest.mark.parametrize(
    "announcement",
    ["Anna Berg wrote:", "Anna Berg schrieb:", "Anna Berg a écrit :", "Anna Berg escribió:", "Anna Berg skrev:"],
)
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_a_name_alone_announces_only_what_is_marked_as_quoted(announcement, gap):
    quoted = split_reply(f"The second one, please.\n\n{announcement}{gap}> Which account?\n> Anna\n")
    told = split_reply(f"Look what came.\n\n{announcement}{gap}the second one, please.\n")

    assert "The second one, please." == quoted.new
    assert announcement in told.new


BLOCKS = [
    "From: Anna Berg\nSent: Tuesday, March 5, 2024 9:30 AM\nTo: Bo\nSubject: Account",
    "Von: Anna Berg\nGesendet: Dienstag, 5. März 2024 09:30\nAn: Bo\nBetreff: Konto",
    "De : Anna Berg\nEnvoyé : mardi 5 mars 2024 09:30\nÀ : Bo\nObjet : Compte",
    "Da: Anna Berg\nInviato: martedì 5 marzo 2024 09:30\nA: Bo\nOggetto: Conto",
    "De: Anna Berg\nEnviado el: martes, 5 de marzo de 2024 9:30\nPara: Bo\nAsunto: Cuenta",
    "Van: Anna Berg\nVerzonden: dinsdag 5 maart 2024 09:30\nAan: Bo\nOnderwerp: Rekening",
    "Fra: Anna Berg\nSendt: 5. marts 2024 09:30\nTil: Bo\nEmne: Konto",
    "Från: Anna Berg\nSkickat: den 5 mars 2024 09:30\nTill: Bo\nÄmne: Konto",
    "Od: Anna Berg\nWysłano: wtorek, 5 marca 2024 09:30\nDo: Bo\nTemat: Konto",
    "De: Anna Berg\nEnviada em: terça-feira, 5 de março de 2024 09:30\nPara: Bo\nAssunto: Conta",
    "*From:* Anna Berg\n*Sent:* Tuesday\n*To:* Bo\n*Subject:* Account",
    "-----Original Message-----\nwhatever",
    "-----Ursprüngliche Nachricht-----\nwhatever",
    "---------- Forwarded message ---------\nFrom: Anna",
    "Begin forwarded message:\n",
    "________________________________\nFrom: Anna Berg\nSent: Tuesday\nTo: Bo\nSubject: Account",
]


@pytest.mark.parametrize("block", BLOCKS)
def test_a_header_block_begins_the_old_mail(block):
    parts = split_reply(f"The second one, please.\n\n{block}\n\nWhich account?\n")

    assert parts.new == "The second one, please."
    assert parts.quoted.endswith("Which account?")


@pytest.mark.parametrize(
    ("text", "new", "signature"),
    [
        ("Yes.\n\n-- \nBo Lind\nDesk", "Yes.", "-- \nBo Lind\nDesk"),
        ("Yes.\n\n--\nBo", "Yes.", "--\nBo"),
        ("Yes.\n\nSent from my iPhone", "Yes.", "Sent from my iPhone"),
        ("Ja.\n\nVon meinem iPhone gesendet", "Ja.", "Von meinem iPhone gesendet"),
        ("Oui.\n\nEnvoyé de mon iPhone", "Oui.", "Envoyé de mon iPhone"),
        ("Sí.\n\nEnviado desde mi iPhone", "Sí.", "Enviado desde mi iPhone"),
        ("Ja.\n\nVerzonden vanaf mijn iPhone", "Ja.", "Verzonden vanaf mijn iPhone"),
        ("Tak.\n\nWysłane z iPhone'a", "Tak.", "Wysłane z iPhone'a"),
        ("Yes.\n\nGet Outlook for iOS", "Yes.", "Get Outlook for iOS"),
        ("Yes.\n\nRegards\nBo", "Yes.\n\nRegards\nBo", ""),
    ],
)
def test_the_signature_is_told_apart(text, new, signature):
    parts = split_reply(text)

    assert parts.new == new
    assert [line.strip() for line in parts.signature.splitlines()] == [line.strip() for line in signature.splitlines()]


def test_answers_between_quotes_are_kept_together():
    parts = split_reply("On 5 Mar 2024 Anna wrote:\n> First?\nYes.\n> Second?\nNo.\n")

    assert parts.new == "Yes.\nNo."


@pytest.mark.parametrize(
    "text",
    [
        "On Tuesday I wrote to them.\nThey did not answer.",
        "From what I see: all is well.\nSubject to approval.",
        "We paid the total: see the table.\nA: 10\nB: 20",
        "Meeting at 10:30.\nBring the file.",
        "The price is 5 > 4, so buy.",
    ],
)
def test_words_that_only_look_like_quotes_stay(text):
    assert split_reply(text).new == text


def test_a_bare_forward_speaks_through_what_it_forwards():
    parts = split_reply(
        "---------- Forwarded message ---------\nFrom: Anna\nDate: Tue\nSubject: Hi\nTo: Bo\n\nPlease sell.\n"
    )

    assert parts.new == "Please sell."


@pytest.mark.parametrize(
    "html",
    [
        '<div>New words</div><div class="gmail_quote"><div class="gmail_attr">On Tue, 5 Mar 2024 Anna &lt;a@b.test&gt; wrote:<br></div><blockquote class="gmail_quote">old</blockquote></div>',
        '<p>New words</p><div id="divRplyFwdMsg"><b>From:</b> Anna<br><b>Sent:</b> Tuesday<br><b>To:</b> Bo<br><b>Subject:</b> Hi</div><div>old</div>',
        '<div>New words</div><blockquote type="cite"><div>On 5 Mar 2024, at 09:30, Anna wrote:</div><div>old</div></blockquote>',
        '<p>New words</p><div style="border-top:solid #E1E1E1 1pt"><p><b>Von:</b> Anna<br><b>Gesendet:</b> Dienstag<br><b>An:</b> Bo<br><b>Betreff:</b> Hi</p></div><p>old</p>',
    ],
    ids=["gmail", "outlook web", "apple", "outlook"],
)  # fmt: skip
def test_html_replies_are_split_as_well(html):
    assert split_reply(html_to_text(html)).new == "New words"


@pytest.mark.parametrize(
    "added", ["PS: I want my money back", "P.S. my son is allergic to nuts", "PPS - and a cot, please"]
)
def test_a_postscript_below_a_marked_signature_is_new(added):
    parts = split_reply(f"When is breakfast?\n\n-- \nAnna Berg\nBerg Ltd\n\n{added}")

    assert "When is breakfast?" in parts.new
    assert parts.new.endswith(added)
    assert "Berg Ltd" in parts.signature
    assert "Berg Ltd" not in parts.new
