"""Makes the trail tamper-evident: facts are sealed in batches, in commit order, each seal chained to the one before.

Telling a fact waits for nobody. A second or so later one sealer per tenant takes every fact of the transactions that
are over, and chains their fingerprints. `verify` walks the chain and says where it does not hold.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from datetime import datetime

from postroom.db import sql
from postroom.db.pool import Database, Tx
from postroom.engine.facts import TellingFact
from postroom.nouns.ids import TenantId

QUERIES = sql.load("postroom.engine")
BEGINNING = b"\0" * 32
PAGE = 2000
MOST_PER_SEAL = 20_000


@dataclass(frozen=True, slots=True)
class Seal:
    """A batch of facts: those of the transactions from `from_xid` up to, not including, `upto_xid`."""

    number: int
    from_xid: int
    upto_xid: int
    facts: int
    root: bytes
    chain: bytes
    sealed_at: datetime


@dataclass(frozen=True, slots=True)
class ChainReport:
    """What `verify` saw. No problems: everything that was sealed is as it was told."""

    tenant_id: TenantId
    facts: int
    seals: int
    unsealed: int
    head: str
    problems: list[str]


def chain(before: bytes, number: int, from_xid: int, upto_xid: int, facts: int, root: bytes) -> bytes:
    return hashlib.sha256(before + f"{number}:{from_xid}:{upto_xid}:{facts}:".encode() + root).digest()


def root(digests: Iterable[bytes]) -> bytes:
    whole = hashlib.sha256()
    for each in digests:
        whole.update(each)
    return whole.digest()


async def seal(db: Database, tenant_id: TenantId, now: datetime) -> Seal | None:
    """Seal what is settled; `None` if there is nothing, or another sealer is at it."""
    async with db.tenant(tenant_id) as tx:
        if not await tx.value(QUERIES.lock_seal, tenant_id=tenant_id):
            return None
        last = await tx.row(QUERIES.last_seal, Seal)
        start = last.upto_xid if last else 0
        upto = await tx.value(QUERIES.settled)
        facts = [fact async for fact in _between(tx, start, upto, MOST_PER_SEAL)]
        if not facts:
            return None
        if len(facts) == MOST_PER_SEAL:  # end at a transaction's end; the rest comes with the next seal
            upto = facts[-1].xid if facts[-1].xid > facts[0].xid else upto
            facts = [fact async for fact in _between(tx, start, upto)]
        number = last.number + 1 if last else 1
        sealed_root = root(fact.fingerprint() for fact in facts)
        made = Seal(
            number=number,
            from_xid=start,
            upto_xid=upto,
            facts=len(facts),
            root=sealed_root,
            chain=chain(last.chain if last else BEGINNING, number, start, upto, len(facts), sealed_root),
            sealed_at=now,
        )
        await tx.run(
            QUERIES.add_seal,
            tenant_id=tenant_id,
            number=made.number,
            from_xid=made.from_xid,
            upto_xid=made.upto_xid,
            facts=made.facts,
            root=made.root,
            chain=made.chain,
            sealed_at=made.sealed_at,
        )
        return made


async def verify(db: Database, tenant_id: TenantId, expected_head: str | None = None) -> ChainReport:
    """Walk the whole chain. Any fact changed, added or taken away, and any seal, is named."""
    problems: list[str] = []
    before, upto, number, facts = BEGINNING, 0, 0, 0
    known_heads = {BEGINNING.hex()}
    async with db.tenant(tenant_id) as tx:
        async for sealed in _seals(tx):
            number += 1
            problems += _seal_problems(sealed, number, before, upto)
            held = [fact async for fact in _between(tx, sealed.from_xid, sealed.upto_xid)]
            problems += _fact_problems(sealed, held)
            facts += len(held)
            before, upto, number = sealed.chain, sealed.upto_xid, sealed.number
            known_heads.add(before.hex())
        unsealed = [fact async for fact in _between(tx, upto, 2**62)]
    problems += [_changed(fact) for fact in unsealed if fact.fingerprint() != fact.digest]
    if expected_head is not None and expected_head not in known_heads:
        problems.append(
            f"The chain does not contain the head {expected_head}: its end was cut off, or it was made anew."
        )
    return ChainReport(tenant_id, facts + len(unsealed), number, len(unsealed), before.hex(), problems)


def _seal_problems(sealed: Seal, number: int, before: bytes, upto: int) -> list[str]:
    problems = []
    if sealed.number != number:
        problems.append(f"Seal {number} is missing.")
    if sealed.from_xid != upto:
        problems.append(f"Seal {sealed.number} does not start where the one before it ended.")
    made = chain(before, sealed.number, sealed.from_xid, sealed.upto_xid, sealed.facts, sealed.root)
    if made != sealed.chain:
        problems.append(
            f"Seal {sealed.number} of {sealed.sealed_at:%Y-%m-%d %H:%M:%S} is broken: it was changed, or one before it."
        )
    return problems


def _fact_problems(sealed: Seal, held: list[TellingFact]) -> list[str]:
    problems = [_changed(fact) for fact in held if fact.fingerprint() != fact.digest]
    if len(held) != sealed.facts:
        word = "missing" if len(held) < sealed.facts else "too many"
        problems.append(
            f"Seal {sealed.number} covers {sealed.facts} facts, {abs(len(held) - sealed.facts)} {word} "
            f"(transactions {sealed.from_xid} to {sealed.upto_xid})."
        )
    elif root(fact.fingerprint() for fact in held) != sealed.root and not problems:
        problems.append(f"Seal {sealed.number}: its facts are not those that were sealed, or not in that order.")
    return problems


def _changed(fact: TellingFact) -> str:
    return f"Fact {fact.id} ({fact.kind}, told {fact.told_at:%Y-%m-%d %H:%M:%S}) was changed."


async def _between(tx: Tx, start: int, upto: int, most: int | None = None) -> AsyncIterator[TellingFact]:
    xid, last, read = -1, -1, 0
    while True:
        page = await tx.rows(
            QUERIES.facts_between,
            TellingFact,
            from_xid=start,
            upto_xid=upto,
            after_xid=xid,
            after_id=last,
            most=PAGE,
        )
        for fact in page:
            if most is not None and read == most:
                return
            read += 1
            yield fact
        if len(page) < PAGE:
            return
        xid, last = page[-1].xid, page[-1].id


async def _seals(tx: Tx) -> AsyncIterator[Seal]:
    after = 0
    while page := await tx.rows(QUERIES.seals, Seal, after=after, most=500):
        for sealed in page:
            yield sealed
        after = page[-1].number


async def all_seals(db: Database, tenant_id: TenantId) -> list[Seal]:
    async with db.tenant(tenant_id) as tx:
        return [sealed async for sealed in _seals(tx)]
