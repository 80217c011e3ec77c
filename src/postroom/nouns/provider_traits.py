"""What differs between mail providers, in one table: nobody else asks for a provider by its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from postroom.nouns.providers import Capability, ProviderName

PushKind = Literal["subscription", "topic", "idle", "none"]
PushSource = Literal["graph_webhook", "gmail_push", "poller", "files"]


@dataclass(frozen=True, slots=True)
class ProviderTraits:
    """One provider. `capabilities` is what it can do at all; what one mailbox may do, its grant says."""

    title: str  # what people call it
    vendor: str  # whom to ask
    push: PushKind  # how it tells of changes: a subscription with a URL, a topic, a held connection, or not at all
    push_source: PushSource  # what the archive calls mail that a push announced
    capabilities: frozenset[Capability]
    is_synced: bool = True  # mail arrives by itself, so that it is synced, polled and reconciled
    settings: str = ""  # POSTROOM_{settings}_CLIENT_ID and _CLIENT_SECRET let people connect it by consent
    has_shared_mailboxes: bool = False
    serves_any_folder: bool = False
    folders_join_with_slash: bool = False
    ids_are_unique: bool = False  # a message id says by itself which mailbox it is of
    drops_pushes: bool = False  # above one a second; what follows a push has to be looked for
    watches_folders_apart: bool = False  # one watch tells of one folder
    has_password: bool = False  # a person connects it with a name and a password

    @property
    def has_consent(self) -> bool:
        return bool(self.settings)

    @property
    def is_watched(self) -> bool:
        """Whether it can be asked to tell us, for a while, and asked again."""
        return self.push in {"subscription", "topic"}


_READ: frozenset[Capability] = frozenset({"read"})
_ALL: frozenset[Capability] = frozenset({"read", "draft", "send"})
TRAITS: Mapping[ProviderName, ProviderTraits] = MappingProxyType(
    {
        "outlook": ProviderTraits(
            title="Outlook",
            vendor="Microsoft",
            push="subscription",
            push_source="graph_webhook",
            capabilities=_ALL,
            settings="GRAPH",
            has_shared_mailboxes=True,
            serves_any_folder=True,
            folders_join_with_slash=True,
            ids_are_unique=True,
            watches_folders_apart=True,
        ),
        "gmail": ProviderTraits(
            title="Gmail",
            vendor="Google",
            push="topic",
            push_source="gmail_push",
            capabilities=_ALL,
            settings="GMAIL",
            drops_pushes=True,
        ),
        "imap": ProviderTraits(
            title="IMAP",
            vendor="the operator of the IMAP server",
            push="idle",
            push_source="poller",
            capabilities=_READ,
            serves_any_folder=True,
            has_password=True,
        ),
        "files": ProviderTraits(
            title="Files", vendor="nobody", push="none", push_source="files", capabilities=_READ, is_synced=False
        ),
    }
)
SYNCED = tuple(name for name, traits in TRAITS.items() if traits.is_synced)
WATCHED = tuple(name for name, traits in TRAITS.items() if traits.is_watched)


def traits(provider: ProviderName) -> ProviderTraits:
    return TRAITS[provider]
