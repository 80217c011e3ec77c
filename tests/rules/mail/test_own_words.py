"""What the sender says, told from closings, unmarked signatures, disclaimers; and what it hands on."""

import pytest

from postroom.mail.own_words import forwarded_text, own_words

DISCLAIMER = (
    "This e-mail and any attachments are confidential and intended solely for the intended recipient. If you received"
    " it in error, notify the sender; any disclosure is unauthorised."
)


@pytest.mark.parametrize(
    ("closing", "name"),
    [
        ("Kind regards", "Anna Berg\nLegal counsel, Berg Ltd\nTel. +44 20 7946 0000"),
        ("Mit freundlichen Grüßen", "Dr. Anna Berg\nRechtsanwältin"),
        ("Cordialement,", "Anne"),
        ("Un saludo", "Ana"),
        ("Pozdrawiam", "Anna Góra"),
        ("Mvh", "Anna"),
    ],
)
def test_a_closing_and_the_name_below_it_are_no_part_of_what_is_said(closing, name):
    said = own_words(f"Is the pool open in May?\n\n{closing}\n{name}")

    assert "Is the pool open in May?" == said.text
    assert name.split("\n")[0] in said.signature


def test_thanks_in_the_middle_of_a_letter_are_said():
    text = "Thanks for the quick answer!\n\nWe would like to stay until noon on the last day, if that does not put anybody out."

    assert text == own_words(text).text


@pytest.mark.parametrize(
    "line",
    [
        "Thanks, but I want my money back!",
        "Thank you, my lawyer will call you.",
        "Cheers, the railing gave way yesterday.",
        "Best to cancel everything and refund me.",
        "danke, aber ich will mein Geld zurück",
        "Viele Grüße ans Team, das Geländer brach ab",
        "merci de me rembourser.",
        "merci de me rembourser, Monsieur Martin",
        "gracias, pero quiero mi dinero de vuelta",
        "grazie mille, ma rivoglio i soldi!",
        "bedankt, maar ik wil mijn geld terug",
        "obrigado, mas quero o meu dinheiro de volta",
        "dziękuję, ale proszę o zwrot pieniędzy",
        "tack, men jag vill ha pengarna tillbaka",
        "tak, men jeg vil have pengene tilbage",
    ],
)
def test_what_is_said_in_a_line_that_begins_as_a_closing_is_said(line):
    said = own_words(f"Hello,\n\n{line}\n\nAnna Berg\nBerg Ltd")

    assert (f"Hello,\n\n{line}", "Anna Berg\nBerg Ltd") == (said.text, said.signature)


@pytest.mark.parametrize(
    "line",
    [
        "Thanks in advance for your help!",
        "Thanks and best regards",
        "Many thanks, Anna",
        "Best wishes from Berlin",
        "Kind regards, Anna Berg",
        "Thank you very much.",
        "Mit freundlichen Grüßen aus Köln",
        "Danke und viele Grüße, Anna",
        "Merci d'avance pour votre réponse",
        "Muchas gracias y un saludo",
        "Grazie e cordiali saluti",
        "Met vriendelijke groet, Anna",
        "Z góry dziękuję i pozdrawiam",
        "Tack på förhand!",
    ],
)
def test_thanks_and_a_name_in_the_line_that_closes_say_nothing(line):
    said = own_words(f"Is the pool open?\n\n{line}\n\nAnna Berg")

    assert ("Is the pool open?", f"{line}\n\nAnna Berg") == (said.text, said.signature)


@pytest.mark.parametrize(
    "below",
    [
        "PS: I want my money back",
        "P.S. The railing gave way yesterday",
        "PPS my son is allergic to nuts",
        "I want my money back.",
        "we want our money back",
        "The railing gave way last night!",
        "NB the fire alarm is broken",
        "Ich will mein Geld zurück",
        "Je veux être remboursée",
        "Chcę zwrotu moich pieniędzy",
    ],
)
def test_what_is_said_below_the_name_is_said(below):
    said = own_words(f"When is breakfast?\n\nBest regards\nAnna Berg\n\n{below}")

    assert (f"When is breakfast?\n\n{below}", "Best regards\nAnna Berg") == (said.text, said.signature)


@pytest.mark.parametrize(
    "below",
    [
        "Legal counsel, Berg Ltd",
        "Head of customer service",
        "Leiterin der Rechtsabteilung",
        "Sent from my iPhone",
        "Von meinem iPhone gesendet",
        "Envoyé de mon iPhone",
        "Dr. med. Berg & Partner, Hautärzte",
        "Mon-Fri 9-17, closed on public holidays",
        "Tel. +44 20 7946 0000",
    ],
)
def test_titles_and_addresses_below_the_name_say_nothing(below):
    said = own_words(f"When is breakfast?\n\nBest regards\nAnna Berg\n{below}")

    assert ("When is breakfast?", f"Best regards\nAnna Berg\n{below}") == (said.text, said.signature)


def test_a_disclaimer_is_set_aside():
    said = own_words(f"Is the pool open?\n\n{DISCLAIMER}")

    assert ("Is the pool open?", DISCLAIMER) == (said.text, said.disclaimer)


@pytest.mark.parametrize(
    ("subject", "first"),
    [
        ("Fwd: Trouble", "---------- Forwarded message ---------"),
        ("Trouble", "---------- Forwarded message ---------"),
        ("WG: Trouble", "-----Ursprüngliche Nachricht-----"),
        ("Trouble", "Begin forwarded message:"),
    ],
)
def test_what_is_handed_on_is_read(subject, first):
    quoted = f"{first}\nFrom: Guest <guest@client.example>\nDate: Mon, 3 Mar 2025 10:00\nSubject: Trouble\nTo: us@larkspur.example\n\nI want my money back.\n"

    assert "I want my money back." == forwarded_text(subject, quoted)


HEADER = "From: Guest <guest@client.example>\nSubject: Trouble\nDate: Mon, 3 Mar 2025 10:00\nTo: us@larkspur.example"


def marked(text):
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


@pytest.mark.parametrize(
    "quoted",
    [
        pytest.param(marked(f"Begin forwarded message:\n\n{HEADER}\n\nI want my money back."), id="Apple Mail"),
        pytest.param(f"Begin forwarded message:\n\n{marked(HEADER)}\n>\n> I want my money back.", id="marked below its title"),
        pytest.param(marked(f"Begin forwarded message:\n{HEADER}\nI want my money back."), id="HTML without blank lines"),
        pytest.param(f"-----Original Message-----\n{HEADER}\n\n> I want my money back.", id="Outlook with marks"),
        pytest.param(f"{HEADER}\n\n-- \nGuest\n\nOn Mon, 3 Mar 2025 at 9:00, Carl <c@x.example> wrote:\n> I want my money back.", id="the chain inside"),
    ],
)  # fmt: skip
def test_what_is_handed_on_is_read_through_quote_marks(quoted):
    assert "I want my money back." == forwarded_text("Fwd: Trouble", quoted)


def test_every_mail_of_a_chain_that_is_handed_on_is_read_without_its_signature():
    chain = f"{HEADER}\n\nThanks a lot.\n\nKind regards\nDr Guest, solicitor\n\nOn Mon Carl <c@x.example> wrote:\n> I want my money back."

    assert "Thanks a lot.\n\nI want my money back." == forwarded_text("Fwd: Trouble", chain)


@pytest.mark.parametrize("subject", ["Re: Trouble", "Re: Fwd: Trouble", "AW: WG: Trouble"])
def test_what_is_merely_quoted_is_not(subject):
    assert "" == forwarded_text(subject, "On Monday Guest wrote:\n> I want my money back.")
