"""A client book of our own making: namesakes, groups that share a domain, accountants with many clients, people at free mail."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

FORMS = ("GmbH", "AG", "Ltd", "SARL", "S.r.l.", "BV", "AB", "Inc.", "& Söhne KG", "Sp. z o.o.", "")
TRADES = (
    "Energie",
    "Logistics",
    "Bau",
    "Foods",
    "Textiles",
    "Optik",
    "Marine",
    "Studio",
    "Medical",
    "Papier",
    "Tools",
    "Reisen",
)
PLAIN = (
    "Horizon",
    "Atlas",
    "Summit",
    "Harvest",
    "Compass",
    "Bridge",
    "Anchor",
    "Meadow",
    "Beacon",
    "Orchard",
)  # words, too
FREE_MAIL = ("gmail.com", "outlook.com", "gmx.de", "web.de", "yahoo.fr", "libero.it")
ENDS = ("example", "test")
FIRST = [
    "Anna",
    "Ben",
    "Clara",
    "David",
    "Elena",
    "Farid",
    "Greta",
    "Henrik",
    "Ines",
    "Jonas",
    "Katja",
    "Lukas",
    "Marta",
    "Nils",
    "Olga",
    "Paul",
    "Rosa",
    "Stefan",
    "Tessa",
    "Uwe",
    "Vera",
    "Wim",
    "Yara",
    "Zoe",
    "Alice",
    "Bruno",
    "Carla",
    "Dario",
    "Emma",
    "Felix",
    "Gina",
    "Hugo",
    "Iris",
    "Jan",
    "Karin",
    "Leo",
    "Mia",
    "Noah",
    "Oskar",
    "Pia",
]
LAST = [
    "Aalto",
    "Berger",
    "Castell",
    "Dorn",
    "Ebert",
    "Falk",
    "Gruber",
    "Hansen",
    "Ibsen",
    "Jansen",
    "Keller",
    "Lindqvist",
    "Moreau",
    "Novak",
    "Olsen",
    "Petrov",
    "Quist",
    "Rossi",
    "Sander",
    "Thorsen",
    "Ulrich",
    "Vogel",
    "Weiss",
    "Young",
    "Zander",
    "Adler",
    "Brandt",
    "Conti",
    "Duval",
    "Eriksen",
    "Fabre",
    "Gallo",
    "Holm",
]
_HEADS = [
    "bal",
    "cor",
    "dan",
    "fel",
    "gar",
    "hel",
    "kal",
    "lor",
    "mar",
    "nor",
    "per",
    "ros",
    "sal",
    "tor",
    "val",
    "wes",
    "zan",
    "bren",
    "dros",
    "fyl",
    "gres",
    "hulm",
    "kelt",
    "morl",
    "pell",
    "strav",
]
_MIDDLES = ["a", "e", "i", "o", "u", "ae", "ia", "or", "en", "il", "um", "an"]
_TAILS = [
    "ton",
    "berg",
    "vik",
    "dal",
    "mont",
    "field",
    "ner",
    "lin",
    "gard",
    "sen",
    "holt",
    "wick",
    "low",
    "mar",
    "rand",
    "thal",
]


@dataclass
class MadeContact:
    email: str
    name: str
    accounts: list[str]


@dataclass
class MadeAccount:
    code: str
    name: str
    aliases: list[str]
    domains: list[str]
    status: str = "open"
    work: dict[str, list[str]] = field(default_factory=dict)  # engagement -> work items
    people: list[MadeContact] = field(default_factory=list)

    @property
    def home(self) -> str:
        return self.domains[0]


@dataclass
class MadeBook:
    accounts: dict[str, MadeAccount]
    contacts: list[MadeContact]
    accountants: list[MadeContact]  # on several accounts
    sharers: list[tuple[str, str, str]]  # a domain, and the two accounts of one group that have it
    third_parties: list[tuple[str, str]]  # address and name of people who write about clients


def make_book(seed: int, accounts: int = 500, contacts: int = 3000) -> MadeBook:
    made = _Maker(Random(seed))
    outsiders = [made.outsider(kind) for kind in ("law", "courier", "audit") * 20]
    book = MadeBook({}, [], [], [], outsiders)
    while len(book.accounts) < accounts:
        for each in made.accounts():
            book.accounts.setdefault(each.code, each)
    _share_domains(book, made.random)
    _people(book, made, contacts)
    return book


class _Maker:
    def __init__(self, random: Random) -> None:
        self.random, self.number = random, 100
        self.taken: set[str] = set()

    def word(self) -> str:
        while True:
            word = self.random.choice(_HEADS) + self.random.choice(_MIDDLES) + self.random.choice(_TAILS)
            if word not in self.taken:
                self.taken.add(word)
                return word

    def accounts(self) -> list[MadeAccount]:
        """One; now and then two with nearly one name."""
        word = self.word()
        if self.random.random() < 0.03 and PLAIN:
            plain = self.random.choice(PLAIN)
            return [self.account(plain, word)]
        made = [self.account(word.title(), word)]
        if self.random.random() < 0.08:
            other = f"{word.title()} {self.random.choice(TRADES)}"
            made.append(self.account(other, other.lower().replace(" ", "-")))
        return made

    def account(self, name: str, label: str) -> MadeAccount:
        self.number += self.random.randint(1, 9)
        code = f"{label[:4].upper()}{self.number}" if self.random.random() < 0.7 else f"C-{self.number:05d}"
        trade = f" {self.random.choice(TRADES)}" if " " not in name and self.random.random() < 0.4 else ""
        aliases = [f"{name}{trade}"] if trade else []
        domains = [f"{label}.{self.random.choice(ENDS)}"]
        if self.random.random() < 0.15:
            domains.append(f"{label}-group.example")
        status = "closed" if self.random.random() < 0.04 else "open"
        full = f"{name}{trade} {self.random.choice(FORMS)}".strip()
        return MadeAccount(code, full, aliases, domains, status, self.work(code))

    def work(self, code: str) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for number in range(self.random.randint(0, 3)):
            engagement = f"{code}-E{number + 1}"
            found[engagement] = [f"{code}-{self.random.randint(1000, 9999)}" for _ in range(self.random.randint(0, 3))]
        return found

    def person(self) -> tuple[str, str]:
        first, last = self.random.choice(FIRST), self.random.choice(LAST)
        style = self.random.randrange(3)
        local = (f"{first}.{last}", f"{first[0]}.{last}", first)[style].lower()
        return f"{first} {last}", local

    def outsider(self, kind: str) -> tuple[str, str]:
        name, local = self.person()
        return f"{local}@{self.word()}-{kind}.example", name


def _share_domains(book: MadeBook, random: Random) -> None:
    """Companies of one group write from one domain."""
    chosen = random.sample(sorted(book.accounts), 24)
    for one, other in zip(chosen[::2], chosen[1::2], strict=True):
        domain = book.accounts[one].home
        book.accounts[other].domains = [domain]
        book.sharers.append((domain, one, other))


def _people(book: MadeBook, made: _Maker, wanted: int) -> None:
    seen: set[str] = set()
    codes = sorted(book.accounts)
    shared = {domain for domain, _, _ in book.sharers}

    def add(email: str, name: str, accounts: list[str]) -> MadeContact | None:
        if email in seen:
            return None
        seen.add(email)
        contact = MadeContact(email, name, accounts)
        book.contacts.append(contact)
        for code in accounts:
            book.accounts[code].people.append(contact)
        return contact

    for _ in range(60):
        name, local = made.person()
        accounts = made.random.sample(codes, made.random.randint(2, 5))
        if contact := add(f"{local}@{made.word()}-tax.example", name, accounts):
            book.accountants.append(contact)
    while len(book.contacts) < wanted:
        account = book.accounts[made.random.choice(codes)]
        name, local = made.person()
        free = made.random.random() < 0.12 or account.home in shared
        domain = made.random.choice(FREE_MAIL) if free else account.home
        add(f"{local}{made.random.randint(1, 999) if free else ''}@{domain}", name, [account.code])
