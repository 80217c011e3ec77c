"""Whether a thread wants us: ten rules in order, the first that applies decides. When in doubt, a person."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from postroom.mail.automatic import sent_in_bulk, takes_no_answers
from postroom.mail.language import Language, detect, is_other_language
from postroom.mail.sentences import LONGEST, sentences
from postroom.mail.subjects import names_something, own_subject
from postroom.nouns.conversations import Conversation, Turn
from postroom.nouns.copilot import StateKey
from postroom.nouns.mail import Address
from postroom.nouns.providers import INBOX, SPAM, TRASH
from postroom.rooms.triage.rules.meaning import SURE_OF_TOPIC, Meaning, meaning_of
from postroom.rooms.triage.rules.topics import ENOUGH, TOPICS, UNSURE, Topic, TopicMatch, sensitive_topics
from postroom.rooms.triage.rules.vocabulary import share_known

Action = Literal["ignore", "needs_review", "draft"]
SURE_OF_LANGUAGE = 0.9
LIKELY_LANGUAGES = 3  # are looked in where the language is not sure
EVERYDAY_WORDS = 0.28  # from this share on a mail with few small words is in our language nevertheless
# Log-odds of the classifier, chosen as SURE_OF_TOPIC was.
LIKELY = 0.0  # below, a person is told that it may be so, not that it is
NOT_AT_ALL = -3.0  # below, even a listed word means something else ("the trial", a play)
LISTED_FROM = -3.0  # from here on a topic whose words stand in the mail is named beside a stronger one
PLAIN = 2.0  # from here on a sentence says a topic by itself, whatever outshines it in the whole mail
LISTED_BY_ITSELF = -1.0  # from here on a sentence with listed words decides a long mail
FEW_SENTENCES = 5  # are judged together well enough
_NOBODY_SAID = (
    "Nobody said who answers for this mailbox. Name its address (--mailbox) or those who answer for it (--operator)."
)
_STATES: dict[Action, StateKey | None] = {"ignore": None, "needs_review": "needs_review", "draft": "ready"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of a thread, by which rule, in a sentence, with the words that decided."""

    action: Action
    reason: str
    because: str
    language: Language = "en"
    matched: tuple[TopicMatch, ...] = ()

    @property
    def state(self) -> StateKey | None:
        return _STATES[self.action]


@dataclass(frozen=True, slots=True)
class Operators:
    """The addresses that answer for the mailbox; plus-addressing and case do not matter."""

    addresses: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.addresses)

    def include(self, address: Address) -> bool:
        return bare(address.email) in self.addresses


def operators(addresses: Collection[str]) -> Operators:
    return Operators(frozenset(bare(each) for each in addresses if "@" in each))


def bare(email: str) -> str:
    local, _, domain = email.strip().lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


def triage(thread: Conversation, known: Operators, more: Sequence[TopicMatch] = ()) -> Verdict:
    """`more` is caution from elsewhere, such as a tenant's own words or a model: it can only add."""
    latest = thread.latest
    if latest is None:
        return Verdict("ignore", "empty_thread", "The thread has no message.")
    others = latest.to_others(known.addresses)
    latest = others if others.reply_to else latest  # a form may name us, too, beside the person it speaks for
    sender = speaker(latest)
    if sender is None:
        return Verdict("ignore", "latest_sender_missing", "The newest message names no sender.")
    verdict = (
        _out_of_sight(thread, latest)
        or _a_persons_draft(thread)
        or _ours(sender, known)
        or _automatic(latest)
        or _sensitive(latest, more)
        or _nothing_new(latest)
        or _several(latest)
        or Verdict("draft", "draftable", "An open question to us alone, and nothing sensitive in it.")
    )
    return replace(verdict, language=_language(latest))


def speaker(message: Turn) -> Address | None:
    """Who wrote: behind a web form's no-reply address it is the person in Reply-To."""
    return message.reply_to[0] if _is_form(message) else message.sender


def _is_form(message: Turn) -> bool:
    """A program hands on what somebody else wrote, whom an answer reaches.

    Many sites send what was typed into their form from the mailbox's own address to itself.
    """
    person, sender, told = next(iter(message.reply_to), None), message.sender, message.automatic
    if person is None or sender is None or message.machine_answers:
        return False
    to_itself = bare(sender.email) in {bare(each.email) for each in message.to}
    program = to_itself if told is None else told.kind in {"no_reply", "bulk"} and not sent_in_bulk(told)
    return program and bare(person.email) != bare(sender.email) and not takes_no_answers(person)


def _out_of_sight(thread: Conversation, latest: Turn) -> Verdict | None:
    if where := latest.labels & {SPAM, TRASH}:
        return Verdict("ignore", "in_spam_or_trash", f"The newest message is in {' and '.join(sorted(where))}.")
    if INBOX not in thread.labels | latest.labels:
        return Verdict("ignore", "not_in_inbox", "The thread is not in the folder we serve.")
    return None


def _a_persons_draft(thread: Conversation) -> Verdict | None:
    if any(each.draft_of == "person" for each in thread.messages):
        return Verdict("needs_review", "user_edited_draft", "A person has a draft in this thread.")
    return None


def _ours(sender: Address, known: Operators) -> Verdict | None:
    if known.include(sender):
        return Verdict("ignore", "latest_is_operator_sent", f"{sender.email} of ours wrote last.")
    if not known:
        return Verdict("needs_review", "ambiguous_sender", _NOBODY_SAID)
    return None


def _automatic(latest: Turn) -> Verdict | None:
    """A person's invitation is a person's; what a machine sent in a person's name through a form is too."""
    told = latest.automatic
    if told is None or told.kind == "calendar" or _is_form(latest):
        return None
    return Verdict("ignore", "no_reply_or_auto_reply", told.because)


def _sensitive(latest: Turn, more: Sequence[TopicMatch]) -> Verdict | None:
    text = words_that_count(latest)
    languages = languages_of(text)
    listed, meaning = sensitive_topics(text, languages), meaning_of(text, languages)
    meant = topics_meant(listed, meaning) or _said_plainly(text, languages, listed)
    found = (*meant, *_said_beside(text, languages, listed, meant), *more)
    decisive = tuple(sorted((match for match in found if match.decides), key=lambda match: TOPICS.index(match.topic)))
    if decisive:
        first = decisive[0]
        said = ", ".join(f"“{words}”" for words in first.words[:3])
        guessed = first not in (*listed, *more) and meaning.odds[first.topic] < LIKELY
        speaks = "It may speak of" if guessed else "It speaks of"
        because = f"{speaks} {_NAMES[first.topic]}: {said}."
        return Verdict("needs_review", f"sensitive_{first.topic}", because, matched=decisive)
    if sum(match.weight for match in found) >= UNSURE:
        said = ", ".join(f"“{match.words[0]}”" for match in found if match.words)
        return Verdict("needs_review", "uncertain", f"It may be sensitive: {said}.", matched=tuple(found))
    if aside := _set_aside(latest, text):
        return aside
    if _in_another_language(text):
        return Verdict(
            "needs_review", "uncertain", "It seems to be written in a language other than the ten judged here."
        )
    if len(text) > LONGEST:  # what stands below was not looked at
        return Verdict("needs_review", "uncertain", f"It is longer than the {LONGEST:,} letters that are judged.")
    return None


def _set_aside(latest: Turn, text: str) -> Verdict | None:
    """A threat below the signature, or marked as a quotation of nobody, is one all the same."""
    if not latest.set_aside:
        return None
    languages = languages_of(f"{text}\n{latest.set_aside}")
    listed, meaning = sensitive_topics(latest.set_aside, languages), meaning_of(latest.set_aside, languages)
    found = tuple(match for match in topics_meant(listed, meaning) if match.decides)
    if not found:
        return None
    said = ", ".join(f"“{words}”" for words in found[0].words[:3])
    because = f"What stands as a signature or a quotation may speak of {_NAMES[found[0].topic]}: {said}."
    return Verdict("needs_review", "uncertain", because, matched=found)


def _in_another_language(text: str) -> bool:
    """Few small words are not enough: a note in Polish has few, but everyday words all the same."""
    return is_other_language(text) and share_known(text, detect(text).language) < EVERYDAY_WORDS


def _nothing_new(latest: Turn) -> Verdict | None:
    """A subject of one's own asks by itself; that of an earlier mail does not."""
    if latest.own_text.strip() or latest.forwarded_text.strip() or own_subject(latest.subject):
        return None
    return Verdict("needs_review", "uncertain", "Nothing new was written in it.")


def words_that_count(message: Turn) -> str:
    """What the sender newly wrote, subject included, and what it forwards."""
    subject = message.subject if names_something(message.subject) else ""
    return "\n\n".join(part for part in (subject, message.own_text, message.forwarded_text) if part)


def languages_of(text: str) -> tuple[Language, ...]:
    guess = detect(text)
    return _looked_in(guess.ranked, sure=guess.sure)


def topics_meant(
    listed: Sequence[TopicMatch], meaning: Meaning, *, sure: float = SURE_OF_TOPIC, none: float = NOT_AT_ALL
) -> list[TopicMatch]:
    """What the lists found, unless nothing else in the mail speaks for it, and what is meant without such words."""
    if meaning.sensitive < none:
        return []
    if meaning.sensitive < sure:
        return list(listed)
    by_topic = {match.topic: match for match in listed}
    named = {match.topic for match in listed if match.decides and meaning.odds[match.topic] >= LISTED_FROM}
    return [_told(topic, by_topic.get(topic), meaning) for topic in TOPICS if topic in named or meaning.near(topic)]


def _said_plainly(text: str, languages: tuple[Language, ...], listed: Sequence[TopicMatch]) -> list[TopicMatch]:
    """What one sentence of a long mail says in listed words and by itself, though the rest speaks of other things."""
    told = sentences(text) if any(match.decides for match in listed) else []
    for sentence in told if len(told) > FEW_SENTENCES else []:
        found = sensitive_topics(sentence.text, languages)
        if any(match.decides for match in found) and meaning_of(sentence.text, languages).sensitive >= LISTED_BY_ITSELF:
            return found
    return []


def _said_beside(
    text: str, languages: tuple[Language, ...], listed: Sequence[TopicMatch], meant: Sequence[TopicMatch]
) -> list[TopicMatch]:
    """A topic that a stronger one outshines in the whole mail, though a sentence with its words says it by itself."""
    named = {each.topic for each in meant}
    lost = [match for match in listed if match.decides and match.topic not in named] if meant else []
    said = {
        match.topic
        for sentence in (sentences(text) if lost else [])
        for match in sensitive_topics(sentence.text, languages)
        if match.decides and meaning_of(sentence.text, languages).odds[match.topic] >= PLAIN
    }
    return [match for match in lost if match.topic in said]


def _told(topic: Topic, known: TopicMatch | None, meaning: Meaning) -> TopicMatch:
    """What a list found says it best; else the words that count most for the classifier."""
    if known is not None and known.decides:
        return known
    words = [*(known.words if known else ()), *meaning.words.get(topic, ())]
    return TopicMatch(topic, ENOUGH, _each_once(words)[:5])


def _each_once(words: Iterable[str]) -> tuple[str, ...]:
    """“Refund” of the subject and “refund” of the text are one word."""
    first: dict[str, str] = {}
    for word in words:
        first.setdefault(word.casefold(), word)
    return tuple(first.values())


_NAMES = {
    "refund_or_cancellation": "a refund or a cancellation",
    "medical": "health",
    "safety": "danger or harm",
    "legal": "the law",
    "exception": "an exception from a rule",
}


def _looked_in(ranked: Sequence[Language], *, sure: float) -> tuple[Language, ...]:
    """English is mixed into everything; an unsure guess is backed by the next best."""
    likely = ranked[: 1 if sure >= SURE_OF_LANGUAGE else LIKELY_LANGUAGES]
    return tuple(sorted({*likely, "en"}))


def _language(latest: Turn) -> Language:
    """Of the sender's own words; of what is handed on where there are none."""
    return detect(f"{latest.subject}\n{latest.own_text or latest.forwarded_text}").language


def _several(latest: Turn) -> Verdict | None:
    if len(latest.to) > 1:
        return Verdict("needs_review", "multi_party", f"It went to {len(latest.to)} people.")
    if latest.cc or latest.bcc:
        return Verdict("needs_review", "multi_party", "Others are in copy.")
    return None
