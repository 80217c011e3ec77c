"""How drafts are written, as a person says it on a page: percent, words by language, ticked mailboxes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from postroom.mail.language import LANGUAGES
from postroom.nouns.errors import BadRequest
from postroom.rooms.replies.rules.voicing import ReplyPolicy


def said_replies(said: Mapping[str, str], learn_from: Sequence[str]) -> ReplyPolicy:
    """The whole form; what is empty is as the house does it."""
    return ReplyPolicy(
        gate=_share(said.get("gate", "")),
        language=said.get("language") or None,  # type: ignore[arg-type]  # checked when it is put
        formality=said.get("formality") or "neutral",  # type: ignore[arg-type]  # as above
        thanks=said.get("thanks") == "yes",
        greetings=_by_language(said, "greeting"),
        closings=_by_language(said, "closing"),
        signature=said.get("signature", ""),
        learn_from=frozenset(_mailbox(each) for each in learn_from),
    )


def _by_language(said: Mapping[str, str], what: str) -> dict[str, str]:
    return {code: text for code in LANGUAGES if (text := said.get(f"{what}_{code}", "").strip())}


def _share(text: str) -> float | None:
    word = text.strip().removesuffix("%").strip().replace(",", ".")
    if not word:
        return None
    try:
        number = float(word)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 100:
        raise BadRequest(f"How sure is sure enough: {text!r} is no percentage; write a number from 0 to 100.")
    return round(number / 100, 4)


def _mailbox(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise BadRequest(f"{text!r} is no mailbox.") from None
