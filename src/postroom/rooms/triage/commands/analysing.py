"""A mail analysed because somebody asks: from what we keep or are shown; nothing is decided, labelled or kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.nouns.conversations import Conversation
from postroom.nouns.errors import Gone, NotFound
from postroom.nouns.ids import MessageId, ThreadId
from postroom.nouns.mail import MailMessage
from postroom.nouns.providers import ProviderRef
from postroom.ports import Model
from postroom.rooms.triage.asking import AskedModel, ask_model, weighed
from postroom.rooms.triage.rules import turns
from postroom.rooms.triage.rules.analysis import Analysis
from postroom.rooms.triage.rules.assembling import thread_from_words
from postroom.rooms.triage.rules.channels import Channel, in_channel
from postroom.rooms.triage.rules.own_topics import OwnTopic, own_matches
from postroom.rooms.triage.rules.turns import KeptTurn
from postroom.rooms.triage.rules.verdicts import Operators, Verdict, operators, triage
from postroom.rooms.triage.store import settings, threads
from postroom.rooms.triage.store.threads import MessagePlace

NOT_KEPT = "What this message says is not kept any more."
MOST_HELD = 50  # messages of a thread that are looked at, the newest first


@dataclass(frozen=True, slots=True)
class MailAnalysis:
    """What a mail is about. No analysis: nobody here has to do anything about it, as the verdict says."""

    thread: Conversation
    verdict: Verdict
    analysis: Analysis | None
    asked: AskedModel


@dataclass(frozen=True, slots=True)
class _Case:
    """All that is known before anything is asked."""

    thread: Conversation
    who: Operators
    accounts: Sequence[str]
    topics: Sequence[OwnTopic]
    channels: Sequence[Channel]


async def analyse_message(who: TenantScope, model: Model | None, message_id: MessageId) -> MailAnalysis:
    """The thread as it was when this message came."""
    async with who.read() as tx:
        place = await threads.place_of_message(tx, message_id)
        if place is None:
            raise NotFound(f"There is no message {message_id}.")
        if place.thread_id is not None:
            case = await _of_thread(tx, place.thread_id, upto=place.ref)
        else:
            case = await _alone(tx, place)
    return await _analysed(model, case)


async def analyse_thread(who: TenantScope, model: Model | None, thread_id: ThreadId) -> MailAnalysis:
    """The thread as it is now."""
    async with who.read() as tx:
        case = await _of_thread(tx, thread_id)
    return await _analysed(model, case)


async def analyse_words(who: TenantScope, model: Model | None, mails: Sequence[MailMessage]) -> MailAnalysis:
    """Mails that are shown to us, oldest first; whoever answers for one of the tenant's mailboxes is an operator."""
    async with who.read() as tx:
        known = operators(await threads.own_addresses_of_all(tx))
        case = await _case(tx, thread_from_words(mails), known)
    return await _analysed(model, case)


async def _of_thread(tx: Tx, thread_id: ThreadId, *, upto: ProviderRef | None = None) -> _Case:
    found = await threads.thread_case(tx, thread_id)
    if found is None:
        raise NotFound(f"There is no thread {thread_id}.")
    kept = turns.remembered(await threads.held_thread(tx, thread_id, MOST_HELD), await threads.turns(tx, thread_id))
    ours = found.our_drafts if upto is None else {}
    thread = turns.conversation_kept(found.thread_ref, _until(kept, upto), ours)
    accounts = await threads.accounts_of_thread(tx, thread_id)
    return await _case(tx, thread, found.who_answers(found.addresses), accounts)


async def _alone(tx: Tx, place: MessagePlace) -> _Case:
    """A message without a thread, such as an imported one."""
    held = await threads.held_message(tx, place.message_id)
    if held is None:
        raise Gone(NOT_KEPT)
    thread = turns.conversation_kept(place.ref, turns.remembered([held], []), {})
    return await _case(tx, thread, operators([place.address, *place.operators, *place.people]))


def _until(kept: Sequence[KeptTurn], ref: ProviderRef | None) -> list[KeptTurn]:
    """What had been said when this message came; drafts are of now."""
    if ref is None:
        return list(kept)
    its = next((each for each in kept if each.ref == ref), None)
    if its is None:
        raise Gone(NOT_KEPT)
    earlier = [each for each in kept if each.sent_at and its.sent_at and each.sent_at < its.sent_at]
    return [*(each for each in earlier if each.draft_ref is None), its]


async def _case(tx: Tx, thread: Conversation, known: Operators, accounts: Sequence[str] = ()) -> _Case:
    return _Case(thread, known, accounts, await settings.topics(tx), await settings.channels(tx))


async def _analysed(model: Model | None, case: _Case) -> MailAnalysis:
    latest = case.thread.latest
    cautions = own_matches(latest, case.topics) if latest else []
    verdict = triage(case.thread, case.who, cautions)
    if verdict.action == "ignore" or latest is None:
        return MailAnalysis(case.thread, verdict, None, AskedModel(None))
    asked = await ask_model(model, case.thread)
    verdict, found = weighed(case.thread, case.who, cautions, verdict, asked.opinion)
    named, _ = in_channel(found, case.channels, latest, case.accounts)
    return MailAnalysis(case.thread, verdict, named, asked)
