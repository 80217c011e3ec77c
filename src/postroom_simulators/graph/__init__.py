"""Microsoft Graph mail and Entra, as a client meets them on the wire."""

from __future__ import annotations

from .mailbox import GraphMailbox
from .sim import GraphSim

__all__ = ["GraphMailbox", "GraphSim"]
