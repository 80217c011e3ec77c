"""A model asked for the words of a draft; whatever it does, the evidence has the last word."""

from __future__ import annotations

from dataclasses import replace

from postroom.nouns.errors import PostroomError
from postroom.ports import Model
from postroom.rooms.replies.rules.drafting import ReplyDraft, Voice
from postroom.rooms.replies.rules.modelled import checked_reply, quotes_of, reply_prompt
from postroom.rooms.replies.rules.replying import Reply


async def drafted_by_model(
    model: Model, reply: Reply, sender: str, thread: str, voice: Voice | None = None, tone: str = ""
) -> ReplyDraft:
    """The model's words where they pass the checks, else the draft that needs none. It is never asked in vain."""
    if reply.draft.body is None or reply.draft.conflicts or not quotes_of(reply.answers):
        return reply.draft
    prompt = reply_prompt(reply.answers, reply.language, tone)
    try:
        answer = await model.ask(prompt.system, prompt.document)
    except PostroomError as trouble:
        return replace(reply.draft, because=f"{reply.draft.because} {model.name} gave no words: {trouble}")
    made = checked_reply(answer.text, reply.answers, reply.language, sender, thread, voice)
    if made is None:
        return replace(reply.draft, because=f"{reply.draft.because} The words of {answer.model} did not hold.")
    questions = tuple(dict.fromkeys((*made.questions, *reply.draft.questions)))
    blocked = (*reply.draft.blocked, *made.blocked)
    return replace(made, questions=questions, blocked=blocked, because=f"In the words of {answer.model}.")
