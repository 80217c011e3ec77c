"""From a pushed mail to the label on its thread, beside the bare calls that it takes; and the CPU of judging a thread.

`python -m benchmarks.triage [--mails N] [--keep]`. Simulator, web process and worker share this process, so the time to the
label holds all three; the floor asks the same simulator for the same things, one after the other: the changes, the
message, the thread, and the category.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from typing import Any

from benchmarks.bench import keep, quantile
from benchmarks.one_mail import BOX, TEXT, GraphCalls, timed, whole_house
from postroom.nouns.conversations import Turn, conversation_of
from postroom.nouns.mail import Address
from postroom.nouns.providers import INBOX, ProviderRef
from postroom.rooms.mailboxes import commands as mailboxes
from postroom.rooms.triage.rules.analysis import analyse
from postroom.rooms.triage.rules.verdicts import operators, triage


async def to_label(mails: int) -> dict[str, Any]:
    async with whole_house() as (world, _, scope, mailbox):
        await mailboxes.set_copilot(scope, mailbox, "labels")
        times, bare = await timed(world, mails, lambda mail: bool(mail["labels"]), _bare_calls)
    label = quantile(times, 0.5)
    return {"to_label_p50_ms": round(label), "to_label_p95_ms": round(quantile(times, 0.95)), "bare_calls_p50_ms": round(bare), "ratio": round(label / bare, 1)}  # fmt: skip


async def _bare_calls(graph: GraphCalls) -> None:
    """Read the mail and its thread, and write the category."""
    await graph.read_mail_and_thread()
    await graph.ask("PATCH", f"/{graph.key}", json={"categories": ["Bench"]})


def cpu(rounds: int = 300) -> float:
    """Milliseconds for verdict and analysis of one thread."""
    turn = Turn(ProviderRef("m"), Address("ada@client.example"), (Address(BOX),), subject="Our stay", labels=frozenset({INBOX}), own_text=TEXT * 3)  # fmt: skip
    thread, known = conversation_of(ProviderRef("t"), [turn]), operators([BOX])
    analyse(thread, triage(thread, known))
    began = time.process_time()
    for _ in range(rounds):
        analyse(thread, triage(thread, known))
    return (time.process_time() - began) / rounds * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mails", type=int, default=30)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    keep("triage", {**asyncio.run(to_label(options.mails)), "judging_cpu_ms": round(cpu(), 2)})


if __name__ == "__main__":
    main()
