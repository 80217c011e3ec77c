"""What follows from a page of changes, from a listing, from silence: tables of cases and properties."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from postroom.nouns.providers import DRAFT, INBOX, SENT, SPAM, TRASH, Changes, Cursor, Glimpse, ProviderRef
from postroom.rooms.sync import rules

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
labels = st.frozensets(st.sampled_from([INBOX, SPAM, TRASH, SENT, DRAFT, "Label_7"]), max_size=3)
glimpses = st.builds(Glimpse, ref=st.sampled_from([ProviderRef(c) for c in "abcdef"]), labels=labels)
pages = st.builds(
    Changes,
    arrived=st.lists(glimpses, max_size=12),
    removed=st.lists(st.sampled_from([ProviderRef(c) for c in "abcdefgh"]), max_size=8),
    cursor=st.just(Cursor("c")),
    more=st.booleans(),
)


@pytest.mark.parametrize(
    ("labels", "mail"),
    [
        ((), True),
        ((INBOX,), True),
        ((INBOX, SENT), True),  # to oneself
        ((SENT,), False),
        ((DRAFT,), False),
        ((DRAFT, INBOX), False),
        ((SPAM,), False),
        ((TRASH,), False),
        (("Label_7",), True),  # archived by a filter is still mail
    ],
)
def test_what_somebody_sent_to_this_mailbox_is_mail(labels, mail):
    assert mail == rules.is_mail(Glimpse(ProviderRef("a"), labels=frozenset(labels)))


@given(pages)
def test_a_page_asks_for_every_message_once_and_never_for_drafts(page):
    items = rules.derive_work(page)

    refs = [glimpse.ref for glimpse in items.to_fetch]
    assert len(refs) == len(set(refs))
    assert all(rules.is_mail(glimpse) for glimpse in items.to_fetch)
    assert not set(items.tombstones) & {glimpse.ref for glimpse in page.arrived}


@given(pages)
def test_the_same_page_twice_asks_for_the_same(page):
    twice = Changes([*page.arrived, *page.arrived], [*page.removed, *page.removed], page.cursor, page.more)

    assert rules.derive_work(page) == rules.derive_work(twice)


@given(pages)
def test_no_mail_of_a_page_is_passed_over(page):
    """The cursor moves on with the page, so whatever is in it must be asked for."""
    newest = {glimpse.ref: glimpse for glimpse in page.arrived}
    wanted = {ref for ref, glimpse in newest.items() if rules.is_mail(glimpse)}

    assert wanted == {glimpse.ref for glimpse in rules.derive_work(page).to_fetch}


@pytest.mark.parametrize(
    ("received", "synced", "since"),
    [
        (timedelta(seconds=1), timedelta(0), True),
        (timedelta(0), timedelta(0), False),  # it may have been on the page before
        (timedelta(days=-3), timedelta(0), False),  # moved here, or changed
        (timedelta(seconds=1), None, False),
        (None, timedelta(0), False),
    ],
)
def test_mail_received_after_all_was_read_is_new(received, synced, since):
    moments = [NOW + each if each is not None else None for each in (received, synced)]

    assert since == rules.came_since(Glimpse(ProviderRef("a"), received_at=moments[0]), moments[1])


def judged(mode, runs, unannounced, pushed):
    found = rules.judge_delivery(mode, runs, unannounced=unannounced, pushed_since=pushed)
    return found.mode, found.silent_runs


def test_two_silent_audits_in_a_row_lead_to_polling_and_nothing_less():
    assert ("push", 1) == judged("push", 0, 3, pushed=False)
    assert ("poll", 2) == judged("push", 1, 3, pushed=False)
    assert ("push", 0) == judged("push", 1, 0, pushed=False)
    assert ("push", 0) == judged("push", 1, 3, pushed=True)
    assert ("poll", 3) == judged("poll", 2, 3, pushed=False)


@pytest.mark.parametrize(
    ("pushed", "synced", "was"),
    [
        (None, None, False),
        (timedelta(hours=-1), None, False),
        (timedelta(seconds=-1), None, True),
        (timedelta(minutes=-20), timedelta(minutes=-30), True),
        (timedelta(minutes=-40), timedelta(minutes=-30), False),
        (timedelta(minutes=-2), timedelta(minutes=-1), True),  # the read before was for the same news
    ],
)
def test_a_read_is_pushed_when_a_notification_asked_for_it(pushed, synced, was):
    moments = [NOW + each if each is not None else None for each in (pushed, synced)]

    assert was == rules.was_pushed(*moments, NOW)


def test_history_is_parted_from_what_should_have_been_announced():
    old = Glimpse(ProviderRef("old"), received_at=NOW - timedelta(days=1))
    new = Glimpse(ProviderRef("new"), received_at=NOW + timedelta(days=1))
    unknown = Glimpse(ProviderRef("unknown"))

    assert ([old], [new, unknown]) == rules.split_by_age([old, new, unknown], NOW)


STATES = st.sampled_from(["announced", "arrived", "failed", "gone", "ignored"])


@given(st.lists(glimpses, max_size=12), st.dictionaries(st.sampled_from("abcdef"), STATES))
def test_a_comparison_counts_every_mail_once(listed, known):
    compared = rules.compare(listed, known)

    newest = {glimpse.ref: glimpse for glimpse in listed if rules.is_mail(glimpse)}
    on_their_way = sum(known.get(ref) == "announced" for ref in newest)
    assert len(newest) == compared.listed
    assert len(newest) == compared.held + compared.failed + on_their_way + len(compared.missing)


def test_what_was_announced_and_never_taken_in_is_not_held():
    listed = [Glimpse(ProviderRef(ref)) for ref in ("ours", "aside", "coming", "back", "new")]
    known = {"ours": "arrived", "aside": "failed", "coming": "announced", "back": "gone"}

    compared = rules.compare(listed, known)

    assert (5, 1, 1) == (compared.listed, compared.held, compared.failed)
    assert ["back", "new"] == [glimpse.ref for glimpse in compared.missing]


def test_a_404_is_believed_for_old_news_and_after_some_tries_for_fresh_news():
    assert not rules.believed_gone(0, NOW, NOW)
    assert not rules.believed_gone(3, NOW - timedelta(minutes=9), NOW)
    assert rules.believed_gone(4, NOW, NOW)
    assert rules.believed_gone(0, NOW - timedelta(minutes=11), NOW)


DAYS, QUARTER = timedelta(days=7), timedelta(days=90)


@pytest.mark.parametrize(
    ("read_till", "since", "unlisted_since"),
    [
        (None, DAYS, None),  # never read
        (timedelta(minutes=5), DAYS, None),
        (timedelta(days=6), DAYS, None),
        (timedelta(days=7), timedelta(days=7, hours=4), None),  # what was pushed late before it
        (timedelta(days=20), timedelta(days=20, hours=4), None),
        (timedelta(days=100), QUARTER, timedelta(days=100, hours=4)),
    ],
)
def test_a_lost_cursor_is_made_up_for_since_it_was_proven_good(read_till, since, unlisted_since):
    gap = rules.gap(NOW, NOW - read_till if read_till else None, DAYS, QUARTER)

    assert NOW - since == gap.since
    assert (NOW - unlisted_since if unlisted_since else None) == gap.unlisted_since
    assert bool(unlisted_since) == ("is not listed again" in gap.because)


def test_the_usual_days_are_listed_even_when_less_is_allowed():
    assert NOW - DAYS == rules.gap(NOW, NOW - timedelta(days=30), DAYS, timedelta(days=1)).since


@given(st.integers(0, 250))
def test_messages_are_fetched_once_each_by_the_page(count):
    dealt = rules.jobs_for(range(count))

    assert list(range(count)) == [letter for some in dealt for letter in some]
    assert {len(some) for some in dealt[:-1]} <= {rules.MESSAGES_PER_JOB}


@given(st.integers(0, 250))
def test_a_page_is_recorded_by_the_batch_each_message_once_and_in_order(count):
    cut = rules.batches(range(count))

    assert list(range(count)) == [letter for some in cut for letter in some]
    assert {len(some) for some in cut[:-1]} <= {rules.BATCH_SIZE}


@pytest.mark.parametrize(
    ("number", "news", "following"),
    [(0, False, None), (0, True, 1), (1, False, 2), (1, True, 1), (2, False, None), (2, True, 1)],
)
def test_news_is_followed_by_two_looks(number, news, following):
    found = rules.next_look(number, news=news)

    assert following == (found.number if found else None)


@pytest.mark.parametrize(
    ("pushed", "expected"),
    [(None, False), (timedelta(seconds=5), False), (timedelta(seconds=1), False), (timedelta(seconds=0.9), True)],
)
def test_a_push_of_this_second_may_hide_others(pushed, expected):
    assert expected == rules.may_hide_pushes(NOW - pushed if pushed else None, NOW)
