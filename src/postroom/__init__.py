"""Postroom: shared mailboxes, every mail accounted for.

The public API: what scripts may import, `from postroom import …` (docs/reference/python.md). Nothing else in the
package is promised. Each name is loaded when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from postroom.app.house import open_house, utc_now
    from postroom.engine import ledger
    from postroom.engine.retry_policy import ErrorClassifier, RetryStrategy
    from postroom.engine.retry_service import IngestionRetryService
    from postroom.nouns.documents import CannotRead, Extraction
    from postroom.nouns.ids import DocumentId
    from postroom.outside.blobs import open_blobs
    from postroom.outside.graph.client import GraphClient
    from postroom.outside.http import Http
    from postroom.outside.readers.pool import Readers
    from postroom.rooms.clients.mapping_service import EmailMappingService
    from postroom.rooms.clients.rules.staleness import StalenessConfig, StalenessDetector
    from postroom.rooms.documents.agent import DocumentProcessorAgent
    from postroom.rooms.documents.archive import PDFArchiver, key_of_trade, unique_id_for
    from postroom.rooms.documents.routing import ExtractionRouter, Routed
    from postroom.rooms.mailboxes.watch_store import (
        get_active_subscription,
        mark_expired,
        mark_removed,
        upsert_subscription,
    )
    from postroom.rooms.tenants.commands import find_tenant
    from postroom.settings import load

__version__ = "0.1.0"
__all__ = [
    "CannotRead",
    "DocumentId",
    "DocumentProcessorAgent",
    "EmailMappingService",
    "ErrorClassifier",
    "Extraction",
    "ExtractionRouter",
    "GraphClient",
    "Http",
    "IngestionRetryService",
    "PDFArchiver",
    "Readers",
    "RetryStrategy",
    "Routed",
    "StalenessConfig",
    "StalenessDetector",
    "find_tenant",
    "get_active_subscription",
    "key_of_trade",
    "ledger",
    "load",
    "mark_expired",
    "mark_removed",
    "open_blobs",
    "open_house",
    "unique_id_for",
    "upsert_subscription",
    "utc_now",
]
_HOMES = {
    "postroom.app.house": ("open_house", "utc_now"),
    "postroom.engine": ("ledger",),
    "postroom.engine.retry_policy": ("ErrorClassifier", "RetryStrategy"),
    "postroom.engine.retry_service": ("IngestionRetryService",),
    "postroom.nouns.documents": ("CannotRead", "Extraction"),
    "postroom.nouns.ids": ("DocumentId",),
    "postroom.outside.blobs": ("open_blobs",),
    "postroom.outside.graph.client": ("GraphClient",),
    "postroom.outside.http": ("Http",),
    "postroom.outside.readers.pool": ("Readers",),
    "postroom.rooms.clients.mapping_service": ("EmailMappingService",),
    "postroom.rooms.clients.rules.staleness": ("StalenessConfig", "StalenessDetector"),
    "postroom.rooms.documents.agent": ("DocumentProcessorAgent",),
    "postroom.rooms.documents.archive": ("PDFArchiver", "key_of_trade", "unique_id_for"),
    "postroom.rooms.documents.routing": ("ExtractionRouter", "Routed"),
    "postroom.rooms.mailboxes.watch_store": (
        "get_active_subscription",
        "mark_expired",
        "mark_removed",
        "upsert_subscription",
    ),
    "postroom.rooms.tenants.commands": ("find_tenant",),
    "postroom.settings": ("load",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "ledger":
        return import_module("postroom.engine.ledger")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
