"""Triage jobs: judge a thread, show a state, go through a mailbox, wake what was snoozed, forget."""

from postroom.rooms.triage.jobs.definitions import (
    ForgetThreads,
    SetThreadState,
    TriageMailbox,
    TriageThread,
    WakeThreads,
)
from postroom.rooms.triage.jobs.tending import forget_threads, triage_mailbox, wake_threads
from postroom.rooms.triage.jobs.triaging import set_thread_state, triage_thread

__all__ = [
    "ForgetThreads",
    "SetThreadState",
    "TriageMailbox",
    "TriageThread",
    "WakeThreads",
    "forget_threads",
    "set_thread_state",
    "triage_mailbox",
    "triage_thread",
    "wake_threads",
]
