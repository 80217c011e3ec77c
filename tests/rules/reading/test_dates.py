from __future__ import annotations

from datetime import date

import pytest

from postroom.nouns.documents import typed
from postroom.reading.page.dates import puts_day_first, read_date
from postroom.reading.page.tokens import TokenKind, tokenise


@pytest.mark.parametrize(
    "text",
    [
        "05.03.2021", "5.3.2021", "05/03/2021", "05-03-2021", "05.03.21", "2021-03-05", "2021/03/05",
        "5. März 2021", "5 March 2021", "05-Mar-2021", "5 mars 2021", "5 marzo 2021", "5 de marzo de 2021",
        "5 maart 2021", "5. marts 2021", "5 marca 2021", "5 de março de 2021", "March 5, 2021", "5 Mar 2021",
    ],
)  # fmt: skip
def test_one_day_reads_the_same_in_every_language(text):
    assert date(2021, 3, 5) == read_date(text)


def test_the_order_of_day_and_month_is_the_documents():
    assert date(2021, 5, 3) == read_date("05/03/2021", day_first=False)


def test_a_month_above_twelve_is_a_day():
    assert date(2021, 3, 25) == read_date("03/25/2021", day_first=True)


@pytest.mark.parametrize("text", ["31.02.2021", "46 Cours 10", "00.00.0000", "12.34"])
def test_what_is_no_day_is_no_date(text):
    assert read_date(text) is None


@pytest.mark.parametrize(
    ("text", "american", "expected"),
    [
        ("25/03/2021 and 01/02/2021", False, True),
        ("03/25/2021 and 01/02/2021", False, False),
        ("01/02/2021", False, True),
        ("01/02/2021", True, False),
        ("25/03/2021", True, True),
    ],
)
def test_day_and_month_are_told_apart_by_days_above_twelve_then_by_custom(text, american, expected):
    assert expected is puts_day_first(text, american=american)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("July 1 - July 31 , 2024", [date(2024, 7, 31)]),
        ("01/12/2020 - 31/01/2021", [date(2020, 12, 1), date(2021, 1, 31)]),
        ("1 July 2024 - 31 July 2024", [date(2024, 7, 1), date(2024, 7, 31)]),
    ],
)
def test_a_period_is_its_days_and_nothing_else(text, days):
    assert days == [token.day for token in tokenise(typed(text)).of(TokenKind.DATE)]


def test_a_deal_and_its_settlement_two_days_later_tell_that_the_month_comes_first():
    text = "05-10-2022 05-12-2022 Buy 8 127.45 1,024.55"

    assert not puts_day_first(text, pointed=True)
    assert puts_day_first(text, pointed=False)
    assert puts_day_first("05-10-2022 07-10-2022 Buy 8 127.45", pointed=True)
