"""A year of mail for that book, each with whose it is, and whether anybody could tell from the mail alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random

from benchmarks.evals.mapping.made_book import FIRST, FREE_MAIL, LAST, MadeAccount, MadeBook, MadeContact
from postroom.nouns.clients import Email
from postroom.nouns.mail import Address
from postroom.rooms.clients.rules.mails import with_new_words

OURS = Address("service@larkspur.example", "Client service")
COLLEAGUE = Address("nora@larkspur.example", "Nora")
START = datetime(2026, 1, 1, 8, tzinfo=UTC)
SUBJECTS = (
    "Rooms for May", "Question about the offer", "Our next order", "Change of address", "Delivery dates", "Contract draft",
    "Figures for the quarter", "Meeting on Thursday", "Missing statement", "Access for a new colleague", "Complaint",
    "Payment details", "Unterlagen für die Prüfung", "Votre devis", "Richiesta di informazioni", "Reminder",
)  # fmt: skip
TEXTS = (
    "Could you have a look at this before Friday?", "Please find the papers attached.", "We would like two more, if possible.",
    "When can we expect the delivery?", "There is a mistake in the last statement.", "Vielen Dank für die schnelle Antwort.",
    "Merci de nous confirmer la date.", "I tried to call you this morning.", "Who is in charge of this now?",
)  # fmt: skip


@dataclass
class MadeMail:
    email: Email  # without its thread: the desk knows how that was mapped
    thread: int
    truth: str | None
    kind: str
    ambiguous: bool  # nobody could be sure from the mail, the thread and the book alone


@dataclass
class _Thread:
    id: int
    truth: str | None
    subject: str
    people: list[Address]
    last: datetime
    mixed: bool = False


@dataclass
class MailMaker:
    book: MadeBook
    random: Random
    at: datetime = START
    threads: list[_Thread] = field(default_factory=list)
    moved: dict[str, str] = field(default_factory=dict)  # people by address, who work for another client by now
    private: list[tuple[Address, str]] = field(default_factory=list)  # private addresses, and whose people they are
    number: int = 0

    def year(self, mails: int) -> Iterator[MadeMail]:
        scenes = list(SCENES.items())
        weights = [share for _, (_, share) in scenes]
        step = timedelta(days=365) / mails
        for _ in range(mails):
            self.at += step
            name, (scene, _) = self.random.choices(scenes, weights)[0]
            yield scene(self, name)

    # -- parts

    def account(self, *, closed: bool = False) -> MadeAccount:
        while True:
            found = self.book.accounts[self.random.choice(list(self.book.accounts))]
            if (found.status == "closed") == closed and (own_people(found) or not closed):
                return found

    def contact(self, account: MadeAccount) -> MadeContact | None:
        people = [each for each in own_people(account) if each.email not in self.moved]
        return self.random.choice(people) if people else None

    def stranger(self, domain: str) -> Address:
        first, last = self.random.choice(FIRST), self.random.choice(LAST)
        return Address(f"{first}.{last}{self.random.randint(1, 99)}@{domain}".lower(), f"{first} {last}")

    def subject(self, account: MadeAccount | None = None) -> str:
        said = self.random.choice(SUBJECTS)
        if account is None:
            return said
        draw = self.random.random()
        if draw < 0.15 and (code := self.code(account)):
            return f"{said} [{code}]" if draw < 0.08 else f"{code}: {said}"
        return f"{said} ({short(account)})" if draw < 0.25 else said

    def code(self, account: MadeAccount) -> str | None:
        items = [code for engagement, found in account.work.items() for code in (engagement, *found)]
        return self.random.choice(items) if items else None

    def text(self, account: MadeAccount | None = None, *, signed: bool = True, name: str = "") -> str:
        said = " ".join(self.random.sample(TEXTS, 2))
        if account is not None and self.random.random() < 0.12:
            said += f" It is about {short(account)}."
        sign = f"\n\nBest regards\n{name}\n{account.name}" if account and signed and self.random.random() < 0.5 else ""
        return f"Hello,\n\n{said}{sign or f'{chr(10)}{chr(10)}{name}'}"

    def mail(
        self,
        kind: str,
        sender: Address,
        truth: str | None,
        subject: str,
        text: str,
        *,
        ambiguous: bool = False,
        to: tuple[Address, ...] = (OURS,),
        cc: tuple[Address, ...] = (),
        thread: _Thread | None = None,
        trust: str = "authenticated",
        named_only: bool = False,
    ) -> MadeMail:
        self.number += 1
        if thread is None:
            thread = _Thread(self.number, truth, subject, [sender, *cc], self.at)
            if truth is not None and not ambiguous and len(self.threads) < 4000:
                self.threads.append(thread)
        else:
            subject = f"Re: {thread.subject}" if subject == thread.subject else subject
            thread.people.append(sender)
            thread.last = self.at
        bare = Email(
            sender, to, cc, subject, date=self.at, trust=trust, is_named_only=named_only,
            trust_because="The sender's domain did not sign it." if trust == "spoofed" else "",
        )  # fmt: skip
        return MadeMail(with_new_words(text, bare), thread.id, truth, kind, ambiguous)

    def recent(self) -> _Thread | None:
        fresh = [each for each in self.threads[-300:] if self.at - each.last < timedelta(days=60)]
        return self.random.choice(fresh) if fresh else None


def own_people(account: MadeAccount) -> list[MadeContact]:
    return [each for each in account.people if len(each.accounts) == 1]


def short(account: MadeAccount) -> str:
    return account.name.split(" ")[0] if len(account.name.split(" ")[0]) > 3 else account.name


def address(contact: MadeContact) -> Address:
    return Address(contact.email, contact.name)


def contact_writes(make: MailMaker, kind: str) -> MadeMail:
    account = make.account()
    person = make.contact(account)
    if person is None:
        return colleague_writes(make, kind)
    return make.mail(kind, address(person), account.code, make.subject(account), make.text(account, name=person.name))


def colleague_writes(make: MailMaker, kind: str) -> MadeMail:
    """Somebody who is not in the book, from a client's own domain."""
    shared = {domain for domain, _, _ in make.book.sharers}
    account = make.account()
    while account.home in shared:
        account = make.account()
    sender = make.stranger(account.home)
    return make.mail(kind, sender, account.code, make.subject(account), make.text(account, name=sender.name))


def answer_in_thread(make: MailMaker, kind: str) -> MadeMail:
    """One of the thread, a colleague, or sometimes a stranger whom the client brought in."""
    thread = make.recent()
    if thread is None or thread.truth is None:
        return contact_writes(make, kind)
    account = make.book.accounts[thread.truth]
    stranger = make.random.random() < 0.15
    sender = make.stranger(make.random.choice(FREE_MAIL)) if stranger else make.random.choice(thread.people)
    subject = thread.subject if make.random.random() < 0.9 else make.subject()
    cc = (thread.people[0],) if stranger else ()
    return make.mail(
        kind, sender, thread.truth, subject, make.text(account, name=sender.name), thread=thread, cc=cc, ambiguous=False
    )


def we_write(make: MailMaker, kind: str) -> MadeMail:
    """A colleague of ours writes to a client, with the shared mailbox in copy."""
    account = make.account()
    person = make.contact(account)
    to = (address(person),) if person else (make.stranger(account.home),)
    shared = account.home in {domain for domain, _, _ in make.book.sharers} and person is None
    text = make.text(account, signed=False, name="Nora")
    return make.mail(kind, COLLEAGUE, account.code, make.subject(account), text, to=to, cc=(OURS,), ambiguous=shared)


def we_forward(make: MailMaker, kind: str) -> MadeMail:
    account = make.account()
    person = make.contact(account)
    if person is None:
        return contact_writes(make, kind)
    quoted = f"\n\n-----Original Message-----\nFrom: {person.name} <{person.email}>\nSubject: {make.subject()}\n\nHello"
    text = f"Can you take this?{quoted}"
    return make.mail(kind, COLLEAGUE, account.code, f"FW: {make.subject()}", text, ambiguous=True)


def accountant_writes(make: MailMaker, kind: str) -> MadeMail:
    """One of several clients' people; most say for whom, some do not."""
    person = make.random.choice(make.book.accountants)
    account = make.book.accounts[make.random.choice(person.accounts)]
    draw = make.random.random()
    subject, text = make.subject(), make.text(name=person.name)
    if draw < 0.35 and (code := make.code(account)):
        subject = f"{subject} {code}"
    elif draw < 0.75:
        subject = f"{account.name}: {subject}"
    return make.mail(kind, address(person), account.code, subject, text, ambiguous=True)


def group_writes(make: MailMaker, kind: str) -> MadeMail:
    """From a domain that two accounts share, by somebody who is not in the book."""
    domain, one, other = make.random.choice(make.book.sharers)
    account = make.book.accounts[make.random.choice((one, other))]
    sender = make.stranger(domain)
    signed = make.random.random() < 0.6
    text = make.text(name=sender.name) + (f"\n{account.name}" if signed else "")
    return make.mail(kind, sender, account.code, make.subject(), text, ambiguous=not signed)


def third_party_writes(make: MailMaker, kind: str) -> MadeMail:
    """A lawyer or a courier about a client: the client's file, but not the client's mail."""
    account = make.account()
    sender = Address(*make.random.choice(make.book.third_parties))
    subject = f"{short(account)}: {make.subject()}" if make.random.random() < 0.6 else make.subject(account)
    text = f"Dear all,\n\nregarding {account.name}: {make.random.choice(TEXTS)}\n\n{sender.name}"
    return make.mail(kind, sender, account.code, subject, text, ambiguous=True)


def client_about_another(make: MailMaker, kind: str) -> MadeMail:
    """A client names another client: it is still the first one's mail."""
    account, other = make.account(), make.account()
    person = make.contact(account)
    if person is None or other is account:
        return contact_writes(make, kind)
    text = f"Hello,\n\nwe met {short(other)} at the fair. {make.random.choice(TEXTS)}\n\n{person.name}"
    return make.mail(kind, address(person), account.code, make.subject(), text)


def wrong_code(make: MailMaker, kind: str) -> MadeMail:
    """Somebody copied a subject line: their own mail with another client's code."""
    account, other = make.account(), make.account()
    person, code = make.contact(account), make.code(other)
    if person is None or code is None or other is account:
        return contact_writes(make, kind)
    return make.mail(kind, address(person), account.code, f"{make.subject()} {code}", make.text(), ambiguous=True)


def moved_person(make: MailMaker, kind: str) -> MadeMail:
    """They changed firms and write from the new one; the book has them at the old."""
    old, new = make.account(), make.account()
    person = make.contact(old)
    if person is None or old is new or new.home in {domain for domain, _, _ in make.book.sharers}:
        return contact_writes(make, kind)
    sender = Address(f"{person.name.replace(' ', '.').lower()}@{new.home}", person.name)
    return make.mail(kind, sender, new.code, make.subject(new), make.text(new, name=person.name))


def freelancer_moved(make: MailMaker, kind: str) -> MadeMail:
    """A contact at free mail now works for another client, and the book does not know. At first they say for whom."""
    known = {each.email: each for each in make.book.contacts}
    if make.moved and make.random.random() < 0.75:
        person = known[make.random.choice(list(make.moved))]
        new = make.book.accounts[make.moved[person.email]]
        text = make.text(new, name=person.name)
        return make.mail(kind, address(person), new.code, make.subject(new), text)
    free = [
        each
        for each in make.book.contacts
        if each.email.partition("@")[2] in FREE_MAIL and len(each.accounts) == 1 and each.email not in make.moved
    ]
    person, new = make.random.choice(free), make.account()
    make.moved[person.email] = new.code
    text = make.text(name=person.name) + f"\n{new.name}"
    subject = f"{make.subject()} {make.code(new) or ''} {short(new)}"
    return make.mail(kind, address(person), new.code, subject, text)


def private_address(make: MailMaker, kind: str) -> MadeMail:
    """Somebody of a client's, from an address that is not in the book; most come back, and were decided about by then."""
    if make.private and make.random.random() < 0.7:
        sender, code = make.random.choice(make.private)
    else:
        account = make.account()
        person = make.contact(account)
        name, code = person.name if person else "", account.code
        local = f"{name.replace(' ', '').lower() or 'info'}{make.random.randint(1, 9999)}"
        sender = Address(f"{local}@gmail.com", name)
        make.private.append((sender, code))
    account = make.book.accounts[code]
    said = account if make.random.random() < 0.6 else None
    return make.mail(kind, sender, code, make.subject(said), make.text(said, name=sender.name))


def mixed_thread(make: MailMaker, kind: str) -> MadeMail:
    """Two clients talk in one thread."""
    thread, other = make.recent(), make.account()
    person = make.contact(other)
    if thread is None or person is None or thread.truth in (None, other.code):
        return contact_writes(make, kind)
    if any(each.email == person.email for each in thread.people):
        return contact_writes(make, kind)
    thread.mixed = True
    make.threads.remove(thread)
    return make.mail(
        kind,
        address(person),
        other.code,
        thread.subject,
        make.text(other, name=person.name),
        thread=thread,
        ambiguous=True,
    )


def look_alike(make: MailMaker, kind: str) -> MadeMail:
    """Dressed up as a client: nobody's mail."""
    account = make.account()
    label, _, end = account.home.partition(".")
    at = make.random.randrange(1, len(label))
    changed = make.random.choice(
        (
            label[:at] + label[at] + label[at:],
            label[:at] + label[at + 1 :],
            label.replace("m", "rn") if "m" in label else label.replace("l", "1"),
            f"{label}-billing",
        )
    )
    taken = {domain for each in make.book.accounts.values() for domain in each.domains}
    domain = f"{changed}.{end}"
    if domain in taken:
        return newsletter(make, kind)
    person = make.contact(account)
    sender = Address(f"accounts@{domain}", person.name if person else "Accounts")
    text = f"Hello,\n\nplease note our new bank details.\n\n{account.name}"
    return make.mail(kind, sender, None, f"{account.name}: payment", text, ambiguous=True)


def spoofed(make: MailMaker, kind: str) -> MadeMail:
    account = make.account()
    person = make.contact(account)
    if person is None:
        return newsletter(make, kind)
    text = f"Hello,\n\nplease note our new bank details.\n\n{account.name}"
    return make.mail(kind, address(person), None, "New bank details", text, ambiguous=True, trust="spoofed")


def closed_account(make: MailMaker, kind: str) -> MadeMail:
    account = make.account(closed=True)
    person = make.contact(account)
    assert person is not None
    text = make.text(account, name=person.name)
    return make.mail(kind, address(person), account.code, make.subject(account), text, ambiguous=True)


def web_form(make: MailMaker, kind: str) -> MadeMail:
    """A form writes; whoever filled it in stands in Reply-To."""
    account = make.account()
    person = make.contact(account)
    if person is None:
        return newsletter(make, kind)
    return make.mail(
        kind,
        address(person),
        account.code,
        "Contact form",
        make.text(name=person.name),
        ambiguous=True,
        named_only=True,
    )


def newsletter(make: MailMaker, kind: str) -> MadeMail:
    """Nobody's: adverts, suppliers, strangers; some name a client by chance."""
    sender = make.stranger(
        f"{make.random.choice(('news', 'offers', 'events', 'supply'))}{make.random.randint(1, 400)}.example"
    )
    account = make.account() if make.random.random() < 0.1 else None
    about = f" As heard from {short(account)}." if account else ""
    return make.mail(
        kind, sender, None, make.subject(), f"Dear reader,\n\nour offers this week.{about}", ambiguous=True
    )


Scene = Callable[[MailMaker, str], MadeMail]
SCENES: dict[str, tuple[Scene, float]] = {
    "contact": (contact_writes, 34.0),
    "colleague": (colleague_writes, 10.0),
    "thread": (answer_in_thread, 16.0),
    "we write": (we_write, 6.0),
    "we forward": (we_forward, 2.0),
    "accountant": (accountant_writes, 5.0),
    "group domain": (group_writes, 1.5),
    "third party": (third_party_writes, 5.0),
    "client about another": (client_about_another, 2.5),
    "another's code": (wrong_code, 0.5),
    "moved, new address": (moved_person, 1.5),
    "moved, same address": (freelancer_moved, 1.0),
    "private address": (private_address, 3.0),
    "mixed thread": (mixed_thread, 1.5),
    "look-alike": (look_alike, 1.5),
    "spoofed": (spoofed, 1.0),
    "closed account": (closed_account, 1.5),
    "web form": (web_form, 1.0),
    "nobody's": (newsletter, 6.0),
}
