"""Makes the trail tamper-evident: facts are sealed in batches, in commit order, chained to each other with a key.

Telling a fact waits for nobody. A second or so later one sealer per tenant takes every fact of the transactions that
are over, and chains their fingerprints. A link is a plain hash over all that was sealed so far; what is stored is its
HMAC with a key that the database does not hold. So nobody who can merely write to the database can chain anew, and a
seal whose key was retired is still proved by every later one. `verify` walks the chain and says where it does not hold.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol

from postroom.db import sql
from postroom.db.pool import Database, Tx
from postroom.engine.audit_anchors import Anchor
from postroom.engine.facts import TellingFact, stamp
from postroom.nouns.ids import TenantId

QUERIES = sql.load("postroom.engine")
BEGINNING = b"\0" * 32
PURPOSE = "postroom audit chain"
PAGE = 2000
MOST_PER_SEAL = 20_000


class ChainKeys(Protocol):
    """Where the chain's keys come from: the sealing key, which the database does not hold."""

    @property
    def newest(self) -> bytes: ...

    def derived(self, purpose: str, key_id: bytes) -> bytes | None: ...


@dataclass(frozen=True, slots=True)
class Seal:
    """A batch of facts: those of the transactions from `from_xid` up to, not including, `upto_xid`."""

    number: int
    from_xid: int
    upto_xid: int
    facts: int
    root: bytes
    link: bytes
    chain: bytes
    key_id: bytes
    sealed_at: datetime

    def as_line(self) -> dict[str, Any]:
        """As it is exported: enough to check it elsewhere."""
        proof = {name: getattr(self, name).hex() for name in ("root", "link", "chain", "key_id")}
        covers = {"from_xid": self.from_xid, "upto_xid": self.upto_xid, "facts": self.facts}
        return {"seal": self.number, **covers, **proof, "sealed_at": stamp(self.sealed_at)}


@dataclass(frozen=True, slots=True)
class ChainReport:
    """What `verify` saw. No problems: everything that was sealed is as it was told."""

    tenant_id: TenantId
    facts: int
    seals: int
    unsealed: int
    head: str
    problems: list[str]
    anchors: int = 0

    @property
    def is_sound(self) -> bool:
        return not self.problems


def link(before: bytes, made: Seal) -> bytes:
    """A hash over this seal and, through the one before, over all that was sealed so far."""
    said = f"{made.number}:{made.from_xid}:{made.upto_xid}:{made.facts}:{stamp(made.sealed_at)}:{made.key_id.hex()}:"
    return hashlib.sha256(before + said.encode() + made.root).digest()


def signed(key: bytes, made: bytes, *, vouches: bool) -> bytes:
    """`vouches`: whoever made it had the key of the seal before and saw that it holds."""
    return hmac.digest(key, made + (b"+" if vouches else b"-"), "sha256")


def _vouches(keys: ChainKeys, sealed: Seal) -> bool | None:
    """Whether a seal vouches for the one before; None when it is not proved itself, or its key is not here."""
    key = keys.derived(PURPOSE, sealed.key_id)
    if key is None:
        return None
    for vouches in (True, False):
        if hmac.compare_digest(signed(key, sealed.link, vouches=vouches), sealed.chain):
            return vouches
    return None


def root(digests: Iterable[bytes]) -> bytes:
    whole = hashlib.sha256()
    for each in digests:
        whole.update(each)
    return whole.digest()


async def seal(db: Database, keys: ChainKeys, tenant_id: TenantId, now: datetime) -> Seal | None:
    """Seal what is settled; `None` if there is nothing, or another sealer is at it."""
    key_id = keys.newest
    key = keys.derived(PURPOSE, key_id)
    assert key is not None, "the newest key is there"
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
        made_of = root(fact.fingerprint() for fact in facts)
        made = Seal(number, start, upto, len(facts), made_of, b"", b"", key_id, now)
        made = replace(made, link=link(last.link if last else BEGINNING, made))
        proved = last is None or _vouches(keys, last) is not None
        made = replace(made, chain=signed(key, made.link, vouches=proved))
        await tx.run(
            QUERIES.add_seal,
            tenant_id=tenant_id,
            number=made.number,
            from_xid=made.from_xid,
            upto_xid=made.upto_xid,
            facts=made.facts,
            root=made.root,
            link=made.link,
            chain=made.chain,
            key_id=made.key_id,
            sealed_at=made.sealed_at,
        )
        return made


async def head_of(db: Database, tenant_id: TenantId) -> Seal | None:
    async with db.tenant(tenant_id) as tx:
        return await tx.row(QUERIES.last_seal, Seal)


async def verify(
    db: Database,
    keys: ChainKeys,
    tenant_id: TenantId,
    anchors: Sequence[Anchor] = (),
    expected_head: str | None = None,
) -> ChainReport:
    """Walk the whole chain. Any fact changed, added or taken away, and any seal, is named."""
    walk = _ChainWalk(keys)
    async with db.tenant(tenant_id) as tx:
        async for sealed in _seals(tx):
            walk.take(sealed, [fact async for fact in _between(tx, sealed.from_xid, sealed.upto_xid)])
        unsealed = [fact async for fact in _between(tx, walk.upto, 2**62)]
    problems = walk.problems + [_changed(fact) for fact in unsealed if fact.fingerprint() != fact.digest]
    if not walk.facts and not unsealed:
        problems.append("There is not a single fact: not even that the tenant was made. The trail was emptied.")
    if expected_head is not None and expected_head not in {BEGINNING.hex(), *walk.heads.values()}:
        problems.append(
            f"The chain does not contain the head {expected_head}: its end was cut off, or it was made anew."
        )
    problems += _anchor_problems(anchors, walk.heads)
    return ChainReport(
        tenant_id, walk.facts + len(unsealed), walk.number, len(unsealed), walk.head, problems, len(anchors)
    )


class _ChainWalk:
    """What is known of the chain so far, while it is walked."""

    def __init__(self, keys: ChainKeys) -> None:
        self._keys = keys
        self._link, self._unproved, self._lost = BEGINNING, 0, 0
        self.upto = self.number = self.facts = 0
        self.head = BEGINNING.hex()
        self.heads: dict[int, str] = {}
        self._said: list[str] = []

    def take(self, sealed: Seal, held: list[TellingFact]) -> None:
        self.number += 1
        if sealed.number != self.number:
            self._said.append(f"Seal {self.number} is missing.")
        if sealed.from_xid != self.upto:
            self._said.append(f"Seal {sealed.number} does not start where the one before it ended.")
        self._said += _fact_problems(sealed, held)
        self._check(sealed)
        self.facts += len(held)
        self._link, self.upto, self.number = sealed.link, sealed.upto_xid, sealed.number
        self.head = sealed.chain.hex()
        self.heads[sealed.number] = self.head

    def _check(self, sealed: Seal) -> None:
        fits = link(self._link, sealed) == sealed.link
        vouches = _vouches(self._keys, sealed)
        if fits and vouches is None and self._keys.derived(PURPOSE, sealed.key_id) is None:
            self._unproved += 1  # unless a later one vouches for it
        elif fits and vouches is not None:
            self._lost += 0 if vouches else self._unproved
            self._unproved = 0
        else:
            self._said.append(
                f"Seal {sealed.number} of {sealed.sealed_at:%Y-%m-%d %H:%M:%S} is broken: it was changed, or one "
                "before it, or somebody without the key made it."
            )

    @property
    def problems(self) -> list[str]:
        unproved = self._unproved + self._lost
        if not unproved:
            return self._said
        said = (
            f"Nothing proves {unproved} of the seals: they name a sealing key that is not here, and no later seal "
            "vouches for them. Put that key back after the newest one."
        )
        return [*self._said, said]


def _anchor_problems(anchors: Sequence[Anchor], heads: dict[int, str]) -> list[str]:
    lost = sorted((each for each in anchors if heads.get(each.number) != each.head), key=lambda each: each.number)
    if not lost:
        return []
    first, others = lost[0], len({each.number for each in lost}) - 1
    more = f", and {others} later ones" if others else ""
    at = f"{first.noted_at:%Y-%m-%d %H:%M:%S}"
    said = f"Seal {first.number} is not the one that was noted in {first.place} on {at}{more}"
    return [f"{said}: the end was cut off, or facts were sealed anew."]


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
