"""The room without a database: looks up as the store would, keeps what was mapped, and has a person beside it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, time
from uuid import UUID, uuid5

from benchmarks.evals.mapping.made_book import MadeBook
from benchmarks.evals.mapping.made_mail import COLLEAGUE, OURS, MadeMail
from postroom.nouns.clients import (
    SIGNALS,
    AccountId,
    ClientAccount,
    Clue,
    Email,
    Engagement,
    EngagementId,
    PastMapping,
    Signal,
    Suggestion,
    WorkItem,
    WorkItemId,
)
from postroom.rooms.clients.rules import domains, signals, words
from postroom.rooms.clients.rules.known import Found, FoundCode, Known, Rejection, lookups, plain_address
from postroom.rooms.clients.rules.learning import misled, outcomes
from postroom.rooms.clients.rules.suggesting import suggest
from postroom.rooms.clients.rules.weights import SignalTally, SignalWeights, adjusted

REMEMBERED = 10
EVERYTHING = SignalWeights(0.0, dict.fromkeys(SIGNALS, 1.0), dict.fromkeys(SIGNALS, 0.5), [], [])


def made_id(text: str) -> UUID:
    return uuid5(UUID(int=7), text)


def account_id(code: str) -> AccountId:
    return AccountId(made_id(code))


@dataclass
class BookIndex:
    """By the same keys as the tables."""

    accounts: dict[AccountId, ClientAccount] = field(default_factory=dict)
    codes_of: dict[AccountId, str] = field(default_factory=dict)
    contacts: dict[str, list[Found]] = field(default_factory=lambda: defaultdict(list))
    domains: dict[str, list[Found]] = field(default_factory=lambda: defaultdict(list))
    near: dict[str, list[Found]] = field(default_factory=lambda: defaultdict(list))
    codes: dict[str, list[FoundCode]] = field(default_factory=lambda: defaultdict(list))
    names: dict[str, list[Found]] = field(default_factory=lambda: defaultdict(list))
    people: dict[str, list[Found]] = field(default_factory=lambda: defaultdict(list))
    engagements: dict[EngagementId, Engagement] = field(default_factory=dict)
    work_items: dict[WorkItemId, WorkItem] = field(default_factory=dict)


def index(book: MadeBook) -> BookIndex:
    made = BookIndex()
    for account in book.accounts.values():
        own = account_id(account.code)
        made.accounts[own] = ClientAccount(own, account.code, account.name, account.status)  # type: ignore[arg-type]  # made here
        made.codes_of[own] = account.code
        made.codes[account.code.upper()].append(FoundCode(account.code.upper(), own))
        for key in {key for name in (account.name, *account.aliases) for key in words.phrases_of_name(name)}:
            made.names[key].append(Found(key, own))
        for domain in account.domains:
            made.domains[domain].append(Found(domain, own))
            for key in domains.look_alike_keys(domain):
                made.near[key].append(Found(key, own, domain))
        for code, items in account.work.items():
            work = Engagement(EngagementId(made_id(code)), own, code, code)
            made.engagements[work.id] = work
            made.codes[code.upper()].append(FoundCode(code.upper(), own, work.id))
            for item in items:
                held = WorkItem(WorkItemId(made_id(item)), own, work.id, item, item)
                made.work_items[held.id] = held
                made.codes[item.upper()].append(FoundCode(item.upper(), own, work.id, held.id))
    for contact in book.contacts:
        for code in contact.accounts:
            made.contacts[contact.email].append(Found(contact.email, account_id(code), contact.name))
            key = words.phrase(contact.name)
            made.people[key].append(Found(key, account_id(code), contact.email))
    return made


@dataclass(frozen=True)
class Judged:
    mail: MadeMail
    found: Suggestion
    top: list[str]  # codes of the candidates, likeliest first
    strengths: dict[AccountId, dict[Signal, float]]  # of every signal that spoke; only when they are asked for
    decided: bool  # by a person

    @property
    def auto(self) -> bool:
        return not self.found.requires_triage

    @property
    def first(self) -> str | None:
        return self.found.account.code if self.found.account else None


@dataclass
class Desk:
    """Mail by mail. With a person, what waits is decided at once, and what went wrong is noticed with that chance."""

    book: BookIndex
    weights: SignalWeights
    person: bool = True
    notices: int = 2  # one in so many wrong mappings is moved by a person
    threads: dict[int, list[Email]] = field(default_factory=lambda: defaultdict(list))
    history: dict[str, list[PastMapping]] = field(default_factory=lambda: defaultdict(list))
    rejections: dict[str, list[Rejection]] = field(default_factory=lambda: defaultdict(list))
    tallies: dict[tuple[Signal, datetime], list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0]))
    wrong: int = 0
    collect: bool = False

    def judge(self, mail: MadeMail) -> Judged:
        now = mail.email.date
        assert now is not None
        email = replace(mail.email, thread=tuple(self.threads[mail.thread][-50:]))
        known = self._known(email)
        here = adjusted(self.weights, [SignalTally(*key, *counts) for key, counts in self.tallies.items()], now)
        found = suggest(email, known, now, weights=here)
        right = found.account is not None and found.account.code == mail.truth
        decided = self.person and (found.requires_triage or (not right and self._is_noticed()))
        strengths = _strengths(signals.clues(email, known, EVERYTHING, now)) if self.collect else {}
        judged = Judged(mail, found, [one.account.code for one in found.candidates], strengths, decided)
        self._keep(email, judged, now)
        return judged

    def _known(self, email: Email) -> Known:
        asked = lookups(email, signals.forwarded_from(email))
        sender = plain_address(email.sender.email) if email.sender else ""
        return Known(
            accounts=self.book.accounts,
            engagements=self.book.engagements,
            work_items=self.book.work_items,
            contacts=_hits(self.book.contacts, asked.addresses),
            domains=_hits(self.book.domains, asked.domains),
            near_domains=_hits(self.book.near, asked.near, 10),
            codes=[each for key in asked.codes for each in self.book.codes.get(key, ())],
            names=_hits(self.book.names, asked.phrases, 6),
            people=_hits(self.book.people, asked.people, 6),
            history=self.history[sender][::-1][:REMEMBERED],
            rejections=self.rejections[sender],
            own_addresses=frozenset({OURS.email, COLLEAGUE.email}),
            own_domains=frozenset({OURS.domain}),
        )

    def _keep(self, email: Email, judged: Judged, now: datetime) -> None:
        found, truth = judged.found, judged.mail.truth
        right = account_id(truth) if truth else None
        was = found.account.id if found.account else None
        status, account = ("mapped" if judged.auto else "triage"), was
        if judged.decided:
            status, account = ("confirmed" if right else "ignored"), right
            self._teach(email, judged, was, right, now)
        past = PastMapping(account, None, None, status, now)  # type: ignore[arg-type]  # one of four words
        sender = plain_address(email.sender.email) if email.sender else ""
        self.history[sender].append(past)
        self.threads[judged.mail.thread].append(replace(email, thread=(), mapped=past))

    def _is_noticed(self) -> bool:
        self.wrong += 1
        return self.wrong % self.notices == 0

    def _teach(
        self, email: Email, judged: Judged, was: AccountId | None, right: AccountId | None, now: datetime
    ) -> None:
        clues = {one.account.id: one.clues for one in judged.found.candidates}
        day = datetime.combine(now.date().replace(day=28), time(), now.tzinfo)  # by the month, as it is kept
        for each in outcomes(clues, right):
            self.tallies[each.signal, day][0] += each.right
            self.tallies[each.signal, day][1] += each.wrong
        if was is not None and was != right and right is not None and misled(clues, was, right) and email.sender:
            self.rejections[plain_address(email.sender.email)].append(Rejection(was, now))


def _strengths(clues: dict[AccountId, list[Clue]]) -> dict[AccountId, dict[Signal, float]]:
    return {account: {clue.signal: clue.weight for clue in found} for account, found in clues.items()}


def _hits(held: dict[str, list[Found]], keys: Iterable[str], most: int = 1000) -> list[Found]:
    return [each for key in keys for each in held.get(key, ())[:most]]


def tally(judged: Iterable[Judged]) -> Counter[str]:
    """What the figures are made of."""
    count: Counter[str] = Counter()
    for each in judged:
        truth = each.mail.truth
        count["mails"] += 1
        count["auto"] += each.auto
        count["auto_right"] += each.auto and each.first == truth
        count["ambiguous"] += each.mail.ambiguous
        count["ambiguous_auto"] += each.mail.ambiguous and each.auto
        count["clear"] += not each.mail.ambiguous
        count["clear_auto"] += each.auto and not each.mail.ambiguous
        if truth is not None:
            count["somebodys"] += 1
            count["first"] += each.first == truth
            count["top3"] += truth in each.top[:3]
    return count
