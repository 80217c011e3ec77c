"""What every mail provider with push promises about its notifications: begin, go on, and stop."""

from __future__ import annotations

from datetime import timedelta

from contracts.mail.letters import mail


async def begin(office, current=None):
    return await office.provider.watch(office.callback, office.lifecycle_callback, office.client_state, current)


async def test_a_watch_notifies_when_mail_comes(cloud_office):
    watch = await begin(cloud_office)
    before = len(await cloud_office.notifications(0))

    cloud_office.deliver(mail("push"))
    found = list(await cloud_office.notifications(before + 1))[before:]

    assert watch.expires_at > cloud_office.clock.now() + timedelta(days=2)
    assert all(one.watch_id == watch.id or one.address == cloud_office.address for one in found)
    assert all(one.client_state in (None, cloud_office.client_state) for one in found)
    assert all(one.lifecycle is None for one in found)


async def test_what_the_notification_names_can_be_read(cloud_office):
    await begin(cloud_office)
    cursor = (await cloud_office.provider.changes(None)).cursor

    ref = cloud_office.deliver(mail("push"))
    named = [one.message_ref for one in await cloud_office.notifications() if one.message_ref]

    assert named in ([ref], [])
    assert [ref] == [one.ref for one in (await cloud_office.provider.changes(cursor)).arrived]


async def test_going_on_extends_the_same_watch(cloud_office):
    first = await begin(cloud_office)
    cloud_office.clock.advance(timedelta(days=1))

    again = await begin(cloud_office, first)

    assert first.id == again.id
    assert again.expires_at > first.expires_at


async def test_going_on_for_thirty_days_never_misses_a_notification(cloud_office):
    watch = await begin(cloud_office)
    for day in range(1, 31):
        cloud_office.clock.advance(timedelta(days=1))
        watch = await begin(cloud_office, watch)
        before = len(await cloud_office.notifications(0))
        cloud_office.deliver(mail(f"day {day}"))
        assert len(await cloud_office.notifications(before + 1)) > before


async def test_a_watch_that_lapsed_is_begun_anew(cloud_office):
    lapsed = await begin(cloud_office)
    cloud_office.clock.advance(timedelta(days=30))

    watch = await begin(cloud_office, lapsed)
    before = len(await cloud_office.notifications(0))
    cloud_office.deliver(mail("after the gap"))

    assert watch.expires_at > cloud_office.clock.now()
    assert len(await cloud_office.notifications(before + 1)) > before


async def test_a_watch_leaves_the_cursor_alone(cloud_office):
    cursor = (await cloud_office.provider.changes(None)).cursor
    ref = cloud_office.deliver(mail("before the watch"))

    await begin(cloud_office)

    assert [ref] == [one.ref for one in (await cloud_office.provider.changes(cursor)).arrived]


async def test_after_the_end_nothing_is_sent_and_ending_can_be_repeated(cloud_office):
    watch = await begin(cloud_office)
    await cloud_office.provider.unwatch(watch)
    await cloud_office.provider.unwatch(watch)
    before = len(await cloud_office.notifications(0))

    cloud_office.deliver(mail("silence"))

    assert before == len(await cloud_office.notifications(0))
