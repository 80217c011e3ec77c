"""`kill -9` while a correction is being learnt from, and while a policy is being changed: wholly, once, or not at all."""

from __future__ import annotations

import asyncio
import signal
from typing import Any

import aiohttp
import pytest

from postroom.engine.work import TenantScope
from postroom.nouns.ids import DocumentId, TenantId
from postroom.rooms.documents import commands
from postroom_simulators.incoming_mail import IncomingMail
from rooms.documents.test_learning import odd_note
from stories.killing import presumed_dead
from stories.office import DESK, Office, free_port
from stories.test_killed import with_note

pytestmark = pytest.mark.programs

LEARNING = "postroom.rooms.documents.jobs.learning"
LEARNING_STEPS = [
    (f"{LEARNING}:_paper", "after"),  # the paper was read once more
    (f"{LEARNING}:taught", "after"),  # learnt, nothing written
    ("postroom.rooms.documents.store.reviews:put_profile", "after"),  # written, not committed
    (f"{LEARNING}:_keep", "after"),  # committed, and nobody knows
]
POLICY = "postroom.rooms.policy"
POLICY_STEPS = [
    (f"{POLICY}:put_decisions", "after", False),  # a third of it is written
    (f"{POLICY}:put_mapping_policy", "after", False),
    (f"{POLICY}:put_reply_policy", "after", False),  # all of it, not committed
    ("postroom.doors.api.policy:change_tenant_policy", "after", True),  # committed, and nobody hears of it
]
WANTED = {
    "documents": {"sure_enough": 0.75},
    "mapping": {"threshold": 0.9},
    "retention": {"messages": 365},
    "replies": {"thanks": False},
}
KINDS = ("tenant.policy_changed", "mapping.policy_changed", "tenant.retention_changed")


def from_sender(office: Office, number: int, net: str) -> bytes:
    mail = with_note(office, odd_note(net, office.counter))
    return mail.replace(b"notes@thornbury.test", f"notes@odd{number}.test".encode())


async def is_read(office: Office, mail: bytes, count: int) -> DocumentId:
    office.world.deliver(IncomingMail(DESK, mail))
    await office.works_until("SELECT count(*) FROM postroom.document WHERE status <> 'waiting'", count, seconds=60)
    await office.works()
    return DocumentId(office.ask("SELECT id FROM postroom.document ORDER BY created_at DESC, id DESC LIMIT 1"))


async def is_corrected(scope: TenantScope, document: DocumentId, net: str) -> None:
    await commands.correct(scope, document, {"net": net})
    await commands.confirm(scope, document, reason="Checked.", another=True)


@pytest.mark.long
async def test_a_worker_killed_while_it_learns_from_a_correction_learns_it_once(office, dsn, doomed):
    victims = doomed(office, dsn)
    scope = office.house.scope(TenantId(office.ask("SELECT tenant_id FROM postroom.mailbox")), "person:olga@house.test")
    for number, (where, when) in enumerate(LEARNING_STEPS, start=1):
        first = await is_read(office, from_sender(office, number, "18762.35"), 3 * number - 2)
        await is_corrected(scope, first, "18762.35")
        await office.works()
        second = await is_read(office, from_sender(office, number, "18766.20"), 3 * number - 1)
        await is_corrected(scope, second, "18766.20")

        assert -signal.SIGKILL == await victims.dies(where, when), f"it was not killed {when} {where}"
        presumed_dead(office)
        await office.works()

        assert number == office.count("document.profile_learnt"), f"killed {when} {where}"
        assert number == office.ask("SELECT count(*) FROM postroom.sender_profile")
        following = await is_read(office, from_sender(office, number, "18764.10"), 3 * number)
        read = office.ask("SELECT net::text FROM postroom.trade WHERE document_id = %s", following)
        assert 18764.10 == pytest.approx(float(read)), f"killed {when} {where}"
    assert 0 == office.ask("SELECT count(*) FROM postroom.job WHERE state = 'quarantined'")


async def changes_policy(url: str, key: str) -> int | None:
    """What was answered; None when nothing was."""
    async with aiohttp.ClientSession(headers={"Authorization": f"Bearer {key}"}) as session:
        for _ in range(600):
            try:
                async with session.patch(f"{url}/api/v1/policy", json=WANTED) as answer:
                    return answer.status
            except aiohttp.ClientConnectorError:
                await asyncio.sleep(0.05)  # it is not up yet
            except aiohttp.ClientError:
                return None
    raise AssertionError("the web process did not come up")


async def policy(office: Office) -> dict[str, Any]:
    status, held = await office.get("/api/v1/policy")
    assert 200 == status
    return held


@pytest.mark.parametrize(("where", "when", "kept"), POLICY_STEPS)
async def test_a_web_process_killed_while_a_policy_changes_leaves_all_of_it_or_nothing(
    office, dsn, doomed, where, when, kept
):
    before, key, port = await policy(office), await office.key(), free_port()
    victims = doomed(office, dsn)
    await victims.starts("web", where, when, port)

    assert await changes_policy(f"http://127.0.0.1:{port}", key) is None
    assert -signal.SIGKILL == await victims.ended()

    after = await policy(office)
    changed = [part for part in WANTED if after[part] != before[part]]
    assert (list(WANTED) if kept else []) == changed
    assert [int(kept)] * len(KINDS) == [office.count(kind) for kind in KINDS]
    assert 200 == await changes_policy(office.url, key)  # said again, it is so, and told once
    assert [1] * len(KINDS) == [office.count(kind) for kind in KINDS]
    held = await policy(office)
    assert (0.75, 365) == (held["documents"]["sure_enough"], held["retention"]["messages"])
