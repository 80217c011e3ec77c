"""Jobs of the outbox: send what was approved, once, and keep proposals true to what they were made from."""

from postroom.rooms.outbox.jobs.definitions import NoteBounce, SendProposal, StopSending, TendOutbox, TendProposals
from postroom.rooms.outbox.jobs.sending import send_proposal
from postroom.rooms.outbox.jobs.tending import note_bounce, stop_sending, tend_outbox, tend_proposals

__all__ = [
    "NoteBounce",
    "SendProposal",
    "StopSending",
    "TendOutbox",
    "TendProposals",
    "note_bounce",
    "send_proposal",
    "stop_sending",
    "tend_outbox",
    "tend_proposals",
]
