"""How right mappings are: python -m benchmarks.evals.mapping.score [--part open|closed] [--mails N] [--misses] [--without-people].

The weights were fitted on the open fold. The closed one is another book with another year of mail: only its totals are looked at.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from benchmarks.evals.mapping.desk import Judged, tally
from benchmarks.evals.mapping.fit import OPEN_SEED, judged_with
from postroom.rooms.clients.rules.weights import fitted

SEEDS = {"open": OPEN_SEED, "closed": 90210}
BANDS = (0.0, 0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.01)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--part", choices=SEEDS, default="open")
    options.add_argument("--mails", type=int, default=10_000)
    options.add_argument("--misses", action="store_true", help="what went wrong, one by one (never of the closed part)")
    options.add_argument(
        "--without-people", action="store_true", help="also as it would be if nobody ever corrected anything"
    )
    asked = options.parse_args()
    began = time.process_time()
    judged = judged_with(fitted(), SEEDS[asked.part], asked.mails)
    spent = time.process_time() - began
    print(_line("all", judged))
    third = len(judged) // 3
    print(_line("first third", judged[:third]))
    print(_line("last third", judged[-third:]))
    if asked.without_people:
        alone = judged_with(fitted(), SEEDS[asked.part], asked.mails, person=False)
        print(_line("last third, uncorrected", alone[-third:]))
    for kind, group in _by_kind(judged):
        print(_line(kind, group))
    print("\nstated -> true, of the likeliest account, before doubts keep it for a person")
    for line in reliability(judged):
        print(line)
    print(f"\n{len(judged) / spent:.0f} mails per CPU second, the book in memory")
    if asked.misses and asked.part == "open":
        _tell_misses(judged)


def _by_kind(judged: Iterable[Judged]) -> list[tuple[str, list[Judged]]]:
    groups: dict[str, list[Judged]] = defaultdict(list)
    for each in judged:
        groups[each.mail.kind].append(each)
    return sorted(groups.items())


def _line(name: str, judged: Sequence[Judged]) -> str:
    count = tally(judged)
    return (
        f"{name:24} n {count['mails']:5} | mapped alone {_share(count['auto'], count['mails'])}"
        f" (of the clear {_share(count['clear_auto'], count['clear'])}), right {_share(count['auto_right'], count['auto'])}"
        f" | ambiguous {count['ambiguous']:4}, mapped alone {count['ambiguous_auto']}"
        f" | first {_share(count['first'], count['somebodys'])} in three {_share(count['top3'], count['somebodys'])}"
    )


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:6.2f} %" if whole else "      –"


def reliability(judged: Iterable[Judged]) -> list[str]:
    """Of each band of stated confidence, how many were right. Penalties are added back: they are no evidence."""
    total: Counter[int] = Counter()
    right: Counter[int] = Counter()
    stated: defaultdict[int, float] = defaultdict(float)
    for each in judged:
        if each.found.account is None or each.found.staleness or each.mail.kind in ("look-alike", "spoofed"):
            continue
        sure = float(each.found.confidence)
        band = max(at for at, low in enumerate(BANDS) if sure >= low)
        total[band] += 1
        stated[band] += sure
        right[band] += each.first == each.mail.truth
    return [
        f"{BANDS[band]:.2f}–{min(BANDS[band + 1], 1.0):.2f}  n {total[band]:5}  stated {stated[band] / total[band]:.3f}"
        f"  true {right[band] / total[band]:.3f}"
        for band in sorted(total)
    ]


def _tell_misses(judged: Iterable[Judged]) -> None:
    for each in judged:
        if each.auto and (each.first != each.mail.truth or each.mail.ambiguous):
            sender = each.mail.email.sender
            print(f"\n{each.mail.kind}: {sender.email if sender else '?'} | {each.mail.email.subject}")
            print(f"   is {each.mail.truth}, mapped to {each.first} at {each.found.confidence}: {each.found.because}")


if __name__ == "__main__":
    main()
