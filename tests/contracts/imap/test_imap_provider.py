"""An IMAP mailbox at a real dovecot."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from contracts.imap import dovecot as dovecots
from contracts.imap.conftest import PAGE, letter
from contracts.imap.dovecot import ODD, running
from postroom.nouns.errors import AccessRevoked, BadRequest, CursorExpired, Gone, Misconfigured, Unavailable
from postroom.nouns.providers import DRAFT, INBOX, TRASH, Cursor, ProviderRef
from postroom.nouns.secrets import Secret
from postroom.outside.imap.client import ImapServer
from postroom.outside.imap.provider import ImapAccount, ImapProvider

pytestmark = pytest.mark.service


async def walk(provider, cursor):
    arrived, removed = [], []
    while True:
        page = await provider.changes(cursor)
        arrived += page.arrived
        removed += page.removed
        cursor = page.cursor
        if not page.more:
            return [uid(one.ref) for one in arrived], [uid(ref) for ref in removed], cursor


async def start(provider):
    return (await provider.changes(None)).cursor


async def list_all(provider, since):
    found, page = [], None
    while True:
        listing = await provider.list_since(since, page)
        assert len(listing.messages) <= PAGE
        found += [uid(one.ref) for one in listing.messages]
        page = listing.next_page
        if page is None:
            return found


def uid(ref):
    return int(ref.partition(".")[2])


async def ref_of(scope, number):
    validity = (await start(scope.provider)).partition(".")[0]
    return ProviderRef(f"{validity}.{number}")


async def test_starting_afresh_shows_no_old_mail(scope):
    scope.deliver()

    first = await scope.provider.changes(None)

    assert ([], [], False) == (first.arrived, first.removed, first.more)
    assert ([], [], first.cursor) == await walk(scope.provider, first.cursor)


async def test_the_newest_message_is_not_shown_again_and_again(scope):
    cursor = await start(scope.provider)
    new = scope.deliver()

    arrived, _, cursor = await walk(scope.provider, cursor)
    again, _, _ = await walk(scope.provider, cursor)

    assert ([new], []) == (arrived, again)


async def test_many_changes_come_in_pages_and_none_is_left_out(scope):
    cursor = await start(scope.provider)
    put = [scope.deliver() for _ in range(3 * PAGE + 1)]
    scope.erase(put[2])

    first = await scope.provider.changes(cursor)
    arrived, _, _ = await walk(scope.provider, cursor)

    assert first.more
    assert [one for one in put if one != put[2]] == arrived


async def test_mail_that_left_is_told_as_removed(scope):
    put = [scope.deliver() for _ in range(5)]
    cursor = await start(scope.provider)
    scope.erase(put[1], put[2])
    scope.uid("STORE", str(put[4]), "+FLAGS", "(\\Deleted)")

    arrived, removed, cursor = await walk(scope.provider, cursor)

    assert ([], {put[1], put[2], put[4]}) == (arrived, set(removed))
    assert ([], []) == (await walk(scope.provider, cursor))[:2]


async def test_mail_moved_to_another_folder_left(scope):
    put = scope.deliver()
    cursor = await start(scope.provider)
    scope.other.create("Archive")
    scope.uid("MOVE", str(put), "Archive")

    assert [put] == (await walk(scope.provider, cursor))[1]


async def test_read_marks_are_no_news(scope):
    put = scope.deliver()
    cursor = await start(scope.provider)
    scope.uid("STORE", str(put), "+FLAGS", "(\\Seen \\Flagged)")

    assert ([], []) == (await walk(scope.provider, cursor))[:2]


async def test_a_server_that_does_not_count_changes_is_read_all_the_same(desk_at):
    with running("imap_capability = IMAP4rev1 UIDPLUS") as simple:
        scope = desk_at(simple)
        gone = scope.deliver()
        cursor = await start(scope.provider)
        scope.erase(gone)
        new = scope.deliver()

        assert ([new], []) == (await walk(scope.provider, cursor))[:2]
        assert letter() == (await scope.provider.message(await ref_of(scope, new))).raw
        assert await scope.provider.wait_for_news(0.01)
        assert await scope.provider.wait_for_news(0.01), "without IDLE the answer is always: look"
        await scope.provider.close()


async def test_a_folder_made_anew_asks_for_a_resync(scope):
    scope.other.create("Desk")
    provider = scope.connect(folder="Desk")
    number = scope.deliver(folder="Desk")
    cursor = await start(provider)
    listing = await provider.list_since(datetime.now(UTC) - timedelta(days=1))
    ref = listing.messages[0].ref
    scope.other.delete("Desk")
    scope.other.create("Desk")
    assert number == scope.deliver(folder="Desk")

    with pytest.raises(CursorExpired, match="UIDVALIDITY"):
        await provider.changes(cursor)
    with pytest.raises(Gone, match="numbered anew"):
        await provider.message(ref)


@pytest.mark.parametrize("cursor", ["", "x", "1", "1.2.3.4", "https://graph.microsoft.com/delta"])
async def test_a_cursor_that_is_not_ours_asks_for_a_resync(scope, cursor):
    with pytest.raises(CursorExpired, match="resync"):
        await scope.provider.changes(Cursor(cursor))


async def test_a_message_is_the_very_bytes_and_stays_unread(scope):
    raw = b"From: c@client.test\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n\r\n\xff\xfe latin \xe4 {12}\r\n)\r\n" * 1000
    at = datetime(2026, 3, 3, 10, 30, 5, tzinfo=UTC)
    number = scope.deliver(raw, at=at)

    mail = await scope.provider.message(await ref_of(scope, number))

    assert raw == mail.raw
    assert (at, {INBOX}, False) == (mail.glimpse.received_at, mail.glimpse.labels, mail.glimpse.is_draft)
    assert mail.glimpse.version
    scope.other.select("INBOX", readonly=True)
    assert b"\\Seen" not in scope.other.fetch("1", "(FLAGS)")[1][0]


async def test_a_message_that_came_after_we_looked_is_found(scope):
    ref = await ref_of(scope, 0)
    number = scope.deliver()

    assert letter() == (await scope.provider.message(ProviderRef(ref[:-1] + str(number)))).raw


async def test_a_message_that_is_not_there_is_gone(scope):
    number = scope.deliver()
    ref = await ref_of(scope, number)
    await scope.provider.message(ref)
    scope.erase(number)

    with pytest.raises(Gone):
        await scope.provider.message(ref)
    with pytest.raises(Gone):
        await scope.provider.message(ProviderRef("nonsense"))


async def test_drafts_do_not_arrive_and_the_bin_is_known(scope):
    cursor = await start(scope.provider)
    since = datetime.now(UTC) - timedelta(minutes=1)
    draft = scope.deliver(flags="(\\Draft)")
    thrown = scope.deliver(flags="(\\Deleted)")

    assert [thrown] == (await walk(scope.provider, cursor))[0]
    assert [thrown] == await list_all(scope.provider, since)
    assert {INBOX, DRAFT} == (await scope.provider.message(await ref_of(scope, draft))).glimpse.labels
    assert {INBOX, TRASH} == (await scope.provider.message(await ref_of(scope, thrown))).glimpse.labels


async def test_a_listing_has_every_message_since_that_second_and_no_other(scope):
    since = datetime(2026, 3, 3, 23, 30, tzinfo=UTC)
    seconds = [-90_000, -60, -1, 0, 1, 60, 3600, 90_000, 200_000, 300_000, 400_000]
    put = {second: scope.deliver(at=since + timedelta(seconds=second)) for second in seconds}

    found = await list_all(scope.provider, since + timedelta(milliseconds=400))

    assert [put[second] for second in seconds if second >= 0] == found


async def test_an_empty_folder_lists_nothing(scope):
    assert [] == await list_all(scope.provider, datetime(2026, 1, 1, tzinfo=UTC))


async def test_a_folder_is_found_by_its_name_in_any_alphabet(scope):
    scope.other.create('"Entw&APw-rfe &- mehr"')
    provider = scope.connect(folder="Entwürfe & mehr")

    assert (await provider.changes(None)).cursor


async def test_news_is_heard_at_once(scope):
    assert await scope.provider.wait_for_news(5), "on a new line always"
    assert not await scope.provider.wait_for_news(0.2)
    waiting = asyncio.create_task(scope.provider.wait_for_news(30))
    await asyncio.sleep(0.1)
    scope.deliver()

    async with asyncio.timeout(10):
        assert await waiting


async def test_news_between_two_waits_is_not_lost(scope):
    await scope.provider.wait_for_news(5)
    scope.deliver()

    async with asyncio.timeout(10):
        assert await scope.provider.wait_for_news(30)


async def test_a_waiting_that_was_given_up_leaves_a_usable_provider(scope):
    await scope.provider.wait_for_news(5)
    waiting = asyncio.create_task(scope.provider.wait_for_news(30))
    await asyncio.sleep(0.1)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)

    assert await scope.provider.wait_for_news(5)
    assert (await scope.provider.changes(None)).cursor


async def test_one_line_serves_many_askers_in_turn(scope):
    numbers = [scope.deliver(letter(f"number {number}")) for number in range(10)]
    refs = [await ref_of(scope, number) for number in numbers]

    mails = await asyncio.gather(*(scope.provider.message(ref) for ref in refs))

    assert [letter(f"number {number}") for number in range(10)] == [mail.raw for mail in mails]


@pytest.mark.parametrize("security", ["tls", "starttls", "plain"])
async def test_every_kind_of_line_reads(scope, security):
    number = scope.deliver()
    provider = scope.connect(security=security)

    assert letter() == (await provider.message(await ref_of(scope, number))).raw


@pytest.mark.parametrize("security", ["tls", "starttls"])
async def test_a_certificate_that_nobody_vouches_for_is_refused(dovecot, security):
    port = dovecot.tls if security == "tls" else dovecot.plain
    provider = ImapProvider(ImapAccount(ImapServer("127.0.0.1", port, security), "anna@office.test", Secret("x")))

    with pytest.raises(Misconfigured, match="not trusted"):
        await provider.changes(None)


@pytest.mark.parametrize("user", sorted(ODD))
async def test_odd_passwords_pass(scope, user):
    assert (await scope.connect(user=user, sign_in=Secret(ODD[user])).changes(None)).cursor


async def test_a_wrong_password_asks_for_a_person_and_is_not_shown(scope):
    with pytest.raises(AccessRevoked, match="anew") as caught:
        await scope.connect(sign_in=Secret("swordfish")).changes(None)

    assert "swordfish" not in f"{caught.value!r} {caught.value.__context__!r}"


async def test_a_folder_that_is_not_there_is_a_setting_to_correct(scope):
    with pytest.raises(Misconfigured, match="folder"):
        await scope.connect(folder="Nowhere").changes(None)


async def test_an_oauth_token_signs_in_and_a_stale_one_is_renewed_once(desk_at):
    async def token_info(request):
        good = request.query.get("access_token") == "good" or "good" in request.headers.get("Authorization", "")
        if not good:
            return web.json_response({"error": "invalid_token"}, status=401)
        return web.json_response({"email": "anna@office.test", "active": True})

    app = web.Application()
    app.router.add_get("/info", token_info)
    async with TestServer(app) as google:
        with running(token_info=str(google.make_url("/info?access_token="))) as server:
            asked = []

            async def token(fresh):
                asked.append(fresh)
                return Secret("good" if fresh else "stale")

            async def dead(fresh):
                return Secret("dead")

            scope = desk_at(server)
            assert (await scope.connect(user="anna@office.test", sign_in=token).changes(None)).cursor
            assert [False, True] == asked
            with pytest.raises(AccessRevoked, match="anew"):
                await scope.connect(user="anna@office.test", sign_in=dead).changes(None)


async def test_a_server_that_went_away_is_an_outage(desk_at):
    with running() as server:
        scope = desk_at(server)
        await scope.provider.changes(None)
        await scope.provider.wait_for_news(1)
        server.die()

        with pytest.raises(Unavailable):
            await scope.provider.changes(None)
        with pytest.raises(Unavailable):
            await scope.provider.wait_for_news(1)


async def test_a_line_cut_while_idle_is_replaced_without_fuss(scope):
    await scope.provider.changes(None)
    scope.provider._line._writer.transport.abort()
    await asyncio.sleep(0.01)

    assert (await scope.provider.changes(None)).cursor


async def test_nothing_is_asked_inside_a_transaction(scope):
    with pytest.raises(RuntimeError, match="transaction"):
        await scope.connect(forbidden=lambda: True).changes(None)


async def test_imap_has_no_push(scope):
    with pytest.raises(BadRequest, match="IDLE"):
        await scope.provider.watch("https://x.test", "https://x.test", Secret("s"), None)


async def test_the_address_is_the_users_in_lower_case_or_the_one_named(dovecot):
    server = ImapServer("127.0.0.1", dovecot.plain, "plain")

    assert await ImapProvider(ImapAccount(server, "Anna@Office.Test", Secret("x"))).address() == "anna@office.test"
    assert await ImapProvider(ImapAccount(server, "anna", Secret("x"), address="A@B.test")).address() == "a@b.test"
    with pytest.raises(BadRequest, match="Name the address"):
        await ImapProvider(ImapAccount(server, "anna", Secret("x"))).address()


def test_a_machine_without_dovecot_fails_in_ci(monkeypatch):
    monkeypatch.setattr(dovecots, "PROGRAM", "/nowhere/dovecot")
    monkeypatch.setenv("CI", "true")

    with pytest.raises(pytest.fail.Exception, match="dovecot-imapd"):
        dovecots.required()
