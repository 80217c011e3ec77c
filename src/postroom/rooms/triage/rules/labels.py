"""Which label of ours a thread should bear, and whether somebody else changed it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from postroom.nouns.copilot import StateKey, is_state_label
from postroom.nouns.providers import DRAFT, INBOX, SPAM, TRASH, ProviderRef
from postroom.nouns.threads import MailThread, StateLabel


@dataclass(frozen=True, slots=True)
class LabelHeld:
    """What we know of the label at the provider. While `intended` differs, a write is on its way, or was lost."""

    name: str | None = None
    intended: str | None = None
    refs: frozenset[str] = frozenset()  # the messages that we looked at when it was last right


@dataclass(frozen=True, slots=True)
class LabelSeen:
    """Our labels on each message of the thread that lies in the served folder, and on any that lies elsewhere."""

    on: Mapping[ProviderRef, frozenset[str]]
    elsewhere: frozenset[str] = frozenset()

    @property
    def refs(self) -> list[str]:
        return sorted(self.on)

    def bears(self, name: str | None) -> bool:
        """Whether there is nothing to write."""
        wanted = frozenset({name} if name else ())
        if not wanted and self.elsewhere:
            return False
        return all(found == wanted for found in self.on.values())


@dataclass(frozen=True, slots=True)
class LabelFromPerson:
    """What somebody made of our label; `name` None: they took it off."""

    name: str | None


def labels_on(thread: MailThread, names: Collection[str], namespace: str) -> LabelSeen:
    """`names` are ours whatever the namespace is now: it may have been another."""
    served: dict[ProviderRef, frozenset[str]] = {}
    elsewhere = frozenset[str]()
    for each in thread.messages:
        labels = each.glimpse.labels
        ours = frozenset(label for label in labels if label in names or is_state_label(label, namespace))
        if INBOX in labels and not labels & {SPAM, TRASH, DRAFT}:
            served[each.glimpse.ref] = ours
        else:
            elsewhere |= ours
    return LabelSeen(served, elsewhere)


def changed_by_person(held: LabelHeld, seen: LabelSeen) -> LabelFromPerson | None:
    """Only where we looked before: a message that came since bears none. A write half done proves nothing."""
    if held.name != held.intended:
        return None
    expected = frozenset({held.name} if held.name else ())
    differing = [found for ref, found in seen.on.items() if ref in held.refs and found != expected]
    if not differing:
        return None
    others = sorted(frozenset[str]().union(*differing) - expected)
    return LabelFromPerson(others[0] if others else None)


def state_of(name: str | None, labels: Mapping[StateKey, StateLabel]) -> StateKey | None:
    return next((key for key, label in labels.items() if label.name == name), None)
