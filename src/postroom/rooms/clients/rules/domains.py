"""Domains: which may speak for a client, which are everybody's, and which merely look like a client's."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources

from postroom.mail.domains import registered
from postroom.nouns.errors import BadRequest

SHORTEST_GUESS = 5  # letters below which one letter more or less makes another word, not a disguise
_DOMAIN = re.compile(r"^(?=.{4,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}$")
_PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"))
_LETTERS = str.maketrans(
    {
        **dict.fromkeys("1i|ıіӏιіΙІǀ", "l"),
        **dict.fromkeys("0оοОΟօ", "o"),
        **dict.fromkeys("аαАΑ", "a"),
        **dict.fromkeys("еεЕΕє", "e"),
        **dict.fromkeys("сСϲ", "c"),
        **dict.fromkeys("рρРΡ", "p"),
        **dict.fromkeys("уγУΥү", "y"),
        **dict.fromkeys("хχХΧ", "x"),
        **dict.fromkeys("ѕЅ", "s"),
        **dict.fromkeys("һнНΗ", "h"),
        **dict.fromkeys("кκКΚ", "k"),
        **dict.fromkeys("тτТΤ", "t"),
        **dict.fromkeys("мМΜ", "m"),
        **dict.fromkeys("вВΒß", "b"),
        **dict.fromkeys("νѵ", "v"),
        "ԁ": "d", "ԛ": "q", "ԝ": "w", "ј": "j", "ո": "n", "ս": "u", "υ": "u", "ω": "w", "5": "s", "ø": "o", "ł": "l",
    }
)  # fmt: skip


@cache
def _lists() -> Mapping[str, frozenset[str]]:
    text = resources.files(__package__).joinpath("providers.toml").read_text("utf-8")
    return {name: frozenset(found) for name, found in tomllib.loads(text).items()}


def label_of(domain: str) -> str:
    """The name in a domain: `acme` of `mail.acme.co.uk`."""
    return registered(domain).partition(".")[0]


def is_free_mail(domain: str) -> bool:
    own = registered(domain) or domain
    by_name = own.partition(".")[0] in _lists()["free_mail_brands"]
    return by_name or own in _lists()["free_mail"] or domain in _lists()["free_mail"]


def is_shared(domain: str) -> bool:
    return (registered(domain) or domain) in _lists()["shared"]


def speaking(domain: str) -> list[str]:
    """The domain and those above it that may speak for a client: never a free-mail or a shared provider's."""
    domain = domain.strip(".").lower()
    own = registered(domain)
    if not own or is_free_mail(domain):
        return []
    below = domain.removesuffix(own).strip(".").split(".") if domain != own else []
    chain = [".".join([*below[at:], own]) for at in range(len(below) + 1)]
    return [each for each in chain if not (each == own and is_shared(own))]


def clean_domain(text: str) -> str:
    """A domain of a client's as it is kept; refused when it cannot speak for one."""
    domain = _ascii(text.strip().lower().lstrip("@").strip("."))
    if not _DOMAIN.match(domain):
        raise BadRequest(f"{text.strip()[:80]!r} is not a domain; write it like acme.example.")
    if is_free_mail(domain):
        raise BadRequest(f"{domain} is a free-mail domain, which is everybody's; add the contact's address instead.")
    if domain not in speaking(domain):
        raise BadRequest(f"{domain} belongs to a provider that many share; add the contact's address instead.")
    return domain


def _ascii(domain: str) -> str:
    try:
        return domain if domain.isascii() else domain.encode("idna").decode()
    except UnicodeError:
        return domain


def shown(domain: str) -> str:
    """As a person would see it: punycode in its own letters."""
    try:
        return domain.encode().decode("idna") if "xn--" in domain else domain
    except UnicodeError:
        return domain


def skeleton(label: str) -> str:
    """What the eye makes of it: letters that look alike are one letter."""
    plain = unicodedata.normalize("NFKD", shown(label).lower()).translate(_LETTERS)
    bare = "".join(char for char in plain if not unicodedata.combining(char)).replace("-", "")
    for pair, single in _PAIRS:
        bare = bare.replace(pair, single)
    return bare


def look_alike_keys(domain: str) -> list[str]:
    """Keys that two domains share when their names look alike, or are one letter apart."""
    return _keys(skeleton(label_of(domain)))


def _keys(bare: str) -> list[str]:
    if not bare:
        return []
    if len(bare) < SHORTEST_GUESS:
        return [bare]
    return sorted({bare, *(bare[:at] + bare[at + 1 :] for at in range(len(bare)))})


def keys_to_look_up(domain: str) -> list[str]:
    """Of a sender's domain: also of the names that are joined into it, as in `acme-billing.test`."""
    if not registered(domain) or is_free_mail(domain) or is_shared(domain):
        return []
    inner = domain.removesuffix(registered(domain)).strip(".")
    parts = {part for label in [*inner.split("."), label_of(domain)] for part in label.split("-")}
    joined = [skeleton(part) for part in parts if len(part) > SHORTEST_GUESS]
    return sorted({*look_alike_keys(domain), *joined})


def disguise(domain: str, known: Iterable[str]) -> str | None:
    """The client's domain that this one is dressed up as, of those that share a key with it."""
    own = registered(domain)
    mine = skeleton(label_of(domain))
    parts = {skeleton(part) for part in re.split(r"[.-]", domain.removesuffix(own).strip(".") + "." + label_of(domain))}
    for each in sorted(set(known)):
        if own == registered(each) or domain == each:
            continue
        theirs = skeleton(label_of(each))
        if mine == theirs or one_edit_apart(mine, theirs) or (len(theirs) > SHORTEST_GUESS and theirs in parts):
            return each
    return None


def one_edit_apart(one: str, other: str) -> bool:
    """A letter more, less, other, or two swapped."""
    if one == other or abs(len(one) - len(other)) > 1 or min(len(one), len(other)) < SHORTEST_GUESS:
        return False
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    rest, others = one[at:], other[at:]
    swapped = rest[1:2] + rest[:1] + rest[2:]
    return rest[1:] in (others[1:], others) or rest == others[1:] or swapped == others
