from __future__ import annotations

import pytest

from postroom.nouns.documents import typed
from postroom.reading.page.ocr_repair import mended


def words(text):
    return [word.text for page in mended(typed(text)).pages for word in page.words]


@pytest.mark.parametrize(
    ("seen", "meant"),
    [("DE000AlR0RZ5", "DE000A1R0RZ5"), ("(USO378331005)", "(US0378331005)"), ("DE0007164600", "DE0007164600")],
)
def test_a_misread_isin_is_mended_when_its_check_digit_proves_it(seen, meant):
    assert [meant] == words(seen)


@pytest.mark.parametrize("seen", ["Aktienbetrag", "DE0007164601", "WERTPAPIERE1", "short"])
def test_what_no_check_digit_proves_stays_as_it_was_read(seen):
    assert [seen] == words(seen)
