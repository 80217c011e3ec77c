"""What every mail provider promises about reading: changes, listings and whole messages."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from contracts.mail.letters import ODD, mail, with_pdf
from contracts.mail.post_office import PAGE, PostOffice
from postroom.nouns.errors import CursorExpired, Gone, Transient
from postroom.nouns.providers import DRAFT, INBOX, SPAM, TRASH, Changes, Cursor, Glimpse, ProviderRef

NONE: list[ProviderRef] = []


async def walk(office: PostOffice, since: Cursor) -> tuple[list[Glimpse], list[ProviderRef], Changes]:
    """Page after page until there is no more."""
    arrived: list[Glimpse] = []
    removed: list[ProviderRef] = []
    page = await office.provider.changes(since)
    while True:
        arrived += page.arrived
        removed += page.removed
        if not page.more:
            return arrived, removed, page
        page = await office.provider.changes(page.cursor)


async def list_all(office: PostOffice, since) -> list[Glimpse]:
    found: list[Glimpse] = []
    page = None
    while True:
        listing = await office.provider.list_since(since, page)
        found += listing.messages
        page = listing.next_page
        if page is None:
            return found


def refs(glimpses: Sequence[Glimpse]) -> set[ProviderRef]:
    return {one.ref for one in glimpses}


async def done(what: Any) -> Any:
    """Importing a file takes a while; the others are told at once."""
    return await what if inspect.isawaitable(what) else what


async def put(office: PostOffice, raw: bytes) -> ProviderRef:
    return await done(office.deliver(raw))


async def start(office: PostOffice) -> Cursor:
    return (await office.provider.changes(None)).cursor


async def test_the_address_is_the_mailboxs_own_in_lower_case(any_office):
    assert any_office.address == await any_office.provider.address()


async def test_starting_afresh_shows_no_old_mail_and_leaves_nothing_to_read(post_office):
    post_office.deliver(mail("old"))
    post_office.clock.advance(timedelta(seconds=2))

    first = await post_office.provider.changes(None)

    assert (list(first.arrived), list(first.removed), first.more) == ([], [], False)
    assert (await walk(post_office, first.cursor))[:2] == ([], NONE)


async def test_mail_that_comes_within_the_second_of_the_start_is_not_lost(post_office):
    first = await post_office.provider.changes(None)

    ref = post_office.deliver(mail("at once"))

    assert {ref} == refs((await walk(post_office, first.cursor))[0])


async def test_a_glimpse_tells_what_the_mail_is(post_office):
    cursor = await start(post_office)
    ref = post_office.deliver(mail("A glimpse"))

    arrived, _, _ = await walk(post_office, cursor)

    whole = await post_office.provider.message(ref)
    assert [ref] == [one.ref for one in arrived]
    assert INBOX in whole.glimpse.labels
    assert whole.glimpse.version
    assert not whole.glimpse.is_draft
    assert abs(whole.glimpse.received_at - post_office.clock.now()) < timedelta(seconds=5)


async def test_a_conversation_is_told_by_the_provider(cloud_office):
    ref = cloud_office.deliver(mail("A question"))

    assert (await cloud_office.provider.message(ref)).glimpse.thread_ref


async def test_many_changes_come_in_pages_and_none_is_left_out(post_office):
    cursor = await start(post_office)
    put = {post_office.deliver(mail(f"number {number}")) for number in range(3 * PAGE + 1)}

    first = await post_office.provider.changes(cursor)
    arrived, _, last = await walk(post_office, cursor)

    assert first.more
    assert len(first.arrived) <= PAGE
    assert put == refs(arrived)
    assert (await walk(post_office, last.cursor))[:2] == ([], NONE)


async def test_a_page_that_fails_is_read_again_with_nothing_lost(post_office):
    cursor = await start(post_office)
    put = {post_office.deliver(mail(f"number {number}")) for number in range(2 * PAGE)}
    first = await post_office.provider.changes(cursor)

    for fault in ("reset", "unavailable", "throttle"):
        post_office.faults.turn(**{fault: 1.0})
        with pytest.raises(Transient):
            await post_office.provider.changes(first.cursor)
        post_office.faults.turn(**{fault: 0.0})
    post_office.clock.advance(timedelta(seconds=2))  # who was throttled waits as long as it was told to
    rest, _, _ = await walk(post_office, first.cursor)

    assert put == refs(first.arrived) | refs(rest)


async def test_the_same_cursor_can_be_read_twice(post_office):
    cursor = await start(post_office)
    ref = post_office.deliver(mail("again"))

    assert {ref} == refs((await walk(post_office, cursor))[0])
    assert {ref} == refs((await walk(post_office, cursor))[0])


async def test_an_erased_message_is_told_as_removed(post_office):
    cursor = await start(post_office)
    kept, erased = post_office.deliver(mail("kept")), post_office.deliver(mail("erased"))
    _, _, seen = await walk(post_office, cursor)

    post_office.erase(erased)
    arrived, removed, _ = await walk(post_office, seen.cursor)

    assert [erased] == removed
    assert kept not in refs(arrived)


async def test_a_moved_message_keeps_its_id_and_can_still_be_read(cloud_office):
    cursor = await start(cloud_office)
    ref = cloud_office.deliver(mail("moved"))
    _, _, seen = await walk(cloud_office, cursor)

    cloud_office.move_out(ref)
    arrived, removed, gone = await walk(cloud_office, seen.cursor)
    away = await cloud_office.provider.message(ref)
    cloud_office.move_back(ref)
    back, _, _ = await walk(cloud_office, gone.cursor)

    assert ref in removed or any(one.ref == ref and INBOX not in one.labels for one in arrived)
    assert (ref, False) == (away.glimpse.ref, INBOX in away.glimpse.labels)
    assert {ref} == refs(back)


async def test_a_draft_is_no_mail_that_came(post_office):
    cursor = await start(post_office)
    since = post_office.clock.now()

    draft = post_office.write_draft()
    ref = post_office.deliver(mail("a real one"))

    arrived, _, _ = await walk(post_office, cursor)
    assert {ref} == {one.ref for one in arrived if not one.is_draft}
    assert draft not in refs(arrived)
    assert {ref} == refs(await list_all(post_office, since))
    assert DRAFT in (await post_office.provider.message(draft)).glimpse.labels


async def test_an_old_cursor_asks_for_a_resync(post_office):
    cursor = await start(post_office)
    post_office.deliver(mail("unseen"))
    post_office.expire_cursors()

    with pytest.raises(CursorExpired):
        await post_office.provider.changes(cursor)


async def test_a_cursor_that_is_none_of_ours_is_not_followed(post_office):
    with pytest.raises(CursorExpired):
        await post_office.provider.changes(Cursor("https://elsewhere.test/v1.0/me/messages/delta?$deltatoken=x"))


async def test_a_listing_has_every_message_since_then_and_no_other(post_office):
    post_office.deliver(mail("before"))
    post_office.clock.advance(timedelta(minutes=1))
    since = post_office.clock.now()
    put = []
    for number in range(3 * PAGE + 1):
        post_office.clock.advance(timedelta(seconds=1))
        put.append(post_office.deliver(mail(f"number {number}")))

    found = await list_all(post_office, since)

    assert set(put) == refs(found)


async def test_a_listing_has_all_of_a_second_in_which_many_came(post_office):
    post_office.clock.advance(timedelta(seconds=1) - timedelta(microseconds=post_office.clock.now().microsecond))
    since = post_office.clock.now()
    put = [post_office.deliver(mail(f"number {number}")) for number in range(3 * PAGE + 1)]

    found = await list_all(post_office, since)

    assert set(put) == refs(found)


async def test_a_message_moved_out_while_listing_hides_no_other(post_office):
    since = post_office.clock.now()
    put = []
    for number in range(3 * PAGE):
        post_office.clock.advance(timedelta(seconds=1))
        put.append(post_office.deliver(mail(f"number {number}")))

    first = await post_office.provider.list_since(since)
    post_office.move_out(first.messages[0].ref)
    found = refs(first.messages)
    page = first.next_page
    while page is not None:
        listing = await post_office.provider.list_since(since, page)
        found |= refs(listing.messages)
        page = listing.next_page

    assert set(put) == found


async def test_the_second_named_belongs_to_the_listing(post_office):
    ref = post_office.deliver(mail("on the stroke"))
    received = (await post_office.provider.message(ref)).glimpse.received_at

    assert {ref} == refs(await list_all(post_office, received))
    assert set() == refs(await list_all(post_office, received + timedelta(seconds=1)))


async def test_only_the_folder_we_serve_is_listed(post_office):
    since = post_office.clock.now()
    ref = post_office.deliver(mail("here"))
    post_office.deliver(mail("elsewhere"), "archive")
    post_office.deliver(mail("junk"), "junkemail")

    assert {ref} == refs(await list_all(post_office, since))


async def test_junk_and_the_bin_are_called_by_our_names(cloud_office):
    junk, thrown = cloud_office.deliver(mail("junk"), "junkemail"), cloud_office.deliver(mail("thrown away"))
    cloud_office.throw_away(thrown)

    assert SPAM in (await cloud_office.provider.message(junk)).glimpse.labels
    assert TRASH in (await cloud_office.provider.message(thrown)).glimpse.labels


@pytest.mark.parametrize("oddity", sorted(ODD))
async def test_odd_mail_comes_through_byte_for_byte(any_office, oddity):
    raw, telling = ODD[oddity]
    ref = await put(any_office, raw)

    got = await any_office.provider.message(ref)

    assert telling in got.raw


async def test_an_attachment_comes_through_whole(any_office):
    content = bytes(range(256)) * 4096
    sent = with_pdf(content)
    ref = await put(any_office, sent)

    got = await any_office.provider.message(ref)

    body = sent.partition(b"\n\n")[2].replace(b"\r\n", b"\n")
    assert body.strip() in got.raw.replace(b"\r\n", b"\n")


async def test_a_message_that_is_not_there_is_gone(any_office):
    ref = await put(any_office, mail("short-lived"))
    await done(any_office.erase(ref))

    with pytest.raises(Gone):
        await any_office.provider.message(ref)


async def test_our_calls_contain_no_mistake_that_the_provider_would_note(post_office):
    cursor = await start(post_office)
    since = post_office.clock.now()
    ref = post_office.deliver(mail("watched"))
    await walk(post_office, cursor)
    await list_all(post_office, since)
    await post_office.provider.message(ref)

    assert post_office.recorder.mistakes == []
