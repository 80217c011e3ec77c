"""Which channel a thread goes to: the first whose rules all apply; Default for the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args
from uuid import UUID

from postroom.mail.sentences import tokens
from postroom.nouns.conversations import Turn
from postroom.nouns.errors import BadRequest
from postroom.nouns.versions import version_of
from postroom.rooms.triage.rules.analysis import Analysis
from postroom.rooms.triage.rules.meaning import Intent
from postroom.rooms.triage.rules.verdicts import speaker

DEFAULT = "Default"
INTENTS: tuple[Intent, ...] = get_args(Intent)
MOST_ENTRIES = 200


@dataclass(frozen=True, slots=True)
class ChannelRules:
    """What a thread must be like. Of each kind any entry will do; a kind without entries asks nothing."""

    senders: tuple[str, ...] = ()  # addresses, or domains such as @client.example
    accounts: tuple[str, ...] = ()  # codes of clients
    words: tuple[str, ...] = ()
    intents: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "senders": list(self.senders),
            "accounts": list(self.accounts),
            "words": list(self.words),
            "intents": list(self.intents),
        }


@dataclass(frozen=True, slots=True)
class Channel:
    """One that is switched off keeps its rules and its threads, and gets no new ones."""

    id: UUID
    name: str
    rules: ChannelRules
    active: bool = True

    @property
    def version(self) -> str:
        """Of what people change about it by hand."""
        return version_of([self.name, self.rules.as_json()])


@dataclass(frozen=True, slots=True)
class ChannelChoice:
    """None is the Default channel."""

    channel: Channel | None
    because: str

    @property
    def name(self) -> str:
        return self.channel.name if self.channel else DEFAULT


def channel_rules(told: dict[str, Any]) -> ChannelRules:
    return ChannelRules(**{kind: tuple(told.get(kind) or ()) for kind in ("senders", "accounts", "words", "intents")})


def clean_rules(wanted: ChannelRules) -> ChannelRules:
    made = ChannelRules(
        senders=_each_once(wanted.senders, lower=True),
        accounts=_each_once(wanted.accounts, upper=True),
        words=_each_once(wanted.words),
        intents=_each_once(wanted.intents, lower=True),
    )
    if not any((made.senders, made.accounts, made.words, made.intents)):
        raise BadRequest("A channel needs a rule: senders, accounts, words or intents.")
    for sender in made.senders:
        if "@" not in sender or sender.endswith("@"):
            raise BadRequest(f"{sender!r} is neither an address nor a domain such as @client.example.")
    for intent in made.intents:
        if intent not in INTENTS:
            raise BadRequest(f"{intent!r} is no intent: say one of {', '.join(INTENTS)}.")
    return made


def clean_name(name: str) -> str:
    kept = " ".join(name.split())
    if not kept or len(kept) > 60:
        raise BadRequest("A channel has a name of up to 60 letters.")
    if kept.lower() == DEFAULT.lower():
        raise BadRequest("Default is where the rest goes: choose another name.")
    return kept


def choose_channel(channels: Sequence[Channel], latest: Turn, intent: str, accounts: Sequence[str]) -> ChannelChoice:
    in_use = [each for each in channels if each.active]
    for channel in in_use:
        found = _reasons(channel.rules, latest, intent, accounts)
        if found is not None:
            return ChannelChoice(channel, f"{channel.name}: {', '.join(found)}.")
    return ChannelChoice(None, "No channel's rules apply." if in_use else "There are no channels.")


def in_channel(
    found: Analysis, channels: Sequence[Channel], latest: Turn, accounts: Sequence[str]
) -> tuple[Analysis, ChannelChoice]:
    """The analysis with the channel it suggests, and why that one."""
    chosen = choose_channel(channels, latest, found.intent, accounts)
    return replace(found, suggested_channel=str(chosen.channel.id) if chosen.channel else None), chosen


def _reasons(rules: ChannelRules, latest: Turn, intent: str, accounts: Sequence[str]) -> list[str] | None:
    """Why the rules apply; None: they do not."""
    person = speaker(latest)
    address = person.email if person else ""
    said = f" {' '.join(tokens(f'{latest.subject} {latest.own_text} {latest.forwarded_text}'))} "
    found = (
        ("from", rules.senders, next((each for each in rules.senders if _wrote(each, address)), None)),
        ("client", rules.accounts, next((each for each in rules.accounts if each in accounts), None)),
        ("says", rules.words, next((each for each in rules.words if f" {' '.join(tokens(each))} " in said), None)),
        ("intent", rules.intents, intent if intent in rules.intents else None),
    )
    if any(wanted and hit is None for _, wanted, hit in found):
        return None
    return [f"{kind} {hit}" for kind, wanted, hit in found if wanted]


def _wrote(sender: str, address: str) -> bool:
    return address.endswith(sender) if sender.startswith("@") else address == sender


def _each_once(values: Sequence[str], *, lower: bool = False, upper: bool = False) -> tuple[str, ...]:
    kept = [" ".join(each.split()) for each in values if each.strip()]
    if len(kept) > MOST_ENTRIES or any(len(each) > 200 for each in kept):
        raise BadRequest(f"A rule has up to {MOST_ENTRIES} entries of up to 200 letters.")
    return tuple(dict.fromkeys(each.lower() if lower else each.upper() if upper else each for each in kept))
