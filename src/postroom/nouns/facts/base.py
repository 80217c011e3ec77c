"""What a fact is: told once and for ever. A kind is data: it is never renamed."""

from __future__ import annotations

from typing import ClassVar

import msgspec


class FactBase(msgspec.Struct, frozen=True, kw_only=True):
    """Fields named mailbox_id, thread_id, message_id and document_id also become columns to search by."""

    kind: ClassVar[str]


class SilentFact(FactBase, frozen=True, kw_only=True):
    """A fact that sets nothing in motion: kept, shown and proved, and needs no line in the itinerary."""
