"""The simulated Gmail API: importing the parts below puts their calls on the list of operations."""

from postroom_simulators.google.gmail import changes, drafts, labels, messages, send_as, threads
from postroom_simulators.google.gmail.accounts import Gmail
from postroom_simulators.google.gmail.operations import ALL as OPERATIONS

__all__ = ["OPERATIONS", "Gmail", "changes", "drafts", "labels", "messages", "send_as", "threads"]
