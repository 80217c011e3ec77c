"""What would become of a mail with this text, by the rules from the sensitive ones on. Nothing is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from postroom.nouns.conversations import Turn, conversation_of
from postroom.nouns.mail import Address
from postroom.nouns.providers import INBOX, ProviderRef
from postroom.rooms.triage.rules.analysis import Analysis, analyse
from postroom.rooms.triage.rules.channels import Channel, ChannelChoice, choose_channel
from postroom.rooms.triage.rules.own_topics import OwnTopic, own_matches
from postroom.rooms.triage.rules.verdicts import Verdict, operators, triage

_SOMEBODY = operators(["somebody@else.invalid"])  # a text of its own has no operator


@dataclass(frozen=True, slots=True)
class TriedText:
    verdict: Verdict
    analysis: Analysis
    channel: ChannelChoice


def try_text(
    sender: str, subject: str, text: str, channels: Sequence[Channel], topics: Sequence[OwnTopic]
) -> TriedText:
    """As if it had come from this address, to us alone."""
    turn = Turn(
        ref=ProviderRef("tried"),
        sender=Address(sender.strip().lower() or "unknown@sender.invalid"),
        to=(Address("us@house.invalid"),),
        subject=subject,
        labels=frozenset({INBOX}),
        own_text=text,
    )
    thread = conversation_of(ProviderRef("tried"), [turn])
    verdict = triage(thread, _SOMEBODY, own_matches(turn, topics))
    analysis = analyse(thread, verdict)
    return TriedText(verdict, analysis, choose_channel(channels, turn, analysis.intent, ()))
