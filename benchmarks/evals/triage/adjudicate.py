"""What the intent of a thread is, by three readings: python -m benchmarks.evals.triage.adjudicate [--write].

`readings.tsv` holds, for each thread that is analysed, what the author and two later readers chose, and what each would accept as
well. An intent counts if at least two of the three name it; the main one is what most chose first, the author's where that is even.
Where no intent is named twice, the author's stays. Without `--write` it says how far the readers agree, and what does not follow.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from typing import cast

from benchmarks.evals.triage import corpus

READERS = ("author", "reader_a", "reader_b")
READINGS = corpus.HERE / "readings.tsv"
NAMED_BY = 2  # readings that make an intent count
Reading = tuple[str, ...]  # the first choice, and what would do as well


def readings() -> dict[str, tuple[Reading, ...]]:
    _, *rows = (line.split("\t") for line in READINGS.read_text("utf-8").splitlines())
    return {name: tuple(tuple(told.split(",")) for told in by_reader) for name, *by_reader in rows}


def decided(told: Sequence[Reading]) -> Reading:
    """The main intent, then the others that count; by the author's order, the first reading's, where all else is even."""
    author = told[0]
    named = Counter(intent for each in told for intent in set(each))
    first = Counter(each[0] for each in told)
    counting = [intent for intent in (*author, *corpus.INTENTS) if named[intent] >= NAMED_BY]
    ranked = sorted(dict.fromkeys(counting), key=lambda intent: (-first[intent], intent != author[0]))
    return tuple(ranked) or author


def agreement(found: Sequence[tuple[Reading, ...]]) -> str:
    lines = []
    for one, other in ((0, 1), (0, 2), (1, 2)):
        same = sum(told[one][0] == told[other][0] for told in found)
        near = sum(told[other][0] in told[one] or told[one][0] in told[other] for told in found)
        lines.append(
            f"{READERS[one]} and {READERS[other]}: the same first choice {100 * same / len(found):.1f} %,"
            f" or one accepts the other's {100 * near / len(found):.1f} %"
        )
    return "\n".join(lines)


def labelled(thread: corpus.Thread, told: Reading) -> corpus.Thread:
    expect = {**thread["expect"], "intent": told[0]}
    expect.pop("intent_also", None)
    after = list(expect).index("urgency") + 1
    fields = list(expect.items())
    also = [("intent_also", list(told[1:]))] if told[1:] else []
    return cast("corpus.Thread", thread | {"expect": dict([*fields[:after], *also, *fields[after:]])})


def main(arguments: Sequence[str] | None = None) -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--write", action="store_true", help="put what the readings decide into both halves")
    asked = options.parse_args(arguments)
    found = readings()
    print(agreement(list(found.values())))
    differing = 0
    for part in corpus.PARTS:
        for language in corpus.LANGUAGES:
            before = list(corpus.threads([part], [language]))
            after = [
                labelled(each, decided(found[each["id"]])) if each["expect"]["intent"] else each for each in before
            ]
            differing += sum(one["expect"] != other["expect"] for one, other in zip(before, after, strict=True))
            if asked.write:
                path = corpus.HERE / part / f"{language}.jsonl"
                path.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in after), "utf-8")
    print(f"{differing} threads {'changed' if asked.write else 'are labelled otherwise'}")
    return 1 if differing and not asked.write else 0


if __name__ == "__main__":
    sys.exit(main())
