"""How Gmail's history becomes what arrived and what left: pure."""

import pytest

from postroom.nouns.errors import CursorExpired
from postroom.nouns.providers import Cursor
from postroom.outside.gmail import parse
from postroom.outside.gmail.parse import HistoryPosition


def message(ref="m1", labels=("INBOX", "UNREAD")):
    told = {"id": ref, "threadId": f"t-{ref}"}
    return told if labels is None else told | {"labelIds": list(labels)}


def added(number, *args, **kwargs):
    return {"id": str(number), "messagesAdded": [{"message": message(*args, **kwargs)}]}


def deleted(number, *args, **kwargs):
    return {"id": str(number), "messagesDeleted": [{"message": message(*args, **kwargs)}]}


def labelled(number, *put_on, ref="m1", labels=("INBOX",)):
    return {"id": str(number), "labelsAdded": [{"message": message(ref, labels), "labelIds": list(put_on)}]}


def unlabelled(number, *taken_off, ref="m1", labels=()):
    return {"id": str(number), "labelsRemoved": [{"message": message(ref, labels), "labelIds": list(taken_off)}]}


def page(*records, now=900, **more):
    return {"historyId": str(now), **({"history": list(records)} if records else {}), **more}


def read(*records, **more):
    return parse.changes(page(*records, **more), HistoryPosition.at(100))


def arrived(*records):
    return [glimpse.ref for glimpse in read(*records).arrived]


def removed(*records):
    return list(read(*records).removed)


def test_a_new_mail_in_the_inbox_arrived():
    (glimpse,) = read(added(101)).arrived

    assert ("m1", "t-m1", "101", {"INBOX", "UNREAD"}) == (
        glimpse.ref,
        glimpse.thread_ref,
        glimpse.version,
        glimpse.labels,
    )


@pytest.mark.parametrize("label", ["DRAFT", "SENT", "TRASH", "SPAM"])
def test_what_we_write_or_throw_away_does_not_arrive(label):
    assert arrived(added(101, labels=[label])) == []
    assert arrived(added(101, labels=["INBOX", label])) == []
    assert arrived(labelled(101, "INBOX", labels=["INBOX", label])) == []


def test_mail_filtered_past_the_inbox_does_not_arrive():
    assert arrived(added(101, labels=["Label_7"])) == []


def test_a_mail_put_back_into_the_inbox_arrived():
    assert arrived(labelled(101, "INBOX")) == ["m1"]


def test_a_mail_taken_out_of_the_bin_or_from_spam_arrived():
    assert arrived(unlabelled(101, "TRASH", labels=["INBOX"])) == ["m1"]
    assert arrived(unlabelled(101, "SPAM", labels=["INBOX"])) == ["m1"]
    assert arrived(unlabelled(101, "TRASH", labels=["Label_7"])) == []


def test_other_labels_are_no_news():
    change = read(labelled(101, "STARRED"), unlabelled(102, "UNREAD", labels=["INBOX"]))

    assert (change.arrived, change.removed) == ([], [])


def test_a_mail_whose_labels_history_leaves_out_counts_until_it_is_read():
    assert arrived(added(101, labels=None)) == ["m1"]


def test_archived_binned_reported_and_deleted_mail_was_removed():
    assert removed(unlabelled(101, "INBOX")) == ["m1"]
    assert removed(labelled(101, "TRASH", labels=["TRASH"])) == ["m1"]
    assert removed(labelled(101, "SPAM", labels=["SPAM"])) == ["m1"]
    assert removed(deleted(101)) == ["m1"]


@pytest.mark.parametrize("label", ["DRAFT", "SENT"])
def test_the_churn_of_our_own_writing_is_no_removal(label):
    assert removed(deleted(101, labels=[label]), labelled(102, "TRASH", labels=[label, "TRASH"])) == []


def test_one_record_can_tell_of_two_changes():
    binned = labelled(101, "TRASH", labels=["TRASH"]) | unlabelled(101, "INBOX", labels=["TRASH"])

    assert removed(binned) == ["m1"]


def test_a_mail_that_came_and_went_is_named_on_both_sides():
    change = read(added(101), unlabelled(102, "INBOX"))

    assert ([glimpse.ref for glimpse in change.arrived], change.removed) == (["m1"], ["m1"])


def test_a_mail_that_went_and_came_back_was_not_removed():
    change = read(unlabelled(101, "INBOX"), labelled(102, "INBOX"))

    assert ([glimpse.ref for glimpse in change.arrived], change.removed) == (["m1"], [])


def test_a_mail_archived_before_we_asked_has_arrived_though_its_labels_are_of_now():
    assert arrived(added(101, labels=["Label_7"]), unlabelled(102, "INBOX", labels=["Label_7"])) == ["m1"]


def test_records_out_of_order_are_read_in_order():
    change = read(labelled(1000, "INBOX"), unlabelled(999, "INBOX"))

    assert ([glimpse.ref for glimpse in change.arrived], change.removed) == (["m1"], [])


def test_history_ids_are_numbers_whatever_the_spelling():
    change = parse.changes({"historyId": 900, "history": [added(1000), {"id": 99}]}, HistoryPosition.at("98"))

    assert HistoryPosition.read(change.cursor).start == 1000


def test_the_cursor_moves_to_the_newest_record_read():
    assert HistoryPosition.read(read(added(101), added(105)).cursor).start == 105


def test_an_empty_answer_is_believed_the_second_time():
    once = read(now=150)
    twice = parse.changes(page(now=160), HistoryPosition.read(once.cursor))

    assert (HistoryPosition.read(once.cursor).start, HistoryPosition.read(twice.cursor).start) == (100, 150)


def test_a_mail_that_the_index_shows_late_is_not_passed():
    once = read(now=150)
    late = parse.changes(page(added(120), now=160), HistoryPosition.read(once.cursor))

    assert [glimpse.ref for glimpse in late.arrived] == ["m1"]
    assert HistoryPosition.read(late.cursor).start == 120


def test_between_pages_the_start_stays_and_the_last_page_moves_it():
    first = read(added(150), nextPageToken="two.3")
    middle = HistoryPosition.read(first.cursor)
    last = parse.changes(page(added(130, "m2")), middle)

    assert (first.more, middle.start, middle.page) == (True, 100, "two.3")
    assert (last.more, HistoryPosition.read(last.cursor).start, HistoryPosition.read(last.cursor).page) == (
        False,
        150,
        "",
    )


def test_a_cursor_never_moves_back():
    change = parse.changes(page(now=50), HistoryPosition.at(100))

    assert HistoryPosition.read(change.cursor) == HistoryPosition.at(100)


def test_a_cursor_that_is_not_ours_asks_for_a_resync():
    for text in ("", "x", "12.x", "-3", "https://graph.microsoft.com/delta"):
        with pytest.raises(CursorExpired, match="resync"):
            HistoryPosition.read(Cursor(text))


def test_a_bare_history_id_is_a_cursor():
    assert HistoryPosition.read(Cursor("12345")) == HistoryPosition.at(12345)
