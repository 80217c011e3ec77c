"""What IMAP servers do wrong, or refuse: scripted line by line."""

import asyncio
import ssl

import pytest
import trustme

from postroom.nouns.errors import (
    AccessRevoked,
    BadRequest,
    Misconfigured,
    PermissionDenied,
    Throttled,
    TimedOut,
    Unavailable,
    Unreadable,
)
from postroom.nouns.providers import ProviderRef
from postroom.nouns.secrets import Secret
from postroom.outside.imap import client
from postroom.outside.imap.client import ImapServer
from postroom.outside.imap.provider import ImapAccount, ImapProvider

HELLO = b"* OK ready\r\n"
OFFERS = (b"CAPABILITY", b"* CAPABILITY IMAP4rev1 IDLE AUTH=PLAIN AUTH=XOAUTH2\r\nTAG OK done\r\n")
LOGIN = (b"LOGIN", b"TAG OK in\r\n")
EXAMINE = (b"EXAMINE", b"* 1 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n* OK [UIDNEXT 9] ok\r\nTAG OK [READ-ONLY] done\r\n")
SIGNED_IN = (HELLO, OFFERS, LOGIN, OFFERS)


def connected(server, sign_in=None, **more):
    return ImapProvider(ImapAccount(server, "anna@office.test", sign_in or Secret("pass"), **more))


async def token(fresh):
    return Secret("token")


async def fails(server, error, match=None, sign_in=None):
    provider = connected(server, sign_in)
    with pytest.raises(error, match=match):
        await provider.changes(None)
    await provider.close()


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (b"NO [AUTHENTICATIONFAILED] no", AccessRevoked),
        (b"NO [EXPIRED] change it", AccessRevoked),
        (b"NO no", AccessRevoked),
        (b"NO [UNAVAILABLE] later", Unavailable),
        (b"NO [LIMIT] too many lines", Throttled),
        (b"NO [AUTHORIZATIONFAILED] no", PermissionDenied),
        (b"NO [CONTACTADMIN] no", PermissionDenied),
        (b"NO [PRIVACYREQUIRED] no", Misconfigured),
        (b"BAD what", BadRequest),
    ],
)
async def test_each_refusal_of_a_sign_in_has_its_remedy(scripted, answer, error):
    await fails(await scripted(HELLO, OFFERS, (b"LOGIN", b"TAG " + answer + b"\r\n")), error)


async def test_a_server_that_says_goodbye_is_an_outage(scripted):
    await fails(await scripted(b"* BYE too busy\r\n"), Unavailable)
    await fails(await scripted(*SIGNED_IN, (b"EXAMINE", b"* BYE restarting\r\n")), Unavailable)


@pytest.mark.parametrize(
    "noise", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\x00\x01\x02\r\n", b"* \xff\xfe\r\n", b"\r\n"]
)
async def test_a_server_that_does_not_speak_imap_is_an_outage(scripted, noise):
    await fails(await scripted(noise), Unavailable)


async def test_a_line_that_breaks_in_mid_message_is_an_outage_and_the_next_call_has_a_new_one(scripted):
    half = b"* 1 FETCH (UID 8 FLAGS () BODY[] {100}\r\nhalf of it"
    broken = await scripted(*SIGNED_IN, EXAMINE, (b"UID FETCH", half), hang_up=True)
    provider = connected(broken)

    for _ in range(2):
        with pytest.raises(Unavailable, match="broke off"):
            await provider.message(ProviderRef("7.8"))


async def test_a_message_beyond_all_measure_is_not_read(scripted):
    huge = b"* 1 FETCH (UID 8 FLAGS () BODY[] {999999999999}\r\n"
    provider = connected(await scripted(*SIGNED_IN, EXAMINE, (b"UID FETCH", huge)))

    with pytest.raises(Unreadable, match="larger than"):
        await provider.message(ProviderRef("7.8"))


async def test_a_server_that_is_silent_is_given_up(scripted, monkeypatch):
    monkeypatch.setattr(client, "_TIMEOUT", 0.1)

    await fails(await scripted(), TimedOut)
    await fails(await scripted(*SIGNED_IN, (b"EXAMINE", b"")), TimedOut)


async def test_nobody_at_the_address_is_an_outage():
    listener = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    listener.close()
    await listener.wait_closed()

    await fails(ImapServer("127.0.0.1", port, "plain"), Unavailable, "cannot be reached")


def test_an_open_line_is_for_this_machine_only():
    for host in ("mail.example.org", "192.168.1.7", "10.0.0.1", "localhost.example.org"):
        with pytest.raises(Misconfigured, match="starttls"):
            ImapServer(host, 143, "plain")
    for host in ("127.0.0.1", "::1", "localhost"):
        assert ImapServer(host, 143, "plain").security == "plain"


async def test_a_server_without_lasting_numbers_is_not_read(scripted):
    numberless = (b"EXAMINE", b"* 1 EXISTS\r\nTAG OK done\r\n")

    await fails(await scripted(*SIGNED_IN, numberless), Misconfigured, "UIDs")


async def test_a_server_that_takes_no_password_wants_oauth(scripted):
    offers = (b"CAPABILITY", b"* CAPABILITY IMAP4rev1 LOGINDISABLED AUTH=XOAUTH2\r\nTAG OK done\r\n")

    await fails(await scripted(HELLO, offers), Misconfigured, "OAuth")


async def test_a_server_that_takes_no_token_wants_a_password(scripted):
    offers = (b"CAPABILITY", b"* CAPABILITY IMAP4rev1\r\nTAG OK done\r\n")

    await fails(await scripted(HELLO, offers), Misconfigured, "password", sign_in=token)


async def test_a_refused_token_is_answered_before_the_no_comes(scripted):
    refused = (
        (b"AUTHENTICATE XOAUTH2", b"+ \r\n"),
        (b"dXNlcj1hbm5hQG9mZmljZS50ZXN0AWF1dGg9QmVhcmVyIHRva2VuAQE=", b"+ eyJzdGF0dXMiOiI0MDEifQ==\r\n"),
        (b"\r\n", b""),
        b"p2 NO [AUTHENTICATIONFAILED] refused\r\n",
    )

    await fails(await scripted(HELLO, OFFERS, *refused), AccessRevoked, "anew", sign_in=token)


async def test_what_was_said_before_the_line_was_encrypted_is_never_read():
    """A stranger on the line adds his own answers behind the OK; with TLS they must be gone."""
    authority = trustme.CA()
    trust, own = ssl.create_default_context(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.configure_trust(trust)
    authority.issue_cert("127.0.0.1").configure_cert(own)
    heard = []

    async def talk(reader, writer):
        writer.write(HELLO)
        tag = (await reader.readuntil(b"\n")).split()[0]
        writer.write(tag + b" OK begin\r\n* CAPABILITY IMAP4rev1 LOGINDISABLED\r\np2 OK injected\r\n")
        await writer.start_tls(own)
        heard.append((await reader.readuntil(b"\n")).split(None, 1)[1])
        writer.write(b"* CAPABILITY IMAP4rev1\r\np2 OK done\r\n")
        heard.append((await reader.readuntil(b"\n")).split(None, 1)[1])
        writer.write(b"p3 NO [AUTHENTICATIONFAILED] no\r\n")
        await reader.read()
        writer.close()

    listener = await asyncio.start_server(talk, "127.0.0.1", 0)
    server = ImapServer("127.0.0.1", listener.sockets[0].getsockname()[1], "starttls", trust)

    await fails(server, AccessRevoked)

    assert heard == [b"CAPABILITY\r\n", b'LOGIN "anna@office.test" "pass"\r\n']
    listener.close()
    await listener.wait_closed()


async def test_news_of_other_messages_in_an_answer_is_borne(scripted):
    told = (
        b"* 5 FETCH (FLAGS (\\Seen))\r\n* 2 EXPUNGE\r\n* OK [X] still here\r\n"
        b"* 1 FETCH (UID 8 FLAGS (\\Seen) INTERNALDATE NIL BODY[] {5}\r\nhe)lo)\r\n"
        b'* 9 FETCH (UID 3 FLAGS () ENVELOPE ("a\\"b" ("x" NIL) NIL))\r\nTAG OK done\r\n'
    )
    provider = connected(await scripted(*SIGNED_IN, EXAMINE, (b"UID FETCH 8", told)))

    mail = await provider.message(ProviderRef("7.8"))

    assert (b"he)lo", None) == (mail.raw, mail.glimpse.received_at)
    await provider.close()


async def test_a_folder_name_cannot_carry_a_command(scripted):
    provider = connected(
        await scripted(*SIGNED_IN, (b'EXAMINE "IN\\"BOX"', b"TAG NO [NONEXISTENT] no\r\n")), folder='IN"BOX'
    )
    with pytest.raises(Misconfigured, match="folder"):
        await provider.changes(None)

    other = connected(await scripted(*SIGNED_IN, (b"EXAMINE", b"TAG NO no\r\n")), folder="IN\r\nBOX")
    with pytest.raises((BadRequest, Misconfigured)):
        await other.changes(None)
