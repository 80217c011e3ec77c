"""Signals: what in a mail, or in the past, speaks for which account, each with the sentence that says so."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from postroom.nouns.actors import spoken_actor
from postroom.nouns.clients import AccountId, Clue, Email, Signal
from postroom.nouns.mail import Address
from postroom.rooms.clients.rules import domains, words
from postroom.rooms.clients.rules.known import FoundCode, Known, plain_address
from postroom.rooms.clients.rules.weights import REJECTION_HALVES_AFTER, SignalWeights, faded

REMEMBERED = 10  # of a sender's newest mails
_ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+")


@dataclass(frozen=True, slots=True)
class Mark:
    """A signal that is there, and how much of its weight it has."""

    signal: Signal
    account_id: AccountId
    because: str
    strength: float = 1.0


def clues(email: Email, known: Known, weights: SignalWeights, now: datetime) -> dict[AccountId, list[Clue]]:
    """Of each signal the strongest mark for an account counts, once."""
    best: dict[tuple[AccountId, Signal], Mark] = {}
    for mark in marks(email, known, now):
        held = best.get((mark.account_id, mark.signal))
        if mark.account_id in known.accounts and (held is None or mark.strength > held.strength):
            best[mark.account_id, mark.signal] = mark
    found: dict[AccountId, list[Clue]] = {}
    for (account_id, signal), mark in best.items():
        weight = round(weights.of(signal) * mark.strength, 2)
        found.setdefault(account_id, []).append(Clue(signal, weight, mark.because))
    return {account: sorted(each, key=lambda clue: -abs(clue.weight)) for account, each in found.items()}


def marks(email: Email, known: Known, now: datetime) -> Iterator[Mark]:
    yield from _from_sender(email, known)
    yield from _from_thread(email, known)
    yield from _from_text(email, known)
    yield from _from_documents(email, known)
    if not known.writes_for_all(email.sender):
        yield from _from_people(email, known)
        yield from _from_history(known)
        yield from _from_rejections(known, now)


def _from_people(email: Email, known: Known) -> Iterator[Mark]:
    """What a person decided outranks every guess."""
    choice = known.choice
    if choice is not None and choice.account_id is not None:
        said = f"{spoken_actor(choice.by)} put every mail of this sender under {_name(known, choice.account_id)}."
        yield Mark("choice", choice.account_id, said)
    confirmed = [past for past in known.history[:REMEMBERED] if past.status == "confirmed" and past.account_id]
    for account_id, count in Counter(past.account_id for past in confirmed).items():
        assert account_id is not None
        last = next(past for past in confirmed if past.account_id == account_id)
        said = f"A person put mail of this sender under {_name(known, account_id)}, last on {last.at:%Y-%m-%d}."
        yield Mark("correction", account_id, said, _said_before(email, known, count, len(confirmed)))


def _said_before(email: Email, known: Known, count: int, decisions: int) -> float:
    """How much earlier decisions about a sender count for the next mail: all, when they agree.

    One who writes for several says nothing certain: then only as much as their share. Somebody who is in nobody's
    book may be a lawyer or a courier, who writes about one client today and about another tomorrow: what such a mail
    names counts more than one decision about an earlier one.
    """
    theirs = known.accounts_of(email.sender) if email.sender is not None else []
    if count < decisions or (email.sender is not None and len(known.accounts_by_contact(email.sender)) > 1):
        return 0.05 * count / decisions
    return 1.0 if theirs else min(1.0, 0.1 * count)


def _from_sender(email: Email, known: Known) -> Iterator[Mark]:
    sender = email.sender
    if sender is None:
        return
    if known.is_own(sender):
        yield from _from_recipients("recipient", "to whom we write", email, known)
        yield from _from_forwarded(email, known)
        return
    for account_id in known.accounts_by_contact(sender):
        yield Mark("contact", account_id, f"{sender.email} is a contact of {_name(known, account_id)}.")
    by_domain = known.accounts_by_domain(sender)
    for account_id in by_domain:
        said = f"{sender.domain} is a domain of {_name(known, account_id)}."
        yield Mark("domain", account_id, said, 1 / len(by_domain))
    yield from _from_recipients("participant", "who also gets it", email, known)
    for each in known.people:
        if each.label != plain_address(sender.email):
            named = f"{sender.name} is the name of a contact of {_name(known, each.account_id)}"
            yield Mark("person", each.account_id, f"{named}, who writes from {each.label}.", 1 / len(known.people))


def _from_recipients(signal: Signal, role: str, email: Email, known: Known) -> Iterator[Mark]:
    for address in email.recipients:
        found = known.accounts_of(address)
        for account_id in found:
            said = f"{address.email}, {role}, belongs to {_name(known, account_id)}."
            yield Mark(signal, account_id, said, 1 / len(found))


def _from_forwarded(email: Email, known: Known) -> Iterator[Mark]:
    """A colleague passes a client's mail on."""
    for found in forwarded_from(email):
        address = Address(found)
        accounts = known.accounts_of(address)
        for account_id in accounts:
            said = f"The mail that is passed on is from {found}, who belongs to {_name(known, account_id)}."
            yield Mark("forwarded", account_id, said, 1 / len(accounts))


@cache
def _from_line() -> re.Pattern[str]:
    return re.compile(rf"^[ \t\xa0>*]*+{words.any_of('from')}[ \t\xa0]?:.*$", re.IGNORECASE | re.MULTILINE)


def forwarded_from(email: Email) -> list[str]:
    """Addresses in the `From:` lines of what is quoted, newest first."""
    lines = _from_line().findall(email.quoted[: words.LONGEST_TEXT])
    return words.first_of((address.lower() for line in lines for address in _ADDRESS.findall(line)), 3)


def _from_thread(email: Email, known: Known) -> Iterator[Mark]:
    counted: Counter[AccountId] = Counter()
    by_person: set[AccountId] = set()
    for each in email.thread:
        if each.mapped is not None:
            if each.mapped.is_confident and each.mapped.account_id:
                counted[each.mapped.account_id] += 1
                by_person |= {each.mapped.account_id} if each.mapped.status == "confirmed" else set()
        elif each.sender and len(found := known.accounts_of(each.sender)) == 1:
            counted[found[0]] += 1
    for account_id, count in counted.items():
        what = "an earlier mail" if count == 1 else f"{count} earlier mails"
        how = "a person put it there" if account_id in by_person else "as mapped"
        said = f"The thread has {what} of {_name(known, account_id)} ({how})."
        yield Mark("thread", account_id, said, count / counted.total())


def _from_history(known: Known) -> Iterator[Mark]:
    newest = [past for past in known.history[:REMEMBERED] if past.status == "mapped" and past.account_id]
    for account_id, count in Counter(past.account_id for past in newest).items():
        assert account_id is not None
        which = "The sender's last mail" if len(newest) == 1 else f"{count} of the sender's last {len(newest)} mails"
        said = f"{which} went to {_name(known, account_id)}."
        yield Mark("history", account_id, said, count / len(newest))


def _from_text(email: Email, known: Known) -> Iterator[Mark]:
    """What a mail is about. It says less about whose it is than the sender does."""
    names = {each.key for each in known.names}
    phrases = {
        "name_subject": words.names_in(email.subject, names, capital=False),
        "name_signature": words.names_in(email.signature, names, capital=False),
        "name_text": words.names_in(email.text, names, capital=True),
    }
    wheres = {"name_subject": "The subject", "name_signature": "The signature", "name_text": "The text"}
    signals: tuple[Signal, ...] = ("name_subject", "name_signature", "name_text")
    sharers = Counter(each.key for each in known.names)
    for each in known.names:
        for signal in signals:
            if each.key in phrases[signal]:
                said = f"{wheres[signal]} names {_name(known, each.account_id)}."
                yield Mark(signal, each.account_id, said, 1 / sharers[each.key])
    for code in known.codes:
        for place, where, text in (("subject", "The subject", email.subject), ("text", "The text", email.text)):
            if code.key in _codes_of(text):
                yield _code_mark(code, where, text, known, in_subject=place == "subject")


def _codes_of(text: str) -> set[str]:
    return set(words.codes_in(text))


def _code_mark(code: FoundCode, where: str, text: str, known: Known, *, in_subject: bool) -> Mark:
    """A code without a digit is a word like others, unless it is marked as a code."""
    what = "a work item" if code.work_item_id else "an engagement" if code.engagement_id else "the code"
    said = f"{where} has {code.key}, {what} of {_name(known, code.account_id)}."
    if not words.is_marked(code.key, text):
        return Mark("name_subject" if in_subject else "name_text", code.account_id, said)
    return Mark("code_subject" if in_subject else "code_text", code.account_id, said)


def _from_documents(email: Email, known: Known) -> Iterator[Mark]:
    """What the attachments themselves say: the account on a contract note, the buyer of an invoice."""
    for paper in email.documents:
        printed = {words.code_key(code) for code in paper.codes}
        spelled = {key for name in paper.names for key in words.phrases_of_name(name)}
        spelled |= {words.phrase(code) for code in paper.codes}
        for code in known.codes:
            if code.key in printed:
                said = f"{paper.filename} has {code.key} of {_name(known, code.account_id)} printed on it."
                yield Mark("document", code.account_id, said)
        for each in known.names:
            if each.key in spelled:
                said = f"{paper.filename} names {_name(known, each.account_id)}."
                yield Mark("document", each.account_id, said)


def _from_rejections(known: Known, now: datetime) -> Iterator[Mark]:
    """A person took mail of this sender away from there. It is forgotten by and by."""
    newest: dict[AccountId, datetime] = {}
    for each in known.rejections:
        newest[each.account_id] = max(each.at, newest.get(each.account_id, each.at))
    for account_id, at in newest.items():
        said = f"A person took mail of this sender away from {_name(known, account_id)} on {at:%Y-%m-%d}."
        yield Mark("rejected", account_id, said, faded(now - at, REJECTION_HALVES_AFTER))


def look_alike(email: Email, known: Known) -> str | None:
    """A sentence when the sender's domain is dressed up as a client's."""
    sender = email.sender
    if sender is None or known.is_own(sender) or known.accounts_of(sender):
        return None
    client = domains.disguise(sender.domain, (each.label for each in known.near_domains))
    if client is None:
        return None
    written = domains.shown(sender.domain)
    spelled = f" (written {sender.domain})" if written != sender.domain else ""
    owner = next(each.account_id for each in known.near_domains if each.label == client)
    return f"{written}{spelled} looks like {client} of {_name(known, owner)}, but is another domain."


def _name(known: Known, account_id: AccountId) -> str:
    account = known.accounts.get(account_id)
    return str(account) if account else "another account"


def names_of(found: Iterable[Clue]) -> set[Signal]:
    return {clue.signal for clue in found}
