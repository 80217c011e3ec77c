"""What would be answered, because somebody asks: from the tenant's papers, with nothing written and nothing kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from postroom.engine.work import TenantScope
from postroom.nouns.conversations import Conversation, Turn
from postroom.ports import Encoder, Model
from postroom.rooms.replies.asking import called, reply_from_papers
from postroom.rooms.replies.model_drafts import drafted_by_model
from postroom.rooms.replies.rules.replying import spoken_words
from postroom.rooms.replies.rules.voicing import tone_of, voice_of
from postroom.rooms.replies.store.policy import reply_policy


@dataclass(frozen=True, slots=True)
class ReplyPreview:
    """The words, or None with the reason; and the papers that were looked at."""

    body: str | None
    because: str
    questions: Sequence[str]
    documents: Sequence[UUID]
    searched: int


async def preview_reply(
    who: TenantScope, model: Model | None, encoder: Encoder | None, thread: Conversation, latest: Turn
) -> ReplyPreview:
    async with who.read() as tx:
        policy = await reply_policy(tx)
        reply, found = await reply_from_papers(tx, thread, latest, who.now.date(), policy, encoder=encoder)
    made = reply.draft
    writer = latest.answer_to()
    if model is not None and writer is not None:
        voice, name = voice_of(policy, reply.language), called(latest, policy)
        words = spoken_words(thread, reply.asked)
        made = await drafted_by_model(model, reply, name, words, voice, tone_of(policy))
    because = made.because or ("" if made.body else "Nothing was asked that a paper answers.")
    return ReplyPreview(made.body, because, made.questions, found.documents, found.searched)
