"""What the classifier sees of a text: words and their parts, concepts, rows of the vocabulary, kinds of sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from math import sqrt
from operator import itemgetter

from postroom.mail.language import Language
from postroom.mail.sentences import Sentence
from postroom.rooms.triage.rules.concepts import ConceptHit
from postroom.rooms.triage.rules.talk import course_of, kinds_of
from postroom.rooms.triage.rules.topics import Said, added_up, read, said_in
from postroom.rooms.triage.rules.vocabulary import Row, rows_of

# How much each kind of feature counts before a text is brought to one length; chosen on texts not learnt from.
# w word, p its beginning, b two beginnings, k concept, t topic by the lists, v row of the vocabulary,
# c two rows in a sentence, q a question mark, s what stands in a question and what in a statement,
# r rows together in a question, o how a question and how a statement begins, z kinds of sentences,
# x two of them in one text, y where they stand.
Kinds = tuple[Mapping[str, float], ...]  # each group is brought to a length of its own
TOPIC_KINDS: Kinds = ({"w": 1.5, "p": 1.0, "b": 1.0, "k": 1.0, "t": 1.5, "q": 1.0, "v": 1.5, "c": 0.7},)
ANALYSIS_KINDS: Kinds = (  # the words of a long mail must not drown what its sentences are for
    {"w": 1.5, "p": 1.0, "b": 0.7, "k": 1.0, "t": 1.5, "v": 1.5, "c": 0.5},
    {"q": 1.0, "s": 1.0, "r": 0.8, "o": 1.0, "z": 4.0, "x": 1.5, "y": 0.7},
)
LENGTH = 4.0  # of every text, in each group of kinds
PREFIX = 5  # letters that tell most words apart, whatever their ending
OPENING = 3  # words that tell how a sentence begins
WINDOW = 3  # sentences that are looked at together, beside the whole
LONG, MIDDLING = 5, 2  # more sentences than these
_TALKING = frozenset({"asking", "self", "thanks", "news", "negation"})  # groups that say what a sentence is for
_SCENERY = frozenset({"telling", "here", "offered", "feeling"})  # groups that say nothing of it: "thanks, nice day"
_UNPAIRED = frozenset({"self", "thanks", "here", "offered"})  # groups that say little beside another row
_TALKING_CONCEPTS = frozenset(
    {"request", "question", "ask_for_action", "thanks", "complaint", "update", "introduction"}
)
Found = frozenset[str]


def looks(text: str, languages: tuple[Language, ...]) -> Iterator[Found]:
    """The features of the whole text, then of every few sentences of a longer one."""
    hits = read(text, languages)
    seen = [_SeenSentence(sentence, found, languages) for sentence, found in hits]
    yield _together(seen)
    if len(seen) > WINDOW:
        for first in range(len(seen) - WINDOW + 1):
            yield _together(seen[first : first + WINDOW])


def brought_to_length(found: Found, kinds: Kinds) -> dict[str, float]:
    """Only the kinds that are asked for, each group together of one length, so that a long mail does not shout."""
    scales = scales_of(found, kinds)
    counts = {
        kind: counts * scale for group, scale in zip(kinds, scales, strict=True) for kind, counts in group.items()
    }
    return {name: counts[name[0]] for name in found if name[0] in counts}


def scales_of(found: Found, kinds: Kinds) -> list[float]:
    """What brings the features of each group, each as long as its kind counts, to one length together."""
    many = Counter(map(itemgetter(0), found))
    return [LENGTH / (sqrt(sum(counts**2 * many[kind] for kind, counts in group.items())) or 1.0) for group in kinds]


class _SeenSentence:
    """A sentence's own features, its kinds, and what the lists say of it."""

    __slots__ = ("asks", "features", "kinds", "said")

    def __init__(self, sentence: Sentence, hits: Sequence[ConceptHit], languages: tuple[Language, ...]) -> None:
        rows = [rows_of(token, languages) for token in sentence.tokens]
        self.asks = "?" in sentence.text
        mood = "q" if self.asks else "n"
        self.said: Mapping[str, Sequence[Said]] = said_in(sentence, hits)
        named = {row.name for found in rows for row in found if row.group not in _SCENERY}
        self.kinds = kinds_of(sentence, named, languages)
        self.features = frozenset(
            (
                *of_words(sentence.tokens),
                *(f"k:{'!' if hit.negated else ''}{hit.concept}" for hit in hits),
                *(f"v:{row.name}" for found in rows for row in found),
                *_pairs(rows),
                *_of_talk(rows, {hit.concept for hit in hits if not hit.negated}, mood),
                *(f"o:{mood}:{beginning}" for beginning in _openings(sentence.tokens)),
            )
        )


def _of_talk(rows: Sequence[tuple[Row, ...]], concepts: Iterable[str], mood: str) -> Iterator[str]:
    talking = sorted({row.name for found in rows for row in found if row.group in _TALKING})
    yield f"s:{mood}"
    yield from (f"s:{mood}:{name}" for name in talking)
    yield from (f"s:{mood}:{concept}" for concept in concepts if concept in _TALKING_CONCEPTS)
    yield from (f"r:{mood}^{row.name}" for found in rows[:2] for row in found)
    if mood == "q":
        yield from (f"r:{a}+{b}" for a, b in combinations([n for n in talking if n not in {"i", "he"}], 2))


def _pairs(rows: Sequence[tuple[Row, ...]]) -> Iterator[str]:
    """“Money” beside “back” is more than both; what two words mean together holds for every language."""
    paired = sorted({row.name for found in rows for row in found if row.group not in _UNPAIRED})
    yield from (f"c:{one}+{other}" for one, other in combinations(paired, 2))


def _openings(tokens: Sequence[str]) -> Iterator[str]:
    """“Could”, “Could you”, “Could you send”."""
    beginnings = [token[:PREFIX] for token in tokens[:OPENING]]
    yield from (" ".join(beginnings[:many]) for many in range(1, len(beginnings) + 1))


_WISHES = frozenset({"question_to_do", "question_to_know", "asks", "wants", "orders", "wonders"})


def _together(seen: Sequence[_SeenSentence]) -> Found:
    found: set[str] = set()
    for each in seen:
        found |= each.features
    for match in added_up(each.said for each in seen):
        found.add(f"t:{match.topic}:{'sure' if match.decides else 'weak'}")
    if any(each.asks for each in seen):
        found.add("q:?")
    kinds = {kind for each in seen for kind in each.kinds}
    found |= {f"z:{kind}" for kind in kinds}
    found.add("z:=" + "+".join(sorted(kinds & _WISHES)))
    found |= {f"x:{one}+{other}" for one, other in combinations(sorted(kinds), 2)}
    if sum("question_to_know" in each.kinds for each in seen) > 1:
        found.add("z:several questions")
    if seen:
        found |= {f"y:{step}" for step in course_of([each.kinds for each in seen])}
        found |= {f"y:last:{kind}" for kind in seen[-1].kinds} | {f"y:first:{kind}" for kind in seen[0].kinds}
    found.add("y:" + ("long" if len(seen) > LONG else "middling" if len(seen) > MIDDLING else "short"))
    return frozenset(found)


def of_words(tokens: Sequence[str]) -> Iterator[str]:
    plain = ["#" if token.isdigit() else token for token in tokens]
    for token in plain:
        yield from of_word(token)
    for left, right in pairwise(plain):
        yield f"b:{left[:PREFIX]} {right[:PREFIX]}"


def of_word(token: str) -> tuple[str, ...]:
    return f"w:{token}", f"p:{token[:PREFIX]}"
