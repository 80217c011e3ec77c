"""Microsoft Graph mail and Entra, as a client meets them on the wire."""

from __future__ import annotations

from .mailbox import SimGraphMailbox
from .sim import GraphSim

__all__ = ["GraphSim", "SimGraphMailbox"]
