"""Postroom: shared mailboxes, every mail accounted for."""

__version__ = "0.1.0"
