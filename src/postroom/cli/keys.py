"""Both kinds of keys under one name: those for the API, and the one that seals."""

from __future__ import annotations

from postroom.cli import sealing
from postroom.cli.people import keys

__all__ = ["keys"]

sealing.add_to(keys)
