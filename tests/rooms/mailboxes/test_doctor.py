"""The doctor: each thing made wrong once on the simulators, and the text says what to do."""

from __future__ import annotations

import base64
import json
import zipfile
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace

import pytest

from postroom.chores.doctor import Finding, bundle, examine
from postroom.chores.doctor.bundle import hide
from postroom.chores.doctor.providers import _google_objection, _microsoft_objection, app_permission
from postroom.nouns.facts import SecurityNoted
from postroom.nouns.facts.mailboxes import UNNAMED_PROXY
from postroom.outside.http import HttpAnswer
from postroom.rooms.mailboxes import commands
from postroom_simulators.google.gmail.watches import PUBLISHER
from postroom_simulators.graph.tokens import EntraApp
from stories.office import DESK, PUSH_ACCOUNT, SUBSCRIPTION, TOPIC, Office, open_office
from stories.visitors import ANNA, GREG, connects, gives_gmail


@pytest.fixture
async def office(dsn, owner_dsn, tmp_path) -> AsyncIterator[Office]:
    async with open_office(dsn, owner_dsn, str(tmp_path)) as opened:
        gives_gmail(opened)
        opened.world.google.broker.topics[TOPIC].bindings.append(
            {"role": "roles/pubsub.publisher", "members": [PUBLISHER]}
        )
        yield opened


def settles(office: Office, **other: object) -> None:
    """The same house, told something else."""
    office.house.settings = office.house.providers.settings = office.house.settings.model_copy(update=other)


async def sees(office: Office, what: str) -> Finding:
    found = {finding.what: finding for finding in await examine(office.house)}
    assert what in found, sorted(found)
    return found[what]


async def test_a_house_that_is_well_has_nothing_wrong(office):
    office.world.add_mailbox(ANNA, name="Anna", provider="graph")
    assert 303 == (await connects(office, "outlook", ANNA))[0]
    assert 303 == (await connects(office, "gmail", GREG))[0]
    await office.works()

    findings = await examine(office.house)

    assert [] == [each for each in findings if each.verdict == "wrong"]
    warned = {each.what for each in findings if each.verdict == "warning"}
    assert {"workers"} == warned - {"reading processes", "encoder"}  # by the kernel, and by what could be installed
    asked = {each.what.removeprefix(f"{ANNA}: ").removeprefix(f"{GREG}: ") for each in findings}
    assert asked >= {
        *("public address", "we reach ourselves", "Microsoft's handshake", "clock of the database", "clock of Google"),
        *(
            "redirect URI for outlook",
            "redirect URI for gmail",
            "Outlook permission",
            "permissions",
            "watch",
            "notification URL",
        ),
        *(
            "topic",
            "Pub/Sub topic",
            "Pub/Sub push endpoint",
            "Pub/Sub audience",
            "Pub/Sub account",
            "topic's publisher",
        ),
    }


async def test_a_redirect_address_that_microsoft_does_not_know(office):
    entra = office.world.graph.entra
    entra.apps["app"] = EntraApp("app", "secret", "contoso", redirect_uris=("https://elsewhere.example/callback",))

    found = await sees(office, "redirect URI for outlook")

    assert ("wrong", f"{office.url}/oauth/outlook/callback") == (found.verdict, found.expected)
    assert "AADSTS50011: the redirect address is not registered" in found.actual
    assert "Register exactly this redirect address (Entra" in found.advice


async def test_a_redirect_address_that_google_does_not_know(office):
    grants = office.world.google.grants
    app = next(iter(grants.apps.values()), None)
    from postroom_simulators.google.oauth.grants import GoogleApp

    wrong = frozenset({"https://elsewhere.example/callback"})
    grants.apps["app"] = replace(app, redirect_uris=wrong) if app else GoogleApp("app", "secret", redirect_uris=wrong)

    found = await sees(office, "redirect URI for gmail")

    assert ("wrong", "refused, redirect_uri_mismatch") == (found.verdict, found.actual)
    assert "Google Cloud" in found.advice


def test_what_the_real_sign_in_pages_say_is_understood():
    refused = b'"strServiceExceptionMessage":"AADSTS700016: Application with identifier was not found"'
    assert "there is no such app" in _microsoft_objection(HttpAnswer(200, {}, refused))
    assert "" == _microsoft_objection(HttpAnswer(200, {}, b"<title>Sign in to your account</title>"))
    assert "refused, HTTP 404" == _microsoft_objection(HttpAnswer(404, {}, b""))
    # base64 of \x0a\x15redirect_uri_mismatch
    there = {"Location": "https://accounts.google.com/signin/oauth/error?authError=ChVyZWRpcmVjdF91cmlfbWlzbWF0Y2g"}
    assert "refused, redirect_uri_mismatch" == _google_objection(HttpAnswer(302, there, b""))
    assert "" == _google_objection(
        HttpAnswer(302, {"Location": "https://accounts.google.com/v3/signin/identifier"}, b"")
    )


@pytest.mark.parametrize(
    ("free", "told"),
    [
        (5 << 30, ("ok", "5.0 GB")),
        (512 << 20, ("warning", "0.5 GB")),
        (3 << 20, ("wrong", "3 MB")),
        (0, ("wrong", "0 MB")),
    ],
)
async def test_a_disk_that_is_full_is_wrong_and_not_only_worth_a_look(office, monkeypatch, free, told):
    monkeypatch.setattr("postroom.chores.doctor.house.shutil.disk_usage", lambda _: SimpleNamespace(free=free))

    found = await sees(office, "disk space")

    assert told == (found.verdict, found.actual)


async def test_whether_evidence_is_ranked_by_meaning_too_is_told(office):
    told = {}
    encoders = {
        "none": None,
        "damaged": SimpleNamespace(works=lambda: False),
        "good": SimpleNamespace(works=lambda: True),
    }
    for name, encoder in encoders.items():
        office.house.outside = replace(office.house.outside, encoder=encoder)
        found = await sees(office, "encoder")
        told[name] = (found.verdict, found.actual)
    assert {
        "none": ("warning", "not installed: evidence is ranked by its words alone"),
        "damaged": ("warning", "damaged: evidence is ranked by its words alone"),
        "good": ("ok", "there"),
    } == told


@pytest.mark.parametrize(
    ("public", "what", "verdict", "advice"),
    [
        ("http://127.0.0.1:9", "we reach ourselves", "wrong", "Start `postroom serve`"),
        ("http://127.0.0.1:9", "Microsoft's handshake", "wrong", "Let the proxy pass POST /api/graph/notifications"),
        ("{url}/mail", "public address", "wrong", "without a path"),
    ],
)
async def test_a_public_address_that_does_not_lead_here(office, public, what, verdict, advice):
    settles(office, public_url=public.format(url=office.url))

    findings = [each for each in await examine(office.house) if each.what == what]

    assert verdict == findings[-1].verdict
    assert advice in findings[-1].advice


@pytest.mark.parametrize(
    ("named", "verdict", "actual"),
    [("", "warning", "10.0.0.7"), ("10.0.0.8", "warning", "10.0.0.7"), ("10.0.0.0/24", "ok", "none in a week")],
)
async def test_a_proxy_that_nobody_named_is_told_until_it_is_named(office, named, verdict, actual):
    scope = office.house.scope(office.ask("SELECT tenant_id FROM postroom.tenant LIMIT 1"), "door")
    async with scope.finish() as tx:
        await scope.tell(tx, SecurityNoted(what=UNNAMED_PROXY, source="10.0.0.7"))
    settles(office, trusted_proxies=named)

    found = await sees(office, "proxies that are not named")

    assert (verdict, actual) == (found.verdict, found.actual)


async def test_a_provider_that_cannot_be_reached_from_here_hides_no_other_finding(office):
    nowhere = "http://127.0.0.1:9"
    office.house.providers.consents["outlook"]._place = f"{nowhere}/contoso/oauth2/v2.0"
    settles(office, google_certs_url=nowhere)

    for what, advice in (
        ("redirect URI for outlook", "Let this machine reach 127.0.0.1:9"),
        ("Google's certificates", "Let this machine reach it"),
    ):
        found = await sees(office, what)
        assert "wrong" == found.verdict
        assert advice in found.advice
    assert "ok" == (await sees(office, "Outlook permission")).verdict
    assert "ok" == (await sees(office, "Pub/Sub audience")).verdict


async def test_no_public_address_at_all(office):
    settles(office, graph_base_url="https://graph.microsoft.com/v1.0", graph_client_id=None)

    found = await sees(office, "public address")

    assert "warning" == found.verdict
    assert "Set POSTROOM_PUBLIC_URL" in found.advice


async def test_a_watch_with_an_old_notification_url_is_seen_and_moves_within_the_hour(office):
    old = office.url
    settles(office, public_url=office.url.replace("127.0.0.1", "localhost"))

    found = await sees(office, f"{DESK}: notification URL")

    assert ("warning", f"{old}/api/graph/notifications") == (found.verdict, found.actual)
    assert "moves by itself within an hour" in found.advice
    office.world.clock.advance(timedelta(hours=1))
    await office.fires_the_timetable("keep watches")
    await office.works()
    assert "ok" == (await sees(office, f"{DESK}: notification URL")).verdict
    assert 1 == len(office.world.graph.subscriptions.all)


@pytest.mark.parametrize(
    ("setting", "value", "what", "advice"),
    [
        ("gmail_audience", "https://other.example", "Pub/Sub audience", "Every push would be refused"),
        ("gmail_service_account", "other@p.iam.gserviceaccount.com", "Pub/Sub account", "Turn on authentication"),
        ("gmail_topic", "projects/p/topics/other", "Pub/Sub topic", "correct POSTROOM_GMAIL_TOPIC"),
        ("gmail_subscription", "projects/p/subscriptions/none", "Pub/Sub subscription", "Make the subscription"),
        ("gmail_pull", True, "Pub/Sub push", "remove the push endpoint"),
        ("public_url", "http://localhost:9", "Pub/Sub push endpoint", "push endpoint to http://localhost:9/webhooks"),
    ],
)
async def test_settings_that_pubsub_does_not_share(office, setting, value, what, advice):
    settles(office, **{setting: value})

    found = await sees(office, what)

    assert "wrong" == found.verdict
    assert advice in found.advice
    assert found.expected != found.actual


@pytest.mark.parametrize("name", ["gmail_topic", "gmail_subscription", "gmail_audience", "gmail_service_account"])
async def test_a_setting_that_gmail_needs_is_named(office, name):
    settles(office, **{name: None})

    found = await sees(office, f"POSTROOM_{name.upper()}")

    assert ("warning", "not set") == (found.verdict, found.actual)
    assert f"Set POSTROOM_{name.upper()}" in found.advice


async def test_a_topic_that_gmail_may_not_publish_to(office):
    office.world.google.broker.topics[TOPIC].bindings.clear()

    found = await sees(office, "topic's publisher")

    assert "wrong" == found.verdict
    assert "gmail-api-push@system.gserviceaccount.com the role Pub/Sub Publisher" in found.advice


async def test_a_watch_of_another_topic(office):
    assert 303 == (await connects(office, "gmail", GREG))[0]
    await office.works()
    settles(office, gmail_topic="projects/p/topics/other")

    found = await sees(office, f"{GREG}: topic")

    assert ("warning", "projects/p/topics/other", TOPIC) == (found.verdict, found.expected, found.actual)
    assert "connect the mailbox again" in found.advice


@pytest.mark.parametrize(
    ("roles", "verdict", "actual"),
    [
        (["User.Read.All", "Mail.ReadWrite"], "ok", "Mail.ReadWrite User.Read.All"),
        (["User.Read.All"], "wrong", "User.Read.All"),
        ([], "wrong", "none"),
        (None, "ok", "(the token does not say)"),
    ],
)
def test_what_an_administrator_granted_the_app_is_read_from_its_token(roles, verdict, actual):
    claims = {"aud": "https://graph.microsoft.com", **({} if roles is None else {"roles": roles})}
    token = ".".join(
        base64.urlsafe_b64encode(part).decode().rstrip("=") for part in (b"{}", json.dumps(claims).encode(), b"")
    )

    found = app_permission(token)

    assert (verdict, actual) == (found.verdict, found.actual)
    assert "consent to it as administrator" in found.advice
    assert "ok" == app_permission("opaque").verdict


async def test_permissions_that_a_person_left_out_are_named(office):
    office.world.add_mailbox(ANNA, name="Anna", provider="graph")
    assert 303 == (await connects(office, "outlook", ANNA))[0]
    tenant, mailbox = (
        office.ask(f"SELECT {c} FROM postroom.mailbox WHERE address = '{ANNA}'") for c in ("tenant_id", "id")
    )
    tokens = office.house.providers.tokens
    kept = await tokens.get(tenant, mailbox)
    await tokens.put(tenant, mailbox, replace(kept, scope="https://graph.microsoft.com/Mail.Read User.Read"))
    office.own("UPDATE postroom.mailbox SET copilot = 'labels' WHERE id = %s", mailbox)

    person = await sees(office, f"{ANNA}: permissions")

    assert ("wrong", "lacks Mail.ReadWrite") == (person.verdict, person.actual)
    assert "Connect it again" in person.advice


async def test_a_folder_that_is_not_there(office):
    scope = office.house.scope(office.ask("SELECT tenant_id FROM postroom.mailbox"), "test")
    await commands.set_folder(
        scope, office.house.providers, office.ask("SELECT id FROM postroom.mailbox"), "Rechnungen"
    )

    found = await sees(office, f"{DESK}: folder Rechnungen")

    assert ("wrong", "not there") == (found.verdict, found.actual)
    assert f"postroom mailbox folder {DESK}" in found.advice


@pytest.mark.parametrize(("seconds", "verdict"), [(20, "warning"), (90, "wrong")])
async def test_a_clock_that_is_wrong(office, seconds, verdict):
    office.world.clock.advance(timedelta(seconds=seconds))

    for what in ("clock of the database", "clock of Microsoft's sign-in", "clock of Google"):
        found = await sees(office, what)
        assert verdict == found.verdict, what
        assert "NTP" in found.advice


@pytest.mark.parametrize(
    ("status", "verdict", "advice"),
    [
        ("token_refresh_failed", "wrong", "Connect it again"),
        ("paused", "warning", f"postroom mailbox resume {DESK}"),
        ("subscription_expired", "warning", "polled"),
    ],
)
async def test_a_mailbox_that_needs_somebody_says_what_to_do(office, status, verdict, advice):
    office.own("UPDATE postroom.mailbox SET status = %s", status)

    found = await sees(office, f"{DESK}: status")

    assert verdict == found.verdict
    assert advice in found.advice


async def test_a_provider_that_is_down_is_one_finding_and_the_others_go_on(office):
    office.world.faults.turn(unavailable=1.0)

    found = await sees(office, f"{DESK}: folder Inbox")

    assert "wrong" == found.verdict
    assert (await sees(office, "archive")).verdict == "ok"


async def test_the_support_bundle_holds_no_secret_and_no_address(office, tmp_path):
    await bundle(office.house, await examine(office.house), tmp_path / "support.zip")

    with zipfile.ZipFile(tmp_path / "support.zip") as archive:
        everything = "".join(archive.read(name).decode() for name in archive.namelist())
        settings = json.loads(archive.read("settings.json"))
    assert "(set, not shown)" == settings["graph_client_secret"]
    assert DESK not in everything
    assert PUSH_ACCOUNT not in everything
    assert SUBSCRIPTION in everything


def test_an_address_is_the_same_fingerprint_wherever_it_stands():
    one, other = hide("anna@b.example: watch"), hide("see (Anna@B.example), please")

    assert one.partition(":")[0] in other
    assert "anna" not in (one + other).lower()
