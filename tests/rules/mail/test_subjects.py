"""What mail programs put before a subject."""

import pytest

from postroom.mail.subjects import bare_subject, is_forward, names_something, own_subject


@pytest.mark.parametrize(
    "subject",
    [
        "Pool", "Re: Pool", "AW: Re: Pool", "Re: Antwort: Pool", "Re: RES: Pool", "Re: Rif: Pool", "Re: Re[2]: Pool", "RE : Pool",
        "Re: [EXTERNAL] Re: Pool", "[EXTERN] WG: Pool", "Odp.: Pool", "SV: VS: Pool", "I: Pool", "Réf. : Pool", "Re:Re:Pool", "PD: Pool",
    ],
)  # fmt: skip
def test_a_bare_subject_has_no_prefix(subject):
    assert "Pool" == bare_subject(subject)


@pytest.mark.parametrize("subject", ["Ref: 4711 Pool", "Ref.: A-12", "[Team] Pool", "Pool: re"])
def test_what_the_sender_wrote_stays(subject):
    assert subject == bare_subject(f"Re: {subject}") == own_subject(subject)


@pytest.mark.parametrize(
    "subject",
    [
        "", "(no subject)", "<no subject>", "(kein Betreff)", "(sans objet)", "(sin asunto)", "(nessun oggetto)", "(geen onderwerp)",
        "(sem assunto)", "(brak tematu)", "(inget ämne)", "(intet emne)", "Re: (no subject)", "Re:",
    ],
)  # fmt: skip
def test_what_programs_write_where_nobody_wrote_a_subject_names_nothing(subject):
    assert (False, "") == (names_something(subject), own_subject(subject))


@pytest.mark.parametrize("subject", ["No subject is too small", "None of our keys work", "Ohne Betreff kam Ihre Mail"])
def test_a_subject_that_begins_so_names_something(subject):
    assert names_something(subject)


def test_the_outermost_prefix_says_whether_it_is_a_forward():
    assert [True, True, False, False] == [
        is_forward(each) for each in ("Fwd: Re: Pool", "[EXTERNAL] WG: Pool", "Re: Fwd: Pool", "Pool")
    ]
    assert "" == own_subject("Re: Pool")
