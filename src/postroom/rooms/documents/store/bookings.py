"""Entries of any other kind in the books: their values by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from postroom.db.pool import Tx
from postroom.nouns.documents import Booking, plain
from postroom.nouns.ids import DocumentId, TenantId, new_id
from postroom.rooms.documents.rules.fingerprints import booking_fingerprint
from postroom.rooms.documents.rules.typed_values import typed_values
from postroom.rooms.documents.store.books import Booked, fields_from, fields_json
from postroom.rooms.documents.store.documents import QUERIES, clean, json_of

BookingStatus = Literal["confirmed", "review", "rejected"]


@dataclass(frozen=True, slots=True)
class BookedEntry:
    """An entry as it stands in the books. `entry` has its values by name, as text."""

    id: UUID
    document_id: DocumentId
    position: int
    kind: str
    status: BookingStatus
    because: str
    entry: dict[str, str | None]
    confidence: float
    fields: dict[str, Any]
    fingerprint: str | None
    instance: int
    confirmed_by: str | None
    confirmed_at: datetime | None
    corrected_by: str | None
    corrected_at: datetime | None
    created_at: datetime

    def as_booking(self) -> Booking:
        values = typed_values(self.entry)
        return Booking(self.kind, values, self.confidence, fields_from(self.fields, values))


async def put_bookings(
    tx: Tx, tenant_id: TenantId, document_id: DocumentId, entries: Sequence[Booking], because: str, now: datetime
) -> None:
    rows = [
        {
            "id": new_id(),
            "position": position,
            "kind": each.kind,
            "entry": _texts(each),
            "confidence": each.confidence,
            "fields": fields_json(each.fields),
            "fingerprint": booking_fingerprint(each),
        }
        for position, each in enumerate(entries)
    ]
    values = {"bookings": json_of(rows), "because": clean(because), "now": now}
    await tx.run(QUERIES.put_bookings, tenant_id=tenant_id, document_id=document_id, **values)


def _texts(booking: Booking) -> Mapping[str, str | None]:
    return {name: plain(value) for name, value in booking.values.items()}


async def bookings_of_document(tx: Tx, document_id: DocumentId) -> list[BookedEntry]:
    return await tx.rows(QUERIES.bookings_of_document, BookedEntry, document_id=document_id)


async def bookings(tx: Tx, *, before: UUID | None, most: int, status: str | None = None) -> list[BookedEntry]:
    """Newest first."""
    return await tx.rows(QUERIES.bookings, BookedEntry, before=before, most=most, status=status)


async def booking(tx: Tx, booking_id: UUID) -> BookedEntry | None:
    return await tx.row(QUERIES.booking, BookedEntry, id=booking_id)


async def booked_twins(tx: Tx, booking_id: UUID, fingerprint: str | None) -> list[Booked]:
    return await tx.rows(QUERIES.booked_bookings, Booked, id=booking_id, fingerprint=fingerprint)


async def correct_booking(tx: Tx, booking_id: UUID, corrected: Booking, actor: str, now: datetime) -> None:
    values = {"entry": json_of(_texts(corrected)), "fields": json_of(fields_json(corrected.fields))}
    values |= {"fingerprint": booking_fingerprint(corrected), "actor": actor}
    await tx.run(QUERIES.correct_booking, id=booking_id, now=now, **values)


async def settle_booking(
    tx: Tx,
    booking_id: UUID,
    status: BookingStatus,
    because: str,
    actor: str,
    now: datetime,
    *,
    instance: int | None = None,
) -> None:
    values = {"status": status, "because": clean(because), "actor": actor, "now": now, "instance": instance}
    await tx.run(QUERIES.settle_booking, id=booking_id, **values)
