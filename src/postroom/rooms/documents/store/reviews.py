"""What people keep for this room: passwords, trusted senders, and their corrections."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from postroom.db.pool import Tx
from postroom.nouns.documents import Field
from postroom.nouns.ids import DocumentId, InvoiceId, TenantId, TradeId, new_id
from postroom.ports import Sealing
from postroom.reading.profiles import DroppedLesson, Lesson, SenderProfile
from postroom.rooms.documents.ports import about_password
from postroom.rooms.documents.rules.routes import PROVED_BY
from postroom.rooms.documents.store.documents import MACHINE, QUERIES, json_of


@dataclass(frozen=True, slots=True)
class Password:
    id: UUID
    label: str
    sealed: bytes
    created_by: str
    created_at: datetime

    def opened(self, sealer: Sealing, tenant_id: TenantId) -> str:
        return sealer.open(bytes(self.sealed), about=about_password(tenant_id, self.id)).decode()


@dataclass(frozen=True, slots=True)
class SenderRule:
    id: UUID
    pipeline: str
    entry: str
    created_by: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class DroppedRule:
    pipeline: str
    entry: str


@dataclass(frozen=True, slots=True)
class LearntProfile:
    """What corrections taught of a sender, and which document did so last."""

    sender_email: str
    profile: dict[str, Any]
    learnt_from: DocumentId | None
    updated_at: datetime
    borne_out: int  # documents that people confirmed since as they were read

    @property
    def wanted(self) -> int:
        """How many must be confirmed before its documents may pass unseen again."""
        return PROVED_BY

    @property
    def proved(self) -> bool:
        return self.borne_out >= PROVED_BY

    @property
    def labels(self) -> Mapping[str, str]:
        return SenderProfile.from_json(self.profile).labels

    @property
    def trades_on_settlement_day(self) -> bool:
        return SenderProfile.from_json(self.profile).trades_on_settlement_day

    @property
    def noticed(self) -> Sequence[Lesson]:
        """What too few documents agree on so far: nothing is read with it."""
        known = SenderProfile.from_json(self.profile)
        return [lesson for lesson in known.lessons if not known.holds(lesson)]

    @property
    def dropped(self) -> Sequence[DroppedLesson]:
        """What a document contradicted."""
        return SenderProfile.from_json(self.profile).dropped


@dataclass(frozen=True, slots=True)
class CheckedDocument:
    """A document whose only entry somebody found right."""

    id: DocumentId
    archive_path: str
    by_person: bool


@dataclass(frozen=True, slots=True)
class Correction:
    """A person overruling us: what stood there, what should stand there, and where on the page."""

    field: str
    before: str | None
    after: str | None
    page: int | None
    box: list[float] | None
    sender_email: str | None
    trade_id: TradeId | None
    invoice_id: InvoiceId | None
    booking_id: UUID | None
    corrected_by: str
    corrected_at: datetime


async def put_password(
    tx: Tx, tenant_id: TenantId, password_id: UUID, label: str, sealed: bytes, actor: str, now: datetime
) -> bool:
    values = {"label": label, "sealed": sealed, "actor": actor, "now": now}
    return await tx.value(QUERIES.put_password, id=password_id, tenant_id=tenant_id, **values) is not None


async def passwords(tx: Tx) -> list[Password]:
    return await tx.rows(QUERIES.passwords, Password)


async def drop_password(tx: Tx, password_id: UUID) -> str | None:
    label: str | None = await tx.value(QUERIES.drop_password, id=password_id)
    return label


async def put_sender_rule(tx: Tx, tenant_id: TenantId, pipeline: str, entry: str, actor: str, now: datetime) -> bool:
    values = {"pipeline": pipeline, "entry": entry, "actor": actor, "now": now}
    return await tx.value(QUERIES.put_sender_rule, id=new_id(), tenant_id=tenant_id, **values) is not None


async def sender_rules(tx: Tx) -> list[SenderRule]:
    return await tx.rows(QUERIES.sender_rules, SenderRule)


async def drop_sender_rule(tx: Tx, rule_id: UUID) -> DroppedRule | None:
    return await tx.row(QUERIES.drop_sender_rule, DroppedRule, id=rule_id)


async def put_correction(
    tx: Tx,
    tenant_id: TenantId,
    document_id: DocumentId,
    *,
    field: str,
    before: str | None,
    after: str | None,
    place: Field | None,
    sender_email: str | None,
    actor: str,
    now: datetime,
    trade_id: TradeId | None = None,
    invoice_id: InvoiceId | None = None,
    booking_id: UUID | None = None,
) -> None:
    box: Any = json_of(place.box) if place and place.box else None
    values = {"field": field, "before": before, "after": after, "page": place.page if place else None, "box": box}
    await tx.run(
        QUERIES.put_correction,
        id=new_id(),
        tenant_id=tenant_id,
        document_id=document_id,
        trade_id=trade_id,
        invoice_id=invoice_id,
        booking_id=booking_id,
        sender_email=sender_email,
        actor=actor,
        now=now,
        **values,
    )


async def corrections_of_document(tx: Tx, document_id: DocumentId) -> list[Correction]:
    found = await tx.rows(QUERIES.corrections, Correction, document_id=document_id, most=1000)
    return found[::-1]


async def profile(tx: Tx, sender_email: str | None) -> SenderProfile | None:
    """What this sender's corrections taught; None when nobody ever corrected us."""
    found = await tx.value(QUERIES.profile, sender_email=sender_email) if sender_email else None
    return SenderProfile.from_json(found) if found else None


async def profiles(tx: Tx) -> list[LearntProfile]:
    return await tx.rows(QUERIES.profiles, LearntProfile, machine=MACHINE)


async def drop_profile(tx: Tx, sender_email: str) -> bool:
    return await tx.value(QUERIES.drop_profile, sender_email=sender_email) is not None


async def checked_papers(tx: Tx, sender_email: str, document_id: DocumentId, most: int) -> list[CheckedDocument]:
    """The sender's newest documents of one entry that were found right, but for this one."""
    values = {"sender_email": sender_email, "document_id": document_id, "most": most}
    return await tx.rows(QUERIES.checked_papers, CheckedDocument, **values)


async def bears_on_profile(tx: Tx, document_id: DocumentId, sender_email: str) -> bool:
    return bool(await tx.value(QUERIES.bears_on_profile, document_id=document_id, sender_email=sender_email))


async def no_longer_confirmed(tx: Tx, documents: Collection[str]) -> list[str]:
    """Of documents that taught something, those that a person put back or rejected."""
    return await tx.values(QUERIES.no_longer_confirmed, ids=list(documents)) if documents else []


async def put_profile(
    tx: Tx, tenant_id: TenantId, sender_email: str, learnt: SenderProfile, document_id: DocumentId | None, now: datetime
) -> None:
    values = {"profile": json_of(learnt.as_json()), "document_id": document_id, "now": now}
    await tx.run(QUERIES.put_profile, tenant_id=tenant_id, sender_email=sender_email, **values)
