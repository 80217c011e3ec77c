"""How long a part of a paper holds, by its own words, and about which days a question asks."""

from __future__ import annotations

from datetime import date

import pytest

from postroom.rooms.replies.rules.periods import ALWAYS, Period, is_notice, named_days, stated_period

MARCH, APRIL = date(2026, 3, 31), date(2026, 4, 1)
YEAR, NEXT = date(2026, 12, 31), date(2027, 1, 1)
TODAY = date(2026, 11, 18)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("The voucher is valid until 31 March 2026.", None, MARCH),
        ("Until 31 March 2026: 10 % off all boots.", None, MARCH),
        ("The pool is closed for repairs until 31 March 2026.", None, MARCH),
        ("From 1 January 2027 the fee is €45.", NEXT, None),
        ("From Friday, 1 January 2027: €45 a month.", NEXT, None),
        ("The new rates apply from 1 January 2027.", NEXT, None),
        ("Valid from 1 April 2026 to 31 December 2026", APRIL, YEAR),
        ("Gültig ab 1.1.2027", NEXT, None),
        ("Ab 1. Januar 2027: 45 € im Monat", NEXT, None),
        ("Diese Preise gelten bis einschließlich 31. Dezember 2026.", None, YEAR),
        ("Gültig vom 1. April 2026 bis zum 31.12.2026", APRIL, YEAR),
        ("Valable jusqu'au 31 mars 2026", None, MARCH),
        ("À partir du 1er janvier 2027 : 45 € par mois", NEXT, None),
        ("Válido hasta el 31 de marzo de 2026", None, MARCH),
        ("A partir del 1 de enero de 2027 la cuota es de 45 €.", NEXT, None),
        ("Valido fino al 31 marzo 2026", None, MARCH),
        ("Dal 1° gennaio 2027 la quota è di 45 €.", NEXT, None),
        ("Geldig tot en met 31 maart 2026", None, MARCH),
        ("Vanaf 1 januari 2027: € 45 per maand", NEXT, None),
        ("Válido até 31 de março de 2026", None, MARCH),
        ("A partir de 1 de janeiro de 2027 a mensalidade é de 45 €.", NEXT, None),
        ("Ważne do 31 marca 2026", None, MARCH),
        ("Od 1 stycznia 2027: 45 € miesięcznie", NEXT, None),
        ("Gäller till och med 31 mars 2026", None, MARCH),
        ("Från och med 1 januari 2027: 450 kr i månaden", NEXT, None),
        ("Gælder til og med 31. marts 2026", None, MARCH),
        ("Fra den 1. januar 2027: 450 kr. om måneden", NEXT, None),
    ],
)
def test_a_sentence_says_how_long_it_holds(text: str, first: date | None, last: date | None) -> None:
    assert stated_period(text) == Period(first, last)


@pytest.mark.parametrize(
    ("text", "because"),
    [
        ("Summer season: 1 May to 30 September, 9 am to 8 pm", "a season comes again"),
        ("Contracts signed until 31 December 2019 keep the old notice period.", "a condition on the contract"),
        ("Für Verträge, die bis 31.12.2019 geschlossen wurden, gilt die alte Frist.", "a condition on the contract"),
        ("Until 31 December 2026 the fee is €40, from 1 January 2027 it is €45.", "it tells both"),
        ("From 7 December 2026 tickets go on sale at the box office.", "something that happens, no rule"),
        ("The spring course runs from 12 January 2027 to 30 March 2027.", "something that happens, no rule"),
        ("Send the form back by 15 January 2027.", "a deadline"),
        ("The rate is valid for stays from 1 May 2027.", "the day of the stay, not of the text"),
        ("From 1 May prices rise to €12.", "no year, and nothing says which"),
    ],
)
def test_a_day_that_bounds_something_else_bounds_no_text(text: str, because: str) -> None:
    assert stated_period(text) == ALWAYS, because


def test_a_change_without_a_year_comes_after_the_paper() -> None:
    assert stated_period("From 1 May prices rise to €12.", date(2026, 3, 1)) == Period(date(2026, 5, 1))
    assert stated_period("Ab 1.2. steigt der Preis auf 12 €.", date(2026, 3, 1)) == Period(date(2027, 2, 1))
    assert stated_period("From 1 May we open at nine.", date(2026, 3, 1)) == ALWAYS


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("Prices from 1 January 2027", NEXT, None),
        ("Preise bis 31.12.2026", None, YEAR),
        ("Tarifs du 1er janvier 2027 au 31 décembre 2027", NEXT, date(2027, 12, 31)),
        ("Opening hours (until 31 March 2026)", None, MARCH),
        ("Summer camp 12 July 2027 – 30 July 2027", None, date(2027, 7, 30)),
        ("Summer season 1 May – 30 September", None, None),
        ("Contracts until 31 December 2019", None, None),
        ("Prices 2026", None, None),
    ],
)
def test_a_heading_says_how_long_its_section_holds(text: str, first: date | None, last: date | None) -> None:
    assert stated_period(text, heading=True) == Period(first, last)


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("Valid until 31 August 2025.", True),
        ("Diese Preise gelten bis 31. Dezember 2026.", True),
        ("The new rates apply from 1 January 2027.", True),
        ("Valid until 31 August 2025 for €49.", False),
        ("Tickets are sold at the desk.", False),
    ],
)
def test_a_notice_says_nothing_else(text: str, *, alone: bool) -> None:
    assert is_notice(text) == alone


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("What does a ticket cost?", None, None),
        ("What will it cost on 5 January 2027?", date(2027, 1, 5), date(2027, 1, 5)),
        ("Was kostet es im März?", date(2027, 3, 1), date(2027, 3, 31)),
        ("What about November?", TODAY, date(2026, 11, 30)),
        ("How much is it next year?", NEXT, date(2027, 12, 31)),
        ("Combien coûte l'abonnement en 2027 ?", NEXT, date(2027, 12, 31)),
        ("May I bring a dog?", None, None),
    ],
)
def test_a_sentence_of_a_mail_names_days(text: str, first: date | None, last: date | None) -> None:
    assert named_days(text, TODAY) == Period(first, last)


def test_what_is_over_or_still_to_come_is_told_by_the_days_asked_about() -> None:
    old, new, today = Period(None, YEAR), Period(NEXT), Period(TODAY, TODAY)
    january = named_days("And in January?", TODAY)
    assert (old.is_over(today), new.is_to_come(today)) == (False, True)
    assert (old.is_over(january), new.is_to_come(january)) == (True, False)
    assert not ALWAYS
