"""A secret does not slip out, and a set of tokens survives being stored."""

import copy
import dataclasses
import json
import logging
import pickle
import traceback
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from postroom.nouns.errors import Unreadable
from postroom.nouns.secrets import Secret
from postroom.nouns.tokens import TokenSet

unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # machines are busy

HUSH = Secret("hush-hush")
SOON = datetime(2026, 2, 4, 10, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    "shown",
    [
        str(HUSH),
        repr(HUSH),
        f"{HUSH}",
        f"{HUSH!r:>30}",
        f"{HUSH:>30}",
        "%s %r" % (HUSH, HUSH),  # noqa: UP031 - logging formats this way
        repr([HUSH]),
        repr(vars(HUSH) if hasattr(HUSH, "__dict__") else dir(HUSH)),
        repr(TokenSet(HUSH, HUSH, SOON)),
        repr(dataclasses.asdict(TokenSet(HUSH, HUSH, SOON))),
        json.dumps({"token": HUSH}, default=str),
    ],
)
def test_no_way_of_printing_shows_it(shown):
    assert "hush" not in shown


def test_neither_logs_nor_tracebacks_show_it(caplog):
    try:
        raise ValueError(HUSH)
    except ValueError as error:
        logging.getLogger("test").exception("token %s", HUSH)
        text = "".join(traceback.format_exception(error)) + caplog.text

    assert "Secret(…)" in text
    assert "hush" not in text


def test_it_cannot_be_pickled_or_changed():
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match="not pickled"):
            pickle.dumps(HUSH, protocol)
    with pytest.raises(AttributeError):
        HUSH._value = "other"
    with pytest.raises(AttributeError):
        del HUSH._value
    assert HUSH.reveal() == "hush-hush"


def test_it_is_compared_by_value_copied_and_asked_whether_it_is_empty():
    assert Secret("a") == Secret("a") != Secret("b")
    assert Secret("a") != "a"
    assert len({Secret("a"), Secret("a")}) == 1
    assert copy.deepcopy([HUSH]) == [HUSH] == copy.copy([HUSH])
    assert (bool(Secret("")), bool(HUSH)) == (False, True)


TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@unhurried
@given(access=TEXT, refresh=st.none() | TEXT, scope=TEXT, expires=st.datetimes(timezones=st.just(UTC)))
def test_a_stored_set_comes_back_the_same(access, refresh, scope, expires):
    kept = TokenSet(Secret(access), None if refresh is None else Secret(refresh), expires, scope)

    assert TokenSet.from_bytes(kept.to_bytes()) == kept


def test_times_are_stored_in_utc():
    local = datetime(2026, 2, 4, 12, 30, tzinfo=timezone(timedelta(hours=2)))

    assert b"2026-02-04T10:30:00+00:00" in TokenSet(HUSH, None, local).to_bytes()


def test_a_time_without_a_zone_is_refused():
    with pytest.raises(ValueError, match="time zone"):
        TokenSet(HUSH, None, SOON.replace(tzinfo=None))


@pytest.mark.parametrize("raw", [b"", b"hush-hush", b"{}", b"[]", b'{"access_token": "hush", "refresh_token": 1}'])
def test_what_cannot_be_understood_says_to_reconnect_and_shows_nothing(raw):
    with pytest.raises(Unreadable, match="connect the mailbox anew") as told:
        TokenSet.from_bytes(raw)

    assert "hush" not in "".join(traceback.format_exception(told.value))
