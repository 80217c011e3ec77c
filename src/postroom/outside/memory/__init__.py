"""A mail provider in memory: keeps every port's promise without a network, for tests of rooms and for trials."""

from postroom.outside.memory.copilot import open_copilot
from postroom.outside.memory.mailbox import MemoryMailbox
from postroom.outside.memory.provider import MemoryProvider

__all__ = ["MemoryMailbox", "MemoryProvider", "open_copilot"]
