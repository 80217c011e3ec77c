"""Sensitive threads that would get a draft, after triage and after the evidence gate of replies.

    python -m benchmarks.evals.triage.gated [--part dev]

A thread that triage lets through is offered to the papers of every organisation of `benchmarks/evals/replies` whose texts may be
looked at. A mailbox has the papers of one organisation, so the share of a folder is what counts; the worst folder and all of
them together are told beside the mean.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from benchmarks.evals.replies import corpus as papers
from benchmarks.evals.replies.score import conversation, read_library
from benchmarks.evals.triage import corpus
from postroom.nouns.conversations import Conversation
from postroom.rooms.replies.rules.replying import Library, reply_to
from postroom.rooms.triage.rules.verdicts import operators, speaker, triage

OPEN_PARTS = ("dev", "kept")


def main(arguments: Sequence[str] | None = None) -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--part", default="dev", choices=corpus.PARTS)
    asked = options.parse_args(arguments)
    sensitive = [
        each
        for each in corpus.threads([asked.part], corpus.LANGUAGES)
        if each["expect"]["reason"].startswith("sensitive")
    ]
    passed = [thread for each in sensitive if (thread := _let_through(each)) is not None]
    folders = [
        f"{part}/{path.name}" for part in OPEN_PARTS for path in sorted((papers.HERE / part).iterdir()) if path.is_dir()
    ]
    drafted = {folder: _drafted(passed, read_library(folder)) for folder in folders}
    many = len(sensitive)
    mean = sum(len(each) for each in drafted.values()) / len(folders)
    worst = max(drafted, key=lambda folder: len(drafted[folder]))
    print(f"{many} sensitive threads; let through by triage {len(passed)} ({100 * len(passed) / many:.1f} %)")
    print(f"drafted, mean of {len(folders)} folders: {mean:.1f} ({100 * mean / many:.2f} %)")
    print(f"drafted, worst folder ({worst}): {len(drafted[worst])} ({100 * len(drafted[worst]) / many:.2f} %)")
    print(f"drafted by any folder: {len(set().union(*drafted.values()))}")


def _let_through(thread: corpus.Thread) -> Conversation | None:
    assembled = conversation(thread)  # type: ignore[arg-type]  # mails of both corpora have the same fields
    known = operators([*([thread["mailbox"]] if thread["mailbox"] else []), *thread["operators"]])
    return assembled if triage(assembled, known).action == "draft" else None


def _drafted(threads: Sequence[Conversation], shelf: Library) -> set[int]:
    found = set()
    for number, thread in enumerate(threads):
        latest = thread.latest
        if latest is None:
            continue
        sender = speaker(latest)
        if reply_to(thread, latest, shelf, sender.name if sender else "").draft.body:
            found.add(number)
    return found


if __name__ == "__main__":
    main()
