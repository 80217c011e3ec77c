"""A text tried on the rules, channels and topics as they stand."""

from __future__ import annotations

from postroom.engine.work import TenantScope
from postroom.nouns.errors import BadRequest
from postroom.rooms.triage.rules import trying
from postroom.rooms.triage.rules.trying import TriedText
from postroom.rooms.triage.store import settings

LONGEST_TEXT = 20_000


async def try_text(scope: TenantScope, sender: str, subject: str, text: str) -> TriedText:
    if not (subject.strip() or text.strip()):
        raise BadRequest("Say what the mail says: a subject or a text.")
    if len(subject) + len(text) > LONGEST_TEXT:
        raise BadRequest(f"A text to try has up to {LONGEST_TEXT:,} letters.")
    async with scope.read() as tx:
        channels, topics = await settings.channels(tx), await settings.topics(tx)
    return trying.try_text(sender, subject, text, channels, topics)


async def withheld_because(scope: TenantScope, text: str) -> str | None:
    """Why a mail that says this waits for a person, whatever the papers answer; nothing if it does not."""
    verdict = (await try_text(scope, "", "", text)).verdict
    return None if verdict.action == "draft" else verdict.because
