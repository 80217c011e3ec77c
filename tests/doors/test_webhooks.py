"""Webhooks: checked, written down, answered; and what strangers get to see."""

from __future__ import annotations

import asyncio
import base64
import hmac
import itertools
import json
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import httpx
import psycopg
import pytest
from structlog.testing import capture_logs

from harness import OwnerEyes
from makers import make_tenant
from postroom.app.house import House, open_house
from postroom.app.web import web_app
from postroom.doors import webhooks
from postroom.nouns.ids import MailboxId, TenantId, new_id
from postroom.nouns.providers import Watch
from postroom.nouns.secrets import Secret
from postroom.rooms.mailboxes import rules, store, watch_store
from postroom.rooms.sync.notifications import Intake
from postroom_simulators.world import World
from stories.office import PUSH_ACCOUNT, SUBSCRIPTION, settings_for

GRAPH = ("/api/graph/notifications", "/api/graph/lifecycle", "/webhooks/outlook", "/api/email/webhook")
AUDIENCE = "https://postroom.example/gmail"
SENTENCE = "Validation: Testing client application reachability for subscription Request-Id: 12ab"


@dataclass
class Doorstep(OwnerEyes):
    """Our web process without a worker, and what a provider or a stranger may do before it."""

    world: World
    house: House
    owner_dsn: str
    tenant: TenantId
    intake: Intake
    http: httpx.AsyncClient
    states: dict[str, str] = field(default_factory=dict)
    mailboxes: dict[str, MailboxId] = field(default_factory=dict)

    async def has_mailbox(self, address: str, subscription: str = "", provider: str = "outlook") -> MailboxId:
        scope = self.house.scope(self.tenant, "test")
        state = Secret(secrets.token_urlsafe(48))
        async with scope.finish() as tx:
            values = {"address": address, "provider": provider, "access": "delegated"}
            made = await store.add(tx, self.tenant, MailboxId(new_id()), scope.now, **values)
            if subscription:
                watch = Watch(subscription, "me/messages", scope.now + timedelta(days=2), "https://p.example/n")
                await watch_store.upsert_subscription(
                    tx, self.tenant, made.id, watch, rules.digest_state(state), scope.now
                )
        self.states[subscription], self.mailboxes[address] = state.reveal(), made.id
        return made.id

    def item(self, subscription: str, ref: str = "AAM1", **more: Any) -> dict[str, Any]:
        said = {"subscriptionId": subscription, "changeType": "created", "clientState": self.states.get(subscription)}
        return {**said, "resource": f"Users/u/Messages/{ref}", "resourceData": {"id": ref}, **more}

    async def notifies(self, *items: Any, path: str = GRAPH[0]) -> httpx.Response:
        """Until it is answered, and sorted."""
        answer = await self.http.post(path, json={"value": list(items)})
        await self.intake.sorted()
        return answer

    def token(self, *, age: float = 0, **claims: Any) -> str:
        usual = {"aud": AUDIENCE, "email": PUSH_ACCOUNT, "email_verified": True, "sub": "1"}
        return self.world.google.key.sign({**usual, **claims}, age=age)

    async def pushes(self, address: str, token: str | None, *, path: str = "/webhooks/gmail", **more: Any) -> int:
        data = base64.b64encode(json.dumps({"emailAddress": address, "historyId": 7}).encode()).decode()
        body = {"message": {"data": data, "messageId": "1"}, "subscription": SUBSCRIPTION, **more}
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = await self.http.post(path, json=body, headers=headers)
        await self.intake.sorted()
        return answer.status_code

    def jobs(self) -> int:
        return self.ask("SELECT count(*) FROM postroom.job")

    def security(self) -> list[dict[str, Any]]:
        return self.facts("security.event")


@pytest.fixture
async def doorstep(dsn, owner_dsn, tmp_path, request) -> AsyncIterator[Doorstep]:
    more = getattr(request, "param", {})
    tenant = make_tenant(owner_dsn, "default")
    async with World() as world:
        settings = settings_for(world, dsn, 8025, str(tmp_path), **more)
        async with open_house(settings, clock=world.clock.now) as house:
            app = web_app(house)
            way = httpx.ASGITransport(app=app, client=("203.0.113.9", 4711))
            async with httpx.AsyncClient(transport=way, base_url="http://127.0.0.1:8025") as http:
                yield Doorstep(world, house, owner_dsn, tenant, app.gate.intake, http)


# the handshake


async def test_the_handshake_is_echoed_decoded_once_as_plain_text_on_every_address(doorstep):
    tokens = (
        (SENTENCE.replace(" ", "%20"), SENTENCE),
        (SENTENCE.replace(" ", "+"), SENTENCE),
        ("a%2Bb%2520c", "a+b%20c"),
        ("%C3%A9", "é"),
    )
    for path, (asked, echoed) in itertools.product(GRAPH, tokens):
        answer = await doorstep.http.post(f"{path}?validationToken={asked}")

        assert (200, echoed) == (answer.status_code, answer.text)
        assert answer.headers["content-type"].startswith("text/plain")


async def test_the_handshake_needs_no_database_no_body_and_no_state(doorstep):
    await doorstep.house.db.close()

    answer = await doorstep.http.post(f"{GRAPH[0]}?x=1&validationToken=abc", content=b"")

    assert (200, "abc") == (answer.status_code, answer.text)


async def test_a_handshake_is_never_reflected_as_html(doorstep):
    answer = await doorstep.http.post(f"{GRAPH[0]}?validationToken=%3Cscript%3Ealert(1)%3C/script%3E")

    assert answer.headers["content-type"].startswith("text/plain")
    assert "nosniff" == answer.headers["x-content-type-options"]


async def test_a_book_is_not_taken_for_a_validation_token(doorstep):
    answer = await doorstep.http.post(f"{GRAPH[0]}?validationToken={'x' * 5000}")

    assert 400 == answer.status_code


# notifications


async def test_a_notification_is_in_the_database_before_it_is_answered(doorstep):
    mailbox = await doorstep.has_mailbox("a@desk.test", "s-1")
    with psycopg.connect(doorstep.owner_dsn) as owner:
        owner.execute("LOCK TABLE postroom.hint IN ACCESS EXCLUSIVE MODE")  # nothing can be sorted meanwhile
        answer = await doorstep.http.post(GRAPH[0], json={"value": [doorstep.item("s-1", "AAM7")]})

        assert 202 == answer.status_code
        assert [(mailbox, "AAM7")] == owner.execute("SELECT mailbox_id, ref FROM postroom.notification").fetchall()


async def test_a_notification_is_sorted_into_all_it_asks_for(doorstep):
    mailbox = await doorstep.has_mailbox("a@desk.test", "s-1")

    await doorstep.notifies(doorstep.item("s-1", "AAM7"))

    assert 0 == doorstep.ask("SELECT count(*) FROM postroom.notification")
    assert mailbox == doorstep.ask("SELECT mailbox_id FROM postroom.job WHERE kind = 'sync.mailbox'")
    assert "AAM7" == doorstep.ask("SELECT ref FROM postroom.hint")
    assert 1 == doorstep.ask("SELECT pushes FROM postroom.mailbox_push")
    assert 1 == doorstep.ask("SELECT count(*) FROM postroom.fact WHERE kind = 'mailbox.notification_received'")


async def test_every_address_takes_notifications(doorstep):
    await doorstep.has_mailbox("a@desk.test", "s-1")

    for ref, path in enumerate(GRAPH):
        assert 202 == (await doorstep.notifies(doorstep.item("s-1", f"AAM{ref}"), path=path)).status_code

    assert 4 == doorstep.ask("SELECT count(*) FROM postroom.hint")


async def test_with_the_database_down_the_answer_is_503_and_soon(doorstep, monkeypatch):
    await doorstep.has_mailbox("a@desk.test", "s-1")
    await doorstep.house.db.close()

    assert 503 == (await doorstep.notifies(doorstep.item("s-1"))).status_code
    assert 503 == await doorstep.pushes("a@gmail.test", doorstep.token())


async def test_a_database_that_hangs_does_not_keep_the_webhook_waiting(doorstep, monkeypatch):
    await doorstep.has_mailbox("a@desk.test", "s-1")
    monkeypatch.setattr(webhooks, "ANSWER_WITHIN_SECONDS", 0.3)
    with psycopg.connect(doorstep.owner_dsn) as owner:
        owner.execute("LOCK TABLE postroom.notification IN ACCESS EXCLUSIVE MODE")

        assert 503 == (await doorstep.notifies(doorstep.item("s-1"))).status_code


async def test_a_burst_is_one_job_and_counts_every_notice(doorstep):
    await doorstep.has_mailbox("a@desk.test", "s-1")

    answers = await asyncio.gather(*(doorstep.notifies(doorstep.item("s-1", f"AAM{n}")) for n in range(100)))

    assert {202} == {answer.status_code for answer in answers}
    assert 1 == doorstep.jobs()
    assert 100 == doorstep.ask("SELECT pushes FROM postroom.mailbox_push")
    assert 100 == doorstep.ask("SELECT count(*) FROM postroom.hint")


async def test_when_every_state_is_wrong_nothing_is_queued_and_the_source_is_noted(doorstep):
    mailbox = await doorstep.has_mailbox("a@desk.test", "s-1")

    answer = await doorstep.notifies(doorstep.item("s-1", clientState="guess"), doorstep.item("s-1", clientState=""))

    assert 401 == answer.status_code
    assert 0 == doorstep.jobs()
    noted = {"what": "wrong clientState", "source": "203.0.113.9", "times": 1, "mailbox_id": str(mailbox)}
    assert [noted, noted] == doorstep.security()


async def test_a_state_that_is_null_or_no_text_never_matches(doorstep):
    await doorstep.has_mailbox("a@desk.test", "s-1")

    for state in (None, 7, ["x"], {"a": 1}, False):
        assert 401 == (await doorstep.notifies(doorstep.item("s-1", clientState=state))).status_code
    assert 0 == doorstep.jobs()


async def test_a_missing_state_never_matches_even_when_none_is_known(doorstep):
    await doorstep.has_mailbox("a@desk.test", "s-1")
    with psycopg.connect(doorstep.owner_dsn, autocommit=True) as owner:
        owner.execute("UPDATE padealing.graph_subscription_state SET client_state_digest = NULL")
    item = doorstep.item("s-1")
    del item["clientState"]

    assert 401 == (await doorstep.notifies(item)).status_code


async def test_in_a_mixed_post_the_good_are_taken_and_the_bad_noted(doorstep):
    await doorstep.has_mailbox("a@desk.test", "s-1")
    await doorstep.has_mailbox("b@desk.test", "s-2")

    answer = await doorstep.notifies(
        doorstep.item("s-1", "AAM1"),
        doorstep.item("s-2", "AAM2", clientState=doorstep.states["s-1"]),
        doorstep.item("nobody's", "AAM3"),
    )

    assert 202 == answer.status_code
    assert [("AAM1",)] == _rows(doorstep, "SELECT ref FROM postroom.hint")
    assert {"wrong clientState", "unknown subscription"} == {each["what"] for each in doorstep.security()}


async def test_items_for_several_mailboxes_in_one_post_each_find_their_own(doorstep):
    await doorstep.has_mailbox("a@desk.test", "s-1")
    await doorstep.has_mailbox("b@desk.test", "s-2")

    await doorstep.notifies(doorstep.item("s-1", "AAM1"), doorstep.item("s-2", "AAM2"))

    question = "SELECT m.address, h.ref FROM postroom.hint h JOIN postroom.mailbox m ON m.id = h.mailbox_id ORDER BY 1"
    assert [("a@desk.test", "AAM1"), ("b@desk.test", "AAM2")] == _rows(doorstep, question)
    assert 2 == doorstep.jobs()


async def test_states_are_compared_in_constant_time_whatever_came_before(doorstep, monkeypatch):
    await doorstep.has_mailbox("a@desk.test", "s-1")
    compared = []
    real = hmac.compare_digest
    monkeypatch.setattr(rules.hmac, "compare_digest", lambda one, other: compared.append(1) or real(one, other))

    wrong = [doorstep.item("s-1", clientState="wrong") for _ in range(3)]
    await doorstep.notifies(*wrong, doorstep.item("s-1"))

    assert 4 == len(compared)


async def test_the_state_is_neither_in_the_database_nor_in_the_log(doorstep):
    await doorstep.has_mailbox("a@desk.test", "s-1")
    with capture_logs() as logs:
        await doorstep.notifies(doorstep.item("s-1", clientState="a-guess-of-a-stranger"))
        await doorstep.notifies(doorstep.item("s-1"))

    assert logs
    assert "a-guess-of-a-stranger" not in repr(logs)
    dump = _rows(doorstep, "SELECT s::text FROM padealing.graph_subscription_state s")
    facts = _rows(doorstep, "SELECT body::text FROM postroom.fact")
    assert doorstep.states["s-1"] not in repr((logs, dump, facts))
    assert "a-guess-of-a-stranger" not in repr((dump, facts))


async def test_strangers_fill_neither_the_facts_nor_the_log(doorstep):
    with capture_logs() as logs:
        for n in range(50):
            items = [doorstep.item(f"made-up-{n}-{m}", clientState="x") for m in range(20)]
            assert 401 == (await doorstep.notifies(*items)).status_code

        await doorstep.house.sort_last_notifications()

    assert webhooks.REFUSALS_TOLD_ONE_BY_ONE + 1 == len(doorstep.security())
    assert webhooks.REFUSALS_TOLD_ONE_BY_ONE + 1 == len(
        [each for each in logs if each["event"] == "notification refused"]
    )
    assert 1000 == sum(each["times"] for each in doorstep.security())
    assert 0 == doorstep.jobs()


async def test_every_refusal_is_told_the_many_of_a_minute_together_at_its_end(doorstep, monkeypatch):
    monkeypatch.setattr(webhooks, "REFUSAL_WINDOW_SECONDS", 0.3)
    monkeypatch.setattr(webhooks, "REFUSALS_TOLD_ONE_BY_ONE", 2)
    await doorstep.notifies(*(doorstep.item("made-up") for _ in range(6)))
    for _ in range(200):
        if len(doorstep.security()) == 3:
            break
        await asyncio.sleep(0.05)

    assert [1, 1, 4] == sorted(each["times"] for each in doorstep.security())


async def test_a_name_with_a_nul_in_it_is_a_stranger_s(doorstep):
    await doorstep.has_mailbox("a@desk.test", "s-1")
    refused = await doorstep.notifies(doorstep.item("a\0b"))
    taken = await doorstep.notifies(doorstep.item("s-1", resourceData={"id": "a\0b"}), doorstep.item("\0"))

    assert (401, 202) == (refused.status_code, taken.status_code)
    assert 2 == len(doorstep.security())


async def test_what_is_no_notification_is_a_400_and_nothing_else(doorstep):
    for body in (b"", b"not json", b"[]", b"{}", b'{"value": {}}', b"\xff\xfe", b"[" * 5000):
        assert 400 == (await doorstep.http.post(GRAPH[0], content=body)).status_code
    assert 0 == doorstep.jobs()


async def test_items_that_cannot_be_read_are_strangers(doorstep):
    await doorstep.has_mailbox("a@desk.test", "s-1")

    assert 401 == (await doorstep.notifies(7, None, "x", {}, {"subscriptionId": 5})).status_code
    assert 202 == (await doorstep.notifies(7, doorstep.item("s-1"))).status_code


async def test_an_empty_list_says_nothing_and_is_taken(doorstep):
    assert 202 == (await doorstep.notifies()).status_code


async def test_a_body_that_is_too_large_is_not_read_to_the_end(doorstep):
    sent = 0

    async def flood() -> AsyncIterator[bytes]:
        nonlocal sent
        for _ in range(1000):
            sent += 1
            yield b"x" * 65536

    answer = await doorstep.http.post(GRAPH[0], content=flood())

    assert 413 == answer.status_code
    assert sent < 1000


async def test_a_deletion_wakes_the_mailbox_but_names_nothing_to_fetch(doorstep):
    await doorstep.has_mailbox("a@desk.test", "s-1")

    await doorstep.notifies(doorstep.item("s-1", "AAM1", changeType="deleted"))

    assert 1 == doorstep.jobs()
    assert 0 == doorstep.ask("SELECT count(*) FROM postroom.hint")


async def test_a_late_notification_of_a_replaced_subscription_still_counts(doorstep):
    mailbox = await doorstep.has_mailbox("a@desk.test", "s-old")
    scope = doorstep.house.scope(doorstep.tenant, "test")
    async with scope.finish() as tx:
        watch = Watch("s-new", "me/messages", scope.now + timedelta(days=2), "https://p.example/n")
        await watch_store.upsert_subscription(tx, doorstep.tenant, mailbox, watch, b"\0" * 32, scope.now)

    assert 202 == (await doorstep.notifies(doorstep.item("s-old"))).status_code
    assert "expired" == doorstep.ask(
        "SELECT status FROM padealing.graph_subscription_state WHERE subscription_id = 's-old'"
    )
    assert 1 == doorstep.jobs()


async def test_a_mailbox_that_was_deleted_is_a_stranger_soon_and_spoils_nobodys_notification(doorstep, monkeypatch):
    await doorstep.has_mailbox("a@desk.test", "s-1")
    await doorstep.has_mailbox("b@desk.test", "s-2")
    monkeypatch.setattr(webhooks, "OWNER_KNOWN_SECONDS", 0.3)
    assert 202 == (await doorstep.notifies(doorstep.item("s-1"), doorstep.item("s-2"))).status_code
    with psycopg.connect(doorstep.owner_dsn, autocommit=True) as owner:
        owner.execute("DELETE FROM postroom.mailbox WHERE address = 'a@desk.test'")

    assert 202 == (await doorstep.notifies(doorstep.item("s-1", "R1"), doorstep.item("s-2", "R2"))).status_code
    await asyncio.sleep(0.35)
    assert 401 == (await doorstep.notifies(doorstep.item("s-1"))).status_code


# lifecycle


@pytest.mark.parametrize(
    ("event", "jobs"),
    [
        ("reauthorizationRequired", {"mailboxes.keep_watch"}),
        ("subscriptionRemoved", {"mailboxes.keep_watch", "sync.mailbox", "sync.reconcile"}),
        ("missed", {"sync.mailbox", "sync.reconcile"}),
    ],
)
async def test_a_lifecycle_event_acts_at_once_on_whichever_address_it_comes(doorstep, event, jobs):
    await doorstep.has_mailbox("a@desk.test", "s-1")
    said = {"subscriptionId": "s-1", "clientState": doorstep.states["s-1"], "lifecycleEvent": event}

    for path in GRAPH[:2]:
        answer = await doorstep.notifies({**said, "organizationId": "o", "resource": "", "resourceData": {}}, path=path)

        assert 202 == answer.status_code
        assert {(kind,) for kind in jobs} == set(_rows(doorstep, "SELECT kind FROM postroom.job"))
        question = "SELECT body ->> 'event' FROM postroom.fact WHERE kind = 'watch.lifecycle' ORDER BY id DESC LIMIT 1"
        assert event == doorstep.ask(question)
        _run(doorstep, "DELETE FROM postroom.job")


async def test_a_lifecycle_event_with_a_wrong_state_is_refused_like_any_other(doorstep):
    await doorstep.has_mailbox("a@desk.test", "s-1")

    item = {"subscriptionId": "s-1", "clientState": "no", "lifecycleEvent": "subscriptionRemoved"}

    assert 401 == (await doorstep.notifies(item, path=GRAPH[1])).status_code
    assert 0 == doorstep.jobs()


async def test_missed_says_since_when_and_that_range_is_looked_at(doorstep):
    await doorstep.has_mailbox("a@desk.test", "s-1")
    await doorstep.notifies(doorstep.item("s-1"))
    heard = doorstep.ask("SELECT last_push_at FROM postroom.mailbox_push")
    doorstep.world.clock.advance(timedelta(hours=2))

    said = {"subscriptionId": "s-1", "clientState": doorstep.states["s-1"], "lifecycleEvent": "missed"}
    await doorstep.notifies(said, path=GRAPH[1])

    question = "SELECT (body ->> 'since')::timestamptz FROM postroom.fact WHERE kind = 'watch.lifecycle'"
    assert heard == doorstep.ask(question)
    assert heard == doorstep.ask(
        "SELECT (args ->> 'since')::timestamptz FROM postroom.job WHERE kind = 'sync.reconcile'"
    )


# Gmail


async def test_a_signed_push_wakes_the_mailbox_before_it_is_acknowledged(doorstep):
    mailbox = await doorstep.has_mailbox("a@gmail.test", provider="gmail")

    assert 204 == await doorstep.pushes("A@Gmail.test", doorstep.token())

    assert mailbox == doorstep.ask("SELECT mailbox_id FROM postroom.job WHERE kind = 'sync.mailbox'")


async def test_a_push_with_a_wrong_credential_is_403_and_noted(doorstep):
    await doorstep.has_mailbox("a@gmail.test", provider="gmail")
    wrong = [
        {"aud": "https://somebody-else.example/"},
        {"email": "intruder@other.iam.gserviceaccount.com"},
        {"email_verified": False},
        {"iss": "https://evil.example"},
        {"age": 2 * 86400},
        {"age": -3600},
    ]

    for claims in wrong:
        assert 403 == await doorstep.pushes("a@gmail.test", doorstep.token(**claims))

    assert 0 == doorstep.jobs()
    assert {"203.0.113.9"} == {each["source"] for each in doorstep.security()}
    assert len(wrong) == len(doorstep.security())


async def test_a_push_without_a_readable_token_is_403(doorstep):
    await doorstep.has_mailbox("a@gmail.test", provider="gmail")

    for token in (None, "x", "a.b.c", "eyJhbGciOiJub25lIn0.e30."):
        assert 403 == await doorstep.pushes("a@gmail.test", token)
    assert 0 == doorstep.jobs()


async def test_a_push_of_another_subscription_is_403(doorstep):
    await doorstep.has_mailbox("a@gmail.test", provider="gmail")

    status = await doorstep.pushes("a@gmail.test", doorstep.token(), subscription="projects/x/subscriptions/y")

    assert 403 == status
    assert 0 == doorstep.jobs()


async def test_a_push_for_an_address_that_is_not_ours_is_acknowledged_and_logged(doorstep):
    with capture_logs() as logs:
        assert 204 == await doorstep.pushes("stranger@gmail.test", doorstep.token())

    assert 0 == doorstep.jobs()
    assert ["push for an unknown mailbox"] == [each["event"] for each in logs]
    assert "stranger@gmail.test" not in repr(logs)


async def test_a_signed_push_that_says_nothing_is_acknowledged_or_it_would_come_for_a_week(doorstep):
    headers = {"Authorization": f"Bearer {doorstep.token()}"}
    body = {"message": {"data": "bm90IGdtYWls", "messageId": "1"}, "subscription": SUBSCRIPTION}

    answer = await doorstep.http.post("/webhooks/gmail", json=body, headers=headers)

    assert 204 == answer.status_code
    assert 0 == doorstep.jobs()


async def test_while_googles_keys_cannot_be_fetched_pushes_are_neither_taken_nor_lost(doorstep):
    await doorstep.has_mailbox("a@gmail.test", provider="gmail")
    token = doorstep.token()
    doorstep.world.faults.turn(unavailable=1.0)

    assert 503 == await doorstep.pushes("a@gmail.test", token)
    assert 0 == doorstep.jobs()


@pytest.mark.parametrize("doorstep", [{"gmail_push_token": "second-factor"}], indirect=True)
async def test_the_static_token_is_a_second_factor_and_never_the_only_one(doorstep):
    await doorstep.has_mailbox("a@gmail.test", provider="gmail")
    with_token = "/webhooks/gmail?token=second-factor"

    assert 403 == await doorstep.pushes("a@gmail.test", doorstep.token())
    assert 403 == await doorstep.pushes("a@gmail.test", doorstep.token(), path="/webhooks/gmail?token=wrong")
    assert 403 == await doorstep.pushes("a@gmail.test", None, path=with_token)
    assert 0 == doorstep.jobs()
    assert 204 == await doorstep.pushes("a@gmail.test", doorstep.token(), path=with_token)


@pytest.mark.parametrize("doorstep", [{"gmail_audience": "", "gmail_service_account": ""}], indirect=True)
async def test_without_an_audience_and_an_account_no_push_is_taken_at_all(doorstep):
    await doorstep.has_mailbox("a@gmail.test", provider="gmail")

    assert 403 == await doorstep.pushes("a@gmail.test", doorstep.token())
    assert 0 == doorstep.jobs()


def _rows(doorstep: Doorstep, question: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(doorstep.owner_dsn, autocommit=True) as owner:
        return owner.execute(question).fetchall()


def _run(doorstep: Doorstep, statements: str) -> None:
    with psycopg.connect(doorstep.owner_dsn, autocommit=True) as owner:
        owner.execute(statements)
