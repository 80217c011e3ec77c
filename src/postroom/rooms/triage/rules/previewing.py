"""How a thread would have been judged with other words: the rules from the sensitive ones on, over again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from postroom.mail.headers import addresses
from postroom.nouns.conversations import Turn, conversation_of
from postroom.nouns.mail import Address
from postroom.nouns.providers import INBOX, ProviderRef
from postroom.rooms.triage.rules.own_topics import OwnTopic, own_matches
from postroom.rooms.triage.rules.topics import TOPICS, TopicMatch
from postroom.rooms.triage.rules.verdicts import operators, triage

# What was answered, edited or archived since was judged when it came, and would have been judged otherwise then.
SINCE_DEALT_WITH = ("user_edited_draft", "latest_is_operator_sent", "not_in_inbox")
REASONS_LOOKED_AT = (
    *(f"sensitive_{topic}" for topic in TOPICS),
    "uncertain",
    "multi_party",
    "draftable",
    *SINCE_DEALT_WITH,
)
_SOMEBODY = operators(["somebody@else.invalid"])  # the rules about operators were passed already


class JudgedMail(Protocol):
    """The newest message of a thread that was judged."""

    @property
    def subject(self) -> str: ...
    @property
    def own_text(self) -> str: ...
    @property
    def forwarded_text(self) -> str: ...
    @property
    def recipients(self) -> dict[str, Any]: ...
    @property
    def sender_email(self) -> str | None: ...


def judged_apart(mail: JudgedMail, held: Sequence[OwnTopic], changed: Sequence[OwnTopic]) -> tuple[str, str] | None:
    """The reasons it would have with these words and with those; None where they say the same of it."""
    turn = _turn(mail)
    ours, theirs = own_matches(turn, held), own_matches(turn, changed)
    if ours == theirs:  # of most mails: judging them all takes seconds
        return None
    before, after = _reason(turn, ours), _reason(turn, theirs)
    return None if before == after else (before, after)


def _reason(turn: Turn, cautions: Sequence[TopicMatch]) -> str:
    return triage(conversation_of(ProviderRef("thread"), [turn]), _SOMEBODY, cautions).reason


def _turn(mail: JudgedMail) -> Turn:
    return Turn(
        ref=ProviderRef("newest"),
        sender=Address(mail.sender_email or "unknown@sender.invalid"),
        to=tuple(addresses(mail.recipients.get("to") or ())),
        cc=tuple(addresses(mail.recipients.get("cc") or ())),
        bcc=tuple(addresses(mail.recipients.get("bcc") or ())),
        subject=mail.subject,
        labels=frozenset({INBOX}),
        own_text=mail.own_text,
        forwarded_text=mail.forwarded_text,
    )
