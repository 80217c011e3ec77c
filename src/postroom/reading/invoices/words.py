"""Labels found in a line: a trie of words, so that a thousand labels cost no more than one."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import product

_WORD = re.compile(r"[^\W_]+|[#°º№%]")
CALLED = {"grand_total": "gross", "net_total": "net", "tax_total": "tax"}
"""Fields of an invoice that the lexicon calls otherwise."""
STRONG = 3
OWN_SUM = 4  # a sender's own label for a sum counts more than any other
_SPECIAL = {"ß": "s", "ł": "l", "ø": "o", "æ": "a", "đ": "d", "ı": "i", "’": "'", "º": "°"}


class _Folding(dict[int, str]):
    """Learns each letter when it is first met."""

    def __missing__(self, code: int) -> str:
        small = chr(code).lower()[:1]
        self[code] = _SPECIAL.get(small) or unicodedata.normalize("NFD", small)[:1] or chr(code)
        return self[code]


_FOLDING = _Folding()


def flat(text: str) -> str:
    """Small letters without accents, each at its old place."""
    return text.lower() if text.isascii() else text.translate(_FOLDING)


@dataclass(frozen=True, slots=True)
class InvoiceLabel:
    """`kinds` are the fields it may name, each with its strength (1 weak, 2 likely, 3 strong)."""

    kinds: Mapping[str, int]
    start: int
    end: int
    words: int

    def strength(self, kind: str) -> int:
        return self.kinds.get(kind, 0)


class _Twig:
    __slots__ = ("kinds", "twigs")

    def __init__(self) -> None:
        self.twigs: dict[str, _Twig] = {}
        self.kinds: dict[str, int] = {}


@cache
def _trie() -> _Twig:
    raw = tomllib.loads(resources.files(__package__).joinpath("lexicon.toml").read_text("utf-8"))
    made = raw.pop("made")
    root = _Twig()
    for section, lists in raw.items():
        for name, labels in lists.items():
            kind = section if name in ("strong", "weak") else f"{section}.{name}"
            for label in labels:
                words = _words_of(label)
                _grow(root, words, kind, 1 if name == "weak" else 3)
                if len(words) == 2 and len(words[0]) > 3 and words[1].isalnum():
                    _grow(root, ["".join(words)], kind, 1 if name == "weak" else 3)
    papers = tomllib.loads(resources.files(__package__).joinpath("papers.toml").read_text("utf-8"))
    for title in (*papers["invoice"]["titles"], *papers["credit_note"]["titles"]):
        _grow(root, _words_of(title), "number", 1)  # a title is often followed by the number
    _make(root, made)
    return root


def _words_of(text: str) -> list[str]:
    return _WORD.findall(flat(text))


def _grow(root: _Twig, words: Sequence[str], kind: str, strength: int) -> _Twig:
    twig = _reach(root, words)
    twig.kinds[kind] = max(strength, twig.kinds.get(kind, 0))
    return twig


def _reach(root: _Twig, words: Sequence[str]) -> _Twig:
    twig = root
    for word in words:
        twig = twig.twigs.setdefault(word, _Twig())
    return twig


def _make(root: _Twig, made: Mapping[str, Sequence[str]]) -> None:
    """Each noun with each word for a number and for a date, in both orders; each sum with and without each tax."""
    grafts: list[tuple[_Twig, _Twig]] = []
    for kind, name in (("number", "numbers"), ("issue_date", "dates")):
        nouns, words = _branch(made["nouns"], kind), _branch(made[name], kind)
        grafts += [(_reach(root, _words_of(noun)), words) for noun in made["nouns"]]
        grafts += [(_reach(root, _words_of(" ".join(pair))), nouns) for pair in product(made[name], made["links"])]
        for noun, word in product(made["nouns"], made[name]):
            if len(noun) > 3 and (noun + word).isalpha():
                _grow(root, [flat(noun + word)], kind, 3)
    for kind, name in (("gross", "with"), ("net", "without")):
        taxes = _branch(made["taxes"], kind)
        grafts += [(_reach(root, _words_of(" ".join(pair))), taxes) for pair in product(made["sums"], made[name])]
    for twig, branch in grafts:
        _graft(twig, branch)


def _branch(texts: Sequence[str], kind: str) -> _Twig:
    root = _Twig()
    for text in texts:
        _grow(root, _words_of(text), kind, 3)
    return root


def _graft(twig: _Twig, branch: _Twig) -> None:
    """Hang a branch on. Branches are shared, so where both go on, a copy does."""
    for word, shared in branch.twigs.items():
        own = twig.twigs.get(word)
        twig.twigs[word] = shared if own is None else _both(own, shared)


def _both(own: _Twig, shared: _Twig) -> _Twig:
    copy = _Twig()
    copy.kinds = {kind: max(own.kinds.get(kind, 0), shared.kinds.get(kind, 0)) for kind in (*own.kinds, *shared.kinds)}
    copy.twigs = dict(own.twigs)
    _graft(copy, shared)
    return copy


_Placed = tuple[str, int, int]


def labels_in(text: str) -> Iterator[InvoiceLabel]:
    """The labels of a line, longest first at each place, none inside another."""
    folded = flat(text)
    words = [(match[0], match.start(), match.end()) for match in _WORD.finditer(folded)]
    begun, hyphens = _trie().twigs, "-" in folded
    at = 0
    while at < len(words):
        found = _longest(folded, words, at) if words[at][0] in begun else None
        found = found or (_hyphened(folded, words, at) if hyphens else None) or _compound(words[at])
        if found is None:
            at += 1
        else:
            yield found
            at += found.words


def with_own(text: str, own: Mapping[str, str]) -> list[InvoiceLabel]:
    """The labels of a line, with a sender's own words for fields in the place of what they cover."""
    words = [(match[0], match.start(), match.end()) for match in _WORD.finditer(flat(text))]
    said = [word for word, _, _ in words]
    named = []
    for phrase, name in own.items():
        wanted = _words_of(phrase)
        for at in range(len(said) - len(wanted) + 1):
            if said[at : at + len(wanted)] == wanted:
                end = words[at + len(wanted) - 1][2]
                kinds = {CALLED[name]: OWN_SUM} if name in CALLED else {name: STRONG}
                named.append(InvoiceLabel(kinds, words[at][1], end, len(wanted)))
    rest = [
        label for label in labels_in(text) if all(label.end <= one.start or one.end <= label.start for one in named)
    ]
    return sorted([*rest, *named], key=lambda label: label.start)


def _longest(folded: str, words: Sequence[_Placed], at: int) -> InvoiceLabel | None:
    """Two blanks part columns, so no label reaches across them."""
    twig, found = _trie(), None
    for ahead in range(at, min(at + 6, len(words))):
        nearer = twig.twigs.get(words[ahead][0])
        between = folded[words[ahead - 1][2] : words[ahead][1]] if ahead > at else ""
        if nearer is None or len(between) > 3 or "  " in between:
            break
        twig = nearer
        if twig.kinds:
            found = InvoiceLabel(twig.kinds, words[at][1], words[ahead][2], ahead - at + 1)
    return found


def _hyphened(folded: str, words: Sequence[_Placed], at: int) -> InvoiceLabel | None:
    """`Beleg-Datum` is `Belegdatum`."""
    if at + 1 == len(words) or folded[words[at][2] : words[at + 1][1]] != "-":
        return None
    twig = _trie().twigs.get(words[at][0] + words[at + 1][0])
    return InvoiceLabel(twig.kinds, words[at][1], words[at + 1][2], 2) if twig is not None and twig.kinds else None


def _compound(word: _Placed) -> InvoiceLabel | None:
    """Teilrechnung, Schlussrechnung, and whatever else is billed."""
    text, start, end = word
    return InvoiceLabel({"number": 2}, start, end, 1) if len(text) > 10 and text.endswith("rechnung") else None
