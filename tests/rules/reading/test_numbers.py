from __future__ import annotations

from decimal import Decimal

import pytest

from postroom.reading.page.numbers import PrintedNumber, decimal_habit, parts_thousands_by_blank, read_number


@pytest.mark.parametrize(
    ("text", "value", "decimals"),
    [
        ("12", "12", 0),
        ("1.234,56", "1234.56", 2),
        ("1,234.56", "1234.56", 2),
        ("1'234'567.80", "1234567.80", 2),
        ("1’234.5", "1234.5", 1),
        ("1 765,00", "1765.00", 2),
        ("1.800,--", "1800", 0),
        ("3,--", "3", 0),
        ("500.-", "500", 0),
        ("0,033037", "0.033037", 6),
        ("1.234.567", "1234567", 0),
        (",8423", "0.8423", 4),
        ("2.61848651", "2.61848651", 8),
    ],
)
def test_a_number_reads_the_same_whatever_separators_it_uses(text, value, decimals):
    assert PrintedNumber(Decimal(value), decimals) == read_number(text)


@pytest.mark.parametrize(
    ("text", "decimal", "value", "also"),
    [
        ("14.000", ".", "14.000", "14000"),
        ("14.000", ",", "14000", "14.000"),
        ("3,795", ".", "3795", "3.795"),
        ("148,772", ",", "148.772", "148772"),
    ],
)
def test_three_digits_behind_one_separator_keep_both_readings(text, decimal, value, also):
    reading = read_number(text, decimal)

    assert (Decimal(value), Decimal(also)) == (reading.value, reading.also)


@pytest.mark.parametrize("text", ["0.500", "1234.567", "0,125"])
def test_a_leading_zero_or_a_fourth_digit_leaves_no_doubt(text):
    assert read_number(text, ",").also is None


def test_what_has_no_digit_is_no_number():
    assert read_number("--") is None


def test_habits_are_counted_only_where_there_is_no_doubt():
    assert (2, 0) == decimal_habit("1.234,56 und 7,5 und 1.234")
    assert (0, 2) == decimal_habit("12.50 and 1,234.56 and 1,234")


@pytest.mark.parametrize(("text", "expected"), [("4 978,30 EUR", True), ("3 129,2 EUR", False), ("12,00", False)])
def test_blanks_part_thousands_only_before_a_fraction_of_two(text, expected):
    assert expected is parts_thousands_by_blank(text)
